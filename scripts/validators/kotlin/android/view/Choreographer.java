package android.view;

public final class Choreographer {
    public static Choreographer getInstance() { return null; }
    public void postFrameCallback(FrameCallback c) {}
    public void removeFrameCallback(FrameCallback c) {}
    public interface FrameCallback { void doFrame(long nanos); }
}

package android.media;

public class MediaPlayer {
    public void setDataSource(java.io.FileDescriptor f, long offset, long length) throws java.io.IOException {}
    public void setLooping(boolean on) {}
    public boolean isLooping() { return false; }
    public void setOnCompletionListener(OnCompletionListener l) {}
    public void prepare() throws java.io.IOException {}
    public void start() {}
    public void pause() {}
    public void seekTo(int ms) {}
    public boolean isPlaying() { return false; }
    public void setVolume(float left, float right) {}
    public void release() {}
    public interface OnCompletionListener { void onCompletion(MediaPlayer p); }
}

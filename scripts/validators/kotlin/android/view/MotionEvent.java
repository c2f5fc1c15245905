package android.view;

public final class MotionEvent {
    public static final int ACTION_DOWN = 0; public static final int ACTION_UP = 1; public static final int ACTION_MOVE = 2; public static final int ACTION_CANCEL = 3;
    public float getX() { return 0; }
    public float getY() { return 0; }
    public int getActionMasked() { return 0; }
    public long getEventTime() { return 0; }
}

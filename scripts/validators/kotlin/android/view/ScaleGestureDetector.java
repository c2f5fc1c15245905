package android.view;

public class ScaleGestureDetector {
    public ScaleGestureDetector(android.content.Context c, OnScaleGestureListener l) {}
    public boolean onTouchEvent(MotionEvent e) { return true; }
    public float getFocusX() { return 0; }
    public float getFocusY() { return 0; }
    public float getScaleFactor() { return 1; }
    public interface OnScaleGestureListener {}
    public static class SimpleOnScaleGestureListener implements OnScaleGestureListener { public boolean onScale(ScaleGestureDetector d) { return false; } }
}

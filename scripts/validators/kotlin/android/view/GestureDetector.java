package android.view;

public class GestureDetector {
    public GestureDetector(android.content.Context c, OnGestureListener l) {}
    public boolean onTouchEvent(MotionEvent e) { return true; }
    public interface OnGestureListener {}
    public static class SimpleOnGestureListener implements OnGestureListener {
        public boolean onDown(MotionEvent e) { return false; }
        public boolean onDoubleTap(MotionEvent e) { return false; }
        public boolean onSingleTapConfirmed(MotionEvent e) { return false; }
        public void onLongPress(MotionEvent e) {}
        public boolean onScroll(MotionEvent a, MotionEvent b, float x, float y) { return false; }
    }
}

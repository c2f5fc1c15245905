package android.view;

public class View {
    public static final int GONE = 8;
    public View(android.content.Context c) {}
    public void setContentDescription(CharSequence s) {}
    public CharSequence getContentDescription() { return null; }
    public void setVisibility(int v) {}
    public int getVisibility() { return 0; }
    public void bringToFront() {}
    public void setEnabled(boolean on) {}
    public boolean isEnabled() { return true; }
    public int getWidth() { return 0; }
    public int getHeight() { return 0; }
    public void setPadding(int l, int t, int r, int b) {}
    public void setOnClickListener(OnClickListener l) {}
    public void setOnTouchListener(OnTouchListener l) {}
    public void setOnFocusChangeListener(OnFocusChangeListener l) {}
    public boolean performHapticFeedback(int kind) { return true; }
    public interface OnClickListener { void onClick(View v); }
    public interface OnTouchListener { boolean onTouch(View v, MotionEvent e); }
    public interface OnFocusChangeListener { void onFocusChange(View v, boolean focused); }
}

package android.view;

public class KeyEvent {
    public static final int ACTION_DOWN = 0;
    public int getRepeatCount() { return 0; }
    public int getAction() { return 0; }
    public int getKeyCode() { return 0; }
    public int getUnicodeChar() { return 0; }
    public static String keyCodeToString(int code) { return ""; }
}

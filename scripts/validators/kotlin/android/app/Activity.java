package android.app;

public class Activity extends android.content.Context {
    protected void onCreate(android.os.Bundle saved) {}
    protected void onResume() {}
    protected void onPause() {}
    protected void onDestroy() {}
    public boolean dispatchKeyEvent(android.view.KeyEvent event) { return false; }
    public void setContentView(android.view.View view) {}
}

package android.widget;

public class ProgressBar extends android.view.View {
    public ProgressBar(android.content.Context c) { super(c); }
    public ProgressBar(android.content.Context c, android.util.AttributeSet a, int style) { super(c); }
    public void setMax(int n) {}
    public int getMax() { return 0; }
    public void setProgress(int n) {}
    public int getProgress() { return 0; }
}

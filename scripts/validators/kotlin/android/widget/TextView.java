package android.widget;

public class TextView extends android.view.View {
    public TextView(android.content.Context c) { super(c); }
    public void setText(CharSequence s) {}
    public CharSequence getText() { return ""; }
    public void setHint(CharSequence s) {}
    public CharSequence getHint() { return ""; }
    public void setInputType(int t) {}
    public int getInputType() { return 0; }
    public void setFilters(android.text.InputFilter[] f) {}
    public android.text.InputFilter[] getFilters() { return null; }
}

package android.widget;

public abstract class AdapterView<T> extends android.view.View {
    public AdapterView(android.content.Context c) { super(c); }
    public void setSelection(int i) {}
    public void setOnItemSelectedListener(OnItemSelectedListener l) {}
    public final OnItemSelectedListener getOnItemSelectedListener() { return null; }
    public interface OnItemSelectedListener {
        void onItemSelected(AdapterView<?> parent, android.view.View view, int position, long id);
        void onNothingSelected(AdapterView<?> parent);
    }
}

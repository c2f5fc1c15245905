package android.widget;

public class Spinner extends AdapterView<SpinnerAdapter> {
    public Spinner(android.content.Context c) { super(c); }
    public void setAdapter(SpinnerAdapter a) {}
    public SpinnerAdapter getAdapter() { return null; }
}

package android.widget;

public class ArrayAdapter<T> implements SpinnerAdapter { public ArrayAdapter(android.content.Context c, int layout, java.util.List<T> list) {} }

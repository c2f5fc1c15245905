package android.widget;

public class CheckBox extends CompoundButton { public CheckBox(android.content.Context c) { super(c); } }

package android.widget;

public class ScrollView extends FrameLayout { public ScrollView(android.content.Context c) { super(c); } }

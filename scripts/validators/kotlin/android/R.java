package android;

public final class R {
    public static final class string { public static final int ok = 1; public static final int cancel = 2; }
    public static final class layout { public static final int simple_spinner_dropdown_item = 1; }
    public static final class attr { public static final int progressBarStyleHorizontal = 1; }
}

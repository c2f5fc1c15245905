package android.view;

public class HapticFeedbackConstants { public static final int LONG_PRESS = 0; }

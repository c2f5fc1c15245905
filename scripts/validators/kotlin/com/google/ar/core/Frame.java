package com.google.ar.core;

public class Frame {
    public Camera getCamera() { return null; }
    public long getTimestamp() { return 0; }
    public java.util.List<HitResult> hitTest(android.view.MotionEvent e) { return null; }
}

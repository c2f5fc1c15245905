package com.google.ar.core;

public class Pose {
    public static Pose makeTranslation(float x, float y, float z) { return null; }
    public Pose inverse() { return null; }
    public float[] transformPoint(float[] p) { return null; }
    public float[] rotateVector(float[] p) { return null; }
    public float[] getTranslation() { return null; }
}

package com.google.ar.core;

public class Camera {
    public TrackingState getTrackingState() { return null; }
    public Pose getDisplayOrientedPose() { return null; }
    public void getProjectionMatrix(float[] m, int offset, float near, float far) {}
    public void getViewMatrix(float[] m, int offset) {}
}

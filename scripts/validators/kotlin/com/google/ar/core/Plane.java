package com.google.ar.core;

public class Plane implements Trackable {
    public enum Type { HORIZONTAL_UPWARD_FACING, HORIZONTAL_DOWNWARD_FACING, VERTICAL }
    public TrackingState getTrackingState() { return null; }
    public Anchor createAnchor(Pose pose) { return null; }
    public Type getType() { return null; }
    public Pose getCenterPose() { return null; }
    public Plane getSubsumedBy() { return null; }
    public boolean isPoseInPolygon(Pose pose) { return true; }
}

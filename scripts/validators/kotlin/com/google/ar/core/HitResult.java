package com.google.ar.core;

public class HitResult {
    public Trackable getTrackable() { return null; }
    public Pose getHitPose() { return null; }
    public Anchor createAnchor() { return null; }
}

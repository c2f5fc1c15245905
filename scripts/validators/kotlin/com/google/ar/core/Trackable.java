package com.google.ar.core;

public interface Trackable { TrackingState getTrackingState(); Anchor createAnchor(Pose pose); }

package com.google.ar.core;

public class Session {
    public boolean isDepthModeSupported(Config.DepthMode m) { return true; }
    public <T extends Trackable> java.util.Collection<T> getAllTrackables(Class<T> kind) { return null; }
}

package com.google.ar.core;

public enum TrackingState { TRACKING, PAUSED, STOPPED }

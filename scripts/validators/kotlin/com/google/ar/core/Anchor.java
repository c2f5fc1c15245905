package com.google.ar.core;

public class Anchor { public Pose getPose() { return null; } }

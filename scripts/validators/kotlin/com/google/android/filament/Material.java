package com.google.android.filament;

public class Material { public boolean hasParameter(String name) { return true; } }

package com.google.android.filament;

public class Engine { public LightManager getLightManager() { return null; } }

package com.google.android.filament;

public class MaterialInstance {
    public Material getMaterial() { return null; }
    public void setParameter(String name, float x) {}
    public void setParameter(String name, float x, float y, float z) {}
    public void setParameter(String name, float x, float y, float z, float w) {}
}

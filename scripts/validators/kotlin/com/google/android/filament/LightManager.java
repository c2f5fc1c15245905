package com.google.android.filament;

public class LightManager {
    public enum Type { SUN, DIRECTIONAL, POINT, FOCUSED_SPOT, SPOT }
    public int getInstance(int entity) { return 0; }
    public void setIntensity(int i, float v) {}
    public void setIntensityCandela(int i, float v) {}
    public void setColor(int i, float r, float g, float b) {}
    public static class Builder {
        public Builder color(float r, float g, float b) { return this; }
        public Builder intensity(float v) { return this; }
        public Builder intensityCandela(float v) { return this; }
        public Builder direction(float x, float y, float z) { return this; }
        public Builder falloff(float r) { return this; }
        public Builder castShadows(boolean on) { return this; }
        public Builder spotLightCone(float inner, float outer) { return this; }
    }
}

package com.google.ar.core;

public class Config {
    public enum DepthMode { DISABLED, AUTOMATIC }
    public enum PlaneFindingMode { DISABLED, HORIZONTAL, VERTICAL, HORIZONTAL_AND_VERTICAL }
    public enum LightEstimationMode { DISABLED, AMBIENT_INTENSITY, ENVIRONMENTAL_HDR }
    public Config setDepthMode(DepthMode m) { return this; }
    public DepthMode getDepthMode() { return null; }
    public Config setPlaneFindingMode(PlaneFindingMode m) { return this; }
    public PlaneFindingMode getPlaneFindingMode() { return null; }
    public Config setLightEstimationMode(LightEstimationMode m) { return this; }
    public LightEstimationMode getLightEstimationMode() { return null; }
}

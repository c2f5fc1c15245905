package com.google.android.filament.gltfio;

public class FilamentInstance { public com.google.android.filament.MaterialInstance[] getMaterialInstances() { return null; } }

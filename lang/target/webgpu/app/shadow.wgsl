// What a light sees: the depth of the surface nearest to it.
struct Instance {
  model: mat4x4f,
  normal: mat3x3f,
  colour: vec4f,
  glow: vec4f,
  surface: vec4f,
}

@group(0) @binding(0) var<uniform> clip: mat4x4f;
@group(0) @binding(1) var<storage, read> instances: array<Instance>;

@vertex
fn corner(@location(0) position: vec3f, @builtin(instance_index) index: u32) -> @builtin(position) vec4f {
  return clip * instances[index].model * vec4f(position, 1.0);
}

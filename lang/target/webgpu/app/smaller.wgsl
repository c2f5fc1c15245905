// The smaller copies of a picture, each half as large as the one before.
@group(0) @binding(0) var smooth_: sampler;
@group(0) @binding(1) var larger: texture_2d<f32>;

struct Corner {
  @builtin(position) clip: vec4f,
  @location(0) uv: vec2f,
}

@vertex
fn corner(@builtin(vertex_index) i: u32) -> Corner {
  let uv = vec2f(f32(i & 1u) * 2.0, f32(i >> 1u) * 2.0);
  return Corner(vec4f(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, 0.0, 1.0), uv);
}

@fragment
fn half_(in: Corner) -> @location(0) vec4f {
  return textureSample(larger, smooth_, in.uv);
}

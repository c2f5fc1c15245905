// Brings the light of a picture into the range of the screen and encodes it as
// sRGB. Until here light is added and blended as light.
@group(1) @binding(0) var light: texture_2d<f32>;

@vertex
fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment
fn develop(@builtin(position) at: vec4f) -> @location(0) vec4f {
  var c = textureLoad(light, vec2u(at.xy), 0).rgb * select(frame.tone.x, 1.0, frame.tone.y > 1.5);
  if (frame.tone.y == 1.0) { // Narkowicz 2015, a fit to the reference rendering transform of ACES
    c = c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14);
  }
  c = clamp(c, vec3f(0.0), vec3f(1.0));
  return vec4f(select(1.055 * pow(c, vec3f(1.0 / 2.4)) - 0.055, c * 12.92, c <= vec3f(0.0031308)), 1.0);
}

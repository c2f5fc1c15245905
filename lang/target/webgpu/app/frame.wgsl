// What every pass of a picture knows. The host writes it by layout.ts.
struct Frame {
  clip: mat4x4f, // world to clip space; what is nearer has the larger depth
  eye: vec4f, // where the eye is; w is 1 without perspective
  right: vec4f, // to the right of the eye; w is half the width of the view, at one metre
  up: vec4f, // above the eye; w is half the height of the view, at one metre
  back: vec4f, // behind the eye
  fog: vec4f, // its colour; w is its density per metre
  tone: vec4f, // exposure; 1 for the filmic curve; texels of a side of the shadow maps
  count: vec4u, // lights; colours of the sky
  sky: array<vec4f, 8>, // from above to below
}

@group(0) @binding(0) var<uniform> frame: Frame;

// clarity is how much light the fog lets through from a place to the eye.
fn clarity(at: vec3f) -> f32 {
  let thickness = frame.fog.w * dot(frame.eye.xyz - at, frame.back.xyz);
  return exp(-thickness * thickness);
}

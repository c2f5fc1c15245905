// The sky: behind everything, up to eight colours from above to below.
struct Corner {
  @builtin(position) clip: vec4f,
  @location(0) place: vec2f,
}

@vertex
fn corner(@builtin(vertex_index) i: u32) -> Corner {
  let place = vec2f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0);
  return Corner(vec4f(place, 0.0, 1.0), place);
}

@fragment
fn sky(in: Corner) -> @location(0) vec4f {
  var sight = -frame.back.xyz;
  if (frame.eye.w < 0.5) {
    sight += frame.right.xyz * frame.right.w * in.place.x + frame.up.xyz * frame.up.w * in.place.y;
  }
  let steps = f32(max(frame.count.y, 1u) - 1u);
  let u = clamp((1.0 - normalize(sight).y) * 0.5, 0.0, 1.0) * steps;
  let k = u32(min(floor(u), max(steps - 1.0, 0.0)));
  let colour = mix(frame.sky[k].rgb, frame.sky[min(k + 1u, 7u)].rgb, select(0.0, u - f32(k), steps > 0.0));
  return vec4f(colour, 1.0);
}

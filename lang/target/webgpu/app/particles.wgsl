// Particles: where each is follows from its number and the time alone, so that
// every run shows the same ones. A ring of count places is filled in turn.
struct Emitter {
  model: mat4x4f,
  speed: vec4f, // w is the spread
  first: vec4f, // colour at birth
  last: vec4f, // colour at the end
  life: vec4f, // shortest, longest, births a second, share of the next birth that has passed
  shape: vec4f, // gravity, width, size at birth and at the end
  born: u32, // how many were born so far
  count: u32,
  seed: u32,
}

struct Point {
  place: vec3f,
  size: f32,
  colour: vec4f,
}

@group(1) @binding(0) var<uniform> emitter: Emitter;
@group(1) @binding(1) var<storage, read_write> moved: array<Point>;
@group(1) @binding(2) var<storage, read> points: array<Point>;

// chance is a number from 0 to 1 that follows from three others (PCG).
fn chance(birth: u32, what: u32) -> f32 {
  let state = (birth * 8u + what + emitter.seed) * 747796405u + 2891336453u;
  let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return f32(((word >> 22u) ^ word) >> 8u) / 16777216.0;
}

@compute @workgroup_size(64)
fn move_(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= emitter.count) {
    return;
  }
  moved[i] = Point(vec3f(0.0), 0.0, vec4f(0.0));
  if (i >= emitter.born) {
    return; // nothing was born there yet
  }
  let ago = (emitter.born - 1u - i) % emitter.count;
  let birth = emitter.born - 1u - ago;
  let age = (f32(ago) + emitter.life.w) / max(emitter.life.z, 1e-6);
  let whole = mix(emitter.life.x, emitter.life.y, chance(birth, 0u));
  if (age >= whole) {
    return;
  }
  let start = vec3f(chance(birth, 1u) - 0.5, 0.0, chance(birth, 2u) - 0.5) * emitter.shape.y;
  let aside = vec3f(chance(birth, 3u), chance(birth, 4u), chance(birth, 5u)) * 2.0 - 1.0;
  var place = start + (emitter.speed.xyz + aside * emitter.speed.w) * age;
  place.y -= 0.5 * emitter.shape.x * age * age;
  let u = age / whole;
  moved[i] = Point(place, mix(emitter.shape.z, emitter.shape.w, u), mix(emitter.first, emitter.last, u));
}

struct Corner {
  @builtin(position) clip: vec4f,
  @location(0) at: vec3f,
  @location(1) place: vec2f,
  @location(2) colour: vec4f,
}

@vertex
fn corner(@builtin(vertex_index) i: u32, @builtin(instance_index) n: u32) -> Corner {
  let p = points[n];
  let k = array<vec2f, 6>(vec2f(-1, -1), vec2f(1, -1), vec2f(1, 1), vec2f(-1, -1), vec2f(1, 1), vec2f(-1, 1))[i];
  let middle = (emitter.model * vec4f(p.place, 1.0)).xyz;
  let at = middle + (frame.right.xyz * k.x + frame.up.xyz * k.y) * p.size * 0.5;
  return Corner(frame.clip * vec4f(at, 1.0), middle, k * 0.5, p.colour);
}

@fragment
fn point(in: Corner) -> @location(0) vec4f {
  let opacity = in.colour.a * (1.0 - smoothstep(0.2, 0.5, length(in.place))) * clarity(in.at);
  return vec4f(in.colour.rgb, opacity);
}

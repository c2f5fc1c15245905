// Surfaces: the base colour and the gloss of metals and paints, lit by the
// lights of the scene. Light of intensity 1 shows a white surface white.
struct Light {
  colour: vec3f, // with its intensity
  kind: u32, // 0 ambient, 1 hemisphere, 2 directional, 3 point, 4 spot
  place: vec3f,
  reach: f32, // range to the power of -4; 0 has no end
  toLight: vec3f, // of a directional light; against the axis of a spot
  outer: f32, // cosine of the edge of a spot
  ground: vec3f, // of a hemisphere
  inner: f32, // cosine from where a spot is at its full
  shadow: mat4x4f, // world to the clip space of the shadow map
  layer: i32, // of the shadow map; -1 throws no shadow
  texel: f32, // metres a texel, at one metre for a spot
}

struct Instance {
  model: mat4x4f,
  normal: mat3x3f,
  colour: vec4f, // base colour and opacity
  glow: vec4f, // light of its own; w is the opacity below which nothing is seen
  surface: vec4f, // metallic, roughness, mirroring of what is no metal, 1 for unlit
}

@group(0) @binding(1) var<storage, read> lights: array<Light>;
@group(0) @binding(2) var<storage, read> instances: array<Instance>;
@group(0) @binding(3) var shadows: texture_depth_2d_array;
@group(0) @binding(4) var nearer: sampler_comparison;
@group(1) @binding(0) var smooth_: sampler;
@group(1) @binding(1) var baseMap: texture_2d<f32>;
@group(1) @binding(2) var normalMap: texture_2d<f32>;
@group(1) @binding(3) var ormMap: texture_2d<f32>;
@group(1) @binding(4) var glowMap: texture_2d<f32>;

struct Corner {
  @builtin(position) clip: vec4f,
  @location(0) at: vec3f,
  @location(1) normal: vec3f,
  @location(2) uv: vec2f,
  @location(3) @interpolate(flat) index: u32,
}

@vertex
fn corner(
  @location(0) position: vec3f, @location(1) normal: vec3f, @location(2) uv: vec2f, @builtin(instance_index) index: u32,
) -> Corner {
  let at = instances[index].model * vec4f(position, 1.0);
  return Corner(frame.clip * at, at.xyz, instances[index].normal * normal, vec2f(uv.x, 1.0 - uv.y), index);
}

// shine is the light that arrives at a place, before shadows and angles.
fn shine(l: Light, at: vec3f, toLight: ptr<function, vec3f>) -> vec3f {
  if (l.kind == 2u) {
    *toLight = l.toLight;
    return l.colour;
  }
  let d = l.place - at;
  let d2 = max(dot(d, d), 1e-4); // a centimetre off, so that it stays finite
  *toLight = d / sqrt(d2);
  var strength = 1.0 / d2;
  if (l.reach > 0.0) {
    let fall = max(0.0, 1.0 - d2 * d2 * l.reach);
    strength *= fall * fall;
  }
  if (l.kind == 4u) {
    let c = dot(*toLight, l.toLight);
    let t = clamp((c - l.outer) / max(l.inner - l.outer, 1e-6), 0.0, 1.0);
    strength *= t * t * (3.0 - 2.0 * t);
  }
  return l.colour * strength;
}

// free is how much of a light reaches a place: nine texels around it are asked,
// each blended with its neighbours.
fn free(l: Light, at: vec3f, normal: vec3f) -> f32 {
  var texel = l.texel;
  if (l.kind == 4u) {
    texel *= max(dot(l.place - at, l.toLight), 0.05);
  }
  // The place is lifted off its surface by what the surface rises over the texels.
  let along = dot(normal, l.toLight);
  let lifted = at + normal * texel * (0.3 + 2.8 * sqrt(max(0.0, 1.0 - along * along)));
  let c = l.shadow * vec4f(lifted, 1.0);
  if (c.w <= 0.0) {
    return 1.0;
  }
  let place = c.xyz / c.w;
  if (any(abs(place.xy) >= vec2f(1.0)) || place.z <= 0.0 || place.z >= 1.0) {
    return 1.0;
  }
  let uv = vec2f(0.5 + 0.5 * place.x, 0.5 - 0.5 * place.y);
  var sum = 0.0;
  for (var y = -1.0; y < 1.5; y += 1.0) {
    for (var x = -1.0; x < 1.5; x += 1.0) {
      sum += textureSampleCompareLevel(shadows, nearer, uv + vec2f(x, y) / frame.tone.z, l.layer, place.z);
    }
  }
  return sum / 9.0;
}

// gloss is the distribution of Trowbridge and Reitz, the height-correlated
// visibility of Smith and Fresnel by Schlick; times pi, because the intensity of
// light is relative.
fn gloss(normal: vec3f, toEye: vec3f, toLight: vec3f, facing: f32, rough: f32, mirror: vec3f) -> vec3f {
  let half = normalize(toLight + toEye);
  let nh = max(dot(normal, half), 0.0);
  let nv = max(dot(normal, toEye), 1e-3);
  let a2 = rough * rough;
  let d = nh * nh * (a2 - 1.0) + 1.0;
  let gl = facing * sqrt(a2 + (1.0 - a2) * nv * nv);
  let gv = nv * sqrt(a2 + (1.0 - a2) * facing * facing);
  let fresnel = pow(1.0 - max(dot(toEye, half), 0.0), 5.0);
  return mix(mirror, vec3f(1.0), fresnel) * (a2 / (d * d)) * (0.5 / max(gl + gv, 1e-6));
}

// bent turns a normal by what a normal map says, in a frame made of how the place
// and the picture change from pixel to pixel.
fn bent(normal: vec3f, said: vec3f, dpx: vec3f, dpy: vec3f, dux: vec2f, duy: vec2f) -> vec3f {
  let across = cross(normal, dpy); // rows of the picture of the eye go down
  let along = cross(dpx, normal);
  let t = across * dux.x + along * duy.x;
  let b = across * dux.y + along * duy.y;
  let most = max(dot(t, t), dot(b, b));
  if (most <= 0.0) {
    return normal;
  }
  let scale = inverseSqrt(most);
  let tilt = said * 2.0 - 1.0;
  // Rows of pictures go down, so that their green points against b.
  return normalize(t * scale * tilt.x - b * scale * tilt.y + normal * max(tilt.z, 0.01));
}

@fragment
fn surface(in: Corner, @builtin(front_facing) front: bool) -> @location(0) vec4f {
  let o = instances[in.index];
  let base = textureSample(baseMap, smooth_, in.uv) * o.colour;
  let said = textureSample(normalMap, smooth_, in.uv).xyz;
  let orm = textureSample(ormMap, smooth_, in.uv).xyz;
  let own = textureSample(glowMap, smooth_, in.uv).rgb * o.glow.rgb;
  let dpx = dpdx(in.at);
  let dpy = dpdy(in.at);
  let dux = dpdx(in.uv);
  let duy = dpdy(in.uv);
  if (base.a < o.glow.w) {
    discard;
  }
  var light = base.rgb;
  if (o.surface.w < 0.5) {
    var normal = normalize(in.normal);
    if (!front) {
      normal = -normal;
    }
    if (any(abs(said - vec3f(0.5, 0.5, 1.0)) > vec3f(0.003))) {
      normal = bent(normal, said, dpx, dpy, dux, duy);
    }
    light = lit(in.at, normal, base.rgb, o.surface.x * orm.z, max(o.surface.y * orm.y, 0.0525), o.surface.z, orm.x);
  }
  light += own;
  if (frame.tone.y > 1.5 && o.surface.w < 0.5) {
    light = neutral(light * frame.tone.x);
  }
  light = mix(frame.fog.rgb, light, clarity(in.at));
  return vec4f(light, base.a);
}

// neutral keeps light below 0.8 and lets what is brighter come near to white: the
// shoulder of Khronos PBR Neutral. Sky and what is unlit keep their colours.
fn neutral(c: vec3f) -> vec3f {
  let peak = max(c.r, max(c.g, c.b));
  if (peak < 0.8) {
    return c;
  }
  let top = 1.0 - 0.04 / (peak - 0.6);
  return mix(c * top / peak, vec3f(top), 1.0 - 1.0 / (0.15 * (peak - top) + 1.0));
}

// lit adds up what all lights make of a place.
fn lit(at: vec3f, normal: vec3f, base: vec3f, metallic: f32, roughness: f32, dielectric: f32, open: f32) -> vec3f {
  let matt = base * (1.0 - metallic);
  let mirror = mix(vec3f(dielectric), base, metallic);
  var toEye = frame.back.xyz;
  if (frame.eye.w < 0.5) {
    toEye = normalize(frame.eye.xyz - at);
  }
  var sum = vec3f(0.0);
  for (var i = 0u; i < frame.count.x; i++) {
    let l = lights[i];
    if (l.kind == 0u) {
      sum += (matt + mirror) * l.colour * open;
      continue;
    }
    if (l.kind == 1u) {
      sum += (matt + mirror) * mix(l.ground, l.colour, normal.y * 0.5 + 0.5) * open;
      continue;
    }
    var toLight: vec3f;
    var colour = shine(l, at, &toLight);
    let facing = dot(normal, toLight);
    if (facing <= 0.0) {
      continue;
    }
    if (l.layer >= 0) {
      colour *= free(l, at, normal);
    }
    sum += (matt + gloss(normal, toEye, toLight, facing, roughness * roughness, mirror)) * colour * facing;
  }
  return sum;
}

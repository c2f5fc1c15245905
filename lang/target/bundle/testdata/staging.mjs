// src/scene.ts
var version = "scene/1";
var known = /* @__PURE__ */ new Set([
  "v",
  "name",
  "source_sha256",
  "compiler",
  "files",
  "metadata",
  "environment",
  "post",
  "assets",
  "geometries",
  "materials",
  "nodes",
  "animations",
  "timelines",
  "ui",
  "program",
  "pipelines",
  "agents",
  "domain",
  "losses"
]);
function read(text2) {
  return checked(JSON.parse(text2));
}
function checked(scene) {
  if (typeof scene !== "object" || scene === null || scene.v !== version) throw new Error(`this viewer reads ${version}, the document is ${String(scene?.v)}`);
  const strange = Object.keys(scene).filter((k) => !known.has(k));
  if (strange.length > 0) console.warn(`scene: passing over ${strange.join(", ")}`);
  const all = scene.nodes ?? [], end = all.findIndex((n) => n.prototype);
  return end < 0 ? scene : { ...scene, nodes: all.slice(0, end), prototypes: all.slice(end) };
}

// src/colour.ts
function hex(color) {
  const n = parseInt((color ?? "#ffffff").slice(1, 7), 16) || 0;
  return [(n >> 16 & 255) / 255, (n >> 8 & 255) / 255, (n & 255) / 255];
}
function linear(color) {
  return hex(color).map(light);
}
function light(c) {
  return c < 0.04045 ? c * 0.0773993808 : Math.pow(c * 0.9478672986 + 0.0521327014, 2.4);
}
function alpha(color) {
  return color && color.length === 9 ? parseInt(color.slice(7), 16) / 255 : 1;
}

// src/vector.ts
function add(a, b) {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}
function sub(a, b) {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}
function mul(a, s) {
  return [a[0] * s, a[1] * s, a[2] * s];
}
function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
function length(a) {
  return Math.sqrt(dot(a, a));
}
function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
function product(a, b) {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]
  ];
}
function turn(q, v) {
  const u = [q[0], q[1], q[2]];
  const t = mul(cross(u, v), 2);
  return add(add(v, mul(t, q[3])), cross(u, t));
}
function spin(q, w, dt) {
  const d = product([w[0], w[1], w[2], 0], q), h = dt / 2;
  return [q[0] + d[0] * h, q[1] + d[1] * h, q[2] + d[2] * h, q[3] + d[3] * h];
}
function back(q) {
  return [-q[0], -q[1], -q[2], q[3]];
}
function sine(degrees) {
  let x = degrees % 360;
  if (x < 0) x += 360;
  if (x > 180) return -sine(x - 180);
  if (x > 90) x = 180 - x;
  const u = x * Math.PI / 180, s = u * u;
  let sum = 0;
  for (let k = 19; k >= 3; k -= 2) sum = -s / (k * (k - 1)) * (1 + sum);
  return u * (1 + sum);
}
function euler(degrees) {
  let out = [0, 0, 0, 1];
  for (let k = 0; k < 3; k++) {
    const q = [0, 0, 0, sine(degrees[k] / 2 + 90)];
    q[k] = sine(degrees[k] / 2);
    out = product(out, q);
  }
  return out;
}

// src/particles.ts
var most = 2e3;
var presets = {
  fire: { rate: 60, lifetime: 1.2, speed: 1.2, spread: 0.3, gravity: -0.6, size_start: 0.18, size_end: 0.02, color_start: "#ffd27aff", color_end: "#d0290000" },
  smoke: { rate: 20, lifetime: 4, speed: 0.5, spread: 0.2, gravity: -0.1, size_start: 0.1, size_end: 0.6, color_start: "#8888889f", color_end: "#44444400", blend_mode: "normal" },
  sparks: { rate: 80, lifetime: 0.8, speed: 2.4, spread: 1.2, gravity: 6, size_start: 0.03, size_end: 0.01, color_start: "#ffe9a8ff", color_end: "#ff6a0000" },
  rain: { rate: 200, lifetime: 1.5, speed: -6, spread: 0.1, size_start: 0.02, size_end: 0.02, color_start: "#a8c4e0b0", width: 4, blend_mode: "normal" },
  snow: { rate: 80, lifetime: 5, speed: -0.6, spread: 0.3, size_start: 0.04, size_end: 0.04, color_start: "#ffffffff", color_end: "#ffffff80", width: 4, blend_mode: "normal" },
  dust: { rate: 15, lifetime: 6, speed: 0.05, spread: 0.1, size_start: 0.02, size_end: 0.02, color_start: "#e8dcc080", color_end: "#e8dcc000", width: 3, blend_mode: "normal" },
  magic: { rate: 40, lifetime: 2, speed: 0.6, spread: 0.5, gravity: -0.2, size_start: 0.05, size_end: 0, color_start: "#c9a0ffff", color_end: "#4060ff00" }
};
function emission(given, aim) {
  const params = { ...presets[String(given.preset ?? "")], ...given };
  const num = (fallback, ...keys) => {
    for (const k of keys) if (typeof params[k] === "number" && Number.isFinite(params[k])) return params[k];
    return fallback;
  };
  const life = Math.max(0.05, num(2, "lifetime"));
  const span = [Math.max(0.05, num(life, "lifetime_min")), Math.max(0.05, num(life, "lifetime_max"))];
  const count = Math.round(Math.max(1, Math.min(most, num(num(10, "rate", "emission_rate") * span[1] + 1, "max_count", "count"))));
  const v = params.velocity, goal = typeof params.along === "string" ? aim?.(params.along) : void 0;
  const speed = num(1, "speed"), size2 = num(0.05, "size_start", "size");
  const color = text(params.color_start ?? params.color) ?? "#ffffffff", end = text(params.color_end) ?? color.slice(0, 7) + "00";
  const glow = 1 + Math.max(0, num(0, "emissive_intensity"));
  return {
    count,
    span,
    rate: Math.min(Math.max(0, num(count / span[1], "rate", "emission_rate")), most * 10),
    speed: Array.isArray(v) ? [Number(v[0]) || 0, Number(v[1]) || 0, Number(v[2]) || 0] : goal ? along(goal, speed) : [0, speed, 0],
    spread: num(0.3, "velocity_spread", "spread"),
    gravity: num(0, "gravity"),
    width: Math.max(0, num(0, "width", "radius")),
    size: [size2, num("size_start" in params ? 0 : size2, "size_end")],
    colours: [mul(linear(color), glow), mul(linear(end), glow)],
    alphas: [alpha(color), alpha(end)],
    adds: params.blend_mode !== "normal"
  };
}
function spreadOf(e) {
  if (e.width > 2) return void 0;
  const life = (e.span[0] + e.span[1]) / 2, lo = [0, 0, 0], hi = [0, 0, 0];
  for (const k of [0, 1, 2]) {
    const g = k === 1 ? e.gravity : 0, half = k === 1 ? 0 : e.width / 2;
    for (const v of [e.speed[k] - e.spread / 2, e.speed[k] + e.spread / 2]) {
      const end = v * life - g * life * life / 2, top = v / g;
      lo[k] = Math.min(lo[k], end);
      hi[k] = Math.max(hi[k], end);
      if (g === 0 || top <= 0 || top >= life) continue;
      lo[k] = Math.min(lo[k], v * top / 2);
      hi[k] = Math.max(hi[k], v * top / 2);
    }
    lo[k] -= half;
    hi[k] += half;
  }
  return { lo, hi };
}
var Swarm = class {
  constructor(given, seed, aim) {
    this.seed = seed;
    const { count, adds } = this.emission = emission(given, aim);
    this.left = new Float32Array(count);
    this.whole = new Float32Array(count).fill(1);
    this.velocity = new Float32Array(count * 3);
    this.count = count;
    this.places = new Float32Array(count * 3);
    this.colours = new Float32Array(count * 4);
    this.sizes = new Float32Array(count);
    this.adds = adds;
    for (let i = 0; i < 40; i++) this.step(this.emission.span[1] / 40);
  }
  seed;
  emission;
  count;
  places;
  // three numbers a point, below the emitter
  colours;
  // four, linear; nothing is seen of alpha 0
  sizes;
  // metres
  adds;
  // points shine through each other
  left;
  // seconds of life
  whole;
  velocity;
  due = 0;
  next = 0;
  // random is a small generator of its own.
  random() {
    this.seed = Math.imul(this.seed, 1664525) + 1013904223 >>> 0;
    return this.seed / 4294967296;
  }
  step(dt) {
    const { places: p, colours: c, sizes: g } = this;
    this.due = Math.min(this.due + dt * this.emission.rate, this.left.length);
    while (this.due >= 1) {
      this.due--;
      this.birth(this.next, p);
      this.next = (this.next + 1) % this.left.length;
    }
    const [from, to] = this.emission.colours;
    for (let i = 0; i < this.left.length; i++) {
      if (this.left[i] <= 0) {
        g[i] = c[i * 4 + 3] = 0;
        continue;
      }
      this.left[i] -= dt;
      this.velocity[i * 3 + 1] -= this.emission.gravity * dt;
      for (let k = 0; k < 3; k++) p[i * 3 + k] += this.velocity[i * 3 + k] * dt;
      const u = 1 - Math.max(this.left[i], 0) / this.whole[i];
      for (let k = 0; k < 3; k++) c[i * 4 + k] = from[k] + (to[k] - from[k]) * u;
      c[i * 4 + 3] = this.left[i] <= 0 ? 0 : this.emission.alphas[0] + (this.emission.alphas[1] - this.emission.alphas[0]) * u;
      g[i] = this.emission.size[0] + (this.emission.size[1] - this.emission.size[0]) * u;
    }
  }
  birth(i, p) {
    this.left[i] = this.whole[i] = this.emission.span[0] + (this.emission.span[1] - this.emission.span[0]) * this.random();
    for (let k = 0; k < 3; k++) {
      p[i * 3 + k] = k === 1 ? 0 : (this.random() - 0.5) * this.emission.width;
      this.velocity[i * 3 + k] = this.emission.speed[k] + (this.random() * 2 - 1) * this.emission.spread;
    }
  }
};
function along(goal, speed) {
  const n = Math.hypot(...goal) || 1;
  return [goal[0] / n * speed, goal[1] / n * speed, goal[2] / n * speed];
}
function text(v) {
  return typeof v === "string" && /^#[0-9a-f]{6,8}$/i.test(v) ? v : void 0;
}
function seedOf(id) {
  let h = 2166136261;
  for (let i = 0; i < id.length; i++) h = Math.imul(h ^ id.charCodeAt(i), 16777619);
  return h >>> 0;
}

// src/standin.ts
var table = [
  ["tree pine oak palm birch fir willow", [["cylinder", [0.3, 1.2, 0.3], [0, 0.6, 0], "#8a6a4a"], ["cone", [2, 2.6, 2], [0, 2.4, 0], "#6d9b6a"]]],
  ["house hut cottage building barn shop tavern castle temple cabin", [["box", [5, 3, 4], [0, 1.5, 0], "#c9bda8"], ["pyramid", [5.6, 2, 4.6], [0, 4, 0], "#a5664f"]]],
  ["tower lighthouse skyscraper mast", [["cylinder", [2.4, 8, 2.4], [0, 4, 0], "#c9bda8"], ["cone", [2.8, 1.6, 2.8], [0, 8.8, 0], "#a5664f"]]],
  ["car truck van bus taxi vehicle", [["box", [1.8, 0.7, 4.2], [0, 0.65, 0], "#6b87a8"], ["box", [1.6, 0.6, 2.2], [0, 1.3, 0.1], "#9fb4c8"]]],
  ["person human npc man woman guard villager player merchant keeper avatar character guide wizard knight hero child body robot", [["capsule", [0.5, 1.4, 0.5], [0, 0.7, 0], "#7d8fa8"], ["sphere", [0.32, 0.32, 0.32], [0, 1.56, 0], "#d9b99b"]]],
  ["horse cow dog cat wolf deer animal sheep lion dragon fox", [["box", [0.4, 0.45, 1], [0, 0.65, 0], "#a58a6a"], ["box", [0.25, 0.3, 0.35], [0, 0.95, 0.6], "#a58a6a"], ["box", [0.3, 0.45, 0.1], [0, 0.22, 0.4], "#8a7052"], ["box", [0.3, 0.45, 0.1], [0, 0.22, -0.4], "#8a7052"]]],
  ["table desk counter bench workbench", [["box", [1.6, 0.06, 0.8], [0, 0.72, 0], "#b08a5e"], ["box", [0.08, 0.7, 0.7], [-0.7, 0.35, 0], "#8f6f4a"], ["box", [0.08, 0.7, 0.7], [0.7, 0.35, 0], "#8f6f4a"]]],
  ["chair stool seat armchair throne", [["box", [0.5, 0.45, 0.5], [0, 0.23, 0], "#b08a5e"], ["box", [0.5, 0.5, 0.08], [0, 0.7, -0.21], "#8f6f4a"]]],
  ["sofa couch bed", [["box", [2, 0.45, 0.9], [0, 0.23, 0], "#8d93a5"], ["box", [2, 0.5, 0.2], [0, 0.6, -0.35], "#777d90"]]],
  ["lamp lantern torch light candle", [["cylinder", [0.08, 1.4, 0.08], [0, 0.7, 0], "#6a6f78"], ["cone", [0.45, 0.35, 0.45], [0, 1.5, 0], "#f2d58a"]]],
  ["plant bush flower shrub grass fern", [["cone", [0.35, 0.3, 0.35], [0, 0.15, 0], "#a5664f"], ["sphere", [0.6, 0.6, 0.6], [0, 0.55, 0], "#6d9b6a"]]],
  ["rock stone boulder mountain", [["crystal", [1.2, 0.9, 1.1], [0, 0.4, 0], "#8f9296"]]],
  ["statue bust sculpture trophy", [["box", [0.7, 0.8, 0.7], [0, 0.4, 0], "#b9b6ae"], ["capsule", [0.45, 1.2, 0.45], [0, 1.4, 0], "#d6d3ca"]]],
  ["ship boat plane rocket drone spaceship", [["capsule", [0.9, 3.6, 0.9], [0, 1.8, 0], "#b7c0cb"], ["box", [2.6, 0.8, 0.1], [0, 0.9, 0], "#8794a5"]]],
  ["", [["box", [0.9, 0.9, 0.9], [0, 0.45, 0], "#9aa7b5"], ["box", [0.96, 0.1, 0.96], [0, 0.85, 0], "#7f8d9d"]]]
];
function standIn(n, scene) {
  const asset = scene.assets?.[scene.geometries?.[n.geometry ?? -1]?.asset ?? -1];
  const words = (s = "") => s.replace(/([a-z])(?=[A-Z])/g, "$1 ").toLowerCase().replace(/[^a-z]/g, " ");
  const name = ` ${words(n.name)} ${words(asset?.path)} `;
  return table.find(([list]) => list === "" || list.split(" ").some((w) => name.includes(` ${w} `) || name.includes(` ${w}s `)))[1];
}
function extentOf(parts) {
  const lo = [Infinity, Infinity, Infinity], hi = [-Infinity, -Infinity, -Infinity];
  for (const [, size2, at] of parts) {
    const a = sub(at, mul(size2, 0.5)), b = add(at, mul(size2, 0.5));
    for (const k of [0, 1, 2]) {
      lo[k] = Math.min(lo[k], a[k]);
      hi[k] = Math.max(hi[k], b[k]);
    }
  }
  return { lo, hi };
}

// src/staging.ts
var fieldOfView = 50 * Math.PI / 180;
var sun = { at: [3, 6, 4], intensity: 0.8 };
var along2 = (m, v) => add(add(mul(m.x, v[0]), mul(m.y, v[1])), mul(m.z, v[2]));
var unit = (v) => mul(v, 1 / (length(v) || 1));
var low = (a, b) => [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.min(a[2], b[2])];
var high = (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.max(a[2], b[2])];
var middle = (b) => mul(add(b.lo, b.hi), 0.5);
var size = (b) => length(sub(b.hi, b.lo));
var axes = [0, 1, 2];
var Staging = class {
  constructor(scene) {
    this.scene = scene;
    const hidden = [];
    (scene.nodes ?? []).forEach((n) => {
      const s = n.s ?? [1, 1, 1], r = n.r ?? [0, 0, 0, 1], t = n.t ?? [0, 0, 0], p = this.world[n.parent];
      let m = { t, x: mul(turn(r, [1, 0, 0]), s[0]), y: mul(turn(r, [0, 1, 0]), s[1]), z: mul(turn(r, [0, 0, 1]), s[2]) };
      if (p) m = { t: add(p.t, along2(p, m.t)), x: along2(p, m.x), y: along2(p, m.y), z: along2(p, m.z) };
      this.world.push(m);
      hidden.push(n.visible === false || n.prototype !== void 0 || n.parent >= 0 && hidden[n.parent]);
    });
    scene.nodes?.forEach((n, i) => {
      if (!hidden[i]) this.take(n, i);
    });
    this.sortOut();
    this.frame();
    this.findWalls();
    this.float();
    this.lights(hidden);
  }
  scene;
  solids = [];
  lo = [Infinity, Infinity, Infinity];
  hi = [-Infinity, -Infinity, -Infinity];
  room = false;
  // walls or a shell are around the things
  floating = /* @__PURE__ */ new Set();
  // nodes whose texts turn to the viewer
  gain = 1;
  // multiplies all light
  sun = false;
  // a key light is wanted
  above = [1, 1, 1];
  // light from everywhere
  below = [1, 1, 1];
  shadow = -1;
  // node whose light throws a shadow besides those that the source names
  world = [];
  walls = [];
  take(n, i) {
    const { scene } = this, g = scene.geometries?.[n.geometry ?? -1];
    let half, centre = [0, 0, 0], text2 = false, clear = false;
    if (g?.kind === "model") {
      const b2 = extentOf(standIn(n, scene));
      half = mul(sub(b2.hi, b2.lo), 0.5);
      centre = middle(b2);
    } else if (g) {
      half = mul(boundsOf(g), 0.5);
      clear = scene.materials?.[n.material ?? -1]?.alpha === "blend";
    } else if (n.text?.value) {
      const [w, h] = extent(n.text.value, n.text.size);
      half = [w / 2, h / 2, 1e-3];
      text2 = true;
      centre = [n.text.align === "left" ? w / 2 : n.text.align === "right" ? -w / 2 : 0, 0, 0];
    }
    if (half) this.add(i, half, centre, { text: text2, clear });
    const b = n.particles && spreadOf(emission(n.particles, (name) => this.aim(this.world[i], name)));
    if (b) this.add(i, mul(sub(b.hi, b.lo), 0.5), middle(b), { text: false, clear: true, emits: true });
  }
  // add notes a box below a node.
  add(node, half, centre, more) {
    const m = this.world[node];
    const c = add(m.t, along2(m, centre));
    const reach = axes.map((k) => Math.abs(m.x[k] * half[0]) + Math.abs(m.y[k] * half[1]) + Math.abs(m.z[k] * half[2]));
    const lo = sub(c, reach), hi = add(c, reach);
    if ([...lo, ...hi].every(Number.isFinite)) this.solids.push({ node, lo, hi, role: "thing", ...more });
  }
  // aim is the way from a place to a node, in the space of the place.
  aim(m, name) {
    this.named ??= new Map((this.scene.nodes ?? []).map((n, i) => [n.name ?? "", i]).reverse());
    const there = this.world[this.named.get(name) ?? -1];
    if (!there) return void 0;
    const way = sub(there.t, m.t);
    return [dot(way, unit(m.x)), dot(way, unit(m.y)), dot(way, unit(m.z))];
  }
  named;
  sortOut() {
    const order = [...this.solids].sort((a, b) => size(a) - size(b));
    const rest = { lo: this.lo, hi: this.hi };
    let count = 0, members = 0;
    for (const o of order) {
      const s = size(o);
      for (; count < order.length && size(order[count]) < 0.6 * s; count++) {
        const small = order[count];
        if (small.role !== "thing") continue;
        rest.lo = low(rest.lo, small.lo);
        rest.hi = high(rest.hi, small.hi);
        members++;
      }
      if (members === 0 || o.text) continue;
      const e = sub(o.hi, o.lo), d = size(rest), c = middle(rest), axis = sheet(o);
      const over = c[0] >= o.lo[0] && c[0] <= o.hi[0] && c[2] >= o.lo[2] && c[2] <= o.hi[2];
      if (axis < 0 && (s > 1.3 * d || members >= 3 && s > 1.02 * d) && axes.every((k) => rest.lo[k] >= o.lo[k] - 0.02 * d && rest.hi[k] <= o.hi[k] + 0.02 * d)) o.role = "shell";
      else if (axis === 1 && over && s > 1.3 * d) o.role = "ground";
      else if (axis < 0 && over && members >= 2 && o.hi[1] <= rest.lo[1] + 0.25 * (rest.hi[1] - rest.lo[1]) && s > 2 * d && e[1] <= 0.5 * Math.min(e[0], e[2])) o.role = "ground";
      else if (axis >= 0 && axis !== 1 && s > 2 * d || members >= 3 && s > 12 * d) o.role = "backdrop";
    }
    this.beyond();
    this.strays();
  }
  beyond() {
    const reach = (o) => length(middle(o)) + size(o) / 2, things = this.solids.filter((o) => o.role === "thing");
    const far = things.map(reach).sort((a, b) => a - b), gap = far.findIndex((v, k) => k >= 3 && v > 20 * far[k - 1]);
    if (gap > 0) {
      for (const o of things) if (reach(o) >= far[gap]) o.role = "backdrop";
    }
  }
  strays() {
    const things = this.solids.filter((o) => o.role === "thing"), up = (a, b) => a - b;
    if (things.length < 10) return;
    const centre = axes.map((k) => things.map((o) => middle(o)[k]).sort(up)[Math.floor(things.length / 2)]);
    const far = things.map((o) => length(sub(middle(o), centre)) + size(o) / 2);
    const limit = 4 * [...far].sort(up)[Math.floor(far.length * 9 / 10) - 1];
    things.forEach((o, k) => {
      if (far[k] - size(o) > limit) o.role = "astray";
    });
  }
  frame() {
    let all = this.solids.filter((o) => o.role === "thing");
    if (all.length === 0) all = this.solids;
    for (const o of all) {
      this.lo = low(this.lo, o.lo);
      this.hi = high(this.hi, o.hi);
    }
    if (all.length === 0) [this.lo, this.hi] = [[-1, -1, -1], [1, 1, 1]];
  }
  get target() {
    return middle(this);
  }
  // eye is the place of a camera from which all that counts is seen. Aspect is width
  // over height, fov the vertical angle.
  eye(aspect, fov = fieldOfView) {
    const e = sub(this.hi, this.lo);
    let way = [0.55, 0.45, 1], eye;
    if (e[2] < 0.25 * Math.max(e[0], e[1]) && e[1] >= 0.12 * e[0]) way = [0.1, 0.12, 1];
    else if (e[1] < 0.12 * Math.max(e[0], e[2])) way = [0.3, 0.9, 1];
    else if (this.room) way = [0.5, 0.75, 1];
    let tries = 8;
    do {
      eye = this.fit(way, aspect, fov);
      way = [way[0], way[1] + 0.4, way[2]];
    } while (--tries > 0 && this.blocked(eye));
    return eye;
  }
  fit(way, aspect, fov) {
    const from = unit(way), right = unit(cross([0, 1, 0], from)), up = cross(from, right), half = Math.tan(fov / 2), centre = this.target;
    let distance = 0.1;
    for (let k = 0; k < 8; k++) {
      const d = sub([k & 1 ? this.hi[0] : this.lo[0], k & 2 ? this.hi[1] : this.lo[1], k & 4 ? this.hi[2] : this.lo[2]], centre);
      distance = Math.max(distance, dot(d, from) + Math.max(Math.abs(dot(d, right)) / (half * Math.max(aspect, 0.1)), Math.abs(dot(d, up)) / half));
    }
    return add(centre, mul(from, distance * 1.05));
  }
  blocked(p) {
    return this.solids.some((o) => !o.clear && !o.text && o.role !== "shell" && axes.every((k) => p[k] > o.lo[k] && p[k] < o.hi[k]));
  }
  findWalls() {
    const e = sub(this.hi, this.lo), walls = [];
    let floor = false, inside = false;
    for (const o of this.solids) {
      if (o.text || o.clear) continue;
      if (o.role === "shell") this.room = true;
      const d = sub(o.hi, o.lo), axis = sheet(o);
      if (axis < 0) inside ||= o.role === "thing";
      else if (axis === 1) floor ||= o.hi[1] <= this.lo[1] + 0.2 * e[1] && d[0] >= 0.6 * e[0] && d[2] >= 0.6 * e[2];
      else if (d[1] >= 0.4 * e[1] && d[2 - axis] >= 0.25 * e[2 - axis]) walls.push(o);
    }
    if (floor && inside && walls.length >= 2) {
      this.room = true;
      this.walls = walls;
    }
  }
  // cuts opens what is around the things like a doll's house, by node.
  cuts(eye) {
    const out = /* @__PURE__ */ new Map(), { solids } = this;
    for (const o of solids) if (o.role === "shell" && !o.clear) out.set(o.node, "open");
    if (this.walls.length === 0) return out;
    const e = sub(this.hi, this.lo), c = this.target;
    const cut2 = (w, axis) => {
      const at = middle(w), side = at[axis] - c[axis], sign = side < 0 ? -1 : 1, slack = 0.04 * e[axis];
      if (Math.abs(side) <= 0.25 * e[axis] || (eye[axis] - at[axis]) * side <= 0) return;
      out.set(w.node, "away");
      const inner = side < 0 ? -(w.hi[axis] + slack) : w.lo[axis] - slack;
      for (const o of solids) {
        if (o.node === w.node || size(o) > size(w) || o.role === "ground") continue;
        const p = middle(o);
        if (axes.every((k) => k === axis || p[k] >= w.lo[k] && p[k] <= w.hi[k]) && p[axis] * sign >= inner && o.hi[axis] - o.lo[axis] < 0.15 * e[axis]) out.set(o.node, "away");
      }
    };
    for (const w of this.walls) cut2(w, sheet(w));
    for (const o of solids) {
      const d = sub(o.hi, o.lo);
      if (sheet(o) === 1 && o.lo[1] >= this.lo[1] + 0.7 * e[1] && !o.text && d[0] >= 0.5 * e[0] && d[2] >= 0.5 * e[2]) cut2(o, 1);
    }
    return out;
  }
  float() {
    const nodes = this.scene.nodes ?? [];
    const upright = (i) => {
      for (; i >= 0; i = nodes[i].parent) if ((nodes[i].r?.[3] ?? 1) < 0.9999) return false;
      return true;
    };
    const texts = this.solids.filter((o) => o.text && upright(o.node));
    if (texts.length * this.solids.length > 4e6) return;
    for (const t of texts) {
      const slack = 0.25 * (t.hi[1] - t.lo[1]);
      if (!this.solids.some((o) => !o.text && !o.emits && o.role !== "shell" && axes.every((k) => t.hi[k] + slack >= o.lo[k] && t.lo[k] - slack <= o.hi[k]))) this.floating.add(t.node);
    }
  }
  lights(hidden) {
    const e = this.scene.environment ?? {}, nodes = this.scene.nodes ?? [], below = [0.8, 0.76, 0.7];
    if (e.ambient) this.above = this.below = mul(linear(e.ambient.color), e.ambient.intensity);
    else {
      const c = e.sky?.colors ?? [], tinted = (v, by) => [v[0] * by[0], v[1] * by[1], v[2] * by[2]];
      this.above = mul(c.length ? tint(linear(c[0])) : [1, 1, 1], 0.36);
      this.below = mul(c.length ? tinted(tint(linear(c[c.length - 1])), below) : below, 0.36);
    }
    const shining = nodes.map((_, i) => i).filter((i) => nodes[i].light && !hidden[i]);
    this.sun = shining.every((i) => nodes[i].light.type === "ambient");
    if (!shining.some((i) => nodes[i].light.shadow)) this.shadow = shining.find((i) => nodes[i].light.type === "directional") ?? -1;
    if ((e.exposure ?? 1) !== 1) return;
    const met = this.solids.filter((o) => o.role === "thing" && !o.text && !o.emits).slice(0, 200).map((o) => this.meets(o, shining)).sort((a, b) => a - b);
    if (met.length === 0) return;
    const m = met[Math.floor(met.length / 2)];
    if (m < 0.5) this.gain = Math.min(0.5 / Math.max(m, 0.01), 3);
    else if (m > 1.3) this.gain = Math.max(1.3 / m, 0.1);
    this.gain = Math.floor(this.gain * 1e3 + 0.5) / 1e3;
  }
  // meets estimates the light that meets a solid.
  meets(o, shining) {
    let sum = (luminance(this.above) + luminance(this.below)) / 2 + (this.sun ? 0.6 * sun.intensity : 0);
    const at = middle(o), reach = size(o) / 2;
    for (const i of shining) {
      const l = this.scene.nodes[i].light, m = this.world[i], strength = l.intensity ?? 1, power = luminance(linear(l.color)) * strength;
      if (l.type === "ambient") sum += power;
      else if (l.type === "hemisphere") sum += (power + luminance(linear(l.ground)) * strength) / 2;
      else if (l.type === "directional") sum += 0.6 * power;
      else {
        const to = sub(at, m.t), far = Math.max(length(to), reach, 0.1);
        const angle = l.type === "spot" ? (l.angle ?? 0) + Math.asin(Math.min(reach / far, 1)) : l.type === "area" ? 1.4 : 4;
        if (angle < Math.PI && dot(unit(mul(m.z, -1)), unit(to)) < Math.cos(angle)) continue;
        const fall = l.range ? Math.max(0, 1 - (far / l.range) ** 4) : 1;
        sum += 0.6 * power / (far * far) * fall * fall;
      }
    }
    return sum;
  }
};
function extent(text2, size2) {
  const lines = text2.split("\n");
  return [Math.max(...lines.map((l) => [...l].length)) * size2 * 0.8, lines.length * size2 * 1.8];
}
function luminance(c) {
  return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}
function tint(c) {
  const y = luminance(c);
  if (y <= 1e-4) return [1, 1, 1];
  c = mul(c, 1 / y);
  c = mul(c, 1 / Math.max(...c, 1));
  return c.map((v) => 1 + (v - 1) * 0.35);
}
function sheet(o) {
  const e = sub(o.hi, o.lo), [least, mid] = [...e].sort((a, b) => a - b);
  return least <= 0.12 * mid ? e.indexOf(least) : -1;
}
function boundsOf(g) {
  const d = (g.radius ?? 0) * 2, tube = g.tube ?? 0, by = g.stretch ?? [1, 1, 1];
  let s = g.size ?? [1, 1, 1];
  if (g.kind === "plane") s = [s[0], 1e-3, s[2]];
  else if (g.kind === "sphere") s = [d, d, d];
  else if (g.kind === "cylinder" || g.kind === "cone") s = [d, g.height ?? 0, d];
  else if (g.kind === "capsule") s = [d, Math.max(g.height ?? 0, d), d];
  else if (g.kind === "torus") s = [d + 2 * tube, 2 * tube, d + 2 * tube];
  else if (g.kind === "ring" || g.kind === "disc") s = [d, 1e-3, d];
  return [s[0] * by[0], s[1] * by[1], s[2] * by[2]];
}

// src/contact.ts
function collide(a, b) {
  if (a.shape === "box" && b.shape === "box") return boxes(a, b);
  if (a.shape === "box") return roundOnBox(b, a).map(reversed);
  if (b.shape === "box") return roundOnBox(a, b);
  return rounds(a, b);
}
function reversed(c) {
  return { ...c, a: c.b, b: c.a, normal: mul(c.normal, -1) };
}
function segment(b) {
  if (b.shape === "sphere") return [b.p, b.p];
  const up = mul(b.axes[1], b.half[1]);
  return [sub(b.p, up), add(b.p, up)];
}
function rounds(a, b) {
  const [p, q] = nearest(segment(a), segment(b));
  const d = sub(q, p), n = length(d), depth = a.radius + b.radius - n;
  if (depth <= 0) return [];
  const normal = n > 1e-9 ? mul(d, 1 / n) : [0, 1, 0];
  return [{ a, b, normal, depth, point: add(p, mul(normal, a.radius - depth / 2)) }];
}
function nearest([p1, q1], [p2, q2]) {
  const d1 = sub(q1, p1), d2 = sub(q2, p2), r = sub(p1, p2);
  const a = dot(d1, d1), e = dot(d2, d2), f = dot(d2, r), c = dot(d1, r), b = dot(d1, d2);
  let s = 0, t = 0;
  if (a > 1e-12) {
    const k = a * e - b * b;
    s = e > 1e-12 && k > 1e-9 * a * e ? clamp((b * f - c * e) / k, 0, 1) : clamp(-c / a, 0, 1);
  }
  if (e > 1e-12) {
    t = clamp((b * s + f) / e, 0, 1);
    if (a > 1e-12) s = clamp((b * t - c) / a, 0, 1);
  }
  return [add(p1, mul(d1, s)), add(p2, mul(d2, t))];
}
function roundOnBox(a, box) {
  const [p, q] = segment(a);
  if (a.shape === "sphere") return ball(a, box, p);
  const out = [...ball(a, box, p), ...ball(a, box, q)];
  const d = sub(q, p), long = dot(d, d);
  if (long < 1e-12) return out.slice(0, 1);
  let s = 0.5;
  for (let k = 0; k < 6; k++) s = clamp(dot(sub(inBox(box, add(p, mul(d, s))), p), d) / long, 0, 1);
  if (s > 0.05 && s < 0.95) out.push(...ball(a, box, add(p, mul(d, s))));
  return out;
}
function inBox(box, at) {
  const d = sub(at, box.p);
  let out = box.p;
  for (let k = 0; k < 3; k++) out = add(out, mul(box.axes[k], clamp(dot(d, box.axes[k]), -box.half[k], box.half[k])));
  return out;
}
function ball(a, box, at) {
  const on = inBox(box, at), d = sub(on, at), n = length(d);
  if (n >= a.radius) return [];
  if (n > 1e-9) return [{ a, b: box, point: on, normal: mul(d, 1 / n), depth: a.radius - n }];
  const from = sub(at, box.p);
  let face = 0, least = Infinity, sign = 1;
  for (let k = 0; k < 3; k++) {
    const x = dot(from, box.axes[k]), out = box.half[k] - Math.abs(x);
    if (out < least) [least, face, sign] = [out, k, x < 0 ? -1 : 1];
  }
  return [{ a, b: box, point: at, normal: mul(box.axes[face], -sign), depth: a.radius + least }];
}
function boxes(a, b) {
  const d = sub(b.p, a.p);
  let best = Infinity, normal = [0, 1, 0], kind = -1;
  const reach = (o, n) => {
    let r = 0;
    for (let k = 0; k < 3; k++) r += Math.abs(dot(o.axes[k], n)) * o.half[k];
    return r;
  };
  const apart = (n, which, worse) => {
    const far = dot(d, n), over = reach(a, n) + reach(b, n) - Math.abs(far);
    if (over < 0) return true;
    if (over * worse + (worse > 1 ? 1e-3 : 0) < best) [best, normal, kind] = [over * worse, far < 0 ? mul(n, -1) : n, which];
    return false;
  };
  for (let k = 0; k < 3; k++) if (apart(a.axes[k], k, 1)) return [];
  for (let k = 0; k < 3; k++) if (apart(b.axes[k], 3 + k, 1.0001)) return [];
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) {
      const n = cross(a.axes[i], b.axes[k]), size2 = length(n);
      if (size2 > 1e-4 && apart(mul(n, 1 / size2), 6 + i * 3 + k, 1.05)) return [];
    }
  }
  if (kind >= 6) return edges(a, b, normal, (kind - 6) / 3 | 0, (kind - 6) % 3);
  return kind < 3 ? faces(a, b, kind, normal) : faces(b, a, kind - 3, mul(normal, -1)).map(reversed);
}
function edges(a, b, normal, i, k) {
  const line = (o, axis, towards) => {
    let middle2 = o.p;
    for (let m = 0; m < 3; m++) {
      if (m !== axis) middle2 = add(middle2, mul(o.axes[m], o.half[m] * (dot(o.axes[m], normal) * towards < 0 ? -1 : 1)));
    }
    const along3 = mul(o.axes[axis], o.half[axis]);
    return [sub(middle2, along3), add(middle2, along3)];
  };
  const [p, q] = nearest(line(a, i, 1), line(b, k, -1));
  const depth = dot(sub(p, q), normal);
  return depth > 0 ? [{ a, b, normal, depth, point: mul(add(p, q), 0.5) }] : [];
}
function faces(a, b, axis, normal) {
  let other = 0, most2 = -1;
  for (let k = 0; k < 3; k++) {
    const x = Math.abs(dot(b.axes[k], normal));
    if (x > most2 + 1e-9) [most2, other] = [x, k];
  }
  const side = dot(b.axes[other], normal) > 0 ? -1 : 1;
  const u = (other + 1) % 3, v = (other + 2) % 3;
  const middle2 = add(b.p, mul(b.axes[other], side * b.half[other]));
  let shape = [[1, 1], [-1, 1], [-1, -1], [1, -1]].map(([x, y]) => add(middle2, add(mul(b.axes[u], x * b.half[u]), mul(b.axes[v], y * b.half[v]))));
  for (const m of [(axis + 1) % 3, (axis + 2) % 3]) {
    for (const sign of [1, -1]) shape = cut(shape, mul(a.axes[m], sign), dot(a.p, a.axes[m]) * sign + a.half[m]);
  }
  const level = dot(a.p, normal) + a.half[axis];
  const out = [];
  for (const point of shape) {
    const depth = level - dot(point, normal);
    if (depth > 0) out.push({ a, b, normal, depth, point: add(point, mul(normal, depth / 2)) });
  }
  return out;
}
function cut(shape, n, level) {
  const out = [];
  shape.forEach((p, i) => {
    const q = shape[(i + 1) % shape.length], x = dot(p, n) - level, y = dot(q, n) - level;
    if (x <= 0) out.push(p);
    if (x < 0 !== y < 0 && x !== y && x !== 0 && y !== 0) out.push(add(p, mul(sub(q, p), x / (x - y))));
  });
  return out;
}
function clamp(x, low2, high2) {
  return Math.min(Math.max(x, low2), high2);
}

// src/solver.ts
var limits = {
  bodies: 1e3,
  // more stay where they are; two hundred in a heap take a third of a step's time
  rate: 60,
  // steps in a second
  pieces: 2,
  // of a step, each solved by itself
  rounds: 8,
  // over all contacts of a piece
  speed: 60,
  // metres in a second; faster things would jump through walls
  turning: 40
  // radians in a second
};
var slop = 4e-3;
var push = 3;
var bounces = 0.5;
var restful = 0.05;
var restTime = 30;
var Body = class {
  constructor(spec, index) {
    this.spec = spec;
    this.index = index;
    const [x, y, z] = spec.size.map((s) => Math.max(Math.abs(s), 1e-4));
    this.center = [...spec.center ?? [0, 0, 0]];
    this.shape = spec.shape === "plane" ? "box" : spec.shape;
    this.radius = spec.shape === "sphere" ? Math.max(x, y, z) / 2 : spec.shape === "capsule" ? Math.max(x, z) / 2 : 0;
    this.half = [x / 2, y / 2, z / 2];
    if (spec.shape === "plane") {
      this.half[1] = 0.25;
      this.center[1] -= 0.25;
    }
    if (this.shape === "capsule") this.half = [this.radius, Math.max(y / 2 - this.radius, 0), this.radius];
    const mass = Math.max(spec.mass ?? 1, 1e-3);
    this.inverseMass = spec.type === "dynamic" && !spec.trigger ? 1 / mass : 0;
    this.inverseInertia = [0, 0, 0];
    if (this.inverseMass > 0) this.inverseInertia = this.inertia(mass).map((i) => 1 / i);
    this.r = unit2(spec.r);
    this.p = [0, 0, 0];
    this.place(spec.t, this.r);
  }
  spec;
  index;
  half;
  radius;
  shape;
  p;
  r;
  v = [0, 0, 0];
  w = [0, 0, 0];
  axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  lower = [0, 0, 0];
  upper = [0, 0, 0];
  asleep = false;
  held = false;
  calm = 0;
  inverseMass;
  inverseInertia;
  center;
  inertia(mass) {
    const [x, y, z] = this.half, r = this.radius;
    if (this.shape === "sphere") return [0.4 * mass * r * r, 0.4 * mass * r * r, 0.4 * mass * r * r];
    if (this.shape === "capsule") {
      const h = 2 * (y + r);
      const across = mass * (3 * r * r + h * h) / 12;
      return [across, 0.5 * mass * r * r, across];
    }
    return [mass * (y * y + z * z) / 3, mass * (x * x + z * z) / 3, mass * (x * x + y * y) / 3];
  }
  // place puts the body somewhere without moving it there.
  place(t, r) {
    this.r = unit2(r);
    this.p = add(t, turn(this.r, this.center));
    this.refresh();
  }
  // origin is where the thing itself is, whose shape may stand beside it.
  origin() {
    return sub(this.p, turn(this.r, this.center));
  }
  get moving() {
    return this.inverseMass > 0 && !this.held;
  }
  // lightness is the inverse mass that counts in contacts: what is held or asleep
  // is not moved by them.
  get lightness() {
    return this.asleep || this.held ? 0 : this.inverseMass;
  }
  refresh() {
    this.axes = [turn(this.r, [1, 0, 0]), turn(this.r, [0, 1, 0]), turn(this.r, [0, 0, 1])];
    for (let k = 0; k < 3; k++) {
      let reach = this.radius;
      if (this.shape === "box") {
        reach = Math.abs(this.axes[0][k]) * this.half[0] + Math.abs(this.axes[1][k]) * this.half[1] + Math.abs(this.axes[2][k]) * this.half[2];
      } else if (this.shape === "capsule") reach += Math.abs(this.axes[1][k]) * this.half[1];
      this.lower[k] = this.p[k] - reach;
      this.upper[k] = this.p[k] + reach;
    }
  }
  // turnLight is the inverse inertia times a vector of the world.
  turnLight(x) {
    if (this.lightness === 0) return [0, 0, 0];
    let out = [0, 0, 0];
    for (let k = 0; k < 3; k++) out = add(out, mul(this.axes[k], dot(this.axes[k], x) * this.inverseInertia[k]));
    return out;
  }
  speedAt(arm) {
    return add(this.v, cross(this.w, arm));
  }
  wake() {
    this.asleep = false;
    this.calm = 0;
  }
};
var Solver = class {
  constructor(gravity = [0, -9.81, 0]) {
    this.gravity = gravity;
  }
  gravity;
  bodies = [];
  byId = /* @__PURE__ */ new Map();
  pairs = /* @__PURE__ */ new Map();
  events = [];
  order = [];
  added = 0;
  pieces = 0;
  trails = /* @__PURE__ */ new Map();
  // add takes a body in; false when there are too many or its id is taken.
  add(spec) {
    if (this.bodies.length >= limits.bodies || this.byId.has(spec.id)) return false;
    if (![...spec.size, ...spec.t, ...spec.r, ...spec.center ?? []].every(Number.isFinite)) return false;
    const b = new Body(spec, this.added++);
    this.bodies.push(b);
    this.order.push(b);
    this.byId.set(spec.id, b);
    return true;
  }
  remove(id) {
    const b = this.byId.get(id);
    if (!b) return;
    this.byId.delete(id);
    this.bodies.splice(this.bodies.indexOf(b), 1);
    this.order.splice(this.order.indexOf(b), 1);
    this.trails.delete(b);
    for (const [key, p] of this.pairs) if (p.a === b || p.b === b) this.part(key, p);
  }
  get(id) {
    return this.byId.get(id);
  }
  // place puts a body somewhere at once, at rest.
  place(id, t, r) {
    const b = this.byId.get(id);
    if (!b) return;
    b.place(t, r);
    b.v = [0, 0, 0];
    b.w = [0, 0, 0];
    this.rouse(b);
  }
  // move leads a body that is not pushed by others to a place within one step,
  // so that it pushes and carries what it touches.
  move(id, t, r) {
    const b = this.byId.get(id);
    if (b && !b.moving) this.lead(b, t, r);
  }
  // push changes the speed of a body.
  push(id, speed) {
    const b = this.byId.get(id);
    if (!b?.moving || !speed.every(Number.isFinite)) return;
    b.wake();
    b.v = add(b.v, speed);
  }
  // grab holds a body: it goes where hold puts it.
  grab(id) {
    const b = this.byId.get(id);
    if (!b || b.inverseMass === 0 || b.held) return false;
    b.wake();
    b.held = true;
    b.v = [0, 0, 0];
    b.w = [0, 0, 0];
    this.trails.set(b, { t: b.origin(), r: b.r, past: [], turns: [] });
    return true;
  }
  hold(id, t, r) {
    const b = this.byId.get(id);
    const trail = b && this.trails.get(b);
    if (!b || !trail || !t.every(Number.isFinite)) return;
    trail.t = [...t];
    if (r) trail.r = unit2(r);
  }
  // release lets go: the body flies on with the speed of the hand, times scale.
  release(id, scale = 1, most2 = 20) {
    const b = this.byId.get(id);
    const trail = b && this.trails.get(b);
    if (!b || !trail) return;
    this.trails.delete(b);
    b.held = false;
    b.wake();
    b.v = capped(mul(mean(trail.past), scale), most2);
    b.w = capped(mul(mean(trail.turns), scale), limits.turning);
  }
  // step moves everything on and says what began and ended to touch.
  step() {
    for (const [b, trail] of this.trails) {
      this.lead(b, trail.t, trail.r);
      trail.past = [...trail.past.slice(-5), [...b.v]];
      trail.turns = [...trail.turns.slice(-5), [...b.w]];
    }
    const dt = 1 / limits.rate / limits.pieces;
    for (let k = 0; k < limits.pieces; k++) this.piece(dt);
    for (const b of this.bodies) {
      if (!b.moving) {
        b.v = [0, 0, 0];
        b.w = [0, 0, 0];
      } else if (!b.asleep) this.settle(b);
    }
    const happened = this.events;
    this.events = [];
    return happened;
  }
  lead(b, t, r) {
    if (![...t, ...r].every(Number.isFinite)) return;
    const before = b.p, from = b.r;
    const to = unit2(r);
    const goal = add(t, turn(to, b.center));
    b.v = capped(mul(sub(goal, before), limits.rate), limits.speed);
    const d = product(to, [-from[0], -from[1], -from[2], from[3]]);
    const sign = d[3] < 0 ? -2 : 2;
    b.w = capped([d[0] * sign * limits.rate, d[1] * sign * limits.rate, d[2] * sign * limits.rate], limits.turning);
    if (length(b.v) > 1e-4 || length(b.w) > 1e-4) this.rouse(b);
  }
  // rouse wakes what touches a body.
  rouse(b) {
    b.wake();
    for (const p of this.pairs.values()) {
      if (p.a === b) p.b.wake();
      else if (p.b === b) p.a.wake();
    }
  }
  settle(b) {
    const calm = dot(b.v, b.v) < restful * restful && dot(b.w, b.w) < 4 * restful * restful;
    b.calm = calm ? b.calm + 1 : 0;
    if (b.calm < restTime || !this.rests(b)) return;
    b.asleep = true;
    b.v = [0, 0, 0];
    b.w = [0, 0, 0];
  }
  // rests says whether something holds a body up; without weight it needs nothing.
  rests(b) {
    if (dot(this.gravity, this.gravity) * (b.spec.gravity ?? 1) === 0) return true;
    for (const p of this.pairs.values()) if (!p.trigger && (p.a === b || p.b === b)) return true;
    return false;
  }
  piece(dt) {
    for (const b of this.bodies) {
      if (!b.moving || b.asleep) continue;
      b.v = capped(mul(add(b.v, mul(this.gravity, dt * (b.spec.gravity ?? 1))), 1 / (1 + dt * (b.spec.drag ?? 0))), limits.speed);
      b.w = capped(mul(b.w, 1 / (1 + dt * (b.spec.turnDrag ?? 0.05))), limits.turning);
    }
    const contacts = this.contacts();
    for (let k = 0; k < limits.rounds; k++) for (const c of contacts) resolve(c, dt);
    for (const b of this.bodies) {
      if (b.asleep || !b.moving && dot(b.v, b.v) + dot(b.w, b.w) === 0) continue;
      b.p = add(b.p, mul(b.v, dt));
      b.r = unit2(spin(b.r, b.w, dt));
      b.refresh();
    }
    for (let k = 0; k < 2; k++) for (const c of contacts) resolve(c, 0);
    for (const c of contacts) rebound(c);
  }
  // contacts finds what touches, reports what is new and what is over, and returns
  // what is to be solved.
  contacts() {
    const out = [];
    this.pieces++;
    this.sweep((a, b) => {
      const touching = collide(a, b);
      if (touching.length === 0) return;
      const key = a.index * 67108864 + b.index;
      const trigger = Boolean(a.spec.trigger || b.spec.trigger);
      let pair = this.pairs.get(key);
      const speed = sub(b.speedAt(sub(touching[0].point, b.p)), a.speedAt(sub(touching[0].point, a.p)));
      if (!pair) {
        pair = { a, b, trigger, seen: 0 };
        this.pairs.set(key, pair);
        this.notify(trigger ? "trigger_enter" : "collision_enter", a, b, touching[0].point, Math.max(-dot(speed, touching[0].normal), 0));
      }
      pair.seen = this.pieces;
      if (trigger) return;
      const rush = length(speed);
      if (a.asleep && rush > (b.moving ? restful * 4 : 1e-3)) a.wake();
      if (b.asleep && rush > (a.moving ? restful * 4 : 1e-3)) b.wake();
      for (const c of touching) out.push(join(c));
    });
    for (const [key, p] of this.pairs) {
      const still = !awake(p.a) && !awake(p.b);
      if (p.seen === this.pieces || still) continue;
      this.part(key, p);
    }
    return out;
  }
  part(key, p) {
    this.pairs.delete(key);
    this.notify(p.trigger ? "trigger_exit" : "collision_exit", p.a, p.b);
    if (!p.trigger) {
      p.a.wake();
      p.b.wake();
    }
  }
  notify(name, a, b, point, speed) {
    for (const [x, y] of [[a, b], [b, a]]) {
      this.events.push({ name, node: x.spec.id, other: y.spec.id, ...point && { point: [...point] }, ...speed !== void 0 && { speed } });
    }
  }
  // sweep calls for every two bodies whose boxes overlap and of which one can
  // move, in an order that follows from the places alone.
  sweep(found) {
    const list = this.order;
    for (let i = 1; i < list.length; i++) {
      const b = list[i];
      let k = i - 1;
      for (; k >= 0 && (list[k].lower[0] > b.lower[0] || list[k].lower[0] === b.lower[0] && list[k].index > b.index); k--) list[k + 1] = list[k];
      list[k + 1] = b;
    }
    for (let i = 0; i < list.length; i++) {
      const a = list[i];
      for (let k = i + 1; k < list.length && list[k].lower[0] <= a.upper[0]; k++) {
        const b = list[k];
        if (a.lower[1] > b.upper[1] || b.lower[1] > a.upper[1] || a.lower[2] > b.upper[2] || b.lower[2] > a.upper[2]) continue;
        if (!awake(a) && !awake(b)) continue;
        if (!solid(a) && !solid(b)) continue;
        if (a.spec.family !== void 0 && a.spec.family === b.spec.family) continue;
        if (a.index < b.index) found(a, b);
        else found(b, a);
      }
    }
  }
};
function solid(b) {
  return b.spec.type !== "static";
}
function awake(b) {
  return b.moving ? !b.asleep : dot(b.v, b.v) + dot(b.w, b.w) > 0 || b.held;
}
function join({ a, b, normal, point, depth }) {
  const armA = sub(point, a.p), armB = sub(point, b.p);
  const first = straight(cross(normal, Math.abs(normal[0]) > 0.6 ? [0, 1, 0] : [1, 0, 0]));
  const up = row(a, b, armA, armB, normal);
  return {
    a,
    b,
    depth,
    normal: up,
    sideways: [row(a, b, armA, armB, first), row(a, b, armA, armB, cross(normal, first))],
    approach: closing(a, b, up),
    friction: Math.sqrt((a.spec.friction ?? 0.5) * (b.spec.friction ?? 0.5)),
    bounce: Math.max(a.spec.restitution ?? 0, b.spec.restitution ?? 0),
    most: 0
  };
}
function row(a, b, armA, armB, way) {
  const leverA = cross(armA, way), leverB = cross(armB, way), turnA = a.turnLight(leverA), turnB = b.turnLight(leverB);
  const light2 = a.lightness + b.lightness + dot(turnA, leverA) + dot(turnB, leverB);
  return { way, leverA, leverB, turnA, turnB, mass: light2 > 0 ? 1 / light2 : 0, impulse: 0 };
}
function closing(a, b, r) {
  return dot(r.way, b.v) - dot(r.way, a.v) + dot(r.leverB, b.w) - dot(r.leverA, a.w);
}
function impel(a, b, r, impulse) {
  const j = impulse - r.impulse, la = j * a.lightness, lb = j * b.lightness;
  r.impulse = impulse;
  for (let k = 0; k < 3; k++) {
    a.v[k] -= r.way[k] * la;
    b.v[k] += r.way[k] * lb;
    a.w[k] -= r.turnA[k] * j;
    b.w[k] += r.turnB[k] * j;
  }
}
function resolve(c, dt) {
  const { a, b, normal } = c;
  if (normal.mass === 0) return;
  const most2 = c.friction * normal.impulse;
  for (const r of c.sideways) impel(a, b, r, Math.min(Math.max(r.impulse - closing(a, b, r) * r.mass, -most2), most2));
  const bias = dt > 0 ? Math.min(0.2 / dt * Math.max(c.depth - slop, 0), push) : 0;
  impel(a, b, normal, Math.max(normal.impulse + (bias - closing(a, b, normal)) * normal.mass, 0));
  c.most = Math.max(c.most, normal.impulse);
}
function rebound(c) {
  if (c.bounce === 0 || c.approach > -bounces || c.most === 0) return;
  const { a, b, normal } = c;
  impel(a, b, normal, Math.max(normal.impulse - (closing(a, b, normal) + c.bounce * c.approach) * normal.mass, 0));
}
function unit2(q) {
  const n = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return n > 0 ? [q[0] / n, q[1] / n, q[2] / n, q[3] / n] : [0, 0, 0, 1];
}
function straight(v) {
  const n = length(v);
  return n > 0 ? mul(v, 1 / n) : [1, 0, 0];
}
function capped(v, most2) {
  const n = length(v);
  return n > most2 ? mul(v, most2 / n) : v;
}
function mean(list) {
  let out = [0, 0, 0];
  for (const v of list) out = add(out, v);
  return list.length > 0 ? mul(out, 1 / list.length) : out;
}

// src/bodies.ts
var Bodies = class {
  solver;
  left = [];
  // nodes beyond the limit, which stand still
  places = [];
  byId = /* @__PURE__ */ new Map();
  led = [];
  // nodes that lead their body
  free = [];
  // nodes that their body leads
  carried = /* @__PURE__ */ new Map();
  last = /* @__PURE__ */ new Map();
  spare = [];
  // of nodes that are gone
  dirty = true;
  due = 0;
  constructor(scene) {
    this.solver = new Solver(scene.environment?.gravity);
    for (const n of scene.nodes ?? []) this.add(n, n.parent);
  }
  get any() {
    return this.free.length > 0 || this.solver.bodies.some((b) => b.spec.trigger);
  }
  // add takes in a node with its parent by index.
  add(n, parent) {
    const i = this.spare.pop() ?? this.places.length;
    const above = this.places[parent];
    const dynamic = n.body?.type === "dynamic" && !n.joint && n.collider !== void 0 && !n.collider.trigger;
    this.places[i] = {
      id: n.id,
      parent,
      t: [...n.t ?? [0, 0, 0]],
      r: [...n.r ?? [0, 0, 0, 1]],
      s: [...n.s ?? [1, 1, 1]],
      follows: above !== void 0 && (above.follows || this.free.includes(parent))
    };
    this.byId.set(n.id, i);
    if (!n.collider) return;
    const [t, r, s] = this.world(i);
    const shape = n.collider.shape;
    const taken = this.solver.add({
      id: n.id,
      type: dynamic ? "dynamic" : n.body?.type === "static" && !this.places[i].follows ? "static" : "kinematic",
      shape: shape === "sphere" || shape === "capsule" || shape === "plane" ? shape : "box",
      size: product3(n.collider.size, s),
      t,
      r,
      center: n.collider.center && product3(n.collider.center, s),
      mass: n.body?.mass,
      friction: n.body?.friction,
      restitution: n.body?.restitution,
      gravity: n.body?.gravity,
      trigger: n.collider.trigger,
      family: this.family(i)
    });
    if (!taken) this.left.push(n.id);
    else if (dynamic) this.free.push(i);
    else this.led.push(i);
  }
  // copy takes in a new node below one that is there.
  copy(n, parent) {
    this.add(n, this.byId.get(parent) ?? -1);
  }
  // family is the top of the tree of nodes that hang on one moving body, which do
  // not push each other.
  family(i) {
    let top;
    for (let k = i; k >= 0; k = this.places[k].parent) if (this.free.includes(k)) top = k;
    return top;
  }
  remove(node) {
    const i = this.byId.get(node);
    if (i === void 0) return;
    this.byId.delete(node);
    this.solver.remove(node);
    for (const list of [this.led, this.free]) if (list.includes(i)) list.splice(list.indexOf(i), 1);
    this.carried.delete(i);
    this.last.delete(i);
    this.spare.push(i);
  }
  // world is the place of a node in the scene.
  world(i) {
    const p = this.places[i];
    if (p.parent < 0) return [p.t, p.r, p.s];
    const [t, r, s] = this.world(p.parent);
    return [add(t, turn(r, product3(s, p.t))), product(r, p.r), product3(s, p.s)];
  }
  // settle puts a node at a place of the scene.
  settle(i, t, r) {
    const p = this.places[i];
    const [pt, pr, ps] = p.parent < 0 ? [[0, 0, 0], [0, 0, 0, 1], [1, 1, 1]] : this.world(p.parent);
    p.t = turn(back(pr), sub(t, pt)).map((x, k) => x / (ps[k] || 1));
    p.r = product(back(pr), r);
  }
  // place says that a node was put somewhere, in its parent: a rotation of three
  // numbers is in degrees.
  place(node, part, value) {
    const i = this.byId.get(node);
    if (i === void 0 || !value.every(Number.isFinite)) return;
    const p = this.places[i];
    if (part === "position") p.t = [value[0], value[1], value[2]];
    else if (part === "scale") p.s = [value[0], value[1], value[2]];
    else p.r = value.length === 4 ? [...value] : euler(value);
    this.dirty = true;
    if (this.free.includes(i)) {
      const [t, r] = this.world(i);
      this.solver.place(node, t, r);
    }
  }
  // step moves the bodies by a time, in whole steps of the solver.
  step(seconds) {
    const out = [];
    this.due = Math.min(this.due + seconds, 0.25);
    for (; this.due > 1 / limits.rate - 1e-9; this.due -= 1 / limits.rate) {
      for (const [i, to] of this.carried) this.carry(i, to);
      for (const i of this.led) if (this.dirty || this.places[i].follows || this.carried.has(i)) this.lead(i);
      this.dirty = false;
      out.push(...this.solver.step());
      for (const i of this.free) {
        const b = this.solver.get(this.places[i].id);
        if (b && (!b.asleep || b.held)) this.settle(i, b.origin(), b.r);
      }
    }
    return out.map(({ name, node, ...payload }) => ({ node, event: name, payload }));
  }
  lead(i) {
    const [t, r] = this.world(i);
    this.solver.move(this.places[i].id, t, r);
  }
  // moved are the nodes that stand elsewhere than when it was asked last.
  moved() {
    const out = [];
    for (const i of [...this.free, ...this.carried.keys()]) {
      const p = this.places[i], now = `${p.t},${p.r}`;
      if (this.last.get(i) === now) continue;
      this.last.set(i, now);
      out.push({ node: this.places[i].id, position: [...p.t], rotation: [...p.r] });
    }
    return out;
  }
  // grab takes a node into a hand; hold says where the hand has it, in the scene.
  grab(node) {
    const i = this.byId.get(node);
    if (i === void 0) return false;
    if (this.solver.grab(node)) return true;
    if (this.carried.has(i) || this.solver.get(node)?.held) return false;
    const [t, r] = this.world(i);
    this.carried.set(i, { t, r });
    return true;
  }
  hold(node, t, r) {
    const i = this.byId.get(node);
    if (i !== void 0 && this.carried.has(i)) this.carried.set(i, { t, r });
    else this.solver.hold(node, t, r);
  }
  carry(i, to) {
    this.settle(i, to.t, to.r ?? this.world(i)[1]);
    this.dirty = true;
  }
  // release lets go; a body flies on with what speed the hand had.
  release(node, scale = 1, most2 = 20) {
    const i = this.byId.get(node);
    if (i !== void 0 && this.carried.delete(i)) return;
    this.solver.release(node, scale, most2);
  }
  // origin is the place of a node in the scene.
  origin(node) {
    const i = this.byId.get(node);
    if (i === void 0) return void 0;
    const [t, r] = this.world(i);
    return { t, r };
  }
  // local is the place of a node in its parent.
  local(node) {
    const i = this.byId.get(node);
    return i === void 0 ? void 0 : this.places[i];
  }
  // call does what a program asks of a body; false when it is none of these.
  call(name, node, args) {
    const v = vector(args[0]);
    const b = this.solver.get(node);
    switch (name) {
      case "apply_impulse":
        if (v && b) this.solver.push(node, mul(v, b.inverseMass));
        return true;
      case "apply_force":
        if (v && b) this.solver.push(node, mul(v, b.inverseMass / limits.rate));
        return true;
      case "set_velocity":
        if (v && b) this.solver.push(node, sub(v, b.v));
        return true;
    }
    return false;
  }
};
function vector(v) {
  if (Array.isArray(v) && v.length >= 3 && v.every((x2) => typeof x2 === "number")) return [v[0], v[1], v[2]];
  if (typeof v !== "object" || v === null) return void 0;
  const { x, y, z } = v;
  const c = [x, y, z].map((n) => typeof n === "number" ? n : 0);
  return [c[0], c[1], c[2]];
}
function product3(a, b) {
  return [a[0] * b[0], a[1] * b[1], a[2] * b[2]];
}

// src/ground.ts
function ground({ solver }, { scene, solids }) {
  const all = solver.bodies.filter((b) => !b.spec.trigger), falling = all.filter((b) => b.spec.type === "dynamic" && b.spec.gravity !== 0);
  const over = (p, lo, hi) => p[0] >= lo[0] && p[0] <= hi[0] && p[2] >= lo[2] && p[2] <= hi[2];
  if (!((scene.environment?.gravity?.[1] ?? -1) < 0)) return false;
  if (falling.every((f) => all.some((b) => b.spec.type !== "dynamic" && b.lower[1] < f.p[1] && over(f.p, b.lower, b.upper)))) return false;
  const low2 = Math.min(...falling.map((b) => b.lower[1]));
  let at = Math.min(...all.map((b) => b.lower[1]));
  for (const o of solids) {
    if (!o.text && !scene.nodes[o.node].collider && o.hi[1] <= low2 + 0.01 && falling.some((f) => over(f.p, o.lo, o.hi))) at = Math.max(at, o.hi[1]);
  }
  solver.add({ id: "", type: "static", shape: "plane", size: [1e4, 0, 1e4], t: [0, at, 0], r: [0, 0, 0, 1] });
  return true;
}
export {
  Bodies,
  Staging,
  Swarm,
  ground,
  read,
  seedOf,
  spreadOf
};

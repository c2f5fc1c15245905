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
function read(text) {
  return checked(JSON.parse(text));
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
function turn(q, v) {
  const u = [q[0], q[1], q[2]];
  const t = mul(cross(u, v), 2);
  return add(add(v, mul(t, q[3])), cross(u, t));
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
var along = (m, v) => add(add(mul(m.x, v[0]), mul(m.y, v[1])), mul(m.z, v[2]));
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
    (scene.nodes ?? []).forEach((n, i) => {
      const s = n.s ?? [1, 1, 1], r = n.r ?? [0, 0, 0, 1], t = n.t ?? [0, 0, 0], p = this.world[n.parent];
      let m = { t, x: mul(turn(r, [1, 0, 0]), s[0]), y: mul(turn(r, [0, 1, 0]), s[1]), z: mul(turn(r, [0, 0, 1]), s[2]) };
      if (p) m = { t: add(p.t, along(p, m.t)), x: along(p, m.x), y: along(p, m.y), z: along(p, m.z) };
      this.world.push(m);
      hidden.push(n.visible === false || n.prototype !== void 0 || n.parent >= 0 && hidden[n.parent]);
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
    const { scene } = this, g = scene.geometries?.[n.geometry ?? -1], m = this.world[i];
    let half, centre = [0, 0, 0], text = false, clear = false;
    if (g?.kind === "model") {
      const b = extentOf(standIn(n, scene));
      half = mul(sub(b.hi, b.lo), 0.5);
      centre = middle(b);
    } else if (g) {
      half = mul(boundsOf(g), 0.5);
      clear = scene.materials?.[n.material ?? -1]?.alpha === "blend";
    } else if (n.text?.value) {
      const [w, h] = extent(n.text.value, n.text.size);
      half = [w / 2, h / 2, 1e-3];
      text = true;
      centre = [n.text.align === "left" ? w / 2 : n.text.align === "right" ? -w / 2 : 0, 0, 0];
    } else return;
    const c = add(m.t, along(m, centre));
    const reach = axes.map((k) => Math.abs(m.x[k] * half[0]) + Math.abs(m.y[k] * half[1]) + Math.abs(m.z[k] * half[2]));
    const lo = sub(c, reach), hi = add(c, reach);
    if ([...lo, ...hi].every(Number.isFinite)) this.solids.push({ node: i, lo, hi, role: "thing", text, clear });
  }
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
    const cut = (w, axis) => {
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
    for (const w of this.walls) cut(w, sheet(w));
    for (const o of solids) {
      const d = sub(o.hi, o.lo);
      if (sheet(o) === 1 && o.lo[1] >= this.lo[1] + 0.7 * e[1] && !o.text && d[0] >= 0.5 * e[0] && d[2] >= 0.5 * e[2]) cut(o, 1);
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
      if (!this.solids.some((o) => !o.text && o.role !== "shell" && axes.every((k) => t.hi[k] + slack >= o.lo[k] && t.lo[k] - slack <= o.hi[k]))) this.floating.add(t.node);
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
    const met = this.solids.filter((o) => o.role === "thing" && !o.text).slice(0, 200).map((o) => this.meets(o, shining)).sort((a, b) => a - b);
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
function extent(text, size2) {
  const lines = text.split("\n");
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
export {
  Staging,
  read
};

// How a scene is shown where its source does not say: what of it is framed, where
// the camera stands, which walls it looks through, which light falls on it. These
// are the rules of package lang/picture/staging, step by step; a test gives both
// the same scenes. It reads the document alone and needs no 3D library.
import { linear } from "./colour.ts";
import { emission, spreadOf } from "./particles.ts";
import { extentOf, standIn } from "./standin.ts";
import type { Geometry, Node, Scene } from "./scene.ts";
import { add, cross, dot, length, mul, sub, turn, type Vec } from "./vector.ts";

export type Role = "thing" | "ground" | "shell" | "backdrop" | "astray";
export interface Solid { node: number; lo: Vec; hi: Vec; role: Role; text: boolean; clear: boolean; emits?: boolean }
export type Cut = "open" | "away";

// fieldOfView is the vertical angle of a camera that finds its own place.
export const fieldOfView = (50 * Math.PI) / 180;
export const sun = { at: [3, 6, 4] as Vec, intensity: 0.8 };

interface World { t: Vec; x: Vec; y: Vec; z: Vec }
const along = (m: World, v: Vec): Vec => add(add(mul(m.x, v[0]), mul(m.y, v[1])), mul(m.z, v[2]));
const unit = (v: Vec): Vec => mul(v, 1 / (length(v) || 1));
const low = (a: Vec, b: Vec): Vec => [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.min(a[2], b[2])];
const high = (a: Vec, b: Vec): Vec => [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.max(a[2], b[2])];
const middle = (b: { lo: Vec; hi: Vec }): Vec => mul(add(b.lo, b.hi), 0.5);
const size = (b: { lo: Vec; hi: Vec }) => length(sub(b.hi, b.lo));
const axes = [0, 1, 2] as const;

export class Staging {
  readonly solids: Solid[] = [];
  lo: Vec = [Infinity, Infinity, Infinity];
  hi: Vec = [-Infinity, -Infinity, -Infinity];
  room = false; // walls or a shell are around the things
  readonly floating = new Set<number>(); // nodes whose texts turn to the viewer
  gain = 1; // multiplies all light
  sun = false; // a key light is wanted
  above: Vec = [1, 1, 1]; // light from everywhere
  below: Vec = [1, 1, 1];
  shadow = -1; // node whose light throws a shadow besides those that the source names
  private readonly world: World[] = [];
  private walls: Solid[] = [];

  constructor(readonly scene: Scene) {
    const hidden: boolean[] = [];
    (scene.nodes ?? []).forEach((n) => {
      const s = n.s ?? [1, 1, 1], r = n.r ?? [0, 0, 0, 1], t = n.t ?? [0, 0, 0], p = this.world[n.parent];
      let m: World = { t, x: mul(turn(r, [1, 0, 0]), s[0]), y: mul(turn(r, [0, 1, 0]), s[1]), z: mul(turn(r, [0, 0, 1]), s[2]) };
      if (p) m = { t: add(p.t, along(p, m.t)), x: along(p, m.x), y: along(p, m.y), z: along(p, m.z) };
      this.world.push(m);
      hidden.push(n.visible === false || n.prototype !== undefined || (n.parent >= 0 && hidden[n.parent]));
    });
    scene.nodes?.forEach((n, i) => { if (!hidden[i]) this.take(n, i); });
    this.sortOut();
    this.frame();
    this.findWalls();
    this.float();
    this.lights(hidden);
  }

  private take(n: Node, i: number): void {
    const { scene } = this, g = scene.geometries?.[n.geometry ?? -1];
    let half: Vec | undefined, centre: Vec = [0, 0, 0], text = false, clear = false;
    if (g?.kind === "model") {
      const b = extentOf(standIn(n, scene));
      half = mul(sub(b.hi, b.lo), 0.5);
      centre = middle(b);
    } else if (g) {
      half = mul(boundsOf(g), 0.5);
      clear = scene.materials?.[n.material ?? -1]?.alpha === "blend";
    } else if (n.text?.value) {
      const [w, h] = extent(n.text.value, n.text.size);
      half = [w / 2, h / 2, 0.001];
      text = true;
      centre = [n.text.align === "left" ? w / 2 : n.text.align === "right" ? -w / 2 : 0, 0, 0];
    }
    if (half) this.add(i, half, centre, { text, clear });
    const b = n.particles && spreadOf(emission(n.particles, (name) => this.aim(this.world[i], name)));
    if (b) this.add(i, mul(sub(b.hi, b.lo), 0.5), middle(b), { text: false, clear: true, emits: true });
  }

  // add notes a box below a node.
  private add(node: number, half: Vec, centre: Vec, more: { text: boolean; clear: boolean; emits?: boolean }): void {
    const m = this.world[node];
    const c = add(m.t, along(m, centre));
    const reach = axes.map((k) => Math.abs(m.x[k] * half[0]) + Math.abs(m.y[k] * half[1]) + Math.abs(m.z[k] * half[2])) as Vec;
    const lo = sub(c, reach), hi = add(c, reach);
    if ([...lo, ...hi].every(Number.isFinite)) this.solids.push({ node, lo, hi, role: "thing", ...more });
  }

  // aim is the way from a place to a node, in the space of the place.
  private aim(m: World, name: string): Vec | undefined {
    this.named ??= new Map((this.scene.nodes ?? []).map((n, i): [string, number] => [n.name ?? "", i]).reverse());
    const there = this.world[this.named.get(name) ?? -1];
    if (!there) return undefined;
    const way = sub(there.t, m.t);
    return [dot(way, unit(m.x)), dot(way, unit(m.y)), dot(way, unit(m.z))];
  }
  private named?: Map<string, number>;

  private sortOut(): void {
    const order = [...this.solids].sort((a, b) => size(a) - size(b));
    const rest = { lo: this.lo, hi: this.hi }; // of the things that are smaller by far
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
      if (axis < 0 && (s > 1.3 * d || (members >= 3 && s > 1.02 * d)) && axes.every((k) => rest.lo[k] >= o.lo[k] - 0.02 * d && rest.hi[k] <= o.hi[k] + 0.02 * d)) o.role = "shell";
      else if (axis === 1 && over && s > 1.3 * d) o.role = "ground";
      else if (axis < 0 && over && members >= 2 && o.hi[1] <= rest.lo[1] + 0.25 * (rest.hi[1] - rest.lo[1]) && s > 2 * d && e[1] <= 0.5 * Math.min(e[0], e[2])) o.role = "ground";
      else if ((axis >= 0 && axis !== 1 && s > 2 * d) || (members >= 3 && s > 12 * d)) o.role = "backdrop";
    }
    this.beyond();
    this.strays();
  }

  private beyond(): void {
    const reach = (o: Solid) => length(middle(o)) + size(o) / 2, things = this.solids.filter((o) => o.role === "thing");
    const far = things.map(reach).sort((a, b) => a - b), gap = far.findIndex((v, k) => k >= 3 && v > 20 * far[k - 1]);
    if (gap > 0) for (const o of things) if (reach(o) >= far[gap]) o.role = "backdrop";
  }

  private strays(): void {
    const things = this.solids.filter((o) => o.role === "thing"), up = (a: number, b: number) => a - b;
    if (things.length < 10) return;
    const centre = axes.map((k) => things.map((o) => middle(o)[k]).sort(up)[Math.floor(things.length / 2)]) as Vec;
    const far = things.map((o) => length(sub(middle(o), centre)) + size(o) / 2);
    const limit = 4 * [...far].sort(up)[Math.floor((far.length * 9) / 10) - 1];
    things.forEach((o, k) => { if (far[k] - size(o) > limit) o.role = "astray"; });
  }

  private frame(): void {
    let all = this.solids.filter((o) => o.role === "thing");
    if (all.length === 0) all = this.solids;
    for (const o of all) {
      this.lo = low(this.lo, o.lo);
      this.hi = high(this.hi, o.hi);
    }
    if (all.length === 0) [this.lo, this.hi] = [[-1, -1, -1], [1, 1, 1]];
  }

  get target(): Vec { return middle(this); }

  // eye is the place of a camera from which all that counts is seen. Aspect is width
  // over height, fov the vertical angle.
  eye(aspect: number, fov = fieldOfView): Vec {
    const e = sub(this.hi, this.lo);
    let way: Vec = [0.55, 0.45, 1], eye: Vec;
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

  private fit(way: Vec, aspect: number, fov: number): Vec {
    const from = unit(way), right = unit(cross([0, 1, 0], from)), up = cross(from, right), half = Math.tan(fov / 2), centre = this.target;
    let distance = 0.1;
    for (let k = 0; k < 8; k++) {
      const d = sub([k & 1 ? this.hi[0] : this.lo[0], k & 2 ? this.hi[1] : this.lo[1], k & 4 ? this.hi[2] : this.lo[2]], centre);
      distance = Math.max(distance, dot(d, from) + Math.max(Math.abs(dot(d, right)) / (half * Math.max(aspect, 0.1)), Math.abs(dot(d, up)) / half));
    }
    return add(centre, mul(from, distance * 1.05));
  }

  private blocked(p: Vec): boolean {
    return this.solids.some((o) => !o.clear && !o.text && o.role !== "shell" && axes.every((k) => p[k] > o.lo[k] && p[k] < o.hi[k]));
  }

  private findWalls(): void {
    const e = sub(this.hi, this.lo), walls: Solid[] = [];
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
  cuts(eye: Vec): Map<number, Cut> {
    const out = new Map<number, Cut>(), { solids } = this;
    for (const o of solids) if (o.role === "shell" && !o.clear) out.set(o.node, "open");
    if (this.walls.length === 0) return out;
    const e = sub(this.hi, this.lo), c = this.target;
    const cut = (w: Solid, axis: number) => {
      const at = middle(w), side = at[axis] - c[axis], sign = side < 0 ? -1 : 1, slack = 0.04 * e[axis];
      if (Math.abs(side) <= 0.25 * e[axis] || (eye[axis] - at[axis]) * side <= 0) return;
      out.set(w.node, "away");
      const inner = side < 0 ? -(w.hi[axis] + slack) : w.lo[axis] - slack;
      for (const o of solids) {
        if (o.node === w.node || size(o) > size(w) || o.role === "ground") continue;
        const p = middle(o);
        if (axes.every((k) => k === axis || (p[k] >= w.lo[k] && p[k] <= w.hi[k])) && p[axis] * sign >= inner && o.hi[axis] - o.lo[axis] < 0.15 * e[axis]) out.set(o.node, "away");
      }
    };
    for (const w of this.walls) cut(w, sheet(w));
    for (const o of solids) {
      const d = sub(o.hi, o.lo);
      if (sheet(o) === 1 && o.lo[1] >= this.lo[1] + 0.7 * e[1] && !o.text && d[0] >= 0.5 * e[0] && d[2] >= 0.5 * e[2]) cut(o, 1);
    }
    return out;
  }

  private float(): void {
    const nodes = this.scene.nodes ?? [];
    const upright = (i: number) => {
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

  private lights(hidden: boolean[]): void {
    const e = this.scene.environment ?? {}, nodes = this.scene.nodes ?? [], below: Vec = [0.8, 0.76, 0.7];
    if (e.ambient) this.above = this.below = mul(linear(e.ambient.color), e.ambient.intensity);
    else {
      const c = e.sky?.colors ?? [], tinted = (v: Vec, by: Vec): Vec => [v[0] * by[0], v[1] * by[1], v[2] * by[2]];
      this.above = mul(c.length ? tint(linear(c[0])) : [1, 1, 1], 0.36);
      this.below = mul(c.length ? tinted(tint(linear(c[c.length - 1])), below) : below, 0.36);
    }
    const shining = nodes.map((_, i) => i).filter((i) => nodes[i].light && !hidden[i]);
    this.sun = shining.every((i) => nodes[i].light!.type === "ambient");
    if (!shining.some((i) => nodes[i].light!.shadow)) this.shadow = shining.find((i) => nodes[i].light!.type === "directional") ?? -1;
    if ((e.exposure ?? 1) !== 1) return;
    const met = this.solids.filter((o) => o.role === "thing" && !o.text && !o.emits).slice(0, 200).map((o) => this.meets(o, shining)).sort((a, b) => a - b);
    if (met.length === 0) return;
    const m = met[Math.floor(met.length / 2)];
    if (m < 0.5) this.gain = Math.min(0.5 / Math.max(m, 0.01), 3);
    else if (m > 1.3) this.gain = Math.max(1.3 / m, 0.1);
    this.gain = Math.floor(this.gain * 1000 + 0.5) / 1000;
  }

  // meets estimates the light that meets a solid.
  private meets(o: Solid, shining: number[]): number {
    let sum = (luminance(this.above) + luminance(this.below)) / 2 + (this.sun ? 0.6 * sun.intensity : 0);
    const at = middle(o), reach = size(o) / 2;
    for (const i of shining) {
      const l = this.scene.nodes![i].light!, m = this.world[i], strength = l.intensity ?? 1, power = luminance(linear(l.color)) * strength;
      if (l.type === "ambient") sum += power;
      else if (l.type === "hemisphere") sum += (power + luminance(linear(l.ground)) * strength) / 2;
      else if (l.type === "directional") sum += 0.6 * power;
      else {
        const to = sub(at, m.t), far = Math.max(length(to), reach, 0.1);
        const angle = l.type === "spot" ? (l.angle ?? 0) + Math.asin(Math.min(reach / far, 1)) : l.type === "area" ? 1.4 : 4;
        if (angle < Math.PI && dot(unit(mul(m.z, -1)), unit(to)) < Math.cos(angle)) continue;
        const fall = l.range ? Math.max(0, 1 - (far / l.range) ** 4) : 1;
        sum += ((0.6 * power) / (far * far)) * fall * fall;
      }
    }
    return sum;
  }
}

// clearer is how dense fog is for a camera that found its own place so far away.
export function clearer(density: number, distance: number): number { return distance > 0 ? Math.min(density, 0.8 / distance) : density; }

// extent is how wide and high a text is taken to be, whatever the letters.
export function extent(text: string, size: number): [number, number] {
  const lines = text.split("\n");
  return [Math.max(...lines.map((l) => [...l].length)) * size * 0.8, lines.length * size * 1.8];
}

function luminance(c: Vec): number { return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]; }

function tint(c: Vec): Vec {
  const y = luminance(c);
  if (y <= 1e-4) return [1, 1, 1];
  c = mul(c, 1 / y);
  c = mul(c, 1 / Math.max(...c, 1));
  return c.map((v) => 1 + (v - 1) * 0.35) as Vec;
}

// sheet is the axis that a solid is thin along, -1 for what is no sheet.
function sheet(o: Solid): number {
  const e = sub(o.hi, o.lo), [least, mid] = [...e].sort((a, b) => a - b);
  return least <= 0.12 * mid ? e.indexOf(least) : -1;
}

// boundsOf is the box around a solid, which is centred.
function boundsOf(g: Geometry): Vec {
  const d = (g.radius ?? 0) * 2, tube = g.tube ?? 0, by = g.stretch ?? [1, 1, 1];
  let s: Vec = g.size ?? [1, 1, 1];
  if (g.kind === "plane") s = [s[0], 0.001, s[2]];
  else if (g.kind === "sphere") s = [d, d, d];
  else if (g.kind === "cylinder" || g.kind === "cone") s = [d, g.height ?? 0, d];
  else if (g.kind === "capsule") s = [d, Math.max(g.height ?? 0, d), d];
  else if (g.kind === "torus") s = [d + 2 * tube, 2 * tube, d + 2 * tube];
  else if (g.kind === "ring" || g.kind === "disc") s = [d, 0.001, d];
  return [s[0] * by[0], s[1] * by[1], s[2] * by[2]];
}

// Labels that turn to the viewer: how large and where they are in the picture,
// from -1 to 1, and how far away.
export interface Label { x: number; y: number; width: number; height: number; depth: number; first: boolean }

// growth is by how much a letter of a height, as a share of the picture, grows.
export function growth(letter: number): number { return letter > 0 ? Math.min(Math.max(0.024 / letter, 1), 6) : 1; }

// uncovered are the labels that have room: what comes first and what is nearer stays.
export function uncovered<L extends Label>(labels: L[]): Set<L> {
  const kept: L[] = [];
  for (const l of [...labels].sort((a, b) => Number(b.first) - Number(a.first) || a.depth - b.depth)) {
    const over = (k: L) => {
      const w = Math.min(l.x + l.width / 2, k.x + k.width / 2) - Math.max(l.x - l.width / 2, k.x - k.width / 2);
      const h = Math.min(l.y + l.height / 2, k.y + k.height / 2) - Math.max(l.y - l.height / 2, k.y - k.height / 2);
      return w > 0 && h > 0 && w * h > Math.min(l.width * l.height, k.width * k.height) / 8;
    };
    if (!kept.some(over)) kept.push(l);
  }
  return new Set(kept);
}

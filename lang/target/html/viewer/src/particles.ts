// Particles: points with a life, moved on the processor. The same node emits the
// same points in every run.
import { alpha, linear } from "./colour.ts";
import type { Data } from "./scene.ts";
import { mul, type Vec } from "./vector.ts";

const most = 2000; // points of one emitter

type Params = { [key: string]: Data };

// What a preset stands for where a source says nothing else.
const presets: Record<string, Params> = {
  fire: { rate: 60, lifetime: 1.2, speed: 1.2, spread: 0.3, gravity: -0.6, size_start: 0.18, size_end: 0.02, color_start: "#ffd27aff", color_end: "#d0290000" },
  smoke: { rate: 20, lifetime: 4, speed: 0.5, spread: 0.2, gravity: -0.1, size_start: 0.1, size_end: 0.6, color_start: "#8888889f", color_end: "#44444400", blend_mode: "normal" },
  sparks: { rate: 80, lifetime: 0.8, speed: 2.4, spread: 1.2, gravity: 6, size_start: 0.03, size_end: 0.01, color_start: "#ffe9a8ff", color_end: "#ff6a0000" },
  rain: { rate: 200, lifetime: 1.5, speed: -6, spread: 0.1, size_start: 0.02, size_end: 0.02, color_start: "#a8c4e0b0", width: 4, blend_mode: "normal" },
  snow: { rate: 80, lifetime: 5, speed: -0.6, spread: 0.3, size_start: 0.04, size_end: 0.04, color_start: "#ffffffff", color_end: "#ffffff80", width: 4, blend_mode: "normal" },
  dust: { rate: 15, lifetime: 6, speed: 0.05, spread: 0.1, size_start: 0.02, size_end: 0.02, color_start: "#e8dcc080", color_end: "#e8dcc000", width: 3, blend_mode: "normal" },
  magic: { rate: 40, lifetime: 2, speed: 0.6, spread: 0.5, gravity: -0.2, size_start: 0.05, size_end: 0, color_start: "#c9a0ffff", color_end: "#4060ff00" },
};

// Emission is what a source says of its particles: points that live for a span of
// seconds are born at a rate, in the plane of their node.
export interface Emission {
  count: number; // points at a time, at most
  rate: number; // births a second
  span: [number, number]; // shortest and longest life in seconds
  speed: Vec; // metres a second, in the node's space
  spread: number; // of each part of the speed, to both sides
  gravity: number; // metres a second squared, down
  width: number; // metres across which points are born
  size: [number, number]; // metres, at birth and at the end
  colours: [Vec, Vec]; // light, at birth and at the end
  alphas: [number, number];
  adds: boolean; // points shine through each other
}

// emission reads the settings of a node. aim is the way to another one, in the
// space of this one.
export function emission(given: Params, aim?: (name: string) => Vec | undefined): Emission {
  const params: Params = { ...presets[String(given.preset ?? "")], ...given };
  const num = (fallback: number, ...keys: string[]) => {
    for (const k of keys) if (typeof params[k] === "number" && Number.isFinite(params[k])) return params[k] as number;
    return fallback;
  };
  const life = Math.max(0.05, num(2, "lifetime"));
  const span: [number, number] = [Math.max(0.05, num(life, "lifetime_min")), Math.max(0.05, num(life, "lifetime_max"))];
  const count = Math.round(Math.max(1, Math.min(most, num(num(10, "rate", "emission_rate") * span[1] + 1, "max_count", "count"))));
  const v = params.velocity, goal = typeof params.along === "string" ? aim?.(params.along) : undefined;
  const speed = num(1, "speed"), size = num(0.05, "size_start", "size");
  const color = text(params.color_start ?? params.color) ?? "#ffffffff", end = text(params.color_end) ?? color.slice(0, 7) + "00";
  const glow = 1 + Math.max(0, num(0, "emissive_intensity"));
  return {
    count, span, rate: Math.min(Math.max(0, num(count / span[1], "rate", "emission_rate")), most * 10),
    speed: Array.isArray(v) ? [Number(v[0]) || 0, Number(v[1]) || 0, Number(v[2]) || 0] : goal ? along(goal, speed) : [0, speed, 0],
    spread: num(0.3, "velocity_spread", "spread"), gravity: num(0, "gravity"), width: Math.max(0, num(0, "width", "radius")),
    size: [size, num("size_start" in params ? 0 : size, "size_end")], colours: [mul(linear(color), glow), mul(linear(end), glow)],
    alphas: [alpha(color), alpha(end)], adds: params.blend_mode !== "normal",
  };
}

// spreadOf is the box that most of the points are in, below their node; of weather,
// which is all around, there is none.
export function spreadOf(e: Emission): { lo: Vec; hi: Vec } | undefined {
  if (e.width > 2) return undefined;
  const life = (e.span[0] + e.span[1]) / 2, lo: Vec = [0, 0, 0], hi: Vec = [0, 0, 0];
  for (const k of [0, 1, 2] as const) {
    const g = k === 1 ? e.gravity : 0, half = k === 1 ? 0 : e.width / 2;
    for (const v of [e.speed[k] - e.spread / 2, e.speed[k] + e.spread / 2]) {
      const end = v * life - (g * life * life) / 2, top = v / g;
      lo[k] = Math.min(lo[k], end);
      hi[k] = Math.max(hi[k], end);
      if (g === 0 || top <= 0 || top >= life) continue;
      lo[k] = Math.min(lo[k], (v * top) / 2);
      hi[k] = Math.max(hi[k], (v * top) / 2);
    }
    lo[k] -= half;
    hi[k] += half;
  }
  return { lo, hi };
}

export class Swarm {
  readonly emission: Emission;
  readonly count: number;
  readonly places: Float32Array; // three numbers a point, below the emitter
  readonly colours: Float32Array; // four, linear; nothing is seen of alpha 0
  readonly sizes: Float32Array; // metres
  readonly adds: boolean; // points shine through each other
  private readonly left: Float32Array; // seconds of life
  private readonly whole: Float32Array;
  private readonly velocity: Float32Array;
  private due = 0;
  private next = 0;

  constructor(given: Params, private seed: number, aim?: (name: string) => Vec | undefined) {
    const { count, adds } = (this.emission = emission(given, aim));
    this.left = new Float32Array(count);
    this.whole = new Float32Array(count).fill(1);
    this.velocity = new Float32Array(count * 3);
    this.count = count;
    this.places = new Float32Array(count * 3);
    this.colours = new Float32Array(count * 4);
    this.sizes = new Float32Array(count);
    this.adds = adds;
    for (let i = 0; i < 40; i++) this.step(this.emission.span[1] / 40); // full from the first picture
  }

  // random is a small generator of its own.
  private random(): number {
    this.seed = (Math.imul(this.seed, 1664525) + 1013904223) >>> 0;
    return this.seed / 4294967296;
  }

  step(dt: number): void {
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

  private birth(i: number, p: Float32Array): void {
    this.left[i] = this.whole[i] = this.emission.span[0] + (this.emission.span[1] - this.emission.span[0]) * this.random();
    for (let k = 0; k < 3; k++) {
      p[i * 3 + k] = k === 1 ? 0 : (this.random() - 0.5) * this.emission.width;
      this.velocity[i * 3 + k] = this.emission.speed[k] + (this.random() * 2 - 1) * this.emission.spread;
    }
  }
}

function along(goal: Vec, speed: number): Vec {
  const n = Math.hypot(...goal) || 1;
  return [(goal[0] / n) * speed, (goal[1] / n) * speed, (goal[2] / n) * speed];
}

function text(v: Data | undefined): string | undefined { return typeof v === "string" && /^#[0-9a-f]{6,8}$/i.test(v) ? v : undefined; }

// seedOf is a number that follows from the id of a node.
export function seedOf(id: string): number {
  let h = 2166136261;
  for (let i = 0; i < id.length; i++) h = Math.imul(h ^ id.charCodeAt(i), 16777619);
  return h >>> 0;
}

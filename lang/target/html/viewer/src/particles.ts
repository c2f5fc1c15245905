// Particle emitters: points with a life, moved on the processor. The same node
// emits the same points in every run.
import { AdditiveBlending, BufferAttribute, BufferGeometry, Color, NormalBlending, Object3D, Points, PointsMaterial } from "three";
import type { Data } from "./scene.ts";

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

export class Emitter {
  private readonly points: Points<BufferGeometry, PointsMaterial>;
  private readonly left: Float32Array; // seconds of life
  private readonly whole: Float32Array;
  private readonly velocity: Float32Array;
  private readonly span: [number, number];
  private readonly rate: number;
  private readonly speed: [number, number, number];
  private readonly spread: number;
  private readonly gravity: number;
  private readonly width: number;
  private readonly size: [number, number];
  private readonly colors: [Color, Color];
  private readonly alphas: [number, number];
  private due = 0;
  private next = 0;

  constructor(given: Params, parent: Object3D, private seed: number, aim?: (name: string) => [number, number, number] | undefined) {
    const params: Params = { ...presets[String(given.preset ?? "")], ...given };
    const num = (fallback: number, ...keys: string[]) => {
      for (const k of keys) if (typeof params[k] === "number" && Number.isFinite(params[k])) return params[k] as number;
      return fallback;
    };
    const life = Math.max(0.05, num(2, "lifetime"));
    this.span = [Math.max(0.05, num(life, "lifetime_min")), Math.max(0.05, num(life, "lifetime_max"))];
    const count = Math.round(Math.max(1, Math.min(most, num(num(10, "rate", "emission_rate") * this.span[1] + 1, "max_count", "count"))));
    this.rate = Math.min(Math.max(0, num(count / this.span[1], "rate", "emission_rate")), most * 10);
    this.spread = num(0.3, "velocity_spread", "spread");
    this.gravity = num(0, "gravity");
    this.width = Math.max(0, num(0, "width", "radius"));
    const v = params.velocity, goal = typeof params.along === "string" ? aim?.(params.along) : undefined;
    const speed = num(1, "speed");
    this.speed = Array.isArray(v) ? [Number(v[0]) || 0, Number(v[1]) || 0, Number(v[2]) || 0] : goal ? along(goal, speed) : [0, speed, 0];
    const size = num(0.05, "size_start", "size");
    this.size = [size, num("size_start" in params ? 0 : size, "size_end")];
    const color = text(params.color_start ?? params.color) ?? "#ffffffff", end = text(params.color_end) ?? color.slice(0, 7) + "00";
    this.colors = [new Color(color.slice(0, 7)), new Color(end.slice(0, 7))];
    this.alphas = [opacity(color), opacity(end)];
    const glow = num(0, "emissive_intensity");
    if (glow > 0) for (const c of this.colors) c.multiplyScalar(1 + glow);
    this.left = new Float32Array(count);
    this.whole = new Float32Array(count).fill(1);
    this.velocity = new Float32Array(count * 3);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(count * 3), 3));
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(count * 4), 4));
    geometry.setAttribute("grow", new BufferAttribute(new Float32Array(count), 1));
    this.points = new Points(geometry, round(new PointsMaterial({
      size: 1, vertexColors: true, transparent: true, depthWrite: false, blending: params.blend_mode === "normal" ? NormalBlending : AdditiveBlending,
    })));
    this.points.frustumCulled = false;
    this.points.raycast = () => {};
    parent.add(this.points);
    for (let i = 0; i < 40; i++) this.step(this.span[1] / 40); // full from the first picture
  }

  // random is a small generator of its own.
  private random(): number {
    this.seed = (Math.imul(this.seed, 1664525) + 1013904223) >>> 0;
    return this.seed / 4294967296;
  }

  step(dt: number): void {
    const p = this.array("position"), c = this.array("color"), g = this.array("grow");
    this.due = Math.min(this.due + dt * this.rate, this.left.length);
    while (this.due >= 1) {
      this.due--;
      this.birth(this.next, p);
      this.next = (this.next + 1) % this.left.length;
    }
    const [from, to] = this.colors;
    for (let i = 0; i < this.left.length; i++) {
      if (this.left[i] <= 0) {
        g[i] = c[i * 4 + 3] = 0;
        continue;
      }
      this.left[i] -= dt;
      this.velocity[i * 3 + 1] -= this.gravity * dt;
      for (let k = 0; k < 3; k++) p[i * 3 + k] += this.velocity[i * 3 + k] * dt;
      const u = 1 - Math.max(this.left[i], 0) / this.whole[i];
      c[i * 4] = from.r + (to.r - from.r) * u;
      c[i * 4 + 1] = from.g + (to.g - from.g) * u;
      c[i * 4 + 2] = from.b + (to.b - from.b) * u;
      c[i * 4 + 3] = this.left[i] <= 0 ? 0 : this.alphas[0] + (this.alphas[1] - this.alphas[0]) * u;
      g[i] = this.size[0] + (this.size[1] - this.size[0]) * u;
    }
    for (const name of ["position", "color", "grow"]) this.points.geometry.getAttribute(name).needsUpdate = true;
  }

  private birth(i: number, p: Float32Array): void {
    this.left[i] = this.whole[i] = this.span[0] + (this.span[1] - this.span[0]) * this.random();
    for (let k = 0; k < 3; k++) {
      p[i * 3 + k] = k === 1 ? 0 : (this.random() - 0.5) * this.width;
      this.velocity[i * 3 + k] = this.speed[k] + (this.random() * 2 - 1) * this.spread;
    }
  }

  private array(name: string): Float32Array { return (this.points.geometry.getAttribute(name) as BufferAttribute).array as Float32Array; }

  dispose(): void {
    this.points.removeFromParent();
    this.points.geometry.dispose();
    this.points.material.dispose();
  }
}

// round makes points round and each of its own size.
function round(m: PointsMaterial): PointsMaterial {
  m.onBeforeCompile = (shader) => {
    shader.vertexShader = "attribute float grow;\n" + shader.vertexShader.replace(/gl_PointSize\s*=\s*size;/, "gl_PointSize = size * grow;");
    shader.fragmentShader = shader.fragmentShader.replace("#include <color_fragment>",
      "#include <color_fragment>\ndiffuseColor.a *= smoothstep( 0.5, 0.2, length( gl_PointCoord - 0.5 ) );");
  };
  return m;
}

function along(goal: [number, number, number], speed: number): [number, number, number] {
  const n = Math.hypot(...goal) || 1;
  return [(goal[0] / n) * speed, (goal[1] / n) * speed, (goal[2] / n) * speed];
}

function text(v: Data | undefined): string | undefined { return typeof v === "string" && /^#[0-9a-f]{6,8}$/i.test(v) ? v : undefined; }

function opacity(color: string): number { return color.length === 9 ? parseInt(color.slice(7), 16) / 255 : 1; }

// seedOf is a number that follows from the id of a node.
export function seedOf(id: string): number {
  let h = 2166136261;
  for (let i = 0; i < id.length; i++) h = Math.imul(h ^ id.charCodeAt(i), 16777619);
  return h >>> 0;
}

// Particle emitters: points with a life, moved on the processor.
import { AdditiveBlending, BufferAttribute, BufferGeometry, Object3D, Points, PointsMaterial } from "three";
import type { Data } from "./scene.ts";
import { rgb } from "./build.ts";

const most = 2000; // points of one emitter

export class Emitter {
  private readonly points: Points<BufferGeometry, PointsMaterial>;
  private readonly life: Float32Array;
  private readonly velocity: Float32Array;
  private readonly span: number;
  private readonly rate: number;
  private readonly speed: [number, number, number];
  private readonly spread: number;
  private readonly gravity: number;
  private due = 0;
  private next = 0;
  private seed = 1;

  constructor(params: { [key: string]: Data }, parent: Object3D) {
    const num = (key: string, fallback: number) => (typeof params[key] === "number" ? params[key] : fallback);
    const count = Math.max(1, Math.min(most, num("max_count", num("count", 500))));
    this.span = Math.max(0.05, num("lifetime", 2));
    this.rate = Math.max(0, num("rate", count / this.span));
    this.spread = num("velocity_spread", num("spread", 0.3));
    this.gravity = num("gravity", 0);
    const v = params.velocity;
    this.speed = Array.isArray(v) ? [Number(v[0]), Number(v[1]), Number(v[2])] : [0, num("speed", 1), 0];
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(count * 3).fill(1e9), 3));
    const color = params.color_start ?? params.color;
    this.points = new Points(geometry, new PointsMaterial({
      size: num("size_start", num("size", 0.05)), color: rgb(typeof color === "string" ? color : undefined), transparent: true, depthWrite: false,
      blending: AdditiveBlending,
    }));
    this.points.frustumCulled = false;
    this.life = new Float32Array(count);
    this.velocity = new Float32Array(count * 3);
    parent.add(this.points);
    for (let i = 0; i < 20; i++) this.update(this.span / 20); // full from the first picture
  }

  // random is a small generator of its own, so that every run looks the same.
  private random(): number {
    this.seed = (Math.imul(this.seed, 1664525) + 1013904223) >>> 0;
    return this.seed / 4294967296;
  }

  update(dt: number): void {
    const at = this.points.geometry.getAttribute("position") as BufferAttribute;
    const p = at.array as Float32Array;
    this.due += dt * this.rate;
    while (this.due >= 1) {
      this.due--;
      const i = this.next;
      this.next = (this.next + 1) % this.life.length;
      this.life[i] = this.span;
      p.fill(0, i * 3, i * 3 + 3);
      for (let k = 0; k < 3; k++) this.velocity[i * 3 + k] = this.speed[k] + (this.random() * 2 - 1) * this.spread;
    }
    for (let i = 0; i < this.life.length; i++) {
      if (this.life[i] <= 0) continue;
      this.life[i] -= dt;
      this.velocity[i * 3 + 1] -= this.gravity * dt;
      for (let k = 0; k < 3; k++) p[i * 3 + k] = this.life[i] <= 0 ? 1e9 : p[i * 3 + k] + this.velocity[i * 3 + k] * dt;
    }
    at.needsUpdate = true;
  }
}

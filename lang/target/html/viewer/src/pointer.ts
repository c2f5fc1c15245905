// The pointer on the picture: what it points at, clicks, grabs and drags.
import type { Eye } from "./orbit.ts";
import type { Running } from "./running.ts";
import type { Node } from "./scene.ts";
import { add, dot, length, mul, sub, turn, type Vec } from "./vector.ts";

// Ray is a line from the eye or a hand; ahead is of length 1.
export interface Ray { from: Vec; ahead: Vec }

// Hit is what a ray meets: a node, and the one of its line that can be grabbed.
export interface Hit { node: string; grab?: string; point: Vec; distance: number }

// through is the ray of an eye through a point of the picture, from -1 to 1,
// right and up.
export function through(eye: Eye, aspect: number, x: number, y: number): Ray {
  const half = eye.height(1) / 2, side: Vec = [x * half * aspect, y * half, 0];
  if (eye.flat) return { from: add(eye.position, turn(eye.rotation, side)), ahead: turn(eye.rotation, [0, 0, -1]) };
  const way: Vec = [side[0], side[1], -1];
  return { from: eye.position, ahead: turn(eye.rotation, mul(way, 1 / length(way))) };
}

export interface Looker {
  stage(): Running;
  ray(x: number, y: number): Ray; // through a point of the picture, from -1 to 1, right and up
  hit(ray: Ray): Hit | undefined;
  ahead(): Vec; // where the eye looks
  orbit(on: boolean): void;
  describe(n: Node): void;
}

export class Pointer {
  private held?: { node: string; through: Vec; across: Vec; offset: Vec };
  private over?: string;
  private start?: { x: number; y: number; hit?: Hit };
  private readonly off = new AbortController();

  constructor(private readonly canvas: HTMLElement, private readonly on: Looker) {
    const listen = <K extends keyof HTMLElementEventMap>(kind: K, act: (e: HTMLElementEventMap[K]) => void, capture = false) =>
      canvas.addEventListener(kind, act, { signal: this.off.signal, capture });
    listen("pointerdown", (e) => this.down(e), true);
    listen("pointermove", (e) => this.move(e));
    listen("pointerup", (e) => this.up(e));
    listen("pointercancel", () => this.drop());
    listen("pointerleave", () => this.hover(undefined));
    listen("dblclick", (e) => {
      const h = this.hit(e);
      if (h) this.on.stage().raise(h.node, "double_click", payload(h));
    });
  }

  private ray(e: MouseEvent): Ray {
    const box = this.canvas.getBoundingClientRect();
    return this.on.ray(((e.clientX - box.left) / box.width) * 2 - 1, 1 - ((e.clientY - box.top) / box.height) * 2);
  }

  private hit(e: MouseEvent): Hit | undefined { return this.on.hit(this.ray(e)); }

  private down(e: PointerEvent): void {
    if (e.button !== 0) return;
    const h = this.hit(e), stage = this.on.stage();
    this.start = { x: e.clientX, y: e.clientY, hit: h };
    if (!h) return;
    stage.raise(h.node, "press", payload(h));
    const at = h.grab && stage.at(h.grab);
    if (!h.grab || !at || !stage.grab(h.grab)) return;
    this.held = { node: h.grab, through: h.point, across: this.on.ahead(), offset: sub(at.t, h.point) };
    this.on.orbit(false);
    this.canvas.setPointerCapture(e.pointerId);
  }

  private move(e: PointerEvent): void {
    if (this.held) {
      const { node, through, across, offset } = this.held, { from, ahead } = this.ray(e);
      const way = dot(sub(through, from), across) / dot(ahead, across);
      if (way > 0 && Number.isFinite(way)) this.on.stage().hold(node, add(add(from, mul(ahead, way)), offset));
      return;
    }
    if (e.buttons === 0) this.hover(this.hit(e));
  }

  private hover(h: Hit | undefined): void {
    const stage = this.on.stage();
    const node = h?.node;
    this.canvas.style.cursor = h?.grab ? "grab" : h && stage.nearest(h.node, "click") ? "pointer" : "";
    if (node === this.over) return;
    if (this.over && stage.nodes.has(this.over)) stage.raise(this.over, "hover_exit", {});
    this.over = node;
    if (h) stage.raise(h.node, "hover_enter", payload(h));
  }

  private up(e: PointerEvent): void {
    const start = this.start, stage = this.on.stage();
    this.start = undefined;
    this.drop();
    if (!start?.hit) return;
    stage.raise(start.hit.node, "release", payload(start.hit));
    if (Math.abs(e.clientX - start.x) + Math.abs(e.clientY - start.y) > 6) return;
    click(stage, start.hit);
    const n = stage.nodes.get(start.hit.node);
    if (n && (n.interact?.length || n.label || n.alt)) this.on.describe(n);
  }

  private drop(): void {
    if (!this.held) return;
    this.on.stage().release(this.held.node);
    this.held = undefined;
    this.on.orbit(true);
  }

  dispose(): void { this.off.abort(); }
}

// click raises what a click means.
export function click(stage: Running, h: Hit, hand = "pointer"): void {
  stage.raise(h.node, "click", { ...payload(h), hand });
  stage.raise(h.node, "tap", { ...payload(h), hand });
}

function payload(h: Hit): { point: number[]; hand: string } { return { point: h.point, hand: "pointer" }; }

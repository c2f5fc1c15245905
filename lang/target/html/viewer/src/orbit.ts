// The way around a scene: turn with one finger or the main button, move with two
// fingers, another button or shift, come nearer with the wheel or by pinching.
import { add, length, mul, sub, toward, turn, type Quat, type Vec } from "./vector.ts";

// Eye is a camera. It looks along -Z.
export interface Eye {
  position: Vec;
  rotation: Quat;
  readonly flat?: boolean; // without perspective
  height(distance: number): number; // of the picture, in metres, at a distance
  zoom(by: number): boolean; // makes the picture of a camera without perspective show more or less; false for others
}

export class Orbit {
  target: Vec = [0, 0, 0];
  enabled = true;
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private readonly off = new AbortController();

  constructor(private readonly eye: Eye, private readonly canvas: HTMLElement, private readonly changed: () => void = () => {}) {
    canvas.style.touchAction = "none";
    const on = <K extends keyof HTMLElementEventMap>(kind: K, act: (e: HTMLElementEventMap[K]) => void) =>
      canvas.addEventListener(kind, act, { signal: this.off.signal, passive: false });
    on("pointerdown", (e) => {
      this.fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
      if (this.enabled) canvas.setPointerCapture(e.pointerId);
    });
    on("pointermove", (e) => this.drag(e));
    for (const end of ["pointerup", "pointercancel"] as const) on(end, (e) => { this.fingers.delete(e.pointerId); });
    on("contextmenu", (e) => e.preventDefault());
    on("wheel", (e) => {
      e.preventDefault();
      if (this.enabled) this.zoom(Math.exp(Math.min(Math.max(e.deltaY * (e.deltaMode === 1 ? 16 : 1), -200), 200) * 0.001));
    });
  }

  private drag(e: PointerEvent): void {
    const was = this.fingers.get(e.pointerId);
    if (!was) return;
    const x = e.clientX - was.x, y = e.clientY - was.y, height = this.canvas.clientHeight || 1;
    const gap = () => {
      const [a, b] = [...this.fingers.values()];
      return Math.hypot(a.x - b.x, a.y - b.y) || 1;
    };
    const two = this.fingers.size === 2, before = two ? gap() : 0;
    was.x = e.clientX;
    was.y = e.clientY;
    if (!this.enabled) return;
    if (two) {
      this.pan(-x / height / 2, -y / height / 2);
      this.zoom(before / gap());
    } else if (e.shiftKey || (e.buttons & 6) > 0) this.pan(-x / height, -y / height);
    else this.turn((-x / height) * 2 * Math.PI, (-y / height) * 2 * Math.PI);
  }

  // turn goes around the target, by angles.
  turn(around: number, up: number): void {
    const away = sub(this.eye.position, this.target), far = length(away) || 1;
    const theta = Math.atan2(away[0], away[2]) + around;
    const phi = Math.min(Math.max(Math.acos(away[1] / far) + up, 0.01), Math.PI - 0.01), flat = far * Math.sin(phi);
    this.eye.position = add(this.target, [flat * Math.sin(theta), far * Math.cos(phi), flat * Math.cos(theta)]);
    this.update();
  }

  // pan moves eye and target, in heights of the picture.
  pan(x: number, y: number): void {
    const height = this.eye.height(length(sub(this.eye.position, this.target)));
    const by = turn(this.eye.rotation, [x * height, -y * height, 0]);
    this.eye.position = add(this.eye.position, by);
    this.target = add(this.target, by);
    this.update();
  }

  // zoom makes the way to the target longer by a factor.
  zoom(by: number): void {
    if (!this.eye.zoom(by)) {
      const away = sub(this.eye.position, this.target), far = length(away) || 1;
      this.eye.position = add(this.target, mul(away, Math.min(Math.max(far * by, 0.01), 1e5) / far));
    }
    this.update();
  }

  // update looks at the target.
  update(): void {
    this.eye.rotation = toward(this.eye.position, this.target);
    this.changed();
  }

  dispose(): void { this.off.abort(); }
}

// The way around a scene: turn with one finger or the main button, move with two
// fingers, another button or shift, come nearer with the wheel or by pinching.
import { OrthographicCamera, PerspectiveCamera, Spherical, Vector3 } from "three";

export type Eye = PerspectiveCamera | OrthographicCamera;

export class Orbit {
  readonly target = new Vector3();
  enabled = true;
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private readonly off = new AbortController();

  constructor(readonly camera: Eye, private readonly canvas: HTMLCanvasElement, private readonly changed: () => void = () => {}) {
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

  private get away(): Spherical { return new Spherical().setFromVector3(this.camera.position.clone().sub(this.target)); }

  // turn goes around the target, by angles.
  turn(around: number, up: number): void {
    const at = this.away;
    at.theta += around;
    at.phi = Math.min(Math.max(at.phi + up, 0.01), Math.PI - 0.01);
    this.camera.position.setFromSpherical(at).add(this.target);
    this.update();
  }

  // pan moves eye and target, in heights of the picture.
  pan(x: number, y: number): void {
    const c = this.camera;
    const height = c instanceof PerspectiveCamera ? 2 * this.away.radius * Math.tan((c.fov * Math.PI) / 360) : (c.top - c.bottom) / c.zoom;
    const by = new Vector3(x, -y, 0).multiplyScalar(height).applyQuaternion(c.quaternion);
    c.position.add(by);
    this.target.add(by);
    this.update();
  }

  // zoom makes the way to the target longer by a factor.
  zoom(by: number): void {
    const c = this.camera;
    if (c instanceof OrthographicCamera) {
      c.zoom = Math.min(Math.max(c.zoom / by, 0.01), 1000);
      c.updateProjectionMatrix();
    } else {
      const at = this.away;
      at.radius = Math.min(Math.max(at.radius * by, 0.01), 1e5);
      c.position.setFromSpherical(at).add(this.target);
    }
    this.update();
  }

  // update looks at the target.
  update(): void {
    this.camera.lookAt(this.target);
    this.changed();
  }

  dispose(): void { this.off.abort(); }
}

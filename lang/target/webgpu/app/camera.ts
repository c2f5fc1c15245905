// Where the scene is looked at from: its own camera, or a place that everything
// is seen from.
import { Frame, type Writer } from "./layout.js";
import { pyramid } from "./lights.js";
import { column, dot, looking, parallel, perspective, placed, product, sub, type Box, type View } from "./matrix.js";
import type { Thing } from "./nodes.js";
import { view, type Eye, type Place, type Staging } from "./runtime.js";
import type { Quat, Vec } from "./scene.js";

export class Camera implements Eye {
  position: Vec = [0, 0, 3];
  rotation: Quat = [0, 0, 0, 1];
  fov = (50 * Math.PI) / 180; // radians, from below to above
  ortho = 0; // metres from below to above; above 0 there is no perspective
  near = 0.05;
  far = 5000;
  changed = true;
  private own = ""; // the node of the scene's camera
  private last = ""; // where it was
  private free = false; // a person has taken over

  // stand takes the first camera of the scene that is seen, or finds a place, and
  // returns what is looked at.
  stand(things: readonly Thing[], all: Box, at: (node: string) => Place | undefined, staging: Staging, aspect: number): Vec {
    const own = things.find((t) => t.node.camera && !t.node.camera.resting && t.seen)?.node, c = own?.camera;
    const from = view(all.empty ? undefined : [all.low, all.high], own && at(own.id), staging, aspect);
    this.position = from.t;
    this.rotation = from.r;
    if (own && c) {
      this.own = own.id;
      this.fov = c.fov;
      this.ortho = c.ortho ?? 0;
      this.near = c.near;
      this.far = c.far;
    }
    return from.target;
  }

  // follow goes where the scene moves its camera, until a person takes over.
  follow(at: (node: string) => Place | undefined): void {
    const place = this.own === "" || this.free ? undefined : at(this.own), now = place ? `${place.t} ${place.r}` : "";
    if (!place || now === this.last) return;
    this.last = now;
    this.position = [...place.t];
    this.rotation = [...place.r];
    this.changed = true;
  }

  // moved says that a person moved the eye.
  moved(): void {
    this.free = true;
    this.changed = true;
  }

  get flat(): boolean { return this.ortho > 0; }

  height(distance: number): number { return this.flat ? this.ortho : 2 * distance * Math.tan(this.fov / 2); }

  zoom(by: number): boolean {
    if (this.ortho > 0) this.ortho = Math.min(Math.max(this.ortho * by, 0.001), 1e5);
    return this.flat;
  }

  private get view(): View {
    const m = placed(this.position, this.rotation, [1, 1, 1]);
    return { at: this.position, right: column(m, 0), up: column(m, 1), back: column(m, 2) };
  }

  // write puts the eye into the frame of a picture and returns the corners of
  // what it sees up to a depth.
  write(w: Writer, aspect: number, deep: number): Vec[] {
    const half = this.height(1) / 2, x = half * aspect, { view, flat } = this;
    const clip = flat ? parallel(-x, x, -half, half, this.near, this.far, 1, 0) : perspective(x, half, this.near, this.far, 1, 0);
    w.all(Frame.clip, product(clip, looking(view)));
    w.put(Frame.eye, ...view.at, flat ? 1 : 0);
    w.put(Frame.right, ...view.right, x);
    w.put(Frame.up, ...view.up, half);
    w.put(Frame.back, ...view.back, 0);
    return pyramid(view, x, half, this.near, Math.max(Math.min(deep, this.far), this.near * 2), flat);
  }

  // depth is how far in front of the eye a place is.
  depth(p: Vec): number { return -dot(sub(p, this.position), this.view.back); }
}

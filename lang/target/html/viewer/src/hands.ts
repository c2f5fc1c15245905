// The pointer on the picture: what it points at, clicks, grabs and drags.
import { Object3D, Plane, Raycaster, Vector2, Vector3, type Camera } from "three";
import type { Node } from "./scene.ts";
import type { Stage } from "./stage.ts";
import type { Hit } from "./xr.ts";

// hit is the first thing of a stage that a ray meets.
export function hit(stage: Stage, ray: Raycaster): Hit | undefined {
  for (const h of ray.intersectObjects(stage.built.world.children, true)) {
    let o: Object3D | null = h.object, seen = true;
    for (let up: Object3D | null = o; up; up = up.parent) seen = seen && up.visible;
    while (o && !o.userData.id) o = o.parent;
    if (!o || !seen) continue;
    const node = o.userData.id as string;
    let grab: string | undefined;
    for (let up: Object3D | null = o; up && !grab; up = up.parent) {
      if (stage.nodes.get(up.userData.id as string)?.interact?.includes("grab")) grab = up.userData.id as string;
    }
    return { node, grab, point: h.point, distance: h.distance };
  }
  return undefined;
}

export interface Looker { stage(): Stage; camera: Camera; orbit(on: boolean): void; describe(n: Node): void }

export class Pointer {
  private held?: { node: string; plane: Plane; offset: Vector3 };
  private over?: string;
  private start?: { x: number; y: number; hit?: Hit };

  constructor(private readonly canvas: HTMLCanvasElement, private readonly on: Looker) {
    canvas.addEventListener("pointerdown", (e) => this.down(e), { capture: true });
    canvas.addEventListener("pointermove", (e) => this.move(e));
    canvas.addEventListener("pointerup", (e) => this.up(e));
    canvas.addEventListener("pointercancel", () => this.drop());
    canvas.addEventListener("pointerleave", () => this.hover(undefined));
    canvas.addEventListener("dblclick", (e) => {
      const h = this.hit(e);
      if (h) this.on.stage().raise(h.node, "double_click", payload(h));
    });
  }

  private ray(e: MouseEvent): Raycaster {
    const box = this.canvas.getBoundingClientRect();
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(((e.clientX - box.left) / box.width) * 2 - 1, 1 - ((e.clientY - box.top) / box.height) * 2), this.on.camera);
    return ray;
  }

  private hit(e: MouseEvent): Hit | undefined { return hit(this.on.stage(), this.ray(e)); }

  private down(e: PointerEvent): void {
    if (e.button !== 0) return;
    const h = this.hit(e), stage = this.on.stage();
    this.start = { x: e.clientX, y: e.clientY, hit: h };
    if (!h) return;
    stage.raise(h.node, "press", payload(h));
    const at = h.grab && stage.at(h.grab);
    if (!h.grab || !at || !stage.grab(h.grab)) return;
    const ahead = this.on.camera.getWorldDirection(new Vector3());
    this.held = { node: h.grab, plane: new Plane().setFromNormalAndCoplanarPoint(ahead, h.point), offset: new Vector3(...at.t).sub(h.point) };
    this.on.orbit(false);
    this.canvas.setPointerCapture(e.pointerId);
  }

  private move(e: PointerEvent): void {
    if (this.held) {
      const to = this.ray(e).ray.intersectPlane(this.held.plane, new Vector3());
      if (to) this.on.stage().hold(this.held.node, to.add(this.held.offset).toArray());
      return;
    }
    if (e.buttons === 0) this.hover(this.hit(e));
  }

  private hover(h: Hit | undefined): void {
    const stage = this.on.stage();
    const node = h?.node;
    this.canvas.style.cursor = h && (h.grab || live(stage, h.node)) ? (h.grab ? "grab" : "pointer") : "";
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
}

// live says whether a click on a node, or on what it is part of, does something.
function live(stage: Stage, node: string): boolean {
  for (let o: Object3D | null | undefined = stage.built.byId.get(node); o; o = o.parent) {
    if (stage.nodes.get(o.userData.id as string)?.interact?.includes("click")) return true;
  }
  return false;
}

// click raises what a click means.
export function click(stage: Stage, h: Hit, hand = "pointer"): void {
  stage.raise(h.node, "click", { ...payload(h), hand });
  stage.raise(h.node, "tap", { ...payload(h), hand });
}

function payload(h: Hit): { point: number[]; hand: string } { return { point: h.point.toArray(), hand: "pointer" }; }

// Pointers that come as events of objects, from a mouse, a finger, a controller
// or a hand: what they point at, press, click, grab and carry.
import { Matrix4, Plane, Quaternion, Vector3, type Object3D, type Ray } from "three";
import { owner } from "./hands.ts";
import { click, type Hit } from "./pointer.ts";
import type { Stage } from "./stage.ts";
import type { Quat, Vec } from "./vector.ts";

// Touch is what a pointer does.
export interface Touch {
  pointer: number;
  hand: string;
  object: Object3D;
  point: Vector3; // in the world
  ray: Ray;
  ahead: Vector3; // the way that the camera looks
  at?: { x: number; y: number }; // on the screen
  pose?: Matrix4; // of a hand in the room
}

interface Held { node: string; plane: Plane; offset: Vector3; grip?: Matrix4 }

export class Touches {
  private readonly held = new Map<number, Held>();
  private readonly pressed = new Map<number, { hit: Hit; at?: { x: number; y: number } }>();
  private readonly over = new Map<number, string>();

  constructor(private readonly stage: Stage) {}

  private hit(t: Touch): Hit | undefined {
    const node = owner(t.object);
    if (node === undefined) return undefined;
    return { node, grab: this.stage.nearest(node, "grab"), point: this.local(t.point).toArray(), distance: t.point.distanceTo(t.ray.origin) };
  }

  // local is a place of the world in the scene.
  private local(p: Vector3): Vector3 {
    const root = this.stage.built.world;
    root.updateWorldMatrix(true, false);
    return root.worldToLocal(p.clone());
  }

  // down presses what a pointer meets. The answers say that something is there,
  // and that it is carried from now on.
  down(t: Touch): { met: boolean; held: boolean } {
    const h = this.hit(t);
    if (!h) return { met: false, held: false };
    this.pressed.set(t.pointer, { hit: h, at: t.at });
    this.stage.raise(h.node, "press", { point: h.point, hand: t.hand });
    const object = h.grab === undefined ? undefined : this.stage.built.byId.get(h.grab);
    if (h.grab === undefined || !object || !this.stage.grab(h.grab, t.hand)) return { met: true, held: false };
    object.updateWorldMatrix(true, false);
    const place = new Vector3().setFromMatrixPosition(object.matrixWorld);
    this.held.set(t.pointer, {
      node: h.grab, plane: new Plane().setFromNormalAndCoplanarPoint(t.ahead, t.point), offset: place.sub(t.point),
      grip: t.pose?.clone().invert().multiply(object.matrixWorld),
    });
    return { met: true, held: true };
  }

  // move carries what is held, or points at what is there. False where nothing is.
  move(t: Touch): boolean {
    const held = this.held.get(t.pointer);
    if (!held) {
      const h = this.hit(t);
      if (h) this.hover(t.pointer, h.node, { point: h.point, hand: t.hand });
      return h !== undefined;
    }
    if (t.pose && held.grip) {
      const m = t.pose.clone().multiply(held.grip).premultiply(this.stage.built.world.matrixWorld.clone().invert());
      const p = new Vector3(), q = new Quaternion();
      m.decompose(p, q, new Vector3());
      this.stage.hold(held.node, p.toArray() as Vec, q.toArray() as Quat);
    } else {
      const to = t.ray.intersectPlane(held.plane, new Vector3());
      if (to) this.stage.hold(held.node, this.local(to.add(held.offset)).toArray() as Vec);
    }
    return true;
  }

  // up lets go. A press that ends where it began is a click.
  up(t: Touch): boolean {
    const start = this.pressed.get(t.pointer);
    this.drop(t.pointer, t.hand);
    if (!start) return false;
    this.stage.raise(start.hit.node, "release", { point: start.hit.point, hand: t.hand });
    const moved = start.at && t.at ? Math.abs(t.at.x - start.at.x) + Math.abs(t.at.y - start.at.y) : 0;
    if (moved <= 6 && this.hit(t)?.node === start.hit.node) click(this.stage, start.hit, t.hand);
    return true;
  }

  // drop lets go of what a pointer carries.
  drop(pointer: number, hand = "pointer"): void {
    this.pressed.delete(pointer);
    const held = this.held.get(pointer);
    if (!held) return;
    this.held.delete(pointer);
    this.stage.release(held.node, hand);
  }

  twice(t: Touch): void {
    const h = this.hit(t);
    if (h) this.stage.raise(h.node, "double_click", { point: h.point, hand: t.hand });
  }

  // leave says that a pointer points at nothing any more.
  leave(pointer: number): void { this.hover(pointer, undefined, {}); }

  private hover(pointer: number, node: string | undefined, payload: object): void {
    const was = this.over.get(pointer);
    if (was === node) return;
    if (was !== undefined && this.stage.nodes.has(was)) this.stage.raise(was, "hover_exit", {});
    if (node === undefined) this.over.delete(pointer);
    else {
      this.over.set(pointer, node);
      this.stage.raise(node, "hover_enter", payload);
    }
  }

  // cursor is the sign of the mouse over what it points at.
  cursor(t: Touch): string {
    const h = this.hit(t);
    return h?.grab !== undefined ? "grab" : h && this.stage.nearest(h.node, "click") ? "pointer" : "";
  }
}

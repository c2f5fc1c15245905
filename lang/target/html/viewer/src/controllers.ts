// Two controllers or hands of an immersive session that point, select and grab.
import {
  BufferGeometry, Float32BufferAttribute, Line, LineBasicMaterial, Matrix4, Quaternion, Raycaster, Vector3, type Group, type Object3D, type WebGLRenderer,
} from "three";
import { hit } from "./hands.ts";
import { click, type Hit } from "./pointer.ts";
import type { Stage } from "./stage.ts";
import type { Quat } from "./vector.ts";

interface Hand { space: Group; name: string; held?: { node: string; offset: Matrix4 } }

// Wants say whether a selection was not meant for a thing, and whether nothing can be
// picked up now.
export interface Wants { chosen?(): boolean; busy?(): boolean }

export class Controllers {
  private readonly hands: Hand[] = [];

  constructor(private readonly renderer: WebGLRenderer, private readonly stage: () => Stage, private readonly may: Wants = {}) {}

  // enter shows the hands in a world, which is the room of the session.
  enter(world: Object3D): void {
    if (this.hands.length === 0) for (let i = 0; i < 2; i++) this.hand(i);
    for (const h of this.hands) world.add(h.space);
  }

  leave(): void {
    for (const h of this.hands) {
      this.drop(h);
      h.space.removeFromParent();
    }
  }

  // hand is a controller or a tracked hand with the ray that it points with.
  private hand(i: number): void {
    const space = this.renderer.xr.getController(i) as Group;
    const h: Hand = { space, name: i === 0 ? "left" : "right" };
    const ray = new Line(
      new BufferGeometry().setAttribute("position", new Float32BufferAttribute([0, 0, 0, 0, 0, -3], 3)), new LineBasicMaterial({ color: 0xffffff, transparent: true, opacity: 0.6 }),
    );
    ray.raycast = () => {};
    space.add(ray);
    const listen = (name: string, act: (e: { data?: XRInputSource }) => void) => (space as unknown as { addEventListener(n: string, f: typeof act): void }).addEventListener(name, act);
    listen("connected", (e) => { if (e.data?.handedness && e.data.handedness !== "none") h.name = e.data.handedness; });
    listen("selectstart", () => this.take(h));
    listen("squeezestart", () => this.take(h));
    listen("selectend", () => this.drop(h));
    listen("squeezeend", () => this.drop(h));
    listen("select", () => {
      if (this.may.chosen?.()) return;
      const hit = this.hit(h);
      if (hit && !h.held) click(this.stage(), hit, h.name);
    });
    this.hands.push(h);
  }

  private hit(h: Hand): Hit | undefined {
    h.space.updateMatrixWorld();
    const ray = new Raycaster();
    ray.ray.origin.setFromMatrixPosition(h.space.matrixWorld);
    ray.ray.direction.set(0, 0, -1).transformDirection(h.space.matrixWorld);
    return hit(this.stage(), ray);
  }

  private take(h: Hand): void {
    const node = h.held || this.may.busy?.() ? undefined : this.hit(h)?.grab;
    const at = node && this.stage().at(node);
    if (!node || !at || !this.stage().grab(node, h.name)) return;
    const place = new Matrix4().compose(new Vector3(...at.t), new Quaternion(...at.r), new Vector3(1, 1, 1));
    h.held = { node, offset: h.space.matrixWorld.clone().invert().multiply(place) };
  }

  private drop(h: Hand): void {
    if (!h.held) return;
    this.stage().release(h.held.node, h.name);
    h.held = undefined;
  }

  // frame carries what the hands hold.
  frame(): void {
    for (const h of this.hands) {
      if (!h.held) continue;
      h.space.updateMatrixWorld();
      const t = new Vector3(), r = new Quaternion(), s = new Vector3();
      h.space.matrixWorld.clone().multiply(h.held.offset).decompose(t, r, s);
      this.stage().hold(h.held.node, t.toArray(), r.toArray() as Quat);
    }
  }
}

// The look as a pointer: a ring that lies on what is looked at. What can be used
// is used by looking at it for a while, or at once by the one button of a sleeve,
// which is a tap on the glass.
import { Group, Mesh, MeshBasicMaterial, Quaternion, Raycaster, RingGeometry, Vector3 } from "three";
import { hit } from "../hands.ts";
import { click, type Hit } from "../pointer.ts";
import type { Stage } from "../stage.ts";

const near = 0.4, far = 20, nothing = 3; // metres
const steps = 48;

export class Gaze {
  readonly cursor = new Group();
  private readonly arc: Mesh<RingGeometry, MeshBasicMaterial>;
  private readonly ray = new Raycaster();
  private at?: Hit;
  private over?: string;
  private time = 0;
  private used = false;
  private held?: { node: string; distance: number; offset: Vector3 };

  constructor(private readonly stage: () => Stage, private readonly dwell: number, private readonly done: (node: string) => void) {
    const ring = (inner: number, outer: number, color: number, order: number, opacity: number) => {
      const m = new Mesh(new RingGeometry(inner, outer, steps), new MeshBasicMaterial({ color, transparent: true, opacity, depthTest: false, depthWrite: false, fog: false, toneMapped: false }));
      m.raycast = () => {};
      m.renderOrder = order;
      m.frustumCulled = false;
      this.cursor.add(m);
      return m;
    };
    ring(0.008, 0.019, 0x000000, 2000, 0.6);
    ring(0.01, 0.017, 0xffffff, 2001, 1);
    this.arc = ring(0.01, 0.026, 0x2f9bff, 2002, 1);
    this.arc.geometry.setDrawRange(0, 0);
  }

  get progress(): number { return this.dwell > 0 && this.target !== undefined ? Math.min(this.time / this.dwell, 1) : 0; }
  get node(): string | undefined { return this.at?.node; }

  // target is the thing looked at, if it can be used.
  private get target(): string | undefined {
    const node = this.at?.node, stage = this.stage();
    if (node === undefined) return undefined;
    return stage.nearest(node, "click") ?? (stage.listens(node, "click") || stage.listens(node, "tap") ? node : undefined);
  }

  // frame looks along -Z of the head.
  frame(seconds: number, from: Vector3, look: Quaternion, blind: boolean): void {
    const ahead = new Vector3(0, 0, -1).applyQuaternion(look);
    this.ray.set(from, ahead);
    this.at = blind ? undefined : hit(this.stage(), this.ray);
    this.enter(this.at);
    const target = this.target;
    if (target !== undefined && !this.used && !this.held && this.dwell > 0) {
      this.time += seconds;
      if (this.time >= this.dwell) this.use();
    }
    if (this.held) {
      const { node, distance, offset } = this.held;
      this.stage().hold(node, from.clone().addScaledVector(ahead, distance).add(offset.clone().applyQuaternion(look)).toArray());
    }
    const distance = Math.min(Math.max(this.at?.distance ?? nothing, near), far);
    this.cursor.visible = !blind;
    this.cursor.position.copy(from).addScaledVector(ahead, distance);
    this.cursor.quaternion.copy(look);
    this.cursor.scale.setScalar(distance);
    this.arc.geometry.setDrawRange(0, this.used ? steps * 6 : Math.ceil(this.progress * steps) * 6);
  }

  private enter(h: Hit | undefined): void {
    const stage = this.stage();
    if (h?.node === this.over) return;
    if (this.over !== undefined && stage.nodes.has(this.over)) for (const e of ["hover_exit", "gaze_exit"]) stage.raise(this.over, e, {});
    this.over = h?.node;
    this.time = 0;
    this.used = false;
    if (h) for (const e of ["hover_enter", "gaze_enter"]) stage.raise(h.node, e, { point: h.point, hand: "gaze" });
  }

  // use clicks what is looked at.
  use(): void {
    if (!this.at) return;
    this.used = true;
    click(this.stage(), this.at, "gaze");
    this.done(this.at.node);
  }

  // press and release are the button of the sleeve.
  press(from: Vector3, look: Quaternion): void {
    const { at } = this, stage = this.stage();
    if (!at) return;
    stage.raise(at.node, "press", { point: at.point, hand: "gaze" });
    const place = at.grab === undefined ? undefined : stage.at(at.grab);
    if (!at.grab || !place || !stage.grab(at.grab, "gaze")) return;
    const ahead = new Vector3(0, 0, -1).applyQuaternion(look), reach = from.clone().addScaledVector(ahead, at.distance);
    this.held = { node: at.grab, distance: at.distance, offset: new Vector3(...place.t).sub(reach).applyQuaternion(look.clone().invert()) };
  }

  release(): void {
    if (this.held) this.stage().release(this.held.node, "gaze");
    this.held = undefined;
  }

  leave(): void {
    this.release();
    this.enter(undefined);
    this.at = undefined;
    this.cursor.removeFromParent();
  }
}

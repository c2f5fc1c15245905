// Immersive mode: a button for each kind of session that the browser offers, two
// controllers or hands that point, select and grab. It was tried with an
// emulator, not on a headset.
import {
  BufferGeometry, Float32BufferAttribute, Line, LineBasicMaterial, Matrix4, Quaternion, Raycaster, Vector3, type Group, type Scene as World, type WebGLRenderer,
} from "three";
import { element } from "./page.ts";
import type { Hit } from "./pointer.ts";
import type { Stage } from "./stage.ts";
import type { Quat } from "./vector.ts";

export interface World3D {
  stage(): Stage;
  say(text: string): void;
  world(): World;
  hit(ray: Raycaster): Hit | undefined;
  click(hit: Hit, hand: string): void;
  grab(node: string, hand: string): boolean;
  hold(node: string, t: Vector3, r: Quaternion): void;
  release(node: string, hand: string): void;
  at(node: string): { t: [number, number, number]; r: Quat } | undefined;
  state(s: string): void; // vr, ar, none
  resize(): void;
}

type Kind = ["immersive-vr" | "immersive-ar", string];

interface Hand { space: Group; name: string; held?: { node: string; offset: Matrix4 } }

export class XR {
  private readonly hands: Hand[] = [];
  private background: World["background"] = null;
  private fog: World["fog"] = null;
  private hidden: { visible: boolean }[] = [];

  constructor(protected readonly renderer: WebGLRenderer, protected readonly on: World3D, protected readonly main: HTMLElement) {
    void this.offer(this.kinds());
  }

  // What another kind of immersive mode does otherwise.
  protected kinds(): Kind[] { return [["immersive-vr", "Enter VR"], ["immersive-ar", "Enter AR"]]; }
  protected wishes(): XRSessionInit { return { optionalFeatures: ["local-floor", "hand-tracking"] }; }
  protected begun(_session: XRSession): void {}
  protected over(): void {}
  protected chosen(): boolean { return false; } // says whether a selection was not meant for a thing
  protected get busy(): boolean { return false; } // nothing can be picked up

  protected async offer(kinds: Kind[]): Promise<void> {
    for (const [mode, label] of kinds) {
      if (!(await navigator.xr?.isSessionSupported(mode).catch(() => false))) continue;
      const b = element("button", `xr ${mode}`);
      b.type = "button";
      b.textContent = label;
      b.addEventListener("click", () => void this.enter(mode, b, label));
      this.main.append(b);
    }
  }

  private async enter(mode: Kind[0], b: HTMLButtonElement, label: string): Promise<void> {
    const now = this.renderer.xr.getSession();
    if (now) return void now.end();
    let session: XRSession;
    try {
      session = await navigator.xr!.requestSession(mode, this.wishes());
      this.renderer.xr.enabled = true;
      await this.renderer.xr.setSession(session);
    } catch (e) {
      this.renderer.xr.enabled = false;
      this.on.state("none");
      console.info(`immersive mode: ${String(e)}`);
      return;
    }
    const world = this.on.world();
    if (mode === "immersive-ar") { // the room is the background
      this.background = world.background;
      world.background = null;
      this.fog = world.fog;
      world.fog = null;
      this.hidden = world.children.filter((o) => o.userData.sky && o.visible);
      for (const o of this.hidden) o.visible = false;
    }
    b.textContent = "Leave";
    this.on.state(mode === "immersive-ar" ? "ar" : "vr");
    if (this.hands.length === 0) for (let i = 0; i < 2; i++) this.hand(i);
    for (const h of this.hands) world.add(h.space);
    this.begun(session);
    session.addEventListener("end", () => {
      this.over();
      for (const h of this.hands) {
        this.drop(h);
        h.space.removeFromParent();
      }
      if (this.background) world.background = this.background;
      if (this.fog) world.fog = this.fog;
      this.background = this.fog = null;
      for (const o of this.hidden.splice(0)) o.visible = true;
      this.renderer.xr.enabled = false;
      b.textContent = label;
      this.on.state("none");
      this.on.resize();
    });
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
      if (this.chosen()) return;
      const hit = this.hit(h);
      if (hit && !h.held) this.on.click(hit, h.name);
    });
    this.hands.push(h);
  }

  private hit(h: Hand): Hit | undefined {
    h.space.updateMatrixWorld();
    const ray = new Raycaster();
    ray.ray.origin.setFromMatrixPosition(h.space.matrixWorld);
    ray.ray.direction.set(0, 0, -1).transformDirection(h.space.matrixWorld);
    return this.on.hit(ray);
  }

  private take(h: Hand): void {
    const node = h.held || this.busy ? undefined : this.hit(h)?.grab;
    const at = node && this.on.at(node);
    if (!node || !at || !this.on.grab(node, h.name)) return;
    const place = new Matrix4().compose(new Vector3(...at.t), new Quaternion(...at.r), new Vector3(1, 1, 1));
    h.held = { node, offset: h.space.matrixWorld.clone().invert().multiply(place) };
  }

  private drop(h: Hand): void {
    if (!h.held) return;
    this.on.release(h.held.node, h.name);
    h.held = undefined;
  }

  // frame carries what the hands hold.
  frame(): void {
    for (const h of this.hands) {
      if (!h.held) continue;
      h.space.updateMatrixWorld();
      const t = new Vector3(), r = new Quaternion(), s = new Vector3();
      h.space.matrixWorld.clone().multiply(h.held.offset).decompose(t, r, s);
      this.on.hold(h.held.node, t, r);
    }
  }
}

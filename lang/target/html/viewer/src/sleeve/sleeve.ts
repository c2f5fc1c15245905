// The scene for a phone in a sleeve with two lenses: one picture for each eye, the
// head turns the view, a look or a tap uses things. Lenses bend a picture a little
// towards its edge; that is left as it is.
import { PerspectiveCamera, Quaternion, Vector2, Vector3 } from "three";
import { element } from "../page.ts";
import type { Data, Scene } from "../scene.ts";
import { Viewer } from "../viewer.ts";
import { Gaze } from "./gaze.ts";
import { Head } from "./head.ts";
import { Twice } from "./twice.ts";

const patience = 60; // frames without a word of a sensor

export class Sleeve extends Viewer {
  private readonly head = new Head();
  private readonly eyes = [new PerspectiveCamera(), new PerspectiveCamera()];
  private readonly apart = this.number("eye", 0.063);
  private readonly wide = this.number("fov", 80);
  private readonly dwell = this.number("dwell", 1.5);
  private gaze?: Gaze;
  private twice!: Twice;
  private button!: HTMLButtonElement;
  private inside = false;
  private waited = 0;
  private last = 0;
  private stood = { t: new Vector3(), r: new Quaternion() };
  private at = new Vector3();
  private finger?: { x: number; y: number; far: boolean };
  private lock?: { release(): Promise<void> };
  private off = new AbortController();
  private full = false;

  private number(key: string, fallback: number): number {
    const n = Number(this.main.dataset[key]);
    return this.main.dataset[key] !== undefined && Number.isFinite(n) ? n : fallback;
  }

  override facts() {
    const viewer = this;
    return Object.defineProperty(super.facts(), "sleeve", {
      get: () => ({
        inside: viewer.inside, sensor: viewer.head.sensor, ahead: new Vector3(0, 0, -1).applyQuaternion(viewer.head.look).toArray(), eyes: viewer.eyes.map((e) => e.position.toArray()),
        node: viewer.gaze?.node, progress: viewer.gaze?.progress ?? 0,
      }),
    });
  }

  override open(scene: Scene): { nodes: number; triangles: number } {
    if (!this.button) this.dress();
    const values = new Map<string, Data>();
    this.early = values;
    const counts = super.open(scene);
    this.early = undefined;
    const copies = [this.widgets(scene), this.widgets(scene)];
    this.twice.fill(copies.filter((c) => c !== undefined));
    for (const [k, v] of values) this.twice.state(k, v);
    this.gaze = new Gaze(() => this.stage, this.dwell, (node) => {
      const n = this.stage.nodes.get(node);
      if (n && (n.label || n.alt)) this.page.say(this.page.describe(n));
    });
    return counts;
  }

  private early?: Map<string, Data>; // what state a scene begins with, before its controls are there

  protected override state(key: string, value: Data): void {
    super.state(key, value);
    this.early?.set(key, value);
    this.twice?.state(key, value);
  }

  // dress makes the button and what both eyes see of the page.
  private dress(): void {
    this.twice = new Twice(this.dwell, (text) => this.page.say(text));
    this.button = element("button", "sleeve");
    this.button.type = "button";
    this.button.textContent = "Put the phone in a sleeve";
    this.button.addEventListener("click", () => void this.enter());
    this.twice.leave.addEventListener("click", () => this.leave());
    this.main.append(this.button, this.twice.root);
    const live = this.main.querySelector("[role=status]")!;
    new MutationObserver(() => this.twice.notify(live.textContent || [...this.main.querySelectorAll(".fault")].at(-1)?.textContent || "")).observe(this.main, { childList: true, subtree: true, characterData: true });
  }

  // enter begins with the gesture of a person, which phones want for all of this.
  private async enter(): Promise<void> {
    if (this.inside) return;
    const ahead = new Vector3(0, 0, -1).applyQuaternion(this.camera.quaternion);
    const asked = this.head.ask(ahead), full = document.documentElement.requestFullscreen?.({ navigationUI: "hide" });
    this.inside = true;
    this.waited = 0;
    this.last = performance.now();
    this.stood = { t: this.camera.position.clone(), r: this.camera.quaternion.clone() };
    this.at.copy(this.camera.position);
    this.controls.enabled = false;
    this.main.classList.add("in-sleeve");
    this.twice.root.hidden = false;
    this.twice.root.focus();
    this.twice.stand(this.at, Math.atan2(-ahead.x, -ahead.z));
    this.stage.built.world.add(this.gaze!.cursor);
    this.listen();
    this.page.say(this.stage.scene.ui?.length ? "Turn your head. Controls are to the right." : "Turn your head. Look at a thing or tap to use it.");
    await full?.catch(() => {}); // without it the picture fills the page
    await (screen.orientation as { lock?(to: string): Promise<void> } | undefined)?.lock?.("landscape").catch(() => {}); // in full screen only
    await this.awake();
    if (!(await asked) && this.inside) this.page.say("The phone does not say how it is held. Drag or use the arrow keys to look around.");
  }

  private async awake(): Promise<void> {
    if (this.lock || !this.inside) return;
    const wake = (navigator as { wakeLock?: { request(kind: "screen"): Promise<{ release(): Promise<void>; addEventListener(n: string, f: () => void): void }> } }).wakeLock;
    const lock = await wake?.request("screen").catch(() => undefined);
    if (!lock) return;
    if (!this.inside) return void lock.release();
    this.lock = lock;
    lock.addEventListener("release", () => { this.lock = undefined; });
  }

  private listen(): void {
    const { signal } = (this.off = new AbortController()), { root } = this.twice;
    const on = <K extends keyof HTMLElementEventMap>(kind: K, act: (e: HTMLElementEventMap[K]) => void) => root.addEventListener(kind, act, { signal });
    on("pointerdown", (e) => {
      if (e.target === this.twice.leave || e.button !== 0) return;
      e.preventDefault();
      root.setPointerCapture(e.pointerId);
      this.finger = { x: e.clientX, y: e.clientY, far: false };
      this.gaze!.press(this.at, this.head.look);
    });
    on("pointermove", (e) => {
      const f = this.finger;
      if (!f) return;
      const x = e.clientX - f.x, y = e.clientY - f.y;
      if (!f.far && Math.abs(x) + Math.abs(y) <= 10) return;
      this.finger = { x: e.clientX, y: e.clientY, far: true };
      this.head.turn((x / innerHeight) * 1.6, (y / innerHeight) * 1.6);
    });
    on("pointerup", () => {
      const f = this.finger;
      this.finger = undefined;
      this.gaze!.release();
      if (f && !f.far) this.choose();
    });
    on("pointercancel", () => {
      this.finger = undefined;
      this.gaze!.release();
    });
    addEventListener("keydown", (e) => this.press(e), { capture: true, signal });
    document.addEventListener("fullscreenchange", () => {
      if (document.fullscreenElement) this.full = true;
      else if (this.full) this.leave(); // by the browser's own way out; not the end of an earlier visit
    }, { signal });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) void this.awake(); }, { signal });
  }

  private press(e: KeyboardEvent): void {
    const step = steps[e.key];
    if (e.ctrlKey || e.metaKey || e.altKey || e.key === "Tab") return;
    if (step) this.head.turn(...step);
    else if (e.key === "Escape") this.leave();
    else if (e.key === "0" || e.key === "Home") this.head.ahead(Math.atan2(...back(this.stood.r)));
    else if ((e.key === " " || e.key === "Enter") && e.target !== this.twice.leave) this.choose();
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  private choose(): void { if (!this.twice.use(this.twice.middle(this.focal, this.apart))) this.gaze!.use(); }

  // focal is the distance of the picture of an eye from it, in pixels of the page.
  private get focal(): number { return innerHeight / 2 / Math.tan((this.wide * Math.PI) / 360); }

  private leave(): void {
    if (!this.inside) return;
    this.inside = false;
    this.off.abort();
    this.head.stop();
    this.gaze!.leave();
    this.finger = undefined;
    this.main.classList.remove("in-sleeve");
    this.twice.root.hidden = true;
    this.camera.position.copy(this.stood.t);
    this.camera.quaternion.copy(this.stood.r);
    this.controls.enabled = true;
    void this.lock?.release();
    this.lock = undefined;
    (screen.orientation as { unlock?(): void } | undefined)?.unlock?.();
    if (this.full && document.fullscreenElement) void document.exitFullscreen().catch(() => {});
    this.full = false;
    this.page.say("");
    this.resize();
    this.button.focus();
  }

  protected override frame(): void {
    if (this.inside && this.gaze) {
      const now = performance.now(), seconds = Math.min((now - this.last) / 1000, 0.1), { look } = this.head, { eyes } = this;
      this.last = now;
      if (!this.head.sensor && ++this.waited === patience) this.page.say("No sensor reports how the phone is held. Drag or use the arrow keys to look around.");
      this.camera.position.copy(this.at);
      this.camera.quaternion.copy(look); // sounds are heard from here
      eyes.forEach((eye, i) => {
        eye.position.set(((i === 0 ? -1 : 1) * this.apart) / 2, 0, 0).applyQuaternion(look).add(this.at);
        eye.quaternion.copy(look);
      });
      const on = this.twice.frame(seconds, eyes.map((e) => e.position), look, this.focal, this.apart);
      this.gaze.frame(seconds, this.at, look, on);
      this.dirty = true;
    }
    super.frame();
  }

  protected override draw(): void {
    if (!this.inside) return super.draw();
    const { renderer, camera } = this, { world } = this.stage.built, size = renderer.getSize(new Vector2()), half = Math.floor(size.x / 2);
    renderer.info.reset();
    renderer.setScissorTest(true);
    this.eyes.forEach((eye, i) => {
      Object.assign(eye, { fov: this.wide, aspect: half / size.y, near: Math.min(camera.near, 0.05), far: camera.far });
      eye.updateProjectionMatrix();
      renderer.setViewport(i * half, 0, half, size.y);
      renderer.setScissor(i * half, 0, half, size.y);
      if (this.effects) this.effects.render(renderer, world, eye);
      else renderer.render(world, eye);
    });
    renderer.setScissorTest(false);
    renderer.setViewport(0, 0, size.x, size.y);
    this.triangles = renderer.info.render.triangles;
  }
}

function back(r: Quaternion): [number, number] {
  const way = new Vector3(0, 0, -1).applyQuaternion(r);
  return [-way.x, -way.z];
}

const steps: Record<string, [number, number]> = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };

// The viewer of a page: one scene on a canvas, with what stands beside it.
import {
  Box3, ConeGeometry, Group, Mesh, MeshBasicMaterial, PerspectiveCamera, Quaternion, Timer, Vector3, WebGLRenderer, BoxHelper,
} from "three";
import { build, type Built } from "./build.ts";
import { aim, bounds, eyeOf, standpoint, type Camera } from "./camera.ts";
import { Effects } from "./effects.ts";
import { moved, type Person, type Shown, type Notify } from "./frame.ts";
import { drive } from "./drive.ts";
import { ground } from "./ground.ts";
import { eye } from "./hands.ts";
import { face, Opening } from "./opening.ts";
import { Orbit } from "./orbit.ts";
import { Page } from "./page.ts";
import { click, Pointer } from "./pointer.ts";
import type { Data, Node, Scene } from "./scene.ts";
import type { Line } from "./running.ts";
import { Stage } from "./stage.ts";
import { develop } from "./tone.ts";
import { Controls } from "./ui.ts";
import type { Vec } from "./vector.ts";
import type { World3D } from "./xr.ts";

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

// Immersive makes the immersive mode of a viewer.
export interface Immersion { frame(): void }
export type Immersive = new (renderer: WebGLRenderer, on: World3D, main: HTMLElement) => Immersion;

export class Viewer implements Shown {
  notify: Notify = () => {};
  protected stage!: Stage<Built>;
  protected camera: Camera = new PerspectiveCamera();
  protected controls!: Orbit;
  protected readonly page: Page;
  private readonly timer = new Timer();
  private readonly people = new Group();
  private readonly marks = new Group();
  protected readonly xr: Immersion;
  protected readonly canvas: HTMLCanvasElement;
  protected effects?: Effects;
  protected ui?: Controls;
  private opening!: Opening;
  private home = { position: new Vector3(), target: [0, 0, 0] as Vec };
  protected dirty = true;
  private frames = 0;
  protected triangles = 0;
  private reported = 0;

  // on makes a viewer in an element; undefined where nothing can be drawn.
  static on(main: HTMLElement, immersive: Immersive): Viewer | undefined {
    const canvas = document.createElement("canvas");
    try {
      return new this(main, canvas, new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true }), immersive);
    } catch {
      return undefined;
    }
  }

  protected constructor(protected readonly main: HTMLElement, canvas: HTMLCanvasElement, protected readonly renderer: WebGLRenderer, immersive: Immersive) {
    this.canvas = canvas;
    this.page = new Page(main, canvas, { select: (n) => this.look(n), use: (n) => this.use(n), pause: (on) => this.pause(on) });
    renderer.info.autoReset = false;
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.show({ v: "scene/1", name: document.title, nodes: [] });
    new Pointer(canvas, {
      ...eye(() => this.stage, () => this.camera), orbit: (yes) => { this.controls.enabled = yes; },
      describe: (n) => {
        this.page.say(this.page.describe(n));
        this.notify({ type: "select", ids: [n.id] });
      },
    });
    this.xr = new immersive(renderer, {
      stage: () => this.stage, say: (text) => this.page.say(text), world: () => this.stage.built.world, state: (state) => this.notify({ type: "xr", state }),
      resize: () => this.resize(),
    }, main);
    reduced.addEventListener("change", () => this.pause(reduced.matches));
    addEventListener("resize", () => this.resize());
    canvas.addEventListener("keydown", (k) => this.key(k));
    for (const kind of ["keydown", "keyup"] as const) {
      addEventListener(kind, (k) => {
        if (!(k.target instanceof HTMLInputElement)) this.stage.raise("", kind === "keydown" ? "key_down" : "key_up", { key: k.key });
      });
    }
    renderer.setAnimationLoop(() => this.frame());
  }

  facts() {
    const viewer = this;
    return {
      get frames() { return viewer.frames; },
      get triangles() { return viewer.triangles; },
      get nodes() { return viewer.stage.nodes.size; },
      get ready() { return viewer.pending === 0; },
      get stage() { return viewer.stage; },
      get camera() { return viewer.camera; },
      get xr() { return viewer.xr; },
    };
  }

  private pending = 0;

  // open shows a scene. One that only moves things keeps what is there.
  open(scene: Scene): { nodes: number; triangles: number } {
    const steps = moved(this.stage.scene, scene);
    if (steps && this.reported > 0) {
      for (const n of steps) this.place(n);
      this.stage.scene.nodes = scene.nodes;
    } else this.show(scene);
    this.reported++;
    this.dirty = true;
    return { nodes: scene.nodes?.length ?? 0, triangles: this.count() };
  }

  private place(n: Node): void {
    for (const [part, v] of [["position", n.t ?? [0, 0, 0]], ["rotation", n.r ?? [0, 0, 0, 1]], ["scale", n.s ?? [1, 1, 1]]] as const) {
      this.stage.setTransform(n.id, part, v);
      this.stage.physics.place(n.id, part, v);
    }
    this.stage.setVisible(n.id, n.visible !== false);
  }

  private show(scene: Scene): void {
    const before: Stage<Built> | undefined = this.stage, playing = before ? before.playing : !reduced.matches;
    before?.dispose();
    const built = build(scene);
    const stage = (this.stage = new Stage(scene, built, !playing));
    this.opening = new Opening(built.staging, built.objects);
    built.world.add(this.people, this.marks);
    this.marks.clear();
    this.page.show(scene, this.canvas);
    this.interface(scene);
    this.main.classList.toggle("bare", built.staging.solids.length === 0);
    develop(this.renderer, scene);
    this.effects?.dispose();
    this.effects = Effects.of(scene.post);
    if (this.reported === 0) this.stand();
    stage.onSay = (line) => this.said(line);
    stage.onState = (owner, key, value) => { if (owner === "scene" || owner === "") this.state(key, value); };
    stage.onNode = (n, here) => this.page.came(n, here);
    stage.listen(this.camera);
    drive(stage);
    this.page.motion(stage.lively, stage.playing);
    if (ground(stage.bodies, built.staging)) this.page.say("Nothing is under what falls: a floor that is not seen is there.");
    this.pending++;
    void Promise.all(built.pending).then(() => {
      this.pending--;
      if (built.faults.length > 2) this.page.fault(`${built.faults.length} model files are not shown; stand-ins with their names are in their places.`);
      for (const f of built.faults) {
        if (built.faults.length < 3) this.page.fault(f.text);
        this.notify({ type: "error", code: "asset", node: f.node, text: f.text });
      }
      this.dirty = true;
    });
    this.resize();
  }

  // stand puts the camera where the scene is looked at from.
  private stand(): void {
    this.controls?.dispose();
    this.camera = standpoint(this.stage.built);
    let last = 0;
    this.controls = new Orbit(eyeOf(this.camera), this.canvas, () => {
      this.dirty = true;
      if (performance.now() - last < 200) return;
      last = performance.now();
      this.notify({ type: "camera", t: this.camera.position.toArray(), r: this.camera.quaternion.toArray() });
    });
    this.controls.target = aim(this.stage.built, this.camera, window.innerWidth / window.innerHeight, this.covered());
    this.controls.update();
    this.home = { position: this.camera.position.clone(), target: this.controls.target };
  }

  // covered is the share of the picture that a panel of controls at its right has.
  private covered(): number {
    const panel = this.ui?.root.getBoundingClientRect();
    if (!panel || panel.width === 0 || panel.left < window.innerWidth / 3 || this.main.classList.contains("bare")) return 0;
    return Math.min(312 / window.innerWidth, 0.4);
  }

  protected interface(scene: Scene): void {
    this.ui?.root.remove();
    this.ui = this.widgets(scene);
    if (this.ui) this.main.append(this.ui.root);
  }

  // widgets are the controls of a scene, if it has any.
  protected widgets(scene: Scene): Controls | undefined {
    if (!scene.ui?.length) return undefined;
    return new Controls(scene.ui, scene.assets ?? [], {
      press: (id) => this.stage.raise("scene", `ui:${id}`, { id }),
      change: (id, value) => this.stage.raise("scene", "change", { id, value }),
      put: (key, value) => this.stage.put(key, value),
      submit: (id, values) => this.stage.raise("scene", "submit", { id, values }),
    });
  }

  // state shows a state key of the scene where a control has it.
  protected state(key: string, value: Data): void { this.ui?.state(key, value); }

  private said(line: Line): void {
    this.page.said(line);
    this.notify({ ...line, type: line.level });
  }

  protected frame(): void {
    this.timer.update();
    const dt = Math.min(this.timer.getDelta(), 0.25);
    const changed = this.stage.advance(dt);
    this.xr.frame();
    if (!changed && !this.dirty && !this.renderer.xr.isPresenting) return;
    this.dirty = false;
    this.draw();
    this.frames++;
  }

  protected draw(): void {
    this.renderer.info.reset();
    const { world, objects, camera } = this.stage.built;
    this.camera.updateMatrixWorld();
    this.opening.to(camera || this.renderer.xr.isPresenting ? undefined : this.camera.position);
    if (!this.renderer.xr.isPresenting) face(objects, this.camera);
    if (this.effects && !this.renderer.xr.isPresenting) this.effects.render(this.renderer, world, this.camera);
    else this.renderer.render(world, this.camera);
    this.triangles = this.renderer.info.render.triangles;
  }

  // count are the triangles of the scene, drawn or not.
  private count(): number {
    let n = 0;
    this.stage.built.world.traverse((o) => {
      const g = o instanceof Mesh ? o.geometry : undefined;
      if (g) n += (g.index ? g.index.count : (g.getAttribute("position")?.count ?? 0)) / 3;
    });
    return n;
  }

  protected resize(): void {
    if (this.renderer.xr.isPresenting) return;
    this.fit(window.innerWidth, window.innerHeight);
  }

  private fit(w: number, h: number): void {
    this.renderer.setSize(w, h);
    if (this.camera instanceof PerspectiveCamera) this.camera.aspect = w / h;
    else {
      const half = (this.camera.userData.height || 10) / 2;
      Object.assign(this.camera, { left: (-half * w) / h, right: (half * w) / h, top: half, bottom: -half });
    }
    this.camera.updateProjectionMatrix();
    this.dirty = true;
  }

  private key(k: KeyboardEvent): void {
    if (k.ctrlKey || k.metaKey || k.altKey) return;
    if (k.key === "0" || k.key === "Home") this.back();
    else if (k.key in steps) this.input(k.shiftKey && k.key.startsWith("Arrow") ? "pan" : k.key.startsWith("Arrow") ? "orbit" : "zoom", ...steps[k.key]);
    else return;
    k.preventDefault();
  }

  private back(): void {
    this.camera.position.copy(this.home.position);
    this.controls.target = this.home.target;
    this.controls.update();
    this.dirty = true;
  }

  input(kind: string, x: number, y: number): void {
    if (kind === "orbit") this.controls.turn(x, y);
    else if (kind === "pan") this.controls.pan(x, y);
    else if (kind === "zoom") this.controls.zoom(Math.max(1 + y, 0.1));
    else if (kind === "reset") this.back();
  }

  // look turns to a thing and says what it is.
  private look(n: Node): void {
    this.focus(n.id);
    this.page.say(this.page.describe(n));
    this.notify({ type: "select", ids: [n.id] });
  }

  private focus(id: string): void {
    const object = this.stage.built.byId.get(id);
    if (!object) return;
    const box = new Box3().setFromObject(object);
    const to = box.isEmpty() ? object.getWorldPosition(new Vector3()) : box.getCenter(new Vector3());
    const away = this.camera.position.clone().sub(new Vector3(...this.controls.target));
    this.controls.target = to.toArray();
    this.camera.position.copy(to).add(away);
    this.controls.update();
    this.dirty = true;
  }

  private use(n: Node): void {
    const object = this.stage.built.byId.get(n.id);
    if (!object) return;
    click(this.stage, { node: n.id, point: object.getWorldPosition(new Vector3()).toArray(), distance: 0 }, "keyboard");
    this.page.say(`${n.label || n.name || n.path}: used.`);
  }

  private pause(on: boolean): void {
    this.stage.playing = !on;
    this.page.motion(this.stage.lively, this.stage.playing);
  }

  // The messages of a host.

  mode(mode: string): void { this.pause(mode === "edit" || reduced.matches); }

  select(ids: string[]): void {
    this.marks.clear();
    for (const id of ids) {
      const object = this.stage.built.byId.get(id);
      if (object) this.marks.add(new BoxHelper(object, 0x7ab8ff));
    }
    this.marks.traverse((o) => { o.raycast = () => {}; });
    this.dirty = true;
  }

  private toward(way: Vec): void {
    const box = bounds(this.stage.built);
    const middle = box.isEmpty() ? new Vector3() : box.getCenter(new Vector3());
    const far = box.isEmpty() ? 2 : Math.max(0.5, box.getSize(new Vector3()).length()) * 1.15;
    this.controls.target = middle.toArray();
    this.camera.position.copy(middle).addScaledVector(new Vector3(...way).normalize(), far);
    this.controls.update();
    this.dirty = true;
  }

  // camera shows everything from a side, or turns to a node, or to the scene's own view.
  view(side: string, id?: string): void {
    if (side === "node" && id !== undefined) this.focus(id);
    else if (side in sides) this.toward(sides[side]);
    else if (side === "home") this.back();
  }

  theme(dark: boolean, reducedMotion: boolean): void {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    this.pause(reducedMotion || reduced.matches);
  }

  presence(people: Person[]): void {
    this.people.clear();
    for (const p of people) {
      if (!p.camera) continue;
      const cone = new Mesh(new ConeGeometry(0.12, 0.3, 12), new MeshBasicMaterial({ color: p.color }));
      cone.name = p.name;
      cone.position.fromArray(p.camera.t);
      cone.quaternion.fromArray(p.camera.r).multiply(new Quaternion(-Math.SQRT1_2, 0, 0, Math.SQRT1_2));
      cone.raycast = () => {};
      this.people.add(cone);
    }
    this.dirty = true;
  }

  emit(node: string, event: string, payload: Data): void { this.stage.raise(node, event, payload); }

  // shot is the picture as PNG in base64.
  shot(w: number, h: number): string {
    const ratio = this.renderer.getPixelRatio();
    this.renderer.setPixelRatio(1);
    this.fit(w, h);
    this.draw();
    const png = this.canvas.toDataURL("image/png");
    this.renderer.setPixelRatio(ratio);
    this.resize();
    return png.slice(png.indexOf(",") + 1);
  }
}

const sides: Record<string, Vec> = { fit: [0.55, 0.45, 1], top: [0, 1, 0.001], front: [0, 0, 1], side: [1, 0, 0] };

// What the keys do: around, up, and nearer by a tenth.
const steps: Record<string, [number, number]> = {
  ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1], "+": [0, -0.1], "=": [0, -0.1], "-": [0, 0.1],
};

// The viewer of self-contained pages: it reads the scene of the page and shows
// it. It asks nobody for anything and runs no code of the author.
import {
  ACESFilmicToneMapping, AudioListener, Audio, Box3, LinearToneMapping, NoToneMapping, OrthographicCamera, PCFShadowMap, PerspectiveCamera,
  PositionalAudio, Raycaster, Spherical, Timer, Vector2, Vector3, WebGLRenderer, Object3D,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Player } from "./animate.ts";
import { build, bytes, type Built } from "./build.ts";
import { aim, standpoint } from "./camera.ts";
import { Page } from "./page.ts";
import { Emitter } from "./particles.ts";
import { read, type Node, type Scene } from "./scene.ts";

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

function start(): void {
  const scene = read(document.getElementById("scene")!.textContent ?? "");
  let renderer: WebGLRenderer;
  const canvas = document.createElement("canvas");
  try {
    renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
  } catch {
    // The list and the still picture of the page stay.
    const p = document.createElement("p");
    p.className = "note";
    p.textContent = "This browser cannot draw in three dimensions; here is the plan of the scene and what is in it.";
    document.querySelector("main")!.prepend(p);
    return;
  }
  const built = build(scene);
  const viewer = new Viewer(scene, built, renderer, canvas);
  void Promise.all(built.pending).then(() => viewer.draw());
  (globalThis as { meshdViewer?: unknown }).meshdViewer = viewer.facts();
}

class Viewer {
  private readonly page: Page;
  private readonly camera: PerspectiveCamera | OrthographicCamera;
  private readonly controls: OrbitControls;
  private readonly player: Player;
  private readonly emitters: Emitter[] = [];
  private readonly timer = new Timer();
  private readonly nodes = new Map<string, Node>();
  private dirty = true;
  private frames = 0;

  constructor(scene: Scene, private readonly built: Built, private readonly renderer: WebGLRenderer, canvas: HTMLCanvasElement) {
    this.page = new Page(scene, (n) => this.select(n));
    this.page.canvas.replaceWith(canvas);
    for (const a of this.page.canvas.attributes) canvas.setAttribute(a.name, a.value);
    for (const n of scene.nodes ?? []) {
      this.nodes.set(n.id, n);
      if (n.particles) this.emitters.push(new Emitter(n.particles, built.byId.get(n.id)!));
    }
    const e = scene.environment ?? {};
    renderer.toneMapping = e.tone_mapping === "aces" ? ACESFilmicToneMapping : e.tone_mapping === "linear" || (e.exposure ?? 1) !== 1 ? LinearToneMapping : NoToneMapping;
    renderer.toneMappingExposure = e.exposure ?? 1;
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = PCFShadowMap;
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.camera = standpoint(built);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.target.copy(aim(built, this.camera));
    this.controls.update();
    this.controls.addEventListener("change", () => { this.dirty = true; });
    this.player = new Player(scene.animations ?? [], built.byId, reduced.matches);
    reduced.addEventListener("change", () => { this.player.playing = !reduced.matches; });
    addEventListener("resize", () => this.resize());
    canvas.addEventListener("keydown", (k) => this.key(k));
    canvas.addEventListener("click", (m) => this.pick(m));
    this.resize();
    void this.immersive();
    this.sounds(scene);
    renderer.setAnimationLoop(() => this.frame());
  }

  facts() {
    const viewer = this;
    return {
      get frames() { return viewer.frames; },
      get triangles() { return viewer.renderer.info.render.triangles; },
      get nodes() { return viewer.nodes.size; },
    };
  }

  draw(): void { this.dirty = true; }

  private frame(): void {
    this.timer.update();
    const dt = Math.min(this.timer.getDelta(), 0.1);
    let moved = this.player.update(dt);
    if (this.player.playing) for (const e of this.emitters) { e.update(dt); moved = true; }
    this.controls.update();
    if (!moved && !this.dirty && !this.renderer.xr.isPresenting) return;
    this.dirty = false;
    this.renderer.render(this.built.world, this.camera);
    this.frames++;
  }

  private resize(): void {
    const { innerWidth: w, innerHeight: h } = window;
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
    const turn: Record<string, [number, number, number]> = {
      ArrowLeft: [-0.1, 0, 1], ArrowRight: [0.1, 0, 1], ArrowUp: [0, -0.1, 1], ArrowDown: [0, 0.1, 1], "+": [0, 0, 0.9], "-": [0, 0, 1.1],
    };
    const by = turn[k.key];
    if (!by) return;
    k.preventDefault();
    const offset = new Spherical().setFromVector3(this.camera.position.clone().sub(this.controls.target));
    offset.theta += by[0];
    offset.phi = Math.min(Math.max(offset.phi + by[1], 0.05), Math.PI - 0.05);
    offset.radius *= by[2];
    this.camera.position.setFromSpherical(offset).add(this.controls.target);
    this.dirty = true;
  }

  private select(n: Node): void {
    const object = this.built.byId.get(n.id)!;
    const box = new Box3().setFromObject(object);
    const to = box.isEmpty() ? object.getWorldPosition(new Vector3()) : box.getCenter(new Vector3());
    const away = this.camera.position.clone().sub(this.controls.target);
    this.controls.target.copy(to);
    this.camera.position.copy(to).add(away);
    this.controls.update();
    this.page.say(this.page.describe(n));
    this.dirty = true;
  }

  private pick(m: MouseEvent): void {
    const at = new Vector2((m.offsetX / this.renderer.domElement.clientWidth) * 2 - 1, 1 - (m.offsetY / this.renderer.domElement.clientHeight) * 2);
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    for (const hit of ray.intersectObjects(this.built.world.children, true)) {
      let o: Object3D | null = hit.object;
      while (o && !o.userData.id) o = o.parent;
      const n = o && this.nodes.get(o.userData.id as string);
      if (!n) continue;
      if (n.interact?.length || n.label) this.page.say(this.page.describe(n));
      return;
    }
  }

  private async immersive(): Promise<void> {
    if (!navigator.xr || !(await navigator.xr.isSessionSupported("immersive-vr").catch(() => false))) return;
    const b = document.createElement("button");
    b.className = "xr";
    b.type = "button";
    b.textContent = "Enter VR";
    b.addEventListener("click", async () => {
      this.renderer.xr.enabled = true;
      const session = await navigator.xr!.requestSession("immersive-vr", { optionalFeatures: ["local-floor", "hand-tracking"] });
      await this.renderer.xr.setSession(session);
      session.addEventListener("end", () => { this.renderer.xr.enabled = false; this.resize(); });
    });
    document.querySelector("main")!.append(b);
  }

  // sounds start with the first touch of a key or the pointer, as browsers ask.
  private sounds(scene: Scene): void {
    const list = (scene.nodes ?? []).filter((n) => n.audio?.autoplay && scene.assets?.[n.audio.asset ?? -1]?.data);
    if (list.length === 0) return;
    const begin = async () => {
      removeEventListener("pointerdown", begin);
      removeEventListener("keydown", begin);
      const listener = new AudioListener();
      this.camera.add(listener);
      for (const n of list) {
        const a = n.audio!;
        const buffer = await listener.context.decodeAudioData(bytes(scene.assets![a.asset!].data!).buffer);
        const near = a.max !== undefined;
        const sound = near ? new PositionalAudio(listener) : new Audio(listener);
        sound.setBuffer(buffer);
        sound.setLoop(a.loop ?? false);
        sound.setVolume(a.volume ?? 1);
        if (sound instanceof PositionalAudio) {
          sound.setRefDistance(a.min ?? 1);
          sound.setMaxDistance(a.max ?? 30);
        }
        this.built.byId.get(n.id)!.add(sound as Object3D);
        sound.play();
      }
    };
    addEventListener("pointerdown", begin);
    addEventListener("keydown", begin);
  }
}

start();

// The runtime of the playcanvas target: a scene for a canvas of the host's page,
// or for an application that the host made. The library is the host's own; this
// file imports it and nothing else.
import {
  AnimClipHandler, AnimComponentSystem, AppBase, AppOptions, CameraComponentSystem, Color, ContainerHandler, Entity, GAMMA_SRGB, LightComponentSystem, RenderComponentSystem,
  RESOLUTION_AUTO, TextureHandler, TONEMAP_ACES, TONEMAP_NEUTRAL, TONEMAP_NONE, Vec3, WebglGraphicsDevice, XRSPACE_LOCALFLOOR, XrManager,
} from "playcanvas";
import { hex } from "../colour.ts";
import { perform, type HostOptions } from "../host.ts";
import { Immersive } from "../immersive.ts";
import { Orbit, type Eye } from "../orbit.ts";
import { Pointer, through, type Ray } from "../pointer.ts";
import { Running } from "../running.ts";
import { checked, looks, type Quat, type Scene } from "../scene.ts";
import type { Vec } from "../vector.ts";
import { facing, Rooms } from "../rooms.ts";
import { ground } from "../ground.ts";
import { Staging } from "../staging.ts";
import { length, sub } from "../vector.ts";
import { view } from "../view.ts";
import { build, lens, paint, turningOf, type Built } from "./build.ts";
import { engine } from "./engine.ts";
import { Picker } from "./pick.ts";

export interface Options extends HostOptions {
  app?: AppBase; // the host's own; without it one is made for the canvas
}

export interface Made {
  app: AppBase;
  scene: Entity;
  nodes: ReadonlyMap<string, Entity>; // by their ids
  update(dt: number): void;
  emit(node: string, event: string, payload?: unknown): void;
  enter(mode: "immersive-vr" | "immersive-ar"): Promise<XRSession>;
  dispose(): void;
}

// create shows a scene/1 document. What happens in the scene is an event "meshd"
// of the canvas with node, event and payload in its detail; emit raises one, at
// once but for what it does, which the next update does. enter begins an
// immersive session and needs a touch of the user. dispose gives back everything
// but an application of the host.
export function create(data: Scene, canvas: HTMLCanvasElement | null | undefined, options: Options = {}): Made {
  const scene = checked(data);
  if (!options.app && !canvas) throw new TypeError("createScene needs a canvas or options.app");
  const app = options.app ?? application(canvas!);
  const before = kept(app);
  app.scene.exposure = scene.environment?.exposure ?? 1;
  const own = (scene.nodes ?? []).find(looks)?.camera, data0 = own ?? fitting(scene);
  const built = build(scene, app, data0.far);
  const eyeEntity = new Entity("eye", app), colors = scene.environment?.sky?.colors ?? [];
  const clear = paint(hex(colors.length > 0 ? colors[colors.length - 1] : "#dfe5ec"));
  eyeEntity.addComponent("camera", {
    ...lens(data0), clearColor: clear, gammaCorrection: GAMMA_SRGB, toneMapping: scene.environment?.tone_mapping === "aces" ? TONEMAP_ACES : scene.environment?.tone_mapping ? TONEMAP_NONE : TONEMAP_NEUTRAL,
  });
  built.root.addChild(eyeEntity);
  const camera = eyeEntity.camera!, eye = eyeOf(eyeEntity, data0.ortho ?? 0), at = place(built);
  const first = view(box(built), at, built.staging, app.graphicsDevice.width / Math.max(app.graphicsDevice.height, 1));
  eye.position = first.t;
  eye.rotation = first.r;
  const controls = canvas && options.controls !== false ? new Orbit(eye, canvas) : undefined;
  if (controls) controls.target = first.target;
  const stage = new Running(scene, engine(scene, built, () => eyeEntity), options.still ?? false);
  ground(stage.bodies, built.staging);
  const rooms = new Rooms(built.staging, (i, seen) => { for (const c of built.nodes[i].children) if (c instanceof Entity && c.render) c.render.enabled = seen; });
  stage.hear(() => ({ t: eye.position, r: eye.rotation }));
  const picker = new Picker(stage, built), hit = (ray: Ray) => picker.hit(ray);
  const aspect = () => app.graphicsDevice.width / Math.max(app.graphicsDevice.height, 1);
  const pointer = canvas && new Pointer(canvas, {
    stage: () => stage, hit, ray: (x, y) => through(eye, aspect(), x, y), ahead: () => [eyeEntity.forward.x, eyeEntity.forward.y, eyeEntity.forward.z],
    orbit: (on) => { if (controls) controls.enabled = on; }, describe: () => {},
  });
  const act = perform(stage, canvas, options.ui);
  void Promise.all(built.pending).then(() => { for (const f of built.faults) act.fault(f.node, f.text); });
  const advance = (dt: number) => {
    if (built.gone) return;
    stage.advance(Math.min(dt, 0.25));
    for (const root of built.moving) root.anim!.playing = stage.playing;
    if (!app.xr?.active) {
      rooms.to(at ? undefined : eye.position);
      face(built, eye, data0.ortho ?? 0, aspect());
    }
    if (built.sky) built.sky.setPosition(eyeEntity.getPosition());
  };
  const loop = options.loop !== false;
  if (loop) app.on("update", advance);
  if (loop && !options.app) app.start();
  let ends: (() => void) | undefined;
  return {
    app,
    scene: built.root,
    nodes: built.byId,
    update(dt) {
      advance(dt);
      if (built.gone || options.app) return;
      app.update(dt);
      app.render();
    },
    emit: (node, event, payload) => stage.raise(node, event, payload),
    async enter(mode) {
      const { xr } = app;
      if (!xr) throw new Error("the application has no immersive mode");
      const at = { t: eye.position, r: eye.rotation };
      await new Promise<void>((done, failed) => {
        camera.startXr(mode, XRSPACE_LOCALFLOOR, { optionalFeatures: ["hand-tracking"], callback: (e: unknown) => (e ? failed(e as Error) : done()) });
      });
      const session = xr.session!, space = await session.requestReferenceSpace("local-floor");
      const beam = beams(app);
      const hands = new Immersive(stage, session, { hit, beam: beam.set });
      const frame = (f: XRFrame) => {
        hands.frame(f, space as XRReferenceSpace);
        beam.draw();
      };
      xr.on("update", frame);
      if (mode === "immersive-ar") { // the room is the background
        camera.clearColor = new Color(0, 0, 0, 0);
        if (built.sky) built.sky.enabled = false;
      }
      ends = () => camera.endXr();
      session.addEventListener("end", () => {
        xr.off("update", frame);
        hands.dispose();
        ends = undefined;
        if (built.gone) return;
        camera.clearColor = clear;
        if (built.sky) built.sky.enabled = true;
        eye.position = at.t;
        eye.rotation = at.r;
      }, { once: true });
      return session;
    },
    dispose() {
      if (built.gone) return;
      ends?.();
      app.off("update", advance);
      controls?.dispose();
      pointer?.dispose();
      act.dispose();
      stage.dispose();
      before();
      if (!options.app) app.destroy();
    },
  };
}

// application has what a scene needs of the engine, and no more.
function application(canvas: HTMLCanvasElement): AppBase {
  const app = new AppBase(canvas), o = new AppOptions();
  o.graphicsDevice = new WebglGraphicsDevice(canvas, { antialias: true });
  o.componentSystems = [RenderComponentSystem, CameraComponentSystem, LightComponentSystem, AnimComponentSystem];
  o.resourceHandlers = [ContainerHandler, TextureHandler, AnimClipHandler];
  o.xr = XrManager;
  app.init(o);
  app.scene.clusteredLightingEnabled = false; // an engine does not change back; hosts choose for their own
  app.setCanvasResolution(RESOLUTION_AUTO);
  return app;
}

// kept remembers the settings of an application and gives back what restores them.
function kept(app: AppBase): () => void {
  const { scene } = app, { exposure } = scene, { type, density } = scene.fog, color = scene.fog.color.clone();
  return () => {
    scene.exposure = exposure;
    Object.assign(scene.fog, { type, density, color });
  };
}

// place is where the scene's camera stands.
function place(built: Built): { t: Vec; r: Quat } | undefined {
  const object = built.camera && built.byId.get(built.camera.node);
  if (!object) return undefined;
  const t = object.getPosition(), r = object.getRotation();
  return { t: [t.x, t.y, t.z], r: [r.x, r.y, r.z, r.w] };
}

// box is around everything that is seen.
function box(built: Built): [Vec, Vec] | undefined {
  let out: [Vec, Vec] | undefined;
  built.root.forEach((part) => {
    if (!(part instanceof Entity) || !part.enabled || !part.render || part.tags.has("sky") || part.tags.has("particles")) return;
    for (const m of part.render.meshInstances) {
      const a = m.aabb.getMin(), b = m.aabb.getMax();
      out = out ? [[Math.min(out[0][0], a.x), Math.min(out[0][1], a.y), Math.min(out[0][2], a.z)], [Math.max(out[1][0], b.x), Math.max(out[1][1], b.y), Math.max(out[1][2], b.z)]]
        : [[a.x, a.y, a.z], [b.x, b.y, b.z]];
    }
  });
  return out;
}

function eyeOf(object: Entity, ortho: number): Eye {
  const camera = object.camera!;
  return {
    get position() {
      const p = object.getPosition();
      return [p.x, p.y, p.z] as Vec;
    },
    set position(t) { object.setPosition(t[0], t[1], t[2]); },
    get rotation() {
      const r = object.getRotation();
      return [r.x, r.y, r.z, r.w] as Quat;
    },
    set rotation(r) { object.setRotation(r[0], r[1], r[2], r[3]); },
    flat: ortho > 0,
    height: (distance) => (ortho > 0 ? camera.orthoHeight * 2 : 2 * distance * Math.tan((camera.fov * Math.PI) / 360)),
    zoom(by) {
      if (ortho > 0) camera.orthoHeight = Math.min(Math.max(camera.orthoHeight * by, ortho / 2000), ortho * 50);
      return ortho > 0;
    },
  };
}

// beams are the lines that hands point along.
function beams(app: AppBase): { set(hand: number, ray: Ray | undefined): void; draw(): void } {
  const rays: (Ray | undefined)[] = [], white = new Color(1, 1, 1, 0.6);
  return {
    set(hand, ray) { rays[hand] = ray; },
    draw() {
      for (const r of rays) if (r) app.drawLine(new Vec3(r.from[0], r.from[1], r.from[2]), new Vec3(r.from[0] + 3 * r.ahead[0], r.from[1] + 3 * r.ahead[1], r.from[2] + 3 * r.ahead[2]), white);
    },
  };
}

// fitting is the lens of a camera that finds its own place.
function fitting(scene: Scene): { fov: number; near: number; far: number; ortho?: number } {
  const staging = new Staging(scene), far = length(sub(staging.eye(16 / 9), staging.target));
  return { fov: (50 * Math.PI) / 180, near: Math.max(Math.min(0.05, far * 0.01), 1e-3), far: Math.max(5000, far * 50) };
}

// face turns the texts that float to the eye, as far as they have room.
function face(built: Built, eye: Eye, ortho: number, aspect: number): void {
  const sheets = built.root.findByTag("floats") as Entity[];
  if (sheets.length === 0) return;
  const seen = facing(sheets.map((e) => {
    const p = e.getPosition(), s = (e.parent as Entity).getWorldTransform().getScale(), { width, height, lines, named } = turningOf(e) ?? { width: 0, height: 0, lines: 1 };
    return { at: [p.x, p.y, p.z] as Vec, width: width * s.x, height: height * s.y, lines, first: !named };
  }), { t: eye.position, r: eye.rotation, half: eye.height(1) / 2, aspect, flat: ortho > 0 });
  sheets.forEach((e, i) => {
    for (const part of [e, ...e.children] as Entity[]) if (part.render) part.render.enabled = seen[i] > 0;
    if (seen[i] === 0) return;
    e.setLocalScale(seen[i], seen[i], seen[i]);
    e.setRotation(...eye.rotation);
  });
}

// The runtime of the babylon target: a scene for a canvas of the host's page, or
// for an engine that the host made. The library is the host's own; this file
// imports it and nothing else.
import {
  Camera, Color4, ColorCurves, DefaultRenderingPipeline, Engine as Drawing, FreeCamera, ImageProcessingConfiguration, Quaternion, Ray as Beam, Vector3, WebXRExperienceHelper, WebXRState,
  type AbstractEngine, type Mesh, type Scene as World, type TransformNode,
} from "@babylonjs/core";
import { grades, shown } from "../grades.ts";
import { perform, type HostOptions } from "../host.ts";
import { Immersive } from "../immersive.ts";
import { Orbit, type Eye } from "../orbit.ts";
import { Pointer, through, type Hit, type Ray } from "../pointer.ts";
import { Running } from "../running.ts";
import { checked, type Effect, type Quat, type Scene } from "../scene.ts";
import { facing, Rooms } from "../rooms.ts";
import { back, length, product, sub, type Vec } from "../vector.ts";
import { ground } from "../ground.ts";
import { view } from "../view.ts";
import { build, lens, nodeOf, type Built } from "./build.ts";
import { beams, engine as adapter } from "./engine.ts";

export interface Options extends HostOptions {
  engine?: AbstractEngine; // the host's own; without it one is made for the canvas
}

export interface Made {
  scene: World;
  update(dt: number): void;
  emit(node: string, event: string, payload?: unknown): void;
  enter(mode: "immersive-vr" | "immersive-ar"): Promise<XRSession>;
  dispose(): void;
}

// create shows a scene/1 document. What happens in the scene is an event "meshd"
// of the canvas with node, event and payload in its detail; emit raises one, at
// once but for what it does, which the next update does. enter begins an
// immersive session and needs a touch of the user. dispose gives back everything
// but an engine of the host.
export function create(data: Scene, canvas: HTMLCanvasElement | null | undefined, options: Options = {}): Made {
  const scene = checked(data);
  if (!options.engine && !canvas) throw new TypeError("createScene needs a canvas or options.engine");
  const engine = options.engine ?? new Drawing(canvas!, true, { stencil: true });
  const built = build(scene, engine), { world } = built;
  const camera = lens(new FreeCamera("eye", Vector3.Zero(), world), built.camera?.data ?? { fov: (50 * Math.PI) / 180, near: 0.05, far: 5000 });
  camera.rotationQuaternion = Quaternion.Identity();
  world.activeCamera = camera;
  const size = { zoom: 1 }, eye = eyeOf(camera, size), at = own(built), first = view(box(world), at, built.staging, engine.getRenderWidth() / Math.max(engine.getRenderHeight(), 1));
  eye.position = first.t;
  eye.rotation = first.r;
  if (!at) {
    const far = length(sub(first.target, first.t));
    camera.minZ = Math.max(Math.min(0.05, far * 0.01), 1e-3);
    camera.maxZ = Math.max(5000, far * 50);
  }
  const rooms = new Rooms(built.staging, (i, seen) => { for (const m of built.nodes[i].getChildMeshes(true)) m.isVisible = seen; });
  const controls = canvas && options.controls !== false ? new Orbit(eye, canvas) : undefined;
  if (controls) controls.target = first.target;
  const stage = new Running(scene, adapter(scene, built, () => world.activeCamera ?? camera), options.still ?? false);
  ground(stage.bodies, built.staging);
  stage.hear(() => ({ t: camera.globalPosition.asArray() as Vec, r: eye.rotation }));
  const pipeline = effects(scene.post, world, camera);
  const hit = (ray: Ray) => pick(stage, world, ray);
  const aspect = () => engine.getRenderWidth() / Math.max(engine.getRenderHeight(), 1);
  const pointer = canvas && new Pointer(canvas, {
    stage: () => stage, hit, ray: (x, y) => through(eye, aspect(), x, y), ahead: () => camera.getDirection(new Vector3(0, 0, -1)).asArray() as Vec,
    orbit: (on) => { if (controls) controls.enabled = on; }, describe: () => {},
  });
  const act = perform(stage, canvas, options.ui);
  void Promise.all(built.pending).then(() => { for (const f of built.faults) act.fault(f.node, f.text); });
  const update = (dt: number) => {
    stage.advance(dt);
    if (built.gone) return;
    if (canvas && !options.engine && (canvas.width !== canvas.clientWidth || canvas.height !== canvas.clientHeight) && canvas.clientWidth > 0) engine.resize();
    flat(camera, size, aspect());
    if (world.activeCamera === camera) {
      rooms.to(at ? undefined : eye.position);
      face(world, eye, camera, size, aspect());
    }
    world.render();
  };
  const frame = () => update(Math.min(engine.getDeltaTime() / 1000, 0.25));
  if (options.loop !== false) engine.runRenderLoop(frame);
  let session: { end(): Promise<void> } | undefined;
  return {
    scene: world,
    update,
    emit: (node, event, payload) => stage.raise(node, event, payload),
    async enter(mode) {
      const helper = await WebXRExperienceHelper.CreateAsync(world);
      const output = helper.sessionManager.getWebXRRenderTarget();
      const manager = await helper.enterXRAsync(mode, "local-floor", output, { optionalFeatures: ["hand-tracking"] });
      const hands = new Immersive(stage, manager.session, { hit, beam: beams(built) });
      const seen = manager.onXRFrameObservable.add((f) => hands.frame(f, manager.referenceSpace));
      const clear = world.clearColor, sky = world.getMeshByName("sky");
      if (mode === "immersive-ar") { // the room is the background
        world.clearColor = new Color4(0, 0, 0, 0);
        sky?.setEnabled(false);
      }
      session = { end: () => helper.exitXRAsync() };
      helper.onStateChangedObservable.add((state) => {
        if (state !== WebXRState.NOT_IN_XR) return;
        manager.onXRFrameObservable.remove(seen);
        hands.dispose();
        session = undefined;
        if (built.gone) return;
        world.clearColor = clear;
        sky?.setEnabled(true);
        world.activeCamera = camera;
        helper.dispose();
      });
      return manager.session;
    },
    dispose() {
      if (built.gone) return;
      engine.stopRenderLoop(frame);
      void session?.end();
      controls?.dispose();
      pointer?.dispose();
      pipeline?.dispose();
      act.dispose();
      stage.dispose();
      if (!options.engine) engine.dispose();
    },
  };
}

// face turns the texts that float to the eye, as far as they have room.
function face(world: World, eye: Eye, camera: FreeCamera, size: { zoom: number }, aspect: number): void {
  const sheets = world.meshes.filter((m) => m.metadata?.floats && m.isEnabled()) as Mesh[];
  if (sheets.length === 0) return;
  const half = eye.flat ? camera.metadata.ortho / size.zoom / 2 : Math.tan(camera.fov / 2);
  const seen = facing(sheets.map((m) => {
    const { width, height, lines } = m.metadata.size, s = (m.parent as TransformNode).absoluteScaling;
    return { at: m.getAbsolutePosition().asArray() as Vec, width: width * s.x, height: height * s.y, lines, first: !m.metadata.named };
  }), { t: eye.position, r: eye.rotation, half, aspect, flat: eye.flat === true });
  sheets.forEach((m, i) => {
    for (const part of [m, ...m.getChildMeshes(true)]) part.isVisible = seen[i] > 0;
    if (seen[i] === 0) return;
    m.scaling.setAll(seen[i]);
    m.rotationQuaternion = Quaternion.FromArray(product(back((m.parent as TransformNode).absoluteRotationQuaternion.asArray() as Quat), eye.rotation));
  });
}

// own is where the scene's camera stands.
function own(built: Built): { t: Vec; r: Quat } | undefined {
  const object = built.camera && built.byId.get(built.camera.node);
  if (!object) return undefined;
  object.computeWorldMatrix(true);
  return { t: object.getAbsolutePosition().asArray() as Vec, r: object.absoluteRotationQuaternion.asArray() as Quat };
}

// box is around everything that is seen.
function box(world: World): [Vec, Vec] | undefined {
  let out: [Vec, Vec] | undefined;
  for (const m of world.meshes) {
    if (!m.isEnabled() || m.metadata?.sky || m.metadata?.particles || m.getTotalVertices() === 0) continue;
    m.computeWorldMatrix(true);
    const { minimumWorld: a, maximumWorld: b } = m.getBoundingInfo().boundingBox;
    out = out ? [[Math.min(out[0][0], a.x), Math.min(out[0][1], a.y), Math.min(out[0][2], a.z)], [Math.max(out[1][0], b.x), Math.max(out[1][1], b.y), Math.max(out[1][2], b.z)]]
      : [[a.x, a.y, a.z], [b.x, b.y, b.z]];
  }
  return out;
}

function eyeOf(camera: FreeCamera, size: { zoom: number }): Eye {
  const ortho = camera.metadata.ortho as number;
  return {
    get position() { return camera.position.asArray() as Vec; },
    set position(t) { camera.position.fromArray(t); },
    get rotation() { return camera.rotationQuaternion!.asArray() as Quat; },
    set rotation(r) { camera.rotationQuaternion = Quaternion.FromArray(r); },
    flat: ortho > 0,
    height: (distance) => (ortho > 0 ? ortho / size.zoom : 2 * distance * Math.tan(camera.fov / 2)),
    zoom(by) {
      size.zoom = Math.min(Math.max(size.zoom / by, 0.01), 1000);
      return ortho > 0;
    },
  };
}

// flat keeps the picture of a camera without perspective in shape.
function flat(camera: FreeCamera, size: { zoom: number }, aspect: number): void {
  if (camera.mode !== Camera.ORTHOGRAPHIC_CAMERA) return;
  const half = camera.metadata.ortho / size.zoom / 2;
  camera.orthoTop = half;
  camera.orthoBottom = -half;
  camera.orthoLeft = -half * aspect;
  camera.orthoRight = half * aspect;
}

// pick is the first thing that a ray meets.
function pick(stage: Running, world: World, ray: Ray): Hit | undefined {
  const found = world.pickWithRay(new Beam(new Vector3(...ray.from), new Vector3(...ray.ahead), 1e5), (m) => m.isPickable && m.isEnabled() && nodeOf(m) !== undefined);
  const node = found?.pickedMesh && nodeOf(found.pickedMesh);
  if (!found?.pickedPoint || !node) return undefined;
  return { node, grab: stage.nearest(node, "grab"), point: found.pickedPoint.asArray() as Vec, distance: found.distance };
}

// effects are those of the whole picture, if the scene has any that are shown.
function effects(list: Effect[] | undefined, world: World, camera: FreeCamera): DefaultRenderingPipeline | undefined {
  const some = shown(list);
  if (some.length === 0) return undefined;
  const g = grades(some), p = new DefaultRenderingPipeline("effects", true, world, [camera]);
  world.clearColor = world.clearColor.toLinearSpace(); // the pipeline turns light into colour at its end
  p.samples = 4;
  p.bloomEnabled = g.bloom > 0;
  p.bloomThreshold = g.threshold;
  p.bloomWeight = 0.5 * g.bloom;
  p.chromaticAberrationEnabled = g.fringe > 0;
  p.chromaticAberration.aberrationAmount = 30 * g.fringe;
  p.grainEnabled = g.grain > 0;
  p.grain.intensity = 30 * g.grain;
  const develop = p.imageProcessing.imageProcessingConfiguration;
  develop.exposure *= g.brightness;
  develop.contrast = g.contrast;
  develop.vignetteEnabled = g.vignette > 0;
  develop.vignetteWeight = 4 * g.vignette;
  develop.vignetteBlendMode = ImageProcessingConfiguration.VIGNETTEMODE_MULTIPLY;
  if (g.saturation !== 1) {
    develop.colorCurvesEnabled = true;
    develop.colorCurves = new ColorCurves();
    develop.colorCurves.globalSaturation = Math.min(Math.max((g.saturation - 1) * 100, -100), 100);
  }
  return p;
}

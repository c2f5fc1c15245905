// The runtime of the threejs target: a scene for a canvas of the host's page.
// The library is the host's own; this file imports it and nothing else.
import { PerspectiveCamera, Scene as World, Timer, WebGLRenderer, type Camera } from "three";
import { build } from "./build.ts";
import { aim, eyeOf, standpoint } from "./camera.ts";
import { Effects } from "./effects.ts";
import { ground } from "./ground.ts";
import { eye } from "./hands.ts";
import { perform, type HostOptions } from "./host.ts";
import { face, Opening } from "./opening.ts";
import { Orbit } from "./orbit.ts";
import { Pointer } from "./pointer.ts";
import { checked, type Scene } from "./scene.ts";
import { Stage } from "./stage.ts";
import { develop } from "./tone.ts";

export interface Options extends HostOptions {
  renderer?: WebGLRenderer; // the host's own; without it one is made for the canvas
}

export interface Running {
  scene: World;
  camera: Camera;
  update(dt: number): void;
  emit(node: string, event: string, payload?: unknown): void;
  dispose(): void;
}

// create shows a scene/1 document. What happens in the scene is an event "meshd"
// of the canvas with node, event and payload in its detail; emit raises one.
export function create(data: Scene, canvas: HTMLCanvasElement, options: Options = {}): Running {
  const scene = checked(data);
  const built = build(scene);
  const renderer = options.renderer ?? new WebGLRenderer({ canvas, antialias: true });
  if (!options.renderer) develop(renderer, scene); // a host's own is set by the host
  const camera = standpoint(built);
  const controls = options.controls === false ? undefined : new Orbit(eyeOf(camera), canvas);
  const target = aim(built, camera, canvas.clientWidth / canvas.clientHeight), opening = new Opening(built.staging, built.objects);
  if (controls) {
    controls.target = target;
    controls.update();
  }
  const stage = new Stage(scene, built, options.still ?? false);
  ground(stage.bodies, built.staging);
  const effects = Effects.of(scene.post);
  stage.listen(camera);
  const pointer = new Pointer(canvas, { ...eye(() => stage, () => camera), orbit: (on) => { if (controls) controls.enabled = on; }, describe: () => {} });
  const act = perform(stage, canvas, options.ui);
  void Promise.all(built.pending).then(() => { for (const f of built.faults) act.fault(f.node, f.text); });
  const fit = () => {
    const w = canvas.clientWidth || canvas.width, h = canvas.clientHeight || canvas.height;
    if (canvas.width !== w || canvas.height !== h) renderer.setSize(w, h, false);
    if (camera instanceof PerspectiveCamera && camera.aspect !== w / h) {
      camera.aspect = w / h;
      camera.updateProjectionMatrix();
    }
  };
  fit();
  const update = (dt: number) => {
    stage.advance(dt);
    fit();
    camera.updateMatrixWorld();
    opening.to(built.camera || renderer.xr.isPresenting ? undefined : camera.position);
    if (!renderer.xr.isPresenting) face(built.objects, camera);
    if (effects && !renderer.xr.isPresenting) effects.render(renderer, built.world, camera);
    else renderer.render(built.world, camera);
  };
  const timer = new Timer();
  if (options.loop !== false) {
    renderer.setAnimationLoop(() => {
      timer.update();
      update(Math.min(timer.getDelta(), 0.25));
    });
  }
  return {
    scene: built.world,
    camera,
    update,
    emit: (node, event, payload) => stage.raise(node, event, payload),
    dispose() {
      renderer.setAnimationLoop(null);
      controls?.dispose();
      pointer.dispose();
      effects?.dispose();
      act.dispose();
      stage.dispose();
      if (!options.renderer) renderer.dispose();
    },
  };
}

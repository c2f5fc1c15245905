// The runtime of the threejs target: a scene for a canvas of the host's page.
// The library is the host's own; this file imports it and nothing else.
import { PerspectiveCamera, Scene as World, Timer, WebGLRenderer, type Camera } from "three";
import { build } from "./build.ts";
import { aim, standpoint } from "./camera.ts";
import { drive } from "./drive.ts";
import { Effects } from "./effects.ts";
import { Pointer } from "./hands.ts";
import { Orbit } from "./orbit.ts";
import { checked, type Scene } from "./scene.ts";
import { Stage } from "./stage.ts";
import { develop } from "./tone.ts";
import { Controls } from "./ui.ts";

export interface Options {
  renderer?: WebGLRenderer; // the host's own; without it one is made for the canvas
  still?: boolean; // nothing moves by itself
  controls?: boolean; // orbit with the pointer; yes without it
  loop?: boolean; // draw by itself; yes without it
  ui?: HTMLElement; // where the controls of the scene go; without it they are not shown
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
  const controls = options.controls === false ? undefined : new Orbit(camera, canvas);
  const target = aim(built, camera);
  if (controls) {
    controls.target.copy(target);
    controls.update();
  }
  const stage = new Stage(scene, built, options.still ?? false);
  const effects = Effects.of(scene.post);
  stage.listen(camera);
  stage.onEvent = (node, event, payload) => { canvas.dispatchEvent(new CustomEvent("meshd", { detail: { node, event, payload } })); };
  new Pointer(canvas, { stage: () => stage, camera, orbit: (on) => { if (controls) controls.enabled = on; }, describe: () => {} });
  if (options.ui && scene.ui?.length) {
    const panel = new Controls(scene.ui, scene.assets ?? [], {
      press: (id) => stage.raise("scene", `ui:${id}`, { id }), change: (id, value) => stage.raise("scene", "change", { id, value }), put: (key, value) => stage.put(key, value),
    });
    stage.onState = (owner, key, value) => { if (owner === "scene" || owner === "") panel.state(key, value); };
    options.ui.append(panel.root);
  }
  stage.onSay = (line) => { canvas.dispatchEvent(new CustomEvent("meshd", { detail: { node: line.node, event: line.level, payload: line } })); };
  drive(stage);
  const update = (dt: number) => {
    stage.advance(dt);
    const w = canvas.clientWidth || canvas.width, h = canvas.clientHeight || canvas.height;
    if (canvas.width !== w || canvas.height !== h) renderer.setSize(w, h, false);
    if (camera instanceof PerspectiveCamera && camera.aspect !== w / h) {
      camera.aspect = w / h;
      camera.updateProjectionMatrix();
    }
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
      effects?.dispose();
      stage.dispose();
      if (!options.renderer) renderer.dispose();
    },
  };
}

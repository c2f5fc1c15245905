// The runtime of the threejs target: a scene for a canvas of the host's page.
// The library is the host's own; this file imports it and nothing else.
import { PerspectiveCamera, Scene as World, Timer, WebGLRenderer, type Camera } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Player } from "./animate.ts";
import { build } from "./build.ts";
import { aim, standpoint } from "./camera.ts";
import { Emitter } from "./particles.ts";
import { version, type Scene } from "./scene.ts";

export interface Options {
  renderer?: WebGLRenderer; // the host's own; without it one is made for the canvas
  still?: boolean; // nothing moves by itself
  controls?: boolean; // orbit with the pointer; yes without it
  loop?: boolean; // draw by itself; yes without it
}

export interface Running {
  scene: World;
  camera: Camera;
  update(dt: number): void;
  emit(node: string, event: string, payload?: unknown): void;
  dispose(): void;
}

// create shows a scene/1 document. emit calls the listeners of the canvas: an
// event "meshd" with node, event and payload in its detail.
export function create(data: Scene, canvas: HTMLCanvasElement, options: Options = {}): Running {
  if (data.v !== version) throw new Error(`this runtime reads ${version}, the document is ${String(data.v)}`);
  const built = build(data);
  const renderer = options.renderer ?? new WebGLRenderer({ canvas, antialias: true });
  const camera = standpoint(built);
  const controls = options.controls === false ? undefined : new OrbitControls(camera, canvas);
  const target = aim(built, camera);
  if (controls) {
    controls.target.copy(target);
    controls.update();
  }
  const player = new Player(data.animations ?? [], built.byId, options.still ?? false);
  const emitters = (data.nodes ?? []).filter((n) => n.particles).map((n) => new Emitter(n.particles!, built.byId.get(n.id)!));
  const update = (dt: number) => {
    player.update(dt);
    for (const e of emitters) e.update(dt);
    controls?.update();
    const w = canvas.clientWidth || canvas.width, h = canvas.clientHeight || canvas.height;
    if (canvas.width !== w || canvas.height !== h) renderer.setSize(w, h, false);
    if (camera instanceof PerspectiveCamera && camera.aspect !== w / h) {
      camera.aspect = w / h;
      camera.updateProjectionMatrix();
    }
    renderer.render(built.world, camera);
  };
  const timer = new Timer();
  if (options.loop !== false) {
    renderer.setAnimationLoop(() => {
      timer.update();
      update(Math.min(timer.getDelta(), 0.1));
    });
  }
  return {
    scene: built.world,
    camera,
    update,
    emit(node, event, payload) {
      canvas.dispatchEvent(new CustomEvent("meshd", { detail: { node, event, payload } }));
    },
    dispose() {
      renderer.setAnimationLoop(null);
      controls?.dispose();
      built.world.traverse((o) => {
        const mesh = o as { geometry?: { dispose(): void }; material?: { dispose(): void } | { dispose(): void }[] };
        mesh.geometry?.dispose();
        for (const m of [mesh.material ?? []].flat()) m.dispose();
      });
      if (!options.renderer) renderer.dispose();
    },
  };
}

// A scene that runs on the objects of the 3D library.
import { Object3D, Quaternion, Vector3, type Camera } from "three";
import { erase, letter, Maker } from "./build.ts";
import { Looks } from "./looks.ts";
import type { Clip } from "./models.ts";
import { points } from "./points.ts";
import { Running, type Engine } from "./running.ts";
import type { Quat, Scene } from "./scene.ts";

// Staged are the objects of a scene, whoever made them.
export interface Staged {
  world: Object3D; // what all of them are in
  byId: Map<string, Object3D>;
  clips: Clip[]; // of model files that move
  maker?: Maker; // of more of them
}

export class Stage<B extends Staged = Staged> extends Running {
  constructor(scene: Scene, readonly built: B, still: boolean) { super(scene, engine(scene, built), still); }

  // listen gives the scene its sounds, heard from a camera.
  listen(camera: Camera): void {
    this.hear(() => ({ t: camera.getWorldPosition(new Vector3()).toArray(), r: camera.getWorldQuaternion(new Quaternion()).toArray() as Quat }));
  }
}

function engine(scene: Scene, built: Staged): Engine {
  const looks = new Looks(), of = (node: string) => built.byId.get(node);
  return {
    place(node, part, value) { of(node)?.[part === "rotation" ? "quaternion" : part].fromArray(value as [number, number, number, number]); },
    look(node, key, value) {
      const object = of(node);
      if (object) looks.set(object, key, value);
    },
    show(node, visible) {
      const object = of(node);
      if (object) object.visible = visible;
    },
    letter(n, text) {
      const object = of(n.id);
      if (object) letter(n, text, scene, object);
    },
    copy(node, like, parent) {
      const object = of(like)?.clone(true) ?? new Object3D();
      object.traverse((o) => { delete o.userData.id; });
      object.userData = { id: node };
      object.visible = true;
      (of(parent) ?? built.world).add(object);
      built.byId.set(node, object);
    },
    make(n, parent) {
      const object = (built.maker ??= new Maker(scene, { clips: built.clips, faults: [], pending: [] })).make(n);
      (of(parent) ?? built.world).add(object);
      built.byId.set(n.id, object);
    },
    remove(node) {
      const object = of(node);
      if (!object) return;
      looks.drop(object);
      erase(object);
      object.removeFromParent();
      built.byId.delete(node);
    },
    swarm: (node, swarm) => points(swarm, of(node)!),
    step(seconds) {
      for (const c of built.clips) c.step(seconds);
      return built.clips.length > 0;
    },
    get lively() { return built.clips.length > 0; },
    dispose() {
      built.world.traverse((o) => {
        const mesh = o as { geometry?: Disposable; material?: Disposable | Disposable[] };
        mesh.geometry?.dispose();
        for (const m of [mesh.material ?? []].flat()) {
          for (const v of Object.values(m)) if (v && (v as { isTexture?: boolean }).isTexture) (v as Disposable).dispose();
          m.dispose();
        }
      });
    },
  };
}

interface Disposable { dispose(): void }

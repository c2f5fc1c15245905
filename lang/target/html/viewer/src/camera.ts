// Where a scene is looked at from.
import { Box3, Object3D, OrthographicCamera, PerspectiveCamera } from "three";
import type { Eye } from "./orbit.ts";
import { fieldOfView, type Staging } from "./staging.ts";
import { view } from "./view.ts";
import { sub, type Quat, type Vec } from "./vector.ts";

// Seen is what is looked at; camera is its own.
export interface Seen { world: Object3D; objects: Iterable<Object3D>; camera?: Camera; staging?: Staging }

export type Camera = PerspectiveCamera | OrthographicCamera;

// bounds is the box around everything that is seen.
export function bounds(built: Seen): Box3 {
  const box = new Box3();
  built.world.updateMatrixWorld(true);
  for (const o of built.objects) {
    for (const c of o.children) if ("isMesh" in c && o.visible) box.expandByObject(c);
  }
  return box;
}

// standpoint is a camera at the place of the scene's own, or a new one.
export function standpoint(built: Seen): Camera {
  const own = built.camera;
  if (!own) return new PerspectiveCamera((fieldOfView * 180) / Math.PI, 1, 0.05, 5000);
  own.updateWorldMatrix(true, false);
  const free = own.clone();
  own.matrixWorld.decompose(free.position, free.quaternion, free.scale);
  free.scale.set(1, 1, 1);
  return free;
}

// aim returns the point to look at: of the scene's own camera what lies ahead
// of it; a new one is put where everything is in view.
export function aim(built: Seen, camera: Camera, aspect?: number, covered?: number): Vec {
  const box = bounds(built), eye = eyeOf(camera);
  const { t, r, target } = view(box.isEmpty() ? undefined : [box.min.toArray(), box.max.toArray()], built.camera ? { t: eye.position, r: eye.rotation } : undefined, built.staging, aspect, covered);
  if (!built.camera && built.staging && camera instanceof PerspectiveCamera) {
    const far = sub(target, t).reduce((s, v) => s + Math.abs(v), 0);
    camera.near = Math.max(Math.min(0.05, far * 0.01), 1e-3);
    camera.far = Math.max(5000, far * 50);
    camera.updateProjectionMatrix();
  }
  eye.position = t;
  eye.rotation = r;
  return target;
}

// eyeOf is a camera of the library as an orbit moves it.
export function eyeOf(camera: Camera): Eye {
  return {
    get position() { return camera.position.toArray(); },
    set position(t) { camera.position.fromArray(t); },
    get rotation() { return camera.quaternion.toArray() as Quat; },
    set rotation(r) { camera.quaternion.fromArray(r); },
    flat: camera instanceof OrthographicCamera,
    height: (distance) => (camera instanceof PerspectiveCamera ? 2 * distance * Math.tan((camera.fov * Math.PI) / 360) : (camera.top - camera.bottom) / camera.zoom),
    zoom(by) {
      if (!(camera instanceof OrthographicCamera)) return false;
      camera.zoom = Math.min(Math.max(camera.zoom / by, 0.01), 1000);
      camera.updateProjectionMatrix();
      return true;
    },
  };
}

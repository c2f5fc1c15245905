// Where a scene is looked at from.
import { Box3, OrthographicCamera, PerspectiveCamera, Vector3 } from "three";
import type { Built } from "./build.ts";

// bounds is the box around everything that is seen.
export function bounds(built: Built): Box3 {
  const box = new Box3();
  built.world.updateMatrixWorld(true);
  for (const o of built.objects) {
    for (const c of o.children) if ("isMesh" in c && o.visible) box.expandByObject(c);
  }
  return box;
}

// standpoint is a camera at the place of the scene's own, or a new one.
export function standpoint(built: Built): PerspectiveCamera | OrthographicCamera {
  const own = built.camera;
  if (!own) return new PerspectiveCamera(50, 1, 0.05, 5000);
  own.updateWorldMatrix(true, false);
  const free = own.clone();
  own.matrixWorld.decompose(free.position, free.quaternion, free.scale);
  free.scale.set(1, 1, 1);
  return free;
}

// aim returns the point to look at: of the scene's own camera what lies ahead
// of it; a new one is put where everything is in view.
export function aim(built: Built, camera: PerspectiveCamera | OrthographicCamera): Vector3 {
  const box = bounds(built);
  const middle = box.isEmpty() ? new Vector3() : box.getCenter(new Vector3());
  if (built.camera) {
    const ahead = new Vector3(0, 0, -1).applyQuaternion(camera.quaternion);
    const far = Math.max(1, middle.clone().sub(camera.position).dot(ahead));
    return camera.position.clone().addScaledVector(ahead, far);
  }
  const size = box.isEmpty() ? 2 : Math.max(0.5, box.getSize(new Vector3()).length());
  camera.position.copy(middle).add(new Vector3(0.55, 0.45, 1).normalize().multiplyScalar(size * 1.15));
  camera.lookAt(middle);
  return middle;
}

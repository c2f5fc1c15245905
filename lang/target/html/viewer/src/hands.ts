// What rays meet among the objects of the 3D library.
import { Object3D, Raycaster, Vector2, Vector3, type Camera } from "three";
import type { Hit, Looker } from "./pointer.ts";
import type { Stage } from "./stage.ts";

// hit is the first thing of a stage that a ray meets.
export function hit(stage: Stage, ray: Raycaster): Hit | undefined {
  for (const h of ray.intersectObjects(stage.built.world.children, true)) {
    const node = owner(h.object);
    if (node !== undefined) return { node, grab: stage.nearest(node, "grab"), point: h.point.toArray(), distance: h.distance };
  }
  return undefined;
}

// owner is the node that an object is part of; nothing for what is not seen.
export function owner(object: Object3D): string | undefined {
  let o: Object3D | null = object, seen = true;
  for (let up: Object3D | null = o; up; up = up.parent) seen = seen && up.visible;
  while (o && !o.userData.id) o = o.parent;
  return o && seen ? (o.userData.id as string) : undefined;
}

// eye is what a pointer sees with a camera.
export function eye(stage: () => Stage, camera: () => Camera): Pick<Looker, "stage" | "ray" | "hit" | "ahead"> {
  const ray = new Raycaster();
  return {
    stage,
    ray(x, y) {
      ray.setFromCamera(new Vector2(x, y), camera());
      return { from: ray.ray.origin.toArray(), ahead: ray.ray.direction.toArray() };
    },
    hit(r) {
      ray.set(new Vector3(...r.from), new Vector3(...r.ahead));
      return hit(stage(), ray);
    },
    ahead: () => camera().getWorldDirection(new Vector3()).toArray(),
  };
}

// The first look at a scene.
import { fieldOfView } from "./staging.ts";
import { add, dot, length, mul, sub, toward, turn, type Quat, type Vec } from "./vector.ts";

export interface View { t: Vec; r: Quat; target: Vec }

// Framed is what is looked at, and from where; see Staging.
export interface Framed { eye(aspect: number): Vec; readonly target: Vec }

// view is where to look from, and at what: from the place of the scene's own
// camera at what lies ahead of it, else from where everything that counts is in
// view of a picture so many times as wide as high.
export function view(box: [Vec, Vec] | undefined, own?: { t: Vec; r: Quat }, staging?: Framed, aspect = 16 / 9, covered = 0): View {
  const middle: Vec = box ? mul(add(box[0], box[1]), 0.5) : [0, 0, 0];
  if (own) {
    const ahead = turn(own.r, [0, 0, -1]);
    return { ...own, target: add(own.t, mul(ahead, Math.max(1, dot(sub(middle, own.t), ahead)))) };
  }
  if (staging) {
    if (!(aspect > 0 && aspect < Infinity)) aspect = 1;
    const t = staging.eye(aspect * (1 - covered)), { target } = staging, r = toward(t, target);
    // Where controls cover the right part of the picture, things are in the rest.
    const by = mul(turn(r, [1, 0, 0]), covered * Math.tan(fieldOfView / 2) * aspect * length(sub(t, target)));
    return { t: add(t, by), r, target: add(target, by) };
  }
  const size = box ? Math.max(0.5, length(sub(box[1], box[0]))) : 2, way: Vec = [0.55, 0.45, 1];
  const t = add(middle, mul(way, (size * 1.15) / length(way)));
  return { t, r: toward(t, middle), target: middle };
}

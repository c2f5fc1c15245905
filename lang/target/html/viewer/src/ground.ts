// A floor for scenes whose source has none.
import type { Bodies } from "./bodies.ts";
import type { Staging } from "./staging.ts";
import type { Vec } from "./vector.ts";

// ground puts a floor that is not seen under a scene in which something would fall
// out of the picture: a body with weight that nothing is below. It lies at the
// highest solid under all of them, or else under everything. False says that none
// was needed.
export function ground({ solver }: Bodies, { scene, solids }: Staging): boolean {
  const all = solver.bodies.filter((b) => !b.spec.trigger), falling = all.filter((b) => b.spec.type === "dynamic" && b.spec.gravity !== 0);
  const over = (p: Vec, lo: Vec, hi: Vec) => p[0] >= lo[0] && p[0] <= hi[0] && p[2] >= lo[2] && p[2] <= hi[2];
  if (!((scene.environment?.gravity?.[1] ?? -1) < 0)) return false;
  if (falling.every((f) => all.some((b) => b.spec.type !== "dynamic" && b.lower[1] < f.p[1] && over(f.p, b.lower, b.upper)))) return false;
  const low = Math.min(...falling.map((b) => b.lower[1]));
  let at = Math.min(...all.map((b) => b.lower[1]));
  for (const o of solids) {
    if (!o.text && !scene.nodes![o.node].collider && o.hi[1] <= low + 0.01 && falling.some((f) => over(f.p, o.lo, o.hi))) at = Math.max(at, o.hi[1]);
  }
  solver.add({ id: "", type: "static", shape: "plane", size: [1e4, 0, 1e4], t: [0, at, 0], r: [0, 0, 0, 1] });
  return true;
}

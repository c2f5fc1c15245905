// What stands for a model file that is not there: parts in the proportions of what
// its name says it is. The table is that of lang/picture/staging.
import type { Geometry, Node, Scene } from "./scene.ts";
import { add, mul, sub, type Vec } from "./vector.ts";

export type Part = [kind: string, size: Vec, at: Vec, color: string];

const table: [string, Part[]][] = [
  ["tree pine oak palm birch fir willow", [["cylinder", [0.3, 1.2, 0.3], [0, 0.6, 0], "#8a6a4a"], ["cone", [2, 2.6, 2], [0, 2.4, 0], "#6d9b6a"]]],
  ["house hut cottage building barn shop tavern castle temple cabin", [["box", [5, 3, 4], [0, 1.5, 0], "#c9bda8"], ["pyramid", [5.6, 2, 4.6], [0, 4, 0], "#a5664f"]]],
  ["tower lighthouse skyscraper mast", [["cylinder", [2.4, 8, 2.4], [0, 4, 0], "#c9bda8"], ["cone", [2.8, 1.6, 2.8], [0, 8.8, 0], "#a5664f"]]],
  ["car truck van bus taxi vehicle", [["box", [1.8, 0.7, 4.2], [0, 0.65, 0], "#6b87a8"], ["box", [1.6, 0.6, 2.2], [0, 1.3, 0.1], "#9fb4c8"]]],
  ["person human npc man woman guard villager player merchant keeper avatar character guide wizard knight hero child body robot", [["capsule", [0.5, 1.4, 0.5], [0, 0.7, 0], "#7d8fa8"], ["sphere", [0.32, 0.32, 0.32], [0, 1.56, 0], "#d9b99b"]]],
  ["horse cow dog cat wolf deer animal sheep lion dragon fox", [["box", [0.4, 0.45, 1], [0, 0.65, 0], "#a58a6a"], ["box", [0.25, 0.3, 0.35], [0, 0.95, 0.6], "#a58a6a"], ["box", [0.3, 0.45, 0.1], [0, 0.22, 0.4], "#8a7052"], ["box", [0.3, 0.45, 0.1], [0, 0.22, -0.4], "#8a7052"]]],
  ["table desk counter bench workbench", [["box", [1.6, 0.06, 0.8], [0, 0.72, 0], "#b08a5e"], ["box", [0.08, 0.7, 0.7], [-0.7, 0.35, 0], "#8f6f4a"], ["box", [0.08, 0.7, 0.7], [0.7, 0.35, 0], "#8f6f4a"]]],
  ["chair stool seat armchair throne", [["box", [0.5, 0.45, 0.5], [0, 0.23, 0], "#b08a5e"], ["box", [0.5, 0.5, 0.08], [0, 0.7, -0.21], "#8f6f4a"]]],
  ["sofa couch bed", [["box", [2, 0.45, 0.9], [0, 0.23, 0], "#8d93a5"], ["box", [2, 0.5, 0.2], [0, 0.6, -0.35], "#777d90"]]],
  ["lamp lantern torch light candle", [["cylinder", [0.08, 1.4, 0.08], [0, 0.7, 0], "#6a6f78"], ["cone", [0.45, 0.35, 0.45], [0, 1.5, 0], "#f2d58a"]]],
  ["plant bush flower shrub grass fern", [["cone", [0.35, 0.3, 0.35], [0, 0.15, 0], "#a5664f"], ["sphere", [0.6, 0.6, 0.6], [0, 0.55, 0], "#6d9b6a"]]],
  ["rock stone boulder mountain", [["crystal", [1.2, 0.9, 1.1], [0, 0.4, 0], "#8f9296"]]],
  ["statue bust sculpture trophy", [["box", [0.7, 0.8, 0.7], [0, 0.4, 0], "#b9b6ae"], ["capsule", [0.45, 1.2, 0.45], [0, 1.4, 0], "#d6d3ca"]]],
  ["ship boat plane rocket drone spaceship", [["capsule", [0.9, 3.6, 0.9], [0, 1.8, 0], "#b7c0cb"], ["box", [2.6, 0.8, 0.1], [0, 0.9, 0], "#8794a5"]]],
  ["", [["box", [0.9, 0.9, 0.9], [0, 0.45, 0], "#9aa7b5"], ["box", [0.96, 0.1, 0.96], [0, 0.85, 0], "#7f8d9d"]]],
];

// standIn are the parts for a node that shows a model file.
export function standIn(n: Node, scene: Scene): Part[] {
  const asset = scene.assets?.[scene.geometries?.[n.geometry ?? -1]?.asset ?? -1];
  const words = (s = "") => s.replace(/([a-z])(?=[A-Z])/g, "$1 ").toLowerCase().replace(/[^a-z]/g, " ");
  const name = ` ${words(n.name)} ${words(asset?.path)} `;
  return table.find(([list]) => list === "" || list.split(" ").some((w) => name.includes(` ${w} `) || name.includes(` ${w}s `)))![1];
}

// extentOf is the box around parts.
export function extentOf(parts: Part[]): { lo: Vec; hi: Vec } {
  const lo: Vec = [Infinity, Infinity, Infinity], hi: Vec = [-Infinity, -Infinity, -Infinity];
  for (const [, size, at] of parts) {
    const a = sub(at, mul(size, 0.5)), b = add(at, mul(size, 0.5));
    for (const k of [0, 1, 2] as const) {
      lo[k] = Math.min(lo[k], a[k]);
      hi[k] = Math.max(hi[k], b[k]);
    }
  }
  return { lo, hi };
}

// solidOf is the solid of a part.
export function solidOf([kind, size]: Part): Geometry {
  return { kind, size: kind === "box" || kind === "pyramid" || kind === "crystal" ? size : undefined, radius: size[0] / 2, height: size[1] };
}

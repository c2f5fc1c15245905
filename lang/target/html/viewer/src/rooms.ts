// What an engine without a form of its own for it needs to show a scene as it is
// staged: walls that are left out for an eye, and texts that turn to it.
import { growth, uncovered, type Label, type Staging } from "./staging.ts";
import { dot, sub, turn, type Quat, type Vec } from "./vector.ts";

// Rooms opens rooms towards an eye: show is called for nodes whose solids and texts
// are to be left out, and again when they are to be seen.
export class Rooms {
  private gone = new Set<number>();
  private last = "";

  constructor(private readonly staging: Staging, private readonly show: (node: number, seen: boolean) => void) {}

  // to opens them for an eye; without one everything is seen.
  to(eye?: Vec): void {
    const key = eye && this.staging.room ? eye.map((v) => v.toFixed(3)).join() : "";
    if (key === this.last) return;
    this.last = key;
    const next = new Set<number>();
    if (key) for (const [node, cut] of this.staging.cuts(eye!)) if (cut === "away") next.add(node);
    for (const node of this.gone) if (!next.has(node)) this.show(node, true);
    for (const node of next) if (!this.gone.has(node)) this.show(node, false);
    this.gone = next;
  }
}

// Sheet is a text that turns to the eye: its middle and size in the world.
export interface Sheet { at: Vec; width: number; height: number; lines: number; first: boolean }

// Lens is an eye: half is the tangent of half its vertical angle, or half the height
// of its view where it has no perspective.
export interface Lens { t: Vec; r: Quat; half: number; aspect: number; flat: boolean }

const capital = 0.72 / 1.3; // of the height of a line

// facing says by how much each text grows, so that it can be read; 0 leaves it out,
// as it is behind the eye or would lie over a nearer one.
export function facing(sheets: Sheet[], { t, r, half, aspect, flat }: Lens): number[] {
  const right = turn(r, [1, 0, 0]), up = turn(r, [0, 1, 0]), back = turn(r, [0, 0, 1]), by: number[] = [], labels: (Label & { index: number })[] = [];
  sheets.forEach((s, index) => {
    const d = sub(s.at, t), depth = -dot(d, back), reach = flat ? half : half * depth;
    by.push(0);
    if (depth <= 0.01) return;
    const tall = s.height / reach, grown = growth(((tall / 2) * capital) / s.lines);
    by[index] = grown;
    labels.push({ index, x: dot(d, right) / reach / aspect, y: dot(d, up) / reach, width: (grown * s.width) / reach / aspect, height: grown * tall, depth, first: s.first });
  });
  const seen = uncovered(labels);
  for (const l of labels) if (!seen.has(l)) by[l.index] = 0;
  return by;
}

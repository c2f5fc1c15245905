// Key-frame animation of nodes, materials and lights.
import type { Animation } from "./scene.ts";
import { slerp, type Quat } from "./vector.ts";

export function ease(kind: string | undefined, u: number): number {
  switch (kind) {
    case "ease-in": return u * u;
    case "ease-out": return 1 - (1 - u) * (1 - u);
    case "ease-in-out": return u * u * (3 - 2 * u);
    case "step": return u < 1 ? 0 : 1;
  }
  return u;
}

// rounds is how often an animation goes through its keys.
function rounds(a: Animation): number {
  const loop = a.loop ?? 0;
  return loop < 0 ? Infinity : loop + 1;
}

function duration(a: Animation): number { return a.keys[a.keys.length - 1][0]; }

// sample is the value of an animation at a time since its start.
export function sample(a: Animation, time: number): number[] {
  const keys = a.keys, end = duration(a);
  let t = time;
  if (end > 0 && t > end) {
    let round = Math.floor(t / end);
    if (round >= rounds(a)) [round, t] = [rounds(a) - 1, end]; // the end of the last one stays
    else t -= round * end;
    if (a.pingpong && round % 2 === 1) t = end - t;
  }
  if (t <= keys[0][0]) return keys[0].slice(1);
  for (let i = 1; i < keys.length; i++) {
    if (t > keys[i][0]) continue;
    const from = keys[i - 1], to = keys[i];
    const u = ease(a.easing, (t - from[0]) / (to[0] - from[0]));
    if (a.property === "r") return slerp(from.slice(1) as Quat, to.slice(1) as Quat, u);
    return from.slice(1).map((v, k) => v + (to[k + 1] - v) * u);
  }
  return keys[keys.length - 1].slice(1);
}

interface Track { a: Animation; time: number; on: boolean }

// Player runs animations and says of each value where it goes.
export class Player {
  private tracks: Track[] = [];

  constructor(list: Animation[], private readonly set: (node: string, property: string, value: number[]) => void, private readonly ended: (node: string, name: string) => void) {
    this.add(list);
  }

  // add takes in animations of nodes that are there.
  add(list: Animation[]): void {
    const more = list.filter((a) => a.keys.length > 0).map((a) => ({ a, time: 0, on: a.autoplay === true }));
    this.tracks.push(...more);
    for (const t of more) if (t.on) this.apply(t);
  }

  // remove lets go of the animations of a node.
  remove(node: string): void { this.tracks = this.tracks.filter((t) => t.a.node !== node); }

  // running says whether anything moves.
  get running(): boolean { return this.tracks.some((t) => t.on); }

  // play starts the animations of a node anew, or stops them: those of a name, or
  // of a property, or all.
  play(node: string, name: string, on: boolean): boolean {
    let found = false;
    for (const t of this.tracks) {
      if (t.a.node !== node || (name && t.a.name !== name && t.a.property !== name)) continue;
      found = true;
      t.on = on;
      if (on) t.time = 0;
    }
    return found;
  }

  step(dt: number): void {
    for (const t of this.tracks) {
      if (!t.on) continue;
      t.time += dt;
      this.apply(t);
      if (t.time < duration(t.a) * rounds(t.a)) continue;
      t.on = false;
      this.ended(t.a.node, t.a.name ?? t.a.property);
    }
  }

  private apply(t: Track): void { this.set(t.a.node, t.a.property, sample(t.a, t.time)); }
}

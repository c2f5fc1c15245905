// The light from everywhere: that of the surroundings and of the nodes that are
// ambient or hemisphere lights. The engine has one such light for a scene; where
// it differs between above and below, surfaces get it as spherical harmonics.
import { Color, type AppBase, type StandardMaterial, type Texture } from "playcanvas";
import { linear } from "../colour.ts";
import type { Light } from "../scene.ts";
import type { Staging } from "../staging.ts";
import type { Vec } from "../vector.ts";
import { alone, dark } from "./build.ts";

interface Lamp { above: Vec; below: Vec; intensity: number; on: boolean }

export class Ambient {
  private readonly lamps = new Map<string, Lamp>();
  private readonly materials = new Set<StandardMaterial>();
  private readonly gain: number; // multiplies all light
  private readonly before: Color;
  private readonly mirror: Texture; // what metals mirror

  constructor(staging: Staging, private readonly app: AppBase) {
    const { above, below, gain } = staging;
    this.gain = gain;
    this.before = app.scene.ambientLight.clone();
    this.lamps.set("", { above, below, intensity: gain, on: true });
    this.mirror = alone(app.graphicsDevice, above.map((c, k) => ((c + below[k]) / 2) * gain) as Vec);
  }

  // add takes in the light of a node.
  add(id: string, l: Light): void {
    const above = linear(l.color);
    this.lamps.set(id, { above, below: l.type === "ambient" ? above : linear(l.ground ?? "#ffffff"), intensity: (l.intensity ?? 1) * this.gain, on: true });
  }

  remove(id: string): void { if (this.lamps.delete(id)) this.show(); }

  // light lets a surface have it.
  light(m: StandardMaterial): void {
    m.cubeMap = this.mirror;
    this.materials.add(m);
  }

  // copied is called for a surface that was made of another.
  copied(m: StandardMaterial): void {
    this.materials.add(m);
    this.show();
  }

  forget(m: StandardMaterial): void { this.materials.delete(m); }

  // set changes the light of a node; false when it has none from everywhere.
  set(id: string, part: { intensity?: number; color?: Vec; on?: boolean }): boolean {
    const l = this.lamps.get(id);
    if (!l) return false;
    if (part.intensity !== undefined) l.intensity = part.intensity * this.gain;
    if (part.color) [l.above, l.below] = [part.color, l.below === l.above ? part.color : l.below];
    if (part.on !== undefined) l.on = part.on;
    this.show();
    return true;
  }

  // sum is all of the light, as it comes from above and from below.
  get sum(): { above: Vec; below: Vec } {
    const out = { above: [0, 0, 0] as Vec, below: [0, 0, 0] as Vec };
    for (const l of this.lamps.values()) for (const way of ["above", "below"] as const) for (let k = 0; k < 3; k++) out[way][k] += l.on ? l[way][k] * l.intensity : 0;
    return out;
  }

  show(): void {
    const { above, below } = this.sum, mean = above.map((v, k) => (v + below[k]) / 2) as Vec;
    this.app.scene.ambientLight = dark(mean);
    const uneven = above.some((v, k) => Math.abs(v - below[k]) > 1e-6);
    for (const m of this.materials) {
      const harmonics = new Float32Array(27);
      for (let k = 0; k < 3; k++) [harmonics[k], harmonics[6 + k]] = [mean[k], (above[k] - below[k]) / 2];
      (m as { ambientSH?: Float32Array | null }).ambientSH = uneven ? harmonics : null;
      m.update();
    }
  }

  dispose(): void {
    this.app.scene.ambientLight = this.before;
    this.mirror.destroy();
    this.materials.clear();
  }
}

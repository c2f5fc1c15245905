// Key-frame animation of nodes, materials and lights.
import { Light, Mesh, MeshBasicMaterial, MeshStandardMaterial, Object3D, Quaternion } from "three";
import type { Animation } from "./scene.ts";

export function ease(kind: string | undefined, u: number): number {
  switch (kind) {
    case "ease-in": return u * u;
    case "ease-out": return 1 - (1 - u) * (1 - u);
    case "ease-in-out": return u * u * (3 - 2 * u);
    case "step": return u < 1 ? 0 : 1;
  }
  return u;
}

// sample is the value of an animation at a time since its start.
export function sample(a: Animation, time: number): number[] {
  const keys = a.keys;
  const end = keys[keys.length - 1][0];
  const loops = a.loop ?? 0;
  let t = time;
  if (loops !== 0 && end > 0 && t > end && (loops < 0 || t < end * (loops + 1))) {
    const round = Math.floor(t / end);
    t -= round * end;
    if (a.pingpong && round % 2 === 1) t = end - t;
  }
  if (t <= keys[0][0]) return keys[0].slice(1);
  for (let i = 1; i < keys.length; i++) {
    if (t > keys[i][0]) continue;
    const from = keys[i - 1], to = keys[i];
    const u = ease(a.easing, (t - from[0]) / (to[0] - from[0]));
    if (a.property === "r") {
      const q = new Quaternion().fromArray(from, 1).slerp(new Quaternion().fromArray(to, 1), u);
      return q.toArray();
    }
    return from.slice(1).map((v, k) => v + (to[k + 1] - v) * u);
  }
  return keys[keys.length - 1].slice(1);
}

// Player moves the objects of a scene. Materials are shared between nodes, so
// that a node whose look changes first gets its own.
export class Player {
  private time = 0;
  private readonly own = new Map<Object3D, MeshStandardMaterial | MeshBasicMaterial>();
  playing: boolean;

  constructor(private readonly list: Animation[], private readonly objects: Map<string, Object3D>, still: boolean) {
    this.playing = !still;
    this.apply();
  }

  get any(): boolean { return this.list.some((a) => a.autoplay); }

  update(dt: number): boolean {
    if (!this.playing || !this.any) return false;
    this.time += dt;
    this.apply();
    return true;
  }

  private apply(): void {
    for (const a of this.list) {
      const object = this.objects.get(a.node);
      if (object && a.autoplay) this.set(object, a.property, sample(a, this.time));
    }
  }

  private set(object: Object3D, property: string, v: number[]): void {
    switch (property) {
      case "t": object.position.fromArray(v); return;
      case "r": object.quaternion.fromArray(v).normalize(); return;
      case "s": object.scale.fromArray(v); return;
      case "t.x": object.position.x = v[0]; return;
      case "t.y": object.position.y = v[0]; return;
      case "t.z": object.position.z = v[0]; return;
      case "s.x": object.scale.x = v[0]; return;
      case "s.y": object.scale.y = v[0]; return;
      case "s.z": object.scale.z = v[0]; return;
      case "intensity":
        for (const c of object.children) if (c instanceof Light) c.intensity = v[0] * Math.PI;
        return;
    }
    const m = this.material(object);
    if (!m) return;
    if (property === "opacity") {
      m.opacity = v[0];
      m.transparent = m.opacity < 1;
    } else if (property === "emissive_intensity" && m instanceof MeshStandardMaterial) m.emissiveIntensity = v[0];
    else if (property === "base_color") m.color.setRGB(v[0], v[1], v[2], "srgb");
  }

  private material(object: Object3D): MeshStandardMaterial | MeshBasicMaterial | undefined {
    let m = this.own.get(object);
    if (m) return m;
    for (const c of object.children) {
      if (c instanceof Mesh && (c.material instanceof MeshStandardMaterial || c.material instanceof MeshBasicMaterial)) {
        m = c.material.clone() as MeshStandardMaterial | MeshBasicMaterial;
        c.material = m;
        this.own.set(object, m);
        return m;
      }
    }
    return undefined;
  }
}

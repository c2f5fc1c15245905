// The things of the scene while it runs: where they are and how they look.
import { said } from "./color.js";
import { column, placed, product, scale, unit, type Mat } from "./matrix.js";
import { alpha, linear } from "./runtime.js";
import type { Light, Material, Node, Quat, Scene, Vec } from "./scene.js";

// Look is how the surface of a thing looks, in amounts of light.
export interface Look {
  base: Vec; opacity: number; glow: Vec; strength: number; metallic: number; roughness: number; mirror: number; unlit: boolean;
  alpha: "opaque" | "blend" | "mask"; both: boolean; maps: NonNullable<Material["maps"]>;
}

export interface Lamp { light: Light; colour: Vec; ground: Vec; intensity: number }

export interface Thing {
  node: Node; parent?: Thing; t: Vec; r: Quat; s: Vec; visible: boolean; world: Mat; seen: boolean;
  look?: Look; lamp?: Lamp; text: string;
}

function look(m: Material): Look {
  const ior = m.ior ?? 1.5;
  return {
    base: linear(m.base_color), opacity: alpha(m.base_color), glow: m.emissive ? linear(m.emissive) : [0, 0, 0], strength: m.emissive_intensity ?? 1,
    metallic: m.metallic ?? 0, roughness: m.roughness ?? 0.5, mirror: ((ior - 1) / (ior + 1)) ** 2, unlit: m.unlit === true,
    alpha: m.alpha === "blend" || m.alpha === "mask" ? m.alpha : "opaque", both: m.double_sided === true, maps: m.maps ?? {},
  };
}

// ahead is where lights and cameras of a matrix look.
export function ahead(m: Mat): Vec { return unit(scale(column(m, 2), -1), [0, 0, -1]); }

export class Things {
  readonly list: Thing[] = [];
  private readonly byId = new Map<string, Thing>();
  changed = true; // since it was last drawn

  constructor(private readonly scene: Scene) {
    for (const n of scene.nodes ?? []) this.add(n, this.list[n.parent], scene.materials?.[n.material ?? -1]);
    this.settle();
  }

  private add(node: Node, parent: Thing | undefined, material?: Material): Thing {
    const thing: Thing = {
      node, parent, t: [...(node.t ?? [0, 0, 0])], r: [...(node.r ?? [0, 0, 0, 1])], s: [...(node.s ?? [1, 1, 1])], visible: node.visible !== false,
      world: [], seen: true, text: node.text?.value ?? "", look: material && look(material),
    };
    if (node.light) thing.lamp = { light: node.light, colour: linear(node.light.color), ground: linear(node.light.ground), intensity: node.light.intensity ?? 1 };
    this.list.push(thing);
    this.byId.set(node.id, thing);
    return thing;
  }

  get(id: string): Thing | undefined { return this.byId.get(id); }

  // settle works out where everything is in the world. Parents come first.
  settle(): void {
    for (const t of this.list) {
      const own = placed(t.t, t.r, t.s);
      t.world = t.parent ? product(t.parent.world, own) : own;
      t.seen = t.visible && (t.parent?.seen ?? true);
    }
  }

  place(id: string, part: "position" | "rotation" | "scale", value: number[]): void {
    const t = this.byId.get(id);
    if (!t || !value.every(Number.isFinite)) return;
    if (part === "position") t.t = [value[0], value[1], value[2]];
    else if (part === "scale") t.s = [value[0], value[1], value[2]];
    else t.r = [value[0], value[1], value[2], value[3]];
    this.changed = true;
  }

  show(id: string, visible: boolean): void {
    const t = this.byId.get(id);
    if (t) t.visible = visible;
    this.changed = true;
  }

  // paint sets a key of a look: color, opacity, emissive, emissive_intensity,
  // metallic, roughness, or the intensity of a light.
  paint(id: string, key: string, value: unknown): void {
    const t = this.byId.get(id);
    if (!t) return;
    this.changed = true;
    const share = (v: number) => Math.min(Math.max(v, 0), 1), { look, lamp } = t;
    if (key === "color" || key === "base_color") {
      const c = said(value);
      if (c && look) look.base = c;
      if (c && lamp) lamp.colour = c;
    } else if (key === "emissive") {
      const c = said(value);
      if (c && look) look.glow = c;
    } else if (typeof value !== "number" || !Number.isFinite(value)) return;
    else if (key === "intensity" && lamp) lamp.intensity = Math.max(value, 0);
    else if (!look) return;
    else if (key === "opacity") {
      look.opacity = share(value);
      look.alpha = look.opacity < 1 ? "blend" : "opaque";
    } else if (key === "emissive_intensity") look.strength = Math.max(value, 0);
    else if (key === "metallic") look.metallic = share(value);
    else if (key === "roughness") look.roughness = share(value);
  }

  // copy adds a thing that looks like another, with what is below that one.
  copy(id: string, like: string, parent: string): Thing[] {
    const from = this.byId.get(like), above = this.byId.get(parent);
    const first = this.add({ kind: "object", path: id, ...from?.node, id, parent: -1 }, above);
    const made = new Map<Thing | undefined, Thing>([[from, first]]), all = [first];
    if (from) {
      inherit(first, from);
      first.visible = true;
      for (const t of this.list.slice(0, -1)) {
        const top = t.parent && made.get(t.parent);
        if (!top) continue;
        const below = this.add({ ...t.node, id: `${id}/${t.node.id}`, parent: -1 }, top);
        inherit(below, t);
        below.visible = t.visible;
        made.set(t, below);
        all.push(below);
      }
    }
    this.settle();
    this.changed = true;
    return all;
  }

  // make adds a thing as the scene describes it.
  make(n: Node, parent: string): Thing {
    const above = this.byId.get(parent), made = this.add(n, above, this.scene.materials?.[n.material ?? -1]), own = placed(made.t, made.r, made.s);
    made.world = above ? product(above.world, own) : own;
    this.changed = true;
    return made;
  }

  // remove takes a thing away with what is below it, and returns all of them.
  remove(id: string): Thing[] {
    const first = this.byId.get(id);
    if (!first) return [];
    const gone = new Set<Thing>([first]);
    for (const t of this.list) if (t.parent && gone.has(t.parent)) gone.add(t);
    for (const t of gone) this.byId.delete(t.node.id);
    this.list.splice(0, this.list.length, ...this.list.filter((t) => !gone.has(t)));
    this.changed = true;
    return [...gone];
  }
}

function inherit(to: Thing, from: Thing): void {
  to.t = [...from.t];
  to.r = [...from.r];
  to.s = [...from.s];
  to.text = from.text;
  to.look = from.look && { ...from.look };
  to.lamp = from.lamp && { ...from.lamp };
}

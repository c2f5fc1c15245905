// The things of a flat page: the elements that the page has for the nodes of a
// scene, moved, painted and made while the scene runs.
import type { Material, Node, Scene } from "../scene.ts";
import type { Engine, Part, Shown } from "../running.ts";
import type { Quat, Vec } from "../vector.ts";
import { byte, contrast, extent, hex, matrix, rgb, type Rgb } from "./look.ts";

interface Item {
  node: Node;
  place: HTMLElement;
  face?: HTMLElement;
  t: Vec; r: Quat; s: Vec;
  color: Rgb; glow: Rgb; strength: number; opacity: number;
}

const legible = 12;

export class Sheet implements Engine {
  readonly items = new Map<string, Item>();
  readonly lively = false; // nothing moves but what the scene moves
  private readonly moved = new Set<Item>();

  constructor(readonly scene: Scene, readonly root: HTMLElement) {
    for (const n of scene.nodes ?? []) {
      const place = document.getElementById(n.id);
      if (place) this.items.set(n.id, this.item(n, place));
    }
  }

  private item(node: Node, place: HTMLElement): Item {
    const face = [...place.children].find((c) => c.classList.contains("face")) as HTMLElement | undefined;
    const m: Material = this.scene.materials?.[node.material ?? -1] ?? { base_color: "#ffffffff" };
    const map = this.scene.assets?.[m.maps?.base_color ?? -1];
    if (face && map?.data && map.media_type?.startsWith("image/")) face.style.backgroundImage = `url("data:${map.media_type};base64,${map.data}")`;
    return {
      node, place, face, t: [...(node.t ?? [0, 0, 0])] as Vec, r: [...(node.r ?? [0, 0, 0, 1])] as Quat, s: [...(node.s ?? [1, 1, 1])] as Vec,
      color: rgb(m.base_color)!, glow: rgb(m.emissive) ?? [0, 0, 0], strength: m.emissive_intensity ?? 1,
      opacity: m.base_color.length === 9 ? parseInt(m.base_color.slice(7), 16) / 255 : 1,
    };
  }

  place(node: string, part: Part, value: number[]): void {
    const item = this.items.get(node);
    if (!item) return;
    if (part === "position") item.t = value.slice(0, 3) as Vec;
    else if (part === "scale") item.s = value.slice(0, 3) as Vec;
    else item.r = value.slice() as Quat;
    this.lay(item);
    if (part !== "position") this.fit(item);
  }

  private lay(item: Item): void {
    item.place.style.transform = matrix(item.t, item.r, item.s);
    item.place.style.zIndex = String(Math.round(Math.min(Math.max(item.t[2], -1e6), 1e6) * 100) || "");
    this.moved.add(item);
  }

  // fit makes the faces of a node and of what is below it as large as the scale has it.
  private fit(item: Item): void {
    for (const place of [item.place, ...item.place.querySelectorAll<HTMLElement>(".node")]) {
      const at = this.items.get(place.id), face = at?.face;
      if (!at || !face) continue;
      let x = 1, y = 1;
      for (let up: HTMLElement | null = place; up?.classList.contains("node"); up = up.parentElement) {
        const s = this.items.get(up.id)?.s ?? [1, 1, 1];
        x *= Math.abs(s[0]);
        y *= Math.abs(s[1]);
      }
      const box = (face.dataset.box || "").split(" ").map(Number);
      if (box.length === 3) {
        const { w, h, end } = extent(at.r, box as Vec);
        face.style.width = `${w * x}px`;
        face.style.height = `${h * y}px`;
        face.classList.toggle("round", face.dataset.shape === "sphere" || (end && /^(cylinder|cone|disc|ring|torus|capsule)$/.test(face.dataset.shape ?? "")));
      }
      face.style.scale = `${x < 1e-3 ? 1 : 1 / x} ${y < 1e-3 ? 1 : 1 / y}`;
      if (face.dataset.size) face.style.fontSize = `${Math.max(Number(face.dataset.size) * y, legible)}px`;
    }
  }

  // step makes the sheet large enough for what moved out of it.
  step(): boolean {
    if (this.moved.size > 0) this.grow();
    return false;
  }

  private grow(): void {
    const stage = this.root.querySelector<HTMLElement>(".stage"), origin = this.root.querySelector<HTMLElement>(".origin");
    if (!stage || !origin) return this.moved.clear();
    const box = stage.getBoundingClientRect();
    let left = 0, top = 0, right = box.width, bottom = box.height;
    let n = 0;
    for (const item of this.moved) {
      if (!item.face || item.place.hidden || n++ > 50) continue;
      const f = item.face.getBoundingClientRect();
      const x = f.left + f.width / 2 - box.left, y = f.top + f.height / 2 - box.top;
      if (![x, y].every((v) => Number.isFinite(v) && Math.abs(v) < 20_000)) continue;
      [left, top, right, bottom] = [Math.min(left, x - 100), Math.min(top, y - 100), Math.max(right, x + 100), Math.max(bottom, y + 100)];
    }
    this.moved.clear();
    if (left === 0 && top === 0 && right === box.width && bottom === box.height) return;
    origin.style.left = `${origin.offsetLeft - Math.floor(left)}px`;
    origin.style.top = `${origin.offsetTop - Math.floor(top)}px`;
    stage.style.width = `${Math.ceil(right) - Math.floor(left)}px`;
    stage.style.height = `${Math.ceil(bottom) - Math.floor(top)}px`;
    this.root.scrollBy(-Math.floor(left), -Math.floor(top));
  }

  look(node: string, key: string, value: unknown): void {
    const item = this.items.get(node);
    if (!item) return;
    if (key === "color") item.color = rgb(value) ?? item.color;
    else if (key === "emissive") item.glow = rgb(value) ?? item.glow;
    else if (typeof value !== "number") return;
    else if (key === "opacity") item.opacity = Math.min(Math.max(value, 0), 1);
    else if (key === "emissive_intensity") item.strength = Math.max(value, 0);
    else return; // metal and roughness do not show, lights do not shine
    this.paint(item);
  }

  private paint(item: Item): void {
    const face = item.face, say = face?.querySelector<HTMLElement>(".say");
    if (!face || item.node.material === undefined) return;
    const c = item.color.map((v, k) => byte(v + item.glow[k] * item.strength)) as Rgb;
    if (item.node.geometry !== undefined) {
      face.style.backgroundColor = hex(c) + byte(item.opacity * 255).toString(16).padStart(2, "0");
      if (say) Object.assign(say.style, { background: hex(c), color: contrast(c) });
    } else if (say) {
      Object.assign(say.style, { background: contrast(c), color: hex(c) });
      face.style.opacity = item.opacity < 0.02 ? "0" : "";
    }
  }

  show(node: string, visible: boolean): void {
    const item = this.items.get(node);
    if (item) item.place.hidden = !visible;
  }

  letter(n: Node, text: string): void {
    const item = this.items.get(n.id), face = item?.face;
    if (!item || !face) return;
    let say = face.querySelector(".say");
    if (!say) face.append((say = Object.assign(document.createElement("p"), { className: "say" })));
    say.textContent = text;
    this.paint(item);
  }

  // copy copies the elements of a node.
  copy(node: string, like: string, parent: string): void {
    const from = this.items.get(like);
    const place = (from?.place.cloneNode(true) ?? document.createElement("div")) as HTMLElement;
    for (const e of place.querySelectorAll("[id]")) e.removeAttribute("id");
    place.id = node;
    place.className = "node";
    place.hidden = false;
    (this.items.get(parent)?.place ?? this.root.querySelector(".origin"))?.append(place);
    const copy: Node = { kind: "object", path: node, parent: -1, ...from?.node, id: node };
    this.items.set(node, { ...this.item(copy, place), ...(from && { t: [...from.t] as Vec, r: [...from.r] as Quat, s: [...from.s] as Vec }) });
    this.root.hidden = false;
  }

  // make copies the elements that the page keeps for a prototype.
  make(n: Node, parent: string, like: string): void {
    const kept = document.querySelector("template")?.content.getElementById(like)?.cloneNode(true) as HTMLElement | undefined;
    const place = kept ?? document.createElement("div");
    place.id = n.id;
    place.className = "node";
    (this.items.get(parent)?.place ?? this.root.querySelector(".origin"))?.append(place);
    const item = this.item(n, place);
    this.items.set(n.id, item);
    this.lay(item);
    this.fit(item);
    this.root.hidden = false;
  }

  remove(node: string): void {
    this.items.get(node)?.place.remove();
    this.items.delete(node);
  }

  // swarm shows nothing: a flat page has no particles.
  swarm(): Shown { return { update() {}, dispose() {} }; }

  dispose(): void { this.items.clear(); }
}

// The interpreter of program/1 for pages: it takes a scene/1 document and an
// Adapter, and runs in fixed steps. It knows no 3D library and makes no code.
//
//   const run = new Runtime(scene, adapter);
//   run.start();
//   run.emit(nodeID, "click", null); // from the pointer
//   run.update(dt);                  // each frame
import type { Adapter, Plain } from "./run/adapter.ts";
import type { Fault } from "./run/fault.ts";
import { fromPlain, toPlain } from "./run/json.ts";
import { Everywhere, Machine, type Entry, type Host, type Info } from "./run/machine.ts";
import { load, type Program } from "./run/program.ts";
import { List, Obj, textOf, truthy, wellFormed, type Value } from "./run/value.ts";

export type { Adapter, Contact, Physics, Plain, Said } from "./run/adapter.ts";
export { parse } from "./run/json.ts";
export { Bodies } from "./bodies.ts"; // the physics that an adapter may use
export { load, Machine, type Entry, type Program };

// SceneDoc is what the interpreter reads of a scene/1 document.
export interface SceneDoc {
  nodes?: SceneNode[];
  materials?: { base_color?: string; emissive?: string; emissive_intensity?: number; metallic?: number; roughness?: number }[];
  program?: unknown;
}
interface SceneNode {
  id: string; name?: string; kind: string; parent: number; t?: number[]; r?: number[]; s?: number[]; visible?: boolean; material?: number;
  text?: { value: string }; light?: { color?: string; intensity?: number }; extras?: unknown; interact?: string[];
}

// nodesOf are the nodes as a program sees them.
export function nodesOf(scene: SceneDoc): Info[] {
  const all = scene.nodes ?? [];
  return all.map((n) => {
    const props = new Map<string, Value>([
      ["kind", n.kind], ["visible", n.visible !== false], ["position", list(n.t ?? [0, 0, 0])], ["rotation", list(euler(n.r ?? [0, 0, 0, 1]))],
      ["scale", list(n.s ?? [1, 1, 1])],
    ]);
    const m = n.material === undefined ? undefined : scene.materials?.[n.material];
    if (m) {
      props.set("color", (m.base_color ?? "#ffffffff").slice(0, 7));
      props.set("opacity", opacity(m.base_color));
      props.set("emissive_intensity", m.emissive_intensity ?? 1);
    }
    if (n.light) {
      props.set("color", (n.light.color ?? "#ffffffff").slice(0, 7));
      props.set("intensity", n.light.intensity ?? 1);
    }
    if (n.text) props.set("text", wellFormed(n.text.value));
    if (n.extras && typeof n.extras === "object") for (const [k, v] of Object.entries(n.extras)) props.set(k, fromPlain(v));
    return { id: n.id, parent: n.parent >= 0 ? all[n.parent].id : "", name: n.name ?? "", props };
  });
}

function list(v: number[]): List { return new List(v.slice()); }

function opacity(color: string | undefined): number {
  return color && color.length === 9 ? Math.floor((parseInt(color.slice(7), 16) / 255) * 1000 + 0.5) / 1000 : 1;
}

// euler are the degrees of a unit quaternion, Rx·Ry·Rz, to a thousandth.
export function euler([x, y, z, w]: number[]): number[] {
  const m13 = 2 * (x * z + w * y), m23 = 2 * (y * z - w * x), m33 = 1 - 2 * (x * x + y * y), m12 = 2 * (x * y - w * z), m11 = 1 - 2 * (y * y + z * z);
  const b = Math.asin(Math.max(-1, Math.min(1, m13)));
  let a: number, c = 0;
  if (Math.abs(m13) < 0.9999999) {
    a = Math.atan2(-m23, m33);
    c = Math.atan2(-m12, m11);
  } else a = Math.atan2(2 * (y * z + w * x), 1 - 2 * (x * x + z * z));
  return [a, b, c].map((v) => Math.floor((v * 180000) / Math.PI + 0.5) / 1000 || 0);
}

// quaternion is the turn of three angles in degrees, Rx·Ry·Rz.
export function quaternion(degrees: number[]): number[] {
  const [a, b, c] = degrees.map((d) => (d * Math.PI) / 360);
  const [sx, cx, sy, cy, sz, cz] = [Math.sin(a), Math.cos(a), Math.sin(b), Math.cos(b), Math.sin(c), Math.cos(c)];
  return [sx * cy * cz + cx * sy * sz, cx * sy * cz - sx * cy * sz, cx * cy * sz + sx * sy * cz, cx * cy * cz - sx * sy * sz];
}

// The names that authors use for one key of the look.
const looks: Record<string, string> = {
  color: "color", base_color: "color", albedo: "color", opacity: "opacity", emissive: "emissive", emissive_color: "emissive",
  emissive_intensity: "emissive_intensity", metallic: "metallic", metalness: "metallic", roughness: "roughness", intensity: "intensity",
};

export interface RuntimeOptions { seed?: number[]; nodes?: Info[]; still?: boolean; trace?: boolean; hosted?: boolean; long?: boolean }

export class Runtime {
  readonly machine: Machine;
  readonly program: Program;
  private readonly dirty = new Map<string, Set<string>>();
  private rest = 0;

  // The program is checked as a whole first; one that is not right throws.
  constructor(scene: SceneDoc, private readonly adapter: Adapter, options: RuntimeOptions = {}) {
    this.program = load(structuredClone(scene.program ?? {}) as object);
    const host: Host = {
      log: (node, text) => adapter.say({ level: "log", node, text }),
      fault: (node, f) => adapter.say(said(node, f)),
      property: (node, key) => this.touch(node, key),
      spawned: (node, name, parent, like) => adapter.spawn?.(node, name, like || this.like(name), parent),
      destroyed: (node) => adapter.remove?.(node),
      state: (owner, key, value) => adapter.changed?.(owner, key, toPlain(value)),
      call: (name, node, args) => this.outside(name, node, args),
    };
    this.machine = new Machine(this.program, { nodes: options.nodes ?? nodesOf(scene), host, seed: options.seed, trace: options.trace, hosted: options.hosted, long: options.long });
  }

  start(): void {
    const { machine, adapter } = this;
    machine.start();
    for (const [owner, key, v] of machine.entries()) adapter.changed?.(owner, key, toPlain(v));
    this.show();
  }

  // emit raises an event from outside at a node, or everywhere without one.
  emit(node: string, name: string, payload: unknown = null): void {
    this.machine.inject({ node: node || Everywhere, name, payload: fromPlain(payload) });
  }

  // put sets a state key of the scene from outside, as a control of the page does.
  put(key: string, value: Plain): void { this.machine.put(key, fromPlain(value)); }

  // listens says whether anything waits for an event at a node.
  listens(node: string, event: string): boolean {
    const { live, machines } = this.machine;
    for (let at = node; at !== ""; at = this.machine.parent(at)) {
      if (live.handlers.some((h) => h.node === at && h.event === event) || machines.listens(at, event)) return true;
    }
    return live.wires.some((w) => w.from === node && w.event === event) || live.subscriptions.some((s) => s.from === node && s.event === event);
  }

  // update advances the time. A page that slept does not catch up more than a quarter of a second.
  update(seconds: number): void {
    const step = 1 / this.program.rates.spatial;
    this.rest = Math.min(this.rest + seconds, 0.25);
    for (; this.rest >= step - 1e-9; this.rest -= step) this.step();
    this.show();
  }

  // step is one step of the program and of physics.
  step(): void {
    const { machine, adapter } = this;
    machine.step();
    const physics = adapter.physics;
    if (!physics) return;
    this.show();
    for (const c of physics.step(1 / this.program.rates.spatial)) this.emit(c.node, c.event, c.payload);
    for (const b of physics.moved()) {
      machine.place(b.node, "position", list(b.position));
      machine.place(b.node, "rotation", list(b.rotation.length === 4 ? euler(b.rotation) : b.rotation));
    }
  }

  // property is the value of a property of a node.
  property(node: string, key: string): Plain { return toPlain(this.machine.property(node, key)); }

  private touch(node: string, key: string): void {
    let keys = this.dirty.get(node);
    if (!keys) this.dirty.set(node, (keys = new Set()));
    keys.add(key);
  }

  // show passes to the engine what changed since the last time.
  private show(): void {
    for (const [node, keys] of this.dirty) for (const key of keys) this.notify(node, key, this.machine.property(node, key));
    this.dirty.clear();
  }

  private notify(node: string, key: string, v: Value): void {
    const a = this.adapter;
    switch (key) {
      case "position": case "rotation": case "scale": {
        const n = typeof v === "number" && key === "scale" ? [v, v, v] : numbers(v);
        if (!n) return;
        a.setTransform(node, key, n);
        a.physics?.place(node, key, n);
        return;
      }
      case "visible": return a.setVisible(node, truthy(v));
      case "text": return a.setText(node, v === null ? "" : textOf(v));
    }
    const look = looks[key];
    if (look) a.setMaterial(node, look, toPlain(v));
    else a.changed?.(node.split("\0", 1)[0], key, toPlain(v));
  }

  // like is the first node of the name that the scene has.
  private like(name: string): string {
    for (const [id, n] of this.machine.nodes) if (n.name === name && !/^s\d+$/.test(id)) return id;
    return "";
  }

  private outside(name: string, node: string, args: Value[]): Value | undefined {
    const plain = args.map((v) => toPlain(v));
    const on = /^(play_sound|play_animation|play)$/.test(name);
    if (on || /^(stop_sound|stop_animation|stop)$/.test(name)) {
      const options = args.find((v) => v instanceof Obj);
      const target = args[0] && typeof args[0] === "object" && "id" in args[0] ? args[0].id : node;
      const text = plain.find((v, i) => typeof v === "string" && typeof args[i] === "string") as string | undefined;
      const what = name.endsWith("animation") ? "animation" : "sound";
      this.adapter.play(target, what, text ?? "", on, options ? (toPlain(options) as { [key: string]: Plain }) : {});
      return null;
    }
    const target = plain.length > 0 && args[0] !== null && typeof args[0] === "object" && "id" in args[0] ? args[0].id : node;
    if (this.adapter.physics?.call(name, target, plain)) return null;
    const v = this.adapter.host?.(name, node, plain);
    return v === undefined ? undefined : fromPlain(v);
  }
}

function numbers(v: Value): number[] | undefined {
  if (!(v instanceof List) || v.items.length < 2 || v.items.length > 4) return undefined;
  const out: number[] = [];
  for (const n of v.items) {
    if (typeof n !== "number" || !Number.isFinite(n)) return undefined;
    out.push(n);
  }
  while (out.length < 3) out.push(0);
  return out;
}

function said(node: string, f: Fault) {
  return { level: "fault" as const, node, text: f.message, code: f.code, function: f.function, line: f.line, column: f.column };
}

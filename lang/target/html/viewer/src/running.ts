// A scene that runs: its animations, bodies, particles, sounds and, when it has a
// program, the program. It knows no 3D library: an Engine draws what it moves.
// The pages and the modules for hosts share it.
import { Player } from "./animate.ts";
import { Sounds, type Place } from "./audio.ts";
import { Bodies } from "./bodies.ts";
import { Swarm, seedOf } from "./particles.ts";
import type { Data, Node, Scene } from "./scene.ts";
import { euler, length, sub, turn, back, type Quat, type Vec } from "./vector.ts";

export type Part = "position" | "rotation" | "scale";

// Engine draws a scene that was built for it. Nodes are named by their ids; one
// that it does not have is passed over.
export interface Engine {
  place(node: string, part: Part, value: number[]): void; // in its parent; a rotation is a unit quaternion
  look(node: string, key: string, value: unknown): void; // color, opacity, emissive, emissive_intensity, metallic, roughness, intensity of a light
  show(node: string, visible: boolean): void;
  letter(n: Node, text: string): void; // writes a text at a node, in place of the one it has
  copy(node: string, like: string, parent: string): void; // a new node below parent that looks like one that is there, or like nothing
  make(n: Node, parent: string, like: string): void; // a new node below parent as the scene describes it, and the prototype that it is of
  remove(node: string): void;
  swarm(node: string, swarm: Swarm): Shown; // shows particles below a node
  step(seconds: number): boolean; // moves what model files move by themselves; says whether anything did
  readonly lively: boolean; // says whether step ever will
  dispose(): void; // gives back all that the scene took
}

// Shown is something on the picture that changes. With a step it moves its
// particles itself, by their emission, and update shows nothing of the swarm.
export interface Shown { step?(seconds: number): void; update(): void; dispose(): void }

// Driver runs the program of a scene. It steps the physics itself.
export interface Driver {
  start(): void;
  update(seconds: number): void;
  emit(node: string, event: string, payload?: unknown): void;
  listens(node: string, event: string): boolean;
  put?(key: string, value: Data): void; // sets a state key of the scene
}

export interface Line { level: "log" | "fault"; node: string; text: string; code?: string; function?: string; line?: number; column?: number }

const tick = 1 / 60;
const parts: Record<string, Part> = { t: "position", r: "rotation", s: "scale" };

export class Running {
  readonly nodes = new Map<string, Node>();
  readonly bodies: Bodies;
  readonly player: Player;
  playing: boolean; // automatic motion; what a person does always moves
  onSay: (line: Line) => void = () => {};
  onEvent: (node: string, event: string, payload: unknown) => void = () => {};
  onState: (owner: string, key: string, value: Data) => void = () => {};
  onNode: (n: Node, here: boolean) => void = () => {}; // one came, or went
  private readonly parents = new Map<string, string>();
  private readonly prototypes: Map<string, Node>;
  private readonly shifts = new Map<string, Vec>(); // of copies of prototypes: how far they are from where those stand
  private readonly swarms = new Map<string, { swarm: Swarm; shown: Shown }>();
  private sounds?: Sounds;
  private driver?: Driver;
  private touched = false;
  private changed = true;
  private rest = 0;

  constructor(readonly scene: Scene, private readonly engine: Engine, still: boolean) {
    this.playing = !still;
    this.bodies = new Bodies(scene);
    this.prototypes = new Map((scene.prototypes ?? []).map((n) => [n.id, n]));
    const all = scene.nodes ?? [];
    for (const n of all) {
      this.nodes.set(n.id, n);
      if (n.parent >= 0) this.parents.set(n.id, all[n.parent].id);
    }
    for (const n of all) if (n.particles) this.swarm(n);
    this.player = new Player((scene.animations ?? []).filter((a) => !this.prototypes.has(a.node)), (id, property, v) => this.animate(id, property, v), (id, name) => this.raise(id, "animation_end", { name }));
  }

  // hear gives the scene its sounds, heard from where the eye is.
  hear(eye: () => Place): void { this.sounds = new Sounds(this.scene, this.nodes, (id) => this.at(id), eye, (id) => this.raise(id, "audio_end", {})); }

  // drive lets a program run the scene.
  drive(driver: Driver): void {
    this.driver = driver;
    driver.start();
  }

  // lively says whether there is anything to pause.
  get lively(): boolean { return this.player.running || this.swarms.size > 0 || this.bodies.any || this.engine.lively; }

  // advance moves everything by a time and says whether the picture changed.
  advance(dt: number): boolean {
    this.rest = Math.min(this.rest + dt, 0.25);
    for (; this.rest >= tick - 1e-9; this.rest -= tick) this.step();
    for (const s of this.swarms.values()) s.shown.update();
    this.sounds?.step();
    const changed = this.changed;
    this.changed = false;
    return changed;
  }

  private step(): void {
    if (this.driver) this.driver.update(tick);
    else for (const c of this.physics.step(tick)) this.raise(c.node, c.event, c.payload);
    if (!this.driver) this.physics.moved();
    if (!this.playing) return;
    if (this.player.running) this.changed = true;
    this.player.step(tick);
    for (const s of this.swarms.values()) (s.shown.step ? s.shown : s.swarm).step!(tick);
    if (this.engine.step(tick) || this.swarms.size > 0) this.changed = true;
  }

  // raise informs the program and the host of an event.
  raise(node: string, event: string, payload: unknown = {}): void {
    this.driver?.emit(node, event, payload);
    this.onEvent(node, event, payload);
    this.changed = true;
  }

  listens(node: string, event: string): boolean { return this.driver?.listens(node, event) ?? false; }

  put(key: string, value: Data): void { this.driver?.put?.(key, value); }

  // physics is what a program sees of the bodies. Bodies at rest stay so while
  // motion is paused, until a person takes hold of one.
  readonly physics = {
    step: (seconds: number) => (this.playing || this.touched ? this.bodies.step(seconds) : []),
    moved: () => {
      const list = this.bodies.moved();
      for (const m of list) {
        this.engine.place(m.node, "position", m.position);
        this.engine.place(m.node, "rotation", m.rotation);
        this.changed = true;
      }
      return list;
    },
    place: (node: string, part: Part, value: number[]) => this.bodies.place(node, part, value),
    call: (name: string, node: string, args: unknown[]) => this.bodies.call(name, node, args),
  };

  setTransform(node: string, part: Part, value: number[]): void {
    if (!value.every(Number.isFinite)) return;
    this.engine.place(node, part, part === "rotation" ? unit(value) : value);
    this.changed = true;
  }

  // shift is called with where the program puts a node. The position animations of a copy
  // have the place of its prototype in their keys and count from the new one on.
  shift(node: string, to: number[]): void {
    if (this.shifts.has(node)) this.shifts.set(node, sub(to as Vec, this.nodes.get(node)?.t ?? [0, 0, 0]));
  }

  setMaterial(node: string, key: string, value: unknown): void {
    this.engine.look(node, key, value);
    this.changed = true;
  }

  setVisible(node: string, visible: boolean): void {
    this.engine.show(node, visible);
    this.changed = true;
  }

  setText(node: string, text: string): void {
    const n = this.nodes.get(node);
    if (n) this.engine.letter(n, text);
    this.changed = true;
  }

  play(node: string, what: "sound" | "animation", name: string, on: boolean, options: { [key: string]: unknown } = {}): void {
    const num = (v: unknown) => (typeof v === "number" ? v : undefined);
    if (what === "animation") this.player.play(node, name, on);
    else this.sounds?.play(node, name, on, { volume: num(options.volume), loop: options.loop === true ? true : undefined });
    this.changed = true;
  }

  say(line: Line): void { this.onSay(line); }

  // state is called for every change of a state key and of properties that are no look.
  state(owner: string, key: string, value: Data): void {
    if (key === "volume" && typeof value === "number") this.sounds?.volume(owner, value);
    this.onState(owner, key, value);
  }

  // spawn copies the picture and the body of a node, and of a prototype its sound
  // and its animations too.
  spawn(node: string, _name: string, like: string, parent: string): void {
    const prototype = this.prototypes.get(like);
    const copy: Node = { kind: "object", path: node, parent: -1, ...(prototype ?? this.nodes.get(like)), id: node };
    if (prototype) this.engine.make(copy, parent, like);
    else this.engine.copy(node, like, parent);
    this.nodes.set(node, copy);
    this.parents.set(node, parent);
    this.bodies.copy(copy, parent);
    if (copy.particles) this.swarm(copy);
    if (prototype) {
      this.shifts.set(node, [0, 0, 0]);
      this.player.add((this.scene.animations ?? []).filter((a) => a.node === like).map((a) => ({ ...a, node })));
      if (copy.audio?.autoplay) this.sounds?.play(node, "", true);
    }
    this.onNode(copy, true);
    this.changed = true;
  }

  remove(node: string): void {
    const n = this.nodes.get(node);
    if (n) this.onNode(n, false);
    this.sounds?.stop(node);
    this.player.remove(node);
    this.swarms.get(node)?.shown.dispose();
    this.swarms.delete(node);
    this.engine.remove(node);
    this.nodes.delete(node);
    this.parents.delete(node);
    this.shifts.delete(node);
    this.bodies.remove(node);
    this.changed = true;
  }

  // nearest is the node, or the first of those that it is part of, with which
  // something can be done.
  nearest(node: string, what: string): string | undefined {
    for (let at: string | undefined = node; at !== undefined; at = this.parents.get(at)) {
      if (this.nodes.get(at)?.interact?.includes(what)) return at;
    }
    return undefined;
  }

  // grab takes a node into a hand; hold says where the hand has it in the scene.
  grab(node: string, hand = "pointer"): boolean {
    if (!this.bodies.grab(node)) return false;
    this.touched = true;
    this.raise(node, "grab", { hand });
    return true;
  }

  hold(node: string, t: Vec, r?: Quat): void {
    this.bodies.hold(node, t, r);
    this.raise(node, "drag", { position: t });
  }

  release(node: string, hand = "pointer"): void {
    this.bodies.release(node);
    const b = this.bodies.solver.get(node);
    const speed = b ? length(b.v) : 0;
    this.raise(node, "release", { hand });
    this.raise(node, speed > 1 ? "throw" : "drop", { hand, speed });
  }

  // at is the place of a node in the scene.
  at(node: string): Place | undefined { return this.bodies.origin(node); }

  private animate(id: string, property: string, v: number[]): void {
    const place = this.bodies.local(id);
    if (!place) return;
    const part = parts[property[0]];
    if (!part || (property.length > 1 && property[1] !== ".")) return this.setMaterial(id, property, v.length === 1 ? v[0] : v);
    const value: number[] = part === "position" ? [...place.t] : part === "scale" ? [...place.s] : v;
    const from = (part === "position" && this.shifts.get(id)) || [0, 0, 0];
    if (property.length === 3) {
      const k = "xyz".indexOf(property[2]);
      value[k] = v[0] + from[k];
    } else for (let k = 0; k < v.length; k++) value[k] = v[k] + (from[k] ?? 0);
    this.setTransform(id, part, value);
    this.bodies.place(id, part, value);
  }

  private swarm(n: Node): void {
    const here = this.at(n.id);
    const aim = (name: string): Vec | undefined => {
      for (const m of this.nodes.values()) {
        if (m.name !== name) continue;
        const there = this.at(m.id);
        return here && there ? turn(back(here.r), sub(there.t, here.t)) : undefined;
      }
      return undefined;
    };
    const swarm = new Swarm(n.particles!, seedOf(n.id), aim);
    this.swarms.set(n.id, { swarm, shown: this.engine.swarm(n.id, swarm) });
  }

  // leave takes away what runs in the scene: sounds, particles and spawned nodes.
  // What was built for it stays.
  leave(): void {
    this.sounds?.dispose();
    const own = new Set((this.scene.nodes ?? []).map((n) => n.id));
    for (const id of [...this.nodes.keys()]) if (!own.has(id)) this.remove(id);
    for (const s of this.swarms.values()) s.shown.dispose();
    this.swarms.clear();
  }

  dispose(): void {
    this.leave();
    this.engine.dispose();
  }
}

// unit is the rotation that three angles or four numbers stand for.
function unit(value: number[]): number[] {
  const q = value.length === 4 ? value : euler(value as Vec);
  const n = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return n > 0 ? q.map((x) => x / n) : [0, 0, 0, 1];
}

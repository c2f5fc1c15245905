// The bodies of a scene: which of its nodes the solver moves, and where the
// nodes are then. It holds the places of all nodes as plain numbers, so that it
// runs without a 3D library.
import type { Node, Scene } from "./scene.ts";
import { limits, Solver, type PhysicsEvent } from "./solver.ts";
import { add, back, euler, mul, product, sub, turn, type Quat, type Vec } from "./vector.ts";

interface Place { id: string; parent: number; t: Vec; r: Quat; s: Vec; follows: boolean }

interface Moved { node: string; position: number[]; rotation: number[] }

// Bodies moves the nodes that have a body or a collider. What has a joint is
// held in its place.
export class Bodies {
  readonly solver: Solver;
  readonly left: string[] = []; // nodes beyond the limit, which stand still
  private readonly places: Place[] = [];
  private readonly byId = new Map<string, number>();
  private readonly led: number[] = []; // nodes that lead their body
  private readonly free: number[] = []; // nodes that their body leads
  private readonly carried = new Map<number, { t: Vec; r?: Quat }>();
  private readonly last = new Map<number, string>();
  private readonly spare: number[] = []; // of nodes that are gone
  private dirty = true;
  private due = 0;

  constructor(scene: Scene) {
    this.solver = new Solver(scene.environment?.gravity);
    for (const n of scene.nodes ?? []) this.add(n, n.parent);
  }

  get any(): boolean { return this.free.length > 0 || this.solver.bodies.some((b) => b.spec.trigger); }

  // add takes in a node with its parent by index.
  add(n: Node, parent: number): void {
    const i = this.spare.pop() ?? this.places.length;
    const above = this.places[parent];
    const dynamic = n.body?.type === "dynamic" && !n.joint && n.collider !== undefined && !n.collider.trigger;
    this.places[i] = {
      id: n.id, parent, t: [...(n.t ?? [0, 0, 0])], r: [...(n.r ?? [0, 0, 0, 1])], s: [...(n.s ?? [1, 1, 1])],
      follows: above !== undefined && (above.follows || this.free.includes(parent)),
    };
    this.byId.set(n.id, i);
    if (!n.collider) return;
    const [t, r, s] = this.world(i);
    const shape = n.collider.shape;
    const taken = this.solver.add({
      id: n.id, type: dynamic ? "dynamic" : n.body?.type === "static" && !this.places[i].follows ? "static" : "kinematic",
      shape: shape === "sphere" || shape === "capsule" || shape === "plane" ? shape : "box",
      size: product3(n.collider.size, s), t, r, center: n.collider.center && product3(n.collider.center, s), mass: n.body?.mass,
      friction: n.body?.friction, restitution: n.body?.restitution, gravity: n.body?.gravity, trigger: n.collider.trigger, family: this.family(i),
    });
    if (!taken) this.left.push(n.id);
    else if (dynamic) this.free.push(i);
    else this.led.push(i);
  }

  // copy takes in a new node below one that is there.
  copy(n: Node, parent: string): void { this.add(n, this.byId.get(parent) ?? -1); }

  // family is the top of the tree of nodes that hang on one moving body, which do
  // not push each other.
  private family(i: number): number | undefined {
    let top: number | undefined;
    for (let k = i; k >= 0; k = this.places[k].parent) if (this.free.includes(k)) top = k;
    return top;
  }

  remove(node: string): void {
    const i = this.byId.get(node);
    if (i === undefined) return;
    this.byId.delete(node);
    this.solver.remove(node);
    for (const list of [this.led, this.free]) if (list.includes(i)) list.splice(list.indexOf(i), 1);
    this.carried.delete(i);
    this.last.delete(i);
    this.spare.push(i);
  }

  // world is the place of a node in the scene.
  private world(i: number): [Vec, Quat, Vec] {
    const p = this.places[i];
    if (p.parent < 0) return [p.t, p.r, p.s];
    const [t, r, s] = this.world(p.parent);
    return [add(t, turn(r, product3(s, p.t))), product(r, p.r), product3(s, p.s)];
  }

  // settle puts a node at a place of the scene.
  private settle(i: number, t: Vec, r: Quat): void {
    const p = this.places[i];
    const [pt, pr, ps]: [Vec, Quat, Vec] = p.parent < 0 ? [[0, 0, 0], [0, 0, 0, 1], [1, 1, 1]] : this.world(p.parent);
    p.t = turn(back(pr), sub(t, pt)).map((x, k) => x / (ps[k] || 1)) as Vec;
    p.r = product(back(pr), r);
  }

  // place says that a node was put somewhere, in its parent: a rotation of three
  // numbers is in degrees.
  place(node: string, part: "position" | "rotation" | "scale", value: number[]): void {
    const i = this.byId.get(node);
    if (i === undefined || !value.every(Number.isFinite)) return;
    const p = this.places[i];
    if (part === "position") p.t = [value[0], value[1], value[2]];
    else if (part === "scale") p.s = [value[0], value[1], value[2]];
    else p.r = value.length === 4 ? ([...value] as Quat) : euler(value as Vec);
    this.dirty = true;
    if (this.free.includes(i)) {
      const [t, r] = this.world(i);
      this.solver.place(node, t, r);
    }
  }

  // step moves the bodies by a time, in whole steps of the solver.
  step(seconds: number): { node: string; event: string; payload: { [key: string]: string | number | number[] } }[] {
    const out: PhysicsEvent[] = [];
    this.due = Math.min(this.due + seconds, 0.25);
    for (; this.due > 1 / limits.rate - 1e-9; this.due -= 1 / limits.rate) {
      for (const [i, to] of this.carried) this.carry(i, to);
      for (const i of this.led) if (this.dirty || this.places[i].follows || this.carried.has(i)) this.lead(i);
      this.dirty = false;
      out.push(...this.solver.step());
      for (const i of this.free) {
        const b = this.solver.get(this.places[i].id);
        if (b && (!b.asleep || b.held)) this.settle(i, b.origin(), b.r);
      }
    }
    return out.map(({ name, node, ...payload }) => ({ node, event: name, payload: payload as { [key: string]: string | number | number[] } }));
  }

  private lead(i: number): void {
    const [t, r] = this.world(i);
    this.solver.move(this.places[i].id, t, r);
  }

  // moved are the nodes that stand elsewhere than when it was asked last.
  moved(): Moved[] {
    const out: Moved[] = [];
    for (const i of [...this.free, ...this.carried.keys()]) {
      const p = this.places[i], now = `${p.t},${p.r}`;
      if (this.last.get(i) === now) continue;
      this.last.set(i, now);
      out.push({ node: this.places[i].id, position: [...p.t], rotation: [...p.r] });
    }
    return out;
  }

  // grab takes a node into a hand; hold says where the hand has it, in the scene.
  grab(node: string): boolean {
    const i = this.byId.get(node);
    if (i === undefined) return false;
    if (this.solver.grab(node)) return true;
    if (this.carried.has(i) || this.solver.get(node)?.held) return false;
    const [t, r] = this.world(i);
    this.carried.set(i, { t, r });
    return true;
  }

  hold(node: string, t: Vec, r?: Quat): void {
    const i = this.byId.get(node);
    if (i !== undefined && this.carried.has(i)) this.carried.set(i, { t, r });
    else this.solver.hold(node, t, r);
  }

  private carry(i: number, to: { t: Vec; r?: Quat }): void {
    this.settle(i, to.t, to.r ?? this.world(i)[1]);
    this.dirty = true;
  }

  // release lets go; a body flies on with what speed the hand had.
  release(node: string, scale = 1, most = 20): void {
    const i = this.byId.get(node);
    if (i !== undefined && this.carried.delete(i)) return;
    this.solver.release(node, scale, most);
  }

  // origin is the place of a node in the scene.
  origin(node: string): { t: Vec; r: Quat } | undefined {
    const i = this.byId.get(node);
    if (i === undefined) return undefined;
    const [t, r] = this.world(i);
    return { t, r };
  }

  // local is the place of a node in its parent.
  local(node: string): { t: Vec; r: Quat; s: Vec } | undefined {
    const i = this.byId.get(node);
    return i === undefined ? undefined : this.places[i];
  }

  // call does what a program asks of a body; false when it is none of these.
  call(name: string, node: string, args: unknown[]): boolean {
    const v = vector(args[0]);
    const b = this.solver.get(node);
    switch (name) {
      case "apply_impulse": // newton seconds
        if (v && b) this.solver.push(node, mul(v, b.inverseMass));
        return true;
      case "apply_force": // newton, for one step
        if (v && b) this.solver.push(node, mul(v, b.inverseMass / limits.rate));
        return true;
      case "set_velocity":
        if (v && b) this.solver.push(node, sub(v, b.v));
        return true;
    }
    return false;
  }
}

function vector(v: unknown): Vec | undefined {
  if (Array.isArray(v) && v.length >= 3 && v.every((x) => typeof x === "number")) return [v[0], v[1], v[2]];
  if (typeof v !== "object" || v === null) return undefined;
  const { x, y, z } = v as { [key: string]: unknown };
  const c = [x, y, z].map((n) => (typeof n === "number" ? n : 0));
  return [c[0], c[1], c[2]];
}

function product3(a: Vec, b: Vec): Vec { return [a[0] * b[0], a[1] * b[1], a[2] * b[2]]; }

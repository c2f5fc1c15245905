// A small solver for rigid bodies: gravity, contacts with friction and bounce,
// triggers, things held and thrown. It knows no 3D library, no clock and no
// chance, and uses only operations whose results IEEE 754 fixes to the bit (no
// sine, no power), so that a run is the same on every machine.
import { collide, type Contact } from "./contact.ts";
import { add, cross, dot, length, mul, product, spin, sub, turn, type Quat, type Vec } from "./vector.ts";

// What the solver takes on and how finely it works.
export const limits = {
  bodies: 1000, // more stay where they are; two hundred in a heap take a third of a step's time
  rate: 60, // steps in a second
  pieces: 2, // of a step, each solved by itself
  rounds: 8, // over all contacts of a piece
  speed: 60, // metres in a second; faster things would jump through walls
  turning: 40, // radians in a second
};

const slop = 0.004; // metres that things may overlap without being pushed apart
const push = 3; // metres in a second at which overlapping things part
const bounces = 0.5; // approach in metres in a second below which nothing bounces
const restful = 0.05; // speed below which a body comes to rest
const restTime = 30; // steps until it does

export interface BodySpec {
  id: string;
  type: "dynamic" | "kinematic" | "static";
  shape: "box" | "sphere" | "capsule" | "plane";
  size: Vec; // of the box around the shape
  t: Vec;
  r: Quat;
  center?: Vec; // of the shape, from t
  mass?: number;
  friction?: number;
  restitution?: number;
  gravity?: number; // factor
  drag?: number;
  turnDrag?: number;
  trigger?: boolean; // is felt, stops nothing
  family?: number; // bodies of one family do not touch
}

export interface PhysicsEvent {
  name: "collision_enter" | "collision_exit" | "trigger_enter" | "trigger_exit";
  node: string;
  other: string;
  point?: Vec;
  speed?: number; // of approach
}

// Body is a body with its state. Its place p is the middle of its shape.
export class Body {
  readonly half: Vec;
  readonly radius: number;
  readonly shape: "box" | "sphere" | "capsule";
  p: Vec;
  r: Quat;
  v: Vec = [0, 0, 0];
  w: Vec = [0, 0, 0];
  axes: [Vec, Vec, Vec] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  lower: Vec = [0, 0, 0];
  upper: Vec = [0, 0, 0];
  asleep = false;
  held = false;
  calm = 0;
  readonly inverseMass: number;
  private readonly inverseInertia: Vec;
  readonly center: Vec;

  constructor(readonly spec: BodySpec, readonly index: number) {
    const [x, y, z] = spec.size.map((s) => Math.max(Math.abs(s), 1e-4)) as Vec;
    this.center = [...(spec.center ?? [0, 0, 0])];
    this.shape = spec.shape === "plane" ? "box" : spec.shape;
    this.radius = spec.shape === "sphere" ? Math.max(x, y, z) / 2 : spec.shape === "capsule" ? Math.max(x, z) / 2 : 0;
    this.half = [x / 2, y / 2, z / 2];
    if (spec.shape === "plane") { // the top of a slab, so that nothing falls through
      this.half[1] = 0.25;
      this.center[1] -= 0.25;
    }
    if (this.shape === "capsule") this.half = [this.radius, Math.max(y / 2 - this.radius, 0), this.radius];
    const mass = Math.max(spec.mass ?? 1, 1e-3);
    this.inverseMass = spec.type === "dynamic" && !spec.trigger ? 1 / mass : 0;
    this.inverseInertia = [0, 0, 0];
    if (this.inverseMass > 0) this.inverseInertia = this.inertia(mass).map((i) => 1 / i) as Vec;
    this.r = unit(spec.r);
    this.p = [0, 0, 0];
    this.place(spec.t, this.r);
  }

  private inertia(mass: number): Vec {
    const [x, y, z] = this.half, r = this.radius;
    if (this.shape === "sphere") return [0.4 * mass * r * r, 0.4 * mass * r * r, 0.4 * mass * r * r];
    if (this.shape === "capsule") {
      const h = 2 * (y + r);
      const across = mass * (3 * r * r + h * h) / 12;
      return [across, 0.5 * mass * r * r, across];
    }
    return [mass * (y * y + z * z) / 3, mass * (x * x + z * z) / 3, mass * (x * x + y * y) / 3];
  }

  // place puts the body somewhere without moving it there.
  place(t: Vec, r: Quat): void {
    this.r = unit(r);
    this.p = add(t, turn(this.r, this.center));
    this.refresh();
  }

  // origin is where the thing itself is, whose shape may stand beside it.
  origin(): Vec { return sub(this.p, turn(this.r, this.center)); }

  get moving(): boolean { return this.inverseMass > 0 && !this.held; }

  // lightness is the inverse mass that counts in contacts: what is held or asleep
  // is not moved by them.
  get lightness(): number { return this.asleep || this.held ? 0 : this.inverseMass; }

  refresh(): void {
    this.axes = [turn(this.r, [1, 0, 0]), turn(this.r, [0, 1, 0]), turn(this.r, [0, 0, 1])];
    for (let k = 0; k < 3; k++) {
      let reach = this.radius;
      if (this.shape === "box") {
        reach = Math.abs(this.axes[0][k]) * this.half[0] + Math.abs(this.axes[1][k]) * this.half[1] + Math.abs(this.axes[2][k]) * this.half[2];
      } else if (this.shape === "capsule") reach += Math.abs(this.axes[1][k]) * this.half[1];
      this.lower[k] = this.p[k] - reach;
      this.upper[k] = this.p[k] + reach;
    }
  }

  // turnLight is the inverse inertia times a vector of the world.
  turnLight(x: Vec): Vec {
    if (this.lightness === 0) return [0, 0, 0];
    let out: Vec = [0, 0, 0];
    for (let k = 0; k < 3; k++) out = add(out, mul(this.axes[k], dot(this.axes[k], x) * this.inverseInertia[k]));
    return out;
  }

  speedAt(arm: Vec): Vec { return add(this.v, cross(this.w, arm)); }

  wake(): void {
    this.asleep = false;
    this.calm = 0;
  }
}

interface Pair { a: Body; b: Body; trigger: boolean; seen: number }

// Row is a contact in one direction: what an impulse along it does to both.
interface Row { way: Vec; leverA: Vec; leverB: Vec; turnA: Vec; turnB: Vec; mass: number; impulse: number }

interface Joined {
  a: Body; b: Body;
  depth: number;
  normal: Row; sideways: [Row, Row];
  approach: number; // before the step
  friction: number; bounce: number; most: number;
}

// Solver moves bodies in steps of 1/60 second.
export class Solver {
  readonly bodies: Body[] = [];
  private readonly byId = new Map<string, Body>();
  private pairs = new Map<number, Pair>();
  private events: PhysicsEvent[] = [];
  private order: Body[] = [];
  private added = 0;
  private pieces = 0;
  private trails = new Map<Body, { t: Vec; r: Quat; past: Vec[]; turns: Vec[] }>();

  constructor(public gravity: Vec = [0, -9.81, 0]) {}

  // add takes a body in; false when there are too many or its id is taken.
  add(spec: BodySpec): boolean {
    if (this.bodies.length >= limits.bodies || this.byId.has(spec.id)) return false;
    if (![...spec.size, ...spec.t, ...spec.r, ...(spec.center ?? [])].every(Number.isFinite)) return false;
    const b = new Body(spec, this.added++);
    this.bodies.push(b);
    this.order.push(b);
    this.byId.set(spec.id, b);
    return true;
  }

  remove(id: string): void {
    const b = this.byId.get(id);
    if (!b) return;
    this.byId.delete(id);
    this.bodies.splice(this.bodies.indexOf(b), 1);
    this.order.splice(this.order.indexOf(b), 1);
    this.trails.delete(b);
    for (const [key, p] of this.pairs) if (p.a === b || p.b === b) this.part(key, p);
  }

  get(id: string): Body | undefined { return this.byId.get(id); }

  // place puts a body somewhere at once, at rest.
  place(id: string, t: Vec, r: Quat): void {
    const b = this.byId.get(id);
    if (!b) return;
    b.place(t, r);
    b.v = [0, 0, 0];
    b.w = [0, 0, 0];
    this.rouse(b);
  }

  // move leads a body that is not pushed by others to a place within one step,
  // so that it pushes and carries what it touches.
  move(id: string, t: Vec, r: Quat): void {
    const b = this.byId.get(id);
    if (b && !b.moving) this.lead(b, t, r);
  }

  // push changes the speed of a body.
  push(id: string, speed: Vec): void {
    const b = this.byId.get(id);
    if (!b?.moving || !speed.every(Number.isFinite)) return;
    b.wake();
    b.v = add(b.v, speed);
  }

  // grab holds a body: it goes where hold puts it.
  grab(id: string): boolean {
    const b = this.byId.get(id);
    if (!b || b.inverseMass === 0 || b.held) return false;
    b.wake();
    b.held = true;
    b.v = [0, 0, 0];
    b.w = [0, 0, 0];
    this.trails.set(b, { t: b.origin(), r: b.r, past: [], turns: [] });
    return true;
  }

  hold(id: string, t: Vec, r?: Quat): void {
    const b = this.byId.get(id);
    const trail = b && this.trails.get(b);
    if (!b || !trail || !t.every(Number.isFinite)) return;
    trail.t = [...t];
    if (r) trail.r = unit(r);
  }

  // release lets go: the body flies on with the speed of the hand, times scale.
  release(id: string, scale = 1, most = 20): void {
    const b = this.byId.get(id);
    const trail = b && this.trails.get(b);
    if (!b || !trail) return;
    this.trails.delete(b);
    b.held = false;
    b.wake();
    b.v = capped(mul(mean(trail.past), scale), most);
    b.w = capped(mul(mean(trail.turns), scale), limits.turning);
  }

  // step moves everything on and says what began and ended to touch.
  step(): PhysicsEvent[] {
    for (const [b, trail] of this.trails) {
      this.lead(b, trail.t, trail.r);
      trail.past = [...trail.past.slice(-5), [...b.v] as Vec];
      trail.turns = [...trail.turns.slice(-5), [...b.w] as Vec];
    }
    const dt = 1 / limits.rate / limits.pieces;
    for (let k = 0; k < limits.pieces; k++) this.piece(dt);
    for (const b of this.bodies) {
      if (!b.moving) {
        b.v = [0, 0, 0];
        b.w = [0, 0, 0];
      } else if (!b.asleep) this.settle(b);
    }
    const happened = this.events;
    this.events = [];
    return happened;
  }

  private lead(b: Body, t: Vec, r: Quat): void {
    if (![...t, ...r].every(Number.isFinite)) return;
    const before = b.p, from = b.r;
    const to = unit(r);
    const goal = add(t, turn(to, b.center));
    b.v = capped(mul(sub(goal, before), limits.rate), limits.speed);
    const d = product(to, [-from[0], -from[1], -from[2], from[3]]);
    const sign = d[3] < 0 ? -2 : 2;
    b.w = capped([d[0] * sign * limits.rate, d[1] * sign * limits.rate, d[2] * sign * limits.rate], limits.turning);
    if (length(b.v) > 1e-4 || length(b.w) > 1e-4) this.rouse(b);
  }

  // rouse wakes what touches a body.
  private rouse(b: Body): void {
    b.wake();
    for (const p of this.pairs.values()) {
      if (p.a === b) p.b.wake();
      else if (p.b === b) p.a.wake();
    }
  }

  private settle(b: Body): void {
    const calm = dot(b.v, b.v) < restful * restful && dot(b.w, b.w) < 4 * restful * restful;
    b.calm = calm ? b.calm + 1 : 0;
    if (b.calm < restTime || !this.rests(b)) return;
    b.asleep = true;
    b.v = [0, 0, 0];
    b.w = [0, 0, 0];
  }

  // rests says whether something holds a body up; without weight it needs nothing.
  private rests(b: Body): boolean {
    if (dot(this.gravity, this.gravity) * (b.spec.gravity ?? 1) === 0) return true;
    for (const p of this.pairs.values()) if (!p.trigger && (p.a === b || p.b === b)) return true;
    return false;
  }

  private piece(dt: number): void {
    for (const b of this.bodies) {
      if (!b.moving || b.asleep) continue;
      b.v = capped(mul(add(b.v, mul(this.gravity, dt * (b.spec.gravity ?? 1))), 1 / (1 + dt * (b.spec.drag ?? 0))), limits.speed);
      b.w = capped(mul(b.w, 1 / (1 + dt * (b.spec.turnDrag ?? 0.05))), limits.turning);
    }
    const contacts = this.contacts();
    for (let k = 0; k < limits.rounds; k++) for (const c of contacts) resolve(c, dt);
    for (const b of this.bodies) {
      if (b.asleep || (!b.moving && dot(b.v, b.v) + dot(b.w, b.w) === 0)) continue;
      b.p = add(b.p, mul(b.v, dt));
      b.r = unit(spin(b.r, b.w, dt));
      b.refresh();
    }
    for (let k = 0; k < 2; k++) for (const c of contacts) resolve(c, 0); // the push apart leaves no speed behind
    for (const c of contacts) rebound(c);
  }

  // contacts finds what touches, reports what is new and what is over, and returns
  // what is to be solved.
  private contacts(): Joined[] {
    const out: Joined[] = [];
    this.pieces++;
    this.sweep((a, b) => {
      const touching = collide(a, b);
      if (touching.length === 0) return;
      const key = a.index * 0x4000000 + b.index;
      const trigger = Boolean(a.spec.trigger || b.spec.trigger);
      let pair = this.pairs.get(key);
      const speed = sub(b.speedAt(sub(touching[0].point, b.p)), a.speedAt(sub(touching[0].point, a.p)));
      if (!pair) {
        pair = { a, b, trigger, seen: 0 };
        this.pairs.set(key, pair);
        this.notify(trigger ? "trigger_enter" : "collision_enter", a, b, touching[0].point, Math.max(-dot(speed, touching[0].normal), 0));
      }
      pair.seen = this.pieces;
      if (trigger) return;
      const rush = length(speed);
      if (a.asleep && rush > (b.moving ? restful * 4 : 0.001)) a.wake();
      if (b.asleep && rush > (a.moving ? restful * 4 : 0.001)) b.wake();
      for (const c of touching) out.push(join(c));
    });
    for (const [key, p] of this.pairs) {
      const still = !awake(p.a) && !awake(p.b);
      if (p.seen === this.pieces || still) continue;
      this.part(key, p);
    }
    return out;
  }

  private part(key: number, p: Pair): void {
    this.pairs.delete(key);
    this.notify(p.trigger ? "trigger_exit" : "collision_exit", p.a, p.b);
    if (!p.trigger) {
      p.a.wake();
      p.b.wake();
    }
  }

  private notify(name: PhysicsEvent["name"], a: Body, b: Body, point?: Vec, speed?: number): void {
    for (const [x, y] of [[a, b], [b, a]]) {
      this.events.push({ name, node: x.spec.id, other: y.spec.id, ...(point && { point: [...point] as Vec }), ...(speed !== undefined && { speed }) });
    }
  }

  // sweep calls for every two bodies whose boxes overlap and of which one can
  // move, in an order that follows from the places alone.
  private sweep(found: (a: Body, b: Body) => void): void {
    const list = this.order;
    for (let i = 1; i < list.length; i++) { // almost sorted already
      const b = list[i];
      let k = i - 1;
      for (; k >= 0 && (list[k].lower[0] > b.lower[0] || (list[k].lower[0] === b.lower[0] && list[k].index > b.index)); k--) list[k + 1] = list[k];
      list[k + 1] = b;
    }
    for (let i = 0; i < list.length; i++) {
      const a = list[i];
      for (let k = i + 1; k < list.length && list[k].lower[0] <= a.upper[0]; k++) {
        const b = list[k];
        if (a.lower[1] > b.upper[1] || b.lower[1] > a.upper[1] || a.lower[2] > b.upper[2] || b.lower[2] > a.upper[2]) continue;
        if (!awake(a) && !awake(b)) continue;
        if (!solid(a) && !solid(b)) continue;
        if (a.spec.family !== undefined && a.spec.family === b.spec.family) continue;
        if (a.index < b.index) found(a, b);
        else found(b, a);
      }
    }
  }
}

// solid says whether a body is one that can meet others: walls do not meet walls.
function solid(b: Body): boolean { return b.spec.type !== "static"; }

function awake(b: Body): boolean {
  return b.moving ? !b.asleep : dot(b.v, b.v) + dot(b.w, b.w) > 0 || b.held;
}

function join({ a, b, normal, point, depth }: Contact): Joined {
  const armA = sub(point, a.p), armB = sub(point, b.p);
  const first = straight(cross(normal, Math.abs(normal[0]) > 0.6 ? [0, 1, 0] : [1, 0, 0]));
  const up = row(a, b, armA, armB, normal);
  return {
    a, b, depth, normal: up, sideways: [row(a, b, armA, armB, first), row(a, b, armA, armB, cross(normal, first))], approach: closing(a, b, up),
    friction: Math.sqrt((a.spec.friction ?? 0.5) * (b.spec.friction ?? 0.5)), bounce: Math.max(a.spec.restitution ?? 0, b.spec.restitution ?? 0), most: 0,
  };
}

function row(a: Body, b: Body, armA: Vec, armB: Vec, way: Vec): Row {
  const leverA = cross(armA, way), leverB = cross(armB, way), turnA = a.turnLight(leverA), turnB = b.turnLight(leverB);
  const light = a.lightness + b.lightness + dot(turnA, leverA) + dot(turnB, leverB);
  return { way, leverA, leverB, turnA, turnB, mass: light > 0 ? 1 / light : 0, impulse: 0 };
}

// closing is the speed of b away from a along a row.
function closing(a: Body, b: Body, r: Row): number {
  return dot(r.way, b.v) - dot(r.way, a.v) + dot(r.leverB, b.w) - dot(r.leverA, a.w);
}

// impel brings the impulse of a row to a value.
function impel(a: Body, b: Body, r: Row, impulse: number): void {
  const j = impulse - r.impulse, la = j * a.lightness, lb = j * b.lightness;
  r.impulse = impulse;
  for (let k = 0; k < 3; k++) {
    a.v[k] -= r.way[k] * la;
    b.v[k] += r.way[k] * lb;
    a.w[k] -= r.turnA[k] * j;
    b.w[k] += r.turnB[k] * j;
  }
}

// resolve changes speeds until a contact does not close; with a time it also
// pushes apart what overlaps.
function resolve(c: Joined, dt: number): void {
  const { a, b, normal } = c;
  if (normal.mass === 0) return;
  const most = c.friction * normal.impulse;
  for (const r of c.sideways) impel(a, b, r, Math.min(Math.max(r.impulse - closing(a, b, r) * r.mass, -most), most));
  const bias = dt > 0 ? Math.min((0.2 / dt) * Math.max(c.depth - slop, 0), push) : 0;
  impel(a, b, normal, Math.max(normal.impulse + (bias - closing(a, b, normal)) * normal.mass, 0));
  c.most = Math.max(c.most, normal.impulse);
}

// rebound gives back what a contact keeps of its speed.
function rebound(c: Joined): void {
  if (c.bounce === 0 || c.approach > -bounces || c.most === 0) return;
  const { a, b, normal } = c;
  impel(a, b, normal, Math.max(normal.impulse - (closing(a, b, normal) + c.bounce * c.approach) * normal.mass, 0));
}

function unit(q: Quat): Quat {
  const n = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return n > 0 ? [q[0] / n, q[1] / n, q[2] / n, q[3] / n] : [0, 0, 0, 1];
}

function straight(v: Vec): Vec {
  const n = length(v);
  return n > 0 ? mul(v, 1 / n) : [1, 0, 0];
}

function capped(v: Vec, most: number): Vec {
  const n = length(v);
  return n > most ? mul(v, most / n) : v;
}

function mean(list: Vec[]): Vec {
  let out: Vec = [0, 0, 0];
  for (const v of list) out = add(out, v);
  return list.length > 0 ? mul(out, 1 / list.length) : out;
}

// The machine that runs a program: turns, state, events, and the instructions.
// It is the interpreter of lang/run once more; equal programs and events give
// equal traces.
import { Fault, tooDeep, tooLarge, tooLong, tooMany, wrongKind } from "./fault.ts";
import { bodies } from "./instructions.ts";
import { library } from "./library.ts";
import { Code, Limit } from "./tables.gen.ts";
import { callable } from "./operators.ts";
import { width, type Func, type Program } from "./program.ts";
import { Random } from "./random.ts";
import { Machines } from "./states.ts";
import { Clock } from "./clock.ts";
import { Spawner } from "./spawn.ts";
import { apart, type Tables } from "./templates.ts";
import { Trees } from "./trees.ts";
import {
  asNumber, Box, Budget, bytesOf, clip, Closure, copyValue, equal, Iter, List, NodeRef, Obj, quote, sameValue, short, showOf, StateOf,
  textOf, typeName, type Value,
} from "./value.ts";

// SceneOwner owns what stands at the top of a source; Everywhere is the node of
// an event that belongs to no place.
export const SceneOwner = "scene";
export const Everywhere = "*";

export interface Info { id: string; parent: string; name: string; props?: Map<string, Value> }
// An event within a node is heard there and below, and goes no other way.
export interface Event { node: string; name: string; payload: Value; within?: boolean }
export interface Entry {
  at: number; kind: string; node: string; name: string; text: string; function: string; line: number; column: number;
}

// Host is what a machine asks of the outside. undefined: no such operation.
export interface Host {
  call?(name: string, node: string, args: Value[]): Value | undefined;
  log?(node: string, text: string): void;
  fault?(node: string, f: Fault): void;
  property?(node: string, key: string): void; // may have changed
  state?(owner: string, key: string, value: Value): void;
  spawned?(node: string, name: string, parent: string, like: string): void; // like is the node of the template
  destroyed?(node: string): void;
}

export interface Options {
  nodes?: Info[];
  host?: Host;
  seed?: number[];
  hosted?: boolean;
  long?: boolean;
  trace?: boolean;
}

interface Try { pc: number; height: number }
export interface Frame { fn: Func; pc: number; locals: Value[]; base: number; tries: Try[] }
// A thread is a turn with what it has on its stack; at is the instruction that runs.
export interface Thread { frames: Frame[]; stack: Value[]; depth: number; at: number; wait: Asleep | undefined }
interface Waiting { at: number; thread: Thread; owner: string }
interface Change { slot: number; old: Value }

// Asleep is what an instruction leaves that waits.
export class Asleep { constructor(readonly seconds: number) {} }

export class Machine {
  readonly nodes = new Map<string, Info>();
  readonly calls = new Map<string, number>();
  readonly clock: Clock;
  readonly machines: Machines;
  readonly trees: Trees;
  readonly scene = SceneOwner;
  readonly program: Program;
  readonly host: Host;
  readonly live: Tables; // the rows that run
  // The tables of the program, to which spawn adds.
  readonly functions: Func[];
  readonly states: { owner: string; key: string }[];
  readonly computeds: { owner: string; key: string; fn: number; v: Value; fresh: boolean; busy: boolean; version: number }[];
  slots: Value[];
  readonly slotOf = new Map<string, Map<string, number>>();
  readonly byName = new Map<string, Map<string, number>>();
  readonly computedOf = new Map<string, Map<string, number>>();
  readonly gone = new Set<string>();
  trace: Entry[] = [];
  dropped = 0;
  steps = 0;
  serial = 0;
  spent = 0;
  stop = false;
  handler = false;
  stepLimit: number;
  queue: Event[] = [];

  private readonly rng: Random;
  private readonly props = new Map<string, Map<string, Value>>();
  private propCount = 0;
  private version = 0;
  protected waiting: Waiting[] = [];
  protected ready: Thread[] = [];
  private depth = 0;
  private budget = 0;
  private turnLimit: number;
  private turn = 0;
  private made = 0;
  private held = 0;
  private cascade = 0;
  readonly spawner: Spawner;
  private readonly prototypes: Map<string, unknown>;
  private undo: (() => void)[] = [];
  private changed: Change[] = [];
  private faulted = false;
  private readonly unknown = new Set<string>();
  private readonly tracing: boolean;

  constructor(readonly p: Program, o: Options = {}) {
    this.host = o.host ?? {};
    this.tracing = o.trace ?? false;
    this.stepLimit = o.hosted ? Limit.MaxHosted : Limit.MaxStep;
    this.turnLimit = o.long ? Limit.MaxLong : Limit.MaxTurn;
    this.rng = new Random(o.seed ?? p.seed);
    const { live, templates, owners } = apart(p), infos = new Map<string, Info>();
    for (const n of o.nodes ?? []) {
      if (owners.has(n.id)) {
        infos.set(n.id, n);
        continue;
      }
      this.nodes.set(n.id, n);
      for (const [k, v] of n.props ?? []) this.putProp(n.id, k, copyValue(v, Limit.MaxDepth));
    }
    this.program = p;
    this.live = live;
    this.prototypes = owners;
    this.functions = p.functions.slice();
    this.states = p.state.slice();
    this.slots = new Array<Value>(p.state.length).fill(null);
    this.computeds = p.computed.map((c) => ({ ...c, v: null, fresh: false, busy: false, version: 0 }));
    p.state.forEach((s, i) => { if (!owners.has(s.owner)) name2(this.slotOf, s.owner, s.key, i); });
    p.functions.forEach((f, i) => { if (!owners.has(f.owner)) name2(this.byName, f.owner, f.name, i); });
    p.computed.forEach((c, i) => { if (!owners.has(c.owner)) name2(this.computedOf, c.owner, c.key, i); });
    this.spawner = new Spawner(this, templates, infos);
    this.clock = new Clock(this);
    this.machines = new Machines(this);
    this.trees = new Trees(this);
  }

  // start gives the state its first values, enters the machines and raises init,
  // mount and start.
  start(): void {
    const limit = this.turnLimit;
    this.turnLimit = Limit.MaxLong;
    for (const [i, s] of this.p.state.entries()) {
      if (this.prototypes.has(s.owner)) continue;
      if (typeof s.init === "number") {
        this.slots[i] = this.p.consts[s.init];
        continue;
      }
      const fn = s.init.fn;
      if (this.spent > Limit.MaxInit) {
        this.report(s.owner, tooLong(`the first values take more than ${Limit.MaxInit} instructions`));
        break;
      }
      this.atomically(s.owner, () => {
        this.slots[i] = null;
        this.slots[i] = this.call(this.functions[fn], [], []);
      });
    }
    this.changed = [];
    this.bindAll();
    this.turnLimit = limit;
    this.machines.start(this.live.machines);
    this.trees.start(this.live.trees);
    this.clock.start(this.live);
    this.raiseFirst({ node: Everywhere });
    this.drain();
  }

  // raiseFirst raises what nodes hear first.
  raiseFirst(at: { node: string; within?: boolean }): void {
    for (const name of ["init", "mount", "start"]) if (this.heard(name)) this.queue.push({ ...at, name, payload: null });
  }

  // entries are the keys of the state with their values.
  *entries(): Generator<[string, string, Value]> {
    for (const [owner, keys] of this.slotOf) for (const [key, i] of keys) yield [owner, key, this.slots[i]];
  }

  heard(name: string): boolean { return this.live.handlers.some((h) => h.event === name); }
  get time(): number { return this.steps / this.p.rates.spatial; }
  after(seconds: number): number { return this.steps + Math.ceil(seconds * this.p.rates.spatial - 1e-9); }
  inject(e: Event): void { if (this.queue.length < Limit.MaxEvents) this.queue.push(e); }
  get busy(): boolean { return this.queue.length > 0 || this.ready.length > 0 || this.spawner.born.length > 0; }
  get sleepers(): number { return this.waiting.length; }
  random(): number { return this.rng.float(); }
  get tight(): boolean { return this.spent >= this.stepLimit; }

  // step advances the time by one spatial step.
  step(): void {
    this.steps++;
    this.spent = this.cascade = 0;
    this.clock.schedules();
    this.clock.timelines();
    const kept: Waiting[] = [];
    for (const w of this.waiting) {
      if (w.at <= this.steps) this.ready.push(w.thread);
      else kept.push(w);
    }
    this.waiting = kept;
    this.machines.timers();
    this.drain();
    this.clock.tweens();
    this.trees.run();
    if (this.heard("update") && !this.tight && !this.queue.some((e) => e.name === "update" && e.node === Everywhere)) {
      this.queue.push({ node: Everywhere, name: "update", payload: 1 / this.p.rates.spatial });
    }
    this.drain();
  }

  protected drain(): void {
    const { spawner } = this;
    while (this.spent < this.stepLimit) {
      const born = spawner.born.shift();
      if (born) {
        if (!this.follows()) return;
        spawner.birth(born);
        continue;
      }
      const t = this.ready.shift();
      if (t) {
        this.budget = this.turnLimit;
        this.carry(t.frames[0].fn.owner, t);
        this.flush();
        continue;
      }
      const e = this.queue.shift();
      if (!e) {
        if (spawner.ending.length > 0) spawner.bury();
        this.cascade = 0;
        return;
      }
      if (!this.follows()) return;
      this.turnOf(e);
    }
  }

  // follows counts what follows from each other. Too much of it is let go.
  private follows(): boolean {
    if (++this.cascade <= Limit.MaxEvents) return true;
    this.report(SceneOwner, tooMany(`more than ${Limit.MaxEvents} events follow from each other`));
    this.queue = [];
    this.spawner.born = [];
    this.cascade = 0;
    return false;
  }

  private turnOf(e: Event): void {
    this.note("event", e.node, e.name, e.payload);
    this.stop = false;
    this.budget = this.turnLimit;
    this.handler = true;
    if (e.within) this.handlers(e, (node) => this.lies(node, e.node));
    else this.spread(e);
    this.machines.event(e);
    this.flush();
    this.handler = false;
  }

  // spread brings an event to its node, along the wires, to the nodes above, and to
  // those that subscribed to it.
  private spread(e: Event): void {
    const everywhere = e.node === Everywhere;
    this.handlers(e, (node) => everywhere || node === e.node);
    for (const w of this.live.wires) if (w.event === e.name && (everywhere || w.from === e.node)) this.wire(w, e);
    if (!everywhere) {
      for (let at = this.parent(e.node); at !== "" && !this.stop; at = this.parent(at)) this.handlers(e, (node) => node === at);
    }
    if (!this.stop) {
      for (const s of this.live.subscriptions) if (s.event === e.name && (everywhere || s.from === e.node)) this.begin(s.owner, s.fn, [e.payload]);
    }
  }

  // lies says whether a node is another one or lies below it.
  lies(node: string, top: string): boolean {
    for (let at = node; at !== ""; at = this.parent(at)) if (at === top) return true;
    return false;
  }

  private handlers(e: Event, at: (node: string) => boolean): void {
    for (const h of this.live.handlers) if (h.event === e.name && at(h.node)) this.begin(h.node, h.fn, [e.payload]);
  }

  // parent is the node above; above the topmost nodes and modules is the scene.
  parent(node: string): string {
    if (node === SceneOwner || node === Everywhere) return "";
    return this.nodes.get(node)?.parent || SceneOwner;
  }

  private wire(w: Program["wires"][number], e: Event): void {
    const fn = this.functions[w.fn], { owner } = fn;
    const slot = w.set;
    if (slot !== undefined) {
      this.atomically(owner, () => this.set(slot, this.call(fn, [e.payload], [])));
      return;
    }
    this.begin(owner, w.fn, [...(w.args ?? []).map((a) => this.p.consts[a]), e.payload]);
  }

  // begin runs a function as a turn that may wait.
  begin(owner: string, fn: number, args: Value[]): void {
    if (!this.handler) this.budget = this.turnLimit;
    this.carry(owner, { frames: [frame(this.functions[fn], args, [], 0)], stack: [], depth: 0, at: 0, wait: undefined });
  }

  later(c: Closure, seconds: number, owner: string): void {
    if (c.fn.of?.dead) return;
    const thread = { frames: [frame(c.fn, [], c.boxes, 0)], stack: [], depth: 0, at: 0, wait: undefined };
    this.waiting.push({ at: this.after(seconds), thread, owner });
  }

  protected carry(owner: string, t: Thread): void {
    this.atomically(owner, () => {
      const v = this.resume(t);
      if (!(v instanceof Asleep)) return;
      if (this.waiting.length + this.ready.length >= Limit.MaxWaiting) throw tooMany(`more than ${Limit.MaxWaiting} turns wait`);
      this.waiting.push({ at: this.after(v.seconds), thread: t, owner });
    });
  }

  // atomically runs a handler: when it faults, nothing that it wrote stays.
  atomically(owner: string, work: () => void): boolean {
    this.turn++;
    this.made = 0;
    this.undo = [];
    const events = this.queue.length, changes = this.changed.length, waits = this.waiting.length, depth = this.depth;
    if (!this.handler) this.budget = this.turnLimit;
    let f: Fault | undefined;
    try {
      work();
      this.held += this.made;
      if (this.held > Limit.MaxHeld && (this.held = this.measure()) > Limit.MaxHeld) f = tooLarge("the state is too large");
    } catch (e) {
      if (!(e instanceof Fault)) throw e;
      f = e;
    }
    this.depth = depth;
    if (!f) {
      for (const c of this.changed.slice(changes)) {
        const s = this.states[c.slot];
        this.note("set", s.owner, s.key, this.slots[c.slot]);
        this.host.state?.(s.owner, s.key, this.slots[c.slot]);
      }
      return true;
    }
    this.goBack(0);
    this.version++;
    this.queue.length = Math.min(events, this.queue.length);
    this.changed.length = changes;
    this.waiting.length = Math.min(waits, this.waiting.length);
    this.report(owner, f);
    return false;
  }

  // report brings a fault to the nearest on_error.
  report(owner: string, f: Fault): void {
    this.note("fault", owner, f.code, f.message, f);
    this.host.fault?.(owner, f);
    if (this.faulted) return;
    this.faulted = true;
    find: for (let at = owner; at !== ""; at = this.parent(at)) {
      for (const h of this.live.handlers) {
        if (h.event !== "error" || h.node !== at) continue;
        const budget = this.budget;
        this.budget = this.turnLimit;
        this.carry(at, { frames: [frame(this.functions[h.fn], [f.value()], [], 0)], stack: [], depth: this.depth, at: 0, wait: undefined });
        this.budget = budget;
        break find;
      }
    }
    this.faulted = false;
  }

  get(slot: number): Value { return this.slots[slot]; }

  set(slot: number, v: Value): void {
    const old = this.slots[slot];
    this.undo.push(() => { this.slots[slot] = old; });
    this.slots[slot] = v;
    this.version++;
    if (!(v instanceof List) && !(v instanceof Obj) && sameValue(old, v)) return;
    if (!this.changed.some((c) => c.slot === slot)) this.changed.push({ slot, old });
  }

  // put sets a state key of the scene from outside, as a turn of its own.
  put(key: string, v: Value): void {
    const slot = this.slotOf.get(SceneOwner)?.get(key);
    if (slot === undefined) return;
    this.handler = false;
    this.atomically(SceneOwner, () => this.set(slot, v));
    this.flush();
  }

  // touch saves a list or an object before it changes, once in a turn.
  touch(v: List | Obj): void {
    this.version++;
    if (v.turn === this.turn) return;
    v.turn = this.turn;
    if (v instanceof List) {
      const old = v.items.slice();
      this.made += old.length;
      this.undo.push(() => { v.items = old; });
    } else {
      const old = new Map(v.map);
      this.made += old.size;
      this.undo.push(() => { v.map = old; });
    }
  }

  computed(i: number): Value {
    const c = this.computeds[i];
    if (c.fresh && c.version === this.version) return c.v;
    if (c.busy) throw tooDeep(`computed '${c.key}' needs itself`);
    c.busy = true;
    try {
      const v = this.call(this.functions[c.fn], [], []);
      Object.assign(c, { v, fresh: true, version: this.version });
      return v;
    } finally {
      c.busy = false;
    }
  }

  // flush runs the watches of what changed, and then the bound properties.
  flush(): void {
    if (this.changed.length === 0) return;
    const changed = this.changed;
    this.changed = [];
    for (const w of this.live.watches) {
      for (const c of changed) {
        if (c.slot !== w.state) continue;
        this.handler = false;
        this.begin(this.functions[w.fn].owner, w.fn, [this.slots[w.state], c.old]);
      }
    }
    this.bindAll();
    const again = this.changed;
    this.changed = [];
    if (again.length > 0) this.bindAll(); // what watches wrote is seen by the next flush
  }

  private bindAll(): void { this.bind(this.live.binds); }

  bind(list: Tables["binds"]): void {
    for (const b of list) {
      this.handler = false;
      this.atomically(b.node, () => {
        const v = this.call(this.functions[b.fn], [], []);
        if (!sameValue(this.property(b.node, b.property), v)) this.setProperty(b.node, b.property, v);
      });
    }
  }

  property(node: string, key: string): Value { return this.props.get(node)?.get(key) ?? null; }

  dropProps(node: string): void {
    this.propCount -= this.props.get(node)?.size ?? 0;
    this.props.delete(node);
  }

  putProp(node: string, key: string, v: Value): void {
    let of = this.props.get(node);
    if (!of) this.props.set(node, (of = new Map()));
    if (!of.has(key)) this.propCount++;
    of.set(key, v);
  }

  setProperty(node: string, key: string, v: Value): void {
    const of = this.props.get(node);
    const there = of?.has(key) ?? false, old = of?.get(key) ?? null;
    if (!there && this.propCount >= Limit.MaxItems * 4) throw tooLarge("too many properties");
    this.version++;
    this.undo.push(() => {
      if (there) this.putProp(node, key, old);
      else if (this.props.get(node)?.delete(key)) this.propCount--;
      this.host.property?.(node, key);
    });
    this.putProp(node, key, v);
    const shown = node.split("\0", 1)[0];
    this.note("property", shown, key, v);
    this.host.property?.(node, key);
    this.alloc(1);
  }

  // place keeps what physics did to a body, outside of any turn.
  place(node: string, key: string, v: Value): void {
    this.putProp(node, key, v);
    this.version++;
  }

  stateMember(node: string, name: string): Value {
    const i = this.slotOf.get(node)?.get(name);
    return i !== undefined ? this.slots[i] : this.property(node + "\0state", name);
  }

  nodeMember(node: string, name: string): Value {
    switch (name) {
      case "id": return node;
      case "name": return this.nodes.get(node)?.name ?? node;
      case "state": return new StateOf(node);
      case "parent": {
        const p = this.parent(node);
        return p === "" ? null : new NodeRef(p);
      }
      case "current_state": {
        const s = this.machines.current(node);
        if (s !== undefined) return s;
      }
    }
    const v = this.props.get(node)?.get(name);
    if (v !== undefined) return v;
    const slot = this.slotOf.get(node)?.get(name);
    if (slot !== undefined) return this.slots[slot];
    const c = this.computedOf.get(node)?.get(name);
    if (c !== undefined) return this.computed(c);
    const n = this.nodes.get(node);
    return n && name === "instances" ? this.instances(n.name) : null;
  }

  putNode(node: string, name: string, v: Value): void {
    const i = this.slotOf.get(node)?.get(name);
    if (i !== undefined) this.set(i, v);
    else this.setProperty(node, name, v);
  }

  putState(node: string, name: string, v: Value): void {
    const i = this.slotOf.get(node)?.get(name);
    if (i !== undefined) this.set(i, v);
    else this.setProperty(node + "\0state", name, v);
  }

  emit(node: string, name: string, payload: Value): void {
    if (this.queue.length >= Limit.MaxEvents) throw tooMany(`more than ${Limit.MaxEvents} events wait`);
    this.queue.push({ node, name, payload });
    this.alloc(1);
  }

  // destroy hides a node; then it is no longer found, and when nothing is left to
  // do it is forgotten with what lies below it.
  destroy(node: string): void {
    this.setProperty(node, "visible", false);
    if (this.gone.has(node)) return;
    const { ending } = this.spawner;
    this.gone.add(node);
    ending.push(node);
    this.undo.push(() => {
      this.gone.delete(node);
      ending.pop();
    });
    if (this.heard("unmount")) this.queue.push({ node, name: "unmount", payload: null, within: true });
  }

  // dropThreads lets go of turns that wait in nodes that are no more.
  dropThreads(dead: Set<string>): void {
    const kept = (t: Thread) => !t.frames.some((f) => dead.has(f.fn.owner));
    this.waiting = this.waiting.filter((w) => kept(w.thread));
    this.ready = this.ready.filter(kept);
  }

  // named are the nodes of a name that are still there, in their order.
  *named(name: string, byID: boolean): Generator<string> {
    for (const [id, n] of this.nodes) if ((n.name === name || (byID && id === name)) && !this.gone.has(id)) yield id;
  }

  // instances are the nodes that spawn made of a template.
  instances(name: string): List {
    return this.list([...this.named(name, false)].filter((id) => this.spawner.spawned.has(id)).map((id) => new NodeRef(id)));
  }

  tween(node: string, a: Value[]): void { this.clock.tween(node, a); }
  addUndo(f: () => void): void { this.undo.push(f); }

  // attempt takes back what it wrote when it throws, for a catch that goes on.
  attempt<T>(work: () => T): T {
    const writes = this.undo.length, changes = this.changed.length;
    try {
      return work();
    } catch (e) {
      this.goBack(writes);
      this.changed.length = changes;
      throw e;
    }
  }

  private goBack(to: number): void { while (this.undo.length > to) this.undo.pop()!(); }

  // play starts or stops a timeline; everything else is the host's.
  play(owner: string, what: "play" | "stop", a: Value[]): Value {
    if (typeof a[0] === "string" && this.clock.turnOn(a[0], what === "play")) return null;
    return this.outside("", owner, what, a);
  }

  // model asks the host's model. Without one the answer says which question it
  // was asked, the same everywhere.
  model(owner: string, a: Value[]): Value {
    this.note("host", owner, "llm_call", new List(a.slice()));
    const v = this.host.call?.("llm_call", owner, a);
    if (v !== undefined) return v;
    const prompt = this.printed(a[0] ?? null);
    this.chargeText(prompt);
    let h = 0x811c9dc5;
    for (const b of new TextEncoder().encode(prompt)) h = Math.imul(h ^ b, 0x01000193);
    return `stub ${(h >>> 0).toString(16).padStart(8, "0")}`;
  }

  functionOf(owner: string, name: string): number { return this.byName.get(owner)?.get(name) ?? -1; }

  hostCall(fn: string, owner: string, name: string, a: Value[]): Value {
    this.calls.set(name, (this.calls.get(name) ?? 0) + 1);
    const op = library.get(name);
    return op ? op(this, owner, a) : this.outside(fn, owner, name, a);
  }

  private outside(fn: string, owner: string, name: string, a: Value[]): Value {
    this.note("host", owner, name, new List(a.slice()));
    if (!this.host.call) return null;
    const v = this.host.call(name, owner, a);
    if (v !== undefined) return v;
    if (!this.unknown.has(name)) {
      this.unknown.add(name);
      const f = new Fault(Code.Host, `the host has no operation '${clip(name)}'`);
      f.function = fn;
      this.note("fault", owner, f.code, f.message, f);
      this.host.fault?.(owner, f);
    }
    return null;
  }

  // call runs a function to its end; it may not wait.
  call(fn: Func, args: Value[], boxes: Box[]): Value {
    if (this.depth >= Limit.MaxCalls) throw tooDeep(`more than ${Limit.MaxCalls} calls within calls`);
    this.depth++;
    try {
      const v = this.resume({ frames: [frame(fn, args, boxes, 0)], stack: [], depth: this.depth, at: 0, wait: undefined });
      if (v instanceof Asleep) throw wrongKind("await is not allowed here");
      return v;
    } finally {
      this.depth--;
    }
  }

  invoke(v: Value, args: Value[]): Value {
    const c = callable(v);
    return c.fn.of?.dead ? null : this.call(c.fn, args, c.boxes);
  }

  // resume runs a thread until it ends or waits; faults are thrown.
  protected resume(t: Thread): Value | Asleep {
    const outer = this.depth;
    try {
      for (;;) {
        try {
          for (;;) {
            this.depth = t.depth + t.frames.length;
            this.instruction(t);
            if (t.wait !== undefined) {
              const asleep = t.wait;
              t.wait = undefined;
              return asleep;
            }
            if (t.frames.length === 0) return t.stack.pop()!;
          }
        } catch (e) {
          if (!(e instanceof Fault)) throw e;
          const top = t.frames[t.frames.length - 1];
          top.pc = t.at; // what faults has its place; it entered no frame
          if (e.function === "") {
            e.function = top.fn.name;
            [e.line, e.column] = placeOf(top.fn, top.pc);
          }
          if (e.code === Code.Turn || !caught(t, e)) throw e;
        }
      }
    } finally {
      this.depth = outer;
    }
  }

  // charge counts work beyond one instruction.
  charge(n: number): void {
    this.budget -= n;
    this.spent += n;
  }

  chargeText(s: string): void {
    if (s.length * 3 >= Limit.ChargeBytes) this.charge(Math.floor(bytesOf(s) / Limit.ChargeBytes));
  }

  checkBudget(): void {
    if (this.budget < 0) throw tooLong(`the turn takes more than ${this.turnLimit} instructions`);
  }

  alloc(n: number): void {
    this.made += n;
    this.charge(Math.floor(n / Limit.ChargeBytes));
    if (this.made > Limit.MaxAlloc) throw tooLarge(`a turn makes more than ${Limit.MaxAlloc}`);
  }

  bytes(s: string): number { return bytesOf(s); }

  text(s: string): string {
    const n = bytesOf(s);
    if (n > Limit.MaxText) throw tooLarge(`text of ${n} bytes`);
    this.alloc(n);
    return s;
  }

  list(items: Value[]): List {
    if (items.length > Limit.MaxItems) throw tooLarge(`list of ${items.length} elements`);
    this.alloc(items.length + 1);
    return new List(items);
  }

  // printed is a value as text; printing a large one is work.
  printed(v: Value): string {
    if (typeof v === "string") return v;
    const s = textOf(v);
    if (v instanceof List || v instanceof Obj) this.chargeText(s);
    return s;
  }

  shown(v: Value): string { return typeof v === "string" ? quote(v) : this.printed(v); }

  same(a: Value, b: Value): boolean {
    const left = new Budget(Limit.MaxItems);
    const yes = equal(a, b, Limit.MaxDepth, left);
    this.charge(Math.floor((Limit.MaxItems - left.left) / Limit.ChargeElements));
    return yes;
  }

  // find is the place of a value in a list, -1 without one.
  find(items: Value[], x: Value): number {
    for (let i = 0; i < items.length; i++) {
      if (i % Limit.ChargeElements === Limit.ChargeElements - 1) this.charge(1);
      if (this.same(items[i], x)) return i;
      this.checkBudget();
    }
    return -1;
  }

  // numbers are the first arguments as numbers; those that are not given are 0.
  numbers(a: Value[], n: number): number[] {
    const out = new Array<number>(n).fill(0);
    for (let i = 0; i < Math.min(n, a.length); i++) {
      const v = asNumber(a[i]);
      if (v === undefined) throw wrongKind(`argument ${i + 1} is ${typeName(a[i])}, not a number`);
      out[i] = v;
    }
    return out;
  }

  log(node: string, text: string): void {
    this.note("log", node, "", text);
    this.host.log?.(node, short(text));
  }

  // note appends to the trace. Values are printed at once: they may change later.
  note(kind: string, node: string, name: string, value: Value, f?: Fault): void {
    if (!this.tracing) return;
    if (this.trace.length >= Limit.MaxTrace || this.made > Limit.MaxAlloc) {
      this.dropped++;
      return;
    }
    let text: string;
    if (value instanceof List || value instanceof Obj || value instanceof Closure) text = short(showOf(value));
    else if (typeof value === "string") text = quote(short(value));
    else text = showOf(value);
    this.trace.push({ at: this.time, kind, node, name, text, function: f?.function ?? "", line: f?.line ?? 0, column: f?.column ?? 0 });
  }

  // instruction runs one instruction of a thread. A thread that ends has no frames.
  private instruction(t: Thread): void {
    const fr = t.frames[t.frames.length - 1], { code } = fr.fn, { pc } = fr;
    t.at = pc;
    if (--this.budget < 0) throw tooLong(`the turn takes more than ${this.turnLimit} instructions`);
    this.spent++;
    const op = code[pc];
    if (t.stack.length >= Limit.MaxStack) throw tooLarge(`stack of more than ${Limit.MaxStack} values`);
    fr.pc = pc + 1 + width[op];
    bodies[op](this, t.stack, fr, code[pc + 1], code[pc + 2], t);
  }

  deeper(): void {
    if (this.depth >= Limit.MaxCalls) throw tooDeep(`more than ${Limit.MaxCalls} calls within calls`);
  }

  box(v: Value): Box { return v instanceof Box ? v : new Box(v, this.turn); }

  touchBox(b: Box): void {
    if (b.turn === this.turn) return;
    b.turn = this.turn;
    const old = b.v;
    this.undo.push(() => { b.v = old; });
  }

  // measure counts what state, properties and waiting turns hold.
  private measure(): number {
    const seen = new Set<Value>();
    const work: Value[] = [...this.slots];
    for (const of of this.props.values()) for (const v of of.values()) work.push(v);
    for (const e of this.queue) work.push(e.payload);
    for (const w of this.waiting) {
      for (const f of w.thread.frames) for (const v of f.locals) work.push(v);
      for (const v of w.thread.stack) work.push(v);
    }
    let n = 0;
    while (work.length > 0 && n <= Limit.MaxHeld) {
      const v = work.pop()!;
      n++;
      if (typeof v === "string") n += bytesOf(v);
      else if (typeof v === "object" && v !== null && !(v instanceof Iter)) {
        if (seen.has(v)) continue;
        seen.add(v);
      }
      if (v instanceof List || v instanceof Iter) for (const e of v.items) work.push(e);
      else if (v instanceof Obj) {
        for (const [k, e] of v.map) {
          n += bytesOf(k);
          work.push(e);
        }
      } else if (v instanceof Closure) for (const b of v.boxes) work.push(b.v);
      else if (v instanceof Box) work.push(v.v);
    }
    return n;
  }
}

export function frame(fn: Func, args: Value[], boxes: Box[], base: number): Frame {
  const locals = new Array<Value>(fn.locals).fill(null);
  const fixed = fn.rest ? fn.params - 1 : fn.params;
  for (let i = 0; i < Math.min(fixed, args.length); i++) locals[i] = args[i];
  if (fn.rest) locals[fixed] = new List(args.slice(fixed));
  for (let i = 0; i < boxes.length; i++) locals[fn.params + i] = boxes[i];
  return { fn, pc: 0, locals, base, tries: [] };
}

// caught goes on behind the innermost try.
function caught(t: Thread, f: Fault): boolean {
  while (t.frames.length > 0) {
    const top = t.frames[t.frames.length - 1], at = top.tries.pop();
    if (at) {
      t.stack.length = at.height;
      t.stack.push(f.value());
      top.pc = at.pc;
      return true;
    }
    t.stack.length = top.base;
    t.frames.pop();
  }
  return false;
}

function placeOf(f: Func, pc: number): [number, number] {
  let out: [number, number] = [0, 0];
  for (const l of f.lines) {
    if (l[0] > pc) break;
    out = [l[1], l[2]];
  }
  return out;
}

export function name2(into: Map<string, Map<string, number>>, owner: string, key: string, i: number): void {
  let of = into.get(owner);
  if (!of) into.set(owner, (of = new Map()));
  if (!of.has(key)) of.set(key, i);
}

// How nodes come and go while a program runs: instances of templates are made by
// spawn, born between turns, and forgotten when they were destroyed.
import { tooLarge } from "./fault.ts";
import { Limit } from "./tables.gen.ts";
import { name2, type Info, type Machine } from "./machine.ts";
import { Instance, ownerOf, type Block, type Tables, type Template } from "./templates.ts";
import { copyValue, NodeRef, Obj, type Value } from "./value.ts";

export class Spawner {
  readonly spawned = new Set<string>();
  born: Instance[] = []; // made and not yet running
  ending: string[] = []; // destroyed and not yet forgotten
  private rows = 0; // of living instances
  private readonly instances = new Map<string, Instance>(); // by root

  constructor(private readonly m: Machine, private readonly templates: Map<string, Template>, private readonly prototypes: Map<string, Info>) {}

  // spawn makes a node of a template's name, with all that the template has. What
  // it makes runs from the end of the turn on.
  spawn(owner: string, name: string, place: Value, overrides: Value): Value {
    const { m } = this, t = this.templates.get(name), size = t?.size ?? 0;
    if (this.spawned.size + (t?.nodes.length ?? 1) > Limit.MaxSpawned) throw tooLarge(`more than ${Limit.MaxSpawned} nodes`);
    if (this.rows + size > Limit.MaxRows) throw tooLarge(`more than ${Limit.MaxRows} rows are spawned`);
    m.charge(Math.floor(size / Limit.ChargeRows));
    const above = owner !== m.scene ? (m.nodes.get(owner)?.parent ?? "") : "";
    return new NodeRef(m.attempt(() => this.make(t, name, above, place, overrides instanceof Obj ? overrides.map : new Map())));
  }

  private make(t: Template | undefined, name: string, above: string, place: Value, overrides: Map<string, Value>): string {
    const { m } = this, ids = new Map<string, string>();
    for (const like of t?.nodes ?? [""]) {
      const p = this.prototypes.get(like), root = ids.get(t?.nodes[0] ?? ""), id = `s${++m.serial}`;
      this.arrive({ id, parent: root === undefined ? above : (ids.get(p?.parent ?? "") ?? root), name: root === undefined ? name : (p?.name ?? like) }, like);
      ids.set(like, id);
      for (const [k, v] of p?.props ?? []) m.putProp(id, k, copyValue(v, Limit.MaxDepth));
    }
    const [root] = ids.values(), i = t && this.instance(t, ids);
    // State comes after the first values, which may read the properties.
    const keys = [...overrides], state = (k: string) => m.slotOf.get(root)?.has(k) ?? false;
    if (place !== null) m.setProperty(root, "position", place);
    for (const [k, v] of keys) if (!state(k)) m.setProperty(root, k, v);
    if (i) this.begin(i);
    for (const [k, v] of keys) if (state(k)) m.putNode(root, k, v);
    return root;
  }

  // arrive gives a node its place among the others.
  private arrive(n: Info, like: string): void {
    const { m } = this;
    this.spawned.add(n.id);
    m.nodes.set(n.id, n);
    m.addUndo(() => this.forget(n.id));
    m.note("spawn", n.id, n.name, null);
    m.host.spawned?.(n.id, n.name, n.parent, like);
  }

  // instance gives an instance its place in the tables of the machine.
  private instance(t: Template, ids: Map<string, string>): Instance {
    const { m } = this;
    const block: Block = t.free.pop() ?? { state: m.states.length, computed: m.computeds.length, functions: m.functions.length };
    const i = new Instance(t, ids, block), { program: p } = m;
    t.functions.forEach((k, at) => {
      const f = p.functions[k], owner = i.node(f.owner);
      m.functions[block.functions + at] = { ...f, owner, of: i };
      name2(m.byName, owner, f.name, block.functions + at);
    });
    t.state.forEach((k, at) => {
      const s = p.state[k], owner = i.node(s.owner);
      m.states[block.state + at] = { owner, key: s.key };
      m.slots[block.state + at] = null;
      name2(m.slotOf, owner, s.key, block.state + at);
    });
    t.computed.forEach((k, at) => {
      const c = p.computed[k], owner = i.node(c.owner);
      m.computeds[block.computed + at] = { owner, key: c.key, fn: i.fn(c.fn), v: null, fresh: false, busy: false, version: 0 };
      name2(m.computedOf, owner, c.key, block.computed + at);
    });
    this.instances.set(i.root, i);
    this.rows += t.size;
    this.born.push(i);
    m.addUndo(() => {
      this.born = this.born.filter((o) => o !== i);
      this.end(i);
    });
    return i;
  }

  // begin gives the state of an instance its first values.
  private begin(i: Instance): void {
    const { m } = this, p = m.program;
    i.of.state.forEach((k, at) => {
      const { init } = p.state[k], slot = i.block.state + at;
      m.slots[slot] = typeof init === "number" ? p.consts[init] : m.call(m.functions[i.fn(init.fn)], [], []);
      m.host.state?.(m.states[slot].owner, m.states[slot].key, m.slots[slot]);
    });
  }

  // end gives back the block of an instance.
  private end(i: Instance): void {
    const { m } = this, { of: t, block } = i;
    i.dead = true;
    for (let at = 0; at < t.state.length; at++) {
      m.slots[block.state + at] = null;
      m.states[block.state + at] = { owner: "", key: "" };
    }
    for (let at = 0; at < t.computed.length; at++) Object.assign(m.computeds[block.computed + at], { v: null, fresh: false });
    t.free.push(block);
    this.rows -= t.size;
    this.instances.delete(i.root);
    for (const id of i.ids.values()) for (const names of [m.slotOf, m.byName, m.computedOf]) names.delete(id);
  }

  // forget lets go of a spawned node.
  private forget(id: string): void {
    const { m } = this;
    m.nodes.delete(id);
    m.gone.delete(id);
    this.spawned.delete(id);
    m.dropProps(id);
    m.dropProps(id + "\0state");
    for (const names of [m.slotOf, m.byName, m.computedOf]) names.delete(id);
    m.host.destroyed?.(id);
  }

  // birth lets an instance run: its rows, its machines, and what it does first.
  birth(i: Instance): void {
    const { m } = this, { live } = m, rows = i.of.rows;
    if (m.gone.has(i.root)) return;
    for (const h of rows.handlers) live.handlers.push({ ...h, node: i.node(h.node), fn: i.fn(h.fn) });
    for (const s of rows.subscriptions) live.subscriptions.push({ ...s, from: i.node(s.from), owner: i.node(s.owner), fn: i.fn(s.fn) });
    for (const w of rows.wires) live.wires.push({ ...w, from: i.node(w.from), set: w.set === undefined ? undefined : i.slot(w.set), fn: i.fn(w.fn) });
    for (const w of rows.watches) live.watches.push({ state: i.slot(w.state), fn: i.fn(w.fn) });
    const binds = rows.binds.map((b) => ({ ...b, node: i.node(b.node), fn: i.fn(b.fn) }));
    for (const b of binds) live.binds.push(b);
    m.bind(binds);
    m.machines.start(rows.machines, i);
    m.trees.start(rows.trees, i);
    m.clock.start(rows, i);
    m.raiseFirst({ node: i.root, within: true });
    m.flush();
  }

  // bury lets go of what was destroyed, with all that lies below it.
  bury(): void {
    const { m } = this, { live } = m, dead = new Set(this.ending);
    this.ending = [];
    for (const [id, n] of m.nodes) if (dead.has(n.parent)) dead.add(id);
    for (const k of Object.keys(live) as (keyof Tables)[]) {
      const rows = live[k] as Tables[typeof k][number][];
      (live[k] as unknown) = rows.filter((row) => !dead.has(ownerOf(m.functions, k, row)));
    }
    m.machines.forget(dead);
    m.trees.forget(dead);
    m.clock.forget(dead);
    m.dropThreads(dead);
    for (const id of [...dead].reverse()) {
      if (!this.spawned.has(id)) {
        m.host.destroyed?.(id);
        continue;
      }
      const i = this.instances.get(id);
      if (i) this.end(i);
      this.forget(id);
    }
  }
}

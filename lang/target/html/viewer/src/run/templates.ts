// Templates: the parts of a program that do not run themselves, of which spawn
// makes instances that do.
import type { Func, Program, StateMachine, Schedule, Timeline, Tree, Wire } from "./program.ts";

// Tables are the rows of a program that make something happen.
export interface Tables {
  handlers: { node: string; event: string; fn: number }[];
  subscriptions: { from: string; event: string; owner: string; fn: number }[];
  wires: Wire[];
  watches: { state: number; fn: number }[];
  binds: { node: string; property: string; fn: number }[];
  schedules: Schedule[];
  timelines: Timeline[];
  machines: StateMachine[];
  trees: Tree[];
}

// Block is where the state, the computed values and the functions of an instance
// begin in the tables of the machine.
export interface Block { state: number; computed: number; functions: number }

export interface Template {
  name: string;
  nodes: string[]; // root first
  state: number[]; // indexes in the program, as below
  computed: number[];
  functions: number[];
  stateAt: Map<number, number>; // places in a block
  computedAt: Map<number, number>;
  functionAt: Map<number, number>;
  rows: Tables;
  size: number; // all of it, as the limit of rows counts
  free: Block[]; // given back
}

// Instance is one copy of a template. What code and rows of the template name is
// its own here; everything else is as it stands.
export class Instance {
  dead = false;
  constructor(readonly of: Template, readonly ids: Map<string, string>, readonly block: Block) {}
  get root(): string { return this.ids.get(this.of.nodes[0])!; }
  node(id: string): string { return this.ids.get(id) ?? id; }
  slot(i: number): number { return moved(this.of.stateAt, this.block.state, i); }
  computed(i: number): number { return moved(this.of.computedAt, this.block.computed, i); }
  fn(i: number): number { return moved(this.of.functionAt, this.block.functions, i); }
}

function moved(places: Map<number, number>, from: number, i: number): number {
  const at = places.get(i);
  return at === undefined ? i : from + at;
}

const none = (): Tables => ({ handlers: [], subscriptions: [], wires: [], watches: [], binds: [], schedules: [], timelines: [], machines: [], trees: [] });

// apart are the rows of a program that run from the start, and its templates by name.
export function apart(p: Program): { live: Tables; templates: Map<string, Template>; owners: Map<string, Template> } {
  const live = none(), templates = new Map<string, Template>(), owners = new Map<string, Template>();
  for (const { name, nodes } of p.templates) {
    const t: Template = {
      name, nodes, state: [], computed: [], functions: [], stateAt: new Map(), computedAt: new Map(), functionAt: new Map(), rows: none(), size: nodes.length, free: [],
    };
    templates.set(name, t);
    for (const id of nodes) owners.set(id, t);
  }
  const keep = (owner: string, i: number, list: "state" | "computed" | "functions", places: "stateAt" | "computedAt" | "functionAt") => {
    const t = owners.get(owner);
    if (!t) return;
    t[places].set(i, t[list].length);
    t[list].push(i);
    t.size++;
  };
  p.state.forEach((s, i) => keep(s.owner, i, "state", "stateAt"));
  p.computed.forEach((c, i) => keep(c.owner, i, "computed", "computedAt"));
  p.functions.forEach((f, i) => keep(f.owner, i, "functions", "functionAt"));
  const sort = <K extends keyof Tables>(k: K) => {
    for (const row of p[k] as Tables[K][number][]) {
      const t = owners.get(ownerOf(p.functions, k, row));
      (t ? t.rows : live)[k].push(row as never);
      if (t) t.size++;
    }
  };
  for (const k of Object.keys(live) as (keyof Tables)[]) sort(k);
  return { live, templates, owners };
}

// ownerOf is the node that a row belongs to.
export function ownerOf<K extends keyof Tables>(functions: Func[], table: K, row: Tables[K][number]): string {
  const r = row as Partial<Tables["subscriptions"][number] & Tables["handlers"][number] & Timeline>;
  if (table === "subscriptions") return r.owner!;
  if (table === "timelines") return r.steps!.length > 0 ? functions[r.steps![0][1]].owner : "";
  return r.node ?? functions[r.fn!].owner;
}

// The form program/1 and the checks before it runs: the same as in lang/run, so
// that both interpreters refuse the same documents.
import { Limit, Op, rows, treeNodes } from "./tables.gen.ts";
import type { Instance } from "./templates.ts";

export type Init = number | { fn: number };
export interface Func {
  name: string; owner: string; params: number; locals: number; code: number[]; lines: [number, number, number][];
  rest?: boolean; // the last parameter is the list of all arguments that the others leave
  of?: Instance; // of a copy: what it is a part of; no document has it
}
export interface Transition { event: string; to: number; guard: number; action: number }
export interface State { name: string; parent: number; entry: number; exit: number; after?: [number, number] | []; on: Transition[] }
export interface StateMachine { node: string; initial: number; states: State[] }
export interface TreeNode { type: string; params: { times?: number; duration?: number; policy?: string }; fn: number; children: TreeNode[] }
export interface Tree { node: string; rate: number; restart: boolean; root: TreeNode }
export interface Wire { from: string; event: string; set?: number; fn: number; args?: number[] }
export interface Schedule { fn: number; after: number; every: number; forever: boolean }
export interface Timeline { id: string; loop: boolean; autoplay: boolean; steps: [number, number][] }
export interface Program {
  v: string;
  seed: [number, number, number, number];
  rates: { spatial: number; cognitive: number };
  consts: (null | boolean | number | string)[];
  host: string[];
  state: { owner: string; key: string; init: Init; persist?: boolean }[];
  functions: Func[];
  computed: { owner: string; key: string; fn: number }[];
  watches: { state: number; fn: number }[];
  binds: { node: string; property: string; fn: number }[];
  handlers: { node: string; event: string; fn: number }[];
  subscriptions: { from: string; event: string; owner: string; fn: number }[];
  wires: Wire[];
  schedules: Schedule[];
  timelines: Timeline[];
  machines: StateMachine[];
  trees: Tree[];
  templates: { name: string; nodes: string[] }[]; // the nodes of what spawn copies, parents before children
}

export const programVersion = "program/1";

interface Shape { args: string; pop: number; push: number; each: number; flow: string; land: number; tries: number }
const shapes: Shape[] = rows.split("|").map((row) => {
  const [args, pop, push, each = 0, flow = "-", land = 0, tries = 0] = row.split(" ");
  return { args: args === "-" ? "" : args, pop: +pop, push: +push, each: +each, flow, land: +land, tries: +tries };
});
export const width: number[] = shapes.map((s) => s.args.length);

const kinds = new Map(treeNodes.split("|").map((row) => row.split(" ") as [string, string]));

function refuse(text: string): never { throw new Error(`program refused: ${text}`); }
function need(ok: boolean, text: string): void { if (!ok) refuse(text); }

type Field = "text" | "whole" | "number" | "flag" | "list" | "object" | "any";
// The keys of every object of the form; ? may be left out.
const forms: Record<string, Record<string, Field>> = {
  program: {
    v: "text", seed: "list", rates: "object", consts: "list", host: "list", state: "list", functions: "list", computed: "list", watches: "list",
    binds: "list", handlers: "list", subscriptions: "list", wires: "list", schedules: "list", timelines: "list", machines: "list", trees: "list",
    templates: "list",
  },
  rates: { spatial: "whole", cognitive: "whole" },
  state: { owner: "text", key: "text", init: "any", persist: "flag" },
  functions: { name: "text", owner: "text", params: "whole", rest: "flag", locals: "whole", code: "list", lines: "list" },
  computed: { owner: "text", key: "text", fn: "whole" },
  watches: { state: "whole", fn: "whole" },
  binds: { node: "text", property: "text", fn: "whole" },
  handlers: { node: "text", event: "text", fn: "whole" },
  subscriptions: { from: "text", event: "text", owner: "text", fn: "whole" },
  wires: { from: "text", event: "text", set: "whole", fn: "whole", args: "list" },
  schedules: { fn: "whole", after: "number", every: "number", forever: "flag" },
  timelines: { id: "text", loop: "flag", autoplay: "flag", steps: "list" },
  machines: { node: "text", initial: "whole", states: "list" },
  states: { name: "text", parent: "whole", entry: "whole", exit: "whole", after: "list", on: "list" },
  on: { event: "text", to: "whole", guard: "whole", action: "whole" },
  trees: { node: "text", rate: "number", restart: "flag", root: "object" },
  templates: { name: "text", nodes: "list" },
  tree: { type: "text", params: "object", fn: "whole", children: "list" },
  params: { times: "whole", duration: "number", policy: "text" },
};
const empty: Record<Field, unknown> = { text: "", whole: 0, number: 0, flag: false, list: undefined, object: undefined, any: { fn: 0 } };
const optional = new Set(["persist", "rest", "set", "args", "after", "times", "duration", "policy"]);

// shaped checks the keys and kinds of an object, and fills in what is left out.
function shaped(v: unknown, form: string): Record<string, unknown> {
  need(typeof v === "object" && v !== null && !Array.isArray(v), `${form} is no object`);
  const out = v as Record<string, unknown>;
  const keys = forms[form];
  for (const k of Object.keys(out)) need(Object.hasOwn(keys, k), `${form} has the key ${JSON.stringify(k).slice(0, 40)}`);
  for (const [k, kind] of Object.entries(keys)) {
    let x = out[k];
    if (x === undefined || (x === null && kind !== "any")) {
      if (optional.has(k)) {
        delete out[k];
        continue;
      }
      x = out[k] = kind === "list" ? [] : kind === "object" ? {} : empty[kind];
    }
    const ok = kind === "text" ? typeof x === "string" : kind === "flag" ? typeof x === "boolean" : kind === "list" ? Array.isArray(x)
      : kind === "whole" ? Number.isSafeInteger(x) : kind === "number" ? typeof x === "number" && Number.isFinite(x) : true;
    need(ok, `${form}.${k} is of the wrong kind`);
  }
  return out;
}

function list(v: unknown, form: string): void {
  for (const x of v as unknown[]) shaped(x, form);
}

function whole(v: unknown, n?: number): boolean {
  return Array.isArray(v) && (n === undefined || v.length === n) && v.every((x) => Number.isSafeInteger(x));
}

// load takes a program from JSON text or from an object that JSON.parse made. It
// throws for other versions, unknown keys, wrong indices, and code that could
// leave its stack, its locals or its bounds.
export function load(from: string | object): Program {
  if (typeof from === "string" && from.length > Limit.MaxDocument) refuse("it is too large");
  const doc = typeof from === "string" ? (JSON.parse(from) as unknown) : from;
  const v = typeof doc === "object" && doc !== null ? (doc as { v?: unknown }).v : undefined;
  need(v === programVersion, `it is ${JSON.stringify(v)?.slice(0, 40)}; this reader knows ${programVersion}`);
  const p = shaped(doc, "program") as unknown as Program;
  shaped(p.rates, "rates");
  need(whole(p.seed) && p.seed.length <= 4 && p.seed.every((n) => n >= 0 && n < 2 ** 32), "the seed is no four numbers");
  while (p.seed.length < 4) p.seed.push(0);
  for (const k of ["state", "functions", "computed", "watches", "binds", "handlers", "subscriptions", "wires", "schedules", "timelines", "machines", "trees", "templates"] as const) {
    need(p[k].length <= Limit.MaxEntries, `more than ${Limit.MaxEntries} ${k}`);
    list(p[k], k);
  }
  need(p.host.length <= Limit.MaxEntries && p.host.every((h) => typeof h === "string"), "host operations are texts");
  for (const f of p.functions) {
    need(whole(f.code) && f.lines.every((l) => whole(l) && l.length <= 3), "code is whole numbers");
    for (const l of f.lines) while (l.length < 3) l.push(0);
  }
  for (const m of p.machines) {
    list(m.states, "states");
    for (const s of m.states) list(s.on, "on");
  }
  verify(p);
  return p;
}

function verify(p: Program): void {
  const r = p.rates;
  need(r.spatial >= 60 && r.spatial <= 90 && r.cognitive >= 2 && r.cognitive <= 10, "rates out of range");
  need(p.consts.length <= Limit.MaxConsts && p.functions.length <= Limit.MaxFunctions, "too many constants or functions");
  for (const c of p.consts) {
    const ok = c === null || typeof c === "boolean" || (typeof c === "number" && Number.isFinite(c)) || (typeof c === "string" && c.length <= Limit.MaxText);
    need(ok, "a constant is neither null, boolean, number nor text");
  }
  let total = 0;
  const captured = new Array<number>(p.functions.length).fill(0);
  p.functions.forEach((f, i) => {
    total += f.code.length;
    need(total <= Limit.MaxTotalCode && f.code.length <= Limit.MaxCode, "too much code");
    verifyFunction(p, f, captured, i);
  });
  p.functions.forEach((f, i) => need(f.params + captured[i] <= f.locals, `function ${i} has no room for its boxes`));
  verifyTables(p);
}

function verifyTables(p: Program): void {
  const fn = (i: unknown, none = false) => need(Number.isSafeInteger(i) && ((none && i === -1) || ((i as number) >= 0 && (i as number) < p.functions.length)), `there is no function ${String(i)}`);
  const seconds = (t: number) => t >= 0 && t <= 1e9;
  const within = (i: number, n: number) => i >= 0 && i < n;
  for (const s of p.state) {
    if (typeof s.init === "number") need(Number.isSafeInteger(s.init) && within(s.init, p.consts.length), "state without a first value");
    else {
      const init = s.init as { fn?: number } | null;
      need(typeof init === "object" && init !== null && Object.keys(init).length === 1, "state without a first value");
      fn(init!.fn);
    }
  }
  for (const k of ["computed", "watches", "binds", "handlers", "subscriptions", "wires", "schedules"] as const) for (const x of p[k]) fn(x.fn);
  for (const w of p.watches) need(within(w.state, p.state.length), "a watch on no state");
  for (const w of p.wires) {
    need(w.set === undefined || within(w.set, p.state.length), "a wire sets no state");
    need((w.args ?? []).length <= Limit.MaxStack / 2, "a wire passes too much");
    for (const a of w.args ?? []) need(Number.isSafeInteger(a) && within(a, p.consts.length), "a wire passes no constant");
  }
  for (const s of p.schedules) need(seconds(s.after) && seconds(s.every), "a schedule has a wrong time");
  for (const t of p.timelines) {
    need(t.steps.length <= Limit.MaxEntries, "a timeline is too long");
    t.steps.forEach((s, j) => {
      need(Array.isArray(s) && s.length === 2 && typeof s[0] === "number" && seconds(s[0]) && (j === 0 || s[0] >= t.steps[j - 1][0]), "a timeline has a wrong step");
      fn(s[1]);
    });
  }
  for (const m of p.machines) verifyMachine(p, m, fn, seconds);
  for (const t of p.trees) {
    need(t.rate > 0 && t.rate <= 60, "a tree has a wrong rate");
    const left = { n: Limit.MaxEvents };
    verifyTree(t.root, 0, left, fn);
  }
  verifyTemplates(p);
}

// verifyTemplates refuses templates that spawn could not distinguish.
function verifyTemplates(p: Program): void {
  const names = new Set<string>(), nodes = new Set<unknown>();
  for (const t of p.templates) {
    need(t.name !== "" && !names.has(t.name), "a template has no name of its own");
    names.add(t.name);
    need(t.nodes.length > 0 && nodes.size + t.nodes.length <= Limit.MaxEntries, "a template has no nodes, or too many");
    for (const id of t.nodes) {
      need(typeof id === "string" && id !== "" && id !== "scene" && id !== "*" && !nodes.has(id), "a template has a node that is none of its own");
      nodes.add(id);
    }
  }
}

type CheckFn = (i: unknown, none?: boolean) => void;

function verifyMachine(_: Program, m: StateMachine, fn: CheckFn, seconds: (t: number) => boolean): void {
  const n = m.states.length;
  need(m.initial >= 0 && m.initial < n && n <= Limit.MaxEntries, "a machine without its initial state");
  m.states.forEach((s, i) => {
    need(s.parent >= -1 && s.parent < i, "a state lies in no state");
    const after = s.after ?? [];
    const [t, to] = after as number[];
    need(after.length === 0 || (after.length === 2 && typeof t === "number" && seconds(t) && Number.isSafeInteger(to) && to >= -1 && to < n), "a state has a wrong time-out");
    fn(s.entry, true);
    fn(s.exit, true);
    for (const t of s.on) {
      need(t.to >= 0 && t.to < n, "a transition leads to no state");
      fn(t.guard, true);
      fn(t.action, true);
    }
  });
}

function verifyTree(raw: TreeNode, depth: number, left: { n: number }, fn: CheckFn): void {
  need(--left.n >= 0 && depth <= Limit.MaxNesting, "a tree is too large or too deep");
  const n = shaped(raw, "tree") as unknown as TreeNode;
  shaped(n.params, "params");
  const kind = kinds.get(n.type) ?? refuse("a tree has a node of no kind"), many = n.children.length;
  need(kind[0] === "s" ? many > 0 : many === (kind[0] === "o" ? 1 : 0), "a tree node has a wrong number of children");
  const { duration = 0, times = 0, policy = "" } = n.params;
  need(duration >= 0 && duration <= 1e9 && times >= 0 && ["", "all", "any"].includes(policy), "a tree node has wrong settings");
  fn(n.fn, kind[1] !== "f");
  for (const c of n.children) verifyTree(c, depth + 1, left, fn);
}

// verifyFunction walks all paths through a function: the height of the stack and
// of the tries is known at every place.
function verifyFunction(p: Program, f: Func, captured: number[], index: number): void {
  const code = f.code;
  const bad = (text: string): never => refuse(`function ${index}: ${text}`);
  if (f.params < 0 || f.locals < f.params || f.locals > Limit.MaxLocals || code.length === 0 || (f.rest && f.params === 0)) bad("wrong counts");
  f.lines.forEach((l, i) => { if (l[0] < 0 || l[0] >= code.length || (i > 0 && l[0] < f.lines[i - 1][0])) bad("lines out of order"); });
  const starts = verifyCode(p, f, bad);
  const heights = new Int32Array(code.length).fill(-1), tries = new Int32Array(code.length);
  const work: number[] = [];
  const reach = (pc: number, h: number, t: number) => {
    if (pc < 0 || pc >= code.length || !starts[pc]) bad(`a way leads to ${pc}, where no instruction begins`);
    if (h > Limit.MaxStack || t > Limit.MaxCalls) bad(`stack too high at ${pc}`);
    if (heights[pc] < 0) {
      heights[pc] = h;
      tries[pc] = t;
      work.push(pc);
    } else if (heights[pc] !== h || tries[pc] !== t) bad(`ways with unlike stacks meet at ${pc}`);
  };
  reach(0, 0, 0);
  while (work.length > 0) {
    const pc = work.pop()!, op = code[pc] as Op, s = shapes[op];
    const next = pc + 1 + s.args.length;
    const pop = s.pop + (s.each && code[next - 1] * s.each);
    if (heights[pc] < pop) bad(`stack too low at ${pc}`);
    // The table says all but what closures capture and how many values an event has.
    if (op === Op.Fn) captured[code[pc + 1]] = Math.max(captured[code[pc + 1]], code[pc + 2]);
    if (op === Op.Emit && code[pc + 1] !== 1 && code[pc + 1] !== 2) bad("emit of a wrong number of values");
    const h = heights[pc] - pop + s.push, t = tries[pc] + s.tries;
    if (s.flow === "j" || s.flow === "b") reach(code[pc + 1], h + s.land, tries[pc]);
    if (t < 0) bad(`endtry without try at ${pc}`);
    if (s.flow === "-" || s.flow === "b") reach(next, h, t);
  }
}

// verifyCode finds where instructions begin, and checks their operands.
function verifyCode(p: Program, f: Func, bad: (text: string) => never): Uint8Array {
  const code = f.code, starts = new Uint8Array(code.length);
  const most: Record<string, number> = {
    c: p.consts.length, t: p.consts.length, l: f.locals, s: p.state.length, x: p.computed.length, j: code.length, f: p.functions.length, h: p.host.length,
    n: Limit.MaxStack,
  };
  for (let pc = 0; pc < code.length;) {
    const s = shapes[code[pc]] ?? bad(`no instruction ${code[pc]} at ${pc}`);
    starts[pc] = 1;
    if (pc + s.args.length >= code.length) bad("code ends within an instruction");
    for (let i = 0; i < s.args.length; i++) {
      const a = s.args[i], v = code[pc + 1 + i];
      if (v < 0 || v >= most[a]) bad(`operand ${v} out of range at ${pc}`);
      if (a === "t" && typeof p.consts[v] !== "string") bad(`constant ${v} is no text`);
    }
    pc += 1 + s.args.length;
  }
  return starts;
}

// The operations that the interpreter answers itself. All others go to the host.
import { wrongKind, tooMany } from "./fault.ts";
import { Limit, numbers, type Numeric, type Operation } from "./tables.gen.ts";
import { parse } from "./json.ts";
import type { Machine } from "./machine.ts";
import { method, trim } from "./methods.ts";
import { asNumber, Closure, List, NodeRef, short, truthy, typeName, type Value } from "./value.ts";

type Body = (m: Machine, owner: string, a: Value[]) => Value;
const first = (a: Value[]): Value => a[0] ?? null;

const logged: Body = (m, owner, a) => {
  const words = a.map((v) => short(m.printed(v)));
  m.log(owner, words.join(" "));
  m.alloc(words.reduce((n, w) => n + m.bytes(w), 0));
  return null;
};

// target is the node that a call is about, and the arguments behind it.
function target(owner: string, a: Value[]): [string, Value[]] {
  const n = a[0];
  return n instanceof NodeRef ? [n.id, a.slice(1)] : [owner, a];
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

function toNumber(a: Value[]): number {
  const v = first(a);
  if (typeof v === "string") {
    const t = trim(v);
    return decimal.test(t) ? Number(t) : NaN;
  }
  return asNumber(v) ?? NaN;
}

function fold(m: Machine, a: Value[], start: number, f: (x: number, y: number) => number): number {
  return m.numbers(a, a.length).reduce((x, y) => f(x, y), start);
}

const clamp = (x: number, lo: number, hi: number) => Math.max(lo, Math.min(hi, x));

// ease is the easing of a name at u between 0 and 1.
export function ease(name: string, u: number): number {
  u = clamp(u, 0, 1);
  switch (name.toLowerCase().replace(/[-_ ]/g, "")) {
    case "easein": case "easeinquad": return u * u;
    case "easeout": case "easeoutquad": return 1 - (1 - u) * (1 - u);
    case "easeinout": case "easeinoutquad": return u * u * (3 - 2 * u);
    case "easeincubic": return u * u * u;
    case "easeoutcubic": return 1 - (1 - u) * (1 - u) * (1 - u);
    case "easeinoutcubic": return u < 0.5 ? 4 * u * u * u : 1 - 4 * (1 - u) * (1 - u) * (1 - u);
    case "easeinsine": return 1 - Math.cos((u * Math.PI) / 2);
    case "easeoutsine": return Math.sin((u * Math.PI) / 2);
    case "easeinoutsine": return (1 - Math.cos(u * Math.PI)) / 2;
    case "step": return u < 1 ? 0 : 1;
  }
  return u;
}

// between is a value from x to y: of numbers, and of lists of them.
export function between(m: Machine, x: Value, y: Value, u: number): Value {
  if (x instanceof List && y instanceof List) {
    const n = Math.min(x.items.length, y.items.length);
    const out: Value[] = [];
    for (let i = 0; i < n; i++) out.push(between(m, scalar(x.items[i]), scalar(y.items[i]), u));
    return m.list(out);
  }
  const [a, b] = m.numbers([x, y], 2);
  return a + (b - a) * u;
}

function scalar(v: Value): Value { return v instanceof List ? 0 : v; }

const bodies: Record<Operation, Body> = {
  "log": logged, "print": logged, "console.log": logged,
  lerp: (m, _o, a) => between(m, first(a), a[1] ?? null, m.numbers(a.slice(2), 1)[0]),
  ease: (m, _o, a) => typeof first(a) === "string" ? ease(first(a) as string, m.numbers(a.slice(1), 1)[0]) : ease(m.printed(a[1] ?? null), m.numbers(a, 1)[0]),
  random: (m, _o, a) => {
    if (a.length === 0) return m.random();
    if (a.length === 1) return m.random() * m.numbers(a, 1)[0];
    const [lo, hi] = m.numbers(a, 2);
    return lo + m.random() * (hi - lo);
  },
  choose: (m, _o, a) => {
    const from = a.length === 1 && a[0] instanceof List ? a[0].items : a;
    return from.length === 0 ? null : from[Math.floor(m.random() * from.length)];
  },
  now: (m) => m.time, current_time: (m) => m.time, wait: (_m, _o, a) => first(a),
  generate_id: (m) => `id${++m.serial}`,
  distance: (m, _o, a) => {
    if (a.length < 2) throw wrongKind("distance needs two places");
    const places = a.slice(0, 2).map((v) => {
      const at = v instanceof NodeRef ? m.property(v.id, "position") : v;
      if (!(at instanceof List)) throw wrongKind(`distance needs places, not ${typeName(at)}`);
      return at.items;
    });
    let sum = 0;
    for (let i = 0; i < Math.min(places[0].length, places[1].length); i++) {
      const [x, y] = m.numbers([places[0][i], places[1][i]], 2);
      sum += (x - y) * (x - y);
    }
    return Math.sqrt(sum);
  },
  typeof: (_m, _o, a) => typeName(first(a)),
  set_timeout: (m, owner, a) => {
    let c: Closure | undefined, seconds = 0;
    for (const v of a) {
      if (v instanceof Closure) c = v;
      else if (typeof v === "number") seconds = v;
    }
    if (!c) throw wrongKind("set_timeout needs a function");
    if (m.sleepers >= Limit.MaxWaiting) throw tooMany(`more than ${Limit.MaxWaiting} turns wait`);
    m.later(c, Math.min(Math.max(seconds === seconds ? seconds : 0, 0), 1e9), owner);
    return null;
  },
  get_node: (m, _o, a) => {
    const name = m.printed(first(a));
    for (const id of m.named(name, true)) return new NodeRef(id);
    return null;
  },
  find_all: (m, _o, a) => {
    const name = m.printed(first(a));
    return m.list([...m.named(name, false)].map((id) => new NodeRef(id)));
  },
  instances: (m, _o, a) => m.instances(m.printed(first(a))),
  show: (m, owner, a) => { m.setProperty(target(owner, a)[0], "visible", true); return null; },
  hide: (m, owner, a) => { m.setProperty(target(owner, a)[0], "visible", false); return null; },
  set_text: (m, owner, a) => { const [n, rest] = target(owner, a); m.setProperty(n, "text", first(rest)); return null; },
  destroy: (m, owner, a) => {
    if (a.length === 0) m.destroy(owner);
    else if (a[0] instanceof NodeRef) m.destroy(a[0].id); // else what is not there
    return null;
  },
  tween: (m, owner, a) => { const [n, rest] = target(owner, a); m.tween(n, rest); return null; },
  move_to: (m, owner, a) => { const [n, rest] = target(owner, a); m.tween(n, ["position", ...rest]); return null; },
  transition: (m, owner, a) => {
    const [n, rest] = target(owner, a);
    m.emit(n, "transition", first(rest)); // the machines of the node take it
    return null;
  },
  play: (m, owner, a) => m.play(owner, "play", a), stop: (m, owner, a) => m.play(owner, "stop", a),
  llm_call: (m, owner, a) => m.model(owner, a),
  calls: (m, _o, a) => m.calls.get(m.printed(first(a))) ?? 0,
  "JSON.stringify": (m, _o, a) => m.text(m.shown(first(a))),
  "JSON.parse": (m, _o, a) => {
    const s = first(a);
    if (typeof s !== "string") throw wrongKind("JSON.parse needs a text");
    const v = parse(s);
    if (v === undefined) throw wrongKind("this is not JSON");
    m.alloc(m.bytes(s));
    return v;
  },
  "Object.keys": (m, _o, a) => method(m, first(a), "keys", []),
  "Object.values": (m, _o, a) => method(m, first(a), "values", []),
  "Object.entries": (m, _o, a) => method(m, first(a), "entries", []),
  Number: (_m, _o, a) => toNumber(a), parseFloat: (_m, _o, a) => toNumber(a), parse_number: (_m, _o, a) => toNumber(a),
  parseInt: (_m, _o, a) => Math.trunc(toNumber(a)),
  String: (m, _o, a) => m.text(m.printed(first(a))),
  Boolean: (_m, _o, a) => truthy(first(a)),
  "Math.min": (m, _o, a) => fold(m, a, Infinity, Math.min),
  "Math.max": (m, _o, a) => fold(m, a, -Infinity, Math.max),
  "Math.random": (m) => m.random(),
  "Math.hypot": (m, _o, a) => Math.sqrt(m.numbers(a, a.length).reduce((s, x) => s + x * x, 0)),
};

const { abs, floor, ceil, trunc, sign, sqrt, cbrt, exp, log, log2, log10, sin, cos, tan, asin, acos, atan, atan2, pow } = Math;

// numeric are the operations of numbers alone.
const numeric: { [K in keyof Numeric]: (...n: [...Parameters<Numeric[K]>, Machine]) => number } = {
  clamp, map_range: (x, a0, a1, b0, b1) => (a1 === a0 ? b0 : b0 + (b1 - b0) * ((x - a0) / (a1 - a0))),
  random_int: (from, to, m) => {
    const lo = ceil(from), hi = floor(to);
    return lo + floor(m.random() * (hi - lo + 1));
  },
  "Math.abs": abs, "Math.floor": floor, "Math.ceil": ceil, "Math.trunc": trunc, "Math.sign": sign, "Math.sqrt": sqrt, "Math.cbrt": cbrt,
  "Math.exp": exp, "Math.log": log, "Math.log2": log2, "Math.log10": log10, "Math.sin": sin, "Math.cos": cos, "Math.tan": tan, "Math.asin": asin,
  "Math.acos": acos, "Math.atan": atan, "Math.atan2": atan2, "Math.pow": pow, "Math.round": (x) => floor(x + 0.5),
};

// library has a body for each row of the table, or the compiler says so.
export const library = new Map<string, Body>(Object.entries(bodies));
for (const [name, f] of Object.entries(numeric)) {
  const n = numbers[name] ?? 1;
  library.set(name, (m, _o, a) => (f as (...n: unknown[]) => number)(...m.numbers(a, n), m));
}

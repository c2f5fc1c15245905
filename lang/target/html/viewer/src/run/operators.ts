// The operators on values. Each throws a Fault where a value has the wrong kind.
import { tooLarge, wrongKind } from "./fault.ts";
import { Limit } from "./tables.gen.ts";
import type { Machine } from "./machine.ts";
import { Op } from "./tables.gen.ts";
import { asNumber, Closure, compareText, formatNumber, Iter, List, NodeRef, Obj, runesOf, StateOf, clip, typeName, type Value } from "./value.ts";

export function arithmetic(op: Op, x: Value, y: Value): number {
  const a = asNumber(x), b = asNumber(y);
  if (a === undefined) throw wrongKind(`arithmetic needs numbers, not ${typeName(x)}`);
  if (b === undefined) throw wrongKind(`arithmetic needs numbers, not ${typeName(y)}`);
  switch (op) {
    case Op.Add: return a + b;
    case Op.Sub: return a - b;
    case Op.Mul: return a * b;
    case Op.Div: return a / b;
    case Op.Mod: return a % b;
  }
  return Math.pow(a, b);
}

export function bits(op: Op, x: Value, y: Value): number {
  const a = asNumber(x), b = asNumber(y);
  if (a === undefined || b === undefined) throw wrongKind("operators on bits need numbers");
  switch (op) {
    case Op.And: return a & b;
    case Op.Or: return a | b;
    case Op.Xor: return a ^ b;
    case Op.Shl: return a << b;
  }
  return a >> b;
}

export function order(m: Machine, op: Op, x: Value, y: Value): boolean {
  let c: number;
  if (typeof x === "string" && typeof y === "string") {
    m.chargeText(x.length < y.length ? x : y);
    c = compareText(x, y);
  } else {
    const a = asNumber(x), b = asNumber(y);
    if (a === undefined || b === undefined) throw wrongKind(`${typeName(x)} and ${typeName(y)} have no order`);
    if (a !== a || b !== b) return false;
    c = a < b ? -1 : a > b ? 1 : 0;
  }
  return op === Op.Lt ? c < 0 : op === Op.Le ? c <= 0 : op === Op.Gt ? c > 0 : c >= 0;
}

export function within(m: Machine, x: Value, y: Value): boolean {
  if (y instanceof List) return m.find(y.items, x) >= 0;
  if (y instanceof Obj) return y.map.has(m.printed(x));
  if (typeof y === "string") {
    m.chargeText(y);
    return y.includes(m.printed(x));
  }
  throw wrongKind(`nothing can be in ${typeName(y)}`);
}

export function rangeOf(m: Machine, x: Value, y: Value): Value {
  if (typeof x !== "number" || typeof y !== "number" || x !== x || y !== y) throw wrongKind("a range needs numbers");
  if (y - x > Limit.MaxItems) throw tooLarge(`range of ${formatNumber(y - x)} elements`);
  const items: Value[] = [];
  for (let v = x; v < y && items.length <= Limit.MaxItems; v++) items.push(v);
  return m.list(items);
}

export function merge(m: Machine, x: Value, y: Value): Value {
  if (y === null && x instanceof Obj) return x;
  if (!(x instanceof Obj) || !(y instanceof Obj)) throw wrongKind(`only an object can be spread into an object, not ${typeName(y)}`);
  if (x.map.size + y.map.size > Limit.MaxItems) throw tooLarge(`object of ${x.map.size + y.map.size} fields`);
  const out = new Obj(new Map(x.map));
  for (const [k, v] of y.map) out.map.set(k, v);
  m.alloc(out.map.size + 1);
  return out;
}

// iterate begins a walk over the elements of a list, the characters of a text or
// the keys of an object.
export function iterate(m: Machine, v: Value): Iter {
  let items: Value[] = [];
  if (v instanceof List) items = v.items.slice();
  else if (v instanceof Obj) items = [...v.map.keys()];
  else if (typeof v === "string") {
    if (runesOf(v) > Limit.MaxItems) throw tooLarge("too many characters to walk over");
    items = [...v];
  } else if (v !== null) throw wrongKind(`cannot walk over ${typeName(v)}`);
  m.alloc(items.length + 1);
  return new Iter(items);
}

// position is an index within 0 and n, else -1.
export function position(v: Value, n: number): number {
  return typeof v === "number" && Number.isInteger(v) && v >= 0 && v < n ? v : -1;
}

export function index(m: Machine, x: Value, i: Value): Value {
  if (x instanceof List) {
    const at = position(i, x.items.length);
    return at >= 0 ? x.items[at] : null;
  }
  if (typeof x === "string") {
    const rs = [...x];
    m.alloc(rs.length);
    const at = position(i, rs.length);
    return at >= 0 ? rs[at] : null;
  }
  if (x === null) throw wrongKind(`null has no element ${clip(m.printed(i))}`);
  return member(m, x, m.printed(i));
}

export function putIndex(m: Machine, x: Value, i: Value, v: Value): void {
  if (!(x instanceof List)) return putMember(m, x, m.printed(i), v);
  if (typeof i === "number" && i === x.items.length && i < Limit.MaxItems) {
    m.touch(x);
    x.items.push(v);
    return m.alloc(1);
  }
  const at = position(i, x.items.length);
  if (at < 0) throw wrongKind(`a list of ${x.items.length} elements has no place ${clip(m.printed(i))}`);
  m.touch(x);
  x.items[at] = v;
}

// axis is the place of x, y, z or w in a list of two to four.
function axis(l: List, name: string): number {
  const i = name.length === 1 ? "xyzw".indexOf(name) : -1;
  return l.items.length <= 4 && i < l.items.length ? i : -1;
}

export function member(m: Machine, x: Value, name: string): Value {
  if (x instanceof Obj) return x.map.get(name) ?? null;
  if (x instanceof List) {
    if (name === "length" || name === "count") return x.items.length;
    const i = axis(x, name);
    return i >= 0 ? x.items[i] : null;
  }
  if (typeof x === "string") return name === "length" ? runesOf(x) : null;
  if (x instanceof NodeRef) return m.nodeMember(x.id, name);
  if (x instanceof StateOf) return m.stateMember(x.id, name);
  if (x === null) throw wrongKind(`null has no member '${clip(name)}'`);
  return null;
}

export function putMember(m: Machine, x: Value, name: string, v: Value): void {
  if (x instanceof Obj) {
    if (!x.map.has(name) && x.map.size >= Limit.MaxItems) throw tooLarge(`object of ${x.map.size} fields`);
    m.touch(x);
    x.map.set(name, v);
    return m.alloc(1);
  }
  if (x instanceof List) {
    const i = axis(x, name);
    if (i >= 0) {
      m.touch(x);
      x.items[i] = v;
      return;
    }
  }
  if (x instanceof NodeRef) return m.putNode(x.id, name, v);
  if (x instanceof StateOf) return m.putState(x.id, name, v);
  throw wrongKind(`${typeName(x)} cannot take a member '${clip(name)}'`);
}

export function callable(v: Value): Closure {
  if (v instanceof Closure) return v;
  throw wrongKind(`${typeName(v)} is not a function`);
}

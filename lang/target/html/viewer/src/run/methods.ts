// The built-in methods of values.
import { tooLarge, wrongKind } from "./fault.ts";
import { changing, light, Limit } from "./tables.gen.ts";
import type { Machine } from "./machine.ts";
import { index, putIndex, putMember } from "./operators.ts";
import { asNumber, bytesOf, clip, Closure, compareText, formatNumber, List, NodeRef, Obj, runesOf, StateOf, truthy, typeName, type Value } from "./value.ts";

const first = (a: Value[]): Value => a[0] ?? null;
const at = (a: Value[], i: number): Value => a[i] ?? null;

const touching = new Set(light.split(" ")), changers = new Set(changing.split(" "));

export function method(m: Machine, x: Value, name: string, a: Value[]): Value {
  if (x instanceof List) {
    if (!touching.has(name)) m.charge(Math.floor(x.items.length / Limit.ChargeElements));
    return listMethod(m, x, name, a);
  }
  if (typeof x === "string") {
    m.chargeText(x);
    return textMethod(m, x, name, a);
  }
  if (x instanceof Obj) {
    const c = x.map.get(name);
    if (c instanceof Closure) return m.invoke(c, a);
    return objectMethod(m, x, name, a);
  }
  if (typeof x === "number") {
    if (name === "toFixed" || name === "to_fixed") return fixed(x, m.numbers(a, 1)[0]);
    if (name === "toString" || name === "to_string") return formatNumber(x);
  }
  if (x instanceof NodeRef) return nodeMethod(m, x, name, a);
  if (x instanceof StateOf) return m.invoke(m.stateMember(x.id, name), a);
  if (x === null) throw wrongKind(`null has no method '${clip(name)}'`);
  throw wrongKind(`${typeName(x)} has no method '${clip(name)}'`);
}

export function fixed(x: number, digits: number): string {
  const d = Math.trunc(Math.max(0, Math.min(20, digits === digits ? digits : 0)));
  if (x !== x || Math.abs(x) >= 1e21) return formatNumber(x);
  return (x === 0 ? 0 : x).toFixed(d);
}

// bound is an index counted from the front, or from the back when below 0,
// within 0 and n.
function bound(v: Value, n: number, otherwise: number): number {
  if (typeof v !== "number" || v !== v) return otherwise;
  return Math.max(0, Math.min(n, Math.trunc(v < 0 ? v + n : v)));
}

function listMethod(m: Machine, l: List, name: string, a: Value[]): Value {
  const items = l.items;
  const out: Value[] = [];
  const each = (f: (i: number, v: Value, r: Value) => boolean): void => {
    const copy = items.slice();
    for (let i = 0; i < copy.length; i++) if (!f(i, copy[i], m.invoke(first(a), [copy[i], i]))) break;
    m.alloc(items.length);
  };
  const flat = (v: Value) => {
    if (v instanceof List) for (const e of v.items) out.push(e);
    else out.push(v);
    return out.length <= Limit.MaxItems;
  };
  if (changers.has(name)) return changeList(m, l, name, a);
  switch (name) {
    case "map":
      each((_i, _v, r) => { out.push(r); return true; });
      return m.list(out);
    case "flatMap": case "flat_map":
      each((_i, _v, r) => flat(r));
      return m.list(out);
    case "filter":
      each((_i, v, r) => { if (truthy(r)) out.push(v); return true; });
      return m.list(out);
    case "forEach": case "each": case "for_each":
      each(() => true);
      return null;
    case "find": case "findIndex": case "find_index": case "some": case "every": {
      let found: Value = null, where = -1;
      const want = name !== "every";
      each((i, v, r) => {
        if (truthy(r) !== want) return true;
        found = v;
        where = i;
        return false;
      });
      return name === "find" ? found : name === "some" ? where >= 0 : name === "every" ? where < 0 : where;
    }
    case "reduce": {
      let acc = at(a, 1), from = 0;
      if (a.length < 2) {
        if (items.length === 0) throw wrongKind("nothing to reduce");
        acc = items[0];
        from = 1;
      }
      const copy = items.slice();
      for (let i = from; i < copy.length; i++) acc = m.invoke(first(a), [acc, copy[i], i]);
      return acc;
    }
    case "indexOf": case "index_of":
      return m.find(items, first(a));
    case "includes": case "contains": case "has":
      return m.find(items, first(a)) >= 0;
    case "join": {
      const sep = a.length > 0 ? m.printed(a[0]) : ",";
      const gap = bytesOf(sep);
      let text = "", size = 0;
      for (let i = 0; i < items.length; i++) {
        if (i > 0) { text += sep; size += gap; }
        const t = m.printed(items[i]);
        text += t;
        size += bytesOf(t);
        if (size > Limit.MaxText) break;
      }
      return m.text(text);
    }
    case "slice": {
      const from = bound(at(a, 0), items.length, 0);
      return m.list(items.slice(from, Math.max(from, bound(at(a, 1), items.length, items.length))));
    }
    case "concat":
      for (const v of items) out.push(v);
      for (const v of a) if (!flat(v)) break;
      return m.list(out);
    case "at": {
      const i = first(a);
      return index(m, l, typeof i !== "number" ? 0 : i < 0 ? i + items.length : i);
    }
    case "first": return items[0] ?? null;
    case "last": return items[items.length - 1] ?? null;
    case "length": case "count": return items.length;
    case "flat":
      for (const v of items) if (!flat(v)) break;
      return m.list(out);
    case "keys":
      return m.list(items.map((_, i) => i));
    case "values":
      return m.list(items.slice());
    case "toString": case "to_string":
      return m.text(m.printed(l));
  }
  throw wrongKind(`a list has no method '${clip(name)}'`);
}

function room(n: number): void {
  if (n > Limit.MaxItems) throw tooLarge(`list of ${n} elements`);
}

function changeList(m: Machine, l: List, name: string, a: Value[]): Value {
  m.touch(l);
  const n = l.items.length;
  switch (name) {
    case "push": case "append": case "add":
      room(n + a.length);
      l.items.push(...a);
      m.alloc(a.length);
      return l.items.length;
    case "unshift":
      room(n + a.length);
      l.items = [...a, ...l.items];
      m.alloc(l.items.length);
      return l.items.length;
    case "pop": return l.items.pop() ?? null;
    case "shift": return l.items.shift() ?? null;
    case "splice": {
      const from = bound(at(a, 0), n, 0);
      const c = at(a, 1);
      const count = typeof c === "number" ? Math.trunc(Math.max(0, Math.min(n - from, c === c ? c : 0))) : n - from;
      const added = a.slice(2);
      const cut = l.items.slice(from, from + count);
      room(n - count + added.length);
      l.items = [...l.items.slice(0, from), ...added, ...l.items.slice(from + count)];
      return m.list(cut);
    }
    case "sort": return sort(m, l, first(a));
    case "reverse":
      l.items = l.items.slice().reverse();
      return l;
    case "remove": case "delete": {
      const i = m.find(l.items, first(a));
      if (i >= 0) l.items = [...l.items.slice(0, i), ...l.items.slice(i + 1)];
      return i >= 0;
    }
    case "set":
      putIndex(m, l, first(a), at(a, 1));
      return null;
    case "clear":
      l.items = [];
  }
  return null;
}

// sort orders a list by merging, so that both interpreters ask for the same
// comparisons: by a function of two elements, else numbers before texts.
function sort(m: Machine, l: List, by: Value): Value {
  const after = (x: Value, y: Value): boolean => {
    m.charge(1);
    m.checkBudget();
    if (by !== null) return (asNumber(m.invoke(by, [x, y])) ?? 0) > 0;
    if (typeof x === "number" && typeof y === "number") return x > y;
    if (typeof x === "number") return false;
    if (typeof y === "number") return true;
    return compareText(m.printed(x), m.printed(y)) > 0;
  };
  let from = l.items.slice(), to = new Array<Value>(from.length);
  for (let width = 1; width < from.length; width *= 2) {
    for (let lo = 0; lo < from.length; lo += 2 * width) {
      const mid = Math.min(lo + width, from.length), hi = Math.min(lo + 2 * width, from.length);
      for (let i = lo, j = mid, k = lo; k < hi; k++) {
        if (i < mid && (j >= hi || !after(from[i], from[j]))) to[k] = from[i++];
        else to[k] = from[j++];
      }
    }
    [from, to] = [to, from];
  }
  l.items = from;
  return l;
}

function objectMethod(m: Machine, o: Obj, name: string, a: Value[]): Value {
  switch (name) {
    case "keys": return m.list([...o.map.keys()]);
    case "values": return m.list([...o.map.values()]);
    case "entries": return m.list([...o.map].map((e) => new List(e)));
    case "has": case "contains": case "hasOwnProperty": return o.map.has(m.printed(first(a)));
    case "get": return o.map.get(m.printed(first(a))) ?? null;
    case "set":
      putMember(m, o, m.printed(first(a)), at(a, 1));
      return null;
    case "delete": case "remove": {
      const k = m.printed(first(a));
      m.charge(Math.floor(o.map.size / Limit.ChargeElements));
      m.touch(o);
      return o.map.delete(k);
    }
    case "clear":
      m.touch(o);
      o.map = new Map();
      return null;
    case "toString": case "to_string": return m.text(m.printed(o));
    case "stop":
      m.stop = true;
      return null;
  }
  throw wrongKind(`an object has no method '${clip(name)}'`);
}

function nodeMethod(m: Machine, n: NodeRef, name: string, a: Value[]): Value {
  const fn = m.functionOf(n.id, name);
  if (fn >= 0) return m.call(m.functions[fn], a, []);
  switch (name) {
    case "emit":
      m.emit(n.id, m.printed(first(a)), at(a, 1));
      return null;
    case "show": case "hide":
      m.setProperty(n.id, "visible", name === "show");
      return null;
    case "set_text":
      m.setProperty(n.id, "text", first(a));
      return null;
  }
  const v = m.nodeMember(n.id, name);
  if (v instanceof Closure) return m.invoke(v, a);
  return m.hostCall("", n.id, name, a);
}

// cased maps each character by itself; those that would become several stay.
function cased(s: string, up: boolean): string {
  let out = "";
  for (const r of s) {
    const c = up ? r.toUpperCase() : r.toLowerCase();
    out += runesOf(c) === 1 ? c : r;
  }
  return out;
}

const spaces = new Set("\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000");

export function trim(s: string): string {
  let i = 0, j = s.length;
  while (i < j && spaces.has(s[i])) i++;
  while (j > i && spaces.has(s[j - 1])) j--;
  return s.slice(i, j);
}

function count(s: string, part: string): number {
  if (part === "") return runesOf(s) + 1;
  let n = 0;
  for (let i = s.indexOf(part); i >= 0; i = s.indexOf(part, i + part.length)) n++;
  return n;
}

function textMethod(m: Machine, s: string, name: string, a: Value[]): Value {
  const arg = (i: number) => m.printed(at(a, i));
  switch (name) {
    case "toUpperCase": case "uppercase": case "upper": case "to_upper": return m.text(cased(s, true));
    case "toLowerCase": case "lowercase": case "lower": case "to_lower": return m.text(cased(s, false));
    case "trim": return m.text(trim(s));
    case "split": {
      if (a.length === 0) return m.list([s]);
      const sep = arg(0);
      if (count(s, sep) >= Limit.MaxItems) throw tooLarge("too many parts");
      return m.list(sep === "" ? [...s] : s.split(sep));
    }
    case "replace": {
      const [old, by] = [arg(0), arg(1)];
      const i = s.indexOf(old);
      return m.text(i < 0 ? s : s.slice(0, i) + by + s.slice(i + old.length));
    }
    case "replaceAll": case "replace_all": {
      const [old, by] = [arg(0), arg(1)];
      const size = count(s, old) * bytesOf(by);
      if (size > Limit.MaxText) throw tooLarge(`text of ${size} bytes`);
      return m.text(old === "" ? by + [...s].map((r) => r + by).join("") : s.split(old).join(by));
    }
    case "includes": case "contains": return s.includes(arg(0));
    case "startsWith": case "starts_with": return s.startsWith(arg(0));
    case "endsWith": case "ends_with": return s.endsWith(arg(0));
    case "indexOf": case "index_of": {
      const i = s.indexOf(arg(0));
      return i < 0 ? -1 : runesOf(s.slice(0, i));
    }
    case "slice": case "substring": case "substr": {
      const rs = [...s];
      const from = bound(at(a, 0), rs.length, 0);
      return m.text(rs.slice(from, Math.max(from, bound(at(a, 1), rs.length, rs.length))).join(""));
    }
    case "charAt": case "at": return index(m, s, first(a));
    case "repeat": {
      const v = first(a), n = typeof v === "number" ? v : 0;
      if (!(n >= 0) || n * bytesOf(s) > Limit.MaxText || n > Limit.MaxText) throw tooLarge(`text repeated ${formatNumber(n)} times`);
      return m.text(s.repeat(Math.trunc(n)));
    }
    case "padStart": case "padEnd": case "pad_start": case "pad_end": {
      const v = first(a), n = typeof v === "number" && v === v ? v : 0;
      const fill = a.length > 1 ? arg(1) : " ";
      const missing = Math.trunc(Math.min(n, Limit.MaxText)) - runesOf(s);
      if (missing <= 0 || fill === "") return s;
      const rs = [...fill];
      const pad = fill.repeat(Math.floor(missing / rs.length)) + rs.slice(0, missing % rs.length).join("");
      return m.text(name.toLowerCase().endsWith("start") ? pad + s : s + pad);
    }
    case "concat": return m.text(s + arg(0));
    case "toString": case "to_string": return s;
  }
  throw wrongKind(`a text has no method '${clip(name)}'`);
}

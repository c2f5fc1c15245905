// JSON as values, the keys of objects in their order, which JSON.parse loses.
import { Limit } from "./tables.gen.ts";
import { List, Obj, wellFormed, bytesOf, type Value } from "./value.ts";
import type { Plain } from "./adapter.ts";
import { NodeRef, StateOf } from "./value.ts";

const word = /[^\s,\]}:]+/y;

// parse reads a value; undefined where the text is no JSON or is too large.
export function parse(s: string): Value | undefined {
  if (s.length > Limit.MaxText || bytesOf(s) > Limit.MaxText) return undefined;
  try {
    JSON.parse(s); // says whether it is JSON; what follows may then be simple
  } catch {
    return undefined;
  }
  let at = 0;
  const skip = () => { while (at < s.length && " \t\n\r".includes(s[at])) at++; };
  const text = (): string => {
    let end = at + 1;
    while (s[end] !== '"') end += s[end] === "\\" ? 2 : 1;
    const raw = s.slice(at, end + 1);
    at = end + 1;
    return wellFormed(JSON.parse(raw) as string);
  };
  const value = (depth: number): Value => {
    skip();
    const c = s[at];
    if (c === '"') return text();
    if (c !== "[" && c !== "{") {
      word.lastIndex = at;
      const w = word.exec(s)![0];
      at += w.length;
      const v = JSON.parse(w) as null | boolean | number;
      if (typeof v === "number" && !Number.isFinite(v)) throw new RangeError("number");
      return v;
    }
    if (depth === 0) throw new RangeError("depth");
    at++;
    const items: Value[] = [], map = new Map<string, Value>();
    for (skip(); s[at] !== "]" && s[at] !== "}"; skip()) {
      if (s[at] === ",") at++;
      if (c === "[") items.push(value(depth - 1));
      else {
        skip();
        const k = text();
        skip();
        at++;
        map.set(k, value(depth - 1));
      }
      if (items.length > Limit.MaxItems || map.size > Limit.MaxItems) throw new RangeError("size");
    }
    at++;
    return c === "[" ? new List(items) : new Obj(map);
  };
  try {
    return value(Limit.MaxDepth);
  } catch {
    return undefined;
  }
}

// fromPlain takes a value from outside.
export function fromPlain(v: unknown, depth: number = Limit.MaxDepth): Value {
  if (depth < 0) return null;
  if (typeof v === "string") return wellFormed(v).slice(0, Limit.MaxText / 4);
  if (typeof v === "number" || typeof v === "boolean") return v;
  if (Array.isArray(v)) return new List(v.slice(0, Limit.MaxItems).map((e) => fromPlain(e, depth - 1)));
  if (typeof v === "object" && v !== null) return new Obj(new Map(Object.entries(v).slice(0, Limit.MaxItems).map(([k, e]) => [wellFormed(k), fromPlain(e, depth - 1)])));
  return null;
}

// toPlain is a value for the outside.
export function toPlain(v: Value, depth: number = Limit.MaxDepth): Plain {
  if (depth < 0) return null;
  if (v === null || typeof v !== "object") return v;
  if (v instanceof List) return v.items.map((e) => toPlain(e, depth - 1));
  if (v instanceof Obj) {
    const out: { [key: string]: Plain } = Object.create(null);
    for (const [k, e] of v.map) out[k] = toPlain(e, depth - 1);
    return out;
  }
  return v instanceof NodeRef || v instanceof StateOf ? v.id : null;
}

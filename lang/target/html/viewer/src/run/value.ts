// The values of a running program. Texts are measured in UTF-8 bytes and indexed
// in code points, as in the interpreter of the compiler.
import { Limit, type Kind } from "./tables.gen.ts";
import type { Func } from "./program.ts";

export type Value = null | boolean | number | string | List | Obj | NodeRef | StateOf | Closure | Box | Iter;

export class List {
  turn = 0;
  constructor(public items: Value[]) {}
}

export class Obj {
  turn = 0;
  constructor(public map: Map<string, Value> = new Map()) {}
}

export class NodeRef { constructor(readonly id: string) {} }
export class StateOf { constructor(readonly id: string) {} }
export class Closure { constructor(readonly fn: Func, readonly boxes: Box[]) {} }
export class Box { constructor(public v: Value, public turn: number) {} }
export class Iter { at = 0; constructor(readonly items: Value[]) {} }

export function truthy(v: Value): boolean {
  if (v === null || v === false || v === "") return false;
  return typeof v !== "number" || (v !== 0 && v === v);
}

// bytesOf is the length of a text in UTF-8.
export function bytesOf(s: string): number {
  let n = s.length;
  for (let i = 0; i < s.length; i++) {
    const c = s.charCodeAt(i);
    if (c < 0x80) continue;
    if (c < 0x800) n += 1;
    else if (c >= 0xd800 && c < 0xdc00 && i + 1 < s.length) {
      n += 2; // four bytes for two units
      i++;
    } else n += 2;
  }
  return n;
}

// runesOf counts code points.
export function runesOf(s: string): number {
  let n = s.length;
  for (let i = 0; i < s.length; i++) {
    const c = s.charCodeAt(i);
    if (c >= 0xd800 && c < 0xdc00) n--;
  }
  return n;
}

// wellFormed replaces halves of pairs, which no text of a program has.
export function wellFormed(s: string): string {
  return s.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (m) => (m.length === 2 ? m : "\ufffd"));
}

// Budget counts what a comparison visits.
export class Budget { constructor(public left: number) {} }

export function equal(a: Value, b: Value, depth: number, left: Budget): boolean {
  if (--left.left < 0 || depth < 0) return false;
  if (a instanceof List) {
    if (!(b instanceof List) || a.items.length !== b.items.length) return false;
    if (a === b) return true;
    for (let i = 0; i < a.items.length; i++) if (!equal(a.items[i], b.items[i], depth - 1, left)) return false;
    return true;
  }
  if (a instanceof Obj) {
    if (!(b instanceof Obj) || a.map.size !== b.map.size) return false;
    if (a === b) return true;
    for (const [k, v] of a.map) {
      const w = b.map.get(k);
      if (w === undefined || !equal(v, w, depth - 1, left)) return false;
    }
    return true;
  }
  if (a instanceof NodeRef) return b instanceof NodeRef && a.id === b.id;
  if (a instanceof StateOf) return b instanceof StateOf && a.id === b.id;
  if (a instanceof Iter || a instanceof Box) return false;
  if (typeof a === "string" && typeof b === "string" && a.length * 3 >= Limit.ChargeBytes) {
    const size = bytesOf(a);
    if (size === bytesOf(b)) left.left -= Math.floor(size / Limit.ChargeBytes);
  }
  return a === b;
}

export function sameValue(a: Value, b: Value): boolean {
  return equal(a, b, Limit.MaxDepth, new Budget(Limit.MaxItems));
}

// asNumber is a value as a number, undefined where it is none.
export function asNumber(v: Value): number | undefined {
  if (typeof v === "number") return v;
  if (v === null || v === false) return 0;
  return v === true ? 1 : undefined;
}

export function formatNumber(n: number): string {
  return n === 0 ? "0" : String(n);
}

const brokenAt = "…";

// Printer writes a value and counts the bytes.
class Printer {
  parts: string[] = [];
  size = 0;

  put(s: string): void {
    this.parts.push(s);
    this.size += bytesOf(s);
  }

  show(v: Value, depth: number, left: number): void {
    if (left <= 0 || depth < 0) return this.put(brokenAt);
    const was = this.size;
    if (v === null) this.put("null");
    else if (typeof v === "boolean") this.put(v ? "true" : "false");
    else if (typeof v === "number") this.put(formatNumber(v));
    else if (typeof v === "string") this.put(quote(v));
    else if (v instanceof NodeRef) this.put(v.id);
    else if (v instanceof StateOf) this.put(v.id + ".state");
    else if (v instanceof List) {
      this.put("[");
      for (let i = 0; i < v.items.length; i++) {
        if (i > 0) this.put(",");
        if (this.size - was > left) {
          this.put(brokenAt);
          break;
        }
        this.show(v.items[i], depth - 1, left - (this.size - was));
      }
      this.put("]");
    } else if (v instanceof Obj) {
      this.put("{");
      let i = 0;
      for (const [k, e] of v.map) {
        if (i++ > 0) this.put(",");
        if (this.size - was > left) {
          this.put(brokenAt);
          break;
        }
        this.put(quote(k));
        this.put(":");
        this.show(e, depth - 1, left - (this.size - was));
      }
      this.put("}");
    } else if (v instanceof Closure) this.put("function");
    else this.put("null");
  }
}

// textOf is a value as text: a text itself, everything else as it is printed.
export function textOf(v: Value): string {
  if (typeof v === "string") return v;
  const p = new Printer();
  p.show(v, Limit.MaxDepth, Limit.MaxText);
  return p.parts.join("");
}

export function showOf(v: Value): string {
  return typeof v === "string" ? quote(v) : textOf(v);
}

export function quote(s: string): string {
  let out = '"';
  for (const r of s) {
    const c = r.codePointAt(0)!;
    if (r === '"' || r === "\\") out += "\\" + r;
    else if (r === "\n") out += "\\n";
    else if (r === "\t") out += "\\t";
    else if (c < 0x20 || c === 0x7f) out += "\\u00" + (c >> 4).toString(16) + (c & 15).toString(16);
    else out += r;
  }
  return out + '"';
}

export function typeName(v: Value): Kind {
  if (v === null) return "null";
  if (typeof v === "boolean" || typeof v === "number" || typeof v === "string") return typeof v as Kind;
  if (v instanceof List) return "list";
  if (v instanceof Closure) return "function";
  return v instanceof NodeRef ? "node" : "object";
}

// clip shortens a text for a message.
export function clip(s: string): string {
  if (s.length <= 200 || runesOf(s) <= 200) return s;
  return [...s].slice(0, 200).join("") + "…";
}


// short is a text of a log or a trace.
export function short(s: string): string {
  if (s.length <= Limit.MaxNoted && bytesOf(s) <= Limit.MaxNoted) return s;
  let size = 0, out = "";
  for (const r of s) {
    size += bytesOf(r);
    if (size > Limit.MaxNoted) break;
    out += r;
  }
  return out + "…";
}

// copyValue is a deep copy of lists and objects.
export function copyValue(v: Value, depth: number): Value {
  if (depth < 0) return null;
  if (v instanceof List) return new List(v.items.map((e) => copyValue(e, depth - 1)));
  if (v instanceof Obj) return new Obj(new Map([...v.map].map(([k, e]) => [k, copyValue(e, depth - 1)])));
  return v;
}

// compareText orders texts by their code points.
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) {
    let x = a.charCodeAt(i), y = b.charCodeAt(i);
    if (x === y) continue;
    // Pairs stand behind all single units.
    if (x >= 0xd800 && x < 0xe000) x += 0x10000;
    if (y >= 0xd800 && y < 0xe000) y += 0x10000;
    return x < y ? -1 : 1;
  }
  return a.length < b.length ? -1 : 1;
}

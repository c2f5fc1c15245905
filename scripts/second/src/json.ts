// JSON read strictly, its numbers kept as they are spelt; RFC 8785.

import { bad, Bytes, equal, text, utf8 } from "./bytes.js";

/** Raw is a number in the spelling it came in. */
export class Raw {
  constructor(readonly spelt: string) {}
}
export type Json = null | boolean | string | Raw | Json[] | Map<string, Json>;

export const maxJsonDepth = 32;

/** readJson reads one JSON value without members that stand twice and without lone surrogates. */
export function readJson(b: Bytes): Json {
  const s = text(b);
  let at = 0;
  const token = (re: RegExp): string | undefined => {
    re.lastIndex = at;
    const m = re.exec(s);
    if (m) at += m[0].length;
    return m?.[0];
  };
  const space = () => token(/[ \t\n\r]*/y);
  const need = (c: string) => {
    if (s[at++] !== c) throw bad(`JSON: ${c} is absent`);
  };
  const str = (): string => {
    const t = token(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y);
    if (t === undefined) throw bad("JSON: text");
    const v = JSON.parse(t) as string;
    if (/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(v)) throw bad("lone surrogate");
    return v;
  };
  const value = (depth: number): Json => {
    space();
    const c = s[at];
    if (c === '"') return str();
    if (c === "{" || c === "[") {
      if (depth >= maxJsonDepth) throw bad("JSON: nested too deep");
      at++;
      return c === "[" ? items(depth) : members(depth);
    }
    const word = token(/true|false|null/y);
    if (word) return word === "null" ? null : word === "true";
    const n = token(/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y);
    if (n === undefined) throw bad("JSON");
    return new Raw(n);
  };
  const items = (depth: number): Json[] => {
    const out: Json[] = [];
    space();
    if (s[at] === "]") return (at++, out);
    for (;;) {
      out.push(value(depth + 1));
      space();
      if (s[at] === "]") return (at++, out);
      need(",");
    }
  };
  const members = (depth: number): Map<string, Json> => {
    const out = new Map<string, Json>();
    space();
    if (s[at] === "}") return (at++, out);
    for (;;) {
      space();
      const k = str();
      if (out.has(k)) throw bad(`JSON: ${k} stands twice`);
      space();
      need(":");
      out.set(k, value(depth + 1));
      space();
      if (s[at] === "}") return (at++, out);
      need(",");
    }
  };
  const v = value(0);
  space();
  if (at !== s.length) throw bad("JSON: more than one value");
  return v;
}

/** spell writes a value without spaces, in the order it has. */
export function spell(v: Json): string {
  if (v instanceof Raw) return v.spelt;
  if (Array.isArray(v)) return `[${v.map(spell).join(",")}]`;
  if (v instanceof Map) return `{${[...v].map(([k, x]) => `${JSON.stringify(k)}:${spell(x)}`).join(",")}}`;
  return JSON.stringify(v);
}

/** canonical writes a value by RFC 8785. */
export function canonical(v: Json): string {
  if (v instanceof Raw) {
    const n = Number(v.spelt);
    if (!Number.isFinite(n)) throw bad("JSON: number beyond range");
    return JSON.stringify(n);
  }
  if (Array.isArray(v)) return `[${v.map(canonical).join(",")}]`;
  if (v instanceof Map) {
    const keys = [...v.keys()].sort();
    return `{${keys.map((k) => `${JSON.stringify(k)}:${canonical(v.get(k)!)}`).join(",")}}`;
  }
  return JSON.stringify(v);
}

/** readObject reads the RFC 8785 bytes of an object. */
export function readObject(b: Bytes): Map<string, Json> {
  const v = readJson(b);
  if (!(v instanceof Map) || !equal(utf8(canonical(v)), b)) throw bad("no RFC 8785 object");
  return v;
}

// Forms of fields: each reads one value or refuses it with bad_encoding.

import { bad, Bytes, points } from "./bytes.js";
import { Dict, Value } from "./cbor.js";

export type Form<T> = (v: Value) => T;

export const int =
  (min = 0, max = Number.MAX_SAFE_INTEGER): Form<number> =>
  (v) => {
    if (typeof v !== "number" || v < min || v > max) throw bad("integer");
    return v;
  };

/** str is a text of min to max characters. */
export const str =
  (min: number, max: number): Form<string> =>
  (v) => {
    if (typeof v !== "string" || (v.length > max && points(v) > max) || points(v) < min) throw bad("text");
    return v;
  };

/** short is a text of min to max bytes. */
export const short =
  (min: number, max: number, like?: RegExp): Form<string> =>
  (v) => {
    if (typeof v !== "string") throw bad("text");
    const n = Buffer.byteLength(v);
    if (n < min || n > max || (like && !like.test(v))) throw bad("text");
    return v;
  };

export const oneOf =
  <T extends string>(...words: T[]): Form<T> =>
  (v) => {
    if (!words.includes(v as T)) throw bad("word");
    return v as T;
  };

export const bytes =
  (min: number, max = min): Form<Bytes> =>
  (v) => {
    if (!(v instanceof Uint8Array) || v.length < min || v.length > max) throw bad("bytes");
    return v;
  };

export const id = bytes(32);

/** ref is an id that is not 32 zero bytes. */
export const ref: Form<Bytes> = (v) => {
  const b = id(v);
  if (b.every((x) => x === 0)) throw bad("an id of zeros");
  return b;
};
export const flag: Form<boolean> = (v) => {
  if (typeof v !== "boolean") throw bad("flag");
  return v;
};

export const key: Form<Bytes> = (v) => {
  const k = bytes(34)(v);
  if (k[0] !== 0xed || k[1] !== 1) throw bad("key");
  return k;
};

export const list =
  <T>(item: Form<T>, max: number, min = 0): Form<T[]> =>
  (v) => {
    if (!Array.isArray(v) || v.length > max || v.length < min) throw bad("list");
    return v.map(item);
  };

export const map: Form<Dict> = (v) => {
  if (!(v instanceof Map)) throw bad("map");
  return v;
};

/** Fields reads a map field by field; exact refuses what was not read. */
export class Fields {
  private readonly seen = new Set<string>();
  readonly dict: Dict;
  constructor(v: Value) {
    this.dict = map(v);
  }
  need<T>(name: string, form: Form<T>): T {
    this.seen.add(name);
    const v = this.dict.get(name);
    if (v === undefined) throw bad(`${name} is absent`);
    return form(v);
  }
  may<T>(name: string, form: Form<T>): T | undefined {
    this.seen.add(name);
    return this.dict.has(name) ? this.need(name, form) : undefined;
  }
  exact(): void {
    for (const k of this.dict.keys()) if (!this.seen.has(k)) throw bad(`unknown key ${k}`);
  }
}

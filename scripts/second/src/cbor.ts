// DAG-CBOR in its one form (SPEC 2). What decodes here encodes to the same bytes.

import { bad, Bytes, compare, join, text, utf8 } from "./bytes.js";

export type Value = null | boolean | number | string | Bytes | Value[] | Dict;
export type Dict = Map<string, Value>;

const maxDepth = 8;

function head(major: number, n: number): Bytes {
  const m = major << 5;
  if (n < 24) return Uint8Array.of(m | n);
  if (n < 0x100) return Uint8Array.of(m | 24, n);
  if (n < 0x10000) return Uint8Array.of(m | 25, n >> 8, n & 255);
  const out = new Uint8Array(n < 0x100000000 ? 5 : 9);
  const view = new DataView(out.buffer);
  if (out.length === 5) view.setUint32(1, n);
  else view.setBigUint64(1, BigInt(n));
  out[0] = m | (out.length === 5 ? 26 : 27);
  return out;
}

/** keyOrder is that of map keys: by length in bytes, then by bytes. */
function keyOrder(a: string, b: string): number {
  const x = utf8(a);
  const y = utf8(b);
  return x.length - y.length || compare(x, y);
}

function write(v: Value, out: Bytes[]): void {
  if (v === null) out.push(Uint8Array.of(0xf6));
  else if (typeof v === "boolean") out.push(Uint8Array.of(v ? 0xf5 : 0xf4));
  else if (typeof v === "number") {
    if (!Number.isSafeInteger(v)) throw bad(`${v} is no integer`);
    out.push(v < 0 ? head(1, -1 - v) : head(0, v));
  } else if (typeof v === "string") {
    const b = utf8(v);
    out.push(head(3, b.length), b);
  } else if (v instanceof Uint8Array) out.push(head(2, v.length), v);
  else if (Array.isArray(v)) {
    out.push(head(4, v.length));
    for (const x of v) write(x, out);
  } else {
    out.push(head(5, v.size));
    for (const k of [...v.keys()].sort(keyOrder)) {
      write(k, out);
      write(v.get(k)!, out);
    }
  }
}

export function encode(v: Value): Bytes {
  const out: Bytes[] = [];
  write(v, out);
  return join(...out);
}

/** dict makes a map of an object, without the keys that are undefined. */
export function dict(o: Record<string, Value | undefined>): Dict {
  const out: Dict = new Map();
  for (const [k, v] of Object.entries(o)) if (v !== undefined) out.set(k, v);
  return out;
}

/** Reader reads the one form. */
export class Reader {
  at = 0;
  protected readonly maxDepth: number = maxDepth;
  constructor(readonly b: Bytes) {}

  whole(): Value {
    const v = this.value(0);
    if (this.at !== this.b.length) throw bad("bytes after the item");
    return v;
  }

  take(n: number): Bytes {
    if (n > this.b.length - this.at) throw bad("cut short");
    return this.b.subarray(this.at, (this.at += n));
  }

  number(info: number): number {
    if (info < 24) return info;
    if (info > 27) throw bad("length is not definite");
    const size = 1 << (info - 24);
    let n = 0n;
    for (const x of this.take(size)) n = (n << 8n) | BigInt(x);
    if (n > 9007199254740992n) throw bad("integer beyond 2^53");
    const v = Number(n);
    if (head(0, v).length !== size + 1) throw bad("not in the shortest form");
    return v;
  }

  value(depth: number): Value {
    const first = this.take(1)[0];
    const major = first >> 5;
    if (major === 7) {
      if (first === 0xf4 || first === 0xf5) return first === 0xf5;
      if (first === 0xf6) return null;
      throw bad("a float or an unknown simple value");
    }
    if (major === 6) throw bad("a tag");
    const n = this.number(first & 31);
    if (major === 1) {
      if (n >= 9007199254740991) throw bad("integer beyond 2^53");
      return -1 - n;
    }
    if (n > 9007199254740991) throw bad("integer beyond 2^53");
    if (major === 0) return n;
    if (major === 2) return this.take(n).slice();
    if (major === 3) return this.text(n);
    if (depth >= this.maxDepth) throw bad("nested too deep");
    if (n * (major - 3) > this.b.length - this.at) throw bad("cut short");
    return major === 4 ? Array.from({ length: n }, () => this.value(depth + 1)) : this.map(n, depth);
  }

  text(n: number): string {
    const s = text(this.take(n));
    if (s.includes("\0") || s.normalize("NFC") !== s) throw bad("text is not in NFC or holds U+0000");
    return s;
  }

  map(n: number, depth: number): Dict {
    const out: Dict = new Map();
    let last: string | undefined;
    for (let i = 0; i < n; i++) {
      const key = this.value(this.maxDepth);
      if (typeof key !== "string") throw bad("a key is no text");
      if (last !== undefined && keyOrder(last, key) >= 0) throw bad("keys are not in order");
      last = key;
      out.set(key, this.value(depth + 1));
    }
    return out;
  }
}

export function decode(b: Bytes): Value {
  return new Reader(b).whole();
}

export function decodeMap(b: Bytes): Dict {
  const v = decode(b);
  if (!(v instanceof Map)) throw bad("no map");
  return v;
}

// Columns of Automerge chunks in their one form: numbers, runs and flags (SPEC 15).

import { bad, Bytes, equal, join, text, utf8 } from "./bytes.js";

/** Leb reads LEB128 numbers in their shortest form. */
export class Leb {
  at = 0;
  constructor(readonly b: Bytes) {}

  get done(): boolean {
    return this.at === this.b.length;
  }

  take(n: number): Bytes {
    if (n > this.b.length - this.at) throw bad("chunk: cut off");
    return this.b.subarray(this.at, (this.at += n));
  }

  big(signed: boolean): bigint {
    let v = 0n;
    let shift = 0n;
    let x = 0;
    let last = 0;
    do {
      if (shift > 63n) throw bad("chunk: number too large");
      last = x;
      x = this.take(1)[0];
      v |= BigInt(x & 127) << shift;
      shift += 7n;
    } while (x & 128);
    if (signed && x & 64) v -= 1n << shift;
    const idle = signed ? (x === 0 && !(last & 64)) || (x === 127 && (last & 64) !== 0) : x === 0;
    if (shift > 7n && idle) throw bad("chunk: number not in its shortest form");
    if (signed ? v !== BigInt.asIntN(64, v) : v !== BigInt.asUintN(64, v)) throw bad("chunk: number too large");
    return v;
  }

  /** uint is a number that fits a double; larger ones are beyond every limit. */
  uint(max = Number.MAX_SAFE_INTEGER): number {
    const v = this.big(false);
    if (v > BigInt(max)) throw bad("chunk: number beyond its limit");
    return Number(v);
  }
}

function write(v: bigint, signed: boolean): Bytes {
  const out: number[] = [];
  for (;;) {
    const x = Number(v & 127n);
    v >>= 7n;
    const end = signed ? (v === 0n && !(x & 64)) || (v === -1n && (x & 64) !== 0) : v === 0n;
    out.push(end ? x : x | 128);
    if (end) return new Uint8Array(out);
  }
}

export const uleb = (n: number | bigint): Bytes => write(BigInt(n), false);
const sleb = (n: number | bigint): Bytes => write(BigInt(n), true);

type Item<T> = { read(r: Leb): T; write(v: T): Bytes };

export const uints: Item<number> = { read: (r) => r.uint(), write: uleb };
export const ints: Item<number> = {
  read: (r) => {
    const v = Number(r.big(true));
    if (!Number.isSafeInteger(v)) throw bad("chunk: number beyond its limit");
    return v;
  },
  write: sleb,
};
export const texts: Item<string> = {
  read: (r) => text(r.take(r.uint())),
  write: (s) => join(uleb(utf8(s).length), s),
};

/** writeRuns is the one form: the longest runs, and literals between them. */
export function writeRuns<T>(values: (T | null)[], item: Item<T>): Bytes {
  const out: Bytes[] = [];
  let literal: Bytes[] = [];
  const flush = () => {
    if (literal.length) out.push(sleb(-literal.length), ...literal);
    literal = [];
  };
  for (let i = 0; i < values.length; ) {
    let n = 1;
    while (i + n < values.length && values[i + n] === values[i]) n++;
    const v = values[i];
    i += n;
    if (v !== null && n === 1) {
      literal.push(item.write(v));
      continue;
    }
    flush();
    out.push(...(v === null ? [Uint8Array.of(0), uleb(n)] : [sleb(n), item.write(v)]));
  }
  flush();
  return join(...out);
}

/** runs reads a column of exactly n values; it is empty when every value is null. */
export function runs<T>(column: Bytes | undefined, n: number, item: Item<T>): (T | null)[] {
  if (!column) return new Array<null>(n).fill(null);
  const r = new Leb(column);
  const out: (T | null)[] = [];
  while (!r.done) {
    const count = Number(r.big(true));
    const size = count > 0 ? count : count < 0 ? -count : r.uint();
    if (size > n - out.length) throw bad("chunk: column too long");
    if (count < 0) for (let i = 0; i < size; i++) out.push(item.read(r));
    else out.push(...new Array<T | null>(size).fill(count ? item.read(r) : null));
  }
  if (out.length !== n) throw bad("chunk: column too short");
  if (out.every((v) => v === null) || !equal(writeRuns(out, item), column)) throw bad("chunk: runs");
  return out;
}

/** deltas reads a column of differences. */
export function deltas(column: Bytes | undefined, n: number): (number | null)[] {
  let last = 0;
  return runs(column, n, ints).map((d) => (d === null ? null : (last += d)));
}

/** flags reads a column of n flags, which is always there when n is not 0. */
export function flags(column: Bytes | undefined, n: number): boolean[] {
  if (!column) {
    if (n) throw bad("chunk: flags are missing");
    return [];
  }
  const r = new Leb(column);
  const out: boolean[] = [];
  for (let v = false, first = true; !r.done; v = !v, first = false) {
    const size = r.uint();
    if (size > n - out.length || (size === 0 && !first)) throw bad("chunk: flags");
    for (let i = 0; i < size; i++) out.push(v);
  }
  if (out.length !== n) throw bad("chunk: flags");
  return out;
}

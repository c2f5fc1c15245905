// The rateless set sketch (SPEC 18, Sketch). Items are the first 16 bytes of ids, in hex.

import { bad, Bytes, hash, hex, join, unhex } from "./bytes.js";
import { uleb } from "./columns.js";

export const maxSymbols = 8192;

type Symbol = { item: bigint; check: bigint; count: number };

const mask = (1n << 64n) - 1n;
const u64 = (v: bigint): bigint => v & mask;

export function checkOf(item: string): bigint {
  const b = hash("mesh-sketch-v1\0", unhex(item)).subarray(0, 8);
  return Buffer.from(b).readBigUInt64LE();
}

/** places of an item below a limit. */
export function places(check: bigint, below: number): number[] {
  let z = u64(check + 0x1234567n);
  z = u64((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = u64((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  let r = z ^ (z >> 31n);
  const out = [0];
  for (let i = 0; ; ) {
    r = u64(r * 0xda942042e4dd58b5n);
    i = i + Math.ceil((i + 1.5) * (2 ** 32 / Math.sqrt(Number(r) + 1) - 1));
    if (i >= below) return out;
    if (i !== out[out.length - 1]) out.push(i);
  }
}

const blank = (): Symbol => ({ item: 0n, check: 0n, count: 0 });
const itemHex = (item: bigint): string => item.toString(16).padStart(32, "0");

export function symbols(items: Iterable<string>, below: number): Symbol[] {
  const out = Array.from({ length: below }, blank);
  for (const item of items) {
    const check = checkOf(item);
    const v = BigInt("0x" + item);
    for (const i of places(check, below)) {
      out[i].item ^= v;
      out[i].check ^= check;
      out[i].count++;
    }
  }
  return out;
}

export function encodeSymbols(list: Symbol[]): Bytes {
  return join(
    ...list.flatMap((s) => {
      const check = Buffer.alloc(8);
      check.writeBigUInt64LE(s.check);
      return [unhex(itemHex(s.item)), check, uleb(s.count)];
    }),
  );
}

export function decodeSymbols(b: Bytes): Symbol[] {
  const out: Symbol[] = [];
  let at = 0;
  while (at < b.length) {
    if (b.length - at < 25) throw bad("sketch: cut short");
    const item = BigInt("0x" + hex(b.subarray(at, at + 16)));
    const check = Buffer.from(b.subarray(at + 16, at + 24)).readBigUInt64LE();
    at += 24;
    const from = at;
    let count = 0;
    let factor = 1;
    do {
      if (at >= b.length || at - from > 7) throw bad("sketch: count");
      count += (b[at] & 127) * factor;
      factor *= 128;
    } while (b[at++] & 128);
    if (count > 2 ** 53 || uleb(count).length !== at - from) throw bad("sketch: count");
    out.push({ item, check, count });
  }
  return out;
}

export type Difference = { remote: string[]; local: string[] };

/** peel finds the difference of two sketches of equal length, or nothing while symbols are left. */
export function peel(remote: Symbol[], local: Symbol[]): Difference | undefined {
  const n = remote.length;
  const left = remote.map((s, i) => ({
    item: s.item ^ local[i].item,
    check: s.check ^ local[i].check,
    count: s.count - local[i].count,
  }));
  const found = new Map<string, number>();
  const queue = left.map((_, i) => i);
  for (let i = queue.pop(); i !== undefined; i = queue.pop()) {
    const s = left[i];
    if (Math.abs(s.count) !== 1) continue;
    const { item, check, count } = s;
    const name = itemHex(item);
    if (checkOf(name) !== check) continue;
    const at = places(check, n);
    if (!at.includes(i)) continue;
    if (found.has(name) || found.size > n) throw bad("sketch: of no set");
    found.set(name, count);
    for (const j of at) {
      left[j] = { item: left[j].item ^ item, check: left[j].check ^ check, count: left[j].count - count };
      queue.push(j);
    }
  }
  if (left.some((s) => s.count !== 0 || s.item !== 0n || s.check !== 0n)) return undefined;
  const side = (sign: number) =>
    [...found]
      .filter(([, c]) => c === sign)
      .map(([x]) => x)
      .sort();
  return { remote: side(1), local: side(-1) };
}

/** firstAsk is how many symbols are asked for first when counts differ by d. */
export const firstAsk = (d: number): number => Math.min(maxSymbols, Math.max(32, Math.floor(1.36 * d) + 4));

/** resolve is resolveBy for a set that is here. */
export function resolve(count: number, local: string[], sketch: (n: number) => Symbol[]): Difference | undefined {
  const theirs = sketch(maxSymbols);
  const own = symbols(local, maxSymbols);
  for (let n = firstAsk(Math.abs(count - local.length)); n <= maxSymbols; n += Math.max(10, Math.ceil(n / 2))) {
    const found = peel(theirs.slice(0, n), own.slice(0, n));
    if (found) return found;
    if (hopeless(theirs.slice(0, n), own)) return undefined;
  }
  return undefined;
}

/** resolveBy asks for symbols until the difference is known; undefined when 8192 do not do. */
export async function resolveBy(
  count: number,
  local: string[],
  ask: (from: number, n: number) => Promise<Symbol[]>,
): Promise<Difference | undefined> {
  const own = symbols(local, maxSymbols);
  const theirs: Symbol[] = [];
  let n = firstAsk(Math.abs(count - local.length));
  while (theirs.length < maxSymbols) {
    const more = await ask(theirs.length, Math.min(n, maxSymbols - theirs.length));
    if (!more.length) return undefined;
    theirs.push(...more);
    const found = peel(theirs, own.slice(0, theirs.length));
    if (found) return found;
    if (hopeless(theirs, own)) return undefined;
    n = Math.max(10, Math.ceil(theirs.length / 2));
  }
  return undefined;
}

/** hopeless estimates the difference from the spread of the counts: 8192 symbols carry about 6000. */
function hopeless(theirs: Symbol[], own: Symbol[]): boolean {
  if (theirs.length < 256) return false;
  const half = Math.floor(theirs.length / 2);
  let sum = 0;
  for (let i = half; i < theirs.length; i++) sum += (theirs[i].count - own[i].count) ** 2;
  // Symbol i holds an item with the chance 1 / (1 + i / 2).
  const mean = sum / (theirs.length - half);
  return mean * (1 + (0.75 * theirs.length) / 2) > 9000;
}

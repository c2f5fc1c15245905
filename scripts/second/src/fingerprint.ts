// Fingerprints and numbers of reconciliation (SPEC 18).

import { bad, Bytes, hash, hex, unhex } from "./bytes.js";

const mod = 1n << 256n;

/** varint is base 128, most significant digit first. */
export function varint(n: number | bigint): Bytes {
  let v = BigInt(n);
  const out = [Number(v & 127n)];
  while ((v >>= 7n) > 0n) out.unshift(Number(v & 127n) | 128);
  return new Uint8Array(out);
}

const little = (id: string): bigint => BigInt("0x" + hex(unhex(id).reverse()));

function fingerprintOf(sum: bigint, count: number): Bytes {
  const s = unhex((sum % mod).toString(16).padStart(64, "0")).reverse();
  return hash(s, varint(count)).slice(0, 16);
}

export function fingerprint(ids: string[]): Bytes {
  let sum = 0n;
  for (const id of ids) sum += little(id);
  return fingerprintOf(sum, ids.length);
}

/** Sum is a fingerprint that is kept while ids come. */
export class Sum {
  private sum = 0n;
  count = 0;
  add(id: string): void {
    this.sum += little(id);
    this.count++;
  }
  remove(id: string): void {
    this.sum += mod - little(id);
    this.count--;
  }
  get fp(): Bytes {
    return fingerprintOf(this.sum, this.count);
  }
}

export const maxInt64 = (1n << 63n) - 1n;

/** Varints reads numbers in their shortest form, of at most 64 bits. */
export class Varints {
  at = 0;
  constructor(readonly b: Bytes) {}
  get done(): boolean {
    return this.at === this.b.length;
  }
  take(n: number): Bytes {
    if (n > this.b.length - this.at) throw bad("range: cut short");
    return this.b.subarray(this.at, (this.at += n));
  }
  big(): bigint {
    let v = 0n;
    for (let i = 0; ; i++) {
      const x = this.take(1)[0];
      if (i === 0 && x === 128) throw bad("range: not in the shortest form");
      v = (v << 7n) | BigInt(x & 127);
      if (v >= 1n << 64n) throw bad("range: integer of 65 bits");
      if (!(x & 128)) return v;
    }
  }
  size(max: number): number {
    const v = this.big();
    if (v > BigInt(max)) throw bad("range: too long");
    return Number(v);
  }
}

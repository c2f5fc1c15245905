// Random numbers from a seed, the same on every machine.

import { Bytes, hash, uint64 } from "./bytes.js";

export class Random {
  private state: bigint;
  constructor(seed: number) {
    this.state = BigInt(seed);
  }
  /** next is splitmix64, its upper 53 bits. */
  private next(): number {
    const mask = (1n << 64n) - 1n;
    this.state = (this.state + 0x9e3779b97f4a7c15n) & mask;
    let z = this.state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    return Number((z ^ (z >> 31n)) >> 11n);
  }
  below(n: number): number {
    return this.next() % n;
  }
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }
  bytes(n: number): Bytes {
    const parts: number[] = [];
    while (parts.length < n) parts.push(...hash("random", uint64(this.next())));
    return Uint8Array.from(parts.slice(0, n));
  }
  shuffle<T>(list: T[]): T[] {
    const out = [...list];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [out[i], out[j]] = [out[j], out[i]];
    }
    return out;
  }
}

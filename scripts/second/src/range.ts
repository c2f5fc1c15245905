// Range messages: negentropy version 1 with ids of 32 bytes (SPEC 18, Ranges).

import { bad, Bytes, equal, hex, join, unhex } from "./bytes.js";
import { fingerprint, maxInt64, varint, Varints } from "./fingerprint.js";

export type Item = { hlc: number; id: string };
type Bound = { hlc: bigint; id: string }; // infinity has the largest time
const infinity: Bound = { hlc: maxInt64 * 2n + 1n, id: "" };
const maxMessage = 65536;
const version = 0x61;

const under = (x: Item, b: Bound): boolean => {
  const t = BigInt(x.hlc);
  return t < b.hlc || (t === b.hlc && x.id < b.id.padEnd(64, "0"));
};
const isInfinite = (b: Bound): boolean => b.hlc === infinity.hlc;

type Range = { to: Bound; mode: number; fp?: Bytes; ids?: string[] };

export function readRanges(msg: Bytes): Range[] {
  if (msg.length > maxMessage) throw bad("range: over 64 KiB");
  const r = new Varints(msg);
  const v = r.take(1)[0];
  if (v < 0x60 || v > 0x6f) throw bad("range: version");
  if (v !== version) return [];
  const out: Range[] = [];
  let last = 0n;
  let before: Bound = { hlc: 0n, id: "" };
  while (!r.done) {
    if (isInfinite(before)) throw bad("range: after infinity");
    const delta = r.big();
    const n = r.size(32);
    const id = hex(r.take(n));
    const to: Bound = delta === 0n ? { ...infinity } : { hlc: last + delta - 1n, id };
    if (delta === 0n && n > 0) throw bad("range: infinity with an id");
    if (delta !== 0n && to.hlc >= infinity.hlc) throw bad("range: time");
    const pad = (b: Bound) => b.id.padEnd(64, "0");
    if (to.hlc < before.hlc || (to.hlc === before.hlc && pad(to) < pad(before))) throw bad("range: bounds descend");
    last = isInfinite(to) ? last : to.hlc;
    before = to;
    const mode = r.size(2);
    if (mode === 1) out.push({ to, mode, fp: r.take(16).slice() });
    else if (mode === 2) out.push({ to, mode, ids: readIds(r) });
    else out.push({ to, mode });
  }
  return out;
}

function readIds(r: Varints): string[] {
  const n = r.size(Math.floor((r.b.length - r.at) / 32));
  return Array.from({ length: n }, () => hex(r.take(32)));
}

/** Writer puts ranges into one message and joins skips. */
class Writer {
  private parts: Bytes[] = [Uint8Array.of(version)];
  size = 1;
  private last = 0n;
  private skip?: Bound;

  get room(): boolean {
    return this.size <= this.max - 200;
  }
  constructor(readonly max: number) {}

  private push(...bytes: Bytes[]): void {
    this.parts.push(...bytes);
    for (const b of bytes) this.size += b.length;
  }
  private bound(b: Bound): void {
    if (isInfinite(b)) this.push(varint(0), varint(0));
    else {
      this.push(varint(b.hlc - this.last + 1n), varint(b.id.length / 2), unhex(b.id));
      this.last = b.hlc;
    }
  }
  private flush(): void {
    if (!this.skip) return;
    this.bound(this.skip);
    this.push(varint(0));
    this.skip = undefined;
  }
  skipTo(b: Bound): void {
    this.skip = b;
  }
  fp(b: Bound, fp: Bytes): void {
    this.flush();
    this.bound(b);
    this.push(varint(1), fp);
  }
  ids(b: Bound, ids: string[]): void {
    this.flush();
    this.bound(b);
    this.push(varint(2), varint(ids.length), ...ids.map(unhex));
  }
  /** settle writes a pending skip, so that size counts it. */
  settle(): void {
    this.flush();
  }
  done(): Bytes {
    return join(...this.parts);
  }
}

/** between is the shortest bound between neighbours. */
function between(a: Item, b: Item): Bound {
  const hlc = BigInt(b.hlc);
  if (a.hlc !== b.hlc) return { hlc, id: "" };
  let n = 0;
  while (a.id.slice(n, n + 2) === b.id.slice(n, n + 2)) n += 2;
  return { hlc, id: b.id.slice(0, n + 2) };
}

const split = 16;
const few = 32;

export class Ranges {
  readonly have: string[] = [];
  readonly need: string[] = [];

  /** items are in (hlc, id) order. */
  constructor(
    readonly items: Item[],
    readonly max = maxMessage,
  ) {}

  private fpOf(lo: number, hi: number): Bytes {
    return fingerprint(this.items.slice(lo, hi).map((x) => x.id));
  }

  private index(b: Bound, from: number): number {
    let [lo, hi] = [from, this.items.length];
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (under(this.items[mid], b)) lo = mid + 1;
      else hi = mid;
    }
    return lo;
  }

  /** parts splits items lo…hi that end at a bound. */
  private parts(w: Writer, lo: number, hi: number, to: Bound): void {
    const n = hi - lo;
    if (n < few) {
      w.ids(
        to,
        this.items.slice(lo, hi).map((x) => x.id),
      );
      return;
    }
    for (let i = 0, at = lo; i < split; i++) {
      const end = at + Math.floor(n / split) + (i < n % split ? 1 : 0);
      w.fp(end === hi ? to : between(this.items[end - 1], this.items[end]), this.fpOf(at, end));
      at = end;
    }
  }

  /** first is the message that an initiator begins with. */
  first(): Bytes {
    const w = new Writer(this.max);
    this.parts(w, 0, this.items.length, infinity);
    return w.done();
  }

  /** answer is what a responder says to a message; undefined ends an initiator's exchange. */
  answer(msg: Bytes, initiator: boolean): Bytes | undefined {
    if (msg[0] !== version && msg[0] >= 0x60 && msg[0] <= 0x6f) {
      if (initiator) throw bad("range: another version");
      return Uint8Array.of(version);
    }
    const w = new Writer(this.max);
    let lo = 0;
    let skipped: Bound | undefined;
    const flush = () => {
      if (skipped) w.skipTo(skipped);
      w.settle();
      skipped = undefined;
    };
    for (const r of readRanges(msg)) {
      const hi = this.index(r.to, lo);
      if (r.mode === 0) skipped = r.to;
      else if (r.mode === 1) {
        if (equal(this.fpOf(lo, hi), r.fp!)) skipped = r.to;
        else {
          flush();
          this.parts(w, lo, hi, r.to);
        }
      } else if (initiator) {
        this.compare(lo, hi, r.ids!);
        skipped = r.to;
      } else {
        flush();
        const cut = this.listed(w, lo, hi, r.to);
        if (cut < hi) {
          w.fp(infinity, this.fpOf(cut, this.items.length));
          return w.done();
        }
      }
      lo = hi;
      if (!w.room) {
        if (!isInfinite(r.to)) w.fp(infinity, this.fpOf(lo, this.items.length));
        return w.done();
      }
    }
    const out = w.done();
    return initiator && out.length === 1 ? undefined : out;
  }

  /** listed writes ids while there is room, and says where it stopped. */
  private listed(w: Writer, lo: number, hi: number, to: Bound): number {
    let end = lo;
    let size = w.size;
    for (; end < hi && (end === lo || size <= this.max - 200); end++) size += 32;
    const ids = this.items.slice(lo, end).map((x) => x.id);
    w.ids(end === hi ? to : between(this.items[end - 1], this.items[end]), ids);
    return end;
  }

  private compare(lo: number, hi: number, theirs: string[]): void {
    const there = new Set(theirs);
    for (const x of this.items.slice(lo, hi)) if (!there.delete(x.id)) this.have.push(x.id);
    this.need.push(...there);
  }
}

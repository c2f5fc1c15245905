// One zstd frame around the content of `changes` (SPEC 18.4, RFC 8878).

import { Decompress } from "fzstd";
import { bad, Bytes, hex, join, unhex } from "./bytes.js";

const maxContent = 1 << 20;
const maxWindow = 8 << 20;
const maxBlock = 1 << 17;

type Header = { length: number; content?: number; checksum: boolean };

const little = (b: Bytes): number => b.reduceRight((n, x) => n * 256 + x, 0);

function readHeader(b: Bytes): Header {
  if (b.length < 6 || hex(b.subarray(0, 4)) !== "28b52ffd") throw bad("changes: no zstd");
  const flags = b[4];
  const single = (flags & 32) !== 0;
  if (flags & 8) throw bad("changes: zstd: a reserved bit");
  const window = single ? 0 : 2 ** (10 + (b[5] >> 3)) * (1 + (b[5] & 7) / 8);
  if (window > maxWindow) throw bad("changes: zstd: window");
  const dict = 5 + (single ? 0 : 1);
  const size = dict + [0, 1, 2, 4][flags & 3];
  if (b.subarray(dict, size).some((x) => x !== 0)) throw bad("changes: zstd: a dictionary");
  const bytes = [single ? 1 : 0, 2, 4, 8][flags >> 6];
  if (b.length < size + bytes) throw bad("changes: zstd: cut short");
  const content = bytes ? little(b.subarray(size, size + bytes)) + (bytes === 2 ? 256 : 0) : undefined;
  if (content !== undefined && content > maxContent) throw bad("changes: over 1 MiB");
  return { length: size + bytes, content, checksum: (flags & 4) !== 0 };
}

/** unpack reads exactly one zstd frame, of at most 1 MiB unpacked, and its checksum. */
export function unpack(b: Bytes): Bytes {
  const header = readHeader(b);
  const parts: Bytes[] = [];
  let size = 0;
  const reader = new Decompress((part) => {
    size += part.length;
    if (size > maxContent) throw bad("changes: over 1 MiB");
    parts.push(part.slice());
  });
  const feed = (part: Bytes, last: boolean) => {
    try {
      reader.push(part.slice(), last);
    } catch {
      throw bad("changes: zstd");
    }
  };
  feed(b.subarray(0, header.length), false);
  let at = header.length;
  for (let last = false; !last; ) {
    if (b.length - at < 3) throw bad("changes: zstd: cut short");
    const block = little(b.subarray(at, at + 3));
    const kind = (block >> 1) & 3;
    last = (block & 1) === 1;
    const end = at + 3 + (kind === 1 ? 1 : block >> 3);
    if (kind === 3 || block >> 3 > maxBlock || end > b.length) throw bad("changes: zstd: block");
    feed(b.subarray(at, last && header.checksum ? end + 4 : end), last);
    at = end;
  }
  const out = join(...parts);
  const sum = header.checksum ? Buffer.alloc(4) : Buffer.alloc(0);
  if (header.checksum) sum.writeUInt32LE(Number(xxh64(out) & 0xffffffffn));
  if (hex(b.subarray(at)) !== hex(sum)) throw bad("changes: zstd: checksum, or bytes after the frame");
  if (header.content !== undefined && header.content !== out.length) throw bad("changes: zstd: size");
  return out;
}

const mask = (1n << 64n) - 1n;
const [p1, p2, p3, p4, p5] = [
  0x9e3779b185ebca87n,
  0xc2b2ae3d27d4eb4fn,
  0x165667b19e3779f9n,
  0x85ebca77c2b2ae63n,
  0x27d4eb2f165667c5n,
];
const rotate = (v: bigint, n: bigint): bigint => ((v << n) | (v >> (64n - n))) & mask;
const round = (acc: bigint, v: bigint): bigint => (rotate((acc + v * p2) & mask, 31n) * p1) & mask;

/** xxh64 is the XXH64 of bytes with seed 0: the checksum of zstd is its lower half. */
export function xxh64(bytes: Bytes): bigint {
  const b = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  let h = p5;
  if (b.length >= 32) {
    const lanes = [(p1 + p2) & mask, p2, 0n, (mask + 1n - p1) & mask];
    for (; at + 32 <= b.length; at += 32)
      for (let i = 0; i < 4; i++) lanes[i] = round(lanes[i], b.readBigUInt64LE(at + 8 * i));
    h = lanes.reduce((sum, v, i) => sum + rotate(v, [1n, 7n, 12n, 18n][i]), 0n) & mask;
    for (const v of lanes) h = ((h ^ round(0n, v)) * p1 + p4) & mask;
  }
  h = (h + BigInt(b.length)) & mask;
  for (; at + 8 <= b.length; at += 8) h = (rotate(h ^ round(0n, b.readBigUInt64LE(at)), 27n) * p1 + p4) & mask;
  if (at + 4 <= b.length) {
    h = (rotate(h ^ ((BigInt(b.readUInt32LE(at)) * p1) & mask), 23n) * p2 + p3) & mask;
    at += 4;
  }
  for (; at < b.length; at++) h = (rotate(h ^ ((BigInt(b[at]) * p5) & mask), 11n) * p1) & mask;
  h = ((h ^ (h >> 33n)) * p2) & mask;
  h = ((h ^ (h >> 29n)) * p3) & mask;
  return h ^ (h >> 32n);
}

/** pack makes a zstd frame of raw blocks: whoever reads zstd reads it. */
export function pack(b: Bytes): Bytes {
  const head = Buffer.alloc(9);
  head.set(unhex("28b52ffd"));
  head[4] = 0xa0; // one segment, its size in four bytes
  head.writeUInt32LE(b.length, 5);
  const blocks: Bytes[] = [];
  const most = 1 << 17;
  for (let at = 0; at === 0 || at < b.length; at += most) {
    const part = b.subarray(at, at + most);
    const h = Buffer.alloc(3);
    h.writeUIntLE((part.length << 3) | (at + most >= b.length ? 1 : 0), 0, 3);
    blocks.push(h, part);
  }
  return join(head, ...blocks);
}

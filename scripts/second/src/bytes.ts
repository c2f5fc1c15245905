// Bytes and the texts that stand for them (SPEC 2, 4).

import { sha256 } from "@noble/hashes/sha2";

export type Bytes = Uint8Array;

/** Fault is a refusal with the reason code that says why. */
export class Fault extends Error {
  constructor(
    readonly code: string,
    message = "",
  ) {
    super(message ? `${code}: ${message}` : code);
  }
}

export const bad = (why: string): Fault => new Fault("bad_encoding", why);

export const hex = (b: Bytes): string => Buffer.from(b.buffer, b.byteOffset, b.length).toString("hex");

export function unhex(s: string): Bytes {
  if (!/^([0-9a-f]{2})*$/.test(s)) throw bad("not hex");
  return new Uint8Array(Buffer.from(s, "hex"));
}

export const utf8 = (s: string): Bytes => new TextEncoder().encode(s);

export function join(...parts: (Bytes | string)[]): Bytes {
  const list = parts.map((p) => (typeof p === "string" ? utf8(p) : p));
  const out = new Uint8Array(list.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of list) {
    out.set(p, at);
    at += p.length;
  }
  return out;
}

export const hash = (...parts: (Bytes | string)[]): Bytes => sha256(join(...parts));

export function compare(a: Bytes, b: Bytes): number {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

export const equal = (a: Bytes, b: Bytes): boolean => a.length === b.length && compare(a, b) === 0;

/** order compares texts by their code units: ids in hex, words of ASCII. */
export const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function uint64(n: number | bigint): Bytes {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setBigUint64(0, BigInt(n));
  return out;
}

const alphabet32 = "abcdefghijklmnopqrstuvwxyz234567";

export function b32(b: Bytes): string {
  let out = "";
  let acc = 0;
  let bits = 0;
  for (const x of b) {
    acc = ((acc << 8) | x) & 0xffff;
    for (bits += 8; bits >= 5; bits -= 5) out += alphabet32[(acc >> (bits - 5)) & 31];
  }
  return bits > 0 ? out + alphabet32[(acc << (5 - bits)) & 31] : out;
}

/** unb32 reads base32 without padding; only the spelling that b32 gives is read. */
export function unb32(s: string): Bytes {
  const out: number[] = [];
  let acc = 0;
  let bits = 0;
  for (const c of s) {
    const v = alphabet32.indexOf(c);
    if (v < 0) throw bad("base32");
    acc = ((acc << 5) | v) & 0xffff;
    bits += 5;
    if (bits >= 8) out.push((acc >> (bits -= 8)) & 255);
  }
  const b = new Uint8Array(out);
  if (b32(b) !== s) throw bad("base32 is not canonical");
  return b;
}

const alphabet58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

export function b58(b: Bytes): string {
  let n = b.length ? BigInt("0x" + hex(b)) : 0n;
  let out = "";
  for (; n > 0n; n /= 58n) out = alphabet58[Number(n % 58n)] + out;
  for (let i = 0; i < b.length && b[i] === 0; i++) out = "1" + out;
  return out;
}

export function unb58(s: string): Bytes {
  let n = 0n;
  for (const c of s) {
    const v = alphabet58.indexOf(c);
    if (v < 0) throw bad("base58");
    n = n * 58n + BigInt(v);
  }
  let h = n.toString(16);
  if (h.length % 2) h = "0" + h;
  const zeros = /^1*/.exec(s)![0].length;
  return join(new Uint8Array(zeros), n ? unhex(h) : new Uint8Array());
}

export const b64 = (b: Bytes): string => Buffer.from(b).toString("base64url");

/** unb64 reads base64url without padding or stray bits. */
export function unb64(s: string): Bytes {
  const b = new Uint8Array(Buffer.from(s, "base64url"));
  if (!/^[A-Za-z0-9_-]*$/.test(s) || b64(b) !== s) throw bad("base64url");
  return b;
}

/** text decodes UTF-8 and refuses what is none. */
export function text(b: Bytes): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(b);
  } catch {
    throw bad("no UTF-8");
  }
}

/** points counts the characters (code points) of a text. */
export function points(s: string): number {
  let n = 0;
  for (const _ of s) n++;
  return n;
}

// Ways to break a change: in its head, its body, its token and its bytes.

import { b64, Bytes, hash, hex, text, unb64, unhex, utf8 } from "./bytes.js";
import { decode, Dict, encode, Value } from "./cbor.js";
import { Signer } from "./keys.js";
import { Random } from "./random.js";

/** What a mutation may borrow from: ids and spaces of others. */
export type Pool = { ids: string[]; identities: string[]; spaces: string[]; keys: Bytes[] };

type HeadMutation = (f: Dict, r: Random, p: Pool) => void;

const set = (k: string, v: (r: Random, p: Pool, old: Value) => Value): HeadMutation => {
  return (f, r, p) => void f.set(k, v(r, p, f.get(k)!));
};
const ids = (r: Random, p: Pool, n: number): Value => Array.from({ length: n }, () => unhex(r.pick(p.ids)));
const smallOrder = unhex("ed01" + "00".repeat(32));
const notCanonical = unhex("ed01" + "f0" + "ff".repeat(30) + "7f");

const strangeKinds = [
  "zeta",
  "zeta.spin",
  "vote.more",
  "Vote",
  "vote.",
  "a.b.c",
  "x".repeat(25),
  "net.manifest",
  "grant",
];
const strangeSpaces = [
  "commons/Bad",
  "commons/",
  `commons/${"x".repeat(65)}`,
  "net",
  "agent/abc",
  "guild",
  "other/x",
  "",
];

export const heads: HeadMutation[] = [
  set("v", () => 2),
  set("v", () => "1"),
  (f, r) => void f.delete(r.pick([...f.keys()])),
  (f) => void f.set("zz", 1),
  set("seq", (r, _, old) => Number(old) + 1 + r.below(3)),
  set("seq", (r) => r.below(3)),
  set("prev", (r) => r.bytes(32)),
  set("prev", () => new Uint8Array(31)),
  set("prev", () => new Uint8Array(32)),
  set("prev", (r, p) => unhex(r.pick(p.ids))),
  set("hlc", (_, __, old) => Number(old) - 5_000_000_000_000),
  set("hlc", () => 1),
  set("hlc", (r) => 8e15 + r.below(1e6)),
  set("hlc", (_, __, old) => -Number(old)),
  set("net", (r) => r.bytes(16)),
  set("net", (r) => r.bytes(15)),
  set("deps", (r, p) => ids(r, p, 9)),
  set("deps", (r, p) => ids(r, p, 2)),
  set("deps", (r, p) => ids(r, p, 1)),
  set("deps", (r) => [r.bytes(32)]),
  set("deps", (r, p, old) => [...(old as Value[]), ...(old as Value[])]),
  set("deps", () => []),
  set("kind", (r) => r.pick(strangeKinds)),
  set("kind", (r) => r.pick(["entry.put", "message", "served", "task.act", "doc.edit", "bounty.open"])),
  set("proof", () => []),
  set("proof", (r) => [r.bytes(32)]),
  set("proof", (r, p) => [unhex(r.pick(p.identities))]),
  set("proof", (r, p, old) => [...(old as Value[]), unhex(r.pick(p.ids))]),
  set("proof", (r, p, old) => [(old as Value[])[0] ?? unhex(r.pick(p.ids)), unhex(r.pick(p.ids))]),
  set("proof", (_, __, old) => [...(old as Value[])].reverse()),
  set("proof", (r, p) => ids(r, p, 5)),
  set("space", (r) => r.pick(strangeSpaces)),
  set("space", (r, p) => r.pick(p.spaces)),
  set("author", () => smallOrder),
  set("author", () => notCanonical),
  set("author", (r, p) => r.pick(p.keys)),
  set("author", (_, __, old) => (old as Bytes).slice(0, 33)),
  set("size", (_, __, old) => Number(old) + 1),
  set("size", () => 70_000),
  set("size", () => "1"),
  set("bh", (r) => r.bytes(32)),
];

const values: ((r: Random) => Value)[] = [
  () => null,
  () => true,
  () => "",
  () => "x",
  (r) => "word ".repeat(1 + r.below(40)),
  () => "é".repeat(161),
  () => "x".repeat(501),
  () => "y".repeat(2001),
  () => "z".repeat(4001),
  () => 0,
  () => 1,
  () => -1,
  () => 51,
  () => 100,
  () => 1001,
  () => 1e10 + 1,
  () => Number.MAX_SAFE_INTEGER,
  () => new Uint8Array(),
  () => new Uint8Array(32),
  (r) => r.bytes(32),
  (r) => r.bytes(34),
  (r) => r.bytes(64),
  () => new Uint8Array(4097),
  () => [],
  (r) => [r.bytes(32)],
  () => ["a", "b"],
  () => new Array<Value>(13).fill("t"),
  () => new Map(),
  () => new Map([["a", 1]]),
  () => utf8('{"a":1}'),
  () => utf8('{"a": 1}'),
  () => utf8('{"b":1,"a":2}'),
];

const words = [
  "why",
  "text",
  "title",
  "hash",
  "ref",
  "pct",
  "ids",
  "proof",
  "to",
  "task",
  "meta",
  "receipt",
  "rsha",
  "conf",
];
const moreWords = ["tags", "domain", "sealed", "guest", "parent", "deadline", "next", "ctl", "box", "price", "reuses"];

/** body changes one field of a body, at any depth. */
export function body(b: Dict, r: Random): Dict {
  const out = new Map(b);
  const k = out.size && r.chance(75) ? r.pick([...out.keys()]) : r.pick([...words, ...moreWords, "zzz"]);
  const old = out.get(k);
  if (old instanceof Map && r.chance(70)) out.set(k, body(old, r));
  else if (Array.isArray(old) && old.length && r.chance(50)) out.set(k, [...old.slice(1), r.pick(values)(r)]);
  else if (old !== undefined && r.chance(15)) out.delete(k);
  else if (old instanceof Uint8Array && old.length && r.chance(40)) out.set(k, flip(old, r));
  else out.set(k, r.pick(values)(r));
  return out;
}

export function flip(b: Bytes, r: Random): Bytes {
  const out = b.slice();
  out[r.below(out.length)] ^= 1 << r.below(8);
  return out;
}

/** bytesOf breaks the form of an encoded map. */
export function bytesOf(b: Bytes, r: Random): Bytes {
  switch (r.below(6)) {
    case 0:
      return flip(b, r);
    case 1:
      return b.slice(0, b.length - 1);
    case 2:
      return new Uint8Array([...b, 0]);
    case 3:
      return encode([decode(b)]);
    case 4: {
      const m = decode(b) as Dict; // keys in another order
      const parts = [...m].reverse().map(([k, v]) => hex(encode(k)) + hex(encode(v)));
      return unhex(hex(Uint8Array.of(0xa0 | Math.min(23, m.size))) + parts.join(""));
    }
    default:
      return unhex("b8" + hex(b).slice(0, 2).replace(/^./, "0") + hex(b).slice(2)); // a length that is not shortest
  }
}

type Payload = Record<string, unknown>;
const tokens: ((p: Payload, r: Random) => void)[] = [
  (p) => void (p.exp = -5),
  (p) => void (p.exp = 4_000_000_000),
  (p) => void (p.exp = "1"),
  (p) => void (p.exp = 1.5),
  (p) => void delete p.exp,
  (p) => void (p.nbf = 4_000_000_000),
  (p) => void (p.nbf = null),
  (p) => void (p.aud = "did:web:example.com"),
  (p) => void (p.aud = "nobody"),
  (p) => void (p.aud = "did:pkh:eip155:1:0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A"),
  (p) => void (p.aud = `${String(p.aud)}#key`),
  (p) => void (p.iss = p.aud),
  (p) => void (p.ucv = "0.9.1"),
  (p) => void (p.ucv = "0.10.3"),
  (p) => void (p.ucv = "0.10.0-rc.1"),
  (p) => void (p.nnc = 5),
  (p) => void (p.nnc = "once"),
  (p) => void (p.fct = []),
  (p) => void (p.fct = { a: { b: 1.0 } }),
  (p) => void (p.cap = {}),
  (p) => void (p.cap = { "mesh://00/agent/x": { "*": [{}] } }),
  (p) => void (p.cap = rename(p.cap, (k) => `${k}/part`)),
  (p) => void (p.cap = rename(p.cap, (k) => `${k}/../x`)),
  (p) => void (p.cap = map(p.cap, () => ({}))),
  (p) => void (p.cap = map(p.cap, () => ({ "*": [{}] }))),
  (p) => void (p.cap = map(p.cap, (a) => ({ ...a, LABEL: [{}] }))),
  (p) => void (p.cap = map(p.cap, (a) => rename(a, (k) => k.toUpperCase()))),
  (p) => void (p.cap = map(p.cap, (a) => map(a, () => [{ doc: ["board"] }]))),
  (p) => void (p.cap = map(p.cap, (a) => map(a, () => [{ role: ["viewer", "member"] }]))),
  (p) => void (p.cap = map(p.cap, (a) => map(a, () => [{ other: 1 }, {}]))),
  (p) => void (p.cap = map(p.cap, (a) => map(a, () => []))),
  (p) => void (p.prf = ["bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy"]),
  (p) => void (p.prf = ["x"]),
  (p) => void (p.prf = [...((p.prf as string[]) ?? []), ...((p.prf as string[]) ?? [])]),
  (p) => void delete p.prf,
];

type Named = Record<string, unknown>;
function rename(o: unknown, name: (k: string) => string): Named {
  return Object.fromEntries(Object.entries(o as Named).map(([k, v]) => [name(k), v]));
}
function map(o: unknown, f: (v: Named) => unknown): Named {
  return Object.fromEntries(Object.entries(o as Named).map(([k, v]) => [k, f(v as Named)]));
}

/** token changes one member of a token and signs it again, or breaks its signature or form. */
export function token(t: string, by: Signer, r: Random): string {
  const [head, payload, sig] = t.split(".");
  const mode = r.below(12);
  if (mode === 0) return `${head}.${payload}.${b64(flip(unb64(sig), r))}`;
  if (mode === 1) return `${head}.${payload}.${sig}=`;
  if (mode === 2) return `${head}.${payload}`;
  const p = JSON.parse(text(unb64(payload))) as Payload;
  r.pick(tokens)(p, r);
  const header = mode === 3 ? b64(utf8('{"alg":"EdDSA","typ":"JWT","crit":[]}')) : head;
  const signed = `${header}.${b64(utf8(JSON.stringify(p)))}`;
  return `${signed}.${b64(by.sign(utf8(signed)))}`;
}

/** chunk breaks a chunk of a document; its checksum is made right again most of the time. */
export function chunk(b: Bytes, r: Random): Bytes {
  const out = r.chance(80) ? flip(b, r) : r.chance(50) ? b.slice(0, b.length - 1) : new Uint8Array([...b, 0]);
  if (r.chance(85)) out.set(hash(out.subarray(8)).subarray(0, 4), 4);
  return out;
}

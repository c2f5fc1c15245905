// The change: its head, its body and its id (SPEC 4).

import { bad, Bytes, equal, Fault, hash, hex, order, unhex } from "./bytes.js";
import { decode, decodeMap, dict, Dict, encode, Value } from "./cbor.js";
import { bytes, Fields, id as idForm, int, key, list, short } from "./form.js";
import { didKey, Signer, verify } from "./keys.js";
import { Lane, laneOf, Network, readSpace, setOf, Space } from "./space.js";

export const maxHead = 5 << 10;
export const maxBody = 64 << 10;

export type Id = string; // of a change, in hex

export type Change = {
  id: Id;
  d: Bytes; // the head without its signatures
  head: Bytes;
  body: Bytes | null;
  bh: Bytes;
  hlc: number;
  net: Bytes;
  seq: number;
  sig: Bytes;
  sig2?: Bytes;
  deps: Id[];
  kind: string;
  prev: Id; // empty at seq 1
  size: number;
  proof: Id[];
  space: Space;
  author: Bytes;
  did: string;
  lane: Lane;
  chain: string; // space, lane and author
};

const ids = (max: number) => (v: Value) => list(idForm, max)(v).map(hex);

function readHead(head: Bytes, body: Bytes | null): Change {
  if (head.length > maxHead) throw new Fault("change_too_large", "head");
  const all = decodeMap(head);
  const f = new Fields(all);
  f.need("v", int(1, 1));
  const kind = f.need("kind", short(1, 24, /^[a-z]+(\.[a-z]+)?$/));
  const space = readSpace(f.need("space", short(1, 80)));
  const lane = laneOf(kind);
  const author = f.need("author", key);
  const did = didKey(author);
  const c = {
    head,
    body,
    kind,
    space,
    lane,
    author,
    did,
    bh: f.need("bh", idForm),
    hlc: f.need("hlc", int()),
    net: f.need("net", bytes(16)),
    seq: f.need("seq", int(1)),
    sig: f.need("sig", bytes(64)),
    sig2: f.may("sig2", bytes(3309)),
    deps: f.need("deps", ids(8)),
    prev: hex(f.need("prev", bytes(0, 32))),
    size: f.need("size", int()),
    proof: f.need("proof", ids(4)),
    chain: `${space.text}${lane === "control" ? "!" : ""} ${did}`,
  };
  f.exact();
  if (c.seq === 1 ? c.prev !== "" : c.prev.length !== 64 || /^0*$/.test(c.prev)) throw bad("prev");
  if (c.deps.some((x, i) => x === c.prev || (i > 0 && order(c.deps[i - 1], x) >= 0))) throw bad("deps");
  if (c.sig2 && lane !== "control") throw bad("sig2 on a content kind");
  if (c.size > maxBody) throw new Fault("change_too_large", "size");
  const rest = new Map(all);
  rest.delete("sig");
  rest.delete("sig2");
  const d = encode(rest);
  return { ...c, d, id: hex(hash(d)) };
}

/** readChange decodes a change as it travels: its own bytes are judged and nothing else. */
export function readChange(head: Bytes, body: Bytes | null): Change {
  const c = readHead(head, body);
  const fault = bodyFault(c);
  if (fault) throw fault;
  return c;
}

/** readStub takes a change whose body may be another's as one without a body. */
export function readStub(head: Bytes, body: Bytes | null): Change {
  const c = readHead(head, body);
  return bodyFault(c)?.code === "blob_mismatch" ? { ...c, body: null } : c;
}

function bodyFault({ body, size, bh }: Change): Fault | undefined {
  if (!body) return undefined;
  if (body.length > maxBody) return new Fault("change_too_large", "body");
  return body.length !== size || !equal(hash(body), bh) ? new Fault("blob_mismatch") : undefined;
}

/** readPair reads `[head, body]` as it stands in a message. */
export function readPair(v: Value): [Bytes, Bytes | null] {
  const [head, body] = list((x) => x, 2, 2)(v);
  if (!(head instanceof Uint8Array) || !(body === null || body instanceof Uint8Array)) throw bad("no change");
  return [head, body];
}

export const message = (c: Change, body = true): Bytes => encode([c.head, body ? c.body : null]);
export const readMessage = (b: Bytes): Change => readChange(...readPair(decode(b)));

/** proven says whether the head's own signature verifies (without sig2). */
export const proven = (c: Change): boolean => verify(c.author, signed(c.id), c.sig);

const signed = (id: Id): Bytes => new Uint8Array([...new TextEncoder().encode("mesh-change-v1\0"), ...unhex(id)]);

export type Draft = {
  kind: string;
  space: string;
  body: Dict;
  hlc: number;
  seq?: number;
  prev?: Id;
  deps?: Id[];
  proof?: Id[];
};

/** fields are those of an unsigned head, for writers. */
export function fields(net: Network, author: Bytes, d: Draft, body: Bytes): Dict {
  return dict({
    v: 1,
    bh: hash(body),
    hlc: d.hlc,
    net: net.id,
    seq: d.seq ?? 1,
    deps: [...new Set(d.deps)]
      .filter((x) => x !== d.prev)
      .sort()
      .map(unhex),
    kind: d.kind,
    prev: unhex(d.prev ?? ""),
    size: body.length,
    proof: (d.proof ?? []).map(unhex),
    space: d.space,
    author,
  });
}

/** sign makes the bytes of a head of its fields, with both signatures where the signer has two. */
export function sign(by: Signer, f: Dict): Bytes {
  const two = by.pq && laneOf(String(f.get("kind"))) === "control";
  const sigs = two ? by.signHybrid(encode(f)) : { sig: by.sign(signed(hex(hash(encode(f))))) };
  return encode(new Map([...f, ...dict(sigs)]));
}

export const before = (a: { hlc: number; id: Id }, b: { hlc: number; id: Id }): number =>
  a.hlc - b.hlc || order(a.id, b.id);

export const setOfChange = (net: Network, c: Change): string => setOf(c.space.text, c.kind, net.shards);

/** next is the logical time of a change written now on this past. */
export const next = (now: number, past: number[]): number => Math.max(0, now * 1024, ...past.map((x) => x + 1));
export const ahead = (hlc: number, now: number): boolean => Math.floor(hlc / 1024) > now + 15 * 60_000;

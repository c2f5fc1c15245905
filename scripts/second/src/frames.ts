// Frames of /mesh/recon/1 (SPEC 18, Frames).

import { bad, Bytes, hex, join, unhex } from "./bytes.js";
import { decodeMap, dict, encode, Value } from "./cbor.js";
import { bytes, Fields, flag, Form, id, int, list, short, str } from "./form.js";
import { uleb } from "./columns.js";
import { readStub, Change, before, readPair } from "./change.js";
import { decodeSymbols } from "./sketch.js";
import { readSpace } from "./space.js";
import { pack, unpack } from "./zstd.js";

export const maxFrame = 262144;

export const type = {
  hello: 1,
  range: 2,
  want: 3,
  pull: 4,
  changes: 5,
  gone: 6,
  have: 7,
  done: 8,
  busy: 9,
  error: 10,
  filter: 11,
  sketch: 12,
} as const;

export type State = { name: string; count: number; fp: Bytes };
export type Frame =
  | { type: 1; v: 1; net: Bytes; now: number; sets: State[]; agent: string; proof?: Bytes }
  | { type: 2; msg: Bytes; set: string }
  | { type: 3; ids: string[]; set: string }
  | { type: 4; max: number; set: string; after: { hlc: number; id: string } }
  | { type: 5; more: boolean; items: [Bytes, Bytes | null][] }
  | { type: 6; ids: string[] }
  | { type: 7; ids: string[]; set: string }
  | { type: 8; fp: Bytes; set: string; count: number }
  | { type: 9; retry_ms: number }
  | { type: 10; code: string }
  | { type: 11; since?: number; spaces: string[] }
  | { type: 12; n: number; set: string; from: number; syms?: undefined }
  | { type: 12; fp: Bytes; set: string; from: number; syms: Bytes; count: number };

const set = short(1, 80);
const fp = bytes(16);
const space: Form<string> = (v) => readSpace(short(1, 80)(v)).text;
/** hexId is an id or its first 16 bytes. */
const hexId: Form<string> = (v) => {
  const b = bytes(16, 32)(v);
  if (b.length !== 32 && b.length !== 16) throw bad("id");
  return hex(b);
};

const after: Form<{ hlc: number; id: string }> = (v) => {
  const [hlc, at] = list((x) => x, 2, 2)(v);
  return { hlc: int()(hlc), id: hex(id(at)) };
};

const state: Form<State> = (v) => {
  const f = new Fields(v);
  const out = { fp: f.need("fp", fp), name: f.need("name", set), count: f.need("count", int()) };
  f.exact();
  return out;
};

function read(kind: number, f: Fields): Frame {
  switch (kind) {
    case 1: {
      const sets = f.need("sets", list(state, 256));
      if (new Set(sets.map((s) => s.name)).size !== sets.length) throw bad("hello: a set twice");
      f.need("v", int(1, 1));
      const head = { net: f.need("net", bytes(16)), now: f.need("now", int()), agent: f.need("agent", str(0, 64)) };
      return { type: 1, v: 1, ...head, sets, proof: f.may("proof", bytes(0, 16384)) };
    }
    case 2:
      return { type: 2, msg: f.need("msg", bytes(0, 65536)), set: f.need("set", set) };
    case 3:
      return { type: 3, ids: f.need("ids", list(hexId, 1000)), set: f.need("set", set) };
    case 4:
      return { type: 4, max: f.need("max", int(1, 4096)), set: f.need("set", set), after: f.need("after", after) };
    case 6:
      return { type: 6, ids: f.need("ids", list(hexId, 1000, 1)) };
    case 7:
      return { type: 7, ids: f.need("ids", list(hexId, 100)), set: f.need("set", set) };
    case 8:
      return { type: 8, fp: f.need("fp", fp), set: f.need("set", set), count: f.need("count", int()) };
    case 9:
      return { type: 9, retry_ms: f.need("retry_ms", int()) };
    case 10:
      return { type: 10, code: f.need("code", short(0, 64)) };
    case 11:
      return { type: 11, since: f.may("since", int()), spaces: f.need("spaces", list(space, 64, 1)) };
  }
  throw bad("frame: type");
}

function sketchAsk(f: Fields): Frame {
  const out = { type: 12 as const, n: f.need("n", int(1, 8192)), set: f.need("set", set), from: f.need("from", int()) };
  if (out.n + out.from > 8192) throw bad("sketch: over 8192");
  return out;
}

/** syms are whole symbols, one at least: nobody asks for none. */
const syms: Form<Bytes> = (v) => {
  const b = bytes(1, maxFrame)(v);
  decodeSymbols(b);
  return b;
};

function sketchAnswer(f: Fields): Frame {
  return {
    type: 12,
    fp: f.need("fp", fp),
    set: f.need("set", set),
    from: f.need("from", int(0, 8192)),
    syms: f.need("syms", syms),
    count: f.need("count", int()),
  };
}

/** readFrame reads a payload as its receiver does: of the two frames of type 12 an initiator gets answers. */
export function readFrame(kind: number, payload: Bytes, initiator: boolean): Frame {
  if (kind === 5) return readChanges(unpack(payload));
  const f = new Fields(decodeMap(payload));
  const out = kind === 12 ? (initiator ? sketchAnswer(f) : sketchAsk(f)) : read(kind, f);
  f.exact();
  return out;
}

/** readChanges reads what stands in the zstd frame of `changes`. */
export function readChanges(b: Bytes): Frame {
  const f = new Fields(decodeMap(b));
  const out = { type: 5 as const, more: f.need("more", flag), items: f.need("items", list(readPair, 8192)) };
  f.exact();
  if (out.more && !out.items.length) throw bad("changes: empty and more");
  return out;
}

const idsOf = (ids: string[]): Value => ids.map(unhex);

export function payloadOf(f: Frame): Bytes {
  const { type: _, ...rest } = f;
  if (f.type === 5) return pack(encode(dict({ more: f.more, items: f.items as Value })));
  if (f.type === 1) return encode(dict({ ...rest, sets: f.sets.map((s) => dict(s)) } as Record<string, Value>));
  if (f.type === 4) return encode(dict({ max: f.max, set: f.set, after: [f.after.hlc, unhex(f.after.id)] }));
  if (f.type === 3 || f.type === 7) return encode(dict({ set: f.set, ids: idsOf(f.ids) }));
  if (f.type === 6) return encode(dict({ ids: idsOf(f.ids) }));
  return encode(dict(rest as Record<string, Value>));
}

export function writeFrame(f: Frame): Bytes {
  const payload = payloadOf(f);
  if (payload.length + 1 > maxFrame) throw new Error("frame too large");
  return join(uleb(payload.length + 1), Uint8Array.of(f.type), payload);
}

/** changesOf decodes the items of a frame; those that do not decode are counted. */
export function changesOf(f: Frame & { type: 5 }): { changes: Change[]; broken: number } {
  const changes: Change[] = [];
  let broken = 0;
  for (const [head, body] of f.items)
    try {
      changes.push(readStub(head, body));
    } catch {
      broken++;
    }
  if (changes.some((c, i) => i > 0 && before(changes[i - 1], c) >= 0)) throw bad("changes: out of order");
  return { changes, broken };
}

// One Automerge change chunk, read strictly (SPEC 15).

import { bad, Bytes, equal, Fault, hash, hex, join, points, text } from "./bytes.js";
import { deltas, flags, Leb, runs, texts, uints, uleb } from "./columns.js";

/** An operation's id: counter and actor, `12@aa…`; the root and the head have none. */
export type OpId = { ctr: number; actor: string };
export const name = (o: OpId): string => `${o.ctr}@${o.actor}`;

export type Op = {
  id: OpId;
  obj: OpId | null; // null: the root
  key: string | null; // of a map
  elem: OpId | null; // of a list, null: its head
  insert: boolean;
  action: number;
  value: unknown;
  pred: OpId[];
};

export const make = { map: 0, set: 1, list: 2, delete: 3, text: 4 } as const;

export type Chunk = {
  hash: string;
  actor: string;
  seq: number;
  start: number;
  deps: string[];
  ops: Op[];
  size: number;
  text: number; // characters that it inserts into live texts of its own
};

const maxOps = 5000;
export const maxNesting = 64;
const maxCounter = 2 ** 31 - 1;
const known = [1, 2, 17, 19, 21, 52, 66, 86, 87, 112, 113, 115];

export const actorOf = (author: Bytes, space: string, doc: string): string =>
  hex(hash("mesh-actor-v1\0", author, space, "\0", doc).subarray(0, 16));

const docName = /^(page|room|board|project\/[a-z0-9./_-]{1,80})(~([2-9]|[1-9][0-9]{1,8}))?$/;

/** baseOf is a document's name without its generation. */
export function baseOf(doc: string): string {
  const m = docName.exec(doc);
  if (!m) throw bad("doc");
  return m[1];
}

export const generation = (doc: string): number => Number(docName.exec(doc)?.[3] ?? 1);

function ascending(list: string[]): void {
  if (list.some((x, i) => i > 0 && list[i - 1] >= x)) throw bad("chunk: out of order");
}

export function readChunk(b: Bytes): Chunk {
  if (b.length > 48 << 10) throw bad("chunk: too large");
  const r = new Leb(b);
  if (hex(r.take(4)) !== "856f4a83") throw bad("chunk: magic");
  const checksum = r.take(4);
  const from = r.at;
  if (r.take(1)[0] !== 1) throw bad("chunk: type");
  const length = r.uint();
  if (length !== b.length - r.at) throw bad("chunk: length");
  const digest = hash(b.subarray(from));
  if (!equal(digest.subarray(0, 4), checksum)) throw bad("chunk: checksum");
  const deps = Array.from({ length: r.uint(64) }, () => hex(r.take(32)));
  ascending(deps);
  if (r.uint(16) !== 16) throw bad("chunk: actor");
  const actor = hex(r.take(16));
  const seq = r.uint();
  const start = r.uint(maxCounter);
  if (seq < 1 || start < 1 || (seq > 1 && deps.length === 0)) throw bad("chunk: seq");
  if (r.big(true) !== 0n || r.uint() !== 0) throw bad("chunk: time or message");
  const others = Array.from({ length: r.uint(maxOps) }, () => {
    if (r.uint(16) !== 16) throw bad("chunk: actor");
    return hex(r.take(16));
  });
  ascending(others);
  if (others.includes(actor)) throw bad("chunk: the author among others");
  const ops = readOps(readColumns(r), [actor, ...others], start);
  return { hash: hex(digest), actor, seq, start, deps, ops, size: b.length, text: fit(ops, actor, start) };
}

function readColumns(r: Leb): Map<number, Bytes> {
  const heads: [number, number][] = Array.from({ length: r.uint(known.length) }, () => [r.uint(), r.uint()]);
  heads.forEach(([spec, size], i) => {
    if (!known.includes(spec) || size === 0 || (i > 0 && heads[i - 1][0] >= spec)) throw bad("chunk: columns");
  });
  const out = new Map(heads.map(([spec, size]) => [spec, r.take(size)]));
  if (!r.done) throw bad("chunk: extra bytes");
  return out;
}

/** rowsOf counts the operations: those of the column of actions. */
function rowsOf(column: Bytes | undefined): number {
  const r = new Leb(column ?? new Uint8Array());
  let n = 0;
  while (!r.done) {
    const count = Number(r.big(true));
    if (count === 0) throw bad("chunk: action null");
    n += Math.abs(count);
    if (n > maxOps) throw bad("chunk: over 5000 operations");
    for (let i = count; i < 0; i++) r.uint();
    if (count > 0) r.uint();
  }
  return n;
}

function readOps(cols: Map<number, Bytes>, actors: string[], start: number): Op[] {
  const n = rowsOf(cols.get(66));
  if (start + n - 1 > maxCounter) throw bad("chunk: counter");
  const col = (spec: number) => runs(cols.get(spec), n, uints);
  const [objActor, objCtr, keyActor] = [col(1), col(2), col(17)];
  const keyCtr = deltas(cols.get(19), n);
  const keys = runs(cols.get(21), n, texts);
  const insert = flags(cols.get(52), n);
  const actions = col(66);
  const metas = col(86);
  const values = new Leb(cols.get(87) ?? new Uint8Array());
  const preds = readPreds(cols, n);
  const used = new Set<number>();
  const ref = (a: number | null, ctr: number | null, below: number): OpId => {
    if (a === null || ctr === null || a >= actors.length || ctr < 1 || ctr >= below) throw bad("chunk: reference");
    used.add(a);
    return { ctr, actor: actors[a] };
  };
  const ops = actions.map((action, i): Op => {
    const ctr = start + i;
    const obj = objActor[i] === null && objCtr[i] === null ? null : ref(objActor[i], objCtr[i], ctr);
    const key = keys[i];
    let elem: OpId | null = null;
    if (key !== null) {
      if (keyActor[i] !== null || keyCtr[i] !== null) throw bad("chunk: key of both kinds");
      const size = Buffer.byteLength(key);
      if (size < 1 || size > 64 || insert[i]) throw bad("chunk: key");
    } else if (keyActor[i] === null) {
      if (keyCtr[i] !== 0 || !insert[i]) throw bad("chunk: element");
    } else elem = ref(keyActor[i], keyCtr[i], ctr);
    if (obj === null && key === null) throw bad("chunk: element of the root");
    const pred = preds[i].map(([a, c]) => ref(a, c, ctr));
    pred.forEach((p, j) => {
      const q = pred[j - 1];
      if (q && (q.ctr > p.ctr || (q.ctr === p.ctr && q.actor >= p.actor))) throw bad("chunk: predecessors");
    });
    if (action === null || action > 4) throw bad("chunk: action");
    if (insert[i] && (pred.length || action === make.delete)) throw bad("chunk: insert");
    if (action === make.delete && !pred.length) throw bad("chunk: delete of nothing");
    const value = readValue(metas[i], values, action);
    return { id: { ctr, actor: actors[0] }, obj, key, elem, insert: insert[i], action, value, pred };
  });
  if (!values.done) throw bad("chunk: values");
  for (let a = 1; a < actors.length; a++) if (!used.has(a)) throw bad("chunk: an actor that is not used");
  return ops;
}

function readPreds(cols: Map<number, Bytes>, n: number): [number | null, number | null][][] {
  const counts = runs(cols.get(112), n, uints);
  const sum = counts.reduce<number>((s, c) => {
    if (c === null) throw bad("chunk: predecessor count");
    return s + c;
  }, 0);
  if (sum > 10_000) throw bad("chunk: over 10,000 predecessors");
  const actors = runs(cols.get(113), sum, uints);
  const ctrs = deltas(cols.get(115), sum);
  let at = 0;
  return counts.map((c) => Array.from({ length: c! }, () => [actors[at], ctrs[at++]]));
}

function readValue(meta: number | null, values: Leb, action: number): unknown {
  if (meta === null) throw bad("chunk: value missing");
  const [type, size] = [meta % 16, Math.floor(meta / 16)];
  if (action !== make.set) {
    if (meta !== 0) throw bad("chunk: value of no set");
    return null;
  }
  if (size > 4096) throw bad("chunk: value over 4 KiB");
  const raw = values.take(size);
  const number = (signed: boolean) => {
    const r = new Leb(raw);
    const v = r.big(signed);
    if (!r.done || v > 9223372036854775807n) throw bad("chunk: integer");
    return v;
  };
  if (type <= 2) {
    if (size) throw bad("chunk: value with bytes");
    return [null, false, true][type];
  }
  if (type === 3 || type === 4) return number(type === 4);
  if (type === 6) return text(raw);
  if (type === 7) return raw;
  throw bad("chunk: type of value");
}

/** fit asks that what the chunk makes fits what refers to it, and counts characters. */
function fit(ops: Op[], actor: string, start: number): number {
  const own = (o: OpId | null): Op | undefined => (o && o.actor === actor ? ops[o.ctr - start] : undefined);
  const depths: number[] = [];
  let characters = 0;
  for (const op of ops) {
    const obj = own(op.obj);
    depths.push(1 + (obj ? depths[obj.id.ctr - start] : 0));
    if (obj) {
      if (obj.action === make.set || obj.action === make.delete) throw bad("chunk: object is a value");
      if ((obj.action === make.map) !== (op.key !== null)) throw bad("chunk: key of another kind of object");
      if (obj.action === make.text) checkCharacter(op);
      if (depths[depths.length - 1] > maxNesting) throw bad("chunk: nested too deep");
    }
    if (op.insert && typeof op.value === "string") characters += points(op.value);
    const elem = own(op.elem);
    if (elem && (!elem.insert || !sameObject(elem, op))) throw bad("chunk: element of another list");
    for (const p of op.pred.map(own)) if (p && !replaces(op, p)) throw bad("chunk: predecessor elsewhere");
  }
  return characters;
}

/** checkCharacter asks that an operation of a live text inserts a character or deletes. */
export function checkCharacter(op: Op): void {
  if (op.action === make.delete) return;
  if (op.action !== make.set || !op.insert || typeof op.value !== "string" || op.value === "")
    throw bad("chunk: no character");
}

export const sameObject = (a: Op, b: Op): boolean => (a.obj && name(a.obj)) === (b.obj && name(b.obj));

/** place is the key or element that an operation writes. */
export const place = (op: Op): string =>
  op.key !== null ? `"${op.key}` : op.insert ? name(op.id) : op.elem ? name(op.elem) : "";

/** replaces says whether op may name p as its predecessor. */
export const replaces = (op: Op, p: Op): boolean =>
  p.action !== make.delete && sameObject(op, p) && place(op) === place(p);

/** editOf reads the chunk of a doc.edit, which only its author's actor may have made. */
export function editOf(author: Bytes, space: string, doc: string, chunk: Bytes): Chunk {
  baseOf(doc);
  const c = readChunk(chunk);
  if (c.actor !== actorOf(author, space, doc)) throw new Fault("bad_encoding", "chunk: actor");
  return c;
}

/** writeText makes a chunk that sets one text at a key of the root: an author's first edit. */
export function writeText(actor: string, key: string, value: string): Bytes {
  const cols: [number, Bytes][] = [
    [21, join(Uint8Array.of(0x7f), texts.write(key))],
    [52, Uint8Array.of(1)],
    [66, Uint8Array.of(0x7f, 1)],
    [86, join(Uint8Array.of(0x7f), uleb(Buffer.byteLength(value) * 16 + 6))],
    [87, new TextEncoder().encode(value)],
    [112, Uint8Array.of(0x7f, 0)],
  ];
  const present = cols.filter(([, c]) => c.length);
  const body = join(
    Uint8Array.of(0, 16),
    Buffer.from(actor, "hex"),
    Uint8Array.of(1, 1, 0, 0, 0, present.length),
    ...present.flatMap(([spec, c]) => [uleb(spec), uleb(c.length)]),
    ...present.map(([, c]) => c),
  );
  const rest = join(Uint8Array.of(1), uleb(body.length), body);
  return join(Buffer.from("856f4a83", "hex"), hash(rest).subarray(0, 4), rest);
}

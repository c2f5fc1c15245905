// Documents: which edits have effect, in which order (SPEC 15).

import { before } from "./change.js";
import { checkCharacter, Chunk, make, maxNesting, name, Op, OpId, place, replaces, sameObject } from "./chunk.js";

export type Edit = { hlc: number; id: string; chunk: Chunk; cut?: boolean };
export type Order = { ordered: string[]; heads: string[]; waiting: string[] };

const limits = { edits: 5000, bytes: 256 << 10, text: 65536, ops: 131072, writes: 2500 };

type Stored = { op: Op; seq: number };
/** Past is what an accepted edit builds on, itself included: the last seq of each actor, the highest counter. */
type Past = { clock: Map<string, number>; top: number };

class Document {
  readonly pasts = new Map<string, Past>();
  private readonly ops = new Map<string, Stored>();
  private readonly last = new Map<string, { seq: number; hash: string }>();
  private readonly writes = new Map<string, number>();
  private readonly depth = new Map<string, number>();
  private size = { edits: 0, bytes: 0, text: 0, ops: 0 };

  /** take accepts a chunk whose dependencies were accepted, or says that it has no effect. */
  take(c: Chunk): boolean {
    const last = this.last.get(c.actor);
    if (last ? c.seq !== last.seq + 1 || !c.deps.includes(last.hash) : c.seq !== 1) return false;
    const past = this.join(c);
    if (c.start !== past.top + 1) return false;
    const own = new Map<string, Op>();
    const find = (o: OpId): Op | undefined => {
      const mine = own.get(name(o));
      const s = this.ops.get(name(o));
      return mine ?? (s && s.seq <= (past.clock.get(o.actor) ?? 0) ? s.op : undefined);
    };
    const depths = new Map<string, number>();
    for (const op of c.ops) {
      if (!this.fits(op, find)) return false;
      const d = 1 + (op.obj ? (depths.get(name(op.obj)) ?? this.depth.get(name(op.obj))!) : 0);
      if (isMake(op)) depths.set(name(op.id), d);
      if (d > maxNesting) return false;
      own.set(name(op.id), op);
    }
    const size = this.sizeWith(c);
    const writes = new Map<string, number>();
    for (const op of c.ops.filter((o) => !o.insert)) {
      const at = `${op.obj ? name(op.obj) : ""} ${place(op)}`;
      writes.set(at, (writes.get(at) ?? this.writes.get(at) ?? 0) + 1);
      if (writes.get(at)! > limits.writes) return false;
    }
    if (!size) return false;
    this.size = size;
    for (const [at, n] of writes) this.writes.set(at, n);
    for (const [at, n] of depths) this.depth.set(at, n);
    for (const [at, op] of own) this.ops.set(at, { op, seq: c.seq });
    past.clock.set(c.actor, c.seq);
    past.top += c.ops.length;
    this.pasts.set(c.hash, past);
    this.last.set(c.actor, { seq: c.seq, hash: c.hash });
    return true;
  }

  private join(c: Chunk): Past {
    const clock = new Map<string, number>();
    let top = 0;
    for (const p of c.deps.map((d) => this.pasts.get(d)!)) {
      for (const [a, s] of p.clock) clock.set(a, Math.max(s, clock.get(a) ?? 0));
      top = Math.max(top, p.top);
    }
    return { clock, top };
  }

  private sizeWith(c: Chunk) {
    const size = {
      edits: this.size.edits + 1,
      bytes: this.size.bytes + c.size,
      text: this.size.text + c.text,
      ops: this.size.ops + c.ops.reduce((n, o) => n + 1 + o.pred.length + (isMake(o) ? 3 : 0), 0),
    };
    const over = size.edits > limits.edits || size.bytes > limits.bytes || size.text > limits.text;
    return over || size.ops > limits.ops ? undefined : size;
  }

  private fits(op: Op, find: (o: OpId) => Op | undefined): boolean {
    if (op.obj) {
      const obj = find(op.obj);
      if (!obj || !isMake(obj) || (obj.action === make.map) !== (op.key !== null)) return false;
      if (obj.action === make.text)
        try {
          checkCharacter(op);
        } catch {
          return false;
        }
    }
    const elem = op.elem && find(op.elem);
    if (op.elem && (!elem || !elem.insert || !sameObject(elem, op))) return false;
    return op.pred.every((p) => {
      const target = find(p);
      return !!target && replaces(op, target);
    });
  }
}

const isMake = (op: Op): boolean => op.action === make.map || op.action === make.list || op.action === make.text;

/** orderEdits decides over all edits of a document. */
export function orderEdits(edits: Edit[]): Order {
  const byHash = new Map<string, Edit>();
  for (const e of [...edits].sort(before)) {
    const first = byHash.get(e.chunk.hash);
    if (!first) byHash.set(e.chunk.hash, { ...e });
    else first.cut &&= e.cut;
  }
  const waits = new Map<string, boolean>();
  const waiting = (h: string): boolean => {
    let w = waits.get(h);
    if (w === undefined) {
      const e = byHash.get(h);
      w = !e || e.chunk.deps.some(waiting);
      waits.set(h, w);
    }
    return w;
  };
  const list = [...byHash.values()];
  for (const e of list) waiting(e.chunk.hash);
  const kept = new Set<string>();
  const keep = (h: string) => {
    if (kept.has(h)) return;
    kept.add(h);
    byHash.get(h)!.chunk.deps.forEach(keep);
  };
  for (const e of list) if (!e.cut && !waiting(e.chunk.hash)) keep(e.chunk.hash);
  const { ordered, heads } = run(list.filter((e) => kept.has(e.chunk.hash)));
  return { ordered, heads, waiting: list.filter((e) => waiting(e.chunk.hash)).map((e) => e.id) };
}

/** run goes through edits in causal order, ties by (hlc, id). */
function run(list: Edit[]): { ordered: string[]; heads: string[] } {
  const doc = new Document();
  const ordered: string[] = [];
  const heads = new Set<string>();
  const tried = new Set<string>();
  let left = list;
  while (left.length) {
    const at = left.findIndex((e) => e.chunk.deps.every((d) => tried.has(d)));
    const { id, chunk } = left[at];
    left = left.filter((_, i) => i !== at);
    tried.add(chunk.hash);
    if (!chunk.deps.every((d) => doc.pasts.has(d)) || !doc.take(chunk)) continue;
    ordered.push(id);
    chunk.deps.forEach((d) => heads.delete(d));
    heads.add(chunk.hash);
  }
  return { ordered, heads: [...heads].sort() };
}

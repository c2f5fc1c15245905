// Taking in batches of changes: evidence, membership, and what waits for its past.

import { equal, Fault, hex } from "./bytes.js";
import { before, Change, Id, proven } from "./change.js";
import { authenticate } from "./evidence.js";
import { Absent, Judge } from "./judge.js";
import { Network } from "./space.js";
import { Member, Store } from "./store.js";

/** What became of one change: a new member, one that was here, or the code why not. */
export type Outcome = { id: Id; state: "new" | "known" | "filled" | "refused" | "waits"; code?: string; absent?: Id[] };

export class Ingest {
  readonly judge: Judge;
  private readonly waiting = new Map<Id, { c: Change; absent: Id[] }>();
  private readonly waitFor = new Map<Id, Set<Id>>();
  /** Called for each new member. */
  onMember: (m: Member) => void = () => {};

  constructor(
    readonly net: Network,
    readonly store: Store,
  ) {
    this.judge = new Judge(net, store);
  }

  /**
   * receive takes a batch in any order; outcomes stand in the order of the batch. What waits for
   * a change of the batch is judged with it, so that it can be proven by a descendant there.
   */
  receive(batch: Change[]): Outcome[] {
    const all = batch.filter((c) => !this.settled(c));
    for (let i = 0; i < all.length; i++)
      for (const id of this.waitFor.get(all[i].id) ?? []) {
        const w = this.waiting.get(id);
        if (w && !all.includes(w.c)) all.push(w.c);
        this.forget(id);
      }
    for (const refused = new Set<string>(); ; ) {
      const outcomes = this.round(all, refused);
      if (outcomes) return batch.map((c) => outcomes.get(c) ?? this.take(c, false));
    }
  }

  /** round judges a batch; it is taken back when a head lost the descendant that proved it. */
  private round(all: Change[], refused: Set<string>): Map<Change, Outcome> | undefined {
    const plain = all.filter((c) => !c.sig2 && !refused.has(hex(c.head)));
    const proofs = authenticate(plain);
    const authentic = new Map(plain.map((c, i) => [c, proofs[i]]));
    const outcomes = new Map<Change, Outcome>();
    const taken: Change[] = [];
    for (const c of [...all].sort(before)) {
      const o: Outcome = refused.has(hex(c.head))
        ? { id: c.id, state: "refused", code: "bad_change_signature" }
        : this.take(c, authentic.get(c) ?? false);
      outcomes.set(c, o);
      if (o.state === "new") taken.push(c);
    }
    const lost = unproven(taken);
    if (!lost.length) {
      for (const c of taken) this.onMember(this.store.get(c.id)!);
      return outcomes;
    }
    for (const c of taken.reverse()) this.store.remove(this.store.get(c.id)!);
    for (const c of lost) refused.add(hex(c.head));
    return undefined;
  }

  get waits(): number {
    return this.waiting.size;
  }

  private wait(c: Change, absent: Id[]): void {
    if (this.waiting.size >= 10_000) return;
    this.forget(c.id);
    this.waiting.set(c.id, { c, absent });
    for (const id of absent) this.waitFor.set(id, (this.waitFor.get(id) ?? new Set()).add(c.id));
  }

  private forget(id: Id): void {
    for (const x of this.waiting.get(id)?.absent ?? []) this.waitFor.get(x)?.delete(id);
    this.waiting.delete(id);
  }

  /** settled says that a change brings nothing that is not here. */
  private settled(c: Change): boolean {
    const m = this.store.get(c.id);
    if (!m || (m.body === null && m.row === undefined && c.body)) return false;
    return equal(m.c.head, c.head) || !!m.c.sig2 || proven(m.c);
  }

  private take(c: Change, authentic: boolean): Outcome {
    const { id } = c;
    const there = this.store.get(id);
    if (there && this.settled(c)) return { id, state: "known", code: there.row && c.body ? there.row : undefined };
    try {
      if (there && (there.body !== null || there.row !== undefined || !c.body)) {
        // A copy with another signature of a head that only a descendant proves: a good one replaces it.
        this.judge.judge(c, authentic);
        if (proven(c)) there.c = { ...there.c, head: c.head, sig: c.sig };
        return { id, state: "known" };
      }
      // Other signatures over the same head are the same change; only its body is new.
      const verdict = this.judge.judge(c, !!there || authentic);
      const m = { c: there ? { ...there.c, body: c.body } : c, ...verdict };
      if (verdict.row) m.c = { ...m.c, body: null };
      if (there) this.store.fill(there, m);
      else this.store.add(m);
      return { id, state: there ? "filled" : "new", code: verdict.row };
    } catch (e) {
      if (!(e instanceof Fault)) throw e;
      if (!(e instanceof Absent)) return { id, state: "refused", code: e.code };
      this.wait(c, e.ids);
      return { id, state: "waits", code: e.code, absent: e.ids };
    }
  }
}

/** unproven are heads that neither they nor a descendant that was taken in with them prove. */
function unproven(taken: Change[]): Change[] {
  const plain = taken.filter((c) => !c.sig2);
  const proofs = authenticate(plain);
  return plain.filter((_, i) => !proofs[i]);
}

// Which heads of a batch are authentic (SPEC 5).

import { Change, Id, proven } from "./change.js";

const places = 256;

/**
 * authenticate says for each change of a batch whether its own signature or that of a
 * descendant in the batch proves it. `good` answers for one signature.
 */
export function authenticate(batch: Change[], good: (c: Change) => boolean = proven): boolean[] {
  const known = new Map<Change, boolean>();
  const ask = (c: Change): boolean => {
    let v = known.get(c);
    if (v === undefined) known.set(c, (v = good(c)));
    return v;
  };
  const copies = new Map<Id, Change[]>();
  for (const c of batch) copies.set(c.id, [...(copies.get(c.id) ?? []), c]);
  const children = new Map<Id, Id[]>();
  for (const [id, [c]] of copies)
    if (c.lane === "content" && copies.has(c.prev)) children.set(c.prev, [...(children.get(c.prev) ?? []), id]);
  const proves = (id: Id): boolean => copies.get(id)!.some(ask);
  /** search looks for one that proves id, and says how many places it reaches beyond. */
  const search = (id: Id, from = 0): number => {
    let level = [id];
    for (let n = 0; n <= places && level.length; n++) {
      if (n >= from && level.some(proves)) return places - n;
      level = level.flatMap((x) => children.get(x) ?? []);
    }
    return -1;
  };
  const reach = new Map<Id, number>();
  const reached = new Set<Id>();
  const newest = [...copies.keys()].sort((a, b) => copies.get(b)![0].seq - copies.get(a)![0].seq);
  for (const id of newest) {
    const above = Math.max(-1, ...(children.get(id) ?? []).map((x) => reach.get(x)! - 1));
    if (above >= 0) reached.add(id);
    reach.set(id, above >= 0 ? above : search(id));
  }
  // Of several copies of one change each needs a signature of its own, or a descendant.
  return batch.map((c) => {
    if (c.lane === "control") return ask(c);
    return reached.has(c.id) || ask(c) || (reach.get(c.id)! >= 0 && search(c.id, 1) >= 0);
  });
}

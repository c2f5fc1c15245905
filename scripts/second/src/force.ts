// The line of keys in force of an agent (SPEC 13, stratum 1 and 2).

import { equal } from "./bytes.js";
import { Id } from "./change.js";
import { didKey } from "./keys.js";
import { highest, Line, rank } from "./line.js";
import { Cut } from "./rows.js";
import { Member, Store } from "./store.js";

export type Force = Line & {
  geneses: Member[];
  /** the winning rotations of each key */
  winners: Map<string, Member[]>;
  contested: boolean;
};

/** inside says whether a change is inside a cut of its author. */
export function inside(store: Store, cut: Cut | undefined, m: Member): boolean {
  const named = cut?.get(m.c.space.text + (m.c.lane === "control" ? "!" : ""));
  let at = store.get(named);
  if (!at || at.c.chain !== m.c.chain) return false;
  while (at && at.c.seq > m.c.seq) at = store.get(at.c.prev || undefined);
  return at === m;
}

const same = <T>(list: T[], eq: (a: T, b: T) => boolean): boolean => list.every((x) => eq(x, list[0]));
const sameBytes = (a?: Uint8Array, b?: Uint8Array): boolean => (a && b ? equal(a, b) : a === b);
const sameList = (a?: string[], b?: string[]): boolean => JSON.stringify(a) === JSON.stringify(b);

/** common is what all of some geneses name. */
function common(geneses: Member[]): { ctl: string[]; next?: Uint8Array } {
  const binds = geneses.map((g) => g.bind!);
  const ctl = (binds[0].ctl ?? []).filter((d) => binds.every((b) => b.ctl?.includes(d)));
  return {
    ctl,
    next: same(
      binds.map((b) => b.next),
      sameBytes,
    )
      ? binds[0].next
      : undefined,
  };
}

export function forceOf(store: Store, agent: string): Force | undefined {
  const geneses = store.control(agent, "profile.bind").filter((m) => m.c.seq === 1);
  if (!geneses.length) return undefined;
  const out: Force = {
    geneses,
    keys: [geneses[0].c.did],
    ...common(geneses),
    winners: new Map(),
    contested: false,
  };
  for (;;) {
    const key = out.keys[out.keys.length - 1];
    const all = store.control(agent, "rotate").filter((m) => didKey(m.rotate!.old) === key);
    const ranks = all.map((m) => rank(out, m.rotate!.by.by));
    const top = Math.max(0, ...ranks);
    if (top === 0) return out;
    const winners = all.filter((_, i) => ranks[i] === top);
    out.winners.set(key, winners);
    if (out.keys.length === 1) keepBranches(store, out, winners);
    if (
      !same(
        winners.map((w) => w.c.did),
        (a, b) => a === b,
      )
    ) {
      out.contested = true;
      return out;
    }
    if (out.keys.includes(winners[0].c.did) || out.keys.length >= 128) return out;
    follow(out, winners, top);
  }
}

/** keepBranches asks those geneses alone that the cuts of the genesis key's rotations keep. */
function keepBranches(store: Store, out: Force, winners: Member[]): void {
  const kept = out.geneses.filter((g) => winners.every((w) => inside(store, w.rotate!.cut, g)));
  if (!kept.length) return;
  out.geneses = kept;
  Object.assign(out, common(kept));
}

function follow(out: Force, winners: Member[], top: number): void {
  const bodies = winners.map((w) => w.rotate!);
  const best = highest(out);
  const { next, ctl } = bodies[0];
  out.keys.push(winners[0].c.did);
  const agreed =
    next &&
    same(
      bodies.map((b) => b.next),
      sameBytes,
    ) &&
    (top > 1 || best === 1);
  if (agreed) out.next = next;
  else if (top === 3) out.next = undefined;
  if (
    ctl &&
    same(
      bodies.map((b) => b.ctl),
      sameList,
    ) &&
    top === best
  )
    out.ctl = ctl;
}

export const isWinner = (f: Force, id: Id): boolean =>
  [...f.winners.values()].some((w) => w.some((m) => m.c.id === id));

// The members of all sets, and what their bodies say (SPEC 8, 16).

import { Dict } from "./cbor.js";
import { before, Change, Id, setOfChange } from "./change.js";
import { Bind, Grant, Open, Rotate } from "./rows.js";
import { Network } from "./space.js";

/** What the body of a control kind says. */
export type Facts = {
  bind?: Bind;
  rotate?: Rotate;
  grant?: Grant;
  revoke?: { grant: Id; cut: Map<string, Map<string, Id>> };
  endorse?: { as: string; ids: Id[] };
  open?: Open;
};

export type Member = Facts & {
  c: Change;
  set: string;
  body: Dict | null; // null: a stub, whose body is missing or failed its row
  row?: string; // the code of a body that failed
};

export class Store {
  readonly members = new Map<Id, Member>();
  private readonly bySet = new Map<string, { sorted: boolean; list: Member[] }>();
  /** by chain and seq */
  private readonly chains = new Map<string, Map<number, Id[]>>();
  /** by space and kind, and by chain evidence: what came after a change. */
  private readonly spaces = new Map<string, Member[]>();
  version = 0;

  constructor(readonly net: Network) {}

  get(id: Id | undefined): Member | undefined {
    return id === undefined ? undefined : this.members.get(id);
  }

  add(m: Omit<Member, "set">): Member {
    const set = setOfChange(this.net, m.c);
    const out = { ...m, set };
    this.members.set(m.c.id, out);
    const s = this.bySet.get(set) ?? { sorted: true, list: [] };
    this.bySet.set(set, s);
    s.sorted &&= s.list.length === 0 || before(s.list[s.list.length - 1].c, m.c) < 0;
    s.list.push(out);
    const chain = this.chains.get(m.c.chain) ?? new Map<number, Id[]>();
    this.chains.set(m.c.chain, chain);
    chain.set(m.c.seq, [...(chain.get(m.c.seq) ?? []), m.c.id]);
    const at = `${m.c.space.text} ${m.c.kind}`;
    if (m.c.lane === "control") this.spaces.set(at, [...(this.spaces.get(at) ?? []), out]);
    this.version++;
    return out;
  }

  /** remove takes back what add put in last. */
  remove(m: Member): void {
    const drop = <T>(list: T[] | undefined, x: T) => list?.splice(list.indexOf(x), 1);
    this.members.delete(m.c.id);
    drop(this.bySet.get(m.set)!.list, m);
    const chain = this.chains.get(m.c.chain)!;
    drop(chain.get(m.c.seq), m.c.id);
    if (!chain.get(m.c.seq)!.length) chain.delete(m.c.seq);
    if (!chain.size) this.chains.delete(m.c.chain);
    drop(this.spaces.get(`${m.c.space.text} ${m.c.kind}`), m);
    this.version++;
  }

  /** fill gives a missing body to a member. */
  fill(m: Member, with_: Omit<Member, "set">): void {
    Object.assign(m, with_);
    this.version++;
  }

  /** items of a set in (hlc, id) order. */
  items(set: string): Member[] {
    const s = this.bySet.get(set);
    if (!s) return [];
    if (!s.sorted) s.list.sort((a, b) => before(a.c, b.c));
    s.sorted = true;
    return s.list;
  }

  sets(): string[] {
    return [...this.bySet.keys()];
  }

  /** control changes of a kind in a space, in (hlc, id) order. */
  control(space: string, kind: string): Member[] {
    return [...(this.spaces.get(`${space} ${kind}`) ?? [])].sort((a, b) => before(a.c, b.c));
  }

  /** tip is the newest change of a chain, and the lowest seq at which it forks. */
  tip(chain: string): { last?: Member; fork?: number } {
    const seqs = this.chains.get(chain);
    if (!seqs) return {};
    let top = 0;
    for (const seq of seqs.keys()) top = Math.max(top, seq);
    return { last: this.get(seqs.get(top)![0]), fork: this.forkOf(chain) };
  }

  forkOf(chain: string): number | undefined {
    let low: number | undefined;
    for (const [seq, ids] of this.chains.get(chain) ?? []) if (ids.length > 1 && seq < (low ?? Infinity)) low = seq;
    return low;
  }

  /** tips are the newest changes of the chains of a key. */
  tips(did: string): Member[] {
    const names = [...this.chains.keys()].filter((chain) => chain.endsWith(` ${did}`));
    return names.map((chain) => this.tip(chain).last!);
  }

  forks(): { author: string; space: string; lane: string; seq: number }[] {
    const out = [];
    for (const [chain, seqs] of this.chains) {
      const seq = this.forkOf(chain);
      if (seq === undefined) continue;
      const { c } = this.get([...seqs.values()][0][0])!;
      out.push({ author: c.did, space: c.space.text, lane: c.lane, seq });
    }
    return out;
  }

  all(): Member[] {
    return [...this.members.values()];
  }
}

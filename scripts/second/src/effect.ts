// Effect: which members count, over the whole set (SPEC 13 and 14).

import { Id } from "./change.js";
import { Force, forceOf, inside, isWinner } from "./force.js";
import { behind, parentsOf } from "./grants.js";
import { Cuts } from "./rows.js";
import { Member, Store } from "./store.js";
import { covered } from "./ucan0.js";

const ranks = { viewer: 1, member: 2, admin: 3, owner: 4 };

export class Effect {
  private readonly forces = new Map<string, Force | undefined>();
  private readonly memo = new Map<string, boolean>();
  private readonly endings = new Map<Id, Member[]>();
  private readonly readmits = new Map<Id, Member[]>();
  private readonly forks = new Map<string, number | undefined>();

  constructor(readonly store: Store) {
    const note = (map: Map<Id, Member[]>, id: Id, m: Member) => map.set(id, [...(map.get(id) ?? []), m]);
    for (const m of store.members.values()) {
      const ended = m.revoke?.grant ?? m.grant?.closes?.grant;
      if (ended) note(this.endings, ended, m);
      if (m.endorse?.as === "readmit") for (const id of m.endorse.ids) note(this.readmits, id, m);
    }
  }

  /** once remembers an answer; a question that asks for itself is answered no. */
  private once(what: string, answer: () => boolean): boolean {
    const known = this.memo.get(what);
    if (known !== undefined) return known;
    this.memo.set(what, false);
    const v = answer();
    this.memo.set(what, v);
    return v;
  }

  force(agent: string): Force | undefined {
    if (!this.forces.has(agent)) this.forces.set(agent, forceOf(this.store, agent));
    return this.forces.get(agent);
  }

  /** agentOf is the space of the agent for which a change was written; a root's manifest has none. */
  agentOf(m: Member): string {
    if (m.c.kind === "profile.bind" && m.c.seq === 1) return m.c.space.text;
    return this.store.get(m.c.proof[0])?.c.space.text ?? "";
  }

  /** identity says whether the identity of a change has effect for it. */
  identity(m: Member): boolean {
    return this.once(`identity ${m.c.id}`, () => {
      const { c } = m;
      if (c.kind === "net.manifest" && !c.proof.length) return true;
      const force = this.force(this.agentOf(m));
      if (!force) return false;
      if (c.kind === "profile.bind" && c.seq === 1) return force.geneses.includes(m);
      if (c.kind === "rotate") return isWinner(force, c.id);
      const by = this.store.get(c.proof[0])!;
      if (by.grant) return this.holdsUnder(m, by);
      if (!force.keys.includes(c.did) || (by.c.kind === "rotate" && !isWinner(force, by.c.id))) return false;
      const winners = force.winners.get(c.did) ?? [];
      return winners.every((w) => inside(this.store, w.rotate!.cut, m)) || this.readmittedByLine(m, force);
    });
  }

  private readmittedByLine(m: Member, force: Force): boolean {
    const place = force.keys.indexOf(m.c.did);
    return (this.readmits.get(m.c.id) ?? []).some(
      (e) => force.keys.indexOf(e.c.did) > place && this.agentOf(e) === this.agentOf(m) && this.endorsesAsAgent(e),
    );
  }

  private endorses(e: Member): boolean {
    return this.once(`endorse ${e.c.id}`, () => this.has(e) && !this.isVoid(e));
  }

  /** endorsesAsAgent is endorses into a cut of a rotation or in an agent's space: only the identity is asked. */
  private endorsesAsAgent(e: Member): boolean {
    return this.once(`endorse as agent ${e.c.id}`, () => !!e.body && this.identity(e) && !this.isVoid(e, 1));
  }

  /** has says whether a member of any kind has effect. */
  has(m: Member): boolean {
    if (!m.body) return false;
    return this.once(`has ${m.c.id}`, () => {
      if (!this.identity(m)) return false;
      const right = m.c.space.area === "guild" || m.c.space.area === "team" ? this.store.get(m.c.proof[1]) : undefined;
      if (!right || m.c.kind === "guild.open" || m.grant) return true;
      if (right.open) return this.identity(right);
      return !!right.grant && this.holdsUnder(m, right);
    });
  }

  stands(g: Member): boolean {
    return this.once(`stands ${g.c.id}`, () => {
      if (!this.identity(g) || !this.holdsUnderParents(g, g)) return false;
      const open = g.c.space.area === "agent" ? undefined : this.store.get(g.c.proof[1]);
      return (!open?.open || this.identity(open)) && !this.isVoid(g);
    });
  }

  holdsUnder(m: Member, g: Member): boolean {
    return this.once(`under ${m.c.id} ${g.c.id}`, () => {
      if (!this.stands(g) || !this.holdsUnderParents(m, g)) return false;
      const ends = this.counting(g).filter((e) => !this.keeps(e, m));
      return !ends.length || this.readmitted(m, g);
    });
  }

  private holdsUnderParents(m: Member, g: Member): boolean {
    const parents = parentsOf(this.store, g.c);
    const good = parents.filter((p) => this.holdsUnder(m, p));
    return good.length === parents.length || this.cover(good, g);
  }

  private cover(parents: Member[], g: Member): boolean {
    return g.grant!.token.caps.every((c) => parents.some((p) => covered(c, p.grant!.token)));
  }

  private keeps(ending: Member, m: Member): boolean {
    const cuts: Cuts = ending.revoke?.cut ?? ending.grant!.closes!.cut;
    return inside(this.store, cuts.get(m.c.did), m);
  }

  private readmitted(m: Member, g: Member): boolean {
    return (this.readmits.get(m.c.id) ?? []).some(
      (e) => (g.c.space.area === "agent" ? this.endorsesAsAgent(e) : this.endorses(e)) && this.mayEnd(e, g),
    );
  }

  /** counting are the endings of a grant that count. */
  private counting(g: Member): Member[] {
    return (this.endings.get(g.c.id) ?? []).filter((e) => this.counts(e, g));
  }

  private counts(e: Member, g: Member): boolean {
    return this.once(`counts ${e.c.id} ${g.c.id}`, () => {
      if (e.grant && behind(this.store, [e]).has(g)) return false;
      if (this.mayEnd(e, g)) return true;
      if (!this.leaves(e, g)) return false;
      const others = (this.endings.get(g.c.id) ?? []).filter((o) => o !== e && this.byRight(o, g));
      return others.every((o) => this.keeps(o, e)) || this.readmitted(e, g);
    });
  }

  private byRight(o: Member, g: Member): boolean {
    return !(o.grant && behind(this.store, [o]).has(g)) && this.mayEnd(o, g);
  }

  private leaves(e: Member, g: Member): boolean {
    if (this.store.get(e.c.proof[0]) === g) return this.holdsUnderParents(e, g);
    if (g.c.space.area === "agent" || !this.holds(this.agentOf(e), g)) return false;
    if (!this.identity(e) || !this.stands(g) || !this.holdsUnderParents(e, g)) return false;
    const right = this.store.get(e.c.proof[1]);
    if (!right || right === g) return true;
    if (right.open) return this.agentOf(right) === this.agentOf(e) && this.roots(g).has(right);
    return !!right.grant && this.holds(this.agentOf(e), right) && this.above(right, g) && this.holdsUnder(e, right);
  }

  /** mayEnd says whether the author of e may end g by another way than leaving. */
  private mayEnd(e: Member, g: Member): boolean {
    return this.once(`end ${e.c.id} ${g.c.id}`, () => {
      const agent = this.agentOf(e);
      if (g.c.space.area === "agent") {
        if (agent !== g.c.space.text) return false;
        const device = this.store.get(e.c.proof[0]);
        if (!device?.grant) return this.identity(e);
        return device !== g && behind(this.store, [g]).has(device) && this.holdsUnder(e, device);
      }
      const right = this.store.get(e.c.proof[1]);
      if (!right || right.c.space.name !== g.c.space.name || !this.identity(e)) return false;
      if (right.open) return this.agentOf(right) === agent && this.roots(g).has(right);
      if (!right.grant || !this.holds(agent, right) || !this.above(right, g) || !this.holdsUnder(e, right))
        return false;
      const issued = [...behind(this.store, [g])].some((x) => this.agentOf(x) === agent);
      return issued || this.rank(right) > this.rank(g);
    });
  }

  holds(agent: string, g: Member): boolean {
    return !!this.force(agent)?.keys.includes(g.grant!.token.aud);
  }

  private rank(g: Member): number {
    const own = g.grant!.role ? ranks[g.grant!.role] : 0;
    return Math.min(own, ...parentsOf(this.store, g.c).map((p) => this.rank(p)));
  }

  private depth(g: Member): number {
    return Math.max(-1, ...parentsOf(this.store, g.c).map((p) => this.depth(p))) + 1;
  }

  /** roots are the openings on which a grant rests. */
  private roots(g: Member): Set<Member> {
    const out = new Set<Member>();
    for (const m of behind(this.store, [g])) {
      const open = this.store.get(m.c.proof[1]);
      if (open?.open) out.add(open);
    }
    return out;
  }

  private above(r: Member, g: Member): boolean {
    const roots = this.roots(r);
    if ([...this.roots(g)].some((o) => !roots.has(o))) return false;
    const by = this.rank(r) - this.rank(g);
    return by > 0 || (by === 0 && this.depth(r) < this.depth(g));
  }

  private forkOf(chain: string): number {
    if (!this.forks.has(chain)) this.forks.set(chain, this.store.forkOf(chain));
    return this.forks.get(chain) ?? Infinity;
  }

  /**
   * isVoid says that a change lies on a fork, where a grant, an endorse or a vote counts for nothing, and that no
   * cut keeps it: a cut of its key,
   * or of one of the grants among the first `depth` of its proof.
   */
  isVoid(m: Member, depth = m.c.proof.length): boolean {
    if (m.c.seq < this.forkOf(m.c.chain)) return false;
    return this.once(`void ${depth} ${m.c.id}`, () => {
      const winners = this.force(this.agentOf(m))?.winners.get(m.c.did) ?? [];
      if (winners.some((w) => inside(this.store, w.rotate!.cut, m))) return false;
      const with_ = m.c.proof
        .slice(0, depth)
        .map((id) => this.store.get(id)!)
        .filter((g) => g.grant);
      return !with_.some((g) => this.counting(g).some((e) => this.keeps(e, m)));
    });
  }

  /** active says that nothing ends a grant that stands, and that its active parents cover it. */
  active(g: Member): boolean {
    return this.once(`active ${g.c.id}`, () => {
      if (!this.stands(g) || this.counting(g).length) return false;
      const parents = parentsOf(this.store, g.c);
      const good = parents.filter((p) => this.active(p));
      return good.length === parents.length || this.cover(good, g);
    });
  }
}

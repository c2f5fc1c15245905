// What others say about a change: votes and comments (SPEC 13.22 to 13.24).

import { Bytes, hex } from "./bytes.js";
import { before, Id } from "./change.js";
import { didKey } from "./keys.js";
import { readManifest } from "./rows.js";
import { Member } from "./store.js";
import { View } from "./view.js";

export type Remark = { id: Id; depth: number; hidden: boolean; approved: boolean };
export type Opinion = { up: number; down: number; comments: Remark[] };

const maxDepth = 4;
const maxVersions = 64;

/** Opinions answers for any target in one view. */
export class Opinions {
  private readonly about = new Map<Id, Member[]>(); // acts with effect, by target
  private readonly gateways?: string[]; // without a manifest every agent may speak for guests

  constructor(readonly view: View) {
    for (const m of view.shown.filter((x) => ["vote", "comment", "label"].includes(x.c.kind))) {
      const id = idIn(m, "target")!;
      this.about.set(id, [...(this.about.get(id) ?? []), m]);
    }
    const manifest = last(view.shown.filter((m) => m.c.kind === "net.manifest"));
    if (manifest) this.gateways = readManifest(manifest.body!).gateways.map(didKey);
  }

  of(target: Id): Opinion {
    const versions = this.versions(target);
    const votes = new Map<string, Member>();
    for (const v of versions.flatMap((t) => this.on(t, "vote").filter((a) => this.mayVote(a, t))).sort(inOrder))
      votes.set(this.agentOf(v), v);
    const values = [...votes.values()].map((v) => v.body!.get("value") as number);
    const comments = versions.flatMap((t) => this.on(t, "comment").map((a) => ({ a, t })));
    return {
      up: values.filter((v) => v > 0).length,
      down: values.filter((v) => v < 0).length,
      comments: comments.sort((x, y) => inOrder(x.a, y.a)).flatMap(({ a, t }) => this.remark(a, t) ?? []),
    };
  }

  private agentOf(m: Member): string {
    return this.view.effect.agentOf(m);
  }

  /** on are the acts of a kind about a target that lie in its space. */
  private on(target: Member, kind: string): Member[] {
    const all = this.about.get(target.c.id) ?? [];
    return all.filter((a) => a.c.kind === kind && a.c.space.text === target.c.space.text);
  }

  private mayVote(a: Member, t: Member): boolean {
    return this.agentOf(a) !== this.agentOf(t) && !this.view.isRetracted(a) && !this.view.effect.isVoid(a);
  }

  /** versions are a target and the entries that it replaced, along one line. */
  private versions(target: Id): Member[] {
    const out: Member[] = [];
    for (let m = this.view.store.get(target); m && this.view.shown.includes(m) && out.length < maxVersions; ) {
      out.push(m);
      const old = m.c.kind === "entry.put" ? this.view.store.get(idIn(m, "supersedes")) : undefined;
      m = old && last(this.view.successors(old)) === m ? old : undefined;
    }
    return out;
  }

  private remark(m: Member, thread: Member): Remark | undefined {
    const depth = this.depth(m);
    if (!depth) return undefined;
    const owner = this.agentOf(thread);
    const moderators = [owner, this.agentOf(m)];
    const dismissed = this.on(m, "label").some(
      (l) => l.body!.get("value") === "dismissed" && moderators.includes(this.agentOf(l)) && !this.view.isRetracted(l),
    );
    const approves = (e: Member) =>
      e.endorse?.as === "approve" &&
      e.endorse.ids.includes(m.c.id) &&
      e.c.space.text === m.c.space.text &&
      this.agentOf(e) === owner &&
      !this.view.effect.isVoid(e);
    return {
      id: m.c.id,
      depth,
      hidden: this.view.isRetracted(m) || dismissed,
      approved: this.view.shown.some(approves),
    };
  }

  /** depth is the level of a comment in its thread, 0 when it does not stand. */
  private depth(m: Member): number {
    let at: Member | undefined = m;
    for (let n = 1; n <= maxDepth; n++) {
      if (!this.maySpeak(at)) return 0;
      const parent = idIn(at, "parent");
      if (!parent) return n;
      const target = this.view.store.get(idIn(m, "target"));
      at = target && this.on(target, "comment").find((x) => x.c.id === parent);
      if (!at) return 0;
    }
    return 0;
  }

  private maySpeak(m: Member): boolean {
    if (!m.body!.has("guest") || !this.gateways) return true;
    return this.view.effect.force(this.agentOf(m))!.keys.some((k) => this.gateways!.includes(k));
  }
}

const inOrder = (a: Member, b: Member): number => before(a.c, b.c);
const last = (list: Member[]): Member | undefined => [...list].sort(inOrder).pop();

function idIn(m: Member, field: string): Id | undefined {
  const v = m.body!.get(field);
  return v === undefined ? undefined : hex(v as Bytes);
}

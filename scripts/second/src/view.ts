// Rows and the view hash: what the members with effect come to (SPEC 13).

import { Bytes, hash, hex, order, unb32, unhex } from "./bytes.js";
import { dict, encode, Value } from "./cbor.js";
import { before } from "./change.js";
import { editOf } from "./chunk.js";
import { Edit, orderEdits } from "./documents.js";
import { Effect } from "./effect.js";
import { fingerprint } from "./fingerprint.js";
import { readDidKey } from "./keys.js";
import { Member, Store } from "./store.js";

type Row = [string, Bytes, Record<string, Value | undefined>];

const acts = ["vote", "comment", "label", "bounty.open", "bounty.act", "task.act", "message", "served"];

/** idOf is the id in the space of an agent or guild. */
const idOf = (space: string): Bytes => unb32(space.split("/")[1]);

/** View is what the members of a store come to, as they are when it is made. */
export class View {
  readonly effect: Effect;
  readonly shown: Member[]; // members with effect
  private readonly retracted: Set<string>;
  private readonly later = new Map<string, Member[]>(); // entries, by what they supersede

  constructor(readonly store: Store) {
    this.effect = new Effect(store);
    this.shown = store.all().filter((m) => m.body && this.effect.has(m));
    this.retracted = new Set(
      this.shown
        .filter((m) => m.c.kind === "entry.retract")
        .map((m) => this.mark(m, hex(m.body!.get("target") as Bytes))),
    );
    for (const m of this.shown) {
      const old = m.c.kind === "entry.put" && m.body!.get("supersedes");
      if (old) this.later.set(hex(old as Bytes), [...(this.later.get(hex(old as Bytes)) ?? []), m]);
    }
  }

  /** mark names an object of an agent in a space, which only that agent retracts there. */
  private mark(m: Member, id: string): string {
    return `${id} ${this.effect.agentOf(m)} ${m.c.space.text}`;
  }

  /** isRetracted says whether the own agent of an entry or act has taken it back. */
  isRetracted(m: Member): boolean {
    return !m.c.kind.startsWith("bounty.") && this.retracted.has(this.mark(m, m.c.id));
  }

  /** successors are the entries that replace one. */
  successors(m: Member): Member[] {
    const agent = this.effect.agentOf(m);
    return (this.later.get(m.c.id) ?? []).filter(
      (n) =>
        before(m.c, n.c) < 0 &&
        this.effect.agentOf(n) === agent &&
        (n.c.space.text === m.c.space.text || n.c.space.area !== "team"),
    );
  }

  rows(): Row[] {
    return [
      ...this.agents(),
      ...this.entries(),
      ...this.guilds(),
      ...this.grants(),
      ...this.acts(),
      ...this.documents(),
    ];
  }

  private agents(): Row[] {
    const spaces = new Set(
      this.store
        .all()
        .filter((m) => m.bind && m.c.seq === 1)
        .map((m) => m.c.space.text),
    );
    return [...spaces].map((space) => {
      const f = this.effect.force(space)!;
      const binds = this.store.control(space, "profile.bind").filter((m) => this.effect.identity(m));
      const last = (field: "name" | "home") =>
        binds
          .map((m) => m.bind![field])
          .filter((v) => v !== undefined && v !== "")
          .pop();
      const key = readDidKey(f.keys[f.keys.length - 1])!;
      return ["agent", idOf(space), { ctl: f.ctl, home: last("home"), key, name: last("name"), next: f.next }];
    });
  }

  private entries(): Row[] {
    const list = this.shown.filter((m) => m.c.kind === "entry.put");
    return list.map((m) => {
      const state = this.isRetracted(m) ? 1 : this.successors(m).length ? 2 : 0;
      return ["entry", unhex(m.c.id), { ...this.head(m), state, type: m.body!.get("type") }];
    });
  }

  private head(m: Member) {
    return { agent: idOf(this.effect.agentOf(m)), bh: m.c.bh, hlc: m.c.hlc, space: m.c.space.text };
  }

  private guilds(): Row[] {
    const first = new Map<string, Member>();
    for (const m of this.shown.filter((o) => o.open).sort((a, b) => before(a.c, b.c)))
      if (!first.has(m.c.space.name)) first.set(m.c.space.name, m);
    return [...first.values()].map((m) => {
      const { name, type, visibility: vis } = m.open!;
      const founder = idOf(this.effect.agentOf(m));
      return ["guild", m.c.space.id!, { founder, name, space: m.c.space.text, type, vis }];
    });
  }

  private grants(): Row[] {
    const list = this.store.all().filter((m) => m.grant && this.effect.stands(m));
    return list.map((m) => {
      const { role, token } = m.grant!;
      const agent = idOf(this.effect.agentOf(m));
      const state = this.effect.active(m) ? 0 : 1;
      return ["grant", unhex(m.c.id), { agent, key: readDidKey(token.aud)!, role, space: m.c.space.text, state }];
    });
  }

  private acts(): Row[] {
    return this.shown
      .filter((m) => acts.includes(m.c.kind))
      .map((m) => {
        const state = this.isRetracted(m) ? 1 : 0;
        return [m.c.kind, unhex(m.c.id), { ...this.head(m), state, target: this.target(m) }];
      });
  }

  private target(m: Member): Bytes {
    const { kind, space } = m.c;
    if (kind === "task.act") return hash("mesh-task-v1\0", space.text, "\0", m.body!.get("task") as string);
    if (["bounty.open", "message", "served"].includes(kind)) return space.id!;
    return m.body!.get(kind === "bounty.act" ? "bounty" : "target") as Bytes;
  }

  private documents(): Row[] {
    const docs = new Map<string, Edit[]>();
    for (const m of this.store.all()) {
      if (m.c.kind !== "doc.edit" || !m.body) continue;
      const doc = m.body.get("doc") as string;
      const at = hex(hash(m.c.space.text, "\0", doc));
      const chunk = editOf(m.c.author, m.c.space.text, doc, m.body.get("chunk") as Bytes);
      docs.set(at, [...(docs.get(at) ?? []), { hlc: m.c.hlc, id: m.c.id, chunk, cut: !this.effect.has(m) }]);
    }
    const out: Row[] = [];
    for (const [at, edits] of docs) {
      const { heads } = orderEdits(edits);
      if (heads.length) out.push(["doc", unhex(at), { heads: heads.map(unhex) }]);
    }
    return out;
  }

  /** counts are the ids of entries with effect. */
  counts(): Set<string> {
    return new Set(this.shown.filter((m) => m.c.kind === "entry.put").map((m) => m.c.id));
  }
}

export type ViewOf = { rows: string[]; hash: string; entries: Set<string> };

/** viewOf gives the rows in hex, in order, and the view hash. */
export function viewOf(store: Store): ViewOf {
  const view = new View(store);
  const rows = view.rows().map(([object, id, m]) => encode([object, id, dict(m)]));
  return {
    rows: rows.map(hex).sort(order),
    hash: hex(fingerprint(rows.map((r) => hex(hash(r))))),
    entries: view.counts(),
  };
}

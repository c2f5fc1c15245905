// Membership: the order of checks of one change (SPEC 12), without step 4's batches.

import { bad, equal, Fault, hash, join } from "./bytes.js";
import { checkBinding } from "./binding.js";
import { decodeMap, Dict } from "./cbor.js";
import { Change, Id, proven, setOfChange } from "./change.js";
import { checkGrant, deviceMay, docCaveats, roleMay } from "./grants.js";
import { editOf } from "./chunk.js";
import { sound, verify, verifyHybrid } from "./keys.js";
import { checkRotation, Line, lineOf } from "./line.js";
import * as rows from "./rows.js";
import { agentId, guildId, Network, spaceOf, ticket } from "./space.js";
import { Facts, Member, Store } from "./store.js";

/** Absent is missing_deps with the ids that are not members here. */
export class Absent extends Fault {
  constructor(readonly ids: Id[]) {
    super("missing_deps");
  }
}

export type Verdict = Facts & { body: Dict | null; row?: string };

/** Identity is who writes: the identity's change, the agent's space, and the grant of a device. */
export type Identity = { by: Member; agent: string; device?: Member };

export class Judge {
  constructor(
    readonly net: Network,
    readonly store: Store,
  ) {}

  /** judge answers whether c is a member; `authentic` says that a descendant proves it. */
  judge(c: Change, authentic: boolean): Verdict {
    if (!equal(c.net, this.net.id)) throw bad("another network");
    if (!c.sig2 && !authentic && !proven(c))
      throw new Fault(sound(c.author) ? "bad_change_signature" : "bad_encoding", "signature");
    const absent = [...(c.prev ? [c.prev] : []), ...c.deps, ...c.proof].filter((id) => !this.store.get(id));
    if (absent.length) throw new Absent([...new Set(absent)]);
    this.sequence(c);
    if (!rows.allowedIn(c.kind, c.space.area)) throw new Fault("capability_missing", `${c.kind} in ${c.space.text}`);
    if (c.lane === "control") return this.control(c);
    const who = this.identity(c);
    if (c.space.area === "agent" && !["comment", "label"].includes(c.kind)) this.own(c, who);
    const caveats: docs[] = [];
    if (who.device) deviceMay(this.net, who.device, c, caveats);
    if (c.space.area === "team" || (c.space.area === "guild" && rows.needsRole(c.kind)))
      roleMay(this.net, this.store, c, who, (m) => this.agentOf(m), caveats);
    return this.row(c, caveats);
  }

  private sequence(c: Change): void {
    const wrong = (why: string) => new Fault("bad_sequence", why);
    const prev = this.store.get(c.prev || undefined);
    if (prev && (prev.c.chain !== c.chain || prev.c.seq !== c.seq - 1)) throw wrong("prev");
    const set = setOfChange(this.net, c);
    const past = [...c.deps, ...c.proof].map((id) => this.store.get(id)!);
    if (past.some((m) => m.set !== set && m.set !== "auth")) throw wrong("another set");
    if (prev) past.push(prev);
    if (past.some((m) => m.c.hlc >= c.hlc) || c.hlc < this.net.start * 1024) throw wrong("hlc");
  }

  /** row judges the body of a content kind: a failed one leaves a stub. */
  private row(c: Change, caveats: docs[]): Verdict {
    if (!c.body) return { body: null };
    try {
      const body = rowOf(c);
      if (c.kind === "doc.edit" && !caveats.every((d) => d(body.get("doc") as string)))
        throw new Fault("capability_missing", "doc");
      return { body };
    } catch (e) {
      if (!(e instanceof Fault)) throw e;
      return { body: null, row: e.code };
    }
  }

  identity(c: Change): Identity {
    const by = this.store.get(c.proof[0]);
    const none = new Fault("capability_missing", "identity");
    if (!by || by.c.space.area !== "agent") throw none;
    const agent = by.c.space.text;
    if (by.c.kind === "profile.bind" || by.c.kind === "rotate") {
      if (by.c.did !== c.did) throw none;
      return { by, agent };
    }
    if (!by.grant) throw none;
    if (by.grant.token.aud !== c.did) throw new Fault("wrong_audience");
    return { by, agent, device: by };
  }

  /** agentOf is the space of the agent that wrote a member. */
  agentOf(m: Member): string {
    return m.c.kind === "profile.bind" && m.c.seq === 1 ? m.c.space.text : this.store.get(m.c.proof[0])!.c.space.text;
  }

  private own(c: Change, who: Identity): void {
    if (who.agent !== c.space.text) throw new Fault("capability_missing", "space of another agent");
  }

  private line(who: Identity): Line | undefined {
    return who.device ? undefined : lineOf(this.store, who.by);
  }

  private signatures(c: Change, pq: Uint8Array | undefined): void {
    const good = pq ? c.sig2 && verifyHybrid(c.author, pq, c.d, c.sig, c.sig2) : !c.sig2;
    if (!good) throw new Fault("bad_change_signature", "sig2");
  }

  private control(c: Change): Verdict {
    if (c.kind === "net.manifest") return this.manifest(c);
    if (c.kind === "profile.bind") return c.seq === 1 ? this.genesis(c) : this.binding(c);
    if (c.kind === "rotate") return this.rotation(c);
    return this.other(c);
  }

  private bodyOf(c: Change): Dict {
    if (!c.body) throw new Absent([]);
    return decodeMap(c.body);
  }

  private need(c: Change): void {
    if (!c.body) throw new Absent([]);
  }

  private manifest(c: Change): Verdict {
    const root = this.net.roots.findIndex((r) => equal(r, c.author));
    if (root < 0) throw new Fault("capability_missing", "no root");
    const who = c.proof.length ? this.identity(c) : undefined;
    if (who?.device) throw new Fault("capability_missing", "a device");
    if (!this.net.pq) this.signatures(c, who && this.line(who)?.pq);
    else if (!c.sig2) throw new Fault("bad_change_signature", "a root without its second signature");
    const body = this.bodyOf(c);
    const { pq } = rows.readManifest(body);
    if (this.net.pq) {
      if (!pq || !equal(hash(pq), this.net.pq[root])) throw new Fault("bad_change_signature", "second key of the root");
      this.signatures(c, pq);
    }
    return { body };
  }

  private genesis(c: Change): Verdict {
    this.need(c);
    const invalid = (why: string) => new Fault("binding_invalid", why);
    if (!equal(agentId(this.net, c.author), c.space.id!) || c.proof.length) throw invalid("space");
    const body = this.bodyOf(c);
    const bind = rows.readBind(body, true);
    this.signatures(c, bind.pq);
    if (ticket(this.net.id, c.author, bind.pow) < this.net.bits) throw invalid("ticket");
    const { sponsor } = bind;
    if (sponsor && !verify(sponsor.by, join("mesh-sponsor-v1\0", this.net.id, c.author), sponsor.sig))
      throw invalid("sponsor");
    if (bind.bind) checkBinding(this.net.id, c.author, bind.ctl ?? [], bind.bind);
    return { body, bind };
  }

  private binding(c: Change): Verdict {
    this.need(c);
    const who = this.identity(c);
    this.own(c, who);
    if (who.device) throw new Fault("capability_missing", "a device");
    const line = this.line(who)!;
    this.signatures(c, line.pq);
    const body = this.bodyOf(c);
    const bind = rows.readBind(body, false);
    if (bind.bind) checkBinding(this.net.id, c.author, line.ctl, bind.bind);
    return { body, bind };
  }

  private rotation(c: Change): Verdict {
    this.need(c);
    const old = this.store.get(c.proof[0]);
    if (!old || !["profile.bind", "rotate"].includes(old.c.kind) || old.c.space.text !== c.space.text)
      throw new Fault("capability_missing", "identity of the old key");
    const body = this.bodyOf(c);
    const rotate = rows.readRotate(body);
    this.signatures(c, rotate.pq);
    checkRotation(this.net, this.store, c, rotate, body);
    return { body, rotate };
  }

  /** other judges grant, revoke, endorse and guild.open. */
  private other(c: Change): Verdict {
    const { store, net } = this;
    if (c.kind !== "grant") this.need(c);
    const who = this.identity(c);
    let grant: rows.Grant | undefined;
    if (c.kind === "grant") {
      grant = rows.readGrant(this.bodyOf(c));
      rows.checkAudience(grant);
    }
    if (c.space.area === "agent") this.own(c, who);
    this.signatures(c, this.line(who)?.pq);
    const body = this.bodyOf(c);
    const out: Verdict = { body, grant };
    if (c.kind === "revoke") this.named(c, (out.revoke = rows.readRevoke(body)).grant);
    if (c.kind === "endorse") out.endorse = rows.readEndorse(body);
    if (c.kind === "guild.open") this.opening(c, (out.open = rows.readOpen(body)));
    if (who.device && !(c.kind === "revoke" && out.revoke!.grant === who.device.c.id))
      deviceMay(net, who.device, c, [], grant);
    if (grant) {
      checkGrant(net, store, c, who, grant, (m) => this.agentOf(m));
      if (grant.closes) this.named(c, grant.closes.grant);
    } else if (c.space.area === "team" && c.kind !== "guild.open")
      roleMay(net, store, c, who, (m) => this.agentOf(m), []);
    return out;
  }

  private opening(c: Change, o: rows.Open): void {
    const id = guildId(this.net, c.author, o.salt);
    if (c.seq !== 1 || c.space.text !== spaceOf(o.visibility === "public" ? "guild" : "team", id)) throw bad("guild");
  }

  private named(c: Change, id: Id): void {
    const g = this.store.get(id);
    if ((!c.deps.includes(id) && c.prev !== id) || !g?.grant || g.c.space.text !== c.space.text)
      throw bad("no grant of this space among deps");
  }
}

type docs = docCaveats;

/** rowOf judges the body of a content kind by itself. */
export function rowOf(c: Change): Dict {
  const body = rows.hasRow(c.kind) ? rows.checkRow(c) : new Map();
  if (c.kind === "doc.edit") editOf(c.author, c.space.text, body.get("doc") as string, body.get("chunk") as Uint8Array);
  return body;
}

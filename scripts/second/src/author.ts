// Authoring: agents, devices, guilds and what they write, as SPEC lets them.

import { Bytes, hash, unhex, utf8 } from "./bytes.js";
import { consentLine } from "./binding.js";
import { dict, Dict, encode, Value } from "./cbor.js";
import { Change, fields, Id, next, readChange, sign } from "./change.js";
import { resourceOf, roleCaps } from "./grants.js";
import { didKey, Signer } from "./keys.js";
import { Roles } from "./rows.js";
import { agentId, guildId, laneOf, Network, spaceOf } from "./space.js";
import { Store } from "./store.js";
import { cidOf, writeToken } from "./ucan0.js";

/** A Writer is a key with the identity under which it writes. */
export type Writer = { by: Signer; agent: string; identity: Id };
export type Agent = Writer & { name: string; controllers: Signer[]; recovery?: Signer };
export type Role = { who: Agent; id: Id; role?: Roles; token: string };
export type Guild = { name: string; space: string; founder: Agent; open: Id; roles: Role[] };

/** Plan is a change before it is signed. */
export type Plan = { by: Signer; kind: string; space: string; body: Dict; proof?: Id[]; deps?: Id[]; hlc?: number };

export class Author {
  constructor(
    readonly net: Network,
    readonly store: Store,
    readonly now: () => number,
  ) {}

  /** head fills in the place in the chain and the time. */
  head(p: Plan, body = encode(p.body)): Dict {
    const chain = `${p.space}${laneOf(p.kind) === "control" ? "!" : ""} ${didKey(p.by.key)}`;
    const { last } = this.store.tip(chain);
    const prev = last?.c.id;
    const past = [prev, ...(p.deps ?? []), ...(p.proof ?? [])].map((id) => this.store.get(id)?.c.hlc ?? 0);
    const hlc = p.hlc ?? Math.max(next(this.now(), past), this.net.start * 1024);
    const { kind, space, deps, proof } = p;
    return fields(
      this.net,
      p.by.key,
      { kind, space, body: p.body, hlc, seq: (last?.c.seq ?? 0) + 1, prev, deps, proof },
      body,
    );
  }

  write(p: Plan): Change {
    const body = encode(p.body);
    return readChange(sign(p.by, this.head(p, body)), body);
  }

  genesis(by: Signer, name: string, controllers: Signer[] = [], recovery?: Signer): Plan {
    const body = dict({
      name,
      ctl: controllers.length ? controllers.map((c) => c.did) : undefined,
      next: recovery && hash(recovery.key),
      pq: by.pq?.publicKey,
    });
    return { by, kind: "profile.bind", space: spaceOf("agent", agentId(this.net, by.key)), body };
  }

  entry(w: Writer, space: string, text: string, more: Record<string, Value> = {}, right?: Id): Plan {
    const proof = right ? [w.identity, right] : [w.identity];
    return { by: w.by, kind: "entry.put", space, body: dict({ type: "gotcha", text, ...more }), proof };
  }

  /** about is a change with a target, which it holds. */
  about(w: Writer, kind: string, space: string, target: Id, more: Record<string, Value>, right?: Id): Plan {
    const proof = right ? [w.identity, right] : [w.identity];
    const name = kind === "bounty.act" ? "bounty" : "target";
    return { by: w.by, kind, space, body: dict({ [name]: unhex(target), ...more }), proof, deps: [target] };
  }

  device(w: Writer, device: Signer, abilities: object, exp: number | null, parent?: string): Plan {
    const cap = { [resourceOf(this.net, w.agent)]: abilities };
    const token = writeToken(w.by, { aud: device.did, exp, cap, ...(parent ? { prf: [cidOf(parent)] } : {}) });
    return { by: w.by, kind: "grant", space: w.agent, body: dict({ token }), proof: [w.identity] };
  }

  open(w: Writer, name: string, type: string, visibility: string, salt: Bytes): Plan {
    const space = spaceOf(visibility === "public" ? "guild" : "team", guildId(this.net, w.by.key, salt));
    return { by: w.by, kind: "guild.open", space, body: dict({ name, type, visibility, salt }), proof: [w.identity] };
  }

  /** role grants a role by the opening or by one's own role. */
  role(w: Writer, g: Guild, to: Signer, role: Roles, by: Role | undefined, exp: number | null): Plan {
    const cap = roleCaps(this.net, g.space.split("/")[1], role);
    const prf = by ? { prf: [cidOf(by.token)] } : {};
    const token = writeToken(w.by, { aud: to.did, exp, cap, ...prf });
    const body = dict({ token, role });
    return { by: w.by, kind: "grant", space: g.space, body, proof: [w.identity, by?.id ?? g.open] };
  }

  /** rotate makes a rotation of an agent to a new key, with the consent of a signer. */
  rotate(a: Agent, to: Signer, by: Signer, cut: Dict, more: Record<string, Value> = {}): Plan {
    const body = dict({ old: a.by.key, cut, ...more });
    const line = consentLine(this.net.id, this.store.get(a.identity)!.c.space.id!, a.by.key, to.key, body);
    body.set("by", dict({ alg: "ed25519", key: by.did, text: line, sig: by.sign(utf8(line)) }));
    return { by: to, kind: "rotate", space: a.agent, body, proof: [a.identity] };
  }

  /** cutOf keeps everything of a key that is here, or, with at, up to that change in its chain. */
  cutOf(did: string, at?: Id): Dict {
    const out: Dict = new Map();
    for (const m of this.store.tips(did)) out.set(m.c.space.text + (m.c.lane === "control" ? "!" : ""), unhex(m.c.id));
    const named = this.store.get(at);
    if (named) out.set(named.c.space.text + (named.c.lane === "control" ? "!" : ""), unhex(named.c.id));
    return out;
  }
}

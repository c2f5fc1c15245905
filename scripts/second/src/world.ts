// A world of agents that write what they may, step by step, from one seed.

import { hash, join, unhex } from "./bytes.js";
import { Agent, Author, Guild, Plan, Role, Writer } from "./author.js";
import { dict, Dict, Value } from "./cbor.js";
import { Change, Id } from "./change.js";
import { actorOf, writeText } from "./chunk.js";
import { Ingest } from "./ingest.js";
import { Signer } from "./keys.js";
import { Pool } from "./mutate.js";
import { Random } from "./random.js";
import { Roles } from "./rows.js";
import { Network, ticket } from "./space.js";
import { Member, Store } from "./store.js";

const domains = ["commons/go", "commons/rust", "commons/a:b_c-1"];
const text = (r: Random): string =>
  `What number ${r.below(1e9)} says is long enough to be an entry. `.repeat(1 + r.below(3));
const cid = (id: Id): Value => unhex(id);
const task = (r: Random): string => `tsk_00000000-0000-4000-8000-00000000000${r.below(6)}`;

/** A Step is a plan and what to remember when it becomes a member. */
export type Step = { plan: Plan; then?: (c: Change) => void };

export class World {
  readonly store: Store;
  readonly ingest: Ingest;
  readonly author: Author;
  readonly agents: Agent[] = [];
  readonly devices: (Writer & { id: Id; token: string })[] = [];
  readonly guilds: Guild[] = [];
  readonly grants: { id: Id; by: Writer; right?: Id; audience: string }[] = [];
  readonly pool: Pool = { ids: [], identities: [], spaces: [...domains], keys: [] };
  /** content that others may vote about */
  readonly targets: { id: Id; space: string }[] = [];
  readonly bounties: { id: Id; space: string }[] = [];
  private clock: number;

  constructor(
    readonly net: Network,
    readonly root: Signer,
    readonly r: Random,
  ) {
    this.store = new Store(net);
    this.ingest = new Ingest(net, this.store);
    this.clock = net.start + 1000;
    this.author = new Author(net, this.store, () => (this.clock += r.below(50)));
  }

  signer(pq = false): Signer {
    return new Signer(this.r.bytes(32), pq ? this.r.bytes(32) : undefined);
  }

  private writer(): Writer {
    return this.devices.length && this.r.chance(20) ? this.r.pick(this.devices) : this.r.pick(this.agents);
  }

  private static steps: [number, (w: World) => Step | undefined][] = [
    [4, (w) => w.newAgent()],
    [20, (w) => w.entry()],
    [14, (w) => w.opinion()],
    [5, (w) => w.later()],
    [3, (w) => w.rebind()],
    [2, (w) => w.openGuild()],
    [7, (w) => w.giveRole()],
    [18, (w) => w.inGuild()],
    [4, (w) => w.giveDevice()],
    [4, (w) => w.end()],
    [2, (w) => w.readmit()],
    [2, (w) => w.rotate()],
    [6, (w) => w.edit()],
    [2, (w) => w.serve()],
    [1, (w) => w.manifest()],
    [2, (w) => w.unknown()],
  ];

  step(): Step {
    if (this.agents.length < 3) return this.newAgent()!;
    for (;;) {
      let at = this.r.below(World.steps.reduce((n, [weight]) => n + weight, 0));
      const found = World.steps.find(([weight]) => (at -= weight) < 0)!;
      const step = found[1](this);
      if (step) return step;
    }
  }

  private newAgent(): Step | undefined {
    const { r } = this;
    if (this.agents.length >= 60) return undefined;
    const by = this.signer(r.chance(3));
    const controllers = Array.from({ length: r.below(3) }, () => this.signer());
    const recovery = r.chance(40) ? this.signer() : undefined;
    const name = `Agent ${this.agents.length}`;
    const plan = this.author.genesis(by, name, controllers, recovery);
    if (r.chance(20)) plan.body.set("home", "mesh.example");
    if (r.chance(10)) plan.body.set("pow", r.below(1000));
    if (r.chance(10)) {
      const sig = this.root.sign(join("mesh-sponsor-v1\0", this.net.id, by.key));
      plan.body.set("sponsor", dict({ by: this.root.key, sig }));
    }
    for (let pow = 0; ticket(this.net.id, by.key, Number(plan.body.get("pow") ?? 0)) < this.net.bits; pow++)
      plan.body.set("pow", pow);
    const then = (c: Change) => {
      this.agents.push({ by, agent: c.space.text, identity: c.id, name, controllers, recovery });
      this.pool.identities.push(c.id);
      this.pool.spaces.push(c.space.text);
      this.pool.keys.push(by.key);
    };
    return { plan, then };
  }

  private target(id: Id, space: string): void {
    if (this.targets.length < 400) this.targets.push({ id, space });
    else this.targets[this.r.below(400)] = { id, space };
  }

  /** rich gives an entry optional fields at and within their limits. */
  private rich(): Record<string, Value> {
    const { r } = this;
    const out: Record<string, Value> = {};
    if (r.chance(30)) out.conf = r.pick([0, 1, 800, 1000]);
    if (r.chance(20)) out.tags = Array.from({ length: r.below(13) }, (_, i) => `tag ${i}`);
    if (r.chance(20)) out.title = "é".repeat(1 + r.below(160));
    if (r.chance(15)) out.evidence = ["seen twice"];
    if (r.chance(15)) out.meta = new TextEncoder().encode('{"a":[1,2.5,"x"],"b":{"c":null}}');
    if (r.chance(10)) {
      const receipt = new TextEncoder().encode('{"amount":1}');
      Object.assign(out, { receipt, rsha: hash(receipt) });
    }
    if (r.chance(10) && this.targets.length) out.reuses = [cid(r.pick(this.targets).id)];
    if (r.chance(10) && this.targets.length) out.supersedes = cid(r.pick(this.targets).id);
    return out;
  }

  private entry(): Step {
    const space = this.r.pick(domains);
    const plan = this.author.entry(this.writer(), space, text(this.r), this.rich());
    if (this.r.chance(8)) {
      plan.body.delete("text");
      plan.body.set("hash", this.r.bytes(32));
    }
    return { plan, then: (c) => this.target(c.id, space) };
  }

  private opinion(): Step | undefined {
    const { r } = this;
    if (!this.targets.length) return undefined;
    const w = this.writer();
    const guest = r.chance(25);
    const { id, space } = guest ? { id: r.pick(this.pool.identities), space: "" } : r.pick(this.targets);
    const at = guest ? this.store.get(id)!.c.space.text : space;
    const right = at.startsWith("team/") ? this.rightOf(w, at) : undefined;
    const more = [
      ["vote", { value: r.below(3) - 1 }],
      ["comment", { text: "Seen here too.", ...(r.chance(30) ? { mood: "glad" } : {}) }],
      [
        "label",
        { value: r.pick(["spam", "secret", "upheld", "dismissed"]), ...(r.chance(30) ? { why: "bought" } : {}) },
      ],
    ] as [string, Record<string, Value>][];
    const [kind, fields] = r.pick(guest ? more.slice(1) : more);
    return { plan: this.author.about(w, kind, at, id, fields, right), then: (c) => !guest && this.target(c.id, at) };
  }

  private later(): Step | undefined {
    if (!this.targets.length) return undefined;
    const { id, space } = this.r.pick(this.targets);
    const own = this.agents.find((a) => a.by.did === this.store.get(id)?.c.did);
    const w = own ?? this.writer();
    const right = /^(guild|team)/.test(space) ? this.rightOf(w, space) : undefined;
    return { plan: this.author.about(w, "entry.retract", space, id, this.r.chance(40) ? { why: "wrong" } : {}, right) };
  }

  private rebind(): Step {
    const a = this.r.pick(this.agents);
    const body = dict({
      name: this.r.chance(60) ? "Renamed" : undefined,
      home: this.r.chance(50) ? "x.example" : undefined,
    });
    const plan = { by: a.by, kind: "profile.bind", space: a.agent, body, proof: [a.identity] };
    return { plan, then: (c) => this.r.chance(30) && void (a.identity = c.id) };
  }

  private openGuild(): Step | undefined {
    if (this.guilds.length >= 30) return undefined;
    const w = this.r.chance(90) ? this.r.pick(this.agents) : this.writer();
    const visibility = this.r.pick(["public", "public", "private", "internal"]);
    const plan = this.author.open(w, `Guild ${this.guilds.length}`, "dev", visibility, this.r.bytes(16));
    const founder = this.agents.find((a) => a.agent === w.agent)!;
    const then = (c: Change) => {
      this.guilds.push({ name: "", space: c.space.text, founder, open: c.id, roles: [] });
      this.pool.spaces.push(c.space.text, c.space.text.replace("guild/", "team/"));
    };
    return { plan, then };
  }

  private giveRole(): Step | undefined {
    const { r } = this;
    if (!this.guilds.length) return undefined;
    const g = r.pick(this.guilds);
    const to = r.pick(this.agents);
    const by = g.roles.length && r.chance(40) ? r.pick(g.roles) : undefined;
    const who = by?.who ?? g.founder;
    const role = r.pick<Roles>(["viewer", "member", "member", "admin", "owner"]);
    const exp = r.chance(25) ? Math.floor(this.clock / 1000) + r.below(4000) : null;
    const plan = this.author.role(who, g, to.by, role, by, exp);
    if (g.space.startsWith("guild/") && r.chance(10)) plan.space = g.space.replace("guild/", "team/");
    const token = plan.body.get("token") as string;
    this.closes(plan, who, by?.id ?? g.open);
    const then = (c: Change) => {
      g.roles.push({ who: to, id: c.id, role, token });
      this.grants.push({ id: c.id, by: who, right: by?.id ?? g.open, audience: to.by.did });
    };
    return { plan, then };
  }

  /** closes lets a grant end an older one of its space. */
  private closes(plan: Plan, by: Writer, right?: Id): void {
    const old = this.grants.filter((x) => this.store.get(x.id)!.c.space.text === plan.space && x.right === right);
    if (!old.length || !this.r.chance(12)) return;
    const g = this.r.pick(old);
    plan.body.set("closes", dict({ grant: cid(g.id), cut: this.cuts(g.audience) }));
    plan.deps = [g.id];
    void by;
  }

  private cuts(did: string): Dict {
    const cut = this.author.cutOf(did, this.r.chance(40) ? this.someOf(did) : undefined);
    return cut.size ? dict({ [did]: cut }) : new Map();
  }

  private someOf(did: string): Id | undefined {
    const tips = this.store.tips(did);
    let m: Member | undefined = tips.length ? this.r.pick(tips) : undefined;
    for (let n = this.r.below(6); m?.c.prev && n > 0; n--) m = this.store.get(m.c.prev);
    return m?.c.id;
  }

  private rolesOf(agent: string, space: string): Role[] {
    const g = this.guilds.find((x) => x.space.split("/")[1] === space.split("/")[1]);
    return g?.roles.filter((x) => x.who.agent === agent) ?? [];
  }

  private rightOf(w: Writer, space: string): Id | undefined {
    const g = this.guilds.find((x) => x.space.split("/")[1] === space.split("/")[1]);
    const roles = this.rolesOf(w.agent, space);
    if (g?.founder.agent === w.agent && this.r.chance(60)) return g.open;
    return roles.length ? this.r.pick(roles).id : g?.open;
  }

  private inGuild(): Step | undefined {
    const { r } = this;
    if (!this.guilds.length) return undefined;
    const g = r.pick(this.guilds);
    const people = [g.founder, ...g.roles.map((x) => x.who)];
    const agent = r.pick(people);
    const device = this.devices.find((d) => d.agent === agent.agent);
    const w = device && r.chance(20) ? device : agent;
    const team = g.space.replace("guild/", "team/");
    const space = r.chance(50) ? team : g.space;
    const right = this.rightOf(w, space);
    const proof = [w.identity, ...(right ? [right] : [])];
    const plain = (kind: string, at: string, body: Record<string, Value | undefined>): Step => ({
      plan: { by: w.by, kind, space: at, body: dict(body), proof },
    });
    switch (r.below(6)) {
      case 0:
        return {
          plan: this.author.entry(w, space, text(r), this.rich(), right),
          then: (c) => this.target(c.id, space),
        };
      case 1:
        return plain("message", team, {
          type: r.pick(["text", "alert"]),
          text: "Who takes this?",
          subject: r.chance(30) ? "Work" : undefined,
          task: r.chance(20) ? task(r) : undefined,
        });
      case 2: {
        const act = r.pick(["claim", "release", "done", "block", "reopen", "delegate"]);
        return plain("task.act", team, { task: task(r), act, to: act === "delegate" ? r.bytes(32) : undefined });
      }
      case 3: {
        const step = plain("bounty.open", space, {
          title: "Make it so",
          amount: 1 + r.below(1e6),
          cur: r.pick(["credits", "USDC"]),
          home: agent.by.key,
          deadline: r.chance(40) ? this.clock + 1e6 : undefined,
        });
        return { ...step, then: (c) => void this.bounties.push({ id: c.id, space }) };
      }
      default:
        return this.bountyStep(w);
    }
  }

  private bountyStep(w: Writer): Step | undefined {
    const { r } = this;
    if (!this.bounties.length) return undefined;
    const { id, space } = r.pick(this.bounties);
    const act = r.pick(["claim", "submit", "accept", "propose", "approve", "split", "cancel", "dispute", "payout"]);
    const more: Record<string, Value> = { act };
    if (act === "submit") Object.assign(more, { text: "Done.", ...(r.chance(30) ? { ids: [cid(id)] } : {}) });
    if (act === "propose") Object.assign(more, { title: "Ship it", pct: 50 + r.below(51) });
    if (act === "split") more.pct = 1 + r.below(99);
    if (act === "approve") more.ref = cid(id);
    if (r.chance(20)) return { plan: this.endorsePlan(w, "confirm", [id], space) };
    return { plan: this.author.about(w, "bounty.act", space, id, more, this.rightOf(w, space)) };
  }

  private endorsePlan(w: Writer, as: string, list: Id[], space: string): Plan {
    const right = /^(guild|team)/.test(space) ? this.rightOf(w, space) : undefined;
    const proof = [w.identity, ...(right ? [right] : [])];
    return { by: w.by, kind: "endorse", space, body: dict({ as, ids: list.map(cid) }), proof };
  }

  private giveDevice(): Step {
    const { r } = this;
    const w = this.devices.length && r.chance(25) ? r.pick(this.devices) : r.pick(this.agents);
    const abilities = r.pick<object>([
      { "*": [{}] },
      { "entry/put": [{}], "vote/*": [{}], "doc/edit": [{ doc: ["page", "project/*"] }] },
      { "ENTRY/PUT": [{}], "member/grant": [{}] },
      { "entry/*": [{}], "comment/add": [{}], label: [{}], message: [{}] },
    ]);
    const exp = r.chance(30) ? Math.floor(this.clock / 1000) + r.below(3000) : null;
    const device = this.signer();
    const parent = this.devices.find((d) => d === w);
    const plan = this.author.device(w, device, abilities, exp, parent?.token);
    this.closes(plan, w);
    const token = plan.body.get("token") as string;
    const then = (c: Change) => {
      this.devices.push({ by: device, agent: w.agent, identity: c.id, id: c.id, token });
      this.grants.push({ id: c.id, by: w, audience: device.did });
    };
    return { plan, then };
  }

  /** end revokes a grant: by who gave it, by who holds it, or by somebody else. */
  private end(): Step | undefined {
    const { r } = this;
    if (!this.grants.length) return undefined;
    const g = r.pick(this.grants);
    const { c } = this.store.get(g.id)!;
    const holder = [...this.agents, ...this.devices].find((x) => x.by.did === g.audience);
    const w = r.chance(60) ? g.by : r.chance(60) && holder ? holder : this.writer();
    const right = c.space.area === "agent" ? undefined : r.chance(70) ? g.right : this.rightOf(w, c.space.text);
    const proof = [w.identity, ...(right && r.chance(90) ? [right] : [])];
    const body = dict({ grant: cid(g.id), cut: this.cuts(g.audience), why: r.chance(20) ? "done" : undefined });
    return { plan: { by: w.by, kind: "revoke", space: c.space.text, body, proof, deps: [g.id] } };
  }

  private readmit(): Step | undefined {
    const { r } = this;
    if (!this.grants.length) return undefined;
    const g = r.pick(this.grants);
    const list = this.store.tips(g.audience).map((m) => m.c.id);
    const space = this.store.get(g.id)!.c.space.text;
    return list.length ? { plan: this.endorsePlan(g.by, "readmit", [...new Set(list)].slice(0, 3), space) } : undefined;
  }

  private rotate(): Step {
    const { r } = this;
    const a = r.pick(this.agents);
    const to = this.signer();
    const by = r.pick([a.by, a.by, ...a.controllers, ...(a.recovery ? [a.recovery] : [])]);
    const next = r.chance(20) ? this.signer() : undefined;
    const more: Record<string, Value> = next ? { next: hash(next.key) } : {};
    const cut = r.chance(15)
      ? new Map()
      : this.author.cutOf(a.by.did, r.chance(30) ? this.someOf(a.by.did) : undefined);
    const then = (c: Change) => {
      if (r.chance(30)) return; // the old key goes on
      a.by = to;
      a.identity = c.id;
      if (by === a.recovery) a.recovery = undefined;
      if (next) a.recovery = next;
      this.pool.identities.push(c.id);
      this.pool.keys.push(to.key);
    };
    return { plan: this.author.rotate(a, to, by, cut, more), then };
  }

  private edit(): Step {
    const { r } = this;
    const w = this.writer();
    const g = this.guilds.length && r.chance(40) ? r.pick(this.guilds) : undefined;
    const space = g?.space ?? w.agent;
    const doc = r.pick(["page", "room", "board", "project/x", "project/x~2", `project/n${r.below(40)}`]);
    const chunk = writeText(actorOf(w.by.key, space, doc), "bio", `It says ${r.below(1e6)}.`);
    const right = g && this.rightOf(w, space);
    const proof = [w.identity, ...(right ? [right] : [])];
    return { plan: { by: w.by, kind: "doc.edit", space, body: dict({ doc, chunk }), proof } };
  }

  private serve(): Step {
    const a = this.r.pick(this.agents);
    const rows = this.targets.slice(0, this.r.below(4)).map((t) => [cid(t.id), 1 + this.r.below(9)]);
    return {
      plan: { by: a.by, kind: "served", space: a.agent, body: dict({ day: 20000, rows }), proof: [a.identity] },
    };
  }

  private manifest(): Step {
    const gateways = this.agents.slice(0, 2).map((a) => dict({ host: "mesh.example", key: a.by.key }));
    const body = dict({ bootstrap: [], gateways, labelers: [this.root.key] });
    return { plan: { by: this.root, kind: "net.manifest", space: "net", body } };
  }

  private unknown(): Step {
    const w = this.writer();
    const space = this.r.pick(this.pool.spaces);
    return { plan: { by: w.by, kind: "zeta.spin", space, body: dict({ any: 1 }), proof: [w.identity] } };
  }
}

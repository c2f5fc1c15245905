// Rights: what devices and roles may, and the checks of a grant (SPEC 11).

import { bad, Fault } from "./bytes.js";
import { Change, Id } from "./change.js";
import { baseOf } from "./chunk.js";
import type { Identity } from "./judge.js";
import { Json, spell } from "./json.js";
import { lineOf } from "./line.js";
import { Grant, Roles } from "./rows.js";
import { Network } from "./space.js";
import { Member, Store } from "./store.js";
import * as ucan from "./ucan0.js";

/** A right on documents: whether it reaches one by its name. */
export type docCaveats = (doc: string) => boolean;

export const resourceOf = (net: Network, space: string): string => `mesh://${net.hex}/${space}`;

export function abilityOf(kind: string): string {
  if (kind === "vote") return "vote/cast";
  if (kind === "comment") return "comment/add";
  if (["grant", "revoke", "endorse"].includes(kind)) return "member/grant";
  if (/^(bounty|task)\./.test(kind)) return kind.split(".")[0] + "/act";
  return kind.replace(".", "/");
}

const reaches =
  (doc: string) =>
  (pattern: string): boolean =>
    pattern === doc || (pattern.endsWith("/*") && doc.startsWith(pattern.slice(0, -1)));

/** checkOf says which fields of a caveat the check of a change understands. */
function checkOf(kind: string, grant?: Grant, doc?: string): ucan.Check {
  if (kind === "grant") return { role: ucan.holds((r) => r === (grant!.role ?? "")) };
  if (kind === "revoke" || kind === "endorse") return { role: ucan.anyTexts };
  if (kind === "doc.edit") return { doc: doc === undefined ? ucan.anyTexts : ucan.holds(reaches(doc)) };
  return {};
}

const secondsOf = (c: Change): number => Math.floor(Math.floor(c.hlc / 1024) / 1000);

function inTerm(c: Change, t: ucan.Token): void {
  if (t.exp !== null && secondsOf(c) > t.exp) throw new Fault("capability_expired");
}

/** may asks a token for a right, and notes how far it reaches among documents. */
function may(t: ucan.Token, resource: string, c: Change, docs: docCaveats[], grant?: Grant): boolean {
  const ability = abilityOf(c.kind);
  docs.push((doc) => ucan.allows(t, resource, ability, checkOf(c.kind, grant, baseOf(doc))));
  return ucan.allows(t, resource, ability, checkOf(c.kind, grant));
}

/** deviceMay asks the grant of a device for the ability of its change, on the space of its agent. */
export function deviceMay(net: Network, device: Member, c: Change, docs: docCaveats[], grant?: Grant): void {
  const { token } = device.grant!;
  if (["net.manifest", "profile.bind", "rotate"].includes(c.kind)) throw new Fault("capability_missing", "a device");
  if (!may(token, resourceOf(net, device.c.space.text), c, docs, grant))
    throw new Fault("capability_missing", "device");
  inTerm(c, token);
}

/** keysOf are those of the line of the agent that writes: a device's agent wrote the first of its grants. */
function keysOf(store: Store, who: Identity): string[] {
  let m = who.by;
  while (m.grant) m = store.get(m.c.proof[0])!;
  return lineOf(store, m).keys;
}

const isGuild = (m: Member, c: Change): boolean =>
  (m.c.space.area === "guild" || m.c.space.area === "team") && m.c.space.name === c.space.name;

type AgentOf = (m: Member) => string;

/** roleMay asks proof[1] for the right to write in a guild or its team. */
export function roleMay(
  net: Network,
  store: Store,
  c: Change,
  who: Identity,
  agentOf: AgentOf,
  docs: docCaveats[],
): void {
  const right = store.get(c.proof[1]);
  const none = new Fault("capability_missing", "role");
  if (!right || !isGuild(right, c)) throw none;
  if (right.open) {
    if (agentOf(right) !== who.agent) throw none;
    return;
  }
  if (!right.grant) throw none;
  if (!keysOf(store, who).includes(right.grant.token.aud)) throw new Fault("wrong_audience");
  if (c.kind === "revoke") return;
  if (c.kind !== "endorse" && !may(right.grant.token, resourceOf(net, c.space.text), c, docs)) throw none;
  inTerm(c, right.grant.token);
}

const everything: [string, string][] = [["*", "[{}]"]];
const member = ["entry/put", "entry/retract", "comment/add", "vote/cast", "message", "task/act", "bounty/act"];
const plain = (...list: string[]): [string, string][] => list.map((a) => [a, "[{}]"]);

const abilities: Record<Roles, [string, string][]> = {
  viewer: plain("team/read"),
  member: [...plain("team/read", ...member), ["doc/edit", '[{"doc":["board","project/*"]}]']],
  admin: [...plain("team/read", ...member, "doc/edit", "label"), ["member/grant", '[{"role":["member","viewer"]}]']],
  owner: everything,
};

/** roleCaps are the capabilities of a role, as a token writes them. */
export const roleCaps = (net: Network, guild: string, role: Roles): object =>
  Object.fromEntries(
    ["guild", "team"].map((area) => [
      resourceOf(net, `${area}/${guild}`),
      Object.fromEntries(abilities[role].map(([a, v]) => [a, JSON.parse(v) as object])),
    ]),
  );

function checkRole(net: Network, c: Change, { role, token }: Grant): void {
  if (!role) return;
  const want = ["guild", "team"].flatMap((area) =>
    abilities[role].map(([a, v]) => `${resourceOf(net, `${area}/${c.space.name}`)} ${a} ${v}`),
  );
  const have = token.caps.map((k) => `${k.resource} ${k.ability} ${spell(k.caveats as Json)}`);
  if (want.length !== have.length || want.some((w) => !have.includes(w)))
    throw new Fault("attenuation_violation", "role");
}

/** parentsOf are the grants on which a grant rests; none for those of agents and founders. */
export function parentsOf(store: Store, c: Change): Member[] {
  const ids = c.space.area === "agent" ? c.proof.slice(0, 1) : c.proof.slice(1);
  return ids.map((id) => store.get(id)!).filter((m) => m.grant);
}

/** behind are all grants that stand behind those of a list, itself included. */
export function behind(store: Store, from: Member[], all = new Set<Member>()): Set<Member> {
  for (const m of from) {
    if (all.has(m)) continue;
    all.add(m);
    behind(store, parentsOf(store, m.c), all);
  }
  return all;
}

function link(store: Store, m: { c: Change; grant?: Grant }, made = new Map<Id, ucan.Link>()): ucan.Link {
  const known = made.get(m.c.id);
  if (known) return known;
  const out = { token: m.grant!.token, parents: parentsOf(store, m.c).map((p) => link(store, p, made)) };
  made.set(m.c.id, out);
  return out;
}

function checkParents(net: Network, store: Store, c: Change, who: Identity, g: Grant, agentOf: AgentOf): void {
  const none = (why: string) => new Fault("capability_missing", why);
  if (c.space.area === "agent") {
    if (g.role) throw bad("role");
    if (c.proof.length > 1) throw new Fault("chain_invalid", "more than the identity");
    return;
  }
  const first = store.get(c.proof[1]);
  if (!first) throw none("no right");
  if (first.open && isGuild(first, c) && agentOf(first) === who.agent) {
    if (c.proof.length > 2) throw new Fault("chain_invalid", "rights beside the opening");
    return;
  }
  const parents = c.proof.slice(1).map((id) => store.get(id)!);
  const keys = keysOf(store, who);
  for (const p of parents) {
    if (!p.grant || !isGuild(p, c)) throw none("a parent is no grant of this guild");
    if (!keys.includes(p.grant.token.aud)) throw new Fault("wrong_audience");
  }
  if (!parents.some((p) => may(p.grant!.token, resourceOf(net, p.c.space.text), c, [], g)))
    throw none("the parents may not grant this");
}

/** checkGrant is steps 3 to 7 of the checks of a grant. */
export function checkGrant(net: Network, store: Store, c: Change, who: Identity, g: Grant, agentOf: AgentOf): void {
  checkParents(net, store, c, who, g, agentOf);
  const { token } = g;
  const invalid = (why: string) => new Fault("chain_invalid", why);
  if (token.iss !== c.did) throw invalid("issuer");
  const spaces = c.space.area === "agent" ? [c.space.text] : [`guild/${c.space.name}`, `team/${c.space.name}`];
  const inside = (r: string) => spaces.some((s) => ucan.coversResource(resourceOf(net, s), r));
  if (!token.caps.length || !token.caps.every((k) => inside(k.resource)))
    throw new Fault("capability_missing", "reach");
  checkRole(net, c, g);
  const parents = parentsOf(store, c);
  const all = behind(store, parents);
  if (all.size + 1 > 128) throw invalid("over 128 grants");
  if ([...all].some((m) => m.c.did === c.did && parentsOf(store, m.c).length === 0)) throw invalid("needs none");
  if (token.prf.some((cid) => !parents.some((p) => ucan.names(cid, p.grant!.token)))) throw new Fault("proof_missing");
  if (new Set(parents).size !== parents.length) throw invalid("a parent twice");
  if (parents.some((p) => !token.prf.some((cid) => ucan.names(cid, p.grant!.token)))) throw invalid("not cited");
  ucan.verifyLink(link(store, { c, grant: g }), secondsOf(c));
}

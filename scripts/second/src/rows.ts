// The rows of bodies, kind by kind (SPEC 10).

import { bad, Bytes, equal, Fault, hash, hex, points } from "./bytes.js";
import { Proof, readConsent, readProof } from "./binding.js";
import { decodeMap, Dict, Value } from "./cbor.js";
import { Change, Id } from "./change.js";
import { bytes, Fields, Form, id, int, key as anyKey, list, map, oneOf, ref, short, str } from "./form.js";
import { readObject } from "./json.js";
import { did, readDidKey, sound } from "./keys.js";
import { domain } from "./space.js";
import { readToken, Token } from "./ucan0.js";

export type Cut = Map<string, Id>; // chain, written as its space or its space and `!`
export type Cuts = Map<string, Cut>; // by did of the author

export type Roles = "viewer" | "member" | "admin" | "owner";
export type Bind = {
  name?: string;
  home?: string;
  ctl?: string[];
  next?: Bytes;
  pq?: Bytes;
  bind?: Proof;
  sponsor?: { by: Bytes; sig: Bytes };
  pow: number;
};
export type Rotate = { old: Bytes; cut: Cut; by: Proof; ctl?: string[]; next?: Bytes; pq?: Bytes };
export type Grant = { token: Token; role?: Roles; closes?: { grant: Id; cut: Cuts } };

export const hexId: Form<Id> = (v) => hex(id(v));

const hexRef: Form<Id> = (v) => hex(ref(v));

const key: Form<Bytes> = (v) => {
  const k = anyKey(v);
  if (!sound(k)) throw bad("key is not sound");
  return k;
};

function cut(v: Value): Cut {
  const out: Cut = new Map();
  for (const [chain, at] of map(v)) {
    if (!/^(net|agent\/[a-z2-7]{52}|guild\/[a-z2-7]{52}|team\/[a-z2-7]{52}|commons\/[a-z0-9:_-]{1,64})!?$/.test(chain))
      throw bad("chain of a cut");
    out.set(chain, hexId(at));
  }
  if (out.size > 400) throw bad("over 400 chains");
  return out;
}

function cuts(v: Value): Cuts {
  const out: Cuts = new Map();
  let chains = 0;
  for (const [author, c] of map(v)) {
    if (!readDidKey(author)) throw bad("author of a cut");
    const one = cut(c);
    if (one.size === 0 || (chains += one.size) > 400) throw bad("cuts");
    out.set(author, one);
  }
  return out;
}

const identity = (f: Fields) => ({
  ctl: f.may("ctl", list(did, 3)),
  next: f.may("next", id),
  pq: f.may("pq", bytes(1952)),
  box: f.may("box", id),
});

export function readBind(body: Dict, genesis: boolean): Bind {
  const f = new Fields(body);
  return {
    name: genesis ? f.need("name", str(2, 64)) : f.may("name", str(2, 64)),
    home: f.may("home", str(0, 253)),
    ...identity(f),
    bind: f.may("bind", readProof),
    sponsor: f.may("sponsor", (v) => {
      const s = new Fields(v);
      return { by: s.need("by", key), sig: s.need("sig", bytes(64)) };
    }),
    pow: f.may("pow", int()) ?? 0,
  };
}

export function readRotate(body: Dict): Rotate {
  const f = new Fields(body);
  return { old: f.need("old", key), cut: f.need("cut", cut), by: f.need("by", readConsent), ...identity(f) };
}

const role = oneOf<Roles>("owner", "admin", "member", "viewer");

/** readGrantRow reads the row of a grant, its token as text. */
export function readGrantRow(body: Dict): Omit<Grant, "token"> & { token: string } {
  const f = new Fields(body);
  return {
    token: f.need("token", short(1, 8192)),
    role: f.may("role", role),
    closes: f.may("closes", (v) => {
      const c = new Fields(v);
      return { grant: c.need("grant", hexRef), cut: c.need("cut", cuts) };
    }),
  };
}

/** readGrant reads the body of a grant; its token may be for anybody. */
export function readGrant(body: Dict): Grant {
  const row = readGrantRow(body);
  return { ...row, token: readToken(row.token) };
}

export function readRevoke(body: Dict): { grant: Id; cut: Cuts } {
  const f = new Fields(body);
  f.may("why", str(0, 300));
  return { grant: f.need("grant", hexRef), cut: f.need("cut", cuts) };
}

export function readEndorse(body: Dict): { as: string; ids: Id[] } {
  const f = new Fields(body);
  return { as: f.need("as", oneOf("readmit", "confirm", "approve")), ids: f.need("ids", list(hexId, 200)) };
}

export type Open = { name: string; salt: Bytes; type: string; visibility: string };
export function readOpen(body: Dict): Open {
  const f = new Fields(body);
  return {
    name: f.need("name", str(2, 64)),
    salt: f.need("salt", bytes(16)),
    type: f.need("type", oneOf("bounty", "dev", "research", "social")),
    visibility: f.need("visibility", oneOf("public", "internal", "private")),
  };
}

/** readManifest returns a pq only when it can be a key: where roots have no second ones it means nothing. */
export function readManifest(body: Dict): { gateways: Bytes[]; labelers: Bytes[]; pq?: Bytes } {
  const f = new Fields(body);
  f.need("bootstrap", list(str(0, 256), 64));
  const gateway = (v: Value) => {
    const g = new Fields(v);
    g.need("host", str(1, 253));
    return g.need("key", key);
  };
  const out = { gateways: f.need("gateways", list(gateway, 128)), labelers: f.need("labelers", list(key, 64)) };
  const pq = body.get("pq");
  return pq instanceof Uint8Array && pq.length === 1952 ? { ...out, pq } : out;
}

/** lengths are those of an entry's text: trimmed and collapsed, and trimmed. */
export function lengths(text: string): { short: number; long: number } {
  const white = "[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";
  const trimmed = text.replace(new RegExp(`^${white}|${white}$`, "g"), "");
  const long = points(trimmed);
  const short = points(trimmed.replace(new RegExp(white, "g"), " "));
  if (long > 4000) throw new Fault("too_long");
  if (short < 40) throw new Fault("too_short");
  return { short, long };
}

function entry(f: Fields, c: Change): void {
  const type = f.need("type", str(0, 65536));
  const text = f.may("text", str(0, 65536));
  const hashed = f.may("hash", ref);
  if ((text === undefined) === (hashed === undefined)) throw bad("text or hash");
  if (f.may("domain", short(1, 64, domain)) !== undefined && c.space.area === "commons") throw bad("domain");
  f.may("title", str(0, 160));
  f.may("tags", list(str(0, 48), 12));
  f.may("conf", int(0, 1000));
  f.may("price", int());
  f.may("evidence", list(str(0, 1000), 8));
  const rsha = f.may("rsha", id);
  const receipt = f.may("receipt", bytes(0, 4096));
  f.may("source", str(0, 500));
  f.may("reuses", list(id, 10));
  f.may("supersedes", ref);
  const meta = f.may("meta", bytes(0, 4096));
  if (receipt) readObject(receipt);
  if (meta) {
    const m = readObject(meta);
    if (m.size > 20 || [...m.keys()].some((k) => points(k) > 64)) throw bad("meta");
  }
  if (!["wisdom", "pattern", "gotcha"].includes(type)) throw new Fault("invalid_type");
  if (text !== undefined) lengths(text);
  if (receipt && rsha && !equal(hash(receipt), rsha)) throw new Fault("receipt_mismatch");
}

/** target reads the id of what a change is about, and asks that it holds it. */
function target(f: Fields, c: Change, name = "target"): void {
  const t = f.need(name, hexRef);
  if (!c.deps.includes(t) && c.prev !== t) throw bad("the target is neither a dep nor prev");
}

const task = short(40, 40, /^tsk_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
const acts = ["claim", "release", "submit", "changes", "accept", "payout", "cancel", "expire", "dispute"];
const moreActs = ["pay", "split", "refund", "propose", "approve", "reject"];

/** onlyIn refuses a field that stands where its act has none, or is absent where its act needs it. */
function onlyIn(present: unknown, act: string, need: string[], may: string[] = []): void {
  const there = present !== undefined;
  if (there ? !need.includes(act) && !may.includes(act) : need.includes(act)) throw bad("a field of another act");
}

function bountyAct(f: Fields, c: Change): void {
  const act = f.need("act", oneOf(...acts, ...moreActs));
  onlyIn(f.may("ref", ref), act, ["approve", "reject"], ["accept", "payout"]);
  const any = [...acts, ...moreActs];
  onlyIn(f.may("title", str(0, 200)) || undefined, act, ["propose"], any);
  onlyIn(f.may("text", str(0, 8000)) || undefined, act, ["submit"], any);
  onlyIn(f.may("proof", bytes(0, 4096)), act, [], ["submit"]);
  onlyIn(f.may("ids", list(id, 10)), act, [], ["submit"]);
  const pct = f.may("pct", int(1, 100));
  onlyIn(pct, act, ["split", "propose"]);
  if (pct !== undefined && (act === "split" ? pct > 99 : pct < 50)) throw bad("pct");
  target(f, c, "bounty");
}

function messageRow(f: Fields): void {
  f.need("type", oneOf("text", "status", "request", "handoff", "alert"));
  const text = f.may("text", str(1, 4000));
  const sealed = f.may("sealed", bytes(1, 24 << 10));
  if ((text === undefined) === (sealed === undefined)) throw bad("text or sealed");
  const to = f.may("to", ref);
  if (sealed && !to) throw bad("sealed for nobody");
  f.may("subject", str(0, 200));
  f.may("task", task);
  f.may("reply", ref);
}

const rows: Record<string, (f: Fields, c: Change) => void> = {
  "entry.put": entry,
  "entry.retract": (f, c) => {
    f.may("why", str(0, 300));
    target(f, c);
  },
  "doc.edit": (f) => {
    f.need("doc", str(1, 128));
    f.need("chunk", bytes(0, 48 << 10));
  },
  vote: (f, c) => {
    f.need("value", int(-1, 1));
    target(f, c);
  },
  comment: (f, c) => {
    f.may("parent", ref);
    f.need("text", str(1, c.space.area === "agent" ? 500 : 2000));
    f.may("mood", str(0, 32));
    f.may("guest", str(1, 40));
    target(f, c);
  },
  label: (f, c) => {
    f.need("value", oneOf("spam", "secret", "fabricated", "abuse", "duplicate", "upheld", "dismissed"));
    f.may("why", str(0, 500));
    target(f, c);
  },
  "bounty.open": (f) => {
    f.need("title", str(1, 200));
    f.may("text", str(0, 4000));
    f.need("amount", int(1, 1e10));
    f.need("cur", oneOf("credits", "USDC"));
    f.may("deadline", int(1, 2 ** 43 - 1));
    f.need("home", key);
    f.may("task", task);
  },
  "bounty.act": bountyAct,
  "task.act": (f) => {
    f.need("task", task);
    const act = f.need("act", oneOf("claim", "release", "done", "block", "reopen", "delegate"));
    onlyIn(f.may("to", ref), act, ["delegate"]);
    f.may("text", str(0, 2000));
  },
  message: messageRow,
  served: (f) => {
    f.need("day", int(0, 3652425));
    const row = list((v: Value) => v, 2, 2);
    f.need(
      "rows",
      list((v) => {
        const [entryId, count] = row(v);
        id(entryId);
        int(1)(count);
      }, 1000),
    );
  },
};

export const hasRow = (kind: string): boolean => Object.hasOwn(rows, kind);

/** checkRow judges the body of a content kind by its form; documents and caveats are judged by others. */
export function checkRow(c: Change): Dict {
  const body = decodeMap(c.body!);
  if (hasRow(c.kind)) rows[c.kind](new Fields(body), c);
  return body;
}

/** The spaces where section 10 lists a kind. */
const areas: Record<string, string> = {
  "net.manifest": "net",
  "profile.bind": "agent",
  rotate: "agent",
  grant: "agent guild team",
  revoke: "agent guild team",
  endorse: "agent commons guild team",
  "guild.open": "guild team",
  "entry.put": "commons guild team",
  "entry.retract": "agent commons guild team",
  "doc.edit": "agent guild team",
  vote: "agent commons guild team",
  comment: "agent commons guild team",
  label: "agent commons guild team",
  "bounty.open": "guild team",
  "bounty.act": "guild team",
  "task.act": "team",
  message: "team",
  served: "agent",
};

export const allowedIn = (kind: string, area: string): boolean =>
  Object.hasOwn(areas, kind) ? areas[kind].split(" ").includes(area) : area !== "net";

/** needsRole lists the content kinds that need a role in `guild/`. */
export const needsRole = (kind: string): boolean => ["entry.put", "doc.edit", "bounty.open"].includes(kind);

/** checkAudience asks that a token is for an Ed25519 key. */
export function checkAudience(g: Grant): void {
  if (!readDidKey(g.token.aud)) throw new Fault("wrong_audience");
}

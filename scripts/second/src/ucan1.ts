// UCAN 1.x tokens that open team sets in a hello (SPEC 18, Team sets).

import { gunzipSync } from "node:zlib";
import { bad, Bytes, compare, Fault, hex, join, unb64, utf8 } from "./bytes.js";
import { decodeMap, encode, Value } from "./cbor.js";
import { bytes, list } from "./form.js";
import { decodeItem, Item, Link, linkBytes, linkTo } from "./ipld.js";
import { didKey, readDidKey, Signer, verify } from "./keys.js";
import { satisfied } from "./policy.js";

const varsig = Buffer.from("3401ed01ed011371", "hex");
const command = "/mesh/sync";
const maxSize = 8 << 10;
const maxTokens = 20;
const maxChain = 10;

function write(v: Item): Bytes {
  if (v instanceof Link) return linkBytes(v);
  if (Array.isArray(v)) return join(prefix(4, v.length), ...v.map(write));
  if (v instanceof Map) {
    const keys = [...v.keys()].sort((a, b) => a.length - b.length || compare(utf8(a), utf8(b)));
    return join(prefix(5, v.size), ...keys.flatMap((k) => [encode(k), write(v.get(k)!)]));
  }
  return encode(v as Value);
}

/** prefix is the head of a list or map. */
function prefix(major: number, n: number): Bytes {
  const b = encode(n).slice();
  b[0] |= major << 5;
  return b;
}

function seal(by: Signer, kind: "dlg" | "inv", payload: Record<string, Item>): Bytes {
  const body = write(
    new Map<string, Item>([
      ["h", new Uint8Array(varsig)],
      [`ucan/${kind}@1.0.0-rc.1`, new Map(Object.entries(payload))],
    ]),
  );
  return join(Uint8Array.of(0x82), encode(by.sign(body)), body);
}

/** makeProof lets a node's key sync for an agent with one peer, for ten minutes. */
export function makeProof(agent: Signer, node: Signer, peer: Bytes, net: string, now: number, nonce: Bytes): Bytes {
  const exp = Math.floor(now / 1000) + 590;
  const dlg = seal(agent, "dlg", {
    iss: agent.did,
    aud: node.did,
    sub: agent.did,
    cmd: command,
    pol: [],
    nonce: nonce.slice(0, 12),
    exp,
  });
  const inv = seal(node, "inv", {
    iss: node.did,
    aud: didKey(peer),
    sub: agent.did,
    cmd: command,
    args: new Map([["net", net]]),
    prf: [linkTo(dlg)],
    nonce: nonce.slice(12, 24),
    exp,
  });
  const tokens = [inv, dlg].sort(compare);
  return join("@", encode(new Map([["ctn-v1", tokens as Value]])));
}

type Token = {
  inv: boolean;
  cid: string;
  iss: string;
  aud: string;
  sub: string;
  cmd: string;
  exp: number | null;
  nbf: number;
  pol: Item[];
  args: Map<string, Item>;
  prf: string[];
};

/** unpackContainer undoes the encoding that the first byte names. */
function unpackContainer(b: Bytes): Bytes {
  const rest = b.subarray(1);
  const ascii = () => Buffer.from(rest).toString("latin1");
  switch (b.length && String.fromCharCode(b[0])) {
    case "@":
      return rest;
    case "M":
      return unzip(rest);
    case "B":
      return padded(ascii());
    case "O":
      return unzip(padded(ascii()));
    case "C":
      return unb64(ascii());
    case "P":
      return unzip(unb64(ascii()));
  }
  throw bad("proof: encoding");
}

function unzip(b: Bytes): Bytes {
  try {
    return new Uint8Array(gunzipSync(b, { maxOutputLength: maxSize }));
  } catch {
    throw bad("proof: gzip");
  }
}

/** padded reads base64 in its only spelling. */
function padded(s: string): Bytes {
  const b = new Uint8Array(Buffer.from(s, "base64"));
  if (Buffer.from(b).toString("base64") !== s) throw bad("proof: base64");
  return b;
}

/** readContainer gives the tokens of a container. */
function readContainer(proof: Bytes): Token[] {
  if (proof.length > maxSize) throw bad("proof: size");
  const raw = unpackContainer(proof);
  if (raw.length > maxSize) throw bad("proof: size");
  const map = decodeMap(raw);
  const tokens = list(bytes(1, maxSize), maxTokens)(map.get("ctn-v1") ?? null);
  if (map.size !== 1 || new Set(tokens.map(hex)).size !== tokens.length) throw bad("proof: container");
  return tokens.map(readToken);
}

const command_ = /^(\/|(\/[^/A-Z]+)+)$/;

/** readToken reads one token and verifies its signature. */
function readToken(b: Bytes): Token {
  const all = decodeItem(b);
  if (!Array.isArray(all) || all.length !== 2 || hex(b.subarray(0, 3)) !== "825840") throw bad("proof: token");
  const [, body] = all;
  if (!(body instanceof Map) || body.size !== 2) throw bad("proof: token");
  const header = body.get("h");
  if (!(header instanceof Uint8Array) || !varsig.equals(header)) throw bad("proof: header");
  const inv = body.has("ucan/inv@1.0.0-rc.1");
  const f = body.get(`ucan/${inv ? "inv" : "dlg"}@1.0.0-rc.1`);
  if (!(f instanceof Map)) throw bad("proof: payload");
  const did = (name: string): string => {
    const v = f.get(name);
    if (typeof v !== "string" || !readDidKey(v)) throw bad(`proof: ${name}`);
    return v;
  };
  const seconds = (name: string): number => {
    const v = f.get(name);
    if (typeof v !== "number" || !Number.isSafeInteger(v) || v < 0) throw bad(`proof: ${name}`);
    return v;
  };
  const listed = (name: string): Item[] => {
    const v = f.get(name);
    if (!Array.isArray(v)) throw bad(`proof: ${name}`);
    return v;
  };
  const mapped = (name: string): Map<string, Item> => {
    const v = f.get(name);
    if (!(v instanceof Map)) throw bad(`proof: ${name}`);
    return v;
  };
  const linked = (v: Item): string => {
    if (!(v instanceof Link) || !v.cid.startsWith("0171")) throw bad("proof: link");
    return v.cid;
  };
  const [iss, sub, cmd, nonce] = [did("iss"), did("sub"), f.get("cmd"), f.get("nonce")];
  if (typeof cmd !== "string" || !command_.test(cmd) || cmd !== cmd.toLowerCase()) throw bad("proof: cmd");
  if (!(nonce instanceof Uint8Array) || nonce.length < 12) throw bad("proof: nonce");
  if (inv && f.has("iat")) seconds("iat");
  if (inv && f.has("cause")) linked(f.get("cause")!);
  if (f.has("meta")) mapped("meta");
  if (!verify(readDidKey(iss)!, b.subarray(67), b.subarray(3, 67))) throw bad("proof: signature");
  return {
    inv,
    cid: linkTo(b).cid,
    iss,
    aud: inv && !f.has("aud") ? sub : did("aud"),
    sub,
    cmd,
    exp: f.get("exp") === null ? null : seconds("exp"),
    nbf: f.has("nbf") ? seconds("nbf") : 0,
    pol: inv ? [] : listed("pol"),
    args: inv ? mapped("args") : new Map(),
    prf: inv ? listed("prf").map(linked) : [],
  };
}

const covers = (above: string, cmd: string): boolean => above === "/" || above === cmd || cmd.startsWith(above + "/");

/** Shown is what a proof shows: an agent's acting key, and until when (seconds). */
export type Shown = { agent: string; expires: number };

/** checkProof gives what a proof shows to the node `self` about the node `peer` at `now` (ms), or nothing. */
export function checkProof(proof: Bytes, peer: Bytes, self: Bytes, net: string, now: number): Shown | undefined {
  try {
    return shown(readContainer(proof), didKey(peer), didKey(self), net, Math.floor(now / 1000));
  } catch (e) {
    if (e instanceof Fault) return undefined;
    throw e;
  }
}

function shown(tokens: Token[], peer: string, self: string, net: string, now: number): Shown | undefined {
  const invocations = tokens.filter((t) => t.inv);
  if (invocations.length !== 1) return undefined;
  const [inv] = invocations;
  const { exp, prf, sub } = inv;
  const fits = inv.iss === peer && inv.aud === self && inv.cmd === command && inv.args.get("net") === net;
  if (!fits || exp === null || exp < now || exp > now + 600 || inv.nbf > now) return undefined;
  if (prf.length > maxChain || new Set(prf).size !== prf.length) return undefined;
  let last = inv;
  for (const cid of prf) {
    const d = tokens.find((t) => !t.inv && t.cid === cid);
    if (!d || d.aud !== last.iss || d.sub !== sub || !covers(d.cmd, last.cmd)) return undefined;
    if ((d.exp !== null && d.exp < now) || d.nbf > now || !satisfied(inv.args, d.pol)) return undefined;
    last = d;
  }
  return last.iss === sub ? { agent: sub, expires: exp } : undefined;
}

// Tokens of UCAN 0.10 as grants carry them, and what they allow (SPEC 11).

import { b32, b64, bad, Bytes, Fault, hash, join, unb64, utf8 } from "./bytes.js";
import { blake3 } from "@noble/hashes/blake3";
import { sha512 } from "@noble/hashes/sha2";
import { Json, Raw, readJson, spell } from "./json.js";
import { readDidKey, verify } from "./keys.js";

export type Caveat = Map<string, Json>;
export type Capability = { resource: string; ability: string; caveats: Caveat[] };
export type Token = {
  text: string;
  iss: string;
  aud: string;
  exp: number | null;
  nbf?: number;
  version: number; // the patch of 0.10
  caps: Capability[];
  prf: string[];
  signed: Bytes;
  sig: Bytes;
};

const isDid = (s: string): boolean => /^did:[a-z0-9]+:[A-Za-z0-9._:%-]*[A-Za-z0-9._%-]$/.test(s) && s.length <= 2048;
const isUri = (s: string): boolean => /^[a-zA-Z][a-zA-Z0-9+.-]*:[\x21-\x7e]*$/.test(s) && s.length <= 2048;

function object(v: Json | undefined): Map<string, Json> {
  if (!(v instanceof Map)) throw bad("token: no object");
  return v;
}

function string(v: Json | undefined, max = 2048): string {
  if (typeof v !== "string" || Buffer.byteLength(v) > max) throw bad("token: no text");
  return v;
}

function seconds(v: Json | undefined): number {
  if (!(v instanceof Raw) || !/^(0|-?[1-9][0-9]*)$/.test(v.spelt) || !Number.isSafeInteger(Number(v.spelt)))
    throw bad("token: time");
  return Number(v.spelt);
}

function readDid(v: Json | undefined): string {
  const s = string(v).split("#")[0];
  if (!isDid(s)) throw bad("token: did");
  return s;
}

function capabilities(v: Json | undefined): Capability[] {
  const out: Capability[] = [];
  for (const [resource, abilities] of object(v)) {
    if (!isUri(resource) || object(abilities).size === 0) throw bad("token: resource");
    for (const [ability, caveats] of object(abilities)) {
      string(ability);
      if (!Array.isArray(caveats) || caveats.length === 0) throw bad("token: caveats");
      out.push({ resource, ability, caveats: caveats.map(object) });
    }
  }
  return out;
}

/** readToken reads a token; its signature is looked at by verifyLink. */
export function readToken(s: string): Token {
  const parts = s.split(".");
  if (parts.length !== 3 || s.length > 8192) throw bad("token");
  const [head, payload] = parts.slice(0, 2).map((p) => object(readJson(unb64(p))));
  if (head.get("alg") !== "EdDSA" || head.get("typ") !== "JWT" || head.has("crit")) throw bad("token: header");
  const version = /^0\.10\.(0|[1-9][0-9]*)(\+[0-9A-Za-z.-]+)?$/.exec(string(payload.get("ucv"), 64));
  if (!version) throw bad("token: ucv");
  if (!payload.has("exp")) throw bad("token: exp");
  const exp = payload.get("exp");
  if (payload.has("nnc")) string(payload.get("nnc"), 8192);
  if (payload.has("fct")) object(payload.get("fct"));
  const prf = payload.has("prf") ? payload.get("prf") : [];
  if (!Array.isArray(prf) || prf.length > 8) throw bad("token: prf");
  return {
    text: s,
    iss: readDid(payload.get("iss")),
    aud: readDid(payload.get("aud")),
    exp: exp === null ? null : seconds(exp),
    nbf: payload.has("nbf") ? seconds(payload.get("nbf")) : undefined,
    version: Number(version[1]),
    caps: capabilities(payload.get("cap")),
    prf: prf.map((p) => contentId(string(p))),
    signed: utf8(parts[0] + "." + parts[1]),
    sig: unb64(parts[2]),
  };
}

const codes: [Uint8Array, (b: Bytes) => Bytes][] = [
  [Uint8Array.of(1, 0x55, 0x12, 32), (b) => hash(b)],
  [Uint8Array.of(1, 0x55, 0x13, 64), sha512],
  [Uint8Array.of(1, 0x55, 0x1e, 32), (b) => blake3(b)],
];

function contentId(s: string): string {
  if (!/^b[a-z2-7]+$/.test(s)) throw bad("token: content id");
  return s;
}

/** names says whether a content id is that of a token. */
export const names = (cid: string, token: Token): boolean =>
  codes.some(([head, sum]) => cid === "b" + b32(join(head, sum(utf8(token.text)))));

export const cidOf = (t: string): string => "b" + b32(join(codes[0][0], hash(t)));

const upper = (s: string): string => s.replace(/[a-z]/g, (c) => c.toUpperCase());

/** coversAbility compares abilities without regard to the case of A–Z. */
export function coversAbility(has: string, asked: string): boolean {
  const [h, a] = [upper(has), upper(asked)];
  return h === "*" || h === a || (h.endsWith("/*") && a.startsWith(h.slice(0, -1)));
}

export function coversResource(has: string, asked: string): boolean {
  if (has === asked) return true;
  const clean = [...asked].every((c) => c >= "!" && c <= "~" && !'%?#\\*"<>'.includes(c));
  const rest = asked.slice(has.length + 1).split("/");
  return asked.startsWith(has + "/") && clean && rest.every((p) => p !== "" && p !== "." && p !== "..");
}

/** Check says which fields of a caveat are understood, and what fits. */
export type Check = Record<string, (v: Json) => boolean>;

export const anyTexts = (v: Json): boolean => Array.isArray(v) && v.every((x) => typeof x === "string");
export const holds =
  (fits: (s: string) => boolean) =>
  (v: Json): boolean =>
    anyTexts(v) && (v as string[]).some(fits);

export const allows = (t: Token, resource: string, ability: string, check: Check): boolean =>
  t.caps.some(
    (c) =>
      coversResource(c.resource, resource) &&
      coversAbility(c.ability, ability) &&
      c.caveats.some((v) => [...v].every(([k, x]) => Object.hasOwn(check, k) && check[k](x))),
  );

/** within says whether a caveat is no wider than another. */
function within(has: Caveat, asked: Caveat): boolean {
  return [...has].every(([k, want]) => {
    const v = asked.get(k);
    if (v === undefined) return false;
    if (spell(v) === spell(want)) return true;
    if (!Array.isArray(v) || !Array.isArray(want)) return false;
    const some = new Set(want.map(spell));
    return v.every((x) => some.has(spell(x)));
  });
}

/** covered says whether a capability stands whole in one of another token. */
export const covered = (asked: Capability, proof: Token): boolean =>
  proof.caps.some(
    (has) =>
      coversResource(has.resource, asked.resource) &&
      coversAbility(has.ability, asked.ability) &&
      asked.caveats.every((v) => has.caveats.some((w) => within(w, v))),
  );

/** Link is a token with the links of its proofs, which were verified when they became members. */
export type Link = { token: Token; parents: Link[] };

/** verifyLink verifies a token with all behind it at a time in seconds. */
export function verifyLink(link: Link, now: number): void {
  const all = new Set<Link>();
  const depth = (l: Link): number => {
    all.add(l);
    return 1 + Math.max(0, ...l.parents.map(depth));
  };
  const links = depth(link);
  for (const { token } of all)
    if ((token.exp !== null && now > token.exp) || now < (token.nbf ?? -Infinity))
      throw new Fault("capability_expired");
  const { token, parents } = link;
  for (const { token: p } of parents)
    if (
      (p.exp !== null && (token.exp === null || token.exp > p.exp)) ||
      (token.nbf ?? -Infinity) < (p.nbf ?? -Infinity)
    )
      throw new Fault("chain_invalid", "valid for longer than its proof");
  if (parents.length)
    for (const c of token.caps)
      for (const v of c.caveats)
        if (!parents.some((p) => covered({ ...c, caveats: [v] }, p.token))) throw new Fault("attenuation_violation");
  if (links > 11 || all.size > 128) throw new Fault("chain_invalid", "too long");
  if (parents.some((p) => token.version < p.token.version)) throw new Fault("chain_invalid", "version");
  const iss = readDidKey(token.iss);
  if (!iss || !verify(iss, token.signed, token.sig)) throw new Fault("chain_invalid", "signature");
}

/** writeToken is for authors: the text of a token. */
export function writeToken(iss: { did: string; sign(m: Bytes): Bytes }, payload: object): string {
  const part = (o: object) => b64(utf8(JSON.stringify(o)));
  const signed = `${part({ alg: "EdDSA", typ: "JWT" })}.${part({ iss: iss.did, ucv: "0.10.0", ...payload })}`;
  return `${signed}.${b64(iss.sign(utf8(signed)))}`;
}

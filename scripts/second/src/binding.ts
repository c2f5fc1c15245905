// Texts by which controllers bind a key or consent to a rotation (SPEC 9).

import { Bytes, Fault, hash, hex, utf8 } from "./bytes.js";
import { Dict, encode } from "./cbor.js";
import { bytes, Fields, str } from "./form.js";
import { did, isAddress, didKey, readDidKey, readWallet, signedBy, verify } from "./keys.js";

export type Proof = { alg: string; by: string; sig: Bytes; text: string };

const isTime = (s: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(s) &&
  Number.isFinite(Date.parse(s)) &&
  new Date(s).toISOString().slice(0, 19) + "Z" === s;

export function readProof(v: unknown): Proof {
  const f = new Fields(v as Dict);
  return {
    alg: f.need("alg", str(1, 16)),
    by: f.need("by", str(1, 128)),
    sig: f.need("sig", bytes(0, 128)),
    text: f.need("text", str(1, 4096)),
  };
}

/** readConsent is readProof for a rotation, where `key` is a did. */
export function readConsent(v: unknown): Proof {
  const f = new Fields(v as Dict);
  return {
    alg: f.need("alg", str(1, 16)),
    by: f.need("key", did),
    sig: f.need("sig", bytes(0, 128)),
    text: f.need("text", str(1, 4096)),
  };
}

const signedPlain = ({ alg, by, sig, text }: Proof): boolean => {
  const key = readDidKey(by);
  const wallet = readWallet(by);
  if (alg === "ed25519") return !!key && verify(key, utf8(text), sig);
  return alg === "eip191" && !!wallet && signedBy(wallet, text, sig);
};

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

type SignIn = { address: string; chain: string; statement?: string; resources: string[] };

/** readSignIn reads an EIP-4361 text in its strict form. */
export function readSignIn(message: string): SignIn | undefined {
  const lines = message.split("\n");
  if (message.includes("\r")) return undefined;
  let at = 0;
  const field = (name: string, like: RegExp): string | undefined => {
    if (!lines[at]?.startsWith(name)) return undefined;
    const v = lines[at].slice(name.length);
    return like.test(v) ? (at++, v) : undefined;
  };
  const host = /^([^\s/@?#\\]+) wants you to sign in with your Ethereum account:$/.exec(lines[at++] ?? "");
  const address = lines[at++] ?? "";
  if (!host || host[1].includes("://") || !isAddress(address) || lines[at++] !== "") return undefined;
  const statement = lines[at] !== "" ? lines[at++] : undefined;
  if (statement !== undefined && !/^[\x20-\x7e]+$/.test(statement)) return undefined;
  if (lines[at++] !== "") return undefined;
  const uri = field("URI: ", /^[a-zA-Z][a-zA-Z0-9+.-]*:[\x21-\x7e]*$/);
  const version = field("Version: ", /^1$/);
  const chain = field("Chain ID: ", /^(0|[1-9][0-9]*)$/);
  const nonce = field("Nonce: ", /^[a-zA-Z0-9]{8,128}$/);
  const issued = field("Issued At: ", rfc3339);
  if (!uri || !version || !chain || !nonce || !issued) return undefined;
  field("Expiration Time: ", rfc3339);
  field("Not Before: ", rfc3339);
  field("Request ID: ", /^[\x21-\x7e]+$/);
  const resources: string[] = [];
  if (lines[at] === "Resources:") {
    for (at++; at < lines.length && lines[at].startsWith("- "); at++) resources.push(lines[at].slice(2));
    if (!resources.length || resources.length > 32) return undefined;
  }
  return at === lines.length ? { address, chain, statement, resources } : undefined;
}

/** signedIn says whether `by` signed a sign-in text of its own address and chain. */
function signedIn(p: Proof): SignIn | undefined {
  const wallet = readWallet(p.by);
  const s = p.alg === "siwe" && wallet ? readSignIn(p.text) : undefined;
  if (!s || s.address !== wallet!.address || s.chain !== wallet!.chain) return undefined;
  return signedBy(wallet!, p.text, p.sig) ? s : undefined;
}

const only = (s: SignIn, prefix: string, want: string): boolean => {
  const found = s.resources.filter((r) => r.startsWith(prefix));
  return found.length === 1 && found[0] === want;
};

/** checkBinding asks that a controller among ctl authorises the acting key. */
export function checkBinding(net: Bytes, author: Bytes, ctl: string[], p: Proof): void {
  const fail = (why: string) => new Fault("binding_invalid", why);
  if (!ctl.includes(p.by)) throw fail("no controller");
  if (p.alg === "siwe") {
    const s = signedIn(p);
    if (
      !s ||
      s.statement !== "Mesh registration" ||
      !only(s, "did:key:", didKey(author)) ||
      !only(s, "mesh:network:", `mesh:network:${hex(net)}`)
    )
      throw fail("sign-in text");
    return;
  }
  const m =
    /^Mesh registration\nnetwork: ([0-9a-f]{32})\nsubject: (.+)\nnonce: ([A-Za-z0-9-]{8,64})\nkey: (.+)\nissued: (.+)\nexpires: (.+)$/.exec(
      p.text,
    );
  if (!m || m[1] !== hex(net) || m[2] !== p.by || m[4] !== didKey(author) || !isTime(m[5]) || !isTime(m[6]))
    throw fail("text");
  if (!signedPlain(p)) throw fail("signature");
}

/** consentLine is what a consent to a rotation signs. */
export function consentLine(net: Bytes, agent: Bytes, old: Bytes, key: Bytes, body: Dict): string {
  const rest = new Map(body);
  rest.delete("by");
  return "mesh:rotate:" + hex(hash("mesh-rotate-v1\0", net, agent, old, key, hash(encode(rest))));
}

/** consents says whether p is a consent to that line. */
export function consents(line: string, p: Proof): boolean {
  if (p.alg !== "siwe") return p.text === line && signedPlain(p);
  const s = signedIn(p);
  return !!s && only(s, "mesh:rotate:", line);
}

// Keys, signatures and wallets (SPEC 3).

import crypto from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519";
import { secp256k1 } from "@noble/curves/secp256k1";
import { sha512 } from "@noble/hashes/sha2";
import { keccak_256 } from "@noble/hashes/sha3";
import { ml_dsa65 } from "@noble/post-quantum/ml-dsa";
import { b58, bad, Bytes, hash, hex, join, unb58, utf8 } from "./bytes.js";

const sounds = new Map<string, boolean>();

/** sound says whether a key is a canonical point that has not small order. */
export function sound(key: Bytes): boolean {
  const name = hex(key);
  let known = sounds.get(name);
  if (known === undefined) {
    try {
      known = !ed25519.Point.fromHex(name.slice(4), false).isSmallOrder();
    } catch {
      known = false;
    }
    sounds.set(name, known);
  }
  return known;
}

const spki = Buffer.from("302a300506032b6570032100", "hex");

/** verify follows ZIP-215. The platform's stricter verifier is asked first: what it takes, ZIP-215 takes. */
export function verify(key: Bytes, message: Bytes, sig: Bytes): boolean {
  if (sig.length !== 64 || !sound(key)) return false;
  const pub = crypto.createPublicKey({ key: Buffer.concat([spki, key.subarray(2)]), format: "der", type: "spki" });
  if (crypto.verify(null, message, pub, sig)) return true;
  const { Point } = ed25519;
  try {
    const r = Point.fromHex(sig.subarray(0, 32), true);
    const s = scalar(sig.subarray(32));
    if (s >= order) return false;
    const k = scalar(sha512(join(sig.subarray(0, 32), key.subarray(2), message))) % order;
    const a = Point.fromHex(hex(key.subarray(2)), false);
    const left = Point.BASE.multiplyUnsafe(s);
    return left.subtract(a.multiplyUnsafe(k)).subtract(r).clearCofactor().is0();
  } catch {
    return false;
  }
}

const order = ed25519.CURVE.n;
const scalar = (little: Bytes): bigint => BigInt("0x" + hex(little.slice().reverse()));

const hybrid = (purpose: string, payload: Bytes, key: Bytes, pq: Bytes): Bytes =>
  join("mesh-hybrid-v1\0", Uint8Array.of(purpose.length), purpose, hash(payload), hash(key.subarray(2), pq));

/** verifyHybrid asks for both signatures over a change whose head without them is d. */
export function verifyHybrid(key: Bytes, pq: Bytes, d: Bytes, sig: Bytes, sig2: Bytes): boolean {
  const m = hybrid("change", d, key, pq);
  try {
    return verify(key, m, sig) && ml_dsa65.verify(pq, m, sig2);
  } catch {
    return false;
  }
}

export const didKey = (key: Bytes): string => "did:key:z" + b58(key);

/** readDidKey reads a did:key of Ed25519, in its only spelling. */
export function readDidKey(did: string): Bytes | undefined {
  if (!/^did:key:z[1-9A-HJ-NP-Za-km-z]{1,60}$/.test(did)) return undefined;
  const key = unb58(did.slice(9));
  return key.length === 34 && key[0] === 0xed && key[1] === 1 && didKey(key) === did ? key : undefined;
}

export type Wallet = { chain: string; address: string };

const checksum = (address: string): string => {
  const low = address.slice(2).toLowerCase();
  const h = hex(keccak_256(utf8(low)));
  return "0x" + [...low].map((c, i) => (parseInt(h[i], 16) > 7 ? c.toUpperCase() : c)).join("");
};

export const isAddress = (s: string): boolean => /^0x[0-9a-fA-F]{40}$/.test(s) && checksum(s) === s;

export function readWallet(did: string): Wallet | undefined {
  const m = /^did:pkh:eip155:([1-9][0-9]{0,15}):(0x[0-9a-fA-F]{40})$/.exec(did);
  return m && Number(m[1]) <= Number.MAX_SAFE_INTEGER && isAddress(m[2]) ? { chain: m[1], address: m[2] } : undefined;
}

/** signedBy says whether a wallet signed a text by EIP-191. */
export function signedBy(wallet: Wallet, message: string, sig: Bytes): boolean {
  const v = sig[64] >= 27 ? sig[64] - 27 : sig[64];
  if (sig.length !== 65 || v > 1) return false;
  const body = utf8(message);
  const digest = keccak_256(join(`\x19Ethereum Signed Message:\n${body.length}`, body));
  try {
    const s = secp256k1.Signature.fromCompact(sig.subarray(0, 64));
    if (s.hasHighS()) return false;
    const pub = s.addRecoveryBit(v).recoverPublicKey(digest).toRawBytes(false);
    return checksum("0x" + hex(keccak_256(pub.subarray(1)).subarray(12))) === wallet.address;
  } catch {
    return false;
  }
}

/** A Signer holds a secret key, and with it perhaps a post-quantum half. */
export class Signer {
  readonly key: Bytes;
  readonly pq?: { publicKey: Bytes; secretKey: Bytes };
  private readonly secret: crypto.KeyObject;
  constructor(
    readonly seed: Bytes,
    pqSeed?: Bytes,
  ) {
    this.key = join(Uint8Array.of(0xed, 1), ed25519.getPublicKey(seed));
    this.pq = pqSeed && ml_dsa65.keygen(pqSeed);
    const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
    this.secret = crypto.createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  }
  get did(): string {
    return didKey(this.key);
  }
  sign(message: Bytes): Bytes {
    return new Uint8Array(crypto.sign(null, message, this.secret));
  }
  /** signHybrid gives both signatures over a head without them. */
  signHybrid(d: Bytes): { sig: Bytes; sig2: Bytes } {
    const m = hybrid("change", d, this.key, this.pq!.publicKey);
    return { sig: this.sign(m), sig2: ml_dsa65.sign(this.pq!.secretKey, m) };
  }
}

/** did reads what may stand in `ctl`: a did:key or a wallet. */
export function did(v: unknown): string {
  if (typeof v !== "string" || Buffer.byteLength(v) > 128) throw bad("did");
  const key = readDidKey(v);
  if (key ? !sound(key) : !readWallet(v)) throw bad("did");
  return v;
}

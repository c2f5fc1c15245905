// Peer records in their signed envelopes, and requests to join (SPEC 19).

import { multiaddr } from "@multiformats/multiaddr";
import { b58, bad, Bytes, equal, hex, join, order, unhex, utf8 } from "./bytes.js";
import { decodeMap, encode } from "./cbor.js";
import { uleb } from "./columns.js";
import { bytes, Fields, Form, id, int, key, list, oneOf, short, str } from "./form.js";
import { verify } from "./keys.js";

const maxEnvelope = 1280;
const maxPayload = 1024;
const domain = "mesh-peer-v1";
const payloadType = "/mesh/peer/1";

export type Record_ = { net: Bytes; seq: number; ttl: number; sets: string[]; roles: string[]; addrs: Bytes[] };

const words = (max: number): Form<string[]> => {
  const each = list(short(1, 16, /^[a-z0-9/]+$/), max);
  return (v) => {
    const out = each(v);
    if (out.some((w, i) => i > 0 && order(out[i - 1], w) >= 0)) throw bad("record: words are not in order");
    return out;
  };
};

/** address is a multiaddr in its one form, without a peer id unless it leads over a relay. */
const address: Form<Bytes> = (v) => {
  const b = bytes(1, 128)(v);
  let names: string[];
  try {
    const m = multiaddr(b);
    if (!equal(multiaddr(m.toString()).bytes, b)) throw bad("record: address");
    names = m.protoNames();
  } catch {
    throw bad("record: address");
  }
  if (names.includes("p2p") && !names.includes("p2p-circuit")) throw bad("record: an address with a peer id");
  return b;
};

/** readRecord reads the payload of an envelope. */
export function readRecord(b: Bytes): Record_ {
  if (b.length > maxPayload) throw bad("record: over 1 KiB");
  const f = new Fields(decodeMap(b));
  const out = {
    net: f.need("net", bytes(16)),
    seq: f.need("seq", int(1)),
    ttl: f.need("ttl", int(1, 1800)),
    sets: f.need("sets", words(64)),
    roles: f.need("roles", words(8)),
    addrs: f.need("addrs", list(address, 16)),
  };
  f.exact();
  return out;
}

/** fieldsOf reads a protobuf message whose fields that matter are bytes; the last of each number counts. */
function fieldsOf(b: Bytes): Map<number, Bytes> {
  const out = new Map<number, Bytes>();
  let at = 0;
  const varint = (): number => {
    let n = 0;
    for (let factor = 1, i = 0; ; factor *= 128, i++) {
      if (at >= b.length || i > 9) throw bad("protobuf: varint");
      n += (b[at] & 127) * factor;
      if (b[at++] < 128) return n;
    }
  };
  while (at < b.length) {
    const tag = varint();
    const wire = tag % 8;
    const size = wire === 2 ? varint() : wire === 1 ? 8 : wire === 5 ? 4 : 0;
    if (wire === 0) varint();
    else if (size === 0 && wire !== 2) throw bad("protobuf: wire type");
    if (tag < 8 || size > b.length - at) throw bad("protobuf: cut short");
    if (wire === 2) out.set(Math.floor(tag / 8), b.subarray(at, at + size));
    at += size;
  }
  return out;
}

const ed25519Key = unhex("08011220");

/** peerIdOf is the bytes of the peer id of an Ed25519 key: the key itself under the identity hash. */
const peerIdOf = (publicKey: Bytes): Bytes => join(Uint8Array.of(0, publicKey.length), publicKey);

/** openEnvelope gives the record of a signed envelope and the peer id of its signer. */
export function openEnvelope(b: Bytes): { peer: string; record: Record_ } {
  if (b.length > maxEnvelope) throw bad("envelope: over 1280 bytes");
  const f = fieldsOf(b);
  const [publicKey, type, payload, sig] = [1, 2, 3, 5].map((n) => f.get(n) ?? new Uint8Array());
  if (publicKey.length !== 36 || !equal(publicKey.subarray(0, 4), ed25519Key)) throw bad("envelope: key");
  if (!equal(type, utf8(payloadType))) throw bad("envelope: type");
  const signed = join(...[utf8(domain), type, payload].flatMap((x) => [uleb(x.length), x]));
  const author = join(Uint8Array.of(0xed, 1), publicKey.subarray(4));
  if (!verify(author, signed, sig)) throw bad("envelope: signature");
  return { peer: b58(peerIdOf(publicKey)), record: readRecord(payload) };
}

// Requests to join

const maxJoin = 2048;

/** peerId is that of an Ed25519 key, or the SHA-256 of a longer key. */
const peerId: Form<Bytes> = (v) => {
  const b = bytes(1, 64)(v);
  if (!/^(00240801122[0][0-9a-f]{64}|1220[0-9a-f]{64})$/.test(hex(b))) throw bad("join: peer id");
  return b;
};

/** readJoinRequest reads a request and verifies that its key signed it. */
export function readJoinRequest(b: Bytes): void {
  if (b.length > maxJoin) throw bad("join: over 2 KiB");
  const f = new Fields(decodeMap(b));
  f.need("agent", id);
  f.need("at", int());
  f.need("code", str(0, 64));
  f.need("guild", id);
  const by = f.need("key", key);
  f.need("net", bytes(16));
  f.need("nonce", bytes(16));
  const sig = f.need("sig", bytes(64));
  f.need("to", peerId);
  f.exact();
  const rest = new Map(f.dict);
  rest.delete("sig");
  if (!verify(by, join("mesh-join-v1\0", encode(rest)), sig)) throw bad("join: signature");
}

export type JoinAnswer = { grant: Bytes; role: string } | { code: string; text: string };

export function readJoinAnswer(b: Bytes): JoinAnswer {
  if (b.length > maxJoin) throw bad("join: over 2 KiB");
  const f = new Fields(decodeMap(b));
  const out = f.dict.has("grant")
    ? { grant: f.need("grant", id), role: f.need("role", oneOf("owner", "admin", "member", "viewer")) }
    : { code: f.need("code", short(1, 64)), text: f.need("text", str(0, 300)) };
  f.exact();
  return out;
}

// Networks, spaces, lanes and sets (SPEC 6 to 8).

import { b32, bad, b64, Bytes, hash, hex, unb32, unb64 } from "./bytes.js";
import { decodeMap, dict, Dict, encode } from "./cbor.js";
import { bytes, Fields, int, key, list, short, str } from "./form.js";

export type Network = {
  genesis: Bytes;
  id: Bytes;
  hex: string;
  bits: number;
  name: string;
  roots: Bytes[];
  pq?: Bytes[]; // hashes of the second keys of the roots, in their order
  shards: number;
  start: number;
};

export function network(g: Dict): Network {
  const f = new Fields(g);
  const out = {
    bits: f.need("bits", int(0, 64)),
    name: f.need("name", str(0, 64)),
    roots: f.need("roots", list(key, 5)),
    pq: f.may("pq", list(bytes(32), 5, 1)),
    shards: f.need("shards", int(1, 256)),
    start: f.need("start", int(0, Math.floor(Number.MAX_SAFE_INTEGER / 1024))),
  };
  f.exact();
  if (out.pq && out.pq.length !== out.roots.length) throw bad("second keys of roots");
  const genesis = encode(g);
  const id = hash("mesh-net-v1\0", genesis).slice(0, 16);
  return { ...out, genesis, id, hex: hex(id) };
}

/** readNetwork reads a network file. */
export function readNetwork(file: string): Network & { bootstrap: string[] } {
  const s = file.trim();
  if (!s.startsWith("mesh-net:") || s.length > 32768) throw bad("no network file");
  const f = new Fields(decodeMap(unb64(s.slice(9))));
  const bootstrap = f.need("bootstrap", list(short(0, 256), 64));
  const net = network(f.need("genesis", (v) => new Fields(v).dict));
  f.exact();
  return { ...net, bootstrap };
}

export const writeNetwork = (net: Network): string =>
  "mesh-net:" + b64(encode(dict({ bootstrap: [], genesis: decodeMap(net.genesis) })));

export const agentId = (net: Network, author: Bytes): Bytes => hash("mesh-agent-v1\0", net.id, author);
export const guildId = (net: Network, founder: Bytes, salt: Bytes): Bytes =>
  hash("mesh-guild-v1\0", net.id, founder, salt);

export type Space = { text: string; area: "net" | "agent" | "commons" | "guild" | "team"; name: string; id?: Bytes };

export const domain = /^[a-z0-9:_-]{1,64}$/;

export function readSpace(s: string): Space {
  if (s === "net") return { text: s, area: "net", name: "" };
  const m = /^(agent|commons|guild|team)\/(.*)$/s.exec(s);
  if (!m) throw bad("space");
  const area = m[1] as Space["area"];
  if (area === "commons") {
    if (!domain.test(m[2])) throw bad("domain");
    return { text: s, area, name: m[2] };
  }
  if (m[2].length !== 52) throw bad("space");
  return { text: s, area, name: m[2], id: unb32(m[2]) };
}

export const spaceOf = (area: "agent" | "guild" | "team", id: Bytes): string => `${area}/${b32(id)}`;

const control = ["net.manifest", "profile.bind", "rotate", "grant", "revoke", "endorse", "guild.open"];

export type Lane = "control" | "content";
export const laneOf = (kind: string): Lane => (control.includes(kind) ? "control" : "content");

export function setOf(space: string, kind: string, shards: number): string {
  if (space.startsWith("team/")) return space;
  if (laneOf(kind) === "control") return "auth";
  const n = new DataView(hash(space).buffer).getBigUint64(0) % BigInt(shards);
  return `open/${n}`;
}

/** ticket counts the leading zero bits of an agent's proof of work. */
export function ticket(net: Bytes, author: Bytes, pow: number): number {
  const b = new Uint8Array(8);
  new DataView(b.buffer).setBigUint64(0, BigInt(pow));
  let bits = 0;
  for (const x of hash("mesh-pow-v1\0", net, author, b)) {
    if (x === 0) bits += 8;
    else return bits + Math.clz32(x) - 24;
  }
  return bits;
}

// Lines of keys by their past, as membership sees them (SPEC 9).

import { Bytes, equal, Fault, hash, hex } from "./bytes.js";
import { consentLine, consents } from "./binding.js";
import { Dict } from "./cbor.js";
import { Change } from "./change.js";
import { readDidKey, readWallet } from "./keys.js";
import { Rotate } from "./rows.js";
import { Network } from "./space.js";
import { Member, Store } from "./store.js";

export type Line = { keys: string[]; ctl: string[]; next?: Bytes; pq?: Bytes };

const maxKeys = 128;
const maxSteps = 10;

export const isRecord = (m: Member): boolean => m.c.kind === "rotate" || (m.c.kind === "profile.bind" && m.c.seq === 1);

/** recordOf goes from an identity to the record of its key. */
export function recordOf(store: Store, identity: Member): Member {
  let m = identity;
  for (let steps = 1; !isRecord(m); steps++) {
    if (steps >= maxSteps) throw new Fault("chain_invalid", "bindings up to the record");
    m = store.get(m.c.proof[0])!;
  }
  return m;
}

const lines = new WeakMap<Member, Line>();

/** lineOf is the line of the record of an identity: what its own past says. */
export function lineOf(store: Store, identity: Member): Line {
  const record = recordOf(store, identity);
  const known = lines.get(record);
  if (known) return known;
  const { bind, rotate, c } = record;
  const line = bind
    ? { keys: [c.did], ctl: bind.ctl ?? [], next: bind.next, pq: bind.pq }
    : extend(lineOf(store, store.get(c.proof[0])!), rotate!, c.did);
  lines.set(record, line);
  return line;
}

function extend(old: Line, r: Rotate, key: string): Line {
  if (old.keys.length >= maxKeys) throw new Fault("chain_invalid", "over 128 keys");
  const spent = rank(old, r.by.by) === 3 ? undefined : old.next;
  return { keys: [...old.keys, key], ctl: r.ctl ?? old.ctl, next: r.next ?? spent, pq: r.pq };
}

/** rank is what a did may in a line; 0 is nothing. */
export function rank(line: Line, did: string): number {
  const key = readDidKey(did);
  if (key && line.next && equal(hash(key), line.next)) return 3;
  if (line.ctl.includes(did)) return readWallet(did) ? 4 : 2;
  return line.keys[line.keys.length - 1] === did ? 1 : 0;
}

export const highest = (line: Line): number =>
  Math.max(1, line.next ? 3 : 0, ...line.ctl.map((d) => (readWallet(d) ? 4 : 2)));

/** checkRotation asks what membership asks of a rotation. */
export function checkRotation(net: Network, store: Store, c: Change, r: Rotate, body: Dict): void {
  const line = lineOf(store, store.get(c.proof[0])!);
  const fail = (why: string) => new Fault("rotation_invalid", why);
  const old = line.keys[line.keys.length - 1];
  if (c.seq !== 1 || hex(r.old) !== hex(readDidKey(old)!) || line.keys.includes(c.did)) throw fail("place");
  const by = rank(line, r.by.by);
  const top = highest(line);
  if (by === 0) throw fail("no rank");
  if (r.ctl && by < top) throw fail("ctl below the highest rank");
  if (by === 1 && top > 1 && (r.next || r.pq)) throw fail("next or pq below another");
  extend(line, r, c.did);
  if (!consents(consentLine(net.id, c.space.id!, r.old, c.author, body), r.by)) throw fail("consent");
}

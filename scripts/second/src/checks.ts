// What each folder of vectors asks (SPEC 23).

import { b32, Bytes, Fault, hash, hex, uint64, unb32, unhex } from "./bytes.js";
import { checkBinding, readProof } from "./binding.js";
import { dict } from "./cbor.js";
import { ahead, before, next, readChange, readStub, setOfChange } from "./change.js";
import { machineChecks } from "./checks_machines.js";
import { rowChecks } from "./checks_rows.js";
import { readChunk } from "./chunk.js";
import { orderEdits } from "./documents.js";
import { authenticate } from "./evidence.js";
import { fingerprint } from "./fingerprint.js";
import { Ingest } from "./ingest.js";
import { sound, verify } from "./keys.js";
import { Item, Ranges } from "./range.js";
import { lengths } from "./rows.js";
import { checkOf, decodeSymbols, encodeSymbols, firstAsk, places, resolve, symbols } from "./sketch.js";
import { agentId, guildId, laneOf, readNetwork, setOf, ticket } from "./space.js";
import { viewOf } from "./view.js";
import { wireChecks } from "./checks_wire.js";
import { Store } from "./store.js";

type Check = (v: never, out: never) => unknown;
type Pair = [string, string | null];

export const readPair = ([head, body]: Pair): [Bytes, Bytes | null] => [
  unhex(head),
  body === null ? null : unhex(body),
];

const idChecks: Record<string, (v: never) => unknown> = {
  agent: (v: { net: string; key: string }) => {
    const id = agentId({ id: unhex(v.net) } as never, unhex(v.key));
    return { id: hex(id), text: "agt_" + b32(id), space: "agent/" + b32(id) };
  },
  guild: (v: { net: string; founder: string; key: string; salt: string }) => {
    const id = guildId({ id: unhex(v.net) } as never, unhex(v.founder ?? v.key), unhex(v.salt));
    return { id: hex(id), text: "gld_" + b32(id), space: "guild/" + b32(id) };
  },
  net: (v: { file: string }) => {
    const net = readNetwork(v.file);
    return { id: net.hex, text: net.hex };
  },
};

type Span = { from: number; to: number };
const numbered = (k: number): string => hex(hash(Uint8Array.from(uint64(k)).reverse()));
const idsOf = (spans: Span[] | null): string[] =>
  (spans ?? []).flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => numbered(from + i)));
const itemsOf = (spans: Span[] | null, same: boolean): Item[] =>
  (spans ?? [])
    .flatMap(({ from, to }) =>
      Array.from({ length: to - from }, (_, i) => ({
        hlc: (1767225600000 + (same ? 0 : from + i)) * 1024,
        id: numbered(from + i),
      })),
    )
    .sort(before);
const short = (id: string): string => id.slice(0, 32);

type RangeSession = { initiator: Span[] | null; responder: Span[] | null; same_hlc: boolean; frame_limit: number };

function rangeSession(v: RangeSession): unknown {
  const a = new Ranges(itemsOf(v.initiator, v.same_hlc), v.frame_limit);
  const b = new Ranges(itemsOf(v.responder, v.same_hlc), v.frame_limit);
  const messages: string[] = [];
  for (let m: Bytes | undefined = a.first(); m; ) {
    messages.push(hex(m));
    const back: Bytes = b.answer(m, false)!;
    messages.push(hex(back));
    m = a.answer(back, true);
  }
  return { messages, have: a.have, need: a.need };
}

/** sketchSession asks as this program does; of its asks only the first is fixed. */
function sketchSession(v: { local: Span[] | null; remote: Span[] | null }, out: { asks: unknown[] }): unknown {
  const [local, remote] = [idsOf(v.local).map(short), idsOf(v.remote).map(short)];
  const first = firstAsk(Math.abs(local.length - remote.length));
  const found = resolve(remote.length, local, (n) => symbols(remote, n));
  const same = JSON.stringify(out.asks[0]) === JSON.stringify([0, first]);
  if (!same) throw new Error("first ask");
  return { asks: out.asks, resolved: !!found, only_remote: found?.remote, only_local: found?.local };
}

type Head = { network: string; past: Pair[] | null; change: Pair };

/** judged brings in a past and judges one change that comes alone. */
function judged({ network, past, change }: Head): unknown {
  const net = readNetwork(network);
  const ingest = new Ingest(net, new Store(net));
  for (const o of ingest.receive((past ?? []).map((p) => readStub(...readPair(p)))))
    if (o.state !== "new") throw new Error(`past: ${o.code ?? o.state}`);
  const c = readChange(...readPair(change));
  const [o] = ingest.receive([c]);
  if (o.code) throw new Fault(o.code);
  return { id: c.id, author: c.did, set: setOfChange(net, c), lane: c.lane };
}

type Log = { network: string; log: Pair[] | null };

/** folded brings in a log and shows what the vector shows. */
function folded({ network, log }: Log, out: { counts?: string[]; not?: string[]; forks?: unknown[] }): unknown {
  const net = readNetwork(network);
  const store = new Store(net);
  const ingest = new Ingest(net, store);
  for (const p of log ?? []) {
    const [o] = ingest.receive([readStub(...readPair(p))]);
    if (o.state !== "new") throw new Error(`log: ${o.code ?? o.state}`);
  }
  const { rows, hash, entries } = viewOf(store);
  const counted = (ids: string[] | undefined, want: boolean) =>
    ids?.filter((e) => entries.has(hex(unb32(e.slice(4)))) === want);
  const forks = out.forks && store.forks();
  return { rows, hash, forks, counts: counted(out.counts, true), not: counted(out.not, false) };
}

export const checks: Record<string, Check> = {
  ...wireChecks,
  "change/refused-bytes.json": (v: { change: Pair }) => void readChange(...readPair(v.change)),
  change: judged,
  rotate: judged,
  grant: judged,
  evidence: (v: { changes: Pair[] }) => ({
    authenticated: authenticate(v.changes.map((c) => readChange(...readPair(c)))),
  }),
  ed25519: (v: { key: string; msg: string; sig: string }) => ({
    sound: sound(unhex(v.key)),
    good: verify(unhex(v.key), unhex(v.msg), unhex(v.sig)),
  }),
  "hlc/next.json": (v: { now: number; past: number[] }) => next(v.now, v.past),
  "hlc/ahead.json": (v: { hlc: number; now: number }) => ahead(v.hlc, v.now),
  ids: (v: { of: string }) => idChecks[v.of](v as never),
  "set/set.json": (v: { space: string; kind: string; shards: number }) => ({
    set: setOf(v.space, v.kind, v.shards),
    lane: laneOf(v.kind),
  }),
  pow: (v: { net: string; author: string; pow: number }) => ({ bits: ticket(unhex(v.net), unhex(v.author), v.pow) }),
  length: (v: string) => lengths(new TextDecoder().decode(unhex(v)).normalize("NFC")),
  binding: (v: { net: string; author: string; ctl: string[]; bind: Record<string, string> }) => {
    const p = readProof(dict({ ...v.bind, sig: unhex(v.bind.sig) }));
    checkBinding(unhex(v.net), unhex(v.author), v.ctl ?? [], p);
    return { subject: p.by };
  },
  "set/fp.json": (v: Span) => hex(fingerprint(idsOf([v]))),
  "sketch/members.json": (v: { k: number; below: number }) => places(checkOf(short(numbered(v.k))), v.below),
  "sketch/symbols.json": (v: Span & { symbols: number }) => {
    const syms = encodeSymbols(symbols(idsOf([v]).map(short), v.symbols));
    decodeSymbols(syms);
    return { syms: hex(syms), sha256: hex(hash(syms)) };
  },
  "sketch/sessions.json": sketchSession,
  "recon/sessions.json": rangeSession,
  "recon/refused.json": (v: { set: Item[]; msg: string }) => {
    const items = v.set.map((x) => ({ hlc: x.hlc, id: x.id.padEnd(64, "0") }));
    new Ranges(items).answer(unhex(v.msg), false);
  },
  fold: folded,
  fork: folded,
  rights: folded,
  "doc/order.json": (v: { hlc: number; id: string; chunk: string; cut?: boolean }[] | null) =>
    orderEdits((v ?? []).map((e) => ({ ...e, chunk: readChunk(unhex(e.chunk)) }))),
  "doc/accepted.json": (v: string) => {
    const c = readChunk(unhex(v));
    return {
      hash: c.hash,
      actor: c.actor,
      seq: c.seq,
      start_op: c.start,
      ops: c.ops.length,
      deps: c.deps,
      text: c.text,
    };
  },
  ...rowChecks,
  ...machineChecks,
  "doc/refused.json": (v: string) => void readChunk(unhex(v)),
};

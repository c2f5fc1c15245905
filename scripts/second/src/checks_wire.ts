// Vectors of what travels: heads, frames, proofs, messages, peer records, requests to join (SPEC 17 to 19).

import { Bytes, Fault, hex, unhex } from "./bytes.js";
import { Change, readChange } from "./change.js";
import { Framing } from "./framing.js";
import { changesOf, payloadOf, readChanges, readFrame } from "./frames.js";
import { readGossip, verdictOf } from "./gossip.js";
import { readDidKey } from "./keys.js";
import { openEnvelope, readJoinAnswer, readJoinRequest, readRecord } from "./record.js";
import { checkProof } from "./ucan1.js";
import { unpack } from "./zstd.js";

const good = { good: true };

type Sent = { from: string; type: number; payload: string; unpacked?: string };

/** tenDifferences reads and writes each frame of a session again. */
function tenDifferences(_: unknown, out: Sent[]): unknown {
  return out.map((f) => {
    const frame = readFrame(f.type, unhex(f.payload), f.from === "responder");
    const payload = payloadOf(frame);
    if (frame.type !== 5) return { ...f, payload: hex(payload) };
    changesOf(frame);
    return { ...f, unpacked: hex(unpack(payload)) };
  });
}

function frame(v: { type: number; answer?: boolean; packed?: boolean; payload: string }): unknown {
  const payload = unhex(v.payload);
  if (v.type === 5 && !v.packed) readChanges(payload);
  else readFrame(v.type, payload, v.answer ?? false);
  return good;
}

/** stream gives its bytes one by one: a length that is wrong is refused before what it announces has come. */
function stream(v: { stream: string }): unknown {
  const framing = new Framing();
  for (const x of unhex(v.stream)) {
    framing.push(Uint8Array.of(x));
    const f = framing.next();
    if (f) return { type: f.type, payload: hex(f.payload) };
  }
  throw new Error("the stream ended");
}

function proof(v: { proof: string; now: number; net: string; sender: string; receiver: string }): unknown {
  const [sender, receiver] = [readDidKey(v.sender)!, readDidKey(v.receiver)!];
  return checkProof(unhex(v.proof), sender, receiver, v.net, v.now * 1000) ?? { agent: "", expires: 0 };
}

function verdict(v: { set: string; shards: number; message?: string; code?: string }): unknown {
  let code = v.code;
  if (code === undefined)
    try {
      const c: Change = readGossip(unhex(v.message ?? ""), v.set, v.shards);
      return { verdict: "judge", id: c.id, stub: c.body === null ? true : undefined };
    } catch (e) {
      if (!(e instanceof Fault)) throw e;
      code = e.code;
    }
  return { verdict: verdictOf(code), code };
}

function record(v: { payload?: string; envelope?: string }): unknown {
  if (v.envelope !== undefined) return { ...good, peer: openEnvelope(unhex(v.envelope)).peer };
  readRecord(unhex(v.payload!));
  return good;
}

function joins(v: { request?: string; answer?: string }): unknown {
  const read: (b: Bytes) => unknown = v.request === undefined ? readJoinAnswer : readJoinRequest;
  read(unhex(v.request ?? v.answer ?? ""));
  return good;
}

export const wireChecks = {
  "change/heads.json": (v: { change: [string, string | null] }) => ({ id: readChange(unhex(v.change[0]), null).id }),
  "session/ten_differences.json": tenDifferences,
  "session/frames.json": frame,
  "session/streams.json": stream,
  "session/proofs.json": proof,
  "gossip/verdicts.json": verdict,
  "peer/records.json": record,
  "peer/join.json": joins,
};

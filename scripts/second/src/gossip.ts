// Messages on the topic of a set, and what becomes of them (SPEC 17).

import { Bytes, Fault } from "./bytes.js";
import { Change, readMessage } from "./change.js";
import { setOf } from "./space.js";

export const maxMessage = 16 << 10;

/** failing are the codes of what fails for everyone: the sender is to blame. */
const failing = new Set([
  "bad_encoding",
  "change_too_large",
  "bad_change_signature",
  "bad_sequence",
  "binding_invalid",
  "blob_mismatch",
  "capability_missing",
  "capability_expired",
  "chain_invalid",
  "attenuation_violation",
  "wrong_audience",
  "rotation_invalid",
  "invalid_type",
  "too_short",
  "too_long",
  "receipt_mismatch",
]);

export const verdictOf = (code: string): "reject" | "ignore" => (failing.has(code) ? "reject" : "ignore");

/** readGossip reads a message on the topic of a set, as far as its bytes alone decide. */
export function readGossip(data: Bytes, set: string, shards: number): Change {
  if (data.length > maxMessage) throw new Fault("change_too_large", "message");
  const c = readMessage(data);
  if (setOf(c.space.text, c.kind, shards) !== set) throw new Fault("unknown_space");
  return c;
}

// The vectors of rows: a body under what its row looks at, and nothing else (SPEC 10).

import { bad, unhex } from "./bytes.js";
import { decodeMap, Dict } from "./cbor.js";
import { Change } from "./change.js";
import { rowOf } from "./judge.js";
import { readDidKey } from "./keys.js";
import * as rows from "./rows.js";
import { readSpace } from "./space.js";

type Row = { kind: string; space: string; seq: number; author: string; deps: string[]; body: string };

const control: Record<string, (body: Dict, seq: number) => unknown> = {
  "net.manifest": rows.readManifest,
  "profile.bind": (body, seq) => rows.readBind(body, seq === 1),
  rotate: rows.readRotate,
  grant: rows.readGrantRow,
  revoke: rows.readRevoke,
  endorse: rows.readEndorse,
  "guild.open": rows.readOpen,
};

function row(v: Row): { good: boolean } {
  const author = readDidKey(v.author);
  if (!author) throw bad("author");
  const body = unhex(v.body);
  if (Object.hasOwn(control, v.kind)) control[v.kind](decodeMap(body), v.seq);
  else {
    const head = { kind: v.kind, space: readSpace(v.space), seq: v.seq, author, deps: v.deps, prev: "" };
    rowOf({ ...head, body } as unknown as Change);
  }
  return { good: true };
}

export const rowChecks = { rows: row };

// Makes changes, valid and broken in many ways, and judges them as an import does:
// node build/differential.js network SEED > network.txt
// node build/differential.js make network.txt base.ndjson SEED COUNT lines.ndjson
// node build/differential.js judge network.txt export.ndjson lines.ndjson > verdicts.json
// where base and export are what the other program's home exports before and after.

import fs from "node:fs";
import { b32, Bytes, Fault, hash, hex, unb32 } from "./bytes.js";
import { decodeMap, dict, Dict, encode, Value } from "./cbor.js";
import { Change, readChange, sign } from "./change.js";
import { Sum } from "./fingerprint.js";
import { Ingest } from "./ingest.js";
import { Signer } from "./keys.js";
import * as mutate from "./mutate.js";
import { Random } from "./random.js";
import { Network, network, readNetwork, writeNetwork } from "./space.js";
import { Store } from "./store.js";
import { viewOf } from "./view.js";
import { Step, World } from "./world.js";

/** A Line is a change as it is exported, and the way in which it is broken. */
type Line = { id: string; head: Bytes; body: Bytes | null; how: string };

const lineOf = (head: Bytes, body: Bytes | null, how: string, d?: Dict): Line => {
  let id = hash(d ? encode(d) : head);
  try {
    id = Buffer.from(readChange(head, null).id, "hex");
  } catch {
    // the id of what does not decode is that of its fields, so that nothing but its form is wrong
  }
  return { id: "chg_" + b32(id), head, body, how };
};

class Generator {
  readonly lines: Line[] = [];
  constructor(
    readonly world: World,
    readonly r: Random,
  ) {}

  /** valid writes a step as it is, and goes on from it. */
  private valid({ plan, then }: Step): void {
    const c = this.world.author.write(plan);
    const copy = this.r.chance(3) ? lineOf(this.resign(c.head, "flip"), c.body, "copy") : undefined;
    if (copy && this.r.chance(50)) this.lines.push(copy);
    this.take(c, "valid");
    if (copy && this.r.chance(50)) this.lines.push(copy);
    if (this.world.store.get(c.id)) then?.(c);
    if (this.r.chance(2)) this.fork({ plan }, c);
  }

  private take(c: Change, how: string): void {
    this.lines.push({ id: "chg_" + b32(Buffer.from(c.id, "hex")), head: c.head, body: c.body, how });
    const [o] = this.world.ingest.receive([c]);
    if (o.state !== "new") return;
    const { ids } = this.world.pool;
    if (ids.length < 2000) ids.push(c.id);
    else ids[this.r.below(2000)] = c.id;
  }

  /** fork writes another change at the place of c. */
  private fork({ plan }: Step, c: Change): void {
    if (plan.kind === "profile.bind" && c.seq === 1 && this.r.chance(50)) return;
    const body = new Map(plan.body).set("zz", this.r.below(1e9));
    const bytes = encode(body);
    const f = this.fieldsOf(c.head);
    f.set("bh", hash(bytes)).set("size", bytes.length);
    this.take(readChange(sign(plan.by, f), bytes), "fork");
  }

  private fieldsOf(head: Bytes): Dict {
    const f = decodeMap(head);
    f.delete("sig");
    f.delete("sig2");
    return f;
  }

  private broken({ plan }: Step): void {
    const { r, world } = this;
    const how = r.pick([
      "head",
      "head",
      "head",
      "body",
      "body",
      "body",
      "bytes",
      "sig",
      "blob",
      "stub",
      "token",
      "chunk",
    ]);
    const by = plan.by;
    let body: Bytes | null = encode(plan.body);
    if (how === "body") body = encode(mutate.body(plan.body, r));
    if (how === "token" && plan.kind === "grant") {
      const token = mutate.token(plan.body.get("token") as string, by, r);
      body = encode(new Map(plan.body).set("token", token as Value));
    }
    if (how === "chunk" && plan.kind === "doc.edit") {
      const chunk = mutate.chunk(plan.body.get("chunk") as Bytes, r);
      body = encode(new Map(plan.body).set("chunk", chunk as Value));
    }
    const inBody = how === "bytes" && r.chance(60);
    if (inBody) body = mutate.bytesOf(body, r);
    const f = world.author.head(plan, body);
    if (how === "head") r.pick(mutate.heads)(f, r, world.pool);
    if (how === "head" && r.chance(3)) f.set("sig2", new Uint8Array(3309));
    let head: Bytes;
    try {
      head = sign(by, f);
    } catch {
      return; // it cannot be written at all
    }
    if (how === "sig") head = this.resign(head, r.chance(50) ? "flip" : "swap");
    if (how === "bytes" && !inBody) head = mutate.bytesOf(head, r);
    if (how === "blob") body = mutate.flip(body, r);
    if (how === "stub") body = null;
    this.lines.push(lineOf(head, body, how, f));
    // What is a member all the same is part of the past.
    try {
      world.ingest.receive([readChange(head, body)]);
    } catch (e) {
      if (!(e instanceof Fault)) throw e;
    }
  }

  private resign(head: Bytes, how: string): Bytes {
    const f = decodeMap(head);
    const sig = f.get("sig") as Bytes;
    if (f.has("sig2") && this.r.chance(50)) f.set("sig2", mutate.flip(f.get("sig2") as Bytes, this.r));
    else f.set("sig", how === "flip" ? mutate.flip(sig, this.r) : new Signer(this.r.bytes(32)).sign(sig));
    return encode(f);
  }

  run(count: number): void {
    const { r, world } = this;
    while (this.lines.length < count) {
      const step = world.step();
      if (r.chance(60) || world.agents.length < 3) this.valid(step);
      else this.broken(step);
      if (r.chance(1)) this.lines.push({ ...r.pick(this.lines), how: "again" });
    }
  }

  /** shuffled moves some lines to a later place, so that what builds on them waits. */
  shuffled(): Line[] {
    const out = [...this.lines];
    for (let i = 0; i < out.length / 50; i++) {
      const from = 300 + this.r.below(Math.max(1, out.length - 300));
      const [line] = out.splice(Math.min(from, out.length - 1), 1);
      out.splice(Math.min(out.length, from + this.r.below(700)), 0, line);
    }
    return out;
  }
}

export type Verdict = { line: number; code: string; stub?: true };

/** judge reads lines as an import does: in batches of 256 that decode. */
export function judge(net: Network, base: Line[], lines: Line[]) {
  const store = new Store(net);
  const ingest = new Ingest(net, store);
  ingest.receive(base.map((l) => readChange(l.head, l.body)));
  const verdicts: Verdict[] = [];
  let batch: { c: Change; line: number }[] = [];
  const waits: { id: string; line: number }[] = [];
  const flush = () => {
    ingest.receive(batch.map((b) => b.c)).forEach((o, i) => {
      const { line } = batch[i];
      if (o.state === "waits") waits.push({ id: o.id, line });
      else if (o.state === "refused") verdicts.push({ line, code: o.code! });
      else if (o.code && o.state !== "known") verdicts.push({ line, code: o.code, stub: true });
    });
    batch = [];
  };
  lines.forEach((l, i) => {
    try {
      const c = readChange(l.head, l.body);
      if (c.id !== hex(unb32(l.id.slice(4)))) throw new Fault("bad_encoding");
      batch.push({ c, line: i + 1 });
    } catch (e) {
      if (!(e instanceof Fault)) throw e;
      verdicts.push({ line: i + 1, code: e.code });
    }
    if (batch.length === 256) flush();
  });
  flush();
  for (const w of waits) {
    const m = store.get(w.id);
    if (!m) verdicts.push({ line: w.line, code: "missing_deps" });
    else if (m.row) verdicts.push({ line: w.line, code: m.row, stub: true });
  }
  const sets: Record<string, { count: number; fp: string }> = {};
  for (const name of store.sets().sort()) {
    const sum = new Sum();
    for (const m of store.items(name)) sum.add(m.c.id);
    sets[name] = { count: sum.count, fp: hex(sum.fp) };
  }
  const view = viewOf(store);
  return { verdicts: verdicts.sort((a, b) => a.line - b.line), sets, view: view.hash, rows: view.rows };
}

const read64 = (s: string | null): Bytes | null => (s === null ? null : new Uint8Array(Buffer.from(s, "base64")));

export function readExport(file: string): Line[] {
  return fs
    .readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((s) => {
      const { id, head, body } = JSON.parse(s) as { id: string; head: string; body: string | null };
      return { id, head: read64(head)!, body: read64(body), how: "base" };
    });
}

/** rootOf is the key that the network of a differential test names as its root. */
export const rootOf = (seed: number): Signer => new Signer(hash(`root ${seed}`));

/** networkOf is the network file of a seed: it has a root, two shards, and asks for no ticket. */
export function networkOf(seed: number): string {
  const roots = [rootOf(seed).key];
  return writeNetwork(network(dict({ bits: 4, name: "differential", roots, shards: 2, start: 1767225600000 })));
}

/** make writes COUNT lines that build on an export. */
function make([networkFile, baseFile, seed, count, outFile]: string[]): void {
  const net = readNetwork(fs.readFileSync(networkFile, "utf8"));
  const r = new Random(Number(seed));
  const world = new World(net, rootOf(Number(seed)), r);
  world.ingest.receive(readExport(baseFile).map((l) => readChange(l.head, l.body)));
  const generator = new Generator(world, r);
  generator.run(Number(count));
  const to64 = (b: Bytes | null) => (b ? Buffer.from(b).toString("base64") : null);
  const lines = generator.shuffled();
  const text = lines.map((l) => JSON.stringify({ id: l.id, head: to64(l.head), body: to64(l.body) }));
  fs.writeFileSync(outFile, text.join("\n") + "\n");
  fs.writeFileSync(`${outFile}.how`, lines.map((l) => l.how).join("\n") + "\n"); // in which way each is broken
}

/** main judges lines after what of an export is not among them: the home's own changes. */
function main([networkFile, exportFile, linesFile]: string[]): void {
  const lines = readExport(linesFile);
  const made = new Set(lines.map((l) => l.id));
  const base = readExport(exportFile).filter((l) => !made.has(l.id));
  process.stdout.write(JSON.stringify(judge(readNetwork(fs.readFileSync(networkFile, "utf8")), base, lines)));
}

const [verb, ...args] = process.argv.slice(2);
if (verb === "network") process.stdout.write(networkOf(Number(args[0])));
else if (verb === "make") make(args);
else main(args);

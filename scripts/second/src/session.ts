// A session of /mesh/recon/1, on either side (SPEC 18, The session).

import { Bytes, equal, Fault } from "./bytes.js";
import { before, Change, Id } from "./change.js";
import { fingerprint } from "./fingerprint.js";
import { changesOf, Frame, readFrame, State, writeFrame } from "./frames.js";
import { Ranges } from "./range.js";
import { decodeSymbols, encodeSymbols, maxSymbols, resolveBy, symbols } from "./sketch.js";
import type { Peer } from "./peer.js";
import { Member } from "./store.js";

/** Wire reads and writes frames of one stream. */
export interface Wire {
  send(b: Bytes): void;
  /** next is the next frame's type and payload; undefined at the end of the stream. */
  next(): Promise<{ type: number; payload: Bytes } | undefined>;
  close(): Promise<void>;
}

const maxItems = 500;
const zero = "0".repeat(64);

export class Session {
  readonly stats = { got: 0, pushed: 0, sketches: 0, pulls: 0, ranges: 0 };
  constructor(
    readonly node: Peer,
    readonly wire: Wire,
    readonly peerKey: Bytes,
  ) {}

  private send(f: Frame): void {
    this.wire.send(writeFrame(f));
  }

  private async read(initiator: boolean): Promise<Frame | undefined> {
    const raw = await this.wire.next();
    return raw && readFrame(raw.type, raw.payload, initiator);
  }

  private async answer<T extends Frame["type"]>(type: T): Promise<Frame & { type: T }> {
    const f = await this.read(true);
    if (!f) throw new Error("the stream ended");
    if (f.type === 10) throw new Error(`peer: ${f.code}`);
    if (f.type === 9) throw new Error("busy");
    if (f.type !== type) throw new Error(`frame ${f.type} in place of ${type}`);
    return f as Frame & { type: T };
  }

  private hello(sets: string[]): Frame {
    const { node } = this;
    return {
      type: 1,
      v: 1,
      net: node.net.id,
      now: Date.now(),
      sets: sets.map((s) => node.state(s)),
      agent: "second/1",
      proof: node.proofFor(this.peerKey),
    };
  }

  /** initiate runs a whole session; it answers whether all sets are equal at its end. */
  async initiate(): Promise<boolean> {
    const { node } = this;
    const named = node.setsFor(this.peerKey);
    this.send(this.hello(named));
    const theirs = await this.answer(1);
    if (!equal(theirs.net, node.net.id)) throw new Error("another network");
    node.heard(this.peerKey, theirs.proof);
    let all = true;
    for (const name of named) {
      const there = theirs.sets.find((s) => s.name === name);
      if (there) all = (await this.reconcile(there)) && all;
    }
    await this.wire.close();
    return all;
  }

  private async reconcile(there: State): Promise<boolean> {
    const { node } = this;
    const here = node.state(there.name);
    if (here.count === there.count && equal(here.fp, there.fp)) return true;
    if (here.count * 4 < there.count) await this.pull(there.name);
    const now = node.state(there.name);
    const level = now.count === there.count && equal(now.fp, there.fp);
    if (!level && now.count <= 4 * there.count) {
      const done = Math.abs(now.count - there.count) < 4096 && (await this.bySketch(there));
      if (!done) await this.byRanges(there.name);
    }
    const end = node.state(there.name);
    this.send({ type: 8, set: end.name, count: end.count, fp: end.fp });
    const theirs = await this.answer(8);
    return theirs.count === end.count && equal(theirs.fp, end.fp);
  }

  private async pull(set: string): Promise<void> {
    this.stats.pulls++;
    for (let after = { hlc: 0, id: zero }, n = 4096; n === 4096; ) {
      this.send({ type: 4, set, after, max: 4096 });
      const { changes, seen } = await this.changes();
      n = seen;
      if (changes.length) after = changes[changes.length - 1];
      await this.past(set);
    }
  }

  /** changes takes the frames of one answer. */
  private async changes(): Promise<{ changes: Change[]; seen: number }> {
    const out: Change[] = [];
    let seen = 0;
    for (let more = true; more; ) {
      const f = await this.answer(5);
      const { changes } = changesOf(f);
      seen += f.items.length;
      out.push(...changes);
      this.stats.got += this.node.receive(changes);
      more = f.more;
    }
    return { changes: out, seen };
  }

  private async want(set: string, ids: string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += 1000) {
      this.send({ type: 3, set, ids: ids.slice(at, at + 1000) });
      const raw = await this.wire.next();
      if (!raw) throw new Error("the stream ended");
      const f = readFrame(raw.type, raw.payload, true);
      if (f.type === 5) {
        this.stats.got += this.node.receive(changesOf(f).changes);
        if (f.more) await this.changes();
      } else if (f.type === 6) await this.changes();
      else throw new Error(`frame ${f.type} in answer to want`);
    }
  }

  /** past wants what received changes still miss. */
  private async past(set: string): Promise<void> {
    for (let round = 0; round < 8; round++) {
      const ids = this.node.missing();
      if (!ids.length) return;
      await this.want(set, ids);
      if (set !== "auth" && this.node.missing().length) await this.want("auth", this.node.missing());
    }
  }

  private async bySketch(there: State): Promise<boolean> {
    this.stats.sketches++;
    const { node } = this;
    const items = node.store.items(there.name);
    const byShort = new Map(items.map((m) => [m.c.id.slice(0, 32), m]));
    let state = there;
    const found = await resolveBy(there.count, [...byShort.keys()], async (from, n) => {
      this.send({ type: 12, set: there.name, from, n });
      const f = await this.answer(12);
      if (f.syms === undefined) throw new Error("an ask in answer to an ask");
      state = { name: there.name, count: f.count, fp: f.fp };
      return decodeSymbols(f.syms);
    }).catch((e: unknown) => {
      if (e instanceof Fault) return undefined;
      throw e;
    });
    if (!found) return false;
    const kept = new Set(items.map((m) => m.c.id));
    const push = found.local.map((s) => byShort.get(s)!);
    await this.want(there.name, found.remote);
    await this.past(there.name);
    const came = node.store.items(there.name).filter((m) => found.remote.includes(m.c.id.slice(0, 32)));
    for (const m of push) kept.delete(m.c.id);
    for (const m of came) kept.add(m.c.id);
    if (kept.size !== state.count || !equal(fingerprint([...kept]), state.fp)) return false;
    this.push(push);
    return true;
  }

  private async byRanges(set: string): Promise<void> {
    this.stats.ranges++;
    const items = this.node.store.items(set).map((m) => ({ hlc: m.c.hlc, id: m.c.id }));
    const ranges = new Ranges(items);
    let msg: Bytes | undefined = ranges.first();
    for (let n = 0; msg && n < 32; n++) {
      this.send({ type: 2, set, msg });
      msg = ranges.answer((await this.answer(2)).msg, true);
    }
    await this.want(set, ranges.need);
    await this.past(set);
    this.push(ranges.have.map((id) => this.node.store.get(id)!));
  }

  private push(list: Member[]): void {
    if (!list.length) return;
    this.stats.pushed += list.length;
    this.sendChanges(list);
  }

  /** sendChanges writes members in order, in frames that stay below 1 MiB and 256 KiB packed. */
  private sendChanges(list: Member[]): void {
    const sorted = [...list].sort((a, b) => before(a.c, b.c));
    let items: [Bytes, Bytes | null][] = [];
    let size = 0;
    for (const { c, body } of sorted) {
      const more = c.head.length + (c.body?.length ?? 0) + 16;
      if (size + more > 200_000 || items.length === maxItems) {
        this.send({ type: 5, more: true, items });
        [items, size] = [[], 0];
      }
      items.push([c.head, body ? c.body : null]);
      size += more;
    }
    this.send({ type: 5, more: false, items });
  }

  /** respond answers what an initiator asks, until it closes. */
  async respond(): Promise<void> {
    const { node } = this;
    const first = await this.read(false);
    if (first?.type !== 1 || !equal(first.net, node.net.id)) return this.wire.close();
    node.heard(this.peerKey, first.proof);
    const named = node
      .setsFor(this.peerKey)
      .filter((s) => first.sets.some((x) => x.name === s) || !s.startsWith("team/"));
    this.send(this.hello(named));
    let current: string | undefined;
    for (let f = await this.read(false); f; f = await this.read(false)) {
      const set = "set" in f ? f.set : undefined;
      if (set !== undefined && !named.includes(set)) {
        this.send({ type: 10, code: "unknown_space" });
        break;
      }
      if (f.type === 2 || f.type === 12) current = set;
      if (f.type === 4) current = set;
      if (f.type === 5) {
        if (current === undefined) throw new Fault("bad_encoding", "a push before an ask");
        this.stats.got += node.receive(changesOf(f).changes);
      } else this.reply(f);
      if (f.type === 8) current = undefined;
    }
    await this.wire.close();
  }

  private reply(f: Frame): void {
    const { node } = this;
    if (f.type === 12 && f.syms === undefined) {
      const ids = node.store.items(f.set).map((m) => m.c.id);
      const syms = symbols(
        ids.map((x) => x.slice(0, 32)),
        Math.min(maxSymbols, f.from + f.n),
      ).slice(f.from);
      this.send({
        type: 12,
        fp: fingerprint(ids),
        set: f.set,
        from: f.from,
        syms: encodeSymbols(syms),
        count: ids.length,
      });
    } else if (f.type === 2) {
      const items = node.store.items(f.set).map((m) => ({ hlc: m.c.hlc, id: m.c.id }));
      this.send({ type: 2, set: f.set, msg: new Ranges(items).answer(f.msg, false)! });
    } else if (f.type === 3) this.giveWanted(f.set, f.ids);
    else if (f.type === 4) {
      const list = node.store.items(f.set).filter((m) => before(m.c, f.after) > 0);
      this.sendChanges(list.slice(0, f.max));
    } else if (f.type === 8) this.send({ type: 8, ...this.done(f.set) });
  }

  private done(name: string): { set: string; count: number; fp: Bytes } {
    const { count, fp } = this.node.state(name);
    return { set: name, count, fp };
  }

  private giveWanted(set: string, ids: string[]): void {
    const items = this.node.store.items(set);
    const byId = new Map<Id, Member>(
      items.flatMap(
        (m) =>
          [
            [m.c.id, m],
            [m.c.id.slice(0, 32), m],
          ] as [Id, Member][],
      ),
    );
    const gone = ids.filter((id) => !byId.has(id));
    if (gone.length) this.send({ type: 6, ids: gone });
    this.sendChanges([...new Set(ids.flatMap((id) => byId.get(id) ?? []))]);
  }
}

// A full node on js-libp2p: sessions and gossip around one store (SPEC 17 and 18).

import "./platform.js";
import { randomBytes } from "node:crypto";
import { gossipsub, GossipSub } from "@chainsafe/libp2p-gossipsub";
import { noise } from "@chainsafe/libp2p-noise";
import { yamux } from "@chainsafe/libp2p-yamux";
import { generateKeyPairFromSeed } from "@libp2p/crypto/keys";
import { identify, Identify } from "@libp2p/identify";
import type { Connection, PeerId, Stream } from "@libp2p/interface";
import { TopicValidatorResult } from "@libp2p/interface";
import { tcp } from "@libp2p/tcp";
import { multiaddr } from "@multiformats/multiaddr";
import { createLibp2p, Libp2p } from "libp2p";
import { Bytes, Fault, hash, hex, join } from "./bytes.js";
import { Change, Id, message, setOfChange } from "./change.js";
import { Effect } from "./effect.js";
import { fingerprint } from "./fingerprint.js";
import { State } from "./frames.js";
import { Framing } from "./framing.js";
import { maxMessage, readGossip, verdictOf } from "./gossip.js";
import { Ingest } from "./ingest.js";
import { Signer } from "./keys.js";
import { Session, Wire } from "./session.js";
import { Network } from "./space.js";
import { Store } from "./store.js";
import { checkProof, makeProof, Shown } from "./ucan1.js";
import { viewOf } from "./view.js";
import { Author, Plan } from "./author.js";

const protocol = "/mesh/recon/1";
const results = { reject: TopicValidatorResult.Reject, ignore: TopicValidatorResult.Ignore };

export class Peer {
  readonly store: Store;
  readonly ingest: Ingest;
  readonly author: Author;
  private p2p!: Libp2p<{ pubsub: GossipSub; identify: Identify }>;
  /** What peers proved: the acting key for which they ask, and until when. */
  private readonly proofs = new Map<string, Shown>();
  /** Team sets that this node was told to follow. */
  readonly follows = new Set<string>();
  private absent = new Set<Id>();
  private readonly gossiped = new Set<Id>();
  private hears: () => void = () => {};

  constructor(
    readonly net: Network,
    readonly key: Signer,
    /** the agent for which this node asks for team sets */
    readonly agent: Signer,
    readonly log: (text: string) => void,
  ) {
    this.store = new Store(net);
    this.ingest = new Ingest(net, this.store);
    this.author = new Author(net, this.store, Date.now);
  }

  async start(): Promise<void> {
    this.p2p = await createLibp2p({
      privateKey: await generateKeyPairFromSeed("Ed25519", this.key.seed),
      addresses: { listen: ["/ip4/127.0.0.1/tcp/0"] },
      transports: [tcp()],
      connectionEncrypters: [noise()],
      streamMuxers: [yamux()],
      services: {
        identify: identify(),
        pubsub: gossipsub({
          globalSignaturePolicy: "StrictNoSign",
          allowPublishToZeroTopicPeers: true,
          emitSelf: false,
          msgIdFn: (m) => hash(m.data).slice(0, 16),
        }) as unknown as () => GossipSub,
      },
    });
    await this.p2p.handle(protocol, ({ stream, connection }) => void this.respond(stream, connection));
    const { pubsub } = this.p2p.services;
    for (const set of this.publicSets()) {
      const topic = this.topic(set);
      pubsub.topicValidators.set(topic, (from, m) => this.judge(set, from, m.data));
      pubsub.subscribe(topic);
    }
  }

  get addresses(): string[] {
    return this.p2p.getMultiaddrs().map(String);
  }

  async stop(): Promise<void> {
    await this.p2p.stop();
  }

  private topic(set: string): string {
    return `mesh/1/${this.net.hex}/${set}`;
  }

  private publicSets(): string[] {
    return ["auth", ...Array.from({ length: this.net.shards }, (_, i) => `open/${i}`)];
  }

  // Gossip

  private judge(set: string, from: PeerId, data: Bytes): TopicValidatorResult {
    try {
      const c = readGossip(data, set, this.net.shards);
      const [o] = this.ingest.receive([c]);
      if (o.state === "new") this.gossiped.add(c.id);
      this.hears();
      if (o.state === "waits") for (const id of o.absent ?? []) this.absent.add(id);
      if (o.state === "waits" && o.absent?.length) void this.sync(from).catch(() => {});
      if (o.code) return results[verdictOf(o.code)];
      return o.state === "new" && c.body ? TopicValidatorResult.Accept : TopicValidatorResult.Ignore;
    } catch (e) {
      if (!(e instanceof Fault)) throw e;
      return results[verdictOf(e.code)];
    }
  }

  /** hearing waits until a change has come by gossip. */
  async hearing(id: Id): Promise<void> {
    while (!this.gossiped.has(id)) await new Promise<void>((r) => (this.hears = r));
  }

  /** subscribed waits until peers take part in the topic of a set. */
  async subscribed(set: string, peers: number): Promise<void> {
    const { pubsub } = this.p2p.services;
    while (pubsub.getMeshPeers(this.topic(set)).length < peers) await new Promise<void>((r) => setTimeout(r, 50));
  }

  /** write authors a change, keeps it and gossips it. */
  async write(p: Plan): Promise<Change> {
    const c = this.author.write(p);
    const [o] = this.ingest.receive([c]);
    if (o.state !== "new" || o.code) throw new Error(`own ${p.kind}: ${o.code ?? o.state}`);
    const set = setOfChange(this.net, c);
    const whole = message(c);
    const data = whole.length > maxMessage ? message(c, false) : whole;
    if (!set.startsWith("team/")) await this.p2p.services.pubsub.publish(this.topic(set), data);
    return c;
  }

  // Reconciliation

  async dial(address: string): Promise<PeerId> {
    return (await this.p2p.dial(multiaddr(address))).remotePeer;
  }

  /** sync runs a session with a peer, and another when the hellos let it name further teams. */
  async sync(peer: PeerId): Promise<boolean> {
    const named = this.setsFor(keyOf(peer)).length;
    const equal = await this.session(peer);
    return this.setsFor(keyOf(peer)).length > named ? this.session(peer) : equal;
  }

  private async session(peer: PeerId): Promise<boolean> {
    const stream = await this.p2p.dialProtocol(peer, protocol);
    const s = new Session(this, wireOf(stream), keyOf(peer));
    const equal = await s.initiate();
    this.log(`session ${JSON.stringify({ equal, ...s.stats })}`);
    return equal;
  }

  private async respond(stream: Stream, connection: Connection): Promise<void> {
    const s = new Session(this, wireOf(stream), keyOf(connection.remotePeer));
    try {
      await s.respond();
    } catch (e) {
      this.log(`responder: ${String(e)}`);
      stream.abort(e as Error);
    }
  }

  /** receive judges what a frame brought and says how many members are new. */
  receive(changes: Change[]): number {
    const out = this.ingest.receive(changes);
    for (const o of out) for (const id of o.absent ?? []) this.absent.add(id);
    for (const o of out) if (o.state === "refused") this.log(`refused ${o.id} ${o.code}`);
    return out.filter((o) => o.state === "new" || o.state === "filled").length;
  }

  /** missing are ids that received changes refer to and that are not here; each is asked for once. */
  missing(): Id[] {
    const ids = [...this.absent].filter((id) => !this.store.get(id));
    this.absent = new Set();
    return ids;
  }

  state(name: string): State {
    const ids = this.store.items(name).map((m) => m.c.id);
    return { name, count: ids.length, fp: fingerprint(ids) };
  }

  proofFor(peer: Bytes): Bytes {
    return makeProof(this.agent, this.key, peer, this.net.hex, Date.now(), randomBytes(24));
  }

  heard(peer: Bytes, proof: Bytes | undefined): void {
    const shown = proof && checkProof(proof, peer, this.key.key, this.net.hex, Date.now());
    if (shown) this.proofs.set(hex(peer), shown);
    else if (proof) this.log("a proof shows nothing");
  }

  /** setsFor are the sets that may be named to a peer: all public ones, and teams of both. */
  setsFor(peer: Bytes): string[] {
    const effect = new Effect(this.store);
    const known = this.proofs.get(hex(peer));
    const proof = known && known.expires * 1000 >= Date.now() ? known.agent : undefined;
    const mine = this.teamsOf(effect, this.agent.did);
    const theirs = this.teamsOf(effect, proof);
    // A team that is not known here yet is named to any peer with a valid proof.
    const told = [...this.follows].filter((t) => proof && this.store.items(t).length === 0);
    return [...this.publicSets(), ...[...mine.filter((t) => theirs.includes(t)), ...told].sort()];
  }

  /** teamsOf are the teams of the agent with that acting key. */
  private teamsOf(effect: Effect, did: string | undefined): string[] {
    const out = new Set<string>();
    for (const m of this.store.all()) {
      if (!did || (!m.open && !m.grant) || !["guild", "team"].includes(m.c.space.area)) continue;
      const team = `team/${m.c.space.name}`;
      const key = m.grant ? m.grant.token.aud : m.c.did;
      if (key === did && (m.open ? effect.has(m) : effect.active(m))) out.add(team);
    }
    return [...out];
  }

  view(): { rows: number; hash: string } {
    const v = viewOf(this.store);
    return { rows: v.rows.length, hash: v.hash };
  }
}

const keyOf = (peer: PeerId): Bytes => join(Uint8Array.of(0xed, 1), peer.publicKey!.raw);

/** wireOf reads and writes frames of a stream. */
function wireOf(stream: Stream): Wire {
  const framing = new Framing();
  const source = stream.source[Symbol.asyncIterator]();
  const out: Bytes[] = [];
  let wake: () => void = () => {};
  let ended = false;
  const sending = stream.sink(
    (async function* () {
      for (;;) {
        while (out.length) yield out.shift()!;
        if (ended) return;
        await new Promise<void>((r) => (wake = r));
      }
    })(),
  );
  return {
    send: (b) => {
      out.push(b);
      wake();
    },
    next: async () => {
      for (;;) {
        const frame = framing.next();
        if (frame) return frame;
        const { value, done } = await source.next();
        if (done && !framing.idle) throw new Fault("bad_encoding", "frame cut short");
        if (done) return undefined;
        framing.push(value.subarray());
      }
    },
    close: async () => {
      ended = true;
      wake();
      await sending;
      await stream.close();
    },
  };
}

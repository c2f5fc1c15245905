// Runs a node of this program for a test or by hand:
// node build/main.js network.txt SEED [ADDRESS ...]
// It reads one command a line from standard input and answers each with one line of JSON.

import fs from "node:fs";
import readline from "node:readline";
import { b32, hash, hex, unb32 } from "./bytes.js";
import { Agent, Guild } from "./author.js";
import { Change } from "./change.js";
import { Signer } from "./keys.js";
import { Peer } from "./peer.js";
import { readNetwork, ticket } from "./space.js";
import { dict } from "./cbor.js";

const [networkFile, seed] = process.argv.slice(2);
const net = readNetwork(fs.readFileSync(networkFile, "utf8"));
const acting = new Signer(hash(`second agent ${seed}`));
const peer = new Peer(net, new Signer(hash(`second node ${seed}`)), acting, (s) => process.stderr.write(s + "\n"));
let me: Agent | undefined;
let guild: Guild | undefined;
const known = new Map<string, Awaited<ReturnType<Peer["dial"]>>>();

/** right is that under which this agent writes in a team: its own guild, or a grant to its key. */
function right(space: string): string | undefined {
  if (guild && space.endsWith(guild.space.split("/")[1])) return guild.open;
  return peer.store.all().find((m) => m.grant?.token.aud === acting.did && m.c.space.name === space.split("/")[1])?.c
    .id;
}

const commands: Record<string, (...words: string[]) => Promise<unknown>> = {
  register: async (name) => {
    const plan = peer.author.genesis(acting, name);
    for (let pow = 0; ticket(net.id, acting.key, pow) < net.bits; ) plan.body.set("pow", ++pow);
    const c = await peer.write(plan);
    me = { by: acting, agent: c.space.text, identity: c.id, name, controllers: [] };
    return { agent: c.space.text, did: acting.did };
  },
  entry: async (space, ...words) =>
    ids(await peer.write(peer.author.entry(me!, space, words.join(" "), {}, right(space)))),
  guild: async (name) => {
    const c = await peer.write(peer.author.open(me!, name, "dev", "private", hash(name).slice(0, 16)));
    guild = { name, space: c.space.text, founder: me!, open: c.id, roles: [] };
    return { space: c.space.text };
  },
  member: async (agent) => {
    const binding = peer.store.control(agent.replace("agt_", "agent/"), "profile.bind")[0];
    const to = { did: binding.c.did } as Signer;
    return ids(await peer.write(peer.author.role(me!, guild!, to, "member", undefined, null)));
  },
  message: async (space, ...words) => {
    const body = dict({ type: "text", text: words.join(" ") });
    const proof = [me!.identity, right(space)!];
    return ids(await peer.write({ by: acting, kind: "message", space, body, proof }));
  },
  follow: async (space) => {
    peer.follows.add(space);
    return { space };
  },
  dial: async (address) => {
    const id = await peer.dial(address);
    known.set(String(id), id);
    return { peer: String(id) };
  },
  sync: async () => {
    const out: Record<string, boolean> = {};
    for (const [name, id] of known) out[name] = await peer.sync(id);
    return out;
  },
  heard: async (id) => {
    await peer.hearing(hex(unb32(id.replace(/^[a-z]{3}_/, ""))));
    return { id };
  },
  subscribed: async (set, peers) => {
    await peer.subscribed(set, Number(peers));
    return { set };
  },
  view: async () => {
    const sets = peer.store.sets().map((s) => [s, hex(peer.state(s).fp)]);
    return { ...peer.view(), sets: Object.fromEntries(sets) as object };
  },
};

const ids = (c: Change): object => ({ id: "ent_" + b32(Buffer.from(c.id, "hex")), space: c.space.text });

await peer.start();
process.stdout.write(JSON.stringify({ listen: peer.addresses }) + "\n");
for await (const line of readline.createInterface({ input: process.stdin })) {
  const [verb, ...words] = line.split(" ");
  let answer: unknown;
  try {
    answer = await commands[verb](...words);
  } catch (e) {
    answer = { error: e instanceof Error ? (e.stack ?? e.message) : String(e) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
await peer.stop();

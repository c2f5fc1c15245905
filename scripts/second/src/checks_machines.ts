// The vectors of the machines: tasks, bounties, reputation, votes and comments (SPEC 13, 20).

import { Ingest } from "./ingest.js";
import { readStub } from "./change.js";
import { unhex } from "./bytes.js";
import { bounty, BountyStep, Opening, reputation, task } from "./machines.js";
import { Opinions } from "./opinion.js";
import { readNetwork } from "./space.js";
import { Store } from "./store.js";
import { View } from "./view.js";

type Story = { network: string; log: [string, string | null][]; target: string };

function opinion({ network, log, target }: Story): unknown {
  const net = readNetwork(network);
  const store = new Store(net);
  const ingest = new Ingest(net, store);
  for (const [head, body] of log) {
    const c = readStub(unhex(head), body === null ? null : unhex(body));
    const [o] = ingest.receive([c]);
    if (o.state !== "new") throw new Error(`log: ${o.code ?? o.state}`);
  }
  return new Opinions(new View(store)).of(target);
}

export const machineChecks = {
  "machines/task.json": task,
  "machines/bounty.json": (v: Opening & { steps: BountyStep[] }) => bounty(v, v.steps),
  "machines/reputation.json": reputation,
  "machines/opinion.json": opinion,
};

// Reads emitters, a line each with an id, and prints the points of their first picture.
import { createInterface } from "node:readline";
import { seedOf, spreadOf, Swarm } from "../../../target/bundle/testdata/staging.mjs";

for await (const line of createInterface({ input: process.stdin })) {
  const { id, particles } = JSON.parse(line), swarm = new Swarm(particles, seedOf(id)), points = [];
  for (let i = 0; i < swarm.count; i++) if (swarm.left[i] > 1e-4) points.push([...swarm.places.slice(i * 3, i * 3 + 3), swarm.sizes[i]]);
  console.log(JSON.stringify({ points, box: spreadOf(swarm.emission) ?? null }));
}

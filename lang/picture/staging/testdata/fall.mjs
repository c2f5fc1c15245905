// Reads scenes, a line each, lets their bodies fall for ten seconds, and prints
// whether a floor was put under them and how low the lowest came.
import { createInterface } from "node:readline";
import { Bodies, ground, read, Staging } from "../../../target/bundle/testdata/staging.mjs";

for await (const line of createInterface({ input: process.stdin })) {
  const scene = read(line), bodies = new Bodies(scene), floor = ground(bodies, new Staging(scene));
  for (let i = 0; i < 600; i++) bodies.step(1 / 60);
  console.log(JSON.stringify({ floor, low: Math.min(0, ...bodies.moved().map((m) => m.position[1])) }));
}

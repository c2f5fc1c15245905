// Reads scenes, a line each, and prints how the viewer stages them.
import { createInterface } from "node:readline";
import { read, Staging } from "../../../target/bundle/testdata/staging.mjs";

for await (const line of createInterface({ input: process.stdin })) {
  const s = new Staging(read(line)), eye = s.eye(1.6);
  console.log(JSON.stringify({
    Lo: s.lo, Hi: s.hi, Eye: eye, Tall: s.eye(0.5), Above: s.above, Below: s.below, Room: s.room, Sun: s.sun, Gain: s.gain, Shadow: s.shadow,
    Floating: [...s.floating].sort((a, b) => a - b), Roles: s.solids.map((o) => o.role), Cuts: Object.fromEntries(s.cuts(eye)),
  }));
}

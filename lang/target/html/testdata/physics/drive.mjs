// Runs the bodies of a scene and prints where they were and what they met.
//   node drive.mjs interpreter.js case.json
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { Bodies } = await import(pathToFileURL(process.argv[2]));
const { scene, actions = [], steps, every } = JSON.parse(readFileSync(process.argv[3], "utf8"));
const bodies = new Bodies(scene);
const places = [], events = [];
const acts = {
  place: (a) => bodies.place(a.node, a.part, a.value),
  grab: (a) => bodies.grab(a.node),
  hold: (a) => bodies.hold(a.node, a.value),
  release: (a) => bodies.release(a.node, a.scale, a.most),
  call: (a) => bodies.call(a.name, a.node, a.args),
  remove: (a) => bodies.remove(a.node),
};
for (let step = 1; step <= steps; step++) {
  for (const a of actions) if (step >= a.from && step <= (a.to ?? a.from)) acts[a.do]({ ...a, value: a.value && a.value.map((v, k) => v + (a.each?.[k] ?? 0) * (step - a.from)) });
  for (const e of bodies.step(1 / 60)) events.push([step, e.event, e.node, e.payload.other]);
  if (step % every > 0 && step !== steps) continue;
  for (const n of scene.nodes) if (n.body?.type === "dynamic" || n.watch) places.push([step, n.id, bodies.origin(n.id)?.t ?? null, bodies.origin(n.id)?.r ?? null]);
}
console.log(JSON.stringify({ places, events }));

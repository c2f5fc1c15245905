// Runs traces in the built interpreter: node drive.mjs INTERPRETER, one request a
// line on standard input, one answer a line on standard output.
//   {"case": {...}}   the trace of a case
//   {"scene": {...}}  the nodes that the interpreter sees in a scene/1 document
//   {"program": "…"}  what the loader says: null, or why it refuses
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { load, Machine, nodesOf, parse } = await import(pathToFileURL(process.argv[2]).href);

// props are objects as Map, lists as List
const plain = (v) => (v instanceof Map ? Object.fromEntries([...v].map(([k, x]) => [k, plain(x)]))
  : v?.items ? v.items.map(plain) : v?.map instanceof Map ? plain(v.map) : v);

function entry(e) {
  let value = e.text;
  try { value = JSON.parse(e.text); } catch { /* not JSON: the text itself */ }
  const out = { at: e.at, kind: e.kind, value };
  for (const k of ["node", "name", "function", "line", "column"]) if (e[k]) out[k] = e[k];
  return out;
}

function run(c) {
  const nodes = c.nodes.map((n) => ({ ...n, props: parse(JSON.stringify(n.props)).map }));
  const machine = new Machine(load(c.program), { nodes, trace: true, long: c.long ?? false });
  machine.start();
  for (let i = 0; i < c.steps; i++) {
    for (const e of c.events) if (e.step === i) machine.inject({ node: e.node, name: e.name, payload: parse(JSON.stringify(e.payload ?? null)) });
    machine.step();
  }
  return { trace: machine.trace.map(entry), dropped: machine.dropped };
}

for await (const line of createInterface({ input: process.stdin })) {
  const q = JSON.parse(line);
  let answer;
  if (q.case) answer = run(q.case);
  else if (q.scene) answer = nodesOf(q.scene).map((n) => ({ ...n, props: plain(n.props) }));
  else {
    try { load(q.program); answer = null; } catch (e) { answer = String(e.message ?? e); }
  }
  console.log(JSON.stringify(answer));
}

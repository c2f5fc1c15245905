// Judges graphs by their schema, the scene and the program in them by theirs, and
// that every end of an edge is a node: a line of JSON for each.
import { readFileSync } from "node:fs";
import Ajv from "ajv/dist/2020.js";

const schema = (path) => new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(readFileSync(new URL(`../../lang/${path}`, import.meta.url), "utf8")));
const graph = schema("target/nir/graph.schema.json"), scene = schema("scene/schema.json"), program = schema("run/program.schema.json");

function fault(judge, value, where) {
  return judge(value) ? "" : `${where}${judge.errors[0].instancePath || "/"} ${judge.errors[0].message}`;
}

function judge(doc) {
  const wrong = fault(graph, doc, "") || fault(scene, doc.scene, "/scene") || doc.scene.program && fault(program, doc.scene.program, "/scene/program");
  if (wrong) return wrong;
  const ids = new Set(doc.nodes.map((n) => n.id));
  if (ids.size !== doc.nodes.length) return "two nodes have one id";
  for (const e of doc.edges) for (const end of [e.from, e.to, e.event]) if (end !== undefined && !ids.has(end)) return `${end} is no node`;
  for (const n of doc.nodes) if (n.parent !== undefined && !ids.has(n.parent)) return `${n.parent} is no node`;
  const has = (type, kind) => doc.nodes.filter((n) => n.type === type && n.kind === kind).length;
  const p = doc.scene.program;
  if (p && (has("state", "slot") !== p.state.length || has("function", "function") !== p.functions.length)) return "the program has other states or functions";
  const stages = (doc.scene.pipelines ?? []).reduce((n, d) => n + (d.data.stages ?? []).length, 0);
  if (doc.nodes.filter((n) => n.type === "stage").length !== stages) return "the pipelines have other stages";
  return "";
}

for (const file of process.argv.slice(2)) {
  let message;
  try {
    message = judge(JSON.parse(readFileSync(file, "utf8")));
  } catch (e) {
    message = String(e);
  }
  console.log(JSON.stringify({ file, ok: message === "" || message === undefined, message: message ?? "" }));
}

// Judges the files that hosts of jobs read, by a schema of this repository, and
// runs the program inside of them as the host would, without delivering: a line of
// JSON for each. The first argument is kubernetes or github.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Ajv from "ajv/dist/2020.js";
import { parseAllDocuments } from "yaml";
import * as github from "./jobs-github.mjs";
import * as kubernetes from "./jobs-kubernetes.mjs";

const hosts = { github, kubernetes };
const [host, ...files] = process.argv.slice(2);
const schema = JSON.parse(readFileSync(new URL(`../../lang/target/pipeline/${host}.schema.json`, import.meta.url), "utf8"));
const fits = new Ajv({ strict: false, allErrors: false }).compile(schema);

// documents reads YAML as both versions of it do: hosts differ in which they read.
function documents(text) {
  const read = (version) => parseAllDocuments(text, { version, uniqueKeys: true }).map((d) => {
    const bad = [...d.errors, ...d.warnings][0];
    if (bad) throw bad;
    return d.toJS();
  });
  const list = read("1.2");
  if (JSON.stringify(list) !== JSON.stringify(read("1.1"))) throw new Error("YAML 1.1 reads it in another way");
  return list;
}

// A service that answers, and counts what is sent to it.
let posted = 0;
const server = createServer((request, response) => {
  if (request.method !== "GET") posted++;
  request.resume();
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify([{ id: "ab-12", celsius: 12, sealed: true, crate: { id: " abcd-1 " }, readings: [{ celsius: 21.2 }] }]));
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${server.address().port}/`;

// What a host has of the variables that it is told to hand on.
const value = (name, secret) => (secret && /KEY|TOKEN|SECRET/.test(name) ? "k" : url);

function run(command, args, cwd, env) {
  return new Promise((done) => {
    const child = execFile(command, args, { cwd, env: { PATH: process.env.PATH, HOME: cwd, ...env }, timeout: 60000 }, (error, out, said) => done({ error, out, said }));
    child.stdin.end();
  });
}

// told judges what a dry run of a pipeline says: its report, or what it lacks here.
function told({ error, out, said }, title, code) {
  const lacks = /"type": ?"(database|mcp)"/.test(code) && /(source|sink) of type/.test(said) || /ENOENT.*\b(in|out)\//.test(said);
  if (error) return lacks ? "" : said.trim().split("\n").at(-1) || String(error);
  const reports = said.split("\n").filter((l) => l.startsWith("{")).map((l) => JSON.parse(l));
  if (reports.length !== 1 || reports[0].pipeline !== title || reports[0].dry !== true) return `a dry run of ${title} says ${said || out || "nothing"}`;
  return posted > 0 ? "a dry run sends" : "";
}

async function judge(file) {
  const list = documents(readFileSync(file, "utf8"));
  for (const d of list) if (!fits(d)) return `${fits.errors[0].instancePath || "/"} ${fits.errors[0].message}`;
  const dir = mkdtempSync(join(tmpdir(), "jobs-"));
  try {
    posted = 0;
    const data = join(dir, "data");
    mkdirSync(data);
    const message = await hosts[host].judge(list, dir, data, { run, told, value });
    if (message) return message;
    return readdirSync(data).length > 0 ? `a dry run writes ${readdirSync(data)}` : "";
  } finally {
    rmSync(dir, { recursive: true });
  }
}

for (const file of files) {
  const message = await judge(file).catch((e) => String(e.message ?? e));
  console.log(JSON.stringify({ file, ok: message === "", message }));
}
server.close();

// Runs compiled pipelines with node or python3 against a server of our own: a
// line of JSON for each. A dry run must write and send nothing; a run must read,
// retry what fails once, and deliver to a file or the server; what a sink refuses
// must be in the dead letters where the pipeline wants that; schedules must fire
// in the minutes they name.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [command, ...files] = process.argv.slice(2);
const record = {
  id: "ab-12", celsius: 12, age: 10, broken: false, sealed: true, station: { id: " AB-12 " }, crate: { id: " abcd-1 " },
  readings: [{ celsius: 21.234 }], rows: [{ celsius: 30.26, wind: { speed: 10 } }], labels: ["dry"],
};
let asked = 0, posted = [], refused = 0, refusing = false;
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (d) => { body += d; });
  request.on("end", () => {
    if (request.method === "POST" && refusing) { refused++; return response.writeHead(500).end(); }
    if (request.method === "POST") posted.push(...JSON.parse(body));
    else if (asked++ === 0) return response.writeHead(503).end();
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify([record, { ...record, celsius: 500, crate: {}, rows: [{ celsius: 99 }], readings: [{ celsius: 99 }] }]));
  });
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${server.address().port}/`;

function run(file, cwd, args) {
  const env = { PATH: process.env.PATH };
  for (const [, name] of readFileSync(file, "utf8").matchAll(/\$\{env\.([A-Z_]+)/g)) env[name] = /KEY|TOKEN|SECRET/.test(name) ? "k" : url;
  return new Promise((done) => { const child = execFile(command, [file, ...args], { cwd, env: { ...env, HOME: cwd }, timeout: 30000 }, (error, out, said) => {
    const reports = said.split("\n").filter((l) => l.startsWith("{")).map((l) => JSON.parse(l));
    done({ error, out, said, reports });
  });
    child.stdin.end(JSON.stringify({ ...record, house: "glass 1", humidity: 0.5, at: 1700000000000 }) + "\n");
  });
}

// When schedules fire, as the runner says. 2026-11-21 is a Saturday.
const minutes = [
  ["*/15 * * * *", "2026-11-21T10:30:00Z", true], ["*/15 * * * *", "2026-11-21T10:31:00Z", false],
  ["*/5 6-20 * * mon-fri", "2026-11-20T20:55:00Z", true], ["*/5 6-20 * * mon-fri", "2026-11-21T10:30:00Z", false],
  ["0 0 1 jan *", "2026-01-01T00:00:00Z", true], ["0 0 13 * 5", "2026-11-20T00:00:00Z", true], ["0 0 * * 7", "2026-11-22T00:00:00Z", true],
  ["5,10/20 * * * *", "2026-11-21T10:50:00Z", true], ["* * * *", "2026-11-21T10:50:00Z", "error"], ["x * * * *", "2026-11-21T10:50:00Z", "error"],
];
const asks = {
  node: `const { due, pipelines } = await import(process.argv[2]);
    const say = (s, d) => { try { return due(s, new Date(d)); } catch { return "error"; } };
    console.log(JSON.stringify([pipelines.map((p) => p.schedule ?? null), JSON.parse(process.argv[1]).map(([s, d]) => say(s, d))]));`,
  python3: `import json, runpy, sys
from datetime import datetime
m = runpy.run_path(sys.argv[2])
def say(s, d):
    try:
        return m["due"](s, datetime.fromisoformat(d.replace("Z", "+00:00")))
    except ValueError:
        return "error"
print(json.dumps([[p.get("schedule") for p in m["PIPELINES"]], [say(s, d) for s, d, _ in json.loads(sys.argv[1])]]))`,
};

function schedules(file) {
  return new Promise((done) => {
    const args = command === "node" ? ["--input-type=module", "-e", asks.node, "--"] : ["-c", asks[command]];
    const own = /"schedule": ?("(?:[^"\\]|\\.)*")/.exec(readFileSync(file, "utf8"))?.[1];
    const table = own ? [...minutes, [JSON.parse(own), "2026-11-20T10:00:00Z", undefined]] : minutes;
    execFile(command, [...args, JSON.stringify(table), file], { env: { PATH: process.env.PATH }, timeout: 20000 }, (error, out, said) => {
      if (error) return done(said.trim().split("\n").at(-1) || String(error));
      const [, answers] = JSON.parse(out);
      const wrong = table.findIndex(([, , want], i) => want === undefined ? answers[i] === "error" : answers[i] !== want);
      done(wrong < 0 ? "" : `"${table[wrong][0]}" at ${table[wrong][1]}: ${answers[wrong]}`);
    });
  });
}

async function judge(file) {
  const timing = await schedules(file);
  if (timing) return timing;
  const dir = mkdtempSync(join(tmpdir(), "pipeline-"));
  try {
    mkdirSync(join(dir, "in"));
    writeFileSync(join(dir, "in", "last.json"), JSON.stringify([record]));
    asked = 1;
    posted = [];
    const dry = await run(file, dir, ["--dry-run"]);
    if (dry.error && /"type": ?"(database|mcp)"/.test(readFileSync(file, "utf8")) && dry.said.includes("source of type")) return ""; // it says what it lacks
    const waits = /(ENOENT|No such file).*\bout\//.test(dry.said); // one pipeline reads what another would have written
    if (dry.error && !waits) return dry.said.trim().split("\n").at(-1) || String(dry.error);
    if (posted.length > 0 || existsSync(join(dir, "out"))) return "a dry run writes";
    const closed = /"type": ?"(database|mcp)"/.test(readFileSync(file, "utf8")); // a sink whose server is not here
    const retries = readFileSync(file, "utf8").match(/"retry": ?\{/) !== null;
    asked = retries ? 0 : 1; // the first request fails
    const real = await run(file, dir, []);
    if (closed) return real.error && !real.said.includes("without its server") ? real.said : "";
    if (real.error) return real.said.trim().split("\n").at(-1);
    const read = real.reports.reduce((n, r) => n + r.read, 0);
    const written = real.reports.flatMap((r) => Object.values(r.written)).reduce((n, x) => n + x, 0);
    if (!(read > 0)) return "nothing is read";
    if (!(written > 0)) return `nothing is written: ${JSON.stringify(real.reports)}`;
    if (retries && asked > 0 && !real.said.includes("attempt 1")) return "a failed request is not repeated";
    if (posted.length === 0 && !existsSync(join(dir, "out")) && real.out === "") return "nothing arrives";
    if (/"action": ?"dead_letter"/.test(readFileSync(file, "utf8"))) {
      [refusing, refused, asked] = [true, 0, 1];
      const failing = await run(file, dir, []);
      refusing = false;
      if (failing.error) return failing.said.trim().split("\n").at(-1);
      if (refused < 2) return `what is refused is sent ${refused} times`;
      const dead = failing.reports.reduce((n, r) => n + r.dead, 0);
      const letters = readFileSync(join(dir, "dead-letter.ndjson"), "utf8").trim().split("\n").map((l) => JSON.parse(l));
      if (letters.length !== dead || !letters.every((l) => l.stage && l.reason && l.record)) return `${dead} dead letters, ${letters.length} written`;
    }
    return "";
  } finally {
    rmSync(dir, { recursive: true });
  }
}

for (const file of files) {
  const message = await judge(file);
  console.log(JSON.stringify({ file, ok: message === "", message }));
}
server.close();

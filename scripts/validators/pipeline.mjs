// Runs compiled pipelines against a server of our own: a line of JSON for each.
// A dry run must write and send nothing; a run must read, retry what fails once,
// and deliver to a file or the server.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const record = {
  id: "ab-12", celsius: 12, age: 10, broken: false, sealed: true, station: { id: " AB-12 " }, crate: { id: " abcd-1 " },
  readings: [{ celsius: 21.234 }], rows: [{ celsius: 30.26, wind: { speed: 10 } }], labels: ["dry"],
};
let asked = 0, posted = [];
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (d) => { body += d; });
  request.on("end", () => {
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
  return new Promise((done) => execFile("node", [file, ...args], { cwd, env, timeout: 20000 }, (error, out, said) => {
    const reports = said.split("\n").filter((l) => l.startsWith("{")).map((l) => JSON.parse(l));
    done({ error, out, said, reports });
  }));
}

async function judge(file) {
  const dir = mkdtempSync(join(tmpdir(), "pipeline-"));
  try {
    mkdirSync(join(dir, "in"));
    writeFileSync(join(dir, "in", "last.json"), JSON.stringify([record]));
    asked = 1;
    posted = [];
    const dry = await run(file, dir, ["--dry-run"]);
    if (dry.error) return dry.said.trim().split("\n").at(-1) || String(dry.error);
    if (posted.length > 0 || existsSync(join(dir, "out"))) return "a dry run writes";
    const closed = /"type":"(database|mcp)"/.test(readFileSync(file, "utf8")); // a sink whose server is not here
    const retries = readFileSync(file, "utf8").includes('"retry":{');
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
    return "";
  } finally {
    rmSync(dir, { recursive: true });
  }
}

for (const file of process.argv.slice(2)) {
  const message = await judge(file);
  console.log(JSON.stringify({ file, ok: message === "", message }));
}
server.close();

// Starts compiled services in Node on a free port and speaks to them: a line of
// JSON for each. A service must answer health, refuse what is wrong, say of a
// route without a handler that it has none, and give a handler what was asked.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

// start runs the service of a folder and gives its address.
async function start(dir) {
  const child = spawn("node", ["server.mjs"], { cwd: dir, env: { PATH: process.env.PATH, PORT: "0" } });
  let said = "";
  child.stderr.on("data", (d) => { said += d; });
  const ended = new Promise((done) => child.on("exit", (code) => done(code)));
  const first = new Promise((done) => createInterface({ input: child.stdout }).once("line", done));
  const line = await Promise.race([first, ended, new Promise((done) => setTimeout(done, 10_000).unref())]);
  if (typeof line !== "string") {
    child.kill("SIGKILL");
    throw new Error(said.trim().split("\n").find((l) => /Error/.test(l)) ?? "it does not listen");
  }
  return { url: JSON.parse(line).listening, stop: () => { child.kill("SIGTERM"); return ended; } };
}

// ask sends a request as it stands; fetch would mend some of them.
function ask(url, method, path, { body, type = "application/json" } = {}) {
  return new Promise((done, fail) => {
    const headers = body === undefined ? {} : { "Content-Type": type, "Content-Length": Buffer.byteLength(body) };
    const r = request(url, { method, path, headers, agent: false }, (answer) => {
      let text = "";
      answer.on("data", (d) => { text += d; });
      answer.on("end", () => done({ status: answer.statusCode, headers: answer.headers, text, data: text ? JSON.parse(text) : undefined }));
    });
    r.on("error", fail);
    r.end(body);
  });
}

const samples = { string: "a", number: 1.5, integer: 3, boolean: true, array: [1], object: { a: 1 }, "": "x" };
const example = (fields) => Object.fromEntries((fields ?? []).map((f) => [f.name, samples[f.type]]));
const fill = (path) => path.replace(/\{[^}]*\}/g, "va%20lue");

function call(route) {
  const query = new URLSearchParams((route.query ?? []).map((f) => [f.name, typeof samples[f.type] === "string" ? samples[f.type] : JSON.stringify(samples[f.type])]));
  const takes = ["post", "put", "patch"].includes(route.method);
  return { path: fill(route.path) + (query.size > 0 ? `?${query}` : ""), body: takes ? JSON.stringify(example(route.body)) : undefined };
}

async function probe(url, routes, handled) {
  const faults = [];
  const expect = async (what, want, method, path, options) => {
    const got = await ask(url, method, path, options);
    if (got.status !== want) faults.push(`${what}: ${got.status}, not ${want}: ${got.text}`);
    else if (want >= 400 && method !== "HEAD" && typeof got.data?.error !== "string") faults.push(`${what}: no error in ${got.text}`);
    return got;
  };
  await expect("health", 200, "GET", "/health");
  await expect("an unknown path", 404, "GET", "/no/such/route/here");
  for (const r of routes) {
    const method = r.method.toUpperCase();
    const { path, body } = call(r);
    const got = await expect(`${method} ${r.path}`, handled ? 200 : 501, method, path, { body });
    if (handled && method !== "HEAD") {
      const params = Object.fromEntries([...r.path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => [name, "va lue"]));
      const want = { id: r.id, params, query: example(r.query), ...(body === undefined ? {} : { body: JSON.parse(body) }) };
      if (got.text.trim() !== JSON.stringify(want)) faults.push(`${method} ${r.path}: the handler got ${got.text}`);
    }
    const not = ["PUT", "DELETE", "PATCH"].find((m) => !routes.some((o) => fill(o.path) === fill(r.path) && o.method === m.toLowerCase()));
    if (not) {
      const { headers } = await expect(`${not} ${r.path}`, 405, not, path);
      if (!headers.allow?.includes(method)) faults.push(`${r.path} allows ${headers.allow}`);
    }
    if (r.path.includes("{")) await expect(`${r.path} that is no UTF-8`, 400, method, r.path.replace(/\{[^}]*\}/g, "%E0%A4%A"), { body });
    for (const f of (r.query ?? []).filter((f) => f.required)) await expect(`${r.path} without ${f.name}`, 400, method, fill(r.path), { body });
    if (body === undefined) continue;
    await expect(`${r.path} with no JSON`, 400, method, path, { body: "{" });
    await expect(`${r.path} with a list`, 400, method, path, { body: "[]" });
    await expect(`${r.path} with text`, 415, method, path, { body: "a", type: "text/plain" });
    for (const f of r.body ?? []) {
      const { [f.name]: _, ...rest } = example(r.body);
      if (f.required) await expect(`${r.path} without ${f.name}`, 400, method, path, { body: JSON.stringify(rest) });
      if (f.type) await expect(`${r.path} with a wrong ${f.name}`, 400, method, path, { body: JSON.stringify({ ...rest, [f.name]: f.type === "string" ? 1 : "x" }) });
    }
    const large = await ask(url, method, path, { body: JSON.stringify({ x: "y".repeat(2 << 20) }) }).catch((e) => ({ status: e.code }));
    if (large.status !== 413 && large.status !== "ECONNRESET" && large.status !== "EPIPE") faults.push(`${r.path} with 2 MiB: ${large.status}`);
  }
  return faults;
}

async function judge(file) {
  const dir = mkdtempSync(join(tmpdir(), "service-"));
  try {
    // A broken artefact has another name; its package is the one beside it.
    cpSync(file, join(dir, "server.mjs"));
    cpSync(join(dirname(file), "package.json"), join(dir, "package.json"));
    const { routes } = await import(pathToFileURL(join(dir, "server.mjs")));
    for (const handled of [false, true]) {
      if (handled) {
        const body = `({ params, query, body }) => ({ id, params, query, body })`;
        writeFileSync(join(dir, "handlers.mjs"), `export default Object.fromEntries(${JSON.stringify(routes.map((r) => r.id))}.map((id) => [id, ${body}]));\n`);
      }
      const service = await start(dir);
      const faults = await probe(service.url, routes, handled);
      if (!service.url.startsWith("http://127.0.0.1:")) faults.push(`it listens on ${service.url}`);
      const code = await service.stop();
      if (code !== 0) faults.push(`it ends with ${code}`);
      if (faults.length > 0) return faults[0];
    }
    return "";
  } catch (e) {
    return String(e).split("\n")[0];
  } finally {
    rmSync(dir, { recursive: true });
  }
}

for (const file of process.argv.slice(2)) {
  const message = await judge(file);
  console.log(JSON.stringify({ file, ok: message === "", message }));
}

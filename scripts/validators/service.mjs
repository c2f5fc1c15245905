// Starts compiled services in Node on a free port and speaks to them: a line of
// JSON for each. A service must answer health, refuse what is wrong, run the action
// of a route or say that it has none, and give a handler what was asked.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

// sample is a value that fits a schema.
function sample(schema, schemas, depth = 0) {
  if (schema.$ref && depth < 8) return sample(schemas[schema.$ref.split("/").at(-1)], schemas, depth + 1);
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return sample(schema.anyOf[0], schemas, depth + 1);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((s) => sample(s, schemas, depth + 1)));
  switch (schema.type) {
    case "number": return 1.5;
    case "integer": return 3;
    case "boolean": return true;
    case "array": return (schema.prefixItems ?? Array(schema.minItems ?? 1).fill(schema.items ?? {})).map((s) => sample(s, schemas, depth + 1));
    case "object": return Object.fromEntries((schema.required ?? []).map((name) => [name, sample(schema.properties[name], schemas, depth + 1)]));
    case "null": return null;
  }
  return "a";
}
const example = (fields, schemas) => Object.fromEntries((fields ?? []).map((f) => [f.name, sample(f.schema, schemas)]));
const given = (r, schemas) => Object.fromEntries((r.params ?? []).map((f) => [f.name, f.schema.type === "string" && !f.schema.enum ? "va lue" : sample(f.schema, schemas)]));
const fill = (r, schemas) => r.path.replace(/\{([^}]*)\}/g, (_, name) => encodeURIComponent(given(r, schemas)[name]));

function call(route, schemas) {
  const query = new URLSearchParams(Object.entries(example(route.query, schemas)).map(([name, v]) => [name, typeof v === "string" ? v : JSON.stringify(v)]));
  const takes = ["post", "put", "patch"].includes(route.method);
  return { path: fill(route, schemas) + (query.size > 0 ? `?${query}` : ""), body: takes ? JSON.stringify(example(route.body, schemas)) : undefined };
}

async function probe(url, routes, schemas, handled) {
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
    const { path, body } = call(r, schemas);
    if (!handled && r.call) {
      const { status, text, data } = await ask(url, method, path, { body });
      const known = status >= 200 && status < 300 || status >= 400 && (method === "HEAD" || typeof data?.error === "string" && !["internal", "not_implemented", "bad_input", "not_found"].includes(data.error));
      if (!known) faults.push(`${method} ${r.path}: the action answers ${status}: ${text}`);
      continue;
    }
    const got = await expect(`${method} ${r.path}`, handled ? 200 : 501, method, path, { body });
    if (handled && method !== "HEAD") {
      const want = { id: r.id, params: given(r, schemas), query: example(r.query, schemas), ...(body === undefined ? {} : { body: JSON.parse(body) }) };
      if (got.text.trim() !== JSON.stringify(want)) faults.push(`${method} ${r.path}: the handler got ${got.text}`);
    }
    const not = ["PUT", "DELETE", "PATCH"].find((m) => !routes.some((o) => fill(o, schemas) === fill(r, schemas) && o.method === m.toLowerCase()));
    if (not) {
      const { headers } = await expect(`${not} ${r.path}`, 405, not, path);
      if (!headers.allow?.includes(method)) faults.push(`${r.path} allows ${headers.allow}`);
    }
    if (r.path.includes("{")) await expect(`${r.path} that is no UTF-8`, 400, method, r.path.replace(/\{[^}]*\}/g, "%E0%A4%A"), { body });
    for (const f of (r.query ?? []).filter((f) => f.required)) await expect(`${r.path} without ${f.name}`, 400, method, fill(r, schemas), { body });
    if (body === undefined) continue;
    await expect(`${r.path} with no JSON`, 400, method, path, { body: "{" });
    await expect(`${r.path} with a list`, 400, method, path, { body: "[]" });
    await expect(`${r.path} with text`, 415, method, path, { body: "a", type: "text/plain" });
    for (const f of r.body ?? []) {
      const { [f.name]: _, ...rest } = example(r.body, schemas);
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
    for (const name of ["package.json", "runtime.mjs", "pipeline.mjs"]) if (existsSync(join(dirname(file), name))) cpSync(join(dirname(file), name), join(dir, name));
    const { routes, schemas } = await import(pathToFileURL(join(dir, "server.mjs")));
    for (const handled of [false, true]) {
      if (handled) {
        const body = `({ params, query, body }) => ({ id, params, query, body })`;
        writeFileSync(join(dir, "handlers.mjs"), `export default Object.fromEntries(${JSON.stringify(routes.map((r) => r.id))}.map((id) => [id, ${body}]));\n`);
      }
      const service = await start(dir);
      const faults = await probe(service.url, routes, schemas, handled);
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

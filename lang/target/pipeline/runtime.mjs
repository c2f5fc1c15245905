// The runner of a pipeline: it needs Node 20 and no package. Nothing in the
// pipeline's text is run as code; expressions are trees that eval() walks.
import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { createInterface } from "node:readline";

const forbidden = new Set(["__proto__", "constructor", "prototype"]);

// read follows a path into a record.
function read(value, path) {
  for (const key of path) {
    if (value === null || value === undefined || forbidden.has(key)) return undefined;
    value = Object.hasOwn(Object(value), key) ? value[key] : undefined;
  }
  return value;
}

function write(record, path, value) {
  const keys = path.split(".");
  if (keys.some((k) => forbidden.has(k))) throw new Error(`field ${path} is not allowed`);
  let at = record;
  for (const key of keys.slice(0, -1)) at = at[key] ??= {};
  at[keys.at(-1)] = value;
}

// text fills ${…} in a text: env.X with :-default, params.x, and fields.
function text(value, context) {
  if (typeof value === "object" && value !== null) {
    return Array.isArray(value) ? value.map((v) => text(v, context)) : Object.fromEntries(Object.entries(value).map(([k, v]) => [k, text(v, context)]));
  }
  if (typeof value !== "string") return value;
  return value.replace(/\$\{([^}]*)\}/g, (_, inner) => {
    const [path, fallback] = inner.split(":-");
    const keys = path.trim().split(".");
    const found = keys[0] === "env" ? process.env[keys.slice(1).join(".")] : read(context, keys);
    if (found === undefined && fallback === undefined) throw new Error(`\${${inner}} is not set`);
    return String(found ?? fallback);
  });
}

const same = (a, b) => a === b || (a ?? null) === null && (b ?? null) === null || typeof a === "object" && JSON.stringify(a) === JSON.stringify(b);

const calls = {
  len: (x) => x?.length ?? 0, lower: (x) => String(x).toLowerCase(), upper: (x) => String(x).toUpperCase(), abs: Math.abs, round: Math.round,
  floor: Math.floor, ceil: Math.ceil, contains: (x, y) => x?.includes?.(y) ?? false, startsWith: (x, y) => String(x).startsWith(y),
};

function evaluate(tree, record, context) {
  const [op, ...rest] = tree;
  const value = (i) => evaluate(rest[i], record, context);
  switch (op) {
    case "value": return rest[0];
    case "field": return Object.hasOwn(record ?? {}, rest[0]) ? read(record, rest) : read(context, rest);
    case "list": return rest.map((_, i) => value(i));
    case "call": {
      if (!Object.hasOwn(calls, rest[0])) throw new Error(`function ${rest[0]} is not known`);
      return calls[rest[0]](...rest.slice(1).map((t) => evaluate(t, record, context)));
    }
    case "not": return !value(0);
    case "neg": return -value(0);
    case "&&": return value(0) && value(1);
    case "||": return value(0) || value(1);
    case "??": return value(0) ?? value(1);
    case "?": return value(0) ? value(1) : value(2);
    case "==": return same(value(0), value(1));
    case "!=": return !same(value(0), value(1));
    case "<": return value(0) < value(1);
    case "<=": return value(0) <= value(1);
    case ">": return value(0) > value(1);
    case ">=": return value(0) >= value(1);
    case "+": return value(0) + value(1);
    case "-": return value(0) - value(1);
    case "*": return value(0) * value(1);
    case "/": return value(0) / value(1);
    case "%": return value(0) % value(1);
    case "in": { const list = value(1); return Array.isArray(list) ? list.some((x) => same(x, value(0))) : Object.hasOwn(Object(list), value(0)); }
  }
  throw new Error(`operator ${op} is not known`);
}

function holds(condition, record, context) {
  if (!condition.tree) throw new Error(`this condition cannot be run here: ${condition.expr}`);
  return Boolean(evaluate(condition.tree, record, context));
}

// The functions of mappings, from left to right.
const functions = {
  trim: (x) => String(x).trim(), lowercase: (x) => String(x).toLowerCase(), uppercase: (x) => String(x).toUpperCase(),
  titleCase: (x) => String(x).replace(/\S+/g, (w) => w[0].toUpperCase() + w.slice(1).toLowerCase()),
  split: (x, by = ",") => String(x).split(by), join: (x, by = ",") => x.join(by), replace: (x, from, to = "") => String(x).replaceAll(from, to),
  multiply: (x, by) => Number(x) * by, add: (x, by) => Number(x) + by, round: (x, digits = 0) => Number(Number(x).toFixed(digits)),
  truncate: (x, n = 80) => String(x).slice(0, n), hash: (x) => createHash("sha256").update(String(x)).digest("hex"),
  toISO: (x) => new Date(x).toISOString(), toEpoch: (x) => new Date(x).getTime(), base64: (x) => Buffer.from(String(x)).toString("base64"),
  parseNumber: (x) => { const n = Number(x); if (Number.isNaN(n)) throw new Error(`${x} is no number`); return n; }, default: (x, d) => x ?? d,
};

function apply(list, value) {
  for (const { fn, args } of list) {
    if (!Object.hasOwn(functions, fn)) throw new Error(`function ${fn} is not known`);
    if (value === undefined && fn !== "default") return undefined;
    value = functions[fn](value, ...args);
  }
  return value;
}

// transform builds new records; a mapping with [] gives one for each element.
function transform(stage, record) {
  let out = [{}];
  const mappings = stage.mappings ?? [];
  const lists = new Map();
  for (const m of mappings) {
    const [head, tail] = m.from.split("[]");
    if (tail !== undefined) {
      const list = read(record, head.split("."));
      if (Array.isArray(list)) lists.set(head, list);
    }
  }
  const longest = Math.max(1, ...[...lists.values()].map((l) => l.length));
  if (lists.size > 0) out = Array.from({ length: longest }, () => ({}));
  out.forEach((target, i) => {
    for (const m of mappings) {
      const [head, tail] = m.from.split("[]");
      const path = (tail ?? "").split(".").filter(Boolean);
      const value = tail === undefined ? read(record, m.from.split(".")) : read(lists.get(head)?.[i], path);
      const result = apply(m.calls ?? [], value);
      if (result !== undefined) write(target, m.to, result);
    }
  });
  return out;
}

const isNumber = (x) => typeof x === "number" && Number.isFinite(x);
const checks = {
  required: (x) => x !== undefined && x !== null && x !== "", optional: () => true, string: (x) => typeof x === "string", integer: Number.isInteger,
  float: isNumber, number: isNumber, boolean: (x) => typeof x === "boolean", array: Array.isArray, null: (x) => x === null,
  min: (x, n) => (isNumber(x) ? x : x?.length) >= n, max: (x, n) => (isNumber(x) ? x : x?.length) <= n,
  minLength: (x, n) => x?.length >= n, maxLength: (x, n) => x?.length <= n, oneOf: (x, ...list) => list.flat().some((y) => same(x, y)),
  matches: (x, p) => pattern(p).test(String(x)), startsWith: (x, p) => String(x).startsWith(p), equals: same, gte: (x, n) => x >= n, lte: (x, n) => x <= n,
  in: (x, ...list) => list.flat().some((y) => same(x, y)),
};

function pattern(p) {
  if (typeof p === "string") return new RegExp(p);
  const [, body, flags] = /^\/(.*)\/([a-z]*)$/s.exec(p.regex);
  return new RegExp(body, flags);
}

// faultsOf says which rules a record breaks.
function faultsOf(stage, record) {
  const out = [];
  for (const { subject, checks: all } of stage.rules ?? []) {
    let value = read(record, (subject.path ?? "").split("."));
    if (subject.call) value = calls[subject.call.fn]?.(value);
    const optional = all.some((any) => any.some((c) => c.check === "optional"));
    if (optional && (value === undefined || value === null)) continue;
    for (const any of all) {
      const passes = any.some((c) => {
        if (!Object.hasOwn(checks, c.check)) throw new Error(`check ${c.check} is not known`);
        return checks[c.check](value, ...c.args);
      });
      if (!passes) out.push(`${subject.path}: ${any.map((c) => c.check).join(" or ")}`);
    }
  }
  return out;
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// attempt repeats work that fails, as the pipeline's retry says.
async function attempt(retry, what, work) {
  const most = retry?.max ?? retry?.max_attempts ?? 1;
  for (let n = 1; ; n++) {
    try {
      return await work();
    } catch (e) {
      if (n >= most || e.final) throw e;
      const base = (retry.delay ?? 0.2) * 1000;
      const wait = retry.backoff === "exponential" ? base * 2 ** (n - 1) : retry.backoff === "linear" ? base * n : base;
      console.error(`${what}: ${e.message}; attempt ${n} of ${most}`);
      await pause(Math.min(wait, (retry.max_delay ?? 60) * 1000));
    }
  }
}

function ask(url, options, seconds) {
  const address = new URL(url);
  if (address.protocol !== "http:" && address.protocol !== "https:") throw Object.assign(new Error(`${address.protocol} is not asked`), { final: true });
  return fetch(address, { ...options, redirect: "error", signal: AbortSignal.timeout(seconds * 1000) }).then(async (r) => {
    if (!r.ok) throw Object.assign(new Error(`${address.host} answers ${r.status}`), { final: r.status < 500 && r.status !== 429 });
    return r;
  });
}

function records(data) {
  if (Array.isArray(data)) return data;
  for (const key of ["items", "data", "records", "results", "rows"]) if (Array.isArray(data?.[key])) return data[key];
  return [data];
}

async function lines(file) {
  const raw = await readFile(resolve(file), "utf8");
  if (/\.(ndjson|jsonl)$/.test(file)) return raw.split("\n").filter(Boolean).map((l) => JSON.parse(l));
  return records(JSON.parse(raw));
}

async function source(stage, run) {
  const s = text(stage, run.context);
  switch (s.type) {
    case "rest": case "webhook": {
      const r = await attempt(s.retry ?? run.pipeline.retry, s.name, () => ask(s.endpoint ?? s.url, { method: s.method ?? "GET", headers: s.headers }, run.seconds));
      return records(await r.json());
    }
    case "filesystem": return lines(s.path);
    case "list": return records(s.items ?? s.values ?? s.data ?? []);
    case "stdin": case "stream": {
      const out = [];
      for await (const l of createInterface({ input: process.stdin })) if (l.trim()) out.push(JSON.parse(l));
      return out;
    }
  }
  throw new Error(`a source of type ${s.type} cannot be run without its server`);
}

// The names that stand for something in every text; any other is a field.
const roots = new Set(["env", "params", "previous", "batch", "source", "result"]);

const namesFields = (stage) => [...JSON.stringify(stage).matchAll(/\$\{\s*(\w+)/g)].some(([, root]) => !roots.has(root));

// sink hands records over together, or one by one where its text names fields.
async function sink(stage, list, run) {
  if (list.length === 0) return;
  const context = { ...run.context, batch: { size: list.length }, result: run.report };
  if (!namesFields(stage)) return hand(stage, list, context, run);
  for (const record of list) await hand(stage, [record], { ...record, ...context }, run);
}

async function hand(stage, list, context, run) {
  const s = text(stage, context);
  if (!run.dry) {
    try {
      await deliver(s, list, run);
    } catch (e) {
      if (!["skip", "dead_letter"].includes(s.on_error?.action)) throw e;
      for (const record of list) await spoilt(stage, record, e.message, run);
      return;
    }
  }
  run.report.written[s.name] = (run.report.written[s.name] ?? 0) + list.length;
}

async function deliver(s, list, run) {
  switch (s.type) {
    case "stdout": case undefined:
      for (const r of list) console.log(JSON.stringify(r));
      return;
    case "list": return;
    case "filesystem": {
      const file = resolve(s.path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(`${file}.part`, JSON.stringify(list, null, 2) + "\n");
      return rename(`${file}.part`, file);
    }
    case "rest": case "webhook": {
      const url = s.endpoint ?? s.url;
      if (url === "none") return;
      await attempt(s.retry ?? run.pipeline.retry, s.name, () =>
        ask(url, { method: s.method ?? "POST", headers: { "content-type": "application/json", ...s.headers }, body: JSON.stringify(list) }, run.seconds));
      return;
    }
  }
  throw new Error(`a sink of type ${s.type} cannot be run without its server`);
}

// spoilt deals with a record that failed, as on_error of the stage says.
async function spoilt(stage, record, why, run) {
  const action = stage.on_error?.action ?? run.pipeline.on_error?.action ?? "skip";
  run.report.failed++;
  if (action === "stop") throw Object.assign(new Error(`${stage.name}: ${why}`), { final: true });
  if (action !== "dead_letter") return;
  run.report.dead++;
  if (run.dry) return;
  const file = resolve(stage.on_error?.path ?? run.pipeline.on_error?.path ?? "dead-letter.ndjson");
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, JSON.stringify({ stage: stage.name, reason: why, record }) + "\n");
}

// united makes one record of those that have the same value at the key: the first
// gives the place, later ones add to it and overrule it.
function united(list, key) {
  if (!key) return list;
  const out = [], places = new Map();
  for (const record of list) {
    const value = read(record, key.split("."));
    const id = value === undefined || value === null ? undefined : JSON.stringify(value);
    if (id !== undefined && places.has(id)) out[places.get(id)] = { ...out[places.get(id)], ...record };
    else {
      if (id !== undefined) places.set(id, out.length);
      out.push(record);
    }
  }
  return out;
}

// recalls says whether a pipeline asks for what the run before it saw.
const recalls = (pipeline) => /\["field","previous"|\$\{\s*previous\b/.test(JSON.stringify(pipeline.stages));

// What the last run saw is kept beside the program: by pipeline and stage, the
// last record that came to it. PIPELINE_STATE names another file.
const stateFile = () => resolve(process.env.PIPELINE_STATE ?? "pipeline-state.json");

async function readState() {
  let raw;
  try {
    raw = await readFile(stateFile(), "utf8");
  } catch (e) {
    if (e.code === "ENOENT") return {};
    throw e;
  }
  try {
    return JSON.parse(raw);
  } catch {
    throw new Error(`${stateFile()} is no JSON; move it away to begin anew`);
  }
}

// runOnce takes the records through the stages once.
export async function runOnce(pipeline, { dry = false, params = {} } = {}) {
  const keeps = recalls(pipeline);
  const before = keeps ? (await readState())[pipeline.name] ?? {} : {};
  const seen = {};
  const run = {
    pipeline, dry, seconds: pipeline.timeout ?? 30, context: { params: { ...pipeline.params, ...params }, previous: {}, source: {} },
    report: { pipeline: pipeline.name, dry, read: 0, failed: 0, dead: 0, written: {} },
  };
  const outputs = new Map();
  const loose = new Set(); // stages whose records nobody has taken
  const output = (stage, name) => {
    if (!outputs.has(name)) throw new Error(`${stage.name} takes the records of ${name}, which has not run before it`);
    loose.delete(name);
    return outputs.get(name);
  };
  let last, current = [];
  const sinks = new Set(pipeline.stages.filter((s) => s.stage === "sink").map((s) => s.name));
  const routed = new Set();
  for (const stage of pipeline.stages) {
    run.context.previous = before[stage.name] ?? {};
    if (stage.stage !== "source") {
      if (stage.from) current = [stage.from].flat().flatMap((name) => output(stage, name));
      else if (stage.stage === "merge" && !stage.with) current = [...loose].flatMap((name) => output(stage, name));
      else if (stage.stage === "sink" && routed.has(stage.name)) current = outputs.get(stage.name);
      else loose.delete(last);
      if (current.length > 0) seen[stage.name] = current.at(-1);
    }
    switch (stage.stage) {
      case "source":
        run.context.source = { name: stage.name, type: stage.type };
        current = await source(stage, run);
        run.report.read += current.length;
        if (current.length > 0) seen[stage.name] = current.at(-1);
        break;
      case "merge":
        if (stage.with) current = [current, ...[stage.with].flat().map((name) => output(stage, name))].flat();
        current = united(current, stage.key);
        break;
      case "filter": case "transform": case "validate": {
        const next = [];
        for (const record of current) {
          try {
            if (stage.stage === "filter") { if (holds(stage.where, record, run.context)) next.push(record); }
            else if (stage.stage === "transform") next.push(...transform(stage, record));
            else {
              const faults = faultsOf(stage, record);
              if (faults.length > 0) await spoilt(stage, record, faults.join("; "), run);
              else next.push(record);
            }
          } catch (e) {
            if (e.final) throw e;
            await spoilt(stage, record, e.message, run);
          }
        }
        current = next;
        break;
      }
      case "branch": {
        const to = new Map();
        for (const record of current) {
          const route = stage.routes.find((r) => !r.when || holds(r.when, record, run.context));
          if (route) to.set(route.sink, [...(to.get(route.sink) ?? []), record]);
        }
        for (const r of stage.routes) {
          routed.add(r.sink);
          outputs.set(r.sink, to.get(r.sink) ?? []);
          if (!sinks.has(r.sink)) throw new Error(`sink ${r.sink} is not there`);
        }
        break;
      }
      case "sink":
        await sink(stage, current, run);
        continue;
    }
    outputs.set(stage.name, current);
    loose.add(stage.name);
    last = stage.name;
  }
  if (pipeline.receipt && !dry) await deliver({ name: "receipt", ...text(pipeline.receipt, { ...run.context, result: run.report }) }, [run.report], run);
  if (keeps && !dry) {
    const all = await readState();
    await writeFile(`${stateFile()}.part`, JSON.stringify({ ...all, [pipeline.name]: { ...before, ...seen } }) + "\n");
    await rename(`${stateFile()}.part`, stateFile());
  }
  return run.report;
}

const dayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

// cronNumber reads a number, or the name of a month or a day in its field.
function cronNumber(word, field) {
  const day = field === 4 ? dayNames.indexOf(word.toLowerCase()) : -1;
  const month = field === 3 ? monthNames.indexOf(word.toLowerCase()) : -1;
  return day >= 0 ? day : month >= 0 ? month + 1 : Number(word);
}

// due says whether a five-field schedule fires in the minute of a date (UTC).
export function due(schedule, date) {
  const now = [date.getUTCMinutes(), date.getUTCHours(), date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCDay()];
  const span = [[0, 59], [0, 23], [1, 31], [1, 12], [0, 7]];
  const fields = schedule.trim().split(/\s+/);
  if (fields.length !== 5) throw new Error(`"${schedule}" is no schedule of five fields`);
  const fits = fields.map((f, i) => f.split(",").some((part) => {
    const [range, step = "1"] = part.split("/");
    const [lo, hi] = range === "*" ? span[i] : range.includes("-") ? range.split("-").map((w) => cronNumber(w, i)) : [cronNumber(range, i), part.includes("/") ? span[i][1] : cronNumber(range, i)];
    if (![lo, hi, Number(step)].every(Number.isInteger) || Number(step) < 1) throw new Error(`"${part}" is no part of a schedule`);
    const at = [now[i], ...(i === 4 && now[i] === 0 ? [7] : [])];
    return at.some((n) => n >= lo && n <= hi && (n - lo) % Number(step) === 0);
  }));
  const day = fields[2] === "*" || fields[4] === "*" ? fits[2] && fits[4] : fits[2] || fits[4];
  return fits[0] && fits[1] && fits[3] && day;
}

export async function main(pipelines, argv) {
  const dry = argv.includes("--dry-run");
  const names = argv.filter((a) => !a.startsWith("--"));
  const chosen = pipelines.filter((p) => names.length === 0 || names.includes(p.name));
  if (chosen.length === 0) throw new Error(`no pipeline is called ${names.join(", ")}`);
  if (!argv.includes("--schedule")) {
    for (const p of chosen) console.error(JSON.stringify(await runOnce(p, { dry })));
    return;
  }
  for (let minute = 0; ; ) {
    const now = new Date();
    const this_minute = Math.floor(now.getTime() / 60000);
    if (this_minute !== minute) {
      minute = this_minute;
      for (const p of chosen) {
        if (p.schedule && due(p.schedule, now)) await runOnce(p, { dry }).then((r) => console.error(JSON.stringify(r)), (e) => console.error(`${p.name}: ${e.message}`));
      }
    }
    await pause(1000);
  }
}

// A server of the routes below. It needs Node 20.11 and no package.
//
//   HOST  where it listens, 127.0.0.1 unless told otherwise
//   PORT  what the source says or 8080 unless told otherwise; 0 takes a free one
//
// A route calls the action of the source that stands in its "call": the program below,
// which runtime.mjs runs. State lives in the process. What the action returns is
// answered as JSON: null is 204, and { status, body, headers } says more; so do
// respond(status, body) and, with a second parameter, res.status(404).json(body).
// Errors are { error, message }:
//
//   400  bad_input          what was sent does not fit the route
//   404  not_found          no such route; 405 method_not_allowed
//   422  refused            the action threw a text; a thrown { status, error, message }
//                           is answered with its own status
//   500  fault              the action failed; code is that of the program, RUN001 and so on
//   501  not_implemented    the source has no action for the route
//   501  no_host_operation  the action calls an operation that nobody offers; it is
//                           named, and nothing that the action did stays
//   504  timeout            the action waited for too long
//
// handlers.mjs beside this file may say more: its default export is an object of
// functions by the id of a route, which take the place of the action; its export
// "operations" has functions for what the program calls by name. A handler gets
// { params, query, body, state } and returns what is answered as JSON; nothing is 204.
// An error of it with a status of 400 to 499 is the caller's, every other one is ours.
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Responding, Service } from "./runtime.mjs";
//PIPELINES

const maxBody = 1 << 20; // bytes

export class Refusal extends Error {
  constructor(status, code, message, headers = {}, more = {}) {
    super(message);
    Object.assign(this, { status, code, headers, more });
  }
}

const segments = (path) => path.split("/").slice(1);
const isParam = (part) => part.startsWith("{") && part.endsWith("}");

// find is the route of a path; what is written out wins over a parameter. Of /health
// there is none, unless the source has one: then the server answers itself.
function find(method, path) {
  const parts = segments(path);
  const fits = routes.filter((r) => {
    const own = segments(r.path);
    return own.length === parts.length && own.every((p, i) => isParam(p) ? parts[i] !== "" : written(p) === decode(parts[i]));
  });
  if (fits.length === 0 && path === "/health" && (method === "get" || method === "head")) return undefined;
  if (fits.length === 0) throw new Refusal(404, "not_found", "no such route");
  const rank = (r) => segments(r.path).map((p) => isParam(p) ? "1" : "0").join("");
  fits.sort((a, b) => rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0);
  const route = fits.find((r) => r.method === method) ?? (method === "head" ? fits.find((r) => r.method === "get") : undefined);
  if (route) return { route, params: Object.fromEntries(segments(route.path).flatMap((p, i) => isParam(p) ? [[p.slice(1, -1), decode(parts[i])]] : [])) };
  const allow = { Allow: [...new Set(fits.map((r) => r.method.toUpperCase()))].join(", ") };
  throw new Refusal(405, "method_not_allowed", `${method.toUpperCase()} is not answered here`, allow);
}

// written is a part of a route's own path, which may have escapes too.
function written(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Refusal(400, "bad_input", "the path is not valid UTF-8");
  }
}

const types = {
  string: (x) => typeof x === "string", number: (x) => typeof x === "number", integer: Number.isInteger, boolean: (x) => typeof x === "boolean",
  array: Array.isArray, object: (x) => typeof x === "object" && x !== null && !Array.isArray(x),
};

// misfit says why a value does not fit a JSON Schema; "" when it does. It knows what
// the types of the language become.
function misfit(schema, value, at, refs = 0) {
  if (schema.$ref !== undefined) return refs > 32 ? "" : misfit(schemas[schema.$ref.split("/").at(-1)] ?? {}, value, at, refs + 1);
  for (const s of schema.allOf ?? []) {
    const why = misfit(s, value, at, refs + 1);
    if (why) return why;
  }
  if (schema.anyOf) return schema.anyOf.some((s) => misfit(s, value, at, refs + 1) === "") ? "" : `${at} is none of what it may be`;
  if ("const" in schema && value !== schema.const) return `${at} is not ${JSON.stringify(schema.const)}`;
  if (schema.enum && !schema.enum.includes(value)) return `${at} is none of ${schema.enum.map((e) => JSON.stringify(e)).join(", ")}`;
  if (schema.type && schema.type !== "null" && !types[schema.type](value) || schema.type === "null" && value !== null) return `${at} is no ${schema.type}`;
  if (types.array(value)) {
    if (value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? Infinity)) return `${at} has ${value.length} elements`;
    const each = (_, i) => schema.prefixItems?.[i] ?? schema.items;
    for (let i = 0; i < value.length && each(0, i); i++) {
      const why = misfit(each(0, i), value[i], `${at}[${i}]`);
      if (why) return why;
    }
  } else if (types.object(value)) {
    for (const name of schema.required ?? []) if (!Object.hasOwn(value, name)) return `${at}.${name} is missing`;
    for (const [name, v] of Object.entries(value)) {
      const own = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties[name] : schema.additionalProperties;
      const why = own ? misfit(own, v, `${at}.${name}`) : "";
      if (why) return why;
    }
  }
  return "";
}

// check holds values to the fields that a route declares.
function check(where, values, fields) {
  for (const { name, schema, required } of fields ?? []) {
    if (!Object.hasOwn(values, name)) {
      if (required) throw new Refusal(400, "bad_input", `${where}: ${name} is missing`);
      continue;
    }
    const why = misfit(schema, values[name], name);
    if (why) throw new Refusal(400, "bad_input", `${where}: ${why}`);
  }
  return values;
}

// read takes a value out of a text of the address: the text itself where it fits, else
// what it means as JSON.
function read(text, schema) {
  if (misfit(schema, text, "") === "") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text; // which check refuses
  }
}

const resolved = (schema) => schema.$ref === undefined ? schema : schemas[schema.$ref.split("/").at(-1)] ?? {};

// queryOf reads the declared fields of a query by their types. Of a list each element
// may stand for itself.
function queryOf(route, search) {
  const values = Object.fromEntries(search);
  for (const { name, schema } of route.query ?? []) {
    if (!Object.hasOwn(values, name)) continue;
    const all = search.getAll(name);
    if (resolved(schema).type === "array" && !(all.length === 1 && all[0].startsWith("["))) values[name] = all.map((v) => read(v, resolved(schema).items ?? {}));
    else values[name] = read(values[name], schema);
  }
  return check("query", values, route.query);
}

function paramsOf(route, params) {
  for (const { name, schema } of route.params ?? []) if (Object.hasOwn(params, name)) params[name] = read(params[name], schema);
  return check("path", params, route.params);
}

async function bodyOf(route, request) {
  if (!["post", "put", "patch"].includes(route.method)) return undefined;
  if (request.headers["transfer-encoding"] === undefined && Number(request.headers["content-length"] ?? 0) === 0) return check("body", {}, route.body);
  if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) throw new Refusal(415, "unsupported_media_type", "the body has to be application/json");
  let size = 0;
  const pieces = [];
  for await (const piece of request) {
    if ((size += piece.length) > maxBody) throw new Refusal(413, "too_large", `the body is larger than ${maxBody} bytes`, { Connection: "close" });
    pieces.push(piece);
  }
  let body;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(pieces)));
  } catch {
    throw new Refusal(400, "bad_input", "the body is no JSON");
  }
  if (!types.object(body)) throw new Refusal(400, "bad_input", "the body is no object");
  return check("body", body, route.body);
}

// argument is what a parameter of an action gets of a request.
function argument({ from, name }, input) {
  switch (from) {
    case "path": return input.params[name];
    case "query": return input.query[name];
    case "body": return input.body?.[name];
    case "params": return input.params;
    case "queries": return input.query;
    case "content": return input.body ?? {};
    case "response": return Responding;
    case "fields": return { ...input.query, ...input.body, ...input.params };
  }
  return { method: input.method, path: input.path, params: input.params, query: input.query, body: input.body ?? null };
}

const own = (value, key, type) => typeof value === "object" && value !== null && Object.hasOwn(value, key) && typeof value[key] === type ? value[key] : undefined;

// refusal is what is answered for a failure of an action.
function refusal(f) {
  if (f.operation !== undefined) return new Refusal(501, "no_host_operation", `the service has no operation '${f.operation}'`, {}, { operation: f.operation });
  if (f.code === "timeout") return new Refusal(504, "timeout", f.message);
  if (f.code !== "RUN006") return new Refusal(500, "fault", f.message, {}, { code: f.code });
  const status = own(f.thrown, "status", "number");
  const known = Number.isInteger(status) && status >= 400 && status < 600;
  const code = own(f.thrown, "error", "string") ?? own(f.thrown, "code", "string") ?? "refused";
  return new Refusal(known ? status : 422, code, own(f.thrown, "message", "string") ?? (typeof f.thrown === "string" ? f.thrown : f.message));
}

async function perform(service, route, input) {
  const { call } = route;
  if (call.pipeline !== undefined) {
    const pipeline = pipelines.find((p) => p.name === call.pipeline);
    const given = { ...input.query, ...input.body, ...input.params };
    const params = Object.fromEntries(Object.keys(pipeline.params ?? {}).filter((k) => Object.hasOwn(given, k)).map((k) => [k, given[k]]));
    try {
      return { status: 200, value: await runOnce(pipeline, { params }) };
    } catch (e) {
      throw new Refusal(502, "pipeline", e.message);
    }
  }
  let value;
  try {
    value = await service.call(call.fn, call.args.map((a) => argument(a, input)));
  } catch (f) {
    throw f instanceof Error ? f : refusal(f);
  }
  return replied(value);
}

const held = new Set(["connection", "content-length", "content-type", "date", "keep-alive", "transfer-encoding", "upgrade"]);

// replied is a result as an answer: { status, body, headers } where it is no more than that.
function replied(value) {
  const status = own(value, "status", "number");
  if (Number.isInteger(status) && status >= 200 && status < 600 && Object.keys(value).every((k) => k === "status" || k === "body" || k === "headers")) {
    const headers = Object.entries(value.headers ?? {}).filter(([k, v]) => /^[\w-]+$/.test(k) && /^[\t\x20-\x7e]*$/.test(v) && !held.has(k.toLowerCase()));
    return { status, value: value.body ?? undefined, headers: Object.fromEntries(headers) };
  }
  return value === null || value === undefined ? { status: 204 } : { status: 200, value };
}

async function answer(request, handlers, service, state) {
  if (!URL.canParse(request.url, "http://localhost")) throw new Refusal(400, "bad_input", "the path is none");
  const url = new URL(request.url, "http://localhost");
  const method = request.method.toLowerCase();
  const { route, params } = find(method, url.pathname) ?? {};
  if (!route) return { status: 200, value: { status: "ok" } };
  const input = { params: paramsOf(route, params), query: queryOf(route, url.searchParams), body: await bodyOf(route, request) };
  if (Object.hasOwn(handlers, route.id)) {
    const value = await handlers[route.id]({ ...input, state });
    return value === undefined ? { status: 204 } : { status: 200, value };
  }
  if (!route.call) throw new Refusal(501, "not_implemented", `the source has no action for ${route.id}, and handlers.mjs no function`);
  return perform(service, route, { ...input, method, path: url.pathname });
}

function send(response, status, value, headers = {}) {
  const text = value === undefined || status === 204 || status === 304 ? "" : JSON.stringify(value) + "\n";
  const kind = text === "" ? {} : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
  response.writeHead(status, { ...headers, "X-Content-Type-Options": "nosniff", ...kind }).end(text);
}

// stateOf shows handlers the state of the program: state.shelf.books is read and set.
function stateOf(service) {
  const keys = (owner) => new Proxy({}, {
    get: (_, key) => service.state(owner)[key],
    set: (_, key, value) => service.put(owner, key, value),
    has: (_, key) => key in service.state(owner),
    ownKeys: () => Reflect.ownKeys(service.state(owner)),
    getOwnPropertyDescriptor: (_, key) => ({ configurable: true, enumerable: true, writable: true, value: service.state(owner)[key] }),
  });
  return Object.fromEntries(Object.entries(owners).map(([name, owner]) => [name, keys(owner)]));
}

const say = (level, more) => console.error(JSON.stringify({ level, ...more }));

// createService is the server, not yet listening, with a program of its own.
export function createService(handlers = {}, operations = {}) {
  const service = new Service(scene, {
    operations, log: (node, text) => say("log", { node, text }), fault: (node, f) => say("fault", { node, ...f }),
  });
  const state = stateOf(service);
  service.update(performance.now() / 1000);
  const clock = setInterval(() => service.update(performance.now() / 1000), 50);
  clock.unref();
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, maxHeaderSize: 16_384 }, (request, response) => {
    answer(request, handlers, service, state).then(
      ({ status, value, headers }) => send(response, status, value, headers),
      (e) => {
        const ours = !(Number.isInteger(e?.status) && e.status >= 400 && e.status < 600);
        if (ours) console.error(e);
        if (response.headersSent) return response.destroy();
        if (ours) send(response, 500, { error: "internal" });
        else send(response, e.status, { error: e.code ?? "refused", message: e.message, ...e.more }, e.headers);
      },
    ).catch((e) => {
      console.error(e);
      response.destroy();
    });
  });
  return server.on("close", () => clearInterval(clock));
}

async function main() {
  const own = join(import.meta.dirname, "handlers.mjs");
  const { default: handlers = {}, operations = {} } = existsSync(own) ? await import(pathToFileURL(own)) : {};
  const server = createService(handlers, operations);
  const port = Number(process.env.PORT ?? listens);
  server.listen(port, process.env.HOST ?? "127.0.0.1", () => {
    const { address, family, port } = server.address();
    console.log(JSON.stringify({ listening: `http://${family === "IPv6" ? `[${address}]` : address}:${port}` }));
  });
  const stop = () => {
    server.close();
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 10_000).unref();
  };
  process.once("SIGTERM", stop).once("SIGINT", stop);
}

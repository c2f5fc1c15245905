// A server of the routes below. It needs Node 20.11 and no package.
//
//   HOST  where it listens, 127.0.0.1 unless told otherwise
//   PORT  8080 unless told otherwise; 0 takes a free one
//
// What a route does is in handlers.mjs beside this file: an object of functions
// by the id of their route, as its default export. A function gets { params,
// query, body, state } and returns what is answered as JSON; nothing is 204. An
// error with a status of 400 to 499 is the caller's, every other one is ours. A
// route without a function answers 501.
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const maxBody = 1 << 20; // bytes

export class Refusal extends Error {
  constructor(status, code, message, headers = {}) {
    super(message);
    Object.assign(this, { status, code, headers });
  }
}

const segments = (path) => path.split("/").slice(1);
const isParam = (part) => part.startsWith("{") && part.endsWith("}");

// find is the route of a path; what is written out wins over a parameter.
function find(method, path) {
  const parts = segments(path);
  const fits = routes.filter((r) => {
    const own = segments(r.path);
    return own.length === parts.length && own.every((p, i) => isParam(p) ? parts[i] !== "" : written(p) === decode(parts[i]));
  });
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

// check holds values to the fields that a route declares.
function check(where, values, fields) {
  for (const { name, type, required } of fields ?? []) {
    if (!Object.hasOwn(values, name)) {
      if (required) throw new Refusal(400, "bad_input", `${where}: ${name} is missing`);
    } else if (type && !types[type](values[name])) {
      throw new Refusal(400, "bad_input", `${where}: ${name} is no ${type}`);
    }
  }
  return values;
}

// queryOf reads the declared fields of a query by their types.
function queryOf(route, search) {
  const values = Object.fromEntries(search);
  for (const { name, type } of route.query ?? []) {
    if (!Object.hasOwn(values, name) || type === "" || type === "string") continue;
    try {
      values[name] = JSON.parse(values[name]);
    } catch {
      throw new Refusal(400, "bad_input", `query: ${name} is no ${type}`);
    }
  }
  return check("query", values, route.query);
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

async function answer(request, handlers, state) {
  if (!URL.canParse(request.url, "http://localhost")) throw new Refusal(400, "bad_input", "the path is none");
  const url = new URL(request.url, "http://localhost");
  const method = request.method.toLowerCase();
  if (url.pathname === "/health" && (method === "get" || method === "head")) return { status: "ok" };
  const { route, params } = find(method, url.pathname);
  const input = { params, query: queryOf(route, url.searchParams), body: await bodyOf(route, request), state };
  if (!Object.hasOwn(handlers, route.id)) throw new Refusal(501, "not_implemented", `handlers.mjs has no ${route.id}`);
  return handlers[route.id](input);
}

function send(response, status, value, headers = {}) {
  const text = value === undefined ? "" : JSON.stringify(value) + "\n";
  const kind = value === undefined ? {} : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
  response.writeHead(status, { "X-Content-Type-Options": "nosniff", ...kind, ...headers }).end(text);
}

// createService is the server, not yet listening.
export function createService(handlers = {}, state = structuredClone(initialState)) {
  return createServer({ requestTimeout: 30_000, headersTimeout: 10_000, maxHeaderSize: 16_384 }, (request, response) => {
    answer(request, handlers, state).then(
      (value) => send(response, value === undefined ? 204 : 200, value),
      (e) => {
        const own = !(Number.isInteger(e?.status) && e.status >= 400 && e.status < 600);
        if (own) console.error(e);
        if (response.headersSent) return response.destroy();
        if (own) send(response, 500, { error: "internal" });
        else send(response, e.status, { error: e.code ?? "refused", message: e.message }, e.headers);
      },
    );
  });
}

async function main() {
  const own = join(import.meta.dirname, "handlers.mjs");
  const { default: handlers = {} } = existsSync(own) ? await import(pathToFileURL(own)) : {};
  const server = createService(handlers);
  const port = Number(process.env.PORT ?? 8080);
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

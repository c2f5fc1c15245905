// The bridge between the host of an MCP App and the viewer below it. The host hands in
// what a tool was asked and what it answered; the bridge has the source compiled to a
// page by the server, through the host, and opens the scene of that page in the viewer.
// It asks nobody but the host, and runs nothing of the page: only its JSON is read.
const host = window.parent, framed = host !== window, waiting = new Map();
let asked = 0, port, input, result, can = {}, scene, seq = 0;
// The viewer takes its orders from window.parent: here from this bridge, so that the host
// hears the protocol of apps alone.
window.parent = window;

const post = (m) => host.postMessage({ jsonrpc: "2.0", ...m }, "*");
const notify = (method, params = {}) => post({ method, params });
const request = (method, params) => new Promise((done, failed) => {
  const id = ++asked;
  waiting.set(id, { done, failed });
  post({ id, method, params });
});

// over is an element above the viewer, which has the main element for itself.
function over(tag, id) {
  let e = document.getElementById(id);
  if (!e) {
    e = document.createElement(tag);
    e.id = id;
    document.body.append(e);
  }
  return e;
}

// say shows a sentence in the place of the scene; "" takes it away.
function say(text) {
  const p = over("p", "said");
  p.className = "note";
  p.setAttribute("role", "status");
  p.style.cssText = "position: fixed; inset: 0 0 auto; z-index: 3; padding: 16px;";
  p.textContent = text;
  p.hidden = !text;
}

// still shows the picture that the tool drew, until the viewer has the scene.
function still(content) {
  const drawn = content.find((c) => c.type === "image" && /^image\/(png|webp|gif)$/.test(c.mimeType));
  if (!drawn) return false;
  const img = over("img", "still");
  img.alt = "Picture of the scene";
  img.style.cssText = "position: fixed; inset: 0; width: 100%; height: 100%; max-height: none; padding: 0; object-fit: contain; background: #0f1319; z-index: 2;";
  img.src = `data:${drawn.mimeType};base64,${drawn.data}`;
  return true;
}

const call = async (name, args) => {
  const r = await request("tools/call", { name, arguments: args });
  const text = r.content?.find((c) => c.type === "text")?.text ?? "{}";
  if (r.isError) throw new Error(reason(text));
  return r;
};

// reason is the sentence of an error object.
function reason(text) {
  try {
    return JSON.parse(text).error ?? text;
  } catch {
    return text;
  }
}

const page = (content) => content?.find((c) => c.type === "resource_link" && c.mimeType === "text/html" && c.uri.startsWith("lang://artefact/"));

// compiled is the link to the page of the source that the tool was given.
async function compiled() {
  const made = page(result.content);
  if (made) return made;
  if (!input || !can.serverTools) return undefined;
  const { code = input.source, files, entry, scene: described } = input;
  const format = input.source_format ?? (/^(auto|holo|hs|hsplus)$/.test(input.format) ? input.format : undefined);
  let source = { code, files, entry, format };
  if (described) {
    const r = await call("convert_format", { code: JSON.stringify(described), to: "holo", inline: true });
    source = { code: (r.structuredContent ?? JSON.parse(r.content[0].text)).code, format: "holo" };
  }
  for (const key of Object.keys(source)) if (source[key] === undefined) delete source[key];
  return page((await call("compile_source", { ...source, target: "html" })).content);
}

async function show() {
  if (!result) return;
  const content = result.content ?? [];
  if (result.isError) {
    say(reason(content.find((c) => c.type === "text")?.text ?? "The tool answered with an error."));
    return;
  }
  const seen = still(content);
  try {
    const link = can.serverResources ? await compiled() : undefined;
    if (!link) {
      if (!seen) say("This host does not let the preview ask the server, so there is no scene to show.");
      return;
    }
    const { contents } = await request("resources/read", { uri: link.uri });
    const text = new DOMParser().parseFromString(contents[0].text, "text/html").getElementById("scene")?.textContent;
    if (!text) throw new Error("The page has no scene.");
    scene = JSON.parse(text);
    open();
  } catch (fault) {
    if (!seen) say(fault instanceof Error ? fault.message : String(fault));
  }
}

// open hands the scene to the viewer, when both are there.
function open() {
  if (port && scene) port.postMessage({ v: 1, type: "scene", seq: ++seq, scene });
}

function theme(context) {
  if (context?.theme && port) port.postMessage({ v: 1, type: "theme", dark: context.theme === "dark", reduced_motion: matchMedia("(prefers-reduced-motion: reduce)").matches });
}

let context;
const heard = {
  "ui/notifications/tool-input": (p) => { input = p.arguments ?? {}; },
  "ui/notifications/tool-result": (p) => { result = p; void show(); },
  "ui/notifications/tool-cancelled": () => say("The call was cancelled."),
  "ui/notifications/host-context-changed": (p) => { context = { ...context, ...p }; theme(context); },
};

addEventListener("message", (e) => {
  const m = e.data;
  if (e.source === window && m?.v === 1 && m.type === "ready") {
    const pipe = new MessageChannel();
    port = pipe.port1;
    port.onmessage = ({ data }) => {
      if (data.type === "applied") {
        document.getElementById("still")?.remove();
        say("");
      } else if (data.type === "error") say(data.text);
    };
    window.postMessage({ v: 1 }, "*", [pipe.port2]);
    theme(context);
    open();
    return;
  }
  if (!framed || e.source !== host || m?.jsonrpc !== "2.0") return;
  if (m.method === undefined) {
    const one = waiting.get(m.id);
    waiting.delete(m.id);
    if (m.error) one?.failed(new Error(m.error.message));
    else one?.done(m.result);
  } else if (m.id !== undefined) {
    if (m.method === "ui/resource-teardown" || m.method === "ping") post({ id: m.id, result: {} });
    else post({ id: m.id, error: { code: -32601, message: "no such method" } });
  } else heard[m.method]?.(m.params ?? {});
});

if (framed) {
  request("ui/initialize", { protocolVersion: "2026-01-26", appInfo: { name: "meshd-scene", version: "1" }, appCapabilities: {} }).then((r) => {
    can = r.hostCapabilities ?? {};
    context = r.hostContext;
    theme(context);
    notify("ui/notifications/initialized");
    notify("ui/notifications/size-changed", { width: innerWidth, height: 480 });
  }, (fault) => say(fault.message));
} else say("This page shows scenes inside of a client of the Model Context Protocol.");

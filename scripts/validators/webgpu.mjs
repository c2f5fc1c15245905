// Judges applications of the target webgpu, given by their app.ts: a line of JSON
// for each file.
//   types     the compiler of TypeScript, strict, with the types of WebGPU
//   run       Chromium draws them on SwiftShader: every shader compiles without a
//             word, nothing is said on the console, the picture holds what its
//             example promises, answers to events, and goes away again
//   pictures  width height: keeps what they show as app.ts.png
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, dirname, extname, join } from "node:path";
import puppeteer from "puppeteer-core";
import ts from "typescript";

const [kind, ...rest] = process.argv.slice(2);

// types compiles all files as one program; what is said of the modules beside a
// main file is said of it.
function types(files) {
  const { options } = ts.parseJsonConfigFileContent(JSON.parse(readFileSync(join(dirname(files[0]), "tsconfig.json"), "utf8")), ts.sys, dirname(files[0]));
  const program = ts.createProgram(files, { ...options, noEmit: true, typeRoots: [join(import.meta.dirname, "node_modules")] });
  const faults = new Map();
  for (const d of ts.getPreEmitDiagnostics(program)) {
    const { line } = d.file?.getLineAndCharacterOfPosition(d.start) ?? { line: -1 };
    const text = `${basename(d.file?.fileName ?? "")}:${line + 1}: ${ts.flattenDiagnosticMessageText(d.messageText, " ")}`;
    const at = files.filter((f) => !d.file || f === d.file.fileName || (dirname(f) === dirname(d.file.fileName) && !files.includes(d.file.fileName)));
    for (const f of at) if (!faults.has(f)) faults.set(f, text);
  }
  return files.map((f) => faults.get(f) ?? "");
}

const built = new Map(); // modules are the same for every scene

function module(path) {
  const text = readFileSync(path, "utf8");
  if (!built.has(text)) {
    built.set(text, ts.transpileModule(text, { fileName: path, compilerOptions: { target: "ES2022", module: "ESNext" } }).outputText);
  }
  return built.get(text);
}

// serve answers /N/name with the files beside the N-th one.
function serve(files) {
  return new Promise((done) => {
    const server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
      const [, n, name] = /^\/(\d+)\/([\w.-]*)$/.exec(path) ?? [];
      if (name === undefined) return response.writeHead(404).end();
      const send = (type, body) => response.setHeader("Content-Type", type).end(body);
      if (name === "") return send("text/html; charset=utf-8", page);
      const dir = dirname(files[n]);
      try {
        if (name === "app.js") return send("text/javascript; charset=utf-8", module(files[n]));
        if (name === "runtime.js") return send("text/javascript", readFileSync(join(dir, name)));
        if (extname(name) === ".js") return send("text/javascript; charset=utf-8", module(join(dir, name.replace(/\.js$/, ".ts"))));
        return send("text/plain; charset=utf-8", readFileSync(join(dir, name)));
      } catch (e) {
        return response.writeHead(404).end(String(e));
      }
    });
    server.listen(0, "127.0.0.1", () => done(server));
  });
}

let size = [320, 180];
const page = `<!doctype html><meta charset="utf-8"><title>webgpu</title><link rel="icon" href="data:,"><style>body { margin: 0 } canvas { display: block; width: 100vw; height: 100vh }</style><canvas></canvas>
<script type="module">
import { createScene, scene } from "./app.js";
const canvas = document.querySelector("canvas");
// seen are the pixels of the picture that was just drawn.
const seen = () => {
  const copy = document.createElement("canvas");
  copy.width = canvas.width;
  copy.height = canvas.height;
  const pen = copy.getContext("2d", { willReadFrequently: true });
  pen.drawImage(canvas, 0, 0);
  return pen.getImageData(0, 0, copy.width, copy.height).data;
};
globalThis.colours = () => {
  const data = seen(), out = {};
  for (let i = 0; i < data.length; i += 4) {
    const c = "#" + [data[i], data[i + 1], data[i + 2]].map((v) => v.toString(16).padStart(2, "0")).join("");
    out[c] = (out[c] ?? 0) + 1;
  }
  return out;
};
globalThis.sum = () => seen().reduce((h, v) => (Math.imul(h, 31) + v) | 0, 7);
globalThis.scene = scene;
globalThis.told = [];
canvas.addEventListener("meshd", (e) => globalThis.told.push(e.detail));
globalThis.open = (options) => createScene(canvas, { loop: false, ...options });
globalThis.ready = true;
</script>`;

// What the picture of an example must hold.
const wanted = { "probe_colours.holo": ["#ff0000", "#00ff00", "#0000ff", "#202020"] };

// probe uses one example as a host does, in the page.
const probe = async (clicks, empty, garden) => {
  const faults = [], frame = (r, s) => {
    r.update(s);
    return globalThis.colours();
  };
  let r = await globalThis.open({ still: true });
  const first = frame(r, 0), nodes = globalThis.scene.nodes ?? [], id = (name) => nodes.find((n) => n.name === name)?.id ?? "";
  if (!empty && !(r.triangles > 0)) faults.push("nothing is drawn");
  if (!empty && Object.keys(first).length < 2) faults.push("the picture has one colour");
  if (globalThis.told.some((t) => t.event === "fault")) faults.push(globalThis.told.find((t) => t.event === "fault").payload.text);
  if (clicks) {
    const must = (what, now, want, not) => {
      if (!(now[want] > 20) || now[not] > 0) faults.push(`${what}: the picture does not become ${want} without ${not}`);
    };
    for (let i = 0; i < 20; i++) frame(r, 0.1);
    must("timeline", frame(r, 0), "#ff0000", "#8000ff");
    r.emit(id("Switch"), "click");
    must("click", frame(r, 0.1), "#00ff00", "#ff0000");
    r.emit("", "key_down", { key: "k" });
    must("key", frame(r, 0.1), "#ff00ff", "#ffffff");
    r.emit(id("Trap"), "click");
    must("loop", frame(r, 0.1), "#ffff00", "#ff8000");
    if (!globalThis.told.some((t) => t.event === "fault" && t.payload.code === "RUN001" && t.payload.line > 0)) faults.push("a handler that never ends is not named with its place");
  }
  if (garden) { // every flower has two nodes, of which the head is the second
    const whole = r.triangles, drawn = globalThis.sum();
    r.emit("s4", "click");
    frame(r, 0.1);
    if (globalThis.sum() === drawn || r.triangles !== whole) faults.push("a flower that is watered does not grow");
    for (let k = 0; k < 2; k++) r.emit("s4", "click");
    frame(r, 0.1);
    const less = whole - r.triangles;
    if (!(less > 0)) faults.push("a flower that is picked stays");
    for (let k = 0; k < 3; k++) r.emit("s6", "click");
    frame(r, 0.1);
    if (whole - r.triangles !== 2 * less) faults.push("the next flower stays");
    for (let k = 0; k < 2; k++) r.emit(id("Pouch"), "click");
    frame(r, 0.1);
    if (r.triangles !== whole) faults.push(`two new flowers make ${r.triangles} triangles, not ${whole}`);
  }
  const before = globalThis.sum();
  r.update(0);
  if (globalThis.sum() !== before) faults.push("two pictures of the same moment differ");
  const canvas = document.querySelector("canvas");
  canvas.style.width = "160px";
  r.update(0);
  if (canvas.width !== 160) faults.push(`a canvas of 160 pixels has a picture of ${canvas.width}`);
  canvas.style.width = "";
  r.dispose();
  r.dispose();
  await r.device.lost;
  r.update(1);
  if (nodes.some((n) => n.particles)) {
    const run = async () => {
      r = await globalThis.open({ still: false });
      r.update(0);
      const start = globalThis.sum();
      for (let i = 0; i < 5; i++) r.update(0.1);
      const end = globalThis.sum();
      r.dispose();
      return [start, end];
    };
    const one = await run(), two = await run();
    if (one[0] === one[1]) faults.push("particles stand still");
    if (one.join() !== two.join()) faults.push("two runs differ");
  }
  return faults;
};

// without opens an application in a browser that has no WebGPU.
const without = async () => {
  Object.defineProperty(navigator, "gpu", { value: undefined });
  const said = await globalThis.open({}).then(() => "", (e) => e.name);
  const note = document.querySelector("canvas + [role=alert]")?.textContent ?? "";
  return said === "NoWebGPU" && /html/.test(note) ? [] : [`a browser without WebGPU is told ${said} ${note}`];
};

async function browse(files, judge) {
  const server = await serve(files);
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: [
      "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader",
      "--enable-features=Vulkan", "--use-vulkan=swiftshader", "--disable-background-networking", "--force-color-profile=srgb",
    ],
  });
  for (const [i, file] of files.entries()) {
    const tab = await browser.newPage(), faults = [];
    tab.on("console", (m) => { if (m.type() === "error" || m.type() === "warn") faults.push(m.text()); });
    tab.on("pageerror", (e) => faults.push(String(e)));
    await tab.setViewport({ width: size[0], height: size[1] });
    try {
      await tab.goto(`http://127.0.0.1:${server.address().port}/${i}/`);
      await tab.waitForFunction("globalThis.ready", { timeout: 30000 });
      faults.push(...(await judge(tab, file, i)));
    } catch (e) {
      faults.push(String(e).split("\n")[0]);
    }
    await tab.close();
    console.log(JSON.stringify({ file, ok: faults.length === 0, message: faults[0] ?? "" }));
  }
  await browser.close();
  server.close();
}

if (kind === "types") {
  types(rest).forEach((message, i) => console.log(JSON.stringify({ file: rest[i], ok: message === "", message })));
} else if (kind === "run") {
  await browse(rest, async (tab, file, i) => {
    const name = basename(dirname(file)), empty = !readFileSync(file, "utf8").includes('"geometries":[');
    const faults = await tab.evaluate(probe, name === "probe_clicks.holo", empty, name === "spawned_garden.holo");
    if (wanted[name]) {
      const now = await tab.evaluate(async () => {
        (await globalThis.open({ still: true })).update(0);
        return globalThis.colours();
      });
      for (const c of wanted[name]) if (!(now[c] > 20)) faults.push(`no pixels of ${c}`);
    }
    if (i === 0) {
      await tab.reload();
      await tab.waitForFunction("globalThis.ready");
      faults.push(...(await tab.evaluate(without)));
    }
    return faults;
  });
} else {
  const [width, height, ...files] = rest;
  size = [Number(width), Number(height)];
  await browse(files, async (tab, file) => {
    const data = await tab.evaluate(async () => {
      (await globalThis.open({ still: true })).update(0);
      return document.querySelector("canvas").toDataURL("image/png");
    });
    writeFileSync(`${file}.png`, Buffer.from(data.slice(data.indexOf(",") + 1), "base64"));
    return [];
  });
}

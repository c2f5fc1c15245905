// Opens pages and layers in one Chromium: a line of JSON for each file.
//   html  the page makes no request, says nothing on its console, draws
//         triangles, and its pixels hold the colours that its example promises
//   threejs  the module is bundled and shown on the canvas of a page
//   usd   TinyUSDZ loads the layer (its WebAssembly needs a browser)
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import puppeteer from "puppeteer-core";
import { heads, tend } from "./garden.mjs";

const [kind, ...rest] = process.argv.slice(2);
const files = rest;
// What the picture of an example must hold.
const wanted = { "probe_colours.holo": ["#ff0000", "#00ff00", "#0000ff", "#202020"] };
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking", "--force-prefers-reduced-motion"],
});

// seen are the colours of the picture with how many pixels have them.
const seen = () => {
  const canvas = document.querySelector("canvas"), copy = document.createElement("canvas");
  copy.width = canvas.width;
  copy.height = canvas.height;
  const pen = copy.getContext("2d");
  pen.drawImage(canvas, 0, 0);
  const { data } = pen.getImageData(0, 0, copy.width, copy.height), out = {};
  for (let i = 0; i < data.length; i += 4) {
    const c = "#" + [data[i], data[i + 1], data[i + 2]].map((v) => v.toString(16).padStart(2, "0")).join("");
    out[c] = (out[c] ?? 0) + 1;
  }
  return out;
};

// clicks uses the plates of probe_clicks.holo as a person does: a click, a
// machine, a key, a timeline, and a handler that never ends.
async function clicks(page) {
  const faults = [];
  const until = async (what, want, not = []) => {
    for (let i = 0; i < 100; i++) {
      const now = await page.evaluate(seen);
      if (want.every((c) => now[c] > 20) && not.every((c) => !(now[c] > 0))) return;
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    faults.push(`${what}: the picture does not become ${want} without ${not}`);
  };
  const click = async (x) => page.mouse.click(160 + (x * 90) / (5 * Math.tan(Math.PI / 8)), 90);
  await until("timeline", ["#ff0000", "#ffff00", "#ffffff", "#0000ff"], ["#8000ff"]);
  await click(-1.6);
  await until("click", ["#00ff00"], ["#ff0000"]);
  await click(1.7);
  await until("machine", ["#00ffff"], ["#0000ff"]);
  await page.keyboard.press("k");
  await until("key", ["#ff00ff"], ["#ffffff"]);
  await click(-0.5);
  await page.waitForFunction(() => /RUN001.*line \d+, column \d+/.test(document.querySelector("main")?.textContent ?? ""), { timeout: 20000 })
    .catch(() => faults.push("a handler that never ends is not named with its place"));
  await until("loop", ["#ffff00"], ["#ff8000"]);
  await click(-1.6);
  await until("after the loop", ["#ff0000"], ["#00ff00"]);
  return faults;
}

// garden tends the flowers of spawned_garden.holo with the mouse.
const garden = (page) => tend({
  heads: () => page.evaluate(`(${heads})(meshdViewer.stage.built.world, meshdViewer.camera, innerWidth, innerHeight)`),
  water: (h) => page.mouse.click(h.x, h.y),
  wait: () => page.evaluate(() => new Promise(requestAnimationFrame)),
});

async function html(file) {
  const page = await browser.newPage();
  const faults = [], requests = [];
  page.on("console", (m) => { if (m.type() === "error" || m.type() === "warn") faults.push(m.text()); });
  page.on("pageerror", (e) => faults.push(String(e)));
  page.on("request", (r) => { if (!/^(data|blob):/.test(r.url())) requests.push(r.url()); });
  await page.setViewport({ width: 320, height: 180 });
  try {
    await page.goto(pathToFileURL(file).href);
    await page.waitForFunction("globalThis.meshdViewer?.frames > 0", { timeout: 20000 });
    const facts = await page.evaluate(() => {
      const viewer = globalThis.meshdViewer;
      return { triangles: viewer.triangles, nodes: viewer.nodes, buttons: document.querySelectorAll("nav.list button").length };
    });
    facts.seen = await page.evaluate(seen);
    if (requests.length !== 1) faults.push(`${requests.length} requests: ${requests.slice(1, 3)}`);
    if (!(facts.triangles > 0)) faults.push("nothing is drawn");
    for (const c of wanted[basename(dirname(file))] ?? []) if (!(facts.seen[c] > 20)) faults.push(`no pixels of ${c}`);
    if (Object.keys(facts.seen).length < 2) faults.push("the picture has one colour");
    if (basename(dirname(file)) === "probe_clicks.holo") faults.push(...(await clicks(page)));
    if (basename(dirname(file)) === "spawned_garden.holo") faults.push(...[await garden(page)].filter(Boolean));
  } catch (e) {
    faults.push(String(e).split("\n")[0]);
  }
  await page.close();
  return faults;
}

async function threejs(file, index) {
  const bundle = await build({
    stdin: { contents: `import { createScene, scene } from ${JSON.stringify(file)}; globalThis.data = scene; globalThis.running = createScene(document.querySelector("canvas"), { still: true });`, resolveDir: import.meta.dirname },
    bundle: true, format: "iife", write: false, logLevel: "silent", nodePaths: [join(import.meta.dirname, "node_modules")],
  }).catch((e) => ({ error: String(e).split("\n").slice(0, 2).join(" ") }));
  if (bundle.error) return [bundle.error];
  scripts[index] = bundle.outputFiles[0].text;
  const page = await browser.newPage();
  const faults = [];
  page.on("console", (m) => { if (m.type() === "error" || m.type() === "warn") faults.push(m.text()); });
  page.on("pageerror", (e) => faults.push(String(e)));
  try {
    await page.goto(`http://127.0.0.1:${server.address().port}/canvas/${index}`);
    await page.waitForFunction("globalThis.running", { timeout: 20000 });
    if (basename(dirname(file)) === "spawned_garden.holo") {
      faults.push(...[await tend({
        heads: () => page.evaluate(`(${heads})(running.scene, running.camera, 320, 180)`),
        water: async (h) => {
          const at = await (await page.$("canvas")).boundingBox();
          await page.mouse.click(at.x + h.x, at.y + h.y);
        },
        wait: () => page.evaluate(() => globalThis.running.update(0.1)),
      })].filter(Boolean));
    }
    const meshes = await page.evaluate(() => {
      globalThis.running.update(0);
      let n = 0;
      globalThis.running.scene.traverse((o) => { n += o.isMesh ? 1 : 0; });
      const plate = (globalThis.data.nodes ?? []).find((o) => o.name === "Switch");
      let colour = "";
      if (plate) {
        globalThis.running.emit(plate.id, "click");
        globalThis.running.update(0.1);
        globalThis.running.scene.traverse((o) => { if (o.isMesh && o.parent?.userData.id === plate.id) colour = o.material.color.getHexString(); });
      }
      globalThis.running.dispose();
      return { n, colour };
    });
    if (!(meshes.n > 0)) faults.push("the scene has no meshes");
    if (basename(dirname(file)) === "probe_clicks.holo" && meshes.colour !== "00ff00") faults.push(`a click leaves the switch ${meshes.colour}`);
  } catch (e) {
    faults.push(String(e).split("\n")[0]);
  }
  await page.close();
  return faults;
}

const scripts = [];
const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  if (path === "/") return response.setHeader("Content-Type", "text/html").end("<!doctype html><title>usd</title>");
  const canvas = /^\/canvas\/(\d+)$/.exec(path);
  if (canvas) {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    return response.end(`<!doctype html><title>three</title><link rel="icon" href="data:,"><canvas width="320" height="180"></canvas><script>${scripts[canvas[1]].replaceAll("</script", "<\\/script")}</script>`);
  }
  const own = join(import.meta.dirname, "node_modules", "tinyusdz", basename(path));
  const at = files[Number(/^\/file\/(\d+)/.exec(path)?.[1] ?? -1)] ?? own;
  if (!existsSync(at)) return response.writeHead(404).end();
  response.setHeader("Content-Type", at.endsWith(".js") ? "text/javascript" : at.endsWith(".wasm") ? "application/wasm" : "application/octet-stream");
  createReadStream(at).pipe(response);
});

async function usd(file, index) {
  const page = await browser.newPage();
  try {
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    return await page.evaluate(async (i, name) => {
      const { default: create } = await import("/tinyusdz.js");
      const said = [];
      const native = await create({ printErr: (t) => said.push(t), print: () => {} });
      const data = new Uint8Array(await (await fetch(`/file/${i}`)).arrayBuffer());
      const loader = new native.TinyUSDZLoaderNative();
      const ok = loader.loadFromBinary(data, name);
      if (ok && loader.ok() && loader.numMeshes() >= 0) return [];
      return [loader.error?.() || said.join(" ") || "the layer is refused"];
    }, index, basename(file));
  } catch (e) {
    return [String(e).split("\n")[0]];
  } finally {
    await page.close();
  }
}

await new Promise((done) => server.listen(0, "127.0.0.1", done));
for (const [i, file] of files.entries()) {
  const faults = await { html, threejs, usd }[kind](file, i);
  console.log(JSON.stringify({ file, ok: faults.length === 0, message: faults[0] ?? "" }));
}
server.close();
await browser.close();

// Judges components of the r3f target: a line of JSON for each. The compiler of
// TypeScript checks all of them at once against the types of the libraries, one
// bundle holds those that pass, and one Chromium shows each in a canvas.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { build } from "esbuild";
import puppeteer from "puppeteer-core";
import ts from "typescript";
import { heads, tend } from "./garden.mjs";

const files = process.argv.slice(2);
const dir = mkdtempSync(join(tmpdir(), "meshd-r3f-"));
process.on("exit", () => rmSync(dir, { recursive: true, force: true }));
symlinkSync(join(import.meta.dirname, "node_modules"), join(dir, "node_modules"));
const said = files.map(() => []);

// All scenes have one runtime, so they may stand in one folder.
const runtime = join(dirname(files[0]), "runtime");
for (const end of [".js", ".d.ts"]) copyFileSync(runtime + end, join(dir, "runtime" + end));
for (const [i, file] of files.entries()) {
  copyFileSync(file, join(dir, `scene${i}.tsx`));
  if (!readFileSync(join(dirname(file), "runtime.js")).equals(readFileSync(runtime + ".js"))) said[i].push("another runtime");
}

const program = ts.createProgram(files.map((_, i) => join(dir, `scene${i}.tsx`)), {
  strict: true, noEmit: true, skipLibCheck: true, noUnusedLocals: true, jsx: ts.JsxEmit.ReactJSX, module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler, target: ts.ScriptTarget.ES2022, lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"], types: [],
});
// skipLibCheck passes over our own types too, which are to be right by themselves.
for (const d of [...ts.getPreEmitDiagnostics(program), ...program.getSemanticDiagnostics(program.getSourceFile(join(dir, "runtime.d.ts")))]) {
  const i = /scene(\d+)\.tsx$/.exec(d.file?.fileName ?? "")?.[1];
  const line = d.file ? d.file.getLineAndCharacterOfPosition(d.start ?? 0).line + 1 : 0;
  const text = `${basename(d.file?.fileName ?? "")}:${line}: TS${d.code} ${ts.flattenDiagnosticMessageText(d.messageText, " ").slice(0, 300)}`;
  for (const list of i === undefined ? said : [said[i]]) list.push(text);
}

const good = files.map((_, i) => i).filter((i) => said[i].length === 0);
for (const i of good) {
  writeFileSync(join(dir, `page${i}.tsx`), `import Scene from "./scene${i}"; import { show } from "./show"; show(Scene);`);
}
// The host: a canvas as a reader of the documentation would write it, in strict
// mode, which starts everything twice.
writeFileSync(join(dir, "show.tsx"), `
import { StrictMode, createRef, type ComponentType } from "react";
import { createRoot } from "react-dom/client";
import { Canvas, useFrame, useThree } from "@react-three/fiber";
const handle = createRef<unknown>();
const events: unknown[] = [], said: unknown[] = [];
function Look() {
  const get = useThree((s) => s.get);
  useFrame(() => { Object.assign(globalThis, { facts: { handle: handle.current, frames: get().gl.info.render.frame, triangles: get().gl.info.render.triangles, scene: get().scene, camera: get().camera, events, said } }); });
  return null;
}
export function show(Scene: ComponentType<Record<string, unknown>>) {
  createRoot(document.querySelector("main")!).render(
    <StrictMode>
      <Canvas gl={{ preserveDrawingBuffer: true }}><Scene ref={handle} onEvent={(node: string, event: string) => events.push([node, event])} onSay={(line: unknown) => said.push(line)} /><Look /></Canvas>
    </StrictMode>);
}
`);
if (good.length > 0) {
  await build({
    entryPoints: good.map((i) => join(dir, `page${i}.tsx`)), bundle: true, splitting: true, format: "esm", outdir: join(dir, "out"), jsx: "automatic", minify: true,
    define: { "process.env.NODE_ENV": '"production"' }, logLevel: "silent", absWorkingDir: dir,
  }).catch((e) => { for (const i of good) said[i].push(String(e).split("\n").slice(0, 3).join(" ")); });
}

const server = createServer((request, response) => {
  const path = new URL(request.url, "http://localhost").pathname;
  const page = /^\/(\d+)$/.exec(path);
  if (page) {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    return response.end(`<!doctype html><title>r3f</title><link rel="icon" href="data:,"><style>body { margin: 0 } main { width: 320px; height: 180px }</style><main></main><script type="module" src="/page${page[1]}.js"></script>`);
  }
  response.setHeader("Content-Type", "text/javascript");
  response.end(readFileSync(join(dir, "out", basename(path))));
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking"],
});

// The binding itself uses what the library will drop.
const clock = "THREE.Clock: This module has been deprecated";

// colour is that of the solid of a node.
const colour = (page, name) => page.evaluate((n) => globalThis.facts.handle.node(n).children.find((c) => c.isMesh).material.color.getHexString(), name);

// clicks uses the plates of probe_clicks.holo with a mouse, and the handle.
async function clicks(page) {
  const faults = [];
  const click = async (x) => page.mouse.click(160 + (x * 90) / (5 * Math.tan(Math.PI / 8)), 90);
  const becomes = async (what, name, want) => {
    await page.waitForFunction((n, c) => globalThis.facts.handle.node(n).children.find((o) => o.isMesh).material.color.getHexString() === c, { timeout: 20000 }, name, want)
      .catch(async () => faults.push(`${what}: ${name} is ${await colour(page, name)}, not ${want}`));
  };
  if ((await colour(page, "Switch")) !== "ff0000") faults.push("the switch is lit from the start");
  await click(-1.6);
  await becomes("click", "Switch", "00ff00");
  await click(1.7);
  await becomes("machine", "Door", "00ffff");
  await page.keyboard.press("k");
  await becomes("key", "Keys", "ff00ff");
  await page.evaluate(() => globalThis.facts.handle.emit("Switch", "click"));
  await becomes("emit", "Switch", "ff0000");
  const facts = await page.evaluate(() => ({ taps: globalThis.facts.handle.state("taps"), lit: globalThis.facts.handle.state("lit", "Switch"), events: globalThis.facts.events.filter((e) => e[1] === "click").length }));
  if (facts.taps !== 2 || facts.lit !== false) faults.push(`after two clicks the state is ${JSON.stringify(facts)}`);
  await page.waitForFunction(() => !globalThis.facts.handle.node("Ghost").visible, { timeout: 20000 }).catch(() => faults.push("the timeline hides nothing"));
  if (facts.events !== 3) faults.push(`the host is told of ${facts.events} clicks, not 3`);
  return faults;
}

for (const i of good) {
  if (said[i].length > 0) continue;
  const page = await browser.newPage(), name = basename(dirname(files[i]));
  page.on("console", (m) => { if ((m.type() === "error" || m.type() === "warn") && !m.text().startsWith(clock)) said[i].push(m.text()); });
  page.on("pageerror", (e) => said[i].push(String(e)));
  page.on("requestfailed", (r) => said[i].push(`asks for ${r.url().slice(0, 100)}`));
  page.on("request", (r) => { if (!/^(data|blob):|^http:\/\/127\.0\.0\.1/.test(r.url())) said[i].push(`asks for ${r.url().slice(0, 100)}`); });
  await page.setViewport({ width: 320, height: 180 });
  try {
    await page.goto(`http://127.0.0.1:${server.address().port}/${i}`);
    await page.waitForFunction("globalThis.facts?.frames > 2 && facts.handle", { timeout: 60000 });
    const facts = await page.evaluate(() => {
      const { triangles, scene } = globalThis.facts, ids = new Set();
      scene.traverse((o) => { if (o.userData.id) ids.add(o.userData.id); });
      return { triangles, nodes: ids.size };
    });
    if (!(facts.triangles > 0)) said[i].push("nothing is drawn");
    const groups = readFileSync(files[i], "utf8").split("<group ").length - 2; // but the one of the scene
    if (facts.nodes < groups) said[i].push(`${facts.nodes} of ${groups} nodes are in the scene`);
    if (name === "probe_clicks.holo") said[i].push(...(await clicks(page)));
    if (name === "spawned_garden.holo") {
      said[i].push(...[await tend({
        heads: () => page.evaluate(`(${heads})(facts.scene, facts.camera, 320, 180)`), water: (h) => page.mouse.click(h.x, h.y),
        wait: () => page.evaluate(() => new Promise(requestAnimationFrame)),
      })].filter(Boolean));
    }
  } catch (e) {
    said[i].push(String(e).split("\n")[0]);
  }
  await page.close();
}
for (const [i, file] of files.entries()) console.log(JSON.stringify({ file, ok: said[i].length === 0, message: said[i][0] ?? "" }));
server.close();
await browser.close();

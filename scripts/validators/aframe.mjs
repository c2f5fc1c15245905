// Opens pages of the aframe target in one Chromium, with the library of the
// package in place of the address that they name: a line of JSON for each. What
// the library holds is compared with the scene of the page: entities, and where
// they are.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, dirname, join } from "node:path";
import puppeteer from "puppeteer-core";
import { heads, tend } from "./garden.mjs";

const files = process.argv.slice(2);
const library = readFileSync(join(import.meta.dirname, "node_modules/aframe/dist/aframe-v1.8.0.min.js"));
const server = createServer((request, response) => {
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  response.end(readFileSync(files[Number(request.url.slice(1))]));
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking", "--force-prefers-reduced-motion"],
});

// facts are those of a page, found by the library's own objects.
function facts() {
  const { Matrix4, Vector3, Quaternion, Euler, MathUtils } = AFRAME.THREE, scene = document.querySelector("a-scene");
  const doc = JSON.parse(document.getElementById("scene").textContent), nodes = (doc.nodes ?? []).filter((n) => !n.prototype);
  const still = !doc.program && !doc.animations;
  const said = [], wanted = [], given = [];
  const text = (m) => new Vector3().setFromMatrixPosition(m).toArray();
  const far = (a, b, by) => a.some((x, k) => !(Math.abs(x - b[k]) < by * Math.max(1, Math.abs(b[k]))));
  for (const [i, n] of nodes.entries()) {
    const el = document.getElementById(n.id), s = n.s ?? [1, 1, 1];
    wanted[i] = new Matrix4().compose(new Vector3(...(n.t ?? [0, 0, 0])), new Quaternion(...(n.r ?? [0, 0, 0, 1])), new Vector3(...s));
    if (!el?.object3D) { said.push(`no entity for ${n.path}`); given[i] = wanted[i]; continue; }
    if (n.parent >= 0 && el.parentElement.id !== nodes[n.parent].id) said.push(`${n.path} is not below its parent`);
    // As the page says it; the library's own getAttribute tells where things are now.
    const at = (name, otherwise) => Element.prototype.getAttribute.call(el, name)?.split(" ").map(Number) ?? otherwise;
    const turn = at("rotation", [0, 0, 0]).map(MathUtils.degToRad);
    given[i] = new Matrix4().compose(new Vector3(...at("position", [0, 0, 0])), new Quaternion().setFromEuler(new Euler(...turn, "YXZ")), new Vector3(...at("scale", [1, 1, 1])));
    for (const list of [wanted, given]) if (n.parent >= 0) list[i].premultiply(list[n.parent]);
    if (far(given[i].elements, wanted[i].elements, 1e-4)) said.push(`${n.path} is written at ${text(given[i])}, not at ${text(wanted[i])}`);
    if (!still) continue;
    el.object3D.updateWorldMatrix(true, false);
    if (far(text(el.object3D.matrixWorld), text(wanted[i]), 1e-4)) said.push(`${n.path} is at ${text(el.object3D.matrixWorld)}, not at ${text(wanted[i])}`);
    if (n.geometry !== undefined && doc.geometries[n.geometry].kind !== "model" && !el.getObject3D("mesh")?.geometry.getAttribute("position")?.count) said.push(`${n.path} has no solid`);
  }
  const count = document.querySelectorAll("a-entity[id]").length;
  if (count !== nodes.length) said.push(`${count} entities for ${nodes.length} nodes`);
  if (!(scene.renderer.info.render.triangles > 0)) said.push("nothing is drawn");
  if (AFRAME.version !== "1.8.0") said.push(`the library is ${AFRAME.version}`);
  return said;
}

const look = (name) => document.querySelector(`[data-name="${name}"]`).getObject3D("mesh").material.color.getHexString();

// clicks uses the plates of probe_clicks.holo with a mouse, a key, and an event
// of an entity.
async function clicks(page) {
  const faults = [];
  const click = async (x) => page.mouse.click(160 + (x * 90) / (5 * Math.tan(Math.PI / 8)), 90);
  const becomes = async (what, name, want) => {
    await page.waitForFunction((n, c) => document.querySelector(`[data-name="${n}"]`).getObject3D("mesh").material.color.getHexString() === c, { timeout: 20000 }, name, want)
      .catch(async () => faults.push(`${what}: ${name} is ${await page.evaluate(look, name)}, not ${want}`));
  };
  if ((await page.evaluate(look, "Switch")) !== "ff0000") faults.push("the switch is lit from the start");
  await page.evaluate(() => {
    globalThis.heard = 0;
    document.querySelector('[data-name="Switch"]').addEventListener("click", () => { globalThis.heard++; });
  });
  await click(-1.6);
  await becomes("click", "Switch", "00ff00");
  await click(1.7);
  await becomes("machine", "Door", "00ffff");
  await page.keyboard.press("k");
  await becomes("key", "Keys", "ff00ff");
  await page.evaluate(() => document.querySelector('[data-name="Switch"]').emit("click"));
  await becomes("emit", "Switch", "ff0000");
  const state = await page.evaluate(() => {
    const { run } = document.querySelector("a-scene").components.running;
    return { taps: run.state("taps"), lit: run.state("lit", "Switch"), ghost: document.querySelector('[data-name="Ghost"]').object3D.visible, heard: globalThis.heard };
  });
  if (state.taps !== 2 || state.lit !== false || state.ghost || state.heard !== 2) faults.push(`after two clicks the state is ${JSON.stringify(state)}`);
  return faults;
}

// garden tends the flowers of spawned_garden.holo with the mouse.
const garden = (page) => tend({
  heads: () => page.evaluate(`(${heads})(document.querySelector("a-scene").object3D, document.querySelector("a-scene").camera, innerWidth, innerHeight)`),
  water: (h) => page.mouse.click(h.x, h.y),
  wait: () => page.evaluate(() => new Promise(requestAnimationFrame)),
});

for (const [i, file] of files.entries()) {
  const page = await browser.newPage(), said = [];
  page.on("console", (m) => { if ((m.type() === "error" || m.type() === "warn") && !/^RUN\d{3} /.test(m.text())) said.push(m.text()); }); // a fault of the source is none of the page
  page.on("pageerror", (e) => said.push(String(e)));
  await page.setViewport({ width: 320, height: 180 });
  await page.setRequestInterception(true);
  page.on("request", (r) => {
    if (/^(data|blob):|^http:\/\/127\.0\.0\.1/.test(r.url())) return r.continue();
    if (r.url() === "https://cdn.jsdelivr.net/npm/aframe@1.8.0/dist/aframe-v1.8.0.min.js") {
      return r.respond({ status: 200, contentType: "text/javascript", headers: { "Access-Control-Allow-Origin": "*" }, body: library });
    }
    said.push(`asks for ${r.url().slice(0, 100)}`);
    return r.abort();
  });
  try {
    await page.goto(`http://127.0.0.1:${server.address().port}/${i}`);
    await page.waitForFunction(() => {
      const scene = document.querySelector("a-scene");
      return scene?.components?.running?.run?.stage && scene.renderer.info.render.frame > 2;
    }, { timeout: 60000 });
    said.push(...(await page.evaluate(facts)));
    if (basename(dirname(file)) === "probe_clicks.holo") said.push(...(await clicks(page)));
    if (basename(dirname(file)) === "spawned_garden.holo") said.push(...[await garden(page)].filter(Boolean));
  } catch (e) {
    said.push(String(e).split("\n")[0]);
  }
  console.log(JSON.stringify({ file, ok: said.length === 0, message: said[0] ?? "" }));
  await page.close();
}
server.close();
await browser.close();

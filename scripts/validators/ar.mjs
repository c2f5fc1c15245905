// Opens AR pages in one Chromium with an emulated headset: a line of JSON for
// each file. The page shows its scene without AR, starts a session, sets the
// scene down where a hit test says, is held by an anchor, goes back to the view
// without AR, and enters again. An emulator proves this logic, not a headset.
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const iwer = readFileSync(join(import.meta.dirname, "node_modules", "iwer", "build", "iwer.js"), "utf8");
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking", "--force-prefers-reduced-motion"],
});

// install puts the emulator in the place of the browser's own WebXR, with a room
// that is a floor at y = 0.
function install() {
  class Room {
    constructor() {
      this.environmentCanvas = document.createElement("canvas");
      this.trackedPlanes = new Set();
      this.trackedMeshes = new Set();
      this.floor = true;
    }
    render() {}
    computeHitTestResults(m) { // a ray along -Z of a pose, on the floor
      const [ax, ay, az] = [-m[8], -m[9], -m[10]];
      if (!this.floor || ay > -1e-3) return [];
      const k = -m[13] / ay;
      const out = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, m[12] + ax * k, 0, m[14] + az * k, 1]);
      return [out];
    }
  }
  // The emulator takes the matrix of a transform where the standard, and every
  // browser, takes the transform.
  const { prototype } = globalThis.IWER.XRReferenceSpace, offset = prototype.getOffsetReferenceSpace;
  prototype.getOffsetReferenceSpace = function (transform) { return offset.call(this, transform.matrix); };
  // drift moves every anchor to the right, as a device does that learns more of a room.
  const own = globalThis.IWER.XRFrame.prototype.getPose;
  let right = 0;
  globalThis.drift = (x) => { right += x; };
  globalThis.IWER.XRFrame.prototype.getPose = function (space, base) {
    const pose = own.call(this, space, base);
    if (right === 0 || ![...this.trackedAnchors].some((a) => a.anchorSpace === space)) return pose;
    const { position: p, orientation } = pose.transform;
    return { transform: new globalThis.XRRigidTransform({ x: p.x + right, y: p.y, z: p.z, w: 1 }, orientation) };
  };
  const device = (globalThis.emulated = new globalThis.IWER.XRDevice(globalThis.IWER.metaQuest3));
  device.installSEM(Room);
  device.installRuntime({ forceInstall: true });
  device.stereoEnabled = true;
}

const facts = () => {
  const v = globalThis.meshdViewer;
  return { ...v.xr.facts, presenting: v.xr.renderer.xr.isPresenting, frames: v.frames, world: v.stage.built.world.visible, sky: v.stage.built.world.background !== null };
};

async function check(file) {
  const page = await browser.newPage();
  const faults = [], requests = [];
  const name = basename(dirname(file));
  page.on("console", (m) => { if (m.type() === "error" || m.type() === "warn") faults.push(m.text()); });
  page.on("pageerror", (e) => faults.push(String(e)));
  page.on("request", (r) => { if (!/^(data|blob):/.test(r.url())) requests.push(r.url()); });
  await page.setViewport({ width: 320, height: 180 });
  await page.evaluateOnNewDocument(`${iwer}\n(${install})();`);
  const until = async (what, test, ...args) => {
    try {
      await page.waitForFunction(test, { timeout: 15000 }, ...args);
      return true;
    } catch {
      faults.push(`${what}: ${JSON.stringify(await page.evaluate(facts).catch(String))}`);
      return false;
    }
  };
  const frames = async (n) => {
    const from = await page.evaluate(() => globalThis.meshdViewer.frames);
    await page.waitForFunction((f) => globalThis.meshdViewer.frames >= f, { timeout: 15000 }, from + n);
  };
  const trigger = async (value) => {
    await page.evaluate((v) => { globalThis.emulated.controllers.right.updateButtonValue("trigger", v); }, value);
    await frames(2);
  };
  try {
    await page.goto(pathToFileURL(file).href);
    if (!(await page.evaluate(() => navigator.xr instanceof globalThis.IWER.XRSystem))) faults.push("the emulator is not installed");
    await page.waitForFunction("globalThis.meshdViewer?.frames > 0", { timeout: 20000 });
    const before = await page.evaluate(() => ({ triangles: globalThis.meshdViewer.triangles, at: globalThis.meshdViewer.camera.position.toArray(), sky: globalThis.meshdViewer.stage.built.world.background !== null }));
    if (requests.length !== 1) faults.push(`${requests.length} requests: ${requests.slice(1, 3)}`);
    if (!(before.triangles > 0)) faults.push("nothing is drawn without AR");
    await until("no button for AR", () => document.querySelector("button.xr")?.textContent === "Enter AR");
    if (await page.evaluate(() => document.querySelectorAll("button.xr").length) !== 1) faults.push("there is another mode than AR");
    // No surface yet: nothing is shown, a selection sets nothing down.
    await page.evaluate(() => {
      globalThis.emulated.position.set(0, 1.6, 3);
      globalThis.emulated.quaternion.set(0.2, 0, 0, 0.98);
    });
    await page.evaluate(() => document.querySelector("button.xr").click()); // the emulator's own canvas lies over the page
    await until("no session", () => globalThis.meshdViewer.xr.renderer.xr.isPresenting);
    await until("no search for the floor", () => globalThis.meshdViewer.xr.facts.seeking && globalThis.meshdViewer.xr.facts.hits);
    await frames(2);
    await trigger(1);
    await trigger(0);
    const blind = await page.evaluate(facts);
    if (blind.world || blind.placed) faults.push(`a scene without a place is shown: ${JSON.stringify(blind)}`);
    if (blind.sky) faults.push("the sky hides the room");
    // The eye goes down to the floor, two metres ahead.
    const half = Math.atan2(1.6, 2) / 2;
    await page.evaluate((s, c) => { globalThis.emulated.quaternion.set(s, 0, 0, c); }, -Math.sin(half), Math.cos(half));
    await until("the scene is not where the hit test says", () => {
      const { at, seeking } = globalThis.meshdViewer.xr.facts;
      return seeking && Math.hypot(at[0], at[1], at[2] - 1) < 0.02 && globalThis.meshdViewer.stage.built.world.visible;
    });
    await trigger(1);
    await trigger(0);
    await until("a selection does not set the scene down", () => globalThis.meshdViewer.xr.facts.placed);
    const wanted = 1 + (await page.evaluate(() => (document.querySelector("main").dataset.anchors ?? "").split(" ").filter(Boolean).length));
    await until(`not ${wanted} anchors`, (n) => globalThis.meshdViewer.xr.facts.anchors === n, wanted);
    const down = await page.evaluate(() => {
      const camera = globalThis.meshdViewer.xr.renderer.xr.getCamera();
      return { eyes: camera.cameras.length, left: camera.cameras[0].matrixWorld.elements.slice(12, 15) };
    });
    if (down.eyes !== 2) faults.push(`${down.eyes} eyes`);
    // The eye is 1.6 m above and 2 m before the scene's own origin.
    if (Math.hypot(down.left[0] + 0.0315, down.left[1] - 1.6, down.left[2] - 2) > 0.03) faults.push(`the left eye is at ${down.left}`);
    // The device learns that its anchors are half a metre further right: so is the scene, its things stay what they are to each other.
    await page.evaluate(() => { globalThis.drift(0.5); });
    await until("the scene does not follow its anchor", () => Math.abs(globalThis.meshdViewer.xr.facts.at[0] - 0.5) < 0.01);
    await page.evaluate(() => { globalThis.drift(-0.5); });
    await until("the scene does not come back with its anchor", () => Math.abs(globalThis.meshdViewer.xr.facts.at[0]) < 0.01);
    if (name === "probe_clicks.holo") faults.push(...(await select(page, trigger, frames, until)));
    await page.evaluate(() => document.querySelector("button.xr").click()); // the emulator's own canvas lies over the page
    await until("the session does not end", () => !globalThis.meshdViewer.xr.renderer.xr.isPresenting);
    await until("the view without AR does not come back", (sky) => globalThis.meshdViewer.stage.built.world.visible && (globalThis.meshdViewer.stage.built.world.background !== null) === sky && document.querySelector("button.xr").textContent === "Enter AR", before.sky);
    await page.evaluate(() => document.querySelector("button.xr").click()); // the emulator's own canvas lies over the page
    await until("AR cannot be entered again", () => globalThis.meshdViewer.xr.renderer.xr.isPresenting && globalThis.meshdViewer.xr.facts.seeking);
  } catch (e) {
    faults.push(String(e).split("\n")[0]);
  }
  await page.close();
  return faults;
}

// select points the right hand at the switch and pulls the trigger.
async function select(page, trigger, frames, until) {
  const faults = [];
  // In the space of the room the switch is at (-1.6, 0, 1): the hand is before it.
  await page.evaluate(() => {
    const { right } = globalThis.emulated.controllers;
    right.position.set(-1.6, 0.1, 2.5);
    right.quaternion.set(0, 0, 0, 1);
  });
  await frames(2);
  await trigger(1);
  await trigger(0);
  await until("a selection does not click the switch", () => {
    const v = globalThis.meshdViewer, n = [...v.stage.nodes.values()].find((x) => x.name === "Switch");
    let colour = "";
    v.stage.built.byId.get(n.id).traverse((o) => { if (o.isMesh) colour ||= o.material.color.getHexString(); });
    return colour === "00ff00";
  });
  return faults;
}

for (const file of process.argv.slice(2)) {
  const faults = await check(file);
  console.log(JSON.stringify({ file, ok: faults.length === 0, message: faults.slice(0, 3).join("; ") }));
}
await browser.close();

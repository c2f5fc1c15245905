// Opens pages for a phone in a sleeve in one Chromium: a line of JSON for each
// file. The page shows its scene as any page does; after a click it draws one
// picture for each eye, which differ as two eyes do; the sensor turns the view,
// without leave or without a sensor fingers and keys do; a look that stays, or a
// tap, uses a thing; leaving brings the first view back. The sensor is the
// browser's own emulation: it proves this logic, not a phone.
import { basename, dirname } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking", "--force-prefers-reduced-motion"],
});

// halves are the pictures of both eyes: colours with their number and middle, how
// many pixels differ, and whether one is the other moved.
const halves = () => {
  const canvas = document.querySelector("canvas.view"), copy = document.createElement("canvas");
  copy.width = canvas.width;
  copy.height = canvas.height;
  const pen = copy.getContext("2d", { willReadFrequently: true });
  pen.drawImage(canvas, 0, 0);
  const half = Math.floor(copy.width / 2), out = [{}, {}];
  const { data, width } = pen.getImageData(0, 0, copy.width, copy.height);
  let differ = 0;
  for (let y = 0; y < copy.height; y++) {
    for (let x = 0; x < half; x++) {
      const of = (eye) => {
        const i = 4 * (y * width + eye * half + x);
        return "#" + [data[i], data[i + 1], data[i + 2]].map((v) => v.toString(16).padStart(2, "0")).join("");
      };
      const both = [of(0), of(1)];
      if (both[0] !== both[1]) differ++;
      both.forEach((c, eye) => {
        const o = (out[eye][c] ??= { n: 0, x: 0 });
        o.n++;
        o.x += x;
      });
    }
  }
  for (const e of out) for (const o of Object.values(e)) o.x /= o.n;
  return { left: out[0], right: out[1], differ, half };
};

const facts = () => globalThis.meshdViewer.sleeve;

async function check(file) {
  const page = await browser.newPage();
  const faults = [], requests = [], name = basename(dirname(file));
  page.on("console", (m) => { if (m.type() === "error" || m.type() === "warn") faults.push(m.text()); });
  page.on("pageerror", (e) => faults.push(String(e)));
  page.on("request", (r) => { if (!/^(data|blob):/.test(r.url())) requests.push(r.url()); });
  await page.setViewport({ width: 640, height: 300 });
  await page.evaluateOnNewDocument(() => {
    // What phones of one maker ask first, within the gesture of a person.
    globalThis.asked = [];
    globalThis.answer = "granted";
    DeviceOrientationEvent.requestPermission = () => {
      globalThis.asked.push(navigator.userActivation.isActive);
      return Promise.resolve(globalThis.answer);
    };
  });
  const until = async (what, test, ...args) => {
    try {
      await page.waitForFunction(test, { timeout: 20000, polling: "raf" }, ...args);
      return true;
    } catch {
      faults.push(`${what}: ${JSON.stringify(await page.evaluate(facts).catch(String))}`);
      return false;
    }
  };
  const frames = async (n) => {
    const from = await page.evaluate(() => globalThis.meshdViewer.frames);
    await page.waitForFunction((f) => globalThis.meshdViewer.frames >= f, { timeout: 20000, polling: "raf" }, from + n);
  };
  const enter = () => page.evaluate(() => document.querySelector("button.sleeve").getBoundingClientRect().toJSON()).then((b) => page.mouse.click(b.x + b.width / 2, b.y + b.height / 2));
  const sensor = await page.createCDPSession();
  const hold = (alpha, beta, gamma) => sensor.send("DeviceOrientation.setDeviceOrientationOverride", { alpha, beta, gamma });
  try {
    await page.goto(pathToFileURL(file).href);
    await page.waitForFunction("globalThis.meshdViewer?.frames > 0", { timeout: 20000 });
    const before = await page.evaluate(() => ({ triangles: globalThis.meshdViewer.triangles, at: globalThis.meshdViewer.camera.position.toArray(), turn: globalThis.meshdViewer.camera.quaternion.toArray(), eye: Number(document.querySelector("main").dataset.eye) }));
    if (requests.length !== 1) faults.push(`${requests.length} requests: ${requests.slice(1, 3)}`);
    if (!(before.triangles > 0)) faults.push("nothing is drawn outside of the sleeve");
    await hold(0, 90, 0); // upright, before the face
    await enter();
    await until("the page does not enter the sleeve", () => globalThis.meshdViewer.sleeve.inside);
    await until("the sensor is not heard", () => globalThis.meshdViewer.sleeve.sensor);
    await frames(2);
    if (String(await page.evaluate(() => globalThis.asked)) !== "true") faults.push("leave is not asked for within a gesture");
    const [left, right] = (await page.evaluate(facts)).eyes, apart = Math.hypot(...left.map((v, i) => v - right[i]));
    if (Math.abs(apart - 0.063) > 1e-4) faults.push(`the eyes are ${apart} m apart`);
    const both = await page.evaluate(halves);
    if (Object.keys(both.left).length < 2 || Object.keys(both.right).length < 2) faults.push("an eye sees one colour");
    if (both.differ === 0) faults.push("both eyes see the same");
    const forward = (await page.evaluate(facts)).ahead;
    // A turn of the phone to the left by 40 degrees turns the view so, at its height.
    await hold(40, 90, 0);
    await until("the sensor does not turn the view", (f) => {
      const a = globalThis.meshdViewer.sleeve.ahead, turn = Math.atan2(-a[0], -a[2]) - Math.atan2(-f[0], -f[2]);
      return Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn)) - (40 * Math.PI) / 180) < 0.02 && Math.abs(a[1]) < 0.02;
    }, forward);
    await hold(0, 120, 0); // tipped back by 30 degrees: up
    await until("the sensor does not lift the view", () => Math.abs(globalThis.meshdViewer.sleeve.ahead[1] - 0.5) < 0.02);
    await hold(0, 90, 0);
    await until("the view does not come back", (f) => globalThis.meshdViewer.sleeve.ahead.every((v, i) => Math.abs(v - (i === 1 ? 0 : f[i])) < 0.05), forward);
    if (name === "probe_clicks.holo") faults.push(...(await plates(page, hold, until, frames)));
    if (name === "thermostat.holo") faults.push(...(await controls(page, until, frames, hold)));
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/sleeve-${name}.png` });
    await page.keyboard.press("Escape");
    await until("the sleeve is not left", () => !globalThis.meshdViewer.sleeve.inside && document.querySelector(".sleeve-view").hidden);
    await until("the first view does not come back", (b) => {
      const { camera } = globalThis.meshdViewer;
      return [[camera.position.toArray(), b.at], [camera.quaternion.toArray(), b.turn]].every(([now, was]) => now.every((v, i) => Math.abs(v - was[i]) < 1e-6));
    }, before);
    // Without leave fingers and keys turn the view.
    await page.evaluate(() => { globalThis.answer = "denied"; });
    await enter();
    await until("nothing says that there is no sensor", () => globalThis.meshdViewer.sleeve.inside && /Drag or use the arrow keys/.test(document.querySelector(".sleeve-view .said").textContent));
    const still = (await page.evaluate(facts)).ahead;
    await page.keyboard.press("ArrowLeft");
    await until("a key does not turn the view", (a) => Math.hypot(...globalThis.meshdViewer.sleeve.ahead.map((v, i) => v - a[i])) > 0.05, still);
    const turned = (await page.evaluate(facts)).ahead;
    await page.mouse.move(200, 150);
    await page.mouse.down();
    await page.mouse.move(300, 150, { steps: 4 });
    await page.mouse.up();
    await until("a finger does not turn the view", (a) => Math.hypot(...globalThis.meshdViewer.sleeve.ahead.map((v, i) => v - a[i])) > 0.1, turned);
    const box = await page.evaluate(() => document.querySelector(".sleeve-view .leave").getBoundingClientRect().toJSON());
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await until("the button does not leave the sleeve", () => !globalThis.meshdViewer.sleeve.inside);
  } catch (e) {
    faults.push(String(e).split("\n")[0]);
  }
  await page.close();
  return faults;
}

// plates looks at the plates of probe_clicks.holo: one is used by looking, one by a
// tap, and both eyes see that, each from its place.
async function plates(page, hold, until, frames) {
  const faults = [];
  const see = async (what, colour, gone) => {
    for (let i = 0; i < 100; i++) {
      const now = await page.evaluate(halves);
      if ([now.left, now.right].every((e) => e[colour]?.n > 20 && !(gone && e[gone]?.n > 0))) return now;
      await frames(1);
    }
    faults.push(`${what}: both eyes do not see ${colour}${gone ? ` without ${gone}` : ""}`);
    return undefined;
  };
  const first = await see("the plates", "#ff0000");
  // What is near stands further left for the right eye: by the distance of the eyes
  // over that of the plate, in lengths of the picture's focus.
  if (first) {
    const moved = first.left["#ff0000"].x - first.right["#ff0000"].x, wanted = (0.063 / 5) * (150 / Math.tan((40 * Math.PI) / 180));
    if (!(Math.abs(moved - wanted) < 1)) faults.push(`the plate is moved by ${moved} pixels between the eyes, not ${wanted}`);
  }
  const at = (x) => (Math.atan2(-x, 5) * 180) / Math.PI;
  await hold(at(-1.6), 90, 0);
  await until("the look is not on the switch", () => [...globalThis.meshdViewer.stage.nodes.values()].find((n) => n.name === "Switch").id === globalThis.meshdViewer.sleeve.node);
  await until("the look does not fill the ring", () => globalThis.meshdViewer.sleeve.progress > 0);
  await see("a look that stays", "#00ff00", "#ff0000");
  await page.mouse.click(160, 150); // the button of the sleeve: anywhere on the glass
  await see("a tap", "#ff0000", "#00ff00");
  await hold(0, 150, 0); // up, at nothing
  await until("the look does not leave", () => globalThis.meshdViewer.sleeve.node === undefined);
  await hold(at(-1.6), 90, 0);
  await see("a second look", "#00ff00", "#ff0000");
  return faults;
}

// controls looks at the controls of thermostat.holo, which both eyes see.
async function controls(page, until, frames, hold) {
  const faults = [];
  const seen = await page.evaluate(() => [...document.querySelectorAll(".sleeve-view .eye")].map((eye) => eye.querySelectorAll(".panel button, .panel input, .panel select").length));
  if (seen.length !== 2 || !(seen[0] > 3) || seen[0] !== seen[1]) faults.push(`the eyes have ${seen} controls`);
  // The head turns until a button lies in the middle of the left eye.
  const way = () => page.evaluate(() => {
    const b = [...document.querySelectorAll(".sleeve-view .eye:first-child .panel button")].find((x) => x.textContent === "Warmer").getBoundingClientRect();
    const eye = document.querySelector(".sleeve-view .eye").getBoundingClientRect(), focal = innerHeight / 2 / Math.tan((40 * Math.PI) / 180);
    return { x: (b.x + b.width / 2 - eye.x - eye.width / 2 - (focal * 0.063) / 2 / 1.2) / focal, y: (b.y + b.height / 2 - eye.height / 2) / focal, gazed: [...document.querySelectorAll(".sleeve-view button.gazed")].filter((b) => b.textContent === "Warmer").length };
  });
  await hold(330, 75, 0);
  await frames(3);
  let alpha = 330, beta = 75, last = await way();
  for (let i = 0; i < 12 && last.gazed === 0; i++) {
    alpha -= (Math.atan(last.x) * 180) / Math.PI;
    beta -= (Math.atan(last.y) * 180) / Math.PI;
    await hold(((alpha % 360) + 360) % 360, beta, 0);
    await frames(4);
    last = await way();
  }
  if (last.gazed !== 2) faults.push(`a control looked at is marked for ${last.gazed} eyes: ${JSON.stringify(last)}`);
  const target = () => page.evaluate(() => [...document.querySelectorAll(".sleeve-view .eye")].map((e) => Number([...e.querySelectorAll("input[type=range]")][0].value)));
  const was = await target();
  await until("a look at a button does not press it", (v) => {
    const now = [...document.querySelectorAll(".sleeve-view .eye")].map((e) => Number(e.querySelector("input[type=range]").value));
    return now.every((x) => x > v);
  }, was[0]);
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/sleeve-controls.png` });
  return faults;
}

for (const file of process.argv.slice(2)) {
  const faults = await check(file);
  console.log(JSON.stringify({ file, ok: faults.length === 0, message: faults.slice(0, 4).join("; ") }));
}
await browser.close();

// Opens flat pages in one Chromium: a line of JSON for each file. axe-core finds
// nothing to say about a page, all its rules applied; the page makes no request,
// says nothing on its console, its focus goes through what can be used in the
// order of the document, and the controls of two examples do what they promise.
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";
import { tend } from "./garden.mjs";

const axe = readFileSync(join(import.meta.dirname, "node_modules", "axe-core", "axe.min.js"), "utf8");
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking", "--force-prefers-reduced-motion"],
});

// judge gives the violations of the page as it is now.
async function judge(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations, passes } = await globalThis.axe.run(document, { rules: { "target-size": { enabled: true } } });
    if (passes.length < 5) return ["axe judged nothing"];
    return violations.map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 120)}`);
  });
}

// focus goes through the page with Tab and says where it does not go.
async function focus(page) {
  const wanted = await page.evaluate(() => {
    const all = [...document.querySelectorAll("a[href], button, input, select, textarea, [tabindex]")].filter((e) => !e.disabled && e.tabIndex >= 0 && e.checkVisibility({ visibilityProperty: true }));
    all.forEach((e, i) => { e.dataset.order = i; });
    return Math.min(all.length, 12);
  });
  for (let i = 0; i < wanted; i++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => document.activeElement?.dataset.order);
    if (at !== String(i)) return [`Tab ${i + 1} goes to ${at}`];
  }
  return [];
}

const promises = {
  // A click, a machine, a key, a timeline, a handler that never ends.
  async "probe_clicks.holo"(page) {
    const faults = [];
    const until = (what, test, ...args) => page.waitForFunction(test, { timeout: 10000 }, ...args).catch(() => faults.push(what));
    const coloured = (name, colour) => [...document.querySelectorAll("button.face, div.face")].some((e) => (e.textContent === name || e.getAttribute("aria-label") === name) && getComputedStyle(e).backgroundColor === colour);
    const button = (name) => page.evaluateHandle((n) => [...document.querySelectorAll("button.face")].find((b) => b.textContent === n), name);
    await until("a timeline does not hide its node", () => [...document.querySelectorAll(".node[hidden]")].some((e) => e.querySelector("[aria-label=Ghost]")));
    await (await button("Switch")).click();
    await until("a click does not colour the switch", coloured, "Switch", "rgb(0, 255, 0)");
    await until("a click does not change the text", () => document.querySelector(".live").textContent === "tapped 1");
    await (await button("Door")).focus();
    await page.keyboard.press("Enter");
    await until("Enter does not open the door", coloured, "Door", "rgb(0, 255, 255)");
    await page.keyboard.press("k");
    await until("a key is not heard", coloured, "Keys", "rgb(255, 0, 255)");
    await (await button("Trap")).click();
    await until("a handler that never ends is not named with its place", () => /RUN001.*line \d+, column \d+/.test(document.querySelector("main").textContent));
    await until("what a faulting handler wrote stays", coloured, "Trap", "rgb(255, 255, 0)");
    return faults;
  },
  // Copies of a template that the page has not: each has its own state.
  async "spawned_garden.holo"(page) {
    const fault = await tend({
      heads: () => page.evaluate(() => [...document.querySelectorAll("button.face")].filter((b) => b.textContent.startsWith("Head")).map((b) => b.parentElement).map((n) => ({ id: n.id, size: new DOMMatrix(n.style.transform).a }))),
      water: async (h) => (await page.$(`#${h.id} > button`)).click(),
      wait: () => page.evaluate(() => new Promise(requestAnimationFrame)),
    });
    return fault ? [fault] : [];
  },
  // Every kind of control, bound to one state.
  async "thermostat.holo"(page) {
    const faults = [];
    const until = (what, test, ...args) => page.waitForFunction(test, { timeout: 10000 }, ...args).catch(() => faults.push(what));
    const says = (text) => [...document.querySelectorAll(".ui p")].some((p) => p.textContent === text);
    const labelled = (text) => page.evaluateHandle((t) => [...document.querySelectorAll(".ui label")].find((l) => l.firstChild.textContent === t)?.querySelector("input, select"), text);
    await until("a text is not bound to what it shows", says, "17 °C of 20 °C");
    const warmer = await page.evaluateHandle(() => [...document.querySelectorAll(".ui button")].find((b) => b.textContent === "Warmer"));
    await warmer.click();
    await until("a button does not change a text", says, "17 °C of 20.5 °C");
    await (await labelled("Target")).focus();
    await page.keyboard.press("End");
    await until("a slider does not change a text", says, "17 °C of 28 °C");
    await (await labelled("Holiday")).focus();
    await page.keyboard.press("Space");
    await until("a toggle is not set by a key", () => [...document.querySelectorAll(".ui input[type=checkbox]")][0].checked);
    const mode = () => [...document.querySelectorAll(".ui select")][0].value;
    await (await page.evaluateHandle(() => document.querySelector("button.face"))).click();
    await page.waitForFunction(() => [...document.querySelectorAll(".ui select")][0].value === "day", { timeout: 10000 }).catch(async () => faults.push(`a click on the thing leaves the mode ${await page.evaluate(mode)}`));
    const name = await labelled("Name");
    await name.focus();
    await page.keyboard.type("x");
    await page.keyboard.press("Enter");
    await until("Enter leaves the field", () => document.activeElement?.value?.includes("x"));
    return faults;
  },
};

async function check(file) {
  const page = await browser.newPage();
  const faults = [], requests = [];
  page.on("console", (m) => { if (m.type() === "error" || m.type() === "warn") faults.push(m.text()); });
  page.on("pageerror", (e) => faults.push(String(e)));
  page.on("request", (r) => { if (!/^(data|blob):/.test(r.url())) requests.push(r.url()); });
  await page.setViewport({ width: 1024, height: 720 });
  try {
    await page.goto(pathToFileURL(file).href);
    await page.waitForFunction("globalThis.meshdPage?.frames > 0", { timeout: 20000 });
    faults.push(...(await judge(page)), ...(await focus(page)));
    if (requests.length !== 1) faults.push(`${requests.length} requests: ${requests.slice(1, 3)}`);
    const promise = promises[basename(dirname(file))];
    if (promise && faults.length === 0) faults.push(...(await promise(page)), ...(await judge(page)));
  } catch (e) {
    faults.push(String(e).split("\n")[0]);
  }
  await page.close();
  return faults;
}

for (const file of process.argv.slice(2)) {
  const faults = await check(file);
  console.log(JSON.stringify({ file, ok: faults.length === 0, message: faults.slice(0, 3).join("; ") }));
}
await browser.close();

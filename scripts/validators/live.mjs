// Opens pages with live data in one Chromium, before feeds of its own: a line of
// JSON for each file. Every page asks what its source names and nothing else; one
// without an endpoint says so. Of live_mill.holo more is known: its values arrive,
// what follows from them is seen, spoilt ones are refused and counted, what is late
// is marked, and comes back. Hosts of .example all lead to the one server here, others to nobody.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, dirname } from "node:path";
import puppeteer from "puppeteer-core";

const files = process.argv.slice(2);

// feed is what the endpoints of live_mill.holo tell now.
const good = () => ({
  away: false, status: 200, twin: JSON.stringify({ "mill-1": { rpm: 12, grain: 40 }, "bell-1": { bearing_heat: 20 } }),
  wind: JSON.stringify({ wind: { speed: 36 }, text: "36 km/h" }), gate: JSON.stringify({ position: [3, 0.5, 0] }),
});
let feed = good(), asked = [];
const sockets = new Set(), streams = new Set(), open = new Set();

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://localhost"), host = request.headers.host;
  const page = host.startsWith("page.example") && /^\/(\d+)$/.exec(pathname);
  if (page) return response.setHeader("Content-Type", "text/html; charset=utf-8").end(readFileSync(files[page[1]]));
  asked.push({ host, path: request.url, told: ["cookie", "referer", "authorization"].filter((h) => request.headers[h] !== undefined) });
  if (feed.away) return request.socket.destroy();
  response.setHeader("Access-Control-Allow-Origin", "*");
  if (feed.status === 302) return response.writeHead(302, { Location: "/other" }).end();
  if (pathname === "/twin.json") return response.setHeader("Content-Type", "application/json").end(feed.twin);
  if (pathname === "/wind") {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    streams.add(response);
    response.on("close", () => streams.delete(response));
    return;
  }
  response.writeHead(404).end();
});
server.on("connection", (s) => { open.add(s); s.on("close", () => open.delete(s)); });
server.on("upgrade", (request, socket) => {
  asked.push({ host: request.headers.host, path: request.url, told: ["cookie", "authorization"].filter((h) => request.headers[h] !== undefined) });
  if (feed.away || request.url !== "/gate") return socket.destroy();
  const key = createHash("sha1").update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`);
  sockets.add(socket);
  socket.on("error", () => {});
  socket.on("close", () => sockets.delete(socket));
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));

// tell speaks to whoever listens, ten times a second.
const tell = setInterval(() => {
  if (feed.away) return;
  for (const s of streams) s.write(`data: ${feed.wind}\n\n`);
  for (const s of sockets) {
    const text = Buffer.from(feed.gate);
    s.write(Buffer.concat([Buffer.from(text.length < 126 ? [0x81, text.length] : [0x81, 126, text.length >> 8, text.length & 255]), text]));
  }
}, 100);

// leave is what an endpoint does that goes away.
function leave() {
  feed.away = true;
  for (const s of open) s.destroy();
}

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking", "--force-prefers-reduced-motion",
    `--host-resolver-rules=MAP *.example 127.0.0.1:${server.address().port},MAP * ~NOTFOUND`],
});

// seen are the colours of the picture: how many pixels, and their middle.
const seen = () => {
  const canvas = document.querySelector("canvas"), copy = document.createElement("canvas"), out = {};
  copy.width = canvas.width;
  copy.height = canvas.height;
  const pen = copy.getContext("2d");
  pen.drawImage(canvas, 0, 0);
  const { data } = pen.getImageData(0, 0, copy.width, copy.height);
  for (let i = 0; i < data.length; i += 4) {
    const c = "#" + [data[i], data[i + 1], data[i + 2]].map((v) => v.toString(16).padStart(2, "0")).join("");
    const o = (out[c] ??= { n: 0, y: 0 });
    o.n++;
    o.y += Math.floor(i / 4 / copy.width);
  }
  for (const o of Object.values(out)) o.y /= o.n;
  return out;
};

async function mill(page, said) {
  const faults = [];
  const until = async (what, test, ...args) => {
    try {
      await page.waitForFunction(test, { timeout: 20000, polling: "raf" }, ...args);
      return true;
    } catch {
      faults.push(`${what}: ${JSON.stringify(await page.evaluate(() => globalThis.meshdViewer.live).catch(String))}`);
      return false;
    }
  };
  const colour = async (what, c, least = 15) => {
    for (let i = 0; i < 200; i++) {
      const now = await page.evaluate(seen);
      if (now[c]?.n > least) return now[c];
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    faults.push(`${what}: no pixels of ${c}`);
    return { n: 0, y: NaN };
  };
  const value = (key) => page.evaluate((k) => globalThis.meshdViewer.live.find((b) => b.key === k).value, key);
  const lettered = () => page.evaluate(() => {
    const v = globalThis.meshdViewer, out = {};
    for (const name of ["Speed", "Grain"]) {
      const n = [...v.stage.nodes.values()].find((x) => x.name === name);
      v.stage.built.byId.get(n.id).traverse((o) => { if (o.userData.letters) out[name] = o.material.map.image.width; });
    }
    return out;
  });
  const words = () => page.evaluate(() => document.querySelector(".live-data").textContent);

  await until("values do not arrive", () => globalThis.meshdViewer.live.every((b) => b.fresh === "live" && b.taken > 0));
  if (await page.evaluate(() => globalThis.meshdViewer.live.length) !== 6) faults.push("not six live values");
  await until("a mark stays", () => globalThis.meshdViewer.marks === 0);
  await colour("a fair wind", "#00aa44");
  const low = await colour("the gate", "#ff00ff", 40);
  const before = await lettered();
  const angle = () => page.evaluate(() => {
    const v = globalThis.meshdViewer, n = [...v.stage.nodes.values()].find((x) => x.name === "Sails");
    return v.stage.built.byId.get(n.id).quaternion.toArray();
  });
  const was = await angle();
  await until("the sails do not turn", (q) => {
    const v = globalThis.meshdViewer, n = [...v.stage.nodes.values()].find((x) => x.name === "Sails");
    return v.stage.built.byId.get(n.id).quaternion.toArray().some((x, i) => Math.abs(x - q[i]) > 0.02);
  }, was);

  // Other values: what follows from them is seen.
  feed.wind = JSON.stringify({ wind: { speed: 72 }, text: "72 km/h, a storm" });
  feed.gate = JSON.stringify({ position: { x: 3, y: 1.6, z: 0 } });
  feed.twin = JSON.stringify([{ id: "mill-1", rpm: 30, grain: 1234 }, { id: "bell-1", value: 95 }]);
  await colour("a storm", "#ff0000");
  await colour("an alert", "#0000ff");
  await until("the gate does not rise", () => globalThis.meshdViewer.live.find((b) => b.key === "position").value?.[1] === 1.6);
  const after = await lettered();
  for (const name of ["Speed", "Grain"]) if (!(after[name] > before[name])) faults.push(`the label ${name} does not change: ${before[name]} ${after[name]}`);
  const up = await colour("the gate above", "#ff00ff", 40);
  if (!(up.y < low.y - 3)) faults.push(`the gate is at ${up.y} of ${low.y}`);

  // Spoilt values are refused and counted, never shown or run.
  feed.twin = JSON.stringify({ "mill-1": { rpm: "<img src=x onerror=alert(1)>", grain: { toString: "alert(1)" } }, "bell-1": null });
  feed.gate = JSON.stringify({ position: [1, 2] });
  feed.wind = "alert(1) // no JSON";
  await until("spoilt values are not refused", () => {
    const { live, refused } = globalThis.meshdViewer;
    return ["rpm", "grain", "position"].every((k) => live.find((b) => b.key === k).refused > 0) && refused[1] > 0;
  });
  if (await value("rpm") !== 30 || await value("grain") !== 1234 || (await value("position"))[1] !== 1.6) faults.push("a spoilt value is taken");
  await until("what is refused is not shown", () => /refused "<img src=x/.test(document.querySelector(".live-data").textContent) && /\d+ messages? refused/.test(document.querySelector(".live-data").textContent));
  if (await page.evaluate(() => document.querySelectorAll(".live-data img, .live-data script").length) > 0) faults.push("a value became an element");
  feed.twin = `{"mill-1":{"rpm":5},"deep":${"[".repeat(40)}${"]".repeat(40)}}`;
  await until("a deep message is not refused", () => globalThis.meshdViewer.refused[0] > 0);
  // Values that are only refused become stale, for nothing new came.
  await until("refused values do not become stale", () => globalThis.meshdViewer.live.every((b) => b.fresh === "stale"));
  feed = good();
  await until("good values are not taken after spoilt ones", () => globalThis.meshdViewer.live.every((b) => b.fresh === "live") && globalThis.meshdViewer.marks === 0);

  // Nothing that the source did not name can be reached, by nobody.
  asked = [];
  const reached = await page.evaluate(async () => {
    const tried = ["http://mill.example/other", "http://mill.example/twin.json/more", "http://other.example/twin.json", "http://page.example/0"];
    const out = [];
    for (const u of tried) await fetch(u).then(() => out.push(u), () => {});
    for (const u of ["ws://mill.example/other", "ws://other.example/gate"]) {
      await new Promise((done) => {
        try {
          const s = new WebSocket(u);
          s.onopen = () => { out.push(u); done(); };
          s.onerror = done;
        } catch {
          done();
        }
      });
    }
    return out;
  });
  if (reached.length > 0) faults.push(`reached ${reached}`);
  feed.status = 302; // an endpoint that leads elsewhere is away
  await until("a redirect is not an endpoint that is away", () => globalThis.meshdViewer.live.find((b) => b.key === "rpm").fresh === "stale");
  feed.status = 200;
  await until("not back after a redirect", () => globalThis.meshdViewer.live.every((b) => b.fresh === "live"));
  const strange = asked.filter((a) => a.host !== "mill.example" || !["/twin.json", "/wind", "/gate"].includes(a.path));
  if (strange.length > 0) faults.push(`asked ${strange[0].host}${strange[0].path}`);
  if (asked.some((a) => a.told.length > 0)) faults.push("a question carries who asks");

  // The endpoint goes away: every bound thing is marked, in words too.
  leave();
  await until("stale values are not marked", () => {
    const rows = [...document.querySelectorAll(".live-data li")];
    return globalThis.meshdViewer.marks === 5 && rows.length === 6 && rows.every((r) => r.dataset.state === "stale" && /stale for \d+ s/.test(r.textContent));
  });
  await colour("the marks", "#ffb000", 30);
  if (!/stale/.test(await page.evaluate(() => document.querySelector("[role=status]").textContent))) faults.push("nobody is told that values are stale");
  if (!/no answer|closed|ended/.test(await words())) faults.push(`no reason: ${await words()}`);
  if (await value("rpm") !== 12) faults.push("a stale value is not kept");
  feed = good();
  await until("live values do not come back", () => globalThis.meshdViewer.live.every((b) => b.fresh === "live") && globalThis.meshdViewer.marks === 0);
  if (said.some((t) => !/net::|WebSocket|Content Security Policy|violates|CORS|Failed to load|Fetch API/.test(t))) faults.push(said.find((t) => !/net::|WebSocket|Content Security Policy|violates|CORS|Failed to load|Fetch API/.test(t)));
  return faults;
}

async function check(file, index) {
  const page = await browser.newPage();
  const faults = [], said = [], requests = [];
  const name = basename(dirname(file));
  page.on("console", (m) => { if (m.type() === "error" || m.type() === "warn") said.push(m.text()); });
  page.on("pageerror", (e) => faults.push(String(e)));
  page.on("dialog", (d) => { faults.push("a dialog"); void d.dismiss(); });
  page.on("request", (r) => { if (!/^(data|blob):/.test(r.url())) requests.push(r.url()); });
  await page.setViewport({ width: 480, height: 270 });
  feed = good();
  asked = [];
  try {
    await page.goto(`http://page.example/${index}`);
    await page.waitForFunction("globalThis.meshdViewer?.frames > 0", { timeout: 20000 });
    const facts = await page.evaluate(() => ({
      triangles: globalThis.meshdViewer.triangles, live: globalThis.meshdViewer.live.length, words: document.querySelector(".live-data").textContent,
      feeds: JSON.parse(document.querySelector("main").dataset.live).feeds.map((f) => f.address),
      policy: document.querySelector("meta[http-equiv]").content,
    }));
    if (!(facts.triangles > 0)) faults.push("nothing is drawn");
    const colours = await page.evaluate(seen);
    if (Object.keys(colours).length < 2) faults.push("the picture has one colour");
    const allowed = /connect-src ([^;]*)/.exec(facts.policy)[1], wanted = [...new Set(facts.feeds.map((f) => f.replace(/[?#].*/, "")))].join(" ") || "'none'";
    if (allowed !== wanted) faults.push(`the policy allows ${allowed}`);
    if (facts.feeds.length === 0) {
      if (!/No live data/.test(facts.words)) faults.push("a page without an endpoint does not say so");
      if (requests.length !== 1 || asked.length > 0) faults.push(`${requests.length} requests: ${requests.slice(1, 3)} ${asked.slice(0, 2).map((a) => `${a.host}${a.path}`)}`);
      faults.push(...said.slice(0, 1));
    }
    if (name === "live_mill.holo") faults.push(...(await mill(page, said)));
  } catch (e) {
    faults.push(String(e).split("\n")[0]);
  }
  await page.close();
  return faults;
}

for (const [i, file] of files.entries()) {
  const faults = await check(file, i);
  console.log(JSON.stringify({ file, ok: faults.length === 0, message: faults.slice(0, 4).join("; ") }));
}
clearInterval(tell);
for (const s of open) s.destroy();
server.close();
await browser.close();

// Opens pages of the html target and keeps what they show: page.html.png.
//   node parity.mjs width height page.html …
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const [width, height, ...files] = process.argv.slice(2);
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking", "--force-prefers-reduced-motion"],
});
const page = await browser.newPage();
await page.setViewport({ width: Number(width), height: Number(height) });
for (const file of files) {
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction("globalThis.meshdViewer?.frames > 0 && meshdViewer.ready", { timeout: 20000 });
  const data = await page.evaluate(() => document.querySelector("canvas").toDataURL("image/png"));
  writeFileSync(`${file}.png`, Buffer.from(data.slice(data.indexOf(",") + 1), "base64"));
  console.log(JSON.stringify({ file, ok: true, message: "" }));
}
await browser.close();

// Opens pages of the html target and keeps what people see of them, controls
// included: page.html.png.
//   node gallery.mjs width height page.html …
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const [width, height, ...files] = process.argv.slice(2);
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking", "--force-prefers-reduced-motion"],
});
const page = await browser.newPage();
page.on("pageerror", (e) => { throw e; });
// Small pictures are of a window as large as others, so that the page is laid out as there.
const share = Number(width) < 800 ? 2 : 1;
await page.setViewport({ width: width * share, height: height * share, deviceScaleFactor: 1 / share });
for (const file of files) {
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction("globalThis.meshdViewer?.frames > 0 && meshdViewer.ready", { timeout: 60000 });
  await page.screenshot({ path: `${file}.png` });
}
await browser.close();

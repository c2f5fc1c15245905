// Builds ../viewer.js, ../viewer.LICENSES.txt, the runtime.js of the targets for
// hosts, ../../ar/viewer.js, ../../vrr/viewer.js, ../../sleeve/viewer.js, ../../interpreter/interpreter.js, ../../native2d/page.js and
// page.css, and ../../webgpu/app/runtime.js. Run with npm ci && npm run build.
import { build } from "esbuild";
import { trim } from "./trim.mjs";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";

const viewer = (entry) => build({
  entryPoints: [entry],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  legalComments: "none",
  charset: "ascii",
  metafile: true,
  mangleProps: /^_/, // what the library calls private
  plugins: [trim],
  write: false,
});
const result = await viewer("src/main.ts"), ar = await viewer("src/ar/main.ts"), live = await viewer("src/live/main.ts"), sleeve = await viewer("src/sleeve/main.ts");
// The text stands in a script element, which must not end early.
const inside = (text) => text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const code = inside(result.outputFiles[0].text);
writeFileSync("../viewer.js", code);
writeFileSync("../../ar/viewer.js", inside(ar.outputFiles[0].text));
writeFileSync("../../vrr/viewer.js", inside(live.outputFiles[0].text));
writeFileSync("../../sleeve/viewer.js", inside(sleeve.outputFiles[0].text));

// The runtimes of targets for hosts leave the library to the host.
const runtimes = [
  ["threejs", "src/module.ts", ["three", "three/*"]],
  ["babylon", "src/babylon/module.ts", ["@babylonjs/*"]],
  ["playcanvas", "src/playcanvas/module.ts", ["playcanvas"]],
];
for (const [target, entry, external] of runtimes) {
  const module = await build({
    entryPoints: [entry], bundle: true, minify: false, format: "esm", target: "es2022", charset: "ascii", external, write: false,
  });
  writeFileSync(`../../${target}/runtime.js`, module.outputFiles[0].text);
}

// The runtime of the r3f target, with its types.
const fiber = await build({
  entryPoints: ["src/fiber.ts"], bundle: true, minify: false, format: "esm", target: "es2022", charset: "ascii", external: ["three", "three/*", "react", "@react-three/fiber"], write: false,
});
writeFileSync("../../r3f/runtime.js", fiber.outputFiles[0].text);
writeFileSync("../../r3f/runtime.d.ts", readFileSync("src/component.d.ts"));

// The runtime of the aframe target stands in the page, which names a library that
// has the 3D library inside.
const named = {
  name: "named",
  setup(b) {
    b.onResolve({ filter: /^three($|\/)/ }, () => ({ path: "three", namespace: "named" }));
    b.onLoad({ filter: /.*/, namespace: "named" }, () => ({ contents: "module.exports = AFRAME.THREE;", loader: "js" }));
  },
};
const entities = await build({
  entryPoints: ["src/entities.ts"], bundle: true, minify: true, format: "iife", target: "es2022", charset: "ascii", legalComments: "none", plugins: [named], write: false,
});
writeFileSync("../../aframe/runtime.js", inside(entities.outputFiles[0].text));

// The interpreter of program/1 alone, for all web targets: it imports nothing.
const interpreter = await build({
  entryPoints: ["src/runtime.ts"], bundle: true, minify: true, format: "esm", target: "es2022", charset: "ascii", legalComments: "none", write: false,
});
writeFileSync("../../interpreter/interpreter.js", interpreter.outputFiles[0].text);

// The flat page brings no library at all.
const flat = await build({
  entryPoints: ["src/flat/main.ts"], bundle: true, minify: true, format: "iife", target: "es2022", charset: "ascii", legalComments: "none", metafile: true, write: false,
});
const strange = Object.keys(flat.metafile.inputs).filter((input) => input.includes("node_modules"));
if (strange.length > 0) throw new Error(`the flat page brings ${strange}`);
writeFileSync("../../native2d/page.js", inside(flat.outputFiles[0].text));
const sheet = await build({ entryPoints: ["src/flat/page.css"], minify: true, write: false });
writeFileSync("../../native2d/page.css", sheet.outputFiles[0].text);

// The running scene without any engine, for targets that draw by themselves.
const running = await build({
  entryPoints: ["src/engine.ts"], bundle: true, minify: true, format: "esm", target: "es2022", charset: "ascii", legalComments: "none", write: false,
});
writeFileSync("../../webgpu/app/runtime.js", running.outputFiles[0].text);

// Every bundled package comes with its licence; one without stops the build.
const packages = new Set();
for (const input of [result, ar, live, sleeve].flatMap((r) => Object.keys(r.metafile.inputs))) {
  const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (match) packages.add(match[1]);
}
let notices = "";
for (const name of [...packages].sort()) {
  const dir = `node_modules/${name}`;
  const file = readdirSync(dir).find((f) => /^licen[cs]e/i.test(f));
  if (!file || !existsSync(`${dir}/${file}`)) throw new Error(`${name} has no licence text`);
  const { version } = JSON.parse(readFileSync(`${dir}/package.json`, "utf8"));
  notices += `${name} ${version}\n\n${readFileSync(`${dir}/${file}`, "utf8").trim()}\n\n`;
}
writeFileSync("../viewer.LICENSES.txt", notices.trimEnd() + "\n");
console.log(`viewer.js ${code.length} bytes, packages: ${[...packages].sort().join(", ")}`);

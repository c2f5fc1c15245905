// Builds what the web targets run: parts that several of them have in common and a
// thin adapter for each, which package lang/target/bundle joins when a scene is
// compiled. What was built of what stands in lang/target/bundle/built.txt, which a
// test of that package reads. Run with npm ci && npm run build.
//
// Parts, each a file in lang/target/bundle:
//   core    what all need: the interpreter, the bodies, the scene that runs
//   scene   what needs no 3D library and those that have one share: solids, pointers, controls
//   host    what the modules for hosts share besides
//   viewer  the viewer of pages, with its 3D library
import { build } from "esbuild";
import { trim } from "./trim.mjs";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const named = { // in a page that names a library which has the 3D library inside
  name: "named",
  setup(b) {
    b.onResolve({ filter: /^three($|\/)/ }, () => ({ path: "three", namespace: "named" }));
    b.onLoad({ filter: /.*/, namespace: "named" }, () => ({ contents: "module.exports = AFRAME.THREE;", loader: "js" }));
  },
};

// The adapters, below lang/target, with the parts that they stand on; external are
// the libraries that a host brings.
const [bare, hosted, viewed] = [["core"], ["core", "scene", "host"], ["core", "scene", "viewer"]];
const adapters = [
  { to: "html/adapter.js", from: "src/main.ts", parts: viewed },
  { to: "ar/adapter.js", from: "src/ar/main.ts", parts: viewed },
  { to: "vrr/adapter.js", from: "src/live/main.ts", parts: viewed },
  { to: "sleeve/adapter.js", from: "src/sleeve/main.ts", parts: viewed },
  { to: "native2d/adapter.js", from: "src/flat/main.ts", parts: bare },
  { to: "aframe/adapter.js", from: "src/entities.ts", parts: hosted, plugins: [named] },
  { to: "threejs/adapter.js", from: "src/module.ts", parts: hosted, external: ["three", "three/*"] },
  { to: "r3f/adapter.js", from: "src/fiber.ts", parts: hosted, external: ["three", "three/*", "react", "@react-three/fiber"] },
  { to: "babylon/adapter.js", from: "src/babylon/module.ts", parts: hosted, external: ["@babylonjs/*"] },
  { to: "playcanvas/adapter.js", from: "src/playcanvas/module.ts", parts: hosted, external: ["playcanvas"] },
  { to: "webgpu/adapter.js", from: "src/engine.ts", parts: bare },
  { to: "bundle/testdata/adapter.js", from: "src/bare.ts", parts: bare },
];
const options = { bundle: true, minify: true, format: "esm", target: "es2022", charset: "ascii", legalComments: "none", metafile: true, write: false };

// graph says which modules of ours each entry needs, and which need a library.
const whole = await build({
  ...options, entryPoints: adapters.map((a) => a.from), outdir: "none", external: ["three", "three/*", "react", "@react-three/fiber", "@babylonjs/*", "playcanvas"],
});
const graph = whole.metafile.inputs;
function closure(from, into = new Set()) {
  if (into.has(from) || !graph[from]) return into;
  into.add(from);
  for (const i of graph[from].imports) if (!i.external) closure(i.path, into);
  return into;
}
const free = (path) => [...closure(path)].every((p) => graph[p].imports.every((i) => !i.external));
const entries = new Set(adapters.map((a) => a.from));
const own = Object.keys(graph).filter((p) => !entries.has(p)).sort();
const users = (path, parts) => adapters.filter((a) => (!parts || a.parts === parts) && closure(a.from).has(path));
const targets = adapters.filter((a) => !a.to.includes("testdata"));
const modules = {};
modules.core = own.filter((p) => free(p) && targets.every((a) => closure(a.from).has(p)));
modules.scene = own.filter((p) => free(p) && !modules.core.includes(p) && closure("src/main.ts").has(p) && users(p, hosted).length > 0);
modules.host = own.filter((p) => free(p) && !modules.core.includes(p) && !modules.scene.includes(p) && users(p, hosted).length > 1);
modules.viewer = [...own.filter((p) => !Object.values(modules).some((m) => m.includes(p)) && users(p, viewed).length > 1), "three"];
const ours = Object.values(modules).flat().filter((p) => p !== "three");
for (const p of ours) if (/^export (let|var) /m.test(readFileSync(p, "utf8"))) throw new Error(`${p} exports what changes; parts take each other's names once`);

// parted leaves out the modules that stand in other parts.
const parted = (...parts) => ({
  name: "parted",
  setup(b) {
    b.onResolve({ filter: /^(\.|three$)/ }, ({ path, resolveDir, kind }) => {
      if (kind === "entry-point") return undefined;
      const found = path === "three" ? path : relative(process.cwd(), join(resolveDir, path));
      for (const part of parts) if (modules[part].includes(found)) return { path: `meshd:${part}/${found}`, external: true };
      return undefined;
    });
  },
});

// taken are the names that texts take from the modules of a part, by module.
const taken = {};
const importing = /import\s*\{([^}]*)\}\s*from\s*"meshd:(\w+)\/([^"]+)";?/g;
const pairs = (list) => list.split(",").map((n) => n.trim().split(/\s+as\s+/)).filter(([name]) => name);

// built is a text before it is linked; it says what it takes from other parts.
async function built(more) {
  const result = await build({ ...options, ...more }), { text } = result.outputFiles[0];
  for (const [, list, part, module] of text.matchAll(importing)) for (const [name] of pairs(list)) ((taken[part] ??= {})[module] ??= new Set()).add(name);
  return { result, text };
}

// keys are the short names by which a part gives what others take.
const keys = {};
function key(part, name) {
  keys[part] ??= Object.values(taken[part]).flatMap((s) => [...s]).sort();
  if (new Set(keys[part]).size !== keys[part].length) throw new Error(`two modules of ${part} give the same name: ${keys[part].join(" ")}`);
  return `_${keys[part].indexOf(name).toString(36)}`;
}

// linked is a text with its imports from other parts as constants.
function linked(text) {
  const out = text.replace(importing, (_, list, part) => `const{${pairs(list).map(([name, as]) => `${key(part, name)}:${as ?? name}`).join(",")}}=meshd$${part};`);
  if (out.includes('"meshd:')) throw new Error("an import from another part is not understood");
  return out;
}

// part builds what others take from a part, as a text that keeps its names to itself.
async function part(name, more) {
  const contents = Object.keys(taken[name]).sort().map((module) => `export { ${[...taken[name][module]].sort().join(", ")} } from "${module === "three" ? module : `./${module}`}";`).join("\n");
  return built({ ...more, stdin: { contents, resolveDir: process.cwd(), sourcefile: `${name}.ts`, loader: "ts" } });
}
const closed = (name, text) => `const meshd$${name}=(()=>{${linked(text).replace(/export\{([^}]*)\};?\s*$/, (_, list) => `return{${pairs(list).map(([own, as]) => `${key(name, as ?? own)}:${own}`).join(",")}};`)}})();\n`;

const written = {};
// The text may stand in a script element, which must not end early.
const inside = (text) => text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const write = (to, text) => { writeFileSync(`../../${to}`, text); written[to] = text; };

const texts = {};
for (const a of adapters) {
  const { result, text } = await built({
    entryPoints: [a.from], external: a.external ?? [], minify: !a.external, plugins: [parted(...a.parts), ...(a.plugins ?? [])],
  });
  const strange = Object.keys(result.metafile.inputs).filter((input) => input.includes("node_modules"));
  if (strange.length > 0) throw new Error(`${a.to} brings ${strange}`);
  texts[a.to] = text;
}
// From above to below: a part is what those above it take.
const viewer = await part("viewer", { plugins: [parted("core", "scene"), trim], mangleProps: /^_/ }); // what the library calls private
const host = await part("host", { plugins: [parted("core", "scene")] });
const scene = await part("scene", { plugins: [parted("core")] });
const core = await part("core", {});
for (const a of adapters) write(a.to, inside(linked(texts[a.to])));
for (const [name, { text }] of Object.entries({ core, scene, host, viewer })) write(`bundle/${name}.js`, inside(closed(name, text)));
const sheet = await build({ entryPoints: ["src/flat/page.css"], minify: true, write: false });
write("native2d/page.css", sheet.outputFiles[0].text);
// The rules of staging by themselves, for the test that compares them with those in Go.
const staged = await build({ ...options, minify: false, stdin: { contents: 'export { read } from "./scene.ts"; export { Staging } from "./staging.ts"; export { Bodies } from "./bodies.ts"; export { ground } from "./ground.ts"; export { seedOf, spreadOf, Swarm } from "./particles.ts";', resolveDir: join(process.cwd(), "src"), loader: "ts" } });
write("bundle/testdata/staging.mjs", staged.outputFiles[0].text);
write("r3f/runtime.d.ts", readFileSync("src/component.d.ts", "utf8"));
// What services run stands alone: the interpreter, and nothing that draws.
const service = await build({ ...options, entryPoints: ["src/service.ts"] });
write("service/runtime.mjs", service.outputFiles[0].text);

// Every bundled package comes with its licence; one without stops the build.
const packages = new Set();
for (const input of Object.keys(viewer.result.metafile.inputs)) {
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
write("html/viewer.LICENSES.txt", notices.trimEnd() + "\n");

// The digests: one of all sources, and one of each text that was built of them.
const sha = (text) => createHash("sha256").update(text).digest("hex");
const sources = ["build.mjs", "trim.mjs", "package.json", "package-lock.json", "tsconfig.json",
  ...readdirSync("src", { recursive: true, withFileTypes: true }).filter((e) => e.isFile()).map((e) => join(e.parentPath, e.name))].sort();
const lines = sources.map((f) => `${sha(readFileSync(f))}  ${f}\n`).join("");
const outputs = Object.keys(written).sort().map((f) => `${sha(written[f])}  ${f}\n`).join("");
writeFileSync("../../bundle/built.txt", `${sha(lines)}  sources\n${outputs}`);
for (const [to, text] of Object.entries(written)) console.log(`${String(text.length).padStart(7)} ${to}`);

// Builds what the web targets run: the core that all of them have in common, the
// viewer that four kinds of pages have in common, and a thin adapter for each
// target, which package lang/target/bundle joins when a scene is compiled. What was
// built of what stands in lang/target/bundle/built.txt, which a test of that package
// reads. Run with npm ci && npm run build.
import { build } from "esbuild";
import { trim } from "./trim.mjs";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const named = { // in a page that names a library which has the 3D library inside
  name: "named",
  setup(b) {
    b.onResolve({ filter: /^three($|\/)/ }, () => ({ path: "three", namespace: "named" }));
    b.onLoad({ filter: /.*/, namespace: "named" }, () => ({ contents: "module.exports = AFRAME.THREE;", loader: "js" }));
  },
};

// The adapters, below lang/target. Those with viewer stand on the viewer and its
// library; host are the libraries that the page of a host brings.
const adapters = [
  { to: "html/adapter.js", from: "src/main.ts", viewer: true },
  { to: "ar/adapter.js", from: "src/ar/main.ts", viewer: true },
  { to: "vrr/adapter.js", from: "src/live/main.ts", viewer: true },
  { to: "sleeve/adapter.js", from: "src/sleeve/main.ts", viewer: true },
  { to: "native2d/adapter.js", from: "src/flat/main.ts" },
  { to: "aframe/adapter.js", from: "src/entities.ts", plugins: [named] },
  { to: "threejs/adapter.js", from: "src/module.ts", host: ["three", "three/*"] },
  { to: "r3f/adapter.js", from: "src/fiber.ts", host: ["three", "three/*", "react", "@react-three/fiber"] },
  { to: "babylon/adapter.js", from: "src/babylon/module.ts", host: ["@babylonjs/*"] },
  { to: "playcanvas/adapter.js", from: "src/playcanvas/module.ts", host: ["playcanvas"] },
  { to: "webgpu/adapter.js", from: "src/engine.ts" },
  { to: "bundle/testdata/adapter.js", from: "src/bare.ts" },
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
const users = (path, some) => new Set(some.filter((a) => closure(a.from).has(path)).map((a) => (a.viewer ? "viewer" : a.to))).size;
const own = Object.keys(graph).filter((p) => !entries.has(p)).sort();
// core are the modules without a library that targets of several kinds need; common
// are the others that several viewers need.
const core = own.filter((p) => free(p) && users(p, adapters) > 1);
const viewers = adapters.filter((a) => a.viewer);
const common = own.filter((p) => !core.includes(p) && viewers.filter((a) => closure(a.from).has(p)).length > 1);
for (const p of [...core, ...common]) if (/^export (let|var) /m.test(readFileSync(p, "utf8"))) throw new Error(`${p} exports what changes; parts take each other's names once`);

// parted leaves modules out that stand in another part.
const parted = (parts) => ({
  name: "parted",
  setup(b) {
    b.onResolve({ filter: /^(\.|three$)/ }, async ({ path, resolveDir, kind, pluginData }) => {
      if (kind === "entry-point" || pluginData === "parted") return undefined;
      const found = path === "three" ? path : join(resolveDir, path).slice(process.cwd().length + 1);
      for (const [part, modules] of Object.entries(parts)) if (modules.includes(found)) return { path: `meshd:${part}/${found}`, external: true };
      return undefined;
    });
  },
});

// taken are the names that a text takes from the modules of a part, by module.
const taken = {};
const importing = /import\s*\{([^}]*)\}\s*from\s*"meshd:(\w+)\/([^"]+)";?/g;
// linked is a text with its imports from other parts as constants.
function linked(text) {
  const out = text.replace(importing, (_, names, part, module) => {
    const pairs = names.split(",").map((n) => n.trim()).filter(Boolean).map((n) => n.split(/\s+as\s+/));
    for (const [name] of pairs) ((taken[part] ??= {})[module] ??= new Set()).add(name);
    return `const{${pairs.map(([name, as]) => (as ? `${name}:${as}` : name)).join(",")}}=meshd$${part};`;
  });
  if (out.includes("\"meshd:")) throw new Error("an import from another part is not understood");
  return out;
}

// part is a text that keeps its names to itself and gives those that others take.
async function part(name, more) {
  const all = Object.values(taken[name]).flatMap((s) => [...s]);
  if (new Set(all).size !== all.length) throw new Error(`two modules of ${name} give the same name: ${all.sort().join(" ")}`);
  const contents = Object.keys(taken[name]).sort().map((module) => `export { ${[...taken[name][module]].sort().join(", ")} } from "${module === "three" ? module : `./${module}`}";`).join("\n");
  const result = await build({ ...options, ...more, stdin: { contents, resolveDir: ".", sourcefile: `${name}.ts`, loader: "ts" } });
  const text = linked(result.outputFiles[0].text).replace(/export\{([^}]*)\};?\s*$/, (_, names) => `return{${names.split(",").map((n) => n.split(" as ")).map(([own, as]) => `${as ?? own}:${own}`).join(",")}};`);
  return { result, text: `const meshd$${name}=(()=>{${text}})();\n` };
}

const written = {};
// The text may stand in a script element, which must not end early.
const inside = (text) => text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const write = (to, text) => { writeFileSync(`../../${to}`, text); written[to] = text; };

for (const a of adapters) {
  const result = await build({
    ...options, entryPoints: [a.from], external: a.host ?? [], minify: !a.host, plugins: [parted(a.viewer ? { core, viewer: [...common, "three"] } : { core }), ...(a.plugins ?? [])],
  });
  const strange = Object.keys(result.metafile.inputs).filter((input) => input.includes("node_modules"));
  if (strange.length > 0) throw new Error(`${a.to} brings ${strange}`);
  write(a.to, inside(linked(result.outputFiles[0].text)));
}
const viewer = await part("viewer", { plugins: [parted({ core }), trim], mangleProps: /^_/ }); // what the library calls private
write("bundle/viewer.js", inside(viewer.text));
write("bundle/core.js", inside((await part("core", {})).text));
const sheet = await build({ entryPoints: ["src/flat/page.css"], minify: true, write: false });
write("native2d/page.css", sheet.outputFiles[0].text);
write("r3f/runtime.d.ts", readFileSync("src/component.d.ts", "utf8"));

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

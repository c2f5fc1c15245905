// Runs WebAssembly modules through the host that came with them: a line of JSON
// for each.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const names = ["init", "memory", "node_count", "scene", "scene_len", "step", "transforms"];

async function judge(file, host) {
  const bytes = readFileSync(file);
  if (!WebAssembly.validate(bytes)) return "not a valid module";
  const module = new WebAssembly.Module(bytes);
  if (WebAssembly.Module.imports(module).length) return "it imports something";
  const exported = WebAssembly.Module.exports(module).map((e) => e.name).sort();
  if (exported.join() !== names.join()) return `it exports ${exported}`;
  const scene = await host.load(bytes);
  if (scene.scene.v !== "scene/1" || scene.count !== (scene.scene.nodes ?? []).length) return `${scene.count} nodes, the scene has others`;
  for (let second = 0; second < 10; second++) {
    for (let i = 0; i < scene.count; i++) {
      const t = scene.transform(i);
      if (t.length !== 10 || !t.every(Number.isFinite)) return `node ${i} is at ${t}`;
      if (Math.abs(Math.hypot(...t.subarray(3, 7)) - 1) > 1e-4) return `node ${i} is turned by ${t.subarray(3, 7)}`;
    }
    scene.step(0.37);
  }
  const moving = (scene.scene.animations ?? []).filter((a) => a.autoplay && /^[trs]/.test(a.property) && a.keys.length > 1);
  scene.reset();
  const start = moving.map((a) => [...scene.transform(scene.scene.nodes.findIndex((n) => n.id === a.node))].join());
  scene.step(moving[0] ? moving[0].keys.at(-1)[0] * 0.43 : 1);
  if (moving[0] && start[0] === [...scene.transform(scene.scene.nodes.findIndex((n) => n.id === moving[0].node))].join()) return "nothing moves";
  return "";
}

const files = process.argv.slice(2);
for (const file of files) {
  let message;
  try {
    message = await judge(file, await import("data:text/javascript;base64," + readFileSync(join(dirname(file), "host.js")).toString("base64")));
  } catch (e) {
    message = String(e);
  }
  console.log(JSON.stringify({ file, ok: message === "", message }));
}

// Runs modules for hosts in their engine, without graphics: a line of JSON for each.
//   babylon     Babylon.js with its NullEngine
//   playcanvas  PlayCanvas with its NullGraphicsDevice
// Every node must stand where the model has it, with its meshes and lights; the
// scene runs for two seconds, reacts to what is done to it, and leaves nothing
// behind. What an example cannot show, scenes of our own do.
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { add, answers, fallen, glb, moved, pixel, product, rotated } from "./engine-scenes.mjs";
import { tend } from "./garden.mjs";

const [kind, ...files] = process.argv.slice(2);
const engine = await (await import(`./engine-${kind}.mjs`)).default();

// Canvas is as much of a canvas as a scene without graphics needs.
class Canvas extends EventTarget {
  style = {};
  width = 320;
  height = 180;
  clientWidth = 320;
  clientHeight = 180;
  said = [];
  constructor() {
    super();
    this.addEventListener("meshd", (e) => this.said.push(e.detail));
  }
  getBoundingClientRect() { return { left: 0, top: 0, width: 320, height: 180 }; }
  setPointerCapture() {}
  point(kind, x, y) { this.dispatchEvent(Object.assign(new Event(kind), { pointerId: 1, button: 0, buttons: kind === "pointerup" ? 0 : 1, clientX: x, clientY: y })); }
}

// own are the nodes of a scene without the prototypes of templates.
const own = (scene) => (scene.nodes ?? []).filter((n) => !n.prototype);

// places are where the nodes of a scene/1 document are.
function places(scene) {
  const out = [];
  for (const n of scene.nodes ?? []) {
    const up = n.parent >= 0 ? out[n.parent] : { t: [0, 0, 0], m: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] };
    const r = rotated(n.r ?? [0, 0, 0, 1]), s = n.s ?? [1, 1, 1];
    out.push({ t: add(up.t, product(up.m, n.t ?? [0, 0, 0])), m: [0, 1, 2].map((i) => [0, 1, 2].map((j) => up.m[i].reduce((sum, v, k) => sum + v * r[k][j] * s[j], 0))) });
  }
  return out;
}

// ticking is a scene that a host lets run: some engines draw by themselves.
function ticking(made, device) {
  if (!engine.step) return made;
  return { ...made, update(dt) {
    made.update(dt);
    engine.step(device, dt);
  } };
}

const close = (a, b, slack = 1e-3) => a && a.every((v, i) => Math.abs(v - b[i]) <= slack * Math.max(1, Math.abs(b[i])));

// still compares a scene in which nothing moves with the model.
function still(create, scene) {
  const device = engine.device(), made = ticking(create({ ...scene, animations: [], program: undefined }, null, { ...engine.options(device), loop: false }), device);
  try {
    made.update(0);
    const where = places(scene), nodes = own(scene);
    for (const n of scene.nodes ?? []) if (n.prototype && engine.place(made, n.id)) return `the prototype ${n.path} is in the scene`;
    for (const [i, n] of nodes.entries()) {
      const at = engine.place(made, n.id);
      if (!close(at?.t, where[i].t)) return `${n.path} is at ${at?.t}, not at ${where[i].t}`;
      const x = product(where[i].m, [1, 0, 0]);
      if (!close(at.x, x)) return `the X axis of ${n.path} is ${at.x}, not ${x}`;
    }
    const meshes = nodes.filter((n) => n.geometry !== undefined && n.material !== undefined).length + nodes.filter((n) => n.text?.value).length + nodes.filter((n) => n.particles).length;
    if (engine.meshes(made) !== meshes) return `${engine.meshes(made)} meshes, not ${meshes}`;
    const lights = nodes.filter((n) => n.light && !engine.everywhere.includes(n.light.type)).length + (nodes.some((n) => n.light && n.light.type !== "ambient") ? 0 : 1);
    if (engine.lights(made) !== lights) return `${engine.lights(made)} lights, not ${lights}`;
    const cameras = nodes.filter((n) => n.camera).length;
    if (engine.cameras(made) !== cameras) return `${engine.cameras(made)} cameras, not ${cameras}`;
  } finally {
    made.dispose();
  }
  return engine.left(device);
}

// lively runs a scene as a host does.
function lively(module) {
  const device = engine.device(), canvas = new Canvas(), made = ticking(module.createScene(canvas, { ...engine.options(device), loop: false }), device);
  let message = "";
  try {
    for (const word of ["update", "emit", "dispose"]) if (typeof made[word] !== "function") return `createScene gives no ${word}`;
    if (!made.scene) return "createScene gives no scene";
    for (let i = 0; i < 120; i++) made.update(1 / 60);
    for (const n of module.scene.nodes ?? []) {
      const at = engine.place(made, n.id);
      if (at && !at.t.every(Number.isFinite)) return `${n.path} is at ${at.t} after two seconds`;
    }
    for (const n of own(module.scene)) for (const what of n.interact ?? []) made.emit(n.id, what === "hover" ? "hover_enter" : what, { hand: "pointer", point: [0, 0, 0] });
    made.update(0.1);
    message = canvas.said.filter((s) => s.event === "error").map((s) => s.payload.text)[0] ?? "";
  } finally {
    made.dispose();
    made.dispose(); // a second time does nothing
  }
  return message || engine.left(device);
}

// switched clicks the plate of probe_clicks.holo with a pointer and from outside.
function switched(module) {
  const device = engine.device(), canvas = new Canvas(), made = ticking(module.createScene(canvas, { ...engine.options(device), loop: false }), device);
  try {
    const plate = module.scene.nodes.find((n) => n.name === "Switch").id;
    made.update(0.1);
    const before = engine.colour(made, plate);
    made.emit(plate, "click");
    made.update(0.1);
    if (before !== "#ff0000" || engine.colour(made, plate) !== "#00ff00") return `a click turns the switch from ${before} to ${engine.colour(made, plate)}`;
    const x = 160 + (-1.6 * 90) / (5 * Math.tan(Math.PI / 8));
    canvas.point("pointerdown", x, 90);
    canvas.point("pointerup", x, 90);
    made.update(0.1);
    if (engine.colour(made, plate) !== "#ff0000") return `the pointer leaves the switch ${engine.colour(made, plate)}`;
    made.dispose();
    const words = canvas.said.length;
    canvas.point("pointerdown", x, 90);
    return canvas.said.length === words ? "" : "a pointer is heard after dispose";
  } finally {
    made.dispose();
  }
}

// garden tends the flowers of spawned_garden.holo with the pointer. Each has two
// nodes, of which the head is the second.
async function garden(module) {
  const device = engine.device(), canvas = new Canvas(), made = ticking(module.createScene(canvas, { ...engine.options(device), loop: false }), device);
  const pass = () => made.update(0.1);
  try {
    pass();
    return await tend({
      heads: () => Array.from({ length: 20 }, (_, i) => ({ id: `s${2 * i + 2}`, at: engine.place(made, `s${2 * i + 2}`) })).filter((h) => h.at).map(({ id, at }) => ({ id, t: at.t, size: Math.hypot(...at.x) })),
      water(h) {
        const [x, y] = pixel(module.scene, h.t, 320, 180);
        canvas.point("pointerdown", x, y);
        canvas.point("pointerup", x, y);
      },
      wait: pass,
    }) || (engine.place(made, "s3") ? "the stem of a picked flower stays" : "");
  } finally {
    made.dispose();
  }
}

async function judge(file) {
  const folder = join(dirname(dirname(file)), "node_modules");
  if (!existsSync(folder)) symlinkSync(resolve(import.meta.dirname, "node_modules"), folder);
  const module = await import(pathToFileURL(file).href);
  if (typeof module.createScene !== "function") return "it has no createScene";
  const { create } = await import(pathToFileURL(join(dirname(file), "runtime.js")).href);
  return still(create, module.scene) || lively(module) || (await ({ "probe_clicks.holo": switched, "spawned_garden.holo": garden })[basename(dirname(file))]?.(module)) || "";
}

// ours runs scenes of our own, once.
async function ours(file) {
  const { create } = await import(pathToFileURL(join(dirname(file), "runtime.js")).href);
  const run = async (scene, act) => {
    const device = engine.device(), canvas = new Canvas(), made = ticking(create(scene, canvas, { ...engine.options(device), loop: false }), device);
    try {
      return (await act(made, canvas)) ?? "";
    } finally {
      made.dispose();
      const left = engine.left(device);
      if (left) throw new Error(left);
    }
  };
  return (await run(moved, (made) => {
    for (const [time, want] of [[0, [0, 0, 0]], [0.5, [0, 1, 0]], [0.25, [0, 1.5, 0]], [0.25, [0, 2, 0]], [1, [0, 2, 0]]]) {
      for (let t = 0; t < time - 1e-6; t += 0.25) made.update(0.25);
      const at = engine.place(made, "nmover").t;
      if (!close(at, want, 0.04)) return `an animation is at ${at}, not at ${want}`;
    }
    const x = engine.place(made, "nturner").x, c = Math.SQRT1_2;
    return close(x, [0, 0, -1], 0.02) ? "" : `a turn ends with X at ${x}, not at 0,0,-1 (${c})`;
  })) || (await run(fallen, (made) => {
    const start = engine.place(made, "nball").t[1];
    for (let i = 0; i < 30; i++) made.update(1 / 60);
    const half = engine.place(made, "nball").t[1];
    for (let i = 0; i < 240; i++) made.update(1 / 60);
    const rest = engine.place(made, "nball").t[1];
    if (start !== 4 || Math.abs(half - 2.75) > 0.15) return `a ball falls from ${start} to ${half} in half a second`;
    return Math.abs(rest - 0.5) < 0.02 ? "" : `a ball of half a metre rests at ${rest}`;
  })) || (await run(answers, (made, canvas) => {
    canvas.point("pointerdown", 160, 90);
    canvas.point("pointermove", 200, 90);
    made.update(0.1);
    canvas.point("pointerup", 200, 90);
    made.update(0.1);
    const words = canvas.said.map((s) => s.event);
    for (const w of ["press", "grab", "drag", "release"]) if (!words.includes(w)) return `a grab says ${words}`;
    const at = engine.place(made, "ngrip").t;
    return at[0] > 0.1 && Math.abs(at[1]) < 0.01 ? "" : `what the pointer drags is at ${at}`;
  })) || (await run(glb(), async (made, canvas) => {
    for (let i = 0; i < 200 && engine.meshes(made) < 3; i++) await new Promise((done) => setTimeout(done, 10));
    if (engine.meshes(made) !== 3) return `${engine.meshes(made)} meshes of three model files: ${JSON.stringify(canvas.said)}`;
    made.update(0.25);
    made.update(0.25);
    const at = engine.inside(made, "moving");
    return at && Math.abs(at[0] - 1) < 0.05 ? "" : `what moves in a glTF file is at ${at}`;
  }));
}

for (const [i, file] of files.entries()) {
  let message;
  try {
    message = await judge(file);
    if (i === 0) message ||= await ours(file);
  } catch (e) {
    message = e instanceof Error ? (e.stack ?? e.message).split("\n").slice(0, 3).join(" ") : String(e);
  }
  console.log(JSON.stringify({ file, ok: message === "", message }));
}
process.exit(0);

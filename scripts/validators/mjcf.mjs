// Loads models in MuJoCo and lets two seconds pass: a line of JSON for each.
// The engine must take every body and end with finite places and no warning.
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import loadMujoco from "@mujoco/mujoco";

const seconds = 2;
// Where the one free body of an example comes to rest, in metres above the floor.
const rests = { "workshop.holo": 0.98 };
const said = [];
const engine = await loadMujoco({ print: (t) => said.push(t), printErr: (t) => said.push(t) });

function judge(text, example) {
  said.length = 0;
  const files = new engine.MjVFS();
  const model = engine.MjModel.from_xml_string(text, files);
  if (!model) return said.join(" ") || "the model is refused";
  const data = new engine.MjData(model);
  try {
    const bodies = text.match(/<body /g)?.length;
    if (bodies !== undefined && model.nbody !== bodies + 1) return `${model.nbody - 1} of ${bodies} bodies`;
    for (let t = 0; t < seconds; t += model.opt.timestep) engine.mj_step(model, data);
    for (let i = 0; i < model.nq; i++) if (!Number.isFinite(data.qpos[i])) return "a place is not finite";
    const height = rests[example];
    if (bodies !== undefined && height !== undefined && Math.abs(data.qpos[2] - height) > 0.005) return `what should rest at ${height} m is at ${data.qpos[2]} m`;
    return said.join(" ");
  } finally {
    data.delete();
    model.delete();
    files.delete();
  }
}

for (const file of process.argv.slice(2)) {
  let message;
  try {
    message = judge(readFileSync(file, "utf8"), basename(dirname(file)));
  } catch (e) {
    message = e instanceof Error ? e.message : String(engine.getExceptionMessage(e));
  }
  console.log(JSON.stringify({ file, ok: message === "", message }));
}

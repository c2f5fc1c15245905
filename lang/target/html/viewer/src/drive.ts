// The program of a scene and the stage that it moves.
import { Runtime, type Adapter, type Plain, type SceneDoc } from "./runtime.ts";
import type { Data } from "./scene.ts";
import type { Driver, Running } from "./running.ts";

// drive runs the program of a stage's scene. One that is not right is not run;
// the stage says so.
export function drive(stage: Running): void {
  if (!stage.scene.program) return;
  const adapter: Adapter = {
    setTransform: (node, part, value) => {
      if (part === "position") stage.shift(node, value);
      stage.setTransform(node, part, value);
    },
    setMaterial: (node, key, value) => stage.setMaterial(node, key, value),
    setVisible: (node, visible) => stage.setVisible(node, visible),
    setText: (node, text) => stage.setText(node, text),
    play: (node, what, name, on, options) => stage.play(node, what, name, on, options),
    say: (line) => stage.say(line),
    changed: (owner, key, value) => stage.state(owner, key, value as Data),
    spawn: (node, name, like, parent) => stage.spawn(node, name, like, parent),
    remove: (node) => stage.remove(node),
    physics: { ...stage.physics, step: (s) => stage.physics.step(s), moved: () => stage.physics.moved(), call: (name, node, args: Plain[]) => stage.physics.call(name, node, args) },
  };
  try {
    const { scene } = stage;
    const run = new Runtime({ ...scene, nodes: [...(scene.nodes ?? []), ...(scene.prototypes ?? [])] } as SceneDoc, adapter);
    const driver: Driver = {
      start: () => run.start(), update: (dt) => run.update(dt), emit: (node, event, payload) => run.emit(node, event, payload), listens: (node, event) => run.listens(node, event),
      put: (key, value) => run.put(key, value as Plain),
    };
    stage.drive(driver);
  } catch (e) {
    stage.say({ level: "fault", node: "", text: `the program of the scene is not run: ${e instanceof Error ? e.message : String(e)}` });
  }
}

// What the running scene asks of the pictures: to move, paint, write and copy.
import type { Drawing } from "./draw.js";
import type { Things } from "./nodes.js";
import type { Emitters } from "./particles.js";
import type { Engine } from "./runtime.js";

export function engine(things: Things, drawing: Drawing, emitters: Emitters): Engine {
  return {
    place: (node, part, value) => things.place(node, part, value),
    look: (node, key, value) => things.paint(node, key, value),
    show: (node, visible) => things.show(node, visible),
    letter(n, text) {
      const thing = things.get(n.id);
      if (!thing || thing.text === text) return;
      thing.text = text;
      drawing.letter(thing);
      things.changed = true;
    },
    copy(node, like, parent) {
      const made = things.copy(node, like, parent);
      for (const t of made) drawing.put(t);
    },
    make(n, parent) {
      drawing.put(things.make(n, parent));
    },
    remove(node) {
      const gone = things.remove(node);
      drawing.take(gone);
      for (const t of gone) emitters.take(t);
    },
    swarm(node, { emission }) {
      const thing = things.get(node);
      if (thing) emitters.put(thing, emission);
      return {
        step(seconds) {
          if (!thing) return;
          emitters.step(thing, seconds);
          things.changed = true;
        },
        update: () => {}, // the device moves them
        dispose: () => { if (thing) emitters.take(thing); },
      };
    },
    step: () => false,
    lively: false,
    dispose() {
      emitters.dispose();
      drawing.dispose();
    },
  };
}

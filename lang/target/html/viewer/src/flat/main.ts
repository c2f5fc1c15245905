// The script of a flat page: it runs the scene that the page holds on the
// elements that the page has. It asks nobody for anything and runs no code of
// the author.
import { drive } from "../drive.ts";
import { Messages } from "../page.ts";
import { Running } from "../running.ts";
import { read } from "../scene.ts";
import { Controls } from "../ui.ts";
import { Sheet } from "./sheet.ts";
import { Touch } from "./touch.ts";

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

function start(text: string): void {
  const main = document.querySelector("main")!, root = document.querySelector<HTMLElement>(".sheet")!;
  const scene = read(text);
  const sheet = new Sheet(scene, root), stage = new Running(scene, sheet, reduced.matches);
  const pause = (on: boolean) => {
    stage.playing = !on;
    page.motion(stage.lively, stage.playing);
  };
  const page = new Messages(main, pause);
  stage.onSay = (line) => page.said(line);
  if (scene.ui?.length) {
    const ui = new Controls(scene.ui, scene.assets ?? [], {
      press: (id) => stage.raise("scene", `ui:${id}`, { id }),
      change: (id, value) => stage.raise("scene", "change", { id, value }),
      put: (key, value) => stage.put(key, value),
      submit: (id, values) => stage.raise("scene", "submit", { id, values }),
    });
    stage.onState = (owner, key, value) => { if (owner === "scene" || owner === "") ui.state(key, value); };
    document.body.append(ui.root);
  }
  // Sounds are heard from a metre before the middle of the scene.
  stage.hear(() => ({ t: [0, 0, 1], r: [0, 0, 0, 1] }));
  pause(reduced.matches);
  drive(stage);
  const touch = new Touch(stage, sheet, root, (s) => page.say(s));
  for (const kind of ["keydown", "keyup"] as const) {
    addEventListener(kind, (k) => {
      if (!(k.target instanceof HTMLInputElement)) stage.raise("", kind === "keydown" ? "key_down" : "key_up", { key: k.key });
    });
  }
  reduced.addEventListener("change", () => pause(reduced.matches));
  // The middle of what there is comes into view.
  root.scrollTo((root.scrollWidth - root.clientWidth) / 2, (root.scrollHeight - root.clientHeight) / 2);
  let last = performance.now(), frames = 0;
  const frame = (now: number) => {
    frames++;
    stage.advance(Math.max(Math.min((now - last) / 1000, 0.25), 0));
    touch.frame();
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  (globalThis as { meshdPage?: unknown }).meshdPage = {
    get frames() { return frames; },
    get nodes() { return stage.nodes.size; },
  };
}

const text = document.getElementById("scene")?.textContent;
if (text) start(text);

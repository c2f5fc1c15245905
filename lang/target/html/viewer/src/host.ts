// What the modules for hosts do alike, whichever library draws.
import { drive } from "./drive.ts";
import type { Running } from "./running.ts";
import { Controls } from "./ui.ts";

export interface HostOptions {
  still?: boolean; // nothing moves by itself
  controls?: boolean; // orbit with the pointer; yes without it
  loop?: boolean; // draw by itself; yes without it
  ui?: HTMLElement; // where the controls of the scene go; without it they are not shown
}

// perform runs the program of a scene for a host. What happens in the scene is an
// event "meshd" of the canvas with node, event and payload in its detail; what
// the program says is one too, and what could not be shown.
export function perform(stage: Running, canvas: EventTarget | null | undefined, ui?: HTMLElement): { fault(node: string, text: string): void; dispose(): void } {
  const notify = (node: string, event: string, payload: unknown) => { canvas?.dispatchEvent?.(new CustomEvent("meshd", { detail: { node, event, payload } })); };
  stage.onEvent = notify;
  stage.onSay = (line) => notify(line.node, line.level, line);
  const panel = ui && controls(stage);
  if (ui && panel) {
    stage.onState = (owner, key, value) => { if (owner === "scene" || owner === "") panel.state(key, value); };
    ui.append(panel.root);
  }
  drive(stage);
  return { fault: (node, text) => notify(node, "error", { text }), dispose() { panel?.root.remove(); } };
}

// controls are those of a scene, if it has any. Whoever shows them informs them of
// state keys.
export function controls(stage: Running): Controls | undefined {
  const { ui, assets } = stage.scene;
  if (!ui?.length) return undefined;
  return new Controls(ui, assets ?? [], {
    press: (id) => stage.raise("scene", `ui:${id}`, { id }), change: (id, value) => stage.raise("scene", "change", { id, value }), put: (key, value) => stage.put(key, value),
    submit: (id, values) => stage.raise("scene", "submit", { id, values }),
  });
}

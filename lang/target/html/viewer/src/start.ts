// How a page with a viewer begins.
import { read } from "./scene.ts";
import type { Notify } from "./frame.ts";
import type { Viewer } from "./viewer.ts";

// start shows the scene of the page with the viewer that on makes. In a page
// without a scene the viewer is handed to host.
export function start(on: (main: HTMLElement) => Viewer | undefined, host?: (viewer: Viewer) => Notify): void {
  const text = document.getElementById("scene")?.textContent;
  const viewer = on(document.querySelector("main")!);
  if (!viewer) {
    // The list and the still picture of the page stay.
    const p = document.createElement("p");
    p.className = "note";
    p.textContent = "This browser cannot draw in three dimensions; here is the plan of the scene and what is in it.";
    document.querySelector("main")!.prepend(p);
    return;
  }
  (globalThis as { meshdViewer?: unknown }).meshdViewer = viewer.facts();
  if (text) viewer.open(read(text));
  else if (host) viewer.notify = host(viewer);
}

// How a page with a viewer begins.
import { read } from "./scene.ts";
import type { Tell } from "./frame.ts";
import { Viewer } from "./viewer.ts";
import type { XR } from "./xr.ts";

// start shows the scene of the page. In a page without a scene the viewer is
// handed to host.
export function start(immersive: typeof XR, host?: (viewer: Viewer) => Tell): void {
  const text = document.getElementById("scene")?.textContent;
  const viewer = Viewer.on(document.querySelector("main")!, immersive);
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
  else if (host) viewer.tell = host(viewer);
}

// The viewer of self-contained pages: it reads the scene of the page and shows
// it. It asks nobody for anything and runs no code of the author. In a page
// without a scene it is the frame of a host (viewer/1).
import { Viewer } from "./viewer.ts";
import { connect } from "./frame.ts";
import { read } from "./scene.ts";

function start(): void {
  const text = document.getElementById("scene")?.textContent;
  const viewer = Viewer.on(document.querySelector("main")!);
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
  else viewer.tell = connect(viewer, "1");
}

start();

// The viewer of self-contained pages: it reads the scene of the page and shows
// it. It asks nobody for anything and runs no code of the author. In a page
// without a scene it is the frame of a host (viewer/1).
import { connect } from "./frame.ts";
import { start } from "./start.ts";
import { Viewer } from "./viewer.ts";
import { XR } from "./xr.ts";

start((main) => Viewer.on(main, XR), (viewer) => connect(viewer, "1"));

// The viewer of AR pages: the scene around a camera that can be moved, and on a
// device that offers it in the room.
import { start } from "../start.ts";
import { Viewer } from "../viewer.ts";
import { AR } from "./ar.ts";

start((main) => Viewer.on(main, AR));

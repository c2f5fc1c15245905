// The viewer of pages for a phone in a sleeve.
import { start } from "../start.ts";
import { XR } from "../xr.ts";
import { Sleeve } from "./sleeve.ts";

start((main) => Sleeve.on(main, XR));

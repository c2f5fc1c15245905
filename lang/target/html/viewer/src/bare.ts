// The interpreter by itself, as the tests of lang/run and of the bodies drive it.
export { Bodies, load, Machine, nodesOf, parse, Runtime } from "./runtime.ts";

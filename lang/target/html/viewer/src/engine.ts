// What runs a scene for an engine of a target's own, as one module without a 3D
// library: the running scene with its program, the way around it, and letters.
// lang/target/webgpu/app/runtime.d.ts declares it.
export { alpha, linear } from "./colour.ts";
export { drive } from "./drive.ts";
export { ground } from "./ground.ts";
export { inkOf, letters, type Letters } from "./letters.ts";
export { Orbit, type Eye } from "./orbit.ts";
export { seedOf, Swarm, type Emission } from "./particles.ts";
export { Running, type Engine, type Line, type Shown } from "./running.ts";
export { checked } from "./scene.ts";
export { Staging } from "./staging.ts";
export { view, type View } from "./view.ts";

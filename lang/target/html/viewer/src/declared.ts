// The types that artefacts get with runtime.js are true of it; only the compiler
// reads this file.
import type * as Declared from "../../../webgpu/app/runtime.d.ts";
import type * as Real from "./engine.ts";

type Same<A extends B, B> = [A, B];

export type Checks = [
  Same<Real.Running, Declared.Running>, Same<Real.Orbit, Declared.Orbit>, Same<Declared.Engine, Real.Engine>, Same<Declared.Eye, Real.Eye>,
  Same<Real.Swarm, Declared.Swarm>, Same<Real.Emission, Declared.Emission>, Same<Real.Line, Declared.Line>, Same<Real.Letters, Declared.Letters>,
  Same<Real.View, Declared.View>, Same<typeof Real.alpha, typeof Declared.alpha>, Same<typeof Real.linear, typeof Declared.linear>,
  Same<typeof Real.inkOf, typeof Declared.inkOf>, Same<typeof Real.letters, typeof Declared.letters>, Same<typeof Real.seedOf, typeof Declared.seedOf>,
  Same<typeof Real.view, typeof Declared.view>,
];

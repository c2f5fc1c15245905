// The types of runtime.js: a scene that runs, whatever draws it.
import type { Material, Node, Quat, Scene, Vec } from "./scene.js";

export type Part = "position" | "rotation" | "scale";

export interface Place { t: Vec; r: Quat }

// Line is a log line of the program or a fault, which has its place in the source.
export interface Line { level: "log" | "fault"; node: string; text: string; code?: string; function?: string; line?: number; column?: number }

// Engine draws a scene that was built for it. Nodes are named by their ids; one
// that it does not have is passed over.
export interface Engine {
  place(node: string, part: Part, value: number[]): void; // in its parent; a rotation is a unit quaternion
  look(node: string, key: string, value: unknown): void;
  show(node: string, visible: boolean): void;
  letter(n: Node, text: string): void;
  copy(node: string, like: string, parent: string): void;
  make(n: Node, parent: string): void; // as the scene describes it
  remove(node: string): void;
  swarm(node: string, swarm: Swarm): Shown;
  step(seconds: number): boolean; // says whether anything moved that is no node
  readonly lively: boolean;
  dispose(): void;
}

// Shown are particles on the picture; with a step they move by themselves.
export interface Shown { step?(seconds: number): void; update(): void; dispose(): void }

// Emission is what a source says of its particles, in metres and seconds; colours
// are light.
export interface Emission {
  count: number; rate: number; span: [number, number]; speed: Vec; spread: number; gravity: number; width: number; size: [number, number];
  colours: [Vec, Vec]; alphas: [number, number]; adds: boolean;
}

export declare class Swarm { readonly emission: Emission }

// Running is the scene with its animations, bodies, particles and program.
export declare class Running {
  constructor(scene: Scene, engine: Engine, still: boolean);
  onSay: (line: Line) => void;
  onEvent: (node: string, event: string, payload: unknown) => void;
  advance(seconds: number): boolean; // in steps of a sixtieth of a second; says whether the picture changed
  raise(node: string, event: string, payload?: unknown): void;
  at(node: string): Place | undefined; // in the scene
  dispose(): void;
}

// drive lets the program of a scene run it, if there is one.
// ground puts a floor that is not seen under what would fall out of the picture.
export declare function ground(bodies: unknown, staging: Staging): boolean;
export declare function drive(stage: Running): void;

// Eye is a camera. It looks along -Z.
export interface Eye {
  position: Vec;
  rotation: Quat;
  readonly flat: boolean; // without perspective
  height(distance: number): number; // of the picture, in metres
  zoom(by: number): boolean; // of a camera without perspective; false for others
}

// Orbit is the way around a scene with pointer and wheel.
export declare class Orbit {
  constructor(eye: Eye, canvas: HTMLElement, changed?: () => void);
  target: Vec;
  enabled: boolean;
  update(): void;
  dispose(): void;
}

export interface View { t: Vec; r: Quat; target: Vec }

// Staging is how a scene is shown where its source does not say: what the camera
// frames, and which light falls on it.
export declare class Staging {
  constructor(scene: Scene);
  eye(aspect: number): Vec; // where the camera stands that frames all that counts
  readonly target: Vec;
  readonly gain: number; // multiplies all light
  readonly sun: boolean; // a key light is wanted
  readonly above: Vec; // light from everywhere
  readonly below: Vec;
  readonly shadow: number; // node whose light throws a shadow besides those that the source names
}

// view is where to look from first: the scene's own camera, or where what counts is
// in view of a picture so many times as wide as high.
export declare function view(box: [Vec, Vec] | undefined, own?: Place, staging?: Staging, aspect?: number): View;

// Letters is a text as a white picture with the size of its plane in metres; x is
// how far its middle is from where the text stands.
export interface Letters { picture?: HTMLCanvasElement; width: number; height: number; x: number }

export declare function letters(text: { value: string; size: number; align?: string }): Letters;
export declare function inkOf(material: Material | undefined, onSolid: boolean): Vec;

// linear is the light of a colour, alpha its opacity.
export declare function linear(color: string | undefined): Vec;
export declare function alpha(color: string | undefined): number;

// seedOf is a number that follows from the id of a node.
export declare function seedOf(id: string): number;

// checked refuses a document of another version.
export declare function checked(scene: Scene): Scene;

// The types of runtime.js.
import type { ThreeElements } from "@react-three/fiber";
import type { ReactNode, Ref, RefObject } from "react";
import type { DirectionalLight, Group, Object3D, SpotLight } from "three";

// Value is what state keys hold.
export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

// Asset is a file that came with the scene, its bytes in base64.
export interface Asset { path: string; media_type?: string; bytes?: number; sha256?: string; data?: string }

// SolidShape is a solid that the library has no geometry for.
export interface SolidShape {
  kind: string;
  size?: [number, number, number];
  radius?: number;
  tube?: number;
  height?: number;
  segments?: number[];
  stretch?: [number, number, number];
}

// Surface is how a model looks whose file does not say.
export interface Surface { base_color: string; metallic?: number; roughness?: number; alpha?: "opaque" | "blend" | "mask"; [key: string]: unknown }

// SceneData is what runs in a scene: a document of the form scene/1.
export interface SceneData { v: "scene/1"; assets?: Asset[]; materials?: Surface[]; [key: string]: unknown }

// Line is something that the program of a scene says; a fault has its place in the source.
export interface Line {
  level: "log" | "fault";
  node: string;
  text: string;
  code?: string;
  function?: string;
  line?: number;
  column?: number;
}

// View is who looks: the scene's own camera, or the host's camera put where
// everything is in view; a camera that goes around; the host's camera as it is.
export type View = "scene" | "orbit" | "host";

// SceneHandle is what a ref of the component holds. Nodes are named by id, path or name.
export interface SceneHandle {
  emit(node: string, event: string, payload?: unknown): boolean;
  put(key: string, value: Value): void;
  state(key: string, node?: string): Value | undefined;
  node(name: string): Object3D | undefined;
}

export interface SceneOptions {
  ref?: Ref<SceneHandle>;
  still?: boolean; // nothing moves by itself
  view?: View;
  ui?: HTMLElement | false; // where controls go; without it over the canvas
  onEvent?(node: string, event: string, payload: unknown): void;
  onState?(owner: string, key: string, value: Value): void;
  onSay?(line: Line): void; // without it lines go to the console
}

// SceneProps are the props of the component: what runs in it, and those of a group.
export interface SceneProps extends SceneOptions, Omit<ThreeElements["group"], keyof SceneOptions | keyof SceneEvents | "children" | "args"> {
  children?: ReactNode;
}

export type SceneEvents = Required<Pick<ThreeElements["group"], "onPointerDown" | "onPointerMove" | "onPointerUp" | "onPointerCancel" | "onPointerLeave" | "onDoubleClick">>;

// SceneRun is a scene that runs.
export interface SceneRun {
  root: RefObject<Group | null>;
  events: SceneEvents;
  context: unknown;
  advance(seconds: number): void;
}

export function useScene(document: SceneData, options: SceneOptions): SceneRun;
// useSceneState is a state key of the scene that a component is in, or of a node of it.
export function useSceneState(key: string, node?: string): Value | undefined;
export function SceneContext(props: { value: SceneRun["context"]; children?: ReactNode }): ReactNode;

export interface SurroundingsProps {
  sky?: string[]; // colours from above to below
  fog?: { color: string; density: number };
  exposure?: number;
  toneMapping?: "none" | "linear" | "aces";
}

// Surroundings is the sky, the fog and how light becomes colour.
export function Surroundings(props: SurroundingsProps): null;
// PictureEffects draws effects on the whole picture.
export function PictureEffects(props: { list: { kind: string; params?: { [key: string]: Value } }[] }): null;
// ahead makes a light shine along -Z of its group.
export function ahead(light: DirectionalLight | SpotLight | null): void;
// mirror lets a surface mirror the light from everywhere.
export function mirror(shader: { fragmentShader: string }): void;

declare module "@react-three/fiber" {
  interface ThreeElements {
    solidGeometry: Omit<ThreeElements["bufferGeometry"], "args"> & { args: [SolidShape] };
    lettering: Omit<ThreeElements["mesh"], "args"> & { args: [{ value: string; size: number; align?: string }, string, number?] };
    modelFile: Omit<ThreeElements["group"], "args"> & { args: [Asset, Surface?, Asset[]?] };
    assetTexture: Omit<ThreeElements["texture"], "args"> & { args: [Asset, boolean] };
  }
}

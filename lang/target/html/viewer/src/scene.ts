// The document scene/1 as the viewer reads it. What a document leaves out has
// the default that complete() fills in.

import type { Quat, Vec } from "./vector.ts";

export type { Quat, Vec };
export type Data = null | boolean | number | string | Data[] | { [key: string]: Data };

export interface Sky { kind?: string; colors?: string[]; preset?: string; asset?: number }
export interface Environment {
  sky?: Sky;
  ambient?: { color: string; intensity: number };
  fog?: { color: string; density: number };
  gravity?: Vec;
  exposure?: number;
  tone_mapping?: string;
  shadows?: boolean;
}
export interface Asset { path: string; media_type?: string; data?: string }
export interface Geometry {
  kind: string; size?: Vec; radius?: number; tube?: number; height?: number; segments?: number[]; stretch?: Vec; asset?: number;
}
export interface Material {
  base_color: string; metallic?: number; roughness?: number; emissive?: string; emissive_intensity?: number; alpha?: string;
  double_sided?: boolean; transmission?: number; ior?: number; unlit?: boolean;
  maps?: { base_color?: number; normal?: number; orm?: number; emissive?: number };
}
export interface Light {
  type: string; color?: string; ground?: string; intensity?: number; range?: number; angle?: number; penumbra?: number; shadow?: boolean;
  width?: number; height?: number;
}
export interface Node {
  id: string; path: string; name?: string; kind: string; parent: number; t?: Vec; r?: Quat; s?: Vec; visible?: boolean;
  geometry?: number; material?: number; light?: Light; camera?: { fov: number; near: number; far: number; ortho?: number; resting?: boolean };
  audio?: { asset?: number; volume?: number; loop?: boolean; autoplay?: boolean; min?: number; max?: number };
  body?: { type: string; mass?: number; friction?: number; restitution?: number; gravity?: number };
  collider?: { shape: string; size: Vec; center?: Vec; trigger?: boolean };
  joint?: { type: string };
  particles?: { [key: string]: Data }; text?: { value: string; size: number; align?: string };
  interact?: string[]; label?: string; alt?: string; prototype?: string;
}
export interface Animation {
  node: string; name?: string; property: string; keys: number[][]; easing?: string; loop?: number; autoplay?: boolean; pingpong?: boolean;
}
export interface Widget {
  kind: string; id?: string; label?: string; bind?: string; value?: Data; params?: { [key: string]: Data }; children?: Widget[];
}
export interface Effect { kind: string; params?: { [key: string]: Data } }
export interface Scene {
  v: string; name?: string; environment?: Environment; post?: Effect[]; assets?: Asset[]; geometries?: Geometry[]; materials?: Material[]; nodes?: Node[];
  prototypes?: Node[]; // of templates, which are copied and not shown; read from the end of the nodes
  animations?: Animation[]; ui?: Widget[]; program?: { [key: string]: Data };
}

export const version = "scene/1";

const known = new Set([
  "v", "name", "source_sha256", "compiler", "files", "metadata", "environment", "post", "assets", "geometries", "materials", "nodes",
  "animations", "timelines", "ui", "program", "pipelines", "agents", "domain", "losses",
]);

// read and checked take the document and refuses another version. A key it does not know is
// said once and passed over. Prototypes are put apart from the nodes.
export function read(text: string): Scene { return checked(JSON.parse(text) as Scene); }

export function checked(scene: Scene): Scene {
  if (typeof scene !== "object" || scene === null || scene.v !== version) throw new Error(`this viewer reads ${version}, the document is ${String(scene?.v)}`);
  const strange = Object.keys(scene).filter((k) => !known.has(k));
  if (strange.length > 0) console.warn(`scene: passing over ${strange.join(", ")}`);
  const all = scene.nodes ?? [], end = all.findIndex((n) => n.prototype);
  return end < 0 ? scene : { ...scene, nodes: all.slice(0, end), prototypes: all.slice(end) };
}

// called is what a person calls a node.
export function called(n: Node): string {
  return n.label || n.name || n.path;
}

// looks says that a node has the camera that a scene is looked through at first.
export function looks(n: Node): boolean { return n.camera !== undefined && !n.camera.resting; }

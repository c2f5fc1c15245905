// The document scene/1 as this application reads it. Metres, radians, seconds;
// right-handed, Y up, -Z ahead; colours are sRGB as #rrggbbaa.

export type Vec = [number, number, number];
export type Quat = [number, number, number, number];

export interface Environment {
  sky?: { kind?: string; colors?: string[] }; ambient?: { color: string; intensity: number }; fog?: { color: string; density: number };
  exposure?: number; tone_mapping?: string; gravity?: Vec;
}
export interface Asset { path: string; media_type?: string; data?: string }
export interface Material {
  base_color: string; metallic?: number; roughness?: number; emissive?: string; emissive_intensity?: number; alpha?: string;
  double_sided?: boolean; ior?: number; unlit?: boolean; maps?: { base_color?: number; normal?: number; orm?: number; emissive?: number };
}
export interface Light {
  type: string; color?: string; ground?: string; intensity?: number; range?: number; angle?: number; penumbra?: number; shadow?: boolean;
}
export interface Node {
  id: string; path: string; name?: string; kind: string; parent: number; t?: Vec; r?: Quat; s?: Vec; visible?: boolean;
  geometry?: number; material?: number; light?: Light; camera?: { fov: number; near: number; far: number; ortho?: number; resting?: boolean };
  particles?: { [key: string]: unknown }; text?: { value: string; size: number; align?: string };
}
export interface Scene {
  v: string; name?: string; environment?: Environment; assets?: Asset[]; materials?: Material[]; nodes?: Node[]; animations?: object[];
  program?: object;
}

// Mesh is a solid: corners of eight numbers (place, normal, and where they are on
// a picture) and three indices a triangle, both as base64, and the box around it.
export interface Mesh { vertices: string; indices: string; low: Vec; high: Vec }

// bytes are those that a base64 text stands for.
export function bytes(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64), out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i);
  return out;
}

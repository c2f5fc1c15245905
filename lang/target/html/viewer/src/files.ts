// Files of models as plain numbers, decoded in memory. A file that points at
// others is not followed: a page may ask for none.
import { bytes } from "./base64.ts";
import type { Solid } from "./shape.ts";
import { cross, length, mul, sub, type Vec } from "./vector.ts";

// The most corners that a model of text may have.
const corners = 3_000_000;

// packed is a glTF file of text as one of bytes, its buffers decoded here: the
// loader would fetch them.
export function packed(text: string, path: string): ArrayBuffer {
  const doc = JSON.parse(text) as { buffers?: { uri?: string; byteLength: number }[]; bufferViews?: { buffer: number; byteOffset?: number }[] };
  const parts: Uint8Array[] = [], starts: number[] = [];
  let size = 0;
  for (const b of doc.buffers ?? []) {
    const data = /^data:[^,]*;base64,/.exec(b.uri ?? "");
    if (!data) throw new Error(`${path} needs another file, ${b.uri ?? "which it does not name"}; use a .glb or embed it`);
    const part = bytes(b.uri!.slice(data[0].length));
    starts.push(size);
    parts.push(part);
    size += (part.length + 3) & ~3;
  }
  for (const v of doc.bufferViews ?? []) {
    v.byteOffset = (v.byteOffset ?? 0) + (starts[v.buffer] ?? 0);
    v.buffer = 0;
  }
  if (size > 0) doc.buffers = [{ byteLength: size }];
  const json = new TextEncoder().encode(JSON.stringify(doc)), long = (json.length + 3) & ~3;
  const out = new Uint8Array(12 + 8 + long + (size > 0 ? 8 + size : 0)).fill(0x20, 0, 20 + long), view = new DataView(out.buffer);
  [0x46546c67, 2, out.length, long, 0x4e4f534a].forEach((v, i) => view.setUint32(i * 4, v, true));
  out.set(json, 20);
  if (size > 0) {
    view.setUint32(20 + long, size, true);
    view.setUint32(24 + long, 0x004e4942, true);
    parts.forEach((p, i) => out.set(p, 28 + long + starts[i]));
  }
  return out.buffer;
}

// obj reads places, directions, texture places and faces; the rest of the form,
// such as material files, is passed over.
export function obj(text: string): Solid {
  const places: number[][] = [], directions: number[][] = [], pictures: number[][] = [];
  const p: number[] = [], n: number[] = [], t: number[] = [];
  let smooth = true;
  const corner = (ref: string) => {
    const at = (list: number[][], s: string | undefined) => {
      const i = Number(s);
      return s ? list[i < 0 ? list.length + i : i - 1] : undefined;
    };
    const [a, b, c] = ref.split("/");
    const place = at(places, a);
    if (!place) throw new Error(`a face of the model names the corner ${a}, which is not there`);
    p.push(...place);
    t.push(...(at(pictures, b) ?? [0, 0]));
    const d = at(directions, c);
    if (!d) smooth = false;
    n.push(...(d ?? [0, 0, 0]));
  };
  for (const line of text.split("\n")) {
    const [what, ...rest] = line.trim().split(/\s+/);
    const numbers = (k: number) => Array.from({ length: k }, (_, i) => Number(rest[i]) || 0);
    if (what === "v") places.push(numbers(3));
    else if (what === "vn") directions.push(numbers(3));
    else if (what === "vt") pictures.push(numbers(2));
    else if (what === "f") for (let i = 2; i < rest.length; i++) for (const k of [0, i - 1, i]) corner(rest[k]);
    if (p.length > corners * 3) throw new Error("the model has too many corners");
  }
  return solid(p, smooth ? n : undefined, t);
}

// stl reads the form of bytes, whose length follows from its count, or that of text.
export function stl(data: Uint8Array<ArrayBuffer>): Solid {
  const view = new DataView(data.buffer), p: number[] = [];
  const count = data.length >= 84 ? view.getUint32(80, true) : 0;
  if (data.length >= 84 && data.length === 84 + count * 50) {
    if (count * 3 > corners) throw new Error("the model has too many corners");
    for (let i = 0; i < count; i++) for (let k = 0; k < 9; k++) p.push(view.getFloat32(84 + i * 50 + 12 + k * 4, true));
  } else {
    for (const m of new TextDecoder().decode(data).matchAll(/vertex\s+(\S+)\s+(\S+)\s+(\S+)/g)) p.push(Number(m[1]) || 0, Number(m[2]) || 0, Number(m[3]) || 0);
    if (p.length === 0 || p.length % 9 > 0) throw new Error("the model is no STL file");
  }
  return solid(p);
}

// solid is the mesh of triangles whose corners are listed; without directions
// every face is flat.
function solid(positions: number[], normals?: number[], uvs?: number[]): Solid {
  if (positions.length === 0) throw new Error("the model has no faces");
  if (!normals) {
    normals = [];
    for (let i = 0; i < positions.length; i += 9) {
      const [a, b, c] = [0, 3, 6].map((k) => positions.slice(i + k, i + k + 3) as Vec);
      const n = cross(sub(b, a), sub(c, a));
      for (let k = 0; k < 3; k++) normals.push(...mul(n, 1 / (length(n) || 1)));
    }
  }
  return { positions, normals, uvs: uvs ?? new Array<number>((positions.length / 3) * 2).fill(0), indices: positions.slice(0, positions.length / 3).map((_, i) => i) };
}

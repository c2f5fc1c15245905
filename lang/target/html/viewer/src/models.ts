// Model files that came with a scene: glTF (both forms), OBJ and STL, decoded in
// memory. A file that points at others is not followed: the page may ask for none.
import { BufferGeometry, Float32BufferAttribute, Group, Mesh, MeshStandardMaterial, Object3D, type AnimationClip, type Material } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { bytes } from "./base64.ts";
import { mirroring } from "./looks.ts";
import type { Asset } from "./scene.ts";

// The most corners that a model of text may have.
const corners = 3_000_000;

export interface Model { object: Object3D; clip?: Clip }

// model reads a file. Solids without a look of their own get the given one.
export async function model(asset: Asset, look: Material): Promise<Model> {
  const data = bytes(asset.data ?? "");
  const kind = asset.path.toLowerCase().replace(/^.*\./, "");
  if (kind === "obj") return { object: solid(obj(new TextDecoder().decode(data)), look) };
  if (kind === "stl") return { object: solid(stl(data), look) };
  if (kind !== "glb" && kind !== "gltf") throw new Error(`${asset.path}: a viewer shows glTF, OBJ and STL`);
  // The loader must not use the path that fetches pictures.
  (globalThis as { createImageBitmap?: unknown }).createImageBitmap = undefined;
  const file = await new GLTFLoader().parseAsync(kind === "gltf" ? packed(new TextDecoder().decode(data), asset.path) : data.buffer, "");
  file.scene.traverse((o) => {
    if (!(o instanceof Mesh)) return;
    o.castShadow = o.receiveShadow = true;
    if (o.material instanceof MeshStandardMaterial) mirroring(o.material);
  });
  if (file.animations.length === 0) return { object: file.scene };
  return { object: file.scene, clip: new Clip(file.scene, file.animations[0]) };
}

// Clip plays an animation of a file over and over.
export class Clip {
  private readonly tracks: ((time: number) => void)[] = [];
  private time = 0;

  constructor(root: Object3D, private readonly clip: AnimationClip) {
    for (const track of clip.tracks) {
      const dot = track.name.lastIndexOf("."), object = root.getObjectByName(track.name.slice(0, dot)), key = track.name.slice(dot + 1);
      if (!object) continue;
      const at = (track as unknown as { createInterpolant(): { evaluate(t: number): ArrayLike<number> } }).createInterpolant();
      if (key === "position" || key === "scale" || key === "quaternion") this.tracks.push((t) => { object[key].fromArray(at.evaluate(t) as unknown as [number, number, number, number]); });
      else if (key === "morphTargetInfluences") this.tracks.push((t) => { (object as Mesh).morphTargetInfluences = Array.from(at.evaluate(t)); });
    }
  }

  step(dt: number): void {
    this.time = this.clip.duration > 0 ? (this.time + dt) % this.clip.duration : 0;
    for (const set of this.tracks) set(this.time);
  }
}

function solid(geometry: BufferGeometry, look: Material): Object3D {
  const mesh = new Mesh(geometry, look);
  mesh.castShadow = mesh.receiveShadow = true;
  return new Group().add(mesh);
}

// packed is a glTF file of text as one of bytes, its buffers decoded here: the
// loader would fetch them.
function packed(text: string, path: string): ArrayBuffer {
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
function obj(text: string): BufferGeometry {
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
  return geometry(p, smooth ? n : undefined, t);
}

// stl reads the form of bytes, whose length follows from its count, or that of text.
function stl(data: Uint8Array<ArrayBuffer>): BufferGeometry {
  const view = new DataView(data.buffer), p: number[] = [];
  const count = data.length >= 84 ? view.getUint32(80, true) : 0;
  if (data.length >= 84 && data.length === 84 + count * 50) {
    if (count * 3 > corners) throw new Error("the model has too many corners");
    for (let i = 0; i < count; i++) for (let k = 0; k < 9; k++) p.push(view.getFloat32(84 + i * 50 + 12 + k * 4, true));
  } else {
    for (const m of new TextDecoder().decode(data).matchAll(/vertex\s+(\S+)\s+(\S+)\s+(\S+)/g)) p.push(Number(m[1]) || 0, Number(m[2]) || 0, Number(m[3]) || 0);
    if (p.length === 0 || p.length % 9 > 0) throw new Error("the model is no STL file");
  }
  return geometry(p);
}

function geometry(p: number[], n?: number[], t?: number[]): BufferGeometry {
  if (p.length === 0) throw new Error("the model has no faces");
  const g = new BufferGeometry();
  g.setAttribute("position", new Float32BufferAttribute(p, 3));
  if (t) g.setAttribute("uv", new Float32BufferAttribute(t, 2));
  if (n) g.setAttribute("normal", new Float32BufferAttribute(n, 3));
  else g.computeVertexNormals();
  return g;
}

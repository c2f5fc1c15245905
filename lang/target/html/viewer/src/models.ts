// Model files that came with a scene: glTF (both forms), OBJ and STL.
import { Group, Mesh, MeshStandardMaterial, Object3D, type AnimationClip, type Material } from "three";
import { GLTFLoader, type GLTF } from "three/addons/loaders/GLTFLoader.js";
import { bytes } from "./base64.ts";
import { obj, packed, stl } from "./files.ts";
import { mirroring } from "./looks.ts";
import { geometry } from "./mesh.ts";
import type { Asset } from "./scene.ts";
import type { Solid } from "./shape.ts";

export interface Model { object: Object3D; clip?: Clip }

// model reads a file. Solids without a look of their own get the given one.
export async function model(asset: Asset, look: Material): Promise<Model> {
  const data = bytes(asset.data ?? "");
  const kind = asset.path.toLowerCase().replace(/^.*\./, "");
  if (kind === "obj") return { object: solid(obj(new TextDecoder().decode(data)), look) };
  if (kind === "stl") return { object: solid(stl(data), look) };
  if (kind !== "glb" && kind !== "gltf") throw new Error(`${asset.path}: a viewer shows glTF, OBJ and STL`);
  const file = await read(kind === "gltf" ? packed(new TextDecoder().decode(data), asset.path) : data.buffer);
  file.scene.traverse((o) => {
    if (!(o instanceof Mesh)) return;
    o.castShadow = o.receiveShadow = true;
    if (o.material instanceof MeshStandardMaterial) mirroring(o.material);
  });
  if (file.animations.length === 0) return { object: file.scene };
  return { object: file.scene, clip: new Clip(file.scene, file.animations[0]) };
}

// read hides from the loader, which looks when it begins, the way to read pictures
// that fetches them.
function read(data: ArrayBuffer): Promise<GLTF> {
  const page = globalThis as { createImageBitmap?: unknown }, kept = page.createImageBitmap;
  page.createImageBitmap = undefined;
  try {
    return new GLTFLoader().parseAsync(data, "");
  } finally {
    page.createImageBitmap = kept;
  }
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

function solid(s: Solid, look: Material): Object3D {
  const mesh = new Mesh(geometry(s), look);
  mesh.castShadow = mesh.receiveShadow = true;
  return new Group().add(mesh);
}

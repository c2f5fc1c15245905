// Model files that came with a scene: glTF (both forms), OBJ and STL.
import { LoadAssetContainerAsync, Mesh, type AnimationGroup, type PBRMaterial, type TransformNode } from "@babylonjs/core";
import "@babylonjs/loaders/glTF/index.js";
import { bytes } from "../base64.ts";
import { obj, packed, stl } from "../files.ts";
import type { Asset } from "../scene.ts";
import type { Solid } from "../shape.ts";
import { geometry } from "./build.ts";

// model puts a file below an object. Solids without a look of their own get the
// given one. A scene that is gone by then gets nothing.
export async function model(asset: Asset, parent: TransformNode, look: PBRMaterial, gone: () => boolean): Promise<Clip | undefined> {
  const data = bytes(asset.data ?? ""), kind = asset.path.toLowerCase().replace(/^.*\./, ""), world = parent.getScene();
  const put = (s: Solid) => {
    const mesh = new Mesh(`${parent.name} model`, world, parent);
    geometry(s, asset.path, world).applyToMesh(mesh);
    mesh.material = look;
    mesh.receiveShadows = true;
    mesh.metadata = { surface: true };
    return undefined;
  };
  if (kind === "obj") return put(obj(new TextDecoder().decode(data)));
  if (kind === "stl") return put(stl(data));
  if (kind !== "glb" && kind !== "gltf") throw new Error(`${asset.path}: a module shows glTF, OBJ and STL`);
  const file = kind === "gltf" ? new Uint8Array(packed(new TextDecoder().decode(data), asset.path)) : data;
  const container = await LoadAssetContainerAsync(file, world, { pluginExtension: ".glb" });
  if (gone()) {
    container.dispose();
    return undefined;
  }
  for (const c of container.cameras.splice(0)) c.dispose();
  container.addAllToScene();
  for (const root of container.rootNodes) root.parent = parent;
  for (const m of container.meshes) m.receiveShadows = true;
  for (const g of container.animationGroups) g.stop();
  return container.animationGroups.length > 0 ? new Clip(container.animationGroups[0]) : undefined;
}

// Clip plays an animation of a file over and over.
export class Clip {
  private time = 0;

  constructor(private readonly group: AnimationGroup) {
    group.start(true);
    group.pause();
  }

  step(seconds: number): void {
    const { from, to } = this.group, rate = this.group.targetedAnimations[0]?.animation.framePerSecond ?? 60, long = (to - from) / rate;
    this.time = long > 0 ? (this.time + seconds) % long : 0;
    this.group.goToFrame(from + this.time * rate);
  }
}

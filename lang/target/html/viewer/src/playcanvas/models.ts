// Model files that came with a scene: glTF (both forms), OBJ and STL.
import { Asset as File, type Entity, type StandardMaterial } from "playcanvas";
import { bytes } from "../base64.ts";
import { obj, packed, stl } from "../files.ts";
import type { Asset } from "../scene.ts";
import type { Solid } from "../shape.ts";
import { mesh, surface, type Built } from "./build.ts";

interface Container { instantiateRenderEntity(): Entity; animations: { resource: { name: string } }[] }

// model puts a file below an entity. Solids without a look of their own get the
// given one. A scene that is gone by then gets nothing.
export async function model(asset: Asset, parent: Entity, look: StandardMaterial, built: Built): Promise<void> {
  const data = bytes(asset.data ?? ""), kind = asset.path.toLowerCase().replace(/^.*\./, ""), { app } = built;
  const put = (s: Solid) => { surface(mesh(s, built), look, parent, built); };
  if (kind === "obj") return put(obj(new TextDecoder().decode(data)));
  if (kind === "stl") return put(stl(data));
  if (kind !== "glb" && kind !== "gltf") throw new Error(`${asset.path}: a module shows glTF, OBJ and STL`);
  const contents = kind === "gltf" ? packed(new TextDecoder().decode(data), asset.path) : data.buffer;
  const file = new File(asset.path, "container", { url: `${asset.path}.glb`, filename: `${asset.path}.glb`, contents } as unknown as { url: string });
  const read = new Promise<void>((done, failed) => {
    file.once("load", () => done());
    file.once("error", (e: unknown) => failed(new Error(`${asset.path}: ${String(e)}`)));
  });
  app.assets.add(file);
  app.assets.load(file);
  await read;
  const drop = () => {
    file.unload();
    app.assets?.remove(file);
  };
  if (built.gone) return drop();
  built.keep.push({ destroy: drop });
  const container = file.resource as unknown as Container, root = container.instantiateRenderEntity();
  root.tags.add("file");
  parent.addChild(root);
  const clip = container.animations[0]?.resource;
  if (!clip || !app.systems.anim) return;
  root.addComponent("anim", { activate: true });
  root.anim!.assignAnimation("clip", clip as never, undefined, 1, true);
  built.moving.push(root);
}

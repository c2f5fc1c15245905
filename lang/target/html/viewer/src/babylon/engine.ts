// Babylon as the engine of a scene that runs.
import {
  CreateLines, HemisphericLight, Light, Material, Mesh, PBRMaterial, Quaternion, RawTexture, TransformNode, Vector3, VertexData, type Camera, type LinesMesh, type Node as Object3D,
} from "@babylonjs/core";
import { painted } from "../names.ts";
import { Quads, spot } from "../quads.ts";
import type { Ray } from "../pointer.ts";
import type { Engine, Shown } from "../running.ts";
import type { Scene, Quat } from "../scene.ts";
import { erase, letter, shade, unlit, type Built } from "./build.ts";

export function engine(scene: Scene, built: Built, eye: () => Camera): Engine {
  const { world } = built, of = (node: string) => built.byId.get(node);
  const own = new Map<TransformNode, PBRMaterial>(), made = new Set<string>(); // letters of copies are those of others

  // surface is a node's own material: materials are shared, so a node whose look
  // changes first gets its own.
  const surface = (object: TransformNode): PBRMaterial | undefined => {
    const known = own.get(object);
    if (known) return known;
    for (const c of object.getChildMeshes(true)) {
      if (!c.metadata?.surface || !(c.material instanceof PBRMaterial)) continue;
      const m = c.material.clone(`${object.name} look`);
      c.material = m;
      own.set(object, m);
      return m;
    }
    return undefined;
  };
  const lamps = (object: TransformNode) => object.getChildren((c: Object3D) => c instanceof Light && c.metadata?.level, true) as Light[];
  return {
    place(node, part, value) {
      const object = of(node);
      if (!object) return;
      if (part === "rotation") object.rotationQuaternion = Quaternion.FromArray(value);
      else object[part === "scale" ? "scaling" : "position"].fromArray(value);
    },
    look(node, key, value) {
      const object = of(node);
      if (!object) return;
      const amount = typeof value === "number" ? value : undefined, paint = painted(value);
      if (key === "intensity" && amount !== undefined) for (const l of lamps(object)) l.intensity = Math.max(amount, 0) * l.metadata.unit;
      if (key === "color" && paint) {
        for (const l of lamps(object)) {
          l.diffuse = shade(paint);
          if (!(l instanceof HemisphericLight)) l.specular = l.diffuse.clone();
        }
      }
      const m = key === "intensity" ? undefined : surface(object);
      if (!m) return;
      if ((key === "color" || key === "base_color") && paint) m.albedoColor = shade(paint);
      else if (key === "emissive" && paint) m.emissiveColor = shade(paint);
      else if (amount === undefined) return;
      else if (key === "opacity") {
        m.alpha = clamp(amount);
        m.transparencyMode = m.alpha < 1 ? Material.MATERIAL_ALPHABLEND : Material.MATERIAL_OPAQUE;
      } else if (key === "emissive_intensity") m.emissiveIntensity = Math.max(amount, 0);
      else if (key === "metallic") m.metallic = clamp(amount);
      else if (key === "roughness") m.roughness = clamp(amount);
    },
    show: (node, visible) => of(node)?.setEnabled(visible),
    letter: (n, text) => letter(n, text, scene, built),
    copy(node, like, parent) {
      const from = of(like), object = from?.clone(node, null) ?? new TransformNode(node, world);
      for (const o of object.getDescendants()) if (o.metadata?.id) o.metadata = {};
      object.id = node;
      object.metadata = { id: node };
      object.parent = of(parent) ?? null;
      object.setEnabled(true);
      built.byId.set(node, object);
    },
    make(n, parent) {
      built.maker.make(n, of(parent) ?? null, built);
      made.add(n.id);
    },
    remove(node) {
      const object = of(node);
      if (!object) return;
      if (made.delete(node)) erase(object);
      own.get(object)?.dispose();
      own.delete(object);
      object.dispose();
      built.byId.delete(node);
    },
    swarm(node, swarm): Shown {
      const quads = new Quads(swarm), object = of(node)!, mesh = new Mesh(`${object.name} particles`, world, object);
      const ink = unlit(mesh.name, world), data = new VertexData();
      [data.positions, data.colors, data.uvs, data.indices] = [quads.positions, quads.colours, quads.uvs, quads.indices];
      data.applyToMesh(mesh, true);
      const dot = RawTexture.CreateRGBATexture(spot(), 32, 32, world, true);
      dot.hasAlpha = true;
      ink.albedoTexture = dot;
      ink.useAlphaFromAlbedoTexture = true;
      ink.transparencyMode = Material.MATERIAL_ALPHABLEND;
      ink.alphaMode = swarm.adds ? 1 : 2; // add, blend
      ink.backFaceCulling = false;
      ink.disableDepthWrite = true;
      mesh.material = ink;
      mesh.hasVertexAlpha = true;
      mesh.isPickable = false;
      mesh.alwaysSelectAsActiveMesh = true;
      mesh.metadata = { particles: true };
      const update = () => {
        const s = object.absoluteScaling;
        object.computeWorldMatrix(true);
        quads.face(Quaternion.FromRotationMatrix(eye().getWorldMatrix().getRotationMatrix()).asArray() as Quat, object.absoluteRotationQuaternion.asArray() as Quat, [s.x, s.y, s.z]);
        mesh.updateVerticesData("position", quads.positions);
        mesh.updateVerticesData("color", quads.colours);
      };
      update();
      return { update, dispose: () => mesh.dispose(false, true) };
    },
    step(seconds) {
      for (const c of built.clips) c.step(seconds);
      return built.clips.length > 0;
    },
    get lively() { return built.clips.length > 0; },
    dispose() {
      built.gone = true;
      built.byId.clear();
      own.clear();
      world.dispose();
    },
  };
}

// beams are the lines that hands point along.
export function beams(built: Built): (hand: number, ray: Ray | undefined) => void {
  const lines: LinesMesh[] = [];
  return (hand, ray) => {
    if (built.gone || (!ray && !lines[hand])) return;
    const points = ray ? [new Vector3(...ray.from), new Vector3(...ray.ahead).scale(3).add(new Vector3(...ray.from))] : [Vector3.Zero(), Vector3.Zero()];
    lines[hand] = CreateLines(`hand ${hand}`, { points, updatable: true, instance: lines[hand] }, built.world);
    lines[hand].isPickable = false;
    lines[hand].setEnabled(ray !== undefined);
  };
}

function clamp(x: number): number { return Math.min(Math.max(x, 0), 1); }

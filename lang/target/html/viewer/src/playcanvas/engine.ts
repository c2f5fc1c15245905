// PlayCanvas as the engine of a scene that runs.
import {
  BLEND_ADDITIVEALPHA, BLEND_NONE, BLEND_NORMAL, Color, Entity, Mesh, MeshInstance, PIXELFORMAT_RGBA8, PRIMITIVE_TRIANGLES, StandardMaterial, Texture,
} from "playcanvas";
import { light as lightOf } from "../colour.ts";
import { painted } from "../names.ts";
import { Quads, spot } from "../quads.ts";
import type { Engine, Shown } from "../running.ts";
import type { Quat, Scene } from "../scene.ts";
import type { Vec } from "../vector.ts";
import { erase, lamps, letter, paint, type Built } from "./build.ts";

export function engine(scene: Scene, built: Built, eye: () => Entity): Engine {
  const { app } = built, of = (node: string) => built.byId.get(node);
  const own = new Map<Entity, StandardMaterial>(), made = new Set<string>(); // letters of copies are those of others
  const parts = (object: Entity, tag: string) => object.children.filter((c) => c instanceof Entity && c.tags.has(tag)) as Entity[];

  // surface is a node's own material: materials are shared, so a node whose look
  // changes first gets its own.
  const surface = (object: Entity): StandardMaterial | undefined => {
    const known = own.get(object);
    if (known) return known;
    for (const part of parts(object, "surface")) {
      const instance = part.render?.meshInstances[0];
      if (!(instance?.material instanceof StandardMaterial)) continue;
      const m = instance.material.clone();
      instance.material = m;
      own.set(object, m);
      if (m.useLighting) built.ambient.copied(m);
      return m;
    }
    return undefined;
  };
  const release = (m: StandardMaterial) => {
    built.ambient.forget(m);
    m.destroy();
  };
  return {
    place(node, part, value) {
      const object = of(node);
      if (part === "rotation") object?.setLocalRotation(value[0], value[1], value[2], value[3]);
      else if (part === "scale") object?.setLocalScale(value[0], value[1], value[2]);
      else object?.setLocalPosition(value[0], value[1], value[2]);
    },
    look(node, key, value) {
      const object = of(node);
      if (!object) return;
      const amount = typeof value === "number" ? value : undefined, srgb = painted(value);
      if (key === "intensity" && amount !== undefined && !built.ambient.set(node, { intensity: Math.max(amount, 0) })) for (const l of lamps(object)) l.intensity = Math.max(amount, 0) * built.staging.gain;
      if (key === "color" && srgb && !built.ambient.set(node, { color: srgb.map(lightOf) as Vec })) for (const l of lamps(object)) l.color = paint(srgb);
      const m = key === "intensity" ? undefined : surface(object);
      if (!m) return;
      if ((key === "color" || key === "base_color") && srgb) m[m.useLighting ? "diffuse" : "emissive"] = paint(srgb);
      else if (key === "opacity" && amount !== undefined) {
        m.opacity = clamp(amount);
        m.blendType = m.opacity < 1 ? BLEND_NORMAL : BLEND_NONE;
        m.depthWrite = m.opacity === 1;
      } else if (!m.useLighting) return;
      else if (key === "emissive" && srgb) m.emissive = paint(srgb);
      else if (amount === undefined) return;
      else if (key === "emissive_intensity") m.emissiveIntensity = Math.max(amount, 0);
      else if (key === "metallic") m.metalness = clamp(amount);
      else if (key === "roughness") m.gloss = clamp(amount);
      m.update();
    },
    show(node, visible) {
      const object = of(node);
      if (!object) return;
      object.enabled = visible;
      for (const [id, o] of built.byId) if (o === object || o.isDescendantOf(object)) built.ambient.set(id, { on: o.enabled });
    },
    letter: (n, text) => letter(n, text, scene, built),
    copy(node, like, parent) {
      const object = of(like)?.clone() ?? new Entity(node, app);
      object.enabled = true;
      (of(parent) ?? built.root).addChild(object);
      built.byId.set(node, object);
      built.ids.set(object, node);
    },
    make(n, parent) {
      const object = built.maker.make(n, of(parent) ?? built.root, built);
      made.add(n.id);
      built.ambient.set(n.id, { on: seen(object) });
    },
    remove(node) {
      const object = of(node);
      if (!object) return;
      if (made.delete(node)) erase(object);
      built.moving = built.moving.filter((e) => e.parent !== object);
      const m = own.get(object);
      built.byId.delete(node);
      built.ids.delete(object);
      built.ambient.remove(node);
      object.destroy();
      own.delete(object);
      if (m) release(m);
    },
    swarm(node, swarm): Shown {
      const quads = new Quads(swarm), object = of(node)!, device = app.graphicsDevice;
      const mesh = new Mesh(device), dot = new Texture(device, { name: "particle", width: 32, height: 32, format: PIXELFORMAT_RGBA8, mipmaps: true, levels: [spot()] });
      mesh.clear(true, false, swarm.count * 4, quads.indices.length);
      const ink = new StandardMaterial();
      ink.useLighting = false;
      ink.diffuse = ink.specular = new Color(0, 0, 0);
      ink.emissive = new Color(1, 1, 1);
      ink.emissiveVertexColor = ink.opacityVertexColor = true;
      ink.opacityMap = dot;
      ink.opacityMapChannel = "a";
      ink.blendType = swarm.adds ? BLEND_ADDITIVEALPHA : BLEND_NORMAL;
      ink.depthWrite = false;
      ink.cull = 0;
      ink.update();
      const draw = () => {
        const s = object.getWorldTransform().getScale(), r = object.getRotation(), e = eye().getRotation();
        quads.face([e.x, e.y, e.z, e.w] as Quat, [r.x, r.y, r.z, r.w] as Quat, [s.x, s.y, s.z]);
        mesh.setPositions(quads.positions);
        mesh.setColors(quads.colours);
        mesh.setUvs(0, quads.uvs);
        mesh.setIndices(quads.indices);
        mesh.update(PRIMITIVE_TRIANGLES);
      };
      draw();
      const part = new Entity(`${object.name} particles`, app), instance = new MeshInstance(mesh, ink);
      instance.cull = false;
      part.addComponent("render", { meshInstances: [instance], castShadows: false, receiveShadows: false });
      part.tags.add("particles");
      object.addChild(part);
      return {
        update: draw,
        dispose() {
          part.destroy();
          ink.destroy();
          dot.destroy();
        },
      };
    },
    // The animations of files go on with the application; here they are switched.
    step() { return built.moving.length > 0; },
    get lively() { return built.moving.length > 0; },
    dispose() {
      built.gone = true;
      built.root.destroy();
      for (const m of own.values()) release(m);
      for (const k of built.keep) k.destroy();
      for (const m of built.solids.keys()) m.destroy();
      built.ambient.dispose();
      built.byId.clear();
      built.ids.clear();
      built.solids.clear();
      own.clear();
    },
  };
}

// seen says whether an entity and all above it are shown.
function seen(object: Entity): boolean {
  for (let o: { enabled: boolean; parent: unknown } | null = object; o; o = o.parent as typeof o) if (!o.enabled) return false;
  return true;
}

function clamp(x: number): number { return Math.min(Math.max(x, 0), 1); }

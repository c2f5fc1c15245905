// From scene/1 to the entities of PlayCanvas.
import {
  BLEND_NONE, BLEND_NORMAL, Color, CULLFACE_BACK, CULLFACE_NONE, Entity, FOG_EXP2, LAYERID_SKYBOX, Mesh, MeshInstance, PIXELFORMAT_RGBA8, PRIMITIVE_TRIANGLES,
  SHADERLANGUAGE_GLSL, StandardMaterial, Texture, Vec3, type AppBase, type GraphicsDevice, type LightComponent,
} from "playcanvas";
import { alpha, hex, linear } from "../colour.ts";
import { inkOf, letters } from "../letters.ts";
import { called, looks, type Light as LightData, type Material as MaterialData, type Node, type Scene } from "../scene.ts";
import { solid, turned, type Solid } from "../shape.ts";
import { clearer, Staging, sun, type Solid as Boxed } from "../staging.ts";
import { extentOf, solidOf, standIn } from "../standin.ts";
import { length, sub, type Vec } from "../vector.ts";
import { Ambient } from "./ambient.ts";
import { model } from "./models.ts";

export interface Built {
  app: AppBase;
  root: Entity; // of the scene
  byId: Map<string, Entity>;
  ids: Map<Entity, string>;
  camera?: { node: string; data: NonNullable<Node["camera"]> }; // of the scene, the first
  sky?: Entity;
  ambient: Ambient;
  maker: Maker;
  staging: Staging;
  boxes: Map<number, Boxed>; // around what nodes show
  nodes: Entity[]; // in step with those of the scene
  seen: boolean; // by a camera of the scene, which sees everything
  moving: Entity[]; // roots of files that move by themselves
  solids: Map<Mesh, Solid>;
  keep: { destroy(): void }[]; // what no entity gives back
  faults: { node: string; text: string }[];
  pending: Promise<unknown>[];
  gone: boolean;
}

// paint is a colour of sRGB as the engine takes it.
export function paint(v: Vec): Color { return new Color(v[0], v[1], v[2]); }

// dark is the colour of sRGB of a light; the engine makes light of it by the
// power 2.2.
export function dark(v: Vec): Color { return paint(v.map((c) => Math.pow(Math.max(c, 0), 1 / 2.2)) as Vec); }

export function build(scene: Scene, app: AppBase, far: number): Built {
  const nodes = scene.nodes ?? [];
  const root = new Entity(scene.name || "scene", app), staging = new Staging(scene), all: Entity[] = [];
  app.root.addChild(root);
  const built: Built = {
    app, root, byId: new Map(), ids: new Map(), staging, boxes: new Map(staging.solids.filter((o) => !o.emits).map((o) => [o.node, o])), nodes: all, seen: nodes.some(looks),
    ambient: new Ambient(staging, app), maker: new Maker(scene), moving: [], solids: new Map(), keep: [], faults: [], pending: [], gone: false,
  };
  built.maker.prepare(built);
  surroundings(scene, built, far);
  const reach = length(sub(staging.hi, staging.lo)) + length(sub(staging.eye(16 / 9), staging.target)); // of shadows, from the eye
  nodes.forEach((n, i) => {
    const object = built.maker.make(i === staging.shadow ? { ...n, light: { ...n.light!, shadow: true } } : n, n.parent >= 0 ? all[n.parent] : root, built, i);
    all.push(object);
    if (n.camera) {
      if (!built.camera && looks(n)) built.camera = { node: n.id, data: n.camera };
      const eye = new Entity(`${object.name} camera`, app);
      eye.addComponent("camera", { ...lens(n.camera), enabled: false });
      object.addChild(eye);
    }
  });
  if (staging.sun) {
    const key = new Entity("sun", app);
    key.addComponent("light", { type: "directional", color: new Color(1, 1, 1), intensity: sun.intensity * staging.gain, castShadows: true, shadowResolution: 2048, normalOffsetBias: 0.05, shadowBias: 0.2 });
    root.addChild(key);
    key.setPosition(...sun.at);
    key.lookAt(Vec3.ZERO); // along -Z, lights shine along -Y
    key.rotateLocal(90, 0, 0);
  }
  for (const c of root.findComponents("light") as LightComponent[]) if (c.type === "directional" && c.castShadows) c.shadowDistance = Math.min(reach, far);
  built.ambient.show();
  return built;
}

// Maker makes the entities of nodes. They share their surfaces, and their
// meshes, which are made when they are first needed.
export class Maker {
  private materials: StandardMaterial[] = [];
  private readonly meshes: Mesh[] = [];

  constructor(private readonly scene: Scene) {}

  // prepare makes the surfaces, before the light from everywhere falls on them.
  prepare(built: Built): void { this.materials = (this.scene.materials ?? []).map((m) => material(m, this.scene, built)); }

  // make makes the entity of a node; index is its place among those of the scene.
  make(n: Node, parent: Entity, built: Built, index = -1): Entity {
    const { scene } = this, object = new Entity(n.name ?? n.path, built.app);
    object.setLocalPosition(...(n.t ?? [0, 0, 0]));
    object.setLocalRotation(...(n.r ?? [0, 0, 0, 1]));
    object.setLocalScale(...(n.s ?? [1, 1, 1]));
    parent.addChild(object);
    built.byId.set(n.id, object);
    built.ids.set(object, n.id);
    const look = this.materials[n.material ?? -1], shape = scene.geometries?.[n.geometry ?? -1];
    if (look && shape) {
      if (shape.kind === "model") file(n, scene, object, look, built);
      else {
        const { role, clear } = built.boxes.get(index) ?? { role: "thing", clear: false };
        if (role === "shell" && !clear && !built.seen) surface(mesh(turned(solid(shape)), built), look, object, built).render!.castShadows = false;
        else surface((this.meshes[n.geometry!] ??= mesh(solid(shape), built)), look, object, built).render!.castShadows = role !== "shell" && look.blendType === BLEND_NONE;
      }
    }
    if (n.text) letter(n, n.text.value, scene, built);
    if (n.light) light(n.id, n.light, object, built);
    if (n.visible === false) object.enabled = false;
    return object;
  }
}

export function mesh(s: Solid, built: Built, paints?: number[]): Mesh {
  const m = new Mesh(built.app.graphicsDevice);
  m.setPositions(s.positions);
  m.setNormals(s.normals);
  m.setUvs(0, s.uvs);
  m.setIndices(s.indices);
  if (paints) m.setColors(paints);
  m.update(PRIMITIVE_TRIANGLES);
  m.incRefCount(); // several entities show it, and it is given back at the end
  built.solids.set(m, s);
  return m;
}

// surface is the part of a node that shows a mesh.
export function surface(m: Mesh, look: StandardMaterial, object: Entity, built: Built, tag = "surface"): Entity {
  const part = new Entity(`${object.name} ${tag}`, built.app);
  part.addComponent("render", { meshInstances: [new MeshInstance(m, look)] });
  part.tags.add(tag);
  object.addChild(part);
  return part;
}

// lens is a camera as a scene has it, in degrees.
export function lens(data: NonNullable<Node["camera"]>): { [key: string]: unknown } {
  return { fov: (data.fov * 180) / Math.PI, nearClip: data.near, farClip: data.far, projection: data.ortho ? 1 : 0, orthoHeight: (data.ortho ?? 10) / 2 };
}

// erase takes away the text of a node.
export function erase(object: Entity): void {
  for (const c of object.children.filter((o) => o instanceof Entity && o.tags.has("letters")) as Entity[]) {
    const ink = c.render!.meshInstances[0].material as StandardMaterial;
    c.destroy();
    ink.opacityMap?.destroy();
    ink.destroy();
  }
}

// letter writes a text at a node, in place of the one it has.
export function letter(n: Node, value: string, scene: Scene, built: Built): void {
  const object = built.byId.get(n.id);
  if (!object) return;
  erase(object);
  if (value === "") return;
  const ink = inkOf(n.material === undefined ? undefined : scene.materials?.[n.material], n.geometry !== undefined), index = built.nodes.indexOf(object);
  const floats = built.staging.floating.has(index < 0 ? built.nodes.length : index);
  const sheet = lettering({ size: 0.1, ...n.text, value }, ink, object, built, floats);
  sheet.translateLocal(0, 0, n.geometry === undefined ? 0 : ((scene.geometries ?? [])[n.geometry].size?.[2] ?? 0) / 2 + 0.002);
}

// Turning is a text that turns to the eye.
export interface Turning { width: number; height: number; lines: number; named?: boolean }

const turning = new WeakMap<Entity, Turning>();
export function turningOf(e: Entity): Turning | undefined { return turning.get(e); }

// lettering is a text on a plane below an object; one that floats has a plate that is half clear.
function lettering(t: { value: string; size: number; align?: string }, paint: Vec, object: Entity, built: Built, floats: boolean): Entity {
  const device = built.app.graphicsDevice, { picture, width, height, x } = letters(t);
  const ink = unlit();
  ink.emissive = dark(paint);
  if (picture) {
    ink.opacityMap = new Texture(device, { name: "letters", width: picture.width, height: picture.height, format: PIXELFORMAT_RGBA8, mipmaps: true, flipY: true });
    ink.opacityMap.setSource(picture);
    ink.opacityMapChannel = "a";
    built.keep.push(ink.opacityMap);
  }
  ink.blendType = BLEND_NORMAL;
  ink.depthWrite = false;
  ink.update();
  built.keep.push(ink);
  const [w, h] = [width / 2, height / 2];
  const plane: Solid = { positions: [-w, -h, 0, w, -h, 0, w, h, 0, -w, h, 0], normals: [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1], uvs: [0, 0, 1, 0, 1, 1, 0, 1], indices: [0, 1, 2, 0, 2, 3] };
  const sheet = surface(mesh(plane, built), ink, object, built, "letters");
  sheet.setLocalPosition(x, 0, 0);
  sheet.render!.castShadows = false;
  if (!floats) return sheet;
  turning.set(sheet, { width, height, lines: t.value.split("\n").length });
  sheet.tags.add("floats");
  const dim = unlit(), light = 0.2126 * paint[0] + 0.7152 * paint[1] + 0.0722 * paint[2] > 0.18;
  dim.emissive = light ? new Color(15 / 255, 19 / 255, 25 / 255) : new Color(1, 1, 1);
  dim.opacity = 0.5;
  dim.blendType = BLEND_NORMAL;
  dim.depthWrite = false;
  dim.update();
  built.keep.push(dim);
  const plate = surface(mesh(plane, built), dim, sheet, built, "plate");
  plate.setLocalPosition(0, 0, -height / 20);
  plate.render!.castShadows = false;
  return sheet;
}

// unlit is a surface that shows its colour whatever light there is.
export function unlit(toned = false): StandardMaterial {
  const m = new StandardMaterial();
  m.useTonemap = toned;
  m.useLighting = false;
  m.diffuse = new Color(0, 0, 0);
  m.specular = new Color(0, 0, 0);
  m.cull = CULLFACE_NONE;
  return m;
}

// file puts a model file below a node; one that cannot be shown leaves a
// stand-in with its name.
function file(n: Node, scene: Scene, object: Entity, look: StandardMaterial, built: Built): void {
  const asset = scene.assets?.[(scene.geometries ?? [])[n.geometry!].asset ?? -1];
  const missing = (text: string) => {
    if (built.gone) return;
    built.faults.push({ node: n.id, text: `${called(n)}: ${text}` });
    const parts = standIn(n, scene), { lo, hi } = extentOf(parts), high = length(sub(hi, lo)) * 0.1, sky = scene.environment?.sky?.colors ?? ["#dfe5ec"];
    for (const part of parts) surface(mesh(solid(solidOf(part)), built), material({ base_color: part[3] }, scene, built), object, built, "missing").setLocalPosition(...part[2]);
    built.ambient.show();
    const name = lettering({ value: called(n), size: high }, inkOf({ base_color: sky[sky.length - 1] }, true), object, built, true);
    name.setLocalPosition((lo[0] + hi[0]) / 2, hi[1] + high, (lo[2] + hi[2]) / 2);
    turning.get(name)!.named = true;
  };
  if (!asset?.data) return missing(`the model ${asset?.path ?? ""} did not come with the scene`);
  built.pending.push(model(asset, object, look, built).catch((e: unknown) => missing(e instanceof Error ? e.message : String(e))));
}

// texture is a picture that came with the scene; it is white until it is read.
function texture(index: number | undefined, scene: Scene, built: Built): Texture | null {
  const asset = scene.assets?.[index ?? -1];
  if (!asset?.data) return null;
  const t = new Texture(built.app.graphicsDevice, { name: asset.path, width: 1, height: 1, format: PIXELFORMAT_RGBA8, mipmaps: true, flipY: true, levels: [new Uint8Array([255, 255, 255, 255])] });
  built.keep.push(t);
  if (typeof Image === "undefined") return t; // without a page there is nothing to read it with
  const image = new Image();
  built.pending.push(new Promise<void>((done) => {
    image.onload = () => {
      if (!built.gone) t.setSource(image);
      done();
    };
    image.onerror = () => done();
  }));
  image.src = `data:${asset.media_type};base64,${asset.data}`;
  return t;
}

function material(m: MaterialData, scene: Scene, built: Built): StandardMaterial {
  const out = m.unlit ? unlit(!!scene.environment?.tone_mapping) : new StandardMaterial();
  const map = texture(m.maps?.base_color, scene, built);
  if (m.unlit) {
    out.emissive = paint(hex(m.base_color));
    out.emissiveMap = map;
  } else {
    out.diffuse = paint(hex(m.base_color));
    out.diffuseMap = map;
    out.useMetalness = true;
    out.metalness = m.metallic ?? 0;
    out.glossInvert = true; // roughness
    out.gloss = m.roughness ?? 0.5;
    const bend = ((m.ior ?? 1.5) - 1) / ((m.ior ?? 1.5) + 1);
    out.useMetalnessSpecularColor = true;
    out.specularityFactor = (bend * bend) / 0.04;
    out.emissive = paint(hex(m.emissive ?? "#000000"));
    out.emissiveIntensity = m.emissive_intensity ?? 1;
    out.emissiveMap = texture(m.maps?.emissive, scene, built);
    out.normalMap = texture(m.maps?.normal, scene, built);
    const orm = texture(m.maps?.orm, scene, built);
    if (orm) {
      out.metalnessMap = out.glossMap = orm;
      out.metalnessMapChannel = "b";
      out.glossMapChannel = "g";
    }
    out.getShaderChunks(SHADERLANGUAGE_GLSL).set("falloffInvSquaredPS", falloff).set("tonemappingNeutralPS", neutral);
    built.ambient.light(out);
  }
  if (map && m.alpha && m.alpha !== "opaque") {
    out.opacityMap = map;
    out.opacityMapChannel = "a";
  }
  out.opacity = alpha(m.base_color);
  out.blendType = m.alpha === "blend" ? BLEND_NORMAL : BLEND_NONE;
  out.depthWrite = m.alpha !== "blend";
  out.alphaTest = m.alpha === "mask" ? 0.5 : 0;
  out.cull = m.double_sided ? CULLFACE_NONE : CULLFACE_BACK;
  out.twoSidedLighting = m.double_sided === true;
  out.update();
  built.keep.push(out);
  return out;
}

// neutral is the curve of scenes that name none: the engine's, without the foot that
// takes from dark scenes what little light there is.
const neutral = `
vec3 toneMap(vec3 color) {
	color *= getExposure();
	float peak = max(color.r, max(color.g, color.b));
	if (peak < 0.8) return color;
	float top = 1.0 - 0.04 / (peak - 0.6);
	return mix(color * top / peak, vec3(top), 1.0 - 1.0 / (0.15 * (peak - top) + 1.0));
}
`;

// falloff is the light of a point at a distance: by its square, down to none at
// the range of the light. The engine's own keeps near things darker.
const falloff = `
float getFalloffWindow(float lightRadius, vec3 lightDir) {
	float ratio = dot(lightDir, lightDir) / (lightRadius * lightRadius);
	return square(saturate(1.0 - ratio * ratio));
}
float getFalloffInvSquared(float lightRadius, vec3 lightDir) {
	return getFalloffWindow(lightRadius, lightDir) / max(dot(lightDir, lightDir), 0.01);
}
`;

function light(id: string, l: LightData, parent: Entity, built: Built): void {
  if (l.type === "ambient" || l.type === "hemisphere") return built.ambient.add(id, l);
  const lamp = new Entity(`${parent.name} light`, built.app);
  const deg = 180 / Math.PI, half = l.type === "area" ? 1.4 : (l.angle ?? 0.5), soft = l.type === "area" ? 0.6 : (l.penumbra ?? 0); // an area is a wide spot, as the renderer has it
  lamp.addComponent("light", {
    type: l.type === "directional" ? "directional" : l.type === "spot" || l.type === "area" ? "spot" : "point", color: paint(hex(l.color)), intensity: (l.intensity ?? 1) * built.staging.gain,
    range: l.range || 1000, falloffMode: 1, innerConeAngle: half * (1 - soft) * deg, outerConeAngle: half * deg,
    castShadows: l.shadow === true, shadowResolution: 1024, shadowDistance: 60, normalOffsetBias: 0.02, shadowBias: 0.1,
  });
  lamp.tags.add("light");
  lamp.setLocalEulerAngles(90, 0, 0); // from -Y to -Z
  parent.addChild(lamp);
}

export function lamps(object: Entity): LightComponent[] {
  return object.children.flatMap((c) => (c instanceof Entity && c.tags.has("light") && c.light ? [c.light] : []));
}

// surroundings are sky and fog.
function surroundings(scene: Scene, built: Built, far: number): void {
  const e = scene.environment ?? {}, colors = e.sky?.colors ?? [], fog = built.app.scene.fog;
  if (colors.length > 1) built.sky = dome(colors, built, far, !!e.tone_mapping);
  if (!e.fog) return;
  fog.type = FOG_EXP2;
  fog.density = built.seen ? e.fog.density : clearer(e.fog.density, length(sub(built.staging.eye(16 / 9), built.staging.target)));
  fog.color = paint(hex(e.fog.color));
}

// dome is the sky of several colours, from above to below: a ball around the eye
// that nothing is behind.
function dome(colors: string[], built: Built, far: number, toned: boolean): Entity {
  const ball = solid({ kind: "sphere", radius: 1, segments: [32, 16] }), paints: number[] = [];
  for (let i = 0; i < ball.positions.length; i += 3) {
    const u = ((1 - Math.min(Math.max(ball.positions[i + 1], -1), 1)) / 2) * (colors.length - 1), k = Math.min(Math.floor(u), colors.length - 2);
    const from = linear(colors[k]), to = linear(colors[k + 1]);
    paints.push(...from.map((v, c) => v + (to[c] - v) * (u - k)), 1);
  }
  const m = mesh(ball, built, paints);
  const look = unlit(toned);
  look.emissive = new Color(1, 1, 1);
  look.emissiveVertexColor = true;
  look.depthWrite = false;
  look.useFog = false;
  look.update();
  built.keep.push(look);
  const sky = surface(m, look, built.root, built, "sky");
  sky.render!.castShadows = sky.render!.receiveShadows = false;
  sky.render!.layers = [LAYERID_SKYBOX];
  sky.setLocalScale(far * 0.9, far * 0.9, far * 0.9);
  return sky;
}

// alone is a texture of one colour on all sides of a cube.
export function alone(device: GraphicsDevice, light: Vec): Texture {
  const side = () => new Uint8Array(Array.from({ length: 16 }, () => [...light.map((c) => Math.round(Math.min(Math.max(c, 0), 1) * 255)), 255]).flat());
  return new Texture(device, { name: "around", cubemap: true, width: 4, height: 4, format: PIXELFORMAT_RGBA8, mipmaps: false, levels: [[side(), side(), side(), side(), side(), side()]] });
}

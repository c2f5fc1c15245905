// From scene/1 to the objects of Babylon.
import {
  AbstractMesh, Camera, Color3, Color4, CreatePlane, CreateSphere, DirectionalLight, DynamicTexture, FreeCamera, Geometry, HemisphericLight, ImageProcessingConfiguration, Light, Material, Mesh,
  PBRMaterial, PointLight, Quaternion, RawTexture, Scene as World, ShadowGenerator, SpotLight, Texture, TransformNode, Vector3, VertexBuffer, VertexData,
  type AbstractEngine, type IShadowLight,
} from "@babylonjs/core";
import { alpha, light as lightOf, linear } from "../colour.ts";
import { shown } from "../grades.ts";
import { inkOf, letters } from "../letters.ts";
import { called, looks, type Light as LightData, type Material as MaterialData, type Node, type Scene } from "../scene.ts";
import { solid, turned, type Solid } from "../shape.ts";
import { clearer, Staging, sun, type Solid as Boxed } from "../staging.ts";
import { extentOf, solidOf, standIn } from "../standin.ts";
import { add, length, mul, sub, type Vec } from "../vector.ts";
import { model, type Clip } from "./models.ts";

// A light of intensity 1 is neutral: it shows a white surface white. Surfaces
// divide by pi what comes from a direction, not what comes from everywhere.
export const neutral = Math.PI;

export interface Built {
  world: World;
  byId: Map<string, TransformNode>;
  camera?: { node: string; data: NonNullable<Node["camera"]> }; // of the scene, the first
  maker: Maker;
  staging: Staging;
  nodes: TransformNode[]; // in step with those of the scene
  clips: Clip[];
  faults: { node: string; text: string }[];
  pending: Promise<unknown>[];
  gone: boolean;
}

export function color(v: Vec): Color3 { return new Color3(v[0], v[1], v[2]); }

export function build(scene: Scene, engine: AbstractEngine): Built {
  const world = new World(engine);
  world.useRightHandedSystem = true;
  const staging = new Staging(scene), maker = new Maker(scene, world, staging);
  const nodes = scene.nodes ?? [], all: TransformNode[] = [];
  const built: Built = { world, maker, staging, nodes: all, byId: new Map(), clips: [], faults: [], pending: [], gone: false };
  surroundings(scene, world, staging);
  nodes.forEach((n, i) => {
    const object = maker.make(i === staging.shadow ? { ...n, light: { ...n.light!, shadow: true } } : n, n.parent >= 0 ? all[n.parent] : null, built, i);
    all.push(object);
    if (n.camera) {
      if (!built.camera && looks(n)) built.camera = { node: n.id, data: n.camera };
      lens(new FreeCamera(`${object.name} camera`, Vector3.Zero(), world, false), n.camera).parent = object;
    }
  });
  if (world.fogMode !== World.FOGMODE_NONE && !built.camera) world.fogDensity = clearer(world.fogDensity, length(sub(staging.eye(16 / 9), staging.target)));
  if (staging.sun) {
    const key = new DirectionalLight("sun", new Vector3(...sun.at).negate().normalize(), world);
    key.position.fromArray(add(staging.target, sun.at));
    key.intensity = sun.intensity * staging.gain * neutral;
    maker.throws(key);
  }
  for (const l of world.lights) if (l instanceof DirectionalLight && l.getShadowGenerator()) deep(l, staging);
  return built;
}

// deep makes the shadow of a light that shines from far away sharp where things are.
function deep(l: DirectionalLight, { lo, hi, target }: Staging): void {
  l.parent?.computeWorldMatrix(true);
  l.computeTransformedInformation();
  const at = l.parent ? l.transformedPosition : l.position, way = (l.parent ? l.transformedDirection : l.direction).clone().normalize();
  const far = Vector3.Dot(new Vector3(...target).subtract(at), way), r = Math.max(length(sub(hi, lo)), 0.1);
  l.shadowMinZ = far - 2 * r;
  l.shadowMaxZ = far + 2 * r;
  const s = l.getShadowGenerator() as ShadowGenerator;
  s.bias = 0.0008;
  s.normalBias = r / 300;
}

// Maker makes the objects of nodes. They share their solids and surfaces, which
// are made when they are first needed; each throws a shadow in every light that
// has them.
export class Maker {
  private readonly materials: PBRMaterial[] = [];
  private readonly solids: Geometry[] = [];
  private readonly shadows = new Map<Light, ShadowGenerator>();

  private readonly insides: Geometry[] = [];
  private readonly plain?: ImageProcessingConfiguration; // what has no light on it keeps its colour

  constructor(private readonly scene: Scene, private readonly world: World, private readonly staging: Staging) {
    if (!scene.environment?.tone_mapping && shown(scene.post).length === 0) this.plain = new ImageProcessingConfiguration();
    for (const o of staging.solids) if (!o.emits) this.roles.set(o.node, o);
  }

  private readonly roles = new Map<number, Boxed>();

  // throws gives a light its shadows.
  throws(l: DirectionalLight | SpotLight | PointLight): void {
    const s = shadow(l);
    this.shadows.set(l, s);
    l.onDisposeObservable.addOnce(() => this.shadows.delete(l));
    for (const m of this.world.meshes) if (m.metadata?.throws) s.addShadowCaster(m, false);
  }

  // cast lets a mesh throw shadows.
  cast(mesh: Mesh): void {
    mesh.metadata = { ...mesh.metadata, throws: true };
    for (const s of this.shadows.values()) s.addShadowCaster(mesh, false);
  }

  // bare is a surface that keeps its colour in whatever light.
  bare(name: string): PBRMaterial {
    const m = unlit(name, this.world);
    if (this.plain) m.imageProcessingConfiguration = this.plain;
    return m;
  }

  // seen says that the scene has a camera of its own, which sees everything.
  private get seen(): boolean { return (this.scene.nodes ?? []).some(looks); }

  // lights is how many there may be at a time, with those of the scene itself.
  private get lights(): number {
    const { nodes = [], prototypes = [] } = this.scene;
    return prototypes.some((n) => n.light) ? 12 : nodes.filter((n) => n.light).length + 2;
  }

  // make makes the object of a node; index is its place among those of the scene.
  make(n: Node, parent: TransformNode | null, built: Built, index = -1): TransformNode {
    const { world, scene } = this, object = new TransformNode(n.name ?? n.path, world);
    object.id = n.id;
    object.metadata = { id: n.id };
    object.position.fromArray(n.t ?? [0, 0, 0]);
    object.rotationQuaternion = Quaternion.FromArray(n.r ?? [0, 0, 0, 1]);
    object.scaling.fromArray(n.s ?? [1, 1, 1]);
    object.parent = parent;
    built.byId.set(n.id, object);
    const surface = scene.materials?.[n.material ?? -1], shape = scene.geometries?.[n.geometry ?? -1];
    if (surface && shape) {
      const look = (this.materials[n.material!] ??= material(surface, `material ${n.material}`, scene, built, this.lights, this));
      if (shape.kind === "model") file(n, scene, object, look, built);
      else {
        const mesh = new Mesh(`${object.name} mesh`, world, object);
        const { role, clear } = this.roles.get(index) ?? { role: "thing", clear: false }, inside = role === "shell" && !clear && !this.seen;
        if (inside) (this.insides[n.geometry!] ??= geometry(turned(solid(shape)), `inside ${n.geometry}`, world)).applyToMesh(mesh);
        else (this.solids[n.geometry!] ??= geometry(solid(shape), `solid ${n.geometry}`, world)).applyToMesh(mesh);
        mesh.material = look;
        mesh.receiveShadows = true;
        mesh.metadata = { surface: true, throws: role !== "ground" && role !== "shell" && surface.alpha !== "blend" };
        if (mesh.metadata.throws) for (const s of this.shadows.values()) s.addShadowCaster(mesh, false);
      }
    }
    if (n.text) letter(n, n.text.value, scene, built);
    if (n.light) {
      const l = light(n.light, object, this.staging.gain);
      if (n.light.shadow && (l instanceof DirectionalLight || l instanceof SpotLight || l instanceof PointLight)) this.throws(l);
    }
    if (n.visible === false) object.setEnabled(false);
    return object;
  }
}

export function geometry(s: Solid, name: string, world: World): Geometry {
  const data = new VertexData();
  data.positions = s.positions;
  data.normals = s.normals;
  data.uvs = s.uvs;
  data.indices = s.indices;
  return new Geometry(name, world, data);
}

// lens sets a camera to what a scene says of it.
export function lens<C extends Camera>(c: C, data: NonNullable<Node["camera"]>): C {
  c.minZ = data.near;
  c.maxZ = data.far;
  c.fov = data.fov;
  if (data.ortho) c.mode = Camera.ORTHOGRAPHIC_CAMERA;
  c.metadata = { ortho: data.ortho ?? 0 };
  return c;
}

// erase takes away the text of a node.
export function erase(object: TransformNode): void { for (const c of object.getChildMeshes(true)) if (c.metadata?.letters) c.dispose(false, true); }

// letter writes a text at a node, in place of the one it has.
export function letter(n: Node, value: string, scene: Scene, built: Built): void {
  const object = built.byId.get(n.id);
  if (!object) return;
  erase(object);
  if (value === "") return;
  const ink = inkOf(n.material === undefined ? undefined : scene.materials?.[n.material], n.geometry !== undefined);
  const sheet = lettering({ size: 0.1, ...n.text, value }, ink, object, built);
  sheet.position.z = n.geometry === undefined ? 0 : ((scene.geometries ?? [])[n.geometry].size?.[2] ?? 0) / 2 + 0.002;
  const index = built.nodes.indexOf(object);
  if (built.staging.floating.has(index < 0 ? built.nodes.length : index)) floats(sheet, ink, built);
}

// lettering is a text on a plane below an object.
function lettering(t: { value: string; size: number; align?: string }, paint: Vec, object: TransformNode, built: Built): Mesh {
  const { picture, width, height, x } = letters(t), { world } = built;
  const sheet = CreatePlane(`${object.name} text`, { width, height, sideOrientation: Mesh.DOUBLESIDE }, world);
  const ink = built.maker.bare(`${object.name} ink`);
  ink.albedoColor = color(paint);
  if (picture) {
    const t = new DynamicTexture(`${object.name} letters`, picture, world, true);
    t.hasAlpha = true;
    t.update(true);
    ink.albedoTexture = t;
    ink.useAlphaFromAlbedoTexture = true;
  }
  ink.transparencyMode = Material.MATERIAL_ALPHABLEND;
  ink.backFaceCulling = false;
  ink.disableDepthWrite = true;
  sheet.material = ink;
  sheet.metadata = { letters: true, size: { width, height, lines: t.value.split("\n").length } };
  sheet.parent = object;
  sheet.position.x = x;
  return sheet;
}

// floats makes a text turn to the eye, on a plate that is half clear.
function floats(sheet: Mesh, ink: Vec, built: Built): void {
  const { width, height } = sheet.metadata.size, plate = CreatePlane(`${sheet.name} plate`, { width, height, sideOrientation: Mesh.DOUBLESIDE }, built.world);
  const dim = built.maker.bare(plate.name), light = 0.2126 * ink[0] + 0.7152 * ink[1] + 0.0722 * ink[2] > 0.18;
  dim.albedoColor = light ? color(linear("#0f1319")) : Color3.White();
  dim.alpha = 0.5;
  dim.transparencyMode = Material.MATERIAL_ALPHABLEND;
  dim.backFaceCulling = false;
  dim.disableDepthWrite = true;
  plate.material = dim;
  plate.metadata = { letters: true };
  plate.isPickable = false;
  plate.alphaIndex = 0; // before letters
  plate.parent = sheet;
  plate.position.z = -height / 20;
  sheet.alphaIndex = 1;
  sheet.metadata.floats = true;
}

// unlit is a surface that shows its colour whatever light there is.
export function unlit(name: string, world: World): PBRMaterial {
  const m = new PBRMaterial(name, world);
  m.unlit = true;
  m.sideOrientation = Material.CounterClockWiseSideOrientation;
  return m;
}

// file puts a model file below a node; one that cannot be shown leaves a stand-in
// with its name.
function file(n: Node, scene: Scene, object: TransformNode, look: PBRMaterial, built: Built): void {
  const asset = scene.assets?.[(scene.geometries ?? [])[n.geometry!].asset ?? -1];
  const missing = (text: string) => {
    if (built.gone) return;
    built.faults.push({ node: n.id, text: `${called(n)}: ${text}` });
    const parts = standIn(n, scene), { lo, hi } = extentOf(parts), high = length(sub(hi, lo)) * 0.1, sky = scene.environment?.sky?.colors ?? ["#dfe5ec"];
    for (const part of parts) {
      const mesh = new Mesh(`${object.name} missing`, built.world, object);
      geometry(solid(solidOf(part)), mesh.name, built.world).applyToMesh(mesh);
      mesh.position.fromArray(part[2]);
      mesh.material = material({ base_color: part[3] }, mesh.name, scene, built, 4, built.maker);
      mesh.receiveShadows = true;
      built.maker.cast(mesh);
    }
    const ink = inkOf({ base_color: sky[sky.length - 1] }, true), name = lettering({ value: called(n), size: high }, ink, object, built);
    name.position.set((lo[0] + hi[0]) / 2, hi[1] + high, (lo[2] + hi[2]) / 2);
    name.metadata.named = true;
    floats(name, ink, built);
  };
  if (!asset?.data) return missing(`the model ${asset?.path ?? ""} did not come with the scene`);
  built.pending.push(model(asset, object, look, () => built.gone).then((clip) => { if (clip) built.clips.push(clip); }, (e: unknown) => missing(e instanceof Error ? e.message : String(e))));
}

function texture(index: number | undefined, scene: Scene, built: Built, colour: boolean): Texture | null {
  const asset = scene.assets?.[index ?? -1];
  if (!asset?.data) return null;
  const url = `data:${asset.media_type};base64,${asset.data}`;
  const t = new Texture(url, built.world, { buffer: url, noMipmap: false });
  t.gammaSpace = colour;
  t.wrapU = t.wrapV = Texture.WRAP_ADDRESSMODE;
  return t;
}

export function material(m: MaterialData, name: string, scene: Scene, built: Built, lights: number, maker: Maker): PBRMaterial {
  const out = m.unlit ? maker.bare(name) : new PBRMaterial(name, built.world);
  out.sideOrientation = Material.CounterClockWiseSideOrientation;
  out.maxSimultaneousLights = Math.min(Math.max(lights, 4), 12);
  out.useGLTFLightFalloff = true;
  out.albedoColor = color(linear(m.base_color));
  out.alpha = alpha(m.base_color);
  out.metallic = m.metallic ?? 0;
  out.roughness = m.roughness ?? 0.5;
  out.emissiveColor = color(linear(m.emissive ?? "#000000"));
  out.emissiveIntensity = m.emissive_intensity ?? 1;
  out.indexOfRefraction = m.ior ?? 1.5;
  out.backFaceCulling = !m.double_sided;
  out.twoSidedLighting = m.double_sided === true;
  out.transparencyMode = m.alpha === "blend" ? Material.MATERIAL_ALPHABLEND : m.alpha === "mask" ? Material.MATERIAL_ALPHATEST : Material.MATERIAL_OPAQUE;
  out.alphaCutOff = 0.5;
  out.albedoTexture = texture(m.maps?.base_color, scene, built, true);
  if (out.albedoTexture && m.alpha && m.alpha !== "opaque") {
    out.albedoTexture.hasAlpha = true;
    out.useAlphaFromAlbedoTexture = true;
  }
  out.bumpTexture = texture(m.maps?.normal, scene, built, false);
  out.emissiveTexture = texture(m.maps?.emissive, scene, built, true);
  const orm = texture(m.maps?.orm, scene, built, false);
  if (orm) {
    out.metallicTexture = orm;
    out.useRoughnessFromMetallicTextureGreen = out.useMetallnessFromMetallicTextureBlue = true;
    out.useRoughnessFromMetallicTextureAlpha = false;
  }
  return out;
}

function light(l: LightData, parent: TransformNode, gain: number): Light {
  const world = parent.getScene(), name = `${parent.name} light`, ahead = new Vector3(0, 0, -1);
  let out: Light;
  switch (l.type) {
    case "ambient":
    case "hemisphere": {
      const above = new HemisphericLight(name, Vector3.Up(), world);
      above.groundColor = color(linear(l.type === "ambient" ? l.color : (l.ground ?? "#ffffff")));
      above.specular = Color3.Black();
      out = above;
      break;
    }
    case "directional":
      out = new DirectionalLight(name, ahead, world);
      break;
    case "spot":
      out = spot(name, world, l.angle ?? 0.5, l.penumbra ?? 0);
      break;
    case "area":
      out = spot(name, world, 1.4, 0.6); // a wide spot, as the renderer has it
      break;
    default:
      out = new PointLight(name, Vector3.Zero(), world);
  }
  out.parent = parent;
  out.diffuse = color(linear(l.color));
  if (!(out instanceof HemisphericLight)) out.specular = out.diffuse.clone();
  if (l.range) out.range = l.range;
  out.metadata = { unit: (out instanceof HemisphericLight ? 1 : neutral) * gain, level: true };
  out.intensity = (l.intensity ?? 1) * out.metadata.unit;
  return out;
}

// spot has the half angle and the part of it that is half shadow.
function spot(name: string, world: World, angle: number, penumbra: number): SpotLight {
  const out = new SpotLight(name, Vector3.Zero(), new Vector3(0, 0, -1), 2 * angle, 1, world);
  out.innerAngle = 2 * angle * (1 - penumbra);
  return out;
}

function shadow(l: IShadowLight): ShadowGenerator {
  const s = new ShadowGenerator(l instanceof DirectionalLight ? 2048 : 1024, l);
  if (!(l instanceof PointLight)) s.usePercentageCloserFiltering = true;
  s.normalBias = 0.02;
  s.bias = 0.001;
  return s;
}

// surroundings are sky, fog, exposure and the light from everywhere.
function surroundings(scene: Scene, world: World, staging: Staging): void {
  const e = scene.environment ?? {}, colors = e.sky?.colors ?? [];
  const back = colors.length > 0 ? colors[colors.length - 1] : "#dfe5ec";
  world.clearColor = Color4.FromColor3(Color3.FromHexString(back.slice(0, 7)));
  if (colors.length > 1) dome(colors, world);
  if (e.fog) {
    world.fogMode = World.FOGMODE_EXP2;
    world.fogDensity = e.fog.density;
    world.fogColor = Color3.FromHexString(e.fog.color.slice(0, 7));
  }
  const develop = world.imageProcessingConfiguration;
  develop.exposure = e.exposure ?? 1;
  // The curve of scenes that name none leaves what is below 0.8 of white, as no curve
  // does; the library's own neutral one takes from dark scenes what light there is.
  develop.toneMappingEnabled = e.tone_mapping === "aces";
  develop.toneMappingType = 1; // ACES
  const ambient = new HemisphericLight("ambient", Vector3.Up(), world);
  ambient.diffuse = color(staging.above);
  ambient.groundColor = color(staging.below);
  ambient.specular = Color3.Black();
  ambient.intensity = staging.gain;
  // What metals mirror: the same light from everywhere. It lights nothing else.
  const mean = mul(add(staging.above, staging.below), 0.5), most = Math.max(...mean, 1e-3), around = mean.map((c) => Math.round((c / most) * 255));
  const mirror = RawTexture.CreateRGBATexture(new Uint8Array(Array.from({ length: 8 }, () => [...around, 255]).flat()), 4, 2, world, false);
  mirror.coordinatesMode = Texture.EQUIRECTANGULAR_MODE;
  mirror.gammaSpace = false;
  mirror.level = most * staging.gain;
  world.environmentTexture = mirror;
}

// dome is the sky of several colours, from above to below: a ball around the eye
// that nothing is behind.
function dome(colors: string[], world: World): void {
  const ball = CreateSphere("sky", { diameter: 2, segments: 24, sideOrientation: Mesh.DOUBLESIDE }, world);
  const at = ball.getVerticesData(VertexBuffer.PositionKind)!, paint: number[] = [];
  for (let i = 0; i < at.length; i += 3) {
    const u = ((1 - Math.min(Math.max(at[i + 1], -1), 1)) / 2) * (colors.length - 1), k = Math.min(Math.floor(u), colors.length - 2);
    const from = linear(colors[k]), to = linear(colors[k + 1]);
    paint.push(...from.map((v, c) => v + (to[c] - v) * (u - k)), 1);
  }
  ball.setVerticesData(VertexBuffer.ColorKind, paint);
  const sky = unlit("sky", world);
  sky.backFaceCulling = false;
  sky.disableDepthWrite = true;
  sky.fogEnabled = false;
  ball.material = sky;
  ball.infiniteDistance = true;
  ball.applyFog = false;
  ball.isPickable = false;
  ball.hasVertexAlpha = false;
  ball.renderingGroupId = 0;
  ball.alphaIndex = -1;
  ball.scaling.setAll(100);
  ball.metadata = { sky: true };
}

// shade is a light's or a surface's colour of sRGB as light.
export function shade(srgb: Vec): Color3 { return color(srgb.map(lightOf) as Vec); }

// node is the id of the node that a mesh is part of.
export function nodeOf(mesh: AbstractMesh): string | undefined {
  for (let o: { metadata?: { id?: string }; parent: unknown } | null = mesh; o; o = o.parent as typeof o) if (o.metadata?.id) return o.metadata.id;
  return undefined;
}

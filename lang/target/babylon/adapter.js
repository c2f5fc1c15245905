// src/babylon/module.ts
import {
  Camera as Camera2,
  Color4 as Color42,
  ColorCurves,
  DefaultRenderingPipeline,
  Engine as Drawing,
  FreeCamera as FreeCamera2,
  ImageProcessingConfiguration as ImageProcessingConfiguration2,
  Quaternion as Quaternion3,
  Ray as Beam,
  Vector3 as Vector33,
  WebXRExperienceHelper,
  WebXRState
} from "@babylonjs/core";
const{_a:grades,_h:shown2}=meshd$scene;
const{_6:perform}=meshd$host;
const{_0:Immersive}=meshd$host;
const{_1:Orbit}=meshd$scene;
const{_3:Pointer,_n:through}=meshd$scene;
const{_2:Running}=meshd$core;
const{_a:checked}=meshd$core;
const{_4:facing,_2:Rooms}=meshd$host;
const{_7:back,_g:length2,_o:product,_s:sub2}=meshd$core;
const{_b:ground}=meshd$scene;
const{_q:view}=meshd$scene;

// src/babylon/build.ts
import {
  Camera,
  Color3,
  Color4,
  CreatePlane,
  CreateSphere,
  DirectionalLight,
  DynamicTexture,
  FreeCamera,
  Geometry,
  HemisphericLight,
  ImageProcessingConfiguration,
  Material,
  Mesh as Mesh2,
  PBRMaterial,
  PointLight,
  Quaternion,
  RawTexture,
  Scene as World,
  ShadowGenerator,
  SpotLight,
  Texture,
  TransformNode,
  Vector3,
  VertexBuffer,
  VertexData
} from "@babylonjs/core";
const{_6:alpha,_h:lightOf,_i:linear}=meshd$core;
const{_h:shown}=meshd$scene;
const{_d:inkOf,_e:letters}=meshd$scene;
const{_9:called,_k:looks}=meshd$core;
const{_i:solid,_o:turned}=meshd$scene;
const{_5:clearer,_4:Staging,_m:sun}=meshd$scene;
const{_8:extentOf,_j:solidOf,_k:standIn}=meshd$scene;
const{_5:add,_g:length,_l:mul,_s:sub}=meshd$core;

// src/babylon/models.ts
import { LoadAssetContainerAsync, Mesh } from "@babylonjs/core";
import "@babylonjs/loaders/glTF/index.js";
const{_8:bytes}=meshd$core;
const{_f:obj,_g:packed,_l:stl}=meshd$scene;
async function model(asset, parent, look, gone) {
  const data = bytes(asset.data ?? ""), kind = asset.path.toLowerCase().replace(/^.*\./, ""), world = parent.getScene();
  const put = (s) => {
    const mesh = new Mesh(`${parent.name} model`, world, parent);
    geometry(s, asset.path, world).applyToMesh(mesh);
    mesh.material = look;
    mesh.receiveShadows = true;
    mesh.metadata = { surface: true };
    return void 0;
  };
  if (kind === "obj") return put(obj(new TextDecoder().decode(data)));
  if (kind === "stl") return put(stl(data));
  if (kind !== "glb" && kind !== "gltf") throw new Error(`${asset.path}: a module shows glTF, OBJ and STL`);
  const file2 = kind === "gltf" ? new Uint8Array(packed(new TextDecoder().decode(data), asset.path)) : data;
  const container = await LoadAssetContainerAsync(file2, world, { pluginExtension: ".glb" });
  if (gone()) {
    container.dispose();
    return void 0;
  }
  for (const c of container.cameras.splice(0)) c.dispose();
  container.addAllToScene();
  for (const root of container.rootNodes) root.parent = parent;
  for (const m of container.meshes) m.receiveShadows = true;
  for (const g of container.animationGroups) g.stop();
  return container.animationGroups.length > 0 ? new Clip(container.animationGroups[0]) : void 0;
}
var Clip = class {
  constructor(group) {
    this.group = group;
    group.start(true);
    group.pause();
  }
  group;
  time = 0;
  step(seconds) {
    const { from, to } = this.group, rate = this.group.targetedAnimations[0]?.animation.framePerSecond ?? 60, long = (to - from) / rate;
    this.time = long > 0 ? (this.time + seconds) % long : 0;
    this.group.goToFrame(from + this.time * rate);
  }
};

// src/babylon/build.ts
var neutral = Math.PI;
function color(v) {
  return new Color3(v[0], v[1], v[2]);
}
function build(scene, engine2) {
  const world = new World(engine2);
  world.useRightHandedSystem = true;
  const staging = new Staging(scene), maker = new Maker(scene, world, staging);
  const nodes = scene.nodes ?? [], all = [];
  const built = { world, maker, staging, nodes: all, byId: /* @__PURE__ */ new Map(), clips: [], faults: [], pending: [], gone: false };
  surroundings(scene, world, staging);
  nodes.forEach((n, i) => {
    const object = maker.make(i === staging.shadow ? { ...n, light: { ...n.light, shadow: true } } : n, n.parent >= 0 ? all[n.parent] : null, built, i);
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
function deep(l, { lo, hi, target }) {
  l.parent?.computeWorldMatrix(true);
  l.computeTransformedInformation();
  const at = l.parent ? l.transformedPosition : l.position, way = (l.parent ? l.transformedDirection : l.direction).clone().normalize();
  const far = Vector3.Dot(new Vector3(...target).subtract(at), way), r = Math.max(length(sub(hi, lo)), 0.1);
  l.shadowMinZ = far - 2 * r;
  l.shadowMaxZ = far + 2 * r;
  const s = l.getShadowGenerator();
  s.bias = 8e-4;
  s.normalBias = r / 300;
}
var Maker = class {
  // what has no light on it keeps its colour
  constructor(scene, world, staging) {
    this.scene = scene;
    this.world = world;
    this.staging = staging;
    if (!scene.environment?.tone_mapping && shown(scene.post).length === 0) this.plain = new ImageProcessingConfiguration();
    for (const o of staging.solids) if (!o.emits) this.roles.set(o.node, o);
  }
  scene;
  world;
  staging;
  materials = [];
  solids = [];
  shadows = /* @__PURE__ */ new Map();
  insides = [];
  plain;
  roles = /* @__PURE__ */ new Map();
  // throws gives a light its shadows.
  throws(l) {
    const s = shadow(l);
    this.shadows.set(l, s);
    l.onDisposeObservable.addOnce(() => this.shadows.delete(l));
    for (const m of this.world.meshes) if (m.metadata?.throws) s.addShadowCaster(m, false);
  }
  // cast lets a mesh throw shadows.
  cast(mesh) {
    mesh.metadata = { ...mesh.metadata, throws: true };
    for (const s of this.shadows.values()) s.addShadowCaster(mesh, false);
  }
  // bare is a surface that keeps its colour in whatever light.
  bare(name) {
    const m = unlit(name, this.world);
    if (this.plain) m.imageProcessingConfiguration = this.plain;
    return m;
  }
  // seen says that the scene has a camera of its own, which sees everything.
  get seen() {
    return (this.scene.nodes ?? []).some(looks);
  }
  // lights is how many there may be at a time, with those of the scene itself.
  get lights() {
    const { nodes = [], prototypes = [] } = this.scene;
    return prototypes.some((n) => n.light) ? 12 : nodes.filter((n) => n.light).length + 2;
  }
  // make makes the object of a node; index is its place among those of the scene.
  make(n, parent, built, index = -1) {
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
      const look = this.materials[n.material] ??= material(surface, `material ${n.material}`, scene, built, this.lights, this);
      if (shape.kind === "model") file(n, scene, object, look, built);
      else {
        const mesh = new Mesh2(`${object.name} mesh`, world, object);
        const { role, clear } = this.roles.get(index) ?? { role: "thing", clear: false }, inside = role === "shell" && !clear && !this.seen;
        if (inside) (this.insides[n.geometry] ??= geometry(turned(solid(shape)), `inside ${n.geometry}`, world)).applyToMesh(mesh);
        else (this.solids[n.geometry] ??= geometry(solid(shape), `solid ${n.geometry}`, world)).applyToMesh(mesh);
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
};
function geometry(s, name, world) {
  const data = new VertexData();
  data.positions = s.positions;
  data.normals = s.normals;
  data.uvs = s.uvs;
  data.indices = s.indices;
  return new Geometry(name, world, data);
}
function lens(c, data) {
  c.minZ = data.near;
  c.maxZ = data.far;
  c.fov = data.fov;
  if (data.ortho) c.mode = Camera.ORTHOGRAPHIC_CAMERA;
  c.metadata = { ortho: data.ortho ?? 0 };
  return c;
}
function erase(object) {
  for (const c of object.getChildMeshes(true)) if (c.metadata?.letters) c.dispose(false, true);
}
function letter(n, value, scene, built) {
  const object = built.byId.get(n.id);
  if (!object) return;
  erase(object);
  if (value === "") return;
  const ink = inkOf(n.material === void 0 ? void 0 : scene.materials?.[n.material], n.geometry !== void 0);
  const sheet = lettering({ size: 0.1, ...n.text, value }, ink, object, built);
  sheet.position.z = n.geometry === void 0 ? 0 : ((scene.geometries ?? [])[n.geometry].size?.[2] ?? 0) / 2 + 2e-3;
  const index = built.nodes.indexOf(object);
  if (built.staging.floating.has(index < 0 ? built.nodes.length : index)) floats(sheet, ink, built);
}
function lettering(t, paint, object, built) {
  const { picture, width, height, x } = letters(t), { world } = built;
  const sheet = CreatePlane(`${object.name} text`, { width, height, sideOrientation: Mesh2.DOUBLESIDE }, world);
  const ink = built.maker.bare(`${object.name} ink`);
  ink.albedoColor = color(paint);
  if (picture) {
    const t2 = new DynamicTexture(`${object.name} letters`, picture, world, true);
    t2.hasAlpha = true;
    t2.update(true);
    ink.albedoTexture = t2;
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
function floats(sheet, ink, built) {
  const { width, height } = sheet.metadata.size, plate = CreatePlane(`${sheet.name} plate`, { width, height, sideOrientation: Mesh2.DOUBLESIDE }, built.world);
  const dim = built.maker.bare(plate.name), light2 = 0.2126 * ink[0] + 0.7152 * ink[1] + 0.0722 * ink[2] > 0.18;
  dim.albedoColor = light2 ? color(linear("#0f1319")) : Color3.White();
  dim.alpha = 0.5;
  dim.transparencyMode = Material.MATERIAL_ALPHABLEND;
  dim.backFaceCulling = false;
  dim.disableDepthWrite = true;
  plate.material = dim;
  plate.metadata = { letters: true };
  plate.isPickable = false;
  plate.alphaIndex = 0;
  plate.parent = sheet;
  plate.position.z = -height / 20;
  sheet.alphaIndex = 1;
  sheet.metadata.floats = true;
}
function unlit(name, world) {
  const m = new PBRMaterial(name, world);
  m.unlit = true;
  m.sideOrientation = Material.CounterClockWiseSideOrientation;
  return m;
}
function file(n, scene, object, look, built) {
  const asset = scene.assets?.[(scene.geometries ?? [])[n.geometry].asset ?? -1];
  const missing = (text) => {
    if (built.gone) return;
    built.faults.push({ node: n.id, text: `${called(n)}: ${text}` });
    const parts = standIn(n, scene), { lo, hi } = extentOf(parts), high = length(sub(hi, lo)) * 0.1, sky = scene.environment?.sky?.colors ?? ["#dfe5ec"];
    for (const part of parts) {
      const mesh = new Mesh2(`${object.name} missing`, built.world, object);
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
  built.pending.push(model(asset, object, look, () => built.gone).then((clip) => {
    if (clip) built.clips.push(clip);
  }, (e) => missing(e instanceof Error ? e.message : String(e))));
}
function texture(index, scene, built, colour) {
  const asset = scene.assets?.[index ?? -1];
  if (!asset?.data) return null;
  const url = `data:${asset.media_type};base64,${asset.data}`;
  const t = new Texture(url, built.world, { buffer: url, noMipmap: false });
  t.gammaSpace = colour;
  t.wrapU = t.wrapV = Texture.WRAP_ADDRESSMODE;
  return t;
}
function material(m, name, scene, built, lights, maker) {
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
function light(l, parent, gain) {
  const world = parent.getScene(), name = `${parent.name} light`, ahead = new Vector3(0, 0, -1);
  let out;
  switch (l.type) {
    case "ambient":
    case "hemisphere": {
      const above = new HemisphericLight(name, Vector3.Up(), world);
      above.groundColor = color(linear(l.type === "ambient" ? l.color : l.ground ?? "#ffffff"));
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
      out = spot(name, world, 1.4, 0.6);
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
function spot(name, world, angle, penumbra) {
  const out = new SpotLight(name, Vector3.Zero(), new Vector3(0, 0, -1), 2 * angle, 1, world);
  out.innerAngle = 2 * angle * (1 - penumbra);
  return out;
}
function shadow(l) {
  const s = new ShadowGenerator(l instanceof DirectionalLight ? 2048 : 1024, l);
  if (!(l instanceof PointLight)) s.usePercentageCloserFiltering = true;
  s.normalBias = 0.02;
  s.bias = 1e-3;
  return s;
}
function surroundings(scene, world, staging) {
  const e = scene.environment ?? {}, colors = e.sky?.colors ?? [];
  const back2 = colors.length > 0 ? colors[colors.length - 1] : "#dfe5ec";
  world.clearColor = Color4.FromColor3(Color3.FromHexString(back2.slice(0, 7)));
  if (colors.length > 1) dome(colors, world);
  if (e.fog) {
    world.fogMode = World.FOGMODE_EXP2;
    world.fogDensity = e.fog.density;
    world.fogColor = Color3.FromHexString(e.fog.color.slice(0, 7));
  }
  const develop = world.imageProcessingConfiguration;
  develop.exposure = e.exposure ?? 1;
  develop.toneMappingEnabled = e.tone_mapping === "aces";
  develop.toneMappingType = 1;
  const ambient = new HemisphericLight("ambient", Vector3.Up(), world);
  ambient.diffuse = color(staging.above);
  ambient.groundColor = color(staging.below);
  ambient.specular = Color3.Black();
  ambient.intensity = staging.gain;
  const mean = mul(add(staging.above, staging.below), 0.5), most = Math.max(...mean, 1e-3), around = mean.map((c) => Math.round(c / most * 255));
  const mirror = RawTexture.CreateRGBATexture(new Uint8Array(Array.from({ length: 8 }, () => [...around, 255]).flat()), 4, 2, world, false);
  mirror.coordinatesMode = Texture.EQUIRECTANGULAR_MODE;
  mirror.gammaSpace = false;
  mirror.level = most * staging.gain;
  world.environmentTexture = mirror;
}
function dome(colors, world) {
  const ball = CreateSphere("sky", { diameter: 2, segments: 24, sideOrientation: Mesh2.DOUBLESIDE }, world);
  const at = ball.getVerticesData(VertexBuffer.PositionKind), paint = [];
  for (let i = 0; i < at.length; i += 3) {
    const u = (1 - Math.min(Math.max(at[i + 1], -1), 1)) / 2 * (colors.length - 1), k = Math.min(Math.floor(u), colors.length - 2);
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
function shade(srgb) {
  return color(srgb.map(lightOf));
}
function nodeOf(mesh) {
  for (let o = mesh; o; o = o.parent) if (o.metadata?.id) return o.metadata.id;
  return void 0;
}

// src/babylon/engine.ts
import {
  CreateLines,
  HemisphericLight as HemisphericLight2,
  Light as Light2,
  Material as Material2,
  Mesh as Mesh3,
  PBRMaterial as PBRMaterial2,
  Quaternion as Quaternion2,
  RawTexture as RawTexture2,
  TransformNode as TransformNode2,
  Vector3 as Vector32,
  VertexData as VertexData2
} from "@babylonjs/core";
const{_5:painted}=meshd$host;
const{_1:Quads,_7:spot2}=meshd$host;
function engine(scene, built, eye) {
  const { world } = built, of = (node) => built.byId.get(node);
  const own2 = /* @__PURE__ */ new Map(), made = /* @__PURE__ */ new Set();
  const surface = (object) => {
    const known = own2.get(object);
    if (known) return known;
    for (const c of object.getChildMeshes(true)) {
      if (!c.metadata?.surface || !(c.material instanceof PBRMaterial2)) continue;
      const m = c.material.clone(`${object.name} look`);
      c.material = m;
      own2.set(object, m);
      return m;
    }
    return void 0;
  };
  const lamps = (object) => object.getChildren((c) => c instanceof Light2 && c.metadata?.level, true);
  return {
    place(node, part, value) {
      const object = of(node);
      if (!object) return;
      if (part === "rotation") object.rotationQuaternion = Quaternion2.FromArray(value);
      else object[part === "scale" ? "scaling" : "position"].fromArray(value);
    },
    look(node, key, value) {
      const object = of(node);
      if (!object) return;
      const amount = typeof value === "number" ? value : void 0, paint = painted(value);
      if (key === "intensity" && amount !== void 0) for (const l of lamps(object)) l.intensity = Math.max(amount, 0) * l.metadata.unit;
      if (key === "color" && paint) {
        for (const l of lamps(object)) {
          l.diffuse = shade(paint);
          if (!(l instanceof HemisphericLight2)) l.specular = l.diffuse.clone();
        }
      }
      const m = key === "intensity" ? void 0 : surface(object);
      if (!m) return;
      if ((key === "color" || key === "base_color") && paint) m.albedoColor = shade(paint);
      else if (key === "emissive" && paint) m.emissiveColor = shade(paint);
      else if (amount === void 0) return;
      else if (key === "opacity") {
        m.alpha = clamp(amount);
        m.transparencyMode = m.alpha < 1 ? Material2.MATERIAL_ALPHABLEND : Material2.MATERIAL_OPAQUE;
      } else if (key === "emissive_intensity") m.emissiveIntensity = Math.max(amount, 0);
      else if (key === "metallic") m.metallic = clamp(amount);
      else if (key === "roughness") m.roughness = clamp(amount);
    },
    show: (node, visible) => of(node)?.setEnabled(visible),
    letter: (n, text) => letter(n, text, scene, built),
    copy(node, like, parent) {
      const from = of(like), object = from?.clone(node, null) ?? new TransformNode2(node, world);
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
      own2.get(object)?.dispose();
      own2.delete(object);
      object.dispose();
      built.byId.delete(node);
    },
    swarm(node, swarm) {
      const quads = new Quads(swarm), object = of(node), mesh = new Mesh3(`${object.name} particles`, world, object);
      const ink = unlit(mesh.name, world), data = new VertexData2();
      [data.positions, data.colors, data.uvs, data.indices] = [quads.positions, quads.colours, quads.uvs, quads.indices];
      data.applyToMesh(mesh, true);
      const dot = RawTexture2.CreateRGBATexture(spot2(), 32, 32, world, true);
      dot.hasAlpha = true;
      ink.albedoTexture = dot;
      ink.useAlphaFromAlbedoTexture = true;
      ink.transparencyMode = Material2.MATERIAL_ALPHABLEND;
      ink.alphaMode = swarm.adds ? 1 : 2;
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
        quads.face(Quaternion2.FromRotationMatrix(eye().getWorldMatrix().getRotationMatrix()).asArray(), object.absoluteRotationQuaternion.asArray(), [s.x, s.y, s.z]);
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
    get lively() {
      return built.clips.length > 0;
    },
    dispose() {
      built.gone = true;
      built.byId.clear();
      own2.clear();
      world.dispose();
    }
  };
}
function beams(built) {
  const lines = [];
  return (hand, ray) => {
    if (built.gone || !ray && !lines[hand]) return;
    const points = ray ? [new Vector32(...ray.from), new Vector32(...ray.ahead).scale(3).add(new Vector32(...ray.from))] : [Vector32.Zero(), Vector32.Zero()];
    lines[hand] = CreateLines(`hand ${hand}`, { points, updatable: true, instance: lines[hand] }, built.world);
    lines[hand].isPickable = false;
    lines[hand].setEnabled(ray !== void 0);
  };
}
function clamp(x) {
  return Math.min(Math.max(x, 0), 1);
}

// src/babylon/module.ts
function create(data, canvas, options = {}) {
  const scene = checked(data);
  if (!options.engine && !canvas) throw new TypeError("createScene needs a canvas or options.engine");
  const engine2 = options.engine ?? new Drawing(canvas, true, { stencil: true });
  const built = build(scene, engine2), { world } = built;
  const camera = lens(new FreeCamera2("eye", Vector33.Zero(), world), built.camera?.data ?? { fov: 50 * Math.PI / 180, near: 0.05, far: 5e3 });
  camera.rotationQuaternion = Quaternion3.Identity();
  world.activeCamera = camera;
  const size = { zoom: 1 }, eye = eyeOf(camera, size), at = own(built), first = view(box(world), at, built.staging, engine2.getRenderWidth() / Math.max(engine2.getRenderHeight(), 1));
  eye.position = first.t;
  eye.rotation = first.r;
  if (!at) {
    const far = length2(sub2(first.target, first.t));
    camera.minZ = Math.max(Math.min(0.05, far * 0.01), 1e-3);
    camera.maxZ = Math.max(5e3, far * 50);
  }
  const rooms = new Rooms(built.staging, (i, seen) => {
    for (const m of built.nodes[i].getChildMeshes(true)) m.isVisible = seen;
  });
  const controls = canvas && options.controls !== false ? new Orbit(eye, canvas) : void 0;
  if (controls) controls.target = first.target;
  const stage = new Running(scene, engine(scene, built, () => world.activeCamera ?? camera), options.still ?? false);
  ground(stage.bodies, built.staging);
  stage.hear(() => ({ t: camera.globalPosition.asArray(), r: eye.rotation }));
  const pipeline = effects(scene.post, world, camera);
  const hit = (ray) => pick(stage, world, ray);
  const aspect = () => engine2.getRenderWidth() / Math.max(engine2.getRenderHeight(), 1);
  const pointer = canvas && new Pointer(canvas, {
    stage: () => stage,
    hit,
    ray: (x, y) => through(eye, aspect(), x, y),
    ahead: () => camera.getDirection(new Vector33(0, 0, -1)).asArray(),
    orbit: (on) => {
      if (controls) controls.enabled = on;
    },
    describe: () => {
    }
  });
  const act = perform(stage, canvas, options.ui);
  void Promise.all(built.pending).then(() => {
    for (const f of built.faults) act.fault(f.node, f.text);
  });
  const update = (dt) => {
    stage.advance(dt);
    if (built.gone) return;
    if (canvas && !options.engine && (canvas.width !== canvas.clientWidth || canvas.height !== canvas.clientHeight) && canvas.clientWidth > 0) engine2.resize();
    flat(camera, size, aspect());
    if (world.activeCamera === camera) {
      rooms.to(at ? void 0 : eye.position);
      face(world, eye, camera, size, aspect());
    }
    world.render();
  };
  const frame = () => update(Math.min(engine2.getDeltaTime() / 1e3, 0.25));
  if (options.loop !== false) engine2.runRenderLoop(frame);
  let session;
  return {
    scene: world,
    update,
    emit: (node, event, payload) => stage.raise(node, event, payload),
    async enter(mode) {
      const helper = await WebXRExperienceHelper.CreateAsync(world);
      const output = helper.sessionManager.getWebXRRenderTarget();
      const manager = await helper.enterXRAsync(mode, "local-floor", output, { optionalFeatures: ["hand-tracking"] });
      const hands = new Immersive(stage, manager.session, { hit, beam: beams(built) });
      const seen = manager.onXRFrameObservable.add((f) => hands.frame(f, manager.referenceSpace));
      const clear = world.clearColor, sky = world.getMeshByName("sky");
      if (mode === "immersive-ar") {
        world.clearColor = new Color42(0, 0, 0, 0);
        sky?.setEnabled(false);
      }
      session = { end: () => helper.exitXRAsync() };
      helper.onStateChangedObservable.add((state) => {
        if (state !== WebXRState.NOT_IN_XR) return;
        manager.onXRFrameObservable.remove(seen);
        hands.dispose();
        session = void 0;
        if (built.gone) return;
        world.clearColor = clear;
        sky?.setEnabled(true);
        world.activeCamera = camera;
        helper.dispose();
      });
      return manager.session;
    },
    dispose() {
      if (built.gone) return;
      engine2.stopRenderLoop(frame);
      void session?.end();
      controls?.dispose();
      pointer?.dispose();
      pipeline?.dispose();
      act.dispose();
      stage.dispose();
      if (!options.engine) engine2.dispose();
    }
  };
}
function face(world, eye, camera, size, aspect) {
  const sheets = world.meshes.filter((m) => m.metadata?.floats && m.isEnabled());
  if (sheets.length === 0) return;
  const half = eye.flat ? camera.metadata.ortho / size.zoom / 2 : Math.tan(camera.fov / 2);
  const seen = facing(sheets.map((m) => {
    const { width, height, lines } = m.metadata.size, s = m.parent.absoluteScaling;
    return { at: m.getAbsolutePosition().asArray(), width: width * s.x, height: height * s.y, lines, first: !m.metadata.named };
  }), { t: eye.position, r: eye.rotation, half, aspect, flat: eye.flat === true });
  sheets.forEach((m, i) => {
    for (const part of [m, ...m.getChildMeshes(true)]) part.isVisible = seen[i] > 0;
    if (seen[i] === 0) return;
    m.scaling.setAll(seen[i]);
    m.rotationQuaternion = Quaternion3.FromArray(product(back(m.parent.absoluteRotationQuaternion.asArray()), eye.rotation));
  });
}
function own(built) {
  const object = built.camera && built.byId.get(built.camera.node);
  if (!object) return void 0;
  object.computeWorldMatrix(true);
  return { t: object.getAbsolutePosition().asArray(), r: object.absoluteRotationQuaternion.asArray() };
}
function box(world) {
  let out;
  for (const m of world.meshes) {
    if (!m.isEnabled() || m.metadata?.sky || m.metadata?.particles || m.getTotalVertices() === 0) continue;
    m.computeWorldMatrix(true);
    const { minimumWorld: a, maximumWorld: b } = m.getBoundingInfo().boundingBox;
    out = out ? [[Math.min(out[0][0], a.x), Math.min(out[0][1], a.y), Math.min(out[0][2], a.z)], [Math.max(out[1][0], b.x), Math.max(out[1][1], b.y), Math.max(out[1][2], b.z)]] : [[a.x, a.y, a.z], [b.x, b.y, b.z]];
  }
  return out;
}
function eyeOf(camera, size) {
  const ortho = camera.metadata.ortho;
  return {
    get position() {
      return camera.position.asArray();
    },
    set position(t) {
      camera.position.fromArray(t);
    },
    get rotation() {
      return camera.rotationQuaternion.asArray();
    },
    set rotation(r) {
      camera.rotationQuaternion = Quaternion3.FromArray(r);
    },
    flat: ortho > 0,
    height: (distance) => ortho > 0 ? ortho / size.zoom : 2 * distance * Math.tan(camera.fov / 2),
    zoom(by) {
      size.zoom = Math.min(Math.max(size.zoom / by, 0.01), 1e3);
      return ortho > 0;
    }
  };
}
function flat(camera, size, aspect) {
  if (camera.mode !== Camera2.ORTHOGRAPHIC_CAMERA) return;
  const half = camera.metadata.ortho / size.zoom / 2;
  camera.orthoTop = half;
  camera.orthoBottom = -half;
  camera.orthoLeft = -half * aspect;
  camera.orthoRight = half * aspect;
}
function pick(stage, world, ray) {
  const found = world.pickWithRay(new Beam(new Vector33(...ray.from), new Vector33(...ray.ahead), 1e5), (m) => m.isPickable && m.isEnabled() && nodeOf(m) !== void 0);
  const node = found?.pickedMesh && nodeOf(found.pickedMesh);
  if (!found?.pickedPoint || !node) return void 0;
  return { node, grab: stage.nearest(node, "grab"), point: found.pickedPoint.asArray(), distance: found.distance };
}
function effects(list, world, camera) {
  const some = shown2(list);
  if (some.length === 0) return void 0;
  const g = grades(some), p = new DefaultRenderingPipeline("effects", true, world, [camera]);
  world.clearColor = world.clearColor.toLinearSpace();
  p.samples = 4;
  p.bloomEnabled = g.bloom > 0;
  p.bloomThreshold = g.threshold;
  p.bloomWeight = 0.5 * g.bloom;
  p.chromaticAberrationEnabled = g.fringe > 0;
  p.chromaticAberration.aberrationAmount = 30 * g.fringe;
  p.grainEnabled = g.grain > 0;
  p.grain.intensity = 30 * g.grain;
  const develop = p.imageProcessing.imageProcessingConfiguration;
  develop.exposure *= g.brightness;
  develop.contrast = g.contrast;
  develop.vignetteEnabled = g.vignette > 0;
  develop.vignetteWeight = 4 * g.vignette;
  develop.vignetteBlendMode = ImageProcessingConfiguration2.VIGNETTEMODE_MULTIPLY;
  if (g.saturation !== 1) {
    develop.colorCurvesEnabled = true;
    develop.colorCurves = new ColorCurves();
    develop.colorCurves.globalSaturation = Math.min(Math.max((g.saturation - 1) * 100, -100), 100);
  }
  return p;
}
export {
  create
};

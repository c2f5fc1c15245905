// src/playcanvas/module.ts
import {
  AnimClipHandler,
  AnimComponentSystem,
  AppBase,
  AppOptions,
  CameraComponentSystem,
  Color as Color3,
  ContainerHandler,
  Entity as Entity4,
  GAMMA_SRGB,
  LightComponentSystem,
  RenderComponentSystem,
  RESOLUTION_AUTO,
  TextureHandler,
  TONEMAP_ACES,
  TONEMAP_NEUTRAL,
  TONEMAP_NONE,
  Vec3 as Vec33,
  WebglGraphicsDevice,
  XRSPACE_LOCALFLOOR,
  XrManager
} from "playcanvas";
const{_f:hex2}=meshd$core;
const{_6:perform}=meshd$host;
const{_0:Immersive}=meshd$host;
const{_1:Orbit}=meshd$scene;
const{_3:Pointer,_n:through}=meshd$scene;
const{_2:Running}=meshd$core;
const{_a:checked,_k:looks2}=meshd$core;
const{_4:facing,_2:Rooms}=meshd$host;
const{_b:ground}=meshd$scene;
const{_4:Staging2}=meshd$scene;
const{_g:length3,_s:sub3}=meshd$core;
const{_q:view}=meshd$scene;

// src/playcanvas/build.ts
import {
  BLEND_NONE,
  BLEND_NORMAL,
  Color,
  CULLFACE_BACK,
  CULLFACE_NONE,
  Entity,
  FOG_EXP2,
  LAYERID_SKYBOX,
  Mesh,
  MeshInstance,
  PIXELFORMAT_RGBA8,
  PRIMITIVE_TRIANGLES,
  SHADERLANGUAGE_GLSL,
  StandardMaterial,
  Texture,
  Vec3
} from "playcanvas";
const{_6:alpha,_f:hex,_i:linear2}=meshd$core;
const{_d:inkOf,_e:letters}=meshd$scene;
const{_9:called,_k:looks}=meshd$core;
const{_i:solid,_o:turned}=meshd$scene;
const{_5:clearer,_4:Staging,_m:sun}=meshd$scene;
const{_8:extentOf,_j:solidOf,_k:standIn}=meshd$scene;
const{_g:length,_s:sub}=meshd$core;

// src/playcanvas/ambient.ts
const{_i:linear}=meshd$core;
var Ambient = class {
  // what metals mirror
  constructor(staging, app) {
    this.app = app;
    const { above, below, gain } = staging;
    this.gain = gain;
    this.before = app.scene.ambientLight.clone();
    this.lamps.set("", { above, below, intensity: gain, on: true });
    this.mirror = alone(app.graphicsDevice, above.map((c, k) => (c + below[k]) / 2 * gain));
  }
  app;
  lamps = /* @__PURE__ */ new Map();
  materials = /* @__PURE__ */ new Set();
  gain;
  // multiplies all light
  before;
  mirror;
  // add takes in the light of a node.
  add(id, l) {
    const above = linear(l.color);
    this.lamps.set(id, { above, below: l.type === "ambient" ? above : linear(l.ground ?? "#ffffff"), intensity: (l.intensity ?? 1) * this.gain, on: true });
  }
  remove(id) {
    if (this.lamps.delete(id)) this.show();
  }
  // light lets a surface have it.
  light(m) {
    m.cubeMap = this.mirror;
    this.materials.add(m);
  }
  // copied is called for a surface that was made of another.
  copied(m) {
    this.materials.add(m);
    this.show();
  }
  forget(m) {
    this.materials.delete(m);
  }
  // set changes the light of a node; false when it has none from everywhere.
  set(id, part) {
    const l = this.lamps.get(id);
    if (!l) return false;
    if (part.intensity !== void 0) l.intensity = part.intensity * this.gain;
    if (part.color) [l.above, l.below] = [part.color, l.below === l.above ? part.color : l.below];
    if (part.on !== void 0) l.on = part.on;
    this.show();
    return true;
  }
  // sum is all of the light, as it comes from above and from below.
  get sum() {
    const out = { above: [0, 0, 0], below: [0, 0, 0] };
    for (const l of this.lamps.values()) for (const way of ["above", "below"]) for (let k = 0; k < 3; k++) out[way][k] += l.on ? l[way][k] * l.intensity : 0;
    return out;
  }
  show() {
    const { above, below } = this.sum, mean = above.map((v, k) => (v + below[k]) / 2);
    this.app.scene.ambientLight = dark(mean);
    const uneven = above.some((v, k) => Math.abs(v - below[k]) > 1e-6);
    for (const m of this.materials) {
      const harmonics = new Float32Array(27);
      for (let k = 0; k < 3; k++) [harmonics[k], harmonics[6 + k]] = [mean[k], (above[k] - below[k]) / 2];
      m.ambientSH = uneven ? harmonics : null;
      m.update();
    }
  }
  dispose() {
    this.app.scene.ambientLight = this.before;
    this.mirror.destroy();
    this.materials.clear();
  }
};

// src/playcanvas/models.ts
import { Asset as File } from "playcanvas";
const{_8:bytes}=meshd$core;
const{_f:obj,_g:packed,_l:stl}=meshd$scene;
async function model(asset, parent, look, built) {
  const data = bytes(asset.data ?? ""), kind = asset.path.toLowerCase().replace(/^.*\./, ""), { app } = built;
  const put = (s) => {
    surface(mesh(s, built), look, parent, built);
  };
  if (kind === "obj") return put(obj(new TextDecoder().decode(data)));
  if (kind === "stl") return put(stl(data));
  if (kind !== "glb" && kind !== "gltf") throw new Error(`${asset.path}: a module shows glTF, OBJ and STL`);
  const contents = kind === "gltf" ? packed(new TextDecoder().decode(data), asset.path) : data.buffer;
  const file2 = new File(asset.path, "container", { url: `${asset.path}.glb`, filename: `${asset.path}.glb`, contents });
  const read = new Promise((done, failed) => {
    file2.once("load", () => done());
    file2.once("error", (e) => failed(new Error(`${asset.path}: ${String(e)}`)));
  });
  app.assets.add(file2);
  app.assets.load(file2);
  await read;
  const drop = () => {
    file2.unload();
    app.assets?.remove(file2);
  };
  if (built.gone) return drop();
  built.keep.push({ destroy: drop });
  const container = file2.resource, root = container.instantiateRenderEntity();
  root.tags.add("file");
  parent.addChild(root);
  const clip = container.animations[0]?.resource;
  if (!clip || !app.systems.anim) return;
  root.addComponent("anim", { activate: true });
  root.anim.assignAnimation("clip", clip, void 0, 1, true);
  built.moving.push(root);
}

// src/playcanvas/build.ts
function paint(v) {
  return new Color(v[0], v[1], v[2]);
}
function dark(v) {
  return paint(v.map((c) => Math.pow(Math.max(c, 0), 1 / 2.2)));
}
function build(scene, app, far) {
  const nodes = scene.nodes ?? [];
  const root = new Entity(scene.name || "scene", app), staging = new Staging(scene), all = [];
  app.root.addChild(root);
  const built = {
    app,
    root,
    byId: /* @__PURE__ */ new Map(),
    ids: /* @__PURE__ */ new Map(),
    staging,
    boxes: new Map(staging.solids.filter((o) => !o.emits).map((o) => [o.node, o])),
    nodes: all,
    seen: nodes.some(looks),
    ambient: new Ambient(staging, app),
    maker: new Maker(scene),
    moving: [],
    solids: /* @__PURE__ */ new Map(),
    keep: [],
    faults: [],
    pending: [],
    gone: false
  };
  built.maker.prepare(built);
  surroundings(scene, built, far);
  const reach = length(sub(staging.hi, staging.lo)) + length(sub(staging.eye(16 / 9), staging.target));
  nodes.forEach((n, i) => {
    const object = built.maker.make(i === staging.shadow ? { ...n, light: { ...n.light, shadow: true } } : n, n.parent >= 0 ? all[n.parent] : root, built, i);
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
    key.lookAt(Vec3.ZERO);
    key.rotateLocal(90, 0, 0);
  }
  for (const c of root.findComponents("light")) if (c.type === "directional" && c.castShadows) c.shadowDistance = Math.min(reach, far);
  built.ambient.show();
  return built;
}
var Maker = class {
  constructor(scene) {
    this.scene = scene;
  }
  scene;
  materials = [];
  meshes = [];
  // prepare makes the surfaces, before the light from everywhere falls on them.
  prepare(built) {
    this.materials = (this.scene.materials ?? []).map((m) => material(m, this.scene, built));
  }
  // make makes the entity of a node; index is its place among those of the scene.
  make(n, parent, built, index = -1) {
    const { scene } = this, object = new Entity(n.name ?? n.path, built.app);
    object.setLocalPosition(...n.t ?? [0, 0, 0]);
    object.setLocalRotation(...n.r ?? [0, 0, 0, 1]);
    object.setLocalScale(...n.s ?? [1, 1, 1]);
    parent.addChild(object);
    built.byId.set(n.id, object);
    built.ids.set(object, n.id);
    const look = this.materials[n.material ?? -1], shape = scene.geometries?.[n.geometry ?? -1];
    if (look && shape) {
      if (shape.kind === "model") file(n, scene, object, look, built);
      else {
        const { role, clear } = built.boxes.get(index) ?? { role: "thing", clear: false };
        if (role === "shell" && !clear && !built.seen) surface(mesh(turned(solid(shape)), built), look, object, built).render.castShadows = false;
        else surface(this.meshes[n.geometry] ??= mesh(solid(shape), built), look, object, built).render.castShadows = role !== "shell" && look.blendType === BLEND_NONE;
      }
    }
    if (n.text) letter(n, n.text.value, scene, built);
    if (n.light) light(n.id, n.light, object, built);
    if (n.visible === false) object.enabled = false;
    return object;
  }
};
function mesh(s, built, paints) {
  const m = new Mesh(built.app.graphicsDevice);
  m.setPositions(s.positions);
  m.setNormals(s.normals);
  m.setUvs(0, s.uvs);
  m.setIndices(s.indices);
  if (paints) m.setColors(paints);
  m.update(PRIMITIVE_TRIANGLES);
  m.incRefCount();
  built.solids.set(m, s);
  return m;
}
function surface(m, look, object, built, tag = "surface") {
  const part = new Entity(`${object.name} ${tag}`, built.app);
  part.addComponent("render", { meshInstances: [new MeshInstance(m, look)] });
  part.tags.add(tag);
  object.addChild(part);
  return part;
}
function lens(data) {
  return { fov: data.fov * 180 / Math.PI, nearClip: data.near, farClip: data.far, projection: data.ortho ? 1 : 0, orthoHeight: (data.ortho ?? 10) / 2 };
}
function erase(object) {
  for (const c of object.children.filter((o) => o instanceof Entity && o.tags.has("letters"))) {
    const ink = c.render.meshInstances[0].material;
    c.destroy();
    ink.opacityMap?.destroy();
    ink.destroy();
  }
}
function letter(n, value, scene, built) {
  const object = built.byId.get(n.id);
  if (!object) return;
  erase(object);
  if (value === "") return;
  const ink = inkOf(n.material === void 0 ? void 0 : scene.materials?.[n.material], n.geometry !== void 0), index = built.nodes.indexOf(object);
  const floats = built.staging.floating.has(index < 0 ? built.nodes.length : index);
  const sheet = lettering({ size: 0.1, ...n.text, value }, ink, object, built, floats);
  sheet.translateLocal(0, 0, n.geometry === void 0 ? 0 : ((scene.geometries ?? [])[n.geometry].size?.[2] ?? 0) / 2 + 2e-3);
}
var turning = /* @__PURE__ */ new WeakMap();
function turningOf(e) {
  return turning.get(e);
}
function lettering(t, paint2, object, built, floats) {
  const device = built.app.graphicsDevice, { picture, width, height, x } = letters(t);
  const ink = unlit();
  ink.emissive = dark(paint2);
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
  const plane = { positions: [-w, -h, 0, w, -h, 0, w, h, 0, -w, h, 0], normals: [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1], uvs: [0, 0, 1, 0, 1, 1, 0, 1], indices: [0, 1, 2, 0, 2, 3] };
  const sheet = surface(mesh(plane, built), ink, object, built, "letters");
  sheet.setLocalPosition(x, 0, 0);
  sheet.render.castShadows = false;
  if (!floats) return sheet;
  turning.set(sheet, { width, height, lines: t.value.split("\n").length });
  sheet.tags.add("floats");
  const dim = unlit(), light2 = 0.2126 * paint2[0] + 0.7152 * paint2[1] + 0.0722 * paint2[2] > 0.18;
  dim.emissive = light2 ? new Color(15 / 255, 19 / 255, 25 / 255) : new Color(1, 1, 1);
  dim.opacity = 0.5;
  dim.blendType = BLEND_NORMAL;
  dim.depthWrite = false;
  dim.update();
  built.keep.push(dim);
  const plate = surface(mesh(plane, built), dim, sheet, built, "plate");
  plate.setLocalPosition(0, 0, -height / 20);
  plate.render.castShadows = false;
  return sheet;
}
function unlit(toned = false) {
  const m = new StandardMaterial();
  m.useTonemap = toned;
  m.useLighting = false;
  m.diffuse = new Color(0, 0, 0);
  m.specular = new Color(0, 0, 0);
  m.cull = CULLFACE_NONE;
  return m;
}
function file(n, scene, object, look, built) {
  const asset = scene.assets?.[(scene.geometries ?? [])[n.geometry].asset ?? -1];
  const missing = (text) => {
    if (built.gone) return;
    built.faults.push({ node: n.id, text: `${called(n)}: ${text}` });
    const parts = standIn(n, scene), { lo, hi } = extentOf(parts), high = length(sub(hi, lo)) * 0.1, sky = scene.environment?.sky?.colors ?? ["#dfe5ec"];
    for (const part of parts) surface(mesh(solid(solidOf(part)), built), material({ base_color: part[3] }, scene, built), object, built, "missing").setLocalPosition(...part[2]);
    built.ambient.show();
    const name = lettering({ value: called(n), size: high }, inkOf({ base_color: sky[sky.length - 1] }, true), object, built, true);
    name.setLocalPosition((lo[0] + hi[0]) / 2, hi[1] + high, (lo[2] + hi[2]) / 2);
    turning.get(name).named = true;
  };
  if (!asset?.data) return missing(`the model ${asset?.path ?? ""} did not come with the scene`);
  built.pending.push(model(asset, object, look, built).catch((e) => missing(e instanceof Error ? e.message : String(e))));
}
function texture(index, scene, built) {
  const asset = scene.assets?.[index ?? -1];
  if (!asset?.data) return null;
  const t = new Texture(built.app.graphicsDevice, { name: asset.path, width: 1, height: 1, format: PIXELFORMAT_RGBA8, mipmaps: true, flipY: true, levels: [new Uint8Array([255, 255, 255, 255])] });
  built.keep.push(t);
  if (typeof Image === "undefined") return t;
  const image = new Image();
  built.pending.push(new Promise((done) => {
    image.onload = () => {
      if (!built.gone) t.setSource(image);
      done();
    };
    image.onerror = () => done();
  }));
  image.src = `data:${asset.media_type};base64,${asset.data}`;
  return t;
}
function material(m, scene, built) {
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
    out.glossInvert = true;
    out.gloss = m.roughness ?? 0.5;
    const bend = ((m.ior ?? 1.5) - 1) / ((m.ior ?? 1.5) + 1);
    out.useMetalnessSpecularColor = true;
    out.specularityFactor = bend * bend / 0.04;
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
var neutral = `
vec3 toneMap(vec3 color) {
	color *= getExposure();
	float peak = max(color.r, max(color.g, color.b));
	if (peak < 0.8) return color;
	float top = 1.0 - 0.04 / (peak - 0.6);
	return mix(color * top / peak, vec3(top), 1.0 - 1.0 / (0.15 * (peak - top) + 1.0));
}
`;
var falloff = `
float getFalloffWindow(float lightRadius, vec3 lightDir) {
	float ratio = dot(lightDir, lightDir) / (lightRadius * lightRadius);
	return square(saturate(1.0 - ratio * ratio));
}
float getFalloffInvSquared(float lightRadius, vec3 lightDir) {
	return getFalloffWindow(lightRadius, lightDir) / max(dot(lightDir, lightDir), 0.01);
}
`;
function light(id, l, parent, built) {
  if (l.type === "ambient" || l.type === "hemisphere") return built.ambient.add(id, l);
  const lamp = new Entity(`${parent.name} light`, built.app);
  const deg = 180 / Math.PI, half = l.type === "area" ? 1.4 : l.angle ?? 0.5, soft = l.type === "area" ? 0.6 : l.penumbra ?? 0;
  lamp.addComponent("light", {
    type: l.type === "directional" ? "directional" : l.type === "spot" || l.type === "area" ? "spot" : "point",
    color: paint(hex(l.color)),
    intensity: (l.intensity ?? 1) * built.staging.gain,
    range: l.range || 1e3,
    falloffMode: 1,
    innerConeAngle: half * (1 - soft) * deg,
    outerConeAngle: half * deg,
    castShadows: l.shadow === true,
    shadowResolution: 1024,
    shadowDistance: 60,
    normalOffsetBias: 0.02,
    shadowBias: 0.1
  });
  lamp.tags.add("light");
  lamp.setLocalEulerAngles(90, 0, 0);
  parent.addChild(lamp);
}
function lamps(object) {
  return object.children.flatMap((c) => c instanceof Entity && c.tags.has("light") && c.light ? [c.light] : []);
}
function surroundings(scene, built, far) {
  const e = scene.environment ?? {}, colors = e.sky?.colors ?? [], fog = built.app.scene.fog;
  if (colors.length > 1) built.sky = dome(colors, built, far, !!e.tone_mapping);
  if (!e.fog) return;
  fog.type = FOG_EXP2;
  fog.density = built.seen ? e.fog.density : clearer(e.fog.density, length(sub(built.staging.eye(16 / 9), built.staging.target)));
  fog.color = paint(hex(e.fog.color));
}
function dome(colors, built, far, toned) {
  const ball = solid({ kind: "sphere", radius: 1, segments: [32, 16] }), paints = [];
  for (let i = 0; i < ball.positions.length; i += 3) {
    const u = (1 - Math.min(Math.max(ball.positions[i + 1], -1), 1)) / 2 * (colors.length - 1), k = Math.min(Math.floor(u), colors.length - 2);
    const from = linear2(colors[k]), to = linear2(colors[k + 1]);
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
  sky.render.castShadows = sky.render.receiveShadows = false;
  sky.render.layers = [LAYERID_SKYBOX];
  sky.setLocalScale(far * 0.9, far * 0.9, far * 0.9);
  return sky;
}
function alone(device, light2) {
  const side = () => new Uint8Array(Array.from({ length: 16 }, () => [...light2.map((c) => Math.round(Math.min(Math.max(c, 0), 1) * 255)), 255]).flat());
  return new Texture(device, { name: "around", cubemap: true, width: 4, height: 4, format: PIXELFORMAT_RGBA8, mipmaps: false, levels: [[side(), side(), side(), side(), side(), side()]] });
}

// src/playcanvas/engine.ts
import {
  BLEND_ADDITIVEALPHA,
  BLEND_NONE as BLEND_NONE2,
  BLEND_NORMAL as BLEND_NORMAL2,
  Color as Color2,
  Entity as Entity2,
  Mesh as Mesh2,
  MeshInstance as MeshInstance2,
  PIXELFORMAT_RGBA8 as PIXELFORMAT_RGBA82,
  PRIMITIVE_TRIANGLES as PRIMITIVE_TRIANGLES2,
  StandardMaterial as StandardMaterial2,
  Texture as Texture2
} from "playcanvas";
const{_h:lightOf}=meshd$core;
const{_5:painted}=meshd$host;
const{_1:Quads,_7:spot}=meshd$host;
function engine(scene, built, eye) {
  const { app } = built, of = (node) => built.byId.get(node);
  const own = /* @__PURE__ */ new Map(), made = /* @__PURE__ */ new Set();
  const parts = (object, tag) => object.children.filter((c) => c instanceof Entity2 && c.tags.has(tag));
  const surface2 = (object) => {
    const known = own.get(object);
    if (known) return known;
    for (const part of parts(object, "surface")) {
      const instance = part.render?.meshInstances[0];
      if (!(instance?.material instanceof StandardMaterial2)) continue;
      const m = instance.material.clone();
      instance.material = m;
      own.set(object, m);
      if (m.useLighting) built.ambient.copied(m);
      return m;
    }
    return void 0;
  };
  const release = (m) => {
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
      const amount = typeof value === "number" ? value : void 0, srgb = painted(value);
      if (key === "intensity" && amount !== void 0 && !built.ambient.set(node, { intensity: Math.max(amount, 0) })) for (const l of lamps(object)) l.intensity = Math.max(amount, 0) * built.staging.gain;
      if (key === "color" && srgb && !built.ambient.set(node, { color: srgb.map(lightOf) })) for (const l of lamps(object)) l.color = paint(srgb);
      const m = key === "intensity" ? void 0 : surface2(object);
      if (!m) return;
      if ((key === "color" || key === "base_color") && srgb) m[m.useLighting ? "diffuse" : "emissive"] = paint(srgb);
      else if (key === "opacity" && amount !== void 0) {
        m.opacity = clamp(amount);
        m.blendType = m.opacity < 1 ? BLEND_NORMAL2 : BLEND_NONE2;
        m.depthWrite = m.opacity === 1;
      } else if (!m.useLighting) return;
      else if (key === "emissive" && srgb) m.emissive = paint(srgb);
      else if (amount === void 0) return;
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
      const object = of(like)?.clone() ?? new Entity2(node, app);
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
    swarm(node, swarm) {
      const quads = new Quads(swarm), object = of(node), device = app.graphicsDevice;
      const mesh2 = new Mesh2(device), dot2 = new Texture2(device, { name: "particle", width: 32, height: 32, format: PIXELFORMAT_RGBA82, mipmaps: true, levels: [spot()] });
      mesh2.clear(true, false, swarm.count * 4, quads.indices.length);
      const ink = new StandardMaterial2();
      ink.useLighting = false;
      ink.diffuse = ink.specular = new Color2(0, 0, 0);
      ink.emissive = new Color2(1, 1, 1);
      ink.emissiveVertexColor = ink.opacityVertexColor = true;
      ink.opacityMap = dot2;
      ink.opacityMapChannel = "a";
      ink.blendType = swarm.adds ? BLEND_ADDITIVEALPHA : BLEND_NORMAL2;
      ink.depthWrite = false;
      ink.cull = 0;
      ink.update();
      const draw = () => {
        const s = object.getWorldTransform().getScale(), r = object.getRotation(), e = eye().getRotation();
        quads.face([e.x, e.y, e.z, e.w], [r.x, r.y, r.z, r.w], [s.x, s.y, s.z]);
        mesh2.setPositions(quads.positions);
        mesh2.setColors(quads.colours);
        mesh2.setUvs(0, quads.uvs);
        mesh2.setIndices(quads.indices);
        mesh2.update(PRIMITIVE_TRIANGLES2);
      };
      draw();
      const part = new Entity2(`${object.name} particles`, app), instance = new MeshInstance2(mesh2, ink);
      instance.cull = false;
      part.addComponent("render", { meshInstances: [instance], castShadows: false, receiveShadows: false });
      part.tags.add("particles");
      object.addChild(part);
      return {
        update: draw,
        dispose() {
          part.destroy();
          ink.destroy();
          dot2.destroy();
        }
      };
    },
    // The animations of files go on with the application; here they are switched.
    step() {
      return built.moving.length > 0;
    },
    get lively() {
      return built.moving.length > 0;
    },
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
    }
  };
}
function seen(object) {
  for (let o = object; o; o = o.parent) if (!o.enabled) return false;
  return true;
}
function clamp(x) {
  return Math.min(Math.max(x, 0), 1);
}

// src/playcanvas/pick.ts
import { BoundingSphere, Entity as Entity3, Mat4, Ray as Line, Vec3 as Vec32 } from "playcanvas";
const{_5:add,_b:cross,_c:dot,_g:length2,_l:mul,_s:sub2}=meshd$core;
var Picker = class {
  constructor(stage, built) {
    this.stage = stage;
    this.built = built;
  }
  stage;
  built;
  read = /* @__PURE__ */ new WeakMap();
  // hit is the first thing that a ray meets.
  hit(ray) {
    const line = new Line(vec(ray.from), vec(ray.ahead)), ball = new BoundingSphere(), back = new Mat4();
    let best;
    this.built.root.forEach((part) => {
      if (!(part instanceof Entity3) || !part.enabled || !part.render || part.tags.has("sky") || part.tags.has("particles")) return;
      const node = this.nodeOf(part);
      if (node === void 0) return;
      for (const m of part.render.meshInstances) {
        ball.center.copy(m.aabb.center);
        ball.radius = m.aabb.halfExtents.length();
        if (!m.mesh || !ball.intersectsRay(line)) continue;
        back.copy(m.node.getWorldTransform()).invert();
        const from = plain(back.transformPoint(line.origin)), ahead = plain(back.transformVector(line.direction));
        const way = nearest(this.triangles(m.mesh), from, ahead);
        if (way === void 0) continue;
        const point = plain(m.node.getWorldTransform().transformPoint(vec(add(from, mul(ahead, way))))), distance = length2(sub2(point, ray.from));
        if (!best || distance < best.distance) best = { node, point, distance };
      }
    });
    if (best) best.grab = this.stage.nearest(best.node, "grab");
    return best;
  }
  nodeOf(part) {
    for (let o = part; o; o = o.parent) {
      const id = o instanceof Entity3 ? this.built.ids.get(o) : void 0;
      if (id !== void 0) return id;
    }
    return void 0;
  }
  triangles(mesh2) {
    const known = this.built.solids.get(mesh2) ?? this.read.get(mesh2);
    if (known) return known;
    const positions = [], indices = [];
    mesh2.getPositions(positions);
    mesh2.getIndices(indices);
    const out = { positions, indices: indices.length > 0 ? indices : positions.slice(0, positions.length / 3).map((_, i) => i) };
    this.read.set(mesh2, out);
    return out;
  }
};
function vec(v) {
  return new Vec32(v[0], v[1], v[2]);
}
function plain(v) {
  return [v.x, v.y, v.z];
}
function nearest({ positions: p, indices }, from, ahead) {
  let best;
  const corner = (i) => [p[indices[i] * 3], p[indices[i] * 3 + 1], p[indices[i] * 3 + 2]];
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const a = corner(i), e1 = sub2(corner(i + 1), a), e2 = sub2(corner(i + 2), a), h = cross(ahead, e2), det = dot(e1, h);
    if (Math.abs(det) < 1e-12) continue;
    const s = sub2(from, a), u = dot(s, h) / det, q = cross(s, e1), v = dot(ahead, q) / det, way = dot(e2, q) / det;
    if (u >= 0 && v >= 0 && u + v <= 1 && way > 1e-6 && (best === void 0 || way < best)) best = way;
  }
  return best;
}

// src/playcanvas/module.ts
function create(data, canvas, options = {}) {
  const scene = checked(data);
  if (!options.app && !canvas) throw new TypeError("createScene needs a canvas or options.app");
  const app = options.app ?? application(canvas);
  const before = kept(app);
  app.scene.exposure = scene.environment?.exposure ?? 1;
  const own = (scene.nodes ?? []).find(looks2)?.camera, data0 = own ?? fitting(scene);
  const built = build(scene, app, data0.far);
  const eyeEntity = new Entity4("eye", app), colors = scene.environment?.sky?.colors ?? [];
  const clear = paint(hex2(colors.length > 0 ? colors[colors.length - 1] : "#dfe5ec"));
  eyeEntity.addComponent("camera", {
    ...lens(data0),
    clearColor: clear,
    gammaCorrection: GAMMA_SRGB,
    toneMapping: scene.environment?.tone_mapping === "aces" ? TONEMAP_ACES : scene.environment?.tone_mapping ? TONEMAP_NONE : TONEMAP_NEUTRAL
  });
  built.root.addChild(eyeEntity);
  const camera = eyeEntity.camera, eye = eyeOf(eyeEntity, data0.ortho ?? 0), at = place(built);
  const first = view(box(built), at, built.staging, app.graphicsDevice.width / Math.max(app.graphicsDevice.height, 1));
  eye.position = first.t;
  eye.rotation = first.r;
  const controls = canvas && options.controls !== false ? new Orbit(eye, canvas) : void 0;
  if (controls) controls.target = first.target;
  const stage = new Running(scene, engine(scene, built, () => eyeEntity), options.still ?? false);
  ground(stage.bodies, built.staging);
  const rooms = new Rooms(built.staging, (i, seen2) => {
    for (const c of built.nodes[i].children) if (c instanceof Entity4 && c.render) c.render.enabled = seen2;
  });
  stage.hear(() => ({ t: eye.position, r: eye.rotation }));
  const picker = new Picker(stage, built), hit = (ray) => picker.hit(ray);
  const aspect = () => app.graphicsDevice.width / Math.max(app.graphicsDevice.height, 1);
  const pointer = canvas && new Pointer(canvas, {
    stage: () => stage,
    hit,
    ray: (x, y) => through(eye, aspect(), x, y),
    ahead: () => [eyeEntity.forward.x, eyeEntity.forward.y, eyeEntity.forward.z],
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
  const advance = (dt) => {
    if (built.gone) return;
    stage.advance(Math.min(dt, 0.25));
    for (const root of built.moving) root.anim.playing = stage.playing;
    if (!app.xr?.active) {
      rooms.to(at ? void 0 : eye.position);
      face(built, eye, data0.ortho ?? 0, aspect());
    }
    if (built.sky) built.sky.setPosition(eyeEntity.getPosition());
  };
  const loop = options.loop !== false;
  if (loop) app.on("update", advance);
  if (loop && !options.app) app.start();
  let ends;
  return {
    app,
    scene: built.root,
    nodes: built.byId,
    update(dt) {
      advance(dt);
      if (built.gone || options.app) return;
      app.update(dt);
      app.render();
    },
    emit: (node, event, payload) => stage.raise(node, event, payload),
    async enter(mode) {
      const { xr } = app;
      if (!xr) throw new Error("the application has no immersive mode");
      const at2 = { t: eye.position, r: eye.rotation };
      await new Promise((done, failed) => {
        camera.startXr(mode, XRSPACE_LOCALFLOOR, { optionalFeatures: ["hand-tracking"], callback: (e) => e ? failed(e) : done() });
      });
      const session = xr.session, space = await session.requestReferenceSpace("local-floor");
      const beam = beams(app);
      const hands = new Immersive(stage, session, { hit, beam: beam.set });
      const frame = (f) => {
        hands.frame(f, space);
        beam.draw();
      };
      xr.on("update", frame);
      if (mode === "immersive-ar") {
        camera.clearColor = new Color3(0, 0, 0, 0);
        if (built.sky) built.sky.enabled = false;
      }
      ends = () => camera.endXr();
      session.addEventListener("end", () => {
        xr.off("update", frame);
        hands.dispose();
        ends = void 0;
        if (built.gone) return;
        camera.clearColor = clear;
        if (built.sky) built.sky.enabled = true;
        eye.position = at2.t;
        eye.rotation = at2.r;
      }, { once: true });
      return session;
    },
    dispose() {
      if (built.gone) return;
      ends?.();
      app.off("update", advance);
      controls?.dispose();
      pointer?.dispose();
      act.dispose();
      stage.dispose();
      before();
      if (!options.app) app.destroy();
    }
  };
}
function application(canvas) {
  const app = new AppBase(canvas), o = new AppOptions();
  o.graphicsDevice = new WebglGraphicsDevice(canvas, { antialias: true });
  o.componentSystems = [RenderComponentSystem, CameraComponentSystem, LightComponentSystem, AnimComponentSystem];
  o.resourceHandlers = [ContainerHandler, TextureHandler, AnimClipHandler];
  o.xr = XrManager;
  app.init(o);
  app.scene.clusteredLightingEnabled = false;
  app.setCanvasResolution(RESOLUTION_AUTO);
  return app;
}
function kept(app) {
  const { scene } = app, { exposure } = scene, { type, density } = scene.fog, color = scene.fog.color.clone();
  return () => {
    scene.exposure = exposure;
    Object.assign(scene.fog, { type, density, color });
  };
}
function place(built) {
  const object = built.camera && built.byId.get(built.camera.node);
  if (!object) return void 0;
  const t = object.getPosition(), r = object.getRotation();
  return { t: [t.x, t.y, t.z], r: [r.x, r.y, r.z, r.w] };
}
function box(built) {
  let out;
  built.root.forEach((part) => {
    if (!(part instanceof Entity4) || !part.enabled || !part.render || part.tags.has("sky") || part.tags.has("particles")) return;
    for (const m of part.render.meshInstances) {
      const a = m.aabb.getMin(), b = m.aabb.getMax();
      out = out ? [[Math.min(out[0][0], a.x), Math.min(out[0][1], a.y), Math.min(out[0][2], a.z)], [Math.max(out[1][0], b.x), Math.max(out[1][1], b.y), Math.max(out[1][2], b.z)]] : [[a.x, a.y, a.z], [b.x, b.y, b.z]];
    }
  });
  return out;
}
function eyeOf(object, ortho) {
  const camera = object.camera;
  return {
    get position() {
      const p = object.getPosition();
      return [p.x, p.y, p.z];
    },
    set position(t) {
      object.setPosition(t[0], t[1], t[2]);
    },
    get rotation() {
      const r = object.getRotation();
      return [r.x, r.y, r.z, r.w];
    },
    set rotation(r) {
      object.setRotation(r[0], r[1], r[2], r[3]);
    },
    flat: ortho > 0,
    height: (distance) => ortho > 0 ? camera.orthoHeight * 2 : 2 * distance * Math.tan(camera.fov * Math.PI / 360),
    zoom(by) {
      if (ortho > 0) camera.orthoHeight = Math.min(Math.max(camera.orthoHeight * by, ortho / 2e3), ortho * 50);
      return ortho > 0;
    }
  };
}
function beams(app) {
  const rays = [], white = new Color3(1, 1, 1, 0.6);
  return {
    set(hand, ray) {
      rays[hand] = ray;
    },
    draw() {
      for (const r of rays) if (r) app.drawLine(new Vec33(r.from[0], r.from[1], r.from[2]), new Vec33(r.from[0] + 3 * r.ahead[0], r.from[1] + 3 * r.ahead[1], r.from[2] + 3 * r.ahead[2]), white);
    }
  };
}
function fitting(scene) {
  const staging = new Staging2(scene), far = length3(sub3(staging.eye(16 / 9), staging.target));
  return { fov: 50 * Math.PI / 180, near: Math.max(Math.min(0.05, far * 0.01), 1e-3), far: Math.max(5e3, far * 50) };
}
function face(built, eye, ortho, aspect) {
  const sheets = built.root.findByTag("floats");
  if (sheets.length === 0) return;
  const seen2 = facing(sheets.map((e) => {
    const p = e.getPosition(), s = e.parent.getWorldTransform().getScale(), { width, height, lines, named } = turningOf(e) ?? { width: 0, height: 0, lines: 1 };
    return { at: [p.x, p.y, p.z], width: width * s.x, height: height * s.y, lines, first: !named };
  }), { t: eye.position, r: eye.rotation, half: eye.height(1) / 2, aspect, flat: ortho > 0 });
  sheets.forEach((e, i) => {
    for (const part of [e, ...e.children]) if (part.render) part.render.enabled = seen2[i] > 0;
    if (seen2[i] === 0) return;
    e.setLocalScale(seen2[i], seen2[i], seen2[i]);
    e.setRotation(...eye.rotation);
  });
}
export {
  create
};

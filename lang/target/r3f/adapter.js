// src/fiber.ts
import { extend, useFrame, useThree } from "@react-three/fiber";
import { createContext, createElement, useContext, useEffect, useImperativeHandle, useMemo, useRef, useState, useSyncExternalStore } from "react";
import {
  BufferGeometry as BufferGeometry4,
  Color as Color2,
  FogExp2 as FogExp22,
  Group as Group3,
  Matrix4 as Matrix42,
  Mesh as Mesh6,
  PerspectiveCamera as PerspectiveCamera4,
  Texture as Texture2,
  Vector3 as Vector37
} from "three";

// src/adopt.ts
import { Light as Light3, Quaternion as Quaternion3, Vector3 as Vector34 } from "three";

// src/opening.ts
import { BackSide, Mesh, MeshBasicMaterial, OrthographicCamera, PlaneGeometry, PerspectiveCamera, Quaternion, Vector3 } from "three";
const{_c:growth,_p:uncovered}=meshd$scene;
var kept = 0.72 / 1.3;
var Opening = class {
  constructor(staging, objects) {
    this.staging = staging;
    this.objects = objects;
  }
  staging;
  objects;
  now = /* @__PURE__ */ new Map();
  last = "";
  own = /* @__PURE__ */ new Map();
  // to draws what an eye sees; without an eye everything.
  to(eye) {
    const key = eye ? eye.toArray().map((v) => v.toFixed(3)).join() : "";
    if (key === this.last) return;
    this.last = key;
    const next = eye && this.staging.room ? this.staging.cuts(eye.toArray()) : /* @__PURE__ */ new Map();
    for (const [i] of this.now) if (!next.has(i)) this.draw(i, void 0);
    for (const [i, cut] of next) if (this.now.get(i) !== cut) this.draw(i, cut);
    this.now = next;
  }
  draw(i, cut) {
    for (const c of this.objects[i]?.children ?? []) {
      if (!(c instanceof Mesh)) continue;
      c.visible = cut !== "away";
      if (c.userData.letters) continue;
      if (cut === "open") {
        const was = this.own.get(c) ?? { material: c.material };
        this.own.set(c, was);
        if (!was.inner) {
          was.inner = was.material.clone();
          was.inner.onBeforeCompile = was.material.onBeforeCompile;
          was.inner.side = BackSide;
        }
        c.material = was.inner;
        c.castShadow = false;
      } else if (this.own.has(c)) {
        c.material = this.own.get(c).material;
        c.castShadow = true;
      }
    }
  }
};
function face(objects, camera) {
  const eye = camera.getWorldPosition(new Vector3()), q = camera.getWorldQuaternion(new Quaternion()), back = q.clone().invert(), at = new Vector3(), scale = new Vector3();
  const lens = camera instanceof PerspectiveCamera ? { half: Math.tan(camera.fov * Math.PI / 360), aspect: camera.aspect } : camera instanceof OrthographicCamera ? { half: (camera.top - camera.bottom) / 2 / camera.zoom, aspect: camera.right / camera.top } : void 0;
  if (!lens) return;
  const labels = [];
  for (const o of objects) {
    for (const sheet of o.children) {
      if (!sheet.userData.letters || !sheet.userData.size) continue;
      if (sheet.children.length === 0) sheet.add(plate(sheet));
      const { width, height, lines, x } = sheet.userData.size;
      o.getWorldQuaternion(sheet.quaternion).invert().multiply(q);
      o.getWorldScale(scale);
      sheet.position.set(x, sheet.position.y, sheet.position.z);
      at.copy(sheet.position).applyMatrix4(o.matrixWorld).sub(eye).applyQuaternion(back);
      const depth = -at.z, reach = camera instanceof PerspectiveCamera ? lens.half * depth : lens.half;
      sheet.visible = depth > 0.01;
      if (!sheet.visible) continue;
      const tall = height * scale.y / reach, by = growth(tall / 2 * kept / lines);
      sheet.scale.setScalar(by);
      labels.push({ sheet, x: at.x / reach / lens.aspect, y: at.y / reach, width: by * width * scale.x / reach / lens.aspect, height: by * tall, depth, first: !sheet.userData.named });
    }
  }
  const seen = uncovered(labels);
  for (const l of labels) l.sheet.visible = seen.has(l);
}
var square = new PlaneGeometry();
var clear = { opacity: 0.5, transparent: true, depthWrite: false, toneMapped: false };
var night = new MeshBasicMaterial({ color: 987929, ...clear });
var day = new MeshBasicMaterial(clear);
function plate(sheet) {
  const { width, height } = sheet.userData.size, { r, g, b } = sheet.material.color;
  const p = new Mesh(square, 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? night : day);
  p.scale.set(width, height, 1);
  p.position.z = -height / 20;
  Object.defineProperty(p, "castShadow", { get: () => false, set: () => {
  } });
  p.raycast = () => {
  };
  return p;
}
function inked(sheet, dark) {
  sheet.material.color.setScalar(dark ? 0 : 1);
}

// src/adopt.ts
const{_b:ground}=meshd$scene;
const{_d:drive}=meshd$core;
const{_3:controls}=meshd$host;

// src/stage.ts
import { Object3D as Object3D5, Quaternion as Quaternion2, Vector3 as Vector33 } from "three";

// src/build.ts
import {
  AmbientLight,
  BackSide as BackSide2,
  CanvasTexture,
  Color,
  DirectionalLight,
  DoubleSide,
  Float32BufferAttribute as Float32BufferAttribute2,
  FogExp2,
  FrontSide,
  Group as Group2,
  HemisphereLight,
  LinearMipmapLinearFilter,
  LinearSRGBColorSpace,
  Mesh as Mesh4,
  MeshBasicMaterial as MeshBasicMaterial3,
  MeshPhysicalMaterial,
  MeshStandardMaterial as MeshStandardMaterial3,
  NoColorSpace,
  OrthographicCamera as OrthographicCamera2,
  PerspectiveCamera as PerspectiveCamera2,
  PlaneGeometry as PlaneGeometry2,
  PointLight,
  Scene as World,
  SphereGeometry,
  SpotLight,
  SRGBColorSpace,
  Texture,
  Vector3 as Vector32
} from "three";
const{_6:alpha}=meshd$core;
const{_d:inkOf,_e:letters}=meshd$scene;

// src/looks.ts
import { Light, Mesh as Mesh2, MeshBasicMaterial as MeshBasicMaterial2, MeshStandardMaterial } from "three";
var Looks = class {
  own = /* @__PURE__ */ new Map();
  // set changes a key of the look of an object: color, opacity, emissive,
  // emissive_intensity, metallic, roughness, or the intensity of its light.
  // Colours are names and hex, or three numbers of sRGB.
  set(object, key, value) {
    if (key === "intensity" && typeof value === "number") {
      for (const c of object.children) if (c instanceof Light) c.intensity = Math.max(value, 0) * Math.PI * (c.userData.gain ?? 1);
      return;
    }
    if (key === "color") {
      for (const c of object.children) if (c instanceof Light) paint(c.color, value);
    }
    const m = this.surface(object);
    if (!m) return;
    switch (key) {
      case "color":
      case "base_color":
        paint(m.color, value);
        return;
      case "opacity":
        if (typeof value !== "number") return;
        m.opacity = clamp(value);
        m.transparent = m.opacity < 1;
        m.depthWrite = !m.transparent;
        m.needsUpdate = true;
        return;
    }
    if (!(m instanceof MeshStandardMaterial)) return;
    if (key === "emissive") paint(m.emissive, value);
    else if (typeof value !== "number") return;
    else if (key === "emissive_intensity") m.emissiveIntensity = Math.max(value, 0);
    else if (key === "metallic") m.metalness = clamp(value);
    else if (key === "roughness") m.roughness = clamp(value);
  }
  // drop gives back what an object had of its own.
  drop(object) {
    this.own.get(object)?.dispose();
    this.own.delete(object);
  }
  surface(object) {
    const known = this.own.get(object);
    if (known) return known;
    for (const c of object.children) {
      if (!(c instanceof Mesh2) || !(c.material instanceof MeshStandardMaterial || c.material instanceof MeshBasicMaterial2) || c.userData.letters) continue;
      const m = c.material.clone();
      m.onBeforeCompile = c.material.onBeforeCompile;
      c.material = m;
      this.own.set(object, m);
      return m;
    }
    return void 0;
  }
};
function clamp(x) {
  return Math.min(Math.max(x, 0), 1);
}
function paint(color, value) {
  if (Array.isArray(value) && value.length >= 3) color.setRGB(Number(value[0]), Number(value[1]), Number(value[2]), "srgb");
  else if (typeof value === "string") color.setStyle(/^#[0-9a-f]{8}$/i.test(value) ? value.slice(0, 7) : value);
}
function mirror(shader) {
  shader.fragmentShader = shader.fragmentShader.replace(
    "#include <lights_fragment_end>",
    `radiance += 0.5 * irradiance * RECIPROCAL_PI;
    #include <lights_fragment_end>
    reflectedLight.indirectSpecular += 0.5 * irradiance * RECIPROCAL_PI * mix( vec3( 0.04 ), diffuseColor.rgb, metalnessFactor );`
  );
}
function mirroring(m) {
  m.onBeforeCompile = mirror;
  return m;
}

// src/mesh.ts
import { BufferGeometry, Float32BufferAttribute } from "three";
function geometry(s) {
  const g = new BufferGeometry();
  g.setAttribute("position", new Float32BufferAttribute(s.positions, 3));
  g.setAttribute("normal", new Float32BufferAttribute(s.normals, 3));
  g.setAttribute("uv", new Float32BufferAttribute(s.uvs, 2));
  g.setIndex(s.indices);
  return g;
}

// src/models.ts
import { Group, Mesh as Mesh3, MeshStandardMaterial as MeshStandardMaterial2 } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
const{_8:bytes}=meshd$core;
const{_f:obj,_g:packed,_l:stl}=meshd$scene;
async function model(asset, look) {
  const data = bytes(asset.data ?? "");
  const kind = asset.path.toLowerCase().replace(/^.*\./, "");
  if (kind === "obj") return { object: solid(obj(new TextDecoder().decode(data)), look) };
  if (kind === "stl") return { object: solid(stl(data), look) };
  if (kind !== "glb" && kind !== "gltf") throw new Error(`${asset.path}: a viewer shows glTF, OBJ and STL`);
  const file2 = await read(kind === "gltf" ? packed(new TextDecoder().decode(data), asset.path) : data.buffer);
  file2.scene.traverse((o) => {
    if (!(o instanceof Mesh3)) return;
    o.castShadow = o.receiveShadow = true;
    if (o.material instanceof MeshStandardMaterial2) mirroring(o.material);
  });
  if (file2.animations.length === 0) return { object: file2.scene };
  return { object: file2.scene, clip: new Clip(file2.scene, file2.animations[0]) };
}
function read(data) {
  const page = globalThis, kept2 = page.createImageBitmap;
  page.createImageBitmap = void 0;
  try {
    return new GLTFLoader().parseAsync(data, "");
  } finally {
    page.createImageBitmap = kept2;
  }
}
var Clip = class {
  constructor(root, clip) {
    this.clip = clip;
    for (const track of clip.tracks) {
      const dot = track.name.lastIndexOf("."), object = root.getObjectByName(track.name.slice(0, dot)), key = track.name.slice(dot + 1);
      if (!object) continue;
      const at = track.createInterpolant();
      if (key === "position" || key === "scale" || key === "quaternion") this.tracks.push((t) => {
        object[key].fromArray(at.evaluate(t));
      });
      else if (key === "morphTargetInfluences") this.tracks.push((t) => {
        object.morphTargetInfluences = Array.from(at.evaluate(t));
      });
    }
  }
  clip;
  tracks = [];
  time = 0;
  step(dt) {
    this.time = this.clip.duration > 0 ? (this.time + dt) % this.clip.duration : 0;
    for (const set of this.tracks) set(this.time);
  }
};
function solid(s, look) {
  const mesh = new Mesh3(geometry(s), look);
  mesh.castShadow = mesh.receiveShadow = true;
  return new Group().add(mesh);
}

// src/build.ts
const{_9:called,_k:looks}=meshd$core;
const{_i:solid2}=meshd$scene;
const{_g:length,_s:sub}=meshd$core;

// src/tone.ts
import { CustomToneMapping, LinearToneMapping, NeutralToneMapping, PCFShadowMap, ShaderChunk } from "three";
ShaderChunk.tonemapping_pars_fragment = ShaderChunk.tonemapping_pars_fragment.replace(
  /vec3 CustomToneMapping\s*\(\s*vec3 color\s*\)\s*\{[^}]*\}/,
  `vec3 CustomToneMapping( vec3 color ) {
    vec3 c = color * toneMappingExposure;
    return clamp( c * ( 2.51 * c + 0.03 ) / ( c * ( 2.43 * c + 0.59 ) + 0.14 ), 0.0, 1.0 );
  }`
);
ShaderChunk.tonemapping_pars_fragment = ShaderChunk.tonemapping_pars_fragment.replace(
  /vec3 NeutralToneMapping\s*\(\s*vec3 color\s*\)\s*\{[^}]*\}/,
  `vec3 NeutralToneMapping( vec3 color ) {
    vec3 c = color * toneMappingExposure;
    float peak = max( c.r, max( c.g, c.b ) );
    if ( peak < 0.8 ) return c;
    float top = 1.0 - 0.04 / ( peak - 0.6 );
    return mix( c * top / peak, vec3( top ), 1.0 - 1.0 / ( 0.15 * ( peak - top ) + 1.0 ) );
  }`
);
function curved(scene) {
  return !!scene.environment?.tone_mapping;
}
function develop(renderer, scene) {
  const e = scene.environment ?? {};
  renderer.toneMapping = e.tone_mapping === "aces" ? CustomToneMapping : e.tone_mapping ? LinearToneMapping : NeutralToneMapping;
  renderer.toneMappingExposure = e.exposure ?? 1;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
}

// src/build.ts
const{_5:clearer,_4:Staging,_m:sun}=meshd$scene;
const{_8:extentOf,_j:solidOf,_k:standIn}=meshd$scene;
var neutral = Math.PI;
function rgb(color) {
  return new Color((color ?? "#ffffffff").slice(0, 7));
}
var Maker = class {
  constructor(scene, made, gain = 1) {
    this.scene = scene;
    this.made = made;
    this.gain = gain;
  }
  scene;
  made;
  gain;
  materials = [];
  geometries = [];
  // make makes the object of a node; floats says that its text turns to the viewer.
  make(n, floats = false) {
    const object = new Group2();
    object.name = n.name ?? n.path;
    object.userData = { id: n.id, floats };
    if (n.t) object.position.fromArray(n.t);
    if (n.r) object.quaternion.fromArray(n.r);
    if (n.s) object.scale.fromArray(n.s);
    object.visible = n.visible !== false;
    this.look(n, object);
    if (n.light) light(n.light, object, this.gain);
    return object;
  }
  look(n, object) {
    const { scene, made } = this, surface = scene.materials?.[n.material ?? -1], g = scene.geometries?.[n.geometry ?? -1];
    if (surface && g) {
      const base = this.materials[n.material] ??= material(surface, scene, made.pending);
      if (g.kind === "model") file(n, g, scene, object, base, made);
      else {
        const mesh = new Mesh4(this.geometries[n.geometry] ??= geometry(solid2(g)), base);
        mesh.castShadow = mesh.receiveShadow = true;
        object.add(mesh);
      }
    }
    if (n.text) letter(n, n.text.value, scene, object);
  }
};
function erase(object) {
  for (const c of object.children.filter((o) => o.userData.letters)) {
    c.removeFromParent();
    c.geometry.dispose();
    c.material.map?.dispose();
    c.material.dispose();
  }
}
function letter(n, value, scene, object) {
  erase(object);
  if (value === "") return;
  const text = { size: 0.1, ...n.text, value };
  const sheet = lettering(text, n.material === void 0 ? void 0 : scene.materials?.[n.material], n.geometry !== void 0);
  sheet.userData.letters = true;
  if (!object.userData.floats) delete sheet.userData.size;
  if (n.geometry !== void 0) sheet.position.z = front((scene.geometries ?? [])[n.geometry]) + 2e-3;
  object.add(sheet);
}
function front(g) {
  return g.size ? g.size[2] / 2 : ((g.radius ?? 0) + (g.kind === "torus" ? g.tube ?? 0 : 0)) * (g.stretch?.[2] ?? 1);
}
function file(n, g, scene, object, look, built) {
  const asset = scene.assets?.[g.asset ?? -1];
  const missing2 = (text) => {
    built.faults.push({ node: n.id, text: `${called(n)}: ${text}` });
    object.add(...standing(n, scene));
  };
  if (!asset?.data) return missing2(`the model ${asset?.path ?? ""} did not come with the scene`);
  built.pending.push(model(asset, look).then((m) => {
    object.add(m.object);
    if (m.clip) built.clips.push(m.clip);
  }, (e) => missing2(e instanceof Error ? e.message : String(e))));
}
function standing(n, scene) {
  const parts = standIn(n, scene), { lo, hi } = extentOf(parts), high = length(sub(hi, lo)) * 0.1;
  const out = parts.map((part) => {
    const mesh = new Mesh4(geometry(solid2(solidOf(part))), mirroring(new MeshStandardMaterial3({ color: part[3], roughness: 0.5 })));
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.position.fromArray(part[2]);
    return mesh;
  });
  const name = lettering({ value: called(n), size: high }, void 0, false), sky2 = scene.environment?.sky?.colors ?? ["#dfe5ec"];
  name.position.set((lo[0] + hi[0]) / 2, hi[1] + high, (lo[2] + hi[2]) / 2);
  name.userData.size.x = name.position.x;
  Object.assign(name.userData, { letters: true, named: true });
  name.raycast = () => {
  };
  inked(name, readable(rgb(sky2[sky2.length - 1])));
  return [...out, name];
}
function texture(index, scene, pending, colour) {
  const asset = scene.assets?.[index ?? -1];
  if (!asset?.data) return null;
  const t = new Texture();
  pending.push(picture(t, asset, colour));
  return t;
}
function picture(t, asset, colour) {
  const image = new Image();
  t.image = image;
  t.colorSpace = colour ? SRGBColorSpace : NoColorSpace;
  t.wrapS = t.wrapT = 1e3;
  t.minFilter = LinearMipmapLinearFilter;
  const shown2 = new Promise((done) => {
    image.onload = () => {
      t.needsUpdate = true;
      done();
    };
    image.onerror = () => done();
  });
  image.src = `data:${asset.media_type};base64,${asset.data}`;
  return shown2;
}
function material(m, scene, pending) {
  const shared = {
    color: rgb(m.base_color),
    opacity: alpha(m.base_color),
    transparent: m.alpha === "blend",
    alphaTest: m.alpha === "mask" ? 0.5 : 0,
    side: m.double_sided ? DoubleSide : FrontSide,
    map: texture(m.maps?.base_color, scene, pending, true),
    depthWrite: m.alpha !== "blend"
  };
  if (m.unlit) return new MeshBasicMaterial3({ ...shared, toneMapped: curved(scene) });
  const orm = texture(m.maps?.orm, scene, pending, false);
  const surface = {
    ...shared,
    metalness: m.metallic ?? 0,
    roughness: m.roughness ?? 0.5,
    emissive: m.emissive ? rgb(m.emissive) : new Color(0),
    emissiveIntensity: m.emissive_intensity ?? 1,
    normalMap: texture(m.maps?.normal, scene, pending, false),
    metalnessMap: orm,
    roughnessMap: orm,
    emissiveMap: texture(m.maps?.emissive, scene, pending, true)
  };
  if ((m.ior ?? 1.5) !== 1.5) return mirroring(new MeshPhysicalMaterial({ ...surface, ior: m.ior }));
  return mirroring(new MeshStandardMaterial3(surface));
}
function readable(c) {
  return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b > 0.18;
}
function throwing(l) {
  l.castShadow = true;
  l.shadow.mapSize.setScalar(l instanceof DirectionalLight ? 2048 : 1024);
  l.shadow.normalBias = 0.02;
}
function light(l, object, gain) {
  const color = rgb(l.color), intensity = (l.intensity ?? 1) * neutral * gain;
  let out;
  switch (l.type) {
    case "ambient":
      out = new AmbientLight(color, intensity);
      break;
    case "hemisphere":
      out = new HemisphereLight(color, rgb(l.ground), intensity);
      break;
    case "directional":
      out = new DirectionalLight(color, intensity);
      break;
    case "spot":
      out = new SpotLight(color, intensity, l.range ?? 0, l.angle ?? 0.5, l.penumbra ?? 0);
      break;
    case "area":
      out = new SpotLight(color, intensity, l.range ?? 0, 1.4, 0.6);
      break;
    default:
      out = new PointLight(color, intensity, l.range ?? 0);
  }
  out.position.set(0, 0, 0);
  if (out instanceof DirectionalLight || out instanceof SpotLight) {
    out.target.position.set(0, 0, -1);
    object.add(out.target);
  }
  if (l.shadow && (out instanceof DirectionalLight || out instanceof SpotLight || out instanceof PointLight)) {
    throwing(out);
  }
  out.userData.gain = gain;
  object.add(out);
}
function lettering(t, m, onPlate) {
  const { picture: picture2, width, height, x } = letters(t), ink = inkOf(m, onPlate);
  const map = new CanvasTexture(picture2);
  map.colorSpace = SRGBColorSpace;
  const color = new Color().setRGB(...ink, LinearSRGBColorSpace);
  const mesh = new Mesh4(new PlaneGeometry2(width, height), new MeshBasicMaterial3({ map, color, transparent: true, side: DoubleSide, depthWrite: false, toneMapped: false }));
  mesh.position.x = x;
  Object.defineProperty(mesh, "castShadow", { get: () => false, set: () => {
  } });
  mesh.userData.size = { width, height, x, lines: t.value.split("\n").length };
  return mesh;
}
function sky(given = [], toneMapped = false) {
  const colors = given.map((c) => c.slice(0, 7));
  if (colors.length < 2) return { background: new Color(colors[0] ?? "#dfe5ec") };
  return { background: rgb(colors[colors.length - 1]), dome: dome(colors, toneMapped) };
}
function dome(colors, toneMapped) {
  const geometry2 = new SphereGeometry(1, 16, 32);
  const at = geometry2.getAttribute("position");
  const paint2 = new Float32Array(at.count * 3);
  for (let i = 0; i < at.count; i++) {
    const u = (1 - at.getY(i)) / 2 * (colors.length - 1);
    const k = Math.min(Math.floor(u), colors.length - 2);
    rgb(colors[k]).lerp(rgb(colors[k + 1]), u - k).toArray(paint2, i * 3);
  }
  geometry2.setAttribute("color", new Float32BufferAttribute2(paint2, 3));
  const sky2 = new Mesh4(geometry2, new MeshBasicMaterial3({ vertexColors: true, side: BackSide2, fog: false, depthWrite: false, depthTest: false, toneMapped }));
  sky2.renderOrder = -1;
  sky2.frustumCulled = false;
  sky2.userData.sky = true;
  sky2.raycast = () => {
  };
  sky2.onBeforeRender = (_r, _s, camera) => {
    sky2.matrixWorld.makeScale(100, 100, 100).setPosition(new Vector32().setFromMatrixPosition(camera.matrixWorld));
    sky2.modelViewMatrix.multiplyMatrices(camera.matrixWorldInverse, sky2.matrixWorld);
  };
  return sky2;
}

// src/points.ts
import { AdditiveBlending, BufferAttribute, BufferGeometry as BufferGeometry3, NormalBlending, Points, PointsMaterial } from "three";
function points(swarm, parent) {
  const geometry2 = new BufferGeometry3();
  geometry2.setAttribute("position", new BufferAttribute(swarm.places, 3));
  geometry2.setAttribute("color", new BufferAttribute(swarm.colours, 4));
  geometry2.setAttribute("grow", new BufferAttribute(swarm.sizes, 1));
  const material2 = round(new PointsMaterial({
    size: 1,
    vertexColors: true,
    transparent: true,
    depthWrite: false,
    toneMapped: false,
    blending: swarm.adds ? AdditiveBlending : NormalBlending
  }));
  const object = new Points(geometry2, material2);
  object.frustumCulled = false;
  object.raycast = () => {
  };
  parent.add(object);
  return {
    update() {
      for (const a of Object.values(geometry2.attributes)) a.needsUpdate = true;
    },
    dispose() {
      object.removeFromParent();
      geometry2.dispose();
      material2.dispose();
    }
  };
}
function round(m) {
  m.onBeforeCompile = (shader) => {
    shader.vertexShader = "attribute float grow;\n" + shader.vertexShader.replace(/gl_PointSize\s*=\s*size;/, "gl_PointSize = size * grow * projectionMatrix[1][1];");
    shader.fragmentShader = shader.fragmentShader.replace(
      "#include <color_fragment>",
      "#include <color_fragment>\ndiffuseColor.a *= smoothstep( 0.5, 0.2, length( gl_PointCoord - 0.5 ) );"
    );
  };
  return m;
}

// src/stage.ts
const{_2:Running}=meshd$core;
var Stage = class extends Running {
  constructor(scene, built, still) {
    super(scene, engine(scene, built), still);
    this.built = built;
  }
  built;
  // listen gives the scene its sounds, heard from a camera.
  listen(camera) {
    this.hear(() => ({ t: camera.getWorldPosition(new Vector33()).toArray(), r: camera.getWorldQuaternion(new Quaternion2()).toArray() }));
  }
};
function engine(scene, built) {
  const looks3 = new Looks(), of = (node) => built.byId.get(node);
  return {
    place(node, part, value) {
      of(node)?.[part === "rotation" ? "quaternion" : part].fromArray(value);
    },
    look(node, key, value) {
      const object = of(node);
      if (object) looks3.set(object, key, value);
    },
    show(node, visible) {
      const object = of(node);
      if (object) object.visible = visible;
    },
    letter(n, text) {
      const object = of(n.id);
      if (object) letter(n, text, scene, object);
    },
    copy(node, like, parent) {
      const object = of(like)?.clone(true) ?? new Object3D5();
      object.traverse((o) => {
        delete o.userData.id;
      });
      object.userData = { id: node };
      object.visible = true;
      (of(parent) ?? built.world).add(object);
      built.byId.set(node, object);
    },
    make(n, parent) {
      const object = (built.maker ??= new Maker(scene, { clips: built.clips, faults: [], pending: [] })).make(n);
      (of(parent) ?? built.world).add(object);
      built.byId.set(n.id, object);
    },
    remove(node) {
      const object = of(node);
      if (!object) return;
      looks3.drop(object);
      erase(object);
      object.removeFromParent();
      built.byId.delete(node);
    },
    swarm: (node, swarm) => points(swarm, of(node)),
    step(seconds) {
      for (const c of built.clips) c.step(seconds);
      return built.clips.length > 0;
    },
    get lively() {
      return built.clips.length > 0;
    },
    dispose() {
      built.world.traverse((o) => {
        const mesh = o;
        mesh.geometry?.dispose();
        for (const m of [mesh.material ?? []].flat()) {
          for (const v of Object.values(m)) if (v && v.isTexture) v.dispose();
          m.dispose();
        }
      });
    }
  };
}

// src/adopt.ts
const{_4:Staging2}=meshd$scene;
var Adopted = class {
  constructor(scene) {
    this.scene = scene;
    this.staging = new Staging2(scene);
  }
  scene;
  stage;
  notify = {};
  camera;
  values = /* @__PURE__ */ new Map();
  watchers = /* @__PURE__ */ new Set();
  off;
  panel;
  root;
  opening;
  objects = [];
  staging;
  // begin runs the scene from its start until the answer is called.
  begin(place) {
    this.end();
    const { scene } = this;
    const byId = /* @__PURE__ */ new Map(), clips = place.clips ?? [];
    place.root.traverse((o) => {
      if (typeof o.userData.id === "string") byId.set(o.userData.id, o);
    });
    this.root = place.root;
    this.objects = (scene.nodes ?? []).map((n) => byId.get(n.id));
    this.objects.forEach((o, i) => {
      for (const c of o?.children ?? []) this.staged(c, i);
    });
    this.opening = place.opens ? new Opening(this.staging, this.objects) : void 0;
    const stage = this.stage = new Stage(scene, { world: place.root, byId, clips }, place.still ?? false);
    stage.onEvent = (node, event, payload) => this.notify.onEvent?.(node, event, payload);
    stage.onState = (owner2, key, value) => this.changed(owner2, key, value);
    stage.onSay = (line) => this.say(line);
    stage.hear(() => this.ear(place.root));
    ground(stage.bodies, this.staging);
    const off = this.off = new AbortController();
    for (const kind of ["keydown", "keyup"]) {
      addEventListener(kind, (k) => {
        if (!(k.target instanceof HTMLInputElement)) stage.raise("", kind === "keydown" ? "key_down" : "key_up", { key: k.key });
      }, { signal: off.signal });
    }
    if (place.ui) this.controls(place.ui, stage);
    drive(stage);
    return () => {
      if (this.stage === stage) this.end();
    };
  }
  // staged lets of the texts only those turn to the eye that do, and says by how much
  // lights are stronger than their source says.
  staged(c, node) {
    if (c.userData.letters && !c.userData.named && !this.staging.floating.has(node)) delete c.userData.size;
    if (c instanceof Light3) c.userData.gain = this.staging.gain;
  }
  end() {
    this.off?.abort();
    this.panel?.root.remove();
    this.stage?.leave();
    this.stage = this.panel = this.off = void 0;
    this.values.clear();
  }
  controls(where, stage) {
    const panel = this.panel = controls(stage);
    if (!panel) return;
    for (const kind of ["pointerdown", "pointerup", "pointermove", "click", "dblclick", "wheel"]) panel.root.addEventListener(kind, (e) => e.stopPropagation());
    where.append(panel.root);
  }
  changed(owner2, key, value) {
    if (owner2 === "scene" || owner2 === "") this.panel?.state(key, value);
    this.values.set(owner2 === "scene" || owner2 === "" ? key : `${owner2}.${key}`, value);
    this.notify.onState?.(owner2, key, value);
    for (const w of this.watchers) w();
  }
  say(line) {
    const where = line.line ? `, ${line.function}, line ${line.line}, column ${line.column}` : "";
    if (this.notify.onSay) this.notify.onSay(line);
    else if (line.level === "fault") console.error(`${line.code ?? "fault:"} ${line.text}${where}`);
    else console.info(line.text);
  }
  // advance moves the scene by a time; it is heard from the camera.
  advance(seconds, camera) {
    this.camera = camera;
    this.stage?.advance(seconds);
    if (!this.stage || !this.root || "isArrayCamera" in camera) return;
    this.opening?.to(this.root.worldToLocal(camera.getWorldPosition(new Vector34())));
    face(this.objects.filter((o) => o !== void 0), camera);
  }
  // ear is where the camera is in the scene.
  ear(root) {
    const t = new Vector34(), r = new Quaternion3();
    if (this.camera) {
      root.updateWorldMatrix(true, false);
      root.matrixWorld.clone().invert().multiply(this.camera.matrixWorld).decompose(t, r, new Vector34());
    }
    return { t: t.toArray(), r: r.toArray() };
  }
  // find is the id of a node: of one with this id, path or name.
  find(node) {
    const all = this.scene.nodes ?? [];
    return (all.find((n) => n.id === node) ?? all.find((n) => n.path === node) ?? all.find((n) => n.name === node))?.id;
  }
  // emit raises an event at a node, everywhere for the empty name. False where no such node is.
  emit(node, event, payload = {}) {
    const id = node === "" ? "" : this.find(node);
    if (id === void 0 || !this.stage) return false;
    this.stage.raise(id, event, payload);
    return true;
  }
  // put sets a state key of the scene.
  put(key, value) {
    this.stage?.put(key, value);
  }
  // state is a state key of the scene, or of a node where one is named.
  state(key, node) {
    return this.values.get(node === void 0 ? key : `${this.find(node)}.${key}`);
  }
  // watch calls back after every change of a state key until the answer is called.
  watch(changed) {
    this.watchers.add(changed);
    return () => {
      this.watchers.delete(changed);
    };
  }
};

// src/camera.ts
import { Box3, OrthographicCamera as OrthographicCamera3, PerspectiveCamera as PerspectiveCamera3 } from "three";
const{_9:fieldOfView}=meshd$scene;
const{_q:view}=meshd$scene;
const{_s:sub2}=meshd$core;
function bounds(built) {
  const box = new Box3();
  built.world.updateMatrixWorld(true);
  for (const o of built.objects) {
    for (const c of o.children) if ("isMesh" in c && o.visible) box.expandByObject(c);
  }
  return box;
}
function standpoint(built) {
  const own = built.camera;
  if (!own) return new PerspectiveCamera3(fieldOfView * 180 / Math.PI, 1, 0.05, 5e3);
  own.updateWorldMatrix(true, false);
  const free = own.clone();
  own.matrixWorld.decompose(free.position, free.quaternion, free.scale);
  free.scale.set(1, 1, 1);
  return free;
}
function aim(built, camera, aspect, covered) {
  const box = bounds(built), eye = eyeOf(camera);
  const { t, r, target } = view(box.isEmpty() ? void 0 : [box.min.toArray(), box.max.toArray()], built.camera ? { t: eye.position, r: eye.rotation } : void 0, built.staging, aspect, covered);
  if (!built.camera && built.staging && camera instanceof PerspectiveCamera3) {
    const far = sub2(target, t).reduce((s, v) => s + Math.abs(v), 0);
    camera.near = Math.max(Math.min(0.05, far * 0.01), 1e-3);
    camera.far = Math.max(5e3, far * 50);
    camera.updateProjectionMatrix();
  }
  eye.position = t;
  eye.rotation = r;
  return target;
}
function eyeOf(camera) {
  return {
    get position() {
      return camera.position.toArray();
    },
    set position(t) {
      camera.position.fromArray(t);
    },
    get rotation() {
      return camera.quaternion.toArray();
    },
    set rotation(r) {
      camera.quaternion.fromArray(r);
    },
    flat: camera instanceof OrthographicCamera3,
    height: (distance) => camera instanceof PerspectiveCamera3 ? 2 * distance * Math.tan(camera.fov * Math.PI / 360) : (camera.top - camera.bottom) / camera.zoom,
    zoom(by) {
      if (!(camera instanceof OrthographicCamera3)) return false;
      camera.zoom = Math.min(Math.max(camera.zoom / by, 0.01), 1e3);
      camera.updateProjectionMatrix();
      return true;
    }
  };
}

// src/effects.ts
import {
  HalfFloatType,
  LinearFilter,
  Mesh as Mesh5,
  OrthographicCamera as OrthographicCamera4,
  PlaneGeometry as PlaneGeometry3,
  ShaderMaterial,
  Vector2,
  WebGLRenderTarget
} from "three";
const{_a:grades,_h:shown}=meshd$scene;
var vertex = "varying vec2 at; void main() { at = uv; gl_Position = vec4( position.xy, 0.0, 1.0 ); }";
var blur = `
uniform sampler2D image; uniform vec2 along; uniform float threshold; varying vec2 at;
vec3 bright( vec2 p ) {
  vec3 c = min( texture2D( image, p ).rgb, vec3( 16.0 ) );
  float l = max( c.r, max( c.g, c.b ) );
  return c * max( l - threshold, 0.0 ) / max( l, 0.0001 );
}
void main() {
  vec3 sum = bright( at ) * 0.1964;
  for ( int i = 1; i < 6; i ++ ) {
    float x = float( i ), w = 0.1964 * exp( - x * x / 8.0 );
    sum += ( bright( at + along * x ) + bright( at - along * x ) ) * w;
  }
  gl_FragColor = vec4( sum, 1.0 );
}`;
var whole = `
uniform sampler2D image, near, far; uniform float bloom, vignette, extent, fringe, grain, brightness, contrast, saturation; varying vec2 at;
void main() {
  vec2 out_ = at - 0.5;
  vec3 c = texture2D( image, at ).rgb;
  if ( fringe > 0.0 ) {
    c.r = texture2D( image, at + out_ * fringe ).r;
    c.b = texture2D( image, at - out_ * fringe ).b;
  }
  c += ( texture2D( near, at ).rgb + texture2D( far, at ).rgb ) * bloom;
  c = mix( vec3( dot( c, vec3( 0.2126, 0.7152, 0.0722 ) ) ), c, saturation ) * brightness;
  c = max( ( c - 0.18 ) * contrast + 0.18, 0.0 );
  c *= 1.0 - vignette * smoothstep( extent, 1.0, length( out_ ) * 1.4142 );
  c *= 1.0 + grain * ( fract( sin( dot( floor( at * 800.0 ), vec2( 12.9898, 78.233 ) ) ) * 43758.5453 ) - 0.5 );
  gl_FragColor = vec4( c, 1.0 );
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`;
var Effects = class _Effects {
  light = new WebGLRenderTarget(1, 1, { type: HalfFloatType, samples: 4 });
  steps = [2, 2, 8, 8].map(() => new WebGLRenderTarget(1, 1, { type: HalfFloatType, minFilter: LinearFilter, depthBuffer: false }));
  camera = new OrthographicCamera4();
  sheet = new Mesh5(new PlaneGeometry3(2, 2));
  blur;
  whole;
  blooms;
  // of makes the effects of a scene, if it has any that are shown.
  static of(list) {
    const some = shown(list);
    return some.length > 0 ? new _Effects(some) : void 0;
  }
  constructor(list) {
    const g = grades(list);
    this.blooms = list.some((e) => e.kind === "bloom");
    this.blur = new ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: blur,
      depthTest: false,
      toneMapped: false,
      uniforms: { image: { value: null }, along: { value: new Vector2() }, threshold: { value: 0 } }
    });
    this.blur.userData.threshold = g.threshold;
    this.whole = new ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: whole,
      depthTest: false,
      uniforms: {
        image: { value: this.light.texture },
        near: { value: this.steps[1].texture },
        far: { value: this.steps[3].texture },
        bloom: { value: 0.5 * g.bloom },
        vignette: { value: g.vignette },
        extent: { value: g.extent },
        fringe: { value: 0.02 * g.fringe },
        grain: { value: g.grain },
        brightness: { value: g.brightness },
        contrast: { value: g.contrast },
        saturation: { value: g.saturation }
      }
    });
    this.sheet.frustumCulled = false;
  }
  render(renderer, world, camera) {
    const size = renderer.getDrawingBufferSize(new Vector2());
    if (this.light.width !== size.x || this.light.height !== size.y) {
      this.light.setSize(size.x, size.y);
      this.steps.forEach((s, i) => s.setSize(Math.max(1, size.x >> (i < 2 ? 1 : 3)), Math.max(1, size.y >> (i < 2 ? 1 : 3))));
    }
    renderer.setRenderTarget(this.light);
    renderer.render(world, camera);
    if (this.blooms) {
      let from = this.light;
      this.steps.forEach((to, i) => {
        const u = this.blur.uniforms;
        u.image.value = from.texture;
        u.along.value.set(i % 2 === 0 ? 1.5 / to.width : 0, i % 2 === 1 ? 1.5 / to.height : 0);
        u.threshold.value = i === 0 ? this.blur.userData.threshold : 0;
        this.pass(renderer, this.blur, to);
        from = to;
      });
    }
    this.pass(renderer, this.whole, null);
  }
  pass(renderer, material2, to) {
    this.sheet.material = material2;
    renderer.setRenderTarget(to);
    renderer.render(this.sheet, this.camera);
  }
  dispose() {
    for (const t of [this.light, ...this.steps]) t.dispose();
    for (const m of [this.blur, this.whole]) m.dispose();
    this.sheet.geometry.dispose();
  }
};

// src/fiber.ts
const{_a:checked,_k:looks2}=meshd$core;
const{_i:solid3}=meshd$scene;

// src/touch.ts
import { Plane, Quaternion as Quaternion4, Vector3 as Vector36 } from "three";

// src/hands.ts
import { Raycaster, Vector2 as Vector22, Vector3 as Vector35 } from "three";
function owner(object) {
  let o = object, seen = true;
  for (let up = o; up; up = up.parent) seen = seen && up.visible;
  while (o && !o.userData.id) o = o.parent;
  return o && seen ? o.userData.id : void 0;
}

// src/touch.ts
const{_6:click}=meshd$scene;
var Touches = class {
  constructor(stage) {
    this.stage = stage;
  }
  stage;
  held = /* @__PURE__ */ new Map();
  pressed = /* @__PURE__ */ new Map();
  over = /* @__PURE__ */ new Map();
  hit(t) {
    const node = owner(t.object);
    if (node === void 0) return void 0;
    return { node, grab: this.stage.nearest(node, "grab"), point: this.local(t.point).toArray(), distance: t.point.distanceTo(t.ray.origin) };
  }
  // local is a place of the world in the scene.
  local(p) {
    const root = this.stage.built.world;
    root.updateWorldMatrix(true, false);
    return root.worldToLocal(p.clone());
  }
  // down presses what a pointer meets. The answers say that something is there,
  // and that it is carried from now on.
  down(t) {
    const h = this.hit(t);
    if (!h) return { met: false, held: false };
    this.pressed.set(t.pointer, { hit: h, at: t.at });
    this.stage.raise(h.node, "press", { point: h.point, hand: t.hand });
    const object = h.grab === void 0 ? void 0 : this.stage.built.byId.get(h.grab);
    if (h.grab === void 0 || !object || !this.stage.grab(h.grab, t.hand)) return { met: true, held: false };
    object.updateWorldMatrix(true, false);
    const place = new Vector36().setFromMatrixPosition(object.matrixWorld);
    this.held.set(t.pointer, {
      node: h.grab,
      plane: new Plane().setFromNormalAndCoplanarPoint(t.ahead, t.point),
      offset: place.sub(t.point),
      grip: t.pose?.clone().invert().multiply(object.matrixWorld)
    });
    return { met: true, held: true };
  }
  // move carries what is held, or points at what is there. False where nothing is.
  move(t) {
    const held = this.held.get(t.pointer);
    if (!held) {
      const h = this.hit(t);
      if (h) this.hover(t.pointer, h.node, { point: h.point, hand: t.hand });
      return h !== void 0;
    }
    if (t.pose && held.grip) {
      const m = t.pose.clone().multiply(held.grip).premultiply(this.stage.built.world.matrixWorld.clone().invert());
      const p = new Vector36(), q = new Quaternion4();
      m.decompose(p, q, new Vector36());
      this.stage.hold(held.node, p.toArray(), q.toArray());
    } else {
      const to = t.ray.intersectPlane(held.plane, new Vector36());
      if (to) this.stage.hold(held.node, this.local(to.add(held.offset)).toArray());
    }
    return true;
  }
  // up lets go. A press that ends where it began is a click.
  up(t) {
    const start = this.pressed.get(t.pointer);
    this.drop(t.pointer, t.hand);
    if (!start) return false;
    this.stage.raise(start.hit.node, "release", { point: start.hit.point, hand: t.hand });
    const moved = start.at && t.at ? Math.abs(t.at.x - start.at.x) + Math.abs(t.at.y - start.at.y) : 0;
    if (moved <= 6 && this.hit(t)?.node === start.hit.node) click(this.stage, start.hit, t.hand);
    return true;
  }
  // drop lets go of what a pointer carries.
  drop(pointer, hand = "pointer") {
    this.pressed.delete(pointer);
    const held = this.held.get(pointer);
    if (!held) return;
    this.held.delete(pointer);
    this.stage.release(held.node, hand);
  }
  twice(t) {
    const h = this.hit(t);
    if (h) this.stage.raise(h.node, "double_click", { point: h.point, hand: t.hand });
  }
  // leave says that a pointer points at nothing any more.
  leave(pointer) {
    this.hover(pointer, void 0, {});
  }
  hover(pointer, node, payload) {
    const was = this.over.get(pointer);
    if (was === node) return;
    if (was !== void 0 && this.stage.nodes.has(was)) this.stage.raise(was, "hover_exit", {});
    if (node === void 0) this.over.delete(pointer);
    else {
      this.over.set(pointer, node);
      this.stage.raise(node, "hover_enter", payload);
    }
  }
  // cursor is the sign of the mouse over what it points at.
  cursor(t) {
    const h = this.hit(t);
    return h?.grab !== void 0 ? "grab" : h && this.stage.nearest(h.node, "click") ? "pointer" : "";
  }
};

// src/fiber.ts
var SolidGeometry = class extends BufferGeometry4 {
  constructor(shape) {
    super();
    this.copy(geometry(solid3(shape)));
  }
};
var Lettering = class extends Mesh6 {
  constructor(text, ink, front2) {
    const made = lettering(text, { base_color: ink }, front2 !== void 0);
    super(made.geometry, made.material);
    this.position.set(made.position.x, 0, front2 ?? 0);
    this.userData.letters = true;
  }
};
var ModelFile = class extends Group3 {
  clip;
  ready;
  constructor(file2, surface, assets) {
    super();
    const look = material(surface ?? { base_color: "#ffffffff" }, { v: "scene/1", assets }, []);
    this.ready = this.read(file2, look).catch((e) => {
      console.error(e instanceof Error ? e.message : String(e));
      this.lost = true;
    });
  }
  lost = false;
  // missing calls back when the file cannot be shown.
  missing(call) {
    void this.ready.then(() => {
      if (this.lost) call();
    });
  }
  async read(file2, look) {
    if (!file2.data) throw new Error(`the model ${file2.path} did not come with the scene`);
    const m = await model(file2, look);
    this.add(m.object);
    this.clip = m.clip;
  }
};
var AssetTexture = class extends Texture2 {
  constructor(file2, colour) {
    super();
    if (file2.data) void picture(this, file2, colour);
  }
};
function missing(file2, run) {
  const { parent } = file2, n = run.scene.nodes?.find((n2) => n2.id === parent?.userData.id);
  if (parent && n && !parent.children.some((c) => c.userData.named)) parent.add(...standing(n, run.scene));
}
extend({ SolidGeometry, Lettering, ModelFile, AssetTexture });
function ahead(light2) {
  if (!light2) return;
  light2.target.position.set(0, 0, -1);
  light2.add(light2.target);
}
function Surroundings({ sky: colors, fog, exposure, toneMapping }) {
  const scene = useThree((s) => s.scene), gl = useThree((s) => s.gl);
  const above = useMemo(() => sky(colors, toneMapping !== void 0), [colors, toneMapping]);
  useEffect(() => {
    const { background, fog: before } = scene, shadows = gl.shadowMap.enabled;
    gl.shadowMap.enabled = true;
    scene.background = above.background;
    if (fog) scene.fog = new FogExp22(new Color2(fog.color), fog.density);
    if (above.dome) scene.add(above.dome);
    return () => {
      scene.background = background;
      scene.fog = before;
      gl.shadowMap.enabled = shadows;
      above.dome?.removeFromParent();
    };
  }, [scene, gl, above, fog]);
  useFrame(() => {
    const room = gl.xr.isPresenting && (gl.xr.getEnvironmentBlendMode() ?? "opaque") !== "opaque";
    scene.background = room ? null : above.background;
    if (above.dome) above.dome.visible = !room;
    const environment = { exposure, tone_mapping: toneMapping };
    develop(gl, { v: "scene/1", environment });
  });
  return null;
}
function PictureEffects({ list }) {
  const effects = useMemo(() => Effects.of(list), [list]);
  useEffect(() => () => effects?.dispose(), [effects]);
  useFrame(({ gl, scene, camera }) => {
    if (effects && !gl.xr.isPresenting) effects.render(gl, scene, camera);
    else gl.render(scene, camera);
  }, 1);
  return null;
}
var Current = createContext(null);
function SceneContext({ value, children }) {
  return createElement(Current.Provider, { value }, children);
}
function useScene(document, options) {
  const { view: view2 = "scene", still, ui, ref } = options;
  const [run] = useState(() => new Adopted(checked(document)));
  const root = useRef(null), touches = useRef(null);
  const gl = useThree((s) => s.gl), get = useThree((s) => s.get), camera = useThree((s) => s.camera);
  const controls2 = useThree((s) => s.controls);
  useEffect(() => {
    run.notify = options;
  });
  useEffect(() => {
    const group = root.current;
    if (!group) return;
    const panel = ui === false ? void 0 : ui ?? gl.domElement.parentElement ?? void 0;
    const end = run.begin({ root: group, ui: panel, still, opens: view2 !== "host" && !(run.scene.nodes ?? []).some(looks2) });
    const stage = run.stage;
    touches.current = new Touches(stage);
    group.traverse((o) => {
      if (o instanceof ModelFile) o.missing(() => missing(o, run));
    });
    group.traverse((o) => {
      if (o instanceof ModelFile) void o.ready.then(() => {
        if (o.clip && run.stage === stage) stage.built.clips.push(o.clip);
      });
    });
    return () => {
      touches.current = null;
      gl.domElement.style.cursor = "";
      end();
    };
  }, [run, gl, still, ui, view2]);
  useEffect(() => {
    if (root.current) stand(root.current, camera, view2, controls2, run, gl.domElement);
  }, [camera, view2, controls2, run, gl]);
  useImperativeHandle(ref, () => ({
    emit: (node, event, payload) => run.emit(node, event, payload),
    put: (key, value) => run.put(key, value),
    state: (key, node) => run.state(key, node),
    node: (name) => run.stage?.built.byId.get(run.find(name) ?? "")
  }), [run]);
  const events = useMemo(() => handlers(touches, () => get().controls, gl.domElement), [get, gl]);
  return useMemo(() => ({ root, events, context: run, advance: (seconds) => run.advance(Math.min(seconds, 0.25), get().camera) }), [run, events, get]);
}
function useSceneState(key, node) {
  const run = useContext(Current);
  if (!run) throw new Error("useSceneState is for components inside of a scene");
  const now = () => run.state(key, node);
  return useSyncExternalStore((changed) => run.watch(changed), now, now);
}
function stand(root, camera, view2, controls2, run, canvas) {
  if (view2 === "host" || !(camera instanceof PerspectiveCamera4)) return;
  const objects = [];
  let own;
  root.traverse((o) => {
    if (o instanceof Group3) objects.push(o);
    if (o instanceof PerspectiveCamera4 && o !== camera && !o.userData.resting) own ??= o;
  });
  let mine = false;
  for (let o = camera.parent; o; o = o.parent) mine ||= o === root;
  if (mine) return;
  const seen = { world: root, objects, camera: own, staging: run.staging };
  const from = standpoint(seen), target = aim(seen, from, canvas.clientWidth / canvas.clientHeight);
  camera.position.copy(from.position);
  camera.quaternion.copy(from.quaternion);
  camera.fov = from.fov;
  if (!own) [camera.near, camera.far] = [from.near, from.far];
  camera.updateProjectionMatrix();
  camera.updateMatrixWorld();
  controls2?.target?.set(...target);
  controls2?.update?.();
}
function handlers(touches, controls2, canvas) {
  const carrying = /* @__PURE__ */ new Set();
  const free = (pointer) => {
    if (!carrying.delete(pointer)) return;
    const c = controls2();
    if (c && carrying.size === 0) c.enabled = true;
  };
  return {
    onPointerDown(e) {
      if (e.nativeEvent.button) return;
      const t = touch(e), done = touches.current?.down(t);
      if (!done?.met) return;
      e.stopPropagation();
      if (!done.held) return;
      e.target.setPointerCapture?.(e.pointerId);
      carrying.add(e.pointerId);
      const c = controls2();
      if (c) c.enabled = false;
    },
    onPointerMove(e) {
      const t = touch(e), done = touches.current;
      if (!done?.move(t)) return;
      e.stopPropagation();
      if (!t.pose) canvas.style.cursor = carrying.has(t.pointer) ? "grabbing" : done.cursor(t);
    },
    onPointerUp(e) {
      const t = touch(e);
      free(t.pointer);
      if (touches.current?.up(t)) e.stopPropagation();
    },
    onPointerCancel(e) {
      free(e.pointerId);
      touches.current?.drop(e.pointerId);
    },
    onPointerLeave(e) {
      canvas.style.cursor = "";
      touches.current?.leave(e.pointerId);
    },
    onDoubleClick(e) {
      touches.current?.twice(touch(e));
      e.stopPropagation();
    }
  };
}
function touch(e) {
  const hand = e;
  const room = hand.pointerState?.inputSource;
  const pose = room && hand.pointerPosition && hand.pointerQuaternion ? new Matrix42().compose(hand.pointerPosition, hand.pointerQuaternion, new Vector37(1, 1, 1)) : void 0;
  const { clientX, clientY } = e.nativeEvent;
  return {
    pointer: hand.pointerId ?? 0,
    hand: room?.handedness ?? "pointer",
    object: e.object,
    point: e.point,
    ray: e.ray,
    ahead: e.camera.getWorldDirection(new Vector37()),
    at: typeof clientX === "number" ? { x: clientX, y: clientY } : void 0,
    pose
  };
}
export {
  PictureEffects,
  SceneContext,
  Surroundings,
  ahead,
  mirror,
  useScene,
  useSceneState
};

// src/module.ts
import { PerspectiveCamera as PerspectiveCamera4, Timer, WebGLRenderer } from "three";

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
import { Light, Mesh, MeshBasicMaterial, MeshStandardMaterial } from "three";
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
      if (!(c instanceof Mesh) || !(c.material instanceof MeshStandardMaterial || c.material instanceof MeshBasicMaterial) || c.userData.letters) continue;
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
import { Group, Mesh as Mesh2, MeshStandardMaterial as MeshStandardMaterial2 } from "three";
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
    if (!(o instanceof Mesh2)) return;
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
  const mesh = new Mesh2(geometry(s), look);
  mesh.castShadow = mesh.receiveShadow = true;
  return new Group().add(mesh);
}

// src/opening.ts
import { BackSide, Mesh as Mesh3, MeshBasicMaterial as MeshBasicMaterial2, OrthographicCamera, PlaneGeometry, PerspectiveCamera, Quaternion, Vector3 } from "three";
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
  to(eye2) {
    const key = eye2 ? eye2.toArray().map((v) => v.toFixed(3)).join() : "";
    if (key === this.last) return;
    this.last = key;
    const next = eye2 && this.staging.room ? this.staging.cuts(eye2.toArray()) : /* @__PURE__ */ new Map();
    for (const [i] of this.now) if (!next.has(i)) this.draw(i, void 0);
    for (const [i, cut] of next) if (this.now.get(i) !== cut) this.draw(i, cut);
    this.now = next;
  }
  draw(i, cut) {
    for (const c of this.objects[i]?.children ?? []) {
      if (!(c instanceof Mesh3)) continue;
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
function face(objects, camera2) {
  const eye2 = camera2.getWorldPosition(new Vector3()), q = camera2.getWorldQuaternion(new Quaternion()), back = q.clone().invert(), at = new Vector3(), scale = new Vector3();
  const lens = camera2 instanceof PerspectiveCamera ? { half: Math.tan(camera2.fov * Math.PI / 360), aspect: camera2.aspect } : camera2 instanceof OrthographicCamera ? { half: (camera2.top - camera2.bottom) / 2 / camera2.zoom, aspect: camera2.right / camera2.top } : void 0;
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
      at.copy(sheet.position).applyMatrix4(o.matrixWorld).sub(eye2).applyQuaternion(back);
      const depth = -at.z, reach = camera2 instanceof PerspectiveCamera ? lens.half * depth : lens.half;
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
var night = new MeshBasicMaterial2({ color: 987929, ...clear });
var day = new MeshBasicMaterial2(clear);
function plate(sheet) {
  const { width, height } = sheet.userData.size, { r, g, b } = sheet.material.color;
  const p = new Mesh3(square, 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? night : day);
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
function build(scene) {
  const made = { clips: [], faults: [], pending: [] };
  const staging = new Staging(scene);
  const built = { ...made, world: new World(), objects: [], byId: /* @__PURE__ */ new Map(), maker: new Maker(scene, made, staging.gain), staging };
  surroundings(scene, built);
  for (const [i, n] of (scene.nodes ?? []).entries()) {
    const object = built.maker.make(i === staging.shadow ? { ...n, light: { ...n.light, shadow: true } } : n, staging.floating.has(i));
    if (looks(n) && !built.camera) camera(n, object, built);
    (n.parent >= 0 ? built.objects[n.parent] : built.world).add(object);
    built.objects.push(object);
    built.byId.set(n.id, object);
  }
  const { fog } = built.world;
  if (fog instanceof FogExp2 && !built.camera) fog.density = clearer(fog.density, new Vector32(...staging.eye(16 / 9)).distanceTo(new Vector32(...staging.target)));
  if (staging.sun) {
    const key = new DirectionalLight(16777215, sun.intensity * staging.gain * neutral);
    key.position.fromArray(sun.at).setLength(new Vector32(...staging.hi).distanceTo(new Vector32(...staging.lo)) + 1);
    key.target.position.fromArray(staging.target);
    key.position.add(key.target.position);
    throwing(key);
    built.world.add(key, key.target);
  }
  built.world.updateMatrixWorld(true);
  built.world.traverse((o) => {
    if (o instanceof DirectionalLight && o.castShadow) fit(o, staging);
  });
  return built;
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
  const missing = (text) => {
    built.faults.push({ node: n.id, text: `${called(n)}: ${text}` });
    object.add(...standing(n, scene));
  };
  if (!asset?.data) return missing(`the model ${asset?.path ?? ""} did not come with the scene`);
  built.pending.push(model(asset, look).then((m) => {
    object.add(m.object);
    if (m.clip) built.clips.push(m.clip);
  }, (e) => missing(e instanceof Error ? e.message : String(e))));
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
function fit(l, { lo, hi }) {
  const shadow = l.shadow.camera, r = Math.max(new Vector32(...hi).distanceTo(new Vector32(...lo)) * 0.75, 0.05);
  l.shadow.updateMatrices(l);
  shadow.updateMatrixWorld();
  const c = new Vector32(...lo).add(new Vector32(...hi)).multiplyScalar(0.5).applyMatrix4(shadow.matrixWorldInverse);
  Object.assign(shadow, { left: c.x - r, right: c.x + r, top: c.y + r, bottom: c.y - r, near: -c.z - 4 * r, far: -c.z + 4 * r });
  shadow.updateProjectionMatrix();
  l.shadow.normalBias = 6 * r / 2048;
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
function camera(n, object, built) {
  const c = n.camera;
  built.camera = c.ortho ? new OrthographicCamera2(-c.ortho / 2, c.ortho / 2, c.ortho / 2, -c.ortho / 2, c.near, c.far) : new PerspectiveCamera2(c.fov * 180 / Math.PI, 1, c.near, c.far);
  built.camera.userData = { height: c.ortho ?? 0 };
  object.add(built.camera);
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
function surroundings(scene, built) {
  const e = scene.environment ?? {}, above = sky(e.sky?.colors, curved(scene));
  built.world.background = above.background;
  if (above.dome) built.world.add(above.dome);
  if (e.fog) built.world.fog = new FogExp2(rgb(e.fog.color), e.fog.density);
  const { staging } = built, of = (v) => new Color().setRGB(v[0], v[1], v[2], LinearSRGBColorSpace);
  built.world.add(new HemisphereLight(of(staging.above), of(staging.below), staging.gain * neutral));
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
  sky2.onBeforeRender = (_r, _s, camera2) => {
    sky2.matrixWorld.makeScale(100, 100, 100).setPosition(new Vector32().setFromMatrixPosition(camera2.matrixWorld));
    sky2.modelViewMatrix.multiplyMatrices(camera2.matrixWorldInverse, sky2.matrixWorld);
  };
  return sky2;
}

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
function aim(built, camera2, aspect, covered) {
  const box = bounds(built), eye2 = eyeOf(camera2);
  const { t, r, target } = view(box.isEmpty() ? void 0 : [box.min.toArray(), box.max.toArray()], built.camera ? { t: eye2.position, r: eye2.rotation } : void 0, built.staging, aspect, covered);
  if (!built.camera && built.staging && camera2 instanceof PerspectiveCamera3) {
    const far = sub2(target, t).reduce((s, v) => s + Math.abs(v), 0);
    camera2.near = Math.max(Math.min(0.05, far * 0.01), 1e-3);
    camera2.far = Math.max(5e3, far * 50);
    camera2.updateProjectionMatrix();
  }
  eye2.position = t;
  eye2.rotation = r;
  return target;
}
function eyeOf(camera2) {
  return {
    get position() {
      return camera2.position.toArray();
    },
    set position(t) {
      camera2.position.fromArray(t);
    },
    get rotation() {
      return camera2.quaternion.toArray();
    },
    set rotation(r) {
      camera2.quaternion.fromArray(r);
    },
    flat: camera2 instanceof OrthographicCamera3,
    height: (distance) => camera2 instanceof PerspectiveCamera3 ? 2 * distance * Math.tan(camera2.fov * Math.PI / 360) : (camera2.top - camera2.bottom) / camera2.zoom,
    zoom(by) {
      if (!(camera2 instanceof OrthographicCamera3)) return false;
      camera2.zoom = Math.min(Math.max(camera2.zoom / by, 0.01), 1e3);
      camera2.updateProjectionMatrix();
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
  render(renderer, world, camera2) {
    const size = renderer.getDrawingBufferSize(new Vector2());
    if (this.light.width !== size.x || this.light.height !== size.y) {
      this.light.setSize(size.x, size.y);
      this.steps.forEach((s, i) => s.setSize(Math.max(1, size.x >> (i < 2 ? 1 : 3)), Math.max(1, size.y >> (i < 2 ? 1 : 3))));
    }
    renderer.setRenderTarget(this.light);
    renderer.render(world, camera2);
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

// src/module.ts
const{_b:ground}=meshd$scene;

// src/hands.ts
import { Raycaster, Vector2 as Vector22, Vector3 as Vector33 } from "three";
function hit(stage, ray) {
  for (const h of ray.intersectObjects(stage.built.world.children, true)) {
    const node = owner(h.object);
    if (node !== void 0) return { node, grab: stage.nearest(node, "grab"), point: h.point.toArray(), distance: h.distance };
  }
  return void 0;
}
function owner(object) {
  let o = object, seen = true;
  for (let up = o; up; up = up.parent) seen = seen && up.visible;
  while (o && !o.userData.id) o = o.parent;
  return o && seen ? o.userData.id : void 0;
}
function eye(stage, camera2) {
  const ray = new Raycaster();
  return {
    stage,
    ray(x, y) {
      ray.setFromCamera(new Vector22(x, y), camera2());
      return { from: ray.ray.origin.toArray(), ahead: ray.ray.direction.toArray() };
    },
    hit(r) {
      ray.set(new Vector33(...r.from), new Vector33(...r.ahead));
      return hit(stage(), ray);
    },
    ahead: () => camera2().getWorldDirection(new Vector33()).toArray()
  };
}

// src/module.ts
const{_6:perform}=meshd$host;
const{_1:Orbit}=meshd$scene;
const{_3:Pointer}=meshd$scene;
const{_a:checked}=meshd$core;

// src/stage.ts
import { Object3D as Object3D7, Quaternion as Quaternion2, Vector3 as Vector34 } from "three";

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
  listen(camera2) {
    this.hear(() => ({ t: camera2.getWorldPosition(new Vector34()).toArray(), r: camera2.getWorldQuaternion(new Quaternion2()).toArray() }));
  }
};
function engine(scene, built) {
  const looks2 = new Looks(), of = (node) => built.byId.get(node);
  return {
    place(node, part, value) {
      of(node)?.[part === "rotation" ? "quaternion" : part].fromArray(value);
    },
    look(node, key, value) {
      const object = of(node);
      if (object) looks2.set(object, key, value);
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
      const object = of(like)?.clone(true) ?? new Object3D7();
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
      looks2.drop(object);
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

// src/module.ts
function create(data, canvas, options = {}) {
  const scene = checked(data);
  const built = build(scene);
  const renderer = options.renderer ?? new WebGLRenderer({ canvas, antialias: true });
  if (!options.renderer) develop(renderer, scene);
  const camera2 = standpoint(built);
  const controls = options.controls === false ? void 0 : new Orbit(eyeOf(camera2), canvas);
  const target = aim(built, camera2, canvas.clientWidth / canvas.clientHeight), opening = new Opening(built.staging, built.objects);
  if (controls) {
    controls.target = target;
    controls.update();
  }
  const stage = new Stage(scene, built, options.still ?? false);
  ground(stage.bodies, built.staging);
  const effects = Effects.of(scene.post);
  stage.listen(camera2);
  const pointer = new Pointer(canvas, { ...eye(() => stage, () => camera2), orbit: (on) => {
    if (controls) controls.enabled = on;
  }, describe: () => {
  } });
  const act = perform(stage, canvas, options.ui);
  void Promise.all(built.pending).then(() => {
    for (const f of built.faults) act.fault(f.node, f.text);
  });
  const fit2 = () => {
    const w = canvas.clientWidth || canvas.width, h = canvas.clientHeight || canvas.height;
    if (canvas.width !== w || canvas.height !== h) renderer.setSize(w, h, false);
    if (camera2 instanceof PerspectiveCamera4 && camera2.aspect !== w / h) {
      camera2.aspect = w / h;
      camera2.updateProjectionMatrix();
    }
  };
  fit2();
  const update = (dt) => {
    stage.advance(dt);
    fit2();
    camera2.updateMatrixWorld();
    opening.to(built.camera || renderer.xr.isPresenting ? void 0 : camera2.position);
    if (!renderer.xr.isPresenting) face(built.objects, camera2);
    if (effects && !renderer.xr.isPresenting) effects.render(renderer, built.world, camera2);
    else renderer.render(built.world, camera2);
  };
  const timer = new Timer();
  if (options.loop !== false) {
    renderer.setAnimationLoop(() => {
      timer.update();
      update(Math.min(timer.getDelta(), 0.25));
    });
  }
  return {
    scene: built.world,
    camera: camera2,
    update,
    emit: (node, event, payload) => stage.raise(node, event, payload),
    dispose() {
      renderer.setAnimationLoop(null);
      controls?.dispose();
      pointer.dispose();
      effects?.dispose();
      act.dispose();
      stage.dispose();
      if (!options.renderer) renderer.dispose();
    }
  };
}
export {
  create
};

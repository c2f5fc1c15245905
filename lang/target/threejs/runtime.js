// src/module.ts
import { PerspectiveCamera as PerspectiveCamera3, Timer, WebGLRenderer } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

// src/build.ts
import {
  AmbientLight,
  BackSide,
  BoxGeometry,
  CanvasTexture,
  Color,
  DirectionalLight,
  DoubleSide,
  Float32BufferAttribute as Float32BufferAttribute3,
  FogExp2,
  FrontSide,
  Group as Group2,
  HemisphereLight,
  LinearMipmapLinearFilter,
  Mesh as Mesh3,
  MeshBasicMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  NoColorSpace,
  OrthographicCamera,
  PerspectiveCamera,
  PlaneGeometry,
  PointLight,
  RectAreaLight,
  Scene as World,
  SphereGeometry,
  SpotLight,
  SRGBColorSpace,
  Texture,
  Vector3 as Vector32
} from "three";

// src/models.ts
import { AnimationMixer, BufferGeometry, Float32BufferAttribute, Group, Mesh } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

// src/base64.ts
function bytes(base64) {
  const text3 = atob(base64);
  const out = new Uint8Array(text3.length);
  for (let i = 0; i < text3.length; i++) out[i] = text3.charCodeAt(i);
  return out;
}

// src/models.ts
var corners = 3e6;
async function model(asset, look2) {
  const data = bytes(asset.data ?? "");
  const kind = asset.path.toLowerCase().replace(/^.*\./, "");
  if (kind === "obj") return { object: solid(obj(new TextDecoder().decode(data)), look2) };
  if (kind === "stl") return { object: solid(stl(data), look2) };
  if (kind !== "glb" && kind !== "gltf") throw new Error(`${asset.path}: a viewer shows glTF, OBJ and STL`);
  globalThis.createImageBitmap = void 0;
  const file2 = await new GLTFLoader().parseAsync(kind === "gltf" ? packed(new TextDecoder().decode(data), asset.path) : data.buffer, "");
  file2.scene.traverse((o) => {
    if (o instanceof Mesh) o.castShadow = o.receiveShadow = true;
  });
  if (file2.animations.length === 0) return { object: file2.scene };
  const mixer = new AnimationMixer(file2.scene);
  mixer.clipAction(file2.animations[0]).play();
  return { object: file2.scene, mixer };
}
function solid(geometry2, look2) {
  const mesh = new Mesh(geometry2, look2);
  mesh.castShadow = mesh.receiveShadow = true;
  return new Group().add(mesh);
}
function packed(text3, path) {
  const doc = JSON.parse(text3);
  const parts2 = [], starts = [];
  let size = 0;
  for (const b of doc.buffers ?? []) {
    const data = /^data:[^,]*;base64,/.exec(b.uri ?? "");
    if (!data) throw new Error(`${path} needs another file, ${b.uri ?? "which it does not name"}; use a .glb or embed it`);
    const part = bytes(b.uri.slice(data[0].length));
    starts.push(size);
    parts2.push(part);
    size += part.length + 3 & ~3;
  }
  for (const v of doc.bufferViews ?? []) {
    v.byteOffset = (v.byteOffset ?? 0) + (starts[v.buffer] ?? 0);
    v.buffer = 0;
  }
  if (size > 0) doc.buffers = [{ byteLength: size }];
  const json = new TextEncoder().encode(JSON.stringify(doc)), long = json.length + 3 & ~3;
  const out = new Uint8Array(12 + 8 + long + (size > 0 ? 8 + size : 0)).fill(32, 0, 20 + long), view = new DataView(out.buffer);
  [1179937895, 2, out.length, long, 1313821514].forEach((v, i) => view.setUint32(i * 4, v, true));
  out.set(json, 20);
  if (size > 0) {
    view.setUint32(20 + long, size, true);
    view.setUint32(24 + long, 5130562, true);
    parts2.forEach((p, i) => out.set(p, 28 + long + starts[i]));
  }
  return out.buffer;
}
function obj(text3) {
  const places = [], directions = [], pictures = [];
  const p = [], n = [], t = [];
  let smooth = true;
  const corner = (ref) => {
    const at = (list, s) => {
      const i = Number(s);
      return s ? list[i < 0 ? list.length + i : i - 1] : void 0;
    };
    const [a, b, c] = ref.split("/");
    const place = at(places, a);
    if (!place) throw new Error(`a face of the model names the corner ${a}, which is not there`);
    p.push(...place);
    t.push(...at(pictures, b) ?? [0, 0]);
    const d = at(directions, c);
    if (!d) smooth = false;
    n.push(...d ?? [0, 0, 0]);
  };
  for (const line of text3.split("\n")) {
    const [what, ...rest] = line.trim().split(/\s+/);
    const numbers = (k) => Array.from({ length: k }, (_, i) => Number(rest[i]) || 0);
    if (what === "v") places.push(numbers(3));
    else if (what === "vn") directions.push(numbers(3));
    else if (what === "vt") pictures.push(numbers(2));
    else if (what === "f") for (let i = 2; i < rest.length; i++) for (const k of [0, i - 1, i]) corner(rest[k]);
    if (p.length > corners * 3) throw new Error("the model has too many corners");
  }
  return geometry(p, smooth ? n : void 0, t);
}
function stl(data) {
  const view = new DataView(data.buffer), p = [];
  const count = data.length >= 84 ? view.getUint32(80, true) : 0;
  if (data.length >= 84 && data.length === 84 + count * 50) {
    if (count * 3 > corners) throw new Error("the model has too many corners");
    for (let i = 0; i < count; i++) for (let k = 0; k < 9; k++) p.push(view.getFloat32(84 + i * 50 + 12 + k * 4, true));
  } else {
    for (const m of new TextDecoder().decode(data).matchAll(/vertex\s+(\S+)\s+(\S+)\s+(\S+)/g)) p.push(Number(m[1]) || 0, Number(m[2]) || 0, Number(m[3]) || 0);
    if (p.length === 0 || p.length % 9 > 0) throw new Error("the model is no STL file");
  }
  return geometry(p);
}
function geometry(p, n, t) {
  if (p.length === 0) throw new Error("the model has no faces");
  const g = new BufferGeometry();
  g.setAttribute("position", new Float32BufferAttribute(p, 3));
  if (t) g.setAttribute("uv", new Float32BufferAttribute(t, 2));
  if (n) g.setAttribute("normal", new Float32BufferAttribute(n, 3));
  else g.computeVertexNormals();
  return g;
}

// src/scene.ts
var version = "scene/1";
var known = /* @__PURE__ */ new Set([
  "v",
  "name",
  "source_sha256",
  "compiler",
  "files",
  "metadata",
  "environment",
  "post",
  "assets",
  "geometries",
  "materials",
  "nodes",
  "animations",
  "timelines",
  "ui",
  "program",
  "pipelines",
  "agents",
  "domain",
  "losses"
]);
function checked(scene) {
  if (typeof scene !== "object" || scene === null || scene.v !== version) throw new Error(`this viewer reads ${version}, the document is ${String(scene?.v)}`);
  const strange = Object.keys(scene).filter((k) => !known.has(k));
  if (strange.length > 0) console.warn(`scene: passing over ${strange.join(", ")}`);
  return scene;
}
function called(n) {
  return n.label || n.name || n.path;
}

// src/shape.ts
import { BufferGeometry as BufferGeometry2, Float32BufferAttribute as Float32BufferAttribute2, Vector3 } from "three";
var Mesh2 = class {
  positions = [];
  normals = [];
  uvs = [];
  indices = [];
  add(p, n, u, v) {
    this.positions.push(p.x, p.y, p.z);
    this.normals.push(n.x, n.y, n.z);
    this.uvs.push(u, v);
    return this.positions.length / 3 - 1;
  }
  // flat adds a four-sided face whose corners go around counter-clockwise.
  flat(...c) {
    const n = normal(c[0], c[1], c[2]);
    const uv = [[0, 0], [1, 0], [1, 1], [0, 1]];
    const i = c.map((p, k) => this.add(p, n, uv[k][0], uv[k][1]));
    this.indices.push(i[0], i[1], i[2], i[0], i[2], i[3]);
  }
  triangle(a, b, c) {
    const n = normal(a, b, c);
    this.indices.push(this.add(a, n, 0, 0), this.add(b, n, 1, 0), this.add(c, n, 0.5, 1));
  }
  // turn sweeps a profile, given from the bottom up, around the Y axis.
  turn(profile, around2) {
    const base = this.positions.length / 3;
    for (let i = 0; i <= around2; i++) {
      const a = 2 * Math.PI * (i % around2) / around2;
      const s = Math.sin(a), c = Math.cos(a);
      for (const p of profile) {
        this.add(new Vector3(p.r * s, p.y, p.r * c), new Vector3(p.nr * s, p.ny, p.nr * c), i / around2, p.v);
      }
    }
    const n = profile.length;
    for (let i = 0; i < around2; i++) {
      for (let j = 0; j < n - 1; j++) {
        const a = base + i * n + j, b = base + (i + 1) * n + j;
        const lower = profile[j], upper = profile[j + 1];
        if (lower.r === upper.r && lower.y === upper.y) continue;
        if (lower.r > 0) this.indices.push(a, b, b + 1);
        if (upper.r > 0) this.indices.push(a, b + 1, a + 1);
      }
    }
  }
  geometry(stretch) {
    const g = new BufferGeometry2();
    g.setAttribute("position", new Float32BufferAttribute2(this.positions, 3));
    g.setAttribute("normal", new Float32BufferAttribute2(this.normals, 3));
    g.setAttribute("uv", new Float32BufferAttribute2(this.uvs, 2));
    g.setIndex(this.indices);
    if (stretch) g.scale(...stretch);
    return g;
  }
};
function normal(a, b, c) {
  return b.clone().sub(a).cross(c.clone().sub(a)).normalize();
}
function box(m, [w, h, d]) {
  const at = (i, j, k) => new Vector3((i - 0.5) * w, (j - 0.5) * h, (k - 0.5) * d);
  m.flat(at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1));
  m.flat(at(1, 0, 0), at(0, 0, 0), at(0, 1, 0), at(1, 1, 0));
  m.flat(at(1, 0, 1), at(1, 0, 0), at(1, 1, 0), at(1, 1, 1));
  m.flat(at(0, 0, 0), at(0, 0, 1), at(0, 1, 1), at(0, 1, 0));
  m.flat(at(0, 1, 1), at(1, 1, 1), at(1, 1, 0), at(0, 1, 0));
  m.flat(at(0, 0, 0), at(1, 0, 0), at(1, 0, 1), at(0, 0, 1));
}
function arc(r, below, above, rings) {
  const out = [];
  for (let i = 0; i <= rings; i++) {
    const a = Math.PI * i / rings;
    const s = i === 0 || i === rings ? 0 : Math.sin(a), c = Math.cos(a);
    const p = { r: r * s, y: -r * c, nr: s, ny: -c, v: i / rings };
    if (2 * i < rings) out.push({ ...p, y: p.y + below });
    else if (2 * i > rings) out.push({ ...p, y: p.y + above });
    else {
      out.push({ ...p, y: below });
      if (below !== above) out.push({ ...p, y: above });
    }
  }
  return out;
}
function cylinder(m, bottom, top, h, around2) {
  const n = Math.hypot(h, bottom - top);
  const nr = h / n, ny = (bottom - top) / n;
  const profile = [
    { r: 0, y: -h / 2, nr: 0, ny: -1, v: 0.5 },
    { r: bottom, y: -h / 2, nr: 0, ny: -1, v: 0 },
    { r: bottom, y: -h / 2, nr, ny, v: 0 },
    { r: top, y: h / 2, nr, ny, v: 1 }
  ];
  if (top > 0) profile.push({ r: top, y: h / 2, nr: 0, ny: 1, v: 1 }, { r: 0, y: h / 2, nr: 0, ny: 1, v: 0.5 });
  m.turn(profile, around2);
}
function lathe(m, rings, n, turn2) {
  const at = ([y, r], i) => {
    const a = turn2 + 2 * Math.PI * (i % n) / n;
    return new Vector3(r * Math.sin(a), y, r * Math.cos(a));
  };
  for (let k = 0; k + 1 < rings.length; k++) {
    const lo = rings[k], hi = rings[k + 1];
    for (let i = 0; i < n; i++) {
      const a = at(lo, i), b = at(lo, i + 1), c = at(hi, i + 1), d = at(hi, i);
      if (lo[1] > 0) m.triangle(a, b, c);
      if (hi[1] > 0) m.triangle(a, c, d);
    }
  }
}
function extrude(m, outline, middle) {
  outline.forEach((p, i) => {
    const q = outline[(i + 1) % outline.length];
    const at = ([x, y], z) => new Vector3(x, y, z);
    const pf = at(p, 0.5), qf = at(q, 0.5), pb = at(p, -0.5), qb = at(q, -0.5);
    m.triangle(at(middle, 0.5), pf, qf);
    m.triangle(at(middle, -0.5), qb, pb);
    m.triangle(pf, pb, qb);
    m.triangle(pf, qb, qf);
  });
}
function around(n, at) {
  return Array.from({ length: n }, (_, i) => at(i));
}
function figure(m, kind) {
  switch (kind) {
    case "pyramid":
      return lathe(m, [[-0.5, 0], [-0.5, Math.SQRT1_2], [0.5, 0]], 4, Math.PI / 4);
    case "crystal":
      return lathe(m, [[-0.5, 0], [-0.1, 0.5], [0.5, 0]], 6, 0);
    case "gem":
      return lathe(m, [[-0.5, 0], [0.15, 0.5], [0.5, 0.3], [0.5, 0]], 8, 0);
    case "wedge":
      return extrude(m, [[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5]], [-0.2, -0.2]);
    case "arrow":
      return extrude(m, [[-0.5, -0.15], [0.1, -0.15], [0.1, -0.4], [0.5, 0], [0.1, 0.4], [0.1, 0.15], [-0.5, 0.15]], [0.12, 0]);
    case "gear":
      return extrude(m, around(48, (i) => {
        const r = i % 4 > 1 ? 0.38 : 0.5, a = 2 * Math.PI * i / 48;
        return [r * Math.cos(a), r * Math.sin(a)];
      }), [0, 0]);
    case "heart":
      return extrude(m, around(32, (i) => {
        const t = -2 * Math.PI * i / 32;
        const y = 13 * Math.cos(t) - 5 * Math.cos(2 * t) - 2 * Math.cos(3 * t) - Math.cos(4 * t);
        return [16 * Math.sin(t) ** 3 / 34, (y + 2.5) / 34];
      }), [0, 0.05]);
    default:
      return extrude(m, around(10, (i) => {
        const r = i % 2 === 1 ? 0.2 : 0.5, a = Math.PI * i / 5;
        return [-r * Math.sin(a), r * Math.cos(a)];
      }), [0, 0]);
  }
}
function solid2(g) {
  const m = new Mesh2();
  const size = g.size ?? [1, 1, 1];
  const segments = g.segments?.[0] ?? 32, sides = g.segments?.[1] ?? 16;
  const r = g.radius ?? 0, h = g.height ?? 0, tube = g.tube ?? 0;
  switch (g.kind) {
    case "box":
      box(m, size);
      break;
    case "plane": {
      const x = size[0] / 2, z = size[2] / 2;
      m.flat(new Vector3(-x, 0, z), new Vector3(x, 0, z), new Vector3(x, 0, -z), new Vector3(-x, 0, -z));
      break;
    }
    case "sphere":
      m.turn(arc(r, 0, 0, Math.max(2, segments >> 1)), segments);
      break;
    case "capsule": {
      const half = Math.max(h / 2 - r, 0);
      let rings = Math.max(2, segments >> 1);
      rings += rings % 2;
      m.turn(arc(r, -half, half, rings), segments);
      break;
    }
    case "cylinder":
      cylinder(m, r, r, h, segments);
      break;
    case "cone":
      cylinder(m, r, 0, h, segments);
      break;
    case "torus": {
      const profile = Array.from({ length: sides + 1 }, (_, i) => {
        const a = 2 * Math.PI * (i % sides) / sides;
        return { r: r + tube * Math.cos(a), y: tube * Math.sin(a), nr: Math.cos(a), ny: Math.sin(a), v: i / sides };
      });
      m.turn(profile, segments);
      break;
    }
    case "ring":
    case "disc": {
      const inner = g.kind === "ring" ? Math.min(r - tube, r * 0.999) : 0;
      m.turn([{ r, y: 0, nr: 0, ny: 1, v: 0 }, { r: inner, y: 0, nr: 0, ny: 1, v: 1 }], segments);
      break;
    }
    default:
      figure(m, g.kind);
      return m.geometry(size);
  }
  return m.geometry(g.stretch);
}

// src/build.ts
var neutral = Math.PI;
function rgb(color) {
  return new Color((color ?? "#ffffffff").slice(0, 7));
}
function alpha(color) {
  return color && color.length === 9 ? parseInt(color.slice(7), 16) / 255 : 1;
}
function build(scene) {
  const built = { world: new World(), objects: [], byId: /* @__PURE__ */ new Map(), mixers: [], faults: [], pending: [] };
  const materials = (scene.materials ?? []).map((m) => material(m, scene, built));
  const geometries = (scene.geometries ?? []).map((g) => g.kind === "model" ? void 0 : solid2(g));
  surroundings(scene, built);
  for (const n of scene.nodes ?? []) {
    const object = new Group2();
    object.name = n.name ?? n.path;
    object.userData = { id: n.id };
    if (n.t) object.position.fromArray(n.t);
    if (n.r) object.quaternion.fromArray(n.r);
    if (n.s) object.scale.fromArray(n.s);
    object.visible = n.visible !== false;
    look(n, scene, object, geometries, materials, built);
    if (n.light) light(n.light, object);
    if (n.camera && !built.camera) camera(n, object, built);
    (n.parent >= 0 ? built.objects[n.parent] : built.world).add(object);
    built.objects.push(object);
    built.byId.set(n.id, object);
  }
  if (!(scene.nodes ?? []).some((n) => n.light && n.light.type !== "ambient")) {
    const sun = new DirectionalLight(16777215, 0.8 * neutral);
    sun.position.set(3, 6, 4);
    built.world.add(sun);
  }
  return built;
}
function look(n, scene, object, geometries, materials, built) {
  const base = n.material === void 0 ? void 0 : materials[n.material];
  if (n.geometry !== void 0 && base) {
    const g = geometries[n.geometry];
    if (g) {
      const mesh = new Mesh3(g, base);
      mesh.castShadow = mesh.receiveShadow = true;
      object.add(mesh);
    } else {
      file(n, (scene.geometries ?? [])[n.geometry], scene, object, base, built);
    }
  }
  if (n.text) letter(n, n.text.value, scene, object);
}
function letter(n, value, scene, object) {
  for (const c of object.children.filter((o) => o.userData.letters)) {
    c.removeFromParent();
    c.geometry.dispose();
    c.material.map?.dispose();
    c.material.dispose();
  }
  if (value === "") return;
  const text3 = { size: 0.1, ...n.text, value };
  const letters = lettering(text3, n.material === void 0 ? void 0 : scene.materials?.[n.material], n.geometry !== void 0);
  letters.userData.letters = true;
  if (n.geometry !== void 0) letters.position.z = ((scene.geometries ?? [])[n.geometry].size?.[2] ?? 0) / 2 + 2e-3;
  object.add(letters);
}
function file(n, g, scene, object, look2, built) {
  const asset = scene.assets?.[g.asset ?? -1];
  const missing = (text3) => {
    built.faults.push({ node: n.id, text: `${called(n)}: ${text3}` });
    object.add(new Mesh3(new BoxGeometry(), new MeshBasicMaterial({ wireframe: true, color: 13646379 })));
  };
  if (!asset?.data) return missing(`the model ${asset?.path ?? ""} did not come with the scene`);
  built.pending.push(model(asset, look2).then((m) => {
    object.add(m.object);
    if (m.mixer) built.mixers.push(m.mixer);
  }, (e) => missing(e instanceof Error ? e.message : String(e))));
}
function texture(index, scene, built, colour) {
  const asset = scene.assets?.[index ?? -1];
  if (!asset?.data) return null;
  const image = new Image();
  const t = new Texture(image);
  t.colorSpace = colour ? SRGBColorSpace : NoColorSpace;
  t.wrapS = t.wrapT = 1e3;
  t.minFilter = LinearMipmapLinearFilter;
  built.pending.push(new Promise((done) => {
    image.onload = () => {
      t.needsUpdate = true;
      done();
    };
    image.onerror = () => done();
  }));
  image.src = `data:${asset.media_type};base64,${asset.data}`;
  return t;
}
function material(m, scene, built) {
  const shared = {
    color: rgb(m.base_color),
    opacity: alpha(m.base_color),
    transparent: m.alpha === "blend",
    alphaTest: m.alpha === "mask" ? 0.5 : 0,
    side: m.double_sided ? DoubleSide : FrontSide,
    map: texture(m.maps?.base_color, scene, built, true),
    depthWrite: m.alpha !== "blend"
  };
  if (m.unlit) return new MeshBasicMaterial(shared);
  const orm = texture(m.maps?.orm, scene, built, false);
  const surface = {
    ...shared,
    metalness: m.metallic ?? 0,
    roughness: m.roughness ?? 0.5,
    emissive: m.emissive ? rgb(m.emissive) : new Color(0),
    emissiveIntensity: m.emissive_intensity ?? 1,
    normalMap: texture(m.maps?.normal, scene, built, false),
    metalnessMap: orm,
    roughnessMap: orm,
    emissiveMap: texture(m.maps?.emissive, scene, built, true)
  };
  if ((m.ior ?? 1.5) !== 1.5) return new MeshPhysicalMaterial({ ...surface, ior: m.ior });
  return new MeshStandardMaterial(surface);
}
function light(l, object) {
  const color = rgb(l.color), intensity = (l.intensity ?? 1) * neutral;
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
      out = new RectAreaLight(color, intensity, l.width ?? 1, l.height ?? 1);
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
    out.castShadow = true;
    out.shadow.mapSize.set(1024, 1024);
    out.shadow.normalBias = 0.02;
    if (out instanceof DirectionalLight) {
      Object.assign(out.shadow.camera, { left: -15, right: 15, top: 15, bottom: -15, near: -50, far: 100 });
    }
  }
  object.add(out);
}
function camera(n, object, built) {
  const c = n.camera;
  built.camera = c.ortho ? new OrthographicCamera(-c.ortho / 2, c.ortho / 2, c.ortho / 2, -c.ortho / 2, c.near, c.far) : new PerspectiveCamera(c.fov * 180 / Math.PI, 1, c.near, c.far);
  built.camera.userData = { height: c.ortho ?? 0 };
  object.add(built.camera);
}
function lettering(t, m, onPlate) {
  const lines = t.value.split("\n");
  const px = 64, capital = 0.72;
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  const font = `600 ${px}px system-ui, sans-serif`;
  pen.font = font;
  const width = Math.min(4096, Math.max(...lines.map((l) => pen.measureText(l).width), 1) + 16);
  const height = Math.min(4096, lines.length * px * 1.3 + 8);
  canvas.width = width;
  canvas.height = height;
  pen.font = font;
  pen.textBaseline = "middle";
  pen.textAlign = t.align ?? "center";
  pen.fillStyle = "#ffffff";
  const x = t.align === "left" ? 8 : t.align === "right" ? width - 8 : width / 2;
  lines.forEach((l, i) => pen.fillText(l, x, px * 1.3 * (i + 0.5) + 4));
  const map = new CanvasTexture(canvas);
  map.colorSpace = SRGBColorSpace;
  let ink = rgb(m?.base_color);
  if (onPlate) ink = new Color(0.2126 * ink.r + 0.7152 * ink.g + 0.0722 * ink.b > 0.18 ? 0 : 16777215);
  const unit2 = t.size / (px * capital);
  const mesh = new Mesh3(new PlaneGeometry(width * unit2, height * unit2), new MeshBasicMaterial({ map, color: ink, transparent: true, side: DoubleSide, depthWrite: false }));
  if (t.align === "left") mesh.position.x = width * unit2 / 2;
  if (t.align === "right") mesh.position.x = -width * unit2 / 2;
  return mesh;
}
function surroundings(scene, built) {
  const e = scene.environment ?? {};
  const colors = (e.sky?.colors ?? []).map((c) => c.slice(0, 7));
  if (colors.length === 1) built.world.background = new Color(colors[0]);
  else if (colors.length > 1) {
    built.world.background = rgb(colors[colors.length - 1]);
    built.world.add(dome(colors));
  } else built.world.background = new Color("#dfe5ec");
  if (e.fog) built.world.fog = new FogExp2(rgb(e.fog.color), e.fog.density);
  const ambient = e.ambient ?? { color: "#ffffffff", intensity: 0.3 };
  built.world.add(new AmbientLight(rgb(ambient.color), ambient.intensity * neutral));
}
function dome(colors) {
  const geometry2 = new SphereGeometry(1, 16, 32);
  const at = geometry2.getAttribute("position");
  const paint2 = new Float32Array(at.count * 3);
  for (let i = 0; i < at.count; i++) {
    const u = (1 - at.getY(i)) / 2 * (colors.length - 1);
    const k = Math.min(Math.floor(u), colors.length - 2);
    rgb(colors[k]).lerp(rgb(colors[k + 1]), u - k).toArray(paint2, i * 3);
  }
  geometry2.setAttribute("color", new Float32BufferAttribute3(paint2, 3));
  const sky = new Mesh3(geometry2, new MeshBasicMaterial({ vertexColors: true, side: BackSide, fog: false, depthWrite: false, depthTest: false }));
  sky.renderOrder = -1;
  sky.frustumCulled = false;
  sky.userData.sky = true;
  sky.raycast = () => {
  };
  sky.onBeforeRender = (_r, _s, camera2) => {
    sky.matrixWorld.makeScale(100, 100, 100).setPosition(new Vector32().setFromMatrixPosition(camera2.matrixWorld));
    sky.modelViewMatrix.multiplyMatrices(camera2.matrixWorldInverse, sky.matrixWorld);
  };
  return sky;
}

// src/camera.ts
import { Box3, PerspectiveCamera as PerspectiveCamera2, Vector3 as Vector33 } from "three";
function bounds(built) {
  const box2 = new Box3();
  built.world.updateMatrixWorld(true);
  for (const o of built.objects) {
    for (const c of o.children) if ("isMesh" in c && o.visible) box2.expandByObject(c);
  }
  return box2;
}
function standpoint(built) {
  const own = built.camera;
  if (!own) return new PerspectiveCamera2(50, 1, 0.05, 5e3);
  own.updateWorldMatrix(true, false);
  const free = own.clone();
  own.matrixWorld.decompose(free.position, free.quaternion, free.scale);
  free.scale.set(1, 1, 1);
  return free;
}
function aim(built, camera2) {
  const box2 = bounds(built);
  const middle = box2.isEmpty() ? new Vector33() : box2.getCenter(new Vector33());
  if (built.camera) {
    const ahead = new Vector33(0, 0, -1).applyQuaternion(camera2.quaternion);
    const far = Math.max(1, middle.clone().sub(camera2.position).dot(ahead));
    return camera2.position.clone().addScaledVector(ahead, far);
  }
  const size = box2.isEmpty() ? 2 : Math.max(0.5, box2.getSize(new Vector33()).length());
  camera2.position.copy(middle).add(new Vector33(0.55, 0.45, 1).normalize().multiplyScalar(size * 1.15));
  camera2.lookAt(middle);
  return middle;
}

// src/effects.ts
import {
  HalfFloatType,
  LinearFilter,
  Mesh as Mesh4,
  OrthographicCamera as OrthographicCamera3,
  PlaneGeometry as PlaneGeometry2,
  ShaderMaterial,
  Vector2,
  WebGLRenderTarget
} from "three";
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
var kinds = /* @__PURE__ */ new Set(["bloom", "vignette", "chromatic_aberration", "film_grain", "color_grading"]);
var Effects = class _Effects {
  light = new WebGLRenderTarget(1, 1, { type: HalfFloatType, samples: 4 });
  steps = [2, 2, 8, 8].map(() => new WebGLRenderTarget(1, 1, { type: HalfFloatType, minFilter: LinearFilter, depthBuffer: false }));
  camera = new OrthographicCamera3();
  sheet = new Mesh4(new PlaneGeometry2(2, 2));
  blur;
  whole;
  blooms;
  // of makes the effects of a scene, if it has any that are shown.
  static of(list) {
    const shown = (list ?? []).filter((e) => kinds.has(e.kind));
    return shown.length > 0 ? new _Effects(shown) : void 0;
  }
  constructor(list) {
    const get = (kind, fallback, off, ...keys) => {
      const e = list.find((x) => x.kind === kind);
      if (!e) return off;
      const p = e.params ?? {};
      for (const k of keys) if (typeof p[k] === "number" && Number.isFinite(p[k])) return p[k];
      return fallback;
    };
    this.blooms = list.some((e) => e.kind === "bloom");
    this.blur = new ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: blur,
      depthTest: false,
      toneMapped: false,
      uniforms: { image: { value: null }, along: { value: new Vector2() }, threshold: { value: 0 } }
    });
    this.blur.userData.threshold = get("bloom", 0.8, 0, "threshold");
    this.whole = new ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: whole,
      depthTest: false,
      uniforms: {
        image: { value: this.light.texture },
        near: { value: this.steps[1].texture },
        far: { value: this.steps[3].texture },
        bloom: { value: 0.5 * get("bloom", 1, 0, "intensity", "strength") },
        vignette: { value: get("vignette", 0.5, 0, "intensity", "darkness") },
        extent: { value: get("vignette", 0.4, 0.4, "offset", "extent") },
        fringe: { value: 0.02 * get("chromatic_aberration", 0.5, 0, "intensity", "offset") },
        grain: { value: get("film_grain", 0.2, 0, "intensity") },
        brightness: { value: 1 + get("color_grading", 0, 0, "brightness", "exposure") },
        contrast: { value: get("color_grading", 1, 1, "contrast") },
        saturation: { value: get("color_grading", 1, 1, "saturation") }
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

// src/hands.ts
import { Plane, Raycaster, Vector2 as Vector22, Vector3 as Vector34 } from "three";
function hit(stage, ray) {
  for (const h of ray.intersectObjects(stage.built.world.children, true)) {
    let o = h.object, seen = true;
    for (let up = o; up; up = up.parent) seen = seen && up.visible;
    while (o && !o.userData.id) o = o.parent;
    if (!o || !seen) continue;
    const node = o.userData.id;
    let grab;
    for (let up = o; up && !grab; up = up.parent) {
      if (stage.nodes.get(up.userData.id)?.interact?.includes("grab")) grab = up.userData.id;
    }
    return { node, grab, point: h.point, distance: h.distance };
  }
  return void 0;
}
var Pointer = class {
  constructor(canvas, on) {
    this.canvas = canvas;
    this.on = on;
    canvas.addEventListener("pointerdown", (e) => this.down(e), { capture: true });
    canvas.addEventListener("pointermove", (e) => this.move(e));
    canvas.addEventListener("pointerup", (e) => this.up(e));
    canvas.addEventListener("pointercancel", () => this.drop());
    canvas.addEventListener("pointerleave", () => this.hover(void 0));
    canvas.addEventListener("dblclick", (e) => {
      const h = this.hit(e);
      if (h) this.on.stage().raise(h.node, "double_click", payload(h));
    });
  }
  canvas;
  on;
  held;
  over;
  start;
  ray(e) {
    const box2 = this.canvas.getBoundingClientRect();
    const ray = new Raycaster();
    ray.setFromCamera(new Vector22((e.clientX - box2.left) / box2.width * 2 - 1, 1 - (e.clientY - box2.top) / box2.height * 2), this.on.camera);
    return ray;
  }
  hit(e) {
    return hit(this.on.stage(), this.ray(e));
  }
  down(e) {
    if (e.button !== 0) return;
    const h = this.hit(e), stage = this.on.stage();
    this.start = { x: e.clientX, y: e.clientY, hit: h };
    if (!h) return;
    stage.raise(h.node, "press", payload(h));
    const at = h.grab && stage.at(h.grab);
    if (!h.grab || !at || !stage.grab(h.grab)) return;
    const ahead = this.on.camera.getWorldDirection(new Vector34());
    this.held = { node: h.grab, plane: new Plane().setFromNormalAndCoplanarPoint(ahead, h.point), offset: new Vector34(...at.t).sub(h.point) };
    this.on.orbit(false);
    this.canvas.setPointerCapture(e.pointerId);
  }
  move(e) {
    if (this.held) {
      const to = this.ray(e).ray.intersectPlane(this.held.plane, new Vector34());
      if (to) this.on.stage().hold(this.held.node, to.add(this.held.offset).toArray());
      return;
    }
    if (e.buttons === 0) this.hover(this.hit(e));
  }
  hover(h) {
    const stage = this.on.stage();
    const node = h?.node;
    this.canvas.style.cursor = h && (h.grab || live(stage, h.node)) ? h.grab ? "grab" : "pointer" : "";
    if (node === this.over) return;
    if (this.over && stage.nodes.has(this.over)) stage.raise(this.over, "hover_exit", {});
    this.over = node;
    if (h) stage.raise(h.node, "hover_enter", payload(h));
  }
  up(e) {
    const start = this.start, stage = this.on.stage();
    this.start = void 0;
    this.drop();
    if (!start?.hit) return;
    stage.raise(start.hit.node, "release", payload(start.hit));
    if (Math.abs(e.clientX - start.x) + Math.abs(e.clientY - start.y) > 6) return;
    click(stage, start.hit);
    const n = stage.nodes.get(start.hit.node);
    if (n && (n.interact?.length || n.label || n.alt)) this.on.describe(n);
  }
  drop() {
    if (!this.held) return;
    this.on.stage().release(this.held.node);
    this.held = void 0;
    this.on.orbit(true);
  }
};
function live(stage, node) {
  for (let o = stage.built.byId.get(node); o; o = o.parent) {
    if (stage.nodes.get(o.userData.id)?.interact?.includes("click")) return true;
  }
  return false;
}
function click(stage, h, hand = "pointer") {
  stage.raise(h.node, "click", { ...payload(h), hand });
  stage.raise(h.node, "tap", { ...payload(h), hand });
}
function payload(h) {
  return { point: h.point.toArray(), hand: "pointer" };
}

// src/stage.ts
import { Object3D as Object3D7, Quaternion as Quaternion2, Vector3 as Vector35 } from "three";

// src/animate.ts
import { Quaternion } from "three";
function ease(kind, u) {
  switch (kind) {
    case "ease-in":
      return u * u;
    case "ease-out":
      return 1 - (1 - u) * (1 - u);
    case "ease-in-out":
      return u * u * (3 - 2 * u);
    case "step":
      return u < 1 ? 0 : 1;
  }
  return u;
}
function rounds(a) {
  const loop = a.loop ?? 0;
  return loop < 0 ? Infinity : loop + 1;
}
function duration(a) {
  return a.keys[a.keys.length - 1][0];
}
function sample(a, time) {
  const keys = a.keys, end = duration(a);
  let t = time;
  if (end > 0 && t > end) {
    let round2 = Math.floor(t / end);
    if (round2 >= rounds(a)) [round2, t] = [rounds(a) - 1, end];
    else t -= round2 * end;
    if (a.pingpong && round2 % 2 === 1) t = end - t;
  }
  if (t <= keys[0][0]) return keys[0].slice(1);
  for (let i = 1; i < keys.length; i++) {
    if (t > keys[i][0]) continue;
    const from = keys[i - 1], to = keys[i];
    const u = ease(a.easing, (t - from[0]) / (to[0] - from[0]));
    if (a.property === "r") {
      const q = new Quaternion().fromArray(from, 1).slerp(new Quaternion().fromArray(to, 1), u);
      return q.toArray();
    }
    return from.slice(1).map((v, k) => v + (to[k + 1] - v) * u);
  }
  return keys[keys.length - 1].slice(1);
}
var Player = class {
  constructor(list, set, ended) {
    this.set = set;
    this.ended = ended;
    this.tracks = list.filter((a) => a.keys.length > 0).map((a) => ({ a, time: 0, on: a.autoplay === true }));
    for (const t of this.tracks) if (t.on) this.apply(t);
  }
  set;
  ended;
  tracks;
  // running says whether anything moves.
  get running() {
    return this.tracks.some((t) => t.on);
  }
  // play starts the animations of a node anew, or stops them: those of a name, or
  // of a property, or all.
  play(node, name, on) {
    let found = false;
    for (const t of this.tracks) {
      if (t.a.node !== node || name && t.a.name !== name && t.a.property !== name) continue;
      found = true;
      t.on = on;
      if (on) t.time = 0;
    }
    return found;
  }
  step(dt) {
    for (const t of this.tracks) {
      if (!t.on) continue;
      t.time += dt;
      this.apply(t);
      if (t.time < duration(t.a) * rounds(t.a)) continue;
      t.on = false;
      this.ended(t.a.node, t.a.name ?? t.a.property);
    }
  }
  apply(t) {
    this.set(t.a.node, t.a.property, sample(t.a, t.time));
  }
};

// src/audio.ts
import { Audio, AudioListener, PositionalAudio } from "three";
var Sounds = class {
  constructor(scene, camera2, nodes, objects, ended) {
    this.scene = scene;
    this.camera = camera2;
    this.nodes = nodes;
    this.objects = objects;
    this.ended = ended;
    for (const n of nodes.values()) if (n.audio?.autoplay) this.play(n.id, "", true);
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, this.begin);
  }
  scene;
  camera;
  nodes;
  objects;
  ended;
  listener;
  buffers = /* @__PURE__ */ new Map();
  playing = /* @__PURE__ */ new Map();
  waiting = /* @__PURE__ */ new Map();
  begin = () => this.start();
  // count is how many sounds play or wait.
  get count() {
    return this.playing.size + this.waiting.size;
  }
  // play starts or stops the sound of a node. A name chooses a sound of another
  // node: by the node's name or the name of the file. False when there is none.
  play(node, name, on, wish = {}) {
    const id = this.find(node, name);
    if (id === void 0) return false;
    this.stop(id);
    if (!on) return true;
    if (this.listener) void this.sound(id, wish);
    else this.waiting.set(id, wish);
    return true;
  }
  find(node, name) {
    const can = (n) => n?.audio?.asset !== void 0 && this.scene.assets?.[n.audio.asset]?.data !== void 0;
    if (!name && can(this.nodes.get(node))) return node;
    for (const n of this.nodes.values()) {
      if (!can(n)) continue;
      const file2 = this.scene.assets[n.audio.asset].path;
      if (n.name === name || file2 === name || file2.replace(/^.*\//, "").replace(/\.\w+$/, "") === name) return n.id;
    }
    return void 0;
  }
  start() {
    for (const kind of ["pointerdown", "keydown"]) removeEventListener(kind, this.begin);
    if (this.listener) return;
    this.listener = new AudioListener();
    this.camera.add(this.listener);
    for (const [id, wish] of this.waiting) void this.sound(id, wish);
    this.waiting.clear();
  }
  async sound(id, wish) {
    const a = this.nodes.get(id).audio, listener = this.listener;
    const asset = a.asset;
    if (!this.buffers.has(asset)) {
      const data = bytes(this.scene.assets[asset].data).buffer;
      this.buffers.set(asset, listener.context.decodeAudioData(data).catch(() => void 0));
    }
    const near = a.max !== void 0 || a.min !== void 0;
    const sound = near ? new PositionalAudio(listener) : new Audio(listener);
    this.playing.set(id, sound);
    const buffer = await this.buffers.get(asset);
    if (this.playing.get(id) !== sound) return;
    if (!buffer) {
      this.playing.delete(id);
      console.warn(`the sound ${this.scene.assets[asset].path} cannot be decoded`);
      return;
    }
    sound.setBuffer(buffer);
    sound.setLoop(wish.loop ?? a.loop ?? false);
    sound.setVolume(Math.min(Math.max(wish.volume ?? a.volume ?? 1, 0), 1));
    if (sound instanceof PositionalAudio) {
      sound.setRefDistance(a.min ?? 1);
      sound.setMaxDistance(a.max ?? 30);
    }
    this.objects.get(id)?.add(sound);
    sound.onEnded = () => {
      if (this.playing.get(id) !== sound) return;
      this.stop(id);
      this.ended(id);
    };
    sound.play();
  }
  // volume changes a sound that plays.
  volume(id, value) {
    this.playing.get(id)?.setVolume(Math.min(Math.max(value, 0), 1));
  }
  stop(id) {
    this.waiting.delete(id);
    const sound = this.playing.get(id);
    if (!sound) return;
    this.playing.delete(id);
    if (sound.isPlaying) sound.stop();
    sound.removeFromParent();
  }
  dispose() {
    for (const kind of ["pointerdown", "keydown"]) removeEventListener(kind, this.begin);
    for (const id of [...this.playing.keys(), ...this.waiting.keys()]) this.stop(id);
    this.listener?.removeFromParent();
  }
};

// src/vector.ts
function add(a, b) {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}
function sub(a, b) {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}
function mul(a, s) {
  return [a[0] * s, a[1] * s, a[2] * s];
}
function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
function length(a) {
  return Math.sqrt(dot(a, a));
}
function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
function product(a, b) {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]
  ];
}
function turn(q, v) {
  const u = [q[0], q[1], q[2]];
  const t = mul(cross(u, v), 2);
  return add(add(v, mul(t, q[3])), cross(u, t));
}
function spin(q, w, dt) {
  const d = product([w[0], w[1], w[2], 0], q), h = dt / 2;
  return [q[0] + d[0] * h, q[1] + d[1] * h, q[2] + d[2] * h, q[3] + d[3] * h];
}
function back(q) {
  return [-q[0], -q[1], -q[2], q[3]];
}
function sine(degrees) {
  let x = degrees % 360;
  if (x < 0) x += 360;
  if (x > 180) return -sine(x - 180);
  if (x > 90) x = 180 - x;
  const u = x * Math.PI / 180, s = u * u;
  let sum = 0;
  for (let k = 19; k >= 3; k -= 2) sum = -s / (k * (k - 1)) * (1 + sum);
  return u * (1 + sum);
}
function euler(degrees) {
  let out = [0, 0, 0, 1];
  for (let k = 0; k < 3; k++) {
    const q = [0, 0, 0, sine(degrees[k] / 2 + 90)];
    q[k] = sine(degrees[k] / 2);
    out = product(out, q);
  }
  return out;
}

// src/contact.ts
function collide(a, b) {
  if (a.shape === "box" && b.shape === "box") return boxes(a, b);
  if (a.shape === "box") return roundOnBox(b, a).map(reversed);
  if (b.shape === "box") return roundOnBox(a, b);
  return rounds2(a, b);
}
function reversed(c) {
  return { ...c, a: c.b, b: c.a, normal: mul(c.normal, -1) };
}
function segment(b) {
  if (b.shape === "sphere") return [b.p, b.p];
  const up = mul(b.axes[1], b.half[1]);
  return [sub(b.p, up), add(b.p, up)];
}
function rounds2(a, b) {
  const [p, q] = nearest(segment(a), segment(b));
  const d = sub(q, p), n = length(d), depth = a.radius + b.radius - n;
  if (depth <= 0) return [];
  const normal2 = n > 1e-9 ? mul(d, 1 / n) : [0, 1, 0];
  return [{ a, b, normal: normal2, depth, point: add(p, mul(normal2, a.radius - depth / 2)) }];
}
function nearest([p1, q1], [p2, q2]) {
  const d1 = sub(q1, p1), d2 = sub(q2, p2), r = sub(p1, p2);
  const a = dot(d1, d1), e = dot(d2, d2), f = dot(d2, r), c = dot(d1, r), b = dot(d1, d2);
  let s = 0, t = 0;
  if (a > 1e-12) {
    const k = a * e - b * b;
    s = e > 1e-12 && k > 1e-9 * a * e ? clamp((b * f - c * e) / k, 0, 1) : clamp(-c / a, 0, 1);
  }
  if (e > 1e-12) {
    t = clamp((b * s + f) / e, 0, 1);
    if (a > 1e-12) s = clamp((b * t - c) / a, 0, 1);
  }
  return [add(p1, mul(d1, s)), add(p2, mul(d2, t))];
}
function roundOnBox(a, box2) {
  const [p, q] = segment(a);
  if (a.shape === "sphere") return ball(a, box2, p);
  const out = [...ball(a, box2, p), ...ball(a, box2, q)];
  const d = sub(q, p), long = dot(d, d);
  if (long < 1e-12) return out.slice(0, 1);
  let s = 0.5;
  for (let k = 0; k < 6; k++) s = clamp(dot(sub(inBox(box2, add(p, mul(d, s))), p), d) / long, 0, 1);
  if (s > 0.05 && s < 0.95) out.push(...ball(a, box2, add(p, mul(d, s))));
  return out;
}
function inBox(box2, at) {
  const d = sub(at, box2.p);
  let out = box2.p;
  for (let k = 0; k < 3; k++) out = add(out, mul(box2.axes[k], clamp(dot(d, box2.axes[k]), -box2.half[k], box2.half[k])));
  return out;
}
function ball(a, box2, at) {
  const on = inBox(box2, at), d = sub(on, at), n = length(d);
  if (n >= a.radius) return [];
  if (n > 1e-9) return [{ a, b: box2, point: on, normal: mul(d, 1 / n), depth: a.radius - n }];
  const from = sub(at, box2.p);
  let face = 0, least = Infinity, sign = 1;
  for (let k = 0; k < 3; k++) {
    const x = dot(from, box2.axes[k]), out = box2.half[k] - Math.abs(x);
    if (out < least) [least, face, sign] = [out, k, x < 0 ? -1 : 1];
  }
  return [{ a, b: box2, point: at, normal: mul(box2.axes[face], -sign), depth: a.radius + least }];
}
function boxes(a, b) {
  const d = sub(b.p, a.p);
  let best = Infinity, normal2 = [0, 1, 0], kind = -1;
  const reach = (o, n) => {
    let r = 0;
    for (let k = 0; k < 3; k++) r += Math.abs(dot(o.axes[k], n)) * o.half[k];
    return r;
  };
  const apart = (n, which, worse) => {
    const far = dot(d, n), over = reach(a, n) + reach(b, n) - Math.abs(far);
    if (over < 0) return true;
    if (over * worse + (worse > 1 ? 1e-3 : 0) < best) [best, normal2, kind] = [over * worse, far < 0 ? mul(n, -1) : n, which];
    return false;
  };
  for (let k = 0; k < 3; k++) if (apart(a.axes[k], k, 1)) return [];
  for (let k = 0; k < 3; k++) if (apart(b.axes[k], 3 + k, 1.0001)) return [];
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) {
      const n = cross(a.axes[i], b.axes[k]), size = length(n);
      if (size > 1e-4 && apart(mul(n, 1 / size), 6 + i * 3 + k, 1.05)) return [];
    }
  }
  if (kind >= 6) return edges(a, b, normal2, (kind - 6) / 3 | 0, (kind - 6) % 3);
  return kind < 3 ? faces(a, b, kind, normal2) : faces(b, a, kind - 3, mul(normal2, -1)).map(reversed);
}
function edges(a, b, normal2, i, k) {
  const line = (o, axis, towards) => {
    let middle = o.p;
    for (let m = 0; m < 3; m++) {
      if (m !== axis) middle = add(middle, mul(o.axes[m], o.half[m] * (dot(o.axes[m], normal2) * towards < 0 ? -1 : 1)));
    }
    const along2 = mul(o.axes[axis], o.half[axis]);
    return [sub(middle, along2), add(middle, along2)];
  };
  const [p, q] = nearest(line(a, i, 1), line(b, k, -1));
  const depth = dot(sub(p, q), normal2);
  return depth > 0 ? [{ a, b, normal: normal2, depth, point: mul(add(p, q), 0.5) }] : [];
}
function faces(a, b, axis, normal2) {
  let other = 0, most2 = -1;
  for (let k = 0; k < 3; k++) {
    const x = Math.abs(dot(b.axes[k], normal2));
    if (x > most2 + 1e-9) [most2, other] = [x, k];
  }
  const side = dot(b.axes[other], normal2) > 0 ? -1 : 1;
  const u = (other + 1) % 3, v = (other + 2) % 3;
  const middle = add(b.p, mul(b.axes[other], side * b.half[other]));
  let shape = [[1, 1], [-1, 1], [-1, -1], [1, -1]].map(([x, y]) => add(middle, add(mul(b.axes[u], x * b.half[u]), mul(b.axes[v], y * b.half[v]))));
  for (const m of [(axis + 1) % 3, (axis + 2) % 3]) {
    for (const sign of [1, -1]) shape = cut(shape, mul(a.axes[m], sign), dot(a.p, a.axes[m]) * sign + a.half[m]);
  }
  const level = dot(a.p, normal2) + a.half[axis];
  const out = [];
  for (const point of shape) {
    const depth = level - dot(point, normal2);
    if (depth > 0) out.push({ a, b, normal: normal2, depth, point: add(point, mul(normal2, depth / 2)) });
  }
  return out;
}
function cut(shape, n, level) {
  const out = [];
  shape.forEach((p, i) => {
    const q = shape[(i + 1) % shape.length], x = dot(p, n) - level, y = dot(q, n) - level;
    if (x <= 0) out.push(p);
    if (x < 0 !== y < 0 && x !== y && x !== 0 && y !== 0) out.push(add(p, mul(sub(q, p), x / (x - y))));
  });
  return out;
}
function clamp(x, low, high) {
  return Math.min(Math.max(x, low), high);
}

// src/solver.ts
var limits = {
  bodies: 1e3,
  // more stay where they are; two hundred in a heap take a third of a step's time
  rate: 60,
  // steps in a second
  pieces: 2,
  // of a step, each solved by itself
  rounds: 8,
  // over all contacts of a piece
  speed: 60,
  // metres in a second; faster things would jump through walls
  turning: 40
  // radians in a second
};
var slop = 4e-3;
var push = 3;
var bounces = 0.5;
var restful = 0.05;
var restTime = 30;
var Body = class {
  constructor(spec, index) {
    this.spec = spec;
    this.index = index;
    const [x, y, z] = spec.size.map((s) => Math.max(Math.abs(s), 1e-4));
    this.center = [...spec.center ?? [0, 0, 0]];
    this.shape = spec.shape === "plane" ? "box" : spec.shape;
    this.radius = spec.shape === "sphere" ? Math.max(x, y, z) / 2 : spec.shape === "capsule" ? Math.max(x, z) / 2 : 0;
    this.half = [x / 2, y / 2, z / 2];
    if (spec.shape === "plane") {
      this.half[1] = 0.25;
      this.center[1] -= 0.25;
    }
    if (this.shape === "capsule") this.half = [this.radius, Math.max(y / 2 - this.radius, 0), this.radius];
    const mass = Math.max(spec.mass ?? 1, 1e-3);
    this.inverseMass = spec.type === "dynamic" && !spec.trigger ? 1 / mass : 0;
    this.inverseInertia = [0, 0, 0];
    if (this.inverseMass > 0) this.inverseInertia = this.inertia(mass).map((i) => 1 / i);
    this.r = unit(spec.r);
    this.p = [0, 0, 0];
    this.place(spec.t, this.r);
  }
  spec;
  index;
  half;
  radius;
  shape;
  p;
  r;
  v = [0, 0, 0];
  w = [0, 0, 0];
  axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  lower = [0, 0, 0];
  upper = [0, 0, 0];
  asleep = false;
  held = false;
  calm = 0;
  inverseMass;
  inverseInertia;
  center;
  inertia(mass) {
    const [x, y, z] = this.half, r = this.radius;
    if (this.shape === "sphere") return [0.4 * mass * r * r, 0.4 * mass * r * r, 0.4 * mass * r * r];
    if (this.shape === "capsule") {
      const h = 2 * (y + r);
      const across = mass * (3 * r * r + h * h) / 12;
      return [across, 0.5 * mass * r * r, across];
    }
    return [mass * (y * y + z * z) / 3, mass * (x * x + z * z) / 3, mass * (x * x + y * y) / 3];
  }
  // place puts the body somewhere without moving it there.
  place(t, r) {
    this.r = unit(r);
    this.p = add(t, turn(this.r, this.center));
    this.refresh();
  }
  // origin is where the thing itself is, whose shape may stand beside it.
  origin() {
    return sub(this.p, turn(this.r, this.center));
  }
  get moving() {
    return this.inverseMass > 0 && !this.held;
  }
  // lightness is the inverse mass that counts in contacts: what is held or asleep
  // is not moved by them.
  get lightness() {
    return this.asleep || this.held ? 0 : this.inverseMass;
  }
  refresh() {
    this.axes = [turn(this.r, [1, 0, 0]), turn(this.r, [0, 1, 0]), turn(this.r, [0, 0, 1])];
    for (let k = 0; k < 3; k++) {
      let reach = this.radius;
      if (this.shape === "box") {
        reach = Math.abs(this.axes[0][k]) * this.half[0] + Math.abs(this.axes[1][k]) * this.half[1] + Math.abs(this.axes[2][k]) * this.half[2];
      } else if (this.shape === "capsule") reach += Math.abs(this.axes[1][k]) * this.half[1];
      this.lower[k] = this.p[k] - reach;
      this.upper[k] = this.p[k] + reach;
    }
  }
  // turnLight is the inverse inertia times a vector of the world.
  turnLight(x) {
    if (this.lightness === 0) return [0, 0, 0];
    let out = [0, 0, 0];
    for (let k = 0; k < 3; k++) out = add(out, mul(this.axes[k], dot(this.axes[k], x) * this.inverseInertia[k]));
    return out;
  }
  speedAt(arm) {
    return add(this.v, cross(this.w, arm));
  }
  wake() {
    this.asleep = false;
    this.calm = 0;
  }
};
var Solver = class {
  constructor(gravity = [0, -9.81, 0]) {
    this.gravity = gravity;
  }
  gravity;
  bodies = [];
  byId = /* @__PURE__ */ new Map();
  pairs = /* @__PURE__ */ new Map();
  events = [];
  order = [];
  added = 0;
  pieces = 0;
  trails = /* @__PURE__ */ new Map();
  // add takes a body in; false when there are too many or its id is taken.
  add(spec) {
    if (this.bodies.length >= limits.bodies || this.byId.has(spec.id)) return false;
    if (![...spec.size, ...spec.t, ...spec.r, ...spec.center ?? []].every(Number.isFinite)) return false;
    const b = new Body(spec, this.added++);
    this.bodies.push(b);
    this.order.push(b);
    this.byId.set(spec.id, b);
    return true;
  }
  remove(id) {
    const b = this.byId.get(id);
    if (!b) return;
    this.byId.delete(id);
    this.bodies.splice(this.bodies.indexOf(b), 1);
    this.order.splice(this.order.indexOf(b), 1);
    this.trails.delete(b);
    for (const [key, p] of this.pairs) if (p.a === b || p.b === b) this.part(key, p);
  }
  get(id) {
    return this.byId.get(id);
  }
  // place puts a body somewhere at once, at rest.
  place(id, t, r) {
    const b = this.byId.get(id);
    if (!b) return;
    b.place(t, r);
    b.v = [0, 0, 0];
    b.w = [0, 0, 0];
    this.rouse(b);
  }
  // move leads a body that is not pushed by others to a place within one step,
  // so that it pushes and carries what it touches.
  move(id, t, r) {
    const b = this.byId.get(id);
    if (b && !b.moving) this.lead(b, t, r);
  }
  // push changes the speed of a body.
  push(id, speed) {
    const b = this.byId.get(id);
    if (!b?.moving || !speed.every(Number.isFinite)) return;
    b.wake();
    b.v = add(b.v, speed);
  }
  // grab holds a body: it goes where hold puts it.
  grab(id) {
    const b = this.byId.get(id);
    if (!b || b.inverseMass === 0 || b.held) return false;
    b.wake();
    b.held = true;
    b.v = [0, 0, 0];
    b.w = [0, 0, 0];
    this.trails.set(b, { t: b.origin(), r: b.r, past: [], turns: [] });
    return true;
  }
  hold(id, t, r) {
    const b = this.byId.get(id);
    const trail = b && this.trails.get(b);
    if (!b || !trail || !t.every(Number.isFinite)) return;
    trail.t = [...t];
    if (r) trail.r = unit(r);
  }
  // release lets go: the body flies on with the speed of the hand, times scale.
  release(id, scale = 1, most2 = 20) {
    const b = this.byId.get(id);
    const trail = b && this.trails.get(b);
    if (!b || !trail) return;
    this.trails.delete(b);
    b.held = false;
    b.wake();
    b.v = capped(mul(mean(trail.past), scale), most2);
    b.w = capped(mul(mean(trail.turns), scale), limits.turning);
  }
  // step moves everything on and says what began and ended to touch.
  step() {
    for (const [b, trail] of this.trails) {
      this.lead(b, trail.t, trail.r);
      trail.past = [...trail.past.slice(-5), [...b.v]];
      trail.turns = [...trail.turns.slice(-5), [...b.w]];
    }
    const dt = 1 / limits.rate / limits.pieces;
    for (let k = 0; k < limits.pieces; k++) this.piece(dt);
    for (const b of this.bodies) {
      if (!b.moving) {
        b.v = [0, 0, 0];
        b.w = [0, 0, 0];
      } else if (!b.asleep) this.settle(b);
    }
    const told = this.events;
    this.events = [];
    return told;
  }
  lead(b, t, r) {
    if (![...t, ...r].every(Number.isFinite)) return;
    const before = b.p, from = b.r;
    const to = unit(r);
    const goal = add(t, turn(to, b.center));
    b.v = capped(mul(sub(goal, before), limits.rate), limits.speed);
    const d = product(to, [-from[0], -from[1], -from[2], from[3]]);
    const sign = d[3] < 0 ? -2 : 2;
    b.w = capped([d[0] * sign * limits.rate, d[1] * sign * limits.rate, d[2] * sign * limits.rate], limits.turning);
    if (length(b.v) > 1e-4 || length(b.w) > 1e-4) this.rouse(b);
  }
  // rouse wakes what touches a body.
  rouse(b) {
    b.wake();
    for (const p of this.pairs.values()) {
      if (p.a === b) p.b.wake();
      else if (p.b === b) p.a.wake();
    }
  }
  settle(b) {
    const calm = dot(b.v, b.v) < restful * restful && dot(b.w, b.w) < 4 * restful * restful;
    b.calm = calm ? b.calm + 1 : 0;
    if (b.calm < restTime || !this.rests(b)) return;
    b.asleep = true;
    b.v = [0, 0, 0];
    b.w = [0, 0, 0];
  }
  // rests says whether something holds a body up; without weight it needs nothing.
  rests(b) {
    if (dot(this.gravity, this.gravity) * (b.spec.gravity ?? 1) === 0) return true;
    for (const p of this.pairs.values()) if (!p.trigger && (p.a === b || p.b === b)) return true;
    return false;
  }
  piece(dt) {
    for (const b of this.bodies) {
      if (!b.moving || b.asleep) continue;
      b.v = capped(mul(add(b.v, mul(this.gravity, dt * (b.spec.gravity ?? 1))), 1 / (1 + dt * (b.spec.drag ?? 0))), limits.speed);
      b.w = capped(mul(b.w, 1 / (1 + dt * (b.spec.turnDrag ?? 0.05))), limits.turning);
    }
    const contacts = this.contacts();
    for (let k = 0; k < limits.rounds; k++) for (const c of contacts) resolve(c, dt);
    for (const b of this.bodies) {
      if (b.asleep || !b.moving && dot(b.v, b.v) + dot(b.w, b.w) === 0) continue;
      b.p = add(b.p, mul(b.v, dt));
      b.r = unit(spin(b.r, b.w, dt));
      b.refresh();
    }
    for (let k = 0; k < 2; k++) for (const c of contacts) resolve(c, 0);
    for (const c of contacts) rebound(c);
  }
  // contacts finds what touches, tells what is new and what is over, and returns
  // what is to be solved.
  contacts() {
    const out = [];
    this.pieces++;
    this.sweep((a, b) => {
      const touching = collide(a, b);
      if (touching.length === 0) return;
      const key = a.index * 67108864 + b.index;
      const trigger = Boolean(a.spec.trigger || b.spec.trigger);
      let pair = this.pairs.get(key);
      const speed = sub(b.speedAt(sub(touching[0].point, b.p)), a.speedAt(sub(touching[0].point, a.p)));
      if (!pair) {
        pair = { a, b, trigger, seen: 0 };
        this.pairs.set(key, pair);
        this.tell(trigger ? "trigger_enter" : "collision_enter", a, b, touching[0].point, Math.max(-dot(speed, touching[0].normal), 0));
      }
      pair.seen = this.pieces;
      if (trigger) return;
      const rush = length(speed);
      if (a.asleep && rush > (b.moving ? restful * 4 : 1e-3)) a.wake();
      if (b.asleep && rush > (a.moving ? restful * 4 : 1e-3)) b.wake();
      for (const c of touching) out.push(join(c));
    });
    for (const [key, p] of this.pairs) {
      const still = !awake(p.a) && !awake(p.b);
      if (p.seen === this.pieces || still) continue;
      this.part(key, p);
    }
    return out;
  }
  part(key, p) {
    this.pairs.delete(key);
    this.tell(p.trigger ? "trigger_exit" : "collision_exit", p.a, p.b);
    if (!p.trigger) {
      p.a.wake();
      p.b.wake();
    }
  }
  tell(name, a, b, point, speed) {
    for (const [x, y] of [[a, b], [b, a]]) {
      this.events.push({ name, node: x.spec.id, other: y.spec.id, ...point && { point: [...point] }, ...speed !== void 0 && { speed } });
    }
  }
  // sweep calls for every two bodies whose boxes overlap and of which one can
  // move, in an order that follows from the places alone.
  sweep(found) {
    const list = this.order;
    for (let i = 1; i < list.length; i++) {
      const b = list[i];
      let k = i - 1;
      for (; k >= 0 && (list[k].lower[0] > b.lower[0] || list[k].lower[0] === b.lower[0] && list[k].index > b.index); k--) list[k + 1] = list[k];
      list[k + 1] = b;
    }
    for (let i = 0; i < list.length; i++) {
      const a = list[i];
      for (let k = i + 1; k < list.length && list[k].lower[0] <= a.upper[0]; k++) {
        const b = list[k];
        if (a.lower[1] > b.upper[1] || b.lower[1] > a.upper[1] || a.lower[2] > b.upper[2] || b.lower[2] > a.upper[2]) continue;
        if (!awake(a) && !awake(b)) continue;
        if (!solid3(a) && !solid3(b)) continue;
        if (a.spec.family !== void 0 && a.spec.family === b.spec.family) continue;
        if (a.index < b.index) found(a, b);
        else found(b, a);
      }
    }
  }
};
function solid3(b) {
  return b.spec.type !== "static";
}
function awake(b) {
  return b.moving ? !b.asleep : dot(b.v, b.v) + dot(b.w, b.w) > 0 || b.held;
}
function join({ a, b, normal: normal2, point, depth }) {
  const armA = sub(point, a.p), armB = sub(point, b.p);
  const first = straight(cross(normal2, Math.abs(normal2[0]) > 0.6 ? [0, 1, 0] : [1, 0, 0]));
  const up = row(a, b, armA, armB, normal2);
  return {
    a,
    b,
    depth,
    normal: up,
    sideways: [row(a, b, armA, armB, first), row(a, b, armA, armB, cross(normal2, first))],
    approach: closing(a, b, up),
    friction: Math.sqrt((a.spec.friction ?? 0.5) * (b.spec.friction ?? 0.5)),
    bounce: Math.max(a.spec.restitution ?? 0, b.spec.restitution ?? 0),
    most: 0
  };
}
function row(a, b, armA, armB, way) {
  const leverA = cross(armA, way), leverB = cross(armB, way), turnA = a.turnLight(leverA), turnB = b.turnLight(leverB);
  const light2 = a.lightness + b.lightness + dot(turnA, leverA) + dot(turnB, leverB);
  return { way, leverA, leverB, turnA, turnB, mass: light2 > 0 ? 1 / light2 : 0, impulse: 0 };
}
function closing(a, b, r) {
  return dot(r.way, b.v) - dot(r.way, a.v) + dot(r.leverB, b.w) - dot(r.leverA, a.w);
}
function impel(a, b, r, impulse) {
  const j = impulse - r.impulse, la = j * a.lightness, lb = j * b.lightness;
  r.impulse = impulse;
  for (let k = 0; k < 3; k++) {
    a.v[k] -= r.way[k] * la;
    b.v[k] += r.way[k] * lb;
    a.w[k] -= r.turnA[k] * j;
    b.w[k] += r.turnB[k] * j;
  }
}
function resolve(c, dt) {
  const { a, b, normal: normal2 } = c;
  if (normal2.mass === 0) return;
  const most2 = c.friction * normal2.impulse;
  for (const r of c.sideways) impel(a, b, r, Math.min(Math.max(r.impulse - closing(a, b, r) * r.mass, -most2), most2));
  const bias = dt > 0 ? Math.min(0.2 / dt * Math.max(c.depth - slop, 0), push) : 0;
  impel(a, b, normal2, Math.max(normal2.impulse + (bias - closing(a, b, normal2)) * normal2.mass, 0));
  c.most = Math.max(c.most, normal2.impulse);
}
function rebound(c) {
  if (c.bounce === 0 || c.approach > -bounces || c.most === 0) return;
  const { a, b, normal: normal2 } = c;
  impel(a, b, normal2, Math.max(normal2.impulse - (closing(a, b, normal2) + c.bounce * c.approach) * normal2.mass, 0));
}
function unit(q) {
  const n = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return n > 0 ? [q[0] / n, q[1] / n, q[2] / n, q[3] / n] : [0, 0, 0, 1];
}
function straight(v) {
  const n = length(v);
  return n > 0 ? mul(v, 1 / n) : [1, 0, 0];
}
function capped(v, most2) {
  const n = length(v);
  return n > most2 ? mul(v, most2 / n) : v;
}
function mean(list) {
  let out = [0, 0, 0];
  for (const v of list) out = add(out, v);
  return list.length > 0 ? mul(out, 1 / list.length) : out;
}

// src/bodies.ts
var Bodies = class {
  solver;
  left = [];
  // nodes beyond the limit, which stand still
  places = [];
  byId = /* @__PURE__ */ new Map();
  led = [];
  // nodes that lead their body
  free = [];
  // nodes that their body leads
  carried = /* @__PURE__ */ new Map();
  last = /* @__PURE__ */ new Map();
  dirty = true;
  due = 0;
  constructor(scene) {
    this.solver = new Solver(scene.environment?.gravity);
    for (const n of scene.nodes ?? []) this.add(n, n.parent);
  }
  get any() {
    return this.free.length > 0 || this.solver.bodies.some((b) => b.spec.trigger);
  }
  // add takes in a node with its parent by index.
  add(n, parent) {
    const i = this.places.length;
    const above = this.places[parent];
    const dynamic = n.body?.type === "dynamic" && !n.joint && n.collider !== void 0 && !n.collider.trigger;
    this.places.push({
      id: n.id,
      parent,
      t: [...n.t ?? [0, 0, 0]],
      r: [...n.r ?? [0, 0, 0, 1]],
      s: [...n.s ?? [1, 1, 1]],
      follows: above !== void 0 && (above.follows || this.free.includes(parent))
    });
    this.byId.set(n.id, i);
    if (!n.collider) return;
    const [t, r, s] = this.world(i);
    const shape = n.collider.shape;
    const taken = this.solver.add({
      id: n.id,
      type: dynamic ? "dynamic" : n.body?.type === "static" && !this.places[i].follows ? "static" : "kinematic",
      shape: shape === "sphere" || shape === "capsule" || shape === "plane" ? shape : "box",
      size: product3(n.collider.size, s),
      t,
      r,
      center: n.collider.center && product3(n.collider.center, s),
      mass: n.body?.mass,
      friction: n.body?.friction,
      restitution: n.body?.restitution,
      gravity: n.body?.gravity,
      trigger: n.collider.trigger,
      family: this.family(i)
    });
    if (!taken) this.left.push(n.id);
    else if (dynamic) this.free.push(i);
    else this.led.push(i);
  }
  // copy takes in a new node below one that is there.
  copy(n, parent) {
    this.add(n, this.byId.get(parent) ?? -1);
  }
  // family is the top of the tree of nodes that hang on one moving body, which do
  // not push each other.
  family(i) {
    let top;
    for (let k = i; k >= 0; k = this.places[k].parent) if (this.free.includes(k)) top = k;
    return top;
  }
  remove(node) {
    const i = this.byId.get(node);
    if (i === void 0) return;
    this.byId.delete(node);
    this.solver.remove(node);
    for (const list of [this.led, this.free]) if (list.includes(i)) list.splice(list.indexOf(i), 1);
    this.carried.delete(i);
  }
  // world is the place of a node in the scene.
  world(i) {
    const p = this.places[i];
    if (p.parent < 0) return [p.t, p.r, p.s];
    const [t, r, s] = this.world(p.parent);
    return [add(t, turn(r, product3(s, p.t))), product(r, p.r), product3(s, p.s)];
  }
  // settle puts a node at a place of the scene.
  settle(i, t, r) {
    const p = this.places[i];
    const [pt, pr, ps] = p.parent < 0 ? [[0, 0, 0], [0, 0, 0, 1], [1, 1, 1]] : this.world(p.parent);
    p.t = turn(back(pr), sub(t, pt)).map((x, k) => x / (ps[k] || 1));
    p.r = product(back(pr), r);
  }
  // place says that a node was put somewhere, in its parent: a rotation of three
  // numbers is in degrees.
  place(node, part, value) {
    const i = this.byId.get(node);
    if (i === void 0 || !value.every(Number.isFinite)) return;
    const p = this.places[i];
    if (part === "position") p.t = [value[0], value[1], value[2]];
    else if (part === "scale") p.s = [value[0], value[1], value[2]];
    else p.r = value.length === 4 ? [...value] : euler(value);
    this.dirty = true;
    if (this.free.includes(i)) {
      const [t, r] = this.world(i);
      this.solver.place(node, t, r);
    }
  }
  // step moves the bodies by a time, in whole steps of the solver.
  step(seconds) {
    const out = [];
    this.due = Math.min(this.due + seconds, 0.25);
    for (; this.due > 1 / limits.rate - 1e-9; this.due -= 1 / limits.rate) {
      for (const [i, to] of this.carried) this.carry(i, to);
      for (const i of this.led) if (this.dirty || this.places[i].follows || this.carried.has(i)) this.lead(i);
      this.dirty = false;
      out.push(...this.solver.step());
      for (const i of this.free) {
        const b = this.solver.get(this.places[i].id);
        if (b && (!b.asleep || b.held)) this.settle(i, b.origin(), b.r);
      }
    }
    return out.map(({ name, node, ...payload2 }) => ({ node, event: name, payload: payload2 }));
  }
  lead(i) {
    const [t, r] = this.world(i);
    this.solver.move(this.places[i].id, t, r);
  }
  // moved are the nodes that stand elsewhere than when it was asked last.
  moved() {
    const out = [];
    for (const i of [...this.free, ...this.carried.keys()]) {
      const p = this.places[i], now = `${p.t},${p.r}`;
      if (this.last.get(i) === now) continue;
      this.last.set(i, now);
      out.push({ node: this.places[i].id, position: [...p.t], rotation: [...p.r] });
    }
    return out;
  }
  // grab takes a node into a hand; hold says where the hand has it, in the scene.
  grab(node) {
    const i = this.byId.get(node);
    if (i === void 0) return false;
    if (this.solver.grab(node)) return true;
    if (this.carried.has(i) || this.solver.get(node)?.held) return false;
    const [t, r] = this.world(i);
    this.carried.set(i, { t, r });
    return true;
  }
  hold(node, t, r) {
    const i = this.byId.get(node);
    if (i !== void 0 && this.carried.has(i)) this.carried.set(i, { t, r });
    else this.solver.hold(node, t, r);
  }
  carry(i, to) {
    this.settle(i, to.t, to.r ?? this.world(i)[1]);
    this.dirty = true;
  }
  // release lets go; a body flies on with what speed the hand had.
  release(node, scale = 1, most2 = 20) {
    const i = this.byId.get(node);
    if (i !== void 0 && this.carried.delete(i)) return;
    this.solver.release(node, scale, most2);
  }
  // origin is the place of a node in the scene.
  origin(node) {
    const i = this.byId.get(node);
    if (i === void 0) return void 0;
    const [t, r] = this.world(i);
    return { t, r };
  }
  // call does what a program asks of a body; false when it is none of these.
  call(name, node, args) {
    const v = vector(args[0]);
    const b = this.solver.get(node);
    switch (name) {
      case "apply_impulse":
        if (v && b) this.solver.push(node, mul(v, b.inverseMass));
        return true;
      case "apply_force":
        if (v && b) this.solver.push(node, mul(v, b.inverseMass / limits.rate));
        return true;
      case "set_velocity":
        if (v && b) this.solver.push(node, sub(v, b.v));
        return true;
    }
    return false;
  }
};
function vector(v) {
  if (Array.isArray(v) && v.length >= 3 && v.every((x2) => typeof x2 === "number")) return [v[0], v[1], v[2]];
  if (typeof v !== "object" || v === null) return void 0;
  const { x, y, z } = v;
  const c = [x, y, z].map((n) => typeof n === "number" ? n : 0);
  return [c[0], c[1], c[2]];
}
function product3(a, b) {
  return [a[0] * b[0], a[1] * b[1], a[2] * b[2]];
}

// src/looks.ts
import { Light as Light2, Mesh as Mesh5, MeshBasicMaterial as MeshBasicMaterial2, MeshStandardMaterial as MeshStandardMaterial2 } from "three";
var Looks = class {
  own = /* @__PURE__ */ new Map();
  // set changes a key of the look of an object: color, opacity, emissive,
  // emissive_intensity, metallic, roughness, or the intensity of its light.
  // Colours are names and hex, or three numbers of sRGB.
  set(object, key, value) {
    if (key === "intensity" && typeof value === "number") {
      for (const c of object.children) if (c instanceof Light2) c.intensity = Math.max(value, 0) * Math.PI;
      return;
    }
    if (key === "color") {
      for (const c of object.children) if (c instanceof Light2) paint(c.color, value);
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
        m.opacity = clamp2(value);
        m.transparent = m.opacity < 1;
        m.depthWrite = !m.transparent;
        m.needsUpdate = true;
        return;
    }
    if (!(m instanceof MeshStandardMaterial2)) return;
    if (key === "emissive") paint(m.emissive, value);
    else if (typeof value !== "number") return;
    else if (key === "emissive_intensity") m.emissiveIntensity = Math.max(value, 0);
    else if (key === "metallic") m.metalness = clamp2(value);
    else if (key === "roughness") m.roughness = clamp2(value);
  }
  surface(object) {
    const known2 = this.own.get(object);
    if (known2) return known2;
    for (const c of object.children) {
      if (!(c instanceof Mesh5) || !(c.material instanceof MeshStandardMaterial2 || c.material instanceof MeshBasicMaterial2) || c.userData.letters) continue;
      const m = c.material.clone();
      c.material = m;
      this.own.set(object, m);
      return m;
    }
    return void 0;
  }
};
function clamp2(x) {
  return Math.min(Math.max(x, 0), 1);
}
function paint(color, value) {
  if (Array.isArray(value) && value.length >= 3) color.setRGB(Number(value[0]), Number(value[1]), Number(value[2]), "srgb");
  else if (typeof value === "string") color.setStyle(/^#[0-9a-f]{8}$/i.test(value) ? value.slice(0, 7) : value);
}

// src/particles.ts
import { AdditiveBlending, BufferAttribute, BufferGeometry as BufferGeometry4, Color as Color2, NormalBlending, Points, PointsMaterial } from "three";
var most = 2e3;
var presets = {
  fire: { rate: 60, lifetime: 1.2, speed: 1.2, spread: 0.3, gravity: -0.6, size_start: 0.18, size_end: 0.02, color_start: "#ffd27aff", color_end: "#d0290000" },
  smoke: { rate: 20, lifetime: 4, speed: 0.5, spread: 0.2, gravity: -0.1, size_start: 0.1, size_end: 0.6, color_start: "#8888889f", color_end: "#44444400", blend_mode: "normal" },
  sparks: { rate: 80, lifetime: 0.8, speed: 2.4, spread: 1.2, gravity: 6, size_start: 0.03, size_end: 0.01, color_start: "#ffe9a8ff", color_end: "#ff6a0000" },
  rain: { rate: 200, lifetime: 1.5, speed: -6, spread: 0.1, size_start: 0.02, size_end: 0.02, color_start: "#a8c4e0b0", width: 4, blend_mode: "normal" },
  snow: { rate: 80, lifetime: 5, speed: -0.6, spread: 0.3, size_start: 0.04, size_end: 0.04, color_start: "#ffffffff", color_end: "#ffffff80", width: 4, blend_mode: "normal" },
  dust: { rate: 15, lifetime: 6, speed: 0.05, spread: 0.1, size_start: 0.02, size_end: 0.02, color_start: "#e8dcc080", color_end: "#e8dcc000", width: 3, blend_mode: "normal" },
  magic: { rate: 40, lifetime: 2, speed: 0.6, spread: 0.5, gravity: -0.2, size_start: 0.05, size_end: 0, color_start: "#c9a0ffff", color_end: "#4060ff00" }
};
var Emitter = class {
  constructor(given, parent, seed, aim2) {
    this.seed = seed;
    const params = { ...presets[String(given.preset ?? "")], ...given };
    const num = (fallback, ...keys) => {
      for (const k of keys) if (typeof params[k] === "number" && Number.isFinite(params[k])) return params[k];
      return fallback;
    };
    const life = Math.max(0.05, num(2, "lifetime"));
    this.span = [Math.max(0.05, num(life, "lifetime_min")), Math.max(0.05, num(life, "lifetime_max"))];
    const count = Math.round(Math.max(1, Math.min(most, num(num(10, "rate", "emission_rate") * this.span[1] + 1, "max_count", "count"))));
    this.rate = Math.min(Math.max(0, num(count / this.span[1], "rate", "emission_rate")), most * 10);
    this.spread = num(0.3, "velocity_spread", "spread");
    this.gravity = num(0, "gravity");
    this.width = Math.max(0, num(0, "width", "radius"));
    const v = params.velocity, goal = typeof params.along === "string" ? aim2?.(params.along) : void 0;
    const speed = num(1, "speed");
    this.speed = Array.isArray(v) ? [Number(v[0]) || 0, Number(v[1]) || 0, Number(v[2]) || 0] : goal ? along(goal, speed) : [0, speed, 0];
    const size = num(0.05, "size_start", "size");
    this.size = [size, num("size_start" in params ? 0 : size, "size_end")];
    const color = text(params.color_start ?? params.color) ?? "#ffffffff", end = text(params.color_end) ?? color.slice(0, 7) + "00";
    this.colors = [new Color2(color.slice(0, 7)), new Color2(end.slice(0, 7))];
    this.alphas = [opacity(color), opacity(end)];
    const glow = num(0, "emissive_intensity");
    if (glow > 0) for (const c of this.colors) c.multiplyScalar(1 + glow);
    this.left = new Float32Array(count);
    this.whole = new Float32Array(count).fill(1);
    this.velocity = new Float32Array(count * 3);
    const geometry2 = new BufferGeometry4();
    geometry2.setAttribute("position", new BufferAttribute(new Float32Array(count * 3), 3));
    geometry2.setAttribute("color", new BufferAttribute(new Float32Array(count * 4), 4));
    geometry2.setAttribute("grow", new BufferAttribute(new Float32Array(count), 1));
    this.points = new Points(geometry2, round(new PointsMaterial({
      size: 1,
      vertexColors: true,
      transparent: true,
      depthWrite: false,
      blending: params.blend_mode === "normal" ? NormalBlending : AdditiveBlending
    })));
    this.points.frustumCulled = false;
    this.points.raycast = () => {
    };
    parent.add(this.points);
    for (let i = 0; i < 40; i++) this.step(this.span[1] / 40);
  }
  seed;
  points;
  left;
  // seconds of life
  whole;
  velocity;
  span;
  rate;
  speed;
  spread;
  gravity;
  width;
  size;
  colors;
  alphas;
  due = 0;
  next = 0;
  // random is a small generator of its own.
  random() {
    this.seed = Math.imul(this.seed, 1664525) + 1013904223 >>> 0;
    return this.seed / 4294967296;
  }
  step(dt) {
    const p = this.array("position"), c = this.array("color"), g = this.array("grow");
    this.due = Math.min(this.due + dt * this.rate, this.left.length);
    while (this.due >= 1) {
      this.due--;
      this.birth(this.next, p);
      this.next = (this.next + 1) % this.left.length;
    }
    const [from, to] = this.colors;
    for (let i = 0; i < this.left.length; i++) {
      if (this.left[i] <= 0) {
        g[i] = c[i * 4 + 3] = 0;
        continue;
      }
      this.left[i] -= dt;
      this.velocity[i * 3 + 1] -= this.gravity * dt;
      for (let k = 0; k < 3; k++) p[i * 3 + k] += this.velocity[i * 3 + k] * dt;
      const u = 1 - Math.max(this.left[i], 0) / this.whole[i];
      c[i * 4] = from.r + (to.r - from.r) * u;
      c[i * 4 + 1] = from.g + (to.g - from.g) * u;
      c[i * 4 + 2] = from.b + (to.b - from.b) * u;
      c[i * 4 + 3] = this.left[i] <= 0 ? 0 : this.alphas[0] + (this.alphas[1] - this.alphas[0]) * u;
      g[i] = this.size[0] + (this.size[1] - this.size[0]) * u;
    }
    for (const name of ["position", "color", "grow"]) this.points.geometry.getAttribute(name).needsUpdate = true;
  }
  birth(i, p) {
    this.left[i] = this.whole[i] = this.span[0] + (this.span[1] - this.span[0]) * this.random();
    for (let k = 0; k < 3; k++) {
      p[i * 3 + k] = k === 1 ? 0 : (this.random() - 0.5) * this.width;
      this.velocity[i * 3 + k] = this.speed[k] + (this.random() * 2 - 1) * this.spread;
    }
  }
  array(name) {
    return this.points.geometry.getAttribute(name).array;
  }
  dispose() {
    this.points.removeFromParent();
    this.points.geometry.dispose();
    this.points.material.dispose();
  }
};
function round(m) {
  m.onBeforeCompile = (shader) => {
    shader.vertexShader = "attribute float grow;\n" + shader.vertexShader.replace("gl_PointSize = size;", "gl_PointSize = size * grow;");
    shader.fragmentShader = shader.fragmentShader.replace(
      "#include <color_fragment>",
      "#include <color_fragment>\ndiffuseColor.a *= smoothstep( 0.5, 0.2, length( gl_PointCoord - 0.5 ) );"
    );
  };
  return m;
}
function along(goal, speed) {
  const n = Math.hypot(...goal) || 1;
  return [goal[0] / n * speed, goal[1] / n * speed, goal[2] / n * speed];
}
function text(v) {
  return typeof v === "string" && /^#[0-9a-f]{6,8}$/i.test(v) ? v : void 0;
}
function opacity(color) {
  return color.length === 9 ? parseInt(color.slice(7), 16) / 255 : 1;
}
function seedOf(id) {
  let h = 2166136261;
  for (let i = 0; i < id.length; i++) h = Math.imul(h ^ id.charCodeAt(i), 16777619);
  return h >>> 0;
}

// src/stage.ts
var tick = 1 / 60;
var parts = { t: "position", r: "rotation", s: "scale" };
var Stage = class {
  constructor(scene, built, still) {
    this.scene = scene;
    this.built = built;
    this.playing = !still;
    this.bodies = new Bodies(scene);
    for (const n of scene.nodes ?? []) this.nodes.set(n.id, n);
    for (const n of scene.nodes ?? []) if (n.particles) this.emit(n, built.byId.get(n.id));
    this.player = new Player(scene.animations ?? [], (id, property, v) => this.animate(id, property, v), (id, name) => this.raise(id, "animation_end", { name }));
  }
  scene;
  built;
  nodes = /* @__PURE__ */ new Map();
  bodies;
  player;
  playing;
  // automatic motion; what a person does always moves
  onSay = () => {
  };
  onEvent = () => {
  };
  onState = () => {
  };
  looks = new Looks();
  emitters = /* @__PURE__ */ new Map();
  sounds;
  driver;
  touched = false;
  changed = true;
  rest = 0;
  // listen gives the scene its sounds, heard from a camera.
  listen(camera2) {
    this.sounds = new Sounds(this.scene, camera2, this.nodes, this.built.byId, (id) => this.raise(id, "audio_end", {}));
  }
  // drive lets a program run the scene.
  drive(driver) {
    this.driver = driver;
    driver.start();
  }
  // lively says whether there is anything to pause.
  get lively() {
    return this.player.running || this.emitters.size > 0 || this.bodies.any || this.built.mixers.length > 0;
  }
  // advance moves everything by a time and says whether the picture changed.
  advance(dt) {
    this.rest = Math.min(this.rest + dt, 0.25);
    for (; this.rest >= tick - 1e-9; this.rest -= tick) this.step();
    const changed = this.changed;
    this.changed = false;
    return changed;
  }
  step() {
    if (this.driver) this.driver.update(tick);
    else for (const c of this.physics.step(tick)) this.raise(c.node, c.event, c.payload);
    if (!this.driver) this.physics.moved();
    if (!this.playing) return;
    if (this.player.running) this.changed = true;
    this.player.step(tick);
    for (const e of this.emitters.values()) e.step(tick);
    for (const m of this.built.mixers) m.update(tick);
    if (this.emitters.size + this.built.mixers.length > 0) this.changed = true;
  }
  // raise tells the program and the host of an event.
  raise(node, event, payload2 = {}) {
    this.driver?.emit(node, event, payload2);
    this.onEvent(node, event, payload2);
    this.changed = true;
  }
  hears(node, event) {
    return this.driver?.hears(node, event) ?? false;
  }
  put(key, value) {
    this.driver?.put?.(key, value);
  }
  // physics is what a program sees of the bodies. Bodies at rest stay so while
  // motion is paused, until a person takes hold of one.
  physics = {
    step: (seconds) => this.playing || this.touched ? this.bodies.step(seconds) : [],
    moved: () => {
      const list = this.bodies.moved();
      for (const m of list) {
        const object = this.built.byId.get(m.node);
        object?.position.fromArray(m.position);
        object?.quaternion.fromArray(m.rotation);
        this.changed = true;
      }
      return list;
    },
    place: (node, part, value) => this.bodies.place(node, part, value),
    call: (name, node, args) => this.bodies.call(name, node, args)
  };
  setTransform(node, part, value) {
    const object = this.built.byId.get(node);
    if (!object || !value.every(Number.isFinite)) return;
    if (part === "position") object.position.fromArray(value);
    else if (part === "scale") object.scale.fromArray(value);
    else object.quaternion.fromArray(value.length === 4 ? value : euler(value)).normalize();
    this.changed = true;
  }
  setMaterial(node, key, value) {
    const object = this.built.byId.get(node);
    if (object) this.looks.set(object, key, value);
    this.changed = true;
  }
  setVisible(node, visible) {
    const object = this.built.byId.get(node);
    if (object) object.visible = visible;
    this.changed = true;
  }
  setText(node, text3) {
    const object = this.built.byId.get(node), n = this.nodes.get(node);
    if (object && n) letter(n, text3, this.scene, object);
    this.changed = true;
  }
  play(node, what, name, on, options = {}) {
    const num = (v) => typeof v === "number" ? v : void 0;
    if (what === "animation") this.player.play(node, name, on);
    else this.sounds?.play(node, name, on, { volume: num(options.volume), loop: options.loop === true ? true : void 0 });
    this.changed = true;
  }
  say(line) {
    this.onSay(line);
  }
  // state is told of every change of a state key and of properties that are no look.
  state(owner, key, value) {
    if (key === "volume" && typeof value === "number") this.sounds?.volume(owner, value);
    this.onState(owner, key, value);
  }
  // spawn copies the picture and the body of a node.
  spawn(node, _name, like, parent) {
    const from = this.built.byId.get(like), data = this.nodes.get(like);
    const object = from ? from.clone(true) : new Object3D7();
    object.traverse((o) => {
      delete o.userData.id;
    });
    object.userData = { id: node };
    object.visible = true;
    (this.built.byId.get(parent) ?? this.built.world).add(object);
    this.built.byId.set(node, object);
    const copy = { kind: "object", path: node, parent: -1, ...data, id: node };
    this.nodes.set(node, copy);
    this.bodies.copy(copy, parent);
    if (copy.particles) this.emit(copy, object);
    this.changed = true;
  }
  remove(node) {
    this.built.byId.get(node)?.removeFromParent();
    this.built.byId.delete(node);
    this.nodes.delete(node);
    this.bodies.remove(node);
    this.emitters.get(node)?.dispose();
    this.emitters.delete(node);
    this.changed = true;
  }
  // grab takes a node into a hand; hold says where the hand has it in the scene.
  grab(node, hand = "pointer") {
    if (!this.bodies.grab(node)) return false;
    this.touched = true;
    this.raise(node, "grab", { hand });
    return true;
  }
  hold(node, t, r) {
    this.bodies.hold(node, t, r);
    this.raise(node, "drag", { position: t });
  }
  release(node, hand = "pointer") {
    this.bodies.release(node);
    const b = this.bodies.solver.get(node);
    const speed = b ? Math.sqrt(b.v[0] * b.v[0] + b.v[1] * b.v[1] + b.v[2] * b.v[2]) : 0;
    this.raise(node, "release", { hand });
    this.raise(node, speed > 1 ? "throw" : "drop", { hand, speed });
  }
  // at is the place of a node in the scene as it is drawn.
  at(node) {
    const object = this.built.byId.get(node);
    if (!object) return void 0;
    return { t: object.getWorldPosition(new Vector35()).toArray(), r: object.getWorldQuaternion(new Quaternion2()).toArray() };
  }
  animate(id, property, v) {
    const object = this.built.byId.get(id);
    if (!object) return;
    const part = parts[property[0]];
    if (!part || property.length > 1 && property[1] !== ".") return this.setMaterial(id, property, v.length === 1 ? v[0] : v);
    const value = part === "position" ? object.position.toArray() : part === "scale" ? object.scale.toArray() : v;
    if (property.length === 3) value["xyz".indexOf(property[2])] = v[0];
    else for (let k = 0; k < v.length; k++) value[k] = v[k];
    this.setTransform(id, part, value);
    this.bodies.place(id, part, value);
  }
  emit(n, parent) {
    const aim2 = (name) => {
      for (const m of this.nodes.values()) {
        if (m.name !== name) continue;
        this.built.world.updateMatrixWorld(true);
        return parent.worldToLocal(this.built.byId.get(m.id).getWorldPosition(new Vector35())).toArray();
      }
      return void 0;
    };
    this.emitters.set(n.id, new Emitter(n.particles, parent, seedOf(n.id), aim2));
  }
  dispose() {
    this.sounds?.dispose();
    this.built.world.traverse((o) => {
      const mesh = o;
      mesh.geometry?.dispose();
      for (const m of [mesh.material ?? []].flat()) {
        for (const v of Object.values(m)) if (v && v.isTexture) v.dispose();
        m.dispose();
      }
    });
  }
};

// src/page.ts
function element(tag, name) {
  const e = document.createElement(tag);
  if (name) e.className = name;
  return e;
}

// src/ui.ts
var Controls = class {
  constructor(widgets, assets, host) {
    this.assets = assets;
    this.host = host;
    this.root.setAttribute("aria-label", "Controls");
    for (const w of widgets) this.root.append(this.control(w, 2));
  }
  assets;
  host;
  root = element("aside", "ui");
  bound = /* @__PURE__ */ new Map();
  texts = [];
  values = /* @__PURE__ */ new Map();
  // state shows a state key where a control or a text has it.
  state(key, value) {
    this.values.set(key, value);
    for (const show of this.bound.get(key) ?? []) show(value);
    for (const t of this.texts) if (t.parts.some((p, i) => i % 2 === 1 && p === key)) t.show(this.filled(t.parts));
  }
  filled(parts2) {
    return parts2.map((p, i) => i % 2 === 0 ? p : said(this.values.get(p))).join("");
  }
  // text shows a text whose ${key} are state keys.
  text(source, show) {
    const parts2 = source.split(/\$\{\s*(?:state\.|this\.)?(\w+)\s*\}/);
    show(this.filled(parts2));
    if (parts2.length > 1) this.texts.push({ parts: parts2, show });
  }
  bind(w, show) {
    if (w.value !== void 0) show(w.value);
    if (w.bind) this.bound.set(w.bind, [...this.bound.get(w.bind) ?? [], show]);
  }
  told(w, value) {
    if (w.bind) {
      this.host.put(w.bind, value);
      this.state(w.bind, value);
    }
    this.host.change(w.id ?? w.label ?? "", value);
  }
  control(w, level) {
    const label = w.label ?? w.id ?? "";
    const params = w.params ?? {};
    switch (w.kind) {
      case "button": {
        const b = element("button", "");
        b.type = "button";
        this.text(label || "Button", (s) => {
          b.textContent = s;
        });
        b.disabled = params.disabled === true || params.enabled === false;
        b.addEventListener("click", () => this.host.press(w.id ?? w.label ?? ""));
        return b;
      }
      case "text": {
        const p = element("p", "");
        if (w.bind) this.bind(w, (v) => {
          p.textContent = said(v);
        });
        else this.text(label || said(w.value), (s) => {
          p.textContent = s;
        });
        return p;
      }
      case "slider": {
        const i = element("input", ""), shown = element("output", "");
        i.type = "range";
        for (const k of ["min", "max", "step"]) if (typeof params[k] === "number") i.setAttribute(k, String(params[k]));
        if (params.step === void 0) i.step = "any";
        this.bind(w, (v) => {
          i.value = said(v);
          shown.value = short(Number(i.value));
        });
        i.addEventListener("input", () => {
          shown.value = short(Number(i.value));
          this.told(w, Number(i.value));
        });
        const l = named(label || "Slider", i);
        l.append(shown);
        return l;
      }
      case "checkbox": {
        const i = element("input", "");
        i.type = "checkbox";
        this.bind(w, (v) => {
          i.checked = v === true;
        });
        i.addEventListener("change", () => this.told(w, i.checked));
        return named(label || "Choice", i);
      }
      case "input": {
        const i = element("input", "");
        i.type = params.type === "number" ? "number" : params.type === "password" ? "password" : "text";
        if (typeof params.placeholder === "string") i.placeholder = params.placeholder;
        i.maxLength = 1e4;
        this.bind(w, (v) => {
          i.value = said(v);
        });
        i.addEventListener("change", () => this.told(w, i.type === "number" ? Number(i.value) : i.value));
        return named(label || "Text", i);
      }
      case "dropdown": {
        const s = element("select", "");
        for (const o of Array.isArray(params.options) ? params.options : []) s.add(new Option(said(o)));
        this.bind(w, (v) => {
          s.value = said(v);
        });
        s.addEventListener("change", () => this.told(w, s.value));
        return named(label || "Choice", s);
      }
      case "image": {
        const path = String(params.src ?? params.url ?? w.value ?? "");
        const asset = this.assets.find((a) => a.path === path && a.data && a.media_type?.startsWith("image/"));
        if (!asset) return text2(element("p", ""), label || "Picture");
        const i = element("img", "");
        i.alt = String(params.alt ?? label);
        i.src = `data:${asset.media_type};base64,${asset.data}`;
        return i;
      }
      case "section": {
        const s = element("section", "");
        if (label) s.append(text2(element(level < 3 ? "h2" : "h3", ""), label));
        for (const c of w.children ?? []) s.append(this.control(c, level + 1));
        return s;
      }
      default: {
        const f = element("fieldset", "");
        if (label) f.append(text2(element("legend", ""), label));
        for (const c of w.children ?? []) f.append(this.control(c, level + 1));
        return f;
      }
    }
  }
};
function named(label, input) {
  const l = element("label", "");
  l.append(text2(element("span", ""), label), input);
  return l;
}
function text2(e, s) {
  e.textContent = s;
  return e;
}
function short(n) {
  return String(Math.round(n * 100) / 100);
}
function said(v) {
  if (v === void 0 || v === null) return "";
  return typeof v === "object" ? JSON.stringify(v) : typeof v === "number" ? short(v) : String(v);
}

// src/module.ts
function create(data, canvas, options = {}) {
  const scene = checked(data);
  const built = build(scene);
  const renderer = options.renderer ?? new WebGLRenderer({ canvas, antialias: true });
  const camera2 = standpoint(built);
  const controls = options.controls === false ? void 0 : new OrbitControls(camera2, canvas);
  const target = aim(built, camera2);
  if (controls) {
    controls.target.copy(target);
    controls.update();
  }
  const stage = new Stage(scene, built, options.still ?? false);
  const effects = Effects.of(scene.post);
  stage.listen(camera2);
  stage.onEvent = (node, event, payload2) => {
    canvas.dispatchEvent(new CustomEvent("meshd", { detail: { node, event, payload: payload2 } }));
  };
  new Pointer(canvas, { stage: () => stage, camera: camera2, orbit: (on) => {
    if (controls) controls.enabled = on;
  }, describe: () => {
  } });
  if (options.ui && scene.ui?.length) {
    const panel = new Controls(scene.ui, scene.assets ?? [], {
      press: (id) => stage.raise("scene", `ui:${id}`, { id }),
      change: (id, value) => stage.raise("scene", "change", { id, value }),
      put: (key, value) => stage.put(key, value)
    });
    stage.onState = (owner, key, value) => {
      if (owner === "scene" || owner === "") panel.state(key, value);
    };
    options.ui.append(panel.root);
  }
  const update = (dt) => {
    stage.advance(dt);
    controls?.update();
    const w = canvas.clientWidth || canvas.width, h = canvas.clientHeight || canvas.height;
    if (canvas.width !== w || canvas.height !== h) renderer.setSize(w, h, false);
    if (camera2 instanceof PerspectiveCamera3 && camera2.aspect !== w / h) {
      camera2.aspect = w / h;
      camera2.updateProjectionMatrix();
    }
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
    emit: (node, event, payload2) => stage.raise(node, event, payload2),
    dispose() {
      renderer.setAnimationLoop(null);
      controls?.dispose();
      effects?.dispose();
      stage.dispose();
      if (!options.renderer) renderer.dispose();
    }
  };
}
export {
  create
};

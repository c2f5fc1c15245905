// src/module.ts
import { PerspectiveCamera as PerspectiveCamera3, Timer, WebGLRenderer } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

// src/animate.ts
import { Light, Mesh, MeshBasicMaterial, MeshStandardMaterial, Quaternion } from "three";
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
function sample(a, time) {
  const keys = a.keys;
  const end = keys[keys.length - 1][0];
  const loops = a.loop ?? 0;
  let t = time;
  if (loops !== 0 && end > 0 && t > end && (loops < 0 || t < end * (loops + 1))) {
    const round = Math.floor(t / end);
    t -= round * end;
    if (a.pingpong && round % 2 === 1) t = end - t;
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
  constructor(list, objects, still) {
    this.list = list;
    this.objects = objects;
    this.playing = !still;
    this.apply();
  }
  list;
  objects;
  time = 0;
  own = /* @__PURE__ */ new Map();
  playing;
  get any() {
    return this.list.some((a) => a.autoplay);
  }
  update(dt) {
    if (!this.playing || !this.any) return false;
    this.time += dt;
    this.apply();
    return true;
  }
  apply() {
    for (const a of this.list) {
      const object = this.objects.get(a.node);
      if (object && a.autoplay) this.set(object, a.property, sample(a, this.time));
    }
  }
  set(object, property, v) {
    switch (property) {
      case "t":
        object.position.fromArray(v);
        return;
      case "r":
        object.quaternion.fromArray(v).normalize();
        return;
      case "s":
        object.scale.fromArray(v);
        return;
      case "t.x":
        object.position.x = v[0];
        return;
      case "t.y":
        object.position.y = v[0];
        return;
      case "t.z":
        object.position.z = v[0];
        return;
      case "s.x":
        object.scale.x = v[0];
        return;
      case "s.y":
        object.scale.y = v[0];
        return;
      case "s.z":
        object.scale.z = v[0];
        return;
      case "intensity":
        for (const c of object.children) if (c instanceof Light) c.intensity = v[0] * Math.PI;
        return;
    }
    const m = this.material(object);
    if (!m) return;
    if (property === "opacity") {
      m.opacity = v[0];
      m.transparent = m.opacity < 1;
    } else if (property === "emissive_intensity" && m instanceof MeshStandardMaterial) m.emissiveIntensity = v[0];
    else if (property === "base_color") m.color.setRGB(v[0], v[1], v[2], "srgb");
  }
  material(object) {
    let m = this.own.get(object);
    if (m) return m;
    for (const c of object.children) {
      if (c instanceof Mesh && (c.material instanceof MeshStandardMaterial || c.material instanceof MeshBasicMaterial)) {
        m = c.material.clone();
        c.material = m;
        this.own.set(object, m);
        return m;
      }
    }
    return void 0;
  }
};

// src/build.ts
import {
  AmbientLight,
  BackSide,
  CanvasTexture,
  Color,
  DirectionalLight,
  DoubleSide,
  Float32BufferAttribute as Float32BufferAttribute2,
  FogExp2,
  FrontSide,
  Group,
  HemisphereLight,
  LinearMipmapLinearFilter,
  Mesh as Mesh3,
  MeshBasicMaterial as MeshBasicMaterial2,
  MeshPhysicalMaterial,
  MeshStandardMaterial as MeshStandardMaterial2,
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
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

// src/shape.ts
import { BufferGeometry, Float32BufferAttribute, Vector3 } from "three";
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
    const g = new BufferGeometry();
    g.setAttribute("position", new Float32BufferAttribute(this.positions, 3));
    g.setAttribute("normal", new Float32BufferAttribute(this.normals, 3));
    g.setAttribute("uv", new Float32BufferAttribute(this.uvs, 2));
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
function lathe(m, rings, n, turn) {
  const at = ([y, r], i) => {
    const a = turn + 2 * Math.PI * (i % n) / n;
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
function solid(g) {
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
function bytes(base64) {
  const text = atob(base64);
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i);
  return out;
}
function build(scene) {
  const built = { world: new World(), objects: [], byId: /* @__PURE__ */ new Map(), pending: [] };
  const materials = (scene.materials ?? []).map((m) => material(m, scene, built));
  const geometries = (scene.geometries ?? []).map((g) => g.kind === "model" ? void 0 : solid(g));
  surroundings(scene, built);
  for (const n of scene.nodes ?? []) {
    const object = new Group();
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
      model((scene.geometries ?? [])[n.geometry], scene, object, built);
    }
  }
  if (n.text) {
    const letters = lettering(n, n.material === void 0 ? void 0 : scene.materials?.[n.material], n.geometry !== void 0);
    if (n.geometry !== void 0) letters.position.z = ((scene.geometries ?? [])[n.geometry].size?.[2] ?? 0) / 2 + 2e-3;
    object.add(letters);
  }
}
function model(g, scene, object, built) {
  const asset = scene.assets?.[g.asset ?? -1];
  if (!asset?.data || !/\.(glb|gltf)$/i.test(asset.path)) return;
  globalThis.createImageBitmap = void 0;
  built.pending.push(new GLTFLoader().parseAsync(bytes(asset.data).buffer, "").then((file) => object.add(file.scene)));
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
  if (m.unlit) return new MeshBasicMaterial2(shared);
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
  return new MeshStandardMaterial2(surface);
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
function lettering(n, m, onPlate) {
  const t = n.text;
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
  const unit = t.size / (px * capital);
  const mesh = new Mesh3(new PlaneGeometry(width * unit, height * unit), new MeshBasicMaterial2({ map, color: ink, transparent: true, side: DoubleSide, depthWrite: false }));
  if (t.align === "left") mesh.position.x = width * unit / 2;
  if (t.align === "right") mesh.position.x = -width * unit / 2;
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
  const geometry = new SphereGeometry(1, 16, 32);
  const at = geometry.getAttribute("position");
  const paint = new Float32Array(at.count * 3);
  for (let i = 0; i < at.count; i++) {
    const u = (1 - at.getY(i)) / 2 * (colors.length - 1);
    const k = Math.min(Math.floor(u), colors.length - 2);
    rgb(colors[k]).lerp(rgb(colors[k + 1]), u - k).toArray(paint, i * 3);
  }
  geometry.setAttribute("color", new Float32BufferAttribute2(paint, 3));
  const sky = new Mesh3(geometry, new MeshBasicMaterial2({ vertexColors: true, side: BackSide, fog: false, depthWrite: false, depthTest: false }));
  sky.renderOrder = -1;
  sky.frustumCulled = false;
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

// src/particles.ts
import { AdditiveBlending, BufferAttribute, BufferGeometry as BufferGeometry3, Points, PointsMaterial } from "three";
var most = 2e3;
var Emitter = class {
  points;
  life;
  velocity;
  span;
  rate;
  speed;
  spread;
  gravity;
  due = 0;
  next = 0;
  seed = 1;
  constructor(params, parent) {
    const num = (key, fallback) => typeof params[key] === "number" ? params[key] : fallback;
    const count = Math.max(1, Math.min(most, num("max_count", num("count", 500))));
    this.span = Math.max(0.05, num("lifetime", 2));
    this.rate = Math.max(0, num("rate", count / this.span));
    this.spread = num("velocity_spread", num("spread", 0.3));
    this.gravity = num("gravity", 0);
    const v = params.velocity;
    this.speed = Array.isArray(v) ? [Number(v[0]), Number(v[1]), Number(v[2])] : [0, num("speed", 1), 0];
    const geometry = new BufferGeometry3();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(count * 3).fill(1e9), 3));
    const color = params.color_start ?? params.color;
    this.points = new Points(geometry, new PointsMaterial({
      size: num("size_start", num("size", 0.05)),
      color: rgb(typeof color === "string" ? color : void 0),
      transparent: true,
      depthWrite: false,
      blending: AdditiveBlending
    }));
    this.points.frustumCulled = false;
    this.life = new Float32Array(count);
    this.velocity = new Float32Array(count * 3);
    parent.add(this.points);
    for (let i = 0; i < 20; i++) this.update(this.span / 20);
  }
  // random is a small generator of its own, so that every run looks the same.
  random() {
    this.seed = Math.imul(this.seed, 1664525) + 1013904223 >>> 0;
    return this.seed / 4294967296;
  }
  update(dt) {
    const at = this.points.geometry.getAttribute("position");
    const p = at.array;
    this.due += dt * this.rate;
    while (this.due >= 1) {
      this.due--;
      const i = this.next;
      this.next = (this.next + 1) % this.life.length;
      this.life[i] = this.span;
      p.fill(0, i * 3, i * 3 + 3);
      for (let k = 0; k < 3; k++) this.velocity[i * 3 + k] = this.speed[k] + (this.random() * 2 - 1) * this.spread;
    }
    for (let i = 0; i < this.life.length; i++) {
      if (this.life[i] <= 0) continue;
      this.life[i] -= dt;
      this.velocity[i * 3 + 1] -= this.gravity * dt;
      for (let k = 0; k < 3; k++) p[i * 3 + k] = this.life[i] <= 0 ? 1e9 : p[i * 3 + k] + this.velocity[i * 3 + k] * dt;
    }
    at.needsUpdate = true;
  }
};

// src/scene.ts
var version = "scene/1";

// src/module.ts
function create(data, canvas, options = {}) {
  if (data.v !== version) throw new Error(`this runtime reads ${version}, the document is ${String(data.v)}`);
  const built = build(data);
  const renderer = options.renderer ?? new WebGLRenderer({ canvas, antialias: true });
  const camera2 = standpoint(built);
  const controls = options.controls === false ? void 0 : new OrbitControls(camera2, canvas);
  const target = aim(built, camera2);
  if (controls) {
    controls.target.copy(target);
    controls.update();
  }
  const player = new Player(data.animations ?? [], built.byId, options.still ?? false);
  const emitters = (data.nodes ?? []).filter((n) => n.particles).map((n) => new Emitter(n.particles, built.byId.get(n.id)));
  const update = (dt) => {
    player.update(dt);
    for (const e of emitters) e.update(dt);
    controls?.update();
    const w = canvas.clientWidth || canvas.width, h = canvas.clientHeight || canvas.height;
    if (canvas.width !== w || canvas.height !== h) renderer.setSize(w, h, false);
    if (camera2 instanceof PerspectiveCamera3 && camera2.aspect !== w / h) {
      camera2.aspect = w / h;
      camera2.updateProjectionMatrix();
    }
    renderer.render(built.world, camera2);
  };
  const timer = new Timer();
  if (options.loop !== false) {
    renderer.setAnimationLoop(() => {
      timer.update();
      update(Math.min(timer.getDelta(), 0.1));
    });
  }
  return {
    scene: built.world,
    camera: camera2,
    update,
    emit(node, event, payload) {
      canvas.dispatchEvent(new CustomEvent("meshd", { detail: { node, event, payload } }));
    },
    dispose() {
      renderer.setAnimationLoop(null);
      controls?.dispose();
      built.world.traverse((o) => {
        const mesh = o;
        mesh.geometry?.dispose();
        for (const m of [mesh.material ?? []].flat()) m.dispose();
      });
      if (!options.renderer) renderer.dispose();
    }
  };
}
export {
  create
};

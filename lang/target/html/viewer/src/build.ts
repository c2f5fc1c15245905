// From scene/1 to the objects of the 3D library.
import {
  AmbientLight, BackSide, BufferGeometry, CanvasTexture, Color, DirectionalLight, DoubleSide, Float32BufferAttribute, FogExp2, FrontSide, Group,
  HemisphereLight, Light, LinearMipmapLinearFilter, LinearSRGBColorSpace, Mesh, MeshBasicMaterial, MeshPhysicalMaterial, MeshStandardMaterial, NoColorSpace, Object3D,
  OrthographicCamera, PerspectiveCamera, PlaneGeometry, PointLight, Scene as World, SphereGeometry, SpotLight, SRGBColorSpace, Texture, Vector3,
} from "three";
import { alpha } from "./colour.ts";
import { inkOf, letters } from "./letters.ts";
import { mirroring } from "./looks.ts";
import { geometry } from "./mesh.ts";
import { model, type Clip } from "./models.ts";
import { inked } from "./opening.ts";
import { called, looks } from "./scene.ts";
import { solid } from "./shape.ts";
import { length, sub } from "./vector.ts";
import { curved } from "./tone.ts";
import { clearer, Staging, sun } from "./staging.ts";
import { extentOf, solidOf, standIn } from "./standin.ts";
import type { Asset, Geometry, Light as LightData, Material as MaterialData, Node, Scene } from "./scene.ts";

// A light of intensity 1 is neutral: it shows a white surface white. The library
// divides by pi where light meets a surface.
const neutral = Math.PI;

export interface Built extends Made {
  world: World;
  objects: Object3D[]; // in step with the nodes
  byId: Map<string, Object3D>;
  camera?: PerspectiveCamera | OrthographicCamera;
  maker: Maker;
  staging: Staging;
}

// Made is what comes of making nodes.
export interface Made {
  clips: Clip[]; // of model files that move
  faults: { node: string; text: string }[]; // what could not be shown
  pending: Promise<unknown>[];
}

export function rgb(color: string | undefined): Color {
  return new Color((color ?? "#ffffffff").slice(0, 7));
}

export function build(scene: Scene): Built {
  const made: Made = { clips: [], faults: [], pending: [] };
  const staging = new Staging(scene);
  const built: Built = { ...made, world: new World(), objects: [], byId: new Map(), maker: new Maker(scene, made, staging.gain), staging };
  surroundings(scene, built);
  for (const [i, n] of (scene.nodes ?? []).entries()) {
    const object = built.maker.make(i === staging.shadow ? { ...n, light: { ...n.light!, shadow: true } } : n, staging.floating.has(i));
    if (looks(n) && !built.camera) camera(n, object, built);
    (n.parent >= 0 ? built.objects[n.parent] : built.world).add(object);
    built.objects.push(object);
    built.byId.set(n.id, object);
  }
  const { fog } = built.world;
  if (fog instanceof FogExp2 && !built.camera) fog.density = clearer(fog.density, new Vector3(...staging.eye(16 / 9)).distanceTo(new Vector3(...staging.target)));
  if (staging.sun) {
    const key = new DirectionalLight(0xffffff, sun.intensity * staging.gain * neutral);
    key.position.fromArray(sun.at).setLength(new Vector3(...staging.hi).distanceTo(new Vector3(...staging.lo)) + 1);
    key.target.position.fromArray(staging.target);
    key.position.add(key.target.position);
    throwing(key);
    built.world.add(key, key.target);
  }
  built.world.updateMatrixWorld(true);
  built.world.traverse((o) => { if (o instanceof DirectionalLight && o.castShadow) fit(o, staging); });
  return built;
}

// Maker makes the objects of nodes. They share their solids and surfaces, which
// are made when they are first needed.
export class Maker {
  private readonly materials: (MeshStandardMaterial | MeshBasicMaterial)[] = [];
  private readonly geometries: BufferGeometry[] = [];

  constructor(private readonly scene: Scene, private readonly made: Made, private readonly gain = 1) {}

  // make makes the object of a node; floats says that its text turns to the viewer.
  make(n: Node, floats = false): Group {
    const object = new Group();
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

  private look(n: Node, object: Group): void {
    const { scene, made } = this, surface = scene.materials?.[n.material ?? -1], g = scene.geometries?.[n.geometry ?? -1];
    if (surface && g) {
      const base = (this.materials[n.material!] ??= material(surface, scene, made.pending));
      if (g.kind === "model") file(n, g, scene, object, base, made);
      else {
        const mesh = new Mesh((this.geometries[n.geometry!] ??= geometry(solid(g))), base);
        mesh.castShadow = mesh.receiveShadow = true;
        object.add(mesh);
      }
    }
    if (n.text) letter(n, n.text.value, scene, object);
  }
}

// erase takes away the text of a node.
export function erase(object: Object3D): void {
  for (const c of object.children.filter((o) => o.userData.letters) as Mesh<BufferGeometry, MeshBasicMaterial>[]) {
    c.removeFromParent();
    c.geometry.dispose();
    c.material.map?.dispose();
    c.material.dispose();
  }
}

// letter writes a text at a node, in place of the one it has.
export function letter(n: Node, value: string, scene: Scene, object: Object3D): void {
  erase(object);
  if (value === "") return;
  const text = { size: 0.1, ...n.text, value };
  const sheet = lettering(text, n.material === undefined ? undefined : scene.materials?.[n.material], n.geometry !== undefined);
  sheet.userData.letters = true;
  if (!object.userData.floats) delete sheet.userData.size;
  if (n.geometry !== undefined) sheet.position.z = front((scene.geometries ?? [])[n.geometry]) + 0.002;
  object.add(sheet);
}

// front is how far a solid reaches towards +Z.
function front(g: Geometry): number {
  return g.size ? g.size[2] / 2 : ((g.radius ?? 0) + (g.kind === "torus" ? (g.tube ?? 0) : 0)) * (g.stretch?.[2] ?? 1);
}

// file puts a model file below a node; one that cannot be shown leaves a stand-in
// with its name.
function file(n: Node, g: Geometry, scene: Scene, object: Group, look: MeshStandardMaterial | MeshBasicMaterial, built: Made): void {
  const asset = scene.assets?.[g.asset ?? -1];
  const missing = (text: string) => {
    built.faults.push({ node: n.id, text: `${called(n)}: ${text}` });
    object.add(...standing(n, scene));
  };
  if (!asset?.data) return missing(`the model ${asset?.path ?? ""} did not come with the scene`);
  built.pending.push(model(asset, look).then((m) => {
    object.add(m.object);
    if (m.clip) built.clips.push(m.clip);
  }, (e: unknown) => missing(e instanceof Error ? e.message : String(e))));
}

// standing are the solids and the name that stand for a model that cannot be shown.
export function standing(n: Node, scene: Scene): Mesh[] {
  const parts = standIn(n, scene), { lo, hi } = extentOf(parts), high = length(sub(hi, lo)) * 0.1;
  const out: Mesh[] = parts.map((part) => {
    const mesh = new Mesh(geometry(solid(solidOf(part))), mirroring(new MeshStandardMaterial({ color: part[3], roughness: 0.5 })));
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.position.fromArray(part[2]);
    return mesh;
  });
  const name = lettering({ value: called(n), size: high }, undefined, false), sky = scene.environment?.sky?.colors ?? ["#dfe5ec"];
  name.position.set((lo[0] + hi[0]) / 2, hi[1] + high, (lo[2] + hi[2]) / 2);
  name.userData.size.x = name.position.x;
  Object.assign(name.userData, { letters: true, named: true });
  name.raycast = () => {};
  inked(name, readable(rgb(sky[sky.length - 1])));
  return [...out, name];
}

function texture(index: number | undefined, scene: Scene, pending: Promise<unknown>[], colour: boolean): Texture | null {
  const asset = scene.assets?.[index ?? -1];
  if (!asset?.data) return null;
  const t = new Texture();
  pending.push(picture(t, asset, colour));
  return t;
}

// picture makes a texture show a file that came with the scene, as colour or as data.
export function picture(t: Texture, asset: Asset, colour: boolean): Promise<void> {
  const image = new Image();
  t.image = image;
  t.colorSpace = colour ? SRGBColorSpace : NoColorSpace;
  t.wrapS = t.wrapT = 1000; // repeat
  t.minFilter = LinearMipmapLinearFilter;
  const shown = new Promise<void>((done) => {
    image.onload = () => { t.needsUpdate = true; done(); };
    image.onerror = () => done();
  });
  image.src = `data:${asset.media_type};base64,${asset.data}`;
  return shown;
}

export function material(m: MaterialData, scene: Scene, pending: Promise<unknown>[]): MeshStandardMaterial | MeshBasicMaterial {
  const shared = {
    color: rgb(m.base_color), opacity: alpha(m.base_color), transparent: m.alpha === "blend", alphaTest: m.alpha === "mask" ? 0.5 : 0,
    side: m.double_sided ? DoubleSide : FrontSide, map: texture(m.maps?.base_color, scene, pending, true), depthWrite: m.alpha !== "blend",
  };
  if (m.unlit) return new MeshBasicMaterial({ ...shared, toneMapped: curved(scene) });
  const orm = texture(m.maps?.orm, scene, pending, false);
  const surface = {
    ...shared, metalness: m.metallic ?? 0, roughness: m.roughness ?? 0.5, emissive: m.emissive ? rgb(m.emissive) : new Color(0),
    emissiveIntensity: m.emissive_intensity ?? 1, normalMap: texture(m.maps?.normal, scene, pending, false), metalnessMap: orm, roughnessMap: orm,
    emissiveMap: texture(m.maps?.emissive, scene, pending, true),
  };
  if ((m.ior ?? 1.5) !== 1.5) return mirroring(new MeshPhysicalMaterial({ ...surface, ior: m.ior }));
  return mirroring(new MeshStandardMaterial(surface));
}

// readable says whether black can be read before a colour.
function readable(c: Color): boolean { return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b > 0.18; }

function throwing(l: DirectionalLight | SpotLight | PointLight): void {
  l.castShadow = true;
  l.shadow.mapSize.setScalar(l instanceof DirectionalLight ? 2048 : 1024);
  l.shadow.normalBias = 0.02;
}

// fit makes the shadow of a light that shines from far away sharp where things are.
function fit(l: DirectionalLight, { lo, hi }: Staging): void {
  const shadow = l.shadow.camera, r = Math.max(new Vector3(...hi).distanceTo(new Vector3(...lo)) * 0.75, 0.05);
  l.shadow.updateMatrices(l);
  shadow.updateMatrixWorld();
  const c = new Vector3(...lo).add(new Vector3(...hi)).multiplyScalar(0.5).applyMatrix4(shadow.matrixWorldInverse);
  Object.assign(shadow, { left: c.x - r, right: c.x + r, top: c.y + r, bottom: c.y - r, near: -c.z - 4 * r, far: -c.z + 4 * r });
  shadow.updateProjectionMatrix();
  l.shadow.normalBias = (6 * r) / 2048;
}

function light(l: LightData, object: Group, gain: number): void {
  const color = rgb(l.color), intensity = (l.intensity ?? 1) * neutral * gain;
  let out: Light;
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
      out = new SpotLight(color, intensity, l.range ?? 0, 1.4, 0.6); // a wide spot, as the renderer has it
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

function camera(n: Node, object: Group, built: Built): void {
  const c = n.camera!;
  built.camera = c.ortho
    ? new OrthographicCamera(-c.ortho / 2, c.ortho / 2, c.ortho / 2, -c.ortho / 2, c.near, c.far)
    : new PerspectiveCamera((c.fov * 180) / Math.PI, 1, c.near, c.far);
  built.camera.userData = { height: c.ortho ?? 0 };
  object.add(built.camera);
}

// lettering is a text as a picture on a plane that is read from +Z.
export function lettering(t: { value: string; size: number; align?: string }, m: MaterialData | undefined, onPlate: boolean): Mesh {
  const { picture, width, height, x } = letters(t), ink = inkOf(m, onPlate);
  const map = new CanvasTexture(picture!);
  map.colorSpace = SRGBColorSpace;
  const color = new Color().setRGB(...ink, LinearSRGBColorSpace);
  const mesh = new Mesh(new PlaneGeometry(width, height), new MeshBasicMaterial({ map, color, transparent: true, side: DoubleSide, depthWrite: false, toneMapped: false }));
  mesh.position.x = x;
  Object.defineProperty(mesh, "castShadow", { get: () => false, set: () => {} }); // whatever a host says of all meshes
  mesh.userData.size = { width, height, x, lines: t.value.split("\n").length };
  return mesh;
}

// surroundings are sky, fog and the light from everywhere.
function surroundings(scene: Scene, built: Built): void {
  const e = scene.environment ?? {}, above = sky(e.sky?.colors, curved(scene));
  built.world.background = above.background;
  if (above.dome) built.world.add(above.dome);
  if (e.fog) built.world.fog = new FogExp2(rgb(e.fog.color), e.fog.density);
  const { staging } = built, of = (v: number[]) => new Color().setRGB(v[0], v[1], v[2], LinearSRGBColorSpace);
  built.world.add(new HemisphereLight(of(staging.above), of(staging.below), staging.gain * neutral));
}

// sky is what is behind everything: one colour, and a dome where there are more.
export function sky(given: string[] = [], toneMapped = false): { background: Color; dome?: Mesh } {
  const colors = given.map((c) => c.slice(0, 7));
  if (colors.length < 2) return { background: new Color(colors[0] ?? "#dfe5ec") };
  return { background: rgb(colors[colors.length - 1]), dome: dome(colors, toneMapped) };
}

// dome is the sky of several colours, from above to below: a ball around the
// eye that nothing is behind.
function dome(colors: string[], toneMapped: boolean): Mesh {
  const geometry = new SphereGeometry(1, 16, 32);
  const at = geometry.getAttribute("position");
  const paint = new Float32Array(at.count * 3);
  for (let i = 0; i < at.count; i++) {
    const u = ((1 - at.getY(i)) / 2) * (colors.length - 1);
    const k = Math.min(Math.floor(u), colors.length - 2);
    rgb(colors[k]).lerp(rgb(colors[k + 1]), u - k).toArray(paint, i * 3);
  }
  geometry.setAttribute("color", new Float32BufferAttribute(paint, 3));
  const sky = new Mesh(geometry, new MeshBasicMaterial({ vertexColors: true, side: BackSide, fog: false, depthWrite: false, depthTest: false, toneMapped }));
  sky.renderOrder = -1;
  sky.frustumCulled = false;
  sky.userData.sky = true;
  sky.raycast = () => {};
  sky.onBeforeRender = (_r, _s, camera) => {
    sky.matrixWorld.makeScale(100, 100, 100).setPosition(new Vector3().setFromMatrixPosition(camera.matrixWorld));
    sky.modelViewMatrix.multiplyMatrices(camera.matrixWorldInverse, sky.matrixWorld);
  };
  return sky;
}

// The runtime of the aframe target: the solids, surfaces, letters and models that
// the library has no word for, the place that a scene is looked at from, and the
// component of the scene that runs it. The library is the page's own.
import {
  MeshBasicMaterial, MeshStandardMaterial, Object3D, OrthographicCamera, PerspectiveCamera, Vector3, type Camera,
  type Material as Surface, type Scene as World, type WebGLRenderer,
} from "three";
import { Adopted } from "./adopt.ts";
import { lettering, material, sky, standing } from "./build.ts";
import { aim } from "./camera.ts";
import { Controllers } from "./controllers.ts";
import { eye } from "./hands.ts";
import { geometry } from "./mesh.ts";
import { model, type Clip } from "./models.ts";
import { Pointer } from "./pointer.ts";
import { looks, read } from "./scene.ts";
import { solid } from "./shape.ts";
import { Staging } from "./staging.ts";
import { develop } from "./tone.ts";
import type { Vec } from "./vector.ts";

interface Entity extends HTMLElement {
  object3D: Object3D;
  sceneEl: SceneElement;
  setObject3D(name: string, o: Object3D): void;
  emit(event: string, detail?: unknown, bubbles?: boolean): void;
}
interface SceneElement extends Entity {
  object3D: World;
  camera: Camera;
  canvas: HTMLCanvasElement;
  renderer: WebGLRenderer;
  hasLoaded: boolean;
  is(state: string): boolean;
}
interface Library {
  registerComponent(name: string, component: object): void;
  registerGeometry(name: string, geometry: object): void;
  registerShader(name: string, shader: object): void;
}
interface Point { x: number; y: number; z: number }

const library = (globalThis as unknown as { AFRAME: Library }).AFRAME;
const scene = read(document.getElementById("scene")!.textContent!);
const clips: Clip[] = [];

const one = { x: 1, y: 1, z: 1 };

library.registerGeometry("solid", {
  schema: {
    kind: { default: "box" }, size: { type: "vec3", default: one }, radius: { default: 0 }, tube: { default: 0 }, height: { default: 0 },
    around: { type: "int", default: 32 }, along: { type: "int", default: 16 }, stretch: { type: "vec3", default: one },
  },
  init(data: { kind: string; size: Point; radius: number; tube: number; height: number; around: number; along: number; stretch: Point }) {
    const at = ({ x, y, z }: Point): Vec => [x, y, z];
    (this as { geometry?: unknown }).geometry = geometry(solid({ ...data, size: at(data.size), stretch: at(data.stretch), segments: [data.around, data.along] }));
  },
});

// surface is the look of a solid; what the component material sets of all looks,
// such as opacity and sides, is not its own. Pictures are numbers of files of the scene.
library.registerShader("surface", {
  schema: {
    color: { type: "color", default: "#ffffff" }, metalness: { default: 0 }, roughness: { default: 0.5 }, emissive: { type: "color", default: "#000000" },
    emissiveIntensity: { default: 1 }, ior: { default: 1.5 }, unlit: { default: false }, picture: { type: "int", default: -1 }, normal: { type: "int", default: -1 },
    orm: { type: "int", default: -1 }, glow: { type: "int", default: -1 },
  },
  init(data: Look) {
    const map = (i: number) => (i < 0 ? undefined : i);
    (this as { material?: Surface }).material = material({
      base_color: data.color, metallic: data.metalness, roughness: data.roughness, emissive: data.emissive, emissive_intensity: data.emissiveIntensity, ior: data.ior,
      unlit: data.unlit, maps: { base_color: map(data.picture), normal: map(data.normal), orm: map(data.orm), emissive: map(data.glow) },
    }, scene, []);
  },
  update(data: Look) {
    const m = (this as unknown as { material: MeshStandardMaterial | MeshBasicMaterial }).material;
    m.color.set(data.color);
    if (!(m instanceof MeshStandardMaterial)) return;
    m.emissive.set(data.emissive);
    m.emissiveIntensity = data.emissiveIntensity;
    m.metalness = data.metalness;
    m.roughness = data.roughness;
  },
});

interface Look {
  color: string; metalness: number; roughness: number; emissive: string; emissiveIntensity: number; ior: number; unlit: boolean;
  picture: number; normal: number; orm: number; glow: number;
}

// lettering writes the text of data-text, at the front of what it is on.
library.registerComponent("lettering", {
  schema: { size: { default: 0.1 }, align: { default: "center" }, ink: { type: "color", default: "#ffffff" }, front: { default: -1 } },
  init(this: { el: Entity; data: { size: number; align: string; ink: string; front: number } }) {
    const { el, data } = this, plate = data.front >= 0;
    const letters = lettering({ value: el.dataset.text ?? "", size: data.size, align: data.align }, { base_color: data.ink }, plate);
    letters.userData.letters = true;
    if (plate) letters.position.z = data.front;
    el.setObject3D("letters", letters);
  },
});

// model-file shows a file of the scene, with a look for those that have none.
library.registerComponent("model-file", {
  schema: { asset: { type: "int", default: 0 }, look: { type: "int", default: 0 } },
  init(this: { el: Entity; data: { asset: number; look: number } }) {
    const { el, data } = this, asset = scene.assets?.[data.asset];
    const made = asset?.data ? model(asset, material(scene.materials?.[data.look] ?? { base_color: "#ffffff" }, scene, [])) : Promise.reject(new Error(`the model ${asset?.path ?? ""} did not come with the scene`));
    made.then((m) => {
      el.setObject3D("model", m.object);
      if (m.clip) clips.push(m.clip);
    }, (e: unknown) => {
      console.error(e instanceof Error ? e.message : String(e));
      const n = scene.nodes?.find((n) => n.id === el.id);
      if (n) standing(n, scene).forEach((part, i) => el.setObject3D(`missing${i}`, part));
    });
  },
});

// dome is a sky of several colours, from above to below.
library.registerComponent("dome", {
  schema: { type: "array" },
  init(this: { el: Entity; data: string[] }) {
    const { dome } = sky(this.data);
    if (dome) this.el.setObject3D("dome", dome);
  },
});

// ahead makes the light of an entity shine along -Z.
library.registerComponent("ahead", {
  after: ["light"],
  init(this: { el: Entity & { getObject3D(name: string): Object3D & { target?: Object3D } } }) {
    const light = this.el.getObject3D("light");
    light.position.set(0, 0, 0);
    light.target?.position.set(0, 0, -1);
    if (light.target) light.add(light.target);
  },
});

interface Rig { el: Entity; data: { node: string; height: number }; flat?: OrthographicCamera; stood?: boolean }

// rig carries the camera: in the place of a node, or where everything is in view;
// in immersive mode where the room is. A height makes a view without perspective.
library.registerComponent("rig", {
  schema: { node: { default: "" }, height: { default: 0 } },
  tick(this: Rig) {
    const { el, data } = this, { sceneEl, object3D: rig } = el;
    if (!sceneEl.camera) return;
    if (sceneEl.is("vr-mode") && sceneEl.renderer.xr.isPresenting) {
      rig.position.set(0, 0, 0);
      rig.quaternion.identity();
      this.stood = false;
      return;
    }
    const node = data.node ? (document.getElementById(data.node) as Entity | null) : null;
    if (node) {
      node.object3D.updateWorldMatrix(true, false);
      node.object3D.matrixWorld.decompose(rig.position, rig.quaternion, new Vector3());
    } else if (!this.stood && sceneEl.hasLoaded) {
      this.stood = true;
      const from = new PerspectiveCamera(50), objects: Object3D[] = [];
      sceneEl.object3D.traverse((o) => { if (o.userData.id) objects.push(o); });
      aim({ world: sceneEl.object3D, objects, staging: new Staging(scene) }, from, sceneEl.canvas.clientWidth / sceneEl.canvas.clientHeight);
      rig.position.copy(from.position);
      rig.quaternion.copy(from.quaternion);
    }
    if (data.height > 0) this.flat = flat(sceneEl, data.height, this.flat);
  },
});

// flat is the camera without perspective, which takes the place of the library's.
function flat(sceneEl: SceneElement, height: number, made?: OrthographicCamera): OrthographicCamera {
  const eye = made ?? new OrthographicCamera(), was = sceneEl.camera as PerspectiveCamera;
  if (!made) {
    eye.near = was.near;
    eye.far = was.far;
    was.parent?.add(eye);
  }
  const wide = (height * sceneEl.canvas.clientWidth) / Math.max(sceneEl.canvas.clientHeight, 1);
  if (eye.right !== wide / 2) {
    [eye.left, eye.right, eye.top, eye.bottom] = [-wide / 2, wide / 2, height / 2, -height / 2];
    eye.updateProjectionMatrix();
  }
  sceneEl.camera = eye;
  return eye;
}

interface Running { el: SceneElement; run: Adopted; hands?: Controllers; ours: boolean; begin(): void }

// running runs the scene: its program, bodies, sounds and animations. Events of
// nodes are events of their entities, and a click that a page emits at one is a click.
library.registerComponent("running", {
  init(this: Running) {
    this.run = new Adopted(scene);
    this.ours = false;
    if (this.el.hasLoaded) this.begin();
    else this.el.addEventListener("loaded", () => this.begin(), { once: true });
  },

  begin(this: Running) {
    const { el: sceneEl, run } = this;
    develop(sceneEl.renderer, scene);
    const element = (id: string) => (id === "" ? sceneEl : (document.getElementById(id) as Entity | null));
    for (const n of scene.nodes ?? []) {
      const el = element(n.id);
      if (!el?.object3D) continue;
      el.object3D.userData.id = n.id;
      el.addEventListener("click", (e) => {
        if (this.ours || e.target !== el) return;
        this.ours = true; // the entity has had it
        run.emit(n.id, "click", {});
        this.ours = false;
      });
    }
    run.notify = {
      onEvent: (node, event, payload) => {
        if (this.ours) return;
        this.ours = true;
        element(node)?.emit(event, payload, false);
        this.ours = false;
      },
    };
    run.begin({ root: sceneEl.object3D, ui: document.body, still: matchMedia("(prefers-reduced-motion: reduce)").matches, clips, opens: !(scene.nodes ?? []).some(looks) });
    new Pointer(sceneEl.canvas, {
      ...eye(() => run.stage!, () => sceneEl.camera), describe: () => {},
      orbit: (on) => document.querySelector("[look-controls]")?.setAttribute("look-controls", `enabled: ${on}`),
    });
    const hands = (this.hands = new Controllers(sceneEl.renderer, () => run.stage!));
    let background: World["background"] = null;
    sceneEl.addEventListener("enter-vr", () => {
      if (!sceneEl.renderer.xr.isPresenting) return; // a page that fills the screen
      hands.enter(sceneEl.object3D);
      background = sceneEl.object3D.background;
      if (sceneEl.is("ar-mode")) sceneEl.object3D.background = null; // the room is the background
    });
    sceneEl.addEventListener("exit-vr", () => {
      hands.leave();
      sceneEl.object3D.background = background ?? sceneEl.object3D.background;
    });
  },

  tick(this: Running, _time: number, delta: number) {
    if (!this.run.stage || !this.el.camera) return;
    this.run.advance(Math.min(delta / 1000, 0.25), this.el.camera);
    this.hands?.frame();
  },
});


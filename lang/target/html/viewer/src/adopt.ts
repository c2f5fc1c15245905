// A scene that runs in objects which somebody else made, such as the tree of a
// framework. The group of a node has the id of the node in userData.id.
import { Light, Quaternion, Vector3, type Camera, type Object3D } from "three";
import { face, Opening } from "./opening.ts";
import { ground } from "./ground.ts";
import type { Clip } from "./models.ts";
import { drive } from "./drive.ts";
import { controls } from "./host.ts";
import type { Data, Scene } from "./scene.ts";
import type { Line } from "./running.ts";
import { Stage } from "./stage.ts";
import { Staging } from "./staging.ts";
import type { Controls } from "./ui.ts";
import type { Quat } from "./vector.ts";

// Place is where a scene is shown.
export interface Place {
  root: Object3D; // holds the groups of the nodes
  ui?: HTMLElement; // where controls go; without it they are not shown
  still?: boolean; // nothing moves by itself
  clips?: Clip[]; // of model files that move; more may come
  opens?: boolean; // rooms, towards the camera
}

// Listener is called with what happens in a scene.
export interface Listener {
  onEvent?(node: string, event: string, payload: unknown): void;
  onState?(owner: string, key: string, value: Data): void;
  onSay?(line: Line): void; // without it lines go to the console
}

export class Adopted {
  stage?: Stage;
  notify: Listener = {};
  private camera?: Camera;
  private readonly values = new Map<string, Data>();
  private readonly watchers = new Set<() => void>();
  private off?: AbortController;
  private panel?: Controls;
  private root?: Object3D;
  private opening?: Opening;
  private objects: (Object3D | undefined)[] = [];
  readonly staging: Staging;

  constructor(readonly scene: Scene) { this.staging = new Staging(scene); }

  // begin runs the scene from its start until the answer is called.
  begin(place: Place): () => void {
    this.end();
    const { scene } = this;
    const byId = new Map<string, Object3D>(), clips = place.clips ?? [];
    place.root.traverse((o) => { if (typeof o.userData.id === "string") byId.set(o.userData.id, o); });
    this.root = place.root;
    this.objects = (scene.nodes ?? []).map((n) => byId.get(n.id));
    this.objects.forEach((o, i) => { for (const c of o?.children ?? []) this.staged(c, i); });
    this.opening = place.opens ? new Opening(this.staging, this.objects) : undefined;
    const stage = (this.stage = new Stage(scene, { world: place.root, byId, clips }, place.still ?? false));
    stage.onEvent = (node, event, payload) => this.notify.onEvent?.(node, event, payload);
    stage.onState = (owner, key, value) => this.changed(owner, key, value);
    stage.onSay = (line) => this.say(line);
    stage.hear(() => this.ear(place.root));
    ground(stage.bodies, this.staging);
    const off = (this.off = new AbortController());
    for (const kind of ["keydown", "keyup"] as const) {
      addEventListener(kind, (k) => {
        if (!(k.target instanceof HTMLInputElement)) stage.raise("", kind === "keydown" ? "key_down" : "key_up", { key: k.key });
      }, { signal: off.signal });
    }
    if (place.ui) this.controls(place.ui, stage);
    drive(stage);
    return () => { if (this.stage === stage) this.end(); };
  }

  // staged lets of the texts only those turn to the eye that do, and says by how much
  // lights are stronger than their source says.
  private staged(c: Object3D, node: number): void {
    if (c.userData.letters && !c.userData.named && !this.staging.floating.has(node)) delete c.userData.size;
    if (c instanceof Light) c.userData.gain = this.staging.gain;
  }

  private end(): void {
    this.off?.abort();
    this.panel?.root.remove();
    this.stage?.leave();
    this.stage = this.panel = this.off = undefined;
    this.values.clear();
  }

  private controls(where: HTMLElement, stage: Stage): void {
    const panel = (this.panel = controls(stage));
    if (!panel) return;
    // What is pressed on a panel is not meant for the things behind it.
    for (const kind of ["pointerdown", "pointerup", "pointermove", "click", "dblclick", "wheel"]) panel.root.addEventListener(kind, (e) => e.stopPropagation());
    where.append(panel.root);
  }

  private changed(owner: string, key: string, value: Data): void {
    if (owner === "scene" || owner === "") this.panel?.state(key, value);
    this.values.set(owner === "scene" || owner === "" ? key : `${owner}.${key}`, value);
    this.notify.onState?.(owner, key, value);
    for (const w of this.watchers) w();
  }

  private say(line: Line): void {
    const where = line.line ? `, ${line.function}, line ${line.line}, column ${line.column}` : "";
    if (this.notify.onSay) this.notify.onSay(line);
    else if (line.level === "fault") console.error(`${line.code ?? "fault:"} ${line.text}${where}`);
    else console.info(line.text);
  }

  // advance moves the scene by a time; it is heard from the camera.
  advance(seconds: number, camera: Camera): void {
    this.camera = camera;
    this.stage?.advance(seconds);
    if (!this.stage || !this.root || "isArrayCamera" in camera) return; // of an immersive session
    this.opening?.to(this.root.worldToLocal(camera.getWorldPosition(new Vector3())));
    face(this.objects.filter((o) => o !== undefined), camera);
  }

  // ear is where the camera is in the scene.
  private ear(root: Object3D): { t: [number, number, number]; r: Quat } {
    const t = new Vector3(), r = new Quaternion();
    if (this.camera) {
      root.updateWorldMatrix(true, false);
      root.matrixWorld.clone().invert().multiply(this.camera.matrixWorld).decompose(t, r, new Vector3());
    }
    return { t: t.toArray(), r: r.toArray() as Quat };
  }

  // find is the id of a node: of one with this id, path or name.
  find(node: string): string | undefined {
    const all = this.scene.nodes ?? [];
    return (all.find((n) => n.id === node) ?? all.find((n) => n.path === node) ?? all.find((n) => n.name === node))?.id;
  }

  // emit raises an event at a node, everywhere for the empty name. False where no such node is.
  emit(node: string, event: string, payload: unknown = {}): boolean {
    const id = node === "" ? "" : this.find(node);
    if (id === undefined || !this.stage) return false;
    this.stage.raise(id, event, payload);
    return true;
  }

  // put sets a state key of the scene.
  put(key: string, value: Data): void { this.stage?.put(key, value); }

  // state is a state key of the scene, or of a node where one is named.
  state(key: string, node?: string): Data | undefined { return this.values.get(node === undefined ? key : `${this.find(node)}.${key}`); }

  // watch calls back after every change of a state key until the answer is called.
  watch(changed: () => void): () => void {
    this.watchers.add(changed);
    return () => { this.watchers.delete(changed); };
  }
}

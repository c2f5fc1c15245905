// A scene that runs: its animations, bodies, particles, sounds and, when it has a
// program, the program. The page and the module for hosts share it.
import { Object3D, Quaternion, Vector3, type Camera } from "three";
import { Player } from "./animate.ts";
import { Sounds } from "./audio.ts";
import { Bodies } from "./bodies.ts";
import { letter, type Built } from "./build.ts";
import { Looks } from "./looks.ts";
import { Emitter, seedOf } from "./particles.ts";
import type { Data, Node, Scene } from "./scene.ts";
import { euler, type Quat, type Vec } from "./vector.ts";

// Driver runs the program of a scene. It steps the stage's physics itself.
export interface Driver {
  start(): void;
  update(seconds: number): void;
  emit(node: string, event: string, payload?: unknown): void;
  hears(node: string, event: string): boolean;
  put?(key: string, value: Data): void; // sets a state key of the scene
}

export interface Line { level: "log" | "fault"; node: string; text: string; code?: string; function?: string; line?: number; column?: number }

type Part = "position" | "rotation" | "scale";

const tick = 1 / 60;
const parts: Record<string, Part> = { t: "position", r: "rotation", s: "scale" };

export class Stage {
  readonly nodes = new Map<string, Node>();
  readonly bodies: Bodies;
  readonly player: Player;
  playing: boolean; // automatic motion; what a person does always moves
  onSay: (line: Line) => void = () => {};
  onEvent: (node: string, event: string, payload: unknown) => void = () => {};
  onState: (owner: string, key: string, value: Data) => void = () => {};
  private readonly looks = new Looks();
  private readonly emitters = new Map<string, Emitter>();
  private sounds?: Sounds;
  private driver?: Driver;
  private touched = false;
  private changed = true;
  private rest = 0;

  constructor(readonly scene: Scene, readonly built: Built, still: boolean) {
    this.playing = !still;
    this.bodies = new Bodies(scene);
    for (const n of scene.nodes ?? []) this.nodes.set(n.id, n);
    for (const n of scene.nodes ?? []) if (n.particles) this.emit(n, built.byId.get(n.id)!);
    this.player = new Player(scene.animations ?? [], (id, property, v) => this.animate(id, property, v), (id, name) => this.raise(id, "animation_end", { name }));
  }

  // listen gives the scene its sounds, heard from a camera.
  listen(camera: Camera): void { this.sounds = new Sounds(this.scene, camera, this.nodes, this.built.byId, (id) => this.raise(id, "audio_end", {})); }

  // drive lets a program run the scene.
  drive(driver: Driver): void {
    this.driver = driver;
    driver.start();
  }

  // lively says whether there is anything to pause.
  get lively(): boolean { return this.player.running || this.emitters.size > 0 || this.bodies.any || this.built.clips.length > 0; }

  // advance moves everything by a time and says whether the picture changed.
  advance(dt: number): boolean {
    this.rest = Math.min(this.rest + dt, 0.25);
    for (; this.rest >= tick - 1e-9; this.rest -= tick) this.step();
    const changed = this.changed;
    this.changed = false;
    return changed;
  }

  private step(): void {
    if (this.driver) this.driver.update(tick);
    else for (const c of this.physics.step(tick)) this.raise(c.node, c.event, c.payload);
    if (!this.driver) this.physics.moved();
    if (!this.playing) return;
    if (this.player.running) this.changed = true;
    this.player.step(tick);
    for (const e of this.emitters.values()) e.step(tick);
    for (const c of this.built.clips) c.step(tick);
    if (this.emitters.size + this.built.clips.length > 0) this.changed = true;
  }

  // raise tells the program and the host of an event.
  raise(node: string, event: string, payload: unknown = {}): void {
    this.driver?.emit(node, event, payload);
    this.onEvent(node, event, payload);
    this.changed = true;
  }

  hears(node: string, event: string): boolean { return this.driver?.hears(node, event) ?? false; }

  put(key: string, value: Data): void { this.driver?.put?.(key, value); }

  // physics is what a program sees of the bodies. Bodies at rest stay so while
  // motion is paused, until a person takes hold of one.
  readonly physics = {
    step: (seconds: number) => (this.playing || this.touched ? this.bodies.step(seconds) : []),
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
    place: (node: string, part: Part, value: number[]) => this.bodies.place(node, part, value),
    call: (name: string, node: string, args: unknown[]) => this.bodies.call(name, node, args),
  };

  setTransform(node: string, part: Part, value: number[]): void {
    const object = this.built.byId.get(node);
    if (!object || !value.every(Number.isFinite)) return;
    if (part === "position") object.position.fromArray(value);
    else if (part === "scale") object.scale.fromArray(value);
    else object.quaternion.fromArray(value.length === 4 ? value : euler(value as Vec)).normalize();
    this.changed = true;
  }

  setMaterial(node: string, key: string, value: unknown): void {
    const object = this.built.byId.get(node);
    if (object) this.looks.set(object, key, value);
    this.changed = true;
  }

  setVisible(node: string, visible: boolean): void {
    const object = this.built.byId.get(node);
    if (object) object.visible = visible;
    this.changed = true;
  }

  setText(node: string, text: string): void {
    const object = this.built.byId.get(node), n = this.nodes.get(node);
    if (object && n) letter(n, text, this.scene, object);
    this.changed = true;
  }

  play(node: string, what: "sound" | "animation", name: string, on: boolean, options: { [key: string]: unknown } = {}): void {
    const num = (v: unknown) => (typeof v === "number" ? v : undefined);
    if (what === "animation") this.player.play(node, name, on);
    else this.sounds?.play(node, name, on, { volume: num(options.volume), loop: options.loop === true ? true : undefined });
    this.changed = true;
  }

  say(line: Line): void { this.onSay(line); }

  // state is told of every change of a state key and of properties that are no look.
  state(owner: string, key: string, value: Data): void {
    if (key === "volume" && typeof value === "number") this.sounds?.volume(owner, value);
    this.onState(owner, key, value);
  }

  // spawn copies the picture and the body of a node.
  spawn(node: string, _name: string, like: string, parent: string): void {
    const from = this.built.byId.get(like), data = this.nodes.get(like);
    const object = from ? from.clone(true) : new Object3D();
    object.traverse((o) => { delete o.userData.id; });
    object.userData = { id: node };
    object.visible = true;
    (this.built.byId.get(parent) ?? this.built.world).add(object);
    this.built.byId.set(node, object);
    const copy: Node = { kind: "object", path: node, parent: -1, ...data, id: node };
    this.nodes.set(node, copy);
    this.bodies.copy(copy, parent);
    if (copy.particles) this.emit(copy, object);
    this.changed = true;
  }

  remove(node: string): void {
    this.built.byId.get(node)?.removeFromParent();
    this.built.byId.delete(node);
    this.nodes.delete(node);
    this.bodies.remove(node);
    this.emitters.get(node)?.dispose();
    this.emitters.delete(node);
    this.changed = true;
  }

  // grab takes a node into a hand; hold says where the hand has it in the scene.
  grab(node: string, hand = "pointer"): boolean {
    if (!this.bodies.grab(node)) return false;
    this.touched = true;
    this.raise(node, "grab", { hand });
    return true;
  }

  hold(node: string, t: Vec, r?: Quat): void {
    this.bodies.hold(node, t, r);
    this.raise(node, "drag", { position: t });
  }

  release(node: string, hand = "pointer"): void {
    this.bodies.release(node);
    const b = this.bodies.solver.get(node);
    const speed = b ? Math.sqrt(b.v[0] * b.v[0] + b.v[1] * b.v[1] + b.v[2] * b.v[2]) : 0;
    this.raise(node, "release", { hand });
    this.raise(node, speed > 1 ? "throw" : "drop", { hand, speed });
  }

  // at is the place of a node in the scene as it is drawn.
  at(node: string): { t: Vec; r: Quat } | undefined {
    const object = this.built.byId.get(node);
    if (!object) return undefined;
    return { t: object.getWorldPosition(new Vector3()).toArray(), r: object.getWorldQuaternion(new Quaternion()).toArray() as Quat };
  }

  private animate(id: string, property: string, v: number[]): void {
    const object = this.built.byId.get(id);
    if (!object) return;
    const part = parts[property[0]];
    if (!part || (property.length > 1 && property[1] !== ".")) return this.setMaterial(id, property, v.length === 1 ? v[0] : v);
    const value = part === "position" ? object.position.toArray() : part === "scale" ? object.scale.toArray() : v;
    if (property.length === 3) value["xyz".indexOf(property[2])] = v[0];
    else for (let k = 0; k < v.length; k++) value[k] = v[k];
    this.setTransform(id, part, value);
    this.bodies.place(id, part, value);
  }

  private emit(n: Node, parent: Object3D): void {
    const aim = (name: string) => {
      for (const m of this.nodes.values()) {
        if (m.name !== name) continue;
        this.built.world.updateMatrixWorld(true);
        return parent.worldToLocal(this.built.byId.get(m.id)!.getWorldPosition(new Vector3())).toArray();
      }
      return undefined;
    };
    this.emitters.set(n.id, new Emitter(n.particles!, parent, seedOf(n.id), aim));
  }

  dispose(): void {
    this.sounds?.dispose();
    this.built.world.traverse((o) => {
      const mesh = o as { geometry?: { dispose(): void }; material?: Disposable | Disposable[] };
      mesh.geometry?.dispose();
      for (const m of [mesh.material ?? []].flat()) {
        for (const v of Object.values(m)) if (v && (v as { isTexture?: boolean }).isTexture) (v as Disposable).dispose();
        m.dispose();
      }
    });
  }
}

interface Disposable { dispose(): void }

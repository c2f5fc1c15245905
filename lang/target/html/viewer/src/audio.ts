// The sounds of a scene: files that came with it, decoded in memory. Browsers let
// a page sound after the first touch or key only; what is to play before waits.
// Without a sound system, as in tests, everything waits.
import { bytes } from "./base64.ts";
import type { Node, Scene } from "./scene.ts";
import { turn, type Quat, type Vec } from "./vector.ts";

interface Wish { volume?: number; loop?: boolean }

interface Voice { gain: GainNode; pan?: PannerNode; source?: AudioBufferSourceNode }

// Place is where something is in the scene.
export interface Place { t: Vec; r: Quat }

export class Sounds {
  private context?: AudioContext;
  private readonly buffers = new Map<number, Promise<AudioBuffer | undefined>>();
  private readonly playing = new Map<string, Voice>();
  private readonly waiting = new Map<string, Wish>();
  private readonly begin = () => this.start();

  constructor(
    private readonly scene: Scene, private readonly nodes: Map<string, Node>, private readonly at: (node: string) => Place | undefined,
    private readonly eye: () => Place, private readonly ended: (node: string) => void,
  ) {
    for (const n of nodes.values()) if (n.audio?.autoplay) this.play(n.id, "", true);
    for (const kind of ["pointerdown", "keydown"]) globalThis.addEventListener?.(kind, this.begin);
  }

  // count is how many sounds play or wait.
  get count(): number { return this.playing.size + this.waiting.size; }

  // play starts or stops the sound of a node. A name chooses a sound of another
  // node: by the node's name or the name of the file. False when there is none.
  play(node: string, name: string, on: boolean, wish: Wish = {}): boolean {
    const id = this.find(node, name);
    if (id === undefined) return false;
    this.stop(id);
    if (!on) return true;
    if (this.context) void this.sound(id, wish);
    else this.waiting.set(id, wish);
    return true;
  }

  private find(node: string, name: string): string | undefined {
    const can = (n: Node | undefined) => n?.audio?.asset !== undefined && this.scene.assets?.[n.audio.asset]?.data !== undefined;
    if (!name && can(this.nodes.get(node))) return node;
    for (const n of this.nodes.values()) {
      if (!can(n)) continue;
      const file = this.scene.assets![n.audio!.asset!].path;
      if (n.name === name || file === name || file.replace(/^.*\//, "").replace(/\.\w+$/, "") === name) return n.id;
    }
    return undefined;
  }

  private start(): void {
    this.deaf();
    if (this.context || this.waiting.size + this.nodes.size === 0 || typeof AudioContext === "undefined") return;
    this.context = new AudioContext();
    for (const [id, wish] of this.waiting) void this.sound(id, wish);
    this.waiting.clear();
  }

  private deaf(): void { for (const kind of ["pointerdown", "keydown"]) globalThis.removeEventListener?.(kind, this.begin); }

  private async sound(id: string, wish: Wish): Promise<void> {
    const a = this.nodes.get(id)!.audio!, context = this.context!, asset = a.asset!;
    if (!this.buffers.has(asset)) {
      const data = bytes(this.scene.assets![asset].data!).buffer;
      this.buffers.set(asset, context.decodeAudioData(data).catch(() => undefined));
    }
    const voice: Voice = { gain: new GainNode(context, { gain: level(wish.volume ?? a.volume ?? 1) }) };
    this.playing.set(id, voice);
    const buffer = await this.buffers.get(asset);
    if (this.playing.get(id) !== voice) return; // stopped before it began
    if (!buffer) {
      this.playing.delete(id);
      console.warn(`the sound ${this.scene.assets![asset].path} cannot be decoded`);
      return;
    }
    const source = (voice.source = new AudioBufferSourceNode(context, { buffer, loop: wish.loop ?? a.loop ?? false }));
    source.connect(voice.gain);
    if (a.max !== undefined || a.min !== undefined) { // heard from somewhere
      voice.pan = new PannerNode(context, { panningModel: "HRTF", distanceModel: "inverse", refDistance: a.min ?? 1, maxDistance: a.max ?? 30 });
      voice.gain.connect(voice.pan).connect(context.destination);
    } else voice.gain.connect(context.destination);
    source.onended = () => {
      if (this.playing.get(id) !== voice) return;
      this.stop(id);
      this.ended(id);
    };
    this.step();
    source.start();
  }

  // step puts the ear and the sounds where they are now.
  step(): void {
    if (!this.context || this.playing.size === 0) return;
    const ear = this.context.listener, eye = this.eye();
    const ahead = turn(eye.r, [0, 0, -1]), up = turn(eye.r, [0, 1, 0]);
    if (ear.positionX) {
      put([ear.positionX, ear.positionY, ear.positionZ], eye.t);
      put([ear.forwardX, ear.forwardY, ear.forwardZ], ahead);
      put([ear.upX, ear.upY, ear.upZ], up);
    } else {
      ear.setPosition(...eye.t);
      ear.setOrientation(...ahead, ...up);
    }
    for (const [id, { pan }] of this.playing) {
      const place = pan && this.at(id);
      if (place) put([pan.positionX, pan.positionY, pan.positionZ], place.t);
    }
  }

  // volume changes a sound that plays.
  volume(id: string, value: number): void {
    const voice = this.playing.get(id);
    if (voice) voice.gain.gain.value = level(value);
  }

  stop(id: string): void {
    this.waiting.delete(id);
    const voice = this.playing.get(id);
    if (!voice) return;
    this.playing.delete(id);
    voice.source?.stop();
    voice.gain.disconnect();
    voice.pan?.disconnect();
  }

  dispose(): void {
    this.deaf();
    for (const id of [...this.playing.keys(), ...this.waiting.keys()]) this.stop(id);
    void this.context?.close();
    this.context = undefined;
  }
}

function level(v: number): number { return Math.min(Math.max(v, 0), 1); }

function put(to: AudioParam[], v: Vec): void { for (let k = 0; k < 3; k++) to[k].value = v[k]; }

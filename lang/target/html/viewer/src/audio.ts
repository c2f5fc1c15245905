// The sounds of a scene: files that came with it, decoded in memory. Browsers let
// a page sound after the first touch or key only; what is to play before waits.
import { Audio, AudioListener, Object3D, PositionalAudio, type Camera } from "three";
import { bytes } from "./base64.ts";
import type { Node, Scene } from "./scene.ts";

interface Wish { volume?: number; loop?: boolean }

export class Sounds {
  private listener?: AudioListener;
  private readonly buffers = new Map<number, Promise<AudioBuffer | undefined>>();
  private readonly playing = new Map<string, Audio | PositionalAudio>();
  private readonly waiting = new Map<string, Wish>();
  private readonly begin = () => this.start();

  constructor(
    private readonly scene: Scene, private readonly camera: Camera, private readonly nodes: Map<string, Node>, private readonly objects: Map<string, Object3D>,
    private readonly ended: (node: string) => void,
  ) {
    for (const n of nodes.values()) if (n.audio?.autoplay) this.play(n.id, "", true);
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, this.begin);
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
    if (this.listener) void this.sound(id, wish);
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
    for (const kind of ["pointerdown", "keydown"]) removeEventListener(kind, this.begin);
    if (this.listener) return;
    this.listener = new AudioListener();
    this.camera.add(this.listener);
    for (const [id, wish] of this.waiting) void this.sound(id, wish);
    this.waiting.clear();
  }

  private async sound(id: string, wish: Wish): Promise<void> {
    const a = this.nodes.get(id)!.audio!, listener = this.listener!;
    const asset = a.asset!;
    if (!this.buffers.has(asset)) {
      const data = bytes(this.scene.assets![asset].data!).buffer;
      this.buffers.set(asset, listener.context.decodeAudioData(data).catch(() => undefined));
    }
    const near = a.max !== undefined || a.min !== undefined;
    const sound = near ? new PositionalAudio(listener) : new Audio(listener);
    this.playing.set(id, sound);
    const buffer = await this.buffers.get(asset);
    if (this.playing.get(id) !== sound) return; // stopped before it began
    if (!buffer) {
      this.playing.delete(id);
      console.warn(`the sound ${this.scene.assets![asset].path} cannot be decoded`);
      return;
    }
    sound.setBuffer(buffer);
    sound.setLoop(wish.loop ?? a.loop ?? false);
    sound.setVolume(Math.min(Math.max(wish.volume ?? a.volume ?? 1, 0), 1));
    if (sound instanceof PositionalAudio) {
      sound.setRefDistance(a.min ?? 1);
      sound.setMaxDistance(a.max ?? 30);
    }
    this.objects.get(id)?.add(sound as Object3D);
    sound.onEnded = () => {
      if (this.playing.get(id) !== sound) return;
      this.stop(id);
      this.ended(id);
    };
    sound.play();
  }

  // volume changes a sound that plays.
  volume(id: string, value: number): void { this.playing.get(id)?.setVolume(Math.min(Math.max(value, 0), 1)); }

  private stop(id: string): void {
    this.waiting.delete(id);
    const sound = this.playing.get(id);
    if (!sound) return;
    this.playing.delete(id);
    if (sound.isPlaying) sound.stop();
    sound.removeFromParent();
  }

  dispose(): void {
    for (const kind of ["pointerdown", "keydown"]) removeEventListener(kind, this.begin);
    for (const id of [...this.playing.keys(), ...this.waiting.keys()]) this.stop(id);
    this.listener?.removeFromParent();
  }
}

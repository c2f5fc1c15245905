// Draws the things of a scene: those of one solid and one look in one go, what is
// seen through last, from far to near.
import type { Camera } from "./camera.js";
import type { Screen } from "./device.js";
import { Frame, Instance, Writer } from "./layout.js";
import { Lights, type Bound } from "./lights.js";
import { Box, column, corners, mirrored, normals, placed, product, type Mat } from "./matrix.js";
import type { Look, Thing, Things } from "./nodes.js";
import type { Emitters } from "./particles.js";
import { Pictures } from "./picture.js";
import { letters, linear, Staging } from "./runtime.js";
import { bytes, type Mesh, type Scene, type Vec } from "./scene.js";

interface Solid { vertices: GPUBuffer; indices: GPUBuffer; count: number; low: Vec; high: Vec; key: number }
interface Item { thing: Thing; solid: Solid; maps: GPUBindGroup; mapsKey: number; local?: Mat; depth: number; ink?: Look; texture?: GPUTexture }
interface Batch { item: Item; first: number; count: number; pipeline: GPURenderPipeline }

const corner: GPUVertexBufferLayout = {
  arrayStride: 32,
  attributes: [
    { shaderLocation: 0, offset: 0, format: "float32x3" }, { shaderLocation: 1, offset: 12, format: "float32x3" }, { shaderLocation: 2, offset: 24, format: "float32x2" },
  ],
};
const plate: Mesh = { // one metre, read from +Z
  vertices: "", indices: "", low: [-0.5, -0.5, 0], high: [0.5, 0.5, 0],
};
const plateCorners = [
  -0.5, -0.5, 0, 0, 0, 1, 0, 0, 0.5, -0.5, 0, 0, 0, 1, 1, 0, 0.5, 0.5, 0, 0, 0, 1, 1, 1, -0.5, 0.5, 0, 0, 0, 1, 0, 1,
];

export class Drawing {
  triangles = 0; // of the last picture
  draws = 0;
  readonly staging: Staging;
  private readonly device: GPUDevice;
  private readonly solids: (Solid | undefined)[];
  private readonly plate: Solid;
  private readonly pictures: Pictures;
  private readonly lights: Lights;
  private readonly frameWriter = new Writer(Frame.bytes);
  private readonly worldLayout: GPUBindGroupLayout;
  private readonly mapsLayout: GPUBindGroupLayout;
  private readonly sky: GPURenderPipeline;
  private readonly sampler: GPUSampler;
  private readonly pipelines = new Map<string, GPURenderPipeline>();
  private readonly maps = new Map<string, { group: GPUBindGroup; key: number }>();
  private readonly ready = new Map<string, GPUTexture>(); // pictures of assets
  private items: Item[] = [];
  private instances: GPUBuffer;
  private instanceWriter: Writer;
  private world?: GPUBindGroup;
  private keys = 0;

  constructor(private readonly screen: Screen, private readonly scene: Scene, meshes: readonly (Mesh | null)[]) {
    const device = (this.device = screen.device), { shaders } = screen;
    this.staging = new Staging(scene);
    this.solids = meshes.map((m) => (m ? this.solid(m, bytes(m.vertices), bytes(m.indices)) : undefined));
    this.plate = this.solid(plate, new Float32Array(plateCorners), new Uint32Array([0, 1, 2, 0, 2, 3]));
    this.pictures = new Pictures(device, shaders.smaller);
    this.lights = new Lights(device, shaders.shadow, corner);
    const both = GPUShaderStage.VERTEX | GPUShaderStage.FRAGMENT, frame: GPUBindGroupLayoutEntry = { binding: 0, visibility: both, buffer: { type: "uniform" } };
    this.worldLayout = device.createBindGroupLayout({
      entries: [
        frame, { binding: 1, visibility: GPUShaderStage.FRAGMENT, buffer: { type: "read-only-storage" } },
        { binding: 2, visibility: both, buffer: { type: "read-only-storage" } },
        { binding: 3, visibility: GPUShaderStage.FRAGMENT, texture: { sampleType: "depth", viewDimension: "2d-array" } },
        { binding: 4, visibility: GPUShaderStage.FRAGMENT, sampler: { type: "comparison" } },
      ],
    });
    this.mapsLayout = device.createBindGroupLayout({
      entries: [
        { binding: 0, visibility: GPUShaderStage.FRAGMENT, sampler: {} },
        ...[1, 2, 3, 4].map((binding): GPUBindGroupLayoutEntry => ({ binding, visibility: GPUShaderStage.FRAGMENT, texture: {} })),
      ],
    });
    this.sky = device.createRenderPipeline({
      layout: device.createPipelineLayout({ bindGroupLayouts: [screen.around.layout] }), vertex: { module: shaders.sky, entryPoint: "corner" },
      fragment: { module: shaders.sky, entryPoint: "sky", targets: [{ format: screen.format }] }, ...screen.state,
      depthStencil: { format: "depth32float", depthWriteEnabled: false, depthCompare: "equal" },
    });
    this.sampler = device.createSampler({ addressModeU: "repeat", addressModeV: "repeat", minFilter: "linear", magFilter: "linear", mipmapFilter: "linear", maxAnisotropy: 4 });
    this.instanceWriter = new Writer(64 * Instance.bytes);
    this.instances = this.room(64);
  }

  private room(count: number): GPUBuffer {
    return this.device.createBuffer({ size: count * Instance.bytes, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST });
  }

  private solid(m: Mesh, vertices: Uint8Array | Float32Array, indices: Uint8Array | Uint32Array): Solid {
    const buffer = (data: Uint8Array | Float32Array | Uint32Array, usage: number) => {
      const b = this.device.createBuffer({ size: data.byteLength, usage, mappedAtCreation: true });
      new Uint8Array(b.getMappedRange()).set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
      b.unmap();
      return b;
    };
    return {
      vertices: buffer(vertices, GPUBufferUsage.VERTEX), indices: buffer(indices, GPUBufferUsage.INDEX), count: indices.byteLength / 4, low: m.low, high: m.high,
      key: this.keys++,
    };
  }

  // load reads the pictures of all materials.
  async load(): Promise<void> {
    const jobs = new Map<string, Promise<void>>();
    for (const { maps } of this.scene.materials ?? []) {
      for (const [name, asset] of Object.entries(maps ?? {})) {
        const colour = name === "base_color" || name === "emissive", key = `${asset}:${colour}`;
        if (asset === undefined || jobs.has(key)) continue;
        jobs.set(key, this.pictures.read(this.scene.assets?.[asset], colour).then((t) => { if (t) this.ready.set(key, t); }));
      }
    }
    await Promise.all(jobs.values());
  }

  // put makes what is drawn of a thing.
  put(thing: Thing): void {
    const { geometry } = thing.node, solid = geometry === undefined ? undefined : this.solids[geometry];
    if (solid && thing.look) {
      const maps = this.textured(thing.look.maps);
      this.items.push({ thing, solid, maps: maps.group, mapsKey: maps.key, depth: 0 });
    }
    if (thing.node.text || thing.text) this.letter(thing);
  }

  // letter writes the text of a thing in place of the one it has.
  letter(thing: Thing): void {
    this.drop((i) => i.thing === thing && i.texture !== undefined);
    if (thing.text.trim() === "") return;
    const text = letters({ size: 0.1, ...thing.node.text, value: thing.text }), on = this.solids[thing.node.geometry ?? -1];
    if (!text.picture) return;
    const texture = this.pictures.of(text.picture, text.picture.width, text.picture.height, true);
    const own: Vec = thing.look?.base ?? [1, 1, 1], bright = 0.2126 * own[0] + 0.7152 * own[1] + 0.0722 * own[2] > 0.18;
    const base: Vec = !on ? own : bright ? [0, 0, 0] : [1, 1, 1]; // easy to read on what it stands on
    this.items.push({
      thing, solid: this.plate, maps: this.group([texture, this.pictures.flat, this.pictures.white, this.pictures.white]), mapsKey: this.keys++, depth: 0, texture,
      local: placed([text.x, 0, on ? on.high[2] + 0.002 : 0], [0, 0, 0, 1], [text.width, text.height, 1]),
      ink: { base, opacity: 1, glow: [0, 0, 0], strength: 0, metallic: 0, roughness: 1, mirror: 0, unlit: true, alpha: "blend", both: true, maps: {} },
    });
  }

  // take removes what is drawn of things that are gone.
  take(things: readonly Thing[]): void { this.drop((i) => things.includes(i.thing)); }

  private drop(gone: (i: Item) => boolean): void {
    for (const i of this.items) if (gone(i) && i.texture) this.pictures.drop(i.texture);
    this.items = this.items.filter((i) => !gone(i));
  }

  private textured(maps: Look["maps"]): { group: GPUBindGroup; key: number } {
    const { white, flat } = this.pictures, at = (asset: number | undefined, colour: boolean, other: GPUTexture) => this.ready.get(`${asset}:${colour}`) ?? other;
    const name = [maps.base_color, maps.normal, maps.orm, maps.emissive].join();
    let made = this.maps.get(name);
    if (!made) {
      const group = this.group([at(maps.base_color, true, white), at(maps.normal, false, flat), at(maps.orm, false, white), at(maps.emissive, true, white)]);
      this.maps.set(name, (made = { group, key: this.keys++ }));
    }
    return made;
  }

  private group(textures: GPUTexture[]): GPUBindGroup {
    return this.device.createBindGroup({
      layout: this.mapsLayout,
      entries: [{ binding: 0, resource: this.sampler }, ...textures.map((t, i) => ({ binding: i + 1, resource: t.createView() }))],
    });
  }

  // bounds is the box around everything that is seen.
  bounds(): Box {
    const box = new Box();
    for (const i of this.items) if (i.thing.seen) for (const p of corners(this.model(i), i.solid.low, i.solid.high)) box.add(p);
    return box;
  }

  private model(i: Item): Mat { return i.local ? product(i.thing.world, i.local) : i.thing.world; }

  // draw makes a picture.
  draw(things: Things, camera: Camera, emitters: Emitters): void {
    const { device, screen } = this, { width, height } = screen.canvas;
    const seen = (l: Look) => l.alpha === "opaque" || l.opacity > 0;
    const shown = this.items.filter((i) => i.thing.seen && seen(i.ink ?? i.thing.look!)), models = new Map<Item, Mat>(), bounds: Bound[] = [];
    let deep = camera.near * 2;
    for (const i of shown) {
      const m = this.model(i), look = i.ink ?? i.thing.look!;
      models.set(i, m);
      i.depth = camera.depth(column(m, 3));
      for (const p of corners(m, i.solid.low, i.solid.high)) deep = Math.max(deep, camera.depth(p));
      if (look.alpha !== "blend") bounds.push({ model: m, low: i.solid.low, high: i.solid.high });
    }
    const sight = camera.write(this.frameWriter, width / height, deep);
    if (this.lights.set(things.list, this.staging, this.scene.nodes?.[this.staging.shadow]?.id, bounds, sight)) this.world = undefined;
    this.surroundings();
    const [whole, clear] = this.batches(shown, models);
    if (!this.world) this.world = this.bound();
    const commands = device.createCommandEncoder(), all = [...whole, ...clear];
    this.lights.draw(commands, this.instances, (pass) => { for (const b of whole) draw(pass, b); });
    emitters.move(commands);
    const pass = screen.pass(commands);
    pass.setBindGroup(0, this.world);
    for (const b of whole) this.surface(pass, b);
    pass.setBindGroup(0, screen.around.group);
    pass.setPipeline(this.sky);
    pass.draw(3);
    pass.setBindGroup(0, this.world);
    for (const b of clear) this.surface(pass, b);
    emitters.draw(pass);
    pass.end();
    screen.develop(commands);
    device.queue.submit([commands.finish()]);
    this.draws = all.length;
    this.triangles = all.reduce((n, b) => n + (b.item.solid.count / 3) * b.count, 0);
  }

  private surface(pass: GPURenderPassEncoder, b: Batch): void {
    pass.setPipeline(b.pipeline);
    pass.setBindGroup(1, b.item.maps);
    draw(pass, b);
  }

  // batches writes the instances in the order they are drawn.
  private batches(shown: Item[], models: Map<Item, Mat>): [Batch[], Batch[]] {
    const lists: [Item[], Item[]] = [[], []], out: [Batch[], Batch[]] = [[], []], kind = new Map<Item, string>();
    for (const i of shown) {
      const look = i.ink ?? i.thing.look!, clear = look.alpha === "blend";
      kind.set(i, `${clear ? "clear" : "whole"} ${look.both ? "both" : mirrored(models.get(i)!) ? "turned" : "front"}`);
      lists[clear ? 1 : 0].push(i);
    }
    lists[0].sort((a, b) => a.solid.key - b.solid.key || a.mapsKey - b.mapsKey || (kind.get(a)! < kind.get(b)! ? -1 : kind.get(a)! > kind.get(b)! ? 1 : 0));
    lists[1].sort((a, b) => b.depth - a.depth);
    if (shown.length * Instance.bytes > this.instances.size) {
      this.instances.destroy();
      this.instances = this.room(shown.length * 2);
      this.instanceWriter = new Writer(shown.length * 2 * Instance.bytes);
      this.world = undefined;
    }
    let n = 0;
    for (const k of [0, 1]) {
      for (const item of lists[k]) {
        this.write(n * Instance.bytes, models.get(item)!, item.ink ?? item.thing.look!);
        const last = out[k].at(-1), pipeline = this.pipeline(kind.get(item)!);
        if (last && last.item.solid === item.solid && last.item.maps === item.maps && last.pipeline === pipeline) last.count++;
        else out[k].push({ item, first: n, count: 1, pipeline });
        n++;
      }
    }
    if (n > 0) this.device.queue.writeBuffer(this.instances, 0, this.instanceWriter.data, 0, n * Instance.bytes);
    return out;
  }

  private write(at: number, m: Mat, look: Look): void {
    const w = this.instanceWriter, [a, b, c] = normals(m);
    w.all(at + Instance.model, m);
    w.put(at + Instance.normal, ...a, 0, ...b, 0, ...c, 0);
    w.put(at + Instance.colour, ...look.base, look.alpha === "opaque" ? 1 : look.opacity);
    w.put(at + Instance.glow, look.glow[0] * look.strength, look.glow[1] * look.strength, look.glow[2] * look.strength, look.alpha === "mask" ? 0.5 : 0);
    w.put(at + Instance.surface, look.metallic, look.roughness, look.mirror, look.unlit ? 1 : 0);
  }

  private surroundings(): void {
    const w = this.frameWriter, e = this.scene.environment ?? {}, sky = (e.sky?.colors ?? []).slice(0, 8);
    if (sky.length === 0) sky.push("#dfe5ecff");
    w.put(Frame.fog, ...(e.fog ? linear(e.fog.color) : ([0, 0, 0] as Vec)), e.fog?.density ?? 0);
    w.put(Frame.tone, e.exposure ?? 1, e.tone_mapping === "aces" ? 1 : e.tone_mapping ? 0 : 2, this.lights.texels, 0);
    w.word(Frame.count, this.lights.count, sky.length, 0, 0);
    sky.forEach((c, i) => w.put(Frame.sky + i * 16, ...linear(c), 1));
    this.device.queue.writeBuffer(this.screen.frame, 0, w.data);
  }

  private bound(): GPUBindGroup {
    return this.device.createBindGroup({
      layout: this.worldLayout,
      entries: [
        { binding: 0, resource: { buffer: this.screen.frame } }, { binding: 1, resource: { buffer: this.lights.buffer } }, { binding: 2, resource: { buffer: this.instances } },
        { binding: 3, resource: this.lights.map.createView({ dimension: "2d-array" }) }, { binding: 4, resource: this.lights.compare },
      ],
    });
  }

  // pipeline is the way to draw whole or clear surfaces, from which sides they
  // are seen.
  private pipeline(kind: string): GPURenderPipeline {
    let made = this.pipelines.get(kind);
    if (made) return made;
    const clear = kind.startsWith("clear"), module = this.screen.shaders.surface;
    const blend: GPUBlendState = {
      color: { srcFactor: "src-alpha", dstFactor: "one-minus-src-alpha" }, alpha: { srcFactor: "one", dstFactor: "one-minus-src-alpha" },
    };
    made = this.device.createRenderPipeline({
      layout: this.device.createPipelineLayout({ bindGroupLayouts: [this.worldLayout, this.mapsLayout] }),
      vertex: { module, entryPoint: "corner", buffers: [corner] },
      fragment: { module, entryPoint: "surface", targets: [{ format: this.screen.format, ...(clear && { blend }) }] },
      primitive: { cullMode: kind.endsWith("both") ? "none" : "back", frontFace: kind.endsWith("turned") ? "cw" : "ccw" },
      depthStencil: { format: "depth32float", depthWriteEnabled: !clear, depthCompare: "greater" }, ...this.screen.state,
    });
    this.pipelines.set(kind, made);
    return made;
  }

  dispose(): void {
    for (const s of [...this.solids, this.plate]) {
      s?.vertices.destroy();
      s?.indices.destroy();
    }
    this.pictures.dispose();
    this.lights.dispose();
    this.instances.destroy();
  }
}

function draw(pass: GPURenderPassEncoder, b: Batch): void {
  const { vertices, indices, count } = b.item.solid;
  pass.setVertexBuffer(0, vertices);
  pass.setIndexBuffer(indices, "uint32");
  pass.drawIndexed(count, b.count, 0, 0, b.first);
}

// The lights of the scene, and the maps of what they see of it.
import { Instance, Light as At, Writer } from "./layout.js";
import { Box, column, corners, looking, parallel, perspective, product, scale, sub, unit, viewed, type Mat, type View } from "./matrix.js";
import { ahead, type Thing } from "./nodes.js";
import type { Staging } from "./runtime.js";
import type { Vec } from "./scene.js";

const mostLights = 64;
const mostShadows = 4;
const side = 2048; // texels of a shadow map
const kinds: Record<string, number> = { ambient: 0, hemisphere: 1, directional: 2, spot: 4, area: 4 };

// Bound is a box that throws a shadow.
export interface Bound { model: Mat; low: Vec; high: Vec }

interface Shine { kind: number; colour: Vec; ground: Vec; at: Vec; ahead: Vec; range: number; angle: number; penumbra: number; shadow: boolean }

// shining are the lights of what is seen; without one from somewhere there is a
// sun, and there always is light from everywhere. throwing is the node whose light
// throws a shadow although the source does not say so.
function shining(things: readonly Thing[], staging: Staging, throwing?: string): Shine[] {
  const out: Shine[] = [], { gain } = staging;
  for (const { lamp, seen, world, node } of things) {
    if (!lamp || !seen || out.length >= mostLights - 2) continue;
    const l = lamp.light, area = l.type === "area", kind = kinds[l.type] ?? 3;
    out.push({
      kind, colour: scale(lamp.colour, lamp.intensity * gain), ground: scale(lamp.ground, lamp.intensity * gain), at: column(world, 3), ahead: ahead(world),
      range: l.range ?? 0, angle: area ? 1.4 : l.angle || Math.PI / 6, penumbra: area ? 0.6 : (l.penumbra ?? 0),
      shadow: (l.shadow === true || node.id === throwing) && (kind === 2 || kind === 4) && lamp.intensity > 0,
    });
  }
  const none: Omit<Shine, "kind" | "colour" | "ahead"> = { ground: [0, 0, 0], at: [0, 0, 0], range: 0, angle: 0, penumbra: 0, shadow: false };
  if (!out.some((l) => l.kind > 0)) out.push({ ...none, kind: 2, colour: scale([0.8, 0.8, 0.8], gain), ahead: unit([-3, -6, -4]), shadow: true });
  out.push({ ...none, kind: 1, colour: scale(staging.above, gain), ground: scale(staging.below, gain), ahead: [0, -1, 0] });
  return out;
}

export class Lights {
  readonly buffer: GPUBuffer;
  readonly compare: GPUSampler;
  map: GPUTexture;
  count = 0;
  private readonly clips: GPUBuffer; // of the maps, 256 bytes apart
  private readonly pipeline: GPURenderPipeline;
  private readonly writer = new Writer(mostLights * At.bytes);
  private passes = 0;

  constructor(private readonly device: GPUDevice, shader: GPUShaderModule, corner: GPUVertexBufferLayout) {
    this.buffer = device.createBuffer({ size: mostLights * At.bytes, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST });
    this.clips = device.createBuffer({ size: mostShadows * 256, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
    this.compare = device.createSampler({ compare: "less-equal", minFilter: "linear", magFilter: "linear" });
    this.map = this.maps(1, 1);
    const layout = device.createBindGroupLayout({
      entries: [
        { binding: 0, visibility: GPUShaderStage.VERTEX, buffer: { type: "uniform", hasDynamicOffset: true, minBindingSize: 64 } },
        { binding: 1, visibility: GPUShaderStage.VERTEX, buffer: { type: "read-only-storage", minBindingSize: Instance.bytes } },
      ],
    });
    this.pipeline = device.createRenderPipeline({
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }), vertex: { module: shader, entryPoint: "corner", buffers: [corner] },
      depthStencil: { format: "depth32float", depthWriteEnabled: true, depthCompare: "less" },
    });
  }

  private maps(size: number, layers: number): GPUTexture {
    return this.device.createTexture({
      size: [size, size, layers], format: "depth32float", usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.TEXTURE_BINDING,
    });
  }

  get texels(): number { return this.map.width; }

  // set writes the lights for what throws shadows and what the eye sees of it;
  // true says that the texture of the maps is another one now.
  set(things: readonly Thing[], staging: Staging, throwing: string | undefined, throwers: readonly Bound[], sight: readonly Vec[]): boolean {
    const list = shining(things, staging, throwing), w = this.writer, views: Mat[] = [];
    this.count = list.length;
    list.forEach((l, i) => {
      const at = i * At.bytes, seen = l.shadow && views.length < mostShadows ? sighted(l, throwers, sight) : undefined;
      w.put(at + At.colour, ...l.colour);
      w.word(at + At.kind, l.kind);
      w.put(at + At.place, ...l.at, l.range > 0 ? 1 / l.range ** 4 : 0);
      w.put(at + At.toLight, ...scale(l.ahead, -1), Math.cos(l.angle));
      w.put(at + At.ground, ...l.ground, Math.cos(l.angle * (1 - l.penumbra)));
      if (seen) w.all(at + At.shadow, seen.clip);
      w.word(at + At.layer, seen ? views.length : -1);
      w.put(at + At.texel, seen?.texel ?? 0);
      if (seen) views.push(seen.clip);
    });
    this.device.queue.writeBuffer(this.buffer, 0, w.data, 0, list.length * At.bytes);
    views.forEach((m, i) => this.device.queue.writeBuffer(this.clips, i * 256, new Float32Array(m)));
    this.passes = views.length;
    if (this.map.depthOrArrayLayers >= views.length && (this.map.width === side || views.length === 0)) return false;
    this.map.destroy();
    this.map = this.maps(side, views.length);
    return true;
  }

  // draw makes the maps; throwers draws what throws a shadow.
  draw(commands: GPUCommandEncoder, instances: GPUBuffer, throwers: (pass: GPURenderPassEncoder) => void): void {
    if (this.passes === 0) return;
    const group = this.device.createBindGroup({
      layout: this.pipeline.getBindGroupLayout(0),
      entries: [{ binding: 0, resource: { buffer: this.clips, size: 64 } }, { binding: 1, resource: { buffer: instances } }],
    });
    for (let layer = 0; layer < this.passes; layer++) {
      const pass = commands.beginRenderPass({
        colorAttachments: [],
        depthStencilAttachment: {
          view: this.map.createView({ dimension: "2d", baseArrayLayer: layer, arrayLayerCount: 1 }), depthClearValue: 1, depthLoadOp: "clear", depthStoreOp: "store",
        },
      });
      pass.setPipeline(this.pipeline);
      pass.setBindGroup(0, group, [layer * 256]);
      throwers(pass);
      pass.end();
    }
  }

  dispose(): void {
    this.buffer.destroy();
    this.clips.destroy();
    this.map.destroy();
  }
}

// sighted turns the view of a light to what matters: what throws a shadow, and of
// that what is before or behind something the eye sees.
function sighted(l: Shine, throwers: readonly Bound[], sight: readonly Vec[]): { clip: Mat; texel: number } | undefined {
  const far: View = viewed(l.kind === 2 ? [0, 0, 0] : l.at, l.ahead), look = looking(far), thrown = new Box(), seen = new Box();
  for (const b of throwers) for (const p of corners(product(look, b.model), b.low, b.high)) thrown.add(p);
  if (thrown.empty) return undefined;
  if (l.kind === 4) {
    const deep = Math.min(Math.max(-thrown.low[2], 0.02) * 1.001, l.range || Infinity), near = Math.max(Math.min(0.05, deep / 2), 1e-4);
    const half = Math.tan(Math.min(l.angle, (80 * Math.PI) / 180));
    return { clip: product(perspective(half, half, near, deep, 0, 1), look), texel: (2 * half) / side };
  }
  for (const p of sight) seen.add(corners(look, p, p)[0]);
  const low = [Math.max(thrown.low[0], seen.low[0]), Math.max(thrown.low[1], seen.low[1])];
  const high = [Math.min(thrown.high[0], seen.high[0]), Math.min(thrown.high[1], seen.high[1])];
  if (low[0] > high[0] || low[1] > high[1]) return undefined;
  const room = Math.max(high[0] - low[0], high[1] - low[1], 1e-3), half = room * 0.52, margin = room * 0.02;
  const x = (low[0] + high[0]) / 2, y = (low[1] + high[1]) / 2;
  const near = -thrown.high[2] - margin, deep = -thrown.low[2] + margin;
  return { clip: product(parallel(x - half, x + half, y - half, y + half, near, deep, 0, 1), look), texel: (2 * half) / side };
}

// pyramid are the corners of what an eye sees, cut off behind the last thing.
export function pyramid(v: View, x: number, y: number, near: number, far: number, flat: boolean): Vec[] {
  const out: Vec[] = [];
  for (const deep of [near, far]) {
    const reach = flat ? 1 : deep;
    for (const i of [-1, 1]) for (const k of [-1, 1]) {
      const p = sub(v.at, scale(v.back, deep)), a = scale(v.right, i * x * reach), b = scale(v.up, k * y * reach);
      out.push([p[0] + a[0] + b[0], p[1] + a[1] + b[1], p[2] + a[2] + b[2]]);
    }
  }
  return out;
}

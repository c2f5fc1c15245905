// Particles, moved by the device. Where each is follows from its number and the
// time, so that the same node has the same ones in every run.
import type { Screen } from "./device.js";
import { Emitter as At, Point, Writer } from "./layout.js";
import type { Thing } from "./nodes.js";
import { seedOf, type Emission } from "./runtime.js";

interface Emitter { thing: Thing; e: Emission; uniform: GPUBuffer; points: GPUBuffer; move: GPUBindGroup; show: GPUBindGroup; writer: Writer; time: number }

export class Emitters {
  private readonly device: GPUDevice;
  private readonly moveLayout: GPUBindGroupLayout;
  private readonly showLayout: GPUBindGroupLayout;
  private readonly moving: GPUComputePipeline;
  private readonly showing: [GPURenderPipeline, GPURenderPipeline]; // over what is behind, and added to it
  private readonly list = new Map<Thing, Emitter>();

  constructor(private readonly screen: Screen) {
    const { around } = screen, device = (this.device = screen.device), module = screen.shaders.particles;
    const seen = GPUShaderStage.VERTEX | GPUShaderStage.FRAGMENT;
    this.moveLayout = device.createBindGroupLayout({
      entries: [
        { binding: 0, visibility: GPUShaderStage.COMPUTE, buffer: { type: "uniform" } }, { binding: 1, visibility: GPUShaderStage.COMPUTE, buffer: { type: "storage" } },
      ],
    });
    this.showLayout = device.createBindGroupLayout({
      entries: [{ binding: 0, visibility: seen, buffer: { type: "uniform" } }, { binding: 2, visibility: seen, buffer: { type: "read-only-storage" } }],
    });
    this.moving = device.createComputePipeline({
      layout: device.createPipelineLayout({ bindGroupLayouts: [around.layout, this.moveLayout] }), compute: { module, entryPoint: "move_" },
    });
    const way = (add: boolean) => device.createRenderPipeline({
      layout: device.createPipelineLayout({ bindGroupLayouts: [around.layout, this.showLayout] }), vertex: { module, entryPoint: "corner" },
      fragment: {
        module, entryPoint: "point",
        targets: [{
          format: screen.format,
          blend: { color: { srcFactor: "src-alpha", dstFactor: add ? "one" : "one-minus-src-alpha" }, alpha: { srcFactor: "zero", dstFactor: "one" } },
        }],
      },
      depthStencil: { format: "depth32float", depthWriteEnabled: false, depthCompare: "greater" }, ...screen.state,
    });
    this.showing = [way(false), way(true)];
  }

  // put makes the emitter of a thing.
  put(thing: Thing, e: Emission): void {
    const uniform = this.device.createBuffer({ size: At.bytes, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
    const points = this.device.createBuffer({ size: e.count * Point.bytes, usage: GPUBufferUsage.STORAGE });
    const writer = new Writer(At.bytes);
    writer.put(At.speed, ...e.speed, e.spread);
    writer.put(At.first, ...e.colours[0], e.alphas[0]);
    writer.put(At.last, ...e.colours[1], e.alphas[1]);
    writer.put(At.shape, e.gravity, e.width, ...e.size);
    writer.word(At.count, e.count, seedOf(thing.node.id));
    this.list.set(thing, {
      thing, e, uniform, points, writer, time: e.span[1], // full from the first picture
      move: this.device.createBindGroup({ layout: this.moveLayout, entries: [{ binding: 0, resource: { buffer: uniform } }, { binding: 1, resource: { buffer: points } }] }),
      show: this.device.createBindGroup({ layout: this.showLayout, entries: [{ binding: 0, resource: { buffer: uniform } }, { binding: 2, resource: { buffer: points } }] }),
    });
  }

  step(thing: Thing, seconds: number): void {
    const e = this.list.get(thing);
    if (e) e.time += seconds;
  }

  // move computes where the particles are.
  move(commands: GPUCommandEncoder): void {
    if (this.list.size === 0) return;
    const pass = commands.beginComputePass();
    pass.setPipeline(this.moving);
    pass.setBindGroup(0, this.screen.around.group);
    for (const { thing, e, uniform, writer, time, move } of this.list.values()) {
      if (!thing.seen) continue;
      const births = time * e.rate, born = Math.floor(births);
      writer.all(At.model, thing.world);
      writer.put(At.life, e.span[0], e.span[1], e.rate, births - born);
      writer.word(At.born, born);
      this.device.queue.writeBuffer(uniform, 0, writer.data);
      pass.setBindGroup(1, move);
      pass.dispatchWorkgroups(Math.ceil(e.count / 64));
    }
    pass.end();
  }

  draw(pass: GPURenderPassEncoder): void {
    pass.setBindGroup(0, this.screen.around.group);
    for (const { thing, e, show } of this.list.values()) {
      if (!thing.seen) continue;
      pass.setPipeline(this.showing[e.adds ? 1 : 0]);
      pass.setBindGroup(1, show);
      pass.draw(6, e.count);
    }
  }

  take(thing: Thing): void {
    const e = this.list.get(thing);
    e?.uniform.destroy();
    e?.points.destroy();
    this.list.delete(thing);
  }

  dispose(): void { for (const t of [...this.list.keys()]) this.take(t); }
}

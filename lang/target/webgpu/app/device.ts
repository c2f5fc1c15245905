// The device that draws: opened, its shaders compiled, and closed again.
import { Frame } from "./layout.js";

// NoWebGPU is why nothing can be drawn. There is no other way to draw here: the
// target html shows the same source with WebGL 2.
export class NoWebGPU extends Error {
  override name = "NoWebGPU";
}

const samples = 4; // a pixel

export interface Shaders { surface: GPUShaderModule; shadow: GPUShaderModule; sky: GPUShaderModule; particles: GPUShaderModule; smaller: GPUShaderModule; develop: GPUShaderModule }

// Screen is a device with the canvas that it draws on.
export class Screen {
  readonly format = "rgba16float"; // of what shaders write: light, which may be brighter than the screen
  // around is what only knows the frame: its layout and its group.
  readonly around: { layout: GPUBindGroupLayout; group: GPUBindGroup };
  readonly frame: GPUBuffer;
  private readonly developing: GPURenderPipeline;
  private targets?: { samples: GPUTexture; light: GPUTexture; depth: GPUTexture; group: GPUBindGroup };

  private constructor(
    readonly device: GPUDevice, readonly canvas: HTMLCanvasElement, private readonly context: GPUCanvasContext, format: GPUTextureFormat,
    readonly shaders: Shaders,
  ) {
    this.frame = device.createBuffer({ size: Frame.bytes, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
    const layout = device.createBindGroupLayout({
      entries: [{ binding: 0, visibility: GPUShaderStage.VERTEX | GPUShaderStage.FRAGMENT, buffer: { type: "uniform" } }],
    });
    this.around = { layout, group: device.createBindGroup({ layout, entries: [{ binding: 0, resource: { buffer: this.frame } }] }) };
    const light = device.createBindGroupLayout({ entries: [{ binding: 0, visibility: GPUShaderStage.FRAGMENT, texture: { sampleType: "unfilterable-float" } }] });
    this.developing = device.createRenderPipeline({
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout, light] }), vertex: { module: shaders.develop, entryPoint: "corner" },
      fragment: { module: shaders.develop, entryPoint: "develop", targets: [{ format }] },
    });
  }

  // open asks for a device and compiles the shaders. It throws NoWebGPU where the
  // browser has none, and an Error with file and line for a shader that is wrong.
  static async open(canvas: HTMLCanvasElement): Promise<Screen> {
    const gpu = (navigator as { gpu?: GPU }).gpu;
    if (!gpu) throw new NoWebGPU(isSecureContext ? "This browser has no WebGPU." : "WebGPU needs a page that came over HTTPS or from this machine.");
    const adapter = await gpu.requestAdapter();
    if (!adapter) throw new NoWebGPU("WebGPU finds no graphics device that it may use.");
    const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
    const device = await adapter.requestDevice({ requiredLimits: { maxBufferSize, maxStorageBufferBindingSize } });
    const context = canvas.getContext("webgpu");
    if (!context) {
      device.destroy();
      throw new NoWebGPU("The canvas is in use for something else than WebGPU.");
    }
    const plain = gpu.getPreferredCanvasFormat();
    context.configure({ device, format: plain, alphaMode: "opaque" });
    try {
      return new Screen(device, canvas, context, plain, await shaders(device));
    } catch (e) {
      context.unconfigure();
      device.destroy();
      throw e;
    }
  }

  // fit sets the size of the picture to that of the canvas on the page.
  fit(): boolean {
    const most = this.device.limits.maxTextureDimension2D, ratio = Math.min(devicePixelRatio || 1, 2);
    const side = (css: number, own: number) => Math.max(1, Math.min(most, css > 0 ? Math.round(css * ratio) : own));
    const width = side(this.canvas.clientWidth, this.canvas.width), height = side(this.canvas.clientHeight, this.canvas.height);
    if (this.targets && this.canvas.width === width && this.canvas.height === height) return false;
    this.canvas.width = width;
    this.canvas.height = height;
    this.forget();
    const made = (format: GPUTextureFormat, sampleCount: number, more = 0) =>
      this.device.createTexture({ size: [width, height], format, sampleCount, usage: GPUTextureUsage.RENDER_ATTACHMENT | more });
    const light = made(this.format, 1, GPUTextureUsage.TEXTURE_BINDING);
    this.targets = {
      samples: made(this.format, samples), light, depth: made("depth32float", samples),
      group: this.device.createBindGroup({ layout: this.developing.getBindGroupLayout(1), entries: [{ binding: 0, resource: light.createView() }] }),
    };
    return true;
  }

  // pass begins to draw the light of a picture.
  pass(commands: GPUCommandEncoder): GPURenderPassEncoder {
    if (!this.targets) this.fit();
    const t = this.targets!;
    return commands.beginRenderPass({
      colorAttachments: [{ view: t.samples.createView(), resolveTarget: t.light.createView(), clearValue: [0, 0, 0, 1], loadOp: "clear", storeOp: "discard" }],
      depthStencilAttachment: { view: t.depth.createView(), depthClearValue: 0, depthLoadOp: "clear", depthStoreOp: "discard" },
    });
  }

  // develop shows that light on the canvas.
  develop(commands: GPUCommandEncoder): void {
    const pass = commands.beginRenderPass({ colorAttachments: [{ view: this.context.getCurrentTexture().createView(), loadOp: "clear", storeOp: "store" }] });
    pass.setPipeline(this.developing);
    pass.setBindGroup(0, this.around.group);
    pass.setBindGroup(1, this.targets!.group);
    pass.draw(3);
    pass.end();
  }

  // state is what all pipelines of a picture have in common.
  get state() { return { multisample: { count: samples } } as const; }

  private forget(): void {
    for (const t of [this.targets?.samples, this.targets?.light, this.targets?.depth]) t?.destroy();
    this.targets = undefined;
  }

  // close gives everything back.
  close(): void {
    this.forget();
    this.frame.destroy();
    this.context.unconfigure();
    this.device.destroy();
  }
}

// shaders loads the files beside this one. A bundler knows them by their address.
async function shaders(device: GPUDevice): Promise<Shaders> {
  const [frame, surface, shadow, sky, particles, smaller, develop] = await Promise.all([
    text(new URL("./frame.wgsl", import.meta.url)), text(new URL("./surface.wgsl", import.meta.url)), text(new URL("./shadow.wgsl", import.meta.url)),
    text(new URL("./sky.wgsl", import.meta.url)), text(new URL("./particles.wgsl", import.meta.url)), text(new URL("./smaller.wgsl", import.meta.url)),
    text(new URL("./develop.wgsl", import.meta.url)),
  ]);
  return {
    surface: await compiled(device, "surface.wgsl", surface, frame), shadow: await compiled(device, "shadow.wgsl", shadow),
    sky: await compiled(device, "sky.wgsl", sky, frame), particles: await compiled(device, "particles.wgsl", particles, frame),
    smaller: await compiled(device, "smaller.wgsl", smaller), develop: await compiled(device, "develop.wgsl", develop, frame),
  };
}

async function text(url: URL): Promise<string> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url.pathname}: ${answer.status} ${answer.statusText}`);
  return answer.text();
}

// compiled is a shader that begins with the common part. What the compiler finds
// is an error with its place in the file.
async function compiled(device: GPUDevice, name: string, own: string, common = ""): Promise<GPUShaderModule> {
  const module = device.createShaderModule({ label: name, code: common + own });
  const lines = common.split("\n").length - 1;
  for (const m of (await module.getCompilationInfo()).messages) {
    const place = m.lineNum > lines ? `${name}:${m.lineNum - lines}` : `frame.wgsl:${m.lineNum}`;
    if (m.type === "error") throw new Error(`${place}:${m.linePos}: ${m.message}`);
    console.warn(`${place}:${m.linePos}: ${m.message}`);
  }
  return module;
}

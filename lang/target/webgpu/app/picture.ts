// Pictures on surfaces: those that came with the scene, and letters.
import type { Asset } from "./scene.js";

export class Pictures {
  readonly white: GPUTexture;
  readonly flat: GPUTexture; // a normal map of nothing
  private readonly sampler: GPUSampler;
  private readonly shrink = new Map<GPUTextureFormat, GPURenderPipeline>();
  private readonly made: GPUTexture[] = [];

  constructor(private readonly device: GPUDevice, private readonly shader: GPUShaderModule) {
    this.sampler = device.createSampler({ minFilter: "linear" });
    this.white = this.pixel([255, 255, 255, 255]);
    this.flat = this.pixel([128, 128, 255, 255]);
  }

  private pixel(value: number[]): GPUTexture {
    const t = this.device.createTexture({ size: [1, 1], format: "rgba8unorm", usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST });
    this.device.queue.writeTexture({ texture: t }, new Uint8Array(value), { bytesPerRow: 4 }, [1, 1]);
    this.made.push(t);
    return t;
  }

  // read is the picture of an asset, undefined when it did not come along or
  // cannot be read. colour says whether its bytes are sRGB.
  async read(asset: Asset | undefined, colour: boolean): Promise<GPUTexture | undefined> {
    if (!asset?.data || !asset.media_type) return undefined;
    const image = new Image();
    image.src = `data:${asset.media_type};base64,${asset.data}`;
    try {
      await image.decode();
    } catch {
      return undefined;
    }
    const most = this.device.limits.maxTextureDimension2D, width = image.naturalWidth, height = image.naturalHeight;
    if (width < 1 || height < 1 || width > most || height > most) return undefined;
    return this.of(image, width, height, colour);
  }

  // of makes a texture with its smaller copies.
  of(source: HTMLImageElement | HTMLCanvasElement, width: number, height: number, colour: boolean): GPUTexture {
    const format: GPUTextureFormat = colour ? "rgba8unorm-srgb" : "rgba8unorm", levels = 1 + Math.floor(Math.log2(Math.max(width, height)));
    const texture = this.device.createTexture({
      size: [width, height], format, mipLevelCount: levels,
      usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST | GPUTextureUsage.RENDER_ATTACHMENT,
    });
    this.device.queue.copyExternalImageToTexture({ source }, { texture }, [width, height]);
    const commands = this.device.createCommandEncoder();
    for (let level = 1; level < levels; level++) this.half(commands, texture, format, level);
    this.device.queue.submit([commands.finish()]);
    this.made.push(texture);
    return texture;
  }

  private half(commands: GPUCommandEncoder, texture: GPUTexture, format: GPUTextureFormat, level: number): void {
    let pipeline = this.shrink.get(format);
    if (!pipeline) {
      pipeline = this.device.createRenderPipeline({
        layout: "auto", vertex: { module: this.shader, entryPoint: "corner" }, fragment: { module: this.shader, entryPoint: "half_", targets: [{ format }] },
      });
      this.shrink.set(format, pipeline);
    }
    const view = (at: number) => texture.createView({ baseMipLevel: at, mipLevelCount: 1 });
    const pass = commands.beginRenderPass({ colorAttachments: [{ view: view(level), loadOp: "clear", storeOp: "store" }] });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, this.device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: this.sampler }, { binding: 1, resource: view(level - 1) }],
    }));
    pass.draw(3);
    pass.end();
  }

  // drop gives one picture back.
  drop(texture: GPUTexture): void {
    const i = this.made.indexOf(texture);
    if (i >= 0) this.made.splice(i, 1);
    texture.destroy();
  }

  dispose(): void { for (const t of this.made.splice(0)) t.destroy(); }
}

// Where the values of the structures of the shaders lie, in bytes. A vec3f is
// aligned to 16 bytes, as are the columns of a mat3x3f.
export const Frame = { clip: 0, eye: 64, right: 80, up: 96, back: 112, fog: 128, tone: 144, count: 160, sky: 176, bytes: 304 } as const;

export const Light = {
  colour: 0, kind: 12, place: 16, reach: 28, toLight: 32, outer: 44, ground: 48, inner: 60, shadow: 64, layer: 128, texel: 132, bytes: 144,
} as const;

export const Instance = { model: 0, normal: 64, colour: 112, glow: 128, surface: 144, bytes: 160 } as const;

export const Emitter = {
  model: 0, speed: 64, first: 80, last: 96, life: 112, shape: 128, born: 144, count: 148, seed: 152, bytes: 160,
} as const;

export const Point = { place: 0, size: 12, colour: 16, bytes: 32 } as const;

// Writer fills a block of a buffer before it goes to the device.
export class Writer {
  readonly data: ArrayBuffer;
  private readonly floats: Float32Array;
  private readonly words: Uint32Array;

  constructor(bytes: number) {
    this.data = new ArrayBuffer(bytes);
    this.floats = new Float32Array(this.data);
    this.words = new Uint32Array(this.data);
  }

  put(at: number, ...values: number[]): void { this.floats.set(values, at / 4); }
  all(at: number, values: ArrayLike<number>): void { this.floats.set(values, at / 4); }
  word(at: number, ...values: number[]): void { for (let i = 0; i < values.length; i++) this.words[at / 4 + i] = values[i] >>> 0; }
}

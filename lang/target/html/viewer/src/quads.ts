// Particles as small squares that face the eye, for libraries that draw triangles.
import type { Swarm } from "./particles.ts";
import { back, turn, type Quat, type Vec } from "./vector.ts";

const corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];

export class Quads {
  readonly positions: Float32Array;
  readonly colours: Float32Array; // linear, with alpha
  readonly uvs: Float32Array;
  readonly indices: number[] = [];

  constructor(private readonly swarm: Swarm) {
    const n = swarm.count * 4;
    this.positions = new Float32Array(n * 3);
    this.colours = new Float32Array(n * 4);
    this.uvs = new Float32Array(n * 2);
    for (let i = 0; i < swarm.count; i++) {
      this.indices.push(...[0, 1, 2, 0, 2, 3].map((k) => i * 4 + k));
      corners.forEach(([x, y], k) => this.uvs.set([x + 0.5, y + 0.5], (i * 4 + k) * 2));
    }
  }

  // face turns the squares towards an eye: both rotations are in the scene, the
  // scale is that of where the particles are.
  face(eye: Quat, here: Quat, scale: Vec): void {
    const axis = (v: Vec) => turn(back(here), turn(eye, v)), right = axis([1, 0, 0]), up = axis([0, 1, 0]);
    const { places, colours, sizes, count } = this.swarm;
    for (let i = 0; i < count; i++) {
      for (let c = 0; c < 4; c++) {
        const at = i * 4 + c, [x, y] = corners[c];
        for (let k = 0; k < 3; k++) this.positions[at * 3 + k] = places[i * 3 + k] + (sizes[i] * (right[k] * x + up[k] * y)) / (scale[k] || 1);
        for (let k = 0; k < 4; k++) this.colours[at * 4 + k] = colours[i * 4 + k];
      }
    }
  }
}

// spot is the picture of one particle: white, round, and soft at its rim.
export function spot(size = 32): Uint8Array {
  const out = new Uint8Array(size * size * 4).fill(255);
  for (let i = 0; i < size * size; i++) {
    const x = ((i % size) + 0.5) / size - 0.5, y = (Math.floor(i / size) + 0.5) / size - 0.5;
    const u = Math.min(Math.max((0.5 - Math.sqrt(x * x + y * y)) / 0.3, 0), 1);
    out[i * 4 + 3] = Math.round(u * u * (3 - 2 * u) * 255);
  }
  return out;
}

// The triangles of the solids, made in the same way and with the same number of
// corners as the compiler makes them.
import type { Geometry, Vec } from "./scene.ts";
import { cross, length, mul, sub } from "./vector.ts";

// Solid is a mesh of triangles, counter-clockwise seen from outside.
export interface Solid { positions: number[]; normals: number[]; uvs: number[]; indices: number[] }

class Mesh implements Solid {
  positions: number[] = [];
  normals: number[] = [];
  uvs: number[] = [];
  indices: number[] = [];

  add(p: Vec, n: Vec, u: number, v: number): number {
    this.positions.push(...p);
    this.normals.push(...n);
    this.uvs.push(u, v);
    return this.positions.length / 3 - 1;
  }

  // flat adds a four-sided face whose corners go around counter-clockwise.
  flat(...c: [Vec, Vec, Vec, Vec]): void {
    const n = normal(c[0], c[1], c[2]);
    const uv = [[0, 0], [1, 0], [1, 1], [0, 1]];
    const i = c.map((p, k) => this.add(p, n, uv[k][0], uv[k][1]));
    this.indices.push(i[0], i[1], i[2], i[0], i[2], i[3]);
  }

  triangle(a: Vec, b: Vec, c: Vec): void {
    const n = normal(a, b, c);
    this.indices.push(this.add(a, n, 0, 0), this.add(b, n, 1, 0), this.add(c, n, 0.5, 1));
  }

  // turn sweeps a profile, given from the bottom up, around the Y axis.
  turn(profile: Point[], around: number): void {
    const base = this.positions.length / 3;
    for (let i = 0; i <= around; i++) {
      const a = (2 * Math.PI * (i % around)) / around;
      const s = Math.sin(a), c = Math.cos(a);
      for (const p of profile) {
        this.add([p.r * s, p.y, p.r * c], [p.nr * s, p.ny, p.nr * c], i / around, p.v);
      }
    }
    const n = profile.length;
    for (let i = 0; i < around; i++) {
      for (let j = 0; j < n - 1; j++) {
        const a = base + i * n + j, b = base + (i + 1) * n + j;
        const lower = profile[j], upper = profile[j + 1];
        if (lower.r === upper.r && lower.y === upper.y) continue;
        if (lower.r > 0) this.indices.push(a, b, b + 1);
        if (upper.r > 0) this.indices.push(a, b + 1, a + 1);
      }
    }
  }

  // stretched is the mesh longer along the axes, its normals still upright.
  stretched(by: Vec): this {
    for (let i = 0; i < this.positions.length; i += 3) {
      const n = unit([this.normals[i] / (by[0] || 1), this.normals[i + 1] / (by[1] || 1), this.normals[i + 2] / (by[2] || 1)]);
      for (let k = 0; k < 3; k++) {
        this.positions[i + k] *= by[k];
        this.normals[i + k] = n[k];
      }
    }
    return this;
  }
}

interface Point { r: number; y: number; nr: number; ny: number; v: number }

function unit(v: Vec): Vec { return mul(v, 1 / (length(v) || 1)); }

function normal(a: Vec, b: Vec, c: Vec): Vec { return unit(cross(sub(b, a), sub(c, a))); }

function box(m: Mesh, [w, h, d]: Vec): void {
  const at = (i: number, j: number, k: number): Vec => [(i - 0.5) * w, (j - 0.5) * h, (k - 0.5) * d];
  m.flat(at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1));
  m.flat(at(1, 0, 0), at(0, 0, 0), at(0, 1, 0), at(1, 1, 0));
  m.flat(at(1, 0, 1), at(1, 0, 0), at(1, 1, 0), at(1, 1, 1));
  m.flat(at(0, 0, 0), at(0, 0, 1), at(0, 1, 1), at(0, 1, 0));
  m.flat(at(0, 1, 1), at(1, 1, 1), at(1, 1, 0), at(0, 1, 0));
  m.flat(at(0, 0, 0), at(1, 0, 0), at(1, 0, 1), at(0, 0, 1));
}

// arc is a half circle from the bottom to the top pole, cut in the middle when
// the halves stand apart.
function arc(r: number, below: number, above: number, rings: number): Point[] {
  const out: Point[] = [];
  for (let i = 0; i <= rings; i++) {
    const a = (Math.PI * i) / rings;
    const s = i === 0 || i === rings ? 0 : Math.sin(a), c = Math.cos(a);
    const p = { r: r * s, y: -r * c, nr: s, ny: -c, v: i / rings };
    if (2 * i < rings) out.push({ ...p, y: p.y + below });
    else if (2 * i > rings) out.push({ ...p, y: p.y + above });
    else {
      out.push({ ...p, y: below });
      if (below !== above) out.push({ ...p, y: above });
    }
  }
  return out;
}

function cylinder(m: Mesh, bottom: number, top: number, h: number, around: number): void {
  const n = Math.hypot(h, bottom - top);
  const nr = h / n, ny = (bottom - top) / n;
  const profile: Point[] = [
    { r: 0, y: -h / 2, nr: 0, ny: -1, v: 0.5 }, { r: bottom, y: -h / 2, nr: 0, ny: -1, v: 0 },
    { r: bottom, y: -h / 2, nr, ny, v: 0 }, { r: top, y: h / 2, nr, ny, v: 1 },
  ];
  if (top > 0) profile.push({ r: top, y: h / 2, nr: 0, ny: 1, v: 1 }, { r: 0, y: h / 2, nr: 0, ny: 1, v: 0.5 });
  m.turn(profile, around);
}

function lathe(m: Mesh, rings: [number, number][], n: number, turn: number): void {
  const at = ([y, r]: [number, number], i: number): Vec => {
    const a = turn + (2 * Math.PI * (i % n)) / n;
    return [r * Math.sin(a), y, r * Math.cos(a)];
  };
  for (let k = 0; k + 1 < rings.length; k++) {
    const lo = rings[k], hi = rings[k + 1];
    for (let i = 0; i < n; i++) {
      const a = at(lo, i), b = at(lo, i + 1), c = at(hi, i + 1), d = at(hi, i);
      if (lo[1] > 0) m.triangle(a, b, c);
      if (hi[1] > 0) m.triangle(a, c, d);
    }
  }
}

function extrude(m: Mesh, outline: [number, number][], middle: [number, number]): void {
  outline.forEach((p, i) => {
    const q = outline[(i + 1) % outline.length];
    const at = ([x, y]: [number, number], z: number): Vec => [x, y, z];
    const pf = at(p, 0.5), qf = at(q, 0.5), pb = at(p, -0.5), qb = at(q, -0.5);
    m.triangle(at(middle, 0.5), pf, qf);
    m.triangle(at(middle, -0.5), qb, pb);
    m.triangle(pf, pb, qb);
    m.triangle(pf, qb, qf);
  });
}

function around(n: number, at: (i: number) => [number, number]): [number, number][] {
  return Array.from({ length: n }, (_, i) => at(i));
}

// figure is a decorative solid in a box of one metre.
function figure(m: Mesh, kind: string): void {
  switch (kind) {
    case "pyramid": return lathe(m, [[-0.5, 0], [-0.5, Math.SQRT1_2], [0.5, 0]], 4, Math.PI / 4);
    case "crystal": return lathe(m, [[-0.5, 0], [-0.1, 0.5], [0.5, 0]], 6, 0);
    case "gem": return lathe(m, [[-0.5, 0], [0.15, 0.5], [0.5, 0.3], [0.5, 0]], 8, 0);
    case "wedge": return extrude(m, [[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5]], [-0.2, -0.2]);
    case "arrow":
      return extrude(m, [[-0.5, -0.15], [0.1, -0.15], [0.1, -0.4], [0.5, 0], [0.1, 0.4], [0.1, 0.15], [-0.5, 0.15]], [0.12, 0]);
    case "gear":
      return extrude(m, around(48, (i) => {
        const r = i % 4 > 1 ? 0.38 : 0.5, a = (2 * Math.PI * i) / 48;
        return [r * Math.cos(a), r * Math.sin(a)];
      }), [0, 0]);
    case "heart":
      return extrude(m, around(32, (i) => {
        const t = (-2 * Math.PI * i) / 32;
        const y = 13 * Math.cos(t) - 5 * Math.cos(2 * t) - 2 * Math.cos(3 * t) - Math.cos(4 * t);
        return [(16 * Math.sin(t) ** 3) / 34, (y + 2.5) / 34];
      }), [0, 0.05]);
    default:
      return extrude(m, around(10, (i) => {
        const r = i % 2 === 1 ? 0.2 : 0.5, a = (Math.PI * i) / 5;
        return [-r * Math.sin(a), r * Math.cos(a)];
      }), [0, 0]);
  }
}

// solid makes the mesh of a geometry that is no model file.
export function solid(g: Geometry): Solid {
  const m = new Mesh();
  const size: Vec = g.size ?? [1, 1, 1];
  const segments = g.segments?.[0] ?? 32, sides = g.segments?.[1] ?? 16;
  const r = g.radius ?? 0, h = g.height ?? 0, tube = g.tube ?? 0;
  switch (g.kind) {
    case "box":
      box(m, size);
      break;
    case "plane": {
      const x = size[0] / 2, z = size[2] / 2;
      m.flat([-x, 0, z], [x, 0, z], [x, 0, -z], [-x, 0, -z]);
      break;
    }
    case "sphere":
      m.turn(arc(r, 0, 0, Math.max(2, segments >> 1)), segments);
      break;
    case "capsule": {
      const half = Math.max(h / 2 - r, 0);
      let rings = Math.max(2, segments >> 1);
      rings += rings % 2;
      m.turn(arc(r, -half, half, rings), segments);
      break;
    }
    case "cylinder":
      cylinder(m, r, r, h, segments);
      break;
    case "cone":
      cylinder(m, r, 0, h, segments);
      break;
    case "torus": {
      const profile = Array.from({ length: sides + 1 }, (_, i): Point => {
        const a = (2 * Math.PI * (i % sides)) / sides;
        return { r: r + tube * Math.cos(a), y: tube * Math.sin(a), nr: Math.cos(a), ny: Math.sin(a), v: i / sides };
      });
      m.turn(profile, segments);
      break;
    }
    case "ring":
    case "disc": {
      const inner = g.kind === "ring" ? Math.min(r - tube, r * 0.999) : 0;
      m.turn([{ r, y: 0, nr: 0, ny: 1, v: 0 }, { r: inner, y: 0, nr: 0, ny: 1, v: 1 }], segments);
      break;
    }
    default:
      figure(m, g.kind);
      return m.stretched(size);
  }
  return g.stretch ? m.stretched(g.stretch) : m;
}

// turned is a solid whose faces show their other side.
export function turned(s: Solid): Solid {
  const indices = [...s.indices];
  for (let i = 0; i + 2 < indices.length; i += 3) [indices[i + 1], indices[i + 2]] = [indices[i + 2], indices[i + 1]];
  return { ...s, normals: s.normals.map((v) => -v), indices };
}

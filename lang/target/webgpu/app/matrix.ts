// Places, directions and 4×4 matrices as plain numbers, column by column.
import type { Quat, Vec } from "./scene.js";

export type Mat = number[];

export function add(a: Vec, b: Vec): Vec { return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]; }
export function sub(a: Vec, b: Vec): Vec { return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]; }
export function scale(a: Vec, s: number): Vec { return [a[0] * s, a[1] * s, a[2] * s]; }
export function dot(a: Vec, b: Vec): number { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
export function cross(a: Vec, b: Vec): Vec { return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]; }

// unit is a direction of length 1; of nothing it is another one.
export function unit(a: Vec, other: Vec = [0, 0, 1]): Vec {
  const n = Math.hypot(...a);
  return n > 0 ? scale(a, 1 / n) : other;
}

// placed is the matrix of a place, a rotation and a size.
export function placed(t: Vec, [x, y, z, w]: Quat, s: Vec): Mat {
  return [
    (1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y + z * w) * s[0], 2 * (x * z - y * w) * s[0], 0,
    2 * (x * y - z * w) * s[1], (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z + x * w) * s[1], 0,
    2 * (x * z + y * w) * s[2], 2 * (y * z - x * w) * s[2], (1 - 2 * (x * x + y * y)) * s[2], 0,
    t[0], t[1], t[2], 1,
  ];
}

// product is b followed by a.
export function product(a: Mat, b: Mat): Mat {
  const out: Mat = new Array(16).fill(0);
  for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) for (let k = 0; k < 4; k++) out[c * 4 + r] += a[k * 4 + r] * b[c * 4 + k];
  return out;
}

export function column(m: Mat, i: number): Vec { return [m[i * 4], m[i * 4 + 1], m[i * 4 + 2]]; }

export function point(m: Mat, p: Vec): Vec {
  return add(add(scale(column(m, 0), p[0]), scale(column(m, 1), p[1])), add(scale(column(m, 2), p[2]), column(m, 3)));
}

// mirrored says whether a matrix turns triangles around.
export function mirrored(m: Mat): boolean { return dot(column(m, 0), cross(column(m, 1), column(m, 2))) < 0; }

// normals are the three columns that turn normals, whatever their length.
export function normals(m: Mat): [Vec, Vec, Vec] {
  const a = column(m, 0), b = column(m, 1), c = column(m, 2), sign = mirrored(m) ? -1 : 1;
  return [scale(cross(b, c), sign), scale(cross(c, a), sign), scale(cross(a, b), sign)];
}

// View is an eye: where it is and its three directions of length 1.
export interface View { at: Vec; right: Vec; up: Vec; back: Vec }

// viewed is the view from a place into a direction.
export function viewed(at: Vec, ahead: Vec, above: Vec = [0, 1, 0]): View {
  const back = unit(scale(ahead, -1));
  let right = cross(above, back);
  if (Math.hypot(...right) < 1e-6) right = cross(Math.abs(back[1]) > 0.9 ? [0, 0, -Math.sign(back[1])] : [0, 1, 0], back);
  right = unit(right, [1, 0, 0]);
  return { at, right, up: cross(back, right), back };
}

// looking brings the world before a view: x right, y up, z behind.
export function looking({ at, right, up, back }: View): Mat {
  return [
    right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0, -dot(right, at), -dot(up, at), -dot(back, at), 1,
  ];
}

// perspective is the clip space of a pyramid: its half sides at one metre, and
// the depth that near and far get.
export function perspective(x: number, y: number, near: number, far: number, atNear: number, atFar: number): Mat {
  // depth = (a·z + b) / -z is atNear where z = -near and atFar where z = -far.
  const b = ((atNear - atFar) * near * far) / (far - near), a = -(atNear - b / near);
  return [1 / x, 0, 0, 0, 0, 1 / y, 0, 0, 0, 0, a, -1, 0, 0, b, 0];
}

// parallel is the clip space of a box before a view.
export function parallel(left: number, right: number, bottom: number, top: number, near: number, far: number, atNear: number, atFar: number): Mat {
  const a = (atNear - atFar) / (far - near), w = right - left, h = top - bottom;
  return [2 / w, 0, 0, 0, 0, 2 / h, 0, 0, 0, 0, a, 0, -(right + left) / w, -(top + bottom) / h, atNear + a * near, 1];
}

// corners are the eight corners of a box, moved by a matrix.
export function corners(m: Mat, low: Vec, high: Vec): Vec[] {
  return Array.from({ length: 8 }, (_, i) => point(m, [i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]]));
}

// Box is a range of places. It is empty while its low is above its high.
export class Box {
  readonly low: Vec = [Infinity, Infinity, Infinity];
  readonly high: Vec = [-Infinity, -Infinity, -Infinity];

  add(p: Vec): void {
    for (let k = 0; k < 3; k++) {
      this.low[k] = Math.min(this.low[k], p[k]);
      this.high[k] = Math.max(this.high[k], p[k]);
    }
  }

  get empty(): boolean { return this.low[0] > this.high[0]; }
}

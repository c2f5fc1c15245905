// Vectors and rotations as plain numbers, with exact operations only.
export type Vec = [number, number, number];
export type Quat = [number, number, number, number];

export function add(a: Vec, b: Vec): Vec { return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]; }
export function sub(a: Vec, b: Vec): Vec { return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]; }
export function mul(a: Vec, s: number): Vec { return [a[0] * s, a[1] * s, a[2] * s]; }
export function dot(a: Vec, b: Vec): number { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
export function length(a: Vec): number { return Math.sqrt(dot(a, a)); }

export function cross(a: Vec, b: Vec): Vec {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

// product is the rotation b followed by a.
export function product(a: Quat, b: Quat): Quat {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

// turn rotates a vector.
export function turn(q: Quat, v: Vec): Vec {
  const u: Vec = [q[0], q[1], q[2]];
  const t = mul(cross(u, v), 2);
  return add(add(v, mul(t, q[3])), cross(u, t));
}

// spin is a rotation after a time of turning; its length is not quite 1.
export function spin(q: Quat, w: Vec, dt: number): Quat {
  const d = product([w[0], w[1], w[2], 0], q), h = dt / 2;
  return [q[0] + d[0] * h, q[1] + d[1] * h, q[2] + d[2] * h, q[3] + d[3] * h];
}

// slerp is a rotation on the shorter way between two.
export function slerp(a: Quat, b: Quat, u: number): Quat {
  let c = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], from = 1 - u, to = u;
  const sign = c < 0 ? -1 : 1;
  c *= sign;
  if (c < 0.9995) {
    const angle = Math.acos(c), sin = Math.sin(angle);
    from = Math.sin(from * angle) / sin;
    to = Math.sin(to * angle) / sin;
  }
  to *= sign;
  const q: Quat = [a[0] * from + b[0] * to, a[1] * from + b[1] * to, a[2] * from + b[2] * to, a[3] * from + b[3] * to];
  const n = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) || 1;
  return [q[0] / n, q[1] / n, q[2] / n, q[3] / n];
}

// toward is the rotation that looks along -Z from one point at another, upright.
export function toward(from: Vec, to: Vec): Quat {
  const unit = (v: Vec, otherwise: Vec): Vec => (length(v) > 1e-9 ? mul(v, 1 / length(v)) : otherwise);
  const z = unit(sub(from, to), [0, 0, 1]);
  const x = unit(cross([0, 1, 0], z), [1, 0, 0]), y = cross(z, x); // straight up and down X stays
  const trace = x[0] + y[1] + z[2];
  let q: Quat;
  if (trace > 0) {
    const s = 0.5 / Math.sqrt(trace + 1);
    q = [(y[2] - z[1]) * s, (z[0] - x[2]) * s, (x[1] - y[0]) * s, 0.25 / s];
  } else if (x[0] > y[1] && x[0] > z[2]) {
    const s = 2 * Math.sqrt(1 + x[0] - y[1] - z[2]);
    q = [0.25 * s, (y[0] + x[1]) / s, (z[0] + x[2]) / s, (y[2] - z[1]) / s];
  } else if (y[1] > z[2]) {
    const s = 2 * Math.sqrt(1 + y[1] - x[0] - z[2]);
    q = [(y[0] + x[1]) / s, 0.25 * s, (z[1] + y[2]) / s, (z[0] - x[2]) / s];
  } else {
    const s = 2 * Math.sqrt(1 + z[2] - x[0] - y[1]);
    q = [(z[0] + x[2]) / s, (z[1] + y[2]) / s, 0.25 * s, (x[1] - y[0]) / s];
  }
  return q;
}

// back undoes a rotation.
export function back(q: Quat): Quat { return [-q[0], -q[1], -q[2], q[3]]; }

// sine of an angle in degrees, by a polynomial: the library's own may differ
// from machine to machine in its last digit.
export function sine(degrees: number): number {
  let x = degrees % 360;
  if (x < 0) x += 360;
  if (x > 180) return -sine(x - 180);
  if (x > 90) x = 180 - x;
  const u = (x * Math.PI) / 180, s = u * u;
  let sum = 0;
  for (let k = 19; k >= 3; k -= 2) sum = (-s / (k * (k - 1))) * (1 + sum);
  return u * (1 + sum);
}

// euler is the rotation Rx·Ry·Rz of angles in degrees.
export function euler(degrees: Vec): Quat {
  let out: Quat = [0, 0, 0, 1];
  for (let k = 0; k < 3; k++) {
    const q: Quat = [0, 0, 0, sine(degrees[k] / 2 + 90)];
    q[k] = sine(degrees[k] / 2);
    out = product(out, q);
  }
  return out;
}

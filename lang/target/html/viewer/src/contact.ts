// Where two shapes touch.
import type { Body } from "./solver.ts";
import { add, cross, dot, length, mul, sub, type Vec } from "./vector.ts";

// Contact is a point where two bodies overlap by depth; the normal goes from a to b.
export interface Contact { a: Body; b: Body; point: Vec; normal: Vec; depth: number }

export function collide(a: Body, b: Body): Contact[] {
  if (a.shape === "box" && b.shape === "box") return boxes(a, b);
  if (a.shape === "box") return roundOnBox(b, a).map(reversed);
  if (b.shape === "box") return roundOnBox(a, b);
  return rounds(a, b);
}

function reversed(c: Contact): Contact { return { ...c, a: c.b, b: c.a, normal: mul(c.normal, -1) }; }

// segment is the middle line of a round body; of a sphere it is its centre.
function segment(b: Body): [Vec, Vec] {
  if (b.shape === "sphere") return [b.p, b.p];
  const up = mul(b.axes[1], b.half[1]);
  return [sub(b.p, up), add(b.p, up)];
}

// rounds are two spheres or capsules: as balls at the nearest points of their lines.
function rounds(a: Body, b: Body): Contact[] {
  const [p, q] = nearest(segment(a), segment(b));
  const d = sub(q, p), n = length(d), depth = a.radius + b.radius - n;
  if (depth <= 0) return [];
  const normal: Vec = n > 1e-9 ? mul(d, 1 / n) : [0, 1, 0];
  return [{ a, b, normal, depth, point: add(p, mul(normal, a.radius - depth / 2)) }];
}

// nearest are the points of two lines that are closest together.
function nearest([p1, q1]: [Vec, Vec], [p2, q2]: [Vec, Vec]): [Vec, Vec] {
  const d1 = sub(q1, p1), d2 = sub(q2, p2), r = sub(p1, p2);
  const a = dot(d1, d1), e = dot(d2, d2), f = dot(d2, r), c = dot(d1, r), b = dot(d1, d2);
  let s = 0, t = 0;
  if (a > 1e-12) {
    const k = a * e - b * b;
    s = e > 1e-12 && k > 1e-9 * a * e ? clamp((b * f - c * e) / k, 0, 1) : clamp(-c / a, 0, 1);
  }
  if (e > 1e-12) {
    t = clamp((b * s + f) / e, 0, 1);
    if (a > 1e-12) s = clamp((b * t - c) / a, 0, 1);
  }
  return [add(p1, mul(d1, s)), add(p2, mul(d2, t))];
}

// roundOnBox is a sphere or capsule on a box: as balls at both ends of its line
// and at the point between that is nearest to the box.
function roundOnBox(a: Body, box: Body): Contact[] {
  const [p, q] = segment(a);
  if (a.shape === "sphere") return ball(a, box, p);
  const out = [...ball(a, box, p), ...ball(a, box, q)];
  const d = sub(q, p), long = dot(d, d);
  if (long < 1e-12) return out.slice(0, 1);
  let s = 0.5;
  for (let k = 0; k < 6; k++) s = clamp(dot(sub(inBox(box, add(p, mul(d, s))), p), d) / long, 0, 1);
  if (s > 0.05 && s < 0.95) out.push(...ball(a, box, add(p, mul(d, s))));
  return out;
}

// inBox is the point of a box that is nearest to a point.
function inBox(box: Body, at: Vec): Vec {
  const d = sub(at, box.p);
  let out = box.p;
  for (let k = 0; k < 3; k++) out = add(out, mul(box.axes[k], clamp(dot(d, box.axes[k]), -box.half[k], box.half[k])));
  return out;
}

function ball(a: Body, box: Body, at: Vec): Contact[] {
  const on = inBox(box, at), d = sub(on, at), n = length(d);
  if (n >= a.radius) return [];
  if (n > 1e-9) return [{ a, b: box, point: on, normal: mul(d, 1 / n), depth: a.radius - n }];
  const from = sub(at, box.p); // inside: out through the nearest face
  let face = 0, least = Infinity, sign = 1;
  for (let k = 0; k < 3; k++) {
    const x = dot(from, box.axes[k]), out = box.half[k] - Math.abs(x);
    if (out < least) [least, face, sign] = [out, k, x < 0 ? -1 : 1];
  }
  return [{ a, b: box, point: at, normal: mul(box.axes[face], -sign), depth: a.radius + least }];
}

// boxes looks for a direction in which two boxes stand apart. Without one they
// overlap least in some direction: along the face of a box, where the nearest
// face of the other is cut to it, or between two edges.
function boxes(a: Body, b: Body): Contact[] {
  const d = sub(b.p, a.p);
  let best = Infinity, normal: Vec = [0, 1, 0], kind = -1;
  const reach = (o: Body, n: Vec) => {
    let r = 0;
    for (let k = 0; k < 3; k++) r += Math.abs(dot(o.axes[k], n)) * o.half[k];
    return r;
  };
  const apart = (n: Vec, which: number, worse: number): boolean => {
    const far = dot(d, n), over = reach(a, n) + reach(b, n) - Math.abs(far);
    if (over < 0) return true;
    if (over * worse + (worse > 1 ? 0.001 : 0) < best) [best, normal, kind] = [over * worse, far < 0 ? mul(n, -1) : n, which];
    return false;
  };
  for (let k = 0; k < 3; k++) if (apart(a.axes[k], k, 1)) return [];
  for (let k = 0; k < 3; k++) if (apart(b.axes[k], 3 + k, 1.0001)) return [];
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) {
      const n = cross(a.axes[i], b.axes[k]), size = length(n);
      if (size > 1e-4 && apart(mul(n, 1 / size), 6 + i * 3 + k, 1.05)) return [];
    }
  }
  if (kind >= 6) return edges(a, b, normal, (kind - 6) / 3 | 0, (kind - 6) % 3);
  return kind < 3 ? faces(a, b, kind, normal) : faces(b, a, kind - 3, mul(normal, -1)).map(reversed);
}

function edges(a: Body, b: Body, normal: Vec, i: number, k: number): Contact[] {
  const line = (o: Body, axis: number, towards: number): [Vec, Vec] => {
    let middle = o.p;
    for (let m = 0; m < 3; m++) {
      if (m !== axis) middle = add(middle, mul(o.axes[m], o.half[m] * (dot(o.axes[m], normal) * towards < 0 ? -1 : 1)));
    }
    const along = mul(o.axes[axis], o.half[axis]);
    return [sub(middle, along), add(middle, along)];
  };
  const [p, q] = nearest(line(a, i, 1), line(b, k, -1));
  const depth = dot(sub(p, q), normal);
  return depth > 0 ? [{ a, b, normal, depth, point: mul(add(p, q), 0.5) }] : [];
}

// faces cuts the face of b that looks most against the normal to the face of a.
function faces(a: Body, b: Body, axis: number, normal: Vec): Contact[] {
  let other = 0, most = -1;
  for (let k = 0; k < 3; k++) {
    const x = Math.abs(dot(b.axes[k], normal));
    if (x > most + 1e-9) [most, other] = [x, k];
  }
  const side = dot(b.axes[other], normal) > 0 ? -1 : 1;
  const u = (other + 1) % 3, v = (other + 2) % 3;
  const middle = add(b.p, mul(b.axes[other], side * b.half[other]));
  let shape: Vec[] = [[1, 1], [-1, 1], [-1, -1], [1, -1]].map(([x, y]) => add(middle, add(mul(b.axes[u], x * b.half[u]), mul(b.axes[v], y * b.half[v]))));
  for (const m of [(axis + 1) % 3, (axis + 2) % 3]) {
    for (const sign of [1, -1]) shape = cut(shape, mul(a.axes[m], sign), dot(a.p, a.axes[m]) * sign + a.half[m]);
  }
  const level = dot(a.p, normal) + a.half[axis];
  const out: Contact[] = [];
  for (const point of shape) {
    const depth = level - dot(point, normal);
    if (depth > 0) out.push({ a, b, normal, depth, point: add(point, mul(normal, depth / 2)) });
  }
  return out;
}

// cut keeps what lies below a plane.
function cut(shape: Vec[], n: Vec, level: number): Vec[] {
  const out: Vec[] = [];
  shape.forEach((p, i) => {
    const q = shape[(i + 1) % shape.length], x = dot(p, n) - level, y = dot(q, n) - level;
    if (x <= 0) out.push(p);
    if (x < 0 !== y < 0 && x !== y && x !== 0 && y !== 0) out.push(add(p, mul(sub(q, p), x / (x - y))));
  });
  return out;
}

function clamp(x: number, low: number, high: number): number { return Math.min(Math.max(x, low), high); }

// What rays meet among the entities of PlayCanvas, which looks only at pictures
// for that: the triangles of what is shown are tried one by one.
import { BoundingSphere, Entity, Mat4, Ray as Line, Vec3, type GraphNode, type Mesh } from "playcanvas";
import type { Hit, Ray } from "../pointer.ts";
import type { Running } from "../running.ts";
import { add, cross, dot, length, mul, sub, type Vec } from "../vector.ts";
import type { Built } from "./build.ts";

type Triangles = { positions: ArrayLike<number>; indices: ArrayLike<number> };

export class Picker {
  private readonly read = new WeakMap<Mesh, Triangles>();

  constructor(private readonly stage: Running, private readonly built: Built) {}

  // hit is the first thing that a ray meets.
  hit(ray: Ray): Hit | undefined {
    const line = new Line(vec(ray.from), vec(ray.ahead)), ball = new BoundingSphere(), back = new Mat4();
    let best: Hit | undefined;
    this.built.root.forEach((part) => {
      if (!(part instanceof Entity) || !part.enabled || !part.render || part.tags.has("sky") || part.tags.has("particles")) return;
      const node = this.nodeOf(part);
      if (node === undefined) return;
      for (const m of part.render.meshInstances) {
        ball.center.copy(m.aabb.center);
        ball.radius = m.aabb.halfExtents.length();
        if (!m.mesh || !ball.intersectsRay(line)) continue;
        back.copy(m.node.getWorldTransform()).invert();
        const from = plain(back.transformPoint(line.origin)), ahead = plain(back.transformVector(line.direction));
        const way = nearest(this.triangles(m.mesh), from, ahead);
        if (way === undefined) continue;
        const point = plain(m.node.getWorldTransform().transformPoint(vec(add(from, mul(ahead, way))))), distance = length(sub(point, ray.from));
        if (!best || distance < best.distance) best = { node, point, distance };
      }
    });
    if (best) best.grab = this.stage.nearest(best.node, "grab");
    return best;
  }

  private nodeOf(part: Entity): string | undefined {
    for (let o: GraphNode | null = part; o; o = o.parent) {
      const id = o instanceof Entity ? this.built.ids.get(o) : undefined;
      if (id !== undefined) return id;
    }
    return undefined;
  }

  private triangles(mesh: Mesh): Triangles {
    const known = this.built.solids.get(mesh) ?? this.read.get(mesh);
    if (known) return known;
    const positions: number[] = [], indices: number[] = [];
    mesh.getPositions(positions);
    mesh.getIndices(indices);
    const out = { positions, indices: indices.length > 0 ? indices : positions.slice(0, positions.length / 3).map((_, i) => i) };
    this.read.set(mesh, out);
    return out;
  }
}

function vec(v: Vec): Vec3 { return new Vec3(v[0], v[1], v[2]); }

function plain(v: Vec3): Vec { return [v.x, v.y, v.z]; }

// nearest is how far along a ray the first triangle is, in lengths of ahead.
function nearest({ positions: p, indices }: Triangles, from: Vec, ahead: Vec): number | undefined {
  let best: number | undefined;
  const corner = (i: number): Vec => [p[indices[i] * 3], p[indices[i] * 3 + 1], p[indices[i] * 3 + 2]];
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const a = corner(i), e1 = sub(corner(i + 1), a), e2 = sub(corner(i + 2), a), h = cross(ahead, e2), det = dot(e1, h);
    if (Math.abs(det) < 1e-12) continue;
    const s = sub(from, a), u = dot(s, h) / det, q = cross(s, e1), v = dot(ahead, q) / det, way = dot(e2, q) / det;
    if (u >= 0 && v >= 0 && u + v <= 1 && way > 1e-6 && (best === undefined || way < best)) best = way;
  }
  return best;
}

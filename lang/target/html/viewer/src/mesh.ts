// Meshes for the 3D library.
import { BufferGeometry, Float32BufferAttribute } from "three";
import type { Solid } from "./shape.ts";

export function geometry(s: Solid): BufferGeometry {
  const g = new BufferGeometry();
  g.setAttribute("position", new Float32BufferAttribute(s.positions, 3));
  g.setAttribute("normal", new Float32BufferAttribute(s.normals, 3));
  g.setAttribute("uv", new Float32BufferAttribute(s.uvs, 2));
  g.setIndex(s.indices);
  return g;
}

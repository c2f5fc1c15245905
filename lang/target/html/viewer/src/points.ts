// Particles as points of the 3D library.
import { AdditiveBlending, BufferAttribute, BufferGeometry, NormalBlending, Object3D, Points, PointsMaterial } from "three";
import type { Swarm } from "./particles.ts";
import type { Shown } from "./running.ts";

// points shows a swarm below an object.
export function points(swarm: Swarm, parent: Object3D): Shown {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(swarm.places, 3));
  geometry.setAttribute("color", new BufferAttribute(swarm.colours, 4));
  geometry.setAttribute("grow", new BufferAttribute(swarm.sizes, 1));
  const material = round(new PointsMaterial({
    size: 1, vertexColors: true, transparent: true, depthWrite: false, toneMapped: false, blending: swarm.adds ? AdditiveBlending : NormalBlending,
  }));
  const object = new Points(geometry, material);
  object.frustumCulled = false;
  object.raycast = () => {};
  parent.add(object);
  return {
    update() { for (const a of Object.values(geometry.attributes)) a.needsUpdate = true; },
    dispose() {
      object.removeFromParent();
      geometry.dispose();
      material.dispose();
    },
  };
}

// round makes points round and each of its own size.
function round(m: PointsMaterial): PointsMaterial {
  m.onBeforeCompile = (shader) => {
    shader.vertexShader = "attribute float grow;\n" + shader.vertexShader.replace(/gl_PointSize\s*=\s*size;/, "gl_PointSize = size * grow * projectionMatrix[1][1];");
    shader.fragmentShader = shader.fragmentShader.replace("#include <color_fragment>",
      "#include <color_fragment>\ndiffuseColor.a *= smoothstep( 0.5, 0.2, length( gl_PointCoord - 0.5 ) );");
  };
  return m;
}

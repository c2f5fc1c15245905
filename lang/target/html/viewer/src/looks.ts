// How nodes look, where that changes while the scene runs. Materials are shared
// between nodes, so a node whose look changes first gets its own.
import { Light, Mesh, MeshBasicMaterial, MeshStandardMaterial, Object3D } from "three";

type Surface = MeshStandardMaterial | MeshBasicMaterial;

export class Looks {
  private readonly own = new Map<Object3D, Surface>();

  // set changes a key of the look of an object: color, opacity, emissive,
  // emissive_intensity, metallic, roughness, or the intensity of its light.
  // Colours are names and hex, or three numbers of sRGB.
  set(object: Object3D, key: string, value: unknown): void {
    if (key === "intensity" && typeof value === "number") {
      for (const c of object.children) if (c instanceof Light) c.intensity = Math.max(value, 0) * Math.PI * (c.userData.gain ?? 1);
      return;
    }
    if (key === "color") for (const c of object.children) if (c instanceof Light) paint(c.color, value);
    const m = this.surface(object);
    if (!m) return;
    switch (key) {
      case "color":
      case "base_color":
        paint(m.color, value);
        return;
      case "opacity":
        if (typeof value !== "number") return;
        m.opacity = clamp(value);
        m.transparent = m.opacity < 1;
        m.depthWrite = !m.transparent;
        m.needsUpdate = true;
        return;
    }
    if (!(m instanceof MeshStandardMaterial)) return;
    if (key === "emissive") paint(m.emissive, value);
    else if (typeof value !== "number") return;
    else if (key === "emissive_intensity") m.emissiveIntensity = Math.max(value, 0);
    else if (key === "metallic") m.metalness = clamp(value);
    else if (key === "roughness") m.roughness = clamp(value);
  }

  // drop gives back what an object had of its own.
  drop(object: Object3D): void {
    this.own.get(object)?.dispose();
    this.own.delete(object);
  }

  private surface(object: Object3D): Surface | undefined {
    const known = this.own.get(object);
    if (known) return known;
    for (const c of object.children) {
      if (!(c instanceof Mesh) || !(c.material instanceof MeshStandardMaterial || c.material instanceof MeshBasicMaterial) || c.userData.letters) continue;
      const m = c.material.clone() as Surface;
      m.onBeforeCompile = c.material.onBeforeCompile;
      c.material = m;
      this.own.set(object, m);
      return m;
    }
    return undefined;
  }
}

function clamp(x: number): number { return Math.min(Math.max(x, 0), 1); }

function paint(color: { setRGB(r: number, g: number, b: number, space: "srgb"): unknown; setStyle(s: string): unknown }, value: unknown): void {
  if (Array.isArray(value) && value.length >= 3) color.setRGB(Number(value[0]), Number(value[1]), Number(value[2]), "srgb");
  else if (typeof value === "string") color.setStyle(/^#[0-9a-f]{8}$/i.test(value) ? value.slice(0, 7) : value);
}

// mirror lets a surface mirror the light from everywhere, without which
// metals are black: the library does so for pictures of the surroundings only.
// Half of it grows towards the edge of things, as on real surfaces; half is flat,
// as the renderer of still pictures has it, from which this must not stray.
export function mirror(shader: { fragmentShader: string }): void {
  shader.fragmentShader = shader.fragmentShader.replace("#include <lights_fragment_end>",
    `radiance += 0.5 * irradiance * RECIPROCAL_PI;
    #include <lights_fragment_end>
    reflectedLight.indirectSpecular += 0.5 * irradiance * RECIPROCAL_PI * mix( vec3( 0.04 ), diffuseColor.rgb, metalnessFactor );`);
}

export function mirroring<M extends MeshStandardMaterial>(m: M): M {
  m.onBeforeCompile = mirror;
  return m;
}

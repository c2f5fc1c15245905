// Babylon.js as engines.mjs looks at it.
export default async function babylon() {
  const { NullEngine, Vector3, Logger } = await import("@babylonjs/core");
  Logger.LogLevels = Logger.ErrorLogLevel;
  const of = (made, id) => made.scene.transformNodes.find((o) => o.id === id);
  return {
    everywhere: [], // lights that are none of their own
    device: () => new NullEngine({ renderWidth: 320, renderHeight: 180, textureSize: 64, deterministicLockstep: false, lockstepMaxSteps: 1 }),
    options: (engine) => ({ engine }),
    place(made, id) {
      const o = of(made, id);
      if (!o || !made.scene.useRightHandedSystem) return undefined; // the model is right-handed
      const m = o.computeWorldMatrix(true);
      return { t: o.getAbsolutePosition().asArray(), x: Vector3.TransformNormal(new Vector3(1, 0, 0), m).asArray() };
    },
    meshes: (made) => made.scene.meshes.filter((m) => !m.metadata?.sky && !m.name.endsWith(" plate") && m.getTotalVertices() > 0).length,
    lights: (made) => made.scene.lights.filter((l) => l.name !== "ambient").length,
    cameras: (made) => made.scene.cameras.filter((c) => c.name !== "eye").length,
    colour: (made, id) => of(made, id).getChildMeshes(true).find((m) => m.metadata?.surface).material.albedoColor.toGammaSpace().toHexString().toLowerCase(),
    inside: (made, name) => made.scene.getNodeByName(name)?.position.asArray(),
    left(engine) { // the engine keeps textures in its list that nothing holds
      const textures = engine.getLoadedTexturesCache().filter((t) => t._references > 0).length;
      const rest = `${engine.scenes.length} scenes, ${engine.postProcesses.length} effects, ${textures} textures`;
      engine.dispose();
      return rest === "0 scenes, 0 effects, 0 textures" ? "" : `dispose leaves ${rest}`;
    },
  };
}

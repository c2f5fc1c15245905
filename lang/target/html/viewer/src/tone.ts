// How light becomes colour: exposure, and the curve that pictures of the same
// scene have everywhere.
import { CustomToneMapping, LinearToneMapping, NoToneMapping, PCFShadowMap, ShaderChunk, type WebGLRenderer } from "three";
import type { Scene } from "./scene.ts";

// The curve of Narkowicz 2015, a fit to the reference rendering transform of
// ACES, in the place that the library keeps for a host's own.
ShaderChunk.tonemapping_pars_fragment = ShaderChunk.tonemapping_pars_fragment.replace(/vec3 CustomToneMapping\s*\(\s*vec3 color\s*\)\s*\{[^}]*\}/,
  `vec3 CustomToneMapping( vec3 color ) {
    vec3 c = color * toneMappingExposure;
    return clamp( c * ( 2.51 * c + 0.03 ) / ( c * ( 2.43 * c + 0.59 ) + 0.14 ), 0.0, 1.0 );
  }`);

// develop sets a renderer to what a scene asks for.
export function develop(renderer: WebGLRenderer, scene: Scene): void {
  const e = scene.environment ?? {};
  renderer.toneMapping = e.tone_mapping === "aces" ? CustomToneMapping : e.tone_mapping === "linear" || (e.exposure ?? 1) !== 1 ? LinearToneMapping : NoToneMapping;
  renderer.toneMappingExposure = e.exposure ?? 1;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
}

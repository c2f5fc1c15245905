// How light becomes colour: exposure, and the curve that pictures of the same
// scene have everywhere.
import { CustomToneMapping, LinearToneMapping, NeutralToneMapping, PCFShadowMap, ShaderChunk, type WebGLRenderer } from "three";
import type { Scene } from "./scene.ts";

// The curve of Narkowicz 2015, a fit to the reference rendering transform of
// ACES, in the place that the library keeps for a host's own.
ShaderChunk.tonemapping_pars_fragment = ShaderChunk.tonemapping_pars_fragment.replace(/vec3 CustomToneMapping\s*\(\s*vec3 color\s*\)\s*\{[^}]*\}/,
  `vec3 CustomToneMapping( vec3 color ) {
    vec3 c = color * toneMappingExposure;
    return clamp( c * ( 2.51 * c + 0.03 ) / ( c * ( 2.43 * c + 0.59 ) + 0.14 ), 0.0, 1.0 );
  }`);

// The curve of scenes that name none: the library's, without the foot that takes
// from dark scenes what little light there is.
ShaderChunk.tonemapping_pars_fragment = ShaderChunk.tonemapping_pars_fragment.replace(/vec3 NeutralToneMapping\s*\(\s*vec3 color\s*\)\s*\{[^}]*\}/,
  `vec3 NeutralToneMapping( vec3 color ) {
    vec3 c = color * toneMappingExposure;
    float peak = max( c.r, max( c.g, c.b ) );
    if ( peak < 0.8 ) return c;
    float top = 1.0 - 0.04 / ( peak - 0.6 );
    return mix( c * top / peak, vec3( top ), 1.0 - 1.0 / ( 0.15 * ( peak - top ) + 1.0 ) );
  }`);

// curved says whether the curve of a scene is of the whole picture. Without, sky
// and surfaces without light keep their colours.
export function curved(scene: Scene): boolean { return !!scene.environment?.tone_mapping; }

// develop sets a renderer to what a scene asks for.
export function develop(renderer: WebGLRenderer, scene: Scene): void {
  const e = scene.environment ?? {};
  renderer.toneMapping = e.tone_mapping === "aces" ? CustomToneMapping : e.tone_mapping ? LinearToneMapping : NeutralToneMapping;
  renderer.toneMappingExposure = e.exposure ?? 1;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
}

// Effects on the whole picture: bloom, vignette, colour fringes, grain and
// grading. The scene is drawn into a picture of light, its bright parts are
// blurred, and one pass puts everything together.
import {
  HalfFloatType, LinearFilter, Mesh, OrthographicCamera, PlaneGeometry, ShaderMaterial, Vector2, WebGLRenderTarget, type Camera, type Scene as World,
  type WebGLRenderer,
} from "three";
import { grades, shown } from "./grades.ts";
import type { Effect } from "./scene.ts";

const vertex = "varying vec2 at; void main() { at = uv; gl_Position = vec4( position.xy, 0.0, 1.0 ); }";

// The blur goes along one side of the picture at a time; the first one takes
// what is brighter than the threshold.
const blur = `
uniform sampler2D image; uniform vec2 along; uniform float threshold; varying vec2 at;
vec3 bright( vec2 p ) {
  vec3 c = min( texture2D( image, p ).rgb, vec3( 16.0 ) );
  float l = max( c.r, max( c.g, c.b ) );
  return c * max( l - threshold, 0.0 ) / max( l, 0.0001 );
}
void main() {
  vec3 sum = bright( at ) * 0.1964;
  for ( int i = 1; i < 6; i ++ ) {
    float x = float( i ), w = 0.1964 * exp( - x * x / 8.0 );
    sum += ( bright( at + along * x ) + bright( at - along * x ) ) * w;
  }
  gl_FragColor = vec4( sum, 1.0 );
}`;

const whole = `
uniform sampler2D image, near, far; uniform float bloom, vignette, extent, fringe, grain, brightness, contrast, saturation; varying vec2 at;
void main() {
  vec2 out_ = at - 0.5;
  vec3 c = texture2D( image, at ).rgb;
  if ( fringe > 0.0 ) {
    c.r = texture2D( image, at + out_ * fringe ).r;
    c.b = texture2D( image, at - out_ * fringe ).b;
  }
  c += ( texture2D( near, at ).rgb + texture2D( far, at ).rgb ) * bloom;
  c = mix( vec3( dot( c, vec3( 0.2126, 0.7152, 0.0722 ) ) ), c, saturation ) * brightness;
  c = max( ( c - 0.18 ) * contrast + 0.18, 0.0 );
  c *= 1.0 - vignette * smoothstep( extent, 1.0, length( out_ ) * 1.4142 );
  c *= 1.0 + grain * ( fract( sin( dot( floor( at * 800.0 ), vec2( 12.9898, 78.233 ) ) ) * 43758.5453 ) - 0.5 );
  gl_FragColor = vec4( c, 1.0 );
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`;

export class Effects {
  private readonly light = new WebGLRenderTarget(1, 1, { type: HalfFloatType, samples: 4 });
  private readonly steps = [2, 2, 8, 8].map(() => new WebGLRenderTarget(1, 1, { type: HalfFloatType, minFilter: LinearFilter, depthBuffer: false }));
  private readonly camera = new OrthographicCamera();
  private readonly sheet = new Mesh(new PlaneGeometry(2, 2));
  private readonly blur: ShaderMaterial;
  private readonly whole: ShaderMaterial;
  private readonly blooms: boolean;

  // of makes the effects of a scene, if it has any that are shown.
  static of(list: Effect[] | undefined): Effects | undefined {
    const some = shown(list);
    return some.length > 0 ? new Effects(some) : undefined;
  }

  private constructor(list: Effect[]) {
    const g = grades(list);
    this.blooms = list.some((e) => e.kind === "bloom");
    this.blur = new ShaderMaterial({
      vertexShader: vertex, fragmentShader: blur, depthTest: false, toneMapped: false,
      uniforms: { image: { value: null }, along: { value: new Vector2() }, threshold: { value: 0 } },
    });
    this.blur.userData.threshold = g.threshold;
    this.whole = new ShaderMaterial({
      vertexShader: vertex, fragmentShader: whole, depthTest: false,
      uniforms: {
        image: { value: this.light.texture }, near: { value: this.steps[1].texture }, far: { value: this.steps[3].texture },
        bloom: { value: 0.5 * g.bloom }, vignette: { value: g.vignette }, extent: { value: g.extent }, fringe: { value: 0.02 * g.fringe },
        grain: { value: g.grain }, brightness: { value: g.brightness }, contrast: { value: g.contrast }, saturation: { value: g.saturation },
      },
    });
    this.sheet.frustumCulled = false;
  }

  render(renderer: WebGLRenderer, world: World, camera: Camera): void {
    const size = renderer.getDrawingBufferSize(new Vector2());
    if (this.light.width !== size.x || this.light.height !== size.y) {
      this.light.setSize(size.x, size.y);
      this.steps.forEach((s, i) => s.setSize(Math.max(1, size.x >> (i < 2 ? 1 : 3)), Math.max(1, size.y >> (i < 2 ? 1 : 3))));
    }
    renderer.setRenderTarget(this.light);
    renderer.render(world, camera);
    if (this.blooms) {
      let from = this.light;
      this.steps.forEach((to, i) => {
        const u = this.blur.uniforms;
        u.image.value = from.texture;
        (u.along.value as Vector2).set(i % 2 === 0 ? 1.5 / to.width : 0, i % 2 === 1 ? 1.5 / to.height : 0);
        u.threshold.value = i === 0 ? this.blur.userData.threshold : 0;
        this.pass(renderer, this.blur, to);
        from = to;
      });
    }
    this.pass(renderer, this.whole, null);
  }

  private pass(renderer: WebGLRenderer, material: ShaderMaterial, to: WebGLRenderTarget | null): void {
    this.sheet.material = material;
    renderer.setRenderTarget(to);
    renderer.render(this.sheet, this.camera);
  }

  dispose(): void {
    for (const t of [this.light, ...this.steps]) t.dispose();
    for (const m of [this.blur, this.whole]) m.dispose();
    this.sheet.geometry.dispose();
  }
}

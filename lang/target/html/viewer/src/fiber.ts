// The runtime of the r3f target: elements that the library has no word for, and
// the hooks by which a component runs its scene. The groups of the component are
// the scene; React, the binding and the library are the host's own.
import { extend, useFrame, useThree, type ThreeEvent } from "@react-three/fiber";
import { createContext, createElement, useContext, useEffect, useImperativeHandle, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import {
  BufferGeometry, Color, FogExp2, Group, Matrix4, Mesh, PerspectiveCamera, Texture, Vector3, type Camera,
  type DirectionalLight, type Material as ThreeMaterial, type SpotLight,
} from "three";
import type * as Declared from "./component.d.ts";
import { Adopted, type Listener } from "./adopt.ts";
import { lettering, material, picture, sky, standing } from "./build.ts";
import { aim, standpoint } from "./camera.ts";
import { Effects } from "./effects.ts";
import { mirror } from "./looks.ts";
import { geometry } from "./mesh.ts";
import { model, type Clip } from "./models.ts";
import { checked, looks, type Asset, type Data, type Effect, type Environment, type Geometry, type Material, type Scene } from "./scene.ts";
import { solid } from "./shape.ts";
import { develop } from "./tone.ts";
import { Touches, type Touch } from "./touch.ts";

export { mirror };

// The elements.

class SolidGeometry extends BufferGeometry {
  constructor(shape: Geometry) {
    super();
    this.copy(geometry(solid(shape)));
  }
}

class Lettering extends Mesh {
  constructor(text: { value: string; size: number; align?: string }, ink: string, front?: number) {
    const made = lettering(text, { base_color: ink }, front !== undefined);
    super(made.geometry, made.material);
    this.position.set(made.position.x, 0, front ?? 0);
    this.userData.letters = true;
  }
}

class ModelFile extends Group {
  clip?: Clip;
  readonly ready: Promise<void>;
  constructor(file: Asset, surface?: Material, assets?: Asset[]) {
    super();
    const look = material(surface ?? { base_color: "#ffffffff" }, { v: "scene/1", assets }, []);
    this.ready = this.read(file, look).catch((e: unknown) => {
      console.error(e instanceof Error ? e.message : String(e));
      this.lost = true;
    });
  }

  private lost = false;

  // missing calls back when the file cannot be shown.
  missing(call: () => void): void { void this.ready.then(() => { if (this.lost) call(); }); }

  private async read(file: Asset, look: ThreeMaterial): Promise<void> {
    if (!file.data) throw new Error(`the model ${file.path} did not come with the scene`);
    const m = await model(file, look);
    this.add(m.object);
    this.clip = m.clip;
  }
}

class AssetTexture extends Texture {
  constructor(file: Asset, colour: boolean) {
    super();
    if (file.data) void picture(this, file, colour);
  }
}

// missing puts into the group of a node what stands for its file.
function missing(file: ModelFile, run: Adopted): void {
  const { parent } = file, n = run.scene.nodes?.find((n) => n.id === parent?.userData.id);
  if (parent && n && !parent.children.some((c) => c.userData.named)) parent.add(...standing(n, run.scene));
}

extend({ SolidGeometry, Lettering, ModelFile, AssetTexture });

// ahead makes a light shine along -Z of the group that it is in.
export function ahead(light: DirectionalLight | SpotLight | null): void {
  if (!light) return;
  light.target.position.set(0, 0, -1);
  light.add(light.target);
}

export function Surroundings({ sky: colors, fog, exposure, toneMapping }: Declared.SurroundingsProps): null {
  const scene = useThree((s) => s.scene), gl = useThree((s) => s.gl);
  const above = useMemo(() => sky(colors, toneMapping !== undefined), [colors, toneMapping]);
  useEffect(() => {
    const { background, fog: before } = scene, shadows = gl.shadowMap.enabled;
    gl.shadowMap.enabled = true;
    scene.background = above.background;
    if (fog) scene.fog = new FogExp2(new Color(fog.color), fog.density);
    if (above.dome) scene.add(above.dome);
    return () => {
      scene.background = background;
      scene.fog = before;
      gl.shadowMap.enabled = shadows;
      above.dome?.removeFromParent();
    };
  }, [scene, gl, above, fog]);
  useFrame(() => {
    // The room is the background where it is seen.
    const room = gl.xr.isPresenting && (gl.xr.getEnvironmentBlendMode() ?? "opaque") !== "opaque";
    scene.background = room ? null : above.background;
    if (above.dome) above.dome.visible = !room;
    const environment: Environment = { exposure, tone_mapping: toneMapping };
    develop(gl, { v: "scene/1", environment }); // the canvas sets its own with every picture
  });
  return null;
}

export function PictureEffects({ list }: { list: Effect[] }): null {
  const effects = useMemo(() => Effects.of(list), [list]);
  useEffect(() => () => effects?.dispose(), [effects]);
  useFrame(({ gl, scene, camera }) => {
    if (effects && !gl.xr.isPresenting) effects.render(gl, scene, camera);
    else gl.render(scene, camera);
  }, 1);
  return null;
}

// The hooks.

const Current = createContext<Adopted | null>(null);

export function SceneContext({ value, children }: { value: unknown; children?: ReactNode }): ReactNode {
  return createElement(Current.Provider, { value: value as Adopted }, children);
}

// useScene runs a scene in the group of the answer's root.
export function useScene(document: Declared.SceneData, options: Declared.SceneOptions): Declared.SceneRun {
  const { view = "scene", still, ui, ref } = options;
  const [run] = useState(() => new Adopted(checked(document as unknown as Scene)));
  const root = useRef<Group>(null), touches = useRef<Touches>(null);
  const gl = useThree((s) => s.gl), get = useThree((s) => s.get), camera = useThree((s) => s.camera);
  const controls = useThree((s) => s.controls) as { target?: Vector3; update?(): void; enabled?: boolean } | null;
  useEffect(() => { run.notify = options as Listener; });
  useEffect(() => {
    const group = root.current;
    if (!group) return;
    const panel = ui === false ? undefined : ui ?? gl.domElement.parentElement ?? undefined;
    const end = run.begin({ root: group, ui: panel, still, opens: view !== "host" && !(run.scene.nodes ?? []).some(looks) });
    const stage = run.stage!;
    touches.current = new Touches(stage);
    group.traverse((o) => { if (o instanceof ModelFile) o.missing(() => missing(o, run)); });
    group.traverse((o) => { if (o instanceof ModelFile) void o.ready.then(() => { if (o.clip && run.stage === stage) stage.built.clips.push(o.clip); }); });
    return () => {
      touches.current = null;
      gl.domElement.style.cursor = "";
      end();
    };
  }, [run, gl, still, ui, view]);
  useEffect(() => { if (root.current) stand(root.current, camera, view, controls, run, gl.domElement); }, [camera, view, controls, run, gl]);
  useImperativeHandle(ref, () => ({
    emit: (node, event, payload) => run.emit(node, event, payload), put: (key, value) => run.put(key, value as Data),
    state: (key, node) => run.state(key, node) as Declared.Value | undefined, node: (name) => run.stage?.built.byId.get(run.find(name) ?? ""),
  }), [run]);
  const events = useMemo(() => handlers(touches, () => get().controls as { enabled?: boolean } | null, gl.domElement), [get, gl]);
  return useMemo(() => ({ root, events, context: run, advance: (seconds: number) => run.advance(Math.min(seconds, 0.25), get().camera) }), [run, events, get]);
}

// useSceneState is a state key of the scene that the component is in, or of a node of it.
export function useSceneState(key: string, node?: string): Declared.Value | undefined {
  const run = useContext(Current);
  if (!run) throw new Error("useSceneState is for components inside of a scene");
  const now = () => run.state(key, node) as Declared.Value | undefined;
  return useSyncExternalStore((changed) => run.watch(changed), now, now);
}

// stand puts the host's camera where everything is in view, or in the place of
// the scene's own.
function stand(root: Group, camera: Camera, view: Declared.View, controls: { target?: Vector3; update?(): void } | null, run: Adopted, canvas: HTMLCanvasElement): void {
  if (view === "host" || !(camera instanceof PerspectiveCamera)) return;
  const objects: Group[] = [];
  let own: PerspectiveCamera | undefined;
  root.traverse((o) => {
    if (o instanceof Group) objects.push(o);
    if (o instanceof PerspectiveCamera && o !== camera && !o.userData.resting) own ??= o;
  });
  let mine = false;
  for (let o = camera.parent; o; o = o.parent) mine ||= o === root;
  if (mine) return; // the scene's own
  const seen = { world: root, objects, camera: own, staging: run.staging };
  const from = standpoint(seen) as PerspectiveCamera, target = aim(seen, from, canvas.clientWidth / canvas.clientHeight);
  camera.position.copy(from.position);
  camera.quaternion.copy(from.quaternion);
  camera.fov = from.fov;
  if (!own) [camera.near, camera.far] = [from.near, from.far];
  camera.updateProjectionMatrix();
  camera.updateMatrixWorld();
  controls?.target?.set(...target);
  controls?.update?.();
}

// handlers are the events of the group that holds a scene.
function handlers(touches: { current: Touches | null }, controls: () => { enabled?: boolean } | null, canvas: HTMLElement): Declared.SceneEvents {
  const carrying = new Set<number>();
  const free = (pointer: number) => {
    if (!carrying.delete(pointer)) return;
    const c = controls();
    if (c && carrying.size === 0) c.enabled = true;
  };
  return {
    onPointerDown(e) {
      if ((e.nativeEvent as { button?: number }).button) return;
      const t = touch(e), done = touches.current?.down(t);
      if (!done?.met) return;
      e.stopPropagation();
      if (!done.held) return;
      (e.target as unknown as { setPointerCapture?(id: number): void }).setPointerCapture?.(e.pointerId);
      carrying.add(e.pointerId);
      const c = controls();
      if (c) c.enabled = false;
    },
    onPointerMove(e) {
      const t = touch(e), done = touches.current;
      if (!done?.move(t)) return;
      e.stopPropagation();
      if (!t.pose) canvas.style.cursor = carrying.has(t.pointer) ? "grabbing" : done.cursor(t);
    },
    onPointerUp(e) {
      const t = touch(e);
      free(t.pointer);
      if (touches.current?.up(t)) e.stopPropagation();
    },
    onPointerCancel(e) {
      free(e.pointerId);
      touches.current?.drop(e.pointerId);
    },
    onPointerLeave(e) {
      canvas.style.cursor = "";
      touches.current?.leave(e.pointerId);
    },
    onDoubleClick(e) {
      touches.current?.twice(touch(e));
      e.stopPropagation();
    },
  };
}

// touch reads an event of the library, or of a controller or hand.
function touch(e: ThreeEvent<PointerEvent> | ThreeEvent<MouseEvent>): Touch {
  const hand = e as unknown as { pointerPosition?: Vector3; pointerQuaternion?: import("three").Quaternion; pointerState?: { inputSource?: { handedness?: string } }; pointerId?: number };
  const room = hand.pointerState?.inputSource;
  const pose = room && hand.pointerPosition && hand.pointerQuaternion ? new Matrix4().compose(hand.pointerPosition, hand.pointerQuaternion, new Vector3(1, 1, 1)) : undefined;
  const { clientX, clientY } = e.nativeEvent;
  return {
    pointer: hand.pointerId ?? 0, hand: room?.handedness ?? "pointer", object: e.object, point: e.point, ray: e.ray, ahead: e.camera.getWorldDirection(new Vector3()),
    at: typeof clientX === "number" ? { x: clientX, y: clientY } : undefined, pose,
  };
}

// What the component knows of this file is what is in it.
({ ahead, mirror, Surroundings, PictureEffects, SceneContext, useScene, useSceneState }) satisfies typeof Declared;

// Shows a scene on a canvas of the host's page.
import { Camera } from "./camera.js";
import { NoWebGPU, Screen } from "./device.js";
import { Drawing } from "./draw.js";
import { engine } from "./engine.js";
import { Things } from "./nodes.js";
import { Emitters } from "./particles.js";
import { checked, drive, ground, Orbit, Running as Stage, type Place } from "./runtime.js";
import type { Mesh, Scene } from "./scene.js";

export interface Options {
  still?: boolean; // nothing moves by itself; without it what the person asked the system for holds
  controls?: boolean; // the pointer moves the eye; yes without it
  loop?: boolean; // draw by itself; yes without it
  message?: boolean; // say below the canvas why nothing is drawn; yes without it
}

export interface Running {
  readonly scene: Scene;
  readonly camera: Camera;
  readonly device: GPUDevice;
  readonly triangles: number; // of the last picture
  update(seconds: number): void; // moves everything by a time and draws
  emit(node: string, event: string, payload?: unknown): void; // "" is the whole scene
  dispose(): void;
}

// show draws a scene until dispose. What happens in it is an event "meshd" of the
// canvas with node, event and payload in its detail. It throws NoWebGPU, and says
// so below the canvas, where the browser cannot draw.
export async function show(data: Scene, meshes: readonly (Mesh | null)[], canvas: HTMLCanvasElement, options: Options = {}): Promise<Running> {
  const scene = checked(data);
  let screen: Screen;
  try {
    screen = await Screen.open(canvas);
  } catch (e) {
    if (options.message !== false) notify(canvas, e);
    throw e;
  }
  const { device } = screen;
  const raise = (node: string, event: string, payload: unknown) => { canvas.dispatchEvent(new CustomEvent("meshd", { detail: { node, event, payload } })); };
  device.addEventListener("uncapturederror", (e) => {
    console.error(e.error.message);
    raise("", "fault", { level: "fault", node: "", text: e.error.message });
  });
  const drawing = new Drawing(screen, scene, meshes), things = new Things(scene), emitters = new Emitters(screen), camera = new Camera();
  await drawing.load();
  for (const t of things.list) drawing.put(t);
  const still = options.still ?? matchMedia("(prefers-reduced-motion: reduce)").matches;
  const stage = new Stage(scene, engine(things, drawing, emitters), still), at = (node: string): Place | undefined => stage.at(node);
  stage.onEvent = raise;
  stage.onSay = (line) => raise(line.node, line.level, line);
  drive(stage);
  ground(stage.bodies, drawing.staging);
  const target = camera.stand(things.list, drawing.bounds(), at, drawing.staging, canvas.clientWidth / canvas.clientHeight);
  const orbit = options.controls === false ? undefined : new Orbit(camera, canvas, () => camera.moved());
  if (orbit) orbit.target = target;

  let handle = 0, last = 0, over = false;
  const draw = (always: boolean) => {
    const resized = screen.fit();
    if (things.changed) things.settle();
    camera.follow(at);
    if (!always && !resized && !things.changed && !camera.changed) return;
    drawing.draw(things, camera, emitters);
    things.changed = camera.changed = false;
  };
  const loop = (now: number) => {
    handle = requestAnimationFrame(loop);
    stage.advance(last > 0 ? Math.min((now - last) / 1000, 0.25) : 0);
    last = now;
    draw(false);
  };
  const stop = () => {
    over = true;
    cancelAnimationFrame(handle);
    orbit?.dispose();
  };
  void device.lost.then((why) => {
    if (over) return;
    stop();
    const fault = new Error(`The graphics device is gone: ${why.message}`);
    if (options.message !== false) notify(canvas, fault);
    raise("", "fault", { level: "fault", node: "", text: fault.message });
  });
  if (options.loop !== false) handle = requestAnimationFrame(loop);
  return {
    scene, camera, device,
    get triangles() { return drawing.triangles; },
    update(seconds) {
      if (over) return;
      stage.advance(seconds);
      draw(true);
    },
    emit: (node, event, payload) => stage.raise(node, event, payload),
    dispose() {
      if (over) return;
      stop();
      stage.dispose();
      screen.close();
    },
  };
}

// notify says below a canvas why nothing is drawn.
function notify(canvas: HTMLCanvasElement, e: unknown): void {
  const note = document.createElement("p");
  note.setAttribute("role", "alert");
  note.textContent = (e instanceof Error ? e.message : String(e)) +
    (e instanceof NoWebGPU ? " This scene is drawn with WebGPU only; compiled for the target html it is drawn with WebGL 2." : "");
  canvas.after(note);
}

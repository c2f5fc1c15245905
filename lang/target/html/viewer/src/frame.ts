// viewer/1: the viewer in a frame of another page. The frame says that it is
// ready; the host answers with a port, and both speak JSON on that port only.
// What has another shape is dropped.
import { checked, type Data, type Node, type Scene } from "./scene.ts";

export interface Shown {
  open(scene: Scene): { nodes: number; triangles: number };
  mode(mode: string): void;
  select(ids: string[]): void;
  view(side: string, id?: string): void;
  theme(dark: boolean, reducedMotion: boolean): void;
  presence(people: Person[]): void;
  emit(node: string, event: string, payload: Data): void;
  input(kind: string, x: number, y: number): void;
  shot(w: number, h: number): string;
}

export interface Person { name: string; color: string; camera?: { t: number[]; r: number[] }; ids?: string[] }

export type Notify = (message: { type: string; [key: string]: unknown }) => void;

const features = ["view", "play", "select", "camera", "theme", "presence", "emit", "input", "shot"];
const most = 64; // people, selected nodes

// connect waits for the host. notify is how the viewer sends before and after.
export function connect(shown: Shown, version: string): Notify {
  let port: MessagePort | undefined;
  addEventListener("message", (e) => {
    if (port || e.source !== window.parent || e.ports.length !== 1 || object(e.data)?.v !== 1) return;
    port = e.ports[0];
    port.onmessage = (m) => {
      try {
        receive(shown, m.data, notify);
      } catch (fault) {
        notify({ type: "error", code: "scene_invalid", node: "", text: String(fault instanceof Error ? fault.message : fault) });
      }
    };
  });
  const notify: Notify = (message) => port?.postMessage({ v: 1, ...message });
  window.parent.postMessage({ v: 1, type: "ready", viewer: version, features }, "*");
  return notify;
}

type Bag = { [key: string]: unknown };

function object(v: unknown): Bag | undefined { return typeof v === "object" && v !== null && !Array.isArray(v) ? (v as Bag) : undefined; }

function finite(v: unknown): v is number { return typeof v === "number" && Number.isFinite(v); }

function texts(v: unknown): v is string[] { return Array.isArray(v) && v.length <= most && v.every((x) => typeof x === "string"); }

function receive(shown: Shown, data: unknown, notify: Notify): void {
  const m = object(data);
  if (m?.v !== 1) return;
  switch (m.type) {
    case "scene": {
      if (!finite(m.seq) || !object(m.scene)) return;
      const start = performance.now();
      const { nodes, triangles } = shown.open(checked(m.scene as unknown as Scene));
      notify({ type: "applied", seq: m.seq, ms: Math.round(performance.now() - start), nodes, triangles });
      return;
    }
    case "mode":
      if (m.mode === "edit" || m.mode === "play" || m.mode === "view") shown.mode(m.mode);
      return;
    case "select":
      if (texts(m.ids)) shown.select(m.ids);
      return;
    case "camera":
      if (typeof m.view === "string" && (m.id === undefined || typeof m.id === "string")) shown.view(m.view, m.id);
      return;
    case "theme":
      if (typeof m.dark === "boolean") shown.theme(m.dark, m.reduced_motion === true);
      return;
    case "presence":
      if (Array.isArray(m.people) && m.people.length <= most && m.people.every(person)) shown.presence(m.people as Person[]);
      return;
    case "emit":
      if (typeof m.node === "string" && typeof m.event === "string" && /^[a-z_][a-z0-9_]{0,63}$/i.test(m.event)) shown.emit(m.node, m.event, (m.payload ?? null) as Data);
      return;
    case "input":
      if (typeof m.kind === "string" && finite(m.x) && finite(m.y)) shown.input(m.kind, m.x, m.y);
      return;
    case "shot": {
      if (!finite(m.seq) || !finite(m.w) || !finite(m.h) || m.w < 1 || m.h < 1 || m.w > 4096 || m.h > 4096) return;
      notify({ type: "shot", seq: m.seq, png: shown.shot(Math.round(m.w), Math.round(m.h)) });
    }
  }
}

function person(v: unknown): boolean {
  const p = object(v), camera = object(p?.camera);
  const numbers = (x: unknown, n: number) => Array.isArray(x) && x.length === n && x.every(finite);
  return p !== undefined && typeof p.name === "string" && typeof p.color === "string" && /^#[0-9a-f]{6}$/i.test(p.color) &&
    (p.camera === undefined || (camera !== undefined && numbers(camera.t, 3) && numbers(camera.r, 4))) && (p.ids === undefined || texts(p.ids));
}

// moved are the nodes that stand elsewhere in two scenes that are otherwise the
// same; undefined when anything else differs.
export function moved(before: Scene, after: Scene): Node[] | undefined {
  const a = before.nodes ?? [], b = after.nodes ?? [];
  if (a.length !== b.length) return undefined;
  const bare = (s: Scene) => JSON.stringify({ ...s, source_sha256: "", nodes: [], prototypes: s.prototypes?.map((n) => ({ ...n, src: 0 })) });
  if (bare(before) !== bare(after)) return undefined;
  const out: Node[] = [];
  for (let i = 0; i < a.length; i++) {
    const still = (n: Node) => JSON.stringify({ ...n, t: 0, r: 0, s: 0, visible: 0, src: 0 });
    if (still(a[i]) !== still(b[i])) return undefined;
    if (JSON.stringify([a[i].t, a[i].r, a[i].s, a[i].visible]) !== JSON.stringify([b[i].t, b[i].r, b[i].s, b[i].visible])) out.push(b[i]);
  }
  return out;
}

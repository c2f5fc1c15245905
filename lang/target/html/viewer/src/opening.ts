// What the camera looks through, and texts that turn to it.
import { BackSide, Mesh, MeshBasicMaterial, OrthographicCamera, PlaneGeometry, PerspectiveCamera, Quaternion, Vector3, type Camera, type Material, type Object3D } from "three";
import { growth, uncovered, type Cut, type Label, type Staging } from "./staging.ts";

const kept = 0.72 / 1.3; // of the height of a line, what a capital letter has

// Opening opens rooms towards an eye: walls before it are not drawn.
export class Opening {
  private now = new Map<number, Cut>();
  private last = "";
  private readonly own = new Map<Mesh, { material: Material | Material[]; inner?: Material }>();

  constructor(private readonly staging: Staging, private readonly objects: (Object3D | undefined)[]) {}

  // to draws what an eye sees; without an eye everything.
  to(eye?: Vector3): void {
    const key = eye ? eye.toArray().map((v) => v.toFixed(3)).join() : "";
    if (key === this.last) return;
    this.last = key;
    const next = eye && this.staging.room ? this.staging.cuts(eye.toArray()) : new Map<number, Cut>();
    for (const [i] of this.now) if (!next.has(i)) this.draw(i, undefined);
    for (const [i, cut] of next) if (this.now.get(i) !== cut) this.draw(i, cut);
    this.now = next;
  }

  private draw(i: number, cut?: Cut): void {
    for (const c of this.objects[i]?.children ?? []) {
      if (!(c instanceof Mesh)) continue;
      c.visible = cut !== "away";
      if (c.userData.letters) continue;
      if (cut === "open") {
        const was = this.own.get(c) ?? { material: c.material as Material };
        this.own.set(c, was);
        if (!was.inner) {
          was.inner = (was.material as Material).clone();
          was.inner.onBeforeCompile = (was.material as Material).onBeforeCompile;
          was.inner.side = BackSide;
        }
        c.material = was.inner;
        c.castShadow = false;
      } else if (this.own.has(c)) {
        c.material = this.own.get(c)!.material;
        c.castShadow = true;
      }
    }
  }
}

// face turns the texts of objects that float to a camera, makes those larger that
// could not be read, and leaves out what would lie over nearer ones.
export function face(objects: Iterable<Object3D>, camera: Camera): void {
  const eye = camera.getWorldPosition(new Vector3()), q = camera.getWorldQuaternion(new Quaternion()), back = q.clone().invert(), at = new Vector3(), scale = new Vector3();
  const lens = camera instanceof PerspectiveCamera ? { half: Math.tan((camera.fov * Math.PI) / 360), aspect: camera.aspect }
    : camera instanceof OrthographicCamera ? { half: (camera.top - camera.bottom) / 2 / camera.zoom, aspect: camera.right / camera.top } : undefined;
  if (!lens) return;
  const labels: (Label & { sheet: Mesh })[] = [];
  for (const o of objects) {
    for (const sheet of o.children as Mesh[]) {
      if (!sheet.userData.letters || !sheet.userData.size) continue;
      if (sheet.children.length === 0) sheet.add(plate(sheet));
      const { width, height, lines, x } = sheet.userData.size;
      o.getWorldQuaternion(sheet.quaternion).invert().multiply(q);
      o.getWorldScale(scale);
      sheet.position.set(x, sheet.position.y, sheet.position.z);
      at.copy(sheet.position).applyMatrix4(o.matrixWorld).sub(eye).applyQuaternion(back);
      const depth = -at.z, reach = camera instanceof PerspectiveCamera ? lens.half * depth : lens.half;
      sheet.visible = depth > 0.01;
      if (!sheet.visible) continue;
      const tall = (height * scale.y) / reach, by = growth(((tall / 2) * kept) / lines);
      sheet.scale.setScalar(by);
      labels.push({ sheet, x: at.x / reach / lens.aspect, y: at.y / reach, width: (by * width * scale.x) / reach / lens.aspect, height: by * tall, depth, first: !sheet.userData.named });
    }
  }
  const seen = uncovered(labels);
  for (const l of labels) l.sheet.visible = seen.has(l);
}

const square = new PlaneGeometry(), clear = { opacity: 0.5, transparent: true, depthWrite: false, toneMapped: false };
const night = new MeshBasicMaterial({ color: 0x0f1319, ...clear }), day = new MeshBasicMaterial(clear);

// plate is half clear behind a text, so that it can be read before anything.
function plate(sheet: Mesh): Mesh {
  const { width, height } = sheet.userData.size, { r, g, b } = (sheet.material as MeshBasicMaterial).color;
  const p = new Mesh(square, 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? night : day);
  p.scale.set(width, height, 1);
  p.position.z = -height / 20;
  Object.defineProperty(p, "castShadow", { get: () => false, set: () => {} });
  p.raycast = () => {};
  return p;
}

// inked sets the colour of a text.
export function inked(sheet: Mesh, dark: boolean): void { (sheet.material as MeshBasicMaterial).color.setScalar(dark ? 0 : 1); }

// Marks at the things whose values are stale: a sign above each, always turned to
// the eye and as large on the picture whatever the distance, in every kind of view.
import { Box3, CanvasTexture, DoubleSide, Group, Mesh, MeshBasicMaterial, PlaneGeometry, Quaternion, SRGBColorSpace, Vector3, type Camera, type Object3D } from "three";

const wide = 256, high = 64;

export class Marks {
  readonly group = new Group();
  private readonly of = new Map<string, { sign: Mesh<PlaneGeometry, MeshBasicMaterial>; text: string }>();

  // set puts a text at a thing, or takes it away.
  set(node: string, text: string): void {
    const old = this.of.get(node);
    if (old?.text === text) return;
    if (old) {
      old.sign.removeFromParent();
      old.sign.material.map?.dispose();
      old.sign.material.dispose();
      this.of.delete(node);
    }
    if (text === "") return;
    const sign = new Mesh(new PlaneGeometry(wide / high, 1), new MeshBasicMaterial({ map: picture(text), transparent: true, depthTest: false, fog: false, toneMapped: false, side: DoubleSide }));
    sign.raycast = () => {};
    sign.renderOrder = 1000;
    this.of.set(node, { sign, text });
    this.group.add(sign);
  }

  get count(): number { return this.of.size; }

  // place lets every sign stand above its thing.
  place(object: (node: string) => Object3D | undefined, camera: Camera): void {
    const eye = camera.getWorldPosition(new Vector3()), turn = camera.getWorldQuaternion(new Quaternion()), at = new Vector3(), box = new Box3();
    for (const [node, { sign }] of this.of) {
      const thing = object(node);
      sign.visible = thing !== undefined;
      if (!thing) continue;
      box.setFromObject(thing);
      if (box.isEmpty()) thing.getWorldPosition(at);
      else box.getCenter(at).setY(box.max.y);
      const size = Math.max(0.02, eye.distanceTo(at)) * 0.045;
      sign.position.copy(at).addScaledVector(new Vector3(0, 1, 0), size * 0.8);
      sign.quaternion.copy(turn);
      sign.scale.setScalar(size);
    }
  }
}

function picture(text: string): CanvasTexture {
  const sheet = document.createElement("canvas"), pen = sheet.getContext("2d")!;
  sheet.width = wide;
  sheet.height = high;
  pen.fillStyle = "#ffb000";
  pen.beginPath();
  pen.roundRect(2, 2, wide - 4, high - 4, 14);
  pen.fill();
  pen.strokeStyle = pen.fillStyle = "#1a1200";
  pen.lineWidth = 3;
  pen.stroke();
  pen.font = "600 30px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, wide / 2, high / 2 + 1, wide - 20);
  const t = new CanvasTexture(sheet);
  t.colorSpace = SRGBColorSpace;
  return t;
}

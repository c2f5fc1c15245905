// A scene in the room: it follows where the device looks until it is set down by
// a selection, and is held there by an anchor. Things that have an anchor of
// their own are held one by one.
//
// The scene itself never moves: what moves is the space in which the device is
// given its place. So what a program, a hand or the physics say of places stays
// true wherever the scene stands. It was tried with an emulator, not on a headset.
import { Matrix4, Mesh, MeshBasicMaterial, Quaternion, RingGeometry, Vector3 } from "three";
import { element } from "../page.ts";
import type { Vec } from "../vector.ts";
import { XR } from "../xr.ts";

// Held is an anchor with where it was placed last.
interface Held { anchor: XRAnchor; was?: Matrix4 }

const one = new Vector3(1, 1, 1);
const ahead = 1.5; // metres, where nothing says where the floor is
const near = 1e-4;

export class AR extends XR {
  private base?: XRReferenceSpace;
  private source?: XRHitTestSource;
  private blind = false; // the device finds no surfaces
  private seeking = false;
  private set = false; // a selection came; the next frame sets the scene down
  private at = new Matrix4();
  private scene?: Held;
  private readonly things = new Map<string, Held>();
  private mark?: Mesh;
  private again?: HTMLButtonElement;
  private round = 0; // what belongs to an earlier placing is let go

  // facts are for tests.
  get facts() {
    return { placed: this.base !== undefined && !this.seeking, seeking: this.seeking, at: new Vector3().setFromMatrixPosition(this.at).toArray(), anchors: (this.scene ? 1 : 0) + this.things.size, hits: !this.blind };
  }

  protected override kinds(): ["immersive-ar", string][] { return [["immersive-ar", "Enter AR"]]; }

  protected override async offer(kinds: ["immersive-ar", string][]): Promise<void> {
    await super.offer(kinds);
    if (!this.main.querySelector(".xr")) this.on.say("This device offers no AR. The scene can be looked at from all sides here.");
    // What is tapped on the page is not meant for the room.
    this.main.addEventListener("beforexrselect", (e) => { if ((e.target as Element).closest("button, input, select, label")) e.preventDefault(); });
  }

  protected override wishes(): XRSessionInit {
    return { optionalFeatures: ["local-floor", "hit-test", "anchors", "hand-tracking", "dom-overlay"], domOverlay: { root: this.main } } as XRSessionInit;
  }

  protected override get busy(): boolean { return this.seeking; }

  protected override chosen(): boolean {
    if (!this.seeking) return false;
    this.set = true;
    return true;
  }

  protected override begun(session: XRSession): void {
    this.main.classList.add("in-ar");
    this.base = this.renderer.xr.getReferenceSpace() ?? undefined;
    if (!this.mark) {
      this.mark = new Mesh(new RingGeometry(0.12, 0.15, 32).rotateX(-Math.PI / 2), new MeshBasicMaterial({ color: 0xffffff, depthTest: false }));
      this.mark.renderOrder = 1;
      this.mark.raycast = () => {};
    }
    if (!this.again) {
      this.again = element("button", "again");
      this.again.type = "button";
      this.again.textContent = "Place again";
      this.again.addEventListener("click", () => this.seek());
      this.main.append(this.again);
    }
    this.blind = true;
    const asked = session.requestReferenceSpace("viewer").then((space) => session.requestHitTestSource?.({ space }));
    void asked.then((source) => {
      this.source = source ?? undefined;
      this.blind = !source;
    }, () => { this.source = undefined; });
    this.seek();
  }

  protected override over(): void {
    this.source?.cancel();
    this.release();
    this.source = this.base = undefined;
    this.seeking = this.set = false;
    this.mark?.removeFromParent();
    if (this.again) this.again.hidden = true;
    this.main.classList.remove("in-ar");
    this.on.world().visible = true;
    this.on.say("");
  }

  // seek lets the scene follow the eye until a selection.
  private seek(): void {
    this.release();
    this.seeking = true;
    this.set = false;
    this.on.world().add(this.mark!);
    this.again!.hidden = true;
    this.on.say("Look at the floor or a table, then select to set the scene down.");
  }

  private release(): void {
    this.round++;
    for (const h of [this.scene, ...this.things.values()]) h?.anchor.delete?.();
    this.scene = undefined;
    this.things.clear();
  }

  override frame(): void {
    const frame = this.renderer.xr.isPresenting && this.base ? this.renderer.xr.getFrame() : undefined;
    if (frame) {
      if (this.seeking) this.look(frame);
      else this.follow(frame);
    }
    super.frame();
  }

  // look puts the scene where the device looks, its front to the eye.
  private look(frame: XRFrame): void {
    const base = this.base!, eye = frame.getViewerPose(base)?.transform;
    if (!eye) return;
    const hit = this.source && frame.getHitTestResults(this.source)[0], found = hit?.getPose(base)?.transform.position;
    const from = new Vector3(eye.position.x, eye.position.y, eye.position.z);
    let to: Vector3 | undefined;
    if (found) to = new Vector3(found.x, found.y, found.z);
    else if (this.blind) {
      const q = eye.orientation, way = new Vector3(0, 0, -1).applyQuaternion(new Quaternion(q.x, q.y, q.z, q.w)).setY(0);
      to = from.clone().setY(0).addScaledVector(way.lengthSq() > 1e-6 ? way.normalize() : new Vector3(0, 0, -1), ahead);
    }
    this.on.world().visible = to !== undefined;
    if (!to) {
      this.set = false;
      return;
    }
    const turn = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), Math.atan2(from.x - to.x, from.z - to.z));
    this.at.compose(to, turn, one);
    this.lay();
    if (this.set) this.settle(frame, hit);
  }

  // lay makes the place of the scene the origin of the space that all is given in.
  private lay(): void { this.renderer.xr.setReferenceSpace(this.base!.getOffsetReferenceSpace(rigid(this.at))); }

  // settle sets the scene down and asks for anchors.
  private settle(frame: XRFrame, hit?: XRHitTestResult): void {
    this.seeking = this.set = false;
    this.mark!.removeFromParent();
    this.again!.hidden = false;
    this.on.say("");
    const round = this.round;
    const keep = (made: Promise<XRAnchor> | undefined, to: (h: Held) => void) => void made?.then((anchor) => {
      if (round === this.round) to({ anchor });
      else anchor.delete?.();
    }, () => {}); // without an anchor things stay where the device believes them
    keep(hit?.createAnchor?.() ?? frame.createAnchor?.(rigid(this.at), this.base!), (h) => { this.scene = h; });
    const space = this.renderer.xr.getReferenceSpace()!, { built } = this.on.stage();
    built.world.updateMatrixWorld(true);
    for (const id of (this.main.dataset.anchors ?? "").split(" ")) {
      const object = built.byId.get(id);
      if (object) keep(frame.createAnchor?.(rigid(object.matrixWorld), space), (h) => { this.things.set(id, h); });
    }
    this.on.stage().raise("", "anchored", { position: new Vector3().setFromMatrixPosition(this.at).toArray() });
  }

  // follow moves what is held to where the device now knows its anchors to be.
  private follow(frame: XRFrame): void {
    const pose = (h: Held, space: XRSpace): Matrix4 | undefined => {
      const p = frame.trackedAnchors && !frame.trackedAnchors.has(h.anchor) ? undefined : frame.getPose(h.anchor.anchorSpace, space);
      return p ? new Matrix4().fromArray(p.transform.matrix) : undefined;
    };
    if (this.scene) {
      const now = pose(this.scene, this.base!);
      if (now && this.scene.was && differ(now, this.scene.was)) {
        this.at.premultiply(now.clone().multiply(this.scene.was.clone().invert()));
        this.lay();
      }
      this.scene.was = now ?? this.scene.was;
    }
    const space = this.renderer.xr.getReferenceSpace(), stage = this.on.stage();
    for (const [id, h] of this.things) {
      const now = pose(h, space!), object = stage.built.byId.get(id);
      if (now && object && h.was && differ(now, h.was)) {
        const local = (object.parent?.matrixWorld.clone().invert() ?? new Matrix4()).multiply(now.clone().multiply(h.was.clone().invert())).multiply(object.matrixWorld);
        const t = new Vector3(), r = new Quaternion();
        local.decompose(t, r, new Vector3());
        for (const [part, v] of [["position", t.toArray() as Vec], ["rotation", r.toArray()]] as const) {
          stage.setTransform(id, part, v);
          stage.physics.place(id, part, v);
        }
      }
      h.was = now ?? h.was;
    }
  }
}

function rigid(m: Matrix4): XRRigidTransform {
  const t = new Vector3(), r = new Quaternion();
  m.decompose(t, r, new Vector3());
  r.normalize();
  return new XRRigidTransform({ x: t.x, y: t.y, z: t.z, w: 1 }, { x: r.x, y: r.y, z: r.z, w: r.w });
}

function differ(a: Matrix4, b: Matrix4): boolean { return a.elements.some((v, i) => Math.abs(v - b.elements[i]) > near); }

// Where a head looks that wears a phone: by the phone's sensors, else as
// fingers and keys say.
import { Euler, Quaternion, Vector3 } from "three";

const up = new Vector3(0, 1, 0), across = new Vector3(1, 0, 0), along = new Vector3(0, 0, 1);
const flat = new Quaternion(-Math.SQRT1_2, 0, 0, Math.SQRT1_2); // the back of a phone that lies on a table looks down
const rad = Math.PI / 180, steepest = 85 * rad;

// Asks is how a phone asks its owner before its sensors may be read.
interface Asks { requestPermission?(): Promise<"granted" | "denied"> }

export class Head {
  sensor = false; // says whether a sensor has reported
  private measured?: Quaternion;
  private yaw = 0; // of what a sensor reports, or of the look
  private pitch = 0;
  private off?: AbortController;

  // ask begins to listen. It is called in the gesture of a person, which a phone
  // wants before it asks for leave; the answer is false where it was refused.
  async ask(ahead: Vector3): Promise<boolean> {
    this.stop();
    this.sensor = false;
    this.measured = undefined;
    this.yaw = Math.atan2(-ahead.x, -ahead.z);
    this.pitch = Math.asin(Math.min(Math.max(ahead.y / (ahead.length() || 1), -1), 1));
    const off = (this.off = new AbortController());
    const asks = (globalThis as { DeviceOrientationEvent?: Asks }).DeviceOrientationEvent;
    if (!asks) return false;
    const leave = await (asks.requestPermission?.() ?? Promise.resolve("granted")).catch(() => "denied");
    if (leave !== "granted" || off.signal.aborted) return false;
    addEventListener("deviceorientation", (e) => this.hear(e), { signal: off.signal });
    return true;
  }

  private hear(e: DeviceOrientationEvent): void {
    if (e.alpha === null || e.beta === null || e.gamma === null) return; // a browser without a sensor says so once
    const q = new Quaternion().setFromEuler(new Euler(e.beta * rad, e.alpha * rad, -e.gamma * rad, "YXZ")).multiply(flat);
    q.multiply(new Quaternion().setFromAxisAngle(along, -(screen.orientation?.angle ?? 0) * rad));
    if (!this.sensor) { // what is ahead of the phone now is what the scene has ahead
      this.sensor = true;
      this.yaw -= heading(q);
    }
    this.measured = q;
  }

  // look is the turn of the head in the scene.
  get look(): Quaternion {
    const around = new Quaternion().setFromAxisAngle(up, this.yaw);
    return around.multiply(this.measured ?? new Quaternion().setFromAxisAngle(across, this.pitch));
  }

  // turn looks further around and up, by angles. Where a sensor reports, up is its own.
  turn(around: number, higher: number): void {
    this.yaw += around;
    if (!this.sensor) this.pitch = Math.min(Math.max(this.pitch + higher, -steepest), steepest);
  }

  // ahead makes what lies in a direction the way that the head looks now.
  ahead(yaw: number): void {
    this.yaw = yaw - (this.measured ? heading(this.measured) : 0);
    if (!this.sensor) this.pitch = 0;
  }

  stop(): void { this.off?.abort(); }
}

function heading(q: Quaternion): number {
  const way = new Vector3(0, 0, -1).applyQuaternion(q);
  if (way.x * way.x + way.z * way.z < 1e-6) way.set(0, 1, 0).applyQuaternion(q); // straight up or down: where the crown points
  return Math.atan2(-way.x, -way.z);
}

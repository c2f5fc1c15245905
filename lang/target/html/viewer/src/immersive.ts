// Hands in an immersive session, whichever library draws it: two controllers or
// tracked hands that point, select and grab.
import { click, type Hit, type Ray } from "./pointer.ts";
import type { Running } from "./running.ts";
import { add, back, product, sub, turn, type Quat, type Vec } from "./vector.ts";

// Beams shows where hands point: of a hand that is not there, undefined.
export interface Beams { hit(ray: Ray): Hit | undefined; beam(hand: number, ray: Ray | undefined): void }

interface Pose { t: Vec; r: Quat }
interface Hand { pose?: Pose; held?: { node: string; t: Vec; r: Quat } }

export class Immersive {
  private readonly hands = new Map<XRInputSource, Hand>();
  private readonly off = new AbortController();

  constructor(private readonly stage: Running, session: XRSession, private readonly on: Beams) {
    const listen = (name: string, act: (source: XRInputSource) => void) =>
      session.addEventListener(name as "select", (e) => act((e as XRInputSourceEvent).inputSource), { signal: this.off.signal });
    for (const name of ["selectstart", "squeezestart"]) listen(name, (s) => this.take(s));
    for (const name of ["selectend", "squeezeend"]) listen(name, (s) => this.drop(s));
    listen("select", (s) => {
      const hand = this.hand(s), hit = this.hit(hand);
      if (hit && !hand.held) click(this.stage, hit, name(s));
    });
    session.addEventListener("end", () => this.dispose(), { once: true });
  }

  private hand(source: XRInputSource): Hand {
    let h = this.hands.get(source);
    if (!h) this.hands.set(source, (h = {}));
    return h;
  }

  // frame looks where the hands are and carries what they hold.
  frame(frame: XRFrame, space: XRReferenceSpace): void {
    const sources = [...frame.session.inputSources];
    for (const [source, hand] of this.hands) {
      if (sources.includes(source)) continue;
      this.release(source, hand); // a hand that is gone holds nothing
      this.hands.delete(source);
    }
    sources.forEach((source, i) => {
      const p = frame.getPose(source.targetRaySpace, space)?.transform, hand = this.hand(source);
      hand.pose = p && { t: [p.position.x, p.position.y, p.position.z], r: [p.orientation.x, p.orientation.y, p.orientation.z, p.orientation.w] };
      this.on.beam(i, hand.pose && ray(hand.pose));
      if (hand.held && hand.pose) this.stage.hold(hand.held.node, add(hand.pose.t, turn(hand.pose.r, hand.held.t)), product(hand.pose.r, hand.held.r));
    });
    for (let i = sources.length; i < 2; i++) this.on.beam(i, undefined);
  }

  private hit(hand: Hand): Hit | undefined { return hand.pose && this.on.hit(ray(hand.pose)); }

  private take(source: XRInputSource): void {
    const hand = this.hand(source), node = hand.held ? undefined : this.hit(hand)?.grab, at = node && this.stage.at(node);
    if (!node || !at || !hand.pose || !this.stage.grab(node, name(source))) return;
    const away = back(hand.pose.r);
    hand.held = { node, t: turn(away, sub(at.t, hand.pose.t)), r: product(away, at.r) };
  }

  private drop(source: XRInputSource): void { this.release(source, this.hand(source)); }

  private release(source: XRInputSource, hand: Hand): void {
    if (!hand.held) return;
    this.stage.release(hand.held.node, name(source));
    hand.held = undefined;
  }

  dispose(): void {
    this.off.abort();
    for (const [source, hand] of this.hands) this.release(source, hand);
    this.hands.clear();
    for (let i = 0; i < 2; i++) this.on.beam(i, undefined);
  }
}

function name(source: XRInputSource): string { return source.handedness === "left" ? "left" : "right"; }

function ray(p: Pose): Ray { return { from: p.t, ahead: turn(p.r, [0, 0, -1]) }; }

// Immersive mode: a button for each kind of session that the browser offers, two
// controllers or hands that point, select and grab. It was tried with an
// emulator, not on a headset.
import type { Scene as World, WebGLRenderer } from "three";
import { Controllers } from "./controllers.ts";
import { element } from "./page.ts";
import type { Stage } from "./stage.ts";

export interface World3D {
  stage(): Stage;
  say(text: string): void;
  world(): World;
  state(s: string): void; // vr, ar, none
  resize(): void;
}

type Kind = ["immersive-vr" | "immersive-ar", string];

export class XR {
  private readonly hands: Controllers;
  private background: World["background"] = null;
  private fog: World["fog"] = null;
  private hidden: { visible: boolean }[] = [];

  constructor(protected readonly renderer: WebGLRenderer, protected readonly on: World3D, protected readonly main: HTMLElement) {
    this.hands = new Controllers(renderer, () => on.stage(), { chosen: () => this.chosen(), busy: () => this.busy });
    void this.offer(this.kinds());
  }

  // What another kind of immersive mode does otherwise.
  protected kinds(): Kind[] { return [["immersive-vr", "Enter VR"], ["immersive-ar", "Enter AR"]]; }
  protected wishes(): XRSessionInit { return { optionalFeatures: ["local-floor", "hand-tracking"] }; }
  protected begun(_session: XRSession): void {}
  protected over(): void {}
  protected chosen(): boolean { return false; } // says whether a selection was not meant for a thing
  protected get busy(): boolean { return false; } // nothing can be picked up

  protected async offer(kinds: Kind[]): Promise<void> {
    for (const [mode, label] of kinds) {
      if (!(await navigator.xr?.isSessionSupported(mode).catch(() => false))) continue;
      const b = element("button", `xr ${mode}`);
      b.type = "button";
      b.textContent = label;
      b.addEventListener("click", () => void this.enter(mode, b, label));
      this.main.append(b);
    }
  }

  private async enter(mode: Kind[0], b: HTMLButtonElement, label: string): Promise<void> {
    const now = this.renderer.xr.getSession();
    if (now) return void now.end();
    let session: XRSession;
    try {
      session = await navigator.xr!.requestSession(mode, this.wishes());
      this.renderer.xr.enabled = true;
      await this.renderer.xr.setSession(session);
    } catch (e) {
      this.renderer.xr.enabled = false;
      this.on.state("none");
      console.info(`immersive mode: ${String(e)}`);
      return;
    }
    const world = this.on.world();
    if (mode === "immersive-ar") { // the room is the background
      this.background = world.background;
      world.background = null;
      this.fog = world.fog;
      world.fog = null;
      this.hidden = world.children.filter((o) => o.userData.sky && o.visible);
      for (const o of this.hidden) o.visible = false;
    }
    b.textContent = "Leave";
    this.on.state(mode === "immersive-ar" ? "ar" : "vr");
    this.hands.enter(world);
    this.begun(session);
    session.addEventListener("end", () => {
      this.over();
      this.hands.leave();
      if (this.background) world.background = this.background;
      if (this.fog) world.fog = this.fog;
      this.background = this.fog = null;
      for (const o of this.hidden.splice(0)) o.visible = true;
      this.renderer.xr.enabled = false;
      b.textContent = label;
      this.on.state("none");
      this.on.resize();
    });
  }

  // frame carries what the hands hold.
  frame(): void { this.hands.frame(); }
}

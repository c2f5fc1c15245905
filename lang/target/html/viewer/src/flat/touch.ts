// What people do with the things of a flat page: point, click, drag, and the
// same with keys. Enter and Space click; on what can be picked up G takes it and
// lets it go, and the arrows move it by a tenth of a metre.
import type { Running } from "../running.ts";
import { called } from "../scene.ts";
import type { Vec } from "../vector.ts";
import { perMetre } from "./look.ts";
import type { Sheet } from "./sheet.ts";

interface Held { id: string; x: number; y: number; t: Vec; pointer: number }

export class Touch {
  private held?: Held;
  private over = "";
  private down = "";
  private dragged = false;
  private lifted = ""; // by key
  private readonly fresh: string[] = []; // nodes that came

  constructor(private readonly stage: Running, private readonly sheet: Sheet, private readonly root: HTMLElement, private readonly say: (text: string) => void) {
    const on = <K extends keyof HTMLElementEventMap>(kind: K, act: (e: HTMLElementEventMap[K]) => void) => root.addEventListener(kind, act);
    on("pointerdown", (e) => this.press(e));
    on("pointermove", (e) => this.move(e));
    on("pointerup", (e) => this.up(e));
    on("pointercancel", () => this.drop());
    on("pointerover", (e) => this.hover(this.node(e.target)));
    on("pointerleave", () => this.hover(""));
    on("click", (e) => this.click(e));
    on("dblclick", (e) => this.notify(this.node(e.target), "double_click", e));
    on("focusin", (e) => {
      const id = this.node(e.target);
      if (!id || (e.target as HTMLElement).matches(":hover")) return;
      this.stage.raise(id, "focus", { hand: "keyboard" });
      this.hover(id);
    });
    on("focusout", (e) => {
      const id = this.node(e.target);
      if (!id) return;
      this.stage.raise(id, "blur", { hand: "keyboard" });
      this.hover("");
      this.settle();
    });
    on("keydown", (e) => this.key(e));
    for (const id of sheet.items.keys()) this.meet(id);
    stage.onNode = (n, here) => { if (here) this.fresh.push(n.id); };
  }

  // frame meets what came, once the program listens for it.
  frame(): void { for (const id of this.fresh.splice(0)) this.meet(id); }

  // meet lets a thing be pointed at where something waits for that.
  private meet(id: string): void {
    const item = this.sheet.items.get(id), f = item?.face;
    if (!f || f instanceof HTMLButtonElement) return;
    // What nothing waits for lets the pointer through to what is behind.
    if (!this.grabbed(id) && !heard.some((k) => this.stage.listens(id, k))) f.style.pointerEvents = "none";
    // What only wires and subscriptions wait for can be used too.
    if (f.getAttribute("aria-hidden") || !["click", "tap", "press"].some((k) => this.own(id, k))) return;
    f.tabIndex = 0;
    f.setAttribute("role", "button");
    f.setAttribute("aria-label", item.node.text?.value || item.node.label || item.node.name || item.node.path);
  }

  // own says whether an event of a node itself is waited for, not only above it.
  private own(id: string, event: string): boolean {
    const up = this.sheet.items.get(id)?.place.parentElement?.closest(".node")?.id ?? "";
    return this.stage.listens(id, event) && !(up && this.stage.listens(up, event));
  }

  private node(target: EventTarget | null): string {
    for (let at = (target as Element | null)?.closest(".node"); at; at = at.parentElement?.closest(".node")) if (at.id) return at.id;
    return "";
  }

  // grabbed is the node of a line that can be picked up.
  private grabbed(id: string): string { return this.stage.nearest(id, "grab") ?? ""; }

  private payload(e: MouseEvent): { point: number[]; hand: string } {
    const origin = this.root.querySelector(".origin")?.getBoundingClientRect();
    return { point: [(e.clientX - (origin?.left ?? 0)) / perMetre, ((origin?.top ?? 0) - e.clientY) / perMetre, 0], hand: e.detail === 0 && e.type === "click" ? "keyboard" : "pointer" };
  }

  private notify(id: string, event: string, e: MouseEvent): void { if (id) this.stage.raise(id, event, this.payload(e)); }

  private press(e: PointerEvent): void {
    if (e.button !== 0) return;
    this.down = this.node(e.target);
    this.dragged = false;
    this.notify(this.down, "press", e);
    const id = this.grabbed(this.down), at = this.stage.at(id);
    if (!at || !this.stage.grab(id)) return;
    this.held = { id, x: e.clientX, y: e.clientY, t: at.t, pointer: e.pointerId };
    this.sheet.items.get(id)?.face?.classList.add("held");
  }

  private move(e: PointerEvent): void {
    const h = this.held;
    if (!h || e.pointerId !== h.pointer) return;
    const x = e.clientX - h.x, y = e.clientY - h.y;
    if (!this.dragged && Math.abs(x) + Math.abs(y) < 6) return;
    if (!this.dragged) this.root.setPointerCapture(e.pointerId);
    this.dragged = true;
    this.stage.hold(h.id, [h.t[0] + x / perMetre, h.t[1] - y / perMetre, h.t[2]]);
  }

  private up(e: PointerEvent): void {
    const id = this.down;
    this.down = "";
    this.drop();
    if (this.stage.nodes.has(id)) this.notify(id, "release", e);
  }

  private drop(): void {
    const h = this.held;
    this.held = undefined;
    if (!h || !this.stage.nodes.has(h.id)) return;
    this.sheet.items.get(h.id)?.face?.classList.remove("held");
    this.stage.release(h.id);
  }

  private hover(id: string): void {
    if (id === this.over) return;
    if (this.over && this.stage.nodes.has(this.over)) this.stage.raise(this.over, "hover_exit");
    this.over = id;
    if (id) this.stage.raise(id, "hover_enter", { hand: "pointer" });
  }

  private click(e: MouseEvent): void {
    if (this.dragged) {
      this.dragged = false;
      return;
    }
    const id = this.node(e.target);
    this.notify(id, "click", e);
    this.notify(id, "tap", e);
  }

  private key(e: KeyboardEvent): void {
    const id = this.node(e.target), face = e.target as HTMLElement;
    if (!id || e.ctrlKey || e.metaKey || e.altKey) return;
    if ((e.key === "Enter" || e.key === " ") && face.getAttribute("role") === "button") {
      e.preventDefault();
      face.click();
      return;
    }
    const grab = this.grabbed(id), way = ways[e.key];
    if (!grab) return;
    if (e.key === "g" || e.key === "G") {
      if (this.lifted) return this.settle();
      if (!this.stage.grab(grab, "keyboard")) return;
      this.lifted = grab;
      this.sheet.items.get(grab)?.face?.classList.add("held");
      this.say(`${called(this.stage.nodes.get(grab)!)}: held. Arrow keys move it, G lets go.`);
    } else if (way && this.lifted === grab) {
      e.preventDefault();
      const { t } = this.stage.at(grab)!;
      this.stage.hold(grab, [t[0] + way[0], t[1] + way[1], t[2]]);
    }
  }

  // settle lets go what keys hold.
  private settle(): void {
    const id = this.lifted, n = this.stage.nodes.get(id);
    this.lifted = "";
    if (!n) return;
    this.sheet.items.get(id)?.face?.classList.remove("held");
    this.stage.release(id, "keyboard");
    this.say(`${called(n)}: let go.`);
  }
}

const heard = ["click", "tap", "double_click", "press", "release", "hover_enter", "hover_exit"];

const ways: Record<string, [number, number]> = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };

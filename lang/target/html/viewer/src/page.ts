// What stands on the page beside the picture: the list of things for keyboards
// and screen readers, the controls of the scene, messages.
import type { Node, Scene, Widget } from "./scene.ts";
import { called } from "./scene.ts";

export class Page {
  readonly canvas = element("canvas", "view");
  private readonly live = element("p", "live");
  private readonly list = element("ul", "things");

  constructor(scene: Scene, onSelect: (n: Node) => void) {
    const main = document.querySelector("main")!;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", `${scene.name || "Scene"}, three-dimensional view. Arrow keys turn, plus and minus zoom.`);
    this.live.setAttribute("role", "status");
    this.live.setAttribute("aria-live", "polite");
    document.getElementById("still")?.remove();
    document.getElementById("list")?.remove();
    const nav = element("nav", "list");
    nav.setAttribute("aria-label", "Things in the scene");
    for (const n of scene.nodes ?? []) {
      if (n.kind === "group" || n.kind === "light" || n.kind === "camera") continue;
      const b = element("button", "");
      b.type = "button";
      b.textContent = called(n);
      b.dataset.node = n.id;
      b.addEventListener("click", () => onSelect(n));
      const li = element("li", "");
      li.append(b);
      this.list.append(li);
    }
    nav.append(this.list);
    main.append(this.canvas, nav, this.live);
    if (!scene.nodes?.length) this.note("This scene is empty.");
    if (scene.ui?.length) main.append(this.controls(scene.ui));
  }

  // say tells people who look and people who listen.
  say(text: string): void { this.live.textContent = text; }

  // note shows a sentence for good.
  note(text: string): void {
    const p = element("p", "note");
    p.textContent = text;
    document.querySelector("main")!.append(p);
  }

  // describe is what can be said of a node.
  describe(n: Node): string {
    const can = { click: "can be clicked", hover: "reacts to the pointer", grab: "can be picked up" } as Record<string, string>;
    const parts = [called(n), n.alt, ...(n.interact ?? []).map((i) => can[i])].filter(Boolean);
    return parts.join(", ") + ".";
  }

  private controls(widgets: Widget[]): HTMLElement {
    const aside = element("aside", "ui");
    aside.setAttribute("aria-label", "Controls");
    for (const w of widgets) aside.append(this.control(w));
    return aside;
  }

  private control(w: Widget): HTMLElement {
    const label = w.label ?? "";
    const params = w.params ?? {};
    switch (w.kind) {
      case "button": {
        const b = element("button", "");
        b.type = "button";
        b.textContent = label;
        b.addEventListener("click", () => this.say(`${label}.`));
        return b;
      }
      case "text": {
        const p = element("p", "");
        p.textContent = label || String(w.value ?? "");
        return p;
      }
      case "slider":
      case "checkbox":
      case "input": {
        const l = element("label", "");
        const i = element("input", "");
        i.type = w.kind === "slider" ? "range" : w.kind === "checkbox" ? "checkbox" : "text";
        for (const k of ["min", "max", "step"]) if (typeof params[k] === "number") i.setAttribute(k, String(params[k]));
        if (w.kind === "slider" && params.step === undefined) i.step = "any";
        if (w.kind === "checkbox") i.checked = w.value === true;
        else if (w.value !== undefined && w.value !== null) i.value = String(w.value);
        l.append(label || w.id || w.kind, " ", i);
        return l;
      }
      case "dropdown": {
        const l = element("label", "");
        const s = element("select", "");
        for (const o of Array.isArray(params.options) ? params.options : []) s.add(new Option(String(o)));
        if (w.value !== undefined && w.value !== null) s.value = String(w.value);
        l.append(label || w.id || "Choice", " ", s);
        return l;
      }
      default: {
        const f = element("fieldset", "");
        if (label) {
          const legend = element("legend", "");
          legend.textContent = label;
          f.append(legend);
        }
        for (const c of w.children ?? []) f.append(this.control(c));
        return f;
      }
    }
  }
}

function element<K extends keyof HTMLElementTagNameMap>(tag: K, name: string): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  if (name) e.className = name;
  return e;
}

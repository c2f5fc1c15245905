// What stands on the page beside the picture: the list of things for keyboards
// and screen readers, the button that pauses motion, messages.
import { called, type Node, type Scene } from "./scene.ts";
import type { Line } from "./running.ts";

export interface Acts {
  select(n: Node): void; // look at it and say what it is
  use(n: Node): void; // click it
  pause(on: boolean): void;
}

const can: Record<string, string> = { click: "can be used", hover: "reacts to the pointer", grab: "can be picked up" };

// Messages are what a page says, and the button that pauses motion.
export class Messages {
  protected readonly live = element("p", "live");
  protected readonly pausing = element("button", "pause");
  protected readonly notes: HTMLElement[] = [];

  constructor(readonly main: HTMLElement, pause: (on: boolean) => void) {
    this.live.setAttribute("role", "status");
    this.live.setAttribute("aria-live", "polite");
    this.pausing.type = "button";
    this.pausing.hidden = true;
    this.pausing.addEventListener("click", () => pause(this.pausing.textContent === "Pause"));
    main.append(this.pausing, this.live);
  }

  // motion shows the button that stops what moves by itself, where there is some.
  motion(some: boolean, playing: boolean): void {
    this.pausing.hidden = !some;
    this.pausing.textContent = playing ? "Pause" : "Play";
    this.pausing.setAttribute("aria-label", playing ? "Pause motion" : "Play motion");
  }

  // say informs people who look and people who listen.
  say(text: string): void { this.live.textContent = text; }

  // note shows a sentence for good.
  note(text: string): void {
    const p = element("p", "note");
    p.textContent = text;
    this.notes.push(p);
    this.main.append(p);
  }

  // fault shows what went wrong, once for each text.
  fault(text: string): void {
    if (this.notes.some((n) => n.textContent === text) || this.notes.length > 20) return;
    const p = element("p", "fault");
    p.setAttribute("role", "alert");
    p.textContent = text;
    this.notes.push(p);
    this.main.append(p);
  }

  // said shows a line of a program: a log line for now, a fault for good.
  said(line: Line): void {
    if (line.level === "log") return this.say(line.text);
    const place = line.line ? ` (line ${line.line}, column ${line.column}${line.function ? `, in ${line.function}` : ""})` : "";
    this.fault(`${line.code ?? "Fault"}: ${line.text}${place}`);
  }
}

export class Page extends Messages {
  private readonly list = element("ul", "things");
  private readonly nav = element("nav", "list");

  constructor(main: HTMLElement, canvas: HTMLCanvasElement, private readonly acts: Acts) {
    super(main, (on) => acts.pause(on));
    canvas.className = "view";
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "application");
    for (const id of ["still", "list"]) document.getElementById(id)?.remove();
    this.nav.setAttribute("aria-label", "Things in the scene");
    this.nav.append(this.list);
    this.pausing.before(canvas, this.nav);
  }

  // show names the things of a scene in the order of the source.
  show(scene: Scene, canvas: HTMLCanvasElement): void {
    canvas.setAttribute("aria-label", `${scene.name || "Scene"}, three-dimensional view. Arrow keys turn, with shift they move, plus and minus zoom, 0 goes back.`);
    for (const n of this.notes.splice(0)) n.remove();
    this.list.replaceChildren();
    for (const n of scene.nodes ?? []) {
      if (n.kind === "group" || n.kind === "light" || n.kind === "camera") continue;
      this.put(n);
    }
    this.nav.hidden = this.list.children.length === 0;
    if (!scene.nodes?.length && !scene.prototypes && !scene.ui?.length) this.note("This scene is empty.");
  }

  private put(n: Node): void {
    const li = element("li", "");
    li.dataset.node = n.id;
    li.append(this.button(called(n), () => this.acts.select(n)));
    if (n.interact?.includes("click")) li.append(this.button(`Use ${called(n)}`, () => this.acts.use(n)));
    this.list.append(li);
  }

  // came names a thing that came while the scene runs, where it can be used, and
  // takes away what went.
  came(n: Node, here: boolean): void {
    if (!here) for (const li of [...this.list.children] as HTMLElement[]) if (li.dataset.node === n.id) li.remove();
    if (here && n.interact?.length) this.put(n);
    this.nav.hidden = this.list.children.length === 0;
  }

  private button(text: string, act: () => void): HTMLButtonElement {
    const b = element("button", "");
    b.type = "button";
    b.textContent = text;
    b.addEventListener("click", act);
    return b;
  }

  // describe is what can be said of a node.
  describe(n: Node): string {
    const parts = [called(n), n.alt, n.text?.value, ...(n.interact ?? []).map((i) => can[i])].filter(Boolean);
    return parts.join(", ") + ".";
  }
}

export function element<K extends keyof HTMLElementTagNameMap>(tag: K, name: string): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  if (name) e.className = name;
  return e;
}

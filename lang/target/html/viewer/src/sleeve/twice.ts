// What a page shows beside the picture, shown to both eyes: the controls of the
// scene stand in it at arm's length, one copy for each eye, and what is said stands
// below the middle. A look uses the controls as a hand does.
import { Quaternion, Vector3 } from "three";
import { element } from "../page.ts";
import type { Controls } from "../ui.ts";
import type { Data } from "../scene.ts";

const reach = 1.2; // metres to the controls
const usable = "button, input, select";

export class Twice {
  readonly root = element("div", "sleeve-view");
  readonly leave = element("button", "leave");
  private readonly eyes = [element("div", "eye"), element("div", "eye")];
  private readonly panels: HTMLElement[] = [];
  private readonly dots: HTMLElement[] = [];
  private readonly said: HTMLElement[] = [];
  private copies: Controls[] = [];
  private place?: Vector3;
  private at?: HTMLElement;
  private time = 0;
  private used = false;

  constructor(private readonly dwell: number, private readonly say: (text: string) => void) {
    this.root.hidden = true;
    this.root.tabIndex = -1;
    this.root.setAttribute("role", "application");
    this.root.setAttribute("aria-label", "The scene for a phone in a sleeve. Look at a thing for a moment or tap to use it, Escape leaves.");
    this.leave.type = "button";
    this.leave.textContent = "Leave";
    this.eyes.forEach((eye, i) => {
      if (i > 0) eye.setAttribute("aria-hidden", "true");
      this.panels.push(eye.appendChild(element("div", "panel")));
      this.said.push(eye.appendChild(element("p", "said")));
      this.dots.push(eye.appendChild(element("div", "dot")));
      this.root.append(eye);
    });
    this.root.append(this.leave);
    // A finger on the glass is the button of the sleeve, wherever it is put.
    this.root.addEventListener("click", (e) => {
      if (!e.isTrusted || e.target === this.leave) return;
      e.preventDefault();
      e.stopPropagation();
    }, true);
    this.panels.forEach((panel, i) => panel.addEventListener("input", () => this.mirror(i)));
    this.panels.forEach((panel, i) => panel.addEventListener("change", () => this.mirror(i)));
  }

  // fill gives both eyes the controls of a scene.
  fill(copies: Controls[]): void {
    this.copies = copies;
    this.panels.forEach((panel, i) => panel.replaceChildren(...(copies[i] ? [copies[i].root] : [])));
    this.at = undefined;
  }

  state(key: string, value: Data): void { for (const c of this.copies) c.state(key, value); }

  // mirror shows the other eye what a control without a state key holds now.
  private mirror(from: number): void {
    const fields = (i: number) => this.panels[i].querySelectorAll<HTMLInputElement>("input, select"), there = fields(1 - from);
    fields(from).forEach((f, k) => {
      there[k].value = f.value;
      there[k].checked = f.checked;
    });
  }

  notify(text: string): void { for (const p of this.said) if (p.textContent !== text) p.textContent = text; }

  // stand puts the controls to the right of what is ahead and a little below.
  stand(from: Vector3, yaw: number): void {
    this.place = new Vector3(0, -Math.sin(0.3), -Math.cos(0.3)).applyAxisAngle(new Vector3(0, 1, 0), yaw - 0.55).multiplyScalar(reach).add(from);
  }

  // frame draws the controls where they stand for eyes that are there, and says
  // whether the look is on them.
  frame(seconds: number, eyes: Vector3[], look: Quaternion, focal: number, apart: number): boolean {
    const { clientWidth: w, clientHeight: h } = this.eyes[0], back = look.clone().invert();
    const up = new Vector3(0, 1, 0).applyQuaternion(back), roll = Math.atan2(up.x, up.y), shift = (focal * apart) / 2 / reach;
    eyes.forEach((eye, i) => {
      const p = this.panels[i], v = this.place?.clone().sub(eye).applyQuaternion(back);
      p.hidden = !v || v.z > -0.1 || this.copies.length === 0;
      if (!v || p.hidden) return;
      p.style.transform = `translate(${w / 2 - (focal * v.x) / v.z}px, ${h / 2 + (focal * v.y) / v.z}px) translate(-50%, -50%) rotate(${roll}rad) scale(${focal / 330})`;
    });
    const x = w / 2 + shift, y = h / 2, box = this.eyes[0].getBoundingClientRect();
    const found = this.panels[0].hidden ? null : document.elementFromPoint(box.left + x, box.top + y), inside = found !== null && this.panels[0].contains(found);
    const label = inside ? found.closest("label") : null;
    this.look(inside ? (found.closest<HTMLElement>(usable) ?? label?.control ?? undefined) : undefined);
    if (this.at && !this.used && this.dwell > 0 && (this.time += seconds) >= this.dwell) this.use(box.left + x);
    this.dots.forEach((dot, i) => {
      dot.hidden = !inside;
      dot.style.transform = `translate(${w / 2 + (i === 0 ? shift : -shift)}px, ${y}px) translate(-50%, -50%)`;
      dot.style.setProperty("--part", `${this.at ? (this.used ? 1 : Math.min(this.time / (this.dwell || 1), 1)) * 360 : 0}deg`);
    });
    return inside;
  }

  private look(at: HTMLElement | undefined): void {
    if (at === this.at) return;
    this.at = at;
    this.time = 0;
    this.used = false;
    const mine = [...this.panels[0].querySelectorAll(usable)];
    const k = at ? mine.indexOf(at) : -1;
    for (const p of this.panels) p.querySelectorAll(usable).forEach((e, i) => e.classList.toggle("gazed", i === k));
  }

  // use does with a control what a hand would; x is where on the glass it is looked at.
  use(x?: number): boolean {
    const { at } = this;
    if (!at) return false;
    this.used = true;
    if (at instanceof HTMLSelectElement) {
      at.selectedIndex = (at.selectedIndex + 1) % Math.max(at.options.length, 1);
      at.dispatchEvent(new Event("change", { bubbles: true }));
    } else if (at instanceof HTMLInputElement && at.type === "range") {
      const box = at.getBoundingClientRect(), here = x ?? box.left + box.width / 2, low = Number(at.min || 0), high = Number(at.max || 100);
      at.value = String(low + (high - low) * Math.min(Math.max((here - box.left) / (box.width || 1), 0), 1));
      at.dispatchEvent(new Event("input", { bubbles: true }));
    } else if (at instanceof HTMLInputElement && at.type !== "checkbox") this.say("Leave the sleeve to type.");
    else at.click();
    return true;
  }

  // middle is where the look is on the glass, for the controls.
  middle(focal: number, apart: number): number {
    const box = this.eyes[0].getBoundingClientRect();
    return box.left + box.width / 2 + (focal * apart) / 2 / reach;
  }
}

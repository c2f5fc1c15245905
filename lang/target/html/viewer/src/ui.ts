// The controls of a scene as elements of the page: panels, texts, buttons,
// sliders and the rest, each with its label, bound to the state of the scene.
import type { Asset, Data, Widget } from "./scene.ts";
import { element } from "./page.ts";

export interface Host {
  press(id: string): void;
  change(id: string, value: Data): void;
  put(key: string, value: Data): void; // sets a state key
  submit(id: string, values: { [id: string]: Data }): void; // Enter in a field of a panel
}

export class Controls {
  readonly root = element("aside", "ui");
  private readonly bound = new Map<string, ((v: Data) => void)[]>();
  private readonly texts: { parts: string[]; show: (s: string) => void }[] = [];
  private readonly values = new Map<string, Data>();
  private readonly filledIn = new Map<Widget, Data>(); // what the fields hold

  constructor(widgets: Widget[], private readonly assets: Asset[], private readonly host: Host) {
    this.root.setAttribute("aria-label", "Controls");
    for (const w of widgets) this.root.append(this.control(w, 2));
    if (widgets.every((w) => pair(w.params?.position))) this.root.classList.add("placed");
  }

  // state shows a state key where a control or a text has it.
  state(key: string, value: Data): void {
    this.values.set(key, value);
    for (const show of this.bound.get(key) ?? []) show(value);
    for (const t of this.texts) if (t.parts.some((p, i) => i % 2 === 1 && p === key)) t.show(this.filled(t.parts));
  }

  private filled(parts: string[]): string {
    return parts.map((p, i) => (i % 2 === 0 ? p : said(this.values.get(p)))).join("");
  }

  // text shows a text whose ${key} are state keys.
  private text(source: string, show: (s: string) => void): void {
    const parts = source.split(/\$\{\s*(?:state\.|this\.)?(\w+)\s*\}/);
    show(this.filled(parts));
    if (parts.length > 1) this.texts.push({ parts, show });
  }

  private bind(w: Widget, show: (v: Data) => void): void {
    const seen = (v: Data) => {
      this.filledIn.set(w, v);
      show(v);
    };
    if (w.value !== undefined) seen(w.value);
    if (w.bind) this.bound.set(w.bind, [...(this.bound.get(w.bind) ?? []), seen]);
  }

  // shown hides a group of controls while what it is bound to is not true.
  private shown(w: Widget, e: HTMLElement): void {
    if (!w.bind) return;
    e.hidden = true;
    this.bound.set(w.bind, [...(this.bound.get(w.bind) ?? []), (v: Data) => { e.hidden = v !== true; }]);
  }

  private entered(w: Widget, value: Data): void {
    this.filledIn.set(w, value);
    if (w.bind) {
      this.host.put(w.bind, value);
      this.state(w.bind, value);
    }
    this.host.change(w.id ?? w.label ?? "", value);
  }

  // fields are what is filled in below a panel, by the names of its controls.
  private fields(w: Widget, out: { [id: string]: Data } = {}): { [id: string]: Data } {
    for (const c of w.children ?? []) {
      if (this.filledIn.has(c)) out[c.id ?? c.label ?? c.kind] = this.filledIn.get(c)!;
      this.fields(c, out);
    }
    return out;
  }

  private control(w: Widget, level: number): HTMLElement {
    return styled(w.params ?? {}, this.plain(w, level), level === 2);
  }

  // plain is a control as it is without a look of its own.
  private plain(w: Widget, level: number): HTMLElement {
    const label = w.label ?? w.id ?? "";
    const params = w.params ?? {};
    switch (w.kind) {
      case "button": {
        const b = element("button", "");
        b.type = "button";
        this.text(label || "Button", (s) => { b.textContent = s; });
        b.disabled = params.disabled === true || params.enabled === false;
        b.addEventListener("click", () => this.host.press(w.id ?? w.label ?? ""));
        return b;
      }
      case "text": {
        const p = element("p", "");
        if (w.bind) this.bind(w, (v) => { p.textContent = said(v); });
        else this.text(label || said(w.value), (s) => { p.textContent = s; });
        return p;
      }
      case "slider": {
        const i = element("input", ""), shown = element("output", "");
        i.type = "range";
        for (const k of ["min", "max", "step"]) if (typeof params[k] === "number") i.setAttribute(k, String(params[k]));
        if (params.step === undefined) i.step = "any";
        this.bind(w, (v) => {
          i.value = said(v);
          shown.value = short(Number(i.value));
        });
        i.addEventListener("input", () => {
          shown.value = short(Number(i.value));
          this.entered(w, Number(i.value));
        });
        const l = named(label || "Slider", i);
        if (params.show_value !== false) l.append(shown);
        return l;
      }
      case "checkbox": {
        const i = element("input", "");
        i.type = "checkbox";
        this.bind(w, (v) => { i.checked = v === true; });
        i.addEventListener("change", () => this.entered(w, i.checked));
        return named(label || "Choice", i);
      }
      case "input": {
        const i = element("input", "");
        i.type = params.type === "number" ? "number" : params.type === "password" ? "password" : "text";
        if (typeof params.placeholder === "string") i.placeholder = params.placeholder;
        i.maxLength = 10000;
        this.bind(w, (v) => { i.value = said(v); });
        i.addEventListener("change", () => this.entered(w, i.type === "number" ? Number(i.value) : i.value));
        return named(label || "Text", i);
      }
      case "dropdown": {
        const s = element("select", "");
        for (const o of Array.isArray(params.options) ? params.options : []) s.add(choice(o));
        this.bind(w, (v) => { s.value = said(v); });
        s.addEventListener("change", () => this.entered(w, s.value));
        return named(label || "Choice", s);
      }
      case "progress": {
        const p = element("progress", ""), shown = element("output", "");
        if (typeof params.max === "number" && params.max > 0) p.max = params.max;
        this.bind(w, (v) => {
          p.value = Number(v) || 0;
          shown.value = said(v);
        });
        const l = named(label || "Progress", p);
        l.append(shown);
        return l;
      }
      case "image": {
        const path = String(params.src ?? params.url ?? w.value ?? "");
        const asset = this.assets.find((a) => a.path === path && a.data && a.media_type?.startsWith("image/"));
        if (!asset) return text(element("p", ""), String(params.alt ?? (label || "Picture")));
        const i = element("img", "");
        i.alt = String(params.alt ?? label);
        i.src = `data:${asset.media_type};base64,${asset.data}`;
        return i;
      }
      case "section": {
        const s = element("section", "");
        this.shown(w, s);
        if (label) s.append(text(element(level < 3 ? "h2" : "h3", ""), label));
        for (const c of w.children ?? []) s.append(this.control(c, label ? level + 1 : level));
        return s;
      }
      default: {
        const f = element("fieldset", "");
        this.shown(w, f);
        if (label) f.append(text(element("legend", ""), label));
        for (const c of w.children ?? []) f.append(this.control(c, level));
        f.addEventListener("keydown", (e) => {
          const field = e.target as HTMLInputElement;
          if (e.key !== "Enter" || !/^(text|number|password)$/.test(field.type)) return;
          e.preventDefault();
          e.stopPropagation();
          field.blur(); // which reports the change
          field.focus();
          this.host.submit(w.id ?? label, this.fields(w));
        });
        return f;
      }
    }
  }
}

// pair says whether a value is a place or a size on the page.
function pair(v: Data | undefined): v is Data[] { return Array.isArray(v) && v.length === 2; }

function length(v: Data | undefined): string { return typeof v === "number" ? `${v}px` : typeof v === "string" ? v : ""; }

// styled gives a control the place, size and colours that its source says: in pixels of
// the page, or of the control around it.
function styled(params: { [key: string]: Data }, e: HTMLElement, outermost: boolean): HTMLElement {
  const s = e.style, position = params.position, size = params.size;
  if (pair(position)) {
    s.position = outermost ? "fixed" : "absolute";
    s.left = length(position[0]);
    s.top = length(position[1]);
  }
  const [width, height] = pair(size) ? size : [params.width, params.height];
  s.width = length(width);
  s.minHeight = length(height);
  s.background = length(params.background);
  s.color = length(params.text_color ?? params.color);
  s.fontSize = length(params.font_size);
  s.fontWeight = params.font_weight === undefined ? "" : said(params.font_weight);
  s.borderRadius = length(params.border_radius);
  s.padding = length(params.padding);
  s.opacity = said(params.opacity);
  s.accentColor = length(params.active_color);
  s.textAlign = length(params.text_align);
  if (params.visible === false) e.hidden = true;
  return e;
}

// choice is an option of a list: a value, or one with what it is called.
function choice(o: Data): HTMLOptionElement {
  if (typeof o !== "object" || o === null || Array.isArray(o)) return new Option(said(o));
  return new Option(said(o.label ?? o.name ?? o.value), said(o.value ?? o.id ?? o.label));
}

function named(label: string, input: HTMLElement): HTMLLabelElement {
  const l = element("label", "");
  l.append(text(element("span", ""), label), input);
  return l;
}

function text<E extends HTMLElement>(e: E, s: string): E {
  e.textContent = s;
  return e;
}

function short(n: number): string { return String(Math.round(n * 100) / 100); }

function said(v: Data | undefined): string {
  if (v === undefined || v === null) return "";
  return typeof v === "object" ? JSON.stringify(v) : typeof v === "number" ? short(v) : String(v);
}

// The list of live values beside the picture: what each is, how fresh, and what
// was refused, in words.
import { element } from "../page.ts";
import type { Binding, Fresh, Link } from "./link.ts";

export class Panel {
  readonly root = element("details", "live-data");
  private readonly head = element("summary", "");
  private readonly rows = new Map<Binding, { row: HTMLElement; value: HTMLElement; state: HTMLElement }>();
  private readonly sources: HTMLElement[] = [];

  constructor(private readonly link: Link) {
    this.root.open = innerWidth >= 600;
    this.root.append(this.head);
    if (link.bindings.length === 0) {
      const p = this.root.appendChild(element("p", "none"));
      p.textContent = "The source of this scene names no endpoint, so the page asks nobody and shows the scene as it was written.";
    }
    const list = this.root.appendChild(element("ul", ""));
    for (const b of link.bindings) {
      const row = list.appendChild(element("li", "")), name = row.appendChild(element("span", "name"));
      const value = row.appendChild(element("output", "")), state = row.appendChild(element("span", "state"));
      name.textContent = `${b.plan.name}, ${b.plan.key.replaceAll("_", " ")}`;
      this.rows.set(b, { row, value, state });
    }
    for (const i of link.plan.idle) {
      const row = list.appendChild(element("li", ""));
      row.dataset.state = "idle";
      row.textContent = `${i.name}: not live, ${i.text}`;
    }
    link.plan.feeds.forEach((f) => {
      const p = this.root.appendChild(element("p", "source"));
      p.dataset.address = f.address;
      this.sources.push(p);
    });
  }

  // show writes how everything stands.
  show(): void {
    const now = performance.now(), all = this.link.bindings, count = (f: Fresh) => all.filter((b) => b.fresh === f).length;
    const rest = [["stale", count("stale")], ["waiting", count("waiting")]].filter(([, n]) => n).map(([what, n]) => `, ${n} ${what}`).join("");
    put(this.head, all.length === 0 ? "No live data" : `Live data: ${count("live")} of ${all.length} live${rest}`);
    for (const [b, { row, value, state }] of this.rows) {
      row.dataset.state = b.fresh;
      put(value, b.taken === 0 ? "" : said(b.value));
      put(state, words(b, now));
    }
    this.sources.forEach((p, i) => {
      const { address, by } = this.link.plan.feeds[i], bad = this.link.refused[i];
      put(p, `${ways[by]} ${address}${bad > 0 ? `; ${bad} ${bad === 1 ? "message" : "messages"} refused` : ""}`);
    });
  }
}

const ways = { poll: "asks", events: "listens to", socket: "is joined to" };

function words(b: Binding, now: number): string {
  const parts: string[] = [];
  if (b.fresh === "waiting") parts.push("waiting for the first value");
  else if (b.fresh === "live") parts.push("live");
  else parts.push(b.taken === 0 ? "stale: nothing received" : `stale for ${Math.round((now - b.at) / 1000)} s`);
  if (b.why) parts.push(b.why);
  if (b.refused > 0) parts.push(`${b.refused} refused`);
  return parts.join("; ");
}

function put(e: HTMLElement, text: string): void { if (e.textContent !== text) e.textContent = text; }

function said(v: unknown): string {
  const text = typeof v === "number" ? String(Math.round(v * 1000) / 1000) : typeof v === "string" ? v : JSON.stringify(v);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

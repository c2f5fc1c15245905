// The viewer of pages that are bound to live data: the viewer of pages, with
// feeds, marks at what is stale and a list of what comes.
import { start } from "../start.ts";
import { Viewer } from "../viewer.ts";
import type { Scene } from "../scene.ts";
import { XR } from "../xr.ts";
import { Link, type Plan } from "./link.ts";
import { Marks } from "./marks.ts";
import { Panel } from "./panel.ts";

class Live extends Viewer {
  private link?: Link;
  private panel?: Panel;
  private marks_?: Marks;
  private news = false;
  private written = 0;
  private silent: string[] = [];

  override open(scene: Scene): { nodes: number; triangles: number } {
    const counts = super.open(scene);
    this.link?.close();
    const plan = JSON.parse(this.main.dataset.live ?? '{"feeds":[],"bindings":[],"idle":[]}') as Plan;
    this.marks_ = new Marks();
    this.stage.built.world.add(this.marks_.group);
    this.link = new Link(plan, () => this.stage, () => { this.news = true; });
    this.panel = new Panel(this.link);
    this.main.append(this.panel.root);
    this.news = true;
    return counts;
  }

  override facts() {
    const viewer = this;
    return Object.defineProperties(super.facts(), {
      live: { get: () => viewer.link?.bindings.map((b) => ({ node: b.plan.node, key: b.plan.key, fresh: b.fresh, taken: b.taken, refused: b.refused, value: b.value })) },
      refused: { get: () => viewer.link?.refused },
      marks: { get: () => viewer.marks_?.count },
    });
  }

  protected override frame(): void {
    const { link, panel, marks_ } = this, now = performance.now();
    if (link && panel && marks_) {
      link.look();
      if (this.news) this.mark();
      if (this.news || now - this.written > 500) {
        this.written = now;
        panel.show();
      }
      this.news = false;
      marks_.place((id) => this.stage.built.byId.get(id), this.renderer.xr.isPresenting ? this.renderer.xr.getCamera() : this.camera);
    }
    super.frame();
  }

  // mark shows which things do not say what is so now, and says when that changes.
  private mark(): void {
    const stale = new Map<string, string>(), names = new Map<string, string>();
    for (const b of this.link!.bindings) {
      names.set(b.plan.node, b.plan.name);
      if (b.fresh === "live") continue;
      if (b.fresh === "stale" || !stale.has(b.plan.node)) stale.set(b.plan.node, b.fresh === "stale" ? "stale" : "no data yet");
    }
    for (const node of names.keys()) this.marks_!.set(node, stale.get(node) ?? "");
    const silent = [...stale].filter(([, what]) => what === "stale").map(([node]) => node);
    const gone = silent.filter((n) => !this.silent.includes(n)), back = this.silent.filter((n) => !silent.includes(n));
    const list = (nodes: string[]) => nodes.slice(0, 3).map((n) => names.get(n)).join(", ") + (nodes.length > 3 ? ` and ${nodes.length - 3} more` : "");
    if (gone.length > 0) this.page.say(`Live data of ${list(gone)} is stale.`);
    else if (back.length > 0) this.page.say(`Live data of ${list(back)} is back.`);
    this.silent = silent;
    this.dirty = true;
  }
}

start((main) => Live.on(main, XR));

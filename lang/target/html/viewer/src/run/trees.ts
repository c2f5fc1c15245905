// Behaviour trees at work.
import { tooMany } from "./fault.ts";
import { Limit } from "./tables.gen.ts";
import type { Machine } from "./machine.ts";
import type { Tree, TreeNode } from "./program.ts";
import type { Instance } from "./templates.ts";

type Outcome = "success" | "failure" | "running";

// Visit is a tree node at work.
class Visit {
  readonly children: Visit[];
  at = 0; // the child that runs
  order: number[] | null = null; // of random_selector
  since = -1; // the step in which it began
  times = 0;
  until = 0; // end of a cooldown
  done: Outcome[] | null = null;

  readonly fn: number;

  constructor(readonly node: TreeNode, of?: Instance) {
    this.fn = of ? of.fn(node.fn) : node.fn;
    this.children = node.children.map((c) => new Visit(c, of));
  }

  // reset makes a node as if it had not begun; a cooldown goes on.
  reset(): void {
    this.at = this.times = 0;
    this.order = this.done = null;
    this.since = -1;
    for (const c of this.children) c.reset();
  }
}

export class Trees {
  private walks: { tree: Tree; node: string; root: Visit; next: number; over: boolean }[] = [];
  private left = 0;

  constructor(private readonly m: Machine) {}

  start(list: Tree[], of?: Instance): void {
    for (const tree of list) this.walks.push({ tree, node: of ? of.node(tree.node) : tree.node, root: new Visit(tree.root, of), next: 0, over: false });
  }

  // forget lets go of the trees of nodes that are no more.
  forget(dead: Set<string>): void { this.walks = this.walks.filter((w) => !dead.has(w.node)); }

  // run ticks the trees whose time has come.
  run(): void {
    const { m } = this;
    for (const w of this.walks) {
      if (w.over || m.tight || m.steps < w.next - 1e-9) continue;
      w.next = Math.max(w.next, m.steps - 1) + m.p.rates.spatial / w.tree.rate;
      this.left = Limit.MaxEvents;
      m.handler = false;
      if (this.tick(w.node, w.root) !== "running") {
        w.root.reset();
        w.over = !w.tree.restart;
      }
      if (this.left < 0) m.report(w.node, tooMany(`a tick takes more than ${Limit.MaxEvents} tree nodes`));
      m.flush();
    }
  }

  private elapsed(v: Visit): boolean {
    return (this.m.steps - v.since) / this.m.p.rates.spatial >= (v.node.params.duration ?? 0) - 1e-9;
  }

  private tick(owner: string, v: Visit): Outcome {
    if (--this.left < 0) return "failure";
    const { m } = this, n = v.node;
    if (v.since < 0) v.since = m.steps;
    const child = () => this.tick(owner, v.children[0]);
    switch (n.type) {
      case "sequence": case "selector": case "random_selector": return this.inOrder(owner, v);
      case "parallel": return this.all(owner, v);
      case "inverter": {
        const r = child();
        return r === "running" ? r : r === "success" ? "failure" : "success";
      }
      case "succeeder": return child() === "running" ? "running" : "success";
      case "repeater": case "retry": case "until_fail": return again(v, child());
      case "cooldown": {
        if (m.steps < v.until) return "failure";
        const r = child();
        if (r !== "running") {
          v.until = m.after(n.params.duration ?? 0);
          v.children[0].reset();
        }
        return r;
      }
      case "guard":
        if (m.machines.holds(owner, v.fn, null)) return child();
        v.children[0].reset();
        return "failure";
      case "timeout": {
        const r = child();
        if (r !== "running" || !this.elapsed(v)) return r;
        v.children[0].reset();
        return "failure";
      }
      case "condition": return m.machines.holds(owner, v.fn, null) ? "success" : "failure";
      case "wait": return this.elapsed(v) ? "success" : "running";
    }
    return this.action(owner, v.fn);
  }

  // action calls the function of a leaf: what it gives is the result by name.
  private action(owner: string, fn: number): Outcome {
    let out: Outcome = "failure";
    this.m.atomically(owner, () => {
      const v = this.m.call(this.m.functions[fn], [], []);
      if (v === false || v === "failure") return;
      out = v === "running" ? "running" : "success";
    });
    return out;
  }

  // inOrder goes through the children until one decides, and comes back to the
  // one that runs.
  private inOrder(owner: string, v: Visit): Outcome {
    const goOn = v.node.type === "sequence" ? "success" : "failure";
    if (v.node.type === "random_selector" && v.order === null) v.order = this.shuffled(v.children.length);
    while (v.at < v.children.length) {
      const c = v.children[v.order ? v.order[v.at] : v.at];
      const r = this.tick(owner, c);
      if (r === "running") return r;
      c.reset();
      if (r !== goOn) {
        v.at = 0;
        v.order = null;
        return r;
      }
      v.at++;
    }
    v.at = 0;
    v.order = null;
    return goOn;
  }

  private shuffled(n: number): number[] {
    const out = Array.from({ length: n }, (_, i) => i);
    for (let i = n - 1; i > 0; i--) {
      const j = Math.floor(this.m.random() * (i + 1));
      [out[i], out[j]] = [out[j], out[i]];
    }
    return out;
  }

  // all runs the children side by side. Policy all succeeds when all do and fails
  // with the first; any is the other way round.
  private all(owner: string, v: Visit): Outcome {
    const done = (v.done ??= v.children.map(() => "running"));
    const [decides, otherwise]: Outcome[] = v.node.params.policy === "any" ? ["success", "failure"] : ["failure", "success"];
    let running = false;
    for (let i = 0; i < done.length; i++) {
      if (done[i] === "running") done[i] = this.tick(owner, v.children[i]);
      if (done[i] === decides) {
        v.reset();
        return decides;
      }
      running ||= done[i] === "running";
    }
    if (running) return "running";
    v.reset();
    return otherwise;
  }
}

// again is what a repeating decorator makes of its child: one run in a tick.
function again(v: Visit, r: Outcome): Outcome {
  if (r === "running") return r;
  v.children[0].reset();
  v.times++;
  if (v.node.type === "until_fail") return r === "failure" ? "success" : "running";
  if (v.node.type === "retry" && r === "success") {
    v.times = 0;
    return r;
  }
  const most = v.node.params.times ?? 0;
  if (most > 0 && v.times >= most) {
    v.times = 0;
    return r;
  }
  return "running";
}

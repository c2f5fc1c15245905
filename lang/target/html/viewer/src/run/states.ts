// State machines at work.
import { Everywhere, type Event, type Machine } from "./machine.ts";
import type { StateMachine } from "./program.ts";
import type { Instance } from "./templates.ts";
import { truthy, type Value } from "./value.ts";

// chain is a state with those around it, innermost first.
function chain(d: StateMachine, state: number): number[] {
  const out: number[] = [];
  for (; state >= 0; state = d.states[state].parent) out.push(state);
  return out;
}

// Running is a machine of a node; its functions are those of an instance where it has one.
interface Running { d: StateMachine; node: string; of?: Instance; state: number; since: number; fired: boolean }

export class Machines {
  private running: Running[] = [];

  constructor(private readonly m: Machine) {}

  // start lets machines enter their first states.
  start(list: StateMachine[], of?: Instance): void {
    for (const d of list) {
      const r = { d, node: of ? of.node(d.node) : d.node, of, state: -1, since: 0, fired: false };
      this.running.push(r);
      this.move(r, d.initial, -1);
    }
  }

  // forget lets go of the machines of nodes that are no more.
  forget(dead: Set<string>): void { this.running = this.running.filter((r) => !dead.has(r.node)); }

  // listens says whether a machine of a node waits for an event.
  listens(node: string, event: string): boolean {
    return this.running.some((r) => r.node === node && r.d.states.some((s) => s.on.some((t) => t.event === event)));
  }

  // current is the name of the state of a node's machine.
  current(node: string): string | undefined {
    const r = this.running.find((r) => r.node === node && r.state >= 0);
    return r?.d.states[r.state].name;
  }

  // move leaves the states that are not around the new one, runs the action and
  // enters, the outer states first.
  private move(r: Running, to: number, action: number): void {
    const { m } = this, { d, node, of } = r, from = r.state;
    const old = chain(d, from), now = chain(d, to);
    let common = 0;
    if (from !== to) {
      while (common < old.length && common < now.length && old[old.length - 1 - common] === now[now.length - 1 - common]) common++;
    } else common = Math.max(0, now.length - 1);
    const act = (fn: number) => { if (fn >= 0) m.begin(node, of ? of.fn(fn) : fn, []); };
    for (const s of old.slice(0, old.length - common)) act(d.states[s].exit);
    act(action);
    Object.assign(r, { state: to, since: m.steps, fired: false });
    for (let j = now.length - 1 - common; j >= 0; j--) act(d.states[now[j]].entry);
    m.note("state", node, d.states[to].name, null);
    if (from >= 0 && m.heard("state_exit")) m.queue.push({ node, name: "state_exit", payload: d.states[from].name });
    if (m.heard("state_enter")) m.queue.push({ node, name: "state_enter", payload: d.states[to].name });
  }

  // event offers an event to the machines of its node and of those above; one
  // that goes within a node to the machines there and below.
  event(e: Event): void {
    const { m } = this;
    for (const r of this.running) if (e.node === Everywhere || (e.within ? m.lies(r.node, e.node) : m.lies(e.node, r.node))) this.offer(r, e);
  }

  // offer takes the first transition whose guard holds.
  private offer(r: Running, e: Event): boolean {
    const { d, of } = r;
    const places = chain(d, r.state);
    d.states.forEach((s, j) => { if (s.name === "*") places.push(j); });
    for (const s of places) {
      for (const t of d.states[s].on) {
        if (t.event !== e.name || (t.guard >= 0 && !this.holds(r.node, of ? of.fn(t.guard) : t.guard, e.payload))) continue;
        this.move(r, t.to, t.action);
        return true;
      }
    }
    if (e.name !== "transition") return false;
    const to = d.states.findIndex((s) => s.name === e.payload && s.name !== "*"); // transition("open")
    if (to < 0) return false;
    this.move(r, to, -1);
    return true;
  }

  holds(owner: string, fn: number, payload: Value): boolean {
    let yes = false;
    const held = this.m.atomically(owner, () => { yes = truthy(this.m.call(this.m.functions[fn], [payload], [])); });
    return held && yes;
  }

  // timers lets the states time out that were held for long enough.
  timers(): void {
    const { m } = this;
    for (const r of this.running) {
      const { d } = r;
      for (const s of chain(d, r.state)) {
        const after = d.states[s].after ?? [];
        if (after.length === 0 || r.fired || (m.steps - r.since) / m.p.rates.spatial < after[0] - 1e-9) continue;
        r.fired = true;
        m.handler = false;
        if (!this.offer(r, { node: r.node, name: "timeout", payload: null }) && after[1] >= 0) this.move(r, after[1], -1);
        m.flush();
        break;
      }
    }
  }
}

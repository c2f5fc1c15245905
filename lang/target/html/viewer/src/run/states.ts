// State machines at work.
import { Everywhere, type Event, type Machine } from "./machine.ts";
import type { StateMachine } from "./program.ts";
import { truthy, type Value } from "./value.ts";

// chain is a state with those around it, innermost first.
function chain(d: StateMachine, state: number): number[] {
  const out: number[] = [];
  for (; state >= 0; state = d.states[state].parent) out.push(state);
  return out;
}

export class Machines {
  private running: { state: number; since: number; fired: boolean }[] = [];

  constructor(private readonly m: Machine) {}

  start(): void {
    this.m.p.machines.forEach((d, i) => {
      this.running.push({ state: -1, since: 0, fired: false });
      this.move(i, d.initial, -1);
    });
  }

  // current is the name of the state of a node's machine.
  current(node: string): string | undefined {
    const all = this.m.p.machines;
    for (let i = 0; i < this.running.length; i++) {
      if (all[i].node === node && this.running[i].state >= 0) return all[i].states[this.running[i].state].name;
    }
    return undefined;
  }

  // move leaves the states that are not around the new one, runs the action and
  // enters, the outer states first.
  private move(i: number, to: number, action: number): void {
    const { m } = this, d = m.p.machines[i], r = this.running[i], from = r.state;
    const old = chain(d, from), now = chain(d, to);
    let common = 0;
    if (from !== to) {
      while (common < old.length && common < now.length && old[old.length - 1 - common] === now[now.length - 1 - common]) common++;
    } else common = Math.max(0, now.length - 1);
    const act = (fn: number) => { if (fn >= 0) m.begin(d.node, fn, []); };
    for (const s of old.slice(0, old.length - common)) act(d.states[s].exit);
    act(action);
    Object.assign(r, { state: to, since: m.steps, fired: false });
    for (let j = now.length - 1 - common; j >= 0; j--) act(d.states[now[j]].entry);
    m.note("state", d.node, d.states[to].name, null);
    if (from >= 0 && m.heard("state_exit")) m.queue.push({ node: d.node, name: "state_exit", payload: d.states[from].name });
    if (m.heard("state_enter")) m.queue.push({ node: d.node, name: "state_enter", payload: d.states[to].name });
  }

  // event offers an event to the machines of its node and of those above.
  event(e: Event): void {
    for (let i = 0; i < this.running.length; i++) {
      const node = this.m.p.machines[i].node;
      let hears = e.node === Everywhere;
      for (let at = e.node; at !== "" && !hears; at = this.m.parent(at)) hears = at === node;
      if (hears) this.offer(i, e);
    }
  }

  // offer takes the first transition whose guard holds.
  private offer(i: number, e: Event): boolean {
    const d = this.m.p.machines[i];
    const places = chain(d, this.running[i].state);
    d.states.forEach((s, j) => { if (s.name === "*") places.push(j); });
    for (const s of places) {
      for (const t of d.states[s].on) {
        if (t.event !== e.name || (t.guard >= 0 && !this.holds(d.node, t.guard, e.payload))) continue;
        this.move(i, t.to, t.action);
        return true;
      }
    }
    if (e.name !== "transition") return false;
    const to = d.states.findIndex((s) => s.name === e.payload && s.name !== "*"); // transition("open")
    if (to < 0) return false;
    this.move(i, to, -1);
    return true;
  }

  holds(owner: string, fn: number, payload: Value): boolean {
    let yes = false;
    const held = this.m.atomically(owner, () => { yes = truthy(this.m.call(fn, [payload], [])); });
    return held && yes;
  }

  // timers lets the states time out that were held for long enough.
  timers(): void {
    const { m } = this;
    this.running.forEach((r, i) => {
      const d = m.p.machines[i];
      for (const s of chain(d, r.state)) {
        const after = d.states[s].after ?? [];
        if (after.length === 0 || r.fired || (m.steps - r.since) / m.p.rates.spatial < after[0] - 1e-9) continue;
        r.fired = true;
        m.handler = false;
        if (!this.offer(i, { node: d.node, name: "timeout", payload: null }) && after[1] >= 0) this.move(i, after[1], -1);
        m.flush();
        break;
      }
    });
  }
}

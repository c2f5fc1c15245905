// What begins by itself: schedules, timelines, and properties on their way.
import { tooMany } from "./fault.ts";
import { between, ease } from "./library.ts";
import { Limit } from "./tables.gen.ts";
import type { Machine } from "./machine.ts";
import type { Schedule, Timeline } from "./program.ts";
import type { Instance, Tables } from "./templates.ts";
import { asNumber, copyValue, List, Obj, type Value } from "./value.ts";

interface Tween { node: string; key: string; from: Value; to: Value; since: number; seconds: number; easing: string }

export class Clock {
  private due: { d: Schedule; fn: number; due: number; on: boolean }[] = [];
  private lines: { d: Timeline; of?: Instance; on: boolean; since: number; next: number }[] = [];
  private moving: Tween[] = [];

  constructor(private readonly m: Machine) {}

  start({ schedules, timelines }: Pick<Tables, "schedules" | "timelines">, of?: Instance): void {
    const { m } = this;
    for (const d of schedules) this.due.push({ d, fn: of ? of.fn(d.fn) : d.fn, due: m.after(d.after), on: true });
    for (const d of timelines) this.lines.push({ d, of, on: d.autoplay, since: m.steps, next: 0 });
  }

  // forget lets go of what begins at nodes that are no more, and of what moves them.
  forget(dead: Set<string>): void {
    const { m } = this, gone = (fn: number) => dead.has(m.functions[fn].owner);
    this.due = this.due.filter((s) => !gone(s.fn));
    this.lines = this.lines.filter(({ d, of }) => d.steps.length === 0 || !gone(of ? of.fn(d.steps[0][1]) : d.steps[0][1]));
    this.moving = this.moving.filter((t) => !dead.has(t.node));
  }

  private begin(fn: number): void {
    this.m.handler = false;
    this.m.begin(this.m.functions[fn].owner, fn, []);
    this.m.flush();
  }

  // schedules begins what is due, in the order of the source.
  schedules(): void {
    const { m } = this;
    for (const s of this.due) {
      if (!s.on || s.due > m.steps || m.tight) continue;
      const { d } = s;
      if (d.forever) s.due = m.steps + 1;
      else if (d.every > 0) s.due = Math.max(m.after(d.every), m.steps + 1);
      else s.on = false;
      this.begin(s.fn);
    }
  }

  timelines(): void {
    const { m } = this;
    for (let i = 0; i < this.lines.length; i++) {
      const { d, of } = this.lines[i];
      for (;;) {
        const t = this.lines[i];
        if (!t.on || m.tight || t.next >= d.steps.length || !((m.steps - t.since) / m.p.rates.spatial >= d.steps[t.next][0] - 1e-9)) break;
        const fn = d.steps[t.next++][1];
        this.begin(of ? of.fn(fn) : fn);
      }
      const t = this.lines[i];
      if (t.next === d.steps.length) {
        t.on = t.on && d.loop && d.steps.length > 0;
        t.since = m.steps;
        t.next = 0;
      }
    }
  }

  // turnOn starts timelines from their beginning or stops them; false without one of the name.
  turnOn(id: string, on: boolean): boolean {
    const { m } = this;
    const old = this.lines;
    if (!old.some((t) => t.d.id === id)) return false;
    this.lines = old.map((t) => (t.d.id === id ? { ...t, on, since: m.steps, next: 0 } : t));
    m.addUndo(() => { this.lines = old; });
    return true;
  }

  // tween sends a property of a node to a value: property, value, seconds and
  // easing, the last two also by name.
  tween(node: string, a: Value[]): void {
    const { m } = this;
    let seconds: Value = a[2] ?? null, easing: Value = a[3] ?? null;
    const named = a.length > 2 ? a[a.length - 1] : null;
    if (named instanceof Obj) {
      if (seconds === named) seconds = null;
      if (easing === named) easing = null;
      seconds = named.map.get("duration") ?? seconds;
      easing = named.map.get("easing") ?? easing;
    }
    const key = m.printed(a[0] ?? null), to = copyValue(a[1] ?? null, Limit.MaxDepth);
    const t: Tween = {
      node, key, from: copyValue(m.property(node, key), Limit.MaxDepth), to, since: m.steps,
      seconds: seconds === null ? 1 : Math.max(0, Math.min(1e9, asNumber(seconds) ?? 1)) || 0, easing: easing === null ? "linear" : m.printed(easing),
    };
    const old = this.moving;
    const kept = old.filter((o) => o.node !== node || o.key !== key);
    if (kept.length >= Limit.MaxWaiting) throw tooMany(`more than ${Limit.MaxWaiting} properties move`);
    this.moving = [...kept, t];
    m.charge(Math.floor(kept.length / Limit.ChargeElements));
    m.addUndo(() => { this.moving = old; });
  }

  tweens(): void {
    const { m } = this;
    for (const t of this.moving) {
      if (m.tight) return;
      const u = t.seconds > 0 ? Math.min(1, (m.steps - t.since) / m.p.rates.spatial / t.seconds) : 1;
      m.handler = false;
      const ok = m.atomically(t.node, () => m.setProperty(t.node, t.key, step(m, t, u)));
      m.flush();
      if (ok && u < 1) continue;
      this.moving = this.moving.filter((o) => o !== t);
      if (ok && m.heard("animation_end")) m.inject({ node: t.node, name: "animation_end", payload: t.key });
    }
  }
}

function step(m: Machine, t: Tween, u: number): Value {
  if (u >= 1) return copyValue(t.to, Limit.MaxDepth);
  const both = (t.from instanceof List && t.to instanceof List) || (typeof t.from === "number" && typeof t.to === "number");
  return both ? between(m, t.from, t.to, ease(t.easing, u)) : t.from;
}

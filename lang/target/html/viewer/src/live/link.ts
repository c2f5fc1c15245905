// The live values of a scene: what feeds send goes to the handlers that the
// program has for it, and each binding knows how fresh it is.
import type { Running } from "../running.ts";
import type { Data } from "../scene.ts";
import { Feed, type FeedPlan } from "./feed.ts";
import { find, fit, read, record, Refused } from "./payload.ts";

export interface BindingPlan {
  node: string; name: string; feed: number; of?: string; topic?: string; at: string[][]; key: string; kind: string; event: string; late: number;
}
export interface Plan { feeds: FeedPlan[]; bindings: BindingPlan[]; idle: { node: string; name: string; text: string }[] }

// Fresh is how a binding stands: waiting for its first value, live, or stale.
export type Fresh = "waiting" | "live" | "stale";

export class Binding {
  fresh: Fresh = "waiting";
  why = "";
  taken = 0;
  refused = 0;
  value: Data = null;
  at = 0; // when the last value came, in milliseconds

  constructor(readonly plan: BindingPlan) {}
}

const busiest = 100; // messages of a feed in a second

export class Link {
  readonly bindings: Binding[];
  readonly feeds: Feed[];
  private readonly counts: { second: number; n: number }[];
  readonly refused: number[]; // messages of each feed that nobody could read

  constructor(readonly plan: Plan, private readonly stage: () => Running, private readonly changed: (b: Binding) => void) {
    this.bindings = plan.bindings.map((b) => new Binding(b));
    this.refused = plan.feeds.map(() => 0);
    this.counts = plan.feeds.map(() => ({ second: 0, n: 0 }));
    this.feeds = plan.feeds.map((f, i) => new Feed(f, {
      received: (text, topic) => this.received(i, text, topic),
      refused: (why) => this.spoilt(i, why),
      there: () => {},
      away: (why) => { for (const b of this.of(i)) this.stale(b, why); },
    }));
  }

  private of(feed: number): Binding[] { return this.bindings.filter((b) => b.plan.feed === feed); }

  private spoilt(feed: number, why: string): void {
    this.refused[feed]++;
    for (const b of this.of(feed)) {
      b.why = `refused ${why}`;
      this.changed(b);
    }
  }

  // crowded counts the messages of a feed in this second.
  private crowded(feed: number): boolean {
    const second = Math.floor(performance.now() / 1000), c = this.counts[feed];
    if (c.second !== second) this.counts[feed] = { second, n: 0 };
    return ++this.counts[feed].n > busiest;
  }

  private received(feed: number, text: string, topic?: string): void {
    if (this.crowded(feed)) return this.spoilt(feed, `more than ${busiest} messages in a second`);
    let message: Data;
    try {
      message = read(text);
    } catch (e) {
      return this.spoilt(feed, (e as Error).message);
    }
    const own = typeof message === "object" && message !== null && !Array.isArray(message) && Object.hasOwn(message, "topic") ? message.topic : undefined;
    const news = new Map<string, { [key: string]: Data }>();
    for (const b of this.of(feed)) {
      if (b.plan.topic && b.plan.topic !== (topic ?? own)) continue;
      const value = find(record(message, b.plan.of), b.plan.at);
      if (value === undefined || value === null) continue; // nothing is said of it
      try {
        this.take(b, fit(value, b.plan.kind));
      } catch (e) {
        if (!(e instanceof Refused)) throw e;
        b.refused++;
        b.why = `refused ${e.message}`;
        this.changed(b);
        continue;
      }
      news.set(b.plan.node, { ...news.get(b.plan.node), [b.plan.key]: b.value });
    }
    for (const [node, values] of news) this.stage().raise(node, "message", values);
  }

  private take(b: Binding, value: Data): void {
    const before = b.fresh;
    Object.assign(b, { value, at: performance.now(), fresh: "live", why: "" });
    b.taken++;
    this.stage().raise(b.plan.node, b.plan.event, value);
    if (before !== "live") this.stage().raise(b.plan.node, "connect", { field: b.plan.key });
    this.changed(b);
  }

  private stale(b: Binding, why: string): void {
    const before = b.fresh;
    if (before === "stale" && b.why === why) return;
    b.why = why;
    if (before === "live" || before === "waiting") {
      b.fresh = "stale";
      this.stage().raise(b.plan.node, "disconnect", { field: b.plan.key, why });
    }
    this.changed(b);
  }

  // look finds what is late.
  look(): void {
    const now = performance.now();
    for (const b of this.bindings) if (b.fresh === "live" && now - b.at > b.plan.late * 1000) this.stale(b, b.why || "nothing new came");
  }

  close(): void { for (const f of this.feeds) f.close(); }
}

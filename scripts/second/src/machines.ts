// What the steps of a task and of a bounty come to (SPEC 13.25, 13.26), and reputation (SPEC 20.9).

export type TaskStep = { agent: string; admin: boolean; act: string; to?: string };
export type Task = { status: "open" | "claimed" | "blocked" | "done"; claimer: string };

/** task goes through the steps that have effect, in (hlc, id) order. */
export function task(steps: TaskStep[]): Task {
  let { status, claimer }: Task = { status: "open", claimer: "" };
  for (const { agent, admin, act, to } of steps) {
    const claimed = status === "claimed";
    const mine = claimed && (agent === claimer || admin);
    if (act === "claim" && (status === "open" || (claimed && agent === claimer)))
      [status, claimer] = ["claimed", agent];
    if (act === "release" && mine) [status, claimer] = ["open", ""];
    if (act === "done" && (mine || (admin && status !== "done"))) status = "done";
    if (act === "block" && status !== "done") status = "blocked";
    if (act === "reopen" && (status === "done" || status === "blocked")) [status, claimer] = ["open", ""];
    if (act === "delegate" && to && (claimed ? mine : status !== "done")) [status, claimer] = ["claimed", to];
  }
  return { status, claimer };
}

export type BountyStep = {
  agent: string;
  at: number; // milliseconds, as is deadline
  admin?: boolean; // an admin or owner of the guild by proof[1]
  home?: boolean;
  confirmed: boolean;
  act: string;
  ref?: number; // the place of the step that it names, from 1, or -1 for something else
  pct?: number;
};
export type Opening = { agent: string; at: number; deadline?: number; confirmed: boolean };
export type BountyEnd = { status: string; claimant: string; share: number };

const hour = 3_600_000;
const day = 24 * hour;
const toConfirm = ["claim", "accept", "payout", "cancel", "expire", "pay", "split", "refund"];

class Bounty {
  status = "open";
  claimant = "";
  share = 0;
  private entered: number;
  private rounds = 0;
  private submission = 0; // the place of the live one

  constructor(readonly o: Opening) {
    this.entered = o.at;
  }

  /** leads is the state into which a step leads at its turn, or nothing when it is not allowed. */
  private leads(s: BountyStep): string | undefined {
    const { status, claimant, o } = this;
    const earns = claimant !== "" && s.agent === claimant;
    const pays = (s.agent === o.agent || !!s.admin) && !earns;
    const judges = s.agent !== o.agent && !earns && !s.home;
    const since = s.at - this.entered;
    const before = !o.deadline || s.at < o.deadline;
    const after = (ms: number) => !!s.home && since >= ms;
    const live = s.ref === undefined || s.ref === this.submission;
    const to = (good: boolean, next: string) => (good ? next : undefined);
    switch (`${s.act} ${status}`) {
      case "claim open":
        return to(!pays && before, "claimed");
      case "release claimed":
        return to(earns || ((pays || !!s.home) && since >= 72 * hour), "open");
      case "submit claimed":
        return to(earns && before, "submitted");
      case "changes submitted":
        return to(pays && this.rounds < 5, "claimed");
      case "accept submitted":
        return to((pays || after(14 * day)) && live, "accepted");
      case "payout accepted":
        return to((pays || after(72 * hour)) && live, "paid");
      case "cancel open":
        return to(pays, "cancelled");
      case "expire open":
      case "expire claimed":
        return to(!!s.home && !before, "expired");
      case "dispute submitted":
      case "dispute accepted":
        return to((earns || pays) && since < 14 * day, "disputed");
      case "pay disputed":
      case "split disputed":
        return to(judges, "paid");
      case "refund disputed":
        return to(judges || after(30 * day), "refunded");
      case "refund accepted":
        return to(after(72 * hour), "refunded");
    }
    return undefined;
  }

  /** take takes a step, the place-th of all. */
  take(s: BountyStep, place: number): void {
    const next = this.leads(s);
    if (!next) return;
    if (s.act === "claim") [this.claimant, this.rounds] = [s.agent, 0];
    if (s.act === "release") this.claimant = "";
    if (s.act === "submit") this.submission = place;
    if (s.act === "changes") this.rounds++;
    if (next === "paid") this.share = s.act === "split" ? s.pct! : 100;
    this.status = next;
    this.entered = s.at;
  }
}

/** bounty goes through the steps that have effect, in (hlc, id) order. Proposals and votes move no state. */
export function bounty(o: Opening, steps: BountyStep[]): BountyEnd {
  if (!o.confirmed) return { status: "", claimant: "", share: 0 };
  const b = new Bounty(o);
  const last = steps.map((s) => s.confirmed).lastIndexOf(true);
  steps.forEach((s, i) => {
    if (s.confirmed || (i > last && !toConfirm.includes(s.act))) b.take(s, i + 1);
  });
  return { status: b.status, claimant: b.claimant, share: b.share };
}

export type Deeds = { c: number; r: number; s: number; u: number; d: number; f: number; l: number };

/** reputation is in hundredths of a point. */
export function reputation({ c, r, s, u, d, f, l }: Deeds): { score: number; tier: string } {
  const deeds = 30 * c + 20 * s;
  const reuse = c < 3 ? 0 : Math.min(Math.floor((4000 * r + c) / (2 * c)), 4000, 2 * deeds);
  const votes = Math.max(-500, Math.min(500, 10 * (u - d)));
  const score = Math.max(0, deeds + reuse + votes - 200 * f - 100 * l);
  const tier = score < 500 ? "newcomer" : score < 3000 ? "contributor" : score < 10_000 ? "expert" : "authority";
  return { score, tier };
}

// One endpoint that the source names, asked as it says: again and again, by a
// stream of events, or by a socket. When it is away it is asked again, ever less
// often. Nothing is sent but the question: no cookies, no referrer, no secrets, and
// an answer that leads elsewhere is not followed.
import { most, Refused } from "./payload.ts";

export interface FeedPlan { address: string; by: "poll" | "events" | "socket"; every: number }

export interface Listener {
  received(text: string, topic?: string): void;
  refused(why: string): void;
  there(): void; // the endpoint answers
  away(why: string): void;
}

const longest = 30, shortest = 0.25, patience = 10; // seconds

export class Feed {
  private failures = 0;
  private timer = 0;
  private stop = new AbortController();
  private over = false;

  constructor(readonly plan: FeedPlan, private readonly on: Listener) {
    addEventListener("online", this.again);
    this.ask();
  }

  // wait is the time to the next try in seconds; a fifth of it is chance, so that
  // pages that lost an endpoint together do not come back together.
  private wait(): number {
    return Math.min(Math.max(this.plan.every, shortest) * 2 ** Math.min(this.failures - 1, 12), longest) * (0.9 + Math.random() / 5);
  }

  private readonly again = (): void => {
    if (this.over || this.failures === 0) return;
    clearTimeout(this.timer);
    this.ask();
  };

  private later(seconds: number): void {
    clearTimeout(this.timer);
    if (!this.over) this.timer = setTimeout(() => this.ask(), seconds * 1000) as unknown as number;
  }

  private ask(): void {
    this.stop.abort();
    this.stop = new AbortController();
    if (this.plan.by === "socket") this.socket();
    else void (this.plan.by === "poll" ? this.poll() : this.events()).catch((e: unknown) => {
      if (!this.over) this.lost(e instanceof Refused ? e.message : "no answer");
    });
  }

  private answered(): void {
    this.failures = 0;
    this.on.there();
  }

  private lost(why: string): void {
    this.failures++;
    this.on.away(why);
    this.later(this.wait());
  }

  private request(accept: string): Promise<Response> {
    return fetch(this.plan.address, {
      signal: this.stop.signal, headers: { Accept: accept }, credentials: "omit", redirect: "error", referrerPolicy: "no-referrer", cache: "no-store", mode: "cors",
    });
  }

  private async poll(): Promise<void> {
    const { stop } = this, late = setTimeout(() => stop.abort(), patience * 1000);
    try {
      const answer = await this.request("application/json");
      if (!answer.ok) throw new Refused(`the endpoint answers ${answer.status}`);
      let text = "";
      await this.pieces(answer, (piece) => {
        if ((text += piece).length > most) throw new Refused("the answer is too large");
      });
      this.answered();
      this.on.received(text);
      this.later(this.plan.every);
    } finally {
      clearTimeout(late);
    }
  }

  private async pieces(answer: Response, each: (piece: string) => void): Promise<void> {
    const reader = answer.body?.getReader(), text = new TextDecoder();
    if (!reader) return;
    try {
      for (let part = await reader.read(); !part.done; part = await reader.read()) each(text.decode(part.value, { stream: true }));
    } finally {
      void reader.cancel().catch(() => {});
    }
  }

  // events reads text/event-stream.
  private async events(): Promise<void> {
    const answer = await this.request("text/event-stream");
    if (!answer.ok) throw new Refused(`the endpoint answers ${answer.status}`);
    this.answered();
    let rest = "", data: string[] = [], name: string | undefined, size = 0;
    await this.pieces(answer, (piece) => {
      rest += piece;
      if (rest.length > most) throw new Refused("an event is too large");
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop()!;
      for (const line of lines) {
        if (line === "") {
          if (data.length > 0) this.on.received(data.join("\n"), name);
          data = [];
          name = undefined;
          size = 0;
          continue;
        }
        const colon = line.indexOf(":"), field = colon < 0 ? line : line.slice(0, colon), value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
        if ((size += line.length) > most) throw new Refused("an event is too large");
        if (field === "data") data.push(value);
        else if (field === "event") name = value;
      }
    });
    throw new Refused("the endpoint ended the stream");
  }

  private socket(): void {
    let socket: WebSocket;
    try {
      socket = new WebSocket(this.plan.address);
    } catch {
      return this.lost("the address is refused");
    }
    const { stop } = this;
    let ended = false;
    const end = (why: string) => {
      if (ended) return;
      ended = true;
      socket.close();
      if (!stop.signal.aborted) this.lost(why);
    };
    stop.signal.addEventListener("abort", () => end(""), { once: true });
    socket.addEventListener("open", () => this.answered());
    socket.addEventListener("message", (e: MessageEvent<unknown>) => {
      if (ended) return;
      if (typeof e.data === "string") this.on.received(e.data);
      else this.on.refused("a message that is no text");
    });
    socket.addEventListener("close", () => end("the endpoint closed the socket"));
    socket.addEventListener("error", () => end("no answer"));
  }

  // close asks nothing any more.
  close(): void {
    this.over = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.again);
    this.stop.abort();
  }
}

// A program that answers calls from outside: what the server of a service runs.
// It is the machine of pages, with functions that somebody asks for and gets an
// answer from. Host operations that nobody offers are refused by name.
import { Code, Limit } from "./run/tables.gen.ts";
import { Fault, tooMany } from "./run/fault.ts";
import { fromPlain, toPlain } from "./run/json.ts";
import { Asleep, frame, Machine, type Thread } from "./run/machine.ts";
import { load } from "./run/program.ts";
import { nodesOf, type SceneDoc } from "./runtime.ts";
import { copyValue, NodeRef, type Value } from "./run/value.ts";
import type { Plain } from "./run/adapter.ts";

// Operation is what the host does for a program: a name it calls, as a function.
export type Operation = (...args: Plain[]) => Plain | undefined;

export interface Offer {
  operations?: { [name: string]: Operation };
  log?(node: string, text: string): void;
  fault?(node: string, f: Failure): void;
}

// Failure is why a call has no answer: a fault of the program, or an operation that the host
// does not have. thrown is what the author threw.
export interface Failure {
  code: string; message: string; function: string; line: number; column: number; thrown: Plain; operation?: string;
}

// Responding is what a function gets that answers by res.status(404).json(…).
export const Responding = Symbol("response");
const responseID = "\0response";

// Reply is what a function has said of its answer.
interface Reply { status: number; body: Value; said: boolean; headers: Map<string, Value> }

class Missing extends Fault {
  constructor(readonly operation: string) { super(Code.Host, `the host has no operation '${operation}'`); }
}

class Asked extends Machine {
  private readonly asked = new Map<Thread, (v: Value, f: Fault | undefined, r: Reply | undefined) => void>();
  private readonly replies = new Map<Thread, Reply>();
  private answering: Thread | undefined;
  failed: Fault | undefined;

  // reply is the answer in the making of the function that runs; undefined where nobody waits for one.
  reply(): Reply | undefined {
    const t = this.answering;
    if (!t) return undefined;
    let r = this.replies.get(t);
    if (!r) this.replies.set(t, (r = { status: 200, body: null, said: false, headers: new Map() }));
    return r;
  }

  // ask runs a function as a turn of its own, then what follows from it. done is called when the function
  // ends: at once, or when it has waited.
  ask(owner: string, fn: number, args: Value[], done: (v: Value, f: Fault | undefined, r: Reply | undefined) => void): void {
    const t: Thread = { frames: [frame(this.functions[fn], args, [], 0)], stack: [], depth: 0, at: 0, wait: undefined };
    this.asked.set(t, done);
    this.handler = false;
    this.spent = 0;
    this.carry(owner, t);
    this.flush();
    this.drain();
  }

  // forgo lets go of an answer that nobody waits for any more.
  forgo(done: unknown): void {
    for (const [t, d] of this.asked) if (d === done) {
      this.asked.delete(t);
      this.replies.delete(t);
    }
  }

  protected override carry(owner: string, t: Thread): void {
    const done = this.asked.get(t);
    if (!done) return super.carry(owner, t);
    let v: Value | Asleep = null;
    this.failed = undefined;
    const { asked } = this;
    const before = this.answering;
    this.answering = t;
    const ok = this.atomically(owner, () => {
      v = this.resume(t);
      if (!(v instanceof Asleep)) return;
      if (this.waiting.length + this.ready.length >= Limit.MaxWaiting) throw tooMany(`more than ${Limit.MaxWaiting} turns wait`);
      this.waiting.push({ at: this.after(v.seconds), thread: t, owner });
    });
    this.answering = before;
    if (ok && (v as Value | Asleep) instanceof Asleep) return;
    const reply = this.replies.get(t);
    this.replies.delete(t);
    asked.delete(t);
    done(ok ? v : null, ok ? undefined : this.failed, ok ? reply : undefined);
  }

  // report keeps the first fault: that of the turn, before those of its on_error.
  override report(owner: string, f: Fault): void {
    this.failed ??= f;
    super.report(owner, f);
  }
}

export class Service {
  private readonly machine: Asked;
  private last = 0;
  private rest = 0;

  constructor(scene: SceneDoc, offer: Offer = {}) {
    const operations = offer.operations ?? {};
    this.machine = new Asked(load(structuredClone(scene.program) as object), {
      nodes: nodesOf(scene), hosted: true,
      host: {
        log: (node, text) => offer.log?.(node, text),
        fault: (node, f) => offer.fault?.(node, failure(f)),
        call: (name, node, args) => {
          if (node === responseID) return this.respond(name, args[0] instanceof NodeRef && args[0].id === responseID ? args.slice(1) : args);
          if (name === "respond" && !Object.hasOwn(operations, name)) {
            const [status, body] = typeof args[0] === "number" ? args : [200, args[0]];
            this.respond("status", [status]);
            return this.respond("json", body === undefined ? [] : [body]);
          }
          if (!Object.hasOwn(operations, name)) throw new Missing(name);
          return fromPlain(operations[name](...args.map((a) => toPlain(a))));
        },
      },
    });
    this.machine.start();
  }

  // call asks a function of the program, by its number. It throws a Failure where the
  // function ended by a fault or did not end in time.
  call(fn: number, args: unknown[], seconds = 30): Promise<Plain> {
    const { machine } = this, values = args.map((a) => (a === Responding ? new NodeRef(responseID) : fromPlain(a)));
    return new Promise((answer, refuse) => {
      const done = (v: Value, f: Fault | undefined, r: Reply | undefined): void => {
        clearTimeout(timer);
        if (f) return refuse(failure(f));
        if (!r) return answer(toPlain(v));
        const headers = Object.fromEntries([...r.headers].map(([k, v]) => [k, toPlain(v)]));
        const own = v instanceof NodeRef && v.id === responseID; // return res.json(…)
        answer({ status: r.status, body: r.said || own ? toPlain(r.body) : toPlain(v), headers });
      };
      const timer = setTimeout(() => {
        machine.forgo(done);
        refuse({ code: "timeout", message: `no answer in ${seconds} seconds`, function: "", line: 0, column: 0, thrown: null });
      }, seconds * 1000);
      machine.ask(machine.functions[fn].owner, fn, values, done);
    });
  }

  // respond does what a function asks of its response: status, json, send, end, set.
  private respond(name: string, args: Value[]): Value {
    const r = this.machine.reply();
    if (!r) throw new Missing(name);
    switch (name) {
      case "status": case "code": case "sendStatus":
        if (typeof args[0] !== "number" || !Number.isInteger(args[0]) || args[0] < 200 || args[0] > 599) throw new Fault(Code.Kind, "a status is a number from 200 to 599");
        r.status = args[0];
        break;
      case "json": case "send": case "end": case "body":
        r.body = args[0] === undefined ? null : copyValue(args[0], Limit.MaxDepth);
        r.said = true;
        break;
      case "set": case "header": case "setHeader":
        if (typeof args[0] === "string") r.headers.set(args[0], args[1] ?? null);
        break;
      default:
        throw new Missing(`response.${name}`);
    }
    return new NodeRef(responseID);
  }

  // update lets time pass, up to a quarter of a second.
  update(now: number): void {
    const { machine } = this, step = 1 / machine.p.rates.spatial;
    this.rest = Math.min(this.rest + (now - this.last), 0.25);
    this.last = now;
    for (; this.rest >= step - 1e-9; this.rest -= step) machine.step();
  }

  // state is a copy of what an owner keeps, by its name in the program.
  state(owner: string): { [key: string]: Plain } {
    const out: { [key: string]: Plain } = Object.create(null);
    for (const [of, key, v] of this.machine.entries()) if (of === owner) out[key] = toPlain(v);
    return out;
  }

  // put gives a key of an owner another value; false when it has none of that name.
  put(owner: string, key: string, value: unknown): boolean {
    const { machine } = this, slot = machine.slotOf.get(owner)?.get(key);
    if (slot === undefined) return false;
    machine.handler = false;
    machine.atomically(owner, () => machine.set(slot, fromPlain(value)));
    machine.flush();
    return true;
  }
}

function failure(f: Fault): Failure {
  const { code, message, function: fn, line, column } = f;
  return { code, message: message.slice(0, Limit.MaxNoted), function: fn, line, column, thrown: toPlain(f.thrown), ...(f instanceof Missing ? { operation: f.operation } : {}) };
}

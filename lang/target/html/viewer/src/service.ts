// A program that answers calls from outside: what the server of a service runs.
// It is the machine of pages, with functions that somebody asks for and gets an
// answer from. Host operations that nobody offers are refused by name.
import { Code, Limit } from "./run/tables.gen.ts";
import { Fault, tooMany } from "./run/fault.ts";
import { fromPlain, toPlain } from "./run/json.ts";
import { Asleep, frame, Machine, type Thread } from "./run/machine.ts";
import { load } from "./run/program.ts";
import { nodesOf, type SceneDoc } from "./runtime.ts";
import type { Value } from "./run/value.ts";
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

class Missing extends Fault {
  constructor(readonly operation: string) { super(Code.Host, `the host has no operation '${operation}'`); }
}

class Asked extends Machine {
  private readonly asked = new Map<Thread, (v: Value, f: Fault | undefined) => void>();
  failed: Fault | undefined;

  // ask runs a function as a turn of its own, then what follows from it. done is called when the function
  // ends: at once, or when it has waited.
  ask(owner: string, fn: number, args: Value[], done: (v: Value, f: Fault | undefined) => void): void {
    const t: Thread = { frames: [frame(this.functions[fn], args, [], 0)], stack: [], depth: 0, at: 0, wait: undefined };
    this.asked.set(t, done);
    this.handler = false;
    this.spent = 0;
    this.carry(owner, t);
    this.flush();
    this.drain();
  }

  // forgo lets go of an answer that nobody waits for any more.
  forgo(done: (v: Value, f: Fault | undefined) => void): void {
    for (const [t, d] of this.asked) if (d === done) this.asked.delete(t);
  }

  protected override carry(owner: string, t: Thread): void {
    const done = this.asked.get(t);
    if (!done) return super.carry(owner, t);
    let v: Value | Asleep = null;
    this.failed = undefined;
    const { asked } = this;
    const ok = this.atomically(owner, () => {
      v = this.resume(t);
      if (!(v instanceof Asleep)) return;
      if (this.waiting.length + this.ready.length >= Limit.MaxWaiting) throw tooMany(`more than ${Limit.MaxWaiting} turns wait`);
      this.waiting.push({ at: this.after(v.seconds), thread: t, owner });
    });
    if (ok && (v as Value | Asleep) instanceof Asleep) return;
    asked.delete(t);
    done(ok ? v : null, ok ? undefined : this.failed);
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
        call: (name, _, args) => {
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
    const { machine } = this, values = args.map((a) => fromPlain(a));
    return new Promise((answer, refuse) => {
      const done = (v: Value, f: Fault | undefined): void => {
        clearTimeout(timer);
        if (f) refuse(failure(f));
        else answer(toPlain(v));
      };
      const timer = setTimeout(() => {
        machine.forgo(done);
        refuse({ code: "timeout", message: `no answer in ${seconds} seconds`, function: "", line: 0, column: 0, thrown: null });
      }, seconds * 1000);
      machine.ask(machine.functions[fn].owner, fn, values, done);
    });
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

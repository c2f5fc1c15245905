// What the instructions do: a body for each, or the compiler says so. The frame
// stands at the next instruction already; a jump moves it.
import { Fault, wrongKind } from "./fault.ts";
import { Asleep, frame, type Frame, type Machine, type Thread } from "./machine.ts";
import { method } from "./methods.ts";
import { arithmetic, bits, callable, index, iterate, member, merge, order, putIndex, putMember, rangeOf, within } from "./operators.ts";
import { Code, Limit, Op } from "./tables.gen.ts";
import { asNumber, Box, bytesOf, clip, Closure, Iter, List, NodeRef, Obj, truthy, typeName, type Value } from "./value.ts";

// A body has the machine, the stack, the frame, the operands and the thread.
type Body = (m: Machine, s: Value[], fr: Frame, a: number, b: number, t: Thread) => void;

function take(stack: Value[], n: number): Value[] { return stack.splice(stack.length - n, n); }

// spreadArgs are the arguments that the elements of a list make.
function spreadArgs(v: Value): Value[] {
  if (!(v instanceof List)) throw wrongKind(`only a list can be spread into arguments, not ${typeName(v)}`);
  if (v.items.length > Limit.MaxStack) throw new Fault(Code.Size, `more than ${Limit.MaxStack} arguments`);
  return [...v.items];
}

function numberFor(sign: string, v: Value): number {
  const n = asNumber(v);
  if (n === undefined) throw wrongKind(`${sign} needs a number, not ${typeName(v)}`);
  return n;
}

// two is a body that makes one value of the two on top of the stack.
function two(make: (m: Machine, x: Value, y: Value) => Value): Body {
  return (m, s) => {
    const y = s.pop()!;
    s.push(make(m, s.pop()!, y));
  };
}

const calculates = (op: Op): Body => two((_, x, y) => arithmetic(op, x, y));
const ordered = (op: Op): Body => two((m, x, y) => order(m, op, x, y));
const bitwise = (op: Op): Body => two((_, x, y) => bits(op, x, y));

// enter calls a value. What belonged to an instance that is no more gives null.
function enter(m: Machine, s: Value[], v: Value, args: Value[], t: Thread): void {
  const c = callable(v);
  if (c.fn.of?.dead) {
    s.push(null);
    return;
  }
  m.deeper();
  t.frames.push(frame(c.fn, args, c.boxes, s.length));
}

const values = {
  [Op.Const]: (m, s, _, a) => { s.push(m.p.consts[a]); },
  [Op.Pop]: (_, s) => { s.pop(); },
  [Op.Dup]: (_, s) => { s.push(s[s.length - 1]); },
  [Op.Load]: (_, s, fr, a) => {
    const v = fr.locals[a];
    s.push(v instanceof Box ? v.v : v);
  },
  [Op.Store]: (m, s, fr, a) => {
    const v = s.pop()!, box = fr.locals[a];
    if (box instanceof Box) {
      m.touchBox(box);
      box.v = v;
    } else fr.locals[a] = v;
  },
  [Op.Cell]: (m, s, fr, a) => { s.push(fr.locals[a] = m.box(fr.locals[a])); },
  [Op.Self]: (_, s, fr) => { s.push(new NodeRef(fr.fn.owner)); },
  [Op.Node]: (m, s, { fn: { of } }, a) => {
    const id = m.p.consts[a] as string;
    s.push(new NodeRef(of ? of.node(id) : id));
  },
  [Op.Get]: (m, s, { fn: { of } }, a) => { s.push(m.slots[of ? of.slot(a) : a]); },
  [Op.Set]: (m, s, { fn: { of } }, a) => { m.set(of ? of.slot(a) : a, s.pop()!); },
  [Op.Comp]: (m, s, { fn: { of } }, a) => { s.push(m.computed(of ? of.computed(a) : a)); },
  [Op.Mem]: (m, s, _, a) => { s.push(member(m, s.pop()!, m.p.consts[a] as string)); },
  [Op.PutMem]: (m, s, _, a) => {
    const v = s.pop()!;
    putMember(m, s.pop()!, m.p.consts[a] as string, v);
  },
  [Op.Idx]: two(index),
  [Op.PutIdx]: (m, s) => {
    const v = s.pop()!, i = s.pop()!;
    putIndex(m, s.pop()!, i, v);
  },
  [Op.Arr]: (m, s, _, a) => { s.push(m.list(take(s, a))); },
  [Op.Obj]: (m, s, _, a) => {
    const pairs = take(s, 2 * a), o = new Obj();
    for (let i = 0; i < pairs.length; i += 2) o.map.set(m.printed(pairs[i]), pairs[i + 1]);
    s.push(o);
    m.alloc(a + 1);
  },
  [Op.Concat]: two((m, x, y) => {
    if (!(x instanceof List) || !(y instanceof List)) throw wrongKind(`only a list can be spread into a list, not ${typeName(y)}`);
    return m.list([...x.items, ...y.items]);
  }),
  [Op.Merge]: two(merge),
  [Op.Tpl]: (m, s, _, a) => {
    let text = "", size = 0;
    for (const v of take(s, a)) {
      const one = m.printed(v);
      text += one;
      size += bytesOf(one);
      if (size > Limit.MaxText) break;
    }
    s.push(m.text(text));
  },
  [Op.Fn]: (m, s, { fn: { of } }, a, b) => {
    s.push(new Closure(m.functions[of ? of.fn(a) : a], take(s, b).map((v) => m.box(v))));
    m.alloc(b + 1);
  },
} satisfies { [op: number]: Body };

const operators = {
  [Op.Add]: two((m, x, y) => (typeof x === "string" || typeof y === "string" ? m.text(m.printed(x) + m.printed(y)) : arithmetic(Op.Add, x, y))),
  [Op.Sub]: calculates(Op.Sub), [Op.Mul]: calculates(Op.Mul), [Op.Div]: calculates(Op.Div), [Op.Mod]: calculates(Op.Mod), [Op.Pow]: calculates(Op.Pow),
  [Op.Neg]: (_, s) => { s.push(-numberFor("-", s.pop()!)); },
  [Op.And]: bitwise(Op.And), [Op.Or]: bitwise(Op.Or), [Op.Xor]: bitwise(Op.Xor), [Op.Shl]: bitwise(Op.Shl), [Op.Shr]: bitwise(Op.Shr),
  [Op.Compl]: (_, s) => { s.push(~numberFor("~", s.pop()!)); },
  [Op.Not]: (_, s) => { s.push(!truthy(s.pop()!)); },
  [Op.Eq]: two((m, x, y) => m.same(x, y)),
  [Op.Ne]: two((m, x, y) => !m.same(x, y)),
  [Op.Lt]: ordered(Op.Lt), [Op.Le]: ordered(Op.Le), [Op.Gt]: ordered(Op.Gt), [Op.Ge]: ordered(Op.Ge),
  [Op.In]: two(within),
  [Op.Range]: two(rangeOf),
} satisfies { [op: number]: Body };

const control = {
  [Op.Jmp]: (_, _s, fr, a) => { fr.pc = a; },
  [Op.Jz]: (_, s, fr, a) => { if (!truthy(s.pop()!)) fr.pc = a; },
  [Op.Jnz]: (_, s, fr, a) => { if (truthy(s.pop()!)) fr.pc = a; },
  [Op.Jnull]: (_, s, fr, a) => { if (s[s.length - 1] === null) fr.pc = a; },
  [Op.Call]: (m, s, { fn: { of } }, a, b, t) => {
    m.deeper();
    t.frames.push(frame(m.functions[of ? of.fn(a) : a], take(s, b), [], s.length));
  },
  [Op.Host]: (m, s, { fn }, a, b) => { s.push(m.hostCall(fn.name, fn.owner, m.p.host[a], take(s, b))); },
  [Op.Hosts]: (m, s, { fn }, a) => { s.push(m.hostCall(fn.name, fn.owner, m.p.host[a], spreadArgs(s.pop()!))); },
  [Op.Method]: (m, s, _, a, b) => {
    const args = take(s, b);
    s.push(method(m, s.pop()!, m.p.consts[a] as string, args));
  },
  [Op.Methods]: (m, s, _, a) => {
    const args = spreadArgs(s.pop()!);
    s.push(method(m, s.pop()!, m.p.consts[a] as string, args));
  },
  [Op.Callv]: (m, s, _, a, _b, t) => {
    const args = take(s, a);
    enter(m, s, s.pop()!, args, t);
  },
  [Op.Calls]: (m, s, _, _a, _b, t) => {
    const args = spreadArgs(s.pop()!);
    enter(m, s, s.pop()!, args, t);
  },
  [Op.Ret]: (_, s, fr, _a, _b, t) => {
    const v = s.pop()!;
    s.length = fr.base;
    s.push(v);
    t.frames.pop();
  },
  [Op.Throw]: (m, s) => {
    const v = s.pop()!, f = new Fault(Code.Thrown, clip(m.printed(v)));
    f.thrown = v;
    if (v instanceof Obj) {
      const text = v.map.get("message");
      if (typeof text === "string") f.message = clip(text);
    }
    throw f;
  },
  [Op.Try]: (_, s, fr, a) => { fr.tries.push({ pc: a, height: s.length }); },
  [Op.EndTry]: (_, _s, fr) => { fr.tries.pop(); },
  [Op.Emit]: (m, s, fr, a) => {
    const v = take(s, a);
    m.emit(fr.fn.owner, m.printed(v[0]), a === 2 ? v[1] : null);
  },
  [Op.Await]: (_, s, _fr, _a, _b, t) => {
    const n = s.pop()!;
    s.push(null);
    t.wait = new Asleep(typeof n === "number" && n >= 0 ? Math.min(n, 1e9) : 0);
  },
  [Op.Spawn]: (m, s, fr, a) => {
    const overrides = s.pop()!, place = s.pop()!;
    s.push(m.spawner.spawn(fr.fn.owner, m.p.consts[a] as string, place, overrides));
  },
  [Op.Iter]: (m, s) => { s.push(iterate(m, s.pop()!)); },
  [Op.Next]: (_, s, fr, a) => {
    const it = s[s.length - 1];
    if (!(it instanceof Iter)) throw wrongKind("nothing to walk over");
    if (it.at < it.items.length) s.push(it.items[it.at++]);
    else {
      s.pop();
      fr.pc = a;
    }
  },
} satisfies { [op: number]: Body };

const all: Record<Op, Body> = { ...values, ...operators, ...control };
// bodies are the bodies by their numbers.
export const bodies: Body[] = Object.values(all);

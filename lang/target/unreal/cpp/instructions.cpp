// The instructions.

enum Op {
	OpConst, OpPop, OpDup, OpLoad, OpStore, OpCell, OpSelf, OpNode, OpGet, OpSet, OpComp, OpMem, OpPutMem, OpIdx, OpPutIdx, OpArr, OpObj, OpConcat, OpMerge,
	OpTpl, OpAdd, OpSub, OpMul, OpDiv, OpMod, OpPow, OpNeg, OpAnd, OpOr, OpXor, OpShl, OpShr, OpCompl, OpNot, OpEq, OpNe, OpLt, OpLe, OpGt, OpGe, OpIn, OpRange,
	OpJmp, OpJz, OpJnz, OpJnull, OpCall, OpHost, OpMethod, OpFn, OpCallv, OpRet, OpThrow, OpTry, OpEndTry, OpEmit, OpAwait, OpSpawn, OpIter, OpNext, OpCalls,
	OpMethods, OpHosts
};

// Operands of each instruction.
const int Width[] = {1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1};

std::shared_ptr<Machine::Thread> Machine::thread(const Code &fn, const Args &args, const std::vector<Value> &boxes, int below) {
	const auto t = std::make_shared<Thread>();
	t->depth = below;
	enter(*t, fn, args, boxes);
	return t;
}

void Machine::enter(Thread &t, const Code &f, const Args &args, const std::vector<Value> &boxes) {
	Frame frame{f, 0, std::vector<Value>(static_cast<std::size_t>(f->code->locals)), t.stack.size(), {}};
	const std::size_t params = static_cast<std::size_t>(f->code->params), own = f->code->rest && params > 0 ? params - 1 : params;
	for (std::size_t i = 0; i < own && i < args.size(); i++)
		frame.locals[i] = args[i];
	if (own < params)
		frame.locals[own] = Value::list(args.size() > own ? Args(args.begin() + static_cast<std::ptrdiff_t>(own), args.end()) : Args());
	for (std::size_t i = 0; i < boxes.size(); i++)
		frame.locals[params + i] = boxes[i];
	t.frames.push_back(std::move(frame));
}

// call runs a function to its end; it may not wait. What belonged to an instance that
// is no more gives null.
Value Machine::call(const Code &fn, const Args &args, const std::vector<Value> &boxes) {
	if (failed() || fn->dead())
		return Value();
	if (depth >= MaxCalls)
		return fail("RUN002", "more than " + std::to_string(MaxCalls) + " calls within calls");
	depth++;
	const std::shared_ptr<Thread> t = thread(fn, args, boxes, depth);
	Value out;
	if (resume(*t, out) && !failed())
		wrong("await is not allowed here");
	depth--;
	return failed() ? Value() : out;
}

Value Machine::invoke(const Value &v, const Args &args) {
	if (failed())
		return Value();
	if (!v.is(Kind::Function))
		return wrong(std::string(typeName(v)) + " is not a function");
	return call(v.closure().fn, args, v.closure().boxes);
}

// resume runs a thread until it ends, faults or sleeps, and says whether it sleeps.
bool Machine::resume(Thread &t, Value &out) {
	const int outer = depth;
	bool sleeps = false;
	while (true) {
		depth = t.depth + sizeOf(t.frames.size());
		const bool done = instruction(t, out, sleeps);
		if (failed()) {
			const Frame &top = t.frames.back();
			if (fault->function.empty()) {
				fault->function = top.fn->code->name;
				for (const auto &l : top.fn->code->lines) {
					if (l[0] > top.pc)
						break;
					fault->line = l[1];
					fault->column = l[2];
				}
			}
			if (fault->code != "RUN001" && caught(t))
				continue;
			break;
		}
		if (done || sleeps)
			break;
	}
	depth = outer;
	return sleeps;
}

// caught goes on behind the innermost try.
bool Machine::caught(Thread &t) {
	while (!t.frames.empty()) {
		Frame &top = t.frames.back();
		if (!top.tries.empty()) {
			const Try at = top.tries.back();
			top.tries.pop_back();
			t.stack.resize(at.height);
			t.stack.push_back(valueOf(*fault));
			top.pc = at.pc;
			fault.reset();
			return true;
		}
		t.stack.resize(top.base);
		t.frames.pop_back();
	}
	return false;
}

// spread are the arguments that the elements of a list make.
Machine::Args Machine::spread(const Value &v) {
	if (!v.is(Kind::List)) {
		wrong(std::string("only a list can be spread into arguments, not ") + typeName(v));
		return {};
	}
	if (v.items().items.size() > MaxStack) {
		large("more than " + std::to_string(MaxStack) + " arguments");
		return {};
	}
	return v.items().items;
}

// instruction runs one instruction of a thread, and says whether the thread ended.
bool Machine::instruction(Thread &t, Value &out, bool &sleeps) {
	charge(1);
	if (overdrawn())
		return false;
	Frame &fr = t.frames.back();
	const std::vector<int> &code = fr.fn->code->code;
	const Instance *it = fr.fn->of.get();
	const std::size_t pc = static_cast<std::size_t>(fr.pc);
	const int op = code[pc];
	const int a = Width[op] > 0 ? code[pc + 1] : 0, b = Width[op] > 1 ? code[pc + 2] : 0;
	const std::size_t at = static_cast<std::size_t>(a);
	int next = fr.pc + 1 + Width[op];
	std::vector<Value> &stack = t.stack;
	const auto push = [&](Value v) { stack.push_back(std::move(v)); };
	const auto pop = [&] {
		Value v = std::move(stack.back());
		stack.pop_back();
		return v;
	};
	const auto args = [&](int n) {
		const auto from = stack.end() - n;
		Args taken(from, stack.end());
		stack.erase(from, stack.end());
		return taken;
	};
	if (stack.size() >= MaxStack) {
		large("stack of more than " + std::to_string(MaxStack) + " values");
		return false;
	}
	switch (op) {
	case OpConst: push(p.constants[at]); break;
	case OpPop: pop(); break;
	case OpDup: push(Value(stack.back())); break;
	case OpLoad: {
		const Value &v = fr.locals[at];
		push(v.is(Kind::Box) ? v.box().v : v);
		break;
	}
	case OpStore: {
		Value v = pop();
		Value &local = fr.locals[at];
		if (local.is(Kind::Box)) {
			touch(local.box(), local);
			local.box().v = std::move(v);
		} else {
			local = std::move(v);
		}
		break;
	}
	case OpCell: {
		Value &local = fr.locals[at];
		if (!local.is(Kind::Box)) {
			const auto box = std::make_shared<Box>();
			box->v = local;
			box->turn = turn;
			local = Value::of(Kind::Box, box);
		}
		push(local);
		break;
	}
	case OpSelf: push(Value::node(fr.fn->owner)); break;
	case OpNode: push(Value::node(nodeFor(it, p.constants[at].text()))); break;
	case OpGet: {
		const int slot = slotFor(it, a);
		push(slot < 0 ? Value() : slots[static_cast<std::size_t>(slot)]);
		break;
	}
	case OpSet: {
		const int slot = slotFor(it, a);
		const Value v = pop();
		if (slot >= 0)
			set(slot, v);
		break;
	}
	case OpComp: {
		const int i = computedFor(it, a);
		push(i < 0 ? Value() : computed(i));
		break;
	}
	case OpMem: push(member(pop(), p.constants[at].text())); break;
	case OpPutMem: {
		const Value v = pop();
		putMember(pop(), p.constants[at].text(), v);
		break;
	}
	case OpIdx: {
		const Value i = pop();
		push(index(pop(), i));
		break;
	}
	case OpPutIdx: {
		const Value v = pop(), i = pop();
		putIndex(pop(), i, v);
		break;
	}
	case OpArr: push(list(args(a))); break;
	case OpObj: {
		const Args pairs = args(2 * a);
		const Value o = Value::object();
		for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
			o.fields().put(printed(pairs[i]), pairs[i + 1]);
		push(o);
		alloc(a + 1);
		break;
	}
	case OpConcat: {
		const Value y = pop(), x = pop();
		if (!x.is(Kind::List) || !y.is(Kind::List)) {
			wrong(std::string("only a list can be spread into a list, not ") + typeName(y));
			break;
		}
		std::vector<Value> all = x.items().items;
		all.insert(all.end(), y.items().items.begin(), y.items().items.end());
		push(list(std::move(all)));
		break;
	}
	case OpMerge: {
		const Value y = pop(), x = pop();
		push(merge(x, y));
		break;
	}
	case OpTpl: {
		std::string s;
		for (const Value &v : args(a)) {
			s += printed(v);
			if (s.size() > MaxText)
				break;
		}
		push(text(std::move(s)));
		break;
	}
	case OpAdd: case OpSub: case OpMul: case OpDiv: case OpMod: case OpPow: {
		const Value y = pop(), x = pop();
		if (op == OpAdd && (x.is(Kind::Text) || y.is(Kind::Text)))
			push(text(printed(x) + printed(y)));
		else
			push(arithmetic(op, x, y));
		break;
	}
	case OpNeg: case OpCompl: {
		const Value v = pop();
		double n = 0;
		if (!asNumber(v, n))
			wrong(std::string(op == OpNeg ? "-" : "~") + " needs a number, not " + typeName(v));
		push(Value::num(op == OpNeg ? -n : static_cast<double>(~toInt32(n))));
		break;
	}
	case OpAnd: case OpOr: case OpXor: case OpShl: case OpShr: {
		const Value y = pop(), x = pop();
		push(bits(op, x, y));
		break;
	}
	case OpNot: push(Value::yes(!truthy(pop()))); break;
	case OpEq: case OpNe: {
		const Value y = pop(), x = pop();
		push(Value::yes(same(x, y) == (op == OpEq)));
		break;
	}
	case OpLt: case OpLe: case OpGt: case OpGe: {
		const Value y = pop(), x = pop();
		push(compare(op, x, y));
		break;
	}
	case OpIn: {
		const Value y = pop(), x = pop();
		push(within(x, y));
		break;
	}
	case OpRange: {
		const Value y = pop(), x = pop();
		push(range(x, y));
		break;
	}
	case OpJmp: next = a; break;
	case OpJz:
		if (!truthy(pop()))
			next = a;
		break;
	case OpJnz:
		if (truthy(pop()))
			next = a;
		break;
	case OpJnull:
		if (stack.back().isNull())
			next = a;
		break;
	case OpCall: case OpCallv: case OpCalls: {
		Args in;
		Value c;
		if (op == OpCall) {
			if (depth >= MaxCalls) {
				fail("RUN002", "more than " + std::to_string(MaxCalls) + " calls within calls");
				break;
			}
			in = args(b);
		} else {
			in = op == OpCallv ? args(a) : spread(pop());
			if (failed())
				break;
			c = pop();
			if (!c.is(Kind::Function)) {
				wrong(std::string(typeName(c)) + " is not a function");
				break;
			}
			if (depth >= MaxCalls) {
				fail("RUN002", "more than " + std::to_string(MaxCalls) + " calls within calls");
				break;
			}
		}
		const int own = op == OpCall ? functionFor(it, a) : 0;
		if (own < 0 || (op != OpCall && c.closure().fn->dead())) {
			push(Value());
			break;
		}
		fr.pc = next;
		enter(t, op == OpCall ? routine(own) : c.closure().fn, in, op == OpCall ? std::vector<Value>() : c.closure().boxes);
		return false;
	}
	case OpHost: {
		const Args in = args(b);
		push(hostCall(fr.fn->code->name, fr.fn->owner, p.host[at], in));
		break;
	}
	case OpMethod: {
		const Args in = args(b);
		push(method(pop(), p.constants[at].text(), in));
		break;
	}
	case OpHosts: {
		const Args in = spread(pop());
		if (!failed())
			push(hostCall(fr.fn->code->name, fr.fn->owner, p.host[at], in));
		break;
	}
	case OpMethods: {
		const Args in = spread(pop());
		const Value v = pop();
		if (!failed())
			push(method(v, p.constants[at].text(), in));
		break;
	}
	case OpFn: {
		const auto c = std::make_shared<Closure>();
		const int own = functionFor(it, a);
		c->fn = own < 0 ? std::make_shared<Routine>(Routine{&p.functions[at], fr.fn->owner, fr.fn->of}) : routine(own);
		for (const Value &v : args(b)) {
			if (v.is(Kind::Box)) {
				c->boxes.push_back(v);
				continue;
			}
			const auto box = std::make_shared<Box>();
			box->v = v;
			box->turn = turn;
			c->boxes.push_back(Value::of(Kind::Box, box));
		}
		push(Value::of(Kind::Function, c));
		alloc(b + 1);
		break;
	}
	case OpRet: {
		Value v = pop();
		stack.resize(fr.base);
		t.frames.pop_back();
		if (t.frames.empty()) {
			out = std::move(v);
			return true;
		}
		push(std::move(v));
		return false;
	}
	case OpThrow: {
		const Value v = pop();
		std::string message = clip(printed(v));
		if (v.is(Kind::Object)) {
			const Value *said = v.fields().find("message");
			if (said && said->is(Kind::Text))
				message = clip(said->text());
		}
		fail("RUN006", message);
		fault->thrown = v;
		break;
	}
	case OpTry: fr.tries.push_back({a, stack.size()}); break;
	case OpEndTry: fr.tries.pop_back(); break;
	case OpEmit: {
		const Args in = args(a);
		emit(fr.fn->owner, printed(in[0]), a == 2 ? in[1] : Value());
		break;
	}
	case OpAwait: {
		const Value v = pop();
		push(Value());
		fr.pc = next;
		sleeping = v.is(Kind::Number) && v.real() >= 0 ? std::min(v.real(), Ever) : 0;
		sleeps = true;
		return false;
	}
	case OpSpawn: {
		const Value overrides = pop(), place = pop();
		push(spawn(fr.fn->owner, p.constants[at].text(), place, overrides));
		break;
	}
	case OpIter: push(iterate(pop())); break;
	case OpNext: {
		const Value top = stack.back();
		if (!top.is(Kind::Iterator)) {
			wrong("nothing to walk over");
		} else if (top.iterator().at < top.iterator().items.size()) {
			push(top.iterator().items[top.iterator().at++]);
		} else {
			pop();
			next = a;
		}
		break;
	}
	default: wrong("an unknown instruction");
	}
	if (!failed())
		fr.pc = next;
	return false;
}

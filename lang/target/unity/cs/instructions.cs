// The instructions.
public sealed partial class Machine {
	static readonly int[] width = {
		1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2,
		2, 2, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1
	};

	static object Pop(List<object> s) {
		var v = s[s.Count - 1];
		s.RemoveAt(s.Count - 1);
		return v;
	}

	static List<object> Take(List<object> s, int n) {
		var o = s.GetRange(s.Count - n, n);
		s.RemoveRange(s.Count - n, n);
		return o;
	}

	// Spread are the arguments that the elements of a list make.
	List<object> Spread(object v) {
		var l = v as ListValue;
		if (l != null && l.Items.Count <= Limit.Stack) return new List<object>(l.Items);
		if (l == null) Wrong("only a list can be spread into arguments, not " + Value.Type(v));
		else Large("more than " + Limit.Stack + " arguments");
		return new List<object>();
	}

	// Caught goes on behind the innermost try.
	bool Caught(Thread t) {
		if (fault.Code == "RUN001") return false;
		while (t.Frames.Count > 0) {
			var top = t.Frames[t.Frames.Count - 1];
			if (top.Tries.Count > 0) {
				var at = top.Tries[top.Tries.Count - 1];
				top.Tries.RemoveAt(top.Tries.Count - 1);
				Cut(t.Stack, at.Size);
				t.Stack.Add(FaultValue(fault));
				top.At = at.At;
				fault = null;
				return true;
			}
			Cut(t.Stack, top.Base);
			t.Frames.RemoveAt(t.Frames.Count - 1);
		}
		return false;
	}

	// Resume runs a thread until it ends, faults or sleeps.
	object Resume(Thread t) {
		int outer = depth;
		object result = null;
		while (true) {
			depth = t.Depth + t.Frames.Count;
			var fr = t.Frames[t.Frames.Count - 1];
			bool ended = Run(t, fr, out result);
			if (fault != null) {
				if (fault.Function == "") {
					fault.Function = fr.Fn.Name;
					foreach (var l in fr.Fn.Lines) {
						if (l[0] > fr.At) break;
						fault.Line = l[1];
						fault.Column = l[2];
					}
				}
				if (Caught(t)) continue;
				result = null;
				break;
			}
			if (ended) break;
		}
		depth = outer;
		return result;
	}

	// Run runs a frame until another is on top, it faults, or the thread ends or
	// sleeps: then it says so, with the value.
	bool Run(Thread t, Frame fr, out object result) {
		Func<object[], object> act;
		if (done.TryGetValue(fr.Fn, out act)) return Act(t, fr, act, out result);
		var s = t.Stack;
		var consts = program.Consts;
		var code = fr.Fn.Code;
		var own = fr.Fn.In;
		var locals = fr.Locals;
		int pc = fr.At;
		result = null;
		while (true) {
			fr.At = pc;
			budget--;
			if (budget < 0) {
				CheckBudget();
				return false;
			}
			spent++;
			if (s.Count >= Limit.Stack) {
				Large("stack of more than " + Limit.Stack + " values");
				return false;
			}
			int op = code[pc], next = pc + 1 + width[op], arg = width[op] > 0 ? code[pc + 1] : 0;
			object x, y;
			List<object> args;
			switch (op) {
			case 0: s.Add(consts[arg]); break;
			case 1: Pop(s); break;
			case 2: s.Add(s[s.Count - 1]); break;
			case 3:
				x = locals[arg];
				s.Add(x is Box ? ((Box)x).V : x);
				break;
			case 4:
				x = Pop(s);
				var box = locals[arg] as Box;
				if (box == null) {
					locals[arg] = x;
					break;
				}
				if (box.Turn != turn) {
					box.Turn = turn;
					var kept = box;
					var old = box.V;
					undo.Add(() => kept.V = old);
				}
				box.V = x;
				break;
			case 5:
				if (!(locals[arg] is Box)) locals[arg] = new Box(locals[arg], turn);
				s.Add(locals[arg]);
				break;
			case 6: s.Add(new NodeValue(fr.Fn.Owner)); break;
			case 7: s.Add(new NodeValue(own == null ? (string)consts[arg] : own.Node((string)consts[arg]))); break;
			case 8: s.Add(slots[own == null ? arg : own.Slot(arg)]); break;
			case 9: Set(own == null ? arg : own.Slot(arg), Pop(s)); break;
			case 10: s.Add(ComputedOf(own == null ? arg : own.Comp(arg))); break;
			case 11: s.Add(Member(Pop(s), (string)consts[arg])); break;
			case 12:
				y = Pop(s);
				PutMember(Pop(s), (string)consts[arg], y);
				break;
			case 13:
				y = Pop(s);
				s.Add(Element(Pop(s), y));
				break;
			case 14:
				y = Pop(s);
				x = Pop(s);
				PutElement(Pop(s), x, y);
				break;
			case 15: case 16: case 17: case 18: case 19: Build(op, arg, s); break;
			case 20: case 21: case 22: case 23: case 24: case 25:
				y = Pop(s);
				x = Pop(s);
				if (op == 20 && (x is string || y is string)) s.Add(Text(Printed(x) + Printed(y)));
				else s.Add(Arithmetic(op, x, y));
				break;
			case 26: case 32:
				x = Pop(s);
				var number = Value.Number(x);
				if (number == null) Wrong((op == 26 ? "- needs a number, not " : "~ needs a number, not ") + Value.Type(x));
				else s.Add(op == 26 ? -number.Value : ~Num.Whole(number.Value));
				break;
			case 27: case 28: case 29: case 30: case 31:
				y = Pop(s);
				s.Add(Bits(op, Pop(s), y));
				break;
			case 33: s.Add(!Value.Truthy(Pop(s))); break;
			case 34: case 35:
				y = Pop(s);
				s.Add(Same(Pop(s), y) == (op == 34));
				break;
			case 36: case 37: case 38: case 39:
				y = Pop(s);
				s.Add(Compare(op, Pop(s), y));
				break;
			case 40:
				y = Pop(s);
				s.Add(Within(Pop(s), y));
				break;
			case 41:
				y = Pop(s);
				s.Add(Range(Pop(s), y));
				break;
			case 42: next = arg; break;
			case 43: if (!Value.Truthy(Pop(s))) next = arg; break;
			case 44: if (Value.Truthy(Pop(s))) next = arg; break;
			case 45: if (s[s.Count - 1] == null) next = arg; break;
			case 46: case 50: case 60:
				args = op == 46 ? Take(s, code[pc + 2]) : op == 50 ? Take(s, arg) : Spread(Pop(s));
				if (fault != null) return false;
				Function fn = null;
				List<object> boxes = null;
				if (op == 46) fn = functions[own == null ? arg : own.Fn(arg)];
				else {
					x = Pop(s);
					if (!Callable(x)) return false;
					fn = ((Closure)x).Fn;
					boxes = ((Closure)x).Boxes;
				}
				if (op != 46 && fn.Dead) {
					s.Add(null);
					break;
				}
				if (depth >= Limit.Calls) {
					TooDeep();
					return false;
				}
				fr.At = next;
				t.Frames.Add(NewFrame(fn, args, boxes, s.Count));
				return false;
			case 47:
				args = Take(s, code[pc + 2]);
				s.Add(HostCall(fr.Fn.Name, fr.Fn.Owner, program.Host[arg], args));
				break;
			case 48:
				args = Take(s, code[pc + 2]);
				s.Add(Method(Pop(s), (string)consts[arg], args));
				break;
			case 49:
				args = Take(s, code[pc + 2]);
				for (int i = 0; i < args.Count; i++) if (!(args[i] is Box)) args[i] = new Box(args[i], turn);
				s.Add(new Closure(functions[own == null ? arg : own.Fn(arg)], args));
				Alloc(args.Count + 1);
				break;
			case 51:
				x = Pop(s);
				Cut(s, fr.Base);
				t.Frames.RemoveAt(t.Frames.Count - 1);
				if (t.Frames.Count == 0) {
					result = x;
					return true;
				}
				s.Add(x);
				return false;
			case 52: Throw(Pop(s)); break;
			case 53: fr.Tries.Add(new Try { At = arg, Size = s.Count }); break;
			case 54: fr.Tries.RemoveAt(fr.Tries.Count - 1); break;
			case 55:
				args = Take(s, arg);
				Emit(fr.Fn.Owner, Printed(args[0]), args.Count == 2 ? args[1] : null);
				break;
			case 56:
				x = Pop(s);
				s.Add(null);
				fr.At = next;
				sleeping = x is double && (double)x >= 0 ? Math.Min((double)x, 1e9) : 0;
				return true;
			case 57:
				y = Pop(s);
				s.Add(Spawn(fr.Fn.Owner, (string)consts[arg], Pop(s), y));
				break;
			case 58: s.Add(Iterate(Pop(s))); break;
			case 59:
				var walk = s[s.Count - 1] as Walk;
				if (walk == null) Wrong("nothing to walk over");
				else if (walk.At < walk.Items.Count) s.Add(walk.Items[walk.At++]);
				else {
					Pop(s);
					next = arg;
				}
				break;
			case 61:
				args = Spread(Pop(s));
				x = Pop(s);
				if (fault == null) s.Add(Method(x, (string)consts[arg], args));
				break;
			case 62:
				args = Spread(Pop(s));
				if (fault == null) s.Add(HostCall(fr.Fn.Name, fr.Fn.Owner, program.Host[arg], args));
				break;
			}
			if (fault != null) return false;
			pc = next;
		}
	}

	void Build(int op, int n, List<object> s) {
		object y;
		switch (op) {
		case 15: s.Add(ListOf(Take(s, n))); return;
		case 16:
			var pairs = Take(s, 2 * n);
			var map = new Ordered<object>();
			for (int i = 0; i < pairs.Count; i += 2) map[Printed(pairs[i])] = pairs[i + 1];
			s.Add(new MapValue(map));
			Alloc(n + 1);
			return;
		case 17:
			y = Pop(s);
			var a = Pop(s) as ListValue;
			var b = y as ListValue;
			if (a == null || b == null) {
				Wrong("only a list can be spread into a list, not " + Value.Type(y));
				return;
			}
			var items = new List<object>(a.Items);
			items.AddRange(b.Items);
			s.Add(ListOf(items));
			return;
		case 18:
			y = Pop(s);
			s.Add(Merge(Pop(s), y));
			return;
		}
		var text = new StringBuilder();
		int size = 0;
		foreach (var v in Take(s, n)) {
			string one = Printed(v);
			text.Append(one);
			size += Chars.Bytes(one);
			if (size > Limit.Text) break;
		}
		s.Add(Text(text.ToString()));
	}

	void Throw(object v) {
		var f = new Fault("RUN006", Value.Clip(Printed(v))) { Thrown = v };
		var o = v as MapValue;
		if (o != null && o.Map.Or("message", null) is string) f.Message = Value.Clip((string)o.Map["message"]);
		fault = f;
	}
}

	object Pop() {
		top--;
		return stack[top];
	}

	void Push(object v) {
		if (top >= stack.Length) {
			Wrong("the stack is full");
			return;
		}
		stack[top] = v;
		top++;
	}

	// Call runs a function to its end. It is never called while another runs: calls of
	// the program are frames.
	object Call(int fn, object[] args, int given) {
		fault = "";
		top = 0;
		int depth = 0;
		int spent = 0;
		frameFn[0] = fn;
		framePc[0] = fnAt[fn];
		frameBase[0] = 0;
		frameTop[0] = 0;
		for (int i = 0; i < fnLocals[fn]; i++) locals[i] = i < given && i < fnParams[fn] ? args[i] : null;
		while (true) {
			int pc = framePc[depth];
			int f = frameFn[depth];
			int at = frameBase[depth];
			int op = code[pc];
			int a = pc + 1 < code.Length ? code[pc + 1] : 0;
			int next = pc + 1 + width[op];
			spent++;
			if (spent > MaxTurn) Wrong("the turn takes more than " + MaxTurn + " instructions");
			object x;
			object y;
			object z;
			int callee = op == 46 ? a : op == 10 ? computedFn[a] : -1;
			int follows = op == 11 ? Derived(stack[top - 1], constText[a]) : op == 13 ? Derived(stack[top - 2], Printed(stack[top - 1])) : -1;
			if (follows >= 0 && computedFn[follows] < 0) Wrong("the computed value '" + computedKey[follows] + "' is not worked out in Udon");
			else if (follows >= 0) {
				callee = computedFn[follows];
				top -= op == 11 ? 1 : 2;
			}
			if (fault != "") next = pc;
			else if (callee >= 0) {
				int n = op == 46 ? code[pc + 2] : 0;
				int room = at + fnLocals[f];
				if (depth + 1 >= frameFn.Length || room + fnLocals[callee] >= locals.Length) Wrong("too many calls within calls");
				else {
					for (int i = 0; i < fnLocals[callee]; i++) locals[room + i] = i < n && i < fnParams[callee] ? stack[top - n + i] : null;
					top -= n;
					framePc[depth] = next;
					depth++;
					frameFn[depth] = callee;
					framePc[depth] = fnAt[callee];
					frameBase[depth] = room;
					frameTop[depth] = top;
					continue;
				}
			} else if (op == 51) {
				x = Pop();
				top = frameTop[depth];
				if (depth == 0) return x;
				depth--;
				Push(x);
				continue;
			} else if (op == 0) Push(Const(a));
			else if (op == 1) Pop();
			else if (op == 2) Push(stack[top - 1]);
			else if (op == 3) Push(locals[at + a]);
			else if (op == 4) locals[at + a] = Pop();
			else if (op == 6) Push(NodeOf(fnOwner[f]));
			else if (op == 7) Push(NodeOf(constText[a]));
			else if (op == 8) Push(slots[a]);
			else if (op == 9) Set(a, Pop());
			else if (op == 11) Push(Member(Pop(), constText[a]));
			else if (op == 12) {
				y = Pop();
				PutMember(Pop(), constText[a], y);
			} else if (op == 13) {
				y = Pop();
				Push(Element(Pop(), y));
			} else if (op == 14) {
				z = Pop();
				y = Pop();
				PutElement(Pop(), y, z);
			} else if (op == 15) {
				x = NewList(a);
				for (int i = 0; i < a; i++) Append(x, stack[top - a + i]);
				top -= a;
				Push(x);
			} else if (op == 16) {
				x = new object[] { "map", 0, new object[a < 4 ? 4 : a], new object[a < 4 ? 4 : a] };
				for (int i = 0; i < a; i++) Put(x, Printed(stack[top - 2 * a + 2 * i]), stack[top - 2 * a + 2 * i + 1]);
				top -= 2 * a;
				Push(x);
			} else if (op == 19) {
				string text = "";
				for (int i = 0; i < a; i++) text += Printed(stack[top - a + i]);
				top -= a;
				Push(text);
			} else if (op == 26) Push(-Number(Pop()));
			else if (op == 32) Push((double)(~Whole(Number(Pop()))));
			else if (op == 33) Push(!Truthy(Pop()));
			else if (op >= 20 && op <= 41) {
				y = Pop();
				Push(Operator(op, Pop(), y));
			} else if (op == 42) next = fnAt[f] + a;
			else if (op == 43) {
				if (!Truthy(Pop())) next = fnAt[f] + a;
			} else if (op == 44) {
				if (Truthy(Pop())) next = fnAt[f] + a;
			} else if (op == 45) {
				if (stack[top - 1] == null) next = fnAt[f] + a;
			} else if (op == 47 || op == 48) {
				int n = code[pc + 2];
				object[] given2 = new object[n];
				for (int i = 0; i < n; i++) given2[i] = stack[top - n + i];
				top -= n;
				if (op == 47) Push(Operation(fnOwner[f], hosts[a], given2, n));
				else Push(Method(Pop(), constText[a], given2, n));
			} else if (op == 55) {
				x = a == 2 ? Pop() : null;
				Raise(fnOwner[f], Printed(Pop()), x);
			} else if (op == 58) {
				x = Pop();
				y = NewList(8);
				if (Tag(x) == "list" || Tag(x) == "map") for (int i = 0; i < Count(x); i++) Append(y, Items(x)[i]);
				else if (IsText(x)) for (int i = 0; i < ((string)x).Length; i++) Append(y, ((string)x).Substring(i, 1));
				else if (x != null) Wrong("cannot walk over this");
				Push(new object[] { "walk", 0, y });
			} else if (op == 59) {
				object[] walk = (object[])stack[top - 1];
				int place = (int)walk[1];
				if (place < Count(walk[2])) {
					walk[1] = place + 1;
					Push(Items(walk[2])[place]);
				} else {
					Pop();
					next = fnAt[f] + a;
				}
			} else Wrong("an instruction that Udon does not follow");
			if (fault != "") {
				Debug.LogWarning(fnName[f] + ": " + fault);
				return null;
			}
			framePc[depth] = next;
		}
	}

	int Whole(double x) {
		if (double.IsNaN(x) || x > 1e300 || x < -1e300) return 0;
		double t = x < 0 ? System.Math.Ceiling(x) : System.Math.Floor(x);
		t = t - System.Math.Floor(t / 4294967296.0) * 4294967296.0;
		return t >= 2147483648.0 ? (int)(t - 4294967296.0) : (int)t;
	}

	object Operator(int op, object x, object y) {
		if (op == 20 && (IsText(x) || IsText(y))) return Printed(x) + Printed(y);
		if (op == 34) return Same(x, y);
		if (op == 35) return !Same(x, y);
		if (op == 40) {
			if (Tag(y) == "list") return Index(y, x) >= 0;
			if (Tag(y) == "map") return Place(y, Printed(x)) >= 0;
			return IsText(y) && ((string)y).Contains(Printed(x));
		}
		if (op >= 36 && op <= 39 && IsText(x) && IsText(y)) {
			int c = string.CompareOrdinal((string)x, (string)y);
			return op == 36 ? c < 0 : op == 37 ? c <= 0 : op == 38 ? c > 0 : c >= 0;
		}
		double a = Number(x);
		double b = Number(y);
		if (op == 20) return a + b;
		if (op == 21) return a - b;
		if (op == 22) return a * b;
		if (op == 23) return a / b;
		if (op == 24) return a % b;
		if (op == 25) return System.Math.Pow(a, b);
		if (op == 27) return (double)(Whole(a) & Whole(b));
		if (op == 28) return (double)(Whole(a) | Whole(b));
		if (op == 29) return (double)(Whole(a) ^ Whole(b));
		if (op == 30) return (double)(Whole(a) << (Whole(b) & 31));
		if (op == 31) return (double)(Whole(a) >> (Whole(b) & 31));
		if (op == 36) return a < b;
		if (op == 37) return a <= b;
		if (op == 38) return a > b;
		if (op == 39) return a >= b;
		object list = NewList(8);
		for (double v = a; v < b && Count(list) < 4096; v = v + 1) Append(list, v);
		return list;
	}

	int Index(object list, object x) {
		for (int i = 0; i < Count(list); i++) if (Same(Items(list)[i], x)) return i;
		return -1;
	}

	object Element(object x, object i) {
		if (Tag(x) == "list" || IsText(x)) {
			int n = IsText(x) ? ((string)x).Length : Count(x);
			if (!IsNumber(i) || (double)i < 0 || (double)i >= n || System.Math.Floor((double)i) != (double)i) return null;
			int k = (int)(double)i;
			return IsText(x) ? (object)((string)x).Substring(k, 1) : Items(x)[k];
		}
		return Member(x, Printed(i));
	}

	void PutElement(object x, object i, object v) {
		if (Tag(x) != "list") {
			PutMember(x, Printed(i), v);
			return;
		}
		Touch();
		double k = Number(i);
		if (k == Count(x)) Append(x, v);
		else if (k >= 0 && k < Count(x)) Items(x)[(int)k] = v;
		else Wrong("a list has no such place");
	}

	// Derived is the computed value that a member of a node is; -1 where it is none.
	int Derived(object x, string name) {
		if (computedKey.Length == 0 || Tag(x) != "node") return -1;
		string id = (string)((object[])x)[1];
		for (int i = 0; i < computedKey.Length; i++) {
			if (computedKey[i] != name || computedOwner[i] != id) continue;
			return Place(props, id + "\n" + name) >= 0 || Slot(id, name) >= 0 ? -1 : i;
		}
		return -1;
	}

	object Member(object x, string name) {
		string tag = Tag(x);
		if (x == null) Wrong("null has no member '" + name + "'");
		if (tag == "map") return Get(x, name);
		if (IsText(x)) return name == "length" ? (object)(double)((string)x).Length : null;
		if (tag == "list") {
			if (name == "length" || name == "count") return (double)Count(x);
			int axis = name.Length == 1 ? "xyzw".IndexOf(name) : -1;
			return axis >= 0 && axis < Count(x) && Count(x) <= 4 ? Items(x)[axis] : null;
		}
		if (tag != "node" && tag != "state") return null;
		string id = (string)((object[])x)[1];
		int slot = Slot(id, name);
		if (tag == "state") return slot >= 0 ? slots[slot] : Get(props, id + "/state\n" + name);
		if (name == "id") return id;
		if (name == "state") return new object[] { "state", id };
		if (name == "parent") return Parent(id) == "" ? null : NodeOf(Parent(id));
		if (name == "name") return Node(id) >= 0 ? names[Node(id)] : id;
		if (name == "current_state") for (int i = 0; i < machineNode.Length; i++) if (machineNode[i] == id && current != null && current[i] >= 0) return stateName[current[i]];
		if (Place(props, id + "\n" + name) >= 0) return Get(props, id + "\n" + name);
		return slot >= 0 ? slots[slot] : null;
	}

	void PutMember(object x, string name, object v) {
		string tag = Tag(x);
		Touch();
		if (tag == "map") Put(x, name, v);
		else if (tag == "node" || tag == "state") {
			string id = (string)((object[])x)[1];
			int slot = Slot(id, name);
			if (slot >= 0) Set(slot, v);
			else if (tag == "state") Put(props, id + "/state\n" + name, v);
			else SetProperty(id, name, v);
		} else if (tag == "list" && name.Length == 1 && "xyzw".IndexOf(name) >= 0 && "xyzw".IndexOf(name) < Count(x)) Items(x)["xyzw".IndexOf(name)] = v;
		else Wrong("this cannot take a member '" + name + "'");
	}

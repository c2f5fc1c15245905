// What a turn may cost, and what it leaves behind: budgets, sizes, the trace.
public sealed partial class Machine {
	// Charge counts work beyond one instruction.
	void Charge(int n) {
		budget -= n;
		spent += n;
	}

	void ChargeText(string s) { if (s.Length * 3 >= Limit.ChargeBytes) Charge(Chars.Bytes(s) / Limit.ChargeBytes); }

	void CheckBudget() { if (budget < 0) Fail("RUN001", "the turn takes more than " + turnLimit + " instructions"); }

	void Alloc(int n) {
		made += n;
		Charge(n / Limit.ChargeBytes);
		if (made > Limit.Alloc) Large("a turn makes more than " + Limit.Alloc);
	}

	object Text(string s) {
		int n = Chars.Bytes(s);
		if (n > Limit.Text) return Large("text of " + n + " bytes");
		Alloc(n);
		return s;
	}

	object ListOf(List<object> items) {
		if (items.Count > Limit.Items) return Large("list of " + items.Count + " elements");
		Alloc(items.Count + 1);
		return new ListValue(items);
	}

	// Printed is a value as text; printing a large one is work.
	string Printed(object v) {
		if (v is string) return (string)v;
		string s = Value.Text(v);
		if (v is ListValue || v is MapValue) ChargeText(s);
		return s;
	}

	bool Same(object a, object b) {
		bool yes = Value.Same(a, b);
		Charge(Value.EqualWork / Limit.ChargeElements);
		return yes;
	}

	// Find is the place of a value in a list, -1 without one.
	int Find(List<object> items, object x) {
		for (int i = 0; i < items.Count; i++) {
			if (i % Limit.ChargeElements == Limit.ChargeElements - 1) Charge(1);
			if (Same(items[i], x)) return i;
			if (budget < 0) {
				CheckBudget();
				return -1;
			}
		}
		return -1;
	}

	// Numbers are the first arguments as numbers; those that are not given are 0.
	double[] Numbers(List<object> a, int n) {
		var o = new double[n];
		for (int i = 0; i < Math.Min(n, a.Count); i++) {
			var v = Value.Number(a[i]);
			if (v == null) {
				Wrong("argument " + (i + 1) + " is " + Value.Type(a[i]) + ", not a number");
				return o;
			}
			o[i] = v.Value;
		}
		return o;
	}

	void Log(string node, string text) {
		Note("log", node, "", text, null);
		host.Log(node, Value.Short(text));
	}

	// Note appends to the trace. Values are printed at once: they may change later.
	void Note(string kind, string node, string name, object value, Fault f) {
		if (!Tracing) return;
		if (Trace.Count >= Limit.Trace || made > Limit.Alloc) {
			Dropped++;
			return;
		}
		string text = Value.Text(value);
		if (value is ListValue || value is MapValue || value is Closure) text = Value.Short(text);
		else if (value is string) text = Value.Quote(Value.Short(text));
		var e = new Entry { At = Time, Kind = kind, Node = node, Name = name, Value = text };
		if (f != null) {
			e.Function = f.Function;
			e.Line = f.Line;
			e.Column = f.Column;
		}
		Trace.Add(e);
	}

	// Measure counts what state, properties and waiting turns hold.
	int Measure() {
		var seen = new HashSet<object>();
		var work = new Stack<object>(slots);
		foreach (var p in props.Values) foreach (var key in p.Keys) work.Push(p[key]);
		foreach (var e in queue) work.Push(e.Payload);
		foreach (var w in waiting) {
			foreach (var f in w.Thread.Frames) foreach (var v in f.Locals) work.Push(v);
			foreach (var v in w.Thread.Stack) work.Push(v);
		}
		int n = 0;
		while (work.Count > 0 && n <= Limit.Held) {
			var v = work.Pop();
			n++;
			if (v is string) n += Chars.Bytes((string)v);
			var k = Value.Of(v);
			if (k < Kind.List || k != Kind.Walk && !seen.Add(v)) continue;
			if (k == Kind.List) foreach (var e in ((ListValue)v).Items) work.Push(e);
			else if (k == Kind.Walk) foreach (var e in ((Walk)v).Items) work.Push(e);
			else if (k == Kind.Box) work.Push(((Box)v).V);
			else if (k == Kind.Function) foreach (var b in ((Closure)v).Boxes) work.Push(((Box)b).V);
			else if (k == Kind.Map) foreach (var key in ((MapValue)v).Map.Keys) {
				n += Chars.Bytes(key);
				work.Push(((MapValue)v).Map[key]);
			}
		}
		return n;
	}
}

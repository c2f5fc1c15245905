// The operators on values. What has the wrong kind sets the fault, and every
// caller looks whether it is set.
public sealed partial class Machine {
	object Fail(string code, string text) {
		if (fault == null) fault = new Fault(code, text);
		return null;
	}

	object Wrong(string text) { return Fail("RUN004", text); }
	object Large(string text) { return Fail("RUN007", text); }

	object Arithmetic(int op, object x, object y) {
		double? p = Value.Number(x), q = Value.Number(y);
		if (p == null) return Wrong("arithmetic needs numbers, not " + Value.Type(x));
		if (q == null) return Wrong("arithmetic needs numbers, not " + Value.Type(y));
		double a = p.Value, b = q.Value;
		switch (op) {
		case 20: return a + b;
		case 21: return a - b;
		case 22: return a * b;
		case 23: return a / b;
		case 24: return Num.Mod(a, b);
		}
		return Num.Power(a, b);
	}

	object Bits(int op, object x, object y) {
		double? p = Value.Number(x), q = Value.Number(y);
		if (p == null || q == null) return Wrong("operators on bits need numbers");
		int a = Num.Whole(p.Value), b = Num.Whole(q.Value);
		switch (op) {
		case 27: return (double)(a & b);
		case 28: return (double)(a | b);
		case 29: return (double)(a ^ b);
		case 30: return (double)(a << (b & 31));
		}
		return (double)(a >> (b & 31));
	}

	object Compare(int op, object x, object y) {
		int c;
		if (x is string && y is string) {
			string s = (string)x, t = (string)y;
			ChargeText(Chars.Count(s) < Chars.Count(t) ? s : t);
			c = Chars.Order(s, t);
		} else {
			double? a = Value.Number(x), b = Value.Number(y);
			if (a == null || b == null) return Wrong(Value.Type(x) + " and " + Value.Type(y) + " have no order");
			if (double.IsNaN(a.Value) || double.IsNaN(b.Value)) return false;
			c = a.Value < b.Value ? -1 : a.Value > b.Value ? 1 : 0;
		}
		switch (op) {
		case 36: return c < 0;
		case 37: return c <= 0;
		case 38: return c > 0;
		}
		return c >= 0;
	}

	object Within(object x, object y) {
		if (y is ListValue) return Find(((ListValue)y).Items, x) >= 0;
		if (y is MapValue) return ((MapValue)y).Map.Has(Printed(x));
		if (y is string) {
			ChargeText((string)y);
			return ((string)y).IndexOf(Printed(x), StringComparison.Ordinal) >= 0;
		}
		return Wrong("nothing can be in " + Value.Type(y));
	}

	object Range(object x, object y) {
		if (!(x is double) || !(y is double) || double.IsNaN((double)x) || double.IsNaN((double)y)) return Wrong("a range needs numbers");
		double from = (double)x, to = (double)y;
		if (to - from > Limit.Items) return Large("range of " + Num.Format(to - from) + " elements");
		var items = new List<object>();
		for (double v = from; v < to && items.Count <= Limit.Items; v++) items.Add(v);
		return ListOf(items);
	}

	object Merge(object x, object y) {
		var a = x as MapValue;
		var b = y as MapValue;
		if (y == null && a != null) return x;
		if (a == null || b == null) return Wrong("only an object can be spread into an object, not " + Value.Type(y));
		if (a.Map.Count + b.Map.Count > Limit.Items) return Large("object of " + (a.Map.Count + b.Map.Count) + " fields");
		var o = a.Map.Copy();
		foreach (var key in b.Map.Keys) o[key] = b.Map[key];
		Alloc(o.Count + 1);
		return new MapValue(o);
	}

	static List<object> Keys(MapValue o) {
		var items = new List<object>();
		foreach (var key in o.Map.Keys) items.Add(key);
		return items;
	}

	// Iterate begins a walk over the elements of a list, the characters of a text or
	// the keys of an object.
	object Iterate(object v) {
		var items = new List<object>();
		if (v is ListValue) items.AddRange(((ListValue)v).Items);
		else if (v is MapValue) items = Keys((MapValue)v);
		else if (v is string) {
			if (Chars.Count((string)v) > Limit.Items) return Large("too many characters to walk over");
			items = Chars.Split((string)v);
		} else if (v != null) return Wrong("cannot walk over " + Value.Type(v));
		Alloc(items.Count + 1);
		return new Walk(items);
	}

	// Position is an index within 0 and n, else -1.
	static int Position(object v, int n) {
		if (!(v is double)) return -1;
		double i = (double)v;
		return i >= 0 && i < n && Math.Floor(i) == i ? (int)i : -1;
	}

	object Element(object x, object i) {
		if (x is ListValue) {
			var items = ((ListValue)x).Items;
			int at = Position(i, items.Count);
			return at >= 0 ? items[at] : null;
		}
		if (x is string) {
			int n = Chars.Count((string)x);
			Alloc(n);
			int at = Position(i, n);
			return at >= 0 ? Chars.Sub((string)x, at, 1) : null;
		}
		if (x == null) return Wrong("null has no element " + Value.Clip(Printed(i)));
		return Member(x, Printed(i));
	}

	void PutElement(object x, object i, object v) {
		var l = x as ListValue;
		if (l == null) {
			PutMember(x, Printed(i), v);
			return;
		}
		int n = l.Items.Count;
		if (i is double && (double)i == n && n < Limit.Items) {
			Touch(l);
			l.Items.Add(v);
			Alloc(1);
			return;
		}
		int at = Position(i, n);
		if (at < 0) {
			Wrong("a list of " + n + " elements has no place " + Value.Clip(Printed(i)));
			return;
		}
		Touch(l);
		l.Items[at] = v;
	}

	// Axis is the place of x, y, z or w in a list of two to four.
	static int Axis(List<object> items, string name) {
		int i = name.Length == 1 ? "xyzw".IndexOf(name[0]) : -1;
		return items.Count <= 4 && i < items.Count ? i : -1;
	}

	object Member(object x, string name) {
		switch (Value.Of(x)) {
		case Kind.Map: return ((MapValue)x).Map.Or(name, null);
		case Kind.List:
			var items = ((ListValue)x).Items;
			if (name == "length" || name == "count") return (double)items.Count;
			int i = Axis(items, name);
			return i >= 0 ? items[i] : null;
		case Kind.Text: return name == "length" ? (object)(double)Chars.Count((string)x) : null;
		case Kind.Node: return NodeMember(((NodeValue)x).Id, name);
		case Kind.State: return StateMember(((StateValue)x).Id, name);
		case Kind.Nil: return Wrong("null has no member '" + Value.Clip(name) + "'");
		}
		return null;
	}

	void PutMember(object x, string name, object v) {
		var o = x as MapValue;
		if (o != null) {
			if (!o.Map.Has(name) && o.Map.Count >= Limit.Items) {
				Large("object of " + o.Map.Count + " fields");
				return;
			}
			Touch(o);
			o.Map[name] = v;
			Alloc(1);
			return;
		}
		var l = x as ListValue;
		int i = l == null ? -1 : Axis(l.Items, name);
		if (i >= 0) {
			Touch(l);
			l.Items[i] = v;
		} else if (x is NodeValue) PutNode(((NodeValue)x).Id, name, v);
		else if (x is StateValue) PutState(((StateValue)x).Id, name, v);
		else Wrong(Value.Type(x) + " cannot take a member '" + Value.Clip(name) + "'");
	}

	bool Callable(object v) {
		if (v is Closure) return true;
		Wrong(Value.Type(v) + " is not a function");
		return false;
	}
}

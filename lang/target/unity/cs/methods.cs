// The built-in methods of values.
public sealed partial class Machine {
	// These touch a place or two of a list, however long it is.
	static readonly HashSet<string> light = new HashSet<string> { "push", "append", "add", "pop", "at", "first", "last", "length", "count", "set", "clear" };
	static readonly HashSet<string> changing = new HashSet<string> {
		"push", "append", "add", "unshift", "pop", "shift", "splice", "sort", "reverse", "remove", "delete", "set", "clear"
	};

	static object Arg(List<object> a, int i) { return i < a.Count ? a[i] : null; }
	static List<object> From(List<object> a, int i) { return i < a.Count ? a.GetRange(i, a.Count - i) : new List<object>(); }

	object Method(object x, string name, List<object> a) {
		switch (Value.Of(x)) {
		case Kind.List:
			var l = (ListValue)x;
			if (!light.Contains(name)) Charge(l.Items.Count / Limit.ChargeElements);
			return changing.Contains(name) ? Changed(l, name, a) : ListMethod(l, name, a);
		case Kind.Text:
			ChargeText((string)x);
			return TextMethod((string)x, name, a);
		case Kind.Map:
			var map = ((MapValue)x).Map;
			return map.Or(name, null) is Closure ? Invoke(map[name], a) : MapMethod((MapValue)x, name, a);
		case Kind.Number:
			if (name == "toFixed" || name == "to_fixed") {
				var d = Numbers(a, 1);
				return fault == null ? Num.Fixed((double)x, d[0]) : null;
			}
			if (name == "toString" || name == "to_string") return Num.Format((double)x);
			break;
		case Kind.Node: return NodeMethod((NodeValue)x, name, a);
		case Kind.State: return Invoke(StateMember(((StateValue)x).Id, name), a);
		case Kind.Nil: return Wrong("null has no method '" + Value.Clip(name) + "'");
		}
		return Wrong(Value.Type(x) + " has no method '" + Value.Clip(name) + "'");
	}

	// Bound is an index counted from the front, or from the back when below 0,
	// within 0 and n.
	static int Bound(object v, int n, int otherwise) {
		if (!(v is double) || double.IsNaN((double)v)) return otherwise;
		double i = (double)v < 0 ? (double)v + n : (double)v;
		return (int)Math.Max(0, Math.Min(n, i));
	}

	static bool Flat(List<object> o, object v) {
		if (v is ListValue) o.AddRange(((ListValue)v).Items);
		else o.Add(v);
		return o.Count <= Limit.Items;
	}

	// Each calls a function with each element. What it gives is kept by what for;
	// find and every stop with the element and its place.
	List<object> Each(ListValue l, object f, string what) {
		var copy = new List<object>(l.Items);
		var o = new List<object>();
		for (int i = 0; i < copy.Count; i++) {
			var r = Invoke(f, new List<object> { copy[i], (double)i });
			if (fault != null) return null;
			if (what == "map") o.Add(r);
			else if (what == "flatMap" && !Flat(o, r)) break;
			else if (what == "filter" && Value.Truthy(r)) o.Add(copy[i]);
			else if ((what == "find" || what == "every") && Value.Truthy(r) == (what == "find")) {
				Alloc(l.Items.Count);
				return new List<object> { copy[i], (double)i };
			}
		}
		Alloc(l.Items.Count);
		return o;
	}

	object ListMethod(ListValue l, string name, List<object> a) {
		var items = l.Items;
		object f = Arg(a, 0);
		List<object> o;
		switch (name) {
		case "map": case "flatMap": case "flat_map": case "filter":
			o = Each(l, f, name == "flat_map" ? "flatMap" : name);
			return fault == null ? ListOf(o) : null;
		case "forEach": case "each": case "for_each":
			Each(l, f, "");
			return null;
		case "find": case "findIndex": case "find_index": case "some":
			o = Each(l, f, "find");
			if (fault != null) return null;
			if (name == "some") return o.Count > 0;
			if (name == "find") return o.Count > 0 ? o[0] : null;
			return o.Count > 0 ? o[1] : -1.0;
		case "every":
			o = Each(l, f, "every");
			return fault == null ? (object)(o.Count == 0) : null;
		case "reduce":
			object acc = Arg(a, 1);
			int first = 0;
			if (a.Count < 2) {
				if (items.Count == 0) return Wrong("nothing to reduce");
				acc = items[0];
				first = 1;
			}
			o = new List<object>(items);
			for (int i = first; i < o.Count; i++) {
				acc = Invoke(f, new List<object> { acc, o[i], (double)i });
				if (fault != null) return null;
			}
			return acc;
		case "indexOf": case "index_of": return (double)Find(items, f);
		case "includes": case "contains": case "has": return Find(items, f) >= 0;
		case "join":
			string gap = a.Count > 0 ? Printed(a[0]) : ",";
			int size = 0, wide = Chars.Bytes(gap);
			var text = new StringBuilder();
			for (int i = 0; i < items.Count; i++) {
				if (i > 0) {
					text.Append(gap);
					size += wide;
				}
				string one = Printed(items[i]);
				text.Append(one);
				size += Chars.Bytes(one);
				if (size > Limit.Text) break;
			}
			return Text(text.ToString());
		case "slice":
			int from = Bound(f, items.Count, 0), to = Math.Max(from, Bound(Arg(a, 1), items.Count, items.Count));
			return ListOf(items.GetRange(from, to - from));
		case "concat":
			o = new List<object>(items);
			foreach (var v in a) if (!Flat(o, v)) break;
			return ListOf(o);
		case "at": return Element(l, f is double ? ((double)f < 0 ? (double)f + items.Count : (double)f) : 0);
		case "first": return items.Count > 0 ? items[0] : null;
		case "last": return items.Count > 0 ? items[items.Count - 1] : null;
		case "length": case "count": return (double)items.Count;
		case "flat":
			o = new List<object>();
			foreach (var v in items) if (!Flat(o, v)) break;
			return ListOf(o);
		case "keys":
			o = new List<object>();
			for (int i = 0; i < items.Count; i++) o.Add((double)i);
			return ListOf(o);
		case "values": return ListOf(new List<object>(items));
		case "toString": case "to_string": return Text(Printed(l));
		}
		return Wrong("a list has no method '" + Value.Clip(name) + "'");
	}

	bool Room(int n) {
		if (n > Limit.Items) Large("list of " + n + " elements");
		return fault == null;
	}

	object Changed(ListValue l, string name, List<object> a) {
		Touch(l);
		int n = l.Items.Count;
		object v;
		switch (name) {
		case "push": case "append": case "add":
			if (!Room(n + a.Count)) return null;
			l.Items.AddRange(a);
			Alloc(a.Count);
			return (double)l.Items.Count;
		case "unshift":
			if (!Room(n + a.Count)) return null;
			l.Items.InsertRange(0, a);
			Alloc(l.Items.Count);
			return (double)l.Items.Count;
		case "pop": return n > 0 ? Pop(l.Items) : null;
		case "shift":
			v = n > 0 ? l.Items[0] : null;
			if (n > 0) l.Items.RemoveAt(0);
			return v;
		case "splice":
			int from = Bound(Arg(a, 0), n, 0), count = n - from;
			v = Arg(a, 1);
			if (v is double) count = double.IsNaN((double)v) ? 0 : (int)Math.Max(0, Math.Min(n - from, (double)v));
			var added = From(a, 2);
			var cut = l.Items.GetRange(from, count);
			if (!Room(n - count + added.Count)) return null;
			l.Items.RemoveRange(from, count);
			l.Items.InsertRange(from, added);
			return ListOf(cut);
		case "sort": return Sort(l, Arg(a, 0));
		case "reverse":
			l.Items.Reverse();
			return l;
		case "remove": case "delete":
			int i = Find(l.Items, Arg(a, 0));
			if (i >= 0 && fault == null) l.Items.RemoveAt(i);
			return i >= 0;
		case "set":
			PutElement(l, Arg(a, 0), Arg(a, 1));
			return null;
		}
		l.Items = new List<object>();
		return null;
	}

	bool Later(object by, object x, object y) {
		Charge(1);
		CheckBudget();
		if (fault != null) return false;
		if (by != null) {
			var r = Value.Number(Invoke(by, new List<object> { x, y }));
			return r != null && r.Value > 0;
		}
		if (x is double && y is double) return (double)x > (double)y;
		if (x is double) return false;
		return y is double || Chars.Order(Printed(x), Printed(y)) > 0;
	}

	// Sort orders a list by merging, so that every interpreter asks for the same
	// comparisons: by a function of two elements, else numbers before texts.
	object Sort(ListValue l, object by) {
		List<object> from = new List<object>(l.Items), to = new List<object>(l.Items);
		int n = from.Count;
		for (int width = 1; width < n; width *= 2) {
			for (int lo = 0; lo < n; lo += 2 * width) {
				int mid = Math.Min(lo + width, n), hi = Math.Min(lo + 2 * width, n), i = lo, j = mid;
				for (int k = lo; k < hi; k++) {
					bool left = i < mid && (j >= hi || !Later(by, from[i], from[j]));
					if (fault != null) return null;
					to[k] = left ? from[i++] : from[j++];
				}
			}
			var swap = from;
			from = to;
			to = swap;
		}
		l.Items = from;
		return l;
	}

	object MapMethod(MapValue o, string name, List<object> a) {
		string key;
		switch (name) {
		case "keys": return ListOf(Keys(o));
		case "values": case "entries":
			var items = new List<object>();
			foreach (var k in o.Map.Keys) items.Add(name == "values" ? o.Map[k] : new ListValue(new List<object> { k, o.Map[k] }));
			return ListOf(items);
		case "has": case "contains": case "hasOwnProperty": return o.Map.Has(Printed(Arg(a, 0)));
		case "get": return o.Map.Or(Printed(Arg(a, 0)), null);
		case "set":
			PutMember(o, Printed(Arg(a, 0)), Arg(a, 1));
			return null;
		case "delete": case "remove":
			key = Printed(Arg(a, 0));
			Charge(o.Map.Count / Limit.ChargeElements);
			Touch(o);
			return o.Map.Remove(key);
		case "clear":
			Touch(o);
			o.Map = new Ordered<object>();
			return null;
		case "toString": case "to_string": return Text(Printed(o));
		case "stop":
			stopped = true;
			return null;
		}
		return Wrong("an object has no method '" + Value.Clip(name) + "'");
	}

	object NodeMethod(NodeValue n, string name, List<object> a) {
		int fn = At(byName, n.Id, name);
		if (fn >= 0) return Call(fn, a, null);
		switch (name) {
		case "emit":
			Emit(n.Id, Printed(Arg(a, 0)), Arg(a, 1));
			return null;
		case "show": case "hide":
			SetProperty(n.Id, "visible", name == "show");
			return null;
		case "set_text":
			SetProperty(n.Id, "text", Arg(a, 0));
			return null;
		}
		var v = NodeMember(n.Id, name);
		return v is Closure ? Invoke(v, a) : HostCall("", n.Id, name, a);
	}
}

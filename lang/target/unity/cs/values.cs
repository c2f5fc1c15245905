// The values of a running program: null, bool, double, string, and the classes
// below. Texts are measured in UTF-8 bytes and indexed in code points.

// Ordered are entries by text in the order in which they came.
public sealed class Ordered<T> {
	readonly Dictionary<string, T> of = new Dictionary<string, T>(StringComparer.Ordinal);
	readonly List<string> order = new List<string>();
	public int Count { get { return order.Count; } }
	public List<string> Keys { get { return new List<string>(order); } }
	public bool Has(string key) { return of.ContainsKey(key); }
	public T this[string key] {
		get { return of[key]; }
		set {
			if (!of.ContainsKey(key)) order.Add(key);
			of[key] = value;
		}
	}
	public T Or(string key, T otherwise) {
		T v;
		return of.TryGetValue(key, out v) ? v : otherwise;
	}
	public bool Remove(string key) { return of.Remove(key) && order.Remove(key); }
	public void RemoveAll(Predicate<string> which) {
		foreach (string key in order) if (which(key)) of.Remove(key);
		order.RemoveAll(key => !of.ContainsKey(key));
	}
	public Ordered<T> Copy() {
		var o = new Ordered<T>();
		foreach (var key in order) o[key] = of[key];
		return o;
	}
}

public sealed class ListValue {
	public int Turn;
	public List<object> Items;
	public ListValue(List<object> items) { Items = items; }
}

public sealed class MapValue {
	public int Turn;
	public Ordered<object> Map;
	public MapValue(Ordered<object> map) { Map = map; }
}

public sealed class NodeValue {
	public readonly string Id;
	public NodeValue(string id) { Id = id; }
}

public sealed class StateValue {
	public readonly string Id;
	public StateValue(string id) { Id = id; }
}

public sealed class Closure {
	public readonly Function Fn;
	public readonly List<object> Boxes;
	public Closure(Function fn, List<object> boxes) { Fn = fn; Boxes = boxes; }
}

public sealed class Box {
	public object V;
	public int Turn;
	public Box(object v, int turn) { V = v; Turn = turn; }
}

public sealed class Walk {
	public int At;
	public readonly List<object> Items;
	public Walk(List<object> items) { Items = items; }
}

// Fault ends a handler. It has the place in the source where it happened.
public sealed class Fault {
	public readonly string Code;
	public string Message, Function = "";
	public int Line, Column;
	public object Thrown;
	public Fault(string code, string message) { Code = code; Message = message; }
}

public enum Kind { Nil, Bool, Number, Text, List, Map, Node, State, Function, Box, Walk }

public static class Value {
	public const string Broken = "\u2026";

	public static Kind Of(object v) {
		if (v == null) return Kind.Nil;
		if (v is double) return Kind.Number;
		if (v is string) return Kind.Text;
		if (v is bool) return Kind.Bool;
		if (v is ListValue) return Kind.List;
		if (v is MapValue) return Kind.Map;
		if (v is NodeValue) return Kind.Node;
		if (v is StateValue) return Kind.State;
		if (v is Closure) return Kind.Function;
		return v is Box ? Kind.Box : Kind.Walk;
	}

	public static bool Truthy(object v) {
		if (v == null) return false;
		if (v is bool) return (bool)v;
		if (v is double) return (double)v != 0 && !double.IsNaN((double)v);
		return !(v is string) || (string)v != "";
	}

	// Number is a value as a number, null where it is none.
	public static double? Number(object v) {
		if (v == null) return 0;
		if (v is bool) return (bool)v ? 1 : 0;
		return v is double ? (double?)(double)v : null;
	}

	public static string Type(object v) {
		switch (Of(v)) {
		case Kind.Nil: return "null";
		case Kind.Bool: return "boolean";
		case Kind.Number: return "number";
		case Kind.Text: return "string";
		case Kind.List: return "list";
		case Kind.Function: return "function";
		case Kind.Node: return "node";
		}
		return "object";
	}

	static int equalLeft;
	public static int EqualWork { get { return Limit.Items - equalLeft; } }

	public static bool Same(object a, object b) {
		equalLeft = Limit.Items;
		return Equal(a, b, Limit.Depth);
	}

	static bool Equal(object a, object b, int depth) {
		equalLeft--;
		if (equalLeft < 0 || depth < 0) return false;
		var k = Of(a);
		if (k != Of(b)) return false;
		switch (k) {
		case Kind.Nil: return true;
		case Kind.Bool: return (bool)a == (bool)b;
		case Kind.Number: return (double)a == (double)b;
		case Kind.Node: return ((NodeValue)a).Id == ((NodeValue)b).Id;
		case Kind.State: return ((StateValue)a).Id == ((StateValue)b).Id;
		case Kind.Walk: case Kind.Box: return false;
		case Kind.Function: return ReferenceEquals(a, b);
		case Kind.Text:
			string s = (string)a, t = (string)b;
			if (s.Length * 3 >= Limit.ChargeBytes) {
				int size = Chars.Bytes(s);
				if (size == Chars.Bytes(t)) equalLeft -= size / Limit.ChargeBytes;
			}
			return string.Equals(s, t, StringComparison.Ordinal);
		case Kind.List:
			List<object> x = ((ListValue)a).Items, y = ((ListValue)b).Items;
			if (x.Count != y.Count) return false;
			if (ReferenceEquals(a, b)) return true;
			for (int i = 0; i < x.Count; i++) if (!Equal(x[i], y[i], depth - 1)) return false;
			return true;
		}
		Ordered<object> m = ((MapValue)a).Map, n = ((MapValue)b).Map;
		if (m.Count != n.Count) return false;
		if (ReferenceEquals(a, b)) return true;
		foreach (var key in m.Keys) if (!n.Has(key) || !Equal(m[key], n[key], depth - 1)) return false;
		return true;
	}

	sealed class Shown {
		public readonly StringBuilder Out = new StringBuilder();
		public int Size;
		public void Put(string s) { Out.Append(s); Size += Chars.Bytes(s); }
	}

	static void Show(Shown o, object v, int depth, int left) {
		if (left <= 0 || depth < 0) { o.Put(Broken); return; }
		int was = o.Size;
		bool more = false;
		switch (Of(v)) {
		case Kind.Bool: o.Put((bool)v ? "true" : "false"); return;
		case Kind.Number: o.Put(Num.Format((double)v)); return;
		case Kind.Text: o.Put(Quote((string)v)); return;
		case Kind.Node: o.Put(((NodeValue)v).Id); return;
		case Kind.State: o.Put(((StateValue)v).Id + ".state"); return;
		case Kind.Function: o.Put("function"); return;
		case Kind.List:
			o.Put("[");
			foreach (var e in ((ListValue)v).Items) {
				if (more) o.Put(",");
				more = true;
				if (o.Size - was > left) { o.Put(Broken); break; }
				Show(o, e, depth - 1, left - (o.Size - was));
			}
			o.Put("]");
			return;
		case Kind.Map:
			o.Put("{");
			var map = ((MapValue)v).Map;
			foreach (var key in map.Keys) {
				if (more) o.Put(",");
				more = true;
				if (o.Size - was > left) { o.Put(Broken); break; }
				o.Put(Quote(key));
				o.Put(":");
				Show(o, map[key], depth - 1, left - (o.Size - was));
			}
			o.Put("}");
			return;
		}
		o.Put("null");
	}

	// Text is a value as text: a text itself, everything else as it is printed.
	public static string Text(object v) {
		if (v is string) return (string)v;
		if (v == null) return "null";
		if (v is bool) return (bool)v ? "true" : "false";
		if (v is double) return Num.Format((double)v);
		var o = new Shown();
		Show(o, v, Limit.Depth, Limit.Text);
		return o.Out.ToString();
	}

	public static string Quote(string s) {
		var b = new StringBuilder("\"");
		foreach (char c in s) {
			if (c == '"' || c == '\\') b.Append('\\').Append(c);
			else if (c == '\n') b.Append("\\n");
			else if (c == '\t') b.Append("\\t");
			else if (c < 0x20 || c == 0x7f) b.Append("\\u00").Append(((int)c).ToString("x2", CultureInfo.InvariantCulture));
			else b.Append(c);
		}
		return b.Append('"').ToString();
	}

	// Clip shortens a text for a message.
	public static string Clip(string s) { return Chars.Count(s) <= 200 ? s : Chars.Sub(s, 0, 200) + Broken; }

	// Short is a text of a log or a trace.
	public static string Short(string s) {
		if (s.Length * 4 <= Limit.Noted || Chars.Bytes(s) <= Limit.Noted) return s;
		int size = 0;
		for (int i = 0; i < s.Length; i += Chars.Width(s, i)) {
			int c = Chars.At(s, i);
			size += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
			if (size > Limit.Noted) return s.Substring(0, i) + Broken;
		}
		return s;
	}

	// Copy is a deep copy of lists and objects.
	public static object Copy(object v, int depth) {
		if (depth < 0) return null;
		var list = v as ListValue;
		if (list != null) {
			var items = new List<object>(list.Items.Count);
			foreach (var e in list.Items) items.Add(Copy(e, depth - 1));
			return new ListValue(items);
		}
		var o = v as MapValue;
		if (o == null) return v;
		var map = new Ordered<object>();
		foreach (var key in o.Map.Keys) map[key] = Copy(o.Map[key], depth - 1);
		return new MapValue(map);
	}
}

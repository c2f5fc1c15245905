// What scripts of nodes say and ask. They run as the functions of the program that
// they stand for, with the same turns, and what they write is written here.
public sealed partial class Machine {
	sealed class Shown {
		public Func<object> Get;
		public Action<object> Set;
	}

	readonly Dictionary<Function, Func<object[], object>> done = new Dictionary<Function, Func<object[], object>>();
	readonly Dictionary<Function, bool> counting = new Dictionary<Function, bool>();
	readonly Dictionary<int, Shown> shown = new Dictionary<int, Shown>();
	bool mirroring, begun;
	int acting;

	// Does lets a script take the place of a function; numbers says that all it takes
	// are numbers.
	public void Does(int fn, Func<object[], object> act, bool numbers = false) {
		done[functions[fn]] = act;
		counting[functions[fn]] = numbers;
	}

	// Shows lets a script keep a state key, first with the value that it has.
	public void Shows(int slot, Func<object> get, Action<object> set) {
		shown[slot] = new Shown { Get = get, Set = set };
	}

	object First(int slot, object v) {
		Shown s;
		return shown.TryGetValue(slot, out s) ? s.Get() : v;
	}

	void Mirror(int slot, object v) {
		Shown s;
		if (!shown.TryGetValue(slot, out s) || v == null || s.Get() == null || v.GetType() != s.Get().GetType()) return;
		mirroring = true;
		s.Set(v);
		mirroring = false;
	}

	// Act runs a function of a script in the place of instructions.
	bool Act(Thread t, Frame fr, Func<object[], object> act, out object result) {
		result = null;
		budget--;
		spent++;
		var args = new object[fr.Fn.Params];
		Array.Copy(fr.Locals, args, args.Length);
		if (counting[fr.Fn]) {
			double[] n = Numbers(new List<object>(args), args.Length);
			if (fault != null) return false;
			for (int i = 0; i < args.Length; i++) args[i] = n[i];
		}
		acting++;
		var v = Made(act(args));
		acting--;
		if (fault != null) return false;
		Cut(t.Stack, fr.Base);
		t.Frames.RemoveAt(t.Frames.Count - 1);
		if (t.Frames.Count == 0) {
			result = v;
			return true;
		}
		t.Stack.Add(v);
		return false;
	}

	// Made takes what a script makes: arrays and dictionaries, and values.
	object Made(object v) {
		var items = v as object[];
		if (items != null) return ListOf(new List<object>(Array.ConvertAll(items, Made)));
		var pairs = v as Fields;
		if (pairs == null) return v;
		var map = new Ordered<object>();
		foreach (var p in pairs.All) map[p.Key] = Made(p.Value);
		Alloc(map.Count + 1);
		return new MapValue(map);
	}

	List<object> Made(object[] list) { return new List<object>(Array.ConvertAll(list, Made)); }

	// Keep takes a state key that a script or a game wrote.
	public void Keep(string id, string key, object v) {
		int slot = At(slotOf, id, key);
		if (mirroring || !begun || slot < 0) return;
		if (acting > 0) Set(slot, Made(v));
		else Put(id, key, v);
	}

	public void Tell(string id, string name, object payload) { Emit(id, name, Made(payload)); }
	public void Give(string id, string key, object v) { PutNode(id, key, Made(v)); }
	public object Has(string id, string key) { return NodeMember(id, key); }
	public object HasState(string id, string key) { return StateMember(id, key); }
	public void GiveState(string id, string key, object v) { PutState(id, key, Made(v)); }

	public void GiveAxis(string id, string key, string axis, object v) {
		PutMember(NodeMember(id, key), axis, Made(v));
		if (fault == null) PutNode(id, key, NodeMember(id, key));
	}

	public object Follows(string id, string key) { return ComputedOf(computedOf[id][key]); }
	public object Ask(string id, string name, object[] args, string from) { return HostCall(from, id, name, Made(args)); }
	public string Words(object v) { return Printed(Made(v)); }
	public bool Alike(object x, object y) { return Same(Made(x), Made(y)); }
	public object Part(object of, string key) { return Member(of, key); }
	public object Item(object list, object at) { return Element(Made(list), at); }
	public object In(object x, object list) { return Within(x, Made(list)); }
	public object Call(object of, string method, object[] args) { return Method(of, method, Made(args)); }

	public object Calc(string op, object x, object y) {
		if (op == "+" && (x is string || y is string)) return Text(Printed(x) + Printed(y));
		int at = Array.IndexOf(new[] { "+", "-", "*", "/", "%", "**" }, op);
		return at >= 0 ? Arithmetic(20 + at, x, y) : Bits(27 + Array.IndexOf(new[] { "&", "|", "^", "<<", ">>" }, op), x, y);
	}

	public object Order(string op, object x, object y) { return Compare(36 + Array.IndexOf(new[] { "<", "<=", ">", ">=" }, op), x, y); }

	// Failed says whether something has failed, and where that was.
	public bool Failed(int line, int column, string function) {
		if (fault == null) return false;
		if (fault.Function == "" && line > 0) {
			fault.Function = function;
			fault.Line = line;
			fault.Column = column;
		}
		return true;
	}
}

// Fields are the fields of an object that a script makes, in their order.
public sealed class Fields {
	public readonly List<KeyValuePair<string, object>> All = new List<KeyValuePair<string, object>>();
	public Fields With(string key, object value) {
		All.Add(new KeyValuePair<string, object>(key, value));
		return this;
	}
}

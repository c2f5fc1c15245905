// The operations that the interpreter answers itself. All others go to the host.
public sealed partial class Machine {
	object HostCall(string fn, string owner, string name, List<object> a) {
		int times;
		called.TryGetValue(name, out times);
		called[name] = times + 1;
		object answer;
		return Library(name, owner, a, out answer) ? answer : Outside(fn, owner, name, a);
	}

	object Outside(string fn, string owner, string name, List<object> a) {
		Note("host", owner, name, new ListValue(new List<object>(a)), null);
		if (!host.Offers) return null;
		object answer;
		if (host.Call(name, owner, a, out answer)) return answer;
		if (unknown.Add(name)) {
			var f = new Fault("RUN005", "the host has no operation '" + Value.Clip(name) + "'") { Function = fn };
			Note("fault", owner, f.Code, f.Message, f);
			host.Fault(owner, f);
		}
		return null;
	}

	// Target is the node that a call is about, and the arguments behind it.
	static string Target(string owner, List<object> a, out List<object> rest) {
		bool named = a.Count > 0 && a[0] is NodeValue;
		rest = named ? From(a, 1) : a;
		return named ? ((NodeValue)a[0]).Id : owner;
	}

	bool Library(string name, string owner, List<object> a, out object answer) {
		string target;
		List<object> rest;
		double[] n;
		object v;
		answer = null;
		switch (name) {
		case "log": case "print": case "console.log":
			var words = new List<string>();
			int size = 0;
			foreach (var word in a) {
				string w = Value.Short(Printed(word));
				words.Add(w);
				size += Chars.Bytes(w);
			}
			Log(owner, string.Join(" ", words.ToArray()));
			Alloc(size);
			return true;
		case "clamp":
			n = Numbers(a, 3);
			answer = Num.Between(n[0], n[1], n[2]);
			return true;
		case "lerp":
			n = Numbers(From(a, 2), 1);
			if (fault == null) answer = Mix(Arg(a, 0), Arg(a, 1), n[0]);
			return true;
		case "ease":
			answer = Arg(a, 0) is string ? Easing((string)a[0], Numbers(From(a, 1), 1)[0]) : Easing(Printed(Arg(a, 1)), Numbers(a, 1)[0]);
			return true;
		case "map_range":
			n = Numbers(a, 5);
			answer = n[2] == n[1] ? n[3] : n[3] + (n[4] - n[3]) * ((n[0] - n[1]) / (n[2] - n[1]));
			return true;
		case "random":
			n = Numbers(a, Math.Min(a.Count, 2));
			if (a.Count > 1 && fault != null) return true;
			answer = a.Count == 0 ? chance.Next() : a.Count == 1 ? chance.Next() * n[0] : n[0] + chance.Next() * (n[1] - n[0]);
			return true;
		case "random_int":
			n = Numbers(a, 2);
			if (fault != null) return true;
			double lo = Math.Ceiling(n[0]);
			answer = lo + Math.Floor(chance.Next() * (Math.Floor(n[1]) - lo + 1));
			return true;
		case "choose":
			var from = a.Count == 1 && a[0] is ListValue ? ((ListValue)a[0]).Items : a;
			if (from.Count > 0) answer = from[(int)(chance.Next() * from.Count)];
			return true;
		case "now": case "current_time": answer = Time; return true;
		case "wait": answer = Arg(a, 0); return true;
		case "generate_id":
			serial++;
			answer = "id" + serial;
			return true;
		case "distance": answer = Distance(a); return true;
		case "typeof": answer = Value.Type(Arg(a, 0)); return true;
		case "set_timeout": SetTimeout(owner, a); return true;
		case "get_node":
			var found = Named(Printed(Arg(a, 0)), true);
			if (found.Count > 0) answer = new NodeValue(found[0]);
			return true;
		case "find_all":
			var nodes = new List<object>();
			foreach (var id in Named(Printed(Arg(a, 0)), false)) nodes.Add(new NodeValue(id));
			answer = ListOf(nodes);
			return true;
		case "instances": answer = Instances(Printed(Arg(a, 0))); return true;
		case "show": case "hide": SetProperty(Target(owner, a, out rest), "visible", name == "show"); return true;
		case "set_text":
			target = Target(owner, a, out rest);
			SetProperty(target, "text", Arg(rest, 0));
			return true;
		case "destroy": // nothing for what is not there
			if (a.Count == 0 || a[0] is NodeValue) Destroy(Target(owner, a, out rest));
			return true;
		case "tween":
			target = Target(owner, a, out rest);
			NewTween(target, rest);
			return true;
		case "move_to":
			target = Target(owner, a, out rest);
			rest = new List<object>(rest);
			rest.Insert(0, "position");
			NewTween(target, rest);
			return true;
		case "transition":
			target = Target(owner, a, out rest);
			Emit(target, "transition", Arg(rest, 0)); // the machines of the node take it
			return true;
		case "play": case "stop":
			// a timeline; everything else is the host's
			if (!(Arg(a, 0) is string) || !Turn((string)a[0], name == "play")) answer = Outside("", owner, name, a);
			return true;
		case "llm_call": answer = Model(owner, a); return true;
		case "calls":
			int times;
			called.TryGetValue(Printed(Arg(a, 0)), out times);
			answer = (double)times;
			return true;
		case "JSON.stringify":
			v = Arg(a, 0);
			answer = Text(v is string ? Value.Quote((string)v) : Printed(v));
			return true;
		case "JSON.parse":
			var json = Arg(a, 0) as string;
			bool bad;
			if (json == null) {
				Wrong("JSON.parse needs a text");
				return true;
			}
			answer = Json.Parse(json, out bad);
			if (bad) Wrong("this is not JSON");
			else Alloc(Chars.Bytes(json));
			return true;
		case "Object.keys": case "Object.values": case "Object.entries": answer = Method(Arg(a, 0), name.Substring(7), new List<object>()); return true;
		case "Number": case "parseFloat": case "parse_number": case "parseInt":
			v = Arg(a, 0);
			double number = (v is string ? Num.Read(Chars.Trim((string)v)) : Value.Number(v)) ?? double.NaN;
			answer = name == "parseInt" ? Math.Truncate(number) : number;
			return true;
		case "String": answer = Text(Printed(Arg(a, 0))); return true;
		case "Boolean": answer = Value.Truthy(Arg(a, 0)); return true;
		case "Math.random": answer = chance.Next(); return true;
		}
		if (!name.StartsWith("Math.", StringComparison.Ordinal)) return false;
		return Mathematics(name.Substring(5), a, out answer);
	}

	object Distance(List<object> a) {
		if (a.Count < 2) return Wrong("distance needs two places");
		var places = new List<object>[2];
		for (int i = 0; i < 2; i++) {
			var at = a[i] is NodeValue ? Property(((NodeValue)a[i]).Id, "position") : a[i];
			if (!(at is ListValue)) return Wrong("distance needs places, not " + Value.Type(at));
			places[i] = ((ListValue)at).Items;
		}
		double sum = 0;
		for (int i = 0; i < Math.Min(places[0].Count, places[1].Count); i++) {
			var n = Numbers(new List<object> { places[0][i], places[1][i] }, 2);
			sum += (n[0] - n[1]) * (n[0] - n[1]);
		}
		return Math.Sqrt(sum);
	}

	void SetTimeout(string owner, List<object> a) {
		Closure c = null;
		double seconds = 0;
		foreach (var v in a) {
			if (v is Closure) c = (Closure)v;
			else if (v is double) seconds = (double)v;
		}
		if (c == null) Wrong("set_timeout needs a function");
		else if (waiting.Count >= Limit.Waiting) Fail("RUN003", "more than " + Limit.Waiting + " turns wait");
		else if (!c.Fn.Dead) {
			seconds = double.IsNaN(seconds) ? 0 : Num.Between(seconds, 0, 1e9);
			waiting.Add(new Waiting { Until = After(seconds), Thread = NewThread(c.Fn, new List<object>(), c.Boxes, 0), Owner = owner });
		}
	}

	// Model asks the host's model. Without one the answer says which question it was
	// asked, the same everywhere.
	object Model(string owner, List<object> a) {
		Note("host", owner, "llm_call", new ListValue(new List<object>(a)), null);
		object answer;
		if (host.Offers && host.Call("llm_call", owner, a, out answer)) return answer;
		string prompt = Printed(Arg(a, 0));
		ChargeText(prompt);
		uint h = 0x811c9dc5;
		foreach (byte b in Encoding.UTF8.GetBytes(prompt)) h = unchecked((h ^ b) * 0x01000193);
		return "stub " + h.ToString("x8", CultureInfo.InvariantCulture);
	}

	bool Mathematics(string name, List<object> a, out object answer) {
		double[] n;
		double all;
		answer = null;
		switch (name) {
		case "min": case "max":
			all = name == "min" ? double.PositiveInfinity : double.NegativeInfinity;
			foreach (double each in Numbers(a, a.Count)) {
				if (double.IsNaN(each)) {
					answer = each;
					return true;
				}
				all = name == "min" ? Num.Min(all, each) : Num.Max(all, each);
			}
			answer = all;
			return true;
		case "hypot":
			all = 0;
			foreach (double each in Numbers(a, a.Count)) all += each * each;
			answer = Math.Sqrt(all);
			return true;
		case "pow":
			n = Numbers(a, 2);
			answer = Num.Power(n[0], n[1]);
			return true;
		case "atan2":
			n = Numbers(a, 2);
			answer = Math.Atan2(n[0], n[1]);
			return true;
		}
		double x = Numbers(a, 1)[0], y;
		switch (name) {
		case "abs": y = Math.Abs(x); break;
		case "floor": y = Math.Floor(x); break;
		case "ceil": y = Math.Ceiling(x); break;
		case "round": y = Math.Floor(x + 0.5); break;
		case "trunc": y = Math.Truncate(x); break;
		case "sqrt": y = Math.Sqrt(x); break;
		case "cbrt":
			y = Math.Sign(double.IsNaN(x) ? 0 : x) * Math.Pow(Math.Abs(x), 1.0 / 3);
			if (y != 0 && !double.IsInfinity(y)) y -= (y * y * y - x) / (3 * y * y);
			if (double.IsNaN(x)) y = x;
			break;
		case "sign": y = double.IsNaN(x) ? x : x > 0 ? 1 : x < 0 ? -1 : x; break;
		case "sin": y = double.IsInfinity(x) ? double.NaN : Math.Sin(x); break;
		case "cos": y = double.IsInfinity(x) ? double.NaN : Math.Cos(x); break;
		case "tan": y = double.IsInfinity(x) ? double.NaN : Math.Tan(x); break;
		case "asin": y = Math.Asin(x); break;
		case "acos": y = Math.Acos(x); break;
		case "atan": y = Math.Atan(x); break;
		case "exp": y = Math.Exp(x); break;
		case "log": y = Math.Log(x); break;
		case "log2": y = Math.Log(x) / 0.6931471805599453; break;
		case "log10": y = Math.Log10(x); break;
		default: return false;
		}
		if (fault == null) answer = y;
		return true;
	}

	// Easing is the easing of a name at u between 0 and 1.
	public static double Easing(string name, double u) {
		u = Num.Between(u, 0, 1);
		switch (name.ToLowerInvariant().Replace("-", "").Replace("_", "").Replace(" ", "")) {
		case "easein": case "easeinquad": return u * u;
		case "easeout": case "easeoutquad": return 1 - (1 - u) * (1 - u);
		case "easeinout": case "easeinoutquad": return u * u * (3 - 2 * u);
		case "easeincubic": return u * u * u;
		case "easeoutcubic": return 1 - (1 - u) * (1 - u) * (1 - u);
		case "easeinoutcubic": return u < 0.5 ? 4 * u * u * u : 1 - 4 * (1 - u) * (1 - u) * (1 - u);
		case "easeinsine": return 1 - Math.Cos(u * Math.PI / 2);
		case "easeoutsine": return Math.Sin(u * Math.PI / 2);
		case "easeinoutsine": return (1 - Math.Cos(u * Math.PI)) / 2;
		case "step": return u < 1 ? 0 : 1;
		}
		return u;
	}

	// Mix is a value from x to y: of numbers, and of lists of them.
	object Mix(object x, object y, double u) {
		var a = x as ListValue;
		var b = y as ListValue;
		if (a == null || b == null) {
			var n = Numbers(new List<object> { x, y }, 2);
			return n[0] + (n[1] - n[0]) * u;
		}
		var o = new List<object>();
		for (int i = 0; i < Math.Min(a.Items.Count, b.Items.Count); i++) {
			object p = a.Items[i], q = b.Items[i];
			o.Add(Mix(p is ListValue ? 0.0 : p, q is ListValue ? 0.0 : q, u));
			if (fault != null) return null;
		}
		return ListOf(o);
	}
}

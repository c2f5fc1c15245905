	// What a program may call; the compiler checks that it calls nothing else.
	object Operation(string owner, string name, object[] a, int n) {
		object first = n > 0 ? a[0] : null;
		object second = n > 1 ? a[1] : null;
		string target = Tag(first) == "node" ? (string)((object[])first)[1] : owner;
		if (name == "log" || name == "print" || name == "console.log") {
			string line = "";
			for (int i = 0; i < n; i++) line += (i > 0 ? " " : "") + Printed(a[i]);
			Debug.Log(line);
			return null;
		}
		if (name == "random" || name == "Math.random") return n == 0 ? Chance() : n == 1 ? Chance() * Number(first) : Number(first) + Chance() * (Number(second) - Number(first));
		if (name == "random_int") {
			double lo = System.Math.Ceiling(Number(first));
			return lo + System.Math.Floor(Chance() * (System.Math.Floor(Number(second)) - lo + 1));
		}
		if (name == "now" || name == "current_time") return (double)steps / rate;
		if (name == "clamp") return System.Math.Max(Number(second), System.Math.Min(Number(n > 2 ? a[2] : null), Number(first)));
		if (name == "show" || name == "hide" || name == "destroy") {
			SetProperty(target, "visible", name == "show");
			return null;
		}
		if (name == "set_text") {
			SetProperty(target, "text", Tag(first) == "node" ? second : first);
			return null;
		}
		if (name == "get_node") {
			for (int i = 0; i < ids.Length; i++) if (names[i] == Printed(first) || ids[i] == Printed(first)) return NodeOf(ids[i]);
			return null;
		}
		if (name == "play" || name == "stop") {
			for (int i = 0; i < lineId.Length; i++) if (lineId[i] == Printed(first)) {
				lineOn[i] = name == "play";
				lineSince[i] = steps;
				lineNext[i] = 0;
				return null;
			}
		}
		if (name == "play" || name == "stop" || name == "play_sound" || name == "stop_sound") {
			Sound(target, IsText(first) ? (string)first : IsText(second) ? (string)second : "", name == "play" || name == "play_sound");
			return null;
		}
		if (name == "transition") {
			Raise(target, "transition", Tag(first) == "node" ? second : first);
			return null;
		}
		if (name == "String") return Printed(first);
		if (name == "Boolean") return Truthy(first);
		if (name == "typeof") return first == null ? "null" : IsNumber(first) ? "number" : IsText(first) ? "string" : IsBool(first) ? "boolean" : Tag(first) == "list" ? "list" : Tag(first) == "node" ? "node" : "object";
		double x = Number(first);
		if (name == "Number") return x;
		if (name == "Math.abs") return System.Math.Abs(x);
		if (name == "Math.floor") return System.Math.Floor(x);
		if (name == "Math.ceil") return System.Math.Ceiling(x);
		if (name == "Math.round") return System.Math.Floor(x + 0.5);
		if (name == "Math.sqrt") return System.Math.Sqrt(x);
		if (name == "Math.sin") return System.Math.Sin(x);
		if (name == "Math.cos") return System.Math.Cos(x);
		if (name == "Math.min" || name == "Math.max") {
			for (int i = 1; i < n; i++) x = name == "Math.min" ? System.Math.Min(x, Number(a[i])) : System.Math.Max(x, Number(a[i]));
			return x;
		}
		Wrong("'" + name + "' is not there");
		return null;
	}

	object Method(object x, string name, object[] a, int n) {
		object first = n > 0 ? a[0] : null;
		string tag = Tag(x);
		if (tag == "list" || tag == "map") Touch();
		if (tag == "list") {
			int count = Count(x);
			if (name == "push" || name == "append" || name == "add") {
				for (int i = 0; i < n; i++) Append(x, a[i]);
				return (double)Count(x);
			}
			if (name == "pop") {
				if (count == 0) return null;
				((object[])x)[1] = count - 1;
				return Items(x)[count - 1];
			}
			if (name == "shift") {
				if (count == 0) return null;
				object head = Items(x)[0];
				for (int i = 1; i < count; i++) Items(x)[i - 1] = Items(x)[i];
				((object[])x)[1] = count - 1;
				return head;
			}
			if (name == "includes" || name == "contains" || name == "has") return Index(x, first) >= 0;
			if (name == "indexOf" || name == "index_of") return (double)Index(x, first);
			if (name == "first") return count > 0 ? Items(x)[0] : null;
			if (name == "last") return count > 0 ? Items(x)[count - 1] : null;
			if (name == "length" || name == "count") return (double)count;
			if (name == "clear") {
				((object[])x)[1] = 0;
				return null;
			}
			if (name == "join") {
				string text = "";
				for (int i = 0; i < count; i++) text += (i > 0 ? (n > 0 ? Printed(first) : ",") : "") + Printed(Items(x)[i]);
				return text;
			}
		}
		if (tag == "map") {
			if (name == "stop") {
				stopped = true;
				return null;
			}
			if (name == "get") return Get(x, Printed(first));
			if (name == "has") return Place(x, Printed(first)) >= 0;
			if (name == "set") {
				Put(x, Printed(first), n > 1 ? a[1] : null);
				return null;
			}
		}
		if (IsText(x)) {
			string s = (string)x;
			if (name == "toUpperCase" || name == "upper") return s.ToUpper();
			if (name == "toLowerCase" || name == "lower") return s.ToLower();
			if (name == "trim") return s.Trim();
			if (name == "includes" || name == "contains") return s.Contains(Printed(first));
		}
		if (IsNumber(x) && (name == "toFixed" || name == "to_fixed")) return ((double)x).ToString("F" + (int)Number(first), CultureInfo.InvariantCulture);
		if (tag == "node") {
			string id = (string)((object[])x)[1];
			if (name == "emit") Raise(id, Printed(first), n > 1 ? a[1] : null);
			else if (name == "show" || name == "hide") SetProperty(id, "visible", name == "show");
			else if (name == "set_text") SetProperty(id, "text", first);
			else Wrong("a node has no method '" + name + "'");
			return null;
		}
		Wrong("there is no method '" + name + "'");
		return null;
	}

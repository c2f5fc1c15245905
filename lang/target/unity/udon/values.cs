	// Values are null, bool, double, string, and tagged arrays: a list is
	// ["list", how many, elements], an object ["map", how many, keys, values], a node
	// ["node", id], the state of one ["state", id], a walk ["walk", at, elements].
	bool IsNumber(object v) { return v != null && v.GetType() == typeof(double); }
	bool IsText(object v) { return v != null && v.GetType() == typeof(string); }
	bool IsBool(object v) { return v != null && v.GetType() == typeof(bool); }

	string Tag(object v) {
		if (v == null || v.GetType() != typeof(object[])) return "";
		return (string)((object[])v)[0];
	}

	object NewList(int room) { return new object[] { "list", 0, new object[room < 4 ? 4 : room] }; }
	object NodeOf(string id) { return new object[] { "node", id }; }

	public object Pair(string key, object value) { return new object[] { "map", 1, new object[] { key, null, null, null }, new object[] { value, null, null, null } }; }

	int Count(object v) { return (int)((object[])v)[1]; }
	object[] Items(object v) { return (object[])((object[])v)[2]; }

	object[] Grown(object[] from) {
		object[] o = new object[from.Length * 2];
		for (int i = 0; i < from.Length; i++) o[i] = from[i];
		return o;
	}

	void Append(object list, object v) {
		object[] l = (object[])list;
		int n = (int)l[1];
		if (n >= ((object[])l[2]).Length) l[2] = Grown((object[])l[2]);
		((object[])l[2])[n] = v;
		l[1] = n + 1;
	}

	int Place(object map, string key) {
		object[] keys = Items(map);
		int n = Count(map);
		for (int i = 0; i < n; i++) if ((string)keys[i] == key) return i;
		return -1;
	}

	object Get(object map, string key) {
		int i = Place(map, key);
		return i < 0 ? null : ((object[])((object[])map)[3])[i];
	}

	void Put(object map, string key, object v) {
		object[] m = (object[])map;
		int i = Place(map, key);
		if (i < 0) {
			i = (int)m[1];
			if (i >= ((object[])m[2]).Length) {
				m[2] = Grown((object[])m[2]);
				m[3] = Grown((object[])m[3]);
			}
			((object[])m[2])[i] = key;
			m[1] = i + 1;
		}
		((object[])m[3])[i] = v;
	}

	bool Truthy(object v) {
		if (v == null) return false;
		if (IsBool(v)) return (bool)v;
		if (IsNumber(v)) return (double)v != 0 && !double.IsNaN((double)v);
		return !IsText(v) || (string)v != "";
	}

	double Number(object v) {
		if (v == null) return 0;
		if (IsNumber(v)) return (double)v;
		if (IsBool(v)) return (bool)v ? 1 : 0;
		Wrong("this needs a number");
		return 0;
	}

	bool Flat(object v) { return v == null || IsNumber(v) || IsText(v) || IsBool(v); }

	// Same compares by value, lists and objects to four levels.
	bool Same(object a, object b) { return SameTo(a, b, 4); }

	[RecursiveMethod]
	bool SameTo(object a, object b, int depth) {
		if (a == null || b == null) return a == null && b == null;
		if (a.GetType() != b.GetType()) return false;
		if (IsNumber(a)) return (double)a == (double)b;
		if (IsText(a)) return (string)a == (string)b;
		if (IsBool(a)) return (bool)a == (bool)b;
		string tag = Tag(a);
		if (tag != Tag(b) || depth == 0) return false;
		if (tag == "node" || tag == "state") return (string)((object[])a)[1] == (string)((object[])b)[1];
		if (tag != "list" && tag != "map" || Count(a) != Count(b)) return false;
		for (int i = 0; i < Count(a); i++) {
			if (tag == "list") {
				if (!SameTo(Items(a)[i], Items(b)[i], depth - 1)) return false;
			} else {
				string key = (string)Items(a)[i];
				if (Place(b, key) < 0 || !SameTo(Get(a, key), Get(b, key), depth - 1)) return false;
			}
		}
		return true;
	}

	string Digits(double x) {
		if (double.IsNaN(x)) return "NaN";
		if (x > 1e308 || x < -1e308) return x > 0 ? "Infinity" : "-Infinity";
		if (x == 0) return "0";
		if (System.Math.Floor(x) == x && x < 9e15 && x > -9e15) return ((long)x).ToString(CultureInfo.InvariantCulture);
		return x.ToString("0.###############", CultureInfo.InvariantCulture);
	}

	string Printed(object v) { return IsText(v) ? (string)v : Shown(v, 4); }

	[RecursiveMethod]
	string Shown(object v, int depth) {
		if (v == null || depth == 0) return "null";
		if (IsNumber(v)) return Digits((double)v);
		if (IsBool(v)) return (bool)v ? "true" : "false";
		if (IsText(v)) return "\"" + ((string)v).Replace("\\", "\\\\").Replace("\"", "\\\"").Replace("\n", "\\n") + "\"";
		string tag = Tag(v);
		if (tag == "node") return (string)((object[])v)[1];
		if (tag == "state") return (string)((object[])v)[1] + ".state";
		if (tag != "list" && tag != "map") return "null";
		string o = tag == "list" ? "[" : "{";
		int n = Count(v);
		for (int i = 0; i < n; i++) {
			if (i > 0) o += ",";
			o += tag == "list" ? Shown(Items(v)[i], depth - 1) : "\"" + (string)Items(v)[i] + "\":" + Shown(((object[])((object[])v)[3])[i], depth - 1);
		}
		return o + (tag == "list" ? "]" : "}");
	}

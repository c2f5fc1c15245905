// Json reads JSON as values, the keys of objects in their order.
public sealed class Json {
	readonly string text;
	readonly int most;
	int at;
	public bool Bad { get; private set; }

	Json(string s, int items) {
		text = s;
		most = items;
	}

	// Parse reads a text of a program; bad says that it is none.
	public static object Parse(string s, out bool bad) {
		bad = Chars.Bytes(s) > Limit.Text;
		return bad ? null : Read(s, Limit.Items, Limit.Depth, out bad);
	}

	// Trusted reads what the compiler wrote, of any size.
	public static object Trusted(string s) {
		bool bad;
		var v = Read(s, int.MaxValue, 4096, out bad);
		if (bad) throw new FormatException("the data of the scene is not JSON");
		return v;
	}

	static object Read(string s, int items, int depth, out bool bad) {
		var j = new Json(s, items);
		var v = j.Any(depth);
		j.Skip();
		bad = j.Bad || j.at < s.Length;
		return bad ? null : v;
	}

	void Skip() { while (at < text.Length && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r')) at++; }

	char Peek() { return at < text.Length ? text[at] : '\0'; }

	object Fail() {
		Bad = true;
		return null;
	}

	object Any(int depth) {
		Skip();
		char c = Peek();
		if (c == '"') return Text();
		if (c != '[' && c != '{') return Word();
		if (depth == 0) return Fail();
		at++;
		char ends = c == '[' ? ']' : '}';
		var items = new List<object>();
		var map = new Ordered<object>();
		Skip();
		if (Peek() == ends) {
			at++;
			return c == '[' ? (object)new ListValue(items) : new MapValue(map);
		}
		while (!Bad) {
			if (c == '[') items.Add(Any(depth - 1));
			else {
				Skip();
				if (Peek() != '"') return Fail();
				var key = Text();
				Skip();
				if (Bad || Peek() != ':') return Fail();
				at++;
				map[key] = Any(depth - 1);
			}
			if (Bad || items.Count > most || map.Count > most) return Fail();
			Skip();
			char next = Peek();
			at++;
			if (next == ends) return c == '[' ? (object)new ListValue(items) : new MapValue(map);
			if (next != ',') return Fail();
		}
		return null;
	}

	static bool Digit(string s, int i) { return i < s.Length && s[i] >= '0' && s[i] <= '9'; }

	object Word() {
		int from = at;
		while (at < text.Length && " \t\n\r,]}:".IndexOf(text[at]) < 0) at++;
		string w = text.Substring(from, at - from);
		if (w == "null") return null;
		if (w == "true") return true;
		if (w == "false") return false;
		// a number: no sign +, digits on both sides of the point, no zero before digits
		string body = w.StartsWith("-", StringComparison.Ordinal) ? w.Substring(1) : w;
		int point = body.IndexOf('.');
		if (!Digit(body, 0) || body[0] == '0' && Digit(body, 1) || point >= 0 && !Digit(body, point + 1)) return Fail();
		var v = Num.Read(w);
		if (v == null || double.IsInfinity(v.Value)) return Fail();
		return v.Value;
	}

	string Text() {
		at++;
		var b = new StringBuilder();
		while (at < text.Length) {
			char c = text[at++];
			if (c == '"') return b.ToString();
			if (c < ' ') break;
			if (c != '\\') {
				b.Append(c);
				continue;
			}
			char e = Peek();
			at++;
			int i = "ntrbf\"\\/".IndexOf(e);
			if (i >= 0) {
				b.Append("\n\t\r\b\f\"\\/"[i]);
				continue;
			}
			if (e != 'u') break;
			int code = Hex();
			if (code >= 0xd800 && code < 0xdc00 && Peek() == '\\' && at + 1 < text.Length && text[at + 1] == 'u') {
				int back = at;
				at += 2;
				int low = Hex();
				if (low >= 0xdc00 && low < 0xe000) code = 0x10000 + (code - 0xd800 << 10) + low - 0xdc00;
				else at = back;
			}
			if (Bad) return "";
			b.Append(code >= 0xd800 && code < 0xe000 ? "\ufffd" : char.ConvertFromUtf32(code));
		}
		Fail();
		return "";
	}

	int Hex() {
		int v = 0;
		for (int i = 0; i < 4; i++, at++) {
			int digit = "0123456789abcdef".IndexOf(char.ToLowerInvariant(Peek()));
			if (digit < 0) {
				Bad = true;
				return 0;
			}
			v = v * 16 + digit;
		}
		return v;
	}
}

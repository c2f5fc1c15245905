// Texts in code points: those above U+FFFF are two units of a string.
public static class Chars {
	public static int Bytes(string s) { return Encoding.UTF8.GetByteCount(s); }

	public static int Width(string s, int i) { return char.IsHighSurrogate(s[i]) && i + 1 < s.Length && char.IsLowSurrogate(s[i + 1]) ? 2 : 1; }

	public static int At(string s, int i) { return Width(s, i) == 2 ? char.ConvertToUtf32(s[i], s[i + 1]) : s[i]; }

	static bool Wide(string s) {
		foreach (char c in s) if (char.IsHighSurrogate(c)) return true;
		return false;
	}

	public static int Count(string s) {
		int n = 0;
		for (int i = 0; i < s.Length; i += Width(s, i)) n++;
		return n;
	}

	// Unit is where the code point of a number begins.
	static int Unit(string s, int from, int points) {
		int i = from;
		for (; points > 0 && i < s.Length; points--) i += Width(s, i);
		return i;
	}

	public static string Sub(string s, int from, int n) {
		if (from < 0 || n <= 0 || from >= s.Length) return "";
		if (!Wide(s)) return s.Substring(from, Math.Min(n, s.Length - from));
		int a = Unit(s, 0, from);
		return s.Substring(a, Unit(s, a, n) - a);
	}

	public static List<object> Split(string s) {
		var o = new List<object>();
		for (int i = 0; i < s.Length; ) {
			int w = Width(s, i);
			o.Add(s.Substring(i, w));
			i += w;
		}
		return o;
	}

	// Find is where a part begins, in code points; -1 where it is not.
	public static int Find(string s, string part) {
		int i = s.IndexOf(part, StringComparison.Ordinal);
		return i < 0 ? -1 : Count(s.Substring(0, i));
	}

	// Order orders texts by their code points.
	public static int Order(string a, string b) {
		int i = 0, n = Math.Min(a.Length, b.Length);
		while (i < n && a[i] == b[i]) i++;
		if (i == a.Length || i == b.Length) return a.Length.CompareTo(b.Length);
		if (char.IsLowSurrogate(a[i]) && i > 0) i--;
		return At(a, i).CompareTo(At(b, i));
	}

	public static bool Space(int c) {
		return c >= 9 && c <= 13 || c == 32 || c == 0x85 || c == 0xa0 || c == 0x1680 || c >= 0x2000 && c <= 0x200a || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
	}

	public static string Trim(string s) {
		int i = 0, j = s.Length;
		while (i < j && Space(s[i])) i++;
		while (j > i && Space(s[j - 1])) j--;
		return s.Substring(i, j - i);
	}

	// Doubled says whether the capital of a Greek letter is two letters.
	static bool Doubled(char c) {
		return c >= 0x1f80 && c <= 0x1faf || c == 0x1fb3 || c == 0x1fbc || c == 0x1fc3 || c == 0x1fcc || c == 0x1ff3 || c == 0x1ffc;
	}

	// Cased maps each character by itself; those that would become several stay.
	public static string Cased(string s, bool up) {
		var b = new StringBuilder();
		foreach (string c in Split(s)) b.Append(up && Doubled(c[0]) ? c : up ? c.ToUpperInvariant() : c.ToLowerInvariant());
		return b.ToString();
	}

	public static string[] Cut(string s, string part) { return s.Split(new[] { part }, StringSplitOptions.None); }

	public static int Times(string s, string part) { return part == "" ? Count(s) + 1 : Cut(s, part).Length - 1; }

	public static string Repeat(string s, int n) { return new StringBuilder().Insert(0, s, n).ToString(); }
}

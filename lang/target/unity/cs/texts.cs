// The built-in methods of texts.
public sealed partial class Machine {
	object TextMethod(string s, string name, List<object> a) {
		string part, by;
		switch (name) {
		case "toUpperCase": case "uppercase": case "upper": case "to_upper": return Text(Chars.Cased(s, true));
		case "toLowerCase": case "lowercase": case "lower": case "to_lower": return Text(Chars.Cased(s, false));
		case "trim": return Text(Chars.Trim(s));
		case "split":
			if (a.Count == 0) return ListOf(new List<object> { s });
			part = Printed(a[0]);
			if (Chars.Times(s, part) >= Limit.Items) return Large("too many parts");
			return ListOf(part == "" ? Chars.Split(s) : new List<object>(Chars.Cut(s, part)));
		case "replace":
			part = Printed(Arg(a, 0));
			by = Printed(Arg(a, 1));
			int i = s.IndexOf(part, StringComparison.Ordinal);
			return Text(i < 0 ? s : s.Substring(0, i) + by + s.Substring(i + part.Length));
		case "replaceAll": case "replace_all":
			part = Printed(Arg(a, 0));
			by = Printed(Arg(a, 1));
			long size = (long)Chars.Times(s, part) * Chars.Bytes(by);
			if (size > Limit.Text) return Large("text of " + size + " bytes");
			if (part != "") return Text(s.Replace(part, by));
			var all = new StringBuilder(by);
			foreach (string c in Chars.Split(s)) all.Append(c).Append(by);
			return Text(all.ToString());
		case "includes": case "contains": return s.IndexOf(Printed(Arg(a, 0)), StringComparison.Ordinal) >= 0;
		case "startsWith": case "starts_with": return s.StartsWith(Printed(Arg(a, 0)), StringComparison.Ordinal);
		case "endsWith": case "ends_with": return s.EndsWith(Printed(Arg(a, 0)), StringComparison.Ordinal);
		case "indexOf": case "index_of": return (double)Chars.Find(s, Printed(Arg(a, 0)));
		case "slice": case "substring": case "substr":
			int count = Chars.Count(s), from = Bound(Arg(a, 0), count, 0);
			return Text(Chars.Sub(s, from, Math.Max(from, Bound(Arg(a, 1), count, count)) - from));
		case "charAt": case "at": return Element(s, Arg(a, 0));
		case "repeat":
			double n = Arg(a, 0) is double ? (double)a[0] : 0;
			if (double.IsNaN(n) || n < 0 || n * Chars.Bytes(s) > Limit.Text || n > Limit.Text) return Large("text repeated " + Num.Format(n) + " times");
			return Text(Chars.Repeat(s, (int)n));
		case "padStart": case "padEnd": case "pad_start": case "pad_end":
			double wide = Arg(a, 0) is double && !double.IsNaN((double)a[0]) ? (double)a[0] : 0;
			string fill = a.Count > 1 ? Printed(a[1]) : " ";
			int missing = (int)Math.Max(-1, Math.Min(wide, Limit.Text)) - Chars.Count(s), length = Chars.Count(fill);
			if (missing <= 0 || fill == "") return s;
			string pad = Chars.Repeat(fill, missing / length) + Chars.Sub(fill, 0, missing % length);
			return Text(name == "padStart" || name == "pad_start" ? pad + s : s + pad);
		case "concat": return Text(s + Printed(Arg(a, 0)));
		case "toString": case "to_string": return s;
		}
		return Wrong("a text has no method '" + Value.Clip(name) + "'");
	}
}

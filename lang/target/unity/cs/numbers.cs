// Numbers as text, the way scripts of the web print them: the fewest digits that
// read back as the same number.
public static class Num {
	public static string Format(double x) {
		if (double.IsNaN(x)) return "NaN";
		if (double.IsInfinity(x)) return x > 0 ? "Infinity" : "-Infinity";
		if (x == 0) return "0";
		if (x < 0) return "-" + Format(-x);
		if (x < 9007199254740992.0 && Math.Floor(x) == x) return ((long)x).ToString(CultureInfo.InvariantCulture);
		if (x >= 0.001 && x < 1000000000.0) {
			// n / 10^d is rounded once: when it is x, its digits read back as x.
			double ten = 1;
			for (int d = 0; d < 15; d++, ten *= 10) {
				double n = Math.Floor(x * ten + 0.5);
				if (n >= 1000000000000000.0) break;
				if (n / ten != x) continue;
				string whole = ((long)n).ToString(CultureInfo.InvariantCulture);
				return Layout(whole, whole.Length - d);
			}
		}
		return Exact(x);
	}

	// Parts are a whole number m below 2^53 and e, so that x = m · 2^e.
	static long Parts(double x, out int e) {
		long bits = BitConverter.DoubleToInt64Bits(x);
		int power = (int)(bits >> 52 & 0x7ff);
		long m = bits & 0xfffffffffffffL;
		e = power == 0 ? -1074 : power - 1075;
		return power == 0 ? m : m | 0x10000000000000L;
	}

	static void Multiply(List<long> limbs, long by) {
		long carry = 0;
		for (int i = 0; i < limbs.Count; i++) {
			long v = limbs[i] * by + carry;
			limbs[i] = v % 1000000000;
			carry = v / 1000000000;
		}
		for (; carry > 0; carry /= 1000000000) limbs.Add(carry % 1000000000);
	}

	// Decimal is m · 2^e in digits, with how many of them stand behind the point.
	static string Decimal(long m, int e, out int places) {
		var limbs = new List<long>();
		for (; m > 0; m /= 1000000000) limbs.Add(m % 1000000000);
		places = Math.Max(0, -e);
		for (; e >= 20; e -= 20) Multiply(limbs, 1048576);
		if (e > 0) Multiply(limbs, 1L << e);
		int left = places;
		for (; left >= 8; left -= 8) Multiply(limbs, 390625);
		for (; left > 0; left--) Multiply(limbs, 5);
		if (limbs.Count == 0) return "0";
		var b = new StringBuilder(limbs[limbs.Count - 1].ToString(CultureInfo.InvariantCulture));
		for (int i = limbs.Count - 2; i >= 0; i--) b.Append(limbs[i].ToString("d9", CultureInfo.InvariantCulture));
		return b.ToString();
	}

	static string Zeros(int n) { return n > 0 ? new string('0', n) : ""; }

	// Up adds one to digits.
	static string Up(string s) {
		int i = s.Length - 1;
		while (i >= 0 && s[i] == '9') i--;
		string zeros = Zeros(s.Length - 1 - i);
		return i < 0 ? "1" + zeros : s.Substring(0, i) + (char)(s[i] + 1) + zeros;
	}

	// Exact finds the digits by writing out the number and the ends of what rounds
	// to it.
	static string Exact(double x) {
		int e, places, unused;
		long m = Parts(x, out e);
		string a = Decimal(m * 4 - (m == 4503599627370496L && e > -1074 ? 1 : 2), e - 2, out unused);
		string b = Decimal(m * 4, e - 2, out places);
		string c = Decimal(m * 4 + 2, e - 2, out unused);
		int width = Math.Max(c.Length, b.Length), lead = 0;
		a = a.PadLeft(width, '0');
		b = b.PadLeft(width, '0');
		c = c.PadLeft(width, '0');
		while (b[lead] == '0') lead++;
		bool even = m % 2 == 0;
		for (int digits = 1; digits < 18 && lead + digits < width; digits++) {
			int cut = lead + digits;
			string head = b.Substring(0, cut);
			if (b[cut] >= '5') head = Up(head);
			int extra = head.Length - cut;
			string whole = head + Zeros(width - cut), l = extra == 0 ? a : "0" + a, h = extra == 0 ? c : "0" + c;
			int low = string.CompareOrdinal(whole, l), high = string.CompareOrdinal(whole, h);
			if ((low > 0 || even && low == 0) && (high < 0 || even && high == 0)) return Layout(head, head.Length - places + width - cut);
		}
		return Layout(b, width - places);
	}

	static string Layout(string digits, int place) {
		int from = 0, to = digits.Length;
		while (from < digits.Length - 1 && digits[from] == '0') from++;
		while (to > from + 1 && digits[to - 1] == '0') to--;
		string s = digits.Substring(from, to - from);
		int n = place - from, k = s.Length;
		if (k <= n && n <= 21) return s + Zeros(n - k);
		if (0 < n && n <= 21) return s.Substring(0, n) + "." + s.Substring(n);
		if (-6 < n && n <= 0) return "0." + Zeros(-n) + s;
		string power = (n > 0 ? "e+" : "e-") + Math.Abs(n - 1).ToString(CultureInfo.InvariantCulture);
		return k == 1 ? s + power : s.Substring(0, 1) + "." + s.Substring(1) + power;
	}

	// Fixed is a number with a count of digits behind the point, halves upwards.
	public static string Fixed(double x, double digits) {
		int d = double.IsNaN(digits) ? 0 : (int)Math.Max(0, Math.Min(20, digits));
		if (double.IsNaN(x) || Math.Abs(x) >= 1e21) return Format(x);
		string mark = x < 0 ? "-" : "", whole = "0";
		int places = 0, e;
		if (x != 0) {
			long m = Parts(Math.Abs(x), out e);
			whole = Decimal(m, e, out places);
		}
		if (places > d) {
			whole = whole.PadLeft(places + 1, '0');
			int cut = whole.Length - (places - d);
			bool up = whole[cut] >= '5';
			whole = whole.Substring(0, cut);
			if (up) whole = Up(whole);
		} else whole += Zeros(d - places);
		whole = whole.PadLeft(d + 1, '0');
		return d == 0 ? mark + whole : mark + whole.Substring(0, whole.Length - d) + "." + whole.Substring(whole.Length - d);
	}

	static bool Digit(string t, int i) { return i < t.Length && t[i] >= '0' && t[i] <= '9'; }

	// Read reads a number of decimal digits; null where the text is none.
	public static double? Read(string t) {
		int i = 0, digits = 0;
		if (t != "" && (t[0] == '+' || t[0] == '-')) i++;
		for (; Digit(t, i); i++) digits++;
		if (i < t.Length && t[i] == '.') for (i++; Digit(t, i); i++) digits++;
		if (digits == 0) return null;
		if (i < t.Length && (t[i] == 'e' || t[i] == 'E')) {
			i++;
			if (i < t.Length && (t[i] == '+' || t[i] == '-')) i++;
			if (!Digit(t, i)) return null;
			while (Digit(t, i)) i++;
		}
		if (i < t.Length) return null;
		double v;
		try {
			v = Math.Abs(double.Parse(t, NumberStyles.Float, CultureInfo.InvariantCulture));
		} catch (OverflowException) {
			v = double.PositiveInfinity;
		}
		return t[0] == '-' ? -v : v;
	}

	// Whole is a number on 32 bits.
	public static int Whole(double x) {
		if (double.IsNaN(x) || double.IsInfinity(x)) return 0;
		return unchecked((int)(long)Math.IEEERemainder(Math.Truncate(x), 4294967296.0));
	}

	public static double Mod(double a, double b) {
		if (b == 0 || double.IsInfinity(a) || double.IsNaN(a) || double.IsNaN(b)) return double.NaN;
		return double.IsInfinity(b) ? a : a % b;
	}

	public static double Power(double a, double b) {
		if (double.IsNaN(b) || double.IsInfinity(b) && Math.Abs(a) == 1) return double.NaN;
		return Math.Pow(a, b);
	}

	public static double Min(double a, double b) { return a <= b ? a : b; }
	public static double Max(double a, double b) { return a >= b ? a : b; }
	public static double Between(double x, double lo, double hi) { return Max(lo, Min(hi, x)); }
}

// Chance is sfc32, the generator of random numbers that the compiler's
// interpreter has too.
public sealed class Chance {
	uint a, b, c, d;

	public Chance(uint[] seed) {
		a = seed[0];
		b = seed[1];
		c = seed[2];
		d = seed[3];
		for (int i = 0; i < 12; i++) Next(); // the first rounds still show the seed
	}

	// Next is from 0 to below 1.
	public double Next() {
		unchecked {
			uint t = a + b + d;
			d++;
			a = b ^ b >> 9;
			b = c + (c << 3);
			c = (c << 21 | c >> 11) + t;
			return t / 4294967296.0;
		}
	}
}

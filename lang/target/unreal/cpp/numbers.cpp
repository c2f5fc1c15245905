// Numbers as text, the way scripts of the web print them: the fewest digits that
// read back as the same number.

// point is the sign that the C library has between units and tenths.
char point() {
	const std::lconv *here = std::localeconv();
	return here && here->decimal_point && here->decimal_point[0] ? here->decimal_point[0] : '.';
}

double readNumber(std::string s) {
	const char p = point();
	if (p != '.')
		std::replace(s.begin(), s.end(), '.', p);
	return std::strtod(s.c_str(), nullptr);
}

// digitsOf are the fewest digits of a number above 0, without zeros at their end,
// and the power of ten of the first of them.
std::string digitsOf(double n, int &power) {
	char buffer[40];
	for (int precision = 14; precision <= 16; precision++) {
		std::snprintf(buffer, sizeof buffer, "%.*e", precision, n);
		if (precision == 16 || std::strtod(buffer, nullptr) == n)
			break;
	}
	std::string digits;
	const char *at = buffer;
	for (; *at && *at != 'e'; at++)
		if (*at >= '0' && *at <= '9')
			digits += *at;
	power = *at ? std::atoi(at + 1) : 0;
	while (digits.size() > 1 && digits.back() == '0')
		digits.pop_back();
	return digits;
}

std::string formatNumber(double n) {
	if (std::isnan(n))
		return "NaN";
	if (std::isinf(n))
		return n > 0 ? "Infinity" : "-Infinity";
	if (n == 0)
		return "0";
	if (n < 0)
		return "-" + formatNumber(-n);
	if (n < 9007199254740992.0 && std::floor(n) == n)
		return std::to_string(static_cast<long long>(n));
	int power = 0;
	const std::string s = digitsOf(n, power);
	const int k = sizeOf(s.size());
	if (power >= 21 || power < -6) {
		std::string out = s.substr(0, 1);
		if (k > 1)
			out += "." + s.substr(1);
		return out + (power > 0 ? "e+" : "e-") + std::to_string(power > 0 ? power : -power);
	}
	if (power < 0)
		return "0." + std::string(static_cast<std::size_t>(-power - 1), '0') + s;
	if (k <= power + 1)
		return s + std::string(static_cast<std::size_t>(power + 1 - k), '0');
	return s.substr(0, static_cast<std::size_t>(power) + 1) + "." + s.substr(static_cast<std::size_t>(power) + 1);
}

// least and most let what is no number win.
double least(double a, double b) { return std::isnan(a) || std::isnan(b) ? Nan : std::min(a, b); }
double most(double a, double b) { return std::isnan(a) || std::isnan(b) ? Nan : std::max(a, b); }

// whole is a number as an int within limits; what is no number is the lower one.
int whole(double n, double lo, double hi) {
	if (std::isnan(n))
		n = lo;
	return static_cast<int>(std::max(lo, std::min(hi, n)));
}

// fixedText prints a number with so many digits behind the point; halves go away
// from zero.
std::string fixedText(double x, double digits) {
	const int d = whole(digits, 0, 20);
	if (std::isnan(x) || std::fabs(x) >= 1e21)
		return formatNumber(x);
	if (x == 0)
		x = 0; // without its sign
	const double tie = std::ldexp(std::fabs(x), d + 1);
	if (tie == std::trunc(tie) && std::fmod(tie, 2) == 1)
		x = std::copysign(std::nextafter(std::fabs(x), Infinite), x);
	char buffer[64];
	std::snprintf(buffer, sizeof buffer, "%.*f", d, x);
	std::string out = buffer;
	if (point() != '.')
		std::replace(out.begin(), out.end(), point(), '.');
	return out;
}

// isDecimal says whether a text is a number in decimal digits.
bool isDecimal(const std::string &s) {
	std::size_t i = 0;
	auto digits = [&] {
		const std::size_t from = i;
		while (i < s.size() && s[i] >= '0' && s[i] <= '9')
			i++;
		return i - from;
	};
	if (i < s.size() && (s[i] == '+' || s[i] == '-'))
		i++;
	std::size_t n = digits();
	if (i < s.size() && s[i] == '.') {
		i++;
		n += digits();
	}
	if (n == 0)
		return false;
	if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
		i++;
		if (i < s.size() && (s[i] == '+' || s[i] == '-'))
			i++;
		if (digits() == 0)
			return false;
	}
	return i == s.size();
}

// toInt32 wraps a number on 32 bits.
std::int32_t toInt32(double n) {
	if (std::isnan(n) || std::isinf(n))
		return 0;
	const std::int64_t i = static_cast<std::int64_t>(std::fmod(std::trunc(n), 4294967296.0));
	return static_cast<std::int32_t>(static_cast<std::uint32_t>(i));
}

double power(double a, double b) {
	if (std::isnan(b) || (std::isinf(b) && std::fabs(a) == 1))
		return Nan;
	return std::pow(a, b);
}

// cubeRoot goes one step closer than some C libraries do.
double cubeRoot(double x) {
	const double r = std::cbrt(x);
	return x == 0 || std::isnan(r) || std::isinf(r) ? r : r - (r * r * r - x) / (3 * r * r);
}

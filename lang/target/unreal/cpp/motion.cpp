// Places, turns, key frames and colours.

Triple toEngine(const Triple &m) { return {{-100 * m[2], 100 * m[0], 100 * m[1]}}; }
Triple toModel(const Triple &c) { return {{c[1] / 100, c[2] / 100, -c[0] / 100}}; }
Turn turnToEngine(const Turn &t) { return {{t[2], -t[0], -t[1], t[3]}}; }
Turn turnToModel(const Turn &t) { return {{-t[1], -t[2], t[0], t[3]}}; }
Triple scaleToEngine(const Triple &s) { return {{s[2], s[0], s[1]}}; }
Triple scaleToModel(const Triple &s) { return {{s[1], s[2], s[0]}}; }

Turn product(const Turn &a, const Turn &b) {
	return {{a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
		a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]}};
}

const double HalfDegree = 3.14159265358979323846 / 360;

Turn turnOf(const Triple &d) {
	const Turn x{{std::sin(d[0] * HalfDegree), 0, 0, std::cos(d[0] * HalfDegree)}}, y{{0, std::sin(d[1] * HalfDegree), 0, std::cos(d[1] * HalfDegree)}},
		z{{0, 0, std::sin(d[2] * HalfDegree), std::cos(d[2] * HalfDegree)}};
	return product(product(x, y), z);
}

Triple anglesOf(const Turn &t) {
	const double x = t[0], y = t[1], z = t[2], w = t[3];
	const double m13 = 2 * (x * z + w * y);
	Triple out{{0, std::asin(std::max(-1.0, std::min(1.0, m13))), 0}};
	if (std::fabs(m13) < 0.9999999) {
		out[0] = std::atan2(-2 * (y * z - w * x), 1 - 2 * (x * x + y * y));
		out[2] = std::atan2(-2 * (x * y - w * z), 1 - 2 * (y * y + z * z));
	} else {
		out[0] = std::atan2(2 * (y * z + w * x), 1 - 2 * (x * x + z * z));
	}
	for (double &a : out)
		a = std::floor(a / HalfDegree / 2 * 1000 + 0.5) / 1000;
	return out;
}

Turn halfway(const Turn &a, Turn b, double u) {
	double along = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
	if (along < 0) {
		along = -along;
		for (double &x : b)
			x = -x;
	}
	double p = 1 - u, q = u;
	if (along < 0.9995) {
		const double angle = std::acos(along);
		p = std::sin((1 - u) * angle) / std::sin(angle);
		q = std::sin(u * angle) / std::sin(angle);
	}
	Turn out;
	double length = 0;
	for (std::size_t i = 0; i < 4; i++) {
		out[i] = p * a[i] + q * b[i];
		length += out[i] * out[i];
	}
	for (double &x : out)
		x /= length > 0 ? std::sqrt(length) : 1;
	return out;
}

// sample are the numbers of an animation at a time since its start.
std::vector<double> sample(const Track &t, double time) {
	const auto key = [&](int i) { return t.keys + i * t.width; };
	const double *last = key(t.count - 1);
	const double end = last[0];
	double at = time;
	if (end > 0 && at > end) {
		double turns = std::floor(at / end);
		if (t.loop >= 0 && turns >= t.loop + 1) {
			turns = t.loop;
			at = end; // the end of the last one stays
		} else {
			at -= turns * end;
		}
		if (t.pingpong && std::fmod(turns, 2) == 1)
			at = end - at;
	}
	const auto whole_key = [&](const double *k) { return std::vector<double>(k + 1, k + t.width); };
	if (at <= key(0)[0])
		return whole_key(key(0));
	for (int i = 1; i < t.count; i++) {
		const double *from = key(i - 1), *to = key(i);
		if (at > to[0])
			continue;
		const double u = easingAt(t.easing, (at - from[0]) / (to[0] - from[0]));
		if (t.width == 5 && std::strcmp(t.property, "r") == 0) {
			const Turn r = halfway({{from[1], from[2], from[3], from[4]}}, {{to[1], to[2], to[3], to[4]}}, u);
			return {r[0], r[1], r[2], r[3]};
		}
		std::vector<double> out;
		for (int k = 1; k < t.width; k++)
			out.push_back(from[k] + (to[k] - from[k]) * u);
		return out;
	}
	return whole_key(last);
}

bool colourOf(const Value &v, std::array<double, 4> &out) {
	out = {{1, 1, 1, 1}};
	if (v.is(Kind::List)) {
		const std::vector<Value> &n = v.items().items;
		for (std::size_t i = 0; i < 3; i++) {
			if (n.size() < 3 || !n[i].is(Kind::Number))
				return false;
			out[i] = n[i].real();
		}
		return true;
	}
	if (!v.is(Kind::Text))
		return false;
	std::string s = cased(trimmed(v.text()), false);
	if (!startsWith(s, "#")) {
		for (const ColourName &c : ColourNames) {
			if (s != c.name)
				continue;
			for (std::size_t i = 0; i < 3; i++)
				out[i] = ((c.rgb >> (16 - 8 * i)) & 255) / 255.0;
			return true;
		}
		return false;
	}
	s = s.substr(1);
	if (s.find_first_not_of("0123456789abcdef") != std::string::npos)
		return false;
	if (s.size() == 3 || s.size() == 4) {
		std::string doubled;
		for (const char c : s)
			doubled += std::string(2, c);
		s = doubled;
	}
	if (s.size() != 6 && s.size() != 8)
		return false;
	for (std::size_t i = 0; i < s.size() / 2; i++)
		out[i] = static_cast<double>(std::strtol(s.substr(2 * i, 2).c_str(), nullptr, 16)) / 255;
	return true;
}

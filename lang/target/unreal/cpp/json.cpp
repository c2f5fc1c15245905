// JSON, read with the keys of objects in their order.

struct Reader {
	const std::string &s;
	std::size_t at = 0;

	void space() {
		while (at < s.size() && (s[at] == ' ' || s[at] == '\t' || s[at] == '\n' || s[at] == '\r'))
			at++;
	}
	bool take(char c) {
		space();
		if (at >= s.size() || s[at] != c)
			return false;
		at++;
		return true;
	}
	bool word(const char *w) {
		const std::size_t n = std::strlen(w);
		if (s.compare(at, n, w) != 0)
			return false;
		at += n;
		return true;
	}
	bool hex(char32_t &out) {
		if (at + 4 > s.size())
			return false;
		out = 0;
		for (int i = 0; i < 4; i++) {
			const char c = s[at++];
			const int d = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
			if (d < 0)
				return false;
			out = out * 16 + static_cast<char32_t>(d);
		}
		return true;
	}
	bool escape(std::string &out) {
		if (at >= s.size())
			return false;
		const char c = s[at++];
		switch (c) {
		case '"': case '\\': case '/': out += c; return true;
		case 'b': out += '\b'; return true;
		case 'f': out += '\f'; return true;
		case 'n': out += '\n'; return true;
		case 'r': out += '\r'; return true;
		case 't': out += '\t'; return true;
		case 'u': break;
		default: return false;
		}
		char32_t u = 0;
		if (!hex(u))
			return false;
		if (u >= 0xd800 && u < 0xdc00 && at + 1 < s.size() && s[at] == '\\' && s[at + 1] == 'u') {
			const std::size_t back = at;
			at += 2;
			char32_t low = 0;
			if (!hex(low))
				return false;
			if (low >= 0xdc00 && low < 0xe000)
				u = 0x10000 + ((u - 0xd800) << 10) + (low - 0xdc00);
			else
				at = back;
		}
		encode(out, u);
		return true;
	}
	bool text(std::string &out) {
		if (!take('"'))
			return false;
		while (at < s.size()) {
			const unsigned char c = static_cast<unsigned char>(s[at]);
			if (c == '"') {
				at++;
				return true;
			}
			if (c < 0x20)
				return false;
			if (c == '\\') {
				at++;
				if (!escape(out))
					return false;
			} else if (c < 0x80) {
				out += s[at++];
			} else {
				encode(out, decode(s, at));
			}
		}
		return false;
	}
	bool digits() {
		const std::size_t from = at;
		while (at < s.size() && s[at] >= '0' && s[at] <= '9')
			at++;
		return at > from;
	}
	bool number(Value &out) {
		const std::size_t from = at;
		if (at < s.size() && s[at] == '-')
			at++;
		if (at < s.size() && s[at] == '0')
			at++;
		else if (!digits())
			return false;
		if (at < s.size() && s[at] == '.') {
			at++;
			if (!digits())
				return false;
		}
		if (at < s.size() && (s[at] == 'e' || s[at] == 'E')) {
			at++;
			if (at < s.size() && (s[at] == '+' || s[at] == '-'))
				at++;
			if (!digits())
				return false;
		}
		out = Value::num(readNumber(s.substr(from, at - from)));
		return !std::isinf(out.real());
	}
	bool value(Value &out, int depth) {
		space();
		if (at >= s.size())
			return false;
		switch (s[at]) {
		case 'n': out = Value(); return word("null");
		case 't': out = Value::yes(true); return word("true");
		case 'f': out = Value::yes(false); return word("false");
		case '"': {
			std::string t;
			if (!text(t))
				return false;
			out = Value::str(std::move(t));
			return true;
		}
		case '[': return depth > 0 && list(out, depth);
		case '{': return depth > 0 && object(out, depth);
		default: return number(out);
		}
	}
	bool list(Value &out, int depth) {
		at++;
		std::vector<Value> items;
		if (take(']')) {
			out = Value::list({});
			return true;
		}
		do {
			Value v;
			if (!value(v, depth - 1))
				return false;
			items.push_back(std::move(v));
		} while (take(','));
		out = Value::list(std::move(items));
		return take(']');
	}
	bool object(Value &out, int depth) {
		at++;
		out = Value::object();
		if (take('}'))
			return true;
		do {
			std::string key;
			Value v;
			if (!text(key) || !take(':') || !value(v, depth - 1))
				return false;
			out.fields().put(key, std::move(v));
		} while (take(','));
		return take('}');
	}
};

bool parse(const std::string &s, Value &out, int depth) {
	Reader r{s};
	if (!r.value(out, depth))
		return false;
	r.space();
	return r.at == s.size();
}

// fits says whether no list or object of a document is larger than a program may
// have.
bool fits(const Value &v) {
	std::vector<Value> work{v};
	while (!work.empty()) {
		const Value at = work.back();
		work.pop_back();
		if (at.is(Kind::List)) {
			if (sizeOf(at.items().items.size()) > MaxItems)
				return false;
			work.insert(work.end(), at.items().items.begin(), at.items().items.end());
		} else if (at.is(Kind::Object)) {
			if (sizeOf(at.fields().keys.size()) > MaxItems)
				return false;
			for (const auto &field : at.fields().values)
				work.push_back(field.second);
		}
	}
	return true;
}

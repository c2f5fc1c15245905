// Values: what they are, and how they are printed and compared.

void bury(std::vector<Value> &&values) {
	thread_local std::vector<Value> grave;
	thread_local bool digging = false;
	for (Value &v : values)
		if (v.address())
			grave.push_back(std::move(v));
	values.clear();
	if (digging)
		return;
	digging = true;
	while (!grave.empty()) {
		const Value last = std::move(grave.back());
		grave.pop_back();
	}
	digging = false;
}

Object::~Object() {
	std::vector<Value> all;
	for (auto &v : values)
		all.push_back(std::move(v.second));
	bury(std::move(all));
}

Box::~Box() {
	std::vector<Value> one;
	one.push_back(std::move(v));
	bury(std::move(one));
}

Value Value::list(std::vector<Value> items) {
	auto l = std::make_shared<List>();
	l->items = std::move(items);
	return of(Kind::List, l);
}

Value Value::object() { return of(Kind::Object, std::make_shared<Object>()); }

const Value *Object::find(const std::string &key) const {
	const auto it = values.find(key);
	return it == values.end() ? nullptr : &it->second;
}

Value Object::get(const std::string &key) const {
	const Value *v = find(key);
	return v ? *v : Value();
}

void Object::put(const std::string &key, Value v) {
	const auto it = values.find(key);
	if (it != values.end()) {
		it->second = std::move(v);
		return;
	}
	keys.push_back(key);
	values.emplace(key, std::move(v));
}

void Object::remove(const std::string &key) {
	if (values.erase(key) > 0)
		keys.erase(std::remove(keys.begin(), keys.end(), key), keys.end());
}

bool truthy(const Value &v) {
	switch (v.kind()) {
	case Kind::Null: return false;
	case Kind::Bool: return v.flag();
	case Kind::Number: return v.real() != 0 && !std::isnan(v.real());
	case Kind::Text: return !v.text().empty();
	default: return true;
	}
}

bool equal(const Value &a, const Value &b, int depth, int &left) {
	if (--left < 0 || depth < 0 || a.kind() != b.kind())
		return false;
	switch (a.kind()) {
	case Kind::Null: return true;
	case Kind::Bool: return a.flag() == b.flag();
	case Kind::Number: return a.real() == b.real();
	case Kind::Text:
		if (a.text().size() != b.text().size())
			return false;
		left -= sizeOf(a.text().size()) / ChargeBytes;
		return a.text() == b.text();
	case Kind::Node: case Kind::State: return a.text() == b.text();
	case Kind::Function: return a.address() == b.address();
	case Kind::List: {
		const auto &x = a.items().items, &y = b.items().items;
		if (x.size() != y.size())
			return false;
		if (a.address() == b.address())
			return true;
		for (std::size_t i = 0; i < x.size(); i++)
			if (!equal(x[i], y[i], depth - 1, left))
				return false;
		return true;
	}
	case Kind::Object: {
		const Object &x = a.fields(), &y = b.fields();
		if (x.keys.size() != y.keys.size())
			return false;
		if (a.address() == b.address())
			return true;
		for (const std::string &k : x.keys) {
			const Value *other = y.find(k);
			if (!other || !equal(*x.find(k), *other, depth - 1, left))
				return false;
		}
		return true;
	}
	default: return false;
	}
}

bool equal(const Value &a, const Value &b) {
	int left = MaxItems;
	return equal(a, b, MaxDepth, left);
}

bool asNumber(const Value &v, double &out) {
	out = 0;
	if (v.is(Kind::Number) || v.is(Kind::Bool))
		out = v.real();
	return v.is(Kind::Number) || v.is(Kind::Bool) || v.isNull();
}

const char *const Broken = "\xe2\x80\xa6";

void show(std::string &b, const Value &v, int depth, int &left) {
	if (left <= 0 || depth < 0) {
		b += Broken;
		return;
	}
	const int was = sizeOf(b.size());
	const auto length = [&] { return sizeOf(b.size()) - was; };
	switch (v.kind()) {
	case Kind::Bool: b += v.flag() ? "true" : "false"; break;
	case Kind::Number: b += formatNumber(v.real()); break;
	case Kind::Text: b += quote(v.text()); break;
	case Kind::Node: b += v.text(); break;
	case Kind::State: b += v.text() + ".state"; break;
	case Kind::Function: b += "function"; break;
	case Kind::List: {
		b += '[';
		bool more = false;
		for (const Value &e : v.items().items) {
			if (more)
				b += ',';
			more = true;
			if (length() > left) {
				b += Broken;
				break;
			}
			int rest = left - length();
			show(b, e, depth - 1, rest);
		}
		b += ']';
		break;
	}
	case Kind::Object: {
		b += '{';
		bool more = false;
		for (const std::string &k : v.fields().keys) {
			if (more)
				b += ',';
			more = true;
			if (length() > left) {
				b += Broken;
				break;
			}
			b += quote(k) + ":";
			int rest = left - length();
			show(b, *v.fields().find(k), depth - 1, rest);
		}
		b += '}';
		break;
	}
	default: b += "null";
	}
	left -= std::max(0, length() - 1);
}

std::string textOf(const Value &v) {
	if (v.is(Kind::Text))
		return v.text();
	std::string b;
	int left = MaxText;
	show(b, v, MaxDepth, left);
	return b;
}

std::string shown(const Value &v) { return v.is(Kind::Text) ? quote(v.text()) : textOf(v); }

std::string quote(const std::string &s) {
	static const char *const digits = "0123456789abcdef";
	std::string b = "\"";
	for (const char c : s) {
		const unsigned char u = static_cast<unsigned char>(c);
		if (c == '"' || c == '\\') {
			b += '\\';
			b += c;
		} else if (c == '\n') {
			b += "\\n";
		} else if (c == '\t') {
			b += "\\t";
		} else if (u < 0x20 || u == 0x7f) {
			b += "\\u00";
			b += digits[u >> 4];
			b += digits[u & 15];
		} else {
			b += c;
		}
	}
	return b + "\"";
}

const char *typeName(const Value &v) {
	switch (v.kind()) {
	case Kind::Null: return "null";
	case Kind::Bool: return "boolean";
	case Kind::Number: return "number";
	case Kind::Text: return "string";
	case Kind::List: return "list";
	case Kind::Function: return "function";
	case Kind::Node: return "node";
	default: return "object";
	}
}

Value copyOf(const Value &v, int depth) {
	if (depth < 0)
		return Value();
	if (v.is(Kind::List)) {
		std::vector<Value> out;
		for (const Value &e : v.items().items)
			out.push_back(copyOf(e, depth - 1));
		return Value::list(std::move(out));
	}
	if (v.is(Kind::Object)) {
		Value out = Value::object();
		for (const std::string &k : v.fields().keys)
			out.fields().put(k, copyOf(*v.fields().find(k), depth - 1));
		return out;
	}
	return v;
}

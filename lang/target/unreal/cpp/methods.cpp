// The methods of values.

Value argument(const std::vector<Value> &a, std::size_t i) { return i < a.size() ? a[i] : Value(); }

bool among(const std::string &name, std::initializer_list<const char *> names) {
	for (const char *n : names)
		if (name == n)
			return true;
	return false;
}

// bound is an index counted from the front, or from the back when below 0, within
// 0 and n.
std::size_t bound(const Value &v, std::size_t n, std::size_t otherwise) {
	if (!v.is(Kind::Number) || std::isnan(v.real()))
		return otherwise;
	double f = v.real();
	if (f < 0)
		f += static_cast<double>(n);
	return static_cast<std::size_t>(std::max(0.0, std::min(static_cast<double>(n), std::trunc(f))));
}

Value Machine::method(const Value &x, const std::string &name, const Args &a) {
	switch (x.kind()) {
	case Kind::List:
		if (!among(name, {"push", "append", "add", "pop", "at", "first", "last", "length", "count", "set", "clear"}))
			charge(sizeOf(x.items().items.size()) / ChargeElements);
		return listMethod(x, name, a);
	case Kind::Text:
		charge(sizeOf(x.text().size()) / ChargeBytes);
		return textMethod(x.text(), name, a);
	case Kind::Object: {
		const Value own = x.fields().get(name);
		return own.is(Kind::Function) ? invoke(own, a) : objectMethod(x, name, a);
	}
	case Kind::Number:
		if (among(name, {"toFixed", "to_fixed"})) {
			const double digits = numbers(a, 1)[0];
			return Value::str(fixedText(x.real(), digits));
		}
		if (among(name, {"toString", "to_string"}))
			return Value::str(formatNumber(x.real()));
		break;
	case Kind::Node: return nodeMethod(x.text(), name, a);
	case Kind::State: {
		const Value v = member(x, name);
		return invoke(v, a);
	}
	case Kind::Null: return wrong("null has no method '" + clip(name) + "'");
	default: break;
	}
	return wrong(std::string(typeName(x)) + " has no method '" + clip(name) + "'");
}

Value Machine::listMethod(const Value &x, const std::string &name, const Args &a) {
	if (among(name, {"push", "pop", "shift", "unshift", "splice", "sort", "reverse", "remove", "set", "delete", "clear", "append", "add"}))
		return changeList(x, name, a);
	const std::vector<Value> items = x.items().items;
	std::vector<Value> out;
	const auto each = [&](const std::function<bool(std::size_t, const Value &, const Value &)> &with) {
		for (std::size_t i = 0; i < items.size(); i++) {
			const Value r = invoke(argument(a, 0), {items[i], Value::num(static_cast<double>(i))});
			if (failed())
				return;
			if (!with(i, items[i], r))
				break;
		}
		alloc(sizeOf(items.size()));
	};
	const auto flatten = [&](const Value &v) {
		if (v.is(Kind::List))
			out.insert(out.end(), v.items().items.begin(), v.items().items.end());
		else
			out.push_back(v);
		return out.size() <= MaxItems;
	};
	if (name == "map") {
		each([&](std::size_t, const Value &, const Value &r) { out.push_back(r); return true; });
		return failed() ? Value() : list(std::move(out));
	}
	if (among(name, {"flatMap", "flat_map"})) {
		each([&](std::size_t, const Value &, const Value &r) { return flatten(r); });
		return failed() ? Value() : list(std::move(out));
	}
	if (name == "filter") {
		each([&](std::size_t, const Value &v, const Value &r) {
			if (truthy(r))
				out.push_back(v);
			return true;
		});
		return failed() ? Value() : list(std::move(out));
	}
	if (among(name, {"forEach", "each", "for_each"})) {
		each([](std::size_t, const Value &, const Value &) { return true; });
		return Value();
	}
	if (among(name, {"find", "findIndex", "find_index", "some", "every"})) {
		Value found;
		double at = -1;
		const bool want = name != "every";
		each([&](std::size_t i, const Value &v, const Value &r) {
			if (truthy(r) != want)
				return true;
			found = v;
			at = static_cast<double>(i);
			return false;
		});
		if (name == "find")
			return found;
		if (name == "some")
			return Value::yes(at >= 0);
		return name == "every" ? Value::yes(at < 0) : Value::num(at);
	}
	if (name == "reduce") {
		if (a.size() < 2 && items.empty())
			return wrong("nothing to reduce");
		Value sum = a.size() < 2 ? items[0] : a[1];
		for (std::size_t i = a.size() < 2 ? 1 : 0; i < items.size(); i++) {
			sum = invoke(argument(a, 0), {sum, items[i], Value::num(static_cast<double>(i))});
			if (failed())
				return Value();
		}
		return sum;
	}
	if (among(name, {"indexOf", "index_of"}))
		return Value::num(find(items, argument(a, 0)));
	if (among(name, {"includes", "contains", "has"}))
		return Value::yes(find(items, argument(a, 0)) >= 0);
	if (name == "join") {
		const std::string gap = a.empty() ? "," : printed(a[0]);
		std::string s;
		for (std::size_t i = 0; i < items.size() && s.size() <= MaxText; i++) {
			if (i > 0)
				s += gap;
			s += printed(items[i]);
		}
		return text(std::move(s));
	}
	if (name == "slice") {
		const std::size_t from = bound(argument(a, 0), items.size(), 0), to = std::max(from, bound(argument(a, 1), items.size(), items.size()));
		for (std::size_t i = from; i < to; i++)
			out.push_back(items[i]);
		return list(std::move(out));
	}
	if (among(name, {"concat", "flat"})) {
		if (name == "concat")
			out = items;
		for (const Value &v : name == "concat" ? a : items)
			if (!flatten(v))
				break;
		return list(std::move(out));
	}
	if (name == "at") {
		double i = a.empty() || !a[0].is(Kind::Number) ? 0 : a[0].real();
		if (i < 0)
			i += static_cast<double>(items.size());
		return index(x, Value::num(i));
	}
	if (name == "first")
		return argument(items, 0);
	if (name == "last")
		return items.empty() ? Value() : items.back();
	if (among(name, {"length", "count"}))
		return Value::num(static_cast<double>(items.size()));
	if (name == "keys") {
		for (std::size_t i = 0; i < items.size(); i++)
			out.push_back(Value::num(static_cast<double>(i)));
		return list(std::move(out));
	}
	if (name == "values")
		return list(items);
	if (among(name, {"toString", "to_string"}))
		return text(printed(x));
	return wrong("a list has no method '" + clip(name) + "'");
}

Value Machine::changeList(const Value &x, const std::string &name, const Args &a) {
	touch(x);
	std::vector<Value> &items = x.items().items;
	const std::size_t n = items.size();
	if (among(name, {"push", "append", "add", "unshift"})) {
		if (n + a.size() > MaxItems)
			return large("list of " + std::to_string(n + a.size()) + " elements");
		items.insert(name == "unshift" ? items.begin() : items.end(), a.begin(), a.end());
		alloc(sizeOf(name == "unshift" ? items.size() : a.size()));
		return Value::num(static_cast<double>(items.size()));
	}
	if (among(name, {"pop", "shift"})) {
		if (n == 0)
			return Value();
		const Value v = name == "pop" ? items.back() : items.front();
		items.erase(name == "pop" ? items.end() - 1 : items.begin());
		return v;
	}
	if (name == "splice") {
		const std::size_t from = bound(argument(a, 0), n, 0);
		std::size_t count = n - from;
		if (argument(a, 1).is(Kind::Number))
			count = static_cast<std::size_t>(whole(a[1].real(), 0, static_cast<double>(count)));
		const std::size_t more = a.size() > 2 ? a.size() - 2 : 0;
		std::vector<Value> cut;
		for (std::size_t i = from; i < from + count; i++)
			cut.push_back(items[i]);
		if (n - count + more > MaxItems)
			return large("list of " + std::to_string(n - count + more) + " elements");
		std::vector<Value> now;
		for (std::size_t i = 0; i < from; i++)
			now.push_back(items[i]);
		for (std::size_t i = 0; i < more; i++)
			now.push_back(a[i + 2]);
		for (std::size_t i = from + count; i < n; i++)
			now.push_back(items[i]);
		items = std::move(now);
		return list(std::move(cut));
	}
	if (name == "sort")
		return sort(x, argument(a, 0));
	if (name == "reverse") {
		std::reverse(items.begin(), items.end());
		return x;
	}
	if (among(name, {"remove", "delete"})) {
		const int i = find(items, argument(a, 0));
		if (i >= 0)
			items.erase(items.begin() + i);
		return Value::yes(i >= 0);
	}
	if (name == "set") {
		putIndex(x, argument(a, 0), argument(a, 1));
		return Value();
	}
	items.clear();
	return Value();
}

// sort orders a list in place by merging, so that all interpreters ask for the same
// comparisons: by a function of two elements, else numbers before texts, each in
// their order.
Value Machine::sort(const Value &x, const Value &by) {
	std::vector<Value> from = x.items().items, to(from.size());
	for (std::size_t width = 1; width < from.size(); width *= 2) {
		for (std::size_t lo = 0; lo < from.size(); lo += 2 * width) {
			const std::size_t mid = std::min(lo + width, from.size()), hi = std::min(lo + 2 * width, from.size());
			std::size_t i = lo, j = mid;
			for (std::size_t k = lo; k < hi; k++) {
				bool left = i < mid;
				if (left && j < hi) {
					left = !behind(from[i], from[j], by);
					if (failed())
						return Value();
				}
				to[k] = left ? from[i++] : from[j++];
			}
		}
		from.swap(to);
	}
	x.items().items = std::move(from);
	return x;
}

// behind says whether x comes after y.
bool Machine::behind(const Value &x, const Value &y, const Value &by) {
	charge(1);
	if (overdrawn())
		return false;
	if (!by.isNull()) {
		double n = 0;
		asNumber(invoke(by, {x, y}), n);
		return n > 0;
	}
	if (x.is(Kind::Number) || y.is(Kind::Number))
		return !x.is(Kind::Number) || (y.is(Kind::Number) && x.real() > y.real());
	return printed(x) > printed(y);
}

Value Machine::objectMethod(const Value &x, const std::string &name, const Args &a) {
	Object &o = x.fields();
	std::vector<Value> out;
	if (among(name, {"keys", "values", "entries"})) {
		for (const std::string &k : o.keys) {
			if (name == "keys")
				out.push_back(Value::str(k));
			else if (name == "values")
				out.push_back(*o.find(k));
			else
				out.push_back(Value::list({Value::str(k), *o.find(k)}));
		}
		return list(std::move(out));
	}
	if (among(name, {"has", "contains", "hasOwnProperty"}))
		return Value::yes(o.has(printed(argument(a, 0))));
	if (name == "get")
		return o.get(printed(argument(a, 0)));
	if (name == "set") {
		putMember(x, printed(argument(a, 0)), argument(a, 1));
		return Value();
	}
	if (among(name, {"delete", "remove"})) {
		const std::string key = printed(argument(a, 0));
		charge(sizeOf(o.keys.size()) / ChargeElements);
		const bool there = o.has(key);
		touch(x);
		o.remove(key);
		return Value::yes(there);
	}
	if (name == "clear") {
		touch(x);
		o.keys.clear();
		o.values.clear();
		return Value();
	}
	if (among(name, {"toString", "to_string"}))
		return text(printed(x));
	if (name == "stop") { // event.stop()
		stopped = true;
		return Value();
	}
	return wrong("an object has no method '" + clip(name) + "'");
}

// nodeMethod calls a function of a node; emit raises an event there.
Value Machine::nodeMethod(const std::string &id, const std::string &name, const Args &a) {
	const auto fn = byName.find({id, name});
	if (fn != byName.end())
		return call(fn->second, a);
	if (name == "emit") {
		emit(id, printed(argument(a, 0)), argument(a, 1));
		return Value();
	}
	if (name == "show" || name == "hide") {
		setProperty(id, "visible", Value::yes(name == "show"));
		return Value();
	}
	if (name == "set_text") {
		setProperty(id, "text", argument(a, 0));
		return Value();
	}
	const Value v = nodeMember(id, name);
	if (failed())
		return Value();
	return v.is(Kind::Function) ? invoke(v, a) : hostCall("", id, name, a);
}

Value Machine::textMethod(const std::string &s, const std::string &name, const Args &a) {
	const auto arg = [&](std::size_t i) { return printed(argument(a, i)); };
	if (among(name, {"toUpperCase", "uppercase", "upper", "to_upper"}))
		return text(cased(s, true));
	if (among(name, {"toLowerCase", "lowercase", "lower", "to_lower"}))
		return text(cased(s, false));
	if (name == "trim")
		return text(trimmed(s));
	if (name == "split") {
		if (a.empty())
			return list({Value::str(s)});
		const std::string part = arg(0);
		if (countParts(s, part) >= MaxItems)
			return large("too many parts");
		std::vector<Value> out;
		for (const std::string &piece : split(s, part))
			out.push_back(Value::str(piece));
		return list(std::move(out));
	}
	if (name == "replace")
		return text(replaced(s, arg(0), arg(1), false));
	if (among(name, {"replaceAll", "replace_all"})) {
		const std::string part = arg(0), with = arg(1);
		const std::size_t size = countParts(s, part) * with.size();
		if (size > MaxText)
			return large("text of " + std::to_string(size) + " bytes");
		return text(replaced(s, part, with, true));
	}
	if (among(name, {"includes", "contains"}))
		return Value::yes(s.find(arg(0)) != std::string::npos);
	if (among(name, {"startsWith", "starts_with"}))
		return Value::yes(startsWith(s, arg(0)));
	if (among(name, {"endsWith", "ends_with"}))
		return Value::yes(endsWith(s, arg(0)));
	if (among(name, {"indexOf", "index_of"})) {
		const std::size_t i = s.find(arg(0));
		return Value::num(i == std::string::npos ? -1.0 : static_cast<double>(countOf(s.substr(0, i))));
	}
	if (among(name, {"slice", "substring", "substr"})) {
		const std::vector<std::string> all = charactersOf(s);
		const std::size_t from = bound(argument(a, 0), all.size(), 0), to = std::max(from, bound(argument(a, 1), all.size(), all.size()));
		std::string out;
		for (std::size_t i = from; i < to; i++)
			out += all[i];
		return text(std::move(out));
	}
	if (among(name, {"charAt", "at"}))
		return index(Value::str(s), argument(a, 0));
	if (name == "repeat") {
		const double n = argument(a, 0).is(Kind::Number) ? a[0].real() : 0;
		if (!(n >= 0) || n * static_cast<double>(s.size()) > MaxText || n > MaxText)
			return large("text repeated " + formatNumber(n) + " times");
		std::string out;
		for (int i = 0; i < static_cast<int>(n); i++)
			out += s;
		return text(std::move(out));
	}
	if (among(name, {"padStart", "padEnd", "pad_start", "pad_end"})) {
		const double n = argument(a, 0).is(Kind::Number) ? a[0].real() : 0;
		const std::vector<std::string> fill = charactersOf(a.size() > 1 ? arg(1) : std::string(" "));
		const int missing = whole(n, 0, MaxText) - sizeOf(countOf(s));
		if (missing <= 0 || fill.empty())
			return Value::str(s);
		std::string pad;
		for (int i = 0; i < missing; i++)
			pad += fill[static_cast<std::size_t>(i) % fill.size()];
		return text(among(name, {"padStart", "pad_start"}) ? pad + s : s + pad);
	}
	if (name == "concat")
		return text(s + arg(0));
	if (among(name, {"toString", "to_string"}))
		return Value::str(s);
	return wrong("a text has no method '" + clip(name) + "'");
}

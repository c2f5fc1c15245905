// The operations that the interpreter answers itself. All others go to the host.

// target is the node that a call is about; the arguments behind it are left.
std::string targetOf(const std::string &owner, std::vector<Value> &a) {
	if (a.empty() || !a[0].is(Kind::Node))
		return owner;
	const std::string id = a[0].text();
	a.erase(a.begin());
	return id;
}

// easingAt is the easing of a name at u between 0 and 1. Kebab, snake and camel
// names are one; an unknown one is linear.
double easingAt(const std::string &name, double u) {
	static const double Pi = 3.14159265358979323846;
	u = most(0, least(1, u));
	const double v = 1 - u;
	std::string n;
	for (const char c : cased(name, false))
		if (c != '-' && c != '_' && c != ' ')
			n += c;
	if (n == "easein" || n == "easeinquad")
		return u * u;
	if (n == "easeout" || n == "easeoutquad")
		return 1 - v * v;
	if (n == "easeinout" || n == "easeinoutquad")
		return u * u * (3 - 2 * u);
	if (n == "easeincubic")
		return u * u * u;
	if (n == "easeoutcubic")
		return 1 - v * v * v;
	if (n == "easeinoutcubic")
		return u < 0.5 ? 4 * u * u * u : 1 - 4 * v * v * v;
	if (n == "easeinsine")
		return 1 - std::cos(u * Pi / 2);
	if (n == "easeoutsine")
		return std::sin(u * Pi / 2);
	if (n == "easeinoutsine")
		return (1 - std::cos(u * Pi)) / 2;
	if (n == "step")
		return u < 1 ? 0 : 1;
	return u;
}

Value numberOf(const Value &v) {
	if (v.is(Kind::Text)) {
		const std::string s = trimmed(v.text());
		return Value::num(isDecimal(s) ? readNumber(s) : Nan);
	}
	double n = 0;
	return Value::num(asNumber(v, n) ? n : Nan);
}

// named are the nodes of a name that are there; an id is one for the first.
Value Machine::named(const std::string &name, bool first) {
	std::vector<Value> out;
	for (const std::string &id : order) {
		if ((node(id)->name != name && !(first && id == name)) || gone.count(id) > 0)
			continue;
		if (first)
			return Value::node(id);
		out.push_back(Value::node(id));
	}
	return first ? Value() : list(std::move(out));
}

Value Machine::distance(const Args &a) {
	if (a.size() < 2)
		return wrong("distance needs two places");
	std::array<std::vector<Value>, 2> at;
	for (std::size_t i = 0; i < 2; i++) {
		const Value v = a[i].is(Kind::Node) ? property(a[i].text(), "position") : a[i];
		if (!v.is(Kind::List))
			return wrong(std::string("distance needs places, not ") + typeName(v));
		at[i] = v.items().items;
	}
	double sum = 0;
	for (std::size_t i = 0; i < at[0].size() && i < at[1].size(); i++) {
		const std::vector<double> n = numbers({at[0][i], at[1][i]}, 2);
		if (failed())
			return Value();
		sum += (n[0] - n[1]) * (n[0] - n[1]);
	}
	return Value::num(std::sqrt(sum));
}

Value Machine::timeout(const std::string &owner, const Args &a) {
	Value c;
	double seconds = 0;
	for (const Value &v : a) {
		if (v.is(Kind::Function))
			c = v;
		else if (v.is(Kind::Number))
			seconds = v.real();
	}
	if (c.isNull())
		return wrong("set_timeout needs a function");
	if (sizeOf(waiting.size()) >= MaxWaiting)
		return fail("RUN003", "more than " + std::to_string(MaxWaiting) + " turns wait");
	if (std::isnan(seconds))
		seconds = 0;
	if (!c.closure().fn->dead())
		waiting.push_back({after(std::min(std::max(seconds, 0.0), Ever)), thread(c.closure().fn, {}, c.closure().boxes, 0), owner});
	return Value();
}

// between is a value on the way from x to y: of numbers, and of lists of them.
Value Machine::between(const Value &x, const Value &y, double u) {
	if (x.is(Kind::List) && y.is(Kind::List)) {
		const std::vector<Value> from = x.items().items, to = y.items().items;
		std::vector<Value> out;
		for (std::size_t i = 0; i < from.size() && i < to.size(); i++) {
			out.push_back(between(from[i].is(Kind::List) ? Value::num(0) : from[i], to[i].is(Kind::List) ? Value::num(0) : to[i], u));
			if (failed())
				return Value();
		}
		return list(std::move(out));
	}
	const std::vector<double> n = numbers({x, y}, 2);
	return Value::num(n[0] + (n[1] - n[0]) * u);
}

// play starts or stops the timelines of a name; everything else is the host's.
Value Machine::play(const std::string &owner, const std::string &what, const Args &a) {
	if (!a.empty() && a[0].is(Kind::Text)) {
		std::vector<Line> now = lines;
		bool found = false;
		for (std::size_t i = 0; i < now.size(); i++) {
			if (now[i].row->id != a[0].text())
				continue;
			now[i] = {now[i].row, what == "play", steps, 0};
			found = true;
		}
		if (found) {
			undo.push_back([this, old = lines] { lines = old; });
			lines = std::move(now);
			return Value();
		}
	}
	return outside("", owner, what, a);
}

// model asks the host's model. Without one the answer says which question it was
// asked, the same everywhere.
Value Machine::model(const std::string &owner, const Args &a) {
	note("host", owner, "llm_call", Value::list(a));
	Value answer;
	if (host && host->call("llm_call", owner, a, answer))
		return answer;
	const std::string prompt = printed(argument(a, 0));
	charge(sizeOf(prompt.size()) / ChargeBytes);
	std::uint32_t h = 0x811c9dc5u;
	for (const char c : prompt)
		h = (h ^ static_cast<unsigned char>(c)) * 0x01000193u;
	char out[32];
	std::snprintf(out, sizeof out, "stub %08x", static_cast<unsigned>(h));
	return Value::str(out);
}

Value Machine::hostCall(const std::string &fn, const std::string &owner, const std::string &name, const Args &a) {
	calls[name]++;
	Value out;
	if (library(name, owner, a, out))
		return out;
	return outside(fn, owner, name, a);
}

Value Machine::outside(const std::string &fn, const std::string &owner, const std::string &name, const Args &a) {
	note("host", owner, name, Value::list(a));
	if (!host)
		return Value();
	Value answer;
	if (host->call(name, owner, a, answer))
		return answer;
	if (unknown.insert(name).second) {
		const Fault f{"RUN005", "the host has no operation '" + clip(name) + "'", fn, 0, 0, Value()};
		note("fault", owner, f.code, Value::str(f.message), &f);
		host->faulted(owner, f);
	}
	return Value();
}

// mathematics are the operations on numbers alone; false for others.
bool Machine::mathematics(const std::string &name, const Args &a, Value &out) {
	using Fn = double (*)(double);
	static const std::unordered_map<std::string, Fn> table = {
		{"abs", [](double x) { return std::fabs(x); }}, {"floor", [](double x) { return std::floor(x); }}, {"ceil", [](double x) { return std::ceil(x); }},
		{"sqrt", [](double x) { return std::sqrt(x); }}, {"sin", [](double x) { return std::sin(x); }}, {"cos", [](double x) { return std::cos(x); }},
		{"tan", [](double x) { return std::tan(x); }}, {"asin", [](double x) { return std::asin(x); }}, {"acos", [](double x) { return std::acos(x); }},
		{"atan", [](double x) { return std::atan(x); }}, {"exp", [](double x) { return std::exp(x); }}, {"log", [](double x) { return std::log(x); }},
		{"log2", [](double x) { return std::log2(x); }}, {"log10", [](double x) { return std::log10(x); }}, {"trunc", [](double x) { return std::trunc(x); }},
		{"cbrt", [](double x) { return cubeRoot(x); }}, {"round", [](double x) { return std::floor(x + 0.5); }},
		{"sign", [](double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }},
	};
	const auto it = table.find(name);
	if (it != table.end()) {
		out = Value::num(it->second(numbers(a, 1)[0]));
		return true;
	}
	if (name == "min" || name == "max" || name == "hypot") {
		double sum = name == "min" ? Infinite : name == "max" ? -Infinite : 0;
		for (const double x : numbers(a, a.size()))
			sum = name == "min" ? least(sum, x) : name == "max" ? most(sum, x) : sum + x * x;
		out = Value::num(name == "hypot" ? std::sqrt(sum) : sum);
		return true;
	}
	if (name == "random") {
		out = Value::num(chance());
		return true;
	}
	if (name == "pow" || name == "atan2") {
		const std::vector<double> n = numbers(a, 2);
		out = Value::num(name == "pow" ? power(n[0], n[1]) : std::atan2(n[0], n[1]));
		return true;
	}
	return false;
}

// library answers an operation; false where it is the host's.
bool Machine::library(const std::string &name, const std::string &owner, const Args &a, Value &out) {
	const Value one = argument(a, 0);
	if (startsWith(name, "Math."))
		return mathematics(name.substr(5), a, out);
	Args rest = a;
	if (among(name, {"log", "print", "console.log"})) {
		std::string words;
		int size = 0;
		for (std::size_t i = 0; i < a.size(); i++) {
			const std::string w = brief(printed(a[i]));
			words += (i > 0 ? " " : "") + w;
			size += sizeOf(w.size());
		}
		note("log", owner, "", Value::str(words));
		if (host)
			host->logged(owner, brief(words));
		alloc(size);
	} else if (name == "clamp") {
		const std::vector<double> n = numbers(a, 3);
		out = Value::num(most(n[1], least(n[2], n[0])));
	} else if (name == "lerp") {
		const double u = numbers(Args(a.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(2, a.size())), a.end()), 1)[0];
		if (!failed())
			out = between(one, argument(a, 1), u);
	} else if (name == "ease") {
		const bool first = one.is(Kind::Text);
		const std::string easing = printed(first ? one : argument(a, 1));
		if (first)
			rest.erase(rest.begin());
		const double u = numbers(rest, 1)[0];
		out = Value::num(easingAt(easing, u));
	} else if (name == "tween") {
		const std::string id = targetOf(owner, rest);
		tween(id, rest);
	} else if (name == "move_to") {
		const std::string id = targetOf(owner, rest);
		rest.insert(rest.begin(), Value::str("position"));
		tween(id, rest);
	} else if (name == "transition") {
		const std::string id = targetOf(owner, rest);
		emit(id, "transition", argument(rest, 0)); // the machines of the node take it
	} else if (name == "play" || name == "stop") {
		out = play(owner, name, a);
	} else if (name == "llm_call") {
		out = model(owner, a);
	} else if (name == "instances") {
		out = instances(printed(one));
	} else if (name == "map_range") {
		const std::vector<double> n = numbers(a, 5);
		out = Value::num(n[2] == n[1] ? n[3] : n[3] + (n[4] - n[3]) * ((n[0] - n[1]) / (n[2] - n[1])));
	} else if (name == "random") {
		if (a.empty()) {
			out = Value::num(chance());
		} else if (a.size() == 1) {
			const double n = numbers(a, 1)[0];
			out = Value::num(chance() * n);
		} else {
			const std::vector<double> n = numbers(a, 2);
			out = Value::num(n[0] + chance() * (n[1] - n[0]));
		}
	} else if (name == "random_int") {
		const std::vector<double> n = numbers(a, 2);
		const double lo = std::ceil(n[0]), hi = std::floor(n[1]);
		out = Value::num(lo + std::floor(chance() * (hi - lo + 1)));
	} else if (name == "choose") {
		const std::vector<Value> from = a.size() == 1 && one.is(Kind::List) ? one.items().items : a;
		if (!from.empty())
			out = from[static_cast<std::size_t>(chance() * static_cast<double>(from.size()))];
	} else if (name == "now" || name == "current_time") {
		out = Value::num(time());
	} else if (name == "wait") {
		out = one;
	} else if (name == "generate_id") {
		out = Value::str("id" + std::to_string(++serial));
	} else if (name == "distance") {
		out = distance(a);
	} else if (name == "typeof") {
		out = Value::str(typeName(one));
	} else if (name == "set_timeout") {
		out = timeout(owner, a);
	} else if (name == "get_node" || name == "find_all") {
		out = named(printed(one), name == "get_node");
	} else if (name == "show" || name == "hide") {
		setProperty(targetOf(owner, rest), "visible", Value::yes(name == "show"));
	} else if (name == "set_text") {
		const std::string id = targetOf(owner, rest);
		setProperty(id, "text", argument(rest, 0));
	} else if (name == "destroy") {
		if (a.empty())
			destroy(owner);
		else if (one.is(Kind::Node)) // else what is not there
			destroy(one.text());
	} else if (name == "calls") {
		const auto it = calls.find(printed(one));
		out = Value::num(it != calls.end() ? it->second : 0);
	} else if (name == "JSON.stringify") {
		out = text(one.is(Kind::Text) ? quote(one.text()) : printed(one));
	} else if (name == "JSON.parse") {
		if (!one.is(Kind::Text)) {
			wrong("JSON.parse needs a text");
		} else if (one.text().size() > MaxText || !parse(one.text(), out, MaxDepth) || !fits(out)) {
			wrong("this is not JSON");
			out = Value();
		} else {
			alloc(sizeOf(one.text().size()));
		}
	} else if (startsWith(name, "Object.") && among(name, {"Object.keys", "Object.values", "Object.entries"})) {
		out = method(one, name.substr(7), {});
	} else if (among(name, {"Number", "parseFloat", "parse_number"})) {
		out = numberOf(one);
	} else if (name == "parseInt") {
		out = Value::num(std::trunc(numberOf(one).real()));
	} else if (name == "String") {
		out = text(printed(one));
	} else if (name == "Boolean") {
		out = Value::yes(truthy(one));
	} else {
		return false;
	}
	return true;
}

// What a turn may cost, and what it leaves behind: budgets, sizes, the trace.

Value Machine::fail(const char *code, const std::string &message) {
	if (!fault)
		fault.reset(new Fault{code, message, "", 0, 0, Value()});
	return Value();
}

void Machine::charge(int n) {
	budget -= n;
	spent += n;
}

bool Machine::overdrawn() {
	if (budget >= 0)
		return false;
	fail("RUN001", "the turn takes more than " + std::to_string(turnLimit) + " instructions");
	return true;
}

void Machine::alloc(int n) {
	made += n;
	charge(n / ChargeBytes);
	if (made > MaxAlloc)
		large("a turn makes more than " + std::to_string(MaxAlloc));
}

Value Machine::text(std::string s) {
	if (s.size() > MaxText)
		return large("text of " + std::to_string(s.size()) + " bytes");
	alloc(sizeOf(s.size()));
	return Value::str(std::move(s));
}

Value Machine::list(std::vector<Value> items) {
	if (items.size() > MaxItems)
		return large("list of " + std::to_string(items.size()) + " elements");
	alloc(sizeOf(items.size()) + 1);
	return Value::list(std::move(items));
}

std::string Machine::printed(const Value &v) {
	std::string s = textOf(v);
	if (v.is(Kind::List) || v.is(Kind::Object))
		charge(sizeOf(s.size()) / ChargeBytes);
	return s;
}

bool Machine::same(const Value &x, const Value &y) {
	int left = MaxItems;
	const bool yes = equal(x, y, MaxDepth, left);
	charge((MaxItems - left) / ChargeElements);
	return yes;
}

// find is the place of a value in a list, -1 without one.
int Machine::find(const std::vector<Value> &items, const Value &x) {
	for (std::size_t i = 0; i < items.size(); i++) {
		if (i % ChargeElements == ChargeElements - 1)
			charge(1);
		if (same(items[i], x))
			return static_cast<int>(i);
		if (overdrawn())
			return -1;
	}
	return -1;
}

// numbers are the first arguments as numbers; those that are not given are 0.
std::vector<double> Machine::numbers(const Args &a, std::size_t n) {
	std::vector<double> out(n, 0.0);
	for (std::size_t i = 0; i < n && i < a.size(); i++) {
		if (!asNumber(a[i], out[i])) {
			out[i] = 0;
			wrong("argument " + std::to_string(i + 1) + " is " + typeName(a[i]) + ", not a number");
			break;
		}
	}
	return out;
}

// note appends to the trace. Values are printed at once: they may change later.
void Machine::note(const char *kind, const std::string &at, const std::string &name, const Value &v, const Fault *f) {
	if (!tracing || sizeOf(trace.size()) >= MaxTrace || made > MaxAlloc)
		return;
	Entry e;
	e.at = time();
	e.kind = kind;
	e.node = at;
	e.name = name;
	if (v.is(Kind::List) || v.is(Kind::Object) || v.is(Kind::Function))
		e.value = brief(shown(v));
	else if (v.is(Kind::Text))
		e.value = quote(brief(v.text()));
	else
		e.value = shown(v);
	if (f) {
		e.function = f->function;
		e.line = f->line;
		e.column = f->column;
	}
	trace.push_back(std::move(e));
}

// measure counts what state, properties and waiting turns hold.
int Machine::measure() const {
	std::vector<Value> work(slots);
	for (const auto &of : properties)
		for (const auto &f : of.second)
			work.push_back(f.second);
	for (const Event &e : queue)
		work.push_back(e.payload);
	for (const Waiting &w : waiting) {
		for (const Frame &f : w.thread->frames)
			work.insert(work.end(), f.locals.begin(), f.locals.end());
		work.insert(work.end(), w.thread->stack.begin(), w.thread->stack.end());
	}
	std::unordered_set<const void *> seen;
	long long n = 0;
	while (!work.empty() && n <= MaxHeld) {
		const Value v = work.back();
		work.pop_back();
		n++;
		switch (v.kind()) {
		case Kind::Text: n += static_cast<long long>(v.text().size()); continue;
		case Kind::List: case Kind::Object: case Kind::Function: case Kind::Box:
			if (!seen.insert(v.address()).second)
				continue;
			break;
		case Kind::Iterator: break;
		default: continue;
		}
		const std::vector<Value> *more = v.is(Kind::List) ? &v.items().items : v.is(Kind::Function) ? &v.closure().boxes : v.is(Kind::Iterator) ? &v.iterator().items : nullptr;
		if (more)
			work.insert(work.end(), more->begin(), more->end());
		if (v.is(Kind::Box))
			work.push_back(v.box().v);
		if (v.is(Kind::Object)) {
			for (const auto &f : v.fields().values) {
				n += static_cast<long long>(f.first.size());
				work.push_back(f.second);
			}
		}
	}
	return static_cast<int>(std::min<long long>(n, 0x7fffffff));
}

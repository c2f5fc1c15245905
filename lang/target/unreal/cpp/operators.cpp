// The operators on values, and the members of lists, objects and nodes.

Value Machine::arithmetic(int op, const Value &x, const Value &y) {
	double a = 0, b = 0;
	if (!asNumber(x, a))
		return wrong(std::string("arithmetic needs numbers, not ") + typeName(x));
	if (!asNumber(y, b))
		return wrong(std::string("arithmetic needs numbers, not ") + typeName(y));
	switch (op) {
	case OpAdd: return Value::num(a + b);
	case OpSub: return Value::num(a - b);
	case OpMul: return Value::num(a * b);
	case OpDiv: return Value::num(a / b);
	case OpMod: return Value::num(std::fmod(a, b));
	default: return Value::num(power(a, b));
	}
}

Value Machine::bits(int op, const Value &x, const Value &y) {
	double a = 0, b = 0;
	if (!asNumber(x, a) || !asNumber(y, b))
		return wrong("operators on bits need numbers");
	const std::int32_t i = toInt32(a), j = toInt32(b);
	const std::uint32_t by = static_cast<std::uint32_t>(j) & 31;
	switch (op) {
	case OpAnd: return Value::num(i & j);
	case OpOr: return Value::num(i | j);
	case OpXor: return Value::num(i ^ j);
	case OpShl: return Value::num(static_cast<std::int32_t>(static_cast<std::uint32_t>(i) << by));
	default: {
		std::uint32_t u = static_cast<std::uint32_t>(i) >> by;
		if (i < 0 && by > 0)
			u |= 0xffffffffu << (32 - by);
		return Value::num(static_cast<std::int32_t>(u));
	}
	}
}

Value Machine::compare(int op, const Value &x, const Value &y) {
	bool less = false, equals = false;
	if (x.is(Kind::Text) && y.is(Kind::Text)) {
		charge(sizeOf(std::min(x.text().size(), y.text().size())) / ChargeBytes);
		less = x.text() < y.text();
		equals = x.text() == y.text();
	} else {
		double a = 0, b = 0;
		if (!asNumber(x, a) || !asNumber(y, b))
			return wrong(std::string(typeName(x)) + " and " + typeName(y) + " have no order");
		if (std::isnan(a) || std::isnan(b))
			return Value::yes(false);
		less = a < b;
		equals = a == b;
	}
	switch (op) {
	case OpLt: return Value::yes(less);
	case OpLe: return Value::yes(less || equals);
	case OpGt: return Value::yes(!less && !equals);
	default: return Value::yes(!less);
	}
}

// within is x in y: an element of a list, a key of an object, a part of a text.
Value Machine::within(const Value &x, const Value &y) {
	switch (y.kind()) {
	case Kind::List: return Value::yes(find(y.items().items, x) >= 0);
	case Kind::Object: return Value::yes(y.fields().has(printed(x)));
	case Kind::Text:
		charge(sizeOf(y.text().size()) / ChargeBytes);
		return Value::yes(y.text().find(printed(x)) != std::string::npos);
	default: return wrong(std::string("nothing can be in ") + typeName(y));
	}
}

Value Machine::range(const Value &x, const Value &y) {
	if (!x.is(Kind::Number) || !y.is(Kind::Number) || std::isnan(x.real()) || std::isnan(y.real()))
		return wrong("a range needs numbers");
	if (y.real() - x.real() > MaxItems)
		return large("range of " + formatNumber(y.real() - x.real()) + " elements");
	std::vector<Value> items;
	for (double v = x.real(); v < y.real() && items.size() <= MaxItems; v++)
		items.push_back(Value::num(v));
	return list(std::move(items));
}

Value Machine::merge(const Value &x, const Value &y) {
	if (y.isNull() && x.is(Kind::Object))
		return x;
	if (!x.is(Kind::Object) || !y.is(Kind::Object))
		return wrong(std::string("only an object can be spread into an object, not ") + typeName(y));
	const std::size_t n = x.fields().keys.size() + y.fields().keys.size();
	if (n > MaxItems)
		return large("object of " + std::to_string(n) + " fields");
	const Value out = Value::object();
	for (const Value *o : {&x, &y})
		for (const std::string &k : o->fields().keys)
			out.fields().put(k, *o->fields().find(k));
	alloc(sizeOf(out.fields().keys.size()) + 1);
	return out;
}

// iterate begins a walk over the elements of a list, the characters of a text or
// the keys of an object.
Value Machine::iterate(const Value &v) {
	const auto it = std::make_shared<Iterator>();
	switch (v.kind()) {
	case Kind::List: it->items = v.items().items; break;
	case Kind::Object:
		for (const std::string &k : v.fields().keys)
			it->items.push_back(Value::str(k));
		break;
	case Kind::Text:
		if (countOf(v.text()) > MaxItems)
			return large("too many characters to walk over");
		for (const std::string &c : charactersOf(v.text()))
			it->items.push_back(Value::str(c));
		break;
	case Kind::Null: break;
	default: return wrong(std::string("cannot walk over ") + typeName(v));
	}
	alloc(sizeOf(it->items.size()) + 1);
	return Value::of(Kind::Iterator, it);
}

// position is the place of an index from the front, -1 outside.
int position(const Value &v, std::size_t n) {
	if (!v.is(Kind::Number) || v.real() != std::trunc(v.real()) || v.real() < 0 || v.real() >= static_cast<double>(n))
		return -1;
	return static_cast<int>(v.real());
}

Value Machine::index(const Value &x, const Value &i) {
	if (x.is(Kind::List)) {
		const int at = position(i, x.items().items.size());
		return at >= 0 ? x.items().items[static_cast<std::size_t>(at)] : Value();
	}
	if (x.is(Kind::Text)) {
		const std::vector<std::string> characters = charactersOf(x.text());
		alloc(sizeOf(characters.size()));
		const int at = position(i, characters.size());
		return at >= 0 && !failed() ? Value::str(characters[static_cast<std::size_t>(at)]) : Value();
	}
	if (x.isNull())
		return wrong("null has no element " + clip(printed(i)));
	return member(x, printed(i));
}

void Machine::putIndex(const Value &x, const Value &i, const Value &v) {
	if (!x.is(Kind::List)) {
		putMember(x, printed(i), v);
		return;
	}
	std::vector<Value> &items = x.items().items;
	if (i.is(Kind::Number) && i.real() == static_cast<double>(items.size()) && items.size() < MaxItems) {
		touch(x);
		items.push_back(v);
		alloc(1);
		return;
	}
	const int at = position(i, items.size());
	if (at < 0) {
		wrong("a list of " + std::to_string(items.size()) + " elements has no place " + clip(printed(i)));
		return;
	}
	touch(x);
	items[static_cast<std::size_t>(at)] = v;
}

// axis is the place of x, y, z or w in a list of up to four.
int axis(const List &l, const std::string &name) {
	static const std::string letters = "xyzw";
	if (name.size() != 1 || l.items.size() > 4)
		return -1;
	const std::size_t i = letters.find(name);
	return i != std::string::npos && i < l.items.size() ? static_cast<int>(i) : -1;
}

Value Machine::member(const Value &x, const std::string &name) {
	switch (x.kind()) {
	case Kind::Object: return x.fields().get(name);
	case Kind::List: {
		if (name == "length" || name == "count")
			return Value::num(static_cast<double>(x.items().items.size()));
		const int i = axis(x.items(), name);
		return i >= 0 ? x.items().items[static_cast<std::size_t>(i)] : Value();
	}
	case Kind::Text: return name == "length" ? Value::num(static_cast<double>(countOf(x.text()))) : Value();
	case Kind::Node: return nodeMember(x.text(), name);
	case Kind::State: return state(x.text(), name);
	case Kind::Null: return wrong("null has no member '" + clip(name) + "'");
	default: return Value();
	}
}

void Machine::putMember(const Value &x, const std::string &name, const Value &v) {
	switch (x.kind()) {
	case Kind::Object:
		if (!x.fields().has(name) && x.fields().keys.size() >= MaxItems) {
			large("object of " + std::to_string(x.fields().keys.size()) + " fields");
			return;
		}
		touch(x);
		x.fields().put(name, v);
		alloc(1);
		return;
	case Kind::List: {
		const int i = axis(x.items(), name);
		if (i < 0)
			break;
		touch(x);
		x.items().items[static_cast<std::size_t>(i)] = v;
		return;
	}
	case Kind::Node: case Kind::State: {
		const auto slot = slotOf.find({x.text(), name});
		if (slot != slotOf.end())
			set(slot->second, v);
		else
			setProperty(x.is(Kind::State) ? x.text() + "/state" : x.text(), name, v);
		return;
	}
	default: break;
	}
	wrong(std::string(typeName(x)) + " cannot take a member '" + clip(name) + "'");
}

// nodeMember is node.name: what every node has, a property, then its state.
Value Machine::nodeMember(const std::string &id, const std::string &name) {
	const Node *n = node(id);
	if (name == "id")
		return Value::str(id);
	if (name == "name")
		return Value::str(n ? n->name : id);
	if (name == "state")
		return Value::state(id);
	if (name == "parent") {
		const std::string above = parent(id);
		return above.empty() ? Value() : Value::node(above);
	}
	if (name == "current_state") {
		for (std::size_t i = 0; i < running.size(); i++)
			if (running[i].row->node == id && running[i].state >= 0)
				return Value::str(running[i].row->states[static_cast<std::size_t>(running[i].state)].name);
	}
	if (const Value *held_there = held_property(id, name))
		return *held_there;
	const auto slot = slotOf.find({id, name});
	if (slot != slotOf.end())
		return slots[static_cast<std::size_t>(slot->second)];
	const auto follows = computedOf.find({id, name});
	if (follows != computedOf.end())
		return computed(follows->second);
	if (n && name == "instances")
		return instances(n->name);
	return Value();
}

void Machine::setProperty(const std::string &id, const std::string &name, const Value &v) {
	if (failed())
		return;
	const Key key(id, name);
	const Value *was = held_property(id, name);
	const bool there = was != nullptr;
	const Value old = there ? *was : Value();
	if (!there && property_count >= MaxItems * 4) {
		large("too many properties");
		return;
	}
	version++;
	undo.push_back([this, key, there, old] {
		if (there)
			keep(key.first, key.second, old);
		else
			property_count -= properties[key.first].erase(key.second);
		if (host)
			host->propertyChanged(key.first, key.second);
	});
	keep(id, name, v);
	note("property", id.size() > 6 && endsWith(id, "/state") ? id.substr(0, id.size() - 6) : id, name, v);
	if (host)
		host->propertyChanged(id, name);
	alloc(1);
}

void Machine::emit(const std::string &id, const std::string &name, const Value &payload) {
	if (sizeOf(queue.size()) >= MaxEvents) {
		fail("RUN003", "more than " + std::to_string(MaxEvents) + " events wait");
		return;
	}
	queue.push_back({id, name, payload});
	alloc(1);
}

// destroy hides a node; then it is no longer found. It hears what was raised until the
// end of the step, and then nothing more.
void Machine::destroy(const std::string &id) {
	setProperty(id, "visible", Value::yes(false));
	if (failed() || gone.count(id) > 0)
		return;
	gone.insert(id);
	ending.push_back(id);
	undo.push_back([this, id] {
		gone.erase(id);
		ending.pop_back();
	});
	if (hears("unmount"))
		queue.push_back({id, "unmount", Value(), true});
}

// instances are the nodes that spawn made of a template and that are still there.
Value Machine::instances(const std::string &name) {
	std::vector<Value> out;
	for (const std::string &id : order)
		if (made_nodes.count(id) > 0 && gone.count(id) == 0 && node(id)->name == name)
			out.push_back(Value::node(id));
	return list(std::move(out));
}

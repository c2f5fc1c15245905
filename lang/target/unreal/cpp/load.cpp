// A program from its document. Programs come from the compiler, which has checked
// them; what has not its form is refused.

Value fieldOf(const Value &v, const char *key) { return v.is(Kind::Object) ? v.fields().get(key) : Value(); }

std::string wordOf(const Value &v, const char *key) {
	const Value f = fieldOf(v, key);
	return f.is(Kind::Text) ? f.text() : std::string();
}

double realOf(const Value &v, const char *key, double otherwise) {
	const Value f = fieldOf(v, key);
	return f.is(Kind::Number) ? f.real() : otherwise;
}

int intOf(const Value &v, const char *key, int otherwise) { return static_cast<int>(realOf(v, key, otherwise)); }

bool flagOf(const Value &v, const char *key) {
	const Value f = fieldOf(v, key);
	return f.is(Kind::Bool) && f.flag();
}

const std::vector<Value> &itemsOf(const Value &v) {
	static const std::vector<Value> none;
	return v.is(Kind::List) ? v.items().items : none;
}

std::vector<int> intsOf(const Value &v) {
	std::vector<int> out;
	for (const Value &e : itemsOf(v))
		out.push_back(e.is(Kind::Number) ? static_cast<int>(e.real()) : 0);
	return out;
}

Program::TreeNode treeOf(const Value &v) {
	Program::TreeNode out;
	const Value params = fieldOf(v, "params");
	out.type = wordOf(v, "type");
	out.policy = wordOf(params, "policy");
	out.times = intOf(params, "times", 0);
	out.duration = realOf(params, "duration", 0);
	out.fn = intOf(v, "fn", -1);
	for (const Value &c : itemsOf(fieldOf(v, "children")))
		out.children.push_back(treeOf(c));
	return out;
}

Program::StateMachine machineOf(const Value &v) {
	Program::StateMachine out{wordOf(v, "node"), intOf(v, "initial", 0), {}};
	for (const Value &s : itemsOf(fieldOf(v, "states"))) {
		Program::State state;
		state.name = wordOf(s, "name");
		state.parent = intOf(s, "parent", -1);
		state.entry = intOf(s, "entry", -1);
		state.exit = intOf(s, "exit", -1);
		const std::vector<Value> &wait = itemsOf(fieldOf(s, "after"));
		if (wait.size() >= 2) {
			state.after = wait[0].real();
			state.then = static_cast<int>(wait[1].real());
		}
		for (const Value &t : itemsOf(fieldOf(s, "on")))
			state.on.push_back({wordOf(t, "event"), intOf(t, "to", 0), intOf(t, "guard", -1), intOf(t, "action", -1)});
		out.states.push_back(std::move(state));
	}
	return out;
}

Function functionOf(const Value &v) {
	Function out{wordOf(v, "name"), wordOf(v, "owner"), intOf(v, "params", 0), intOf(v, "locals", 0), intsOf(fieldOf(v, "code")), {}, flagOf(v, "rest")};
	for (const Value &l : itemsOf(fieldOf(v, "lines"))) {
		const std::vector<int> n = intsOf(l);
		if (n.size() == 3)
			out.lines.push_back({{n[0], n[1], n[2]}});
	}
	return out;
}

// templatesOf reads the templates; false where one is not as it must be.
bool templatesOf(const Value &v, std::vector<Program::Template> &out) {
	if (!v.isNull() && (!v.is(Kind::List) || v.items().items.size() > MaxEntries))
		return false;
	std::unordered_set<std::string> names, nodes;
	for (const Value &e : itemsOf(v)) {
		Program::Template t{wordOf(e, "name"), {}};
		if (t.name.empty() || !names.insert(t.name).second || e.fields().keys.size() != 2)
			return false;
		for (const Value &n : itemsOf(fieldOf(e, "nodes"))) {
			const std::string id = n.is(Kind::Text) ? n.text() : std::string();
			if (id.empty() || id == SceneOwner || id == Everywhere || !nodes.insert(id).second || nodes.size() > MaxEntries)
				return false;
			t.nodes.push_back(id);
		}
		if (t.nodes.empty())
			return false;
		out.push_back(std::move(t));
	}
	return true;
}

bool load(const std::string &json, Program &out) {
	Value v;
	if (!parse(json, v, 256) || wordOf(v, "v") != "program/1")
		return false;
	const auto each = [&](const char *key) -> std::vector<Value> { return itemsOf(fieldOf(v, key)); };
	const std::vector<Value> seed = each("seed");
	for (std::size_t i = 0; i < 4 && i < seed.size(); i++)
		out.seed[i] = static_cast<std::uint32_t>(seed[i].real());
	out.spatial = intOf(fieldOf(v, "rates"), "spatial", 60);
	out.constants = each("consts");
	for (const Value &e : each("host"))
		out.host.push_back(e.is(Kind::Text) ? e.text() : std::string());
	for (const Value &e : each("state")) {
		Program::Slot s{wordOf(e, "owner"), wordOf(e, "key"), -1, -1};
		const Value init = fieldOf(e, "init");
		if (init.is(Kind::Object))
			s.fn = intOf(init, "fn", -1);
		else
			s.constant = static_cast<int>(init.real());
		out.state.push_back(std::move(s));
	}
	for (const Value &e : each("functions"))
		out.functions.push_back(functionOf(e));
	for (const Value &e : each("computed"))
		out.computed.push_back({wordOf(e, "owner"), wordOf(e, "key"), intOf(e, "fn", 0)});
	for (const Value &e : each("watches"))
		out.watches.push_back({intOf(e, "state", 0), intOf(e, "fn", 0)});
	for (const Value &e : each("binds"))
		out.binds.push_back({wordOf(e, "node"), wordOf(e, "property"), intOf(e, "fn", 0)});
	for (const Value &e : each("handlers"))
		out.handlers.push_back({wordOf(e, "node"), wordOf(e, "event"), intOf(e, "fn", 0)});
	for (const Value &e : each("subscriptions"))
		out.subscriptions.push_back({wordOf(e, "from"), wordOf(e, "event"), wordOf(e, "owner"), intOf(e, "fn", 0)});
	for (const Value &e : each("wires"))
		out.wires.push_back({wordOf(e, "from"), wordOf(e, "event"), intOf(e, "set", -1), intOf(e, "fn", 0), intsOf(fieldOf(e, "args"))});
	for (const Value &e : each("schedules"))
		out.schedules.push_back({intOf(e, "fn", 0), realOf(e, "after", 0), realOf(e, "every", 0), flagOf(e, "forever")});
	for (const Value &e : each("timelines")) {
		Program::Timeline t{wordOf(e, "id"), flagOf(e, "loop"), flagOf(e, "autoplay"), {}};
		for (const Value &s : itemsOf(fieldOf(e, "steps")))
			if (itemsOf(s).size() == 2)
				t.steps.emplace_back(itemsOf(s)[0].real(), static_cast<int>(itemsOf(s)[1].real()));
		out.timelines.push_back(std::move(t));
	}
	for (const Value &e : each("machines"))
		out.machines.push_back(machineOf(e));
	for (const Value &e : each("trees"))
		out.trees.push_back({wordOf(e, "node"), realOf(e, "rate", 10), flagOf(e, "restart"), treeOf(fieldOf(e, "root"))});
	return templatesOf(fieldOf(v, "templates"), out.templates);
}

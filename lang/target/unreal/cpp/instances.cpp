// Templates, and what spawn makes of them. The rows of a prototype lie in the tables
// of the program and do nothing; an instance has rows of its own like them.

// sortOut takes the nodes and the rows of prototypes out of what is there.
void Machine::sortOut(const std::vector<Node> &list) {
	const auto own = [&](Home h) { return &templates[static_cast<std::size_t>(h.of)]; };
	templates.resize(p.templates.size());
	for (std::size_t i = 0; i < p.templates.size(); i++) {
		templateOf.emplace(p.templates[i].name, static_cast<int>(i));
		for (const std::string &id : p.templates[i].nodes)
			homes[id] = {static_cast<int>(i), templates[i].rows++};
	}
	for (const Node &n : list) {
		if (!isLive(n.id)) {
			prototypes[n.id] = n;
			continue;
		}
		order.push_back(n.id);
		if (n.properties.is(Kind::Object))
			for (const std::string &k : n.properties.fields().keys)
				keep(n.id, k, copyOf(*n.properties.fields().find(k), MaxDepth));
		nodes[n.id] = {n.id, n.parent, n.name, Value()};
	}
	// placed says whether a row is that of a prototype, and puts it there.
	const auto placed = [&](Home h, std::vector<int> Template::*table, std::size_t i) {
		if (h.of < 0)
			return false;
		(own(h)->*table).push_back(static_cast<int>(i));
		own(h)->rows++;
		return true;
	};
	const auto numbered = [&](const std::string &owner, std::vector<int> Template::*table, std::size_t i) {
		Home h = homeOf(owner);
		if (placed(h, table, i))
			h.at = sizeOf((own(h)->*table).size()) - 1;
		return h;
	};
	for (std::size_t i = 0; i < p.state.size(); i++) {
		const Program::Slot &s = p.state[i];
		slotRows.push_back({s.owner, &s.key, s.fn});
		slotHomes.push_back(numbered(s.owner, &Template::slots, i));
		if (slotHomes[i].of < 0)
			slotOf.emplace(Key(s.owner, s.key), static_cast<int>(i));
	}
	for (std::size_t i = 0; i < p.computed.size(); i++) {
		const Program::Computed &c = p.computed[i];
		computedRows.push_back({c.owner, &c.key, c.fn});
		computedHomes.push_back(numbered(c.owner, &Template::computed, i));
		if (computedHomes[i].of < 0)
			computedOf.emplace(Key(c.owner, c.key), static_cast<int>(i));
	}
	for (std::size_t i = 0; i < p.functions.size(); i++) {
		const Function &f = p.functions[i];
		functions.push_back(std::make_shared<Routine>(Routine{&f, f.owner, nullptr}));
		fnHomes.push_back(numbered(f.owner, &Template::functions, i));
		if (fnHomes[i].of < 0)
			byName.emplace(Key(f.owner, f.name), static_cast<int>(i));
	}
	slots.resize(p.state.size());
	caches.resize(p.computed.size());
	for (std::size_t i = 0; i < p.watches.size(); i++)
		if (!placed(homeOfFn(p.watches[i].fn), &Template::watches, i))
			watches.push_back(p.watches[i]);
	for (std::size_t i = 0; i < p.binds.size(); i++)
		if (!placed(homeOf(p.binds[i].node), &Template::binds, i))
			binds.push_back(p.binds[i]);
	for (std::size_t i = 0; i < p.handlers.size(); i++)
		if (!placed(homeOf(p.handlers[i].node), &Template::handlers, i))
			hear(p.handlers[i]);
	for (std::size_t i = 0; i < p.subscriptions.size(); i++)
		if (!placed(homeOf(p.subscriptions[i].owner), &Template::subscriptions, i))
			subscriptions.push_back(p.subscriptions[i]);
	for (std::size_t i = 0; i < p.wires.size(); i++)
		if (!placed(homeOfFn(p.wires[i].fn), &Template::wires, i))
			wires.push_back(p.wires[i]);
	for (std::size_t i = 0; i < p.schedules.size(); i++)
		placed(homeOfFn(p.schedules[i].fn), &Template::schedules, i);
	for (std::size_t i = 0; i < p.timelines.size(); i++)
		if (!p.timelines[i].steps.empty())
			placed(homeOfFn(p.timelines[i].steps[0].second), &Template::timelines, i);
	for (std::size_t i = 0; i < p.machines.size(); i++)
		placed(homeOf(p.machines[i].node), &Template::machines, i);
	for (std::size_t i = 0; i < p.trees.size(); i++)
		placed(homeOf(p.trees[i].node), &Template::trees, i);
}

Machine::Home Machine::homeOf(const std::string &id) const {
	const auto it = homes.find(id);
	return it != homes.end() ? it->second : Home();
}

void Machine::hear(const Program::Handler &h) {
	hearing.push_back(h);
	heard[h.event]++;
}

// below says whether a node is another one, or lies below it.
bool Machine::below(std::string id, const std::string &top) const {
	while (!id.empty() && id != top)
		id = parent(id);
	return !id.empty();
}

// slotFor is the slot that code of an instance means; -1 when it is no more.
int Machine::slotFor(const Instance *it, int i) const {
	if (!it || slotHomes[static_cast<std::size_t>(i)].of != it->of)
		return i;
	return it->dead ? -1 : it->slots + slotHomes[static_cast<std::size_t>(i)].at;
}

int Machine::computedFor(const Instance *it, int i) const {
	if (!it || computedHomes[static_cast<std::size_t>(i)].of != it->of)
		return i;
	return it->dead ? -1 : it->computed + computedHomes[static_cast<std::size_t>(i)].at;
}

int Machine::functionFor(const Instance *it, int i) const {
	if (!it || i < 0 || fnHomes[static_cast<std::size_t>(i)].of != it->of)
		return i;
	return it->dead ? -1 : it->functions + fnHomes[static_cast<std::size_t>(i)].at;
}

const std::string &Machine::nodeFor(const Instance *it, const std::string &id) const {
	if (!it)
		return id;
	const Home h = homeOf(id);
	return h.of == it->of ? it->nodes[static_cast<std::size_t>(h.at)] : id;
}

// spawn makes an instance of a template; where there is none of the name, a node that
// has it. When it faults nothing of it stays, even where a catch goes on.
Value Machine::spawn(const std::string &owner, const std::string &name, const Value &at, const Value &overrides) {
	const auto found = templateOf.find(name);
	const int which = found != templateOf.end() ? found->second : -1;
	const int count = which < 0 ? 0 : templates[static_cast<std::size_t>(which)].rows;
	const std::size_t more = which < 0 ? 1 : p.templates[static_cast<std::size_t>(which)].nodes.size();
	if (made_nodes.size() + more > MaxSpawned)
		return large("more than " + std::to_string(MaxSpawned) + " nodes");
	if (rows + count > MaxRows)
		return large("more than " + std::to_string(MaxRows) + " rows are spawned");
	charge(count / ChargeRows);
	const Node *maker = node(owner);
	const std::string above = owner != SceneOwner && maker ? maker->parent : std::string();
	const std::size_t before = undo.size(), changes = changed.size();
	std::string root;
	if (which < 0) {
		root = arrive({"", above, name, Value()}, "");
		undo.push_back([this, root] { depart({root}); });
		dress(root, at, overrides);
	} else {
		const Born it = instantiate(which, above);
		root = it->nodes[0];
		dress(root, at, overrides);
		firstValues(*it);
		if (overrides.is(Kind::Object) && !failed())
			for (const std::string &k : overrides.fields().keys) {
				const auto slot = slotOf.find({root, k});
				if (slot != slotOf.end())
					set(slot->second, overrides.fields().get(k));
			}
	}
	if (!failed())
		return Value::node(root);
	while (undo.size() > before) {
		const std::function<void()> back = std::move(undo.back());
		undo.pop_back();
		back();
	}
	changed.resize(changes);
	return Value();
}

// arrive gives a node an id of its own.
std::string Machine::arrive(Node n, const std::string &like) {
	n.id = "s" + std::to_string(++serial);
	const std::string id = n.id;
	made_nodes.insert(id);
	order.push_back(id);
	note("spawn", id, n.name, Value());
	if (host)
		host->spawned(id, n.name, like, n.parent);
	nodes[id] = std::move(n);
	return id;
}

// depart takes back what arrived last.
void Machine::depart(const std::vector<std::string> &ids) {
	order.resize(order.size() - ids.size());
	for (std::size_t i = ids.size(); i-- > 0;)
		forget(ids[i]);
}

// dress puts a node in its place and sets its properties. Those that are state come
// after the first values, which may read the others.
void Machine::dress(const std::string &id, const Value &at, const Value &overrides) {
	if (!at.isNull())
		setProperty(id, "position", at);
	if (!overrides.is(Kind::Object))
		return;
	for (const std::string &k : overrides.fields().keys)
		if (slotOf.count({id, k}) == 0)
			setProperty(id, k, overrides.fields().get(k));
}

// instantiate makes the nodes of an instance, and rows of its own. They are taken back
// with the turn.
Machine::Born Machine::instantiate(int which, const std::string &above) {
	const Program::Template &like = p.templates[static_cast<std::size_t>(which)];
	const Born it = std::make_shared<Instance>();
	it->of = which;
	for (const std::string &id : like.nodes) {
		const bool first = it->nodes.empty();
		const auto found = prototypes.find(id);
		const Home up = found != prototypes.end() ? homeOf(found->second.parent) : Home();
		Node n{"", above, like.name, Value()};
		if (!first) {
			n.parent = it->nodes[up.of == which && up.at < homeOf(id).at ? static_cast<std::size_t>(up.at) : 0];
			n.name = found != prototypes.end() ? found->second.name : id;
		}
		const std::string own = arrive(std::move(n), id);
		it->nodes.push_back(own);
		lives[own] = it;
		const Value has = found != prototypes.end() ? found->second.properties : Value();
		if (has.is(Kind::Object))
			for (const std::string &k : has.fields().keys)
				keep(own, k, copyOf(*has.fields().find(k), MaxDepth));
	}
	furnish(it);
	born.push_back(it);
	undo.push_back([this, it] {
		born.erase(std::remove(born.begin(), born.end(), it), born.end());
		depart(it->nodes);
	});
	return it;
}

void Machine::firstValues(const Instance &it) {
	const std::vector<int> &own = templates[static_cast<std::size_t>(it.of)].slots;
	for (std::size_t i = 0; i < own.size() && !failed(); i++) {
		const Program::Slot &s = p.state[static_cast<std::size_t>(own[i])];
		const Value v = s.fn < 0 ? p.constants[static_cast<std::size_t>(s.constant)] : call(functionFor(&it, s.fn), {});
		if (!failed())
			slots[static_cast<std::size_t>(it.slots) + i] = v;
	}
}

// furnish gives an instance slots, computed values and functions: those of one that
// is no more, or new ones.
void Machine::furnish(const Born &it) {
	Template &t = templates[static_cast<std::size_t>(it->of)];
	rows += t.rows;
	if (!t.free.empty()) {
		it->slots = t.free.back().slots;
		it->computed = t.free.back().computed;
		it->functions = t.free.back().functions;
		t.free.pop_back();
	} else {
		it->slots = sizeOf(slots.size());
		it->computed = sizeOf(caches.size());
		it->functions = sizeOf(functions.size());
		slots.resize(slots.size() + t.slots.size());
		slotRows.resize(slots.size());
		caches.resize(caches.size() + t.computed.size());
		computedRows.resize(caches.size());
		functions.resize(functions.size() + t.functions.size());
	}
	for (std::size_t i = 0; i < t.slots.size(); i++) {
		const Program::Slot &s = p.state[static_cast<std::size_t>(t.slots[i])];
		const int at = it->slots + static_cast<int>(i);
		slotRows[static_cast<std::size_t>(at)] = {nodeFor(it.get(), s.owner), &s.key, s.fn};
		slotOf.emplace(Key(nodeFor(it.get(), s.owner), s.key), at);
	}
	for (std::size_t i = 0; i < t.computed.size(); i++) {
		const Program::Computed &c = p.computed[static_cast<std::size_t>(t.computed[i])];
		const int at = it->computed + static_cast<int>(i);
		computedRows[static_cast<std::size_t>(at)] = {nodeFor(it.get(), c.owner), &c.key, functionFor(it.get(), c.fn)};
		computedOf.emplace(Key(nodeFor(it.get(), c.owner), c.key), at);
	}
	for (std::size_t i = 0; i < t.functions.size(); i++) {
		const Function &f = p.functions[static_cast<std::size_t>(t.functions[i])];
		const int at = it->functions + static_cast<int>(i);
		functions[static_cast<std::size_t>(at)] = std::make_shared<Routine>(Routine{&f, nodeFor(it.get(), f.owner), it});
		byName.emplace(Key(nodeFor(it.get(), f.owner), f.name), at);
	}
}

// release takes the slots, computed values and functions of an instance back.
void Machine::release(Instance &it) {
	Template &t = templates[static_cast<std::size_t>(it.of)];
	for (std::size_t i = 0; i < t.slots.size(); i++) {
		const std::size_t at = static_cast<std::size_t>(it.slots) + i;
		slotOf.erase({slotRows[at].owner, *slotRows[at].key});
		slotRows[at].owner.clear();
		slots[at] = Value();
	}
	for (std::size_t i = 0; i < t.computed.size(); i++) {
		const std::size_t at = static_cast<std::size_t>(it.computed) + i;
		computedOf.erase({computedRows[at].owner, *computedRows[at].key});
		caches[at] = Cached();
	}
	for (std::size_t i = 0; i < t.functions.size(); i++) {
		Code &f = functions[static_cast<std::size_t>(it.functions) + i];
		byName.erase({f->owner, f->code->name});
		f.reset();
	}
	it.dead = true;
	t.free.push_back({it.slots, it.computed, it.functions});
	rows -= t.rows;
}

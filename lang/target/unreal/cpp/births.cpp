// How what was spawned begins, and how what was destroyed ends.

void Machine::retarget(Program::TreeNode &n, const Instance *it) const {
	n.fn = functionFor(it, n.fn);
	for (Program::TreeNode &c : n.children)
		retarget(c, it);
}

// bear lets the rows of an instance act, in the order of the program: it is bound,
// its machines enter, its trees, schedules and timelines begin, and it hears so.
void Machine::bear(const Born &it) {
	const std::string root = it->nodes[0];
	if (it->dead || gone.count(root) > 0)
		return;
	const Template &t = templates[static_cast<std::size_t>(it->of)];
	const Instance *own = it.get();
	const auto fn = [&](int f) { return functionFor(own, f); };
	const auto id = [&](const std::string &like) { return nodeFor(own, like); };
	const auto at = [](const auto &table, int i) { return table[static_cast<std::size_t>(i)]; };
	if (host)
		for (std::size_t i = 0; i < t.slots.size(); i++) {
			const std::size_t slot = static_cast<std::size_t>(it->slots) + i;
			host->stateChanged(slotRows[slot].owner, *slotRows[slot].key, slots[slot]);
		}
	for (const int i : t.watches)
		watches.push_back({slotFor(own, at(p.watches, i).state), fn(at(p.watches, i).fn)});
	const std::size_t bound = binds.size();
	for (const int i : t.binds) {
		const Program::Bind b = at(p.binds, i);
		binds.push_back({id(b.node), b.property, fn(b.fn)});
	}
	for (const int i : t.handlers) {
		const Program::Handler h = at(p.handlers, i);
		hear({id(h.node), h.event, fn(h.fn)});
	}
	for (const int i : t.subscriptions) {
		const Program::Subscription s = at(p.subscriptions, i);
		subscriptions.push_back({id(s.from), s.event, id(s.owner), fn(s.fn)});
	}
	for (const int i : t.wires) {
		const Program::Wire w = at(p.wires, i);
		wires.push_back({id(w.from), w.event, w.set < 0 ? w.set : slotFor(own, w.set), fn(w.fn), w.args});
	}
	for (std::size_t i = bound; i < binds.size(); i++)
		bind(binds[i]);
	handling = false;
	for (const int i : t.machines) {
		const auto row = std::make_shared<Program::StateMachine>(at(p.machines, i));
		row->node = id(row->node);
		for (Program::State &s : row->states) {
			s.entry = fn(s.entry);
			s.exit = fn(s.exit);
			for (Program::Transition &way : s.on) {
				way.guard = fn(way.guard);
				way.action = fn(way.action);
			}
		}
		running.push_back({row, -1, 0, false});
		move(running.size() - 1, row->initial, -1);
	}
	for (const int i : t.trees) {
		const auto row = std::make_shared<Program::Tree>(at(p.trees, i));
		row->node = id(row->node);
		retarget(row->root, own);
		walk(row);
	}
	for (const int i : t.schedules) {
		Program::Schedule s = at(p.schedules, i);
		s.fn = fn(s.fn);
		schedules.push_back({s, after(s.after), true});
	}
	for (const int i : t.timelines) {
		const auto row = std::make_shared<Program::Timeline>(at(p.timelines, i));
		for (auto &s : row->steps)
			s.second = fn(s.second);
		lines.push_back({row, row->autoplay, steps, 0});
	}
	for (const char *name : {"init", "mount", "start"})
		if (hears(name))
			queue.push_back({root, name, Value(), true});
	flush();
}

namespace {
template <class T, class F> void drop(std::vector<T> &rows, const F &is) { rows.erase(std::remove_if(rows.begin(), rows.end(), is), rows.end()); }
} // namespace

// bury ends what was destroyed, with all that lies below it: its rows act no more,
// and what was spawned is forgotten.
void Machine::bury() {
	if (ending.empty())
		return;
	std::unordered_set<std::string> dead(ending.begin(), ending.end());
	ending.clear();
	for (const std::string &id : order)
		if (dead.count(node(id)->parent) > 0)
			dead.insert(id);
	const auto isDead = [&](const std::string &id) { return dead.count(id) > 0; };
	const auto isDeadFn = [&](int fn) { return isDead(ownerOf(fn)); };
	drop(hearing, [&](const Program::Handler &h) {
		if (!isDead(h.node))
			return false;
		const auto it = heard.find(h.event);
		if (--it->second == 0)
			heard.erase(it);
		return true;
	});
	drop(binds, [&](const Program::Bind &b) { return isDead(b.node); });
	drop(subscriptions, [&](const Program::Subscription &s) { return isDead(s.owner); });
	drop(watches, [&](const Program::Watch &w) { return isDeadFn(w.fn); });
	drop(wires, [&](const Program::Wire &w) { return isDeadFn(w.fn); });
	drop(schedules, [&](const Due &s) { return isDeadFn(s.row.fn); });
	drop(lines, [&](const Line &l) { return !l.row->steps.empty() && isDeadFn(l.row->steps[0].second); });
	drop(running, [&](const Running &r) { return isDead(r.row->node); });
	drop(walks, [&](const Walk &w) { return isDead(w.tree->node); });
	drop(waiting, [&](const Waiting &w) {
		const std::vector<Frame> &all = w.thread->frames;
		return std::any_of(all.begin(), all.end(), [&](const Frame &f) { return isDead(f.fn->owner); });
	});
	drop(tweens, [&](const std::shared_ptr<Tween> &t) { return isDead(t->node); });
	std::vector<std::string> forgotten;
	drop(order, [&](const std::string &id) {
		if (!isDead(id) || made_nodes.count(id) == 0)
			return false;
		forgotten.push_back(id);
		return true;
	});
	for (std::size_t i = forgotten.size(); i-- > 0;)
		forget(forgotten[i]);
}

// forget lets go of a node that was spawned.
void Machine::forget(const std::string &id) {
	const auto of = lives.find(id);
	if (of != lives.end()) {
		const Born it = of->second;
		lives.erase(of);
		if (!it->dead && it->nodes[0] == id)
			release(*it);
		else if (!it->dead)
			disown(*it, id);
	}
	for (const std::string &key : {id, id + "/state"}) {
		const auto all = properties.find(key);
		if (all == properties.end())
			continue;
		property_count -= all->second.size();
		properties.erase(all);
	}
	nodes.erase(id);
	made_nodes.erase(id);
	gone.erase(id);
	if (host)
		host->destroyed(id);
}

// disown lets go of the names of a node whose instance lives on without it.
void Machine::disown(const Instance &it, const std::string &id) {
	const Template &t = templates[static_cast<std::size_t>(it.of)];
	for (std::size_t i = 0; i < t.slots.size(); i++) {
		Row &row = slotRows[static_cast<std::size_t>(it.slots) + i];
		if (row.owner == id)
			slotOf.erase({id, *row.key});
	}
	for (std::size_t i = 0; i < t.computed.size(); i++) {
		const Row &row = computedRows[static_cast<std::size_t>(it.computed) + i];
		if (row.owner == id)
			computedOf.erase({id, *row.key});
	}
	for (std::size_t i = 0; i < t.functions.size(); i++) {
		const Code &f = functions[static_cast<std::size_t>(it.functions) + i];
		if (f->owner == id)
			byName.erase({id, f->code->name});
	}
}

// Turns: what an event begins, and what comes of a turn that faults.

void Machine::drain() {
	while (!tight()) {
		if (!born.empty()) {
			const Born next = born.front();
			born.pop_front();
			if (floods())
				return;
			bear(next);
			continue;
		}
		if (!ready.empty()) {
			const std::shared_ptr<Thread> t = ready.front();
			ready.pop_front();
			budget = turnLimit;
			carry(std::string(t->frames[0].fn->owner), t);
			flush();
			continue;
		}
		if (queue.empty()) {
			bury();
			cascade = 0;
			return;
		}
		if (floods())
			return;
		const Event e = queue.front();
		queue.pop_front();
		turnOf(e);
	}
}

// floods counts what follows from each other, and lets go of all that waits when it
// is too much.
bool Machine::floods() {
	if (++cascade <= MaxEvents)
		return false;
	report(SceneOwner, Fault{"RUN003", "more than " + std::to_string(MaxEvents) + " events follow from each other", "", 0, 0, Value()});
	queue.clear();
	born.clear();
	cascade = 0;
	return true;
}

void Machine::turnOf(const Event &e) {
	note("event", e.node, e.name, e.payload);
	stopped = false;
	budget = turnLimit;
	handling = true;
	if (e.within) {
		for (const Program::Handler &h : hearing)
			if (h.event == e.name && below(h.node, e.node))
				begin(h.node, h.fn, {e.payload});
		machineEvent(e);
		flush();
		handling = false;
		return;
	}
	const bool everywhere = e.node == Everywhere;
	handlers(e, e.node, everywhere);
	for (const Program::Wire &w : wires)
		if (w.event == e.name && (everywhere || w.from == e.node))
			wire(w, e);
	if (!everywhere)
		for (std::string at = parent(e.node); !at.empty() && !stopped; at = parent(at))
			handlers(e, at, false);
	if (!stopped)
		for (const Program::Subscription &s : subscriptions)
			if (s.event == e.name && (everywhere || s.from == e.node))
				begin(s.owner, s.fn, {e.payload});
	machineEvent(e);
	flush();
	handling = false;
}

void Machine::handlers(const Event &e, const std::string &at, bool everywhere) {
	if (!hears(e.name))
		return;
	for (const Program::Handler &h : hearing)
		if (h.event == e.name && (everywhere || h.node == at))
			begin(h.node, h.fn, {e.payload});
}

// parent is the node above; above the topmost nodes and modules is the scene.
std::string Machine::parent(const std::string &id) const {
	if (id == SceneOwner || id == Everywhere)
		return "";
	const Node *n = node(id);
	return n && !n->parent.empty() ? n->parent : SceneOwner;
}

void Machine::wire(const Program::Wire &w, const Event &e) {
	const std::string owner = ownerOf(w.fn);
	if (w.set >= 0) {
		atomically(owner, [&] {
			const Value v = call(w.fn, {e.payload});
			if (!failed())
				set(w.set, v);
		});
		return;
	}
	Args args;
	for (const int a : w.args)
		args.push_back(p.constants[static_cast<std::size_t>(a)]);
	args.push_back(e.payload);
	begin(owner, w.fn, args);
}

// begin runs a function as a turn that may wait.
void Machine::begin(const std::string &owner, int fn, const Args &args) {
	if (!handling)
		budget = turnLimit;
	carry(owner, thread(routine(fn), args, {}, 0));
}

void Machine::carry(const std::string &owner, const std::shared_ptr<Thread> &t) {
	atomically(owner, [&] {
		Value out;
		if (!resume(*t, out) || failed())
			return;
		if (sizeOf(waiting.size() + ready.size()) >= MaxWaiting)
			fail("RUN003", "more than " + std::to_string(MaxWaiting) + " turns wait");
		else
			waiting.push_back({after(sleeping), t, owner});
	});
}

// atomically holds a piece of work together: when it faults, nothing that it wrote
// stays.
bool Machine::atomically(const std::string &owner, const std::function<void()> &work) {
	turn++;
	made = 0;
	undo.clear();
	const std::size_t events = queue.size(), changes = changed.size(), waits = waiting.size();
	if (!handling)
		budget = turnLimit;
	work();
	if (!failed()) {
		held += made;
		if (held > MaxHeld && (held = measure()) > MaxHeld)
			large("the state is too large");
	}
	if (!failed()) {
		for (std::size_t i = changes; i < changed.size(); i++) {
			const std::size_t slot = static_cast<std::size_t>(changed[i].slot);
			note("set", slotRows[slot].owner, *slotRows[slot].key, slots[slot]);
			if (host)
				host->stateChanged(slotRows[slot].owner, *slotRows[slot].key, slots[slot]);
		}
		return true;
	}
	const Fault f = *fault;
	fault.reset();
	while (!undo.empty()) {
		const std::function<void()> back = std::move(undo.back());
		undo.pop_back();
		back();
	}
	version++;
	if (queue.size() > events)
		queue.resize(events);
	changed.resize(changes);
	if (waiting.size() > waits)
		waiting.resize(waits);
	report(owner, f);
	return false;
}

Value Machine::valueOf(const Fault &f) {
	if (f.code == "RUN006" && !f.thrown.is(Kind::Text))
		return f.thrown;
	Value out = Value::object();
	out.fields().put("message", Value::str(f.message));
	out.fields().put("code", Value::str(f.code));
	return out;
}

// report brings a fault to the nearest handler of errors.
void Machine::report(const std::string &owner, const Fault &f) {
	note("fault", owner, f.code, Value::str(f.message), &f);
	if (host)
		host->faulted(owner, f);
	if (faulted) // a fault of a handler of errors itself
		return;
	faulted = true;
	bool found = false;
	for (std::string at = owner; !at.empty() && !found; at = parent(at)) {
		for (const Program::Handler &h : hearing) {
			if (h.event != "error" || h.node != at)
				continue;
			const int was = budget;
			budget = turnLimit;
			carry(at, thread(routine(h.fn), {valueOf(f)}, {}, depth));
			budget = was;
			found = true;
			break;
		}
	}
	faulted = false;
}

void Machine::set(int slot, const Value &v) {
	const std::size_t i = static_cast<std::size_t>(slot);
	const Value old = slots[i];
	undo.push_back([this, i, old] { slots[i] = old; });
	slots[i] = v;
	version++;
	if (!v.is(Kind::List) && !v.is(Kind::Object) && equal(old, v))
		return;
	for (const Change &c : changed)
		if (c.slot == slot)
			return;
	changed.push_back({slot, old});
}

// touch saves a list or an object before it changes, once in a turn.
void Machine::touch(const Value &v) {
	version++;
	if (v.is(Kind::List)) {
		const std::shared_ptr<List> l = v.share<List>();
		if (l->turn == turn)
			return;
		l->turn = turn;
		made += sizeOf(l->items.size());
		undo.push_back([l, items = l->items]() mutable { l->items = std::move(items); });
	} else if (v.is(Kind::Object)) {
		const std::shared_ptr<Object> o = v.share<Object>();
		if (o->turn == turn)
			return;
		o->turn = turn;
		made += sizeOf(o->keys.size());
		undo.push_back([o, keys = o->keys, values = o->values]() mutable {
			o->keys = std::move(keys);
			o->values = std::move(values);
		});
	}
}

void Machine::touch(Box &b, const Value &keep) {
	if (b.turn == turn)
		return;
	b.turn = turn;
	const std::shared_ptr<Box> box = keep.share<Box>();
	undo.push_back([box, old = b.v] { box->v = old; });
}

Value Machine::computed(int n) {
	const std::size_t i = static_cast<std::size_t>(n);
	if (caches[i].fresh && caches[i].version == version)
		return caches[i].v;
	if (caches[i].busy)
		return fail("RUN002", "computed '" + *computedRows[i].key + "' needs itself");
	caches[i].busy = true;
	const Value v = call(computedRows[i].fn, {});
	caches[i].busy = false;
	if (failed())
		return Value();
	caches[i] = {v, true, false, version};
	return v;
}

// flush runs the watches of what changed, and then the bound properties.
void Machine::flush() {
	if (changed.empty())
		return;
	const std::vector<Change> now = std::move(changed);
	changed.clear();
	for (const Program::Watch &w : watches) {
		for (const Change &c : now) {
			if (c.slot != w.state)
				continue;
			handling = false;
			begin(ownerOf(w.fn), w.fn, {slots[static_cast<std::size_t>(w.state)], c.old});
		}
	}
	bindAll();
	const bool again = !changed.empty();
	changed.clear();
	if (again)
		bindAll(); // what watches wrote is seen by the next flush
}

void Machine::bindAll() {
	for (const Program::Bind &b : binds)
		bind(b);
}

void Machine::bind(const Program::Bind &b) {
	handling = false;
	atomically(b.node, [&] {
		const Value v = call(b.fn, {});
		if (!failed() && !equal(property(b.node, b.property), v))
			setProperty(b.node, b.property, v);
	});
}

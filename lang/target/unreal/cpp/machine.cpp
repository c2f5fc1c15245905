// The machine: how it begins, and how time passes.

const char *const SceneOwner = "scene";
const char *const Everywhere = "*";

Machine::Machine(Program program_, std::vector<Node> list_, Host *host_, bool longTurns)
	: p(std::move(program_)), host(host_), MaxStepNow(MaxStep), turnLimit(longTurns ? MaxLong : MaxTurn), random(p.seed) {
	for (int i = 0; i < 12; i++)
		chance(); // the first numbers still show the seed
	for (Node &n : list_) {
		order.push_back(n.id);
		if (n.properties.is(Kind::Object))
			for (const std::string &k : n.properties.fields().keys)
				properties[{n.id, k}] = copyOf(*n.properties.fields().find(k), MaxDepth);
		n.properties = Value();
		const std::string id = n.id;
		nodes[id] = std::move(n);
	}
	for (std::size_t i = 0; i < p.state.size(); i++)
		slotOf.emplace(Key(p.state[i].owner, p.state[i].key), static_cast<int>(i));
	for (std::size_t i = 0; i < p.functions.size(); i++)
		byName.emplace(Key(p.functions[i].owner, p.functions[i].name), static_cast<int>(i));
	for (const Program::Handler &h : p.handlers)
		heard.insert(h.event);
	slots.resize(p.state.size());
	caches.resize(p.computed.size());
}

void Machine::start() {
	const int limit = turnLimit;
	turnLimit = MaxLong;
	for (std::size_t i = 0; i < p.state.size(); i++) {
		const Program::Slot &s = p.state[i];
		if (s.fn < 0) {
			slots[i] = p.constants[static_cast<std::size_t>(s.constant)];
			continue;
		}
		if (spent > MaxInit) {
			report(s.owner, Fault{"RUN001", "the first values take more than " + std::to_string(MaxInit) + " instructions", "", 0, 0, Value()});
			break;
		}
		atomically(s.owner, [&] { slots[i] = call(s.fn, {}, {}); });
	}
	changed.clear();
	bindAll();
	turnLimit = limit;
	for (std::size_t i = 0; i < p.machines.size(); i++) {
		running.push_back({});
		move(i, p.machines[i].initial, -1);
	}
	for (const Program::Tree &t : p.trees)
		walks.push_back({&t, visitOf(t.root), 0, false});
	for (const Program::Schedule &s : p.schedules)
		schedules.push_back({after(s.after), true});
	for (const Program::Timeline &t : p.timelines)
		lines.push_back({t.autoplay, 0, 0});
	for (const char *name : {"init", "mount", "start"})
		if (hears(name))
			queue.push_back({Everywhere, name, Value()});
	drain();
}

int Machine::after(double seconds) const { return steps + static_cast<int>(std::min(2e9 - steps, std::ceil(seconds * p.spatial - 1e-9))); }

void Machine::inject(const std::string &id, const std::string &name, const Value &payload) {
	if (sizeOf(queue.size()) < MaxEvents)
		queue.push_back({id, name, payload});
}

void Machine::step() {
	steps++;
	spent = 0;
	cascade = 0;
	runSchedules();
	runTimelines();
	std::vector<Waiting> kept;
	for (Waiting &w : waiting) {
		if (w.at <= steps)
			ready.push_back(std::move(w.thread));
		else
			kept.push_back(std::move(w));
	}
	waiting = std::move(kept);
	runTimers();
	drain();
	runTweens();
	runTrees();
	if (hears("update") && !tight()) {
		bool there = false;
		for (const Event &e : queue)
			there = there || (e.name == "update" && e.node == Everywhere);
		if (!there)
			queue.push_back({Everywhere, "update", Value::num(1.0 / p.spatial)});
	}
	drain();
}

void Machine::put(const std::string &owner, const std::string &key, const Value &v) {
	const auto it = slotOf.find({owner, key});
	if (it == slotOf.end())
		return;
	handling = false;
	const int slot = it->second;
	atomically(owner, [&] { set(slot, v); });
	flush();
}

Value Machine::state(const std::string &owner, const std::string &key) const {
	const auto it = slotOf.find({owner, key});
	return it != slotOf.end() ? slots[static_cast<std::size_t>(it->second)] : property(owner + "/state", key);
}

Value Machine::property(const std::string &id, const std::string &key) const {
	const auto it = properties.find({id, key});
	return it != properties.end() ? it->second : Value();
}

void Machine::place(const std::string &id, const std::string &key, const Value &v) {
	properties[{id, key}] = v;
	version++;
}

const Node *Machine::node(const std::string &id) const {
	const auto it = nodes.find(id);
	return it != nodes.end() ? &it->second : nullptr;
}

double Machine::chance() {
	std::uint32_t &a = random[0], &b = random[1], &c = random[2], &d = random[3];
	std::uint32_t t = a + b + d;
	d++;
	a = b ^ (b >> 9);
	b = c + (c << 3);
	c = (c << 21) | (c >> 11);
	c += t;
	return static_cast<double>(t) / 4294967296.0;
}

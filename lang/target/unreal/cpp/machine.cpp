// The machine: how it begins, and how time passes.

const char *const SceneOwner = "scene";
const char *const Everywhere = "*";

Machine::Machine(Program program_, std::vector<Node> list_, Host *host_, bool longTurns)
	: p(std::move(program_)), host(host_), MaxStepNow(MaxStep), turnLimit(longTurns ? MaxLong : MaxTurn), random(p.seed) {
	for (int i = 0; i < 12; i++)
		chance(); // the first numbers still show the seed
	sortOut(list_);
}

void Machine::start() {
	const int limit = turnLimit;
	turnLimit = MaxLong;
	for (std::size_t i = 0; i < p.state.size(); i++) {
		const Program::Slot &s = p.state[i];
		if (!isLive(s.owner))
			continue;
		if (s.fn < 0) {
			slots[i] = p.constants[static_cast<std::size_t>(s.constant)];
			continue;
		}
		if (spent > MaxInit) {
			report(s.owner, Fault{"RUN001", "the first values take more than " + std::to_string(MaxInit) + " instructions", "", 0, 0, Value()});
			break;
		}
		atomically(s.owner, [&] { slots[i] = call(s.fn, {}); });
	}
	changed.clear();
	bindAll();
	turnLimit = limit;
	for (const Program::StateMachine &d : p.machines) {
		if (!isLive(d.node))
			continue;
		running.push_back({std::make_shared<Program::StateMachine>(d), -1, 0, false});
		move(running.size() - 1, d.initial, -1);
	}
	for (const Program::Tree &t : p.trees)
		if (isLive(t.node))
			walk(std::make_shared<Program::Tree>(t));
	for (const Program::Schedule &s : p.schedules)
		if (isLiveFn(s.fn))
			schedules.push_back({s, after(s.after), true});
	for (const Program::Timeline &t : p.timelines)
		if (t.steps.empty() || isLiveFn(t.steps[0].second))
			lines.push_back({std::make_shared<Program::Timeline>(t), t.autoplay, 0, 0});
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
	const Value *v = held_property(id, key);
	return v ? *v : Value();
}

const Value *Machine::held_property(const std::string &id, const std::string &key) const {
	const auto all = properties.find(id);
	if (all == properties.end())
		return nullptr;
	const auto it = all->second.find(key);
	return it != all->second.end() ? &it->second : nullptr;
}

void Machine::keep(const std::string &id, const std::string &key, const Value &v) {
	if (properties[id].insert_or_assign(key, v).second)
		property_count++;
}

void Machine::place(const std::string &id, const std::string &key, const Value &v) {
	keep(id, key, v);
	version++;
}

const Node *Machine::node(const std::string &id) const {
	const auto it = nodes.find(id);
	return it != nodes.end() ? &it->second : nullptr;
}

void Machine::eachState(const std::function<void(const std::string &, const std::string &, const Value &)> &tell) const {
	for (std::size_t i = 0; i < slotRows.size(); i++)
		if (!slotRows[i].owner.empty() && isLive(slotRows[i].owner))
			tell(slotRows[i].owner, *slotRows[i].key, slots[i]);
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

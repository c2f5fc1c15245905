// State machines at work.

// chainOf is a state with those around it, innermost first.
std::vector<int> chainOf(const Program::StateMachine &d, int state) {
	std::vector<int> out;
	for (; state >= 0; state = d.states[static_cast<std::size_t>(state)].parent)
		out.push_back(state);
	return out;
}

// move leaves the states that are not around the new one, runs the action of the
// transition and enters, the outer states first.
void Machine::move(std::size_t i, int to, int action) {
	const Program::StateMachine &d = *running[i].row;
	const int from = running[i].state;
	const std::vector<int> old = chainOf(d, from), now = chainOf(d, to);
	std::size_t common = 0;
	if (from == to)
		common = now.empty() ? 0 : now.size() - 1;
	else
		while (common < old.size() && common < now.size() && old[old.size() - 1 - common] == now[now.size() - 1 - common])
			common++;
	const auto act = [&](int fn) {
		if (fn >= 0)
			begin(d.node, fn, {});
	};
	for (std::size_t j = 0; j + common < old.size(); j++)
		act(d.states[static_cast<std::size_t>(old[j])].exit);
	act(action);
	running[i].state = to;
	running[i].since = steps;
	running[i].fired = false;
	for (std::size_t j = now.size() - common; j-- > 0;)
		act(d.states[static_cast<std::size_t>(now[j])].entry);
	const std::string name = d.states[static_cast<std::size_t>(to)].name;
	note("state", d.node, name, Value());
	if (from >= 0 && hears("state_exit"))
		queue.push_back({d.node, "state_exit", Value::str(d.states[static_cast<std::size_t>(from)].name)});
	if (hears("state_enter"))
		queue.push_back({d.node, "state_enter", Value::str(name)});
}

// machineEvent offers an event to the machines of its node and of those above; or to
// those of its node and below.
void Machine::machineEvent(const Event &e) {
	for (std::size_t i = 0; i < running.size(); i++) {
		bool takes = e.node == Everywhere;
		const std::string &own = running[i].row->node;
		if (!takes)
			takes = e.within ? below(own, e.node) : below(e.node, own);
		if (takes)
			offer(i, e);
	}
}

// offer takes the first transition whose guard holds: of the state, of the states
// around it, and of those that hold in all.
bool Machine::offer(std::size_t i, const Event &e) {
	const Program::StateMachine &d = *running[i].row;
	std::vector<int> places = chainOf(d, running[i].state);
	for (std::size_t j = 0; j < d.states.size(); j++)
		if (d.states[j].name == "*")
			places.push_back(static_cast<int>(j));
	for (const int s : places) {
		for (const Program::Transition &t : d.states[static_cast<std::size_t>(s)].on) {
			if (t.event != e.name || (t.guard >= 0 && !holds(d.node, t.guard, e.payload)))
				continue;
			move(i, t.to, t.action);
			return true;
		}
	}
	if (e.payload.is(Kind::Text) && e.name == "transition" && e.payload.text() != "*") { // transition("open")
		for (std::size_t j = 0; j < d.states.size(); j++) {
			if (d.states[j].name == e.payload.text()) {
				move(i, static_cast<int>(j), -1);
				return true;
			}
		}
	}
	return false;
}

// holds asks a guard or a condition; what it writes stays undone when it faults.
bool Machine::holds(const std::string &owner, int fn, const Value &payload) {
	bool yes = false;
	const bool held_together = atomically(owner, [&] { yes = truthy(call(fn, {payload})); });
	return held_together && yes;
}

// runTimers lets the states time out that were held for long enough.
void Machine::runTimers() {
	for (std::size_t i = 0; i < running.size(); i++) {
		const Program::StateMachine &d = *running[i].row;
		for (const int s : chainOf(d, running[i].state)) {
			const Program::State &state_at = d.states[static_cast<std::size_t>(s)];
			if (state_at.after < 0 || running[i].fired || static_cast<double>(steps - running[i].since) / p.spatial < state_at.after - 1e-9)
				continue;
			running[i].fired = true;
			handling = false;
			if (!offer(i, {d.node, "timeout", Value()}) && state_at.then >= 0)
				move(i, state_at.then, -1);
			flush();
			break;
		}
	}
}

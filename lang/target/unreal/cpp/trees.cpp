// Behaviour trees at work.

Machine::Visit Machine::visitOf(const Program::TreeNode &n) {
	Visit v;
	v.node = &n;
	for (const Program::TreeNode &c : n.children)
		v.children.push_back(visitOf(c));
	return v;
}

void Machine::walk(std::shared_ptr<const Program::Tree> t) {
	Visit root = visitOf(t->root);
	walks.push_back({std::move(t), std::move(root), 0, false});
}

// reset makes a node as if it had not begun; a cooldown goes on.
void Machine::reset(Visit &v) {
	v.at = 0;
	v.order.clear();
	v.ordered = false;
	v.since = -1;
	v.times = 0;
	v.done.clear();
	for (Visit &c : v.children)
		reset(c);
}

// runTrees ticks the trees whose time has come.
void Machine::runTrees() {
	for (Walk &w : walks) {
		if (w.over || tight() || steps < w.next - 1e-9)
			continue;
		w.next = std::max(w.next, static_cast<double>(steps - 1)) + p.spatial / w.tree->rate;
		int left = MaxEvents;
		handling = false;
		if (tick(w.tree->node, w.root, left) != Outcome::Ongoing) {
			reset(w.root);
			w.over = !w.tree->restart;
		}
		if (left < 0)
			report(w.tree->node, Fault{"RUN003", "a tick takes more than " + std::to_string(MaxEvents) + " tree nodes", "", 0, 0, Value()});
		flush();
	}
}

bool Machine::elapsed(const Visit &v) const { return static_cast<double>(steps - v.since) / p.spatial >= v.node->duration - 1e-9; }

Machine::Outcome Machine::tick(const std::string &owner, Visit &v, int &left) {
	if (--left < 0)
		return Outcome::Failure;
	if (v.since < 0)
		v.since = steps;
	const Program::TreeNode &n = *v.node;
	const std::string &type = n.type;
	if (among(type, {"sequence", "selector", "random_selector"}))
		return tickInOrder(owner, v, left);
	if (type == "parallel")
		return tickAll(owner, v, left);
	if (type == "inverter" || type == "succeeder") {
		const Outcome r = tick(owner, v.children[0], left);
		if (r == Outcome::Ongoing)
			return r;
		return type == "inverter" && r == Outcome::Success ? Outcome::Failure : Outcome::Success;
	}
	if (among(type, {"repeater", "retry", "until_fail"}))
		return tickAgain(v, tick(owner, v.children[0], left));
	if (type == "cooldown") {
		if (steps < v.until)
			return Outcome::Failure;
		const Outcome r = tick(owner, v.children[0], left);
		if (r != Outcome::Ongoing) {
			v.until = after(n.duration);
			reset(v.children[0]);
		}
		return r;
	}
	if (type == "guard") {
		if (!holds(owner, n.fn, Value())) {
			reset(v.children[0]);
			return Outcome::Failure;
		}
		return tick(owner, v.children[0], left);
	}
	if (type == "timeout") {
		const Outcome r = tick(owner, v.children[0], left);
		if (r == Outcome::Ongoing && elapsed(v)) {
			reset(v.children[0]);
			return Outcome::Failure;
		}
		return r;
	}
	if (type == "condition")
		return holds(owner, n.fn, Value()) ? Outcome::Success : Outcome::Failure;
	if (type == "wait")
		return elapsed(v) ? Outcome::Success : Outcome::Ongoing;
	return tickAction(owner, n.fn);
}

// tickAction calls the function of a leaf. What it gives is the result by name;
// false is failure, and so is a fault.
Machine::Outcome Machine::tickAction(const std::string &owner, int fn) {
	Outcome out = Outcome::Failure;
	atomically(owner, [&] {
		const Value v = call(fn, {});
		const bool no = failed() || (v.is(Kind::Bool) && !v.flag()) || (v.is(Kind::Text) && v.text() == "failure");
		if (!no)
			out = v.is(Kind::Text) && v.text() == "running" ? Outcome::Ongoing : Outcome::Success;
	});
	return out;
}

// tickInOrder goes through the children until one decides, and comes back to the
// one that runs.
Machine::Outcome Machine::tickInOrder(const std::string &owner, Visit &v, int &left) {
	const Outcome goOn = v.node->type == "sequence" ? Outcome::Success : Outcome::Failure;
	if (v.node->type == "random_selector" && !v.ordered) {
		const int n = sizeOf(v.children.size());
		v.ordered = true;
		v.order.clear();
		for (int i = 0; i < n; i++)
			v.order.push_back(i);
		for (int i = n - 1; i > 0; i--)
			std::swap(v.order[static_cast<std::size_t>(i)], v.order[static_cast<std::size_t>(chance() * (i + 1))]);
	}
	const auto rewind = [&] {
		v.at = 0;
		v.order.clear();
		v.ordered = false;
	};
	while (v.at < v.children.size()) {
		Visit &c = v.children[v.ordered ? static_cast<std::size_t>(v.order[v.at]) : v.at];
		const Outcome r = tick(owner, c, left);
		if (r == Outcome::Ongoing)
			return r;
		reset(c);
		if (r != goOn) {
			rewind();
			return r;
		}
		v.at++;
	}
	rewind();
	return goOn;
}

// tickAll runs all children side by side. Policy all succeeds when all do and
// fails with the first; any is the other way round.
Machine::Outcome Machine::tickAll(const std::string &owner, Visit &v, int &left) {
	if (v.done.empty())
		v.done.assign(v.children.size(), Outcome::Ongoing);
	const bool any = v.node->policy == "any";
	const Outcome decides = any ? Outcome::Success : Outcome::Failure, otherwise = any ? Outcome::Failure : Outcome::Success;
	bool more = false;
	for (std::size_t i = 0; i < v.children.size(); i++) {
		if (v.done[i] == Outcome::Ongoing)
			v.done[i] = tick(owner, v.children[i], left);
		if (v.done[i] == decides) {
			reset(v);
			return decides;
		}
		more = more || v.done[i] == Outcome::Ongoing;
	}
	if (more)
		return Outcome::Ongoing;
	reset(v);
	return otherwise;
}

// tickAgain is what a repeating decorator makes of its child: one run in a tick.
Machine::Outcome Machine::tickAgain(Visit &v, Outcome r) {
	if (r == Outcome::Ongoing)
		return r;
	reset(v.children[0]);
	v.times++;
	if (v.node->type == "until_fail")
		return r == Outcome::Failure ? Outcome::Success : Outcome::Ongoing;
	if (v.node->type == "retry" && r == Outcome::Success) {
		v.times = 0;
		return r;
	}
	if (v.node->times > 0 && v.times >= v.node->times) {
		v.times = 0;
		return r;
	}
	return Outcome::Ongoing;
}

// What begins by itself: schedules, timelines, and properties on their way.

// runSchedules begins what is due, in the order of the source.
void Machine::runSchedules() {
	for (std::size_t i = 0; i < schedules.size(); i++) {
		if (!schedules[i].on || schedules[i].at > steps || tight())
			continue;
		const Program::Schedule &d = schedules[i].row;
		if (d.forever)
			schedules[i].at = steps + 1;
		else if (d.every > 0)
			schedules[i].at = std::max(after(d.every), steps + 1);
		else
			schedules[i].on = false;
		handling = false;
		begin(ownerOf(d.fn), d.fn, {});
		flush();
	}
}

// runTimelines begins the steps of timelines that are due. A step may begin its
// timeline anew.
void Machine::runTimelines() {
	for (std::size_t i = 0; i < lines.size(); i++) {
		const std::shared_ptr<const Program::Timeline> row = lines[i].row;
		const Program::Timeline &d = *row;
		const int n = sizeOf(d.steps.size());
		while (!tight()) {
			const Line &t = lines[i];
			if (!t.on || t.next >= n || static_cast<double>(steps - t.since) / p.spatial < d.steps[static_cast<std::size_t>(t.next)].first - 1e-9)
				break;
			const int fn = d.steps[static_cast<std::size_t>(t.next)].second;
			lines[i].next++;
			handling = false;
			begin(ownerOf(fn), fn, {});
			flush();
		}
		if (lines[i].next == n)
			lines[i] = {row, lines[i].on && d.loop && n > 0, steps, 0};
	}
}

// tween sends a property on its way: property, value, seconds and easing, the last
// two also by name. It takes the place of one that was under way.
void Machine::tween(const std::string &id, const Args &a) {
	Value seconds = argument(a, 2), easing = argument(a, 3);
	const Value last = argument(a, std::max<std::size_t>(2, a.empty() ? 0 : a.size() - 1));
	if (last.is(Kind::Object)) {
		if (seconds.address() == last.address())
			seconds = Value();
		if (easing.address() == last.address())
			easing = Value();
		const Value duration = last.fields().get("duration"), ease = last.fields().get("easing");
		if (!duration.isNull())
			seconds = duration;
		if (!ease.isNull())
			easing = ease;
	}
	const auto t = std::make_shared<Tween>();
	t->node = id;
	t->key = printed(argument(a, 0));
	t->easing = "linear";
	t->from = copyOf(property(id, t->key), MaxDepth);
	t->to = copyOf(argument(a, 1), MaxDepth);
	t->since = steps;
	double n = 0;
	if (!seconds.isNull() && asNumber(seconds, n))
		t->seconds = std::isnan(n) ? 0 : std::max(0.0, std::min(Ever, n));
	if (!easing.isNull())
		t->easing = printed(easing);
	std::vector<std::shared_ptr<Tween>> kept;
	for (const auto &o : tweens)
		if (o->node != id || o->key != t->key)
			kept.push_back(o);
	if (sizeOf(kept.size()) >= MaxWaiting) {
		fail("RUN003", "more than " + std::to_string(MaxWaiting) + " properties move");
		return;
	}
	charge(sizeOf(kept.size()) / ChargeElements);
	kept.push_back(t);
	undo.push_back([this, old = tweens] { tweens = old; });
	tweens = std::move(kept);
}

// runTweens moves what is on its way by a step.
void Machine::runTweens() {
	const std::vector<std::shared_ptr<Tween>> now = tweens;
	for (const auto &t : now) {
		if (tight())
			return;
		const double u = t->seconds > 0 ? std::min(1.0, static_cast<double>(steps - t->since) / p.spatial / t->seconds) : 1;
		handling = false;
		const bool ok = atomically(t->node, [&] {
			Value v = t->from;
			if (u >= 1)
				v = copyOf(t->to, MaxDepth);
			else if (t->from.kind() == t->to.kind() && (t->from.is(Kind::List) || t->from.is(Kind::Number)))
				v = between(t->from, t->to, easingAt(t->easing, u));
			setProperty(t->node, t->key, v);
		});
		flush();
		if (ok && u < 1)
			continue;
		tweens.erase(std::remove(tweens.begin(), tweens.end(), t), tweens.end());
		if (ok && hears("animation_end"))
			inject(t->node, "animation_end", Value::str(t->key));
	}
}

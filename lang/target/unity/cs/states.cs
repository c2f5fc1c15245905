// State machines at work.
public sealed partial class Machine {
	sealed class Running { public StateMachine Row; public int State = -1, Since; public bool Fired; }

	readonly List<Running> running = new List<Running>();

	// Chain is a state with those around it, innermost first.
	static List<int> Chain(StateMachine d, int state) {
		var o = new List<int>();
		for (; state >= 0; state = d.States[state].Parent) o.Add(state);
		return o;
	}

	// Enter begins a machine in its first state.
	void Enter(StateMachine row) {
		var r = new Running { Row = row };
		running.Add(r);
		Move(r, row.Initial, -1);
	}

	// Current is the name of the state of a node's machine.
	string Current(string node) {
		foreach (var r in running) if (r.Row.Node == node && r.State >= 0) return r.Row.States[r.State].Name;
		return null;
	}

	void Act(string node, int fn) { if (fn >= 0) Begin(node, fn, new List<object>()); }

	// Move leaves the states that are not around the new one, runs the action and
	// enters, the outer states first.
	void Move(Running r, int to, int action) {
		var d = r.Row;
		int from = r.State, common = 0;
		List<int> old = Chain(d, from), now = Chain(d, to);
		if (from == to) common = Math.Max(0, now.Count - 1);
		else while (common < old.Count && common < now.Count && old[old.Count - 1 - common] == now[now.Count - 1 - common]) common++;
		for (int j = 0; j < old.Count - common; j++) Act(d.Node, d.States[old[j]].Exit);
		Act(d.Node, action);
		r.State = to;
		r.Since = steps;
		r.Fired = false;
		for (int j = now.Count - 1 - common; j >= 0; j--) Act(d.Node, d.States[now[j]].Entry);
		Note("state", d.Node, d.States[to].Name, null, null);
		if (from >= 0 && heardNames.Contains("state_exit")) queue.Add(new Event(d.Node, "state_exit", d.States[from].Name));
		if (heardNames.Contains("state_enter")) queue.Add(new Event(d.Node, "state_enter", d.States[to].Name));
	}

	// OfferAll offers an event to the machines of its node and of those above.
	void OfferAll(Event e) {
		foreach (var r in running) {
			string node = r.Row.Node;
			if (e.Node == Everywhere || (e.Within ? Inside(node, e.Node) : Inside(e.Node, node))) Offer(r, e);
		}
	}

	// Offer takes the first transition whose guard holds.
	bool Offer(Running r, Event e) {
		var d = r.Row;
		var places = Chain(d, r.State);
		for (int j = 0; j < d.States.Length; j++) if (d.States[j].Name == "*") places.Add(j);
		foreach (int s in places) foreach (var t in d.States[s].On) {
			if (t.Event != e.Name || t.Guard >= 0 && !Holds(d.Node, t.Guard, e.Payload)) continue;
			Move(r, t.To, t.Action);
			return true;
		}
		if (e.Name != "transition" || !(e.Payload is string) || (string)e.Payload == "*") return false;
		for (int j = 0; j < d.States.Length; j++) if (d.States[j].Name == (string)e.Payload) { // transition("open")
			Move(r, j, -1);
			return true;
		}
		return false;
	}

	bool Holds(string owner, int fn, object payload) {
		var mark = Open();
		bool yes = Value.Truthy(Call(fn, new List<object> { payload }, null));
		return Close(owner, mark) && yes;
	}

	// Timers lets the states time out that were held for long enough.
	void Timers() {
		foreach (var r in running) {
			var d = r.Row;
			foreach (int s in Chain(d, r.State)) {
				var after = d.States[s].After;
				if (after.Length == 0 || r.Fired || (double)(steps - r.Since) / program.Rate < after[0] - 1e-9) continue;
				r.Fired = true;
				handling = false;
				if (!Offer(r, new Event(d.Node, "timeout", null)) && after[1] >= 0) Move(r, (int)after[1], -1);
				Flush();
				break;
			}
		}
	}
}

// State machines at work.
public sealed partial class Machine {
	sealed class Running { public int State, Since; public bool Fired; }

	readonly List<Running> running = new List<Running>();

	// Chain is a state with those around it, innermost first.
	static List<int> Chain(StateMachine d, int state) {
		var o = new List<int>();
		for (; state >= 0; state = d.States[state].Parent) o.Add(state);
		return o;
	}

	void StartMachines() {
		for (int i = 0; i < program.Machines.Length; i++) {
			running.Add(new Running { State = -1 });
			Move(i, program.Machines[i].Initial, -1);
		}
	}

	// Current is the name of the state of a node's machine.
	string Current(string node) {
		for (int i = 0; i < running.Count; i++)
			if (program.Machines[i].Node == node && running[i].State >= 0) return program.Machines[i].States[running[i].State].Name;
		return null;
	}

	void Act(string node, int fn) { if (fn >= 0) Begin(node, fn, new List<object>()); }

	// Move leaves the states that are not around the new one, runs the action and
	// enters, the outer states first.
	void Move(int i, int to, int action) {
		var d = program.Machines[i];
		int from = running[i].State, common = 0;
		List<int> old = Chain(d, from), now = Chain(d, to);
		if (from == to) common = Math.Max(0, now.Count - 1);
		else while (common < old.Count && common < now.Count && old[old.Count - 1 - common] == now[now.Count - 1 - common]) common++;
		for (int j = 0; j < old.Count - common; j++) Act(d.Node, d.States[old[j]].Exit);
		Act(d.Node, action);
		running[i] = new Running { State = to, Since = steps };
		for (int j = now.Count - 1 - common; j >= 0; j--) Act(d.Node, d.States[now[j]].Entry);
		Note("state", d.Node, d.States[to].Name, null, null);
		if (from >= 0 && heardNames.Contains("state_exit")) queue.Add(new Event(d.Node, "state_exit", d.States[from].Name));
		if (heardNames.Contains("state_enter")) queue.Add(new Event(d.Node, "state_enter", d.States[to].Name));
	}

	// OfferAll offers an event to the machines of its node and of those above.
	void OfferAll(Event e) {
		for (int i = 0; i < running.Count; i++) {
			string node = program.Machines[i].Node;
			bool hears = e.Node == Everywhere;
			for (string at = e.Node; at != "" && !hears; at = Parent(at)) hears = at == node;
			if (hears) Offer(i, e);
		}
	}

	// Offer takes the first transition whose guard holds.
	bool Offer(int i, Event e) {
		var d = program.Machines[i];
		var places = Chain(d, running[i].State);
		for (int j = 0; j < d.States.Length; j++) if (d.States[j].Name == "*") places.Add(j);
		foreach (int s in places) foreach (var t in d.States[s].On) {
			if (t.Event != e.Name || t.Guard >= 0 && !Holds(d.Node, t.Guard, e.Payload)) continue;
			Move(i, t.To, t.Action);
			return true;
		}
		if (e.Name != "transition" || !(e.Payload is string) || (string)e.Payload == "*") return false;
		for (int j = 0; j < d.States.Length; j++) if (d.States[j].Name == (string)e.Payload) { // transition("open")
			Move(i, j, -1);
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
		for (int i = 0; i < running.Count; i++) {
			var d = program.Machines[i];
			foreach (int s in Chain(d, running[i].State)) {
				var after = d.States[s].After;
				if (after.Length == 0 || running[i].Fired || (double)(steps - running[i].Since) / program.Rate < after[0] - 1e-9) continue;
				running[i].Fired = true;
				handling = false;
				if (!Offer(i, new Event(d.Node, "timeout", null)) && after[1] >= 0) Move(i, (int)after[1], -1);
				Flush();
				break;
			}
		}
	}
}

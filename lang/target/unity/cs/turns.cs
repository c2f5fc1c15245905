// Turns: what an event begins, and what comes of a turn that faults.
public sealed partial class Machine {
	void Drain() {
		while (spent < stepLimit) {
			if (born.Count > 0) {
				if (!Cascades()) return;
				var made = born[0];
				born.RemoveAt(0);
				Birth(made);
				Flush();
				continue;
			}
			if (awake.Count > 0) {
				var t = awake[0];
				awake.RemoveAt(0);
				budget = turnLimit;
				Carry(t.Thread.Frames[0].Fn.Owner, t.Thread);
				Flush();
				continue;
			}
			if (queue.Count == 0) {
				if (ending.Count > 0) Bury();
				cascade = 0;
				return;
			}
			if (!Cascades()) return;
			var e = queue[0];
			queue.RemoveAt(0);
			Turn(e);
		}
	}

	// Cascades counts an event or a birth; with too many in a row all that are left are
	// dropped.
	bool Cascades() {
		cascade++;
		if (cascade <= Limit.Events) return true;
		Report(Scene, new Fault("RUN003", "more than " + Limit.Events + " events follow from each other"));
		queue = new List<Event>();
		born.Clear();
		cascade = 0;
		return false;
	}

	void Turn(Event e) {
		Note("event", e.Node, e.Name, e.Payload, null);
		stopped = false;
		budget = turnLimit;
		handling = true;
		if (e.Within) {
			foreach (var h in live.Handlers) if (h.Event == e.Name && Inside(h.Node, e.Node)) Begin(h.Node, h.Fn, new List<object> { e.Payload });
			OfferAll(e);
			Flush();
			handling = false;
			return;
		}
		bool everywhere = e.Node == Everywhere;
		Handlers(e, e.Node, everywhere);
		foreach (var w in live.Wires) if (w.Event == e.Name && (everywhere || w.From == e.Node)) RunWire(w, e);
		if (!everywhere) for (var at = Parent(e.Node); at != "" && !stopped; at = Parent(at)) Handlers(e, at, false);
		if (!stopped) foreach (var s in live.Subscriptions)
			if (s.Event == e.Name && (everywhere || s.From == e.Node)) Begin(s.Owner, s.Fn, new List<object> { e.Payload });
		OfferAll(e);
		Flush();
		handling = false;
	}

	void Handlers(Event e, string node, bool everywhere) {
		if (!heardNames.Contains(e.Name)) return;
		foreach (var h in live.Handlers) if (h.Event == e.Name && (everywhere || h.Node == node)) Begin(h.Node, h.Fn, new List<object> { e.Payload });
	}

	// Parent is the node above; above the topmost nodes and modules is the scene.
	string Parent(string node) {
		if (node == Scene || node == Everywhere) return "";
		return infos.Has(node) && infos[node].Parent != "" ? infos[node].Parent : Scene;
	}

	// Inside says whether a node is another or lies below it.
	bool Inside(string node, string root) {
		while (node != "" && node != root) node = Parent(node);
		return node != "";
	}

	void RunWire(Wire w, Event e) {
		string owner = functions[w.Fn].Owner;
		var args = new List<object>();
		if (w.Set >= 0) {
			var mark = Open();
			args.Add(e.Payload);
			var v = Call(w.Fn, args, null);
			if (fault == null) Set(w.Set, v);
			Close(owner, mark);
			return;
		}
		foreach (int a in w.Args) args.Add(program.Consts[a]);
		args.Add(e.Payload);
		Begin(owner, w.Fn, args);
	}

	// Begin runs a function as a turn that may wait.
	void Begin(string owner, int fn, List<object> args) {
		if (!handling) budget = turnLimit;
		Carry(owner, NewThread(functions[fn], args, null, 0));
	}

	Thread NewThread(Function fn, List<object> args, List<object> boxes, int depth) {
		var t = new Thread { Depth = depth };
		t.Frames.Add(NewFrame(fn, args, boxes, 0));
		return t;
	}

	static Frame NewFrame(Function fn, List<object> args, List<object> boxes, int at) {
		var f = new Frame { Fn = fn, Base = at, Locals = new object[fn.Locals] };
		int own = fn.Rest ? fn.Params - 1 : fn.Params;
		for (int i = 0; i < Math.Min(own, args.Count); i++) f.Locals[i] = args[i];
		if (fn.Rest) f.Locals[own] = new ListValue(From(args, own));
		if (boxes != null) for (int i = 0; i < boxes.Count; i++) f.Locals[fn.Params + i] = boxes[i];
		return f;
	}

	void Carry(string owner, Thread t) {
		var mark = Open();
		Resume(t);
		if (fault == null && sleeping >= 0) {
			if (waiting.Count + awake.Count >= Limit.Waiting) Fail("RUN003", "more than " + Limit.Waiting + " turns wait");
			else waiting.Add(new Waiting { Until = After(sleeping), Thread = t, Owner = owner });
		}
		sleeping = -1;
		Close(owner, mark);
	}

	// Open and Close hold a piece of work together: when it faults, nothing that it
	// wrote stays. Close says whether it did not.
	Mark Open() {
		turn++;
		made = 0;
		undo = new List<Action>();
		if (!handling) budget = turnLimit;
		return new Mark { Queue = queue.Count, Changed = changed.Count, Waiting = waiting.Count, Depth = depth };
	}

	bool Close(string owner, Mark mark) {
		if (fault == null) {
			held += made;
			if (held > Limit.Held) {
				held = Measure();
				if (held > Limit.Held) Large("the state is too large");
			}
		}
		depth = mark.Depth;
		if (fault == null) {
			for (int i = mark.Changed; i < changed.Count; i++) {
				int slot = changed[i].Slot;
				var s = states[slot];
				Note("set", s.Owner, s.Key, slots[slot], null);
				host.State(s.Owner, s.Key, slots[slot]);
			}
			return true;
		}
		var f = fault;
		fault = null;
		for (int i = undo.Count - 1; i >= 0; i--) undo[i]();
		undo = new List<Action>();
		version++;
		Cut(queue, mark.Queue);
		Cut(changed, mark.Changed);
		Cut(waiting, mark.Waiting);
		Report(owner, f);
		return false;
	}

	static void Cut<T>(List<T> list, int size) { if (list.Count > size) list.RemoveRange(size, list.Count - size); }

	static object FaultValue(Fault f) {
		if (f.Code == "RUN006" && !(f.Thrown is string)) return f.Thrown;
		var o = new Ordered<object>();
		o["message"] = f.Message;
		o["code"] = f.Code;
		return new MapValue(o);
	}

	// Report brings a fault to the nearest handler of errors.
	void Report(string owner, Fault f) {
		Note("fault", owner, f.Code, f.Message, f);
		host.Fault(owner, f);
		if (faulted) return;
		faulted = true;
		bool found = false;
		for (string at = owner; at != "" && !found; at = Parent(at)) foreach (var h in live.Handlers) {
			if (h.Event != "error" || h.Node != at) continue;
			int was = budget;
			budget = turnLimit;
			Carry(at, NewThread(functions[h.Fn], new List<object> { FaultValue(f) }, null, depth));
			budget = was;
			found = true;
			break;
		}
		faulted = false;
	}
}

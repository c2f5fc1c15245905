// Machine runs a program: turns, state, events, and the instructions. Equal
// programs and events give equal traces in every interpreter.
public sealed partial class Machine {
	public const string Scene = "scene"; // owns what stands at the top of a source
	public const string Everywhere = "*"; // the node of an event that belongs to no place

	sealed class Try { public int At, Size; }

	sealed class Frame {
		public Function Fn;
		public int At, Base;
		public object[] Locals;
		public readonly List<Try> Tries = new List<Try>();
	}

	sealed class Thread {
		public readonly List<Frame> Frames = new List<Frame>();
		public readonly List<object> Stack = new List<object>();
		public int Depth;
	}

	sealed class Event {
		public readonly string Node, Name;
		public readonly object Payload;
		public readonly bool Within; // only the node and those below it hear it
		public Event(string node, string name, object payload, bool within = false) {
			Node = node;
			Name = name;
			Payload = payload;
			Within = within;
		}
	}

	sealed class Info { public string Parent, Name; }
	sealed class Waiting { public int Until; public Thread Thread; public string Owner; }
	sealed class Cache { public object V; public bool Fresh, Busy; public int Version; }
	struct Change { public int Slot; public object Old; }
	struct Mark { public int Queue, Changed, Waiting, Depth; }

	public readonly List<Entry> Trace = new List<Entry>();
	public int Dropped { get; private set; }
	public bool Tracing;

	readonly Program program;
	readonly Host host;
	readonly Chance chance;
	readonly int stepLimit = Limit.Step;
	int turnLimit = Limit.Turn;
	readonly Ordered<Info> infos = new Ordered<Info>();
	readonly Dictionary<string, int> called = new Dictionary<string, int>();
	readonly HashSet<string> unknown = new HashSet<string>(), heardNames = new HashSet<string>(), gone = new HashSet<string>(), spawned = new HashSet<string>();
	readonly Dictionary<string, Dictionary<string, int>> slotOf = new Dictionary<string, Dictionary<string, int>>();
	readonly Dictionary<string, Dictionary<string, int>> byName = new Dictionary<string, Dictionary<string, int>>();
	readonly Dictionary<string, Ordered<object>> props = new Dictionary<string, Ordered<object>>();
	readonly Dictionary<string, Dictionary<string, int>> computedOf = new Dictionary<string, Dictionary<string, int>>();
	readonly List<Slot> states = new List<Slot>(); // those of the program, then those of instances; so the others
	readonly List<object> slots = new List<object>();
	readonly List<Computed> computed = new List<Computed>();
	readonly List<Cache> caches = new List<Cache>();
	readonly List<Function> functions = new List<Function>();
	List<Event> queue = new List<Event>();
	List<Waiting> waiting = new List<Waiting>();
	readonly List<Waiting> awake = new List<Waiting>();
	List<Action> undo = new List<Action>();
	List<Change> changed = new List<Change>();
	Fault fault;
	int steps, serial, spent, propCount, version, depth, budget, turn, made, held, cascade;
	bool stopped, handling, faulted;
	double sleeping = -1;

	// A machine takes a program and the nodes it is about: [id, parent, name,
	// properties]. long turns may take ten times as many instructions.
	public Machine(object program, object nodes, Host host, bool longTurns = false) {
		this.program = Program.Read(program);
		this.host = host;
		if (longTurns) turnLimit = Limit.Long;
		var known = new Ordered<Info>();
		var given = new Dictionary<string, Ordered<object>>();
		var list = nodes as ListValue;
		if (list != null) foreach (var n in list.Items) {
			var f = ((ListValue)n).Items;
			known[(string)f[0]] = new Info { Parent = (string)f[1], Name = (string)f[2] };
			if (f[3] is MapValue) given[(string)f[0]] = ((MapValue)f[3]).Map;
		}
		Prototypes(known, given);
		foreach (string id in known.Keys) {
			if (inert.ContainsKey(id)) continue;
			infos[id] = known[id];
			if (given.ContainsKey(id)) foreach (var key in given[id].Keys) PutProp(id, key, given[id][key]);
		}
		foreach (var s in this.program.State) {
			if (!inert.ContainsKey(s.Owner)) Index(slotOf, s.Owner, s.Key, states.Count);
			states.Add(s);
			slots.Add(null);
		}
		foreach (var c in this.program.Computed) {
			if (!inert.ContainsKey(c.Owner)) Index(computedOf, c.Owner, c.Key, computed.Count);
			computed.Add(c);
			caches.Add(new Cache());
		}
		foreach (var f in this.program.Functions) {
			if (!inert.ContainsKey(f.Owner)) Index(byName, f.Owner, f.Name, functions.Count);
			functions.Add(f);
		}
		foreach (var h in live.Handlers) heardNames.Add(h.Event);
		chance = new Chance(this.program.Seed);
	}

	static void Index(Dictionary<string, Dictionary<string, int>> into, string owner, string key, int i) {
		Dictionary<string, int> of;
		if (!into.TryGetValue(owner, out of)) into[owner] = of = new Dictionary<string, int>();
		if (!of.ContainsKey(key)) of[key] = i;
	}

	static int At(Dictionary<string, Dictionary<string, int>> index, string owner, string key) {
		Dictionary<string, int> of;
		int i;
		return index.TryGetValue(owner, out of) && of.TryGetValue(key, out i) ? i : -1;
	}

	// Rate is how many steps a second has.
	public int Rate { get { return program.Rate; } }

	static readonly string[] Beginnings = { "init", "mount", "start" };

	// Start gives the state its first values, enters the machines and raises init,
	// mount and start.
	public void Start() {
		begun = true;
		int limit = turnLimit;
		turnLimit = Limit.Long;
		for (int i = 0; i < program.State.Length; i++) {
			var s = program.State[i];
			if (inert.ContainsKey(s.Owner)) continue;
			if (s.Fn < 0) {
				slots[i] = First(i, program.Consts[s.Const]);
				continue;
			}
			if (spent > Limit.Init) {
				Report(s.Owner, new Fault("RUN001", "the first values take more than " + Limit.Init + " instructions"));
				break;
			}
			var mark = Open();
			slots[i] = null;
			var v = Call(s.Fn, new List<object>(), null);
			slots[i] = v;
			Close(s.Owner, mark);
		}
		changed.Clear();
		BindAll();
		turnLimit = limit;
		foreach (var m in live.Machines) Enter(m);
		foreach (var t in live.Trees) Plant(t);
		foreach (var s in live.Schedules) Await(s);
		foreach (var t in live.Timelines) lines.Add(new Line { Row = t, On = t.Autoplay });
		foreach (var name in Beginnings) if (heardNames.Contains(name)) queue.Add(new Event(Everywhere, name, null));
		Drain();
	}

	double Time { get { return (double)steps / program.Rate; } }

	int After(double seconds) { return (int)Math.Min(int.MaxValue, steps + Math.Ceiling(seconds * program.Rate - 1e-9)); }

	// Inject brings an event of the outside to a node; it is taken by the next step.
	public void Inject(string node, string name, object payload) {
		if (queue.Count < Limit.Events) queue.Add(new Event(node, name, payload));
	}

	bool Tight { get { return spent >= stepLimit; } }

	// Step advances the time by one spatial step.
	public void Step() {
		steps++;
		spent = 0;
		cascade = 0;
		Schedules();
		Timelines();
		var kept = new List<Waiting>();
		foreach (var w in waiting) (w.Until <= steps ? awake : kept).Add(w);
		waiting = kept;
		Timers();
		Drain();
		Tweens();
		RunTrees();
		if (heardNames.Contains("update") && !Tight && !queue.Exists(e => e.Name == "update" && e.Node == Everywhere))
			queue.Add(new Event(Everywhere, "update", 1.0 / program.Rate));
		Drain();
	}

	void Set(int slot, object v) {
		var old = slots[slot];
		undo.Add(() => {
			slots[slot] = old;
			Mirror(slot, old);
		});
		slots[slot] = v;
		Mirror(slot, v);
		version++;
		if (!(v is ListValue) && !(v is MapValue) && Value.Same(old, v)) return;
		foreach (var c in changed) if (c.Slot == slot) return;
		changed.Add(new Change { Slot = slot, Old = old });
	}

	// Put sets a state key from outside, as a turn of its own.
	public void Put(string owner, string key, object v) {
		int slot = At(slotOf, owner, key);
		if (slot < 0) return;
		handling = false;
		var mark = Open();
		Set(slot, v);
		Close(owner, mark);
		Flush();
	}

	// StateOf is a state key of a node or of the scene; false where it has none.
	public bool StateOf(string owner, string key, out object v) {
		int slot = At(slotOf, owner, key);
		v = slot >= 0 ? slots[slot] : Property(owner + "/state", key);
		return slot >= 0 || v != null;
	}

	// EachState calls with every state key: owner, key, value.
	public void EachState(Action<string, string, object> call) {
		for (int i = 0; i < states.Count; i++) if (states[i] != null && !inert.ContainsKey(states[i].Owner)) call(states[i].Owner, states[i].Key, slots[i]);
	}

	// Touch saves a list or an object before it changes, once in a turn.
	void Touch(object v) {
		version++;
		var list = v as ListValue;
		if (list != null) {
			if (list.Turn == turn) return;
			list.Turn = turn;
			made += list.Items.Count;
			var items = new List<object>(list.Items);
			undo.Add(() => list.Items = items);
			return;
		}
		var o = (MapValue)v;
		if (o.Turn == turn) return;
		o.Turn = turn;
		made += o.Map.Count;
		var map = o.Map.Copy();
		undo.Add(() => o.Map = map);
	}

	object ComputedOf(int i) {
		var c = caches[i];
		if (c.Fresh && c.Version == version) return c.V;
		if (c.Busy) return Fail("RUN002", "computed '" + computed[i].Key + "' needs itself");
		c.Busy = true;
		var v = Call(computed[i].Fn, new List<object>(), null);
		c.Busy = false;
		if (fault != null) return null;
		c.V = v;
		c.Fresh = true;
		c.Version = version;
		return v;
	}

	// Flush runs the watches of what changed, and then the bound properties.
	void Flush() {
		if (changed.Count == 0) return;
		var now = changed;
		changed = new List<Change>();
		foreach (var w in live.Watches) foreach (var c in now) {
			if (c.Slot != w.State) continue;
			handling = false;
			Begin(functions[w.Fn].Owner, w.Fn, new List<object> { slots[w.State], c.Old });
		}
		BindAll();
		var again = changed;
		changed = new List<Change>();
		if (again.Count > 0) BindAll(); // what watches wrote is seen by the next flush
	}

	void BindAll() { BindFrom(0); }

	// BindFrom sets the bound properties from a row on.
	void BindFrom(int first) {
		for (int i = first; i < live.Binds.Count; i++) {
			var b = live.Binds[i];
			handling = false;
			var mark = Open();
			var v = Call(b.Fn, new List<object>(), null);
			if (fault == null && !Value.Same(Property(b.Node, b.Property), v)) SetProperty(b.Node, b.Property, v);
			Close(b.Node, mark);
		}
	}

	object Call(int fn, List<object> args, List<object> boxes) { return Call(functions[fn], args, boxes); }

	// Call runs a function to its end; it may not wait.
	object Call(Function fn, List<object> args, List<object> boxes) {
		if (fault != null) return null;
		if (depth >= Limit.Calls) return TooDeep();
		depth++;
		var v = Resume(NewThread(fn, args, boxes, depth));
		if (sleeping >= 0) {
			sleeping = -1;
			Wrong("await is not allowed here");
		}
		depth--;
		return fault == null ? v : null;
	}

	object Invoke(object v, List<object> args) {
		if (fault != null || !Callable(v)) return null;
		var c = (Closure)v;
		return c.Fn.Dead ? null : Call(c.Fn, args, c.Boxes);
	}

	object TooDeep() { return Fail("RUN002", "more than " + Limit.Calls + " calls within calls"); }
}

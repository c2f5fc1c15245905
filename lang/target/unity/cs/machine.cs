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
		public Event(string node, string name, object payload) {
			Node = node;
			Name = name;
			Payload = payload;
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
	readonly Cache[] caches;
	readonly object[] slots;
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
		var list = nodes as ListValue;
		if (list != null) foreach (var n in list.Items) {
			var f = ((ListValue)n).Items;
			infos[(string)f[0]] = new Info { Parent = (string)f[1], Name = (string)f[2] };
			var given = f[3] as MapValue;
			if (given != null) foreach (var key in given.Map.Keys) PutProp((string)f[0], key, given.Map[key]);
		}
		slots = new object[this.program.State.Length];
		for (int i = 0; i < slots.Length; i++) Index(slotOf, this.program.State[i].Owner, this.program.State[i].Key, i);
		for (int i = 0; i < this.program.Functions.Length; i++) Index(byName, this.program.Functions[i].Owner, this.program.Functions[i].Name, i);
		caches = new Cache[this.program.Computed.Length];
		for (int i = 0; i < caches.Length; i++) caches[i] = new Cache();
		foreach (var h in this.program.Handlers) heardNames.Add(h.Event);
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

	// Start gives the state its first values, enters the machines and raises init,
	// mount and start.
	public void Start() {
		int limit = turnLimit;
		turnLimit = Limit.Long;
		for (int i = 0; i < slots.Length; i++) {
			var s = program.State[i];
			if (s.Fn < 0) {
				slots[i] = program.Consts[s.Const];
				continue;
			}
			if (spent > Limit.Init) {
				Report(s.Owner, new Fault("RUN001", "the first values take more than " + Limit.Init + " instructions"));
				break;
			}
			var mark = Open();
			slots[i] = null;
			slots[i] = Call(s.Fn, new List<object>(), null);
			Close(s.Owner, mark);
		}
		changed.Clear();
		BindAll();
		turnLimit = limit;
		StartMachines();
		StartTrees();
		StartClock();
		foreach (var name in new[] { "init", "mount", "start" }) if (heardNames.Contains(name)) queue.Add(new Event(Everywhere, name, null));
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
		undo.Add(() => slots[slot] = old);
		slots[slot] = v;
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
		for (int i = 0; i < slots.Length; i++) call(program.State[i].Owner, program.State[i].Key, slots[i]);
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
		if (c.Busy) return Fail("RUN002", "computed '" + program.Computed[i].Key + "' needs itself");
		c.Busy = true;
		var v = Call(program.Computed[i].Fn, new List<object>(), null);
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
		foreach (var w in program.Watches) foreach (var c in now) {
			if (c.Slot != w.State) continue;
			handling = false;
			Begin(program.Functions[w.Fn].Owner, w.Fn, new List<object> { slots[w.State], c.Old });
		}
		BindAll();
		var again = changed;
		changed = new List<Change>();
		if (again.Count > 0) BindAll(); // what watches wrote is seen by the next flush
	}

	void BindAll() {
		foreach (var b in program.Binds) {
			handling = false;
			var mark = Open();
			var v = Call(b.Fn, new List<object>(), null);
			if (fault == null && !Value.Same(Property(b.Node, b.Property), v)) SetProperty(b.Node, b.Property, v);
			Close(b.Node, mark);
		}
	}

	// Call runs a function to its end; it may not wait.
	object Call(int fn, List<object> args, List<object> boxes) {
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
		return Call(((Closure)v).Fn, args, ((Closure)v).Boxes);
	}

	object TooDeep() { return Fail("RUN002", "more than " + Limit.Calls + " calls within calls"); }
}

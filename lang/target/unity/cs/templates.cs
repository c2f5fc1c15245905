// What a program sets to work: the rows that run without being called.
public sealed class Rows {
	public readonly List<Handler> Handlers = new List<Handler>();
	public readonly List<Subscription> Subscriptions = new List<Subscription>();
	public readonly List<Wire> Wires = new List<Wire>();
	public readonly List<Watch> Watches = new List<Watch>();
	public readonly List<Bind> Binds = new List<Bind>();
	public readonly List<Schedule> Schedules = new List<Schedule>();
	public readonly List<Timeline> Timelines = new List<Timeline>();
	public readonly List<StateMachine> Machines = new List<StateMachine>();
	public readonly List<Tree> Trees = new List<Tree>();
}

// Part is what a template has of a table whose rows are known by their place.
public sealed class Part {
	public readonly List<int> Places = new List<int>(); // in the program, ascending
	readonly Dictionary<int, int> ranks = new Dictionary<int, int>();

	public void Add(int place) {
		ranks[place] = Places.Count;
		Places.Add(place);
	}

	// Own is the place of a row in an instance whose rows begin at first; that of any
	// other row stays.
	public int Own(int first, int place) {
		int rank;
		return ranks.TryGetValue(place, out rank) ? first + rank : place;
	}
}

// Block is where the rows of an instance begin.
public struct Block { public int State, Computed, Functions; }

// Template is what spawn makes nodes of. Its nodes are a prototype, the root first
// and parents before their children: nothing of it runs.
public sealed class Template {
	public string[] Nodes, Names;
	public int[] Above; // the place of the node above, -1 of the root
	public Ordered<object>[] Props;
	public int Size; // rows of all kinds, which what is spawned is measured by
	public readonly Rows Rows = new Rows();
	public readonly Part State = new Part(), Computed = new Part(), Functions = new Part();
	public readonly Stack<Block> Free = new Stack<Block>(); // of instances that ended
}

// Instance is what spawn made of a template. What the template's code and rows
// name of the prototype is the instance's own here, everything else is as it stands.
public sealed class Instance {
	public readonly Template Of;
	public readonly string[] Ids; // in the order of the template's nodes
	public Block Block;
	public bool Gone; // its rows are another's now
	readonly Dictionary<string, string> own = new Dictionary<string, string>();

	public Instance(Template of) {
		Of = of;
		Ids = new string[of.Nodes.Length];
	}

	public string Root { get { return Ids[0]; } }

	public void Name(int i, string id) {
		Ids[i] = id;
		own[Of.Nodes[i]] = id;
	}

	public string Node(string id) {
		string to;
		return own.TryGetValue(id, out to) ? to : id;
	}

	public int Slot(int i) { return Of.State.Own(Block.State, i); }
	public int Comp(int i) { return Of.Computed.Own(Block.Computed, i); }
	public int Fn(int i) { return i < 0 ? i : Of.Functions.Own(Block.Functions, i); }

	public Slot Own(Slot s) { return new Slot { Owner = Node(s.Owner), Key = s.Key, Const = s.Const, Fn = Fn(s.Fn) }; }
	public Computed Own(Computed c) { return new Computed { Owner = Node(c.Owner), Key = c.Key, Fn = Fn(c.Fn) }; }
	public Function Own(Function f) {
		return new Function { Name = f.Name, Owner = Node(f.Owner), Params = f.Params, Rest = f.Rest, Locals = f.Locals, Code = f.Code, Lines = f.Lines, In = this };
	}
	public Handler Own(Handler h) { return new Handler { Node = Node(h.Node), Event = h.Event, Fn = Fn(h.Fn) }; }
	public Subscription Own(Subscription s) {
		return new Subscription { From = Node(s.From), Event = s.Event, Owner = Node(s.Owner), Fn = Fn(s.Fn) };
	}
	public Wire Own(Wire w) {
		return new Wire { From = Node(w.From), Event = w.Event, Fn = Fn(w.Fn), Set = w.Set < 0 ? w.Set : Slot(w.Set), Args = w.Args };
	}
	public Watch Own(Watch w) { return new Watch { State = Slot(w.State), Fn = Fn(w.Fn) }; }
	public Bind Own(Bind b) { return new Bind { Node = Node(b.Node), Property = b.Property, Fn = Fn(b.Fn) }; }
	public Schedule Own(Schedule s) { return new Schedule { Fn = Fn(s.Fn), After = s.After, Every = s.Every, Forever = s.Forever }; }

	public Timeline Own(Timeline t) {
		var steps = new double[t.Steps.Length][];
		for (int i = 0; i < steps.Length; i++) steps[i] = new double[] { t.Steps[i][0], Fn((int)t.Steps[i][1]) };
		return new Timeline { Id = t.Id, Loop = t.Loop, Autoplay = t.Autoplay, Steps = steps };
	}

	public StateMachine Own(StateMachine m) {
		var states = Array.ConvertAll(m.States, s => new State {
			Name = s.Name, Parent = s.Parent, Entry = Fn(s.Entry), Exit = Fn(s.Exit), After = s.After,
			On = Array.ConvertAll(s.On, t => new Transition { Event = t.Event, To = t.To, Guard = Fn(t.Guard), Action = Fn(t.Action) })
		});
		return new StateMachine { Node = Node(m.Node), Initial = m.Initial, States = states };
	}

	public Tree Own(Tree t) { return new Tree { Node = Node(t.Node), Rate = t.Rate, Restart = t.Restart, Root = Own(t.Root) }; }

	TreeNode Own(TreeNode n) {
		return new TreeNode { Type = n.Type, Params = n.Params, Fn = Fn(n.Fn), Children = Array.ConvertAll(n.Children, Own) };
	}
}

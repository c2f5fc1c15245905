// A program as its machine reads it: program/1 with names for what it holds.
public sealed class Function {
	public string Name, Owner;
	public int Params, Locals;
	public bool Rest; // the last parameter is the list of all arguments that the others leave
	public int[] Code;
	public int[][] Lines;
	public Instance In; // that spawn made it for
	public bool Dead { get { return In != null && In.Gone; } }
}

public sealed class Slot { public string Owner, Key; public int Const, Fn = -1; }
public sealed class Computed { public string Owner, Key; public int Fn; }
public sealed class Watch { public int State, Fn; }
public sealed class Bind { public string Node, Property; public int Fn; }
public sealed class Handler { public string Node, Event; public int Fn; }
public sealed class Subscription { public string From, Event, Owner; public int Fn; }
public sealed class Wire { public string From, Event; public int Fn, Set = -1; public int[] Args = new int[0]; }
public sealed class Schedule { public int Fn; public double After, Every; public bool Forever; }
public sealed class Timeline { public string Id; public bool Loop, Autoplay; public double[][] Steps; }
public sealed class Transition { public string Event; public int To, Guard, Action; }
public sealed class State { public string Name; public int Parent, Entry, Exit; public double[] After; public Transition[] On; }
public sealed class StateMachine { public string Node; public int Initial; public State[] States; }
public sealed class TreeNode { public string Type; public Ordered<object> Params; public int Fn; public TreeNode[] Children; }
public sealed class Tree { public string Node; public double Rate; public bool Restart; public TreeNode Root; }
public sealed class Prototype { public string Name; public string[] Nodes; } // a template: its prototype's nodes

public sealed class Program {
	public uint[] Seed;
	public int Rate = 60;
	public object[] Consts;
	public string[] Host;
	public Slot[] State;
	public Function[] Functions;
	public Computed[] Computed;
	public Watch[] Watches;
	public Bind[] Binds;
	public Handler[] Handlers;
	public Subscription[] Subscriptions;
	public Wire[] Wires;
	public Schedule[] Schedules;
	public Timeline[] Timelines;
	public StateMachine[] Machines;
	public Tree[] Trees;
	public Prototype[] Templates;

	static object Get(object o, string key) { return ((MapValue)o).Map.Or(key, null); }
	static string Str(object o, string key) { return Get(o, key) as string ?? ""; }
	static double Real(object o, string key, double otherwise = 0) { return Get(o, key) is double ? (double)Get(o, key) : otherwise; }
	static int Int(object o, string key, int otherwise = 0) { return (int)Real(o, key, otherwise); }
	static bool Flag(object o, string key) { return Get(o, key) is bool && (bool)Get(o, key); }

	static T[] All<T>(object list, Func<object, T> read) {
		var l = list as ListValue;
		if (l == null) return new T[0];
		var o = new T[l.Items.Count];
		for (int i = 0; i < o.Length; i++) o[i] = read(l.Items[i]);
		return o;
	}

	static int[] Ints(object list) { return All(list, v => (int)(double)v); }
	static double[] Reals(object list) { return All(list, v => (double)v); }

	static Slot ReadSlot(object v) {
		var s = new Slot { Owner = Str(v, "owner"), Key = Str(v, "key") };
		var init = Get(v, "init");
		if (init is double) s.Const = (int)(double)init;
		else s.Fn = Int(init, "fn");
		return s;
	}

	static Transition ReadTransition(object v) {
		return new Transition { Event = Str(v, "event"), To = Int(v, "to"), Guard = Int(v, "guard", -1), Action = Int(v, "action", -1) };
	}

	static State ReadState(object v) {
		return new State {
			Name = Str(v, "name"), Parent = Int(v, "parent", -1), Entry = Int(v, "entry", -1), Exit = Int(v, "exit", -1),
			After = Reals(Get(v, "after")), On = All(Get(v, "on"), ReadTransition)
		};
	}

	static TreeNode ReadTree(object v) {
		var parameters = Get(v, "params") as MapValue;
		return new TreeNode {
			Type = Str(v, "type"), Params = parameters == null ? new Ordered<object>() : parameters.Map, Fn = Int(v, "fn", -1),
			Children = All(Get(v, "children"), ReadTree)
		};
	}

	// Read takes a program that the compiler checked.
	public static Program Read(object p) {
		var o = new Program {
			Seed = All(Get(p, "seed"), v => (uint)(double)v), Rate = Int(Get(p, "rates"), "spatial", 60),
			Consts = All(Get(p, "consts"), v => v), Host = All(Get(p, "host"), v => (string)v), State = All(Get(p, "state"), ReadSlot)
		};
		o.Functions = All(Get(p, "functions"), v => new Function {
			Name = Str(v, "name"), Owner = Str(v, "owner"), Params = Int(v, "params"), Rest = Flag(v, "rest"), Locals = Int(v, "locals"), Code = Ints(Get(v, "code")),
			Lines = All(Get(v, "lines"), Ints)
		});
		o.Computed = All(Get(p, "computed"), v => new Computed { Owner = Str(v, "owner"), Key = Str(v, "key"), Fn = Int(v, "fn") });
		o.Watches = All(Get(p, "watches"), v => new Watch { State = Int(v, "state"), Fn = Int(v, "fn") });
		o.Binds = All(Get(p, "binds"), v => new Bind { Node = Str(v, "node"), Property = Str(v, "property"), Fn = Int(v, "fn") });
		o.Handlers = All(Get(p, "handlers"), v => new Handler { Node = Str(v, "node"), Event = Str(v, "event"), Fn = Int(v, "fn") });
		o.Subscriptions = All(Get(p, "subscriptions"), v => new Subscription {
			From = Str(v, "from"), Event = Str(v, "event"), Owner = Str(v, "owner"), Fn = Int(v, "fn")
		});
		o.Wires = All(Get(p, "wires"), v => new Wire {
			From = Str(v, "from"), Event = Str(v, "event"), Fn = Int(v, "fn"), Set = Int(v, "set", -1), Args = Ints(Get(v, "args"))
		});
		o.Schedules = All(Get(p, "schedules"), v => new Schedule {
			Fn = Int(v, "fn"), After = Real(v, "after"), Every = Real(v, "every"), Forever = Flag(v, "forever")
		});
		o.Timelines = All(Get(p, "timelines"), v => new Timeline {
			Id = Str(v, "id"), Loop = Flag(v, "loop"), Autoplay = Flag(v, "autoplay"), Steps = All(Get(v, "steps"), Reals)
		});
		o.Machines = All(Get(p, "machines"), v => new StateMachine {
			Node = Str(v, "node"), Initial = Int(v, "initial"), States = All(Get(v, "states"), ReadState)
		});
		o.Trees = All(Get(p, "trees"), v => new Tree {
			Node = Str(v, "node"), Rate = Real(v, "rate", 10), Restart = Flag(v, "restart"), Root = ReadTree(Get(v, "root"))
		});
		o.Templates = All(Get(p, "templates"), v => new Prototype { Name = Str(v, "name"), Nodes = All(Get(v, "nodes"), n => (string)n) });
		return o;
	}
}

// Behaviour trees at work.
public sealed partial class Machine {
	enum Outcome { Success, Failure, Running }

	sealed class Visit {
		public TreeNode Data;
		public readonly List<Visit> Children = new List<Visit>();
		public int At; // the child that runs
		public int[] Order; // of random_selector
		public int Since = -1, Times, Until; // the step in which it began; the end of a cooldown
		public Outcome[] Done;

		public Visit(TreeNode data) {
			Data = data;
			foreach (var c in data.Children) Children.Add(new Visit(c));
		}

		// Reset makes a node as if it had not begun; a cooldown goes on.
		public void Reset() {
			At = Times = 0;
			Order = null;
			Done = null;
			Since = -1;
			foreach (var c in Children) c.Reset();
		}
	}

	sealed class Stroll { public Tree Tree; public Visit Root; public double Next; public bool Over; }

	readonly List<Stroll> strolls = new List<Stroll>();
	int tickLeft;

	void Plant(Tree tree) { strolls.Add(new Stroll { Tree = tree, Root = new Visit(tree.Root) }); }

	// RunTrees ticks the trees whose time has come.
	void RunTrees() {
		foreach (var w in strolls) {
			if (w.Over || Tight || steps < w.Next - 1e-9) continue;
			w.Next = Math.Max(w.Next, steps - 1.0) + program.Rate / w.Tree.Rate;
			tickLeft = Limit.Events;
			handling = false;
			if (Tick(w.Tree.Node, w.Root) != Outcome.Running) {
				w.Root.Reset();
				w.Over = !w.Tree.Restart;
			}
			if (tickLeft < 0) Report(w.Tree.Node, new Fault("RUN003", "a tick takes more than " + Limit.Events + " tree nodes"));
			Flush();
		}
	}

	static double Setting(Visit v, string key) { return Value.Number(v.Data.Params.Or(key, null)) ?? 0; }

	bool Elapsed(Visit v) { return (double)(steps - v.Since) / program.Rate >= Setting(v, "duration") - 1e-9; }

	Outcome Tick(string owner, Visit v) {
		tickLeft--;
		if (tickLeft < 0) return Outcome.Failure;
		if (v.Since < 0) v.Since = steps;
		Outcome r;
		switch (v.Data.Type) {
		case "sequence": case "selector": case "random_selector": return InOrder(owner, v);
		case "parallel": return Together(owner, v);
		case "inverter":
			r = Tick(owner, v.Children[0]);
			return r == Outcome.Running ? r : r == Outcome.Success ? Outcome.Failure : Outcome.Success;
		case "succeeder": return Tick(owner, v.Children[0]) == Outcome.Running ? Outcome.Running : Outcome.Success;
		case "repeater": case "retry": case "until_fail": return Again(v, Tick(owner, v.Children[0]));
		case "cooldown":
			if (steps < v.Until) return Outcome.Failure;
			r = Tick(owner, v.Children[0]);
			if (r != Outcome.Running) {
				v.Until = After(Setting(v, "duration"));
				v.Children[0].Reset();
			}
			return r;
		case "guard":
			if (Holds(owner, v.Data.Fn, null)) return Tick(owner, v.Children[0]);
			v.Children[0].Reset();
			return Outcome.Failure;
		case "timeout":
			r = Tick(owner, v.Children[0]);
			if (r != Outcome.Running || !Elapsed(v)) return r;
			v.Children[0].Reset();
			return Outcome.Failure;
		case "condition": return Holds(owner, v.Data.Fn, null) ? Outcome.Success : Outcome.Failure;
		case "wait": return Elapsed(v) ? Outcome.Success : Outcome.Running;
		}
		return Leaf(owner, v.Data.Fn);
	}

	// Leaf calls the function of a leaf: what it gives is the result by name.
	Outcome Leaf(string owner, int fn) {
		var mark = Open();
		var v = Call(fn, new List<object>(), null);
		var o = Outcome.Success;
		if (fault != null || v is bool && !(bool)v || v as string == "failure") o = Outcome.Failure;
		else if (v as string == "running") o = Outcome.Running;
		Close(owner, mark);
		return o;
	}

	// InOrder goes through the children until one decides, and comes back to the one
	// that runs.
	Outcome InOrder(string owner, Visit v) {
		var goOn = v.Data.Type == "sequence" ? Outcome.Success : Outcome.Failure;
		if (v.Data.Type == "random_selector" && v.Order == null) v.Order = Shuffled(v.Children.Count);
		for (; v.At < v.Children.Count; v.At++) {
			var c = v.Children[v.Order != null ? v.Order[v.At] : v.At];
			var r = Tick(owner, c);
			if (r == Outcome.Running) return r;
			c.Reset();
			if (r == goOn) continue;
			v.At = 0;
			v.Order = null;
			return r;
		}
		v.At = 0;
		v.Order = null;
		return goOn;
	}

	int[] Shuffled(int n) {
		var o = new int[n];
		for (int i = 0; i < n; i++) o[i] = i;
		for (int i = n - 1; i > 0; i--) {
			int j = (int)(chance.Next() * (i + 1)), x = o[i];
			o[i] = o[j];
			o[j] = x;
		}
		return o;
	}

	// Together runs the children side by side. Policy all succeeds when all do and
	// fails with the first; any is the other way round.
	Outcome Together(string owner, Visit v) {
		if (v.Done == null) {
			v.Done = new Outcome[v.Children.Count];
			for (int i = 0; i < v.Done.Length; i++) v.Done[i] = Outcome.Running;
		}
		bool any = v.Data.Params.Or("policy", null) as string == "any", still = false;
		var decides = any ? Outcome.Success : Outcome.Failure;
		for (int i = 0; i < v.Done.Length; i++) {
			if (v.Done[i] == Outcome.Running) v.Done[i] = Tick(owner, v.Children[i]);
			if (v.Done[i] == decides) {
				v.Reset();
				return decides;
			}
			still = still || v.Done[i] == Outcome.Running;
		}
		if (still) return Outcome.Running;
		v.Reset();
		return any ? Outcome.Failure : Outcome.Success;
	}

	// Again is what a repeating decorator makes of its child: one run in a tick.
	static Outcome Again(Visit v, Outcome r) {
		if (r == Outcome.Running) return r;
		v.Children[0].Reset();
		v.Times++;
		if (v.Data.Type == "until_fail") return r == Outcome.Failure ? Outcome.Success : Outcome.Running;
		if (v.Data.Type == "retry" && r == Outcome.Success) {
			v.Times = 0;
			return r;
		}
		double most = Setting(v, "times");
		if (most <= 0 || v.Times < most) return Outcome.Running;
		v.Times = 0;
		return r;
	}
}

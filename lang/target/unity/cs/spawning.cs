// Nodes that come and go: what spawn makes of a template works as the template
// would, until it is destroyed.
public sealed partial class Machine {
	readonly Rows live = new Rows(); // what is at work; of what begins by itself, what the scene has
	readonly Dictionary<string, Template> templates = new Dictionary<string, Template>(); // by name
	readonly Dictionary<string, Template> inert = new Dictionary<string, Template>(); // by node of a prototype
	readonly Dictionary<string, Instance> instances = new Dictionary<string, Instance>(); // by root
	readonly List<Instance> born = new List<Instance>(); // that do not work yet
	readonly List<string> ending = new List<string>(); // nodes that were destroyed
	int rows; // of the instances

	// Prototypes takes apart what belongs to templates and what is at work.
	void Prototypes(Ordered<Info> known, Dictionary<string, Ordered<object>> given) {
		foreach (var row in program.Templates) {
			int n = row.Nodes.Length;
			var t = new Template { Nodes = row.Nodes, Names = new string[n], Above = new int[n], Props = new Ordered<object>[n], Size = n };
			for (int i = 0; i < n; i++) {
				string id = row.Nodes[i];
				Info info;
				info = known.Or(id, null);
				t.Names[i] = i == 0 ? row.Name : info == null ? id : info.Name;
				t.Above[i] = i == 0 ? -1 : Math.Max(0, info == null ? 0 : Array.IndexOf(row.Nodes, info.Parent, 0, i));
				given.TryGetValue(id, out t.Props[i]);
				inert[id] = t;
			}
			templates[row.Name] = t;
		}
		Enlist(program.State, s => s.Owner, t => t.State);
		Enlist(program.Computed, c => c.Owner, t => t.Computed);
		Enlist(program.Functions, f => f.Owner, t => t.Functions);
		Func<int, string> owner = fn => program.Functions[fn].Owner;
		Sort(program.Handlers, h => h.Node, r => r.Handlers);
		Sort(program.Subscriptions, s => s.Owner, r => r.Subscriptions);
		Sort(program.Wires, w => owner(w.Fn), r => r.Wires);
		Sort(program.Watches, w => owner(w.Fn), r => r.Watches);
		Sort(program.Binds, b => b.Node, r => r.Binds);
		Sort(program.Schedules, s => owner(s.Fn), r => r.Schedules);
		Sort(program.Timelines, t => t.Steps.Length == 0 ? "" : owner((int)t.Steps[0][1]), r => r.Timelines);
		Sort(program.Machines, m => m.Node, r => r.Machines);
		Sort(program.Trees, t => t.Node, r => r.Trees);
	}

	Template TemplateOf(string owner) {
		Template t;
		inert.TryGetValue(owner, out t);
		return t;
	}

	void Enlist<T>(T[] table, Func<T, string> owner, Func<Template, Part> part) {
		for (int i = 0; i < table.Length; i++) {
			var t = TemplateOf(owner(table[i]));
			if (t == null) continue;
			part(t).Add(i);
			t.Size++;
		}
	}

	void Sort<T>(T[] table, Func<T, string> owner, Func<Rows, List<T>> of) {
		foreach (var row in table) {
			var t = TemplateOf(owner(row));
			of(t == null ? live : t.Rows).Add(row);
			if (t != null) t.Size++;
		}
	}

	// Spawn makes a node of a template's name; where the program has the template, with
	// all nodes and the behaviour of its prototype, which works from the end of the turn
	// on.
	object Spawn(string owner, string name, object place, object overrides) {
		Template t;
		templates.TryGetValue(name, out t);
		if (spawned.Count + (t == null ? 1 : t.Nodes.Length) > Limit.Spawned) return Large("more than " + Limit.Spawned + " nodes");
		if (t != null && rows + t.Size > Limit.Rows) return Large("more than " + Limit.Rows + " rows are spawned");
		if (t != null) Charge(t.Size / Limit.ChargeRows);
		string parent = owner != Scene && infos.Has(owner) ? infos[owner].Parent : "";
		int before = undo.Count, touched = changed.Count;
		string root = Make(t, name, parent, place, overrides as MapValue);
		if (fault == null) return new NodeValue(root);
		for (int i = undo.Count - 1; i >= before; i--) undo[i](); // a catch may go on, without half a node
		Cut(undo, before);
		Cut(changed, touched);
		return null;
	}

	// Make puts a node in its place with its settings. Those that are state come after
	// the first values, which may read the others.
	string Make(Template t, string name, string parent, object place, MapValue settings) {
		var made = t == null ? null : Instantiate(t, parent);
		string root = made == null ? Arrive(name, "", parent) : made.Root;
		if (place != null) SetProperty(root, "position", place);
		var keys = settings == null ? new List<string>() : settings.Map.Keys;
		foreach (var key in keys) if (fault == null && At(slotOf, root, key) < 0) SetProperty(root, key, settings.Map[key]);
		if (fault == null && made != null) FirstValues(made);
		foreach (var key in keys) if (fault == null && At(slotOf, root, key) >= 0) Set(At(slotOf, root, key), settings.Map[key]);
		return root;
	}

	// Arrive gives a node an id of its own.
	string Arrive(string name, string like, string parent) {
		serial++;
		string id = "s" + serial;
		spawned.Add(id);
		infos[id] = new Info { Parent = parent, Name = name };
		undo.Add(() => {
			infos.Remove(id);
			spawned.Remove(id);
			host.Forgotten(id);
		});
		Note("spawn", id, name, null, null);
		host.Spawned(id, name, like, parent);
		return id;
	}

	// Instantiate makes the nodes of an instance and gives it slots, computed values and
	// functions of its own. They are taken back with the turn.
	Instance Instantiate(Template t, string parent) {
		var made = new Instance(t);
		for (int i = 0; i < t.Nodes.Length; i++) {
			string id = Arrive(t.Names[i], t.Nodes[i], t.Above[i] < 0 ? parent : made.Ids[t.Above[i]]);
			made.Name(i, id);
			if (t.Props[i] != null) foreach (var key in t.Props[i].Keys) PutProp(id, key, Value.Copy(t.Props[i][key], Limit.Depth));
			undo.Add(() => DropProps(id)); // what the turn set on it was taken back before
		}
		Settle(made);
		instances[made.Root] = made;
		born.Add(made);
		undo.Add(() => {
			born.Remove(made);
			instances.Remove(made.Root);
			Unsettle(made);
		});
		return made;
	}

	void DropProps(string node) {
		Ordered<object> of;
		if (props.TryGetValue(node, out of)) propCount -= of.Count;
		props.Remove(node);
	}

	// Settle finds room for the rows of an instance that are known by their place.
	void Settle(Instance made) {
		var t = made.Of;
		rows += t.Size;
		if (t.Free.Count > 0) made.Block = t.Free.Pop();
		else {
			made.Block = new Block { State = states.Count, Computed = computed.Count, Functions = functions.Count };
			foreach (int from in t.State.Places) {
				states.Add(null);
				slots.Add(null);
			}
			foreach (int from in t.Computed.Places) {
				computed.Add(null);
				caches.Add(null);
			}
			foreach (int from in t.Functions.Places) functions.Add(null);
		}
		int at = made.Block.State;
		foreach (int from in t.State.Places) {
			states[at] = made.Own(program.State[from]);
			Index(slotOf, states[at].Owner, states[at].Key, at);
			at++;
		}
		at = made.Block.Computed;
		foreach (int from in t.Computed.Places) {
			computed[at] = made.Own(program.Computed[from]);
			caches[at] = new Cache();
			Index(computedOf, computed[at].Owner, computed[at].Key, at);
			at++;
		}
		at = made.Block.Functions;
		foreach (int from in t.Functions.Places) {
			functions[at] = made.Own(program.Functions[from]);
			Index(byName, functions[at].Owner, functions[at].Name, at);
			at++;
		}
	}

	// Unsettle gives the room of an instance back.
	void Unsettle(Instance made) {
		var t = made.Of;
		made.Gone = true;
		rows -= t.Size;
		for (int i = 0; i < t.State.Places.Count; i++) {
			states[made.Block.State + i] = null;
			slots[made.Block.State + i] = null;
		}
		for (int i = 0; i < t.Computed.Places.Count; i++) {
			computed[made.Block.Computed + i] = null;
			caches[made.Block.Computed + i] = null;
		}
		for (int i = 0; i < t.Functions.Places.Count; i++) functions[made.Block.Functions + i] = null;
		foreach (string id in made.Ids) Unname(id);
		t.Free.Push(made.Block);
	}

	void Unname(string node) {
		slotOf.Remove(node);
		computedOf.Remove(node);
		byName.Remove(node);
	}

	// FirstValues gives the state of an instance its first values.
	void FirstValues(Instance made) {
		for (int i = 0; i < made.Of.State.Places.Count; i++) {
			int at = made.Block.State + i;
			var v = states[at].Fn < 0 ? program.Consts[states[at].Const] : Call(states[at].Fn, new List<object>(), null);
			if (fault != null) return;
			slots[at] = v;
		}
	}

	// Birth sets an instance to work: its rows join the tables, its machines enter their
	// first states, and it gets its beginning.
	void Birth(Instance made) {
		if (gone.Contains(made.Root)) return;
		handling = false;
		var r = made.Of.Rows;
		for (int i = 0; i < made.Of.State.Places.Count; i++) {
			int at = made.Block.State + i;
			host.State(states[at].Owner, states[at].Key, slots[at]);
		}
		foreach (var h in r.Handlers) {
			live.Handlers.Add(made.Own(h));
			heardNames.Add(h.Event);
		}
		foreach (var s in r.Subscriptions) live.Subscriptions.Add(made.Own(s));
		foreach (var w in r.Wires) live.Wires.Add(made.Own(w));
		foreach (var w in r.Watches) live.Watches.Add(made.Own(w));
		int binds = live.Binds.Count;
		foreach (var b in r.Binds) live.Binds.Add(made.Own(b));
		BindFrom(binds);
		foreach (var m in r.Machines) Enter(made.Own(m));
		foreach (var t in r.Trees) Plant(made.Own(t));
		foreach (var s in r.Schedules) Await(made.Own(s));
		foreach (var t in r.Timelines) lines.Add(new Line { Row = made.Own(t), On = t.Autoplay, Since = steps });
		foreach (var name in Beginnings) Confine(made.Root, name);
	}

	// Confine raises an event for a node and those below it alone.
	void Confine(string node, string name) { if (heardNames.Contains(name)) queue.Add(new Event(node, name, null, true)); }

	// Destroy hides a node. It is no longer found, and when the step has no more events
	// it ends with all below it.
	void Destroy(string node) {
		SetProperty(node, "visible", false);
		if (fault != null || !gone.Add(node)) return;
		ending.Add(node);
		undo.Add(() => {
			gone.Remove(node);
			ending.RemoveAt(ending.Count - 1);
			host.Restored(node);
		});
		host.Destroyed(node);
		Confine(node, "unmount");
	}

	// Bury ends what was destroyed: rows, turns that wait, properties on their way. What
	// was spawned is forgotten.
	void Bury() {
		var dead = new HashSet<string>(ending);
		ending.Clear();
		foreach (string id in infos.Keys) if (dead.Contains(infos[id].Parent)) dead.Add(id);
		Func<int, bool> of = fn => dead.Contains(functions[fn].Owner);
		live.Handlers.RemoveAll(h => dead.Contains(h.Node));
		heardNames.Clear();
		foreach (var h in live.Handlers) heardNames.Add(h.Event);
		live.Subscriptions.RemoveAll(s => dead.Contains(s.Owner));
		live.Wires.RemoveAll(w => of(w.Fn));
		live.Watches.RemoveAll(w => of(w.Fn));
		live.Binds.RemoveAll(b => dead.Contains(b.Node));
		due.RemoveAll(d => of(d.Row.Fn));
		lines = lines.FindAll(l => l.Row.Steps.Length == 0 || !of((int)l.Row.Steps[0][1]));
		running.RemoveAll(r => dead.Contains(r.Row.Node));
		strolls.RemoveAll(w => dead.Contains(w.Tree.Node));
		Predicate<Waiting> entered = w => w.Thread.Frames.Exists(f => dead.Contains(f.Fn.Owner));
		waiting.RemoveAll(entered);
		awake.RemoveAll(entered);
		moving = moving.FindAll(t => !dead.Contains(t.Node));
		foreach (string id in infos.Keys) if (dead.Contains(id)) host.Forgotten(id);
		infos.RemoveAll(id => dead.Contains(id) && spawned.Contains(id));
		foreach (string id in dead) {
			Instance made;
			if (instances.TryGetValue(id, out made)) {
				Unsettle(made);
				instances.Remove(id);
			}
			if (!spawned.Remove(id)) continue;
			gone.Remove(id);
			DropProps(id);
			DropProps(id + "/state");
			Unname(id);
		}
	}

	// Named are the nodes of a name that are still there, in their order.
	List<string> Named(string name, bool byId) {
		var o = new List<string>();
		foreach (var id in infos.Keys) if ((infos[id].Name == name || byId && id == name) && !gone.Contains(id)) o.Add(id);
		return o;
	}

	// Instances are the nodes that spawn made of a template.
	object Instances(string name) {
		var o = new List<object>();
		foreach (var id in Named(name, false)) if (spawned.Contains(id)) o.Add(new NodeValue(id));
		return ListOf(o);
	}
}

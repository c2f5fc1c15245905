// Properties and members of nodes; nodes that come and go.
public sealed partial class Machine {
	public object Property(string node, string key) {
		Ordered<object> of;
		return props.TryGetValue(node, out of) ? of.Or(key, null) : null;
	}

	void PutProp(string node, string key, object v) {
		Ordered<object> of;
		if (!props.TryGetValue(node, out of)) props[node] = of = new Ordered<object>();
		if (!of.Has(key)) propCount++;
		of[key] = v;
	}

	void SetProperty(string node, string key, object v) {
		Ordered<object> of;
		bool there = props.TryGetValue(node, out of) && of.Has(key);
		if (!there && propCount >= Limit.Items * 4) {
			Large("too many properties");
			return;
		}
		version++;
		var old = there ? of[key] : null;
		undo.Add(() => {
			if (there) PutProp(node, key, old);
			else if (props.ContainsKey(node) && props[node].Remove(key)) propCount--;
			host.Property(node, key);
		});
		PutProp(node, key, v);
		Note("property", node.Replace("/state", ""), key, v, null);
		host.Property(node, key);
		Alloc(1);
	}

	// Place keeps what physics did to a body, outside of any turn.
	public void Place(string node, string key, object v) {
		PutProp(node, key, v);
		version++;
	}

	object StateMember(string node, string name) {
		int i = At(slotOf, node, name);
		return i >= 0 ? slots[i] : Property(node + "/state", name);
	}

	object NodeMember(string node, string name) {
		switch (name) {
		case "id": return node;
		case "name": return infos.Has(node) ? infos[node].Name : node;
		case "state": return new StateValue(node);
		case "parent":
			string p = Parent(node);
			return p != "" ? new NodeValue(p) : null;
		case "current_state":
			string s = Current(node);
			if (s != null) return s;
			break;
		}
		Ordered<object> of;
		if (props.TryGetValue(node, out of) && of.Has(name)) return of[name];
		int slot = At(slotOf, node, name);
		if (slot >= 0) return slots[slot];
		for (int i = 0; i < program.Computed.Length; i++) if (program.Computed[i].Owner == node && program.Computed[i].Key == name) return ComputedOf(i);
		return name == "instances" && infos.Has(node) ? Instances(infos[node].Name) : null;
	}

	void PutNode(string node, string name, object v) {
		int i = At(slotOf, node, name);
		if (i >= 0) Set(i, v);
		else SetProperty(node, name, v);
	}

	void PutState(string node, string name, object v) {
		int i = At(slotOf, node, name);
		if (i >= 0) Set(i, v);
		else SetProperty(node + "/state", name, v);
	}

	void Emit(string node, string name, object payload) {
		if (queue.Count >= Limit.Events) {
			Fail("RUN003", "more than " + Limit.Events + " events wait");
			return;
		}
		queue.Add(new Event(node, name, payload));
		Alloc(1);
	}

	// Spawn makes a node of a template's name.
	object Spawn(string owner, string name, object place, object overrides) {
		if (spawned.Count >= Limit.Spawned) return Large("more than " + Limit.Spawned + " nodes");
		serial++;
		string id = "s" + serial, parent = owner != Scene && infos.Has(owner) ? infos[owner].Parent : "";
		spawned.Add(id);
		infos[id] = new Info { Parent = parent, Name = name };
		undo.Add(() => {
			infos.Remove(id);
			spawned.Remove(id);
			host.Destroyed(id);
		});
		Note("spawn", id, name, null, null);
		host.Spawned(id, name, parent);
		if (place != null) SetProperty(id, "position", place);
		var more = overrides as MapValue;
		if (more != null) foreach (var key in more.Map.Keys) if (fault == null) SetProperty(id, key, more.Map[key]);
		return new NodeValue(id);
	}

	// Destroy hides a node; one that was spawned is then no longer found.
	void Destroy(string node) {
		SetProperty(node, "visible", false);
		if (fault != null || !gone.Add(node)) return;
		undo.Add(() => gone.Remove(node));
		host.Destroyed(node);
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

	// WasSpawned says whether a program made a node; NameOf is the name of one.
	public bool WasSpawned(string id) { return spawned.Contains(id); }
	public string NameOf(string id) { return infos.Has(id) ? infos[id].Name : ""; }
}

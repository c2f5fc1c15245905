// Properties and members of nodes.
public sealed partial class Machine {
	public object Property(string node, string key) {
		Ordered<object> of;
		return props.TryGetValue(node, out of) ? of.Or(key, null) : null;
	}

	// HasProperty says whether a property was ever given a value.
	public bool HasProperty(string node, string key) {
		Ordered<object> of;
		return props.TryGetValue(node, out of) && of.Has(key);
	}

	void PutProp(string node, string key, object v) {
		Ordered<object> of;
		if (!props.TryGetValue(node, out of)) props[node] = of = new Ordered<object>();
		if (!of.Has(key)) propCount++;
		of[key] = v;
	}

	void SetProperty(string node, string key, object v) {
		bool there = HasProperty(node, key);
		if (!there && propCount >= Limit.Items * 4) {
			Large("too many properties");
			return;
		}
		version++;
		var old = Property(node, key);
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
		int value = At(computedOf, node, name);
		if (value >= 0) return ComputedOf(value);
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
}

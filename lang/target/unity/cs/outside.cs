// Outside is what the machine asks of the stage.
public abstract partial class Stage {
	sealed class Outside : Host {
		readonly Stage stage;
		public Outside(Stage stage) { this.stage = stage; }

		public override bool Offers { get { return true; } }
		public override void Log(string node, string text) { stage.Say(new Line { Level = "log", Node = node, Text = text }); }
		public override void Fault(string node, Fault f) {
			stage.Say(new Line { Level = "fault", Node = node, Text = f.Message, Code = f.Code, Function = f.Function, Row = f.Line, Column = f.Column });
		}
		public override void State(string owner, string key, object value) { stage.Publish(owner, key, value); }
		public override void Property(string node, string key) {
			HashSet<string> keys;
			if (!stage.dirty.TryGetValue(node, out keys)) stage.dirty[node] = keys = new HashSet<string>();
			keys.Add(key);
		}
		public override bool Call(string name, string node, List<object> args, out object answer) { return stage.Asked(name, node, args, out answer); }
		public override void Spawned(string id, string name, string like, string parent) { stage.Grow(id, name, like, parent); }
		public override void Destroyed(string id) { stage.Leave(id, true); }
		public override void Restored(string id) { stage.Leave(id, false); }
		public override void Forgotten(string id) { stage.End(id); }
	}

	bool Asked(string name, string node, List<object> args, out object answer) {
		answer = null;
		string text = "", target = args.Count > 0 && args[0] is NodeValue ? ((NodeValue)args[0]).Id : node;
		MapValue options = null;
		foreach (var a in args) {
			if (a is MapValue) options = (MapValue)a;
			else if (a is string && text == "") text = (string)a;
		}
		switch (name) {
		case "play": case "play_sound": case "stop": case "stop_sound":
			Play(target, text, name.StartsWith("play", StringComparison.Ordinal), options);
			return true;
		case "play_animation": case "stop_animation":
			PlayTracks(target, text, name == "play_animation");
			return true;
		case "apply_impulse": case "apply_force": case "set_velocity":
			Push(name, target, args.Count > 0 ? args[args.Count - 1] : null);
			return true;
		case "look_at":
			LookTowards(target, args.Count > 0 ? args[args.Count - 1] : null);
			return true;
		}
		Func<string, object[], object> operation;
		if (!Operations.TryGetValue(name, out operation)) return false;
		answer = Values.In(operation(target, args.ConvertAll(Values.Out).ToArray()));
		return true;
	}

	void Push(string name, string node, object v) {
		var t = ThingOf(node);
		var n = Values.Numbers(v);
		var o = v as MapValue;
		if (o != null) n = new[] { Value.Number(o.Map.Or("x", 0.0)) ?? 0, Value.Number(o.Map.Or("y", 0.0)) ?? 0, Value.Number(o.Map.Or("z", 0.0)) ?? 0 };
		if (n == null || t == null || t.Rigid == null || t.Rigid.isKinematic) return;
		if (name == "set_velocity") t.Rigid.velocity = Values.Vector(n);
		else t.Rigid.AddForce(Values.Vector(n), name == "apply_impulse" ? ForceMode.Impulse : ForceMode.Force);
	}

	// LookTowards turns a thing so that its front, the -Z of the source, points at a
	// place or at another thing.
	void LookTowards(string node, object v) {
		var t = ThingOf(node);
		if (t == null) return;
		var other = v is NodeValue ? ThingOf(((NodeValue)v).Id) : null;
		var n = Values.Numbers(v);
		if (other == null && n == null) return;
		var goal = other != null ? other.Object.transform.position : transform.TransformPoint(Values.Vector(n));
		var way = goal - t.Object.transform.position;
		if (way.sqrMagnitude < 1e-9f) return;
		var above = t.Above == null ? transform : t.Above.Object.transform;
		t.Turn = Quaternion.Inverse(above.rotation) * Quaternion.LookRotation(way, Vector3.up);
		t.Settle(transform);
		machine.Place(node, "rotation", Values.Angles(t.Turn));
	}
}

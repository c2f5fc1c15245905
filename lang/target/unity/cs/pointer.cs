// The pointer, the keyboard, and what they carry.
public abstract partial class Stage {
	string holding = "";
	float holdDepth;
	Vector3 holdOffset;
	readonly Dictionary<string, Vector3> carried = new Dictionary<string, Vector3>();

	// Listen lets the pointer, and what bumps into a thing, inform the program.
	protected void Listen(Thing t) { Listen<Actor>(t); }

	protected T Listen<T>(Thing t) where T : Actor {
		var a = t.Object.GetComponent<T>();
		if (a == null) a = t.Object.AddComponent<T>();
		a.Be(this, t.Id);
		return a;
	}

	// Watch makes what the pointer of the engine needs, where the project has none.
	void Watch() {
		if (builder.Eye != null && builder.Eye.GetComponent<PhysicsRaycaster>() == null) builder.Eye.gameObject.AddComponent<PhysicsRaycaster>();
		if (EventSystem.current != null) return;
		var o = new GameObject("Events");
		o.transform.SetParent(transform, false);
		o.AddComponent<EventSystem>();
		o.AddComponent<StandaloneInputModule>();
	}

	// Grabbed is the node that a hand takes where it meets another: itself or one above
	// it.
	string Grabbed(string id) {
		for (var t = ThingOf(id); t != null; t = t.Above) if (grabs.Contains(t.Id)) return t.Id;
		return "";
	}

	public void Hold(string id, Camera eye, Vector3 point) {
		string g = Grabbed(id);
		if (g == "" || eye == null || !Take(g, "pointer")) return;
		holding = g;
		holdDepth = eye.WorldToScreenPoint(point).z;
		holdOffset = ThingOf(g).Object.transform.position - point;
	}

	public void Pull(Camera eye, Vector2 to) {
		if (holding != "" && eye != null) Carry(holding, eye.ScreenToWorldPoint(new Vector3(to.x, to.y, holdDepth)) + holdOffset);
	}

	public void Release(string hand) {
		if (holding != "") LetGo(holding, hand);
		holding = "";
	}

	// Take, Carry and LetGo are what hands do: a pointer or a controller.
	public bool Take(string id, string hand) {
		var t = ThingOf(id);
		if (t == null || carried.ContainsKey(id)) return false;
		carried[id] = t.Object.transform.position;
		t.Carried = true;
		RaiseEvent(id, "grab", new Dictionary<string, object> { { "hand", hand } });
		return true;
	}

	public void Carry(string id, Vector3 to) {
		if (!carried.ContainsKey(id)) return;
		carried[id] = to;
		RaiseEvent(id, "drag", new Dictionary<string, object> { { "position", transform.InverseTransformPoint(to) } });
	}

	public void LetGo(string id, string hand) {
		if (!carried.Remove(id)) return;
		var t = ThingOf(id);
		t.Carried = false;
		double speed = t.Rigid != null && !t.Rigid.isKinematic ? t.Rigid.velocity.magnitude : 0;
		RaiseEvent(id, "release", new Dictionary<string, object> { { "hand", hand } });
		RaiseEvent(id, speed > 1 ? "throw" : "drop", new Dictionary<string, object> { { "hand", hand }, { "speed", speed } });
	}

	// Moved carries what hands have, and informs the program where bodies went.
	void Moved(float seconds) {
		foreach (var c in carried) {
			var t = ThingOf(c.Key);
			if (t == null) continue;
			if (t.Rigid != null && !t.Rigid.isKinematic) {
				t.Rigid.velocity = Vector3.ClampMagnitude((c.Value - t.Object.transform.position) / Mathf.Max(seconds, 0.001f), 20);
				t.Rigid.angularVelocity = Vector3.zero;
				continue;
			}
			var above = t.Above == null ? transform : t.Above.Object.transform;
			t.Place = above.InverseTransformPoint(c.Value);
			t.Settle(transform);
			if (machine != null) machine.Place(t.Id, "position", Values.Place(t.Place));
		}
		foreach (var t in builder.All) {
			if (t.Body != "dynamic" || t.Object == null) continue;
			var above = t.Above == null ? transform : t.Above.Object.transform;
			var place = above.InverseTransformPoint(t.Object.transform.position);
			var turn = Quaternion.Inverse(above.rotation) * t.Object.transform.rotation;
			if ((place - t.Place).sqrMagnitude < 1e-12f && Quaternion.Angle(turn, t.Turn) < 0.001f) continue;
			t.Place = place;
			t.Turn = turn;
			if (machine == null) continue;
			machine.Place(t.Id, "position", Values.Place(place));
			machine.Place(t.Id, "rotation", Values.Angles(turn));
		}
	}

	protected virtual void OnGUI() {
		var e = Event.current;
		if (e.isKey && e.keyCode != KeyCode.None && (e.type == EventType.KeyDown || e.type == EventType.KeyUp)) Key(e.type == EventType.KeyDown, e.keyCode.ToString());
		Controls();
	}

	readonly HashSet<string> down = new HashSet<string>();

	void Key(bool pressed, string key) {
		if (pressed ? !down.Add(key) : !down.Remove(key)) return;
		RaiseEvent(Machine.Everywhere, pressed ? "key_down" : "key_up", new Dictionary<string, object> { { "key", key } });
	}
}

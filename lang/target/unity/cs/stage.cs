// Line is something that a program said: a log, or a fault with its place in the
// source.
public sealed class Line {
	public string Level, Node, Text, Code = "", Function = "";
	public int Row, Column;
}

// Stage shows a scene: it builds what the source says, runs its program in fixed
// steps, and brings it what happens in the engine.
public abstract partial class Stage : MonoBehaviour {
	public bool autostart = true; // else Begin is the game's
	// What stands in the prefab: ids of nodes, and their objects. The rest is made.
	public string[] ids = new string[0];
	public GameObject[] objects = new GameObject[0];

	public event Action<Line> LineSaid;
	public event Action<string, string, object> StateChanged; // owner, key, value
	public event Action<string, string, object> EventRaised; // node, name, payload
	// StateSent is a change that other players need: hand it to the game's network, and
	// what comes from there to TakeState.
	public event Action<string, string, object> StateSent;
	// Operations are what a program may call of the game, by name.
	public readonly Dictionary<string, Func<string, object[], object>> Operations = new Dictionary<string, Func<string, object[], object>>();

	protected Builder builder;
	protected Thing[] at = new Thing[0];
	protected Material[] looks = new Material[0];
	Machine machine;
	Outside outside;
	float rest;
	bool begun, taking;
	readonly HashSet<string> grabs = new HashSet<string>(), networked = new HashSet<string>();
	readonly Dictionary<string, HashSet<string>> dirty = new Dictionary<string, HashSet<string>>();

	// What a scene is.
	protected abstract void Build();
	protected abstract string ProgramText { get; } // program/1, empty where nothing happens
	protected abstract string NodesText { get; }
	protected abstract string TracksText { get; }
	protected abstract string WidgetsText { get; }
	protected abstract string GrabsText { get; }
	protected abstract string NetworkedText { get; }
	protected abstract void Bind(Machine machine); // lets components do what functions do
	protected abstract void Beginning(string id, Script made); // gives one its first values

	static IEnumerable<object> Items(string json) { return ((ListValue)Json.Trusted(json)).Items; }

	protected virtual void Awake() {
		builder = new Builder(transform);
		for (int i = 0; i < ids.Length && i < objects.Length; i++) builder.Stands[ids[i]] = objects[i];
		Build();
		foreach (var t in builder.All) t.Refresh();
		foreach (var id in Items(GrabsText)) grabs.Add((string)id);
		foreach (var id in Items(NetworkedText)) networked.Add((string)id);
		foreach (var file in builder.Missing) Say(new Line { Level = "fault", Node = "", Text = "the file " + file + " is not among the resources of the project" });
		Watch();
		ReadTracks();
		ReadWidgets();
		if (autostart) Begin();
	}

	// Begin starts the program. What it says before is lost to who listens later.
	public void Begin() {
		if (begun) return;
		begun = true;
		if (ProgramText != "") {
			outside = new Outside(this);
			machine = new Machine(Json.Trusted(ProgramText), Json.Trusted(NodesText), outside);
			Bind(machine);
			machine.Start();
			machine.EachState(Publish);
			Show();
		}
		StartTracks();
	}

	// Scripted is the component that does what a node, a module or the scene does.
	protected Script Scripted(string id, Type type) {
		var t = ThingOf(id);
		if (t == null) {
			GameObject o;
			if (builder.Stands.TryGetValue(id, out o) && o != null && o.GetComponent<Script>() != null) {
				o.GetComponent<Script>().Be(this, id);
				return o.GetComponent<Script>();
			}
			o = new GameObject(type.Name);
			o.transform.SetParent(transform, false);
			var made = (Script)o.AddComponent(type);
			made.Be(this, id);
			Beginning(id, made);
			return made;
		}
		var there = t.Object.GetComponent<Script>();
		if (there == null) {
			there = (Script)t.Object.AddComponent(type);
			there.Be(this, id);
		}
		if (there.Node == "" && !builder.Stands.ContainsKey(id)) Beginning(id, there);
		return there;
	}

	// RaiseEvent brings an event of the game to a node by its id; "*" is the whole
	// scene.
	public void RaiseEvent(string node, string name, object payload = null) {
		if (machine != null) machine.Inject(node, name, Values.In(payload));
		if (EventRaised != null) EventRaised(node, name, payload);
	}

	// SetState sets a state key of a node or of "scene"; GetState reads one.
	public void SetState(string owner, string key, object value) { if (machine != null) machine.Put(owner, key, Values.In(value)); }

	public object GetState(string owner, string key) {
		object v = null;
		if (machine != null) machine.StateOf(owner, key, out v);
		return Values.Out(v);
	}

	// TakeState takes a change of another player.
	public void TakeState(string owner, string key, object value) {
		if (!networked.Contains(owner)) return;
		taking = true;
		SetState(owner, key, value);
		taking = false;
	}

	// ThingOf is what stands for a node; null for an id that is not of the scene.
	public Thing ThingOf(string id) {
		Thing t;
		return builder.Of.TryGetValue(id, out t) ? t : null;
	}

	protected virtual void FixedUpdate() { if (begun) Advance(Time.fixedDeltaTime); }

	// Advance moves the time by seconds; a game that slept does not catch up more than
	// a quarter of a second.
	public void Advance(float seconds) {
		float step = 1f / (machine == null ? 60 : machine.Rate);
		rest = Mathf.Min(rest + seconds, 0.25f);
		while (rest >= step - 1e-6f) {
			rest -= step;
			if (machine != null) machine.Step();
			StepTracks(step);
		}
		Show();
		Moved(seconds);
		Hands();
		Heard();
	}

	void Say(Line line) {
		if (LineSaid != null) LineSaid(line);
		if (line.Level == "fault") Debug.LogWarning(line.Code + " " + line.Text + (line.Row > 0 ? " in " + line.Function + ", line " + line.Row : ""));
		else Debug.Log(line.Text);
	}
}

// Values go between programs and games: numbers, texts, lists and dictionaries.
public static class Values {
	public static object In(object v) {
		if (v == null || v is string || v is bool || v is double) return v;
		if (v is int || v is float || v is long) return Convert.ToDouble(v, CultureInfo.InvariantCulture);
		if (v is Vector3) return Place((Vector3)v);
		var map = v as IDictionary<string, object>;
		if (map != null) {
			var o = new Ordered<object>();
			foreach (var p in map) o[p.Key] = In(p.Value);
			return new MapValue(o);
		}
		var list = v as System.Collections.IEnumerable;
		if (list == null) return null;
		var items = new List<object>();
		foreach (var e in list) items.Add(In(e));
		return new ListValue(items);
	}

	public static object Out(object v) {
		if (v is ListValue) return ((ListValue)v).Items.ConvertAll(Out).ToArray();
		if (v is NodeValue) return ((NodeValue)v).Id;
		if (v is StateValue) return ((StateValue)v).Id;
		var o = v as MapValue;
		if (o == null) return v is Closure ? null : v;
		var map = new Dictionary<string, object>();
		foreach (var key in o.Map.Keys) map[key] = Out(o.Map[key]);
		return map;
	}

	// Place is a place of the engine as the source has it: its Z points the other way.
	public static object Place(Vector3 v) { return new ListValue(new List<object> { (double)v.x, (double)v.y, (double)-v.z }); }

	// Numbers are two to four numbers, with 0 for a third one; null where anything else
	// is among them.
	public static double[] Numbers(object v) {
		var l = v as ListValue;
		if (l == null || l.Items.Count < 2 || l.Items.Count > 4) return null;
		var o = new double[Math.Max(3, l.Items.Count)];
		for (int i = 0; i < l.Items.Count; i++) {
			if (!(l.Items[i] is double)) return null;
			o[i] = (double)l.Items[i];
			if (double.IsNaN(o[i]) || double.IsInfinity(o[i])) return null;
		}
		return o;
	}

	// Vector is a place of the source in the engine.
	public static Vector3 Vector(double[] n) { return new Vector3((float)n[0], (float)n[1], (float)-n[2]); }

	// Turn is a turn of four numbers, or of three angles in degrees, Rx·Ry·Rz.
	public static Quaternion Turn(double[] n) {
		if (n.Length == 4) return new Quaternion((float)-n[0], (float)-n[1], (float)n[2], (float)n[3]).normalized;
		return Quaternion.AngleAxis((float)-n[0], Vector3.right) * Quaternion.AngleAxis((float)-n[1], Vector3.up) * Quaternion.AngleAxis((float)n[2], Vector3.forward);
	}

	// Angles are the degrees of a turn of the engine, Rx·Ry·Rz of the source, to a
	// thousandth.
	public static object Angles(Quaternion q) {
		double x = -q.x, y = -q.y, z = q.z, w = q.w, m13 = 2 * (x * z + w * y);
		double first, second = Math.Asin(Num.Between(m13, -1, 1)), third = 0;
		if (Math.Abs(m13) < 0.9999999) {
			first = Math.Atan2(-2 * (y * z - w * x), 1 - 2 * (x * x + y * y));
			third = Math.Atan2(-2 * (x * y - w * z), 1 - 2 * (y * y + z * z));
		} else first = Math.Atan2(2 * (y * z + w * x), 1 - 2 * (x * x + z * z));
		var o = new List<object>();
		foreach (double a in new[] { first, second, third }) o.Add(Math.Floor(a * 180000 / Math.PI + 0.5) / 1000);
		return new ListValue(o);
	}
}

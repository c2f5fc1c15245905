// Key-frame animation of places, looks and lights; and sounds.
public abstract partial class Stage {
	sealed class Track {
		public string Node, Property, Easing;
		public List<double[]> Keys = new List<double[]>();
		public int Loop;
		public bool Starts, Back, On;
		public double Time;
		public Shift Shift; // of a copy's place

		// Places says whether the animation is one of the place of its node.
		public bool Places { get { return Property == "t" || Property.StartsWith("t.", StringComparison.Ordinal); } }
	}

	// Shift is how far from the place of its prototype the program put a copy: the
	// animations of its place count from there.
	sealed class Shift {
		public Vector3 From, By;
		public readonly List<Track> Tracks = new List<Track>();
	}

	readonly Dictionary<string, Shift> shifts = new Dictionary<string, Shift>();
	readonly List<Track> tracks = new List<Track>(), models = new List<Track>(); // models: of prototypes

	void ReadTracks() {
		foreach (var v in Items(TracksText)) {
			var f = ((ListValue)v).Items;
			var t = new Track {
				Node = (string)f[0], Property = (string)f[1], Easing = (string)f[3], Loop = (int)(double)f[4], Starts = (bool)f[5], Back = (bool)f[6]
			};
			foreach (var k in ((ListValue)f[2]).Items) t.Keys.Add(((ListValue)k).Items.ConvertAll(n => (double)n).ToArray());
			(ThingOf(t.Node) == null ? models : tracks).Add(t);
		}
	}

	void StartTracks() {
		foreach (var t in tracks) {
			t.On = t.Starts;
			if (t.On) Apply(t);
		}
	}

	// CopyTracks gives a copy the animations of its prototype.
	void CopyTracks(string like, string id) {
		Shift shift = null;
		foreach (var m in models) {
			if (m.Node != like) continue;
			var t = new Track { Node = id, Property = m.Property, Easing = m.Easing, Keys = m.Keys, Loop = m.Loop, Starts = m.Starts, Back = m.Back, On = m.Starts };
			tracks.Add(t);
			if (t.Places) {
				if (shift == null) shifts[id] = shift = new Shift { From = ThingOf(id).Place };
				shift.Tracks.Add(t);
				t.Shift = shift;
			}
			if (t.On) Apply(t);
		}
	}

	// Shifted moves the animations of a copy to the place where the program put it.
	void Shifted(Thing thing) {
		Shift shift;
		if (!shifts.TryGetValue(thing.Id, out shift)) return;
		shift.By = thing.Place - shift.From;
		foreach (var t in shift.Tracks) if (t.On) Apply(t);
	}

	// PlayTracks starts the animations of a node anew, or stops them: those of a
	// property, or all.
	public void PlayTracks(string id, string property, bool on) {
		foreach (var t in tracks) {
			if (t.Node != id || property != "" && property != t.Property) continue;
			t.Time = 0;
			t.On = on;
		}
	}

	void StepTracks(float seconds) {
		for (int i = 0; i < tracks.Count; i++) { // whoever handles an end may make or end things
			var t = tracks[i];
			if (!t.On) continue;
			t.Time += seconds;
			Apply(t);
			if (t.Loop < 0 || t.Time < t.Keys[t.Keys.Count - 1][0] * (t.Loop + 1)) continue;
			t.On = false;
			RaiseEvent(t.Node, "animation_end", new Dictionary<string, object> { { "name", t.Property } });
		}
	}

	static double[] Behind(double[] key) {
		var o = new double[key.Length - 1];
		Array.Copy(key, 1, o, 0, o.Length);
		return o;
	}

	// Sample are the numbers of an animation at a time since its start.
	static double[] Sample(Track t) {
		double end = t.Keys[t.Keys.Count - 1][0], now = t.Time;
		if (end > 0 && now > end) {
			double turns = Math.Floor(now / end);
			if (t.Loop >= 0 && turns >= t.Loop + 1) {
				turns = t.Loop;
				now = end; // the end of the last one stays
			} else now -= turns * end;
			if (t.Back && (long)turns % 2 == 1) now = end - now;
		}
		if (now <= t.Keys[0][0]) return Behind(t.Keys[0]);
		for (int i = 1; i < t.Keys.Count; i++) {
			if (now > t.Keys[i][0]) continue;
			double[] from = t.Keys[i - 1], to = t.Keys[i];
			double u = Machine.Easing(t.Easing, (now - from[0]) / (to[0] - from[0]));
			if (t.Property == "r") {
				var q = Quaternion.Slerp(new Quaternion((float)from[1], (float)from[2], (float)from[3], (float)from[4]), new Quaternion((float)to[1], (float)to[2], (float)to[3], (float)to[4]), (float)u);
				return new double[] { q.x, q.y, q.z, q.w };
			}
			var o = new double[from.Length - 1];
			for (int k = 0; k < o.Length; k++) o[k] = from[k + 1] + (to[k + 1] - from[k + 1]) * u;
			return o;
		}
		return Behind(t.Keys[t.Keys.Count - 1]);
	}

	void Apply(Track t) {
		var thing = ThingOf(t.Node);
		if (thing == null) return;
		var v = Sample(t);
		string p = t.Property;
		if (p != "t" && p != "r" && p != "s" && !(p.Length == 3 && p[1] == '.')) {
			LookAt(thing, p, v.Length == 1 ? (object)v[0] : Values.In(v));
			return;
		}
		var by = t.Shift == null ? Vector3.zero : t.Shift.By;
		double[] far = { by.x, by.y, -by.z };
		if (p.Length == 3) {
			double[] now = { thing.Place.x, thing.Place.y, -thing.Place.z };
			if (p[0] == 's') now = new double[] { thing.Size.x, thing.Size.y, thing.Size.z };
			if (p[0] == 'r') now = new double[3];
			int axis = "xyz".IndexOf(p[2]);
			if (axis < 0) return;
			now[axis] = v[0] + far[axis];
			v = now;
		} else if (t.Shift != null) for (int i = 0; i < 3; i++) v[i] += far[i];
		Put(thing, p[0] == 't' ? "position" : p[0] == 's' ? "scale" : "rotation", v);
	}

	readonly HashSet<string> sounding = new HashSet<string>();

	static bool Sounds(Thing t, string name) {
		return t.Sound != null && (t.Name == name || t.SoundFile == name || System.IO.Path.GetFileNameWithoutExtension(t.SoundFile) == name);
	}

	// Play starts or stops the sound of a node. A name chooses a sound of another: by
	// the node's name, the name of the file or its path; its own before others.
	void Play(string id, string name, bool on, MapValue options) {
		var found = ThingOf(id);
		if (found == null || name != "" && !Sounds(found, name)) found = builder.All.Find(t => Sounds(t, name));
		if (found == null || found.Sound == null) return;
		found.Sound.Stop();
		sounding.Remove(found.Id);
		if (!on) return;
		if (options != null && options.Map.Or("loop", null) is bool) found.Sound.loop = (bool)options.Map["loop"];
		if (options != null && options.Map.Or("volume", null) is double) found.Sound.volume = Mathf.Clamp01((float)(double)options.Map["volume"]);
		found.Sound.Play();
		sounding.Add(found.Id);
	}

	// Heard says which sounds are over.
	void Heard() {
		for (int i = 0; i < builder.All.Count; i++) {
			var t = builder.All[i];
			if (t.Sound == null || t.Sound.clip == null) continue;
			if (t.Sound.isPlaying) sounding.Add(t.Id);
			else if (sounding.Remove(t.Id)) RaiseEvent(t.Id, "audio_end", new Dictionary<string, object>());
		}
	}
}

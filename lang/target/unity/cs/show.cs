// What a program changes, shown. A property is passed on once after the steps of a
// frame, with the value that held.
public abstract partial class Stage {
	void Show() {
		if (dirty.Count == 0) return;
		var now = new Dictionary<string, HashSet<string>>(dirty);
		dirty.Clear();
		foreach (var node in now) foreach (string key in node.Value) if (machine.HasProperty(node.Key, key)) Notify(node.Key, key, machine.Property(node.Key, key));
	}

	void Notify(string node, string key, object v) {
		var t = ThingOf(node);
		if (t == null) {
			Publish(node.Replace("/state", ""), key, v);
			return;
		}
		switch (key) {
		case "position": case "rotation": case "scale":
			var n = v is double && key == "scale" ? new[] { (double)v, (double)v, (double)v } : Values.Numbers(v);
			if (n == null) return;
			Put(t, key, n);
			if (key == "position") Shifted(t);
			return;
		case "visible":
			t.Visible = Value.Truthy(v);
			t.Refresh();
			return;
		case "text":
			builder.Write(t, v == null ? "" : Value.Text(v));
			return;
		}
		if (!LookAt(t, key, v)) Publish(node, key, v);
	}

	void Publish(string owner, string key, object v) {
		var value = Values.Out(v);
		var t = ThingOf(owner);
		if (key == "volume" && v is double && t != null && t.Sound != null) t.Sound.volume = (float)Num.Between((double)v, 0, 1);
		if (StateChanged != null) StateChanged(owner, key, value);
		if (owner == Machine.Scene) values[key] = v;
		if (networked.Contains(owner) && !taking && StateSent != null) StateSent(owner, key, value);
	}

	// Put sets the place of a thing in the one above.
	void Put(Thing t, string part, double[] n) {
		if (part == "position") t.Place = Values.Vector(n);
		else if (part == "scale") t.Size = new Vector3((float)n[0], (float)n[1], (float)n[2]);
		else t.Turn = Values.Turn(n);
		t.Settle(transform);
	}

	static bool ColorOf(object v, out Color c) {
		c = Color.white;
		var n = Values.Numbers(v);
		if (n != null) {
			c = new Color((float)n[0], (float)n[1], (float)n[2]);
			return true;
		}
		return v is string && ColorUtility.TryParseHtmlString((string)v, out c);
	}

	// LookAt changes how a thing looks; false where the key is about something else.
	bool LookAt(Thing t, string key, object v) {
		Color c;
		bool number = v is double && !double.IsNaN((double)v);
		float x = number ? (float)(double)v : 0;
		switch (key) {
		case "intensity":
			if (number) foreach (var l in t.Lights) l.intensity = Mathf.Max(x, 0) * (builder.Pipeline == Pipeline.HighDefinition ? Mathf.PI : 1);
			return true;
		case "color": case "base_color": case "albedo":
			if (!ColorOf(v, out c)) return true;
			foreach (var l in t.Lights) l.color = c;
			var look = Own(t);
			if (look != null) {
				c.a = builder.Tint(look).a;
				builder.Tint(look, c);
			}
			return true;
		case "opacity":
			look = Own(t);
			if (look == null || !number) return true;
			c = builder.Tint(look);
			c.a = Mathf.Clamp01(x);
			builder.Tint(look, c);
			builder.Blend(look, c.a < 1);
			return true;
		case "emissive": case "emissive_color":
			look = Own(t);
			if (look == null || !ColorOf(v, out c)) return true;
			t.Object.GetComponent<Glowing>().color = c;
			t.Object.GetComponent<Glowing>().Apply(builder, look);
			return true;
		case "emissive_intensity":
			look = Own(t);
			if (look == null || !number) return true;
			t.Object.GetComponent<Glowing>().strength = Mathf.Max(x, 0);
			t.Object.GetComponent<Glowing>().Apply(builder, look);
			return true;
		case "metallic": case "metalness":
			look = Own(t);
			if (look != null && number) builder.Metal(look, Mathf.Clamp01(x));
			return true;
		case "roughness":
			look = Own(t);
			if (look != null && number) builder.Rough(look, Mathf.Clamp01(x));
			return true;
		}
		return false;
	}

	// Own is the material of a thing, of its own from now on.
	static Material Own(Thing t) {
		if (t.Look == null) return null;
		if (t.OwnLook) return t.Look;
		var old = t.Look;
		t.OwnLook = true;
		t.Look = new Material(old);
		t.Own.Add(t.Look);
		foreach (var r in t.Renderers) if (r != null && r.sharedMaterial == old) r.sharedMaterial = t.Look;
		var g = t.Object.GetComponent<Glowing>();
		if (g == null) g = t.Object.AddComponent<Glowing>();
		g.Read(old);
		return t.Look;
	}
}

// Glowing keeps the colour and the strength of a light that a surface gives off.
public sealed class Glowing : MonoBehaviour {
	public Color color = Color.black;
	public float strength = 1;

	public void Read(Material m) {
		foreach (string name in new[] { "_EmissionColor", "_EmissiveColor" }) if (m.HasProperty(name)) color = m.GetColor(name);
		float most = color.maxColorComponent;
		if (most <= 1) return;
		strength = most;
		color = color * (1 / most);
	}

	public void Apply(Builder builder, Material m) { builder.Glow(m, color, strength); }
}

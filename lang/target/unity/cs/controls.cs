// The controls of a scene in one column, bound to its state.
public abstract partial class Stage {
	readonly Dictionary<string, object> values = new Dictionary<string, object>();
	readonly Dictionary<string, object> local = new Dictionary<string, object>(); // of controls that no state is bound to
	readonly List<MapValue> widgets = new List<MapValue>();

	void ReadWidgets() { foreach (var w in Items(WidgetsText)) widgets.Add((MapValue)w); }

	void Controls() {
		if (widgets.Count == 0) return;
		GUILayout.BeginArea(new Rect(12, 12, 260, Screen.height - 24));
		for (int i = 0; i < widgets.Count; i++) Control(widgets[i], i.ToString(CultureInfo.InvariantCulture));
		GUILayout.EndArea();
	}

	static string Said(object v) {
		if (v == null) return "";
		return v is double ? Num.Format(Math.Floor((double)v * 100 + 0.5) / 100) : Value.Text(v);
	}

	static object Setting(MapValue w, string key) {
		var p = w.Map.Or("params", null) as MapValue;
		return p == null ? null : p.Map.Or(key, null);
	}

	// Filled is a text whose ${key} are state keys.
	string Filled(string text) {
		var b = new StringBuilder();
		int at = 0;
		while (true) {
			int i = text.IndexOf("${", at, StringComparison.Ordinal), end = i < 0 ? -1 : text.IndexOf('}', i);
			if (end < 0) return b.Append(text, at, text.Length - at).ToString();
			b.Append(text, at, i - at);
			object v;
			string key = text.Substring(i + 2, end - i - 2).Trim().Replace("state.", "").Replace("this.", "");
			if (values.TryGetValue(key, out v)) b.Append(Said(v));
			at = end + 1;
		}
	}

	void Control(MapValue w, string path) {
		string kind = w.Map.Or("kind", "") as string, id = w.Map.Or("id", "") as string, label = w.Map.Or("label", null) as string ?? id, bind = w.Map.Or("bind", null) as string;
		object v = null;
		if (bind != null && !values.TryGetValue(bind, out v) || bind == null && !local.TryGetValue(path, out v)) v = w.Map.Or("value", null);
		object next = v;
		switch (kind) {
		case "button":
			GUI.enabled = !(Setting(w, "disabled") is bool && (bool)Setting(w, "disabled")) && !(Setting(w, "enabled") is bool && !(bool)Setting(w, "enabled"));
			string name = id == "" ? label : id;
			if (GUILayout.Button(label == "" ? "Button" : Filled(label))) RaiseEvent(Machine.Scene, "ui:" + name, new Dictionary<string, object> { { "id", name } });
			GUI.enabled = true;
			return;
		case "text": case "progress":
			GUILayout.Label(bind != null ? Said(v) : Filled(label == "" ? Said(v) : label));
			return;
		case "image":
			var picture = builder.File<Texture2D>(Said(Setting(w, "src") ?? Setting(w, "url") ?? v));
			if (picture != null) GUILayout.Label(picture);
			else GUILayout.Label(label == "" ? "Picture" : label);
			return;
		case "slider":
			double least = Value.Number(Setting(w, "min")) ?? 0, most = Setting(w, "max") is double ? (double)Setting(w, "max") : 100;
			GUILayout.Label(label);
			double was = v is double ? (double)v : least, now = GUILayout.HorizontalSlider((float)was, (float)least, (float)most);
			if (Math.Abs(now - (float)was) > 1e-6) next = now;
			break;
		case "checkbox":
			bool on = v is bool && (bool)v, turned = GUILayout.Toggle(on, label);
			if (turned != on) next = turned;
			break;
		case "input":
			GUILayout.Label(label);
			string text = Said(v), typed = Said(Setting(w, "type")) == "password" ? GUILayout.PasswordField(text, '*') : GUILayout.TextField(text, 10000);
			if (typed != text) next = Said(Setting(w, "type")) == "number" ? (object)(Num.Read(Chars.Trim(typed)) ?? double.NaN) : typed;
			break;
		case "dropdown":
			GUILayout.Label(label == "" ? "Choice" : label);
			var options = Setting(w, "options") as ListValue;
			if (options == null) return;
			var names = options.Items.ConvertAll(Said).ToArray();
			int old = Array.IndexOf(names, Said(v)), chosen = GUILayout.SelectionGrid(old, names, 1);
			if (chosen != old && chosen >= 0) next = names[chosen];
			break;
		default:
			GUILayout.BeginVertical(GUI.skin.box);
			if (label != "") GUILayout.Label(Filled(label));
			var children = w.Map.Or("children", null) as ListValue;
			if (children != null) for (int i = 0; i < children.Items.Count; i++) Control((MapValue)children.Items[i], path + "." + i);
			GUILayout.EndVertical();
			return;
		}
		if (ReferenceEquals(next, v)) return;
		local[path] = next;
		if (bind != null) {
			values[bind] = next;
			SetState(Machine.Scene, bind, next);
		}
		RaiseEvent(Machine.Scene, "change", new Dictionary<string, object> { { "id", id == "" ? label : id }, { "value", Values.Out(next) } });
	}
}

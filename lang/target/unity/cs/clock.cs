// What begins by itself: schedules, timelines, and properties on their way.
public sealed partial class Machine {
	sealed class Due { public Schedule Row; public int At; public bool On = true; }
	sealed class Line { public Timeline Row; public bool On; public int Since, Next; }
	sealed class Tween { public string Node, Key, Easing; public object From, To; public int Since; public double Seconds; }

	readonly List<Due> due = new List<Due>();
	List<Line> lines = new List<Line>(); // replaced as a whole
	List<Tween> moving = new List<Tween>(); // replaced as a whole

	void Await(Schedule row) { due.Add(new Due { Row = row, At = After(row.After) }); }

	void Run(int fn) {
		handling = false;
		Begin(functions[fn].Owner, fn, new List<object>());
		Flush();
	}

	// Schedules begins what is due, in the order of the source.
	void Schedules() {
		for (int i = 0; i < due.Count; i++) {
			var s = due[i];
			if (!s.On || s.At > steps || Tight) continue;
			var d = s.Row;
			if (d.Forever) s.At = steps + 1;
			else if (d.Every > 0) s.At = Math.Max(After(d.Every), steps + 1);
			else s.On = false;
			Run(d.Fn);
		}
	}

	void Timelines() {
		for (int i = 0; i < lines.Count; i++) {
			var d = lines[i].Row;
			while (true) {
				var t = lines[i];
				if (!t.On || Tight || t.Next >= d.Steps.Length || (double)(steps - t.Since) / program.Rate < d.Steps[t.Next][0] - 1e-9) break;
				t.Next++;
				Run((int)d.Steps[t.Next - 1][1]);
			}
			var l = lines[i];
			if (l.Next != d.Steps.Length) continue;
			l.On = l.On && d.Loop && d.Steps.Length > 0;
			l.Since = steps;
			l.Next = 0;
		}
	}

	// Turn starts timelines from their beginning or stops them; false without one of
	// the name.
	bool Turn(string id, bool on) {
		bool found = false;
		var next = new List<Line>();
		foreach (var l in lines) {
			bool yes = l.Row.Id == id;
			next.Add(yes ? new Line { Row = l.Row, On = on, Since = steps } : l);
			found = found || yes;
		}
		if (!found) return false;
		var old = lines;
		undo.Add(() => lines = old);
		lines = next;
		return true;
	}

	// NewTween sends a property of a node to a value: property, value, seconds and
	// easing, the last two also by name.
	void NewTween(string node, List<object> a) {
		object seconds = Arg(a, 2), easing = Arg(a, 3);
		var named = a.Count > 2 ? a[a.Count - 1] as MapValue : null;
		if (named != null) {
			if (a.Count == 3) seconds = null;
			if (a.Count == 4) easing = null;
			seconds = named.Map.Or("duration", null) ?? seconds;
			easing = named.Map.Or("easing", null) ?? easing;
		}
		string key = Printed(Arg(a, 0));
		double time = 1;
		if (seconds != null) {
			var n = Value.Number(seconds);
			if (n != null) time = double.IsNaN(n.Value) ? 0 : Num.Between(n.Value, 0, 1e9);
		}
		var kept = moving.FindAll(o => o.Node != node || o.Key != key);
		if (kept.Count >= Limit.Waiting) {
			Fail("RUN003", "more than " + Limit.Waiting + " properties move");
			return;
		}
		Charge(kept.Count / Limit.ChargeElements);
		kept.Add(new Tween {
			Node = node, Key = key, From = Value.Copy(Property(node, key), Limit.Depth), To = Value.Copy(Arg(a, 1), Limit.Depth),
			Since = steps, Seconds = time, Easing = easing == null ? "linear" : Printed(easing)
		});
		var old = moving;
		undo.Add(() => moving = old);
		moving = kept;
	}

	void Tweens() {
		foreach (var t in new List<Tween>(moving)) {
			if (Tight) return;
			double u = t.Seconds > 0 ? Num.Min(1, (double)(steps - t.Since) / program.Rate / t.Seconds) : 1;
			handling = false;
			var mark = Open();
			var v = Between(t, u);
			if (fault == null) SetProperty(t.Node, t.Key, v);
			bool ok = Close(t.Node, mark);
			Flush();
			if (ok && u < 1) continue;
			moving = moving.FindAll(o => o != t);
			if (ok && heardNames.Contains("animation_end")) Inject(t.Node, "animation_end", t.Key);
		}
	}

	object Between(Tween t, double u) {
		if (u >= 1) return Value.Copy(t.To, Limit.Depth);
		if (t.From is double && t.To is double || t.From is ListValue && t.To is ListValue) return Mix(t.From, t.To, Easing(t.Easing, u));
		return t.From;
	}
}

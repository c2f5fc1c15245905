using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using MeshdScene;

// Trial runs the stored cases whose files it is given, and prints their traces.
static class Trial {
	static object Get(object o, string key) { return ((MapValue)o).Map.Or(key, null); }

	static void Main(string[] files) {
		var console = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { NewLine = "\n" };
		foreach (string file in files) {
			console.WriteLine("CASE " + Path.GetFileNameWithoutExtension(file));
			var c = Json.Trusted(File.ReadAllText(file));
			var m = new Machine(Get(c, "program"), Get(c, "nodes"), new Host(), (bool)Get(c, "long")) { Tracing = true };
			m.Start();
			double steps = (double)Get(c, "steps");
			for (int i = 0; i < steps; i++) {
				var events = Get(c, "events") as ListValue;
				if (events != null) foreach (var e in events.Items)
					if ((double)Get(e, "step") == i) m.Inject((string)Get(e, "node"), (string)Get(e, "name"), Get(e, "payload"));
				m.Step();
			}
			foreach (var e in m.Trace)
				console.WriteLine("TRACE [" + Num.Format(e.At) + "," + Value.Quote(e.Kind) + "," + Value.Quote(e.Node) + "," + Value.Quote(e.Name) + "," + Value.Quote(e.Value) + "," + Value.Quote(e.Function) + "," + e.Line + "," + e.Column + "]");
		}
		console.Flush();
	}
}

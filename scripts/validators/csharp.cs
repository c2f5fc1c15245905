using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using MeshdScene;

// Trial runs the program of a scene without an engine: events at steps, one a line
// (step, node, name), and prints its trace.
static class Trial {
	static void Main(string[] args) {
		var console = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { NewLine = "\n" };
		if (Data.Program != "") {
			var m = new Machine(Json.Trusted(Data.Program), Json.Trusted(Data.Nodes), new Host()) { Tracing = true };
			m.Start();
			int steps = int.Parse(args[0]);
			for (int i = 0; i < steps; i++) {
				for (int k = 1; k + 2 < args.Length; k += 3) if (int.Parse(args[k]) == i) m.Inject(args[k + 1], args[k + 2], "x");
				m.Step();
			}
			foreach (var e in m.Trace)
				console.WriteLine("TRACE [" + Num.Format(e.At) + "," + Value.Quote(e.Kind) + "," + Value.Quote(e.Node) + "," + Value.Quote(e.Name) + "," + Value.Quote(e.Value) + "," + Value.Quote(e.Function) + "," + e.Line + "," + e.Column + "]");
		}
		console.WriteLine("ANSWER");
		console.Flush();
	}
}

using System;
using System.IO;
using System.Text;
using MeshdScene;

// Trial runs the components of a scene and, for the rest, its program, without an
// engine: events at steps (step, node, name, payload as JSON), and prints the trace.
static class Trial {
	static void Main(string[] args) {
		var console = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { NewLine = "\n" };
		var m = new Machine(Json.Trusted(Data.Program), Json.Trusted(Data.Nodes), new Host()) { Tracing = true };
		Behaviours.Bind(m, (id, type) => {
			var made = (Script)Activator.CreateInstance(type);
			Behaviours.Begin(id, made);
			return made;
		});
		m.Start();
		int steps = int.Parse(args[0]);
		for (int i = 0; i < steps; i++) {
			for (int k = 1; k + 3 < args.Length; k += 4) if (int.Parse(args[k]) == i) m.Inject(args[k + 1], args[k + 2], Json.Trusted(args[k + 3]));
			m.Step();
		}
		foreach (var e in m.Trace)
			console.WriteLine("TRACE [" + Num.Format(e.At) + "," + Value.Quote(e.Kind) + "," + Value.Quote(e.Node) + "," + Value.Quote(e.Name) + "," + Value.Quote(e.Value) + "," + Value.Quote(e.Function) + "," + e.Line + "," + e.Column + "]");
		console.Flush();
	}
}

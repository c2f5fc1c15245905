using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Text;
using MeshdScene;

// Trial runs the program of a scene without an engine: events at steps, one a line
// (step, node, name), and prints its trace. Then it runs the scene's stage among
// objects that stand for the engine's, and says where its things are not those of the
// program.
static class Trial {
	static void Main(string[] args) {
		var console = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { NewLine = "\n" };
		if (Data.Program != "") {
			var m = new Machine(Json.Trusted(Data.Program), Json.Trusted(Data.Nodes), new Host()) { Tracing = true };
			Behaviours.Bind(m, (id, type) => {
				var made = (Script)Activator.CreateInstance(type);
				Behaviours.Begin(id, made);
				return made;
			});
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
		if (Data.Program != "") Stand(args);
	}

	const BindingFlags any = BindingFlags.Instance | BindingFlags.NonPublic;

	static T Get<T>(object of, string field) {
		for (var type = of.GetType(); ; type = type.BaseType) {
			var f = type.GetField(field, any);
			if (f != null) return (T)f.GetValue(of);
		}
	}

	static void Stand(string[] args) {
		var scene = new UnityEngine.GameObject("Scene").AddComponent<Scene>();
		typeof(Stage).GetMethod("Awake", any).Invoke(scene, null);
		var machine = Get<Machine>(scene, "machine");
		var builder = Get<Builder>(scene, "builder");
		int steps = int.Parse(args[0]);
		for (int i = 0; i <= steps; i++) {
			var made = new HashSet<string>();
			foreach (var t in builder.All) if (t.Grown) made.Add(t.Id);
			var want = Get<HashSet<string>>(machine, "spawned");
			if (!made.SetEquals(want)) throw new Exception("in step " + i + " the program has spawned " + string.Join(" ", want) + ", the stage shows " + string.Join(" ", made));
			foreach (string id in Get<Dictionary<string, Template>>(machine, "inert").Keys) if (scene.ThingOf(id) != null) throw new Exception("the prototype " + id + " is on the stage");
			if (i == steps) return;
			for (int k = 1; k + 2 < args.Length; k += 3) if (int.Parse(args[k]) == i) scene.RaiseEvent(args[k + 1], args[k + 2], "x");
			scene.Advance(1f / machine.Rate);
		}
	}
}

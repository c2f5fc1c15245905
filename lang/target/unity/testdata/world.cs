using System;
using System.Reflection;
using MeshdScene;

// World runs the program of a world without the platform: steps, then events as
// step, node and name. It prints state and properties.
static class World {
	static T Get<T>(Scene s, string field) { return (T)typeof(Scene).GetField(field, BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public).GetValue(s); }
	static string Show(Scene s, object v) { return (string)typeof(Scene).GetMethod("Shown", BindingFlags.Instance | BindingFlags.NonPublic).Invoke(s, new object[] { v, 8 }); }

	static void Main(string[] args) {
		var s = new Scene { objects = new UnityEngine.GameObject[0] };
		var second = new Scene { objects = new UnityEngine.GameObject[0] }; // another player's
		s.Begin();
		for (int i = 0; i < int.Parse(args[0]); i++) {
			for (int k = 1; k + 2 < args.Length; k += 3) if (int.Parse(args[k]) == i) s.Raise(args[k + 1], args[k + 2], "x");
			s.Step();
			if (s.shared == second.shared) continue;
			second.shared = s.shared;
			second.OnDeserialization();
		}
		Console.WriteLine("sent = " + s.shared.Length);
		State(s, "");
		State(second, "second ");
		Hostile(second);
		var props = Get<object[]>(s, "props");
		for (int i = 0; i < (int)props[1]; i++) {
			string key = (string)((object[])props[2])[i];
			object value = ((object[])props[3])[i];
			Console.WriteLine(key.Replace("\n", " ") + " = " + Show(s, value));
			if (key.EndsWith("\ntext") && key.StartsWith(Get<string[]>(s, "ids")[0])) Letters(s, (string)value);
		}
	}

	// Letters draws the last text of the first node.
	static void Letters(Scene s, string text) {
		typeof(SceneBuilder).GetMethod("Spell", BindingFlags.Static | BindingFlags.NonPublic).Invoke(null, new object[] { s });
		s.letterSize = new[] { 0.6f };
		s.letterFront = new[] { 0.25f };
		s.letterSide = new[] { "center" };
		var mesh = new UnityEngine.Mesh();
		typeof(Scene).GetMethod("Draw", BindingFlags.Instance | BindingFlags.NonPublic).Invoke(s, new object[] { mesh, 0, text });
		float left = 9, right = -9, low = 9, high = -9, at = 9;
		foreach (var v in mesh.vertices) {
			left = Math.Min(left, v.x);
			right = Math.Max(right, v.x);
			low = Math.Min(low, v.y);
			high = Math.Max(high, v.y);
			at = Math.Min(at, v.z);
		}
		int away = 0; // triangles whose front is not where their normals point
		for (int i = 0; i < mesh.triangles.Length; i += 3) {
			var a = mesh.vertices[mesh.triangles[i]];
			var b = mesh.vertices[mesh.triangles[i + 1]];
			var c = mesh.vertices[mesh.triangles[i + 2]];
			if (((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) * mesh.normals[mesh.triangles[i]].z < -1e-9) away++;
		}
		Console.WriteLine("away = " + away);
		Console.WriteLine("letters = {0} corners, {1} in triangles, {2:0.000} wide, at {3:0.000}, {4:0.000} tall", mesh.vertices.Length, mesh.triangles.Length, right - left, at, high - low);
	}

	static void State(Scene s, string whose) {
		var slots = Get<object[]>(s, "slots");
		if (slots == null) return; // nothing reached it
		for (int i = 0; i < slots.Length; i++) Console.WriteLine(whose + Get<string[]>(s, "slotOwner")[i] + " " + Get<string[]>(s, "slotKey")[i] + " = " + Show(s, slots[i]));
	}

	// Hostile hands a copy what no player sends: every beginning of a text, and nonsense.
	static void Hostile(Scene s) {
		string sent = s.shared;
		for (int i = 0; i <= sent.Length; i++) {
			s.shared = sent.Substring(0, i);
			s.OnDeserialization();
		}
		foreach (string text in new[] { "l9999999999:", "t-1:", "nx;", "m1:n1;", "q", "l3:", new string('l', 9), "l1:l1:l1:l1:l1:l1:l1:l1:l1:l1:l1:l1:l1:l1:l1:0", "t99:a", "l999999:0" }) {
			s.shared = text;
			s.OnDeserialization();
		}
		Console.WriteLine("hostile = taken");
	}
}

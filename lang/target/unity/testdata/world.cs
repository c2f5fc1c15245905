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
		State(s, "");
		State(second, "second ");
		Hostile(second);
		var props = Get<object[]>(s, "props");
		for (int i = 0; i < (int)props[1]; i++) Console.WriteLine(((string)((object[])props[2])[i]).Replace("\n", " ") + " = " + Show(s, ((object[])props[3])[i]));
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

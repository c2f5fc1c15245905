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
		s.Begin();
		for (int i = 0; i < int.Parse(args[0]); i++) {
			for (int k = 1; k + 2 < args.Length; k += 3) if (int.Parse(args[k]) == i) s.Raise(args[k + 1], args[k + 2], "x");
			s.Step();
		}
		var slots = Get<object[]>(s, "slots");
		for (int i = 0; i < slots.Length; i++) Console.WriteLine(Get<string[]>(s, "slotOwner")[i] + " " + Get<string[]>(s, "slotKey")[i] + " = " + Show(s, slots[i]));
		var props = Get<object[]>(s, "props");
		for (int i = 0; i < (int)props[1]; i++) Console.WriteLine(((string)((object[])props[2])[i]).Replace("\n", " ") + " = " + Show(s, ((object[])props[3])[i]));
	}
}

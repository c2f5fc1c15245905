using System;
using System.Collections.Generic;
using System.Reflection;
using MeshdScene;
using UnityEngine;

// Trial begins a scene whose objects stand there already, as those of its prefab do:
// they are taken as they are, and nothing is made twice.
static class Trial {
	const BindingFlags any = BindingFlags.Instance | BindingFlags.NonPublic;

	static Builder Begun(Scene scene) {
		typeof(Stage).GetMethod("Awake", any).Invoke(scene, null);
		return (Builder)typeof(Stage).GetField("builder", any).GetValue(scene);
	}

	static int Parts(IEnumerable<GameObject> of) {
		int n = 0;
		foreach (var o in of) n += o.GetComponentsInChildren<Component>().Length;
		return n;
	}

	static void Main(string[] args) {
		var ids = new List<string>();
		var objects = new List<GameObject>();
		foreach (var t in Begun(new GameObject("Scene").AddComponent<Scene>()).All) if (t.Id != "") {
			ids.Add(t.Id);
			objects.Add(t.Object);
		}
		int before = Parts(objects);
		var moved = objects[ids.IndexOf(args[0])];
		moved.transform.localPosition = new Vector3(9, 8, 7);
		foreach (var r in moved.GetComponentsInChildren<Script>()) r.Node = "";
		var scene = new GameObject("Scene").AddComponent<Scene>();
		scene.ids = ids.ToArray();
		scene.objects = objects.ToArray();
		var made = Begun(scene);
		for (int i = 0; i < ids.Count; i++) if (!ReferenceEquals(made.Of[ids[i]].Object, objects[i])) throw new Exception(ids[i] + " was made again");
		var at = made.Of[args[0]].Place;
		Console.WriteLine("AT " + at.x + " " + at.y + " " + at.z);
		Console.WriteLine("PARTS " + before + " " + Parts(objects));
	}
}

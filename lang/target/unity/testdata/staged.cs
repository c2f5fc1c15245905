using System;
using System.Collections.Generic;
using System.Reflection;
using MeshdScene;
using UnityEngine;
using UnityEngine.EventSystems;

// Staged shows a scene among objects that stand for the engine's and does what its
// arguments say: step=N goes on by N steps, click=ID and press=ID are a pointer's on
// the thing of a node, show=TITLE prints what is there.
static class Staged {
	const BindingFlags any = BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public;

	static void Main(string[] args) {
		var root = new GameObject("Root");
		var scene = root.AddComponent<Scene>();
		typeof(Stage).GetMethod("Awake", any).Invoke(scene, null);
		scene.StateChanged += (owner, key, value) => { if (owner != "scene" && scene.ThingOf(owner) == null) throw new Exception("change of " + key + " of " + owner + ", which is not there"); };
		foreach (string arg in args) {
			string what = arg.Substring(0, arg.IndexOf('=')), of = arg.Substring(arg.IndexOf('=') + 1);
			if (what == "step") for (int i = 0; i < int.Parse(of); i++) scene.Advance(1f / 60);
			else if (what == "click") scene.ThingOf(of).Object.GetComponent<Actor>().OnPointerClick(new PointerEventData { clickCount = 1 });
			else if (what == "press") scene.ThingOf(of).Object.GetComponent<Actor>().OnPointerDown(new PointerEventData());
			else Show(scene, root, of);
		}
	}

	static void Show(Stage scene, GameObject root, string title) {
		Console.WriteLine("SHOW " + title);
		int objects = root.GetComponentsInChildren<Transform>().Length;
		var builder = (Builder)typeof(Stage).GetField("builder", any).GetValue(scene);
		foreach (var t in builder.All) {
			if (t.Id == "") continue;
			var words = new List<string> { t.Id, t.Name, "in " + (t.Above == null ? "-" : t.Above.Id) };
			var at = t.Object.transform.position;
			words.Add("at " + at.x + "," + at.y + "," + -at.z);
			words.Add(t.Shown ? "seen" : "unseen");
			if (t.Renderers.Count > 0) {
				var c = t.Renderers[0].sharedMaterial.GetColor("_Color");
				words.Add(string.Format("#{0:x2}{1:x2}{2:x2}", (int)(c.r * 255 + 0.5f), (int)(c.g * 255 + 0.5f), (int)(c.b * 255 + 0.5f)));
			}
			foreach (var c in t.Object.GetComponents<Collider>()) words.Add(c.GetType().Name + (c.enabled ? "" : " off"));
			if (t.Body != "") words.Add(t.Body);
			if (t.Lights.Count > 0) words.Add("light");
			if (t.Letters != null) words.Add("letters");
			if (t.Sound != null) words.Add(t.Sound.isPlaying ? "sounds" : "still");
			if (t.Object.GetComponent<ParticleSystem>() != null || t.Object.transform.Find("Particles") != null) words.Add("particles");
			foreach (var a in t.Object.GetComponents<Actor>()) words.Add(a.GetType().Name + " " + a.Id);
			Console.WriteLine(string.Join(" ", words.ToArray()));
		}
		Console.WriteLine("OBJECTS " + objects + " in light of " + RenderSettings.ambientSkyColor.r.ToString("0.000"));
	}
}

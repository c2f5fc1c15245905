	static Builder builder;
	static Scene scene;
	static Thing[] at;
	public static Material[] looks; // of the scene that was built last

	static void Begin(string name, int nodes, int surfaces) {
		var root = new GameObject(name);
		Undo.RegisterCreatedObjectUndo(root, "Build scene");
		builder = new Builder(root.transform) { Pipeline = Pipeline.BuiltIn };
		scene = root.AddUdonSharpComponent<Scene>();
		at = new Thing[nodes];
		looks = new Material[surfaces];
		lettered = false;
	}

	static T Listen<T>(Thing t) where T : Actor {
		var a = t.Object.AddUdonSharpComponent<T>();
		a.scene = scene;
		a.id = t.Id;
		UdonSharpEditorUtility.CopyProxyToUdon(a);
		return a;
	}

	static void Listen(Thing t) { Listen<Actor>(t); }

	// Grab lets hands take a thing: what they take, all players see move.
	static void Grab(Thing t) {
		Bodily(t);
		t.Object.AddComponent<VRCPickup>();
	}

	// Share lets all players see where a body is.
	static void Share(Thing t) {
		Bodily(t);
		if (t.Object.GetComponent<VRCObjectSync>() == null) t.Object.AddComponent<VRCObjectSync>();
	}

	static void Bodily(Thing t) {
		if (t.Object.GetComponent<Rigidbody>() != null) return;
		var r = t.Object.AddComponent<Rigidbody>();
		r.isKinematic = true;
		r.useGravity = false;
	}

	// Control is a box to press, or a lettering, of the scene's controls.
	static void Control(float height, string text, string press) {
		var t = builder.Place("", text, null, new Vector3(0, height, 0), Quaternion.identity, Vector3.one, true);
		t.LetterSize = 0.06f;
		t.LetterFront = 0.03f;
		if (press != "") {
			var size = new Vector3(0.7f, 0.16f, 0.05f);
			builder.Solid(t, PrimitiveType.Cube, size, builder.Paint(new Color(0.15f, 0.2f, 0.3f)));
			var c = t.Object.AddComponent<BoxCollider>();
			c.isTrigger = true;
			c.size = size;
			var a = Listen<Actor>(t);
			a.press = press;
			a.InteractionText = text;
			UdonSharpEditorUtility.CopyProxyToUdon(a);
		}
		builder.Write(t, text);
	}

	static bool lettered;

	// Lettered makes room for a text that the program writes.
	static void Lettered(Thing t) {
		lettered = true;
		if (t.Letters != null) return;
		t.Letters = Builder.Child(t, "Letters");
		t.Letters.AddComponent<MeshFilter>().sharedMesh = new Mesh();
		var r = t.Letters.AddComponent<MeshRenderer>();
		r.sharedMaterial = builder.Paint(t.LetterColor);
		t.Renderers.Add(r);
	}

	// Spell gives a scene its letters: those that are one character long.
	static void Spell(Scene to) {
		var letters = new List<string>();
		var wide = new List<float>();
		var corners = new List<float>();
		var from = new List<int> { 0 };
		foreach (var g in glyphs) {
			if (g.Key.Length != 1) continue;
			letters.Add(g.Key);
			wide.Add(g.Value[0]);
			for (int i = 1; i < g.Value.Length; i++) corners.Add(g.Value[i]);
			from.Add(corners.Count);
		}
		to.glyphs = string.Concat(letters);
		to.glyphWide = wide.ToArray();
		to.glyphCorners = corners.ToArray();
		to.glyphFrom = from.ToArray();
	}

	static void End(int ids) {
		foreach (var t in builder.All) t.Refresh();
		foreach (var file in builder.Missing) Debug.LogWarning("the file " + file + " is not among the resources of the project");
		scene.objects = new GameObject[at.Length];
		scene.sounds = new AudioSource[ids];
		scene.soundFiles = new string[ids];
		scene.glow = new Color[ids];
		scene.letterSize = new float[ids];
		scene.letterFront = new float[ids];
		scene.letterSide = new string[ids];
		if (lettered) Spell(scene);
		for (int i = 0; i < at.Length; i++) {
			scene.objects[i] = at[i].Object;
			scene.sounds[i] = at[i].Sound;
			scene.soundFiles[i] = at[i].SoundFile;
			scene.letterSize[i] = at[i].LetterSize;
			scene.letterFront[i] = at[i].LetterFront;
			scene.letterSide[i] = at[i].LetterSide;
			if (at[i].Look != null && at[i].Look.HasProperty("_EmissionColor")) scene.glow[i] = at[i].Look.GetColor("_EmissionColor");
			if (at[i].Sound != null) at[i].Sound.gameObject.AddComponent<VRCSpatialAudioSource>().Far = at[i].Sound.maxDistance;
		}
		UdonSharpEditorUtility.CopyProxyToUdon(scene);
		if (UnityEngine.Object.FindObjectOfType<VRCSceneDescriptor>() != null) return;
		var world = new GameObject("World").AddComponent<VRCSceneDescriptor>();
		var spawn = new GameObject("Spawn").transform;
		spawn.position = new Vector3(0, 0, -3);
		world.spawns = new[] { spawn };
	}

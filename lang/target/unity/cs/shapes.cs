// Shapes: those of the engine, and meshes of the scene's own.
public sealed partial class Builder {
	public float[][][] Drawn = new float[0][][]; // corners, normals, places in a picture, and their order
	public Dictionary<string, float[]> Glyphs = new Dictionary<string, float[]>(); // width, then corners of triangles

	GameObject Show(Thing t, string name, Mesh mesh, Material look) {
		MeshRenderer there;
		if (name == "Mesh" && Had(t, name, out there)) { // with the mesh, the size and, but for another pipeline, the material that it has
			if (Pipeline != Pipeline.BuiltIn) there.sharedMaterial = look;
			t.Renderers.Add(there);
			return there.gameObject;
		}
		var o = Child(t, name);
		o.AddComponent<MeshFilter>().sharedMesh = mesh;
		var r = o.AddComponent<MeshRenderer>();
		r.sharedMaterial = look;
		t.Renderers.Add(r);
		return o;
	}

	static readonly Dictionary<PrimitiveType, Mesh> shapes = new Dictionary<PrimitiveType, Mesh>();

	static Mesh Shape(PrimitiveType type) {
		Mesh mesh;
		if (shapes.TryGetValue(type, out mesh) && mesh != null) return mesh;
		var o = GameObject.CreatePrimitive(type);
		shapes[type] = mesh = o.GetComponent<MeshFilter>().sharedMesh;
		UnityEngine.Object.DestroyImmediate(o);
		return mesh;
	}

	// Solid shows a shape of the engine at a size.
	public void Solid(Thing t, PrimitiveType type, Vector3 size, Material look) {
		MeshRenderer there;
		bool had = Had(t, "Mesh", out there);
		var o = Show(t, "Mesh", Shape(type), look);
		if (!had) o.transform.localScale = size;
		t.Look = o.GetComponent<MeshRenderer>().sharedMaterial;
	}

	// Drawing is a mesh of the scene; both sides of it, where it has two.
	public Mesh Drawing(int which, bool both) {
		var d = Drawn[which];
		int key = both ? ~which : which;
		Mesh mesh;
		if (!drawings.TryGetValue(key, out mesh)) drawings[key] = mesh = Triangles(d[0], d[1], d[2], d[3], both);
		return mesh;
	}

	readonly Dictionary<int, Mesh> drawings = new Dictionary<int, Mesh>();

	public void Solid(Thing t, int which, bool both, Material look) {
		t.Look = Show(t, "Mesh", Drawing(which, both), look).GetComponent<MeshRenderer>().sharedMaterial;
	}

	static Mesh Triangles(float[] at, float[] up, float[] uv, float[] order, bool both) {
		int n = at.Length / 3, m = order.Length;
		var corners = new Vector3[both ? 2 * n : n];
		var normals = new Vector3[corners.Length];
		var places = new Vector2[corners.Length];
		var triangles = new int[both ? 2 * m : m];
		for (int i = 0; i < corners.Length; i++) {
			int k = i % n;
			corners[i] = new Vector3(at[3 * k], at[3 * k + 1], at[3 * k + 2]);
			normals[i] = new Vector3(up[3 * k], up[3 * k + 1], up[3 * k + 2]) * (i < n ? 1 : -1);
			if (2 * k + 1 < uv.Length) places[i] = new Vector2(uv[2 * k], uv[2 * k + 1]);
		}
		for (int i = 0; i < m; i++) {
			triangles[i] = (int)order[i];
			if (both) triangles[m + i] = n + (int)order[i - i % 3 + 2 - i % 3];
		}
		var mesh = new Mesh();
		if (corners.Length > 65535) mesh.indexFormat = IndexFormat.UInt32;
		mesh.vertices = corners;
		mesh.normals = normals;
		mesh.uv = places;
		mesh.triangles = triangles;
		mesh.RecalculateTangents();
		mesh.RecalculateBounds();
		return mesh;
	}

	// Model shows a model file of the project.
	public void Model(Thing t, string path) {
		var asset = File<GameObject>(path);
		if (asset == null) return;
		var o = UnityEngine.Object.Instantiate(asset, t.Object.transform, false);
		o.name = "Model";
		o.transform.localRotation = Quaternion.AngleAxis(180, Vector3.up); // importers turn X round, the scene turns Z round
		t.Renderers.AddRange(o.GetComponentsInChildren<Renderer>());
	}

	// Write puts a text at a thing, in place of the one it has.
	public void Write(Thing t, string text) {
		if (t.Letters != null) {
			t.Renderers.RemoveAll(r => r == null || r.gameObject == t.Letters);
			foreach (var o in new UnityEngine.Object[] { t.Letters.GetComponent<MeshFilter>().sharedMesh, t.Letters.GetComponent<MeshRenderer>().sharedMaterial }) {
				t.Own.Remove(o);
				UnityEngine.Object.DestroyImmediate(o);
			}
			UnityEngine.Object.DestroyImmediate(t.Letters);
		}
		t.Letters = null;
		var at = new List<float>();
		float unit = t.LetterSize / 6;
		string[] lines = (text.Length > 10000 ? text.Substring(0, 10000) : text).Split('\n');
		for (int k = 0; k < lines.Length; k++) {
			float wide = Line(lines[k], 0, 0, 0, 0, null), y = ((lines.Length - 1) / 2f - k) * 10;
			float x = t.LetterSide == "center" ? -wide / 2 : t.LetterSide == "right" ? -wide : 0;
			Line(lines[k], x, y, unit, -t.LetterFront, at);
		}
		if (at.Count == 0) return;
		var up = new float[at.Count];
		var order = new float[at.Count / 3];
		for (int i = 0; i < order.Length; i++) {
			up[3 * i + 2] = -1;
			order[i] = i;
		}
		Mesh mesh = Triangles(at.ToArray(), up, new float[0], order, true);
		var ink = Paint(t.LetterColor);
		t.Own.Add(mesh);
		t.Own.Add(ink);
		t.Letters = Show(t, "Letters", mesh, ink);
		t.Refresh();
	}

	// Line adds the corners of a line of letters and says how wide it is.
	float Line(string line, float x, float y, float unit, float front, List<float> to) {
		float at = 0, wide = 0;
		foreach (string c in Chars.Split(line)) {
			if (Chars.Space(Chars.At(c, 0))) {
				at += 3;
				continue;
			}
			float[] g;
			if (!Glyphs.TryGetValue(c, out g) && !Glyphs.TryGetValue("?", out g)) continue;
			if (to != null) for (int i = 1; i + 5 < g.Length; i += 6) for (int k = 2; k >= 0; k--) { // seen from the other side: the order turns
				to.Add((x + at + g[i + 2 * k]) * unit);
				to.Add((y + g[i + 2 * k + 1]) * unit);
				to.Add(front);
			}
			at += g[0] + 2;
			wide = at - 2;
		}
		return wide;
	}
}

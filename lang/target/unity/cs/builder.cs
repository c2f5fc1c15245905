// Builder makes the objects of a scene below a root.
public sealed partial class Builder {
	public readonly Transform Root;
	public readonly Dictionary<string, Thing> Of = new Dictionary<string, Thing>();
	public readonly List<Thing> All = new List<Thing>();
	public readonly List<string> Missing = new List<string>(); // files that are not in the project

	public readonly Dictionary<string, GameObject> Stands = new Dictionary<string, GameObject>(); // what is there already, by ids

	public Builder(Transform root) { Root = root; }

	// Between is the scale of a place below the root.
	public static Vector3 Between(Transform root, Transform below) {
		Vector3 a = root.lossyScale, b = below.lossyScale;
		return new Vector3(a.x == 0 ? 1 : b.x / a.x, a.y == 0 ? 1 : b.y / a.y, a.z == 0 ? 1 : b.z / a.z);
	}

	public Thing Place(string id, string name, Thing above, Vector3 place, Quaternion turn, Vector3 size, bool visible) {
		var t = new Thing { Id = id, Name = name, Above = above, Place = place, Turn = turn, Size = size, Visible = visible };
		GameObject there;
		if (id != "" && Stands.TryGetValue(id, out there) && there != null) { // as somebody may have moved it
			t.Object = there;
			t.Place = there.transform.localPosition;
			t.Turn = there.transform.localRotation;
			t.Size = there.transform.localScale;
		} else {
			t.Object = new GameObject(name == "" ? id : name);
			t.Object.transform.SetParent(above == null ? Root : above.Object.transform, false);
			t.Settle(Root);
		}
		if (above != null) above.Below.Add(t);
		if (id != "") Of[id] = t; // the scene's own camera and light are no nodes
		All.Add(t);
		return t;
	}

	// Remove takes a thing away. Those below it go with its object.
	public void Remove(Thing t) {
		Of.Remove(t.Id);
		All.Remove(t);
		if (t.Above != null) t.Above.Below.Remove(t);
		if (t.Around != null) Shine(t, -1);
		foreach (var o in t.Own) UnityEngine.Object.Destroy(o);
		if (t.Object != null) UnityEngine.Object.Destroy(t.Object);
		t.Object = null;
	}

	// Had is a part of what belongs to a thing where it stands there already.
	static bool Had<T>(Thing t, string name, out T part) where T : Component {
		part = null;
		var of = name == "" ? t.Object.transform : t.Object.transform.Find(name);
		if (of != null) part = of.GetComponent<T>();
		return part != null;
	}

	// Child makes an object that belongs to a thing.
	public static GameObject Child(Thing t, string name) {
		var o = new GameObject(name);
		o.transform.SetParent(t.Object.transform, false);
		return o;
	}

	public static Color Ink(float r, float g, float b, float a) { return new Color(r, g, b, a); }

	// File is a file of the source among the resources of the project, by its path
	// without what follows the last point; null where it is not there.
	public T File<T>(string path) where T : UnityEngine.Object {
		if (path == "") return null;
		int dot = path.LastIndexOf('.');
		var o = Resources.Load<T>(dot > path.LastIndexOf('/') ? path.Substring(0, dot) : path);
		if (o == null && !Missing.Contains(path)) Missing.Add(path);
		return o;
	}
}

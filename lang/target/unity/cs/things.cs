// Thing is a node of the source in the scene of the engine. Place, turn and size
// are those within the thing above, in the axes of the engine: Z points away.
public sealed class Thing {
	public string Id, Name, Body = "";
	public Thing Above;
	public readonly List<Thing> Below = new List<Thing>();
	public GameObject Object;
	public Vector3 Place, Size = Vector3.one;
	public Quaternion Turn = Quaternion.identity;
	public bool Visible = true, Carried, Apart; // Apart: a body that stands below the scene, wherever the thing above goes
	public bool Grown, Leaving; // made by the program; about to end
	public Rigidbody Rigid;
	public readonly List<Renderer> Renderers = new List<Renderer>();
	public readonly List<Light> Lights = new List<Light>();
	public readonly List<Collider> Colliders = new List<Collider>();
	public readonly List<UnityEngine.Object> Own = new List<UnityEngine.Object>(); // surfaces and meshes that nothing else has
	public Color[] Around; // light from everywhere, from above and from below that it gives
	public Material Look;
	public bool OwnLook;
	public GameObject Letters;
	public AudioSource Sound;
	public string SoundFile = "";
	public float LetterSize = 0.1f, LetterFront;
	public string LetterSide = "center";
	public Color LetterColor = Color.white;

	// Shown says whether the thing and all above it are visible.
	public bool Shown { get { return Visible && (Above == null || Above.Shown); } }

	public void Refresh() {
		bool on = Shown;
		foreach (var r in Renderers) if (r != null) r.enabled = on;
		foreach (var l in Lights) if (l != null) l.enabled = on;
		foreach (var t in Below) t.Refresh();
	}

	bool Stays { get { return !Leaving && (Above == null || Above.Stays); } }

	// Meet lets others bump into the thing and those below it, unless they leave.
	public void Meet() {
		bool on = Stays;
		foreach (var c in Colliders) if (c != null) c.enabled = on;
		foreach (var t in Below) t.Meet();
	}

	// Settle puts the thing where its numbers say.
	public void Settle(Transform root) {
		if (Object == null) return;
		var t = Object.transform;
		if (!Apart) {
			t.localPosition = Place;
			t.localRotation = Turn;
			t.localScale = Size;
			return;
		}
		var above = Above == null ? root : Above.Object.transform;
		t.position = above.TransformPoint(Place);
		t.rotation = above.rotation * Turn;
		t.localScale = Vector3.Scale(Builder.Between(root, above), Size);
		if (Rigid != null) Rigid.WakeUp();
	}
}

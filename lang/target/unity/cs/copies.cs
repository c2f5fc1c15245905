// Things that a program makes, and things that end.
public abstract partial class Stage {
	// Copy makes a thing as a node of a template's prototype is, without those below
	// it; null for what is of no template.
	protected virtual Thing Copy(string like, string id, string name, Thing above) { return null; }

	void Grow(string id, string name, string like, string parent) {
		var above = ThingOf(parent);
		var t = like == "" ? Likeness(id, name, above) : Copy(like, id, name, above);
		if (t == null) t = builder.Place(id, name, above, Vector3.zero, Quaternion.identity, Vector3.one, true);
		t.Grown = true;
		if (grabs.Contains(like)) grabs.Add(id);
		CopyTracks(like, id);
		t.Settle(transform);
		t.Refresh();
		if (t.Sound != null && t.Sound.playOnAwake) t.Sound.Play();
	}

	// Likeness is a thing that looks like the first one of a name; null where there is
	// none.
	Thing Likeness(string id, string name, Thing above) {
		Thing like = null;
		foreach (var t in builder.All) if (like == null && t.Name == name && !t.Grown && t.Object != null) like = t;
		if (like == null) return null;
		var o = new Thing {
			Id = id, Name = name, Above = above, Place = like.Place, Turn = like.Turn, Size = like.Size, Body = like.Body, Apart = like.Apart,
			Look = like.Look, LetterSize = like.LetterSize, LetterFront = like.LetterFront, LetterSide = like.LetterSide, LetterColor = like.LetterColor,
			SoundFile = like.SoundFile
		};
		o.Object = Instantiate(like.Object, above == null || like.Apart ? transform : above.Object.transform, false);
		o.Object.name = id;
		o.Rigid = o.Object.GetComponent<Rigidbody>();
		o.Renderers.AddRange(o.Object.GetComponentsInChildren<Renderer>());
		o.Lights.AddRange(o.Object.GetComponentsInChildren<Light>());
		o.Colliders.AddRange(o.Object.GetComponentsInChildren<Collider>());
		o.Sound = o.Object.GetComponentInChildren<AudioSource>();
		if (above != null) above.Below.Add(o);
		builder.Of[id] = o;
		builder.All.Add(o);
		foreach (var actor in o.Object.GetComponentsInChildren<Actor>()) actor.Be(this, actor.gameObject == o.Object ? id : actor.Id);
		return o;
	}

	// Leave lets nothing bump into a thing that is to end, or into what is below it; a
	// fault may take that back.
	void Leave(string id, bool leaves) {
		var t = ThingOf(id);
		if (t == null) return;
		t.Leaving = leaves;
		t.Meet();
	}

	// End takes away what the program made. What the scene has stays, unseen, and does
	// no more.
	void End(string id) {
		var t = ThingOf(id);
		if (t == null) return;
		t.Leaving = true;
		t.Meet();
		if (t.Sound != null) t.Sound.Stop();
		sounding.Remove(id);
		carried.Remove(id);
		PlayTracks(id, "", false);
		if (!t.Grown) return;
		tracks.RemoveAll(track => track.Node == id);
		shifts.Remove(id);
		grabs.Remove(id);
		builder.Remove(t);
	}
}

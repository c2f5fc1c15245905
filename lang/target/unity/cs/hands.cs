// Controllers of a headset: each has a ray that points, selects and grabs. The
// session is the project's.
public abstract partial class Stage {
	sealed class Hand {
		public XRNode Side;
		public string Name, Held = "", Over = "";
		public bool Trigger, Grip;
		public Vector3 Offset;
	}

	protected bool immersive; // whether the source asks for a headset
	readonly Hand[] hands = { new Hand { Side = XRNode.LeftHand, Name = "left" }, new Hand { Side = XRNode.RightHand, Name = "right" } };

	void Hands() {
		if (!immersive || builder.Eye == null) return;
		foreach (var h in hands) {
			var device = InputDevices.GetDeviceAtXRNode(h.Side);
			Vector3 place;
			Quaternion turn;
			if (!device.isValid || !device.TryGetFeatureValue(CommonUsages.devicePosition, out place) || !device.TryGetFeatureValue(CommonUsages.deviceRotation, out turn)) continue;
			var origin = builder.Eye.transform.parent;
			place = origin.TransformPoint(place);
			turn = origin.rotation * turn;
			Point(h, device, place, turn);
		}
	}

	void Point(Hand h, InputDevice device, Vector3 place, Quaternion turn) {
		RaycastHit hit;
		Actor actor = null;
		if (Physics.Raycast(place, turn * Vector3.forward, out hit, 20)) actor = hit.collider.GetComponentInParent<Actor>();
		string over = actor != null && ThingOf(actor.Id) != null && ThingOf(actor.Id).Shown ? actor.Id : "";
		var what = new Dictionary<string, object> { { "hand", h.Name } };
		if (over != h.Over) {
			if (h.Over != "") RaiseEvent(h.Over, "hover_exit", what);
			if (over != "") RaiseEvent(over, "hover_enter", what);
			h.Over = over;
		}
		bool trigger, grip;
		device.TryGetFeatureValue(CommonUsages.triggerButton, out trigger);
		device.TryGetFeatureValue(CommonUsages.gripButton, out grip);
		if (over != "") what["point"] = hit.point;
		if (trigger && !h.Trigger && over != "") RaiseEvent(over, "press", what);
		if (!trigger && h.Trigger && over != "") {
			RaiseEvent(over, "release", what);
			RaiseEvent(over, "click", what);
			RaiseEvent(over, "tap", what);
		}
		if (grip && !h.Grip && over != "") {
			string id = Grabbed(over);
			if (id != "" && Take(id, h.Name)) {
				h.Held = id;
				h.Offset = Quaternion.Inverse(turn) * (ThingOf(id).Object.transform.position - place);
			}
		}
		if (!grip && h.Held != "") {
			LetGo(h.Held, h.Name);
			h.Held = "";
		}
		if (h.Held != "") Carry(h.Held, place + turn * h.Offset);
		h.Trigger = trigger;
		h.Grip = grip;
	}
}

// Actor stands on the object of a node and informs the scene what happens to it.
[UdonBehaviourSyncMode(BehaviourSyncMode.None)]
public class Actor : UdonSharpBehaviour {
	public Scene scene;
	public string id = "";
	public string press = ""; // of a control

	public void Raise(string name, object payload) { if (scene != null) scene.Raise(id, name, payload); }

	public override void Interact() {
		if (press != "" && scene != null) {
			scene.Raise("scene", "ui:" + press, scene.Pair("id", press));
			return;
		}
		Raise("press", null);
		Raise("click", null);
		Raise("tap", null);
		Raise("release", null);
	}

	public override void OnPickup() { Raise("grab", null); }
	public override void OnDrop() { Raise("release", null); Raise("drop", null); }
	public override void OnPickupUseDown() { Raise("click", null); Raise("tap", null); }

	public void Met(GameObject other, string name) {
		if (other == null || other.name == "Touch") return;
		Actor with = other.GetComponentInParent<Actor>();
		if (with != null && with.id != id) Raise(name, scene.Pair("other", with.id));
	}

	public void OnCollisionEnter(Collision c) { if (c != null) Met(c.gameObject, "collision_enter"); }
	public void OnCollisionExit(Collision c) { if (c != null) Met(c.gameObject, "collision_exit"); }
	public void OnTriggerEnter(Collider c) { if (c != null) Met(c.gameObject, "trigger_enter"); }
	public void OnTriggerExit(Collider c) { if (c != null) Met(c.gameObject, "trigger_exit"); }
	public override void OnPlayerTriggerEnter(VRCPlayerApi player) { Raise("trigger_enter", scene.Pair("other", player.displayName)); }
	public override void OnPlayerTriggerExit(VRCPlayerApi player) { Raise("trigger_exit", scene.Pair("other", player.displayName)); }
}

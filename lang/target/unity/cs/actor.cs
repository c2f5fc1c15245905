// Actor stands on the object of a node and says what happens to it. Templates of
// the source have one of their own.
public class Actor : MonoBehaviour, IPointerEnterHandler, IPointerExitHandler, IPointerDownHandler, IPointerUpHandler, IPointerClickHandler,
	IBeginDragHandler, IDragHandler, IEndDragHandler {
	public Stage Stage { get; private set; }
	public string Id { get; private set; }

	public void Be(Stage stage, string id) {
		Stage = stage;
		Id = id;
	}

	// Raise raises an event of the node.
	public void Raise(string name, object payload = null) { if (Stage != null && Stage.ThingOf(Id) != null) Stage.RaiseEvent(Id, name, payload); }

	protected object State(string key) { return Stage == null ? null : Stage.GetState(Id, key); }
	protected void State(string key, object value) { if (Stage != null) Stage.SetState(Id, key, value); }

	static Dictionary<string, object> Point(PointerEventData e) {
		var at = e.pointerCurrentRaycast.worldPosition;
		return new Dictionary<string, object> { { "point", at }, { "hand", "pointer" } };
	}

	bool Seen { get { return Stage != null && Stage.ThingOf(Id) != null && Stage.ThingOf(Id).Shown; } }

	public void OnPointerEnter(PointerEventData e) { if (Seen) Raise("hover_enter", new Dictionary<string, object> { { "hand", "pointer" } }); }
	public void OnPointerExit(PointerEventData e) { Raise("hover_exit", new Dictionary<string, object> { { "hand", "pointer" } }); }
	public void OnPointerDown(PointerEventData e) { if (Seen) Raise("press", Point(e)); }
	public void OnPointerUp(PointerEventData e) { if (Seen) Raise("release", Point(e)); }

	public void OnPointerClick(PointerEventData e) {
		if (!Seen || e.dragging) return;
		if (e.clickCount == 2) Raise("double_click", Point(e));
		Raise("click", Point(e));
		Raise("tap", Point(e));
	}

	public void OnBeginDrag(PointerEventData e) { if (Seen) Stage.Hold(Id, e.pressEventCamera, e.pointerPressRaycast.worldPosition); }
	public void OnDrag(PointerEventData e) { if (Stage != null) Stage.Pull(e.pressEventCamera, e.position); }
	public void OnEndDrag(PointerEventData e) { if (Stage != null) Stage.Release("pointer"); }

	void Met(GameObject other, string name) {
		if (other.name == "Touch") return; // which only the pointer meets
		var with = other.GetComponentInParent<Actor>();
		if (with != null && with.Id != Id) Raise(name, new Dictionary<string, object> { { "other", with.Id } });
	}

	void OnCollisionEnter(Collision c) { Met(c.gameObject, "collision_enter"); }
	void OnCollisionExit(Collision c) { Met(c.gameObject, "collision_exit"); }
	void OnTriggerEnter(Collider c) { if (GetComponent<Collider>() != null) Met(c.gameObject, "trigger_enter"); }
	void OnTriggerExit(Collider c) { if (GetComponent<Collider>() != null) Met(c.gameObject, "trigger_exit"); }
}

// Host is what a machine asks of the outside. This one has nothing to offer.
public class Host {
	public virtual bool Offers { get { return false; } }
	public virtual void Log(string node, string text) { }
	public virtual void Fault(string node, Fault f) { }
	public virtual void State(string owner, string key, object value) { }
	public virtual void Property(string node, string key) { }
	// Call is an operation of the outside; false where it has none of the name.
	public virtual bool Call(string name, string node, List<object> args, out object answer) {
		answer = null;
		return false;
	}
	// Spawned is called for a node that came: like is the node of a prototype that it is one
	// of, empty where it looks like the first node of its name. Those above come first.
	public virtual void Spawned(string id, string name, string like, string parent) { }
	// Destroyed is called for a node that is to end; Restored that it stays, for a fault took
	// the turn back; Forgotten that it ended.
	public virtual void Destroyed(string id) { }
	public virtual void Restored(string id) { }
	public virtual void Forgotten(string id) { }
}

// Entry is one of a trace.
public sealed class Entry {
	public double At;
	public string Kind, Node, Name, Value, Function = "";
	public int Line, Column;
}

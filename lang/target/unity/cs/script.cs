// Script is what the generated components of nodes have in common. The program runs
// them: it brings events in their order, undoes what a function wrote that fails, and
// keeps the state. A game may read and write their properties and raise their events.
public abstract class Script : Actor {
	public Machine Machine;
	public string Node = "";

	// Tell raises an event at this node; the nodes above hear it too.
	public void Tell(string what, object payload = null) { Machine.Tell(Node, what, payload); }

	// Give gives the node a property: position, color, visible, text and the like.
	public void Give(string key, object value) { Machine.Give(Node, key, value); }
	public void GiveAxis(string key, string axis, object value) { Machine.GiveAxis(Node, key, axis, value); }
	public object Has(string key) { return Machine.Has(Node, key); }

	// Keep passes on what is written to a field.
	protected void Keep(string key, object value) { if (Machine != null) Machine.Keep(Node, key, value); }

	// HasState and GiveState are keys of the state that have no field.
	public object HasState(string key) { return Machine.HasState(Node, key); }
	public void GiveState(string key, object value) { Machine.GiveState(Node, key, value); }

	// Follows is a value that follows from state.
	public object Follows(string key) { return Machine.Follows(Node, key); }

	// Ask calls an operation of the scene or of the game, Say writes a line.
	protected object Ask(string what, object[] args, string from = "") { return Machine.Ask(Node, what, args, from); }
	protected void Say(params object[] values) { Machine.Ask(Node, "log", values, ""); }

	public object Own() { return new NodeValue(Node); }
	protected string Words(object v) { return Machine.Words(v); }
	protected static bool Truth(object v) { return Value.Truthy(v); }
	protected bool Alike(object x, object y) { return Machine.Alike(x, y); }
	protected object Calc(string op, object x, object y) { return Machine.Calc(op, x, y); }
	protected object Order(string op, object x, object y) { return Machine.Order(op, x, y); }
	protected object Within(object x, object list) { return Machine.In(x, list); }
	protected object Item(object list, object at) { return Machine.Item(list, at); }
	protected object Part(object of, string key) { return Machine.Part(of, key); }
	protected object Call(object of, string method, params object[] args) { return Machine.Call(of, method, args); }

	// Failed says whether something has failed; the function then ends.
	protected bool Failed(int line = 0, int column = 0, string function = "") { return Machine.Failed(line, column, function); }
}

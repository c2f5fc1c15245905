/**
 * A template at work: what the program and the scene say of its prototype, which
 * every instance gets anew. Indexes are those of the program, ascending.
 */
internal class Template(val form: Prototype) {
    val places = HashMap<String, Int>()
    val infos = arrayOfNulls<Info>(form.nodes.size)
    val state = ArrayList<Int>()
    val computed = ArrayList<Int>()
    val functions = ArrayList<Int>()
    val rows = Rows()
    val free = ArrayList<Block>()

    init {
        for (i in 0 until form.nodes.size) places[form.nodes[i]] = i
    }

    /** What counts of an instance. */
    val size: Int get() = form.nodes.size + state.size + computed.size + functions.size + rows.size
}

/** Where the state, the computed values and the functions of an instance begin in the tables of the machine. */
internal class Block(val state: Int, val computed: Int, val functions: Int)

/** What one spawn of a template made: its nodes, in the order of the prototype's. */
internal class Instance(val template: Template, val ids: List<String>, val block: Block) {
    /** A dead instance is never entered: its block may be another's. */
    var dead = false

    private fun moved(i: Int, own: ArrayList<Int>, first: Int): Int {
        val at = own.binarySearch(i)
        return if (at < 0) i else first + at
    }

    fun slot(i: Int): Int = moved(i, template.state, block.state)
    fun computed(i: Int): Int = moved(i, template.computed, block.computed)
    fun function(i: Int): Int = moved(i, template.functions, block.functions)

    fun node(id: String): String {
        val at = template.places[id] ?: return id
        return ids[at]
    }
}

/** The rows of a program or of a part of it, in their order. */
internal class Rows {
    private val handlers = HashMap<String, ArrayList<Named>>()
    val subscriptions = ArrayList<Subscription>()
    val wires = ArrayList<Wire>()
    val watches = ArrayList<Watch>()
    val binds = ArrayList<Named>()
    val schedules = ArrayList<Schedule>()
    val timelines = ArrayList<Timeline>()
    val machines = ArrayList<StateMachine>()
    val trees = ArrayList<Tree>()

    fun handles(event: String): Boolean = handlers.containsKey(event)

    fun handlers(event: String): List<Named> = handlers[event] ?: emptyList<Named>()

    fun add(h: Named) {
        handlers.getOrPut(h.key) { ArrayList() }.add(h)
    }

    val size: Int
        get() = handlers.values.map { it.size }.sum() + subscriptions.size + wires.size + watches.size + binds.size + schedules.size + timelines.size +
            machines.size + trees.size

    /** The rows of a template as they are for an instance. */
    fun of(i: Instance): Rows {
        val out = Rows()
        for (rows in handlers.values) for (h in rows) out.add(Named(i.node(h.owner), h.key, i.function(h.fn)))
        for (s in subscriptions) out.subscriptions.add(Subscription(i.node(s.from), s.event, i.node(s.owner), i.function(s.fn)))
        for (w in wires) out.wires.add(Wire(i.node(w.from), w.event, if (w.set < 0) w.set else i.slot(w.set), i.function(w.fn), w.args))
        for (w in watches) out.watches.add(Watch(i.slot(w.state), i.function(w.fn)))
        for (b in binds) out.binds.add(Named(i.node(b.owner), b.key, i.function(b.fn)))
        for (s in schedules) out.schedules.add(Schedule(i.function(s.fn), s.after, s.every, s.forever))
        for (t in timelines) out.timelines.add(Timeline(t.id, t.loop, t.autoplay, t.times, IntArray(t.fns.size) { i.function(t.fns[it]) }))
        for (d in machines) out.machines.add(StateMachine(i.node(d.node), d.initial, d.states.map { stateFor(it, i) }))
        for (t in trees) out.trees.add(Tree(i.node(t.node), t.rate, t.restart, nodeFor(t.root, i)))
        return out
    }

    /** Appends what handles, watches and binds. Machines, trees and the clock keep their own. */
    fun take(from: Rows) {
        for (rows in from.handlers.values) for (h in rows) add(h)
        subscriptions.addAll(from.subscriptions)
        wires.addAll(from.wires)
        watches.addAll(from.watches)
        binds.addAll(from.binds)
    }

    private fun other(fn: Int, i: Instance): Int = if (fn < 0) fn else i.function(fn)

    private fun stateFor(s: MachineState, i: Instance): MachineState = MachineState(
        s.name, s.parent, other(s.entry, i), other(s.exit, i), s.after, s.next,
        s.on.map { Transition(it.event, it.to, other(it.guard, i), other(it.action, i)) }
    )

    private fun nodeFor(n: TreeNode, i: Instance): TreeNode =
        TreeNode(n.type, n.times, n.duration, n.policy, other(n.fn, i), n.children.map { nodeFor(it, i) })

    /** Takes the rows of dead nodes out; ownerOf gives the owner of a function. */
    fun bury(dead: Set<String>, ownerOf: (Int) -> String) {
        val events = handlers.values.iterator()
        while (events.hasNext()) {
            val of = events.next()
            of.removeAll { dead.contains(it.owner) }
            if (of.isEmpty()) events.remove()
        }
        subscriptions.removeAll { dead.contains(it.owner) }
        wires.removeAll { dead.contains(ownerOf(it.fn)) }
        watches.removeAll { dead.contains(ownerOf(it.fn)) }
        binds.removeAll { dead.contains(it.owner) }
    }
}

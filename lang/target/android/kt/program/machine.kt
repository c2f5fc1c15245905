/** What stands at the top of a source belongs to this owner. */
const val SCENE_OWNER = "scene"

/** The node of an event that belongs to no place. */
const val EVERYWHERE = "*"

/** What Host.call gives for an operation that there is none of. */
object NoAnswer

class Info(val id: String, val parent: String, val name: String, val props: MapValue?)

/** Something that happened at a node. Within, the node and all below it hear of it instead of all above. */
class Event(val node: String, val name: String, val payload: Any?, internal val within: Boolean = false)
class Entry(
    val at: Double, val kind: String, val node: String, val name: String, val text: String, val function: String, val line: Int, val column: Int
)

/** What a machine asks of the outside. All is called on the thread that runs the machine. */
interface Host {
    /** Answers an operation of the outside, or NoAnswer. */
    fun call(name: String, node: String, args: List<Any?>): Any?
    fun log(node: String, text: String)
    fun fault(node: String, f: Fault)
    /** A property may have changed. */
    fun property(node: String, key: String)
    fun state(owner: String, key: String, value: Any?)
    /** A node was made. It is a copy of the prototype's node `like`, or, where that is empty, of the first node of its name. */
    fun spawned(node: String, name: String, like: String, parent: String)
    /** A node is no more: what was spawned is forgotten, the children before their parents; all else is hidden. */
    fun destroyed(node: String)
}

internal class Try(val pc: Int, val height: Int)
internal class Frame(val fn: Func, val locals: Array<Any?>, val base: Int) {
    var pc = 0
    val tries = ArrayList<Try>()
}

internal class Thread(first: Frame, val depth: Int) {
    val frames = arrayListOf(first)
    val stack = ArrayList<Any?>()
}

private class Waiting(val at: Int, val thread: Thread, val owner: String)
private class Change(val slot: Int, val old: Any?)
private class Cached {
    var v: Any? = null
    var fresh = false
    var busy = false
    var version = 0
}

/** What an instruction leaves that waits. */
internal class Asleep(val seconds: Double)

/** What an instruction leaves after which the thread goes on. */
internal object Going

/**
 * The machine that runs a program: turns, state and events. It is the interpreter
 * of the compiler once more: equal programs and events give equal traces. It has
 * one thread; nothing of it is called from another.
 */
class Machine(val p: Program, nodes: List<Info>, private val host: Host?, long: Boolean = false, private val tracing: Boolean = false) {
    internal val nodes = LinkedHashMap<String, Info>()
    internal val calls = HashMap<String, Int>()
    internal val clock = Clock(this)
    internal val machines = Machines(this)
    internal val trees = Trees(this)
    val trace = ArrayList<Entry>()
    var dropped = 0
        private set
    var steps = 0
        private set
    internal var serial = 0
    internal var stop = false
    internal var handler = false
    internal val queue = java.util.ArrayDeque<Event>()
    internal val slots = ArrayList<Any?>()
    internal val states = ArrayList<Slot>()
    internal val functions = ArrayList<Func>(p.functions)
    internal val rows = Rows()
    internal val templates = Templates(this, nodes)
    internal var turn = 0
    internal var depth = 0

    private val rng = Random(p.seed)
    private val slotOf = HashMap<String, HashMap<String, Int>>()
    private val byName = HashMap<String, HashMap<String, Int>>()
    private val computedOf = HashMap<String, HashMap<String, Int>>()
    private val computeds = ArrayList<Named>()
    private val caches = ArrayList<Cached>()
    private val props = LinkedHashMap<String, LinkedHashMap<String, Any?>>()
    private var propCount = 0
    internal val gone = HashSet<String>()
    private var version = 0
    private var waiting = ArrayList<Waiting>()
    private val ready = java.util.ArrayDeque<Thread>()
    private var budget = 0
    private var turnLimit = if (long) Limits.LONG else Limits.TURN
    private var spent = 0L
    private var made = 0L
    private var held = 0L
    private var cascade = 0
    internal val spawned = HashSet<String>()
    private var undo = ArrayList<() -> Unit>()
    private var changed = ArrayList<Change>()
    private var faulted = false
    private val unknown = HashSet<String>()
    private val first: Rows // what begins with the program

    init {
        for (n in nodes) {
            if (templates.of(n.id) != null) continue
            this.nodes[n.id] = n
            putProps(n.id, n.props)
        }
        for (s in p.state) addState(s)
        for (c in p.computed) addComputed(c)
        for (i in 0 until p.functions.size) know(byName, p.functions[i].owner, p.functions[i].name, i)
        val own = templates.sorted()
        rows.take(own)
        clock.know(own.timelines)
        first = own
    }

    internal fun putProps(node: String, props: MapValue?) {
        if (props != null) for ((k, v) in props.map) putProp(node, k, copyValue(v))
    }

    internal fun spawnedAt(n: Info, like: String) {
        host?.spawned(n.id, n.name, like, n.parent)
    }

    internal fun hidden(node: String) {
        host?.destroyed(node)
    }

    /** Forgets what a node that spawn made had. */
    internal fun forget(node: String) {
        nodes.remove(node)
        spawned.remove(node)
        gone.remove(node)
        for (key in listOf(node, node + "\u0000state")) propCount -= props.remove(key)?.size ?: 0
        for (of in listOf(slotOf, byName, computedOf)) of.remove(node)
    }

    /** Drops the turns of dead nodes that wait. */
    internal fun bury(dead: Set<String>) {
        waiting.removeAll { w -> w.thread.frames.any { dead.contains(it.fn.owner) } }
        rows.bury(dead) { ownerOf(it) }
        machines.bury(dead)
        trees.bury(dead)
        clock.bury(dead)
    }

    /** Makes room for the state, the computed values and the functions of an instance, or takes a room that is free. */
    internal fun settle(i: Instance) {
        val b = i.block
        val t = i.template
        for (k in 0 until t.state.size) {
            val s = p.state[t.state[k]]
            val own = Slot(i.node(s.owner), s.key, s.constant, s.fn)
            if (b.state + k == states.size) addState(own) else states[b.state + k] = own
            know(slotOf, own.owner, own.key, b.state + k)
        }
        for (k in 0 until t.computed.size) {
            val c = p.computed[t.computed[k]]
            val own = Named(i.node(c.owner), c.key, i.function(c.fn))
            if (b.computed + k == computeds.size) addComputed(own) else computeds[b.computed + k] = own
            know(computedOf, own.owner, own.key, b.computed + k)
        }
        for (k in 0 until t.functions.size) {
            val f = p.functions[t.functions[k]]
            val own = Func(f.name, i.node(f.owner), f.params, f.rest, f.locals, f.code, f.lines, i)
            if (b.functions + k == functions.size) functions.add(own) else functions[b.functions + k] = own
            know(byName, own.owner, own.name, b.functions + k)
        }
    }

    /** Takes a room back. */
    internal fun clear(i: Instance) {
        for (k in 0 until i.template.state.size) {
            slots[i.block.state + k] = null
            states[i.block.state + k] = Slot("", "", -1, 0)
        }
        for (k in 0 until i.template.computed.size) caches[i.block.computed + k] = Cached()
    }

    /** Where the next instance without a free room gets its own. */
    internal fun room(): Block = Block(states.size, computeds.size, functions.size)

    private fun addState(s: Slot) {
        know(slotOf, s.owner, s.key, states.size)
        states.add(s)
        slots.add(null)
    }

    private fun addComputed(c: Named) {
        know(computedOf, c.owner, c.key, computeds.size)
        computeds.add(c)
        caches.add(Cached())
    }

    private fun know(into: HashMap<String, HashMap<String, Int>>, owner: String, key: String, i: Int) {
        if (templates.of(owner) != null) return
        val of = into.getOrPut(owner) { HashMap() }
        if (!of.containsKey(key)) of[key] = i
    }

    /** Gives the state its first values, enters the machines and raises init, mount and start. */
    fun start() {
        val limit = turnLimit
        turnLimit = Limits.LONG
        for (i in 0 until p.state.size) {
            val s = p.state[i]
            if (templates.of(s.owner) != null) continue
            if (s.fn < 0) {
                slots[i] = p.consts[s.constant]
                continue
            }
            if (spent > Limits.INIT) {
                report(s.owner, tooLong("the first values take more than ${Limits.INIT} instructions"))
                break
            }
            atomically(s.owner) {
                slots[i] = null
                slots[i] = call(s.fn, emptyList(), emptyList())
            }
        }
        changed = ArrayList()
        bindAll()
        turnLimit = limit
        machines.add(first.machines)
        trees.add(first.trees)
        clock.add(first.schedules)
        for (name in listOf("init", "mount", "start")) if (heard(name)) queue.addLast(Event(EVERYWHERE, name, null))
        drain()
    }

    internal fun heard(name: String): Boolean = rows.handles(name)
    internal fun ownerOf(fn: Int): String = functions[fn].owner

    /** Simulated seconds since the start. */
    val time: Double get() = number(steps) / p.spatial

    internal fun after(seconds: Double): Int = (steps + Math.ceil(seconds * p.spatial - 1e-9)).toInt()

    /** Raises an event in the next step. */
    fun inject(e: Event) {
        if (queue.size < Limits.EVENTS) queue.addLast(e)
    }

    internal val sleepers: Int get() = waiting.size
    internal val tight: Boolean get() = spent >= Limits.STEP
    internal fun random(): Double = rng.float()

    /** Advances the time by one spatial step. */
    fun step() {
        steps++
        spent = 0
        cascade = 0
        clock.schedules()
        clock.timelines()
        val kept = ArrayList<Waiting>()
        for (w in waiting) if (w.at <= steps) ready.addLast(w.thread) else kept.add(w)
        waiting = kept
        machines.timers()
        drain()
        clock.tweens()
        trees.run()
        if (heard("update") && !tight && !queue.any { it.name == "update" && it.node == EVERYWHERE }) {
            queue.addLast(Event(EVERYWHERE, "update", 1.0 / p.spatial))
        }
        drain()
    }

    private fun drain() {
        while (!tight) {
            if (templates.waiting) {
                if (follows()) templates.birth() else return
                continue
            }
            val t = ready.pollFirst()
            if (t != null) {
                budget = turnLimit
                carry(t.frames[0].fn.owner, t)
                flush()
                continue
            }
            val e = queue.peekFirst()
            if (e == null) {
                templates.bury()
                cascade = 0
                return
            }
            if (!follows()) return
            queue.removeFirst()
            turnOf(e)
        }
    }

    /** Counts what follows from something else. False where it is too much: then nothing that waits is left. */
    private fun follows(): Boolean {
        if (++cascade <= Limits.EVENTS) return true
        report(SCENE_OWNER, tooMany("more than ${Limits.EVENTS} events follow from each other"))
        queue.clear()
        templates.forgetBirths()
        cascade = 0
        return false
    }

    private fun turnOf(e: Event) {
        note("event", e.node, e.name, e.payload, null)
        stop = false
        budget = turnLimit
        handler = true
        if (e.within) {
            for (h in rows.handlers(e.name)) if (lies(h.owner, e.node)) begin(h.owner, h.fn, listOf(e.payload))
        } else {
            spread(e)
        }
        machines.event(e)
        flush()
        handler = false
    }

    /** Brings an event to what handles it: at its node, by wires, above it, and elsewhere. */
    private fun spread(e: Event) {
        val everywhere = e.node == EVERYWHERE
        val hear = rows.handlers(e.name)
        for (h in hear) if (everywhere || h.owner == e.node) begin(h.owner, h.fn, listOf(e.payload))
        for (w in rows.wires) if (w.event == e.name && (everywhere || w.from == e.node)) wire(w, e)
        if (!everywhere) {
            var at = parent(e.node)
            while (at != "" && !stop) {
                for (h in hear) if (h.owner == at) begin(h.owner, h.fn, listOf(e.payload))
                at = parent(at)
            }
        }
        if (stop) return
        for (s in rows.subscriptions) if (s.event == e.name && (everywhere || s.from == e.node)) begin(s.owner, s.fn, listOf(e.payload))
    }

    /** Whether a node is another or lies somewhere below it. */
    internal fun lies(node: String, above: String): Boolean {
        var at = node
        while (at != "" && at != above) at = parent(at)
        return at != ""
    }

    /** The node above; above the topmost nodes and modules is the scene. */
    internal fun parent(node: String): String {
        if (node == SCENE_OWNER || node == EVERYWHERE) return ""
        val up = nodes[node]?.parent ?: ""
        return if (up == "") SCENE_OWNER else up
    }

    private fun wire(w: Wire, e: Event) {
        val owner = ownerOf(w.fn)
        if (w.set >= 0) {
            atomically(owner) { set(w.set, call(w.fn, listOf(e.payload), emptyList())) }
            return
        }
        val args = ArrayList<Any?>()
        for (a in w.args) args.add(p.consts[a])
        args.add(e.payload)
        begin(owner, w.fn, args)
    }

    /** Runs a function as a turn that may wait. */
    internal fun begin(owner: String, fn: Int, args: List<Any?>) {
        if (!handler) budget = turnLimit
        carry(owner, Thread(frame(functions[fn], args, emptyList(), 0), 0))
    }

    internal fun later(c: Closure, seconds: Double, owner: String) {
        if (c.fn.dead) return
        waiting.add(Waiting(after(seconds), Thread(frame(c.fn, emptyList(), c.boxes, 0), 0), owner))
    }

    private fun carry(owner: String, t: Thread) {
        atomically(owner) {
            val v = resume(t)
            if (v is Asleep) {
                if (waiting.size + ready.size >= Limits.WAITING) throw tooMany("more than ${Limits.WAITING} turns wait")
                waiting.add(Waiting(after(v.seconds), t, owner))
            }
        }
    }

    /** Runs a handler: when it faults, nothing that it wrote stays. */
    internal fun atomically(owner: String, work: () -> Unit): Boolean {
        turn++
        made = 0
        undo = ArrayList()
        val events = queue.size
        val changes = changed.size
        val waits = waiting.size
        val outer = depth
        if (!handler) budget = turnLimit
        var f: Fault? = null
        try {
            work()
            held += made
            if (held > Limits.HELD) {
                held = measure()
                if (held > Limits.HELD) f = tooLarge("the state is too large")
            }
        } catch (e: Fault) {
            f = e
        }
        depth = outer
        if (f == null) {
            for (i in changes until changed.size) {
                val s = states[changed[i].slot]
                note("set", s.owner, s.key, slots[changed[i].slot], null)
                host?.state(s.owner, s.key, slots[changed[i].slot])
            }
            return true
        }
        val steps = undo
        undo = ArrayList()
        for (i in steps.size - 1 downTo 0) steps[i]()
        version++
        while (queue.size > events) queue.pollLast()
        while (changed.size > changes) changed.removeAt(changed.size - 1)
        while (waiting.size > waits) waiting.removeAt(waiting.size - 1)
        report(owner, f)
        return false
    }

    /** Brings a fault to the nearest on_error. */
    internal fun report(owner: String, f: Fault) {
        note("fault", owner, f.code, f.text, f)
        host?.fault(owner, f)
        if (faulted) return
        faulted = true
        var at = owner
        while (at != "") {
            val h = rows.handlers("error").firstOrNull { it.owner == at }
            if (h != null) {
                val left = budget
                budget = turnLimit
                carry(at, Thread(frame(functions[h.fn], listOf(f.value()), emptyList(), 0), depth))
                budget = left
                break
            }
            at = parent(at)
        }
        faulted = false
    }

    internal fun set(slot: Int, v: Any?) {
        val old = slots[slot]
        undo.add { slots[slot] = old }
        slots[slot] = v
        version++
        if (v !is ListValue && v !is MapValue && sameValue(old, v)) return
        if (!changed.any { it.slot == slot }) changed.add(Change(slot, old))
    }

    /** Sets a state key of the scene from outside, as a turn of its own. */
    fun put(key: String, v: Any?) {
        val slot = slotOf[SCENE_OWNER]?.get(key) ?: return
        handler = false
        atomically(SCENE_OWNER) { set(slot, v) }
        flush()
    }

    /** A state key of the scene. */
    fun state(key: String): Any? {
        val slot = slotOf[SCENE_OWNER]?.get(key) ?: return null
        return slots[slot]
    }

    /** Saves a list before it changes, once in a turn. */
    internal fun touch(v: ListValue) {
        version++
        if (v.turn == turn) return
        v.turn = turn
        val old = ArrayList<Any?>(v.items)
        made += old.size
        undo.add { v.items = old }
    }

    /** Saves an object before it changes, once in a turn. */
    internal fun touch(v: MapValue) {
        version++
        if (v.turn == turn) return
        v.turn = turn
        val old = LinkedHashMap<String, Any?>(v.map)
        made += old.size
        undo.add { v.map = old }
    }

    internal fun touch(b: Box) {
        if (b.turn == turn) return
        b.turn = turn
        val old = b.v
        undo.add { b.v = old }
    }

    internal fun computed(i: Int): Any? {
        val c = caches[i]
        if (c.fresh && c.version == version) return c.v
        if (c.busy) throw tooDeep("computed '${computeds[i].key}' needs itself")
        c.busy = true
        try {
            val v = call(computeds[i].fn, emptyList(), emptyList())
            c.v = v
            c.fresh = true
            c.version = version
            return v
        } finally {
            c.busy = false
        }
    }

    /** Runs the watches of what changed, and then the bound properties. */
    internal fun flush() {
        if (changed.isEmpty()) return
        val now = changed
        changed = ArrayList()
        for (w in rows.watches) {
            for (c in now) {
                if (c.slot != w.state) continue
                handler = false
                begin(ownerOf(w.fn), w.fn, listOf(slots[w.state], c.old))
            }
        }
        bindAll()
        val again = changed
        changed = ArrayList()
        if (again.isNotEmpty()) bindAll() // what watches wrote is seen by the next flush
    }

    private fun bindAll() {
        for (b in rows.binds) bind(b)
    }

    internal fun bind(b: Named) {
        handler = false
        atomically(b.owner) {
            val v = call(b.fn, emptyList(), emptyList())
            if (!sameValue(property(b.owner, b.key), v)) setProperty(b.owner, b.key, v)
        }
    }

    /** A property of a node as the program sees it; null where it has none. */
    fun property(node: String, key: String): Any? = props[node]?.get(key)

    private fun putProp(node: String, key: String, v: Any?) {
        val of = props.getOrPut(node) { LinkedHashMap() }
        if (!of.containsKey(key)) propCount++
        of[key] = v
    }

    internal fun setProperty(node: String, key: String, v: Any?) {
        val of = props[node]
        val there = of != null && of.containsKey(key)
        val old = of?.get(key)
        if (!there && propCount >= Limits.ITEMS * 4) throw tooLarge("too many properties")
        version++
        undo.add {
            if (there) {
                putProp(node, key, old)
            } else {
                val now = props[node]
                if (now != null && now.containsKey(key)) {
                    now.remove(key)
                    propCount--
                }
            }
            host?.property(node, key)
        }
        putProp(node, key, v)
        val cut = node.indexOf('\u0000')
        note("property", if (cut < 0) node else node.substring(0, cut), key, v, null)
        host?.property(node, key)
        alloc(1)
    }

    /** Keeps what the outside did to a node, a hand or the physics of the room, outside of any turn. */
    fun place(node: String, key: String, v: Any?) {
        putProp(node, key, v)
        version++
    }

    internal fun stateMember(node: String, name: String): Any? {
        val i = slotOf[node]?.get(name)
        return if (i != null) slots[i] else property(node + "\u0000state", name)
    }

    internal fun nodeMember(node: String, name: String): Any? {
        when (name) {
            "id" -> return node
            "name" -> return nodes[node]?.name ?: node
            "state" -> return StateRef(node)
            "parent" -> {
                val up = parent(node)
                return if (up == "") null else NodeRef(up)
            }
            "current_state" -> {
                val s = machines.current(node)
                if (s != null) return s
            }
        }
        val of = props[node]
        if (of != null && of.containsKey(name)) return of[name]
        val slot = slotOf[node]?.get(name)
        if (slot != null) return slots[slot]
        val c = computedOf[node]?.get(name)
        if (c != null) return computed(c)
        val n = nodes[node]
        return if (n != null && name == "instances") instances(n.name) else null
    }

    internal fun putNode(node: String, name: String, v: Any?) {
        val i = slotOf[node]?.get(name)
        if (i != null) set(i, v) else setProperty(node, name, v)
    }

    internal fun putState(node: String, name: String, v: Any?) {
        val i = slotOf[node]?.get(name)
        if (i != null) set(i, v) else setProperty(node + "\u0000state", name, v)
    }

    internal fun emit(node: String, name: String, payload: Any?) {
        if (queue.size >= Limits.EVENTS) throw tooMany("more than ${Limits.EVENTS} events wait")
        queue.addLast(Event(node, name, payload))
        alloc(1)
    }

    /** Makes a node of a template's name: an instance, or where there is no template of that name a node alone. */
    internal fun spawn(owner: String, name: String, place: Any?, overrides: Any?): Any? {
        val before = undo.size
        val changes = changed.size
        try {
            val t = templates.named(name)
            return if (t == null) alone(owner, name, place, overrides) else templates.spawn(t, owner, place, overrides)
        } catch (f: Fault) { // a catch may go on, without half a node
            while (undo.size > before) undo.removeAt(undo.size - 1)()
            while (changed.size > changes) changed.removeAt(changed.size - 1)
            throw f
        }
    }

    private fun alone(owner: String, name: String, place: Any?, overrides: Any?): NodeRef {
        if (spawned.size >= Limits.SPAWNED) throw tooLarge("more than ${Limits.SPAWNED} nodes")
        val id = "s" + ++serial
        spawned.add(id)
        val up = beside(owner)
        nodes[id] = Info(id, up, name, null)
        undo.add {
            nodes.remove(id)
            spawned.remove(id)
            host?.destroyed(id)
        }
        note("spawn", id, name, null, null)
        host?.spawned(id, name, "", up)
        dress(id, place, overrides)
        return NodeRef(id)
    }

    /** Puts a node into its place and sets its properties. Those that are state come after the first values, which may read the others. */
    internal fun dress(node: String, place: Any?, overrides: Any?) {
        if (place != null) setProperty(node, "position", place)
        if (overrides !is MapValue) return
        for ((k, v) in overrides.map) if (slotOf[node]?.get(k) == null) setProperty(node, k, v)
    }

    /** Sets a key of the state of a node; nothing where it has none of the name. */
    internal fun setState(node: String, key: String, v: Any?) {
        val i = slotOf[node]?.get(key)
        if (i != null) set(i, v)
    }

    /** What a node spawns stands beside it. */
    internal fun beside(owner: String): String = if (owner != SCENE_OWNER) nodes[owner]?.parent ?: "" else ""

    /** Hides a node, which is then no longer found. It and what is below it end when all that was raised is done. */
    internal fun destroy(node: String) {
        setProperty(node, "visible", false)
        if (!gone.add(node)) return
        undo.add { gone.remove(node) }
        templates.end(node)
        if (heard("unmount")) queue.addLast(Event(node, "unmount", null, true))
    }

    /** The nodes of a name that are still there, in their order. */
    internal fun named(name: String, byID: Boolean): List<String> {
        val out = ArrayList<String>()
        for ((id, n) in nodes) if ((n.name == name || byID && id == name) && !gone.contains(id)) out.add(id)
        return out
    }

    /** The nodes that spawn made of a template. */
    internal fun instances(name: String): ListValue {
        val out = ArrayList<Any?>()
        for (id in named(name, false)) if (spawned.contains(id)) out.add(NodeRef(id))
        return list(out)
    }

    internal fun addUndo(f: () -> Unit) {
        undo.add(f)
    }

    /** Starts or stops a timeline; everything else is the host's. */
    internal fun play(owner: String, what: String, a: List<Any?>): Any? {
        val name = first(a)
        if (name is String && clock.turnOn(name, what == "play")) return null
        return outside("", owner, what, a)
    }

    /**
     * Asks the host's model. Without one the answer says which question it was
     * asked, the same everywhere.
     */
    internal fun model(owner: String, a: List<Any?>): Any? {
        note("host", owner, "llm_call", ListValue(ArrayList<Any?>(a)), null)
        if (host != null) {
            val v = host.call("llm_call", owner, a)
            if (v !== NoAnswer) return v
        }
        val prompt = printed(first(a))
        chargeText(prompt)
        var h = 0x811c9dc5.toInt()
        for (b in prompt.toByteArray(Charsets.UTF_8)) h = (h xor (b.toInt() and 0xff)) * 0x01000193
        val hex = Integer.toHexString(h)
        return "stub " + "0".repeat(8 - hex.length) + hex
    }

    internal fun functionOf(owner: String, name: String): Int = byName[owner]?.get(name) ?: -1

    internal fun hostCall(fn: String, owner: String, name: String, a: List<Any?>): Any? {
        calls[name] = (calls[name] ?: 0) + 1
        val op = library[name]
        return if (op != null) op(this, owner, a) else outside(fn, owner, name, a)
    }

    private fun outside(fn: String, owner: String, name: String, a: List<Any?>): Any? {
        note("host", owner, name, ListValue(ArrayList<Any?>(a)), null)
        if (host == null) return null
        val v = host.call(name, owner, a)
        if (v !== NoAnswer) return v
        if (unknown.add(name)) {
            val f = Fault("RUN005", "the host has no operation '${clip(name)}'")
            f.function = fn
            note("fault", owner, f.code, f.text, f)
            host.fault(owner, f)
        }
        return null
    }

    /** Runs a function to its end; it may not wait. */
    internal fun call(fn: Int, args: List<Any?>, boxes: List<Box>): Any? = call(functions[fn], args, boxes)

    private fun call(fn: Func, args: List<Any?>, boxes: List<Box>): Any? {
        if (depth >= Limits.CALLS) throw tooDeep("more than ${Limits.CALLS} calls within calls")
        depth++
        try {
            val v = resume(Thread(frame(fn, args, boxes, 0), depth))
            if (v is Asleep) throw wrongKind("await is not allowed here")
            return v
        } finally {
            depth--
        }
    }

    internal fun invoke(v: Any?, args: List<Any?>): Any? {
        val c = callable(v)
        return if (c.fn.dead) null else call(c.fn, args, c.boxes)
    }

    /** Runs a thread until it ends or waits; faults are thrown. */
    private fun resume(t: Thread): Any? {
        val outer = depth
        try {
            while (true) {
                try {
                    while (true) {
                        depth = t.depth + t.frames.size
                        val v = instruction(t)
                        if (v !== Going) return v
                    }
                } catch (e: Fault) {
                    val top = t.frames[t.frames.size - 1]
                    if (e.function == "") {
                        e.function = top.fn.name
                        locate(e, top)
                    }
                    if (e.code == "RUN001" || !caught(t, e)) throw e
                }
            }
        } finally {
            depth = outer
        }
    }

    private fun locate(f: Fault, at: Frame) {
        f.line = 0
        f.column = 0
        for (l in at.fn.lines) {
            if (l[0] > at.pc) break
            f.line = l[1]
            f.column = l[2]
        }
    }

    /** Goes on behind the innermost try. */
    private fun caught(t: Thread, f: Fault): Boolean {
        while (t.frames.isNotEmpty()) {
            val top = t.frames[t.frames.size - 1]
            if (top.tries.isNotEmpty()) {
                val at = top.tries.removeAt(top.tries.size - 1)
                cut(t.stack, at.height)
                t.stack.add(f.value())
                top.pc = at.pc
                return true
            }
            cut(t.stack, top.base)
            t.frames.removeAt(t.frames.size - 1)
        }
        return false
    }

    /** Counts the instruction that begins. */
    internal fun tick() {
        if (--budget < 0) throw tooLong("the turn takes more than $turnLimit instructions")
        spent++
    }

    /** Counts work beyond one instruction. */
    internal fun charge(n: Int) {
        budget -= n
        spent += n
    }

    internal fun chargeText(s: String) {
        if (s.length * 3 >= Limits.CHARGE_BYTES) charge(bytesOf(s) / Limits.CHARGE_BYTES)
    }

    internal fun checkBudget() {
        if (budget < 0) throw tooLong("the turn takes more than $turnLimit instructions")
    }

    internal fun alloc(n: Int) {
        made += n
        charge(n / Limits.CHARGE_BYTES)
        if (made > Limits.ALLOC) throw tooLarge("a turn makes more than ${Limits.ALLOC}")
    }

    internal fun text(s: String): String {
        val n = bytesOf(s)
        if (n > Limits.TEXT) throw tooLarge("text of $n bytes")
        alloc(n)
        return s
    }

    internal fun list(items: ArrayList<Any?>): ListValue {
        if (items.size > Limits.ITEMS) throw tooLarge("list of ${items.size} elements")
        alloc(items.size + 1)
        return ListValue(items)
    }

    /** A value as text; printing a large one is work. */
    internal fun printed(v: Any?): String {
        if (v is String) return v
        val s = textOf(v)
        if (v is ListValue || v is MapValue) chargeText(s)
        return s
    }

    internal fun shown(v: Any?): String = if (v is String) quote(v) else printed(v)

    internal fun same(a: Any?, b: Any?): Boolean {
        val visits = Visits(Limits.ITEMS)
        val yes = equal(a, b, Limits.DEPTH, visits)
        charge(Math.floorDiv(Limits.ITEMS - visits.left, Limits.CHARGE_ELEMENTS))
        return yes
    }

    /** The place of a value in a list, -1 without one. */
    internal fun find(items: List<Any?>, x: Any?): Int {
        for (i in 0 until items.size) {
            if (i % Limits.CHARGE_ELEMENTS == Limits.CHARGE_ELEMENTS - 1) charge(1)
            if (same(items[i], x)) return i
            checkBudget()
        }
        return -1
    }

    /** The first arguments as numbers; those that are not given are 0. */
    internal fun numbers(a: List<Any?>, n: Int): DoubleArray {
        val out = DoubleArray(n)
        for (i in 0 until Math.min(n, a.size)) {
            out[i] = asNumber(a[i]) ?: throw wrongKind("argument ${i + 1} is ${typeName(a[i])}, not a number")
        }
        return out
    }

    internal fun log(node: String, text: String) {
        note("log", node, "", text, null)
        host?.log(node, short(text))
    }

    /** Appends to the trace. Values are printed at once: they may change later. */
    internal fun note(kind: String, node: String, name: String, value: Any?, f: Fault?) {
        if (!tracing) return
        if (trace.size >= Limits.TRACE || made > Limits.ALLOC) {
            dropped++
            return
        }
        val text = when (value) {
            is ListValue, is MapValue, is Closure -> short(showOf(value))
            is String -> quote(short(value))
            else -> showOf(value)
        }
        trace.add(Entry(time, kind, node, name, text, f?.function ?: "", f?.line ?: 0, f?.column ?: 0))
    }

    /** Counts what state, properties and waiting turns hold. */
    private fun measure(): Long {
        val seen = java.util.IdentityHashMap<Any, Boolean>()
        val work = ArrayList<Any?>()
        work.addAll(slots)
        for (of in props.values) work.addAll(of.values)
        for (e in queue) work.add(e.payload)
        for (w in waiting) {
            for (f in w.thread.frames) work.addAll(f.locals)
            work.addAll(w.thread.stack)
        }
        var n = 0L
        while (work.isNotEmpty() && n <= Limits.HELD) {
            val v = work.removeAt(work.size - 1)
            n++
            if (v is String) {
                n += bytesOf(v)
                continue
            }
            if (v is ListValue || v is MapValue || v is Closure || v is Box) {
                if (seen.put(v, true) != null) continue
            }
            when (v) {
                is ListValue -> work.addAll(v.items)
                is Walk -> work.addAll(v.items)
                is MapValue -> for ((k, e) in v.map) {
                    n += bytesOf(k)
                    work.add(e)
                }
                is Closure -> for (b in v.boxes) work.add(b.v)
                is Box -> work.add(v.v)
            }
        }
        return n
    }
}

internal fun frame(fn: Func, args: List<Any?>, boxes: List<Box>, base: Int): Frame {
    val locals = arrayOfNulls<Any?>(fn.locals)
    val fixed = if (fn.rest) fn.params - 1 else fn.params
    for (i in 0 until Math.min(fixed, args.size)) locals[i] = args[i]
    if (fn.rest) locals[fixed] = ListValue(ArrayList(args.drop(fixed)))
    for (i in 0 until boxes.size) locals[fn.params + i] = boxes[i]
    return Frame(fn, locals, base)
}

internal fun cut(stack: ArrayList<Any?>, height: Int) {
    while (stack.size > height) stack.removeAt(stack.size - 1)
}

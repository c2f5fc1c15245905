/** Why a document is no program. */
class Refused(text: String) : RuntimeException("program refused: $text", null, false, false)

internal fun need(ok: Boolean, text: String) {
    if (!ok) throw Refused(text)
}

/** An object of a document: its keys are known ones, and its values have their kinds. */
private class Form(v: Any?, private val what: String, vararg keys: String) {
    private val map: Map<String, Any?>

    init {
        need(v is MapValue, "$what is no object")
        map = (v as MapValue).map
        for (k in map.keys) need(keys.contains(k), "$what has the key ${quote(clip(k))}")
    }

    fun has(k: String): Boolean = map[k] != null
    fun any(k: String): Any? = map[k]
    fun absent(k: String): Boolean = !map.containsKey(k)

    private fun wrong(k: String): Refused = Refused("$what.$k is of the wrong kind")

    fun text(k: String): String {
        val v = map[k] ?: return ""
        return v as? String ?: throw wrong(k)
    }

    fun flag(k: String): Boolean {
        val v = map[k] ?: return false
        return v as? Boolean ?: throw wrong(k)
    }

    fun number(k: String): Double {
        val v = map[k] ?: return 0.0
        return v as? Double ?: throw wrong(k)
    }

    fun whole(k: String): Int {
        val v = map[k] ?: return 0
        return wholeOf(v) ?: throw wrong(k)
    }

    fun list(k: String): List<Any?> {
        val v = map[k] ?: return ArrayList()
        return (v as? ListValue ?: throw wrong(k)).items
    }

    fun entries(k: String): List<Any?> {
        val out = list(k)
        need(out.size <= Limits.ENTRIES, "more than ${Limits.ENTRIES} $k")
        return out
    }

    fun wholes(k: String): IntArray = wholesOf(list(k), "$what.$k")
}

/** A whole number, null for what is none. Numbers that no table reaches become the largest. */
private fun wholeOf(v: Any?): Int? {
    if (v !is Double || v.isNaN() || v != Math.rint(v) || Math.abs(v) >= 9007199254740992.0) return null
    return Math.max(-2147483647.0, Math.min(2147483647.0, v)).toInt()
}

private fun wholesOf(list: List<Any?>, what: String): IntArray {
    val out = IntArray(list.size)
    for (i in 0 until list.size) out[i] = wholeOf(list[i]) ?: throw Refused("$what is not of whole numbers")
    return out
}

class Slot(val owner: String, val key: String, val constant: Int, val fn: Int)

/**
 * A function. With rest its last parameter is the list of the arguments that the
 * others leave. One of an instance works on what that has in place of its template's.
 */
class Func internal constructor(
    val name: String, val owner: String, val params: Int, val rest: Boolean, val locals: Int, val code: IntArray, val lines: Array<IntArray>,
    internal val instance: Instance? = null
) {
    internal val dead: Boolean get() = instance != null && instance.dead

    internal fun slot(i: Int): Int = if (instance == null) i else instance.slot(i)
    internal fun computed(i: Int): Int = if (instance == null) i else instance.computed(i)
    internal fun function(i: Int): Int = if (instance == null) i else instance.function(i)
    internal fun node(id: String): String = if (instance == null) id else instance.node(id)
}

class Named(val owner: String, val key: String, val fn: Int)
class Watch(val state: Int, val fn: Int)
class Subscription(val from: String, val event: String, val owner: String, val fn: Int)
class Wire(val from: String, val event: String, val set: Int, val fn: Int, val args: IntArray)
class Schedule(val fn: Int, val after: Double, val every: Double, val forever: Boolean)
class Timeline(val id: String, val loop: Boolean, val autoplay: Boolean, val times: DoubleArray, val fns: IntArray)
class Transition(val event: String, val to: Int, val guard: Int, val action: Int)
class MachineState(val name: String, val parent: Int, val entry: Int, val exit: Int, val after: Double, val next: Int, val on: List<Transition>)
class StateMachine(val node: String, val initial: Int, val states: List<MachineState>)
class TreeNode(val type: String, val times: Int, val duration: Double, val policy: String, val fn: Int, val children: List<TreeNode>)
class Tree(val node: String, val rate: Double, val restart: Boolean, val root: TreeNode)

/** A template: the nodes that `spawn` of its name copies, the root first and parents before children. */
class Prototype(val name: String, val nodes: List<String>)

/** A behaviour in the form program/1, checked. */
class Program internal constructor(
    val seed: LongArray, val spatial: Int, val consts: List<Any?>, val host: List<String>, val state: List<Slot>, val functions: List<Func>,
    val computed: List<Named>, val watches: List<Watch>, val binds: List<Named>, val handlers: List<Named>, val subscriptions: List<Subscription>,
    val wires: List<Wire>, val schedules: List<Schedule>, val timelines: List<Timeline>, val machines: List<StateMachine>, val trees: List<Tree>,
    val templates: List<Prototype>
)

/**
 * Takes a program from its text. Throws NoJson or Refused for what is none, for
 * other versions, unknown keys, wrong indices, and code that could leave its
 * stack, its locals or its bounds.
 */
fun loadProgram(text: String): Program {
    val doc = parseDocument(text)
    val version = if (doc is MapValue) doc.map["v"] else null
    need(version == "program/1", "it is ${clip(showOf(version))}; this reader knows program/1")
    val f = Form(
        doc, "program", "v", "seed", "rates", "consts", "host", "state", "functions", "computed", "watches", "binds", "handlers", "subscriptions",
        "wires", "schedules", "timelines", "machines", "trees", "templates"
    )
    val rates = Form(f.any("rates"), "rates", "spatial", "cognitive")
    need(rates.whole("spatial") in 60..90 && rates.whole("cognitive") in 2..10, "rates out of range")
    need(f.list("host").size <= Limits.ENTRIES, "too many host operations")
    val p = Program(
        seedOf(f.list("seed")), rates.whole("spatial"), f.list("consts"), f.list("host").map { it as? String ?: throw Refused("host operations are texts") },
        f.entries("state").map { slotOf(it) }, f.entries("functions").map { funcOf(it) },
        f.entries("computed").map { namedOf(it, "computed", "owner", "key") },
        f.entries("watches").map { val w = Form(it, "watches", "state", "fn"); Watch(w.whole("state"), w.whole("fn")) },
        f.entries("binds").map { namedOf(it, "binds", "node", "property") },
        f.entries("handlers").map { namedOf(it, "handlers", "node", "event") },
        f.entries("subscriptions").map {
            val s = Form(it, "subscriptions", "from", "event", "owner", "fn")
            Subscription(s.text("from"), s.text("event"), s.text("owner"), s.whole("fn"))
        },
        f.entries("wires").map {
            val w = Form(it, "wires", "from", "event", "set", "fn", "args")
            need(!w.has("set") || w.whole("set") >= 0, "a wire sets no state")
            Wire(w.text("from"), w.text("event"), if (w.has("set")) w.whole("set") else -1, w.whole("fn"), w.wholes("args"))
        },
        f.entries("schedules").map {
            val s = Form(it, "schedules", "fn", "after", "every", "forever")
            Schedule(s.whole("fn"), s.number("after"), s.number("every"), s.flag("forever"))
        },
        f.entries("timelines").map { timelineOf(it) },
        f.entries("machines").map {
            val m = Form(it, "machines", "node", "initial", "states")
            StateMachine(m.text("node"), m.whole("initial"), m.entries("states").map { s -> stateOf(s) })
        },
        f.entries("trees").map {
            val t = Form(it, "trees", "node", "rate", "restart", "root")
            Tree(t.text("node"), t.number("rate"), t.flag("restart"), treeNodeOf(t.any("root"), 0, Visits(Limits.EVENTS)))
        },
        f.entries("templates").map { prototypeOf(it) }
    )
    verify(p)
    return p
}

private fun seedOf(list: List<Any?>): LongArray {
    need(list.size <= 4, "the seed is no four numbers")
    val out = LongArray(4)
    for (i in 0 until list.size) {
        val v = list[i]
        need(v is Double && v == Math.rint(v) && v >= 0 && v < 4294967296.0, "the seed is no four numbers")
        out[i] = (v as Double).toLong()
    }
    return out
}

private fun slotOf(v: Any?): Slot {
    val s = Form(v, "state", "owner", "key", "init", "persist")
    s.flag("persist")
    if (s.absent("init")) return Slot(s.text("owner"), s.text("key"), -1, 0)
    val init = s.any("init")
    if (init is Double) return Slot(s.text("owner"), s.text("key"), wholeOf(init) ?: throw Refused("state without a first value"), -1)
    val made = Form(init, "state without a first value: init", "fn")
    need(made.has("fn"), "state without a first value")
    return Slot(s.text("owner"), s.text("key"), -1, made.whole("fn"))
}

private fun funcOf(v: Any?): Func {
    val f = Form(v, "functions", "name", "owner", "params", "rest", "locals", "code", "lines")
    val lines = f.list("lines").map {
        val l = wholesOf((it as? ListValue ?: throw Refused("lines are lists")).items, "lines")
        need(l.size <= 3, "a line has three numbers")
        l.copyOf(3)
    }
    return Func(f.text("name"), f.text("owner"), f.whole("params"), f.flag("rest"), f.whole("locals"), f.wholes("code"), lines.toTypedArray())
}

private fun namedOf(v: Any?, what: String, owner: String, key: String): Named {
    val f = Form(v, what, owner, key, "fn")
    return Named(f.text(owner), f.text(key), f.whole("fn"))
}

private fun prototypeOf(v: Any?): Prototype {
    val t = Form(v, "templates", "name", "nodes")
    return Prototype(t.text("name"), t.list("nodes").map { it as? String ?: throw Refused("a template has a node without an id") })
}

private fun timelineOf(v: Any?): Timeline {
    val t = Form(v, "timelines", "id", "loop", "autoplay", "steps")
    val steps = t.entries("steps")
    val times = DoubleArray(steps.size)
    val fns = IntArray(steps.size)
    for (i in 0 until steps.size) {
        val step = (steps[i] as? ListValue ?: throw Refused("a timeline has a wrong step")).items
        need(step.size == 2, "a timeline has a wrong step")
        times[i] = step[0] as? Double ?: throw Refused("a timeline has a wrong step")
        fns[i] = wholeOf(step[1]) ?: throw Refused("a timeline has a wrong step")
    }
    return Timeline(t.text("id"), t.flag("loop"), t.flag("autoplay"), times, fns)
}

private fun stateOf(v: Any?): MachineState {
    val s = Form(v, "states", "name", "parent", "entry", "exit", "after", "on")
    val after = s.list("after")
    var time = -1.0
    var next = -1
    if (after.isNotEmpty()) {
        need(after.size == 2, "a state has a wrong time-out")
        time = after[0] as? Double ?: throw Refused("a state has a wrong time-out")
        next = wholeOf(after[1]) ?: throw Refused("a state has a wrong time-out")
        need(time >= 0, "a state has a wrong time-out")
    }
    val on = s.list("on").map {
        val t = Form(it, "on", "event", "to", "guard", "action")
        Transition(t.text("event"), t.whole("to"), t.whole("guard"), t.whole("action"))
    }
    return MachineState(s.text("name"), s.whole("parent"), s.whole("entry"), s.whole("exit"), time, next, on)
}

private fun treeNodeOf(v: Any?, depth: Int, left: Visits): TreeNode {
    need(--left.left >= 0 && depth <= Limits.NESTING, "a tree is too large or too deep")
    val t = Form(v, "tree", "type", "params", "fn", "children")
    val params = Form(t.any("params") ?: MapValue(), "params", "times", "duration", "policy")
    return TreeNode(
        t.text("type"), params.whole("times"), params.number("duration"), params.text("policy"), t.whole("fn"),
        t.list("children").map { treeNodeOf(it, depth + 1, left) }
    )
}

/*
 * The instructions: operands, then what is popped and pushed. An operand is one
 * letter: c constant, t text constant, l local, s slot, x computed, j jump,
 * f function, h host, n count. A count at the end of many (m) pops as many more,
 * of double (d) twice as many.
 */
private const val TABLE = "const c 0 1|pop - 1 0|dup - 1 2|load l 0 1|store l 1 0|cell l 0 1|self - 0 1|node t 0 1|get s 0 1|set s 1 0|comp x 0 1|" +
    "mem t 1 1|putmem t 2 0|idx - 2 1|putidx - 3 0|arr n 0 1 m|obj n 0 1 d|concat - 2 1|merge - 2 1|tpl n 0 1 m|add - 2 1|sub - 2 1|mul - 2 1|" +
    "div - 2 1|mod - 2 1|pow - 2 1|neg - 1 1|and - 2 1|or - 2 1|xor - 2 1|shl - 2 1|shr - 2 1|compl - 1 1|not - 1 1|eq - 2 1|ne - 2 1|lt - 2 1|" +
    "le - 2 1|gt - 2 1|ge - 2 1|in - 2 1|range - 2 1|jmp j 0 0|jz j 1 0|jnz j 1 0|jnull j 1 1|call fn 0 1 m|host hn 0 1 m|method tn 1 1 m|" +
    "fn fn 0 1 m|callv n 1 1 m|ret - 1 0|throw - 1 0|try j 0 0|endtry - 0 0|emit n 0 0 m|await - 1 1|spawn t 2 1|iter - 1 1|next j 1 2|" +
    "calls - 2 1|methods t 2 1|hosts h 1 1"

internal class Shape(val args: String, val pop: Int, val add: Int, val many: Boolean, val double: Boolean)

internal val shapes: List<Shape> = TABLE.split("|").map {
    val f = it.split(" ")
    Shape(if (f[1] == "-") "" else f[1], f[2].toInt(), f[3].toInt(), f.size > 4, f.size > 4 && f[4] == "d")
}

private val treeTypes = listOf(
    "sequence", "selector", "parallel", "random_selector", "inverter", "repeater", "retry", "cooldown", "guard", "timeout", "succeeder", "until_fail",
    "condition", "action", "wait"
)

internal fun verify(p: Program) {
    need(p.consts.size <= Limits.CONSTS && p.functions.size <= Limits.FUNCTIONS, "too many constants or functions")
    for (c in p.consts) {
        need(c == null || c is Boolean || c is Double || c is String && c.length <= Limits.TEXT, "a constant is neither null, boolean, number nor text")
    }
    var total = 0
    val captured = IntArray(p.functions.size)
    for (i in 0 until p.functions.size) {
        total += p.functions[i].code.size
        need(total <= Limits.TOTAL_CODE && p.functions[i].code.size <= Limits.CODE, "too much code")
        FunctionCheck(p, i, captured).run()
    }
    for (i in 0 until p.functions.size) need(p.functions[i].params + captured[i] <= p.functions[i].locals, "function $i has no room for its boxes")
    verifyTables(p)
}

private fun seconds(t: Double): Boolean = t >= 0 && t <= 1e9

private fun verifyTables(p: Program) {
    fun fn(i: Int, none: Boolean = false) = need(none && i == -1 || i >= 0 && i < p.functions.size, "there is no function $i")
    for (s in p.state) if (s.fn >= 0 || s.constant < 0) fn(s.fn) else need(s.constant < p.consts.size, "state without a first value")
    for (x in p.computed + p.binds + p.handlers) fn(x.fn)
    for (w in p.watches) {
        fn(w.fn)
        need(w.state >= 0 && w.state < p.state.size, "a watch on no state")
    }
    for (s in p.subscriptions) fn(s.fn)
    for (w in p.wires) {
        fn(w.fn)
        need(w.set < p.state.size, "a wire sets no state")
        need(w.args.size <= Limits.STACK / 2, "a wire passes too much")
        for (a in w.args) need(a >= 0 && a < p.consts.size, "a wire passes no constant")
    }
    for (s in p.schedules) {
        fn(s.fn)
        need(seconds(s.after) && seconds(s.every), "a schedule has a wrong time")
    }
    for (t in p.timelines) {
        for (i in 0 until t.times.size) {
            need(seconds(t.times[i]) && (i == 0 || t.times[i] >= t.times[i - 1]), "a timeline has a wrong step")
            fn(t.fns[i])
        }
    }
    for (m in p.machines) {
        val n = m.states.size
        need(m.initial >= 0 && m.initial < n, "a machine without its initial state")
        for (i in 0 until n) {
            val s = m.states[i]
            need(s.parent >= -1 && s.parent < i, "a state lies in no state")
            need(s.after < 0 || seconds(s.after) && s.next >= -1 && s.next < n, "a state has a wrong time-out")
            fn(s.entry, true)
            fn(s.exit, true)
            for (t in s.on) {
                need(t.to >= 0 && t.to < n, "a transition leads to no state")
                fn(t.guard, true)
                fn(t.action, true)
            }
        }
    }
    for (t in p.trees) {
        need(t.rate > 0 && t.rate <= 60, "a tree has a wrong rate")
        verifyTree(p, t.root)
    }
    verifyTemplates(p)
}

private fun verifyTemplates(p: Program) {
    val names = HashSet<String>()
    val nodes = HashSet<String>()
    for (t in p.templates) {
        need(t.name != "" && names.add(t.name), "a template has no name of its own")
        need(t.nodes.isNotEmpty(), "a template has no node")
        for (id in t.nodes) {
            need(id != "" && id != SCENE_OWNER && id != EVERYWHERE, "a template has a node without an id")
            need(nodes.add(id), "a node stands in two templates")
        }
        need(nodes.size <= Limits.ENTRIES, "too many nodes of templates")
    }
}

private fun verifyTree(p: Program, n: TreeNode) {
    val kind = treeTypes.indexOf(n.type)
    val many = n.children.size
    need(kind >= 0, "a tree has a node of no kind")
    need(if (kind < 4) many > 0 else if (kind < 12) many == 1 else many == 0, "a tree node has a wrong number of children")
    need(seconds(n.duration) && n.times >= 0 && (n.policy == "" || n.policy == "all" || n.policy == "any"), "a tree node has wrong settings")
    val leaf = n.type == "guard" || n.type == "condition" || n.type == "action"
    need(!leaf && n.fn == -1 || n.fn >= 0 && n.fn < p.functions.size, "there is no function ${n.fn}")
    for (c in n.children) verifyTree(p, c)
}

/**
 * Walks all paths through a function: the height of the stack and of the tries is
 * known at every place.
 */
private class FunctionCheck(private val p: Program, private val index: Int, private val captured: IntArray) {
    private val f = p.functions[index]
    private val code = f.code
    private val starts = BooleanArray(code.size)
    private val heights = IntArray(code.size) { -1 }
    private val tries = IntArray(code.size)
    private val work = ArrayList<Int>()

    private fun bad(text: String): Refused = Refused("function $index: $text")

    private fun most(letter: Char): Int = when (letter) {
        'c', 't' -> p.consts.size
        'l' -> f.locals
        's' -> p.state.size
        'x' -> p.computed.size
        'j' -> code.size
        'f' -> p.functions.size
        'h' -> p.host.size
        else -> Limits.STACK
    }

    fun run() {
        if (f.rest && f.params == 0) throw bad("a rest without a parameter")
        if (f.params < 0 || f.locals < f.params || f.locals > Limits.LOCALS || code.isEmpty()) throw bad("wrong counts")
        for (i in 0 until f.lines.size) {
            val l = f.lines[i]
            if (l[0] < 0 || l[0] >= code.size || i > 0 && l[0] < f.lines[i - 1][0]) throw bad("lines out of order")
        }
        operands()
        reach(0, 0, 0)
        while (work.isNotEmpty()) follow(work.removeAt(work.size - 1))
    }

    private fun operands() {
        var pc = 0
        while (pc < code.size) {
            val op = code[pc]
            if (op < 0 || op >= shapes.size) throw bad("no instruction $op at $pc")
            val s = shapes[op]
            starts[pc] = true
            if (pc + s.args.length >= code.size) throw bad("code ends within an instruction")
            for (i in 0 until s.args.length) {
                val v = code[pc + 1 + i]
                if (v < 0 || v >= most(s.args[i])) throw bad("operand $v out of range at $pc")
                if (s.args[i] == 't' && p.consts[v] !is String) throw bad("constant $v is no text")
            }
            pc += 1 + s.args.length
        }
    }

    private fun reach(pc: Int, h: Int, t: Int) {
        if (pc < 0 || pc >= code.size || !starts[pc]) throw bad("a way leads to $pc, where no instruction begins")
        if (h > Limits.STACK || t > Limits.CALLS) throw bad("stack too high at $pc")
        if (heights[pc] < 0) {
            heights[pc] = h
            tries[pc] = t
            work.add(pc)
        } else if (heights[pc] != h || tries[pc] != t) {
            throw bad("ways with unlike stacks meet at $pc")
        }
    }

    private fun follow(pc: Int) {
        val s = shapes[code[pc]]
        val next = pc + 1 + s.args.length
        val pop = s.pop + (if (s.many) code[next - 1] * (if (s.double) 2 else 1) else 0)
        if (heights[pc] < pop) throw bad("stack too low at $pc")
        val h = heights[pc] - pop + s.add
        var t = tries[pc]
        when (code[pc]) {
            Op.FN -> captured[code[pc + 1]] = Math.max(captured[code[pc + 1]], code[pc + 2])
            Op.EMIT -> if (code[pc + 1] != 1 && code[pc + 1] != 2) throw bad("emit of a wrong number of values")
            Op.JMP -> return reach(code[pc + 1], h, t)
            Op.JZ, Op.JNZ, Op.JNULL -> reach(code[pc + 1], h, t)
            Op.NEXT -> reach(code[pc + 1], h - 2, t)
            Op.TRY -> {
                reach(code[pc + 1], h + 1, t)
                t++
            }
            Op.ENDTRY -> if (--t < 0) throw bad("endtry without try at $pc")
            Op.RET, Op.THROW -> return
        }
        reach(next, h, t)
    }
}

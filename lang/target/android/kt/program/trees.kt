internal enum class Outcome { SUCCESS, FAILURE, RUNNING }

/** A tree node at work. */
private class Visit(val node: TreeNode) {
    val children: List<Visit> = node.children.map { Visit(it) }
    var at = 0 // the child that runs
    var order: IntArray? = null // of random_selector
    var since = -1 // the step in which it began
    var times = 0
    var until = 0 // end of a cooldown
    var done: Array<Outcome>? = null

    /** Makes a node as if it had not begun; a cooldown goes on. */
    fun reset() {
        at = 0
        times = 0
        order = null
        done = null
        since = -1
        for (c in children) c.reset()
    }
}

private class Rounds(val tree: Tree) {
    val root = Visit(tree.root)
    var next = 0.0
    var over = false
}

/** Behaviour trees at work. */
internal class Trees(private val m: Machine) {
    private val walks = ArrayList<Rounds>()
    private var left = 0

    fun add(trees: List<Tree>) {
        for (t in trees) walks.add(Rounds(t))
    }

    fun bury(dead: Set<String>) {
        walks.removeAll { dead.contains(it.tree.node) }
    }

    /** Ticks the trees whose time has come. */
    fun run() {
        for (w in walks) {
            if (w.over || m.tight || m.steps < w.next - 1e-9) continue
            w.next = Math.max(w.next, number(m.steps - 1)) + m.p.spatial / w.tree.rate
            left = Limits.EVENTS
            m.handler = false
            if (tick(w.tree.node, w.root) != Outcome.RUNNING) {
                w.root.reset()
                w.over = !w.tree.restart
            }
            if (left < 0) m.report(w.tree.node, tooMany("a tick takes more than ${Limits.EVENTS} tree nodes"))
            m.flush()
        }
    }

    private fun elapsed(v: Visit): Boolean = number(m.steps - v.since) / m.p.spatial >= v.node.duration - 1e-9

    private fun tick(owner: String, v: Visit): Outcome {
        if (--left < 0) return Outcome.FAILURE
        val n = v.node
        if (v.since < 0) v.since = m.steps
        when (n.type) {
            "sequence", "selector", "random_selector" -> return inOrder(owner, v)
            "parallel" -> return all(owner, v)
            "inverter" -> {
                val r = tick(owner, v.children[0])
                return if (r == Outcome.RUNNING) r else if (r == Outcome.SUCCESS) Outcome.FAILURE else Outcome.SUCCESS
            }
            "succeeder" -> return if (tick(owner, v.children[0]) == Outcome.RUNNING) Outcome.RUNNING else Outcome.SUCCESS
            "repeater", "retry", "until_fail" -> return again(v, tick(owner, v.children[0]))
            "cooldown" -> {
                if (m.steps < v.until) return Outcome.FAILURE
                val r = tick(owner, v.children[0])
                if (r != Outcome.RUNNING) {
                    v.until = m.after(n.duration)
                    v.children[0].reset()
                }
                return r
            }
            "guard" -> {
                if (m.machines.holds(owner, n.fn, null)) return tick(owner, v.children[0])
                v.children[0].reset()
                return Outcome.FAILURE
            }
            "timeout" -> {
                val r = tick(owner, v.children[0])
                if (r != Outcome.RUNNING || !elapsed(v)) return r
                v.children[0].reset()
                return Outcome.FAILURE
            }
            "condition" -> return if (m.machines.holds(owner, n.fn, null)) Outcome.SUCCESS else Outcome.FAILURE
            "wait" -> return if (elapsed(v)) Outcome.SUCCESS else Outcome.RUNNING
        }
        return action(owner, n.fn)
    }

    /** Calls the function of a leaf: what it gives is the result by name. */
    private fun action(owner: String, fn: Int): Outcome {
        var out = Outcome.FAILURE
        m.atomically(owner) {
            val v = m.call(fn, emptyList(), emptyList())
            if (v != false && v != "failure") out = if (v == "running") Outcome.RUNNING else Outcome.SUCCESS
        }
        return out
    }

    /** Goes through the children until one decides, and comes back to the one that runs. */
    private fun inOrder(owner: String, v: Visit): Outcome {
        val goOn = if (v.node.type == "sequence") Outcome.SUCCESS else Outcome.FAILURE
        if (v.node.type == "random_selector" && v.order == null) v.order = shuffled(v.children.size)
        while (v.at < v.children.size) {
            val order = v.order
            val c = v.children[if (order != null) order[v.at] else v.at]
            val r = tick(owner, c)
            if (r == Outcome.RUNNING) return r
            c.reset()
            if (r != goOn) {
                v.at = 0
                v.order = null
                return r
            }
            v.at++
        }
        v.at = 0
        v.order = null
        return goOn
    }

    private fun shuffled(n: Int): IntArray {
        val out = IntArray(n) { it }
        for (i in n - 1 downTo 1) {
            val j = (m.random() * (i + 1)).toInt()
            val swap = out[i]
            out[i] = out[j]
            out[j] = swap
        }
        return out
    }

    /** Runs the children side by side. Policy all succeeds when all do and fails with the first; any is the other way round. */
    private fun all(owner: String, v: Visit): Outcome {
        var done = v.done
        if (done == null) {
            done = Array(v.children.size) { Outcome.RUNNING }
            v.done = done
        }
        val any = v.node.policy == "any"
        val decides = if (any) Outcome.SUCCESS else Outcome.FAILURE
        var running = false
        for (i in 0 until done.size) {
            if (done[i] == Outcome.RUNNING) done[i] = tick(owner, v.children[i])
            if (done[i] == decides) {
                v.reset()
                return decides
            }
            running = running || done[i] == Outcome.RUNNING
        }
        if (running) return Outcome.RUNNING
        v.reset()
        return if (any) Outcome.FAILURE else Outcome.SUCCESS
    }

    /** What a repeating decorator makes of its child: one run in a tick. */
    private fun again(v: Visit, r: Outcome): Outcome {
        if (r == Outcome.RUNNING) return r
        v.children[0].reset()
        v.times++
        if (v.node.type == "until_fail") return if (r == Outcome.FAILURE) Outcome.SUCCESS else Outcome.RUNNING
        if (v.node.type == "retry" && r == Outcome.SUCCESS) {
            v.times = 0
            return r
        }
        if (v.node.times > 0 && v.times >= v.node.times) {
            v.times = 0
            return r
        }
        return Outcome.RUNNING
    }
}

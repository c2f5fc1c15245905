/** A state with those around it, innermost first. */
private fun chain(d: StateMachine, state: Int): ArrayList<Int> {
    val out = ArrayList<Int>()
    var s = state
    while (s >= 0) {
        out.add(s)
        s = d.states[s].parent
    }
    return out
}

private class Running(val d: StateMachine) {
    var state = -1
    var since = 0
    var fired = false
}

/** State machines at work. */
internal class Machines(private val m: Machine) {
    private val running = ArrayList<Running>()

    /** Lets machines enter their initial states. */
    fun add(machines: List<StateMachine>) {
        for (d in machines) {
            val r = Running(d)
            running.add(r)
            move(r, d.initial, -1)
        }
    }

    fun bury(dead: Set<String>) {
        running.removeAll { dead.contains(it.d.node) }
    }

    /** The name of the state of a node's machine; null without one. */
    fun current(node: String): String? {
        val r = running.firstOrNull { it.d.node == node && it.state >= 0 } ?: return null
        return r.d.states[r.state].name
    }

    /** Leaves the states that are not around the new one, runs the action and enters, the outer states first. */
    private fun move(r: Running, to: Int, action: Int) {
        val d = r.d
        val from = r.state
        val old = chain(d, from)
        val now = chain(d, to)
        var common = 0
        if (from != to) {
            while (common < old.size && common < now.size && old[old.size - 1 - common] == now[now.size - 1 - common]) common++
        } else {
            common = Math.max(0, now.size - 1)
        }
        for (k in 0 until old.size - common) act(d, d.states[old[k]].exit)
        act(d, action)
        r.state = to
        r.since = m.steps
        r.fired = false
        for (k in now.size - 1 - common downTo 0) act(d, d.states[now[k]].entry)
        m.note("state", d.node, d.states[to].name, null, null)
        if (from >= 0 && m.heard("state_exit")) m.queue.addLast(Event(d.node, "state_exit", d.states[from].name))
        if (m.heard("state_enter")) m.queue.addLast(Event(d.node, "state_enter", d.states[to].name))
    }

    private fun act(d: StateMachine, fn: Int) {
        if (fn >= 0) m.begin(d.node, fn, emptyList())
    }

    /** Offers an event to the machines of its node and of those above; one within, to those of its node and of those below. */
    fun event(e: Event) {
        for (r in running) {
            val node = r.d.node
            if (e.node == EVERYWHERE || (if (e.within) m.lies(node, e.node) else m.lies(e.node, node))) offer(r, e)
        }
    }

    /** Takes the first transition whose guard holds. */
    private fun offer(r: Running, e: Event): Boolean {
        val d = r.d
        val places = chain(d, r.state)
        for (k in 0 until d.states.size) if (d.states[k].name == "*") places.add(k)
        for (s in places) {
            for (t in d.states[s].on) {
                if (t.event != e.name || t.guard >= 0 && !holds(d.node, t.guard, e.payload)) continue
                move(r, t.to, t.action)
                return true
            }
        }
        if (e.name != "transition" || e.payload !is String) return false
        val to = d.states.indexOfFirst { it.name == e.payload && it.name != "*" } // transition("open")
        if (to < 0) return false
        move(r, to, -1)
        return true
    }

    fun holds(owner: String, fn: Int, payload: Any?): Boolean {
        var yes = false
        val held = m.atomically(owner) { yes = truthy(m.call(fn, listOf(payload), emptyList())) }
        return held && yes
    }

    /** Lets the states time out that were held for long enough. */
    fun timers() {
        for (r in running) {
            val d = r.d
            for (s in chain(d, r.state)) {
                val state = d.states[s]
                if (state.after < 0 || r.fired || number(m.steps - r.since) / m.p.spatial < state.after - 1e-9) continue
                r.fired = true
                m.handler = false
                if (!offer(r, Event(d.node, "timeout", null)) && state.next >= 0) move(r, state.next, -1)
                m.flush()
                break
            }
        }
    }
}

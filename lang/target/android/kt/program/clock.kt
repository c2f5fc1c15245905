private class Due(val d: Schedule, var due: Int) {
    var on = true
}

private class Line(val d: Timeline, var on: Boolean, var since: Int) {
    var next = 0
    var begun = true
}

private class Tween(val node: String, val key: String, val from: Any?, val to: Any?, val since: Int, val seconds: Double, val easing: String)

/** What begins by itself: schedules, timelines, and properties on their way. */
internal class Clock(private val m: Machine) {
    private val due = ArrayList<Due>()
    private var lines: List<Line> = ArrayList()
    private var moving: List<Tween> = ArrayList()

    /** Makes timelines known by their names; they begin with the next add. */
    fun know(timelines: List<Timeline>) {
        if (timelines.isNotEmpty()) lines = lines + timelines.map { d -> Line(d, false, 0).also { it.begun = false } }
    }

    /** Lets schedules begin now, and the timelines that are known. */
    fun add(schedules: List<Schedule>) {
        for (s in schedules) due.add(Due(s, m.after(s.after)))
        lines = lines.map { if (it.begun) it else Line(it.d, it.d.autoplay, m.steps) }
    }

    fun bury(dead: Set<String>) {
        due.removeAll { dead.contains(m.ownerOf(it.d.fn)) }
        lines = lines.filter { it.d.fns.isEmpty() || !dead.contains(m.ownerOf(it.d.fns[0])) }
        moving = moving.filter { !dead.contains(it.node) }
    }

    private fun begin(fn: Int) {
        m.handler = false
        m.begin(m.ownerOf(fn), fn, emptyList())
        m.flush()
    }

    /** Begins what is due, in the order of the source. */
    fun schedules() {
        for (i in 0 until due.size) {
            val s = due[i]
            if (!s.on || s.due > m.steps || m.tight) continue
            val d = s.d
            if (d.forever) {
                s.due = m.steps + 1
            } else if (d.every > 0) {
                s.due = Math.max(m.after(d.every), m.steps + 1)
            } else {
                s.on = false
            }
            begin(d.fn)
        }
    }

    fun timelines() {
        for (i in 0 until lines.size) {
            val d = lines[i].d
            while (true) {
                val t = lines[i]
                if (!t.on || m.tight || t.next >= d.times.size || !(number(m.steps - t.since) / m.p.spatial >= d.times[t.next] - 1e-9)) break
                begin(d.fns[t.next++])
            }
            val t = lines[i]
            if (t.next == d.times.size) {
                t.on = t.on && d.loop && d.times.size > 0
                t.since = m.steps
                t.next = 0
            }
        }
    }

    /** Starts timelines from their beginning or stops them; false without one of the name. */
    fun turnOn(id: String, on: Boolean): Boolean {
        val old = lines
        if (!old.any { it.d.id == id }) return false
        lines = old.map { if (it.d.id == id && it.begun) Line(it.d, on, m.steps) else it }
        m.addUndo { lines = old }
        return true
    }

    /** Sends a property of a node to a value: property, value, seconds and easing, the last two also by name. */
    fun tween(node: String, a: List<Any?>) {
        var seconds = arg(a, 2)
        var easing = arg(a, 3)
        val named = if (a.size > 2) a[a.size - 1] else null
        if (named is MapValue) {
            if (seconds === named) seconds = null
            if (easing === named) easing = null
            seconds = named.map["duration"] ?: seconds
            easing = named.map["easing"] ?: easing
        }
        val key = m.printed(arg(a, 0))
        val to = copyValue(arg(a, 1))
        var length = 1.0
        if (seconds != null) {
            length = Math.max(0.0, Math.min(1e9, asNumber(seconds) ?: 1.0))
            if (length.isNaN()) length = 0.0
        }
        val t = Tween(node, key, copyValue(m.property(node, key)), to, m.steps, length, if (easing == null) "linear" else m.printed(easing))
        val old = moving
        val kept = old.filter { it.node != node || it.key != key }
        if (kept.size >= Limits.WAITING) throw tooMany("more than ${Limits.WAITING} properties move")
        moving = kept + t
        m.charge(kept.size / Limits.CHARGE_ELEMENTS)
        m.addUndo { moving = old }
    }

    fun tweens() {
        for (t in moving) {
            if (m.tight) return
            val u = if (t.seconds > 0) Math.min(1.0, number(m.steps - t.since) / m.p.spatial / t.seconds) else 1.0
            m.handler = false
            val ok = m.atomically(t.node) { m.setProperty(t.node, t.key, valueAt(t, u)) }
            m.flush()
            if (ok && u < 1) continue
            moving = moving.filter { it !== t }
            if (ok && m.heard("animation_end")) m.inject(Event(t.node, "animation_end", t.key))
        }
    }

    private fun valueAt(t: Tween, u: Double): Any? {
        if (u >= 1) return copyValue(t.to)
        val both = t.from is ListValue && t.to is ListValue || t.from is Double && t.to is Double
        return if (both) between(m, t.from, t.to, ease(t.easing, u)) else t.from
    }
}

/**
 * Moves what moves by itself: gravity, and boxes along the axes of the world that
 * stop, bounce and rub at each other. They do not turn. The same steps give the
 * same places.
 */
internal class Bodies(private val stage: Stage, private val gravity: DoubleArray) {
    private class Moving(val id: String, val body: Body) {
        var speed = xyz(0.0, 0.0, 0.0)
    }

    private class Box(val id: String, val body: Body, val low: DoubleArray, val high: DoubleArray)

    private val bodies = LinkedHashMap<String, Body>()
    private val moving = LinkedHashMap<String, Moving>()
    private var touching: Set<String> = HashSet()

    fun add(id: String, body: Body) {
        bodies[id] = body
        if (body.type == "dynamic" && !body.trigger) moving[id] = Moving(id, body)
    }

    fun remove(id: String) {
        bodies.remove(id)
        moving.remove(id)
    }

    fun bodyOf(id: String): Body? = bodies[id]

    /** Gives a body a push of newton seconds, or a speed. */
    fun push(id: String, by: DoubleArray, speed: Boolean) {
        val m = moving[id] ?: return
        m.speed = if (speed) by else plus(m.speed, scaled(by, 1 / Math.max(m.body.mass, 0.001)))
    }

    private fun box(id: String, body: Body): Box {
        val at = stage.world(id)
        val middle = at.point(body.center)
        val reach = DoubleArray(3) { r ->
            (Math.abs(at.m[3 * r]) * body.size[0] + Math.abs(at.m[3 * r + 1]) * body.size[1] + Math.abs(at.m[3 * r + 2]) * body.size[2]) / 2
        }
        val low = minus(middle, reach)
        if (body.flat) low[1] -= 1.0 // the top of a slab, so that nothing falls through
        return Box(id, body, low, plus(middle, reach))
    }

    fun step(dt: Double, carried: Set<String>) {
        if (bodies.isEmpty()) return
        val boxes = ArrayList<Box>()
        for ((id, body) in bodies) if (stage.seen(id)) boxes.add(box(id, body))
        for (i in 0 until boxes.size) {
            val m = moving[boxes[i].id] ?: continue
            if (carried.contains(m.id)) {
                m.speed = xyz(0.0, 0.0, 0.0)
                continue
            }
            m.speed = plus(m.speed, scaled(gravity, dt * m.body.weight))
            var by = scaled(m.speed, dt)
            for (o in boxes) if (o.id != m.id && !o.body.trigger && !stage.below(o.id, m.id) && !stage.below(m.id, o.id)) by = plus(by, stopped(m, boxes[i], o, by))
            if (long(by) < 1e-9) continue
            stage.shift(m.id, by)
            boxes[i] = box(m.id, m.body)
        }
        notify(boxes)
    }

    /** How much less far a body goes because another is in its way; the speed changes with it. */
    private fun stopped(m: Moving, own: Box, o: Box, by: DoubleArray): DoubleArray {
        var axis = -1
        var least = Double.MAX_VALUE
        for (k in 0..2) {
            val up = o.high[k] - (own.low[k] + by[k])
            val down = own.high[k] + by[k] - o.low[k]
            if (up <= 0 || down <= 0) return xyz(0.0, 0.0, 0.0)
            if (Math.min(up, down) < Math.abs(least)) {
                axis = k
                least = if (up < down) up else -down
            }
        }
        val out = xyz(0.0, 0.0, 0.0)
        out[axis] = least
        val v = m.speed[axis]
        if (v * least < 0) {
            val bounce = Math.max(m.body.restitution, o.body.restitution)
            m.speed[axis] = if (Math.abs(v) < 0.3) 0.0 else -v * bounce
            val rub = Math.max(0.0, 1 - 0.1 * Math.max(m.body.friction, o.body.friction))
            for (k in 0..2) if (k != axis) m.speed[k] *= rub
        }
        return out
    }

    /** Raises what began to touch and what ended. */
    private fun notify(boxes: List<Box>) {
        val now = LinkedHashSet<String>()
        for (i in 0 until boxes.size) {
            for (j in i + 1 until boxes.size) {
                val a = boxes[i]
                val b = boxes[j]
                if (!moving.containsKey(a.id) && !moving.containsKey(b.id) && !a.body.trigger && !b.body.trigger) continue
                if (stage.below(a.id, b.id) || stage.below(b.id, a.id)) continue
                val gap = 0.002
                if ((0..2).all { a.low[it] - gap <= b.high[it] && b.low[it] - gap <= a.high[it] }) now.add(a.id + "\n" + b.id)
            }
        }
        for (pair in touching) if (!now.contains(pair)) raise(pair, "exit")
        for (pair in now) if (!touching.contains(pair)) raise(pair, "enter")
        touching = now
    }

    private fun raise(pair: String, what: String) {
        val ids = pair.split("\n")
        val trigger = ids.any { bodies[it]?.trigger == true }
        for (k in 0..1) {
            val map = LinkedHashMap<String, Any?>()
            map["other"] = ids[1 - k]
            stage.raise(ids[k], (if (trigger) "trigger_" else "collision_") + what, MapValue(map))
        }
    }
}

/** What a pointer meets: the node, where, and how far away. */
class Hit(val id: String, val point: DoubleArray, val distance: Double)

/** A pointer: a finger on the picture, a hand, a controller, or the gaze. */
internal class Pointer {
    var pressed: Hit? = null
    var over = ""
    var held = ""
    var offset = xyz(0.0, 0.0, 0.0)
    var ahead = xyz(0.0, 0.0, -1.0)
    var plane = xyz(0.0, 0.0, 0.0)
    var last = xyz(0.0, 0.0, 0.0)
    var lastTime = 0.0
    var speed = 0.0
}

/**
 * Turns what pointers do into events of nodes: press, release, click, tap,
 * double_click, hover, gaze, pinch, grab, drag, drop and throw. Rays are in the
 * scene; times are in seconds and only ever grow.
 */
class Hands internal constructor(private val stage: Stage) {
    private val pointers = HashMap<String, Pointer>()

    private fun of(hand: String): Pointer = pointers.getOrPut(hand) { Pointer() }

    internal val carried: Set<String> get() = pointers.values.map { it.held }.filter { it != "" }.toSet()

    /** Lets a thing go that is no more. */
    internal fun forget(id: String) {
        for (p in pointers.values) {
            if (p.held == id) p.held = ""
            if (p.over == id) p.over = ""
            if (p.pressed?.id == id) p.pressed = null
        }
    }

    private fun payload(hand: String, point: DoubleArray?): MapValue {
        val map = LinkedHashMap<String, Any?>()
        if (point != null) map["point"] = stage.list(point)
        map["hand"] = hand
        return MapValue(map)
    }

    /** Presses what a ray meets. True where something is there. */
    fun down(hand: String, from: DoubleArray, along: DoubleArray, time: Double): Boolean {
        val h = stage.hit(from, along) ?: return false
        val p = of(hand)
        p.pressed = h
        stage.raise(h.id, "press", payload(hand, h.point))
        val grabbed = stage.nearest(h.id, "grab")
        if (grabbed != "" && !carried.contains(grabbed)) {
            val at = stage.world(grabbed).origin
            p.held = grabbed
            p.offset = minus(at, h.point)
            p.ahead = along
            p.plane = h.point
            p.last = at
            p.lastTime = time
            p.speed = 0.0
            stage.raise(grabbed, "grab", payload(hand, null))
        }
        return true
    }

    /** Carries what is held, or points at what is there. */
    fun move(hand: String, from: DoubleArray, along: DoubleArray, time: Double) {
        val p = of(hand)
        if (p.held == "") {
            val h = stage.hit(from, along)
            hover(hand, h?.id ?: "", h?.point, "hover")
            return
        }
        val slope = dot(along, p.ahead)
        if (Math.abs(slope) < 1e-6) return
        val reach = dot(minus(p.plane, from), p.ahead) / slope
        if (reach <= 0) return
        carry(p, plus(plus(from, scaled(along, reach)), p.offset), time)
    }

    /** Carries what a hand holds to a place in the scene. */
    fun carryTo(hand: String, to: DoubleArray, time: Double) = carry(of(hand), to, time)

    private fun carry(p: Pointer, to: DoubleArray, time: Double) {
        if (p.held == "") return
        val dt = time - p.lastTime
        if (dt > 1e-4) {
            p.speed = long(minus(to, p.last)) / dt
            p.last = to
            p.lastTime = time
        }
        stage.moveTo(p.held, to)
        val map = LinkedHashMap<String, Any?>()
        map["position"] = stage.list(to)
        stage.raise(p.held, "drag", MapValue(map))
    }

    /** Lets go. A press that ends on what it began on is a click, unless the pointer went elsewhere. */
    fun up(hand: String, from: DoubleArray, along: DoubleArray, still: Boolean) {
        val p = of(hand)
        val began = p.pressed
        p.pressed = null
        drop(hand)
        if (began == null) return
        stage.raise(began.id, "release", payload(hand, began.point))
        if (!still || stage.hit(from, along)?.id != began.id) return
        stage.raise(began.id, "click", payload(hand, began.point))
        stage.raise(began.id, "tap", payload(hand, began.point))
    }

    /** Lets go without a click, as when the system takes the pointer away. */
    fun cancel(hand: String) {
        val p = of(hand)
        p.pressed = null
        drop(hand)
    }

    private fun drop(hand: String) {
        val p = of(hand)
        if (p.held == "") return
        val id = p.held
        p.held = ""
        val map = LinkedHashMap<String, Any?>()
        map["hand"] = hand
        map["speed"] = p.speed
        stage.raise(id, if (p.speed > 1.0) "throw" else "drop", MapValue(map))
    }

    fun twice(hand: String, from: DoubleArray, along: DoubleArray) {
        val h = stage.hit(from, along) ?: return
        stage.raise(h.id, "double_click", payload(hand, h.point))
    }

    /** Two fingers that come together or part, by a factor. */
    fun pinch(from: DoubleArray, along: DoubleArray, factor: Double) {
        val h = stage.hit(from, along) ?: return
        val map = LinkedHashMap<String, Any?>()
        map["scale"] = factor
        stage.raise(h.id, "pinch", MapValue(map))
    }

    /** What the middle of the picture, or the head, is turned to. */
    fun gaze(from: DoubleArray, along: DoubleArray) {
        val h = stage.hit(from, along)
        hover("gaze", h?.id ?: "", h?.point, "gaze")
    }

    /** Points at nothing any more. */
    fun leave(hand: String) = hover(hand, "", null, if (hand == "gaze") "gaze" else "hover")

    private fun hover(hand: String, id: String, point: DoubleArray?, what: String) {
        val p = of(hand)
        if (p.over == id) return
        if (p.over != "") stage.raise(p.over, what + "_exit", payload(hand, null))
        p.over = id
        if (id != "") stage.raise(id, what + "_enter", payload(hand, point))
    }
}

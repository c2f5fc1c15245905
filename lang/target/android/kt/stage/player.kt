/** A key-frame animation: keys are a time and then the components of the value. */
private class Track(
    val node: String, val property: String, val keys: List<DoubleArray>, val easing: String, val loop: Int, val pingpong: Boolean, var on: Boolean
) {
    var time = 0.0
    val end = keys[keys.size - 1][0]
}

private val looks = mapOf(
    "color" to "color", "base_color" to "color", "albedo" to "color", "emissive" to "emissive", "emissive_color" to "emissive",
    "emissive_intensity" to "emissive_intensity", "metallic" to "metallic", "metalness" to "metallic", "roughness" to "roughness",
    "opacity" to "opacity", "intensity" to "intensity"
)

/** The canonical name of a key of a look; null for what is none. */
internal fun lookOf(key: String): String? = looks[key]

/** Plays key-frame animations of places, looks and lights. Those of prototypes only their copies play. */
internal class Player(private val stage: Stage, doc: String, prototypes: Set<String>) {
    private val tracks = ArrayList<Track>()
    private val patterns = HashMap<String, ArrayList<Track>>()
    private var begun = false

    init {
        val list = if (doc == "") ArrayList<Any?>() else (parseDocument(doc) as ListValue).items
        for (v in list) {
            val f = (v as ListValue).items
            val keys = (f[2] as ListValue).items.map { numbersOf(it) ?: DoubleArray(2) }
            val t = Track(f[0] as String, f[1] as String, keys, f[3] as String, (f[4] as Double).toInt(), f[6] == true, f[5] == true)
            (if (prototypes.contains(t.node)) patterns.getOrPut(t.node) { ArrayList() } else tracks).add(t)
        }
    }

    fun begin() {
        begun = true
        for (t in tracks) if (t.on) apply(t)
    }

    /** Gives a copy the animations of its prototype. */
    fun copy(like: String, node: String) {
        for (t in patterns[like] ?: return) {
            val own = Track(node, t.property, t.keys, t.easing, t.loop, t.pingpong, t.on)
            tracks.add(own)
            if (begun && own.on) apply(own)
        }
    }

    fun remove(node: String) {
        tracks.removeAll { it.node == node }
    }

    /** Starts the animations of a node anew, or stops them: those of a property, or all. */
    fun play(node: String, name: String, on: Boolean) {
        for (t in tracks) {
            if (t.node != node || name != "" && name != t.property) continue
            t.time = 0.0
            t.on = on
        }
    }

    fun step(dt: Double) {
        for (t in tracks) {
            if (!t.on) continue
            t.time += dt
            apply(t)
            if (t.loop < 0 || t.time < t.end * (t.loop + 1)) continue
            t.on = false
            val map = LinkedHashMap<String, Any?>()
            map["name"] = t.property
            stage.raise(t.node, "animation_end", MapValue(map))
        }
    }

    private fun sample(t: Track): DoubleArray {
        var at = t.time
        if (t.end > 0 && at > t.end) {
            var rounds = Math.floor(at / t.end)
            if (t.loop >= 0 && rounds >= t.loop + 1) {
                rounds = t.loop.toDouble()
                at = t.end // the end of the last one stays
            } else {
                at -= rounds * t.end
            }
            if (t.pingpong && rounds.toLong() % 2 == 1L) at = t.end - at
        }
        val keys = t.keys
        if (at <= keys[0][0]) return keys[0].copyOfRange(1, keys[0].size)
        for (i in 1 until keys.size) {
            val to = keys[i]
            if (at > to[0]) continue
            val from = keys[i - 1]
            val u = ease(t.easing, (at - from[0]) / (to[0] - from[0]))
            val a = from.copyOfRange(1, from.size)
            val b = to.copyOfRange(1, to.size)
            if (t.property == "r" && a.size == 4 && b.size == 4) return turnBetween(a, b, u)
            return DoubleArray(Math.min(a.size, b.size)) { a[it] + (b[it] - a[it]) * u }
        }
        return keys[keys.size - 1].copyOfRange(1, keys[keys.size - 1].size)
    }

    private fun apply(t: Track) {
        val v = sample(t)
        if (t.property == "r") return stage.put(t.node, "rotation", v)
        val part = if (t.property.startsWith("t")) "position" else "scale"
        if (t.property == "t") return stage.put(t.node, part, plus(v, stage.shiftOf(t.node)))
        if (t.property == "s") return stage.put(t.node, part, v)
        if (t.property.length == 3 && (t.property.startsWith("t.") || t.property.startsWith("s."))) {
            val now = stage.part(t.node, part) ?: return
            val k = "xyz".indexOf(t.property[2])
            if (k >= 0) now[k] = if (part == "position") v[0] + stage.shiftOf(t.node)[k] else v[0]
            return stage.put(t.node, part, now)
        }
        val key = lookOf(t.property) ?: return
        stage.look(t.node, key, v)
    }
}

/** The operations that the interpreter answers itself. All others go to the host. */
internal val library: Map<String, (Machine, String, List<Any?>) -> Any?> = makeLibrary()

/** The node that a call is about, and the arguments behind it. */
private fun target(owner: String, a: List<Any?>): Pair<String, List<Any?>> {
    val n = first(a)
    return if (n is NodeRef) Pair(n.id, a.subList(1, a.size)) else Pair(owner, a)
}

private val decimal = Regex("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?")

private fun toNumber(a: List<Any?>): Double {
    val v = first(a)
    if (v is String) {
        val t = trimmed(v)
        return if (decimal.matches(t)) t.toDouble() else Double.NaN
    }
    return asNumber(v) ?: Double.NaN
}

internal fun clamp(x: Double, lo: Double, hi: Double): Double = Math.max(lo, Math.min(hi, x))

internal fun truncated(x: Double): Double = if (x < 0) Math.ceil(x) else Math.floor(x)

/** The easing of a name at a place between 0 and 1. */
fun ease(name: String, at: Double): Double {
    val u = clamp(at, 0.0, 1.0)
    val v = 1 - u
    return when (cased(name, false).replace("-", "").replace("_", "").replace(" ", "")) {
        "easein", "easeinquad" -> u * u
        "easeout", "easeoutquad" -> 1 - v * v
        "easeinout", "easeinoutquad" -> u * u * (3 - 2 * u)
        "easeincubic" -> u * u * u
        "easeoutcubic" -> 1 - v * v * v
        "easeinoutcubic" -> if (u < 0.5) 4 * u * u * u else 1 - 4 * v * v * v
        "easeinsine" -> 1 - Math.cos(u * Math.PI / 2)
        "easeoutsine" -> Math.sin(u * Math.PI / 2)
        "easeinoutsine" -> (1 - Math.cos(u * Math.PI)) / 2
        "step" -> if (u < 1) 0.0 else 1.0
        else -> u
    }
}

/** A value on the way from x to y: of numbers, and of lists of them. */
internal fun between(m: Machine, x: Any?, y: Any?, u: Double): Any? {
    if (x is ListValue && y is ListValue) {
        val out = ArrayList<Any?>()
        for (i in 0 until Math.min(x.items.size, y.items.size)) out.add(between(m, scalar(x.items[i]), scalar(y.items[i]), u))
        return m.list(out)
    }
    val n = m.numbers(listOf(x, y), 2)
    return n[0] + (n[1] - n[0]) * u
}

/** Lists within lists count for nothing. */
private fun scalar(v: Any?): Any? = if (v is ListValue) 0.0 else v

private fun distance(m: Machine, a: List<Any?>): Double {
    if (a.size < 2) throw wrongKind("distance needs two places")
    val places = a.subList(0, 2).map { v ->
        val at = if (v is NodeRef) m.property(v.id, "position") else v
        (at as? ListValue ?: throw wrongKind("distance needs places, not ${typeName(at)}")).items
    }
    var sum = 0.0
    for (i in 0 until Math.min(places[0].size, places[1].size)) {
        val n = m.numbers(listOf(places[0][i], places[1][i]), 2)
        sum += (n[0] - n[1]) * (n[0] - n[1])
    }
    return Math.sqrt(sum)
}

private fun setTimeout(m: Machine, owner: String, a: List<Any?>): Any? {
    var c: Closure? = null
    var seconds = 0.0
    for (v in a) {
        if (v is Closure) c = v else if (v is Double) seconds = v
    }
    if (c == null) throw wrongKind("set_timeout needs a function")
    if (m.sleepers >= Limits.WAITING) throw tooMany("more than ${Limits.WAITING} turns wait")
    m.later(c, if (seconds.isNaN()) 0.0 else clamp(seconds, 0.0, 1e9), owner)
    return null
}

private fun logged(m: Machine, owner: String, a: List<Any?>): Any? {
    val words = a.map { short(m.printed(it)) }
    m.log(owner, words.joinToString(" "))
    var size = 0
    for (w in words) size += bytesOf(w)
    m.alloc(size)
    return null
}

private fun parsed(m: Machine, a: List<Any?>): Any? {
    val s = first(a) as? String ?: throw wrongKind("JSON.parse needs a text")
    val v: Any?
    try {
        v = parseValue(s)
    } catch (e: NoJson) {
        throw wrongKind("this is not JSON")
    }
    m.alloc(bytesOf(s))
    return v
}

private fun eased(m: Machine, a: List<Any?>): Double {
    val name = first(a)
    if (name is String) return ease(name, m.numbers(a.subList(1, a.size), 1)[0])
    val text = m.printed(arg(a, 1))
    return ease(text, m.numbers(a, 1)[0])
}

private fun makeLibrary(): Map<String, (Machine, String, List<Any?>) -> Any?> {
    val l = HashMap<String, (Machine, String, List<Any?>) -> Any?>()
    for (name in listOf("log", "print", "console.log")) l[name] = { m, owner, a -> logged(m, owner, a) }
    l["clamp"] = { m, _, a -> val n = m.numbers(a, 3); clamp(n[0], n[1], n[2]) }
    l["lerp"] = { m, _, a -> between(m, first(a), arg(a, 1), m.numbers(if (a.size > 2) a.subList(2, a.size) else emptyList(), 1)[0]) }
    l["ease"] = { m, _, a -> eased(m, a) }
    l["map_range"] = { m, _, a ->
        val n = m.numbers(a, 5)
        if (n[2] == n[1]) n[3] else n[3] + (n[4] - n[3]) * ((n[0] - n[1]) / (n[2] - n[1]))
    }
    l["random"] = { m, _, a ->
        when (a.size) {
            0 -> m.random()
            1 -> m.random() * m.numbers(a, 1)[0]
            else -> {
                val n = m.numbers(a, 2)
                n[0] + m.random() * (n[1] - n[0])
            }
        }
    }
    l["random_int"] = { m, _, a ->
        val n = m.numbers(a, 2)
        val lo = Math.ceil(n[0])
        val hi = Math.floor(n[1])
        lo + Math.floor(m.random() * (hi - lo + 1))
    }
    l["choose"] = { m, _, a ->
        val only = first(a)
        val from: List<Any?> = if (a.size == 1 && only is ListValue) only.items else a
        if (from.isEmpty()) null else from[(m.random() * from.size).toInt()]
    }
    for (name in listOf("now", "current_time")) l[name] = { m, _, _ -> m.time }
    l["wait"] = { _, _, a -> first(a) }
    l["generate_id"] = { m, _, _ -> "id" + ++m.serial }
    l["distance"] = { m, _, a -> distance(m, a) }
    l["typeof"] = { _, _, a -> typeName(first(a)) }
    l["set_timeout"] = { m, owner, a -> setTimeout(m, owner, a) }
    l["get_node"] = { m, _, a ->
        val found = m.named(m.printed(first(a)), true)
        if (found.isEmpty()) null else NodeRef(found[0])
    }
    l["find_all"] = { m, _, a ->
        val out = ArrayList<Any?>()
        for (id in m.named(m.printed(first(a)), false)) out.add(NodeRef(id))
        m.list(out)
    }
    l["instances"] = { m, _, a -> m.instances(m.printed(first(a))) }
    l["show"] = { m, owner, a -> m.setProperty(target(owner, a).first, "visible", true); null }
    l["hide"] = { m, owner, a -> m.setProperty(target(owner, a).first, "visible", false); null }
    l["set_text"] = { m, owner, a -> val t = target(owner, a); m.setProperty(t.first, "text", first(t.second)); null }
    l["destroy"] = { m, owner, a ->
        val n = if (a.isEmpty()) NodeRef(owner) else a[0]
        if (n is NodeRef) m.destroy(n.id) // else it is not there
        null
    }
    l["tween"] = { m, owner, a -> val t = target(owner, a); m.clock.tween(t.first, t.second); null }
    l["move_to"] = { m, owner, a -> val t = target(owner, a); m.clock.tween(t.first, listOf<Any?>("position") + t.second); null }
    l["transition"] = { m, owner, a -> val t = target(owner, a); m.emit(t.first, "transition", first(t.second)); null } // the machines of the node take it
    l["play"] = { m, owner, a -> m.play(owner, "play", a) }
    l["stop"] = { m, owner, a -> m.play(owner, "stop", a) }
    l["llm_call"] = { m, owner, a -> m.model(owner, a) }
    l["calls"] = { m, _, a -> number(m.calls[m.printed(first(a))] ?: 0) }
    l["JSON.stringify"] = { m, _, a -> m.text(m.shown(first(a))) }
    l["JSON.parse"] = { m, _, a -> parsed(m, a) }
    for (name in listOf("keys", "values", "entries")) l["Object.$name"] = { m, _, a -> method(m, first(a), name, emptyList()) }
    for (name in listOf("Number", "parseFloat", "parse_number")) l[name] = { _, _, a -> toNumber(a) }
    l["parseInt"] = { _, _, a -> truncated(toNumber(a)) }
    l["String"] = { m, _, a -> m.text(m.printed(first(a))) }
    l["Boolean"] = { _, _, a -> truthy(first(a)) }
    addMath(l)
    return l
}

private fun addMath(l: HashMap<String, (Machine, String, List<Any?>) -> Any?>) {
    l["Math.min"] = { m, _, a -> var r = Double.POSITIVE_INFINITY; for (x in m.numbers(a, a.size)) r = Math.min(r, x); r }
    l["Math.max"] = { m, _, a -> var r = Double.NEGATIVE_INFINITY; for (x in m.numbers(a, a.size)) r = Math.max(r, x); r }
    l["Math.random"] = { m, _, _ -> m.random() }
    l["Math.pow"] = { m, _, a -> val n = m.numbers(a, 2); Math.pow(n[0], n[1]) }
    l["Math.atan2"] = { m, _, a -> val n = m.numbers(a, 2); Math.atan2(n[0], n[1]) }
    l["Math.hypot"] = { m, _, a -> var sum = 0.0; for (x in m.numbers(a, a.size)) sum += x * x; Math.sqrt(sum) }
    l["Math.round"] = { m, _, a -> Math.floor(m.numbers(a, 1)[0] + 0.5) }
    val plain = HashMap<String, (Double) -> Double>()
    plain["abs"] = { x -> Math.abs(x) }
    plain["floor"] = { x -> Math.floor(x) }
    plain["ceil"] = { x -> Math.ceil(x) }
    plain["sqrt"] = { x -> Math.sqrt(x) }
    plain["sin"] = { x -> Math.sin(x) }
    plain["cos"] = { x -> Math.cos(x) }
    plain["tan"] = { x -> Math.tan(x) }
    plain["asin"] = { x -> Math.asin(x) }
    plain["acos"] = { x -> Math.acos(x) }
    plain["atan"] = { x -> Math.atan(x) }
    plain["exp"] = { x -> Math.exp(x) }
    plain["log"] = { x -> Math.log(x) }
    plain["log2"] = { x -> log2(x) }
    plain["log10"] = { x -> Math.log10(x) }
    plain["trunc"] = { x -> truncated(x) }
    plain["cbrt"] = { x -> Math.cbrt(x) }
    plain["sign"] = { x -> Math.signum(x) }
    for ((name, f) in plain) l["Math.$name"] = { m, _, a -> f(m.numbers(a, 1)[0]) }
}

/** The logarithm to the base of two; that of a power of two is whole. */
private fun log2(x: Double): Double {
    val near = Math.rint(Math.log(x) / Math.log(2.0))
    return if (Math.abs(near) < 1000 && Math.pow(2.0, near) == x) near else Math.log(x) / Math.log(2.0)
}

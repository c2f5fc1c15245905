/*
 * The values of a running program: null, Boolean, Double, String, and the classes
 * below. Texts are measured in UTF-8 bytes and indexed in code points.
 */

/** A list. Its items change; `turn` is the turn that saved them last. */
class ListValue(var items: ArrayList<Any?>) {
    internal var turn = 0
}

/** An object with its keys in the order in which they were set. */
class MapValue(var map: LinkedHashMap<String, Any?> = LinkedHashMap()) {
    internal var turn = 0
}

/** A node of the scene, by its id. */
class NodeRef(val id: String)

/** The state of a node. */
class StateRef(val id: String)

/** A function with what it captured. */
class Closure(val fn: Func, val boxes: List<Box>)

/** A local that closures share. */
class Box(var v: Any?, internal var turn: Int)

/** A walk over elements. */
class Walk(val items: List<Any?>) {
    internal var at = 0
}

internal fun truthy(v: Any?): Boolean = when (v) {
    null -> false
    is Boolean -> v
    is String -> v.isNotEmpty()
    is Double -> !isZero(v) && !v.isNaN()
    else -> true
}

private fun isZero(n: Double): Boolean = n == 0.0

internal fun unit(s: String, i: Int): Int = s[i] - '\u0000'

/** The length of a text in UTF-8. */
internal fun bytesOf(s: String): Int {
    var n = s.length
    var i = 0
    while (i < s.length) {
        val c = unit(s, i)
        if (c >= 0x80) {
            if (c < 0x800) {
                n += 1
            } else {
                n += 2
                if (c in 0xd800..0xdbff && i + 1 < s.length) i++ // four bytes for two units
            }
        }
        i++
    }
    return n
}

/** How many code points a text has. */
internal fun runesOf(s: String): Int {
    var n = s.length
    for (i in 0 until s.length) if (unit(s, i) in 0xd800..0xdbff) n--
    return n
}

/** The code points of a text as texts. */
internal fun runes(s: String): ArrayList<Any?> {
    val out = ArrayList<Any?>(s.length)
    var i = 0
    while (i < s.length) {
        val end = i + (if (unit(s, i) in 0xd800..0xdbff && i + 1 < s.length) 2 else 1)
        out.add(s.substring(i, end))
        i = end
    }
    return out
}

/** Halves of pairs, which no text of a program has, become U+FFFD. */
internal fun wellFormed(s: String): String {
    var i = 0
    var out: StringBuilder? = null
    while (i < s.length) {
        val c = unit(s, i)
        val pair = c in 0xd800..0xdbff && i + 1 < s.length && unit(s, i + 1) in 0xdc00..0xdfff
        if (!pair && c in 0xd800..0xdfff) {
            if (out == null) out = StringBuilder(s)
            out.setCharAt(i, '\ufffd')
        }
        i += if (pair) 2 else 1
    }
    return out?.toString() ?: s
}

/** How much a comparison may still visit. */
internal class Visits(var left: Int)

internal fun equal(a: Any?, b: Any?, depth: Int, visits: Visits): Boolean {
    if (--visits.left < 0 || depth < 0) return false
    if (a is ListValue) {
        if (b !is ListValue || a.items.size != b.items.size) return false
        if (a === b) return true
        for (i in 0 until a.items.size) if (!equal(a.items[i], b.items[i], depth - 1, visits)) return false
        return true
    }
    if (a is MapValue) {
        if (b !is MapValue || a.map.size != b.map.size) return false
        if (a === b) return true
        for ((k, v) in a.map) {
            if (!b.map.containsKey(k) || !equal(v, b.map[k], depth - 1, visits)) return false
        }
        return true
    }
    if (a is NodeRef) return b is NodeRef && a.id == b.id
    if (a is StateRef) return b is StateRef && a.id == b.id
    if (a is Walk || a is Box) return false
    if (a is Double) return b is Double && sameNumber(a, b)
    if (a is String) {
        if (b !is String) return false
        if (a.length * 3 >= Limits.CHARGE_BYTES) {
            val size = bytesOf(a)
            if (size == bytesOf(b)) visits.left -= size / Limits.CHARGE_BYTES
        }
        return a == b
    }
    if (a is Boolean) return b is Boolean && a == b
    return a === b
}

private fun sameNumber(a: Double, b: Double): Boolean = a == b

internal fun sameValue(a: Any?, b: Any?): Boolean = equal(a, b, Limits.DEPTH, Visits(Limits.ITEMS))

/** A value as a number; null where it is none. */
internal fun asNumber(v: Any?): Double? = when (v) {
    is Double -> v
    null -> 0.0
    is Boolean -> if (v) 1.0 else 0.0
    else -> null
}

internal fun number(n: Int): Double = n.toDouble()

/** An argument by its place; null where there is none. */
internal fun arg(a: List<Any?>, i: Int): Any? = if (i < a.size) a[i] else null

internal fun first(a: List<Any?>): Any? = arg(a, 0)

internal fun typeName(v: Any?): String = when (v) {
    null -> "null"
    is Boolean -> "boolean"
    is Double -> "number"
    is String -> "string"
    is ListValue -> "list"
    is Closure -> "function"
    is NodeRef -> "node"
    else -> "object"
}

/** A deep copy of lists and objects. */
internal fun copyValue(v: Any?, depth: Int = Limits.DEPTH): Any? {
    if (depth < 0) return null
    if (v is ListValue) {
        val items = ArrayList<Any?>(v.items.size)
        for (e in v.items) items.add(copyValue(e, depth - 1))
        return ListValue(items)
    }
    if (v is MapValue) {
        val map = LinkedHashMap<String, Any?>()
        for ((k, e) in v.map) map[k] = copyValue(e, depth - 1)
        return MapValue(map)
    }
    return v
}

/** The order of texts by their code points. */
internal fun compareText(a: String, b: String): Int {
    val n = Math.min(a.length, b.length)
    for (i in 0 until n) {
        var x = unit(a, i)
        var y = unit(b, i)
        if (x == y) continue
        if (x in 0xd800..0xdfff) x += 0x10000 // pairs stand behind all single units
        if (y in 0xd800..0xdfff) y += 0x10000
        return if (x < y) -1 else 1
    }
    return a.length.compareTo(b.length)
}

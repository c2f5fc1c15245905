/** A number as ECMAScript writes it: the fewest digits that are read back as it. */
fun formatNumber(n: Double): String {
    if (n.isNaN()) return "NaN"
    if (n.isInfinite()) return if (n > 0) "Infinity" else "-Infinity"
    if (n == 0.0) return "0"
    if (n == Math.rint(n) && Math.abs(n) < 1e15) return n.toLong().toString()
    val sign = if (n < 0) "-" else ""
    val x = Math.abs(n)
    var digits = java.math.BigDecimal(x.toString()).stripTrailingZeros()
    if (digits.precision() > 15) { // with fewer there is but one
        for (p in 15..17) {
            digits = java.math.BigDecimal(x).round(java.math.MathContext(p, java.math.RoundingMode.HALF_EVEN))
            if (digits.toDouble() == x) break
        }
        digits = digits.stripTrailingZeros()
    }
    val text = digits.unscaledValue().toString()
    val point = digits.precision() - digits.scale() // digits before the point
    val body = when {
        point in 1..21 && text.length <= point -> text + "0".repeat(point - text.length)
        point in 1..21 -> text.substring(0, point) + "." + text.substring(point)
        point in -5..0 -> "0." + "0".repeat(-point) + text
        else -> {
            val e = point - 1
            val head = if (text.length > 1) text.substring(0, 1) + "." + text.substring(1) else text
            head + "e" + (if (e < 0) "-" else "+") + Math.abs(e)
        }
    }
    return sign + body
}

/** A number with so many digits behind the point; halves go away from zero. */
internal fun fixed(x: Double, digits: Double): String {
    val d = if (digits.isNaN()) 0 else Math.max(0.0, Math.min(20.0, digits)).toInt()
    if (x.isNaN() || Math.abs(x) >= 1e21) return formatNumber(x)
    val text = java.math.BigDecimal(Math.abs(x)).setScale(d, java.math.RoundingMode.HALF_UP).toPlainString()
    return if (x < 0) "-" + text else text
}

private const val BROKEN_AT = "\u2026"

/** Writes a value and counts the bytes. */
private class Printer {
    val out = StringBuilder()
    var size = 0

    fun put(s: String) {
        out.append(s)
        size += bytesOf(s)
    }

    fun show(v: Any?, depth: Int, left: Int) {
        if (left <= 0 || depth < 0) return put(BROKEN_AT)
        when (v) {
            null -> put("null")
            is Boolean -> put(if (v) "true" else "false")
            is Double -> put(formatNumber(v))
            is String -> put(quote(v))
            is NodeRef -> put(v.id)
            is StateRef -> put(v.id + ".state")
            is ListValue -> showList(v, depth, left)
            is MapValue -> showMap(v, depth, left)
            is Closure -> put("function")
            else -> put("null")
        }
    }

    private fun showList(v: ListValue, depth: Int, left: Int) {
        val was = size
        put("[")
        for (i in 0 until v.items.size) {
            if (i > 0) put(",")
            if (size - was > left) {
                put(BROKEN_AT)
                break
            }
            show(v.items[i], depth - 1, left - (size - was))
        }
        put("]")
    }

    private fun showMap(v: MapValue, depth: Int, left: Int) {
        val was = size
        put("{")
        var i = 0
        for ((k, e) in v.map) {
            if (i++ > 0) put(",")
            if (size - was > left) {
                put(BROKEN_AT)
                break
            }
            put(quote(k))
            put(":")
            show(e, depth - 1, left - (size - was))
        }
        put("}")
    }
}

/** A value as text: a text itself, everything else as it is printed. */
fun textOf(v: Any?): String {
    if (v is String) return v
    val p = Printer()
    p.show(v, Limits.DEPTH, Limits.TEXT)
    return p.out.toString()
}

internal fun showOf(v: Any?): String = if (v is String) quote(v) else textOf(v)

internal fun quote(s: String): String {
    val out = StringBuilder(s.length + 2)
    out.append('"')
    for (i in 0 until s.length) {
        val r = s[i]
        val c = unit(s, i)
        when {
            r == '"' || r == '\\' -> out.append('\\').append(r)
            r == '\n' -> out.append("\\n")
            r == '\t' -> out.append("\\t")
            c < 0x20 || c == 0x7f -> out.append("\\u00").append(Integer.toHexString(c shr 4)).append(Integer.toHexString(c and 15))
            else -> out.append(r)
        }
    }
    return out.append('"').toString()
}

/** The first code points of a text, at most so many. */
private fun head(s: String, most: Int): String {
    var i = 0
    var n = 0
    while (i < s.length && n < most) {
        i += if (unit(s, i) in 0xd800..0xdbff && i + 1 < s.length) 2 else 1
        n++
    }
    return s.substring(0, i)
}

/** A text short enough for a message. */
internal fun clip(s: String): String =
    if (s.length <= 200 || runesOf(s) <= 200) s else head(s, 200) + BROKEN_AT

/** A text short enough for a log or a trace. */
internal fun short(s: String): String {
    if (s.length <= Limits.NOTED && bytesOf(s) <= Limits.NOTED) return s
    var size = 0
    val out = StringBuilder()
    for (r in runes(s)) {
        size += bytesOf(r as String)
        if (size > Limits.NOTED) break
        out.append(r)
    }
    return out.append(BROKEN_AT).toString()
}

private const val SPACES = "\t\n\u000b\u000c\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"

internal fun trimmed(s: String): String {
    var i = 0
    var j = s.length
    while (i < j && SPACES.indexOf(s[i]) >= 0) i++
    while (j > i && SPACES.indexOf(s[j - 1]) >= 0) j--
    return s.substring(i, j)
}

/** Maps each character by itself; those that would become several stay. */
@Suppress("PLATFORM_CLASS_MAPPED_TO_KOTLIN")
internal fun cased(s: String, up: Boolean): String {
    val out = StringBuilder(s.length)
    for (r in runes(s)) {
        val one = r as java.lang.String
        val c = if (up) one.toUpperCase(java.util.Locale.ROOT) else one.toLowerCase(java.util.Locale.ROOT)
        out.append(if (runesOf(c) == 1) c else r)
    }
    return out.toString()
}

/** How often a part is in a text; an empty one is around every character. */
internal fun occurrences(s: String, part: String): Int {
    if (part == "") return runesOf(s) + 1
    var n = 0
    var i = s.indexOf(part)
    while (i >= 0) {
        n++
        i = s.indexOf(part, i + part.length)
    }
    return n
}

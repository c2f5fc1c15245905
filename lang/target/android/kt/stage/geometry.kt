/** A place in space by rows of three: turned and scaled axes as columns, then the origin. */
internal class Place(val m: DoubleArray) {
    fun point(p: DoubleArray): DoubleArray = xyz(
        m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[9],
        m[3] * p[0] + m[4] * p[1] + m[5] * p[2] + m[10],
        m[6] * p[0] + m[7] * p[1] + m[8] * p[2] + m[11]
    )

    fun direction(p: DoubleArray): DoubleArray = xyz(
        m[0] * p[0] + m[1] * p[1] + m[2] * p[2],
        m[3] * p[0] + m[4] * p[1] + m[5] * p[2],
        m[6] * p[0] + m[7] * p[1] + m[8] * p[2]
    )

    val origin: DoubleArray get() = xyz(m[9], m[10], m[11])

    fun times(b: Place): Place {
        val out = DoubleArray(12)
        for (r in 0..2) {
            for (c in 0..2) out[3 * r + c] = m[3 * r] * b.m[c] + m[3 * r + 1] * b.m[3 + c] + m[3 * r + 2] * b.m[6 + c]
        }
        val o = point(b.origin)
        for (k in 0..2) out[9 + k] = o[k]
        return Place(out)
    }

    /** The way back; null where an axis has no length. */
    fun inverse(): Place? {
        val d = m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6])
        if (Math.abs(d) < 1e-18) return null
        val i = doubleArrayOf(
            m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
            m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
            m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3], 0.0, 0.0, 0.0
        )
        for (k in 0..8) i[k] = i[k] / d
        val back = Place(i)
        val o = back.direction(origin)
        for (k in 0..2) i[9 + k] = -o[k]
        return back
    }
}

internal fun placeOf(t: DoubleArray, q: DoubleArray, s: DoubleArray): Place {
    val x = q[0]
    val y = q[1]
    val z = q[2]
    val w = q[3]
    return Place(
        doubleArrayOf(
            (1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y - z * w) * s[1], 2 * (x * z + y * w) * s[2],
            2 * (x * y + z * w) * s[0], (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z - x * w) * s[2],
            2 * (x * z - y * w) * s[0], 2 * (y * z + x * w) * s[1], (1 - 2 * (x * x + y * y)) * s[2], t[0], t[1], t[2]
        )
    )
}

internal fun plus(a: DoubleArray, b: DoubleArray): DoubleArray = xyz(a[0] + b[0], a[1] + b[1], a[2] + b[2])

internal fun minus(a: DoubleArray, b: DoubleArray): DoubleArray = xyz(a[0] - b[0], a[1] - b[1], a[2] - b[2])

internal fun scaled(a: DoubleArray, by: Double): DoubleArray = xyz(a[0] * by, a[1] * by, a[2] * by)

internal fun dot(a: DoubleArray, b: DoubleArray): Double = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

internal fun long(a: DoubleArray): Double = Math.sqrt(dot(a, a))

private fun turned(q: DoubleArray, p: DoubleArray): DoubleArray = xyzw(
    q[3] * p[0] + q[0] * p[3] + q[1] * p[2] - q[2] * p[1],
    q[3] * p[1] - q[0] * p[2] + q[1] * p[3] + q[2] * p[0],
    q[3] * p[2] + q[0] * p[1] - q[1] * p[0] + q[2] * p[3],
    q[3] * p[3] - q[0] * p[0] - q[1] * p[1] - q[2] * p[2]
)

/** A turn of four numbers, or of three angles in degrees, Rx·Ry·Rz as in sources. */
internal fun turnOf(n: DoubleArray): DoubleArray {
    if (n.size == 4) {
        val size = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + n[3] * n[3])
        return if (size < 1e-9) xyzw(0.0, 0.0, 0.0, 1.0) else xyzw(n[0] / size, n[1] / size, n[2] / size, n[3] / size)
    }
    val h = DoubleArray(3) { Math.toRadians(n[it]) / 2 }
    val x = xyzw(Math.sin(h[0]), 0.0, 0.0, Math.cos(h[0]))
    val y = xyzw(0.0, Math.sin(h[1]), 0.0, Math.cos(h[1]))
    val z = xyzw(0.0, 0.0, Math.sin(h[2]), Math.cos(h[2]))
    return turned(turned(x, y), z)
}

/** The turn between two, the shorter way. */
internal fun turnBetween(a: DoubleArray, b: DoubleArray, u: Double): DoubleArray {
    var d = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    val sign = if (d < 0) -1.0 else 1.0
    d *= sign
    var p = 1 - u
    var q = u
    if (d < 0.9995) {
        val angle = Math.acos(d)
        p = Math.sin((1 - u) * angle) / Math.sin(angle)
        q = Math.sin(u * angle) / Math.sin(angle)
    }
    return turnOf(DoubleArray(4) { a[it] * p + b[it] * q * sign })
}

/** Where a ray enters a box around the origin, in lengths of its direction; -1 where it does not. */
internal fun entry(from: DoubleArray, along: DoubleArray, low: DoubleArray, high: DoubleArray): Double {
    var near = 0.0
    var far = Double.MAX_VALUE
    for (k in 0..2) {
        if (Math.abs(along[k]) < 1e-12) {
            if (from[k] < low[k] || from[k] > high[k]) return -1.0
            continue
        }
        val a = (low[k] - from[k]) / along[k]
        val b = (high[k] - from[k]) / along[k]
        near = Math.max(near, Math.min(a, b))
        far = Math.min(far, Math.max(a, b))
    }
    return if (near <= far) near else -1.0
}

/** A colour of a value: hex or three numbers; null where it is none. */
fun colorOf(v: Any?): DoubleArray? {
    if (v is ListValue) {
        val n = numbersOf(v) ?: return null
        return if (n.size >= 3) doubleArrayOf(n[0], n[1], n[2], 1.0) else null
    }
    val s = v as? String ?: return null
    if (!s.startsWith("#")) return names[s]
    val long = if (s.length == 4 || s.length == 5) s.substring(1).map { "$it$it" }.joinToString("") else s.substring(1)
    if (long.length != 6 && long.length != 8) return null
    val out = doubleArrayOf(0.0, 0.0, 0.0, 1.0)
    for (k in 0 until long.length / 2) {
        val high = Character.digit(long[2 * k], 16)
        val low = Character.digit(long[2 * k + 1], 16)
        if (high < 0 || low < 0) return null
        out[k] = (16 * high + low) / 255.0
    }
    return out
}

private fun named(r: Int, g: Int, b: Int): DoubleArray = doubleArrayOf(r / 255.0, g / 255.0, b / 255.0, 1.0)

private val names = mapOf(
    "white" to named(255, 255, 255), "black" to named(0, 0, 0), "gray" to named(128, 128, 128), "grey" to named(128, 128, 128),
    "silver" to named(192, 192, 192), "red" to named(255, 0, 0), "maroon" to named(128, 0, 0), "orange" to named(255, 165, 0),
    "yellow" to named(255, 255, 0), "gold" to named(255, 215, 0), "olive" to named(128, 128, 0), "lime" to named(0, 255, 0),
    "green" to named(0, 128, 0), "teal" to named(0, 128, 128), "cyan" to named(0, 255, 255), "blue" to named(0, 0, 255),
    "navy" to named(0, 0, 128), "purple" to named(128, 0, 128), "magenta" to named(255, 0, 255), "pink" to named(255, 192, 203),
    "brown" to named(165, 42, 42)
)

/** The numbers of a list; null where anything else is in it. */
internal fun numbersOf(v: Any?): DoubleArray? {
    val items = (v as? ListValue ?: return null).items
    val out = DoubleArray(items.size)
    for (i in 0 until items.size) {
        val n = items[i]
        if (n !is Double || n.isNaN() || n.isInfinite()) return null
        out[i] = n
    }
    return out
}

/** A colour that is written as light; white where it is none. */
fun linear(color: String): FloatArray {
    val c = colorOf(color)
    return FloatArray(3) { if (c == null) 1f else linear(c[it]) }
}

/** A part of an sRGB colour as light. */
fun linear(c: Double): Float = (if (c <= 0.04045) c / 12.92 else Math.pow((c + 0.055) / 1.055, 2.4)).toFloat()

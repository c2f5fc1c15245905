/** The instructions of program/1 by their numbers. */
internal object Op {
    const val CONST = 0
    const val POP = 1
    const val DUP = 2
    const val LOAD = 3
    const val STORE = 4
    const val CELL = 5
    const val SELF = 6
    const val NODE = 7
    const val GET = 8
    const val SET = 9
    const val COMP = 10
    const val MEM = 11
    const val PUTMEM = 12
    const val IDX = 13
    const val PUTIDX = 14
    const val ARR = 15
    const val OBJ = 16
    const val CONCAT = 17
    const val MERGE = 18
    const val TPL = 19
    const val ADD = 20
    const val SUB = 21
    const val MUL = 22
    const val DIV = 23
    const val MOD = 24
    const val POW = 25
    const val NEG = 26
    const val AND = 27
    const val OR = 28
    const val XOR = 29
    const val SHL = 30
    const val SHR = 31
    const val COMPL = 32
    const val NOT = 33
    const val EQ = 34
    const val NE = 35
    const val LT = 36
    const val LE = 37
    const val GT = 38
    const val GE = 39
    const val IN = 40
    const val RANGE = 41
    const val JMP = 42
    const val JZ = 43
    const val JNZ = 44
    const val JNULL = 45
    const val CALL = 46
    const val HOST = 47
    const val METHOD = 48
    const val FN = 49
    const val CALLV = 50
    const val RET = 51
    const val THROW = 52
    const val TRY = 53
    const val ENDTRY = 54
    const val EMIT = 55
    const val AWAIT = 56
    const val SPAWN = 57
    const val ITER = 58
    const val NEXT = 59
    const val CALLS = 60
    const val METHODS = 61
    const val HOSTS = 62
}

internal fun arithmetic(op: Int, x: Any?, y: Any?): Double {
    val a = asNumber(x) ?: throw wrongKind("arithmetic needs numbers, not ${typeName(x)}")
    val b = asNumber(y) ?: throw wrongKind("arithmetic needs numbers, not ${typeName(y)}")
    return when (op) {
        Op.ADD -> a + b
        Op.SUB -> a - b
        Op.MUL -> a * b
        Op.DIV -> a / b
        Op.MOD -> a % b
        else -> Math.pow(a, b)
    }
}

/** A number as the operators on bits take it: whole, within 32 bits. */
internal fun int32(n: Double): Int {
    if (n.isNaN() || n.isInfinite()) return 0
    val whole = if (n < 0) Math.ceil(n) else Math.floor(n)
    return (whole % 4294967296.0).toLong().toInt()
}

internal fun bits(op: Int, x: Any?, y: Any?): Double {
    val p = asNumber(x)
    val q = asNumber(y)
    if (p == null || q == null) throw wrongKind("operators on bits need numbers")
    val a = int32(p)
    val b = int32(q)
    return number(
        when (op) {
            Op.AND -> a and b
            Op.OR -> a or b
            Op.XOR -> a xor b
            Op.SHL -> a shl (b and 31)
            else -> a shr (b and 31)
        }
    )
}

internal fun ordered(m: Machine, op: Int, x: Any?, y: Any?): Boolean {
    val c: Int
    if (x is String && y is String) {
        m.chargeText(if (x.length < y.length) x else y)
        c = compareText(x, y)
    } else {
        val a = asNumber(x)
        val b = asNumber(y)
        if (a == null || b == null) throw wrongKind("${typeName(x)} and ${typeName(y)} have no order")
        if (a.isNaN() || b.isNaN()) return false
        c = if (a < b) -1 else if (a > b) 1 else 0
    }
    return when (op) {
        Op.LT -> c < 0
        Op.LE -> c <= 0
        Op.GT -> c > 0
        else -> c >= 0
    }
}

internal fun within(m: Machine, x: Any?, y: Any?): Boolean {
    if (y is ListValue) return m.find(y.items, x) >= 0
    if (y is MapValue) return y.map.containsKey(m.printed(x))
    if (y is String) {
        m.chargeText(y)
        return y.indexOf(m.printed(x)) >= 0
    }
    throw wrongKind("nothing can be in ${typeName(y)}")
}

internal fun rangeOf(m: Machine, x: Any?, y: Any?): Any? {
    if (x !is Double || y !is Double || x.isNaN() || y.isNaN()) throw wrongKind("a range needs numbers")
    if (y - x > Limits.ITEMS) throw tooLarge("range of ${formatNumber(y - x)} elements")
    val items = ArrayList<Any?>()
    var v: Double = x
    while (v < y && items.size <= Limits.ITEMS) {
        items.add(v)
        v += 1.0
    }
    return m.list(items)
}

internal fun merged(m: Machine, x: Any?, y: Any?): Any? {
    if (y == null && x is MapValue) return x
    if (x !is MapValue || y !is MapValue) throw wrongKind("only an object can be spread into an object, not ${typeName(y)}")
    if (x.map.size + y.map.size > Limits.ITEMS) throw tooLarge("object of ${x.map.size + y.map.size} fields")
    val map = LinkedHashMap<String, Any?>(x.map)
    for ((k, v) in y.map) map[k] = v
    m.alloc(map.size + 1)
    return MapValue(map)
}

/** Begins a walk over the elements of a list, the characters of a text or the keys of an object. */
internal fun walk(m: Machine, v: Any?): Walk {
    val items: List<Any?> = when (v) {
        is ListValue -> ArrayList<Any?>(v.items)
        is MapValue -> ArrayList<Any?>(v.map.keys)
        is String -> {
            if (runesOf(v) > Limits.ITEMS) throw tooLarge("too many characters to walk over")
            runes(v)
        }
        null -> ArrayList<Any?>()
        else -> throw wrongKind("cannot walk over ${typeName(v)}")
    }
    m.alloc(items.size + 1)
    return Walk(items)
}

/** An index within 0 and n, else -1. */
private fun position(v: Any?, n: Int): Int = if (v is Double && v == Math.rint(v) && v >= 0 && v < n) v.toInt() else -1

internal fun element(m: Machine, x: Any?, i: Any?): Any? {
    if (x is ListValue) {
        val at = position(i, x.items.size)
        return if (at >= 0) x.items[at] else null
    }
    if (x is String) {
        val rs = runes(x)
        m.alloc(rs.size)
        val at = position(i, rs.size)
        return if (at >= 0) rs[at] else null
    }
    if (x == null) throw wrongKind("null has no element ${clip(m.printed(i))}")
    return member(m, x, m.printed(i))
}

internal fun putElement(m: Machine, x: Any?, i: Any?, v: Any?) {
    if (x !is ListValue) return putMember(m, x, m.printed(i), v)
    if (i is Double && i == number(x.items.size) && i < Limits.ITEMS) {
        m.touch(x)
        x.items.add(v)
        m.alloc(1)
        return
    }
    val at = position(i, x.items.size)
    if (at < 0) throw wrongKind("a list of ${x.items.size} elements has no place ${clip(m.printed(i))}")
    m.touch(x)
    x.items[at] = v
}

/** The place of x, y, z or w in a list of two to four. */
private fun axis(l: ListValue, name: String): Int {
    val i = if (name.length == 1) "xyzw".indexOf(name) else -1
    return if (l.items.size <= 4 && i < l.items.size) i else -1
}

internal fun member(m: Machine, x: Any?, name: String): Any? {
    if (x is MapValue) return x.map[name]
    if (x is ListValue) {
        if (name == "length" || name == "count") return number(x.items.size)
        val i = axis(x, name)
        return if (i >= 0) x.items[i] else null
    }
    if (x is String) return if (name == "length") number(runesOf(x)) else null
    if (x is NodeRef) return m.nodeMember(x.id, name)
    if (x is StateRef) return m.stateMember(x.id, name)
    if (x == null) throw wrongKind("null has no member '${clip(name)}'")
    return null
}

internal fun putMember(m: Machine, x: Any?, name: String, v: Any?) {
    if (x is MapValue) {
        if (!x.map.containsKey(name) && x.map.size >= Limits.ITEMS) throw tooLarge("object of ${x.map.size} fields")
        m.touch(x)
        x.map[name] = v
        m.alloc(1)
        return
    }
    if (x is ListValue) {
        val i = axis(x, name)
        if (i >= 0) {
            m.touch(x)
            x.items[i] = v
            return
        }
    }
    if (x is NodeRef) return m.putNode(x.id, name, v)
    if (x is StateRef) return m.putState(x.id, name, v)
    throw wrongKind("${typeName(x)} cannot take a member '${clip(name)}'")
}

internal fun callable(v: Any?): Closure = v as? Closure ?: throw wrongKind("${typeName(v)} is not a function")

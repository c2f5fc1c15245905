/** These touch a place or two of a list, however long it is. */
private val light = setOf("push", "append", "add", "pop", "at", "first", "last", "length", "count", "set", "clear")

private val changing = setOf(
    "push", "append", "add", "unshift", "pop", "shift", "splice", "sort", "reverse", "remove", "delete", "set", "clear"
)

/** A built-in method of a value. */
internal fun method(m: Machine, x: Any?, name: String, a: List<Any?>): Any? {
    when (x) {
        is ListValue -> {
            if (!light.contains(name)) m.charge(x.items.size / Limits.CHARGE_ELEMENTS)
            return if (changing.contains(name)) changeList(m, x, name, a) else listMethod(m, x, name, a)
        }
        is String -> {
            m.chargeText(x)
            return textMethod(m, x, name, a)
        }
        is MapValue -> {
            val c = x.map[name]
            return if (c is Closure) m.invoke(c, a) else mapMethod(m, x, name, a)
        }
        is Double -> {
            if (name == "toFixed" || name == "to_fixed") return fixed(x, m.numbers(a, 1)[0])
            if (name == "toString" || name == "to_string") return formatNumber(x)
        }
        is NodeRef -> return nodeMethod(m, x, name, a)
        is StateRef -> return m.invoke(m.stateMember(x.id, name), a)
    }
    throw wrongKind("${typeName(x)} has no method '${clip(name)}'")
}

/** An index counted from the front, or from the back when below 0, within 0 and n. */
private fun bound(v: Any?, n: Int, otherwise: Int): Int {
    if (v !is Double || v.isNaN()) return otherwise
    return Math.max(0.0, Math.min(number(n), if (v < 0) v + n else v)).toInt()
}

/** Calls a function with every element and its place, until it says stop. */
private inline fun each(m: Machine, l: ListValue, f: Any?, seen: (Int, Any?, Any?) -> Boolean) {
    val copy = ArrayList<Any?>(l.items)
    for (i in 0 until copy.size) if (!seen(i, copy[i], m.invoke(f, listOf(copy[i], number(i))))) break
    m.alloc(l.items.size)
}

/** Adds a value, or the elements of a list; false when there is no more room. */
private fun flatten(out: ArrayList<Any?>, v: Any?): Boolean {
    if (v is ListValue) out.addAll(v.items) else out.add(v)
    return out.size <= Limits.ITEMS
}

private fun listMethod(m: Machine, l: ListValue, name: String, a: List<Any?>): Any? {
    val items = l.items
    val out = ArrayList<Any?>()
    when (name) {
        "map" -> {
            each(m, l, first(a)) { _, _, r -> out.add(r) }
            return m.list(out)
        }
        "flatMap", "flat_map" -> {
            each(m, l, first(a)) { _, _, r -> flatten(out, r) }
            return m.list(out)
        }
        "filter" -> {
            each(m, l, first(a)) { _, v, r ->
                if (truthy(r)) out.add(v)
                true
            }
            return m.list(out)
        }
        "forEach", "each", "for_each" -> {
            each(m, l, first(a)) { _, _, _ -> true }
            return null
        }
        "find", "findIndex", "find_index", "some", "every" -> {
            var found: Any? = null
            var where = -1
            each(m, l, first(a)) { i, v, r ->
                val go = truthy(r) != (name != "every")
                if (!go) {
                    found = v
                    where = i
                }
                go
            }
            return when (name) {
                "find" -> found
                "some" -> where >= 0
                "every" -> where < 0
                else -> number(where)
            }
        }
        "reduce" -> {
            var acc = arg(a, 1)
            var from = 0
            if (a.size < 2) {
                if (items.isEmpty()) throw wrongKind("nothing to reduce")
                acc = items[0]
                from = 1
            }
            val copy = ArrayList<Any?>(items)
            for (i in from until copy.size) acc = m.invoke(first(a), listOf(acc, copy[i], number(i)))
            return acc
        }
        "indexOf", "index_of" -> return number(m.find(items, first(a)))
        "includes", "contains", "has" -> return m.find(items, first(a)) >= 0
        "join" -> return joined(m, items, if (a.isNotEmpty()) m.printed(a[0]) else ",")
        "slice" -> {
            val from = bound(arg(a, 0), items.size, 0)
            val to = Math.max(from, bound(arg(a, 1), items.size, items.size))
            return m.list(ArrayList<Any?>(items.subList(from, to)))
        }
        "concat" -> {
            out.addAll(items)
            for (v in a) if (!flatten(out, v)) break
            return m.list(out)
        }
        "at" -> {
            val i = first(a)
            return element(m, l, if (i !is Double) 0.0 else if (i < 0) i + items.size else i)
        }
        "first" -> return if (items.isEmpty()) null else items[0]
        "last" -> return if (items.isEmpty()) null else items[items.size - 1]
        "length", "count" -> return number(items.size)
        "flat" -> {
            for (v in items) if (!flatten(out, v)) break
            return m.list(out)
        }
        "keys" -> {
            for (i in 0 until items.size) out.add(number(i))
            return m.list(out)
        }
        "values" -> return m.list(ArrayList<Any?>(items))
        "toString", "to_string" -> return m.text(m.printed(l))
    }
    throw wrongKind("a list has no method '${clip(name)}'")
}

private fun joined(m: Machine, items: List<Any?>, between: String): String {
    val gap = bytesOf(between)
    val out = StringBuilder()
    var size = 0
    for (i in 0 until items.size) {
        if (i > 0) {
            out.append(between)
            size += gap
        }
        val t = m.printed(items[i])
        out.append(t)
        size += bytesOf(t)
        if (size > Limits.TEXT) break
    }
    return m.text(out.toString())
}

private fun room(n: Int) {
    if (n > Limits.ITEMS) throw tooLarge("list of $n elements")
}

private fun changeList(m: Machine, l: ListValue, name: String, a: List<Any?>): Any? {
    m.touch(l)
    val n = l.items.size
    when (name) {
        "push", "append", "add" -> {
            room(n + a.size)
            l.items.addAll(a)
            m.alloc(a.size)
            return number(l.items.size)
        }
        "unshift" -> {
            room(n + a.size)
            l.items.addAll(0, a)
            m.alloc(l.items.size)
            return number(l.items.size)
        }
        "pop" -> return if (n == 0) null else l.items.removeAt(n - 1)
        "shift" -> return if (n == 0) null else l.items.removeAt(0)
        "splice" -> {
            val from = bound(arg(a, 0), n, 0)
            val c = arg(a, 1)
            val count = if (c is Double) Math.max(0.0, Math.min(number(n - from), if (c.isNaN()) 0.0 else c)).toInt() else n - from
            val added = if (a.size > 2) ArrayList<Any?>(a.subList(2, a.size)) else ArrayList<Any?>()
            val cut = ArrayList<Any?>(l.items.subList(from, from + count))
            room(n - count + added.size)
            l.items.subList(from, from + count).clear()
            l.items.addAll(from, added)
            return m.list(cut)
        }
        "sort" -> return sorted(m, l, first(a))
        "reverse" -> {
            l.items.reverse()
            return l
        }
        "remove", "delete" -> {
            val i = m.find(l.items, first(a))
            if (i >= 0) l.items.removeAt(i)
            return i >= 0
        }
        "set" -> {
            putElement(m, l, first(a), arg(a, 1))
            return null
        }
    }
    l.items = ArrayList()
    return null
}

/**
 * Orders a list by merging, so that all interpreters ask for the same comparisons:
 * by a function of two elements, else numbers before texts.
 */
private fun sorted(m: Machine, l: ListValue, by: Any?): Any? {
    fun after(x: Any?, y: Any?): Boolean {
        m.charge(1)
        m.checkBudget()
        if (by != null) return (asNumber(m.invoke(by, listOf(x, y))) ?: 0.0) > 0
        if (x is Double && y is Double) return x > y
        if (x is Double) return false
        if (y is Double) return true
        return compareText(m.printed(x), m.printed(y)) > 0
    }
    var from = ArrayList<Any?>(l.items)
    var to = ArrayList<Any?>(l.items)
    val n = from.size
    var width = 1
    while (width < n) {
        var lo = 0
        while (lo < n) {
            val mid = Math.min(lo + width, n)
            val hi = Math.min(lo + 2 * width, n)
            var i = lo
            var j = mid
            for (k in lo until hi) {
                if (i < mid && (j >= hi || !after(from[i], from[j]))) to[k] = from[i++] else to[k] = from[j++]
            }
            lo += 2 * width
        }
        val swap = from
        from = to
        to = swap
        width *= 2
    }
    l.items = from
    return l
}

private fun mapMethod(m: Machine, o: MapValue, name: String, a: List<Any?>): Any? {
    when (name) {
        "keys" -> return m.list(ArrayList<Any?>(o.map.keys))
        "values" -> return m.list(ArrayList<Any?>(o.map.values))
        "entries" -> {
            val out = ArrayList<Any?>(o.map.size)
            for ((k, v) in o.map) out.add(ListValue(arrayListOf(k, v)))
            return m.list(out)
        }
        "has", "contains", "hasOwnProperty" -> return o.map.containsKey(m.printed(first(a)))
        "get" -> return o.map[m.printed(first(a))]
        "set" -> {
            putMember(m, o, m.printed(first(a)), arg(a, 1))
            return null
        }
        "delete", "remove" -> {
            val k = m.printed(first(a))
            m.charge(o.map.size / Limits.CHARGE_ELEMENTS)
            m.touch(o)
            val there = o.map.containsKey(k)
            o.map.remove(k)
            return there
        }
        "clear" -> {
            m.touch(o)
            o.map = LinkedHashMap()
            return null
        }
        "toString", "to_string" -> return m.text(m.printed(o))
        "stop" -> {
            m.stop = true
            return null
        }
    }
    throw wrongKind("an object has no method '${clip(name)}'")
}

private fun nodeMethod(m: Machine, n: NodeRef, name: String, a: List<Any?>): Any? {
    val fn = m.functionOf(n.id, name)
    if (fn >= 0) return m.call(fn, a, emptyList())
    when (name) {
        "emit" -> {
            m.emit(n.id, m.printed(first(a)), arg(a, 1))
            return null
        }
        "show", "hide" -> {
            m.setProperty(n.id, "visible", name == "show")
            return null
        }
        "set_text" -> {
            m.setProperty(n.id, "text", first(a))
            return null
        }
    }
    val v = m.nodeMember(n.id, name)
    if (v is Closure) return m.invoke(v, a)
    return m.hostCall("", n.id, name, a)
}

private fun textMethod(m: Machine, s: String, name: String, a: List<Any?>): Any? {
    fun word(i: Int): String = m.printed(arg(a, i))
    when (name) {
        "toUpperCase", "uppercase", "upper", "to_upper" -> return m.text(cased(s, true))
        "toLowerCase", "lowercase", "lower", "to_lower" -> return m.text(cased(s, false))
        "trim" -> return m.text(trimmed(s))
        "split" -> {
            if (a.isEmpty()) return m.list(arrayListOf(s))
            val by = word(0)
            if (occurrences(s, by) >= Limits.ITEMS) throw tooLarge("too many parts")
            return m.list(if (by == "") runes(s) else ArrayList<Any?>(s.split(by)))
        }
        "replace" -> {
            val old = word(0)
            val by = word(1)
            val i = s.indexOf(old)
            return m.text(if (i < 0) s else s.substring(0, i) + by + s.substring(i + old.length))
        }
        "replaceAll", "replace_all" -> return replaceAll(m, s, word(0), word(1))
        "includes", "contains" -> return s.indexOf(word(0)) >= 0
        "startsWith", "starts_with" -> return s.startsWith(word(0))
        "endsWith", "ends_with" -> return s.endsWith(word(0))
        "indexOf", "index_of" -> return number(runesBefore(s, word(0)))
        "slice", "substring", "substr" -> {
            val rs = runes(s)
            val from = bound(arg(a, 0), rs.size, 0)
            val to = Math.max(from, bound(arg(a, 1), rs.size, rs.size))
            return m.text(rs.subList(from, to).joinToString(""))
        }
        "charAt", "at" -> {
            return element(m, s, first(a))
        }
        "repeat" -> {
            return repeated(m, s, first(a))
        }
        "padStart", "pad_start" -> return padding(m, s, a) + s
        "padEnd", "pad_end" -> return s + padding(m, s, a)
        "concat" -> return m.text(s + word(0))
        "toString", "to_string" -> return s
    }
    throw wrongKind("a text has no method '${clip(name)}'")
}

private fun replaceAll(m: Machine, s: String, old: String, by: String): String {
    val size = occurrences(s, old).toLong() * bytesOf(by)
    if (size > Limits.TEXT) throw tooLarge("text of $size bytes")
    if (old != "") return m.text(s.replace(old, by))
    val out = StringBuilder(by)
    for (r in runes(s)) out.append(r as String).append(by)
    return m.text(out.toString())
}

private fun repeated(m: Machine, s: String, times: Any?): String {
    val n = times as? Double ?: 0.0
    val size = n * bytesOf(s)
    val fits = n >= 0 && n <= Limits.TEXT && size <= Limits.TEXT
    if (!fits) throw tooLarge("text repeated ${formatNumber(n)} times")
    return m.text(s.repeat(n.toInt()))
}

/** What a text lacks to a length, of a filling. */
private fun padding(m: Machine, s: String, a: List<Any?>): String {
    val wanted = first(a) as? Double ?: 0.0
    val fill = if (a.size > 1) m.printed(a[1]) else " "
    val length = Math.min(wanted, number(Limits.TEXT)).toInt() // what is no number is 0
    val missing = length - runesOf(s)
    if (missing <= 0 || fill == "") return ""
    val rs = runes(fill)
    val pad = fill.repeat(missing / rs.size) + rs.subList(0, missing % rs.size).joinToString("")
    m.text(s + pad)
    return pad
}

/** How many code points stand before a part of a text, -1 where it is not in it. */
private fun runesBefore(s: String, part: String): Int {
    val i = s.indexOf(part)
    if (i == -1) return -1
    return runesOf(s.substring(0, i))
}

/** What a text that is no JSON, or too much of it, makes of its reader. */
class NoJson(text: String) : RuntimeException(text, null, false, false)

/** Reads JSON as values, the keys of objects in their order. */
internal class JsonReader(private val s: String, private val items: Int) {
    private var at = 0

    fun document(depth: Int): Any? {
        val v = value(depth)
        skip()
        if (at < s.length) throw NoJson("something follows the value")
        return v
    }

    private fun skip() {
        while (at < s.length && (s[at] == ' ' || s[at] == '\t' || s[at] == '\n' || s[at] == '\r')) at++
    }

    private fun peek(): Char = if (at < s.length) s[at] else '\u0000'

    private fun value(depth: Int): Any? {
        skip()
        val c = peek()
        return when {
            c == '"' -> text()
            c == '[' -> list(depth)
            c == '{' -> map(depth)
            c == '-' || c in '0'..'9' -> number()
            else -> word()
        }
    }

    private fun word(): Any? {
        for ((name, v) in listOf(Pair("null", null), Pair("true", true), Pair("false", false))) {
            if (s.startsWith(name, at)) {
                at += name.length
                return v
            }
        }
        throw NoJson("no value at $at")
    }

    private fun digits() {
        val from = at
        while (peek() in '0'..'9') at++
        if (at == from) throw NoJson("a digit is missing at $at")
    }

    private fun number(): Double {
        val from = at
        if (peek() == '-') at++
        if (peek() == '0') at++ else digits()
        if (peek() == '.') {
            at++
            digits()
        }
        if (peek() == 'e' || peek() == 'E') {
            at++
            if (peek() == '+' || peek() == '-') at++
            digits()
        }
        val n = s.substring(from, at).toDouble()
        if (n.isInfinite()) throw NoJson("a number is too large")
        return n
    }

    private fun text(): String {
        val out = StringBuilder()
        at++
        while (true) {
            if (at >= s.length) throw NoJson("a text does not end")
            val c = s[at++]
            if (c == '"') return wellFormed(out.toString())
            if (c < ' ') throw NoJson("a text goes over the end of a line")
            if (c == '\\') out.append(escape()) else out.append(c)
        }
    }

    private fun escape(): Char {
        val c = peek()
        at++
        return when (c) {
            '"', '\\', '/' -> c
            'b' -> '\b'
            'f' -> '\u000c'
            'n' -> '\n'
            'r' -> '\r'
            't' -> '\t'
            'u' -> {
                if (at + 4 > s.length) throw NoJson("an escape is too short")
                var n = 0
                for (i in at until at + 4) {
                    val d = Character.digit(s[i], 16)
                    if (d < 0 || unit(s, i) > 0x7f) throw NoJson("an escape is wrong")
                    n = n * 16 + d
                }
                at += 4
                '\u0000' + n
            }
            else -> throw NoJson("an escape is unknown")
        }
    }

    private fun list(depth: Int): ListValue {
        if (depth == 0) throw NoJson("too deep")
        at++
        val out = ArrayList<Any?>()
        skip()
        if (peek() == ']') {
            at++
            return ListValue(out)
        }
        while (true) {
            out.add(value(depth - 1))
            if (out.size > items) throw NoJson("too many elements")
            skip()
            val c = peek()
            at++
            if (c == ']') return ListValue(out)
            if (c != ',') throw NoJson("a list does not end")
        }
    }

    private fun map(depth: Int): MapValue {
        if (depth == 0) throw NoJson("too deep")
        at++
        val out = LinkedHashMap<String, Any?>()
        skip()
        if (peek() == '}') {
            at++
            return MapValue(out)
        }
        while (true) {
            skip()
            if (peek() != '"') throw NoJson("a key is missing")
            val k = text()
            skip()
            if (peek() != ':') throw NoJson("a key has no value")
            at++
            out[k] = value(depth - 1)
            if (out.size > items) throw NoJson("too many fields")
            skip()
            val c = peek()
            at++
            if (c == '}') return MapValue(out)
            if (c != ',') throw NoJson("an object does not end")
        }
    }
}

/** Reads a value of a program. Throws NoJson. */
fun parseValue(s: String): Any? {
    if (s.length > Limits.TEXT || bytesOf(s) > Limits.TEXT) throw NoJson("too large")
    return JsonReader(s, Limits.ITEMS).document(Limits.DEPTH)
}

/** Reads a document of our own, which may be larger than a value of a program. Throws NoJson. */
fun parseDocument(s: String): Any? {
    if (s.length > Limits.DOCUMENT) throw NoJson("too large")
    return JsonReader(s, Limits.TOTAL_CODE).document(512)
}

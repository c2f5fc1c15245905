/** The limits of running and of documents: the same numbers in every interpreter. */
object Limits {
    const val TURN = 10000
    const val LONG = 100000
    const val STEP = 200000
    const val INIT = 50000000
    const val CALLS = 128
    const val EVENTS = 10000
    const val TEXT = 1 shl 20
    const val ITEMS = 100000
    const val STACK = 4096
    const val ALLOC = 8 shl 20
    const val HELD = 64 shl 20
    const val WAITING = 10000
    const val SPAWNED = 10000
    const val ROWS = 200000
    const val TRACE = 100000
    const val DEPTH = 64
    const val DOCUMENT = 32 shl 20
    const val FUNCTIONS = 100000
    const val CODE = 1 shl 20
    const val TOTAL_CODE = 4 shl 20
    const val CONSTS = 1 shl 20
    const val ENTRIES = 100000
    const val LOCALS = 4096
    const val NESTING = 64
    const val CHARGE_ELEMENTS = 64
    const val CHARGE_BYTES = 512
    const val CHARGE_ROWS = 8
    const val NOTED = 4096
}

/** A fault ends a handler. It has the place in the source where it happened. */
class Fault(val code: String, var text: String) : RuntimeException(text, null, false, false) {
    var function = ""
    var line = 0
    var column = 0
    var thrown: Any? = null

    /** What a catch sees. */
    fun value(): Any? {
        if (code == "RUN006" && thrown !is String) return thrown
        val map = LinkedHashMap<String, Any?>()
        map["message"] = text
        map["code"] = code
        return MapValue(map)
    }
}

internal fun tooLong(text: String) = Fault("RUN001", text)
internal fun tooDeep(text: String) = Fault("RUN002", text)
internal fun tooMany(text: String) = Fault("RUN003", text)
internal fun wrongKind(text: String) = Fault("RUN004", text)
internal fun tooLarge(text: String) = Fault("RUN007", text)

package meshd.program

import java.io.File

/**
 * Runs the stored traces: every argument is a file with a case. Prints CASE with
 * its name, a line TRACE for every entry, and DONE.
 */
fun main(args: Array<String>) {
    val out = java.io.PrintStream(java.io.FileOutputStream(java.io.FileDescriptor.out), false, "UTF-8")
    for (path in args) {
        out.println("CASE " + File(path).name)
        val case = (parseDocument(File(path).readText(Charsets.UTF_8)) as MapValue).map
        try {
            trial(case, out)
        } catch (e: RuntimeException) {
            out.println("BROKEN " + e)
            for (line in e.stackTrace.take(6)) out.println("  " + line)
        }
    }
    out.flush()
}

private fun text(v: Any?): String = v as String

private fun trial(case: Map<String, Any?>, out: java.io.PrintStream) {
    val nodes = (case["nodes"] as ListValue).items.map {
        val n = (it as MapValue).map
        Info(text(n["id"]), text(n["parent"]), text(n["name"]), n["props"] as? MapValue)
    }
    val began = System.nanoTime()
    val m = Machine(loadProgram(text(case["program"])), nodes, null, case["long"] == true, true)
    m.start()
    val events = (case["events"] as ListValue).items.map { (it as MapValue).map }
    for (i in 0 until (case["steps"] as Double).toInt()) {
        for (e in events) {
            if ((e["step"] as Double).toInt() == i) m.inject(Event(text(e["node"]), text(e["name"]), copyValue(e["payload"])))
        }
        m.step()
    }
    for (e in m.trace) {
        val fields = arrayListOf<Any?>(e.at, e.kind, e.node, e.name, e.text, e.function, e.line.toDouble(), e.column.toDouble())
        out.println("TRACE " + textOf(ListValue(fields)))
    }
    out.println("DONE " + (System.nanoTime() - began) / 1000000)
}

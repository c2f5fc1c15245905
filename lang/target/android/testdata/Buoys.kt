package meshd.stage

import com.example.scene.sceneData
import meshd.program.*

/** Has a pier make things that float and go round, and lets two of them drift away. */
fun main(args: Array<String>) {
    val out = java.io.PrintStream(java.io.FileOutputStream(java.io.FileDescriptor.out), false, "UTF-8")
    val stage = Stage(sceneData, Paper(java.io.PrintStream(java.io.ByteArrayOutputStream())))
    stage.start()
    val still = sceneData.things.first { it.name == "Still" }.id
    val pier = sceneData.things.first { it.name == "Pier" }.id
    fun show(seconds: Int) {
        for (i in 1..60 * seconds) stage.advance(1.0 / 60)
        for (id in listOf(still, "s1", "s2", "s3", "s4")) {
            out.println((if (id == still) "still" else id) + stage.part(id, "position")!!.joinToString("") { " " + (Math.rint(it * 1000) / 1000 + 0.0) })
        }
    }
    stage.raise(pier, "click", null)
    show(1)
    stage.raise(still, "drift", null)
    stage.raise("s1", "drift", null)
    show(2)
    out.flush()
}

package meshd.stage

import com.example.scene.sceneData
import meshd.program.*

/** Has a purse make coins, two copies of a template that stands nowhere, and touches them. */
fun main(args: Array<String>) {
    val out = java.io.PrintStream(java.io.FileOutputStream(java.io.FileDescriptor.out), false, "UTF-8")
    val paper = Paper(out)
    val stage = Stage(sceneData, paper)
    stage.start()
    val eye = xyz(0.0, 0.0, 0.0)
    val down = xyz(0.0, -1.0, 0.0)
    val up = xyz(0.0, Math.sqrt(0.5), Math.sqrt(0.5))
    val back = xyz(0.0, 0.0, 1.0)
    val beside = xyz(3.0, 0.0, 0.0)
    var time = 0.0
    fun run(frames: Int) {
        for (i in 1..frames) stage.advance(1.0 / 60)
    }
    fun tap(from: DoubleArray, along: DoubleArray) {
        stage.hands.down("pointer", from, along, time++)
        stage.hands.up("pointer", from, along, true)
        run(2)
    }
    fun id(from: DoubleArray, along: DoubleArray): String = stage.hit(from, along)?.id ?: "-"
    out.println(if (id(eye, up) == "-" && id(eye, back) == "-") "NOTHING" else "SOMETHING")
    tap(eye, down)
    out.println("SEEN " + id(eye, up) + " " + id(eye, back) + " " + id(beside, up))
    tap(eye, up)
    tap(eye, back)
    tap(beside, up)
    run(70)
    out.println("AT s2 " + (paper.at["s2"] ?: "unmoved"))
    tap(eye, up)
    out.println("SEEN " + id(eye, up) + " " + id(eye, back) + " " + id(beside, up))
    tap(eye, xyz(0.0, -Math.sqrt(0.5), Math.sqrt(0.5)))
    out.flush()
}

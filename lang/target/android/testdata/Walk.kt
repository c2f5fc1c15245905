package meshd.stage

import com.example.scene.sceneData
import meshd.program.*

/** Prints what a stage asks of it. */
internal class Paper(val out: java.io.PrintStream) : Scenery {
    private fun said(v: DoubleArray): String = v.map { Math.rint(it * 1000) / 1000 }.joinToString(" ")

    override fun place(id: String, place: DoubleArray, turn: DoubleArray, scale: DoubleArray) {
        at[id] = said(place)
    }

    val at = HashMap<String, String>()

    override fun show(id: String, visible: Boolean) = out.println("SHOW ${name(id)} $visible")
    override fun look(id: String, key: String, value: DoubleArray) = out.println("LOOK ${name(id)} $key ${said(value)}")
    override fun write(id: String, glyphs: List<Glyph>) = out.println("WRITE ${name(id)} ${glyphs.size} ${glyphs.all { it.model.endsWith(".glb") }}")
    override fun play(id: String, on: Boolean) = out.println("PLAY ${name(id)} $on")
    override fun volume(id: String, volume: Double) = Unit
    override fun spawn(id: String, like: Thing, parent: String) = out.println("SPAWN $id ${like.name} below $parent.")
    override fun remove(id: String) = out.println("REMOVE $id")
    override fun state(key: String, value: Any?) = out.println("STATE $key ${textOf(value)}")
    override fun say(line: String) = out.println("SAY $line")
    override fun call(name: String, id: String, args: List<Any?>): Any? {
        out.println("CALL $name")
        return NoAnswer
    }

    fun name(id: String): String = sceneData.things.firstOrNull { it.id == id }?.name ?: id
}

/** Walks through a scene: looks ahead, touches, carries, waits. */
fun main(args: Array<String>) {
    val out = java.io.PrintStream(java.io.FileOutputStream(java.io.FileDescriptor.out), false, "UTF-8")
    val paper = Paper(out)
    val stage = Stage(sceneData, paper)
    stage.start()
    val eye = xyz(0.0, 0.0, 0.0)
    val ahead = xyz(0.0, 0.0, -1.0)
    fun where(name: String): String {
        val id = sceneData.things.first { it.name == name }.id
        return paper.at[id] ?: "unmoved"
    }
    stage.hands.gaze(eye, ahead)
    stage.hands.down("pointer", eye, ahead, 0.0)
    stage.hands.up("pointer", eye, ahead, true)
    for (i in 1..10) stage.advance(1.0 / 60)
    out.println("AT Switch " + where("Switch"))
    val side = xyz(-1.0, 0.0, 0.0)
    stage.hands.down("pointer", eye, side, 1.0)
    stage.hands.move("pointer", eye, xyz(-0.8, 0.6, 0.0), 1.2)
    stage.advance(1.0 / 60)
    out.println("AT Cup " + where("Cup"))
    stage.hands.up("pointer", eye, side, false)
    for (i in 1..120) stage.advance(1.0 / 60)
    out.println("AT Ball " + where("Ball"))
    out.println("AT Door " + where("Door"))
    out.println("TAPS " + textOf(stage.getState("taps")))
    out.flush()
}

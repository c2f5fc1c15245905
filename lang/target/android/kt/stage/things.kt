/** A light. Angles are in radians; a reach of 0 is that of the engine. */
class Lamp(
    val type: String, val color: String, val intensity: Double, val reach: Double = 0.0, val angle: Double = 0.5, val penumbra: Double = 0.0,
    val shadow: Boolean = false
)

/** How a surface looks before a program changes it. */
class Look(val color: String, val glow: String, val glowBy: Double, val metallic: Double, val roughness: Double)

/** What a surface looks like now: its colour with its opacity, its glow and how strong that is. */
class Paint(first: Look?) {
    val color: DoubleArray = colorOf(first?.color) ?: doubleArrayOf(1.0, 1.0, 1.0, 1.0)
    val glow: DoubleArray = colorOf(first?.glow) ?: doubleArrayOf(0.0, 0.0, 0.0, 1.0)
    var glowBy = first?.glowBy ?: 1.0
        private set

    /** Takes another value of a key of a look; the keys of other parts change nothing. */
    fun set(key: String, v: DoubleArray) {
        when (key) {
            "color" -> for (k in 0..2) color[k] = v[k]
            "opacity" -> color[3] = v[0]
            "emissive" -> for (k in 0..2) glow[k] = v[k]
            "emissive_intensity" -> glowBy = v[0]
        }
    }
}

/** A sound at a place, heard in full within near and not at all beyond far. */
class Sound(val file: String, val volume: Double, val loop: Boolean, val autoplay: Boolean, val near: Double, val far: Double)

/** What bumps: the box around it, and how it moves. */
class Body(
    val type: String, val size: DoubleArray, val center: DoubleArray, val trigger: Boolean, val flat: Boolean, val friction: Double,
    val restitution: Double, val weight: Double, val mass: Double
)

/** Letters that a program may change: how high capitals are, and how far before the middle they stand. */
class Letters(val size: Double, val align: String, val color: String, val front: Double)

/** A thing of the scene, as the compiler wrote it. Its place is in its parent; turns are unit quaternions x, y, z, w. */
class Thing(
    val id: String, val parent: String, val name: String, val place: DoubleArray, val turn: DoubleArray, val scale: DoubleArray,
    val model: String = "", val words: String = "", val visible: Boolean = true, val label: String = "", val box: DoubleArray? = null,
    val interact: String = "", val look: Look? = null, val lamp: Lamp? = null, val sound: Sound? = null, val body: Body? = null,
    val letters: Letters? = null, val anchor: String = ""
)

fun xyz(x: Double, y: Double, z: Double): DoubleArray = doubleArrayOf(x, y, z)

fun xyzw(x: Double, y: Double, z: Double, w: Double): DoubleArray = doubleArrayOf(x, y, z, w)

/**
 * A whole scene: its things, the things that only their copies show, and the
 * documents of what happens in it. Empty texts stand for nothing.
 */
class SceneData(
    val name: String, val things: List<Thing>, val prototypes: List<Thing>, val gravity: DoubleArray, val program: String, val nodes: String, val tracks: String, val controls: String,
    val glyphs: String
)

/**
 * What shows a scene. The stage asks it for everything, on one thread. Places are
 * those in the parent. Colours are four numbers of sRGB from 0 to 1.
 */
interface Scenery {
    fun place(id: String, place: DoubleArray, turn: DoubleArray, scale: DoubleArray)
    fun show(id: String, visible: Boolean)
    /** A key of a look: color, emissive, emissive_intensity, metallic, roughness, opacity, intensity (of a light). */
    fun look(id: String, key: String, value: DoubleArray)
    /** Letters in place of those that were there: models with their places along the line. */
    fun write(id: String, glyphs: List<Glyph>)
    fun play(id: String, on: Boolean)
    fun volume(id: String, volume: Double)
    /** Shows another thing like one of the scene or of its prototypes, without what is below that. */
    fun spawn(id: String, like: Thing, parent: String)
    /** A thing that was spawned is no more. What was spawned below it was removed before. */
    fun remove(id: String)
    /** A state key of the scene has another value. */
    fun state(key: String, value: Any?)
    /** A line of the program for people. */
    fun say(line: String)
    /** An operation that the stage does not know; NoAnswer where the device has none. */
    fun call(name: String, id: String, args: List<Any?>): Any?
}

/** A letter of a line: its model, how far to the right it stands, and its size. */
class Glyph(val model: String, val x: Double, val size: Double)

/** How a node stands in its parent now. */
internal class Standing(var place: DoubleArray, var turn: DoubleArray, var scale: DoubleArray, val parent: String) {
    var visible = true
    /** How far from its prototype's place a program put a copy; its animations count from there. */
    var shift = xyz(0.0, 0.0, 0.0)
}

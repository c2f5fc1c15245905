package com.example.scene

import android.content.pm.PackageManager
import android.os.Bundle
import android.util.Log
import android.view.Choreographer
import android.view.KeyEvent
import android.widget.FrameLayout
import android.widget.TextView
import androidx.activity.ComponentActivity
import androidx.activity.result.contract.ActivityResultContracts
import androidx.core.content.ContextCompat
import androidx.lifecycle.lifecycleScope
import androidx.xr.runtime.PlaneTrackingMode
import androidx.xr.runtime.Session
import androidx.xr.runtime.SessionCreateSuccess
import androidx.xr.runtime.math.FloatSize2d
import androidx.xr.runtime.math.Pose
import androidx.xr.runtime.math.Quaternion
import androidx.xr.runtime.math.Vector3
import androidx.xr.runtime.math.Vector4
import androidx.xr.scenecore.AlphaMode
import androidx.xr.scenecore.AnchorSpace
import androidx.xr.scenecore.Entity
import androidx.xr.scenecore.GltfModel
import androidx.xr.scenecore.GltfModelEntity
import androidx.xr.scenecore.InputEvent
import androidx.xr.scenecore.InteractableComponent
import androidx.xr.scenecore.KhronosPbrMaterial
import androidx.xr.scenecore.PlaneOrientation
import androidx.xr.scenecore.PlaneSemanticType
import androidx.xr.scenecore.PointSourceParams
import androidx.xr.scenecore.SpatialMediaPlayer
import androidx.xr.scenecore.scene
import java.nio.file.Paths
import java.util.function.Consumer
import kotlinx.coroutines.launch
import meshd.controls.Controls
import meshd.controls.Sounds
import meshd.controls.raise
import meshd.program.MapValue
import meshd.program.NoAnswer
import meshd.stage.Glyph
import meshd.stage.Paint
import meshd.stage.Scenery
import meshd.stage.Stage
import meshd.stage.Thing
import meshd.stage.linear

private const val SURFACES = "android.permission.SCENE_UNDERSTANDING_COARSE"
private const val SURFACES_REASON = "The floor, tables and walls of the room are looked for, so that things of the scene can stand on them."
private const val SURFACES_DENIED = "Without the surfaces of the room everything stands where the scene has it."
private const val NO_HEADSET = "This device shows no things in space."
private const val BEFORE_YOU = "The scene stands before you."

/** The one screen: the scene in the room, and a panel with its controls. */
class MainActivity : ComponentActivity() {
    private lateinit var hint: TextView
    private lateinit var frame: FrameLayout
    private var space: Space? = null

    private val askSurfaces = registerForActivityResult(ActivityResultContracts.RequestPermission()) { granted ->
        if (!granted) hint.text = SURFACES_DENIED
        enter(granted)
    }

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        frame = FrameLayout(this)
        hint = TextView(this)
        frame.addView(hint)
        setContentView(frame)
        val anchors = (sceneData.things + sceneData.prototypes).any { it.anchor != "" }
        if (anchors && ContextCompat.checkSelfPermission(this, SURFACES) != PackageManager.PERMISSION_GRANTED) {
            hint.text = SURFACES_REASON
            askSurfaces.launch(SURFACES)
        } else {
            enter(anchors)
        }
    }

    private fun enter(surfaces: Boolean) {
        lifecycleScope.launch {
            val made = Session.create(this@MainActivity)
            if (made is SessionCreateSuccess) {
                hint.text = BEFORE_YOU
                val s = Space(this@MainActivity, made.session, frame, surfaces)
                space = s
                s.load()
                s.resume()
            } else {
                hint.text = NO_HEADSET
            }
        }
    }

    override fun onResume() {
        super.onResume()
        space?.resume()
    }

    override fun onPause() {
        space?.pause()
        super.onPause()
    }

    override fun onDestroy() {
        space?.destroy()
        space = null
        super.onDestroy()
    }

    override fun dispatchKeyEvent(event: KeyEvent): Boolean {
        if (event.repeatCount == 0) space?.key(event)
        return super.dispatchKeyEvent(event)
    }
}

/** The scene in space: entities of SceneCore below one root. It lives on the main thread. */
class Space(private val activity: ComponentActivity, private val session: Session, frame: FrameLayout, private val surfaces: Boolean) :
    Scenery, Choreographer.FrameCallback {
    private class Shown(val entity: GltfModelEntity, val own: DoubleArray)

    private val root: Entity = Entity.create(session, "scene", Pose(Vector3(0f, -1f, 0f), Quaternion(0f, 0f, 0f, 1f)), session.scene.activitySpace)
    private val files = HashMap<String, GltfModel>()
    private val entities = HashMap<String, Entity>()
    private val models = HashMap<String, ArrayList<Shown>>()
    private val lines = HashMap<String, ArrayList<Shown>>()
    private val looks = HashMap<String, KhronosPbrMaterial>()
    private val worn = ArrayList<KhronosPbrMaterial>() // of things that are no more
    private val sounds = Sounds(activity) { stage.raise(it, "audio_end", MapValue()) }
    private val controls = Controls(activity, sceneData.controls)
    private val stage: Stage = Stage(sceneData, this)
    private var last = 0L
    private var running = false
    private var loaded = false

    init {
        val column = controls.view
        if (column != null) frame.addView(column)
        frame.contentDescription = sceneData.name
        if (surfaces) session.configure(session.config.copy(planeTracking = PlaneTrackingMode.HORIZONTAL_AND_VERTICAL))
    }

    /** Loads every model once, makes the entities, and starts what happens. */
    suspend fun load() {
        val wanted = LinkedHashSet<String>()
        for (t in sceneData.things + sceneData.prototypes) {
            if (t.model != "") wanted.add(t.model)
            if (t.words != "") wanted.add(t.words)
        }
        wanted.addAll(stage.letterFiles())
        for (file in wanted) files[file] = GltfModel.create(session, Paths.get(file))
        for (t in sceneData.things) make(t.id, t, t.parent)
        controls.stage = stage
        sounds.begin()
        stage.start()
        loaded = true
    }

    /** Makes the entity of a thing: its place, what is seen of it, and its sound. */
    private fun make(id: String, t: Thing, parent: String) {
        val entity = Entity.create(session, t.name, Pose(Vector3(0f, 0f, 0f), Quaternion(0f, 0f, 0f, 1f)), entities[parent] ?: root)
        entities[id] = entity
        if (t.label != "") entity.contentDescription = t.label
        show(id, t.model, models)
        show(id, t.words, lines)
        place(id, t.place, t.turn, t.scale)
        if (t.box != null) listen(id)
        val sound = t.sound
        if (sound != null) {
            val player = sounds.add(id, sound)
            if (player != null) SpatialMediaPlayer.setPointSourceParams(session, player, PointSourceParams(), entity)
            sounds.ready(id)
        }
        entity.setEnabled(t.visible)
        if (t.anchor != "" && surfaces) attach(entity, t.anchor)
    }

    private fun show(id: String, file: String, into: HashMap<String, ArrayList<Shown>>) {
        val model = files[file] ?: return
        val entity = GltfModelEntity.create(session, model, Pose(Vector3(0f, 0f, 0f), Quaternion(0f, 0f, 0f, 1f)), entities[id])
        into.getOrPut(id) { ArrayList() }.add(Shown(entity, doubleArrayOf(0.0, 0.0, 0.0, 1.0)))
    }

    /** Hangs an entity on the first surface of the kind that it asks for. */
    private fun attach(entity: Entity, kind: String) {
        val turned = if (kind == "vertical") setOf(PlaneOrientation.VERTICAL) else if (kind == "any") PlaneOrientation.ALL else setOf(PlaneOrientation.HORIZONTAL)
        val meant = if (kind == "ceiling") setOf(PlaneSemanticType.CEILING) else PlaneSemanticType.ALL
        val anchor = AnchorSpace.create(session, FloatSize2d(0.3f, 0.3f), turned, meant)
        anchor.addStateChangedListener(ContextCompat.getMainExecutor(activity), Consumer<AnchorSpace.State> { state ->
            if (state == AnchorSpace.State.ANCHORED && entities.containsValue(entity)) entity.parent = anchor
        })
    }

    /** Receives what hands, controllers and the gaze do to a thing. */
    private fun listen(id: String) {
        val heard = InteractableComponent.create(session, ContextCompat.getMainExecutor(activity), Consumer<InputEvent> { e -> input(e) })
        for (m in models[id] ?: ArrayList<Shown>()) m.entity.addComponent(heard)
        if (models[id] == null) for (m in lines[id] ?: ArrayList<Shown>()) m.entity.addComponent(heard)
    }

    private fun input(e: InputEvent) {
        val space = session.scene.activitySpace
        val from = numbers(space.transformPositionTo(e.origin, root))
        val along = numbers(space.transformDirectionTo(e.direction, root))
        val hand = when (e.pointerType) {
            InputEvent.Pointer.LEFT -> "left"
            InputEvent.Pointer.RIGHT -> "right"
            else -> "pointer"
        }
        val time = e.timestamp / 1000.0
        if (e.source == InputEvent.Source.GAZE_AND_GESTURE || e.source == InputEvent.Source.HEAD) {
            if (e.action == InputEvent.Action.HOVER_EXIT) stage.hands.leave("gaze") else stage.hands.gaze(from, along)
        }
        when (e.action) {
            InputEvent.Action.DOWN -> stage.hands.down(hand, from, along, time)
            InputEvent.Action.MOVE, InputEvent.Action.HOVER_MOVE, InputEvent.Action.HOVER_ENTER -> stage.hands.move(hand, from, along, time)
            InputEvent.Action.UP -> up(hand, from, along, time)
            InputEvent.Action.HOVER_EXIT -> stage.hands.leave(hand)
            InputEvent.Action.CANCEL -> stage.hands.cancel(hand)
        }
    }

    private var released = 0.0

    private fun up(hand: String, from: DoubleArray, along: DoubleArray, time: Double) {
        stage.hands.up(hand, from, along, true)
        if (time - released < 0.4) stage.hands.twice(hand, from, along)
        released = time
    }

    private fun numbers(v: Vector3): DoubleArray = doubleArrayOf(v.x.toDouble(), v.y.toDouble(), v.z.toDouble())

    /** One frame of the display. */
    override fun doFrame(frameTimeNanos: Long) {
        if (!running) return
        Choreographer.getInstance().postFrameCallback(this)
        if (!loaded) return
        val seconds = if (last == 0L) 0.0 else (frameTimeNanos - last) / 1e9
        last = frameTimeNanos
        stage.advance(seconds)
    }

    fun key(e: KeyEvent) {
        if (loaded) raise(stage, e)
    }

    fun resume() {
        if (running) return
        running = true
        last = 0L // the time that is slept through does not count
        sounds.resume()
        Choreographer.getInstance().postFrameCallback(this)
    }

    fun pause() {
        running = false
        for (hand in listOf("left", "right", "pointer")) stage.hands.cancel(hand)
        sounds.pause()
    }

    fun destroy() {
        running = false
        sounds.release()
        root.parent = null
        for (look in worn + looks.values) look.close()
        for (model in files.values) model.close()
    }

    /** Entities have one scale for all axes, so none of them has any: places and models are scaled instead. */
    override fun place(id: String, place: DoubleArray, turn: DoubleArray, scale: DoubleArray) {
        val entity = entities[id] ?: return
        val above = stage.scaleAbove(id)
        entity.setPose(
            Pose(
                Vector3((place[0] * above[0]).toFloat(), (place[1] * above[1]).toFloat(), (place[2] * above[2]).toFloat()),
                Quaternion(turn[0].toFloat(), turn[1].toFloat(), turn[2].toFloat(), turn[3].toFloat())
            )
        )
        val by = doubleArrayOf(above[0] * scale[0], above[1] * scale[1], above[2] * scale[2])
        for (m in models[id] ?: ArrayList<Shown>()) fit(m, by)
        for (m in lines[id] ?: ArrayList<Shown>()) fit(m, by)
    }

    private fun fit(m: Shown, by: DoubleArray) {
        m.entity.setPose(
            Pose(Vector3((m.own[0] * by[0]).toFloat(), (m.own[1] * by[1]).toFloat(), (m.own[2] * by[2]).toFloat()), Quaternion(0f, 0f, 0f, 1f))
        )
        val size = m.own[3]
        for (node in m.entity.nodes) node.localScale = Vector3((by[0] * size).toFloat(), (by[1] * size).toFloat(), (by[2] * size).toFloat())
    }

    override fun show(id: String, visible: Boolean) {
        entities[id]?.setEnabled(visible)
    }

    /** Paints a thing. Its look is made anew when a program first changes it. */
    override fun look(id: String, key: String, value: DoubleArray) {
        val entity = entities[id] ?: return
        if (key == "opacity") return entity.setAlpha(Math.max(0.0, Math.min(1.0, value[0])).toFloat())
        if (key == "intensity") return
        activity.lifecycleScope.launch { paint(id, key, value) }
    }

    private val painted = HashMap<String, Paint>()

    private suspend fun paint(id: String, key: String, v: DoubleArray) {
        val first = stage.thing(id)?.look ?: return
        val p = painted.getOrPut(id) { Paint(first) }
        var look = looks[id]
        if (look == null) {
            look = KhronosPbrMaterial.create(session, if (p.color[3] < 1) AlphaMode.BLEND else AlphaMode.OPAQUE)
            looks[id] = look
            look.setMetallicFactor(first.metallic.toFloat())
            look.setRoughnessFactor(first.roughness.toFloat())
            for (m in models[id] ?: ArrayList<Shown>()) for (node in m.entity.nodes) node.setMaterialOverride(look)
        }
        p.set(key, v)
        when (key) {
            "metallic" -> look.setMetallicFactor(v[0].toFloat())
            "roughness" -> look.setRoughnessFactor(v[0].toFloat())
        }
        val by = p.glowBy.toFloat()
        look.setBaseColorFactor(Vector4(linear(p.color[0]), linear(p.color[1]), linear(p.color[2]), p.color[3].toFloat()))
        look.setEmissiveFactor(Vector3(linear(p.glow[0]) * by, linear(p.glow[1]) * by, linear(p.glow[2]) * by))
    }

    override fun write(id: String, glyphs: List<Glyph>) {
        val entity = entities[id] ?: return
        val letters = stage.thing(id)?.letters ?: return
        for (old in lines.remove(id) ?: ArrayList<Shown>()) old.entity.parent = null
        val line = ArrayList<Shown>()
        for (g in glyphs) {
            val model = files[g.model] ?: continue
            val made = GltfModelEntity.create(session, model, Pose(Vector3(0f, 0f, 0f), Quaternion(0f, 0f, 0f, 1f)), entity)
            line.add(Shown(made, doubleArrayOf(g.x, 0.0, letters.front, g.size)))
        }
        lines[id] = line
        for (m in line) fit(m, stage.scaleOf(id))
        activity.lifecycleScope.launch { ink(line, letters.color) }
    }

    private suspend fun ink(line: List<Shown>, color: String) {
        var look = looks[color]
        if (look == null) {
            val c = linear(color)
            look = KhronosPbrMaterial.create(session, AlphaMode.OPAQUE)
            looks[color] = look
            look.setBaseColorFactor(Vector4(0f, 0f, 0f, 1f))
            look.setEmissiveFactor(Vector3(c[0], c[1], c[2]))
        }
        for (m in line) for (node in m.entity.nodes) node.setMaterialOverride(look)
    }

    override fun play(id: String, on: Boolean) = sounds.play(id, on)

    override fun volume(id: String, volume: Double) = sounds.volume(id, volume)

    override fun spawn(id: String, like: Thing, parent: String) = make(id, like, parent)

    override fun remove(id: String) {
        val entity = entities.remove(id) ?: return
        entity.parent = null
        models.remove(id)
        lines.remove(id)
        painted.remove(id)
        looks.remove(id)?.let { worn.add(it) }
        sounds.remove(id)
    }

    override fun state(key: String, value: Any?) = controls.state(key, value)

    override fun say(line: String) {
        Log.i("scene", line)
    }

    override fun call(name: String, id: String, args: List<Any?>): Any? = NoAnswer
}

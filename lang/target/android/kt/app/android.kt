package com.example.scene

import android.Manifest
import android.app.AlertDialog
import android.content.pm.PackageManager
import android.opengl.Matrix
import android.os.Bundle
import android.util.Log
import android.view.GestureDetector
import android.view.HapticFeedbackConstants
import android.view.KeyEvent
import android.view.MotionEvent
import android.view.ScaleGestureDetector
import android.view.View
import android.view.ViewGroup
import android.widget.FrameLayout
import android.widget.TextView
import androidx.activity.ComponentActivity
import androidx.activity.result.contract.ActivityResultContracts
import androidx.core.content.ContextCompat
import com.google.android.filament.LightManager
import com.google.android.filament.MaterialInstance
import com.google.ar.core.Anchor
import com.google.ar.core.Config
import com.google.ar.core.Frame
import com.google.ar.core.Plane
import com.google.ar.core.Pose
import com.google.ar.core.Session
import com.google.ar.core.TrackingState
import dev.romainguy.kotlin.math.Float3
import dev.romainguy.kotlin.math.Quaternion
import io.github.sceneview.ar.ARSceneView
import io.github.sceneview.ar.node.AnchorNode
import io.github.sceneview.node.LightNode
import io.github.sceneview.node.ModelNode
import io.github.sceneview.node.Node
import meshd.controls.Controls
import meshd.controls.Sounds
import meshd.controls.raise
import meshd.program.MapValue
import meshd.program.NoAnswer
import meshd.stage.Glyph
import meshd.stage.Lamp
import meshd.stage.Paint
import meshd.stage.Scenery
import meshd.stage.Stage
import meshd.stage.Thing
import meshd.stage.linear

private const val CAMERA_REASON = "The camera shows the room that the scene stands in. Its picture stays on the device."
private const val CAMERA_DENIED = "Without the camera there is no room to show the scene in. Allow it in the settings of the app."
private const val PLACE_SCENE = "Move the device until a surface is found, then touch it to place the scene."

/** The one screen: the camera's picture with the scene in it, the controls over it, and a line that says what to do. */
class MainActivity : ComponentActivity() {
    private lateinit var frame: FrameLayout
    private lateinit var hint: TextView
    private var room: Room? = null

    private val askCamera = registerForActivityResult(ActivityResultContracts.RequestPermission()) { granted ->
        if (granted) enter() else hint.text = CAMERA_DENIED
    }

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        frame = FrameLayout(this)
        hint = TextView(this)
        frame.addView(hint)
        setContentView(frame)
        if (ContextCompat.checkSelfPermission(this, Manifest.permission.CAMERA) == PackageManager.PERMISSION_GRANTED) {
            enter()
        } else {
            // Why the camera is needed is said before the system asks.
            AlertDialog.Builder(this)
                .setMessage(CAMERA_REASON)
                .setPositiveButton(android.R.string.ok) { _, _ -> askCamera.launch(Manifest.permission.CAMERA) }
                .setNegativeButton(android.R.string.cancel) { _, _ -> hint.text = CAMERA_DENIED }
                .show()
        }
    }

    private fun enter() {
        hint.text = PLACE_SCENE
        val r = Room(this, frame) { hint.visibility = View.GONE }
        room = r
        hint.bringToFront()
    }

    override fun onResume() {
        super.onResume()
        room?.resume()
    }

    override fun onPause() {
        room?.pause()
        super.onPause()
    }

    override fun onDestroy() {
        room?.destroy()
        room = null
        super.onDestroy()
    }

    override fun dispatchKeyEvent(event: KeyEvent): Boolean {
        if (event.repeatCount == 0) room?.key(event)
        return super.dispatchKeyEvent(event)
    }
}

/** How much light a scene's 1 is, in lux and candela. */
private const val LIGHT = 100000f

/** The scene in a room: a session of ARCore, shown by SceneView. It lives on the main thread. */
class Room(private val activity: ComponentActivity, frame: FrameLayout, private val placed: () -> Unit) : Scenery {
    private val view = ARSceneView(
        context = activity,
        sharedActivity = activity,
        sharedLifecycle = activity.lifecycle,
        sessionConfiguration = { session, config ->
            config.planeFindingMode = Config.PlaneFindingMode.HORIZONTAL_AND_VERTICAL
            config.lightEstimationMode = Config.LightEstimationMode.ENVIRONMENTAL_HDR
            if (session.isDepthModeSupported(Config.DepthMode.AUTOMATIC)) config.depthMode = Config.DepthMode.AUTOMATIC
        }
    )
    private val nodes = HashMap<String, Node>()
    private val models = HashMap<String, ModelNode>()
    private val lights = HashMap<String, LightNode>()
    private val lines = HashMap<String, ArrayList<ModelNode>>()
    private val sounds = Sounds(activity) { stage.raise(it, "audio_end", MapValue()) }
    private val controls = Controls(activity, sceneData.controls)
    private val stage: Stage = Stage(sceneData, this)
    private val waiting = LinkedHashMap<String, Thing>()
    private val root: Node = Node(view.engine)
    private var anchored: AnchorNode? = null
    private var now: Frame? = null
    private var last = 0L
    private var still = true
    private var began = false

    init {
        frame.addView(view, ViewGroup.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, ViewGroup.LayoutParams.MATCH_PARENT))
        val column = controls.view
        if (column != null) frame.addView(column, ViewGroup.LayoutParams(ViewGroup.LayoutParams.WRAP_CONTENT, ViewGroup.LayoutParams.WRAP_CONTENT))
        view.contentDescription = sceneData.name + ": " + sceneData.things.map { it.label }.filter { it != "" }.joinToString(", ")
        view.planeRenderer.isEnabled = true
        view.addChildNode(root)
        // Until a surface is touched the scene stands before the one who holds the device.
        root.position = Float3(0f, -1f, -2f)
        for (t in sceneData.things) make(t.id, t, t.parent)
        listen()
        view.onSessionUpdated = { session, frameNow -> step(session, frameNow) }
    }

    /** Makes the node of a thing: its place, what is seen of it, its light and its sound. */
    private fun make(id: String, t: Thing, parent: String) {
        val node = Node(view.engine)
        node.name = t.name
        (nodes[parent] ?: root).addChildNode(node)
        nodes[id] = node
        place(id, t.place, t.turn, t.scale)
        if (t.model != "") {
            val model = ModelNode(view.modelLoader.createModelInstance(t.model))
            node.addChildNode(model)
            models[id] = model
        }
        if (t.words != "") {
            val written = ModelNode(view.modelLoader.createModelInstance(t.words))
            node.addChildNode(written)
            lines[id] = arrayListOf(written)
        }
        val lamp = t.lamp
        if (lamp != null && lamp.type != "ambient" && lamp.type != "hemisphere") {
            val light = light(lamp)
            node.addChildNode(light)
            lights[id] = light
        }
        val sound = t.sound
        if (sound != null) {
            sounds.add(id, sound)
            sounds.ready(id)
        }
        node.isVisible = t.visible
        if (t.anchor != "") waiting[id] = t
    }

    private fun light(l: Lamp): LightNode {
        val kind = when (l.type) {
            "directional" -> LightManager.Type.DIRECTIONAL
            "spot", "area" -> LightManager.Type.FOCUSED_SPOT
            else -> LightManager.Type.POINT
        }
        val c = linear(l.color)
        return LightNode(view.engine, kind) {
            color(c[0], c[1], c[2])
            if (kind == LightManager.Type.DIRECTIONAL) intensity(LIGHT * l.intensity.toFloat()) else intensityCandela(LIGHT * l.intensity.toFloat())
            direction(0f, 0f, -1f)
            falloff(if (l.reach > 0) l.reach.toFloat() else 50f)
            castShadows(l.shadow)
            if (l.type == "spot") spotLightCone((l.angle * (1 - l.penumbra)).toFloat(), l.angle.toFloat())
            if (l.type == "area") spotLightCone(0.6f, 1.4f)
        }
    }

    /** One frame of the camera: the time goes on, and what follows the room does. */
    private fun step(session: Session, frame: Frame) {
        now = frame
        if (frame.camera.trackingState != TrackingState.TRACKING) {
            last = 0L
            return
        }
        if (!began) {
            began = true
            controls.stage = stage
            sounds.begin()
            stage.start()
        }
        val seconds = if (last == 0L) 0.0 else (frame.timestamp - last) / 1e9
        last = frame.timestamp
        attach(session)
        val head = frame.camera.displayOrientedPose
        val eye = local(head.translation)
        val ahead = turned(head.rotateVector(floatArrayOf(0f, 0f, -1f)))
        stage.hands.gaze(eye, ahead)
        stage.advance(seconds)
        for (id in sounds.ids) sounds.distance(id, distance(id, head.translation))
    }

    /** Hangs the things that ask for a kind of surface on the first one that is found. */
    private fun attach(session: Session) {
        if (waiting.isEmpty()) return
        for (plane in session.getAllTrackables(Plane::class.java)) {
            if (plane.trackingState != TrackingState.TRACKING || plane.subsumedBy != null) continue
            val kind = when (plane.type) {
                Plane.Type.VERTICAL -> "vertical"
                Plane.Type.HORIZONTAL_DOWNWARD_FACING -> "ceiling"
                else -> "horizontal"
            }
            for ((id, t) in LinkedHashMap(waiting)) {
                if (t.anchor != kind && t.anchor != "any") continue
                val node = nodes[id] ?: continue
                val anchor = AnchorNode(view.engine, plane.createAnchor(plane.centerPose))
                view.addChildNode(anchor)
                node.parent?.removeChildNode(node)
                anchor.addChildNode(node)
                waiting.remove(id)
            }
        }
    }

    private fun distance(id: String, from: FloatArray): Double {
        val p = (nodes[id] ?: return 0.0).worldPosition
        val x = (p.x - from[0]).toDouble()
        val y = (p.y - from[1]).toDouble()
        val z = (p.z - from[2]).toDouble()
        return Math.sqrt(x * x + y * y + z * z)
    }

    /** Where the scene stands in the room. */
    private fun standing(): Pose {
        val a = anchored
        if (a != null) return a.anchor.pose
        return Pose.makeTranslation(0f, -1f, -2f)
    }

    private fun local(p: FloatArray): DoubleArray {
        val q = standing().inverse().transformPoint(p)
        return doubleArrayOf(q[0].toDouble(), q[1].toDouble(), q[2].toDouble())
    }

    private fun turned(p: FloatArray): DoubleArray {
        val q = standing().inverse().rotateVector(p)
        return doubleArrayOf(q[0].toDouble(), q[1].toDouble(), q[2].toDouble())
    }

    /** The ray of the scene below a place on the screen: where it begins and where it goes. */
    private fun ray(x: Float, y: Float): Pair<DoubleArray, DoubleArray>? {
        val camera = (now ?: return null).camera
        val projection = FloatArray(16)
        val eye = FloatArray(16)
        val both = FloatArray(16)
        val back = FloatArray(16)
        camera.getProjectionMatrix(projection, 0, 0.05f, 100f)
        camera.getViewMatrix(eye, 0)
        Matrix.multiplyMM(both, 0, projection, 0, eye, 0)
        if (!Matrix.invertM(back, 0, both, 0)) return null
        val ends = FloatArray(8)
        val at = floatArrayOf(2 * x / view.width - 1, 1 - 2 * y / view.height, -1f, 1f)
        Matrix.multiplyMV(ends, 0, back, 0, at, 0)
        at[2] = 1f
        Matrix.multiplyMV(ends, 4, back, 0, at, 0)
        val near = local(floatArrayOf(ends[0] / ends[3], ends[1] / ends[3], ends[2] / ends[3]))
        val far = local(floatArrayOf(ends[4] / ends[7], ends[5] / ends[7], ends[6] / ends[7]))
        val along = DoubleArray(3) { far[it] - near[it] }
        val size = Math.sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2])
        return Pair(near, DoubleArray(3) { along[it] / size })
    }

    private fun listen() {
        val pinch = ScaleGestureDetector(activity, object : ScaleGestureDetector.SimpleOnScaleGestureListener() {
            override fun onScale(detector: ScaleGestureDetector): Boolean {
                val r = ray(detector.focusX, detector.focusY) ?: return true
                stage.hands.pinch(r.first, r.second, detector.scaleFactor.toDouble())
                return true
            }
        })
        val taps = GestureDetector(activity, object : GestureDetector.SimpleOnGestureListener() {
            override fun onDown(e: MotionEvent): Boolean = true

            override fun onDoubleTap(e: MotionEvent): Boolean {
                val r = ray(e.x, e.y) ?: return false
                stage.hands.twice("pointer", r.first, r.second)
                return true
            }

            override fun onSingleTapConfirmed(e: MotionEvent): Boolean {
                if (anchored == null) onSurface(e)
                return true
            }

            override fun onLongPress(e: MotionEvent) {
                onSurface(e)
            }

            override fun onScroll(e1: MotionEvent?, e2: MotionEvent, distanceX: Float, distanceY: Float): Boolean {
                still = false
                return true
            }
        })
        view.setOnTouchListener { _, e ->
            pinch.onTouchEvent(e)
            taps.onTouchEvent(e)
            touch(e)
            true
        }
    }

    private fun touch(e: MotionEvent) {
        val r = ray(e.x, e.y) ?: return
        val time = e.eventTime / 1000.0
        when (e.actionMasked) {
            MotionEvent.ACTION_DOWN -> {
                still = true
                stage.hands.down("pointer", r.first, r.second, time)
            }
            MotionEvent.ACTION_MOVE -> stage.hands.move("pointer", r.first, r.second, time)
            MotionEvent.ACTION_UP -> {
                stage.hands.up("pointer", r.first, r.second, still)
                stage.hands.leave("pointer")
            }
            MotionEvent.ACTION_CANCEL -> stage.hands.cancel("pointer")
        }
    }

    /** Sets the scene on the surface below a finger, unless the finger is on a thing. */
    private fun onSurface(e: MotionEvent) {
        val frame = now ?: return
        val r = ray(e.x, e.y) ?: return
        if (stage.hit(r.first, r.second) != null && anchored != null) return
        for (hit in frame.hitTest(e)) {
            val plane = hit.trackable as? Plane ?: continue
            if (!plane.isPoseInPolygon(hit.hitPose)) continue
            stand(hit.createAnchor())
            return
        }
    }

    private fun stand(anchor: Anchor) {
        val old = anchored
        val next = AnchorNode(view.engine, anchor)
        view.addChildNode(next)
        if (old == null) view.removeChildNode(root) else old.removeChildNode(root)
        root.position = Float3(0f, 0f, 0f)
        next.addChildNode(root)
        anchored = next
        if (old != null) {
            view.removeChildNode(old)
            old.destroy()
        }
        view.planeRenderer.isEnabled = false
        placed()
    }

    fun key(e: KeyEvent) {
        if (began) raise(stage, e)
    }

    fun resume() = sounds.resume()

    fun pause() {
        last = 0L // the time that is slept through does not count
        stage.hands.cancel("pointer")
        sounds.pause()
    }

    fun destroy() {
        sounds.release()
        anchored?.destroy()
        view.destroy()
    }

    override fun place(id: String, place: DoubleArray, turn: DoubleArray, scale: DoubleArray) {
        val node = nodes[id] ?: return
        node.position = Float3(place[0].toFloat(), place[1].toFloat(), place[2].toFloat())
        node.quaternion = Quaternion(turn[0].toFloat(), turn[1].toFloat(), turn[2].toFloat(), turn[3].toFloat())
        node.scale = Float3(scale[0].toFloat(), scale[1].toFloat(), scale[2].toFloat())
    }

    override fun show(id: String, visible: Boolean) {
        nodes[id]?.isVisible = visible
    }

    override fun look(id: String, key: String, value: DoubleArray) {
        val light = lights[id]
        if (light != null) {
            val manager = view.engine.lightManager
            val at = manager.getInstance(light.entity)
            if (key == "intensity") {
                val much = LIGHT * Math.max(0.0, value[0]).toFloat()
                if (stage.thing(id)?.lamp?.type == "directional") manager.setIntensity(at, much) else manager.setIntensityCandela(at, much)
            }
            if (key == "color") manager.setColor(at, linear(value[0]), linear(value[1]), linear(value[2]))
        }
        val shown = ArrayList<ModelNode>(lines[id] ?: ArrayList<ModelNode>())
        val model = models[id]
        if (model != null) shown.add(model)
        val paint = painted.getOrPut(id) { Paint(stage.thing(id)?.look) }
        paint.set(key, value)
        for (m in shown) for (look in m.modelInstance.materialInstances) show(look, paint, key, value)
    }

    private val painted = HashMap<String, Paint>()

    private fun show(look: MaterialInstance, p: Paint, key: String, v: DoubleArray) {
        fun takes(name: String): Boolean = look.material.hasParameter(name)
        val c = p.color
        val by = p.glowBy.toFloat()
        when (key) {
            "color", "opacity" -> if (takes("baseColorFactor")) look.setParameter("baseColorFactor", linear(c[0]), linear(c[1]), linear(c[2]), c[3].toFloat())
            "metallic" -> if (takes("metallicFactor")) look.setParameter("metallicFactor", v[0].toFloat())
            "roughness" -> if (takes("roughnessFactor")) look.setParameter("roughnessFactor", v[0].toFloat())
            "emissive", "emissive_intensity" -> if (takes("emissiveFactor")) {
                look.setParameter("emissiveFactor", linear(p.glow[0]) * by, linear(p.glow[1]) * by, linear(p.glow[2]) * by)
            }
        }
    }

    override fun write(id: String, glyphs: List<Glyph>) {
        val node = nodes[id] ?: return
        val letters = stage.thing(id)?.letters ?: return
        for (old in lines[id] ?: ArrayList<ModelNode>()) {
            node.removeChildNode(old)
            old.destroy()
        }
        val c = linear(letters.color)
        val line = ArrayList<ModelNode>()
        for (g in glyphs) {
            val model = ModelNode(view.modelLoader.createModelInstance(g.model))
            model.position = Float3(g.x.toFloat(), 0f, letters.front.toFloat())
            model.scale = Float3(g.size.toFloat(), g.size.toFloat(), g.size.toFloat())
            for (look in model.modelInstance.materialInstances) look.setParameter("baseColorFactor", c[0], c[1], c[2], 1f)
            node.addChildNode(model)
            line.add(model)
        }
        lines[id] = line
    }

    override fun play(id: String, on: Boolean) = sounds.play(id, on)

    override fun volume(id: String, volume: Double) = sounds.volume(id, volume)

    override fun spawn(id: String, like: Thing, parent: String) = make(id, like, parent)

    override fun remove(id: String) {
        val node = nodes.remove(id) ?: return
        node.parent?.removeChildNode(node)
        node.destroy()
        models.remove(id)
        painted.remove(id)
        lights.remove(id)
        lines.remove(id)
        waiting.remove(id)
        sounds.remove(id)
    }

    override fun state(key: String, value: Any?) = controls.state(key, value)

    override fun say(line: String) {
        Log.i("scene", line)
    }

    override fun call(name: String, id: String, args: List<Any?>): Any? {
        if (name != "haptic_feedback") return NoAnswer
        view.performHapticFeedback(HapticFeedbackConstants.LONG_PRESS)
        return null
    }
}

/**
 * Runs a scene: it keeps where things are, steps the program, the animations and
 * the bodies, and shows a scenery what changed. It knows no device. All of it runs
 * on one thread.
 */
class Stage(private val scene: SceneData, private val scenery: Scenery) : Host {
    private val things = LinkedHashMap<String, Thing>()
    private val standing = LinkedHashMap<String, Standing>()
    private val bodies = Bodies(this, scene.gravity)
    private val dirty = LinkedHashSet<Pair<String, String>>()
    private val glyphs: Map<String, Any?> = if (scene.glyphs == "") HashMap() else (parseDocument(scene.glyphs) as MapValue).map
    private val prototypes = scene.prototypes.associateBy { it.id }
    private val spawned = HashSet<String>()
    private val parts = HashMap<String, ArrayList<String>>() // what came with what was spawned
    private val player = Player(this, scene.tracks, prototypes.keys)
    private var machine: Machine? = null
    private var rest = 0.0
    private var rate = 60

    /** What pointers do. */
    val hands = Hands(this)

    init {
        for (t in scene.things) {
            things[t.id] = t
            standing[t.id] = Standing(t.place, t.turn, t.scale, t.parent).also { it.visible = t.visible }
            if (t.body != null) bodies.add(t.id, t.body)
        }
    }

    fun thing(id: String): Thing? = things[id]

    /** Starts the program. The scenery shows all things by then. */
    fun start() {
        if (scene.program != "") {
            val infos = (parseDocument(scene.nodes) as ListValue).items.map {
                val n = (it as ListValue).items
                Info(n[0] as String, n[1] as String, n[2] as String, n[3] as? MapValue)
            }
            val p = loadProgram(scene.program)
            rate = p.spatial
            val m = Machine(p, infos, this)
            machine = m
            m.start()
            for (s in p.state) if (s.owner == SCENE_OWNER) scenery.state(s.key, m.state(s.key))
            flush()
        }
        player.begin()
    }

    /** Moves the time by seconds; what slept does not catch up more than a quarter of a second. */
    fun advance(seconds: Double) {
        val step = 1.0 / rate
        rest = Math.min(rest + Math.max(0.0, seconds), 0.25)
        while (rest >= step - 1e-9) {
            rest -= step
            machine?.step()
            player.step(step)
            bodies.step(step, hands.carried)
        }
        flush()
    }

    /** Brings an event of the outside to a node by its id; "*" is the whole scene. */
    fun raise(node: String, name: String, payload: Any?) {
        machine?.inject(Event(node, name, payload))
    }

    /** Sets a state key of the scene, as a control does. */
    fun setState(key: String, value: Any?) {
        machine?.put(key, value)
        flush()
    }

    fun getState(key: String): Any? = machine?.state(key)

    internal fun list(n: DoubleArray): ListValue {
        val out = ArrayList<Any?>()
        for (x in n) out.add(x)
        return ListValue(out)
    }

    /** Where a node is in the scene. */
    internal fun world(id: String): Place {
        val s = standing[id] ?: return placeOf(xyz(0.0, 0.0, 0.0), xyzw(0.0, 0.0, 0.0, 1.0), xyz(1.0, 1.0, 1.0))
        val own = placeOf(s.place, s.turn, s.scale)
        return if (standing.containsKey(s.parent)) world(s.parent).times(own) else own
    }

    /** The scale of a node and of those above, along its own axes. */
    fun scaleOf(id: String): DoubleArray {
        val s = standing[id] ?: return xyz(1.0, 1.0, 1.0)
        val up = scaleOf(s.parent)
        return xyz(up[0] * s.scale[0], up[1] * s.scale[1], up[2] * s.scale[2])
    }

    /** The scale of all above a node. */
    fun scaleAbove(id: String): DoubleArray = scaleOf(standing[id]?.parent ?: "")

    /** The models of the letters that a program may write. */
    fun letterFiles(): List<String> = glyphs.values.mapNotNull { if (it is ListValue) it.items[1] as? String else null }

    /** Whether a node is shown: it and all above it. */
    internal fun seen(id: String): Boolean {
        var at = id
        while (true) {
            val s = standing[at] ?: return at != id
            if (!s.visible) return false
            at = s.parent
        }
    }

    internal fun below(id: String, above: String): Boolean {
        var at = standing[id]?.parent ?: ""
        while (at != "") {
            if (at == above) return true
            at = standing[at]?.parent ?: ""
        }
        return false
    }

    /** The node itself or the nearest above that waits for something: click, hover or grab. */
    internal fun nearest(id: String, what: String): String {
        var at = id
        while (at != "") {
            val t = things[at]
            if (t != null && t.interact.split(" ").contains(what)) return at
            at = standing[at]?.parent ?: ""
        }
        return ""
    }

    /** What a ray meets first of what is shown. */
    fun hit(from: DoubleArray, along: DoubleArray): Hit? {
        var best: Hit? = null
        for ((id, t) in things) {
            val b = t.box ?: continue
            if (!seen(id)) continue
            val at = world(id)
            val back = at.inverse() ?: continue
            val u = entry(back.point(from), back.direction(along), xyz(b[0], b[1], b[2]), xyz(b[3], b[4], b[5]))
            if (u < 0) continue
            val point = plus(from, scaled(along, u))
            val distance = long(minus(point, from))
            if (best == null || distance < best.distance) best = Hit(id, point, distance)
        }
        return best
    }

    internal fun part(id: String, part: String): DoubleArray? {
        val s = standing[id] ?: return null
        return (if (part == "position") s.place else if (part == "scale") s.scale else s.turn).copyOf()
    }

    internal fun put(id: String, part: String, n: DoubleArray) {
        val s = standing[id] ?: return
        when (part) {
            "position" -> s.place = xyz(n[0], n[1], n[2])
            "scale" -> s.scale = xyz(n[0], n[1], n[2])
            else -> s.turn = turnOf(n)
        }
        scenery.place(id, s.place, s.turn, s.scale)
        if (part == "scale") for ((child, c) in standing) if (below(child, id)) scenery.place(child, c.place, c.turn, c.scale)
    }

    /** Puts a node to a place in the scene, and informs the program. */
    internal fun moveTo(id: String, to: DoubleArray) {
        val s = standing[id] ?: return
        val above = if (standing.containsKey(s.parent)) world(s.parent).inverse() else null
        val local = above?.point(to) ?: to
        put(id, "position", local)
        machine?.place(id, "position", list(local))
    }

    internal fun shift(id: String, by: DoubleArray) = moveTo(id, plus(world(id).origin, by))

    internal fun look(id: String, key: String, n: DoubleArray) {
        if (n.size == 1 || n.size == 4) scenery.look(id, key, n) else if (n.size == 3) scenery.look(id, key, doubleArrayOf(n[0], n[1], n[2], 1.0))
    }

    override fun property(node: String, key: String) {
        dirty.add(Pair(node, key))
    }

    /** Shows what the program changed, each property once with the value that held. */
    private fun flush() {
        val m = machine ?: return
        val now = ArrayList(dirty)
        dirty.clear()
        for ((node, key) in now) notify(node, key, m.property(node, key))
    }

    private fun notify(node: String, key: String, v: Any?) {
        if (!standing.containsKey(node)) return
        when (key) {
            "position", "rotation", "scale" -> {
                val n = if (key == "scale" && v is Double) doubleArrayOf(v, v, v) else numbersOf(v) ?: return
                if (n.size == 2) put(node, key, doubleArrayOf(n[0], n[1], 0.0))
                if (n.size == 3 || n.size == 4 && key == "rotation") put(node, key, n)
                val like = if (key == "position" && spawned.contains(node)) things[node] else null
                if (like != null && n.size in 2..3) standing[node]?.let { it.shift = minus(it.place, like.place) }
            }
            "visible" -> {
                val on = v != null && v != false && v != 0.0 && v != ""
                standing[node]?.visible = on
                scenery.show(node, on)
            }
            "text" -> write(node, if (v == null) "" else textOf(v))
            "volume" -> {
                if (v is Double) scenery.volume(node, v)
            }
            else -> {
                val look = lookOf(key) ?: return
                val c = if (look == "color" || look == "emissive") colorOf(v) else if (v is Double) doubleArrayOf(v) else null
                if (c != null) scenery.look(node, look, c)
            }
        }
    }

    /** How far from where their keys say the animations of a node move it. */
    internal fun shiftOf(id: String): DoubleArray = standing[id]?.shift ?: xyz(0.0, 0.0, 0.0)

    /** Sets the letters of a line side by side. */
    private fun write(node: String, text: String) {
        val l = things[node]?.letters ?: return
        val line = text.split("\n")[0]
        val out = ArrayList<Glyph>()
        val gap = glyphs["gap"] as? Double ?: 1.0
        val space = glyphs["space"] as? Double ?: 4.0
        val scale = l.size / 6 // capitals of the models are six high
        var x = 0.0
        var i = 0
        while (i < line.length) {
            val c = Character.codePointAt(line, i)
            i += Character.charCount(c)
            if (c == 32) {
                x += space * scale
                continue
            }
            val g = (glyphs[c.toString()] ?: glyphs["63"]) as? ListValue ?: continue
            out.add(Glyph(g.items[1] as String, x, scale))
            x += (g.items[0] as Double + gap) * scale
        }
        val wide = Math.max(0.0, x - gap * scale)
        val shift = if (l.align == "left") 0.0 else if (l.align == "right") -wide else -wide / 2
        scenery.write(node, out.map { Glyph(it.model, it.x + shift, it.size) })
    }

    override fun log(node: String, text: String) = scenery.say(text)

    override fun fault(node: String, f: Fault) = scenery.say("${f.code} ${f.text} (${f.function}, line ${f.line})")

    override fun state(owner: String, key: String, value: Any?) {
        if (owner == SCENE_OWNER) scenery.state(key, value)
    }

    override fun call(name: String, node: String, args: List<Any?>): Any? {
        val target = args.firstOrNull() as? NodeRef
        val id = target?.id ?: node
        val text = args.firstOrNull { it is String } as? String ?: ""
        when (name) {
            "play", "stop", "play_animation", "stop_animation", "play_sound", "stop_sound" -> {
                val on = name.startsWith("play")
                if (!name.endsWith("sound")) player.play(id, text, on)
                if (!name.endsWith("animation")) scenery.play(soundOf(id, text), on)
                return null
            }
            "apply_impulse", "apply_force", "set_velocity" -> {
                val n = vectorOf(args.lastOrNull()) ?: return null
                bodies.push(id, if (name == "apply_force") scaled(n, 1.0 / rate) else n, name == "set_velocity")
                return null
            }
        }
        return scenery.call(name, id, args)
    }

    private fun vectorOf(v: Any?): DoubleArray? {
        if (v is MapValue) return DoubleArray(3) { v.map["xyz".substring(it, it + 1)] as? Double ?: 0.0 }
        val n = numbersOf(v) ?: return null
        return if (n.size >= 3) n else null
    }

    /** The thing that a sound belongs to: the node itself, else the one of the name. */
    private fun soundOf(id: String, name: String): String {
        if (things[id]?.sound != null) return id
        for ((other, t) in things) if (t.sound != null && (t.name == name || t.sound.file == name)) return other
        return id
    }

    override fun spawned(node: String, name: String, like: String, parent: String) {
        val prototype = prototypes[like]
        val own = prototype ?: scene.things.firstOrNull { it.name == name }
            ?: Thing(node, parent, name, xyz(0.0, 0.0, 0.0), xyzw(0.0, 0.0, 0.0, 1.0), xyz(1.0, 1.0, 1.0))
        spawned.add(node)
        things[node] = own
        standing[node] = Standing(own.place, own.turn, own.scale, parent).also { it.visible = own.visible }
        if (own.body != null) bodies.add(node, own.body)
        scenery.spawn(node, own, parent)
        if (prototype == null) accompany(node, own, node)
        scenery.place(node, own.place, own.turn, own.scale)
        player.copy(like, node)
    }

    /** Shows what is below a thing of the scene below its likeness as well. The program knows nothing of that. */
    private fun accompany(root: String, like: Thing, parent: String) {
        for (t in scene.things) {
            if (t.parent != like.id) continue
            val id = parent + "/" + t.id
            parts.getOrPut(root) { ArrayList() }.add(id)
            scenery.spawn(id, t, parent)
            accompany(root, t, id)
        }
    }

    override fun destroyed(node: String) {
        if (spawned.remove(node)) {
            things.remove(node)
            standing.remove(node)
            bodies.remove(node)
            player.remove(node)
            hands.forget(node)
            for (part in parts.remove(node)?.asReversed() ?: ArrayList<String>()) scenery.remove(part)
            scenery.remove(node)
        } else {
            standing[node]?.visible = false
            scenery.show(node, false)
        }
    }
}

/**
 * The templates of a program: what spawn makes of them, and how that begins and
 * ends. An instance is made within a turn; its rows are at work from its birth on,
 * which is the next thing that happens; it ends when its root was destroyed and
 * all that was raised is done.
 */
internal class Templates(private val m: Machine, infos: List<Info>) {
    private val list = m.p.templates.map { Template(it) }
    private val byNode = HashMap<String, Template>()
    private val byName = HashMap<String, Template>()
    private val instances = HashMap<String, Instance>() // by their roots
    private val born = java.util.ArrayDeque<Instance>()
    private val ending = ArrayList<String>()
    private var rows = 0 // of all instances

    init {
        for (t in list) {
            byName[t.form.name] = t
            for (id in t.form.nodes) byNode[id] = t
        }
        for (n in infos) {
            val t = byNode[n.id] ?: continue
            t.infos[t.places.getValue(n.id)] = n
        }
    }

    fun named(name: String): Template? = byName[name]

    /** The template that a prototype's node belongs to. */
    fun of(node: String): Template? = byNode[node]

    val waiting: Boolean get() = born.isNotEmpty()

    /** Gives each template its rows; what is left begins with the program. */
    fun sorted(): Rows {
        val p = m.p
        val rest = Rows()
        fun at(owner: String): Rows = byNode[owner]?.rows ?: rest
        fun of(fn: Int): Rows = at(p.functions[fn].owner)
        for (i in 0 until p.state.size) byNode[p.state[i].owner]?.state?.add(i)
        for (i in 0 until p.computed.size) byNode[p.computed[i].owner]?.computed?.add(i)
        for (i in 0 until p.functions.size) byNode[p.functions[i].owner]?.functions?.add(i)
        for (h in p.handlers) at(h.owner).add(h)
        for (s in p.subscriptions) at(s.owner).subscriptions.add(s)
        for (w in p.wires) of(w.fn).wires.add(w)
        for (w in p.watches) of(w.fn).watches.add(w)
        for (b in p.binds) at(b.owner).binds.add(b)
        for (s in p.schedules) of(s.fn).schedules.add(s)
        for (t in p.timelines) (if (t.fns.isEmpty()) rest else of(t.fns[0])).timelines.add(t)
        for (d in p.machines) at(d.node).machines.add(d)
        for (t in p.trees) at(t.node).trees.add(t)
        return rest
    }

    /** Makes an instance. All of it is taken back when the turn faults. */
    fun spawn(t: Template, owner: String, place: Any?, overrides: Any?): NodeRef {
        if (m.spawned.size + t.form.nodes.size > Limits.SPAWNED) throw tooLarge("more than ${Limits.SPAWNED} nodes")
        if (rows + t.size > Limits.ROWS) throw tooLarge("more than ${Limits.ROWS} rows are spawned")
        m.charge(t.size / Limits.CHARGE_ROWS)
        val i = Instance(t, t.form.nodes.map { "s" + ++m.serial }, if (t.free.isEmpty()) m.room() else t.free.removeAt(t.free.size - 1))
        stand(i, m.beside(owner))
        m.dress(i.ids[0], place, overrides)
        for (k in t.state) {
            val s = m.p.state[k]
            val v = if (s.fn < 0) m.p.consts[s.constant] else m.call(i.function(s.fn), emptyList(), emptyList())
            m.slots[i.slot(k)] = v
        }
        if (overrides is MapValue) for ((k, v) in overrides.map) m.setState(i.ids[0], k, v)
        return NodeRef(i.ids[0])
    }

    /** Puts the nodes of an instance into the scene, and reports them. */
    private fun stand(i: Instance, above: String) {
        val t = i.template
        for (k in 0 until i.ids.size) {
            val like = t.infos[k]
            val at = t.places[like?.parent ?: ""] ?: 0
            val up = if (k == 0) above else i.ids[if (at < k) at else 0]
            val name = if (k == 0) t.form.name else like?.name ?: i.ids[k]
            m.nodes[i.ids[k]] = Info(i.ids[k], up, name, null)
            m.spawned.add(i.ids[k])
            m.putProps(i.ids[k], like?.props)
        }
        m.settle(i)
        instances[i.ids[0]] = i
        rows += t.size
        born.addLast(i)
        m.addUndo {
            born.remove(i)
            end(i)
            for (id in i.ids.asReversed()) remove(id)
        }
        for (k in 0 until i.ids.size) {
            val n = m.nodes.getValue(i.ids[k])
            m.note("spawn", n.id, n.name, null, null)
            m.spawnedAt(n, t.form.nodes[k])
        }
    }

    /** The first of what was born begins: its rows are at work from now on. */
    fun birth() {
        val i = born.removeFirst()
        val root = i.ids[0]
        if (m.gone.contains(root)) return
        val own = i.template.rows.of(i)
        m.rows.take(own)
        m.clock.know(own.timelines)
        for (b in own.binds) m.bind(b)
        m.handler = false
        m.machines.add(own.machines)
        m.trees.add(own.trees)
        m.clock.add(own.schedules)
        for (name in listOf("init", "mount", "start")) if (m.heard(name)) m.queue.addLast(Event(root, name, null, true))
        m.flush()
    }

    fun forgetBirths() = born.clear()

    /** Takes down that a node was destroyed. */
    fun end(node: String) {
        ending.add(node)
        m.addUndo { ending.removeAt(ending.size - 1) }
    }

    /** Ends what was destroyed with all that is below it. */
    fun bury() {
        if (ending.isEmpty()) return
        val dead = LinkedHashSet<String>(ending)
        for (n in m.nodes.values) if (dead.contains(n.parent)) dead.add(n.id)
        m.bury(dead)
        for (id in dead.toList().asReversed()) {
            instances[id]?.let { end(it) }
            if (m.spawned.contains(id)) remove(id) else if (ending.contains(id)) m.hidden(id)
        }
        ending.clear()
    }

    private fun end(i: Instance) {
        if (i.dead) return
        i.dead = true
        m.clear(i)
        i.template.free.add(i.block)
        rows -= i.template.size
        instances.remove(i.ids[0])
    }

    private fun remove(id: String) {
        m.forget(id)
        m.hidden(id)
    }
}

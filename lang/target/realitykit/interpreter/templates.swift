// The templates of a program: what spawn makes of them, and how that begins and
// ends. An instance is made within a turn; its rows are at work from its birth on,
// which is the next thing that happens; it ends when its root was destroyed and all
// that was raised is done.
extension Machine {
    private func know(_ table: inout [String: [String: Int]], _ owner: String, _ key: String, _ i: Int) {
        if prototypes[owner] != nil || table[owner]?[key] != nil { return }
        table[owner, default: [:]][key] = i
    }

    func addSlot(_ s: StateSlotData) {
        know(&slotOf, s.owner, s.key, slots.count)
        slots.append(.null)
        states.append(s)
    }

    func addComputed(_ c: OwnedData) {
        know(&computedOf, c.owner, c.key, computeds.count)
        computeds.append(c)
        caches.append(ComputedCache())
    }

    func knowFunction(_ f: FunctionData, _ i: Int) { know(&functionOf, f.owner, f.name, i) }

    func putProps(_ node: String, _ t: TableValue?) {
        guard let f: Fields = t?.fields else { return }
        for i in 0..<f.count { putProp(node, f.keys[i], copied(f.values[i], Limit.depth)) }
    }

    // sortRows gives each template its rows; what is left begins with the program.
    func sortRows() {
        for (i, s) in p.slots.enumerated() { prototypes[s.owner]?.state.append(i) }
        for (i, c) in p.computed.enumerated() { prototypes[c.owner]?.computed.append(i) }
        for (i, f) in p.functions.enumerated() { prototypes[f.owner]?.functions.append(i) }
        for h in p.handlers { rowsAt(h.node).add(h) }
        for s in p.subscriptions { rowsAt(s.owner).subscriptions.append(s) }
        for w in p.wires { rowsAt(p.functions[w.fn].owner).wires.append(w) }
        for w in p.watches { rowsAt(p.functions[w.fn].owner).watches.append(w) }
        for b in p.binds { rowsAt(b.owner).binds.append(b) }
        for s in p.schedules { rowsAt(p.functions[s.fn].owner).schedules.append(s) }
        for t in p.timelines { rowsAt(t.steps.isEmpty ? "" : p.functions[t.steps[0].fn].owner).timelines.append(t) }
        for d in p.machines { rowsAt(d.node).machines.append(d) }
        for t in p.trees { rowsAt(t.node).trees.append(t) }
    }

    private func rowsAt(_ owner: String) -> RowTables { return prototypes[owner]?.rows ?? first }

    // instantiate makes an instance. All of it is taken back when the turn faults.
    func instantiate(_ t: ProgramTemplate, _ owner: String, _ place: Value, _ overrides: Value) throws -> Value {
        if spawned.count + t.nodes.count > Limit.spawned { throw Fault.tooLarge("more than \(Limit.spawned) nodes") }
        if spawnedRows + t.size > Limit.rows { throw Fault.tooLarge("more than \(Limit.rows) rows are spawned") }
        charge(t.size / Limit.chargeRows)
        var ids: [String] = []
        for _ in t.nodes {
            serial += 1
            ids.append("s\(serial)")
        }
        let end: InstanceBlock = InstanceBlock(state: slots.count, computed: computeds.count, functions: functions.count)
        let i: TemplateInstance = TemplateInstance(t, ids, t.free.popLast() ?? end)
        stand(i, beside(owner))
        let root: String = ids[0]
        try dress(root, place, overrides)
        for k in t.state {
            let s: StateSlotData = p.slots[k]
            if s.first >= 0 {
                slots[i.slot(k)] = p.consts[s.first]
            } else {
                let v: Value = try call(functions[i.function(s.fn)], [], [])
                slots[i.slot(k)] = v
            }
        }
        if let f: Fields = overrides.asTable?.fields {
            for k in 0..<f.count {
                if let slot: Int = slotOf[root]?[f.keys[k]] { set(slot, f.values[k]) }
            }
        }
        return .node(root)
    }

    // stand puts the nodes of an instance into the scene, and reports them.
    private func stand(_ i: TemplateInstance, _ above: String) {
        let t: ProgramTemplate = i.template
        for k in 0..<i.ids.count {
            let like: NodeInfo? = t.infos[t.nodes[k]]
            var parent: String = above
            if k > 0 {
                let place: Int = t.places[like?.parent ?? ""] ?? 0
                parent = i.ids[place < k ? place : 0]
            }
            let name: String = k == 0 ? t.name : (like?.name ?? i.ids[k])
            nodes[i.ids[k]] = NodeInfo(id: i.ids[k], parent: parent, name: name)
            order.append(i.ids[k])
            spawned.insert(i.ids[k])
            putProps(i.ids[k], t.props[t.nodes[k]])
        }
        settle(i)
        instanceOf[i.ids[0]] = i
        spawnedRows += t.size
        born.append(i)
        undo.append { [unowned self] in
            self.born.removeAll { (other: TemplateInstance) -> Bool in return other === i }
            self.end(i)
            self.forget(i.ids.reversed())
        }
        for k in 0..<i.ids.count {
            guard let n: NodeInfo = nodes[i.ids[k]] else { continue }
            note("spawn", n.id, n.name, .null, nil)
            host?.hostSpawned(n.id, n.name, t.nodes[k], n.parent)
        }
    }

    // settle gives an instance its state, its computed values and its functions: in the
    // room of a dead one, or at the ends of the tables.
    private func settle(_ i: TemplateInstance) {
        for k in i.template.state {
            let s: StateSlotData = p.slots[k]
            let own: StateSlotData = StateSlotData(owner: i.node(s.owner), key: s.key, first: s.first, fn: s.fn)
            let at: Int = i.slot(k)
            if at == slots.count {
                addSlot(own)
            } else {
                states[at] = own
                know(&slotOf, own.owner, own.key, at)
            }
        }
        for k in i.template.computed {
            let c: OwnedData = p.computed[k]
            let own: OwnedData = OwnedData(owner: i.node(c.owner), key: c.key, fn: i.function(c.fn))
            let at: Int = i.computed(k)
            if at == computeds.count {
                addComputed(own)
            } else {
                computeds[at] = own
                know(&computedOf, own.owner, own.key, at)
            }
        }
        for k in i.template.functions {
            let f: FunctionData = p.functions[k]
            let own: FunctionData = FunctionData(
                name: f.name, owner: i.node(f.owner), params: f.params, rest: f.rest, locals: f.locals, code: f.code, lines: f.lines, instance: i)
            let at: Int = i.function(k)
            if at == functions.count {
                functions.append(own)
            } else {
                functions[at] = own
            }
            knowFunction(own, at)
        }
    }

    // birth begins the first of what was born: its rows are at work from now on.
    func birth() {
        let i: TemplateInstance = born.removeFirst()
        let root: String = i.ids[0]
        if gone.contains(root) { return }
        let own: RowTables = i.template.rows.of(i)
        rows.take(own)
        knowLines(own.timelines)
        for b in own.binds { bind(b) }
        handling = false
        beginMachines(own.machines)
        beginTrees(own.trees)
        beginClock(own.schedules)
        for name in ["init", "mount", "start"] {
            if heard(name) { queue.append(SceneEvent(node: root, name: name, payload: .null, within: true)) }
        }
        flush()
    }

    // bury ends what was destroyed with all that is below it.
    func bury() {
        if ending.isEmpty { return }
        var dead: Set<String> = Set(ending)
        for id in order {
            if let n: NodeInfo = nodes[id], dead.contains(n.parent) { dead.insert(id) }
        }
        buryRows(dead)
        waiting.removeAll { (w: WaitingTurn) -> Bool in
            return w.thread.frames.contains { (f: CallFrame) -> Bool in return dead.contains(f.fn.owner) }
        }
        for id in ending where !spawned.contains(id) { host?.hostDestroyed(id) }
        var own: [String] = []
        for id in order.reversed() where dead.contains(id) && spawned.contains(id) { own.append(id) }
        for id in own {
            if let i: TemplateInstance = instanceOf[id] { end(i) }
        }
        forget(own)
        ending = []
    }

    private func buryRows(_ dead: Set<String>) {
        for event in Array(rows.handlers.keys) {
            let left: [HandlerData] = (rows.handlers[event] ?? []).filter { (h: HandlerData) -> Bool in return !dead.contains(h.node) }
            rows.handlers[event] = left.isEmpty ? nil : left
        }
        rows.subscriptions.removeAll { (s: SubscriptionData) -> Bool in return dead.contains(s.owner) }
        rows.wires.removeAll { (w: WireData) -> Bool in return dead.contains(functions[w.fn].owner) }
        rows.watches.removeAll { (w: WatchData) -> Bool in return dead.contains(functions[w.fn].owner) }
        rows.binds.removeAll { (b: OwnedData) -> Bool in return dead.contains(b.owner) }
        running.removeAll { (r: RunningMachine) -> Bool in return dead.contains(r.d.node) }
        walks.removeAll { (w: TreeWalk) -> Bool in return dead.contains(w.tree.node) }
        due.removeAll { (d: DueSchedule) -> Bool in return dead.contains(functions[d.d.fn].owner) }
        lines.removeAll { (l: RunningLine) -> Bool in return !l.d.steps.isEmpty && dead.contains(functions[l.d.steps[0].fn].owner) }
        moving.removeAll { (t: Tween) -> Bool in return dead.contains(t.node) }
    }

    // end takes the room of an instance back.
    private func end(_ i: TemplateInstance) {
        if i.dead { return }
        i.dead = true
        for k in i.template.state {
            slots[i.slot(k)] = .null
            states[i.slot(k)] = StateSlotData(owner: "", key: "", first: 0, fn: 0)
        }
        for k in i.template.computed { caches[i.computed(k)] = ComputedCache() }
        i.template.free.append(i.block)
        spawnedRows -= i.template.size
        instanceOf[i.ids[0]] = nil
    }

    // forget takes nodes that spawn made out of the scene, with all that they had.
    private func forget(_ ids: [String]) {
        let all: Set<String> = Set(ids)
        order.removeAll { (id: String) -> Bool in return all.contains(id) }
        for id in ids {
            nodes[id] = nil
            spawned.remove(id)
            gone.remove(id)
            for key in [id, id + "/state"] {
                propCount -= props[key]?.count ?? 0
                props[key] = nil
            }
            slotOf[id] = nil
            functionOf[id] = nil
            computedOf[id] = nil
            host?.hostDestroyed(id)
        }
    }
}

// Properties and members of nodes, nodes that come and go, and what leaves the
// machine.
extension Machine {
    func property(_ node: String, _ key: String) -> Value { return props[node]?[key] ?? .null }

    func putProp(_ node: String, _ key: String, _ v: Value) {
        if props[node]?[key] == nil { propCount += 1 }
        props[node, default: [:]][key] = v
    }

    private func dropProp(_ node: String, _ key: String) {
        if props[node]?[key] != nil {
            props[node]?.removeValue(forKey: key)
            propCount -= 1
        }
    }

    func setProperty(_ node: String, _ key: String, _ v: Value) throws {
        let old: Value? = props[node]?[key]
        if old == nil && propCount >= Limit.items * 4 { throw Fault.tooLarge("too many properties") }
        version += 1
        undo.append { [unowned self] in
            if let was: Value = old {
                self.putProp(node, key, was)
            } else {
                self.dropProp(node, key)
            }
            self.host?.hostProperty(node, key)
        }
        putProp(node, key, v)
        note("property", node.replacingOccurrences(of: "/state", with: ""), key, v, nil)
        host?.hostProperty(node, key)
        try alloc(1)
    }

    // keepPlace keeps what physics did to a body, outside of any turn.
    func keepPlace(_ node: String, _ key: String, _ v: Value) {
        putProp(node, key, v)
        version += 1
    }

    func stateMember(_ node: String, _ name: String) -> Value {
        if let i: Int = slotOf[node]?[name] { return slots[i] }
        return property(node + "/state", name)
    }

    func nodeMember(_ node: String, _ name: String) throws -> Value {
        switch name {
        case "id": return .text(node)
        case "name": return .text(nodes[node]?.name ?? node)
        case "state": return .state(node)
        case "parent":
            let above: String = parentOf(node)
            return above.isEmpty ? .null : .node(above)
        case "current_state":
            if let s: String = currentState(node) { return .text(s) }
        default: break
        }
        if let v: Value = props[node]?[name] { return v }
        if let i: Int = slotOf[node]?[name] { return slots[i] }
        if let i: Int = computedOf[node]?[name] { return try computedValue(i) }
        if name == "instances", let n: NodeInfo = nodes[node] { return try instances(n.name) }
        return .null
    }

    func putNode(_ node: String, _ name: String, _ v: Value) throws {
        if let i: Int = slotOf[node]?[name] {
            set(i, v)
        } else {
            try setProperty(node, name, v)
        }
    }

    func putState(_ node: String, _ name: String, _ v: Value) throws {
        if let i: Int = slotOf[node]?[name] {
            set(i, v)
        } else {
            try setProperty(node + "/state", name, v)
        }
    }

    func emit(_ node: String, _ name: String, _ payload: Value) throws {
        if queue.count >= Limit.events { throw Fault.tooMany("more than \(Limit.events) events wait") }
        queue.append(SceneEvent(node: node, name: name, payload: payload))
        try alloc(1)
    }

    // spawn makes a node of a template's name: an instance, or where there is no template
    // of that name a node alone.
    func spawn(_ owner: String, _ name: String, _ place: Value, _ overrides: Value) throws -> Value {
        let before: Int = undo.count
        let changes: Int = changed.count
        do {
            if let t: ProgramTemplate = templates[name] { return try instantiate(t, owner, place, overrides) }
            return try makeAlone(owner, name, place, overrides)
        } catch { // a catch may go on, without half a node
            while undo.count > before { undo.removeLast()() }
            if changed.count > changes { changed.removeLast(changed.count - changes) }
            throw error
        }
    }

    private func makeAlone(_ owner: String, _ name: String, _ place: Value, _ overrides: Value) throws -> Value {
        if spawned.count >= Limit.spawned { throw Fault.tooLarge("more than \(Limit.spawned) nodes") }
        serial += 1
        let id: String = "s\(serial)"
        spawned.insert(id)
        let parent: String = beside(owner)
        nodes[id] = NodeInfo(id: id, parent: parent, name: name)
        order.append(id)
        undo.append { [unowned self] in
            self.nodes.removeValue(forKey: id)
            self.order.removeAll { (other: String) -> Bool in return other == id }
            self.spawned.remove(id)
            self.host?.hostDestroyed(id)
        }
        note("spawn", id, name, .null, nil)
        host?.hostSpawned(id, name, "", parent)
        try dress(id, place, overrides)
        return .node(id)
    }

    // dress puts a node into its place and sets its properties. Those that are state
    // come after the first values, which may read the others.
    func dress(_ node: String, _ place: Value, _ overrides: Value) throws {
        if !place.isNull { try setProperty(node, "position", place) }
        guard let f: Fields = overrides.asTable?.fields else { return }
        for i in 0..<f.count {
            if slotOf[node]?[f.keys[i]] == nil { try setProperty(node, f.keys[i], f.values[i]) }
        }
    }

    // beside is what a node that another spawns stands in: what that one stands in.
    func beside(_ owner: String) -> String { return owner == Machine.scene ? "" : (nodes[owner]?.parent ?? "") }

    // destroy hides a node, which is then no longer found. It and what is below it end
    // when all that was raised is done.
    func destroy(_ node: String) throws {
        try setProperty(node, "visible", .bool(false))
        if gone.contains(node) { return }
        gone.insert(node)
        ending.append(node)
        undo.append { [unowned self] in
            self.gone.remove(node)
            self.ending.removeLast()
        }
        if heard("unmount") { queue.append(SceneEvent(node: node, name: "unmount", payload: .null, within: true)) }
    }

    // named are the nodes of a name that are still there, in their order.
    func named(_ name: String, _ byID: Bool) -> [String] {
        var out: [String] = []
        for id in order {
            if gone.contains(id) { continue }
            if nodes[id]?.name == name || (byID && id == name) { out.append(id) }
        }
        return out
    }

    // instances are the nodes that spawn made of a template.
    func instances(_ name: String) throws -> Value {
        var out: [Value] = []
        for id in named(name, false) where spawned.contains(id) { out.append(.node(id)) }
        return try listValue(out)
    }

    // play starts or stops a timeline; everything else is the host's.
    func play(_ owner: String, _ what: String, _ a: [Value]) throws -> Value {
        if let id: String = at(a, 0).asText, turnLine(id, what == "play") { return .null }
        return outside("", owner, what, a)
    }

    // model asks the host's model. Without one the answer says which question it was
    // asked, the same everywhere.
    func model(_ owner: String, _ a: [Value]) -> Value {
        note("host", owner, "llm_call", .list(ListValue(a)), nil)
        if let v: Value = host?.hostCall("llm_call", owner, a) { return v }
        let prompt: String = printed(at(a, 0))
        chargeText(prompt)
        var h: UInt32 = 0x811c9dc5
        for b in prompt.utf8 { h = (h ^ UInt32(b)) &* 0x01000193 }
        let digits: String = String(h, radix: 16)
        return .text("stub " + zeros(8 - digits.count) + digits)
    }

    func hostOperation(_ fn: String, _ owner: String, _ name: String, _ a: [Value]) throws -> Value {
        calls[name, default: 0] += 1
        if let v: Value = try library(owner, name, a) { return v }
        return outside(fn, owner, name, a)
    }

    func outside(_ fn: String, _ owner: String, _ name: String, _ a: [Value]) -> Value {
        note("host", owner, name, .list(ListValue(a)), nil)
        guard let h: MachineHost = host else { return .null }
        if let v: Value = h.hostCall(name, owner, a) { return v }
        if !unknown.contains(name) {
            unknown.insert(name)
            let f: Fault = Fault("RUN005", "the host has no operation '\(clipped(name))'")
            f.function = fn
            note("fault", owner, f.code, .text(f.message), f)
            h.hostFault(owner, f)
        }
        return .null
    }

    func at(_ a: [Value], _ i: Int) -> Value { return i < a.count ? a[i] : .null }
}

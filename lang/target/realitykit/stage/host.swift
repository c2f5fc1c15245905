// What the machine asks of the stage.
extension Stage: MachineHost {
    func hostLog(_ node: String, _ text: String) { say(node, text, false) }

    func hostFault(_ node: String, _ f: Fault) {
        say(node, "\(f.code) \(f.message) in \(f.function), line \(f.line)", true)
    }

    func hostState(_ owner: String, _ key: String, _ value: Value) { notify(owner, key, value) }

    func hostProperty(_ node: String, _ key: String) { dirty[node, default: []].insert(key) }

    // hostCall is an operation of the outside; nil where there is none.
    func hostCall(_ name: String, _ node: String, _ args: [Value]) -> Value? {
        var target: String = node
        var word: String = ""
        var options: TableValue? = nil
        for a in args {
            if case .node(let id) = a { target = id }
            if word.isEmpty, let s: String = a.asText { word = s }
            if let t: TableValue = a.asTable { options = t }
        }
        switch name {
        case "play", "play_sound":
            playSound(target, word, true, options)
            return .null
        case "stop", "stop_sound":
            playSound(target, word, false, options)
            return .null
        case "play_animation":
            playTracks(target, word, true)
            return .null
        case "stop_animation":
            playTracks(target, word, false)
            return .null
        default: break
        }
        if push(name, target, args.last ?? .null) { return .null }
        if let own: (String, [Value]) -> Value = operations[name] { return own(node, args) }
        return nil
    }

    // hostSpawned makes a copy of a template's node, or a node that looks like the one of a
    // name.
    func hostSpawned(_ id: String, _ name: String, _ prototype: String, _ parent: String) {
        spawned.insert(id)
        if let make: @MainActor (Stage, String, String) -> Void = prototypes[prototype] {
            make(self, id, parent)
        } else {
            imitate(id, name, parent)
        }
        if let source: Entity = sky, let n: StageNode = nodes[id] { receive(n.entity, source) }
    }

    private func imitate(_ id: String, _ name: String, _ parent: String) {
        var like: StageNode? = nil
        for other in (machine?.order ?? []) {
            guard let n: StageNode = nodes[other], n.name == name, !spawned.contains(other) else { continue }
            like = n
            break
        }
        let n: StageNode = StageNode(id, name, parent)
        guard let from: StageNode = like else {
            keep(n)
            return
        }
        n.entity.transform = from.entity.transform
        if let c: CollisionComponent = from.entity.components[CollisionComponent.self] { n.entity.components.set(c) }
        if let model: ModelComponent = from.entity.model { n.entity.model = model }
        if let b: PhysicsBodyComponent = from.entity.components[PhysicsBodyComponent.self] {
            n.entity.components.set(b)
            n.entity.components.set(PhysicsMotionComponent())
        }
        if from.entity.components[InputTargetComponent.self] != nil {
            n.entity.components.set(InputTargetComponent())
            n.entity.components.set(HoverEffectComponent())
        }
        if let a: AccessibilityComponent = from.entity.components[AccessibilityComponent.self] { n.entity.components.set(a) }
        for c in from.entity.children {
            if c.id != from.written?.id { n.entity.addChild(c.clone(recursive: true)) }
        }
        n.look = from.look
        n.letters = from.letters
        n.lamp = from.lamp
        n.sound = from.sound
        n.body = from.body
        n.gravity = from.gravity
        if grabs.contains(from.id) { grabs.insert(id) }
        keep(n)
        if n.lamp != nil { shine(id) }
        if !from.text.isEmpty { write(id, from.text) }
    }

    func hostDestroyed(_ id: String) {
        if spawned.remove(id) != nil {
            remove(id)
        } else {
            nodes[id]?.entity.isEnabled = false
        }
    }
}

// Hold is what a hand has taken.
struct Hold {
    let offset: SIMD3<Float>
    var last: SIMD3<Float>
    var velocity: SIMD3<Float>
    var at: Double
}

extension Stage {
    // gravity is that of the whole scene, metres a second, a second.
    func gravity(_ g: SIMD3<Float>) {
        var simulation: PhysicsSimulationComponent = PhysicsSimulationComponent()
        simulation.gravity = g
        root.components.set(simulation)
        root.components.set(PhysicsJointsComponent())
    }

    // body makes a node bump into others. kind is dynamic, kinematic, static or
    // trigger; hull are the corners of a shape of that name. What is not solid bumps
    // into nothing.
    func body(
        _ id: String, kind: String, shape: String, size: SIMD3<Float>, center: SIMD3<Float>, hull: String, mass: Float, friction: Float, bounce: Float,
        gravity: Bool, solid: Bool
    ) {
        guard let n: StageNode = nodes[id] else { return }
        n.body = kind
        n.gravity = gravity
        var form: ShapeResource = ShapeResource.generateBox(size: size)
        switch shape {
        case "sphere": form = ShapeResource.generateSphere(radius: max(size.x, max(size.y, size.z)) / 2)
        case "capsule":
            let radius: Float = max(size.x, size.z) / 2
            form = ShapeResource.generateCapsule(height: max(size.y, 2 * radius), radius: radius)
        case "hull":
            let points: [SIMD3<Float>] = triples(hull)
            if points.count > 3 { form = ShapeResource.generateConvex(from: points) }
        default: break
        }
        if center != SIMD3<Float>(0, 0, 0) { form = form.offsetBy(translation: center) }
        let filter: CollisionFilter = solid ? CollisionFilter.default : CollisionFilter(group: [], mask: [])
        n.entity.components.set(CollisionComponent(shapes: [form], mode: kind == "trigger" ? .trigger : .default, filter: filter))
        if kind == "trigger" { return }
        let surface: PhysicsMaterialResource = PhysicsMaterialResource.generate(friction: friction, restitution: bounce)
        var b: PhysicsBodyComponent = PhysicsBodyComponent(massProperties: PhysicsMassProperties(shape: form, mass: mass), material: surface, mode: modeOf(kind))
        b.isAffectedByGravity = gravity
        n.entity.components.set(b)
        n.entity.components.set(PhysicsMotionComponent())
    }

    func modeOf(_ kind: String) -> PhysicsBodyMode {
        switch kind {
        case "dynamic": return .dynamic
        case "static": return .static
        default: return .kinematic
        }
    }

    // join holds a node to another, "" being the scene, once all of them are there.
    func join(_ id: String, kind: String, to other: String, axis: SIMD3<Float>, lower: Float, upper: Float) {
        joints.append { [unowned self] in self.makeJoint(id, kind, other, axis, lower, upper) }
    }

    private func makeJoint(_ id: String, _ kind: String, _ other: String, _ axis: SIMD3<Float>, _ lower: Float, _ upper: Float) {
        guard let n: StageNode = nodes[id] else { return }
        var base: Entity = root
        if let o: StageNode = nodes[other] { base = o.entity }
        if base.components[PhysicsBodyComponent.self] == nil {
            // a place that does not move
            let fixed: ModelEntity = ModelEntity()
            base.addChild(fixed)
            fixed.setPosition(n.entity.position(relativeTo: nil), relativeTo: nil)
            fixed.components.set(CollisionComponent(shapes: [ShapeResource.generateSphere(radius: 0.001)], mode: .trigger, filter: CollisionFilter.default))
            fixed.components.set(PhysicsBodyComponent(massProperties: PhysicsMassProperties(mass: 1), material: nil, mode: .static))
            base = fixed
        }
        // Joints turn around and slide along the x-axis of their pins.
        let length: Float = simd_length(axis)
        let along: SIMD3<Float> = length > 0 ? axis / length : SIMD3<Float>(0, 1, 0)
        let turned: simd_quatf = simd_quatf(from: SIMD3<Float>(1, 0, 0), to: along)
        let there: simd_quatf = simd_mul(simd_mul(base.orientation(relativeTo: nil).inverse, n.entity.orientation(relativeTo: nil)), turned)
        let place: SIMD3<Float> = base.convert(position: SIMD3<Float>(0, 0, 0), from: n.entity)
        let first: GeometricPin = base.pins.set(named: "to " + id, position: place, orientation: there)
        let second: GeometricPin = n.entity.pins.set(named: "joint", position: SIMD3<Float>(0, 0, 0), orientation: turned)
        let limits: ClosedRange<Float>? = lower < upper ? lower...upper : nil
        do {
            switch kind {
            case "revolute": try PhysicsRevoluteJoint(pin0: first, pin1: second, angularLimit: limits).addToSimulation()
            case "continuous": try PhysicsRevoluteJoint(pin0: first, pin1: second).addToSimulation()
            case "prismatic": try PhysicsPrismaticJoint(pin0: first, pin1: second, linearLimit: limits).addToSimulation()
            case "ball": try PhysicsSphericalJoint(pin0: first, pin1: second).addToSimulation()
            default: try PhysicsFixedJoint(pin0: first, pin1: second).addToSimulation()
            }
        } catch {
            say(id, "the joint of \(n.name) does not hold: \(error.localizedDescription)", true)
        }
    }

    // met reports that two entities touch, or no longer do.
    func met(_ a: Entity, _ b: Entity, _ begins: Bool) {
        let first: String = idOf(a)
        let second: String = idOf(b)
        if first.isEmpty || second.isEmpty || first == second { return }
        let trigger: Bool = nodes[first]?.body == "trigger" || nodes[second]?.body == "trigger"
        if nodes[first]?.body == "" || nodes[second]?.body == "" { return }
        let event: String = (trigger ? "trigger_" : "collision_") + (begins ? "enter" : "exit")
        raise(first, event, record("other", .text(second)))
        raise(second, event, record("other", .text(first)))
    }

    // moved informs the program where bodies went.
    func moved() {
        guard let m: Machine = machine else { return }
        for (id, n) in nodes where n.body == "dynamic" {
            let at: SIMD3<Float> = n.entity.position
            let angles: [Double] = anglesOf(n.entity.orientation)
            let place: [Double] = [Double(at.x), Double(at.y), Double(at.z)]
            if !near(m.property(id, "position"), place) { m.keepPlace(id, "position", numberList(place)) }
            if !near(m.property(id, "rotation"), angles) { m.keepPlace(id, "rotation", numberList(angles)) }
        }
    }

    private func near(_ v: Value, _ n: [Double]) -> Bool {
        guard let l: ListValue = v.asList, l.items.count == n.count else { return false }
        for i in 0..<n.count {
            guard let x: Double = l.items[i].asDouble else { return false }
            if abs(x - n[i]) > 1e-6 { return false }
        }
        return true
    }

    func numberList(_ n: [Double]) -> Value {
        var items: [Value] = []
        for x in n { items.append(.number(x)) }
        return .list(ListValue(items))
    }

    func record(_ key: String, _ value: Value) -> Value {
        var f: Fields = Fields()
        f.set(key, value)
        return .table(TableValue(f))
    }

    // push does what a program asks of a body; false when it is none of these.
    func push(_ name: String, _ id: String, _ v: Value) -> Bool {
        if name != "apply_impulse" && name != "apply_force" && name != "set_velocity" { return false }
        guard let n: StageNode = nodes[id], n.body == "dynamic", let by: SIMD3<Float> = vectorOf(v) else { return true }
        switch name {
        case "set_velocity":
            var motion: PhysicsMotionComponent = n.entity.components[PhysicsMotionComponent.self] ?? PhysicsMotionComponent()
            motion.linearVelocity = by
            n.entity.components.set(motion)
        case "apply_impulse": n.entity.applyLinearImpulse(by, relativeTo: root)
        default: n.entity.addForce(by, relativeTo: root)
        }
        return true
    }

    func vectorOf(_ v: Value) -> SIMD3<Float>? {
        if let t: TableValue = v.asTable {
            var out: SIMD3<Float> = SIMD3<Float>(0, 0, 0)
            out.x = Float(t.fields.get("x")?.asDouble ?? 0)
            out.y = Float(t.fields.get("y")?.asDouble ?? 0)
            out.z = Float(t.fields.get("z")?.asDouble ?? 0)
            return out
        }
        guard let n: [Double] = numbersOf(v) else { return nil }
        return SIMD3<Float>(Float(n[0]), Float(n[1]), Float(n[2]))
    }

    // take, carry and letGo are what hands do. Places are those of the scene.
    func take(_ id: String, _ hand: String, _ at: SIMD3<Float>) -> Bool {
        guard let n: StageNode = nodes[id], held[id] == nil else { return false }
        let here: SIMD3<Float> = n.entity.position(relativeTo: root)
        held[id] = Hold(offset: here - at, last: here, velocity: SIMD3<Float>(0, 0, 0), at: Date().timeIntervalSinceReferenceDate)
        if n.body == "dynamic", var b: PhysicsBodyComponent = n.entity.components[PhysicsBodyComponent.self] {
            b.mode = .kinematic
            n.entity.components.set(b)
        }
        raise(id, "grab", record("hand", .text(hand)))
        return true
    }

    func carry(_ id: String, _ at: SIMD3<Float>) {
        guard let n: StageNode = nodes[id], var h: Hold = held[id] else { return }
        let to: SIMD3<Float> = at + h.offset
        let now: Double = Date().timeIntervalSinceReferenceDate
        let dt: Float = Float(max(now - h.at, 0.001))
        h.velocity = (to - h.last) / dt
        h.last = to
        h.at = now
        held[id] = h
        n.entity.setPosition(to, relativeTo: root)
        let local: SIMD3<Float> = n.entity.position
        machine?.keepPlace(id, "position", numberList([Double(local.x), Double(local.y), Double(local.z)]))
        raise(id, "drag", record("position", numberList([Double(to.x), Double(to.y), Double(to.z)])))
    }

    func letGo(_ id: String, _ hand: String) {
        guard let n: StageNode = nodes[id], let h: Hold = held[id] else { return }
        held[id] = nil
        var speed: Float = simd_length(h.velocity)
        let rested: Bool = Date().timeIntervalSinceReferenceDate - h.at > 0.1
        if rested { speed = 0 }
        if n.body == "dynamic", var b: PhysicsBodyComponent = n.entity.components[PhysicsBodyComponent.self] {
            b.mode = .dynamic
            n.entity.components.set(b)
            var motion: PhysicsMotionComponent = PhysicsMotionComponent()
            if !rested { motion.linearVelocity = speed > 20 ? h.velocity * (20 / speed) : h.velocity }
            n.entity.components.set(motion)
        } else {
            speed = 0
        }
        var f: Fields = Fields()
        f.set("hand", .text(hand))
        f.set("speed", .number(Double(speed)))
        raise(id, "release", record("hand", .text(hand)))
        raise(id, speed > 1 ? "throw" : "drop", .table(TableValue(f)))
    }

    // grabbed is the node that a hand takes where it meets another: itself or one
    // above it; "" without one.
    func grabbed(_ id: String) -> String {
        var at: String = id
        while !at.isEmpty {
            if grabs.contains(at) { return at }
            at = nodes[at]?.above ?? ""
        }
        return ""
    }

    // tapped is a tap, a click, an activation by an assistive technology.
    func tapped(_ id: String, _ at: SIMD3<Float>) {
        if id.isEmpty { return }
        var f: Fields = Fields()
        f.set("point", numberList([Double(at.x), Double(at.y), Double(at.z)]))
        f.set("hand", .text("pointer"))
        let payload: Value = .table(TableValue(f))
        raise(id, "press", payload)
        raise(id, "release", payload)
        raise(id, "click", payload)
        raise(id, "tap", payload)
    }

    func tappedTwice(_ id: String) {
        if !id.isEmpty { raise(id, "double_click", record("hand", .text("pointer"))) }
    }

    func pressedLong(_ id: String) {
        if id.isEmpty { return }
        raise(id, "press", record("hand", .text("pointer")))
        raise(id, "gesture", record("name", .text("long_press")))
    }
}

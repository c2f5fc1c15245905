// Touch is how a copy will be pointed at, once all that is below it is there.
struct Touch {
    let id: String
    let grab: Bool
}

extension Stage {
    // touchLater lets people point at a copy once what is below it stands too.
    func touchLater(_ id: String, grab: Bool) {
        if grab { grabs.insert(id) }
        untouched.append(Touch(id: id, grab: grab))
    }

    // touch lets people point at a node, tap it, and take it where grab says so.
    func touch(_ id: String, grab: Bool) {
        guard let n: StageNode = nodes[id] else { return }
        if grab { grabs.insert(id) }
        n.entity.components.set(InputTargetComponent())
        n.entity.components.set(HoverEffectComponent())
        if n.entity.components[CollisionComponent.self] != nil { return }
        let bounds: BoundingBox = n.entity.visualBounds(recursive: true, relativeTo: n.entity)
        if bounds.isEmpty { return }
        let size: SIMD3<Float> = simd_max(bounds.extents, SIMD3<Float>(repeating: 0.02))
        let form: ShapeResource = ShapeResource.generateBox(size: size).offsetBy(translation: bounds.center)
        n.entity.components.set(CollisionComponent(shapes: [form], mode: .trigger, filter: CollisionFilter.default))
    }

    // label says what a node is to people who do not see it.
    func label(_ id: String, _ label: String, about: String, button: Bool) {
        guard let n: StageNode = nodes[id] else { return }
        n.label = label
        var a: AccessibilityComponent = AccessibilityComponent()
        a.isAccessibilityElement = true
        a.label = LocalizedStringResource(stringLiteral: label)
        if !about.isEmpty { a.value = LocalizedStringResource(stringLiteral: about) }
        if button {
            a.traits = UIAccessibilityTraits.button
            a.systemActions = AccessibilityComponent.SupportedActions.activate
        }
        n.entity.components.set(a)
    }

    // anchor holds a node at something of the room instead of at the node above it.
    // Where nothing of the kind is found, it is not seen.
    func anchor(_ id: String, _ target: AnchoringComponent.Target) {
        guard let n: StageNode = nodes[id] else { return }
        let holder: AnchorEntity = AnchorEntity(target)
        n.entity.removeFromParent()
        n.holder = holder
        holder.addChild(n.entity)
        root.addChild(holder)
    }
}

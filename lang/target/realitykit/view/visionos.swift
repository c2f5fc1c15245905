// SceneView shows the scene in an immersive space, with gestures, and steps it.
struct SceneView: View {
    @ObservedObject var stage: Stage
    @State private var dragged: String = ""
    @State private var subscriptions: [EventSubscription] = []

    var body: some View {
        RealityView { (content: inout RealityViewContent) in
            await prepare(stage)
            content.add(stage.root)
            let updates: EventSubscription = content.subscribe(to: SceneEvents.Update.self) { (e: SceneEvents.Update) in
                stage.advance(e.deltaTime)
            }
            let began: EventSubscription = content.subscribe(to: CollisionEvents.Began.self) { (e: CollisionEvents.Began) in
                stage.met(e.entityA, e.entityB, true)
            }
            let ended: EventSubscription = content.subscribe(to: CollisionEvents.Ended.self) { (e: CollisionEvents.Ended) in
                stage.met(e.entityA, e.entityB, false)
            }
            let activated: EventSubscription = content.subscribe(to: AccessibilityEvents.Activate.self) { (e: AccessibilityEvents.Activate) in
                stage.tapped(stage.idOf(e.entity), e.entity.position(relativeTo: stage.root))
            }
            subscriptions = [updates, began, ended, activated]
        }
        .gesture(
            TapGesture(count: 2).targetedToAnyEntity().onEnded { value in
                stage.tappedTwice(stage.idOf(value.entity))
            }
        )
        .simultaneousGesture(
            SpatialTapGesture().targetedToAnyEntity().onEnded { value in
                let at: SIMD3<Float> = value.convert(value.location3D, from: .local, to: stage.root)
                stage.tapped(stage.idOf(value.entity), at)
            }
        )
        .simultaneousGesture(
            LongPressGesture(minimumDuration: 0.6).targetedToAnyEntity().onEnded { value in
                stage.pressedLong(stage.idOf(value.entity))
            }
        )
        .simultaneousGesture(
            DragGesture().targetedToAnyEntity()
                .onChanged { value in
                    let at: SIMD3<Float> = value.convert(value.location3D, from: .local, to: stage.root)
                    if dragged.isEmpty {
                        let id: String = stage.grabbed(stage.idOf(value.entity))
                        if !id.isEmpty && stage.take(id, "pointer", at) { dragged = id }
                    }
                    if !dragged.isEmpty { stage.carry(dragged, at) }
                }
                .onEnded { value in
                    if !dragged.isEmpty { stage.letGo(dragged, "pointer") }
                    dragged = ""
                }
        )
    }
}

// SceneView shows the scene in the room that the camera sees, with gestures, and
// steps it. Where there is no camera, it is shown before a plain background.
struct SceneView: UIViewRepresentable {
    let stage: Stage

    func makeCoordinator() -> SceneCoordinator { return SceneCoordinator(stage) }

    func makeUIView(context: Context) -> ARView {
        let view: ARView = ARView(frame: CGRect.zero)
        context.coordinator.begin(view)
        return view
    }

    func updateUIView(_ view: ARView, context: Context) {}

    static func dismantleUIView(_ view: ARView, coordinator: SceneCoordinator) {
        coordinator.end()
        view.session.pause()
    }
}

@MainActor
final class SceneCoordinator: NSObject {
    private let stage: Stage
    private var subscriptions: [any Cancellable] = []
    private weak var view: ARView?
    private var dragged: String = ""
    private var reach: Float = 0

    init(_ stage: Stage) { self.stage = stage }

    func begin(_ view: ARView) {
        self.view = view
        if ARWorldTrackingConfiguration.isSupported {
            let configuration: ARWorldTrackingConfiguration = ARWorldTrackingConfiguration()
            configuration.planeDetection = [.horizontal, .vertical]
            configuration.environmentTexturing = .automatic
            view.session.run(configuration)
            let coach: ARCoachingOverlayView = ARCoachingOverlayView()
            coach.session = view.session
            coach.goal = ARCoachingOverlayView.Goal.horizontalPlane
            coach.frame = view.bounds
            coach.autoresizingMask = [.flexibleWidth, .flexibleHeight]
            view.addSubview(coach)
        } else {
            view.cameraMode = ARView.CameraMode.nonAR
            view.environment.background = ARView.Environment.Background.color(UIColor.darkGray)
        }
        let anchor: AnchorEntity = sceneAnchor()
        anchor.addChild(stage.root)
        view.scene.addAnchor(anchor)
        listen(view)
        let scene: Stage = stage
        Task { @MainActor in await prepare(scene) }
    }

    private func listen(_ view: ARView) {
        let scene: Stage = stage
        subscriptions.append(view.scene.subscribe(to: SceneEvents.Update.self) { (e: SceneEvents.Update) in scene.advance(e.deltaTime) })
        subscriptions.append(view.scene.subscribe(to: CollisionEvents.Began.self) { (e: CollisionEvents.Began) in scene.met(e.entityA, e.entityB, true) })
        subscriptions.append(view.scene.subscribe(to: CollisionEvents.Ended.self) { (e: CollisionEvents.Ended) in scene.met(e.entityA, e.entityB, false) })
        subscriptions.append(view.scene.subscribe(to: AccessibilityEvents.Activate.self) { (e: AccessibilityEvents.Activate) in
            scene.tapped(scene.idOf(e.entity), e.entity.position(relativeTo: scene.root))
        })
        let twice: UITapGestureRecognizer = UITapGestureRecognizer(target: self, action: #selector(tappedTwice(_:)))
        twice.numberOfTapsRequired = 2
        let tap: UITapGestureRecognizer = UITapGestureRecognizer(target: self, action: #selector(tapped(_:)))
        let press: UILongPressGestureRecognizer = UILongPressGestureRecognizer(target: self, action: #selector(pressed(_:)))
        let pan: UIPanGestureRecognizer = UIPanGestureRecognizer(target: self, action: #selector(panned(_:)))
        view.addGestureRecognizer(twice)
        view.addGestureRecognizer(tap)
        view.addGestureRecognizer(press)
        view.addGestureRecognizer(pan)
    }

    func end() {
        for s in subscriptions { s.cancel() }
        subscriptions = []
    }

    // found is the node at a place of the screen, with where it is met in the scene.
    private func found(_ place: CGPoint) -> (String, SIMD3<Float>) {
        guard let v: ARView = view, let hit: CollisionCastHit = v.hitTest(place).first else { return ("", SIMD3<Float>(0, 0, 0)) }
        return (stage.idOf(hit.entity), stage.root.convert(position: hit.position, from: nil))
    }

    @objc private func tapped(_ g: UITapGestureRecognizer) {
        let (id, at): (String, SIMD3<Float>) = found(g.location(in: view))
        stage.tapped(id, at)
    }

    @objc private func tappedTwice(_ g: UITapGestureRecognizer) {
        stage.tappedTwice(found(g.location(in: view)).0)
    }

    @objc private func pressed(_ g: UILongPressGestureRecognizer) {
        if g.state == UIGestureRecognizer.State.began { stage.pressedLong(found(g.location(in: view)).0) }
    }

    // panned carries what was taken at the distance at which it was met.
    @objc private func panned(_ g: UIPanGestureRecognizer) {
        guard let v: ARView = view, let ray: (origin: SIMD3<Float>, direction: SIMD3<Float>) = v.ray(through: g.location(in: view)) else { return }
        switch g.state {
        case .began:
            let (id, at): (String, SIMD3<Float>) = found(g.location(in: view))
            let taken: String = stage.grabbed(id)
            reach = simd_length(stage.root.convert(position: at, to: nil) - ray.origin)
            if !taken.isEmpty && stage.take(taken, "pointer", at) { dragged = taken }
        case .changed:
            if !dragged.isEmpty { stage.carry(dragged, stage.root.convert(position: ray.origin + ray.direction * reach, from: nil)) }
        case .ended, .cancelled, .failed:
            if !dragged.isEmpty { stage.letGo(dragged, "pointer") }
            dragged = ""
        default: break
        }
    }
}

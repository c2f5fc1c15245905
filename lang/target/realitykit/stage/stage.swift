// A line that the program says: a log or a fault with its place in the source.
struct SaidLine: Identifiable {
    let id: Int
    let node: String
    let text: String
    let fault: Bool
}

// StageNode is a node of the scene with what belongs to it.
@MainActor
final class StageNode {
    let id: String
    let name: String
    let above: String
    let entity: ModelEntity
    var look: LookForm? = nil
    var letters: LetterForm? = nil
    var text: String = ""
    var written: ModelEntity? = nil
    var sound: SoundForm? = nil
    var playing: AudioPlaybackController? = nil
    var lamp: LampForm? = nil
    var body: String = "" // dynamic, kinematic, static, trigger; empty: none
    var gravity: Bool = true
    var label: String = ""
    var holder: Entity? = nil // of the room, instead of the node above
    var base: SIMD3<Float> = SIMD3<Float>(0, 0, 0) // where it was added
    var shift: SIMD3<Float> = SIMD3<Float>(0, 0, 0) // of a copy: how far from its base a program put it

    init(_ id: String, _ name: String, _ above: String) {
        self.id = id
        self.name = name
        self.above = above
        entity = ModelEntity()
        entity.name = id
    }
}

// The stage holds the nodes of the scene, runs its program and shows what the
// program does. Everything happens on the main actor.
@MainActor
final class Stage: ObservableObject {
    // root carries all nodes; the view places it in the room.
    let root: Entity = Entity()
    // values are the state of the scene as the controls show it.
    @Published var values: [String: Value] = [:]
    @Published var said: [SaidLine] = []
    // operations are what the application adds for the program to call, by their names.
    var operations: [String: (String, [Value]) -> Value] = [:]
    // onEvent is called with every event, onState with every state key, of a node by its id or
    // of "scene".
    var onEvent: (String, String, Value) -> Void = { (node: String, name: String, payload: Value) -> Void in }
    var onState: (String, String, Value) -> Void = { (owner: String, key: String, value: Value) -> Void in }

    var nodes: [String: StageNode] = [:]
    var ids: [UInt64: String] = [:] // of entities
    var looks: [LookForm] = []
    var forms: [MeshResource] = []
    var textures: [String: MaterialParameters.Texture] = [:] // that were read
    var tracks: [Track] = []
    var grabs: Set<String> = []
    // prototypes make a copy of a template's node, by the id of that node: the id of the
    // copy and of the node above it.
    var prototypes: [String: @MainActor (Stage, String, String) -> Void] = [:]
    var spawned: Set<String> = []
    var untouched: [Touch] = [] // copies that people will point at
    var sky: Entity? = nil // lights everything
    var held: [String: Hold] = [:]
    var joints: [@MainActor () -> Void] = []
    var dirty: [String: Set<String>] = [:]
    var machine: Machine? = nil
    var rest: Double = 0
    var lineCount: Int = 0
    var built: Bool = false
    var begun: Bool = false
    var playing: Bool = false // what plays by itself has begun
    var keepers: [Any] = [] // what must live as long as the stage does

    init() {
        root.name = "scene"
    }

    // add makes a node below another, "" being the scene.
    func add(_ id: String, _ name: String, under above: String, at: SIMD3<Float>, turn: SIMD4<Float>, scale: SIMD3<Float>) {
        let n: StageNode = StageNode(id, name, above)
        n.entity.transform = Transform(scale: scale, rotation: simd_quatf(ix: turn.x, iy: turn.y, iz: turn.z, r: turn.w), translation: at)
        n.base = at
        keep(n)
    }

    func keep(_ n: StageNode) {
        nodes[n.id] = n
        ids[n.entity.id] = n.id
        if let parent: StageNode = nodes[n.above] {
            parent.entity.addChild(n.entity)
        } else {
            root.addChild(n.entity)
        }
    }

    // remove takes away what a program spawned.
    func remove(_ id: String) {
        guard let n: StageNode = nodes[id] else { return }
        n.playing?.stop()
        n.entity.removeFromParent()
        n.holder?.removeFromParent()
        ids[n.entity.id] = nil
        nodes[id] = nil
        held[id] = nil
        dirty[id] = nil
        grabs.remove(id)
        tracks.removeAll { (t: Track) -> Bool in return t.node == id }
    }

    func hide(_ id: String) { nodes[id]?.entity.isEnabled = false }

    // idOf is the node that an entity shows or belongs to; "" without one.
    func idOf(_ entity: Entity) -> String {
        var at: Entity? = entity
        while let e: Entity = at {
            if let id: String = ids[e.id] { return id }
            at = e.parent
        }
        return ""
    }

    // begin starts the program and what plays by itself.
    func begin(_ document: String, _ list: String) {
        if begun { return }
        begun = true
        for make in joints { make() }
        if !document.isEmpty {
            guard let p: ProgramData = ProgramData(document) else {
                say("", "the program cannot be read", true)
                return
            }
            let about: Value = JSONReader.read(list, depth: 256, most: 1_000_000) ?? .null
            let m: Machine = Machine(p, nodes: about.asList?.items ?? [], host: self)
            machine = m
            m.start()
            for (i, s) in p.slots.enumerated() where m.prototypes[s.owner] == nil { notify(s.owner, s.key, m.slots[i]) }
            show()
        }
        playing = true
        beginTracks()
        beginSounds()
    }

    // raise brings an event to a node by its id; "*" is the whole scene.
    func raise(_ node: String, _ name: String, _ payload: Value) {
        machine?.inject(SceneEvent(node: node, name: name, payload: payload))
        onEvent(node, name, payload)
    }

    // put sets a state key of the scene.
    func put(_ key: String, _ value: Value) { machine?.put(key, value) }

    // state is a state key of a node or of "scene".
    func state(_ owner: String, _ key: String) -> Value { return machine?.stateMember(owner, key) ?? .null }

    // advance moves the time by seconds; an application that slept does not catch up
    // more than a quarter of a second.
    func advance(_ seconds: Double) {
        if !begun { return }
        let rate: Double = machine?.p.rate ?? 60
        rest = min(rest + seconds, 0.25)
        while rest >= 1 / rate - 1e-9 {
            rest -= 1 / rate
            machine?.step()
            stepTracks(1 / rate)
        }
        show()
        moved()
    }

    func say(_ node: String, _ text: String, _ fault: Bool) {
        lineCount += 1
        said.append(SaidLine(id: lineCount, node: node, text: text, fault: fault))
        if said.count > 100 { said.removeFirst(said.count - 100) }
        print(text)
    }

    // file is a file of the application's bundle; where it is not there, that is said.
    func file(_ path: String) -> URL? {
        if path.isEmpty { return nil }
        if let found: URL = find(path) { return found }
        say("", "the file \(path) is not in the application", true)
        return nil
    }

    // find is a file of the bundle: at its path below Assets, or by its name alone.
    func find(_ path: String) -> URL? {
        if path.isEmpty { return nil }
        let whole: URL = Bundle.main.bundleURL.appendingPathComponent("Assets").appendingPathComponent(path)
        if FileManager.default.fileExists(atPath: whole.path) { return whole }
        let last: String = (path as NSString).lastPathComponent
        let name: String = (last as NSString).deletingPathExtension
        let end: String = (last as NSString).pathExtension
        return Bundle.main.url(forResource: name, withExtension: end)
    }
}

// What the machine asks of the stage. call gives nil where there is no such
// operation.
@MainActor
protocol MachineHost: AnyObject {
    func hostCall(_ name: String, _ node: String, _ args: [Value]) -> Value?
    func hostLog(_ node: String, _ text: String)
    func hostFault(_ node: String, _ f: Fault)
    func hostProperty(_ node: String, _ key: String)
    func hostState(_ owner: String, _ key: String, _ value: Value)
    // A node was made: a copy of the prototype's node "like", or, where that is empty, of
    // the first node of its name.
    func hostSpawned(_ node: String, _ name: String, _ like: String, _ parent: String)
    // A node is no more. What was spawned is forgotten, children before their parents;
    // all else is hidden.
    func hostDestroyed(_ node: String)
}

// NodeInfo is a node as a program sees it.
struct NodeInfo {
    let id: String
    let parent: String
    let name: String
}

struct SceneEvent {
    let node: String
    let name: String
    let payload: Value
    var within: Bool = false // the node and all below it hear of it instead of all above
}

// TraceEntry is what happened, in the order in which it did.
struct TraceEntry {
    let at: Double
    let kind: String
    let node: String
    let name: String
    let text: String
    let function: String
    let line: Int
    let column: Int
}

struct TryPlace {
    let pc: Int
    let height: Int
}

final class CallFrame {
    let fn: FunctionData
    var pc: Int = 0
    var locals: [Value]
    let base: Int
    var tries: [TryPlace] = []

    init(_ fn: FunctionData, _ args: [Value], _ boxes: [BoxValue], _ base: Int) {
        self.fn = fn
        self.base = base
        locals = Array(repeating: Value.null, count: fn.locals)
        let fixed: Int = fn.rest ? fn.params - 1 : fn.params
        for i in 0..<min(fixed, args.count) { locals[i] = args[i] }
        if fn.rest { locals[fixed] = .list(ListValue(Array(args.dropFirst(fixed)))) }
        for i in 0..<boxes.count { locals[fn.params + i] = .box(boxes[i]) }
    }
}

final class TurnThread {
    var frames: [CallFrame]
    var stack: [Value] = []
    let depth: Int

    init(_ first: CallFrame, _ depth: Int) {
        frames = [first]
        self.depth = depth
    }

    func pop() -> Value { return stack.removeLast() }

    func take(_ n: Int) -> [Value] {
        let at: Int = stack.count - n
        let out: [Value] = Array(stack[at..<stack.count])
        stack.removeLast(n)
        return out
    }

    func cut(_ n: Int) {
        if stack.count > n { stack.removeLast(stack.count - n) }
    }
}

struct WaitingTurn {
    let at: Int
    let thread: TurnThread
    let owner: String
}

struct SlotChange {
    let slot: Int
    let old: Value
}

struct ComputedCache {
    var v: Value = .null
    var fresh: Bool = false
    var busy: Bool = false
    var version: Int = 0
}

// Outcome is what becomes of a thread, or of one instruction.
enum Outcome {
    case going
    case ended(Value)
    case asleep(Double)
}

// The machine runs a program: turns, state, events, and the instructions. It does
// the same as every other interpreter of program/1.
@MainActor
final class Machine {
    static let scene: String = "scene" // owns what stands at the top of a source
    static let everywhere: String = "*" // the node of an event that belongs to no place

    let p: ProgramData
    weak var host: MachineHost?
    var order: [String] = [] // ids of the nodes, as they came
    var nodes: [String: NodeInfo] = [:]
    var calls: [String: Int] = [:]
    var trace: [TraceEntry] = []
    var tracing: Bool = false
    var dropped: Int = 0
    var steps: Int = 0
    var serial: Int = 0
    var spent: Int = 0
    var stopped: Bool = false // the event goes no further
    var handling: Bool = false
    var queue: [SceneEvent] = []
    var turnLimit: Int = Limit.turn

    var random: RandomNumbers
    var slots: [Value] = []
    var states: [StateSlotData] = [] // of the slots
    var functions: [FunctionData] = []
    var computeds: [OwnedData] = []
    var caches: [ComputedCache] = []
    var slotOf: [String: [String: Int]] = [:]
    var functionOf: [String: [String: Int]] = [:]
    var computedOf: [String: [String: Int]] = [:]
    let rows: RowTables = RowTables() // at work
    var first: RowTables = RowTables() // what begins with the program
    var props: [String: [String: Value]] = [:]
    var propCount: Int = 0
    var gone: Set<String> = []
    var version: Int = 0
    var waiting: [WaitingTurn] = []
    var awake: [TurnThread] = []
    var depth: Int = 0
    var budget: Int = 0
    var turn: Int = 0
    var made: Int = 0
    var held: Int = 0
    var cascade: Int = 0
    var spawned: Set<String> = []
    var undo: [@MainActor () -> Void] = []
    var changed: [SlotChange] = []
    var faulted: Bool = false
    var unknown: Set<String> = []

    var running: [RunningMachine] = []
    var walks: [TreeWalk] = []
    var ticksLeft: Int = 0
    var due: [DueSchedule] = []
    var lines: [RunningLine] = []
    var moving: [Tween] = []

    var templates: [String: ProgramTemplate] = [:]
    var prototypes: [String: ProgramTemplate] = [:] // by their nodes
    var instanceOf: [String: TemplateInstance] = [:] // by their roots
    var born: [TemplateInstance] = []
    var ending: [String] = [] // nodes that were destroyed
    var spawnedRows: Int = 0

    // init takes the nodes as a list of [id, parent, name, properties].
    init(_ p: ProgramData, nodes list: [Value], host: MachineHost?) {
        self.p = p
        self.host = host
        random = RandomNumbers(p.seed)
        for t in p.templates {
            let made: ProgramTemplate = ProgramTemplate(t)
            templates[t.name] = made
            for id in t.nodes { prototypes[id] = made }
        }
        for s in p.slots { addSlot(s) }
        for c in p.computed { addComputed(c) }
        functions = p.functions
        for (i, f) in p.functions.enumerated() { knowFunction(f, i) }
        sortRows()
        rows.take(first)
        knowLines(first.timelines)
        for n in list {
            let parts: [Value] = n.asList?.items ?? []
            if parts.count < 4 { continue }
            let id: String = parts[0].asText ?? ""
            let info: NodeInfo = NodeInfo(id: id, parent: parts[1].asText ?? "", name: parts[2].asText ?? "")
            if let t: ProgramTemplate = prototypes[id] {
                t.infos[id] = info
                t.props[id] = parts[3].asTable
                continue
            }
            order.append(id)
            nodes[id] = info
            putProps(id, parts[3].asTable)
        }
    }

    // start gives the state its first values, enters the machines and raises init,
    // mount and start.
    func start() {
        let limit: Int = turnLimit
        turnLimit = Limit.long
        for (i, s) in p.slots.enumerated() where prototypes[s.owner] == nil {
            if s.first >= 0 {
                slots[i] = p.consts[s.first]
                continue
            }
            if spent > Limit.first {
                report(s.owner, Fault.tooLong("the first values take more than \(Limit.first) instructions"))
                break
            }
            atomically(s.owner) {
                slots[i] = .null
                slots[i] = try call(functions[s.fn], [], [])
            }
        }
        changed = []
        bindAll()
        turnLimit = limit
        beginMachines(first.machines)
        beginTrees(first.trees)
        beginClock(first.schedules)
        for name in ["init", "mount", "start"] {
            if heard(name) { queue.append(SceneEvent(node: Machine.everywhere, name: name, payload: .null)) }
        }
        drain()
    }

    func heard(_ name: String) -> Bool { return rows.handlers[name] != nil }

    var time: Double { return Double(steps) / p.rate }

    func after(_ seconds: Double) -> Int { return steps + Int((seconds * p.rate - 1e-9).rounded(.up)) }

    func inject(_ e: SceneEvent) {
        if queue.count < Limit.events { queue.append(e) }
    }

    var tight: Bool { return spent >= Limit.step }

    // step advances the time by one spatial step.
    func step() {
        steps += 1
        spent = 0
        cascade = 0
        runSchedules()
        runTimelines()
        var kept: [WaitingTurn] = []
        for w in waiting {
            if w.at <= steps {
                awake.append(w.thread)
            } else {
                kept.append(w)
            }
        }
        waiting = kept
        runTimers()
        drain()
        runTweens()
        runTrees()
        if heard("update") && !tight {
            let there: Bool = queue.contains { (e: SceneEvent) -> Bool in return e.name == "update" && e.node == Machine.everywhere }
            if !there { queue.append(SceneEvent(node: Machine.everywhere, name: "update", payload: .number(1 / p.rate))) }
        }
        drain()
    }

    func get(_ owner: String, _ key: String) -> Value? {
        guard let i: Int = slotOf[owner]?[key] else { return nil }
        return slots[i]
    }

    func set(_ slot: Int, _ v: Value) {
        let old: Value = slots[slot]
        undo.append { [unowned self] in self.slots[slot] = old }
        slots[slot] = v
        version += 1
        switch v {
        case .list, .table: break
        default:
            if sameValue(old, v) { return }
        }
        for c in changed {
            if c.slot == slot { return }
        }
        changed.append(SlotChange(slot: slot, old: old))
    }

    // put sets a state key of the scene from outside, as a turn of its own.
    func put(_ key: String, _ v: Value) {
        guard let slot: Int = slotOf[Machine.scene]?[key] else { return }
        handling = false
        atomically(Machine.scene) { set(slot, v) }
        flush()
    }

    // touch saves a list before it changes, once in a turn.
    func touch(_ l: ListValue) {
        version += 1
        if l.turn == turn { return }
        l.turn = turn
        let old: [Value] = l.items
        made += old.count
        undo.append { l.items = old }
    }

    // touch saves an object before it changes, once in a turn.
    func touch(_ t: TableValue) {
        version += 1
        if t.turn == turn { return }
        t.turn = turn
        let old: Fields = t.fields
        made += old.count
        undo.append { t.fields = old }
    }

    func touch(_ b: BoxValue) {
        if b.turn == turn { return }
        b.turn = turn
        let old: Value = b.v
        undo.append { b.v = old }
    }

    func computedValue(_ i: Int) throws -> Value {
        if caches[i].fresh && caches[i].version == version { return caches[i].v }
        if caches[i].busy { throw Fault.tooDeep("computed '\(computeds[i].key)' needs itself") }
        caches[i].busy = true
        defer { caches[i].busy = false }
        let v: Value = try call(functions[computeds[i].fn], [], [])
        caches[i].v = v
        caches[i].fresh = true
        caches[i].version = version
        return v
    }

    // flush runs the watches of what changed, and then the bound properties.
    func flush() {
        if changed.isEmpty { return }
        let now: [SlotChange] = changed
        changed = []
        for w in rows.watches {
            for c in now where c.slot == w.slot {
                handling = false
                begin(functions[w.fn].owner, w.fn, [slots[w.slot], c.old])
            }
        }
        bindAll()
        let again: [SlotChange] = changed
        changed = []
        if !again.isEmpty { bindAll() } // what watches wrote is seen by the next flush
    }

    func bindAll() {
        for b in rows.binds { bind(b) }
    }

    func bind(_ b: OwnedData) {
        handling = false
        atomically(b.owner) {
            let v: Value = try call(functions[b.fn], [], [])
            if !sameValue(property(b.owner, b.key), v) { try setProperty(b.owner, b.key, v) }
        }
    }

    // call runs a function to its end; it may not wait.
    func call(_ fn: FunctionData, _ args: [Value], _ boxes: [BoxValue]) throws -> Value {
        try deeper()
        depth += 1
        defer { depth -= 1 }
        let out: Outcome = try resume(TurnThread(CallFrame(fn, args, boxes, 0), depth))
        if case .ended(let v) = out { return v }
        throw Fault.wrong("await is not allowed here")
    }

    func invoke(_ v: Value, _ args: [Value]) throws -> Value {
        let f: FunctionValue = try callable(v)
        return f.fn.dead ? .null : try call(f.fn, args, f.boxes)
    }

    func deeper() throws {
        if depth >= Limit.calls { throw Fault.tooDeep("more than \(Limit.calls) calls within calls") }
    }

    func callable(_ v: Value) throws -> FunctionValue {
        if case .function(let f) = v { return f }
        throw Fault.wrong("\(typeName(v)) is not a function")
    }
}

// The form program/1 as the compiler wrote it.
struct FunctionData {
    let name: String
    let owner: String
    let params: Int
    let rest: Bool // the last parameter is the list of the arguments that the others leave
    let locals: Int
    let code: [Int]
    let lines: [[Int]]
    var instance: TemplateInstance? = nil // what it works on in place of its template's

    var dead: Bool { return instance?.dead ?? false }

    func slot(_ i: Int) -> Int { return instance?.slot(i) ?? i }

    func computed(_ i: Int) -> Int { return instance?.computed(i) ?? i }

    func function(_ i: Int) -> Int { return instance?.function(i) ?? i }

    func node(_ id: String) -> String { return instance?.node(id) ?? id }
}

struct StateSlotData {
    let owner: String
    let key: String
    let first: Int // of the constants, -1 where a function says it
    let fn: Int
}

struct OwnedData { // a computed value or a bound property
    let owner: String
    let key: String
    let fn: Int
}

struct WatchData {
    let slot: Int
    let fn: Int
}

struct HandlerData {
    let node: String
    let event: String
    let fn: Int
}

struct SubscriptionData {
    let from: String
    let event: String
    let owner: String
    let fn: Int
}

struct WireData {
    let from: String
    let event: String
    let slot: Int // -1: none is set
    let fn: Int
    let args: [Int]
}

struct ScheduleData {
    let fn: Int
    let after: Double
    let every: Double
    let forever: Bool
}

struct TimelineStepData {
    let at: Double
    let fn: Int
}

struct TimelineData {
    let id: String
    let loop: Bool
    let autoplay: Bool
    let steps: [TimelineStepData]
}

struct TransitionData {
    let event: String
    let to: Int
    let guardFn: Int
    let action: Int
}

struct MachineStateData {
    let name: String
    let parent: Int
    let entry: Int
    let exit: Int
    let times: Bool // whether it times out
    let after: Double
    let afterTo: Int
    let on: [TransitionData]
}

struct MachineData {
    let node: String
    let initial: Int
    let states: [MachineStateData]
}

final class TreeNodeData {
    let type: String
    let times: Int
    let duration: Double
    let policy: String
    let fn: Int
    let children: [TreeNodeData]

    init(_ v: Value) {
        let params: Value = fieldOf(v, "params")
        type = textField(v, "type")
        times = wholeField(params, "times", 0)
        duration = numberField(params, "duration", 0)
        policy = textField(params, "policy")
        fn = wholeField(v, "fn", -1)
        var list: [TreeNodeData] = []
        for c in itemsField(v, "children") { list.append(TreeNodeData(c)) }
        children = list
    }

    // init takes a node of a template as it is for an instance.
    init(_ n: TreeNodeData, of i: TemplateInstance) {
        type = n.type
        times = n.times
        duration = n.duration
        policy = n.policy
        fn = i.maybe(n.fn)
        var list: [TreeNodeData] = []
        for c in n.children { list.append(TreeNodeData(c, of: i)) }
        children = list
    }
}

// TemplateData are the nodes that spawn of a name copies: the root first, and parents
// before children.
struct TemplateData {
    let name: String
    let nodes: [String]
}

struct TreeData {
    let node: String
    let rate: Double
    let restart: Bool
    let root: TreeNodeData
}

func fieldOf(_ v: Value, _ key: String) -> Value {
    guard let t: TableValue = v.asTable else { return .null }
    return t.fields.get(key) ?? .null
}

func textField(_ v: Value, _ key: String) -> String { return fieldOf(v, key).asText ?? "" }

func numberField(_ v: Value, _ key: String, _ otherwise: Double) -> Double { return fieldOf(v, key).asDouble ?? otherwise }

// wholeNumber is a number as a count; 0 for what is none.
func wholeNumber(_ v: Value) -> Int {
    guard let x: Double = v.asDouble, abs(x) < 1e15 else { return 0 }
    return Int(x)
}

func wholeField(_ v: Value, _ key: String, _ otherwise: Int) -> Int {
    let found: Value = fieldOf(v, key)
    return found.asDouble == nil ? otherwise : wholeNumber(found)
}

func flagField(_ v: Value, _ key: String) -> Bool { return truthy(fieldOf(v, key)) }

func itemsField(_ v: Value, _ key: String) -> [Value] {
    guard let l: ListValue = fieldOf(v, key).asList else { return [] }
    return l.items
}

func wholes(_ items: [Value]) -> [Int] {
    var out: [Int] = []
    for v in items { out.append(wholeNumber(v)) }
    return out
}

func wholeList(_ v: Value) -> [Int] { return wholes(v.asList?.items ?? []) }

final class ProgramData {
    var seed: [UInt32] = []
    var rate: Double = 60
    var consts: [Value] = []
    var host: [String] = []
    var slots: [StateSlotData] = []
    var functions: [FunctionData] = []
    var computed: [OwnedData] = []
    var watches: [WatchData] = []
    var binds: [OwnedData] = []
    var handlers: [HandlerData] = []
    var subscriptions: [SubscriptionData] = []
    var wires: [WireData] = []
    var schedules: [ScheduleData] = []
    var timelines: [TimelineData] = []
    var machines: [MachineData] = []
    var trees: [TreeData] = []
    var templates: [TemplateData] = []

    // init takes the document; nil for what is not program/1.
    init?(_ text: String) {
        guard let p: Value = JSONReader.read(text, depth: 512, most: 4_194_304) else { return nil }
        if textField(p, "v") != "program/1" { return nil }
        for n in itemsField(p, "seed") { seed.append(UInt32(truncatingIfNeeded: Int64(n.asDouble ?? 0))) }
        rate = numberField(fieldOf(p, "rates"), "spatial", 60)
        consts = itemsField(p, "consts")
        for h in itemsField(p, "host") { host.append(h.asText ?? "") }
        for v in itemsField(p, "functions") {
            var lines: [[Int]] = []
            for l in itemsField(v, "lines") { lines.append(wholeList(l)) }
            functions.append(FunctionData(
                name: textField(v, "name"), owner: textField(v, "owner"), params: wholeField(v, "params", 0), rest: flagField(v, "rest"),
                locals: wholeField(v, "locals", 0), code: wholes(itemsField(v, "code")), lines: lines))
        }
        readTables(p)
        readMotion(p)
    }

    private func readTables(_ p: Value) {
        for v in itemsField(p, "state") {
            let first: Value = fieldOf(v, "init")
            let constant: Int = first.asTable == nil ? Int(first.asDouble ?? 0) : -1
            slots.append(StateSlotData(owner: textField(v, "owner"), key: textField(v, "key"), first: constant, fn: wholeField(first, "fn", 0)))
        }
        for v in itemsField(p, "computed") {
            computed.append(OwnedData(owner: textField(v, "owner"), key: textField(v, "key"), fn: wholeField(v, "fn", 0)))
        }
        for v in itemsField(p, "watches") { watches.append(WatchData(slot: wholeField(v, "state", 0), fn: wholeField(v, "fn", 0))) }
        for v in itemsField(p, "binds") {
            binds.append(OwnedData(owner: textField(v, "node"), key: textField(v, "property"), fn: wholeField(v, "fn", 0)))
        }
        for v in itemsField(p, "handlers") {
            handlers.append(HandlerData(node: textField(v, "node"), event: textField(v, "event"), fn: wholeField(v, "fn", 0)))
        }
        for v in itemsField(p, "subscriptions") {
            subscriptions.append(SubscriptionData(
                from: textField(v, "from"), event: textField(v, "event"), owner: textField(v, "owner"), fn: wholeField(v, "fn", 0)))
        }
        for v in itemsField(p, "wires") {
            wires.append(WireData(
                from: textField(v, "from"), event: textField(v, "event"), slot: wholeField(v, "set", -1), fn: wholeField(v, "fn", 0),
                args: wholes(itemsField(v, "args"))))
        }
    }

    private func readMotion(_ p: Value) {
        for v in itemsField(p, "schedules") {
            schedules.append(ScheduleData(
                fn: wholeField(v, "fn", 0), after: numberField(v, "after", 0), every: numberField(v, "every", 0), forever: flagField(v, "forever")))
        }
        for v in itemsField(p, "timelines") {
            var steps: [TimelineStepData] = []
            for s in itemsField(v, "steps") {
                let pair: [Value] = s.asList?.items ?? []
                if pair.count < 2 { continue }
                steps.append(TimelineStepData(at: pair[0].asDouble ?? 0, fn: Int(pair[1].asDouble ?? 0)))
            }
            timelines.append(TimelineData(id: textField(v, "id"), loop: flagField(v, "loop"), autoplay: flagField(v, "autoplay"), steps: steps))
        }
        for v in itemsField(p, "machines") {
            var states: [MachineStateData] = []
            for s in itemsField(v, "states") { states.append(machineState(s)) }
            machines.append(MachineData(node: textField(v, "node"), initial: wholeField(v, "initial", 0), states: states))
        }
        for v in itemsField(p, "trees") {
            trees.append(TreeData(
                node: textField(v, "node"), rate: numberField(v, "rate", 10), restart: flagField(v, "restart"), root: TreeNodeData(fieldOf(v, "root"))))
        }
        for v in itemsField(p, "templates") {
            var nodes: [String] = []
            for id in itemsField(v, "nodes") { nodes.append(id.asText ?? "") }
            templates.append(TemplateData(name: textField(v, "name"), nodes: nodes))
        }
    }

    private func machineState(_ v: Value) -> MachineStateData {
        var on: [TransitionData] = []
        for t in itemsField(v, "on") {
            on.append(TransitionData(
                event: textField(t, "event"), to: wholeField(t, "to", 0), guardFn: wholeField(t, "guard", 0), action: wholeField(t, "action", 0)))
        }
        let after: [Value] = itemsField(v, "after")
        let times: Bool = after.count == 2
        return MachineStateData(
            name: textField(v, "name"), parent: wholeField(v, "parent", 0), entry: wholeField(v, "entry", 0), exit: wholeField(v, "exit", 0), times: times,
            after: times ? (after[0].asDouble ?? 0) : 0, afterTo: times ? Int(after[1].asDouble ?? -1) : -1, on: on)
    }
}

// RowTables are the rows of a program or of a part of it, in their order.
final class RowTables {
    var handlers: [String: [HandlerData]] = [:] // by their events
    var subscriptions: [SubscriptionData] = []
    var wires: [WireData] = []
    var watches: [WatchData] = []
    var binds: [OwnedData] = []
    var schedules: [ScheduleData] = []
    var timelines: [TimelineData] = []
    var machines: [MachineData] = []
    var trees: [TreeData] = []

    var count: Int {
        var n: Int = subscriptions.count + wires.count + watches.count + binds.count + schedules.count + timelines.count + machines.count + trees.count
        for of in handlers.values { n += of.count }
        return n
    }

    func add(_ h: HandlerData) { handlers[h.event, default: []].append(h) }

    // of are the rows of a template as they are for an instance.
    func of(_ i: TemplateInstance) -> RowTables {
        let out: RowTables = RowTables()
        for rows in handlers.values {
            for h in rows { out.add(HandlerData(node: i.node(h.node), event: h.event, fn: i.function(h.fn))) }
        }
        for s in subscriptions {
            out.subscriptions.append(SubscriptionData(from: i.node(s.from), event: s.event, owner: i.node(s.owner), fn: i.function(s.fn)))
        }
        for w in wires {
            let slot: Int = w.slot < 0 ? w.slot : i.slot(w.slot)
            out.wires.append(WireData(from: i.node(w.from), event: w.event, slot: slot, fn: i.function(w.fn), args: w.args))
        }
        for w in watches { out.watches.append(WatchData(slot: i.slot(w.slot), fn: i.function(w.fn))) }
        for b in binds { out.binds.append(OwnedData(owner: i.node(b.owner), key: b.key, fn: i.function(b.fn))) }
        for s in schedules { out.schedules.append(ScheduleData(fn: i.function(s.fn), after: s.after, every: s.every, forever: s.forever)) }
        for t in timelines {
            var steps: [TimelineStepData] = []
            for s in t.steps { steps.append(TimelineStepData(at: s.at, fn: i.function(s.fn))) }
            out.timelines.append(TimelineData(id: t.id, loop: t.loop, autoplay: t.autoplay, steps: steps))
        }
        for d in machines {
            var states: [MachineStateData] = []
            for s in d.states { states.append(stateFor(s, i)) }
            out.machines.append(MachineData(node: i.node(d.node), initial: d.initial, states: states))
        }
        for t in trees {
            out.trees.append(TreeData(node: i.node(t.node), rate: t.rate, restart: t.restart, root: TreeNodeData(t.root, of: i)))
        }
        return out
    }

    private func stateFor(_ s: MachineStateData, _ i: TemplateInstance) -> MachineStateData {
        var on: [TransitionData] = []
        for t in s.on {
            on.append(TransitionData(event: t.event, to: t.to, guardFn: i.maybe(t.guardFn), action: i.maybe(t.action)))
        }
        return MachineStateData(
            name: s.name, parent: s.parent, entry: i.maybe(s.entry), exit: i.maybe(s.exit), times: s.times, after: s.after, afterTo: s.afterTo, on: on)
    }

    // take appends what handles, watches and binds; what runs by itself is begun apart.
    func take(_ from: RowTables) {
        for rows in from.handlers.values {
            for h in rows { add(h) }
        }
        subscriptions += from.subscriptions
        wires += from.wires
        watches += from.watches
        binds += from.binds
    }
}

// ProgramTemplate is a template at work: what the program and the scene say of its
// prototype, which every instance gets anew. Indexes are those of the program,
// ascending.
final class ProgramTemplate {
    let name: String
    let nodes: [String]
    var places: [String: Int] = [:] // of the nodes
    var infos: [String: NodeInfo] = [:]
    var props: [String: TableValue] = [:]
    var state: [Int] = []
    var computed: [Int] = []
    var functions: [Int] = []
    let rows: RowTables = RowTables()
    var free: [InstanceBlock] = []

    init(_ data: TemplateData) {
        name = data.name
        nodes = data.nodes
        for (i, id) in data.nodes.enumerated() { places[id] = i }
    }

    // size is what counts of an instance.
    var size: Int { return nodes.count + state.count + computed.count + functions.count + rows.count }
}

// InstanceBlock is where the state, the computed values and the functions of an
// instance begin in the tables of the machine.
struct InstanceBlock {
    let state: Int
    let computed: Int
    let functions: Int
}

// TemplateInstance is what one spawn of a template made: its nodes are in the order
// of the prototype's. A dead one is never entered: its block may be another's.
final class TemplateInstance {
    let template: ProgramTemplate
    let ids: [String]
    let block: InstanceBlock
    var dead: Bool = false

    init(_ template: ProgramTemplate, _ ids: [String], _ block: InstanceBlock) {
        self.template = template
        self.ids = ids
        self.block = block
    }

    // moved is the index of the instance's own in place of the template's.
    private func moved(_ i: Int, _ own: [Int], _ first: Int) -> Int {
        var low: Int = 0
        var high: Int = own.count
        while low < high {
            let middle: Int = (low + high) / 2
            if own[middle] < i {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < own.count && own[low] == i ? first + low : i
    }

    func slot(_ i: Int) -> Int { return moved(i, template.state, block.state) }

    func computed(_ i: Int) -> Int { return moved(i, template.computed, block.computed) }

    func function(_ i: Int) -> Int { return moved(i, template.functions, block.functions) }

    // maybe is a function that may be none.
    func maybe(_ i: Int) -> Int { return i < 0 ? i : function(i) }

    func node(_ id: String) -> String {
        guard let at: Int = template.places[id] else { return id }
        return ids[at]
    }
}

// Turns: what an event begins, and what comes of a turn that faults.
extension Machine {
    func drain() {
        while spent < Limit.step {
            if !born.isEmpty {
                if !follows() { return }
                birth()
                continue
            }
            if !awake.isEmpty {
                let t: TurnThread = awake.removeFirst()
                budget = turnLimit
                carry(t.frames[0].fn.owner, t)
                flush()
                continue
            }
            if queue.isEmpty {
                bury()
                cascade = 0
                return
            }
            if !follows() { return }
            takeTurn(queue.removeFirst())
        }
    }

    // follows counts what follows from something else. False where it is too much:
    // then nothing that waits is left.
    private func follows() -> Bool {
        cascade += 1
        if cascade <= Limit.events { return true }
        report(Machine.scene, Fault.tooMany("more than \(Limit.events) events follow from each other"))
        queue = []
        born = []
        cascade = 0
        return false
    }

    func takeTurn(_ e: SceneEvent) {
        note("event", e.node, e.name, e.payload, nil)
        stopped = false
        budget = turnLimit
        handling = true
        if e.within {
            for h in rows.handlers[e.name] ?? [] where lies(h.node, e.node) { begin(h.node, h.fn, [e.payload]) }
        } else {
            spreadEvent(e)
        }
        offerToMachines(e)
        flush()
        handling = false
    }

    // spreadEvent brings an event to what handles it: at its node, by wires, above it,
    // and elsewhere.
    private func spreadEvent(_ e: SceneEvent) {
        let everywhere: Bool = e.node == Machine.everywhere
        runHandlers(e, e.node, everywhere)
        for w in rows.wires where w.event == e.name && (everywhere || w.from == e.node) { runWire(w, e) }
        if !everywhere {
            var at: String = parentOf(e.node)
            while !at.isEmpty && !stopped {
                runHandlers(e, at, false)
                at = parentOf(at)
            }
        }
        if stopped { return }
        for s in rows.subscriptions where s.event == e.name && (everywhere || s.from == e.node) { begin(s.owner, s.fn, [e.payload]) }
    }

    private func runHandlers(_ e: SceneEvent, _ node: String, _ everywhere: Bool) {
        for h in rows.handlers[e.name] ?? [] where everywhere || h.node == node { begin(h.node, h.fn, [e.payload]) }
    }

    // lies says whether a node is another or lies somewhere below it.
    func lies(_ node: String, _ above: String) -> Bool {
        var at: String = node
        while !at.isEmpty && at != above { at = parentOf(at) }
        return !at.isEmpty
    }

    // parentOf is the node above; above the topmost nodes and modules is the scene.
    func parentOf(_ node: String) -> String {
        if node == Machine.scene || node == Machine.everywhere { return "" }
        let above: String = nodes[node]?.parent ?? ""
        return above.isEmpty ? Machine.scene : above
    }

    func runWire(_ w: WireData, _ e: SceneEvent) {
        let owner: String = functions[w.fn].owner
        if w.slot >= 0 {
            atomically(owner) { set(w.slot, try call(functions[w.fn], [e.payload], [])) }
            return
        }
        var args: [Value] = []
        for a in w.args { args.append(p.consts[a]) }
        args.append(e.payload)
        begin(owner, w.fn, args)
    }

    // begin runs a function as a turn that may wait.
    func begin(_ owner: String, _ fn: Int, _ args: [Value]) {
        if !handling { budget = turnLimit }
        carry(owner, TurnThread(CallFrame(functions[fn], args, [], 0), 0))
    }

    func later(_ f: FunctionValue, _ seconds: Double, _ owner: String) {
        if f.fn.dead { return }
        let thread: TurnThread = TurnThread(CallFrame(f.fn, [], f.boxes, 0), 0)
        waiting.append(WaitingTurn(at: after(seconds), thread: thread, owner: owner))
    }

    func carry(_ owner: String, _ t: TurnThread) {
        atomically(owner) {
            let out: Outcome = try resume(t)
            if case .asleep(let seconds) = out {
                if waiting.count + awake.count >= Limit.waiting { throw Fault.tooMany("more than \(Limit.waiting) turns wait") }
                waiting.append(WaitingTurn(at: after(seconds), thread: t, owner: owner))
            }
        }
    }

    // atomically runs a piece of work: when it faults, nothing that it wrote stays.
    // It says whether it did not.
    @discardableResult
    func atomically(_ owner: String, _ work: () throws -> Void) -> Bool {
        turn += 1
        made = 0
        undo = []
        let events: Int = queue.count
        let changes: Int = changed.count
        let waits: Int = waiting.count
        let was: Int = depth
        if !handling { budget = turnLimit }
        var failed: Fault? = nil
        do {
            try work()
            held += made
            if held > Limit.held {
                held = measure()
                if held > Limit.held { failed = Fault.tooLarge("the state is too large") }
            }
        } catch {
            failed = faultOf(error)
        }
        depth = was
        guard let f: Fault = failed else {
            for i in changes..<max(changes, changed.count) {
                let slot: Int = changed[i].slot
                let s: StateSlotData = states[slot]
                note("set", s.owner, s.key, slots[slot], nil)
                host?.hostState(s.owner, s.key, slots[slot])
            }
            return true
        }
        let backwards: [@MainActor () -> Void] = undo.reversed()
        undo = []
        for back in backwards { back() }
        version += 1
        if queue.count > events { queue.removeLast(queue.count - events) }
        if changed.count > changes { changed.removeLast(changed.count - changes) }
        if waiting.count > waits { waiting.removeLast(waiting.count - waits) }
        report(owner, f)
        return false
    }

    // report brings a fault to the nearest handler of errors.
    func report(_ owner: String, _ f: Fault) {
        note("fault", owner, f.code, .text(f.message), f)
        host?.hostFault(owner, f)
        if faulted { return }
        faulted = true
        var at: String = owner
        var found: Bool = false
        while !at.isEmpty && !found {
            for h in rows.handlers["error"] ?? [] where h.node == at {
                let was: Int = budget
                budget = turnLimit
                carry(at, TurnThread(CallFrame(functions[h.fn], [f.value], [], 0), depth))
                budget = was
                found = true
                break
            }
            at = parentOf(at)
        }
        faulted = false
    }

    // charge counts work beyond one instruction.
    func charge(_ n: Int) {
        budget -= n
        spent += n
    }

    func chargeText(_ s: String) {
        let n: Int = s.utf8.count
        if n >= Limit.chargeBytes { charge(n / Limit.chargeBytes) }
    }

    func checkBudget() throws {
        if budget < 0 { throw Fault.tooLong("the turn takes more than \(turnLimit) instructions") }
    }

    func alloc(_ n: Int) throws {
        made += n
        charge(n / Limit.chargeBytes)
        if made > Limit.made { throw Fault.tooLarge("a turn makes more than \(Limit.made)") }
    }

    func textValue(_ s: String) throws -> Value {
        let n: Int = s.utf8.count
        if n > Limit.text { throw Fault.tooLarge("text of \(n) bytes") }
        try alloc(n)
        return .text(s)
    }

    func listValue(_ items: [Value]) throws -> Value {
        if items.count > Limit.items { throw Fault.tooLarge("list of \(items.count) elements") }
        try alloc(items.count + 1)
        return .list(ListValue(items))
    }

    // printed is a value as text; printing a large one is work.
    func printed(_ v: Value) -> String {
        if case .text(let s) = v { return s }
        let s: String = textOf(v)
        switch v {
        case .list, .table: chargeText(s)
        default: break
        }
        return s
    }

    func same(_ a: Value, _ b: Value) -> Bool {
        var left: Int = Limit.items
        let yes: Bool = equalValues(a, b, Limit.depth, &left)
        charge((Limit.items - left) / Limit.chargeElements)
        return yes
    }

    // find is the place of a value in a list, -1 without one.
    func find(_ items: [Value], _ x: Value) throws -> Int {
        for i in 0..<items.count {
            if i % Limit.chargeElements == Limit.chargeElements - 1 { charge(1) }
            if same(items[i], x) { return i }
            try checkBudget()
        }
        return -1
    }

    // numbers are the first arguments as numbers; those that are not given are 0.
    func numbers(_ a: [Value], _ n: Int) throws -> [Double] {
        var out: [Double] = Array(repeating: 0, count: n)
        for i in 0..<min(n, a.count) {
            guard let x: Double = numberOf(a[i]) else { throw Fault.wrong("argument \(i + 1) is \(typeName(a[i])), not a number") }
            out[i] = x
        }
        return out
    }

    // note appends to the trace. Values are printed at once: they may change later.
    func note(_ kind: String, _ node: String, _ name: String, _ value: Value, _ f: Fault?) {
        if !tracing { return }
        if trace.count >= Limit.trace || made > Limit.made {
            dropped += 1
            return
        }
        var text: String = ""
        switch value {
        case .list, .table, .function: text = shortened(textOf(value))
        case .text(let s): text = quoted(shortened(s))
        default: text = textOf(value)
        }
        trace.append(TraceEntry(
            at: time, kind: kind, node: node, name: name, text: text, function: f?.function ?? "", line: f?.line ?? 0, column: f?.column ?? 0))
    }

    // measure counts what state, properties and waiting turns hold.
    func measure() -> Int {
        var seen: Set<ObjectIdentifier> = []
        var work: [Value] = slots
        for of in props.values { work.append(contentsOf: of.values) }
        for e in queue { work.append(e.payload) }
        for w in waiting {
            for f in w.thread.frames { work.append(contentsOf: f.locals) }
            work.append(contentsOf: w.thread.stack)
        }
        var n: Int = 0
        while !work.isEmpty && n <= Limit.held {
            let v: Value = work.removeLast()
            n += 1
            switch v {
            case .text(let s): n += s.utf8.count
            case .list(let l):
                if seen.insert(ObjectIdentifier(l)).inserted { work.append(contentsOf: l.items) }
            case .table(let t):
                if seen.insert(ObjectIdentifier(t)).inserted {
                    for key in t.fields.keys { n += key.utf8.count }
                    work.append(contentsOf: t.fields.values)
                }
            case .function(let f):
                if seen.insert(ObjectIdentifier(f)).inserted {
                    for b in f.boxes { work.append(b.v) }
                }
            case .box(let b):
                if seen.insert(ObjectIdentifier(b)).inserted { work.append(b.v) }
            case .walk(let w): work.append(contentsOf: w.items)
            default: break
            }
        }
        return n
    }
}

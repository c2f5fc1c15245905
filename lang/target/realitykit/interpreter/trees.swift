// Behaviour trees at work.
enum TreeOutcome {
    case success
    case failure
    case running
}

// TreeVisit is a tree node at work.
final class TreeVisit {
    let data: TreeNodeData
    let children: [TreeVisit]
    var at: Int = 0 // the child that runs
    var order: [Int] = [] // of random_selector; empty: none yet
    var since: Int = -1 // the step in which it began
    var times: Int = 0
    var until: Int = 0 // end of a cooldown
    var done: [TreeOutcome] = [] // of parallel; empty: none yet

    init(_ data: TreeNodeData) {
        self.data = data
        var list: [TreeVisit] = []
        for c in data.children { list.append(TreeVisit(c)) }
        children = list
    }

    // reset makes a node as if it had not begun; a cooldown goes on.
    func reset() {
        at = 0
        times = 0
        order = []
        done = []
        since = -1
        for c in children { c.reset() }
    }
}

final class TreeWalk {
    let tree: TreeData
    let root: TreeVisit
    var next: Double = 0
    var over: Bool = false

    init(_ tree: TreeData) {
        self.tree = tree
        root = TreeVisit(tree.root)
    }
}

extension Machine {
    func beginTrees(_ list: [TreeData]) {
        for t in list { walks.append(TreeWalk(t)) }
    }

    // runTrees ticks the trees whose time has come.
    func runTrees() {
        for w in walks {
            if w.over || tight || Double(steps) < w.next - 1e-9 { continue }
            w.next = max(w.next, Double(steps) - 1) + p.rate / w.tree.rate
            ticksLeft = Limit.events
            handling = false
            if tick(w.tree.node, w.root) != .running {
                w.root.reset()
                w.over = !w.tree.restart
            }
            if ticksLeft < 0 { report(w.tree.node, Fault.tooMany("a tick takes more than \(Limit.events) tree nodes")) }
            flush()
        }
    }

    private func elapsed(_ v: TreeVisit) -> Bool { return Double(steps - v.since) / p.rate >= v.data.duration - 1e-9 }

    private func tick(_ owner: String, _ v: TreeVisit) -> TreeOutcome {
        ticksLeft -= 1
        if ticksLeft < 0 { return .failure }
        if v.since < 0 { v.since = steps }
        switch v.data.type {
        case "sequence", "selector", "random_selector": return tickInOrder(owner, v)
        case "parallel": return tickAll(owner, v)
        case "inverter":
            let r: TreeOutcome = tick(owner, v.children[0])
            if r == .running { return r }
            return r == .success ? .failure : .success
        case "succeeder": return tick(owner, v.children[0]) == .running ? .running : .success
        case "repeater", "retry", "until_fail": return again(v, tick(owner, v.children[0]))
        case "cooldown":
            if steps < v.until { return .failure }
            let r: TreeOutcome = tick(owner, v.children[0])
            if r != .running {
                v.until = after(v.data.duration)
                v.children[0].reset()
            }
            return r
        case "guard":
            if holds(owner, v.data.fn, .null) { return tick(owner, v.children[0]) }
            v.children[0].reset()
            return .failure
        case "timeout":
            let r: TreeOutcome = tick(owner, v.children[0])
            if r != .running || !elapsed(v) { return r }
            v.children[0].reset()
            return .failure
        case "condition": return holds(owner, v.data.fn, .null) ? .success : .failure
        case "wait": return elapsed(v) ? .success : .running
        default: return treeAction(owner, v.data.fn)
        }
    }

    // treeAction calls the function of a leaf: what it gives is the result by name.
    private func treeAction(_ owner: String, _ fn: Int) -> TreeOutcome {
        var out: TreeOutcome = .failure
        let held: Bool = atomically(owner) {
            let v: Value = try call(functions[fn], [], [])
            out = .success
            if case .bool(false) = v { out = .failure }
            if let word: String = v.asText {
                if word == "failure" { out = .failure }
                if word == "running" { out = .running }
            }
        }
        return held ? out : .failure
    }

    // tickInOrder goes through the children until one decides, and comes back to the
    // one that runs.
    private func tickInOrder(_ owner: String, _ v: TreeVisit) -> TreeOutcome {
        let goesOn: TreeOutcome = v.data.type == "sequence" ? .success : .failure
        if v.data.type == "random_selector" && v.order.isEmpty { v.order = shuffled(v.children.count) }
        while v.at < v.children.count {
            let c: TreeVisit = v.children[v.order.isEmpty ? v.at : v.order[v.at]]
            let r: TreeOutcome = tick(owner, c)
            if r == .running { return r }
            c.reset()
            if r != goesOn {
                v.at = 0
                v.order = []
                return r
            }
            v.at += 1
        }
        v.at = 0
        v.order = []
        return goesOn
    }

    private func shuffled(_ n: Int) -> [Int] {
        var out: [Int] = Array(0..<n)
        var i: Int = n - 1
        while i > 0 {
            let j: Int = Int(random.float() * Double(i + 1))
            out.swapAt(i, j)
            i -= 1
        }
        return out
    }

    // tickAll runs the children side by side. Policy all succeeds when all do and
    // fails with the first; any is the other way round.
    private func tickAll(_ owner: String, _ v: TreeVisit) -> TreeOutcome {
        if v.done.isEmpty { v.done = Array(repeating: TreeOutcome.running, count: v.children.count) }
        let any: Bool = v.data.policy == "any"
        let decides: TreeOutcome = any ? .success : .failure
        var still: Bool = false
        for i in 0..<v.done.count {
            if v.done[i] == .running {
                let r: TreeOutcome = tick(owner, v.children[i])
                v.done[i] = r
            }
            if v.done[i] == decides {
                v.reset()
                return decides
            }
            if v.done[i] == .running { still = true }
        }
        if still { return .running }
        v.reset()
        return any ? .failure : .success
    }

    // again is what a repeating decorator makes of its child: one run in a tick.
    private func again(_ v: TreeVisit, _ r: TreeOutcome) -> TreeOutcome {
        if r == .running { return r }
        v.children[0].reset()
        v.times += 1
        if v.data.type == "until_fail" { return r == .failure ? .success : .running }
        if v.data.type == "retry" && r == .success {
            v.times = 0
            return r
        }
        if v.data.times > 0 && v.times >= v.data.times {
            v.times = 0
            return r
        }
        return .running
    }
}

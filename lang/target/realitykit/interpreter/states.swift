// State machines at work.
final class RunningMachine {
    let d: MachineData
    var state: Int = -1
    var since: Int = 0
    var fired: Bool = false

    init(_ d: MachineData) { self.d = d }
}

extension Machine {
    // chain is a state with those around it, innermost first.
    private func chain(_ d: MachineData, _ state: Int) -> [Int] {
        var out: [Int] = []
        var at: Int = state
        while at >= 0 {
            out.append(at)
            at = d.states[at].parent
        }
        return out
    }

    // beginMachines lets machines enter their initial states.
    func beginMachines(_ list: [MachineData]) {
        for d in list {
            let r: RunningMachine = RunningMachine(d)
            running.append(r)
            enterState(r, d.initial, -1)
        }
    }

    // currentState is the name of the state of a node's machine.
    func currentState(_ node: String) -> String? {
        for r in running where r.d.node == node && r.state >= 0 { return r.d.states[r.state].name }
        return nil
    }

    private func act(_ node: String, _ fn: Int) {
        if fn >= 0 { begin(node, fn, []) }
    }

    // enterState leaves the states that are not around the new one, runs the action
    // and enters, the outer states first.
    private func enterState(_ r: RunningMachine, _ to: Int, _ action: Int) {
        let d: MachineData = r.d
        let from: Int = r.state
        let old: [Int] = chain(d, from)
        let now: [Int] = chain(d, to)
        var common: Int = 0
        if from != to {
            while common < old.count && common < now.count && old[old.count - 1 - common] == now[now.count - 1 - common] { common += 1 }
        } else {
            common = max(0, now.count - 1)
        }
        for s in old[0..<(old.count - common)] { act(d.node, d.states[s].exit) }
        act(d.node, action)
        r.state = to
        r.since = steps
        r.fired = false
        for s in now[0..<(now.count - common)].reversed() { act(d.node, d.states[s].entry) }
        note("state", d.node, d.states[to].name, .null, nil)
        if from >= 0 && heard("state_exit") { queue.append(SceneEvent(node: d.node, name: "state_exit", payload: .text(d.states[from].name))) }
        if heard("state_enter") { queue.append(SceneEvent(node: d.node, name: "state_enter", payload: .text(d.states[to].name))) }
    }

    // offerToMachines offers an event to the machines of its node and of those above;
    // one within, to those of its node and of those below.
    func offerToMachines(_ e: SceneEvent) {
        for r in running {
            let node: String = r.d.node
            if e.node == Machine.everywhere || (e.within ? lies(node, e.node) : lies(e.node, node)) { _ = offer(r, e) }
        }
    }

    // offer takes the first transition whose guard holds.
    private func offer(_ r: RunningMachine, _ e: SceneEvent) -> Bool {
        let d: MachineData = r.d
        var places: [Int] = chain(d, r.state)
        for j in 0..<d.states.count where d.states[j].name == "*" { places.append(j) }
        for s in places {
            for t in d.states[s].on where t.event == e.name {
                if t.guardFn >= 0 && !holds(d.node, t.guardFn, e.payload) { continue }
                enterState(r, t.to, t.action)
                return true
            }
        }
        guard e.name == "transition", let name: String = e.payload.asText, name != "*" else { return false }
        for j in 0..<d.states.count where d.states[j].name == name { // transition("open")
            enterState(r, j, -1)
            return true
        }
        return false
    }

    func holds(_ owner: String, _ fn: Int, _ payload: Value) -> Bool {
        var yes: Bool = false
        let held: Bool = atomically(owner) { yes = truthy(try call(functions[fn], [payload], [])) }
        return held && yes
    }

    // runTimers lets the states time out that were held for long enough.
    func runTimers() {
        for r in running {
            let d: MachineData = r.d
            for s in chain(d, r.state) {
                let state: MachineStateData = d.states[s]
                if !state.times || r.fired { continue }
                if Double(steps - r.since) / p.rate < state.after - 1e-9 { continue }
                r.fired = true
                handling = false
                let taken: Bool = offer(r, SceneEvent(node: d.node, name: "timeout", payload: .null))
                if !taken && state.afterTo >= 0 { enterState(r, state.afterTo, -1) }
                flush()
                break
            }
        }
    }
}

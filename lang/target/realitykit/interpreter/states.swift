// State machines at work.
struct RunningMachine {
    var state: Int = -1
    var since: Int = 0
    var fired: Bool = false
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

    func startMachines() {
        for i in 0..<p.machines.count {
            running.append(RunningMachine())
            enterState(i, p.machines[i].initial, -1)
        }
    }

    // currentState is the name of the state of a node's machine.
    func currentState(_ node: String) -> String? {
        for i in 0..<running.count {
            let d: MachineData = p.machines[i]
            if d.node == node && running[i].state >= 0 { return d.states[running[i].state].name }
        }
        return nil
    }

    private func act(_ node: String, _ fn: Int) {
        if fn >= 0 { begin(node, fn, []) }
    }

    // enterState leaves the states that are not around the new one, runs the action
    // and enters, the outer states first.
    private func enterState(_ i: Int, _ to: Int, _ action: Int) {
        let d: MachineData = p.machines[i]
        let from: Int = running[i].state
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
        running[i] = RunningMachine(state: to, since: steps, fired: false)
        for s in now[0..<(now.count - common)].reversed() { act(d.node, d.states[s].entry) }
        note("state", d.node, d.states[to].name, .null, nil)
        if from >= 0 && heard("state_exit") { queue.append(SceneEvent(node: d.node, name: "state_exit", payload: .text(d.states[from].name))) }
        if heard("state_enter") { queue.append(SceneEvent(node: d.node, name: "state_enter", payload: .text(d.states[to].name))) }
    }

    // offerToMachines offers an event to the machines of its node and of those above.
    func offerToMachines(_ e: SceneEvent) {
        for i in 0..<running.count {
            let node: String = p.machines[i].node
            var hears: Bool = e.node == Machine.everywhere
            var at: String = e.node
            while !at.isEmpty && !hears {
                hears = at == node
                at = parentOf(at)
            }
            if hears { _ = offer(i, e) }
        }
    }

    // offer takes the first transition whose guard holds.
    private func offer(_ i: Int, _ e: SceneEvent) -> Bool {
        let d: MachineData = p.machines[i]
        var places: [Int] = chain(d, running[i].state)
        for j in 0..<d.states.count where d.states[j].name == "*" { places.append(j) }
        for s in places {
            for t in d.states[s].on where t.event == e.name {
                if t.guardFn >= 0 && !holds(d.node, t.guardFn, e.payload) { continue }
                enterState(i, t.to, t.action)
                return true
            }
        }
        guard e.name == "transition", let name: String = e.payload.asText, name != "*" else { return false }
        for j in 0..<d.states.count where d.states[j].name == name { // transition("open")
            enterState(i, j, -1)
            return true
        }
        return false
    }

    func holds(_ owner: String, _ fn: Int, _ payload: Value) -> Bool {
        var yes: Bool = false
        let held: Bool = atomically(owner) { yes = truthy(try call(fn, [payload], [])) }
        return held && yes
    }

    // runTimers lets the states time out that were held for long enough.
    func runTimers() {
        for i in 0..<running.count {
            let d: MachineData = p.machines[i]
            for s in chain(d, running[i].state) {
                let state: MachineStateData = d.states[s]
                if !state.times || running[i].fired { continue }
                if Double(steps - running[i].since) / p.rate < state.after - 1e-9 { continue }
                running[i].fired = true
                handling = false
                let taken: Bool = offer(i, SceneEvent(node: d.node, name: "timeout", payload: .null))
                if !taken && state.afterTo >= 0 { enterState(i, state.afterTo, -1) }
                flush()
                break
            }
        }
    }
}

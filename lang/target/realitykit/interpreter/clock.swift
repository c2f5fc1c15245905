// What begins by itself: schedules, timelines, and properties on their way.
struct DueSchedule {
    let d: ScheduleData
    var at: Int
    var on: Bool
}

struct RunningLine {
    let d: TimelineData
    var on: Bool
    var since: Int
    var next: Int = 0
    var begun: Bool = true
}

final class Tween {
    let node: String
    let key: String
    let from: Value
    let to: Value
    let since: Int
    let seconds: Double
    let easing: String

    init(node: String, key: String, from: Value, to: Value, since: Int, seconds: Double, easing: String) {
        self.node = node
        self.key = key
        self.from = from
        self.to = to
        self.since = since
        self.seconds = seconds
        self.easing = easing
    }
}

extension Machine {
    // knowLines makes timelines known by their names; they begin with beginClock.
    func knowLines(_ list: [TimelineData]) {
        for t in list { lines.append(RunningLine(d: t, on: false, since: 0, begun: false)) }
    }

    // beginClock lets schedules begin now, and the timelines that are known.
    func beginClock(_ list: [ScheduleData]) {
        for s in list { due.append(DueSchedule(d: s, at: after(s.after), on: true)) }
        for i in 0..<lines.count where !lines[i].begun {
            lines[i] = RunningLine(d: lines[i].d, on: lines[i].d.autoplay, since: steps)
        }
    }

    private func beginAlone(_ fn: Int) {
        handling = false
        begin(functions[fn].owner, fn, [])
        flush()
    }

    // runSchedules begins what is due, in the order of the source.
    func runSchedules() {
        for i in 0..<due.count {
            if !due[i].on || due[i].at > steps || tight { continue }
            let d: ScheduleData = due[i].d
            if d.forever {
                due[i].at = steps + 1
            } else if d.every > 0 {
                due[i].at = max(after(d.every), steps + 1)
            } else {
                due[i].on = false
            }
            beginAlone(d.fn)
        }
    }

    func runTimelines() {
        for i in 0..<lines.count {
            let d: TimelineData = lines[i].d
            while true {
                let t: RunningLine = lines[i]
                if !t.on || tight || t.next >= d.steps.count { break }
                if Double(steps - t.since) / p.rate < d.steps[t.next].at - 1e-9 { break }
                lines[i].next += 1
                beginAlone(d.steps[t.next].fn)
            }
            if lines[i].next == d.steps.count {
                lines[i] = RunningLine(d: d, on: lines[i].on && d.loop && !d.steps.isEmpty, since: steps)
            }
        }
    }

    // turnLine starts timelines from their beginning or stops them; false without one
    // of the name.
    func turnLine(_ id: String, _ on: Bool) -> Bool {
        var found: Bool = false
        let old: [RunningLine] = lines
        for i in 0..<lines.count where lines[i].d.id == id {
            found = true
            if lines[i].begun { lines[i] = RunningLine(d: lines[i].d, on: on, since: steps) }
        }
        if found { undo.append { [unowned self] in self.lines = old } }
        return found
    }

    // beginTween sends a property of a node to a value: property, value, seconds and
    // easing, the last two also by name.
    func beginTween(_ node: String, _ a: [Value]) throws {
        var seconds: Value = at(a, 2)
        var easing: Value = at(a, 3)
        if a.count > 2, let named: TableValue = a[a.count - 1].asTable {
            if a.count == 3 { seconds = .null }
            if a.count == 4 { easing = .null }
            if let v: Value = named.fields.get("duration"), !v.isNull { seconds = v }
            if let v: Value = named.fields.get("easing"), !v.isNull { easing = v }
        }
        let key: String = printed(at(a, 0))
        var long: Double = 1
        if !seconds.isNull, let n: Double = numberOf(seconds) { long = n.isNaN ? 0 : max(0, min(1e9, n)) }
        let old: [Tween] = moving
        var kept: [Tween] = []
        for o in old {
            if o.node != node || o.key != key { kept.append(o) }
        }
        if kept.count >= Limit.waiting { throw Fault.tooMany("more than \(Limit.waiting) properties move") }
        charge(kept.count / Limit.chargeElements)
        kept.append(Tween(
            node: node, key: key, from: copied(property(node, key), Limit.depth), to: copied(at(a, 1), Limit.depth), since: steps, seconds: long,
            easing: easing.isNull ? "linear" : printed(easing)))
        moving = kept
        undo.append { [unowned self] in self.moving = old }
    }

    func runTweens() {
        for t in moving {
            if tight { return }
            let u: Double = t.seconds > 0 ? min(1, Double(steps - t.since) / p.rate / t.seconds) : 1
            handling = false
            let ok: Bool = atomically(t.node) { try setProperty(t.node, t.key, try between(t, u)) }
            flush()
            if ok && u < 1 { continue }
            moving = moving.filter { (o: Tween) -> Bool in return o !== t }
            if ok && heard("animation_end") { inject(SceneEvent(node: t.node, name: "animation_end", payload: .text(t.key))) }
        }
    }

    private func between(_ t: Tween, _ u: Double) throws -> Value {
        if u >= 1 { return copied(t.to, Limit.depth) }
        switch (t.from, t.to) {
        case (.list, .list), (.number, .number): return try mixed(t.from, t.to, eased(t.easing, u))
        default: return t.from
        }
    }
}

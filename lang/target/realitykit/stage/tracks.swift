// Track is a key-frame animation: a key is a time and the parts of a value.
final class Track {
    let node: String
    let property: String
    let keys: [[Double]]
    let easing: String
    let loop: Int // -1: for ever
    let pingpong: Bool
    var time: Double = 0
    var on: Bool

    init(_ node: String, _ property: String, _ keys: [[Double]], _ easing: String, _ loop: Int, _ pingpong: Bool, _ on: Bool) {
        self.node = node
        self.property = property
        self.keys = keys
        self.easing = easing
        self.loop = loop
        self.pingpong = pingpong
        self.on = on
    }

    var end: Double { return keys[keys.count - 1][0] }

    // sample is the value at a time since the start.
    func sample(_ time: Double) -> [Double] {
        var at: Double = time
        if end > 0 && at > end {
            var turns: Double = (at / end).rounded(.down)
            if loop >= 0 && turns >= Double(loop + 1) {
                turns = Double(loop)
                at = end // the end of the last one stays
            } else {
                at -= turns * end
            }
            if pingpong && Int(turns) % 2 == 1 { at = end - at }
        }
        if at <= keys[0][0] { return Array(keys[0][1..<keys[0].count]) }
        for i in 1..<max(1, keys.count) {
            if at > keys[i][0] { continue }
            let from: [Double] = keys[i - 1]
            let to: [Double] = keys[i]
            let u: Double = eased(easing, (at - from[0]) / (to[0] - from[0]))
            if property == "r" && from.count == 5 && to.count == 5 {
                let a: simd_quatf = turnOf(Array(from[1..<5]))
                let b: simd_quatf = turnOf(Array(to[1..<5]))
                let q: simd_quatf = simd_slerp(a, b, Float(u))
                return [Double(q.imag.x), Double(q.imag.y), Double(q.imag.z), Double(q.real)]
            }
            var out: [Double] = []
            for k in 1..<min(from.count, to.count) { out.append(from[k] + (to[k] - from[k]) * u) }
            return out
        }
        let last: [Double] = keys[keys.count - 1]
        return Array(last[1..<last.count])
    }
}

extension Stage {
    func track(_ node: String, _ property: String, keys: [[Double]], easing: String, loop: Int, pingpong: Bool, autoplay: Bool) {
        let t: Track = Track(node, property, keys, easing, loop, pingpong, autoplay)
        tracks.append(t)
        if playing && t.on { apply(t, 0) }
    }

    func beginTracks() {
        for t in tracks {
            if t.on { apply(t, 0) }
        }
    }

    // playTracks starts the animations of a node anew, or stops them: those of a
    // property, or all.
    func playTracks(_ id: String, _ name: String, _ on: Bool) {
        for t in tracks {
            if t.node == id && (name.isEmpty || t.property == name) {
                t.time = 0
                t.on = on
            }
        }
    }

    func stepTracks(_ dt: Double) {
        for t in tracks {
            if !t.on { continue }
            t.time += dt
            apply(t, t.time)
            if t.loop < 0 || t.time < t.end * Double(t.loop + 1) { continue }
            t.on = false
            raise(t.node, "animation_end", record("name", .text(t.property)))
        }
    }

    // apply shows an animation at a time. Keys of places are those of the prototype: a
    // copy counts them from where a program put it.
    private func apply(_ t: Track, _ time: Double) {
        guard let n: StageNode = nodes[t.node] else { return }
        let v: [Double] = t.sample(time)
        if v.isEmpty { return }
        let e: ModelEntity = n.entity
        switch t.property {
        case "t":
            if v.count > 2 { e.position = n.shift + SIMD3<Float>(Float(v[0]), Float(v[1]), Float(v[2])) }
        case "t.x": e.position.x = n.shift.x + Float(v[0])
        case "t.y": e.position.y = n.shift.y + Float(v[0])
        case "t.z": e.position.z = n.shift.z + Float(v[0])
        case "r":
            if v.count > 2 { e.orientation = turnOf(v) }
        case "s":
            if v.count > 2 { e.scale = SIMD3<Float>(Float(v[0]), Float(v[1]), Float(v[2])) }
        case "s.x": e.scale.x = Float(v[0])
        case "s.y": e.scale.y = Float(v[0])
        case "s.z": e.scale.z = Float(v[0])
        default:
            let key: String = lookKey(t.property)
            if !key.isEmpty { change(t.node, key, v.count == 1 ? .number(v[0]) : numberList(v)) }
        }
    }
}

// What a program changes, shown. A property is passed on once after the steps of a
// frame, with the value that holds.

// turnOf is a turn of four numbers, or of three angles in degrees, Rx·Ry·Rz.
func turnOf(_ n: [Double]) -> simd_quatf {
    if n.count == 4 {
        let q: simd_quatf = simd_quatf(ix: Float(n[0]), iy: Float(n[1]), iz: Float(n[2]), r: Float(n[3]))
        return simd_length(q) > 0 ? simd_normalize(q) : simd_quatf(ix: 0, iy: 0, iz: 0, r: 1)
    }
    let x: simd_quatf = simd_quatf(angle: Float(n[0] * Double.pi / 180), axis: SIMD3<Float>(1, 0, 0))
    let y: simd_quatf = simd_quatf(angle: Float(n[1] * Double.pi / 180), axis: SIMD3<Float>(0, 1, 0))
    let z: simd_quatf = simd_quatf(angle: Float(n[2] * Double.pi / 180), axis: SIMD3<Float>(0, 0, 1))
    return simd_mul(simd_mul(x, y), z)
}

// anglesOf are the degrees of a turn, Rx·Ry·Rz, to a thousandth.
func anglesOf(_ q: simd_quatf) -> [Double] {
    let m: simd_float3x3 = simd_float3x3(q)
    let m13: Double = Double(m.columns.2.x)
    let second: Double = asin(max(-1, min(1, m13)))
    var first: Double = 0
    var third: Double = 0
    if abs(m13) < 0.9999999 {
        first = atan2(-Double(m.columns.2.y), Double(m.columns.2.z))
        third = atan2(-Double(m.columns.1.x), Double(m.columns.0.x))
    } else {
        first = atan2(Double(m.columns.1.z), Double(m.columns.1.y))
    }
    var out: [Double] = []
    for a in [first, second, third] { out.append((a * 180000 / Double.pi + 0.5).rounded(.down) / 1000) }
    return out
}

// numbersOf are two to four numbers, with 0 for a third one; nil for anything else.
func numbersOf(_ v: Value) -> [Double]? {
    guard let l: ListValue = v.asList else { return nil }
    if l.items.count < 2 || l.items.count > 4 { return nil }
    var out: [Double] = []
    for e in l.items {
        guard let x: Double = e.asDouble, x.isFinite else { return nil }
        out.append(x)
    }
    while out.count < 3 { out.append(0) }
    return out
}

private let colorNames: [String: UInt32] = [
    "white": 0xffffff, "black": 0x000000, "red": 0xff0000, "green": 0x008000, "blue": 0x0000ff, "yellow": 0xffff00, "orange": 0xffa500, "purple": 0x800080,
    "gray": 0x808080, "grey": 0x808080, "cyan": 0x00ffff, "magenta": 0xff00ff, "lime": 0x00ff00, "pink": 0xffc0cb, "brown": 0xa52a2a, "gold": 0xffd700,
    "silver": 0xc0c0c0, "navy": 0x000080, "teal": 0x008080, "olive": 0x808000, "maroon": 0x800000, "violet": 0xee82ee, "indigo": 0x4b0082,
]

// inkOf is a colour of a value: three numbers, a name, or hex; nil where it is none.
func inkOf(_ v: Value) -> Ink? {
    if let n: [Double] = numbersOf(v) { return Ink(Float(n[0]), Float(n[1]), Float(n[2]), 1) }
    guard let s: String = v.asText else { return nil }
    if let n: UInt32 = colorNames[s.lowercased()] { return inkOfBits(n) }
    if !s.hasPrefix("#") { return nil }
    var digits: String = String(s.dropFirst())
    if digits.count == 3 {
        var wide: String = ""
        for c in digits { wide += String(c) + String(c) }
        digits = wide
    }
    if digits.count == 8 { digits = String(digits.prefix(6)) }
    if digits.count != 6 { return nil }
    guard let n: UInt32 = UInt32(digits, radix: 16) else { return nil }
    return inkOfBits(n)
}

private func inkOfBits(_ n: UInt32) -> Ink {
    return Ink(Float((n >> 16) & 255) / 255, Float((n >> 8) & 255) / 255, Float(n & 255) / 255, 1)
}

// lookKey is the one name of a property of looks; "" where it is none.
func lookKey(_ key: String) -> String {
    switch key {
    case "color", "base_color", "albedo": return "color"
    case "emissive", "emissive_color": return "emissive"
    case "metallic", "metalness": return "metallic"
    case "opacity", "emissive_intensity", "roughness", "intensity": return key
    default: return ""
    }
}

extension Stage {
    func show() {
        guard let m: Machine = machine else { return }
        for t in untouched { touch(t.id, grab: t.grab) }
        untouched = []
        let now: [String: Set<String>] = dirty
        dirty = [:]
        for (node, keys) in now {
            for key in keys { tellProperty(node, key, m.property(node, key)) }
        }
    }

    private func tellProperty(_ node: String, _ key: String, _ v: Value) {
        guard let n: StageNode = nodes[node] else {
            notify(node.replacingOccurrences(of: "/state", with: ""), key, v)
            return
        }
        switch key {
        case "position":
            if let x: [Double] = numbersOf(v) {
                n.entity.position = SIMD3<Float>(Float(x[0]), Float(x[1]), Float(x[2]))
                if spawned.contains(node) { n.shift = n.entity.position - n.base }
            }
        case "rotation":
            if let x: [Double] = numbersOf(v) { n.entity.orientation = turnOf(x) }
        case "scale":
            if let s: Double = v.asDouble, s.isFinite {
                n.entity.scale = SIMD3<Float>(repeating: Float(s))
            } else if let x: [Double] = numbersOf(v) {
                n.entity.scale = SIMD3<Float>(Float(x[0]), Float(x[1]), Float(x[2]))
            }
        case "visible": n.entity.isEnabled = truthy(v)
        case "text": write(node, v.isNull ? "" : textOf(v))
        default:
            if lookKey(key).isEmpty {
                notify(node, key, v)
            } else {
                change(node, lookKey(key), v)
            }
        }
    }

    // notify gives a state key, or a property that is no look, to whoever listens.
    func notify(_ owner: String, _ key: String, _ v: Value) {
        if key == "volume", let x: Double = v.asDouble { volume(owner, x) }
        if owner == Machine.scene { values[key] = v }
        onState(owner, key, v)
    }

    // change sets a key of the look of a node, or of its light.
    func change(_ id: String, _ key: String, _ v: Value) {
        guard let n: StageNode = nodes[id] else { return }
        if key == "intensity", let x: Double = v.asDouble {
            n.lamp?.intensity = Float(max(x, 0))
            shine(id)
            return
        }
        let ink: Ink? = key == "color" || key == "emissive" ? inkOf(v) : nil
        if key == "color", let c: Ink = ink, n.lamp != nil {
            n.lamp?.color = c
            shine(id)
        }
        guard var l: LookForm = n.look, let model: ModelComponent = n.entity.model else { return }
        if let c: Ink = ink {
            if key == "color" { l.color = Ink(c.x, c.y, c.z, l.color.w) }
            if key == "emissive" {
                l.glow = c
                if l.glows == 0 { l.glows = 1 }
            }
        }
        if let x: Double = v.asDouble {
            let part: Float = Float(max(0, min(1, x)))
            switch key {
            case "opacity":
                l.color.w = part
                l.blend = part < 1
            case "emissive_intensity": l.glows = Float(max(0, x))
            case "metallic": l.metallic = part
            case "roughness": l.roughness = part
            default: break
            }
        }
        n.look = l
        n.entity.model = ModelComponent(mesh: model.mesh, materials: [material(l)])
    }
}

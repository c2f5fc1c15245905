// The operations that the interpreter answers itself. All others go to the host.

// eased is the easing of a name at u between 0 and 1.
func eased(_ name: String, _ given: Double) -> Double {
    let u: Double = mostOf(0, leastOf(1, given))
    let w: Double = 1 - u
    let plain: String = name.lowercased().filter { (c: Character) -> Bool in return c != "-" && c != "_" && c != " " }
    switch plain {
    case "easein", "easeinquad": return u * u
    case "easeout", "easeoutquad": return 1 - w * w
    case "easeinout", "easeinoutquad": return u * u * (3 - 2 * u)
    case "easeincubic": return u * u * u
    case "easeoutcubic": return 1 - w * w * w
    case "easeinoutcubic": return u < 0.5 ? 4 * u * u * u : 1 - 4 * w * w * w
    case "easeinsine": return 1 - cos(u * Double.pi / 2)
    case "easeoutsine": return sin(u * Double.pi / 2)
    case "easeinoutsine": return (1 - cos(u * Double.pi)) / 2
    case "step": return u < 1 ? 0 : 1
    default: return u
    }
}

private func mathOf(_ name: String, _ x: Double) -> Double? {
    switch name {
    case "abs": return abs(x)
    case "floor": return x.rounded(.down)
    case "ceil": return x.rounded(.up)
    case "sqrt": return x.squareRoot()
    case "sin": return sin(x)
    case "cos": return cos(x)
    case "tan": return tan(x)
    case "asin": return asin(x)
    case "acos": return acos(x)
    case "atan": return atan(x)
    case "exp": return exp(x)
    case "log": return log(x)
    case "log2": return log2(x)
    case "log10": return log10(x)
    case "trunc": return x.rounded(.towardZero)
    case "cbrt": return cbrt(x)
    case "sign": return x > 0 ? 1 : (x < 0 ? -1 : x)
    default: return nil
    }
}

extension Machine {
    // aim is the node that a call is about, and the arguments behind it.
    private func aim(_ owner: String, _ a: [Value]) -> (String, [Value]) {
        if !a.isEmpty, case .node(let id) = a[0] { return (id, Array(a[1..<a.count])) }
        return (owner, a)
    }

    private func rest(_ a: [Value], _ from: Int) -> [Value] { return a.count > from ? Array(a[from..<a.count]) : [] }

    // mixed is a value from x to y: of numbers, and of lists of them.
    func mixed(_ x: Value, _ y: Value, _ u: Double) throws -> Value {
        if case .list(let l) = x, case .list(let m) = y {
            var out: [Value] = []
            for i in 0..<min(l.items.count, m.items.count) {
                out.append(try mixed(scalarOf(l.items[i]), scalarOf(m.items[i]), u))
            }
            return try listValue(out)
        }
        let n: [Double] = try numbers([x, y], 2)
        return .number(n[0] + (n[1] - n[0]) * u)
    }

    private func scalarOf(_ v: Value) -> Value {
        if case .list = v { return .number(0) }
        return v
    }

    // library answers an operation; nil where it is not one of its own.
    func library(_ owner: String, _ name: String, _ a: [Value]) throws -> Value? {
        if let v: Value = try libraryOfNumbers(name, a) { return v }
        if let v: Value = try libraryOfNodes(owner, name, a) { return v }
        return try libraryOfValues(owner, name, a)
    }

    private func libraryOfNumbers(_ name: String, _ a: [Value]) throws -> Value? {
        switch name {
        case "clamp":
            let n: [Double] = try numbers(a, 3)
            return .number(mostOf(n[1], leastOf(n[2], n[0])))
        case "lerp":
            let u: Double = try numbers(rest(a, 2), 1)[0]
            return try mixed(at(a, 0), at(a, 1), u)
        case "ease":
            if let word: String = at(a, 0).asText { return .number(eased(word, try numbers(rest(a, 1), 1)[0])) }
            return .number(eased(printed(at(a, 1)), try numbers(a, 1)[0]))
        case "map_range":
            let n: [Double] = try numbers(a, 5)
            if n[2] == n[1] { return .number(n[3]) }
            return .number(n[3] + (n[4] - n[3]) * ((n[0] - n[1]) / (n[2] - n[1])))
        case "random":
            if a.isEmpty { return .number(random.float()) }
            if a.count == 1 {
                let most: Double = try numbers(a, 1)[0]
                return .number(random.float() * most)
            }
            let n: [Double] = try numbers(a, 2)
            return .number(n[0] + random.float() * (n[1] - n[0]))
        case "random_int":
            let n: [Double] = try numbers(a, 2)
            let lo: Double = n[0].rounded(.up)
            return .number(lo + (random.float() * (n[1].rounded(.down) - lo + 1)).rounded(.down))
        case "choose":
            var from: [Value] = a
            if a.count == 1, case .list(let l) = a[0] { from = l.items }
            if from.isEmpty { return .null }
            return from[min(from.count - 1, Int(random.float() * Double(from.count)))]
        case "now", "current_time": return .number(time)
        case "Math.random": return .number(random.float())
        case "Math.min":
            var out: Double = Double.infinity
            for x in try numbers(a, a.count) { out = leastOf(out, x) }
            return .number(out)
        case "Math.max":
            var out: Double = -Double.infinity
            for x in try numbers(a, a.count) { out = mostOf(out, x) }
            return .number(out)
        case "Math.pow":
            let n: [Double] = try numbers(a, 2)
            return .number(powerOf(n[0], n[1]))
        case "Math.atan2":
            let n: [Double] = try numbers(a, 2)
            return .number(atan2(n[0], n[1]))
        case "Math.hypot":
            var sum: Double = 0
            for x in try numbers(a, a.count) { sum += x * x }
            return .number(sum.squareRoot())
        case "Math.round": return .number((try numbers(a, 1)[0] + 0.5).rounded(.down))
        case "Number", "parseFloat", "parse_number": return .number(readValue(at(a, 0)))
        case "parseInt": return .number(readValue(at(a, 0)).rounded(.towardZero))
        case "distance": return .number(try distance(a))
        default: break
        }
        if !name.hasPrefix("Math.") { return nil }
        let short: String = String(name.dropFirst(5))
        if mathOf(short, 1) == nil { return nil }
        return .number(mathOf(short, try numbers(a, 1)[0]) ?? 0)
    }

    private func readValue(_ v: Value) -> Double {
        if let s: String = v.asText { return readNumber(trimmed(s)) ?? Double.nan }
        return numberOf(v) ?? Double.nan
    }

    private func distance(_ a: [Value]) throws -> Double {
        if a.count < 2 { throw Fault.wrong("distance needs two places") }
        var places: [[Value]] = []
        for i in 0..<2 {
            var place: Value = a[i]
            if case .node(let id) = place { place = property(id, "position") }
            guard case .list(let l) = place else { throw Fault.wrong("distance needs places, not \(typeName(place))") }
            places.append(l.items)
        }
        var sum: Double = 0
        for i in 0..<min(places[0].count, places[1].count) {
            let n: [Double] = try numbers([places[0][i], places[1][i]], 2)
            sum += (n[0] - n[1]) * (n[0] - n[1])
        }
        return sum.squareRoot()
    }

    private func libraryOfNodes(_ owner: String, _ name: String, _ a: [Value]) throws -> Value? {
        let (node, behind): (String, [Value]) = aim(owner, a)
        switch name {
        case "get_node":
            guard let id: String = named(printed(at(a, 0)), true).first else { return .null }
            return .node(id)
        case "find_all":
            var out: [Value] = []
            for id in named(printed(at(a, 0)), false) { out.append(.node(id)) }
            return try listValue(out)
        case "instances": return try instances(printed(at(a, 0)))
        case "show", "hide":
            try setProperty(node, "visible", .bool(name == "show"))
            return .null
        case "set_text":
            try setProperty(node, "text", at(behind, 0))
            return .null
        case "destroy":
            if a.isEmpty {
                try destroy(owner)
            } else if case .node(let id) = a[0] { // else it is not there
                try destroy(id)
            }
            return .null
        case "tween":
            try beginTween(node, behind)
            return .null
        case "move_to":
            try beginTween(node, [.text("position")] + behind)
            return .null
        case "transition":
            try emit(node, "transition", at(behind, 0)) // the machines of the node take it
            return .null
        case "play", "stop": return try play(owner, name, a)
        case "llm_call": return model(owner, a)
        case "set_timeout":
            try setTimeout(owner, a)
            return .null
        default: return nil
        }
    }

    private func setTimeout(_ owner: String, _ a: [Value]) throws {
        var given: FunctionValue? = nil
        var seconds: Double = 0
        for v in a {
            if case .function(let f) = v { given = f }
            if let x: Double = v.asDouble { seconds = x }
        }
        guard let f: FunctionValue = given else { throw Fault.wrong("set_timeout needs a function") }
        if waiting.count >= Limit.waiting { throw Fault.tooMany("more than \(Limit.waiting) turns wait") }
        later(f, seconds.isNaN ? 0 : min(max(seconds, 0), 1e9), owner)
    }

    private func libraryOfValues(_ owner: String, _ name: String, _ a: [Value]) throws -> Value? {
        switch name {
        case "log", "print", "console.log":
            var words: [String] = []
            var size: Int = 0
            for v in a {
                let w: String = shortened(printed(v))
                words.append(w)
                size += w.utf8.count
            }
            let line: String = words.joined(separator: " ")
            note("log", owner, "", .text(line), nil)
            host?.hostLog(owner, shortened(line))
            try alloc(size)
            return .null
        case "wait": return at(a, 0)
        case "generate_id":
            serial += 1
            return .text("id\(serial)")
        case "typeof": return .text(typeName(at(a, 0)))
        case "calls": return .number(Double(calls[printed(at(a, 0))] ?? 0))
        case "JSON.stringify":
            if let s: String = at(a, 0).asText { return try textValue(quoted(s)) }
            return try textValue(printed(at(a, 0)))
        case "JSON.parse":
            guard let s: String = at(a, 0).asText else { throw Fault.wrong("JSON.parse needs a text") }
            if s.utf8.count > Limit.text { throw Fault.wrong("this is not JSON") }
            guard let v: Value = JSONReader.read(s, depth: Limit.depth, most: Limit.items) else { throw Fault.wrong("this is not JSON") }
            try alloc(s.utf8.count)
            return v
        case "Object.keys": return try method(at(a, 0), "keys", [])
        case "Object.values": return try method(at(a, 0), "values", [])
        case "Object.entries": return try method(at(a, 0), "entries", [])
        case "String": return try textValue(printed(at(a, 0)))
        case "Boolean": return .bool(truthy(at(a, 0)))
        default: return nil
        }
    }
}

// The operators on values. Each throws a fault where a value has the wrong kind.
extension Machine {
    func arithmetic(_ op: Int, _ x: Value, _ y: Value) throws -> Double {
        guard let a: Double = numberOf(x) else { throw Fault.wrong("arithmetic needs numbers, not \(typeName(x))") }
        guard let b: Double = numberOf(y) else { throw Fault.wrong("arithmetic needs numbers, not \(typeName(y))") }
        switch op {
        case 20: return a + b
        case 21: return a - b
        case 22: return a * b
        case 23: return a / b
        case 24: return fmod(a, b)
        default: return powerOf(a, b)
        }
    }

    func bits(_ op: Int, _ x: Value, _ y: Value) throws -> Double {
        guard let m: Double = numberOf(x), let n: Double = numberOf(y) else { throw Fault.wrong("operators on bits need numbers") }
        let a: Int32 = wholeOf(m)
        let b: Int32 = wholeOf(n)
        switch op {
        case 27: return Double(a & b)
        case 28: return Double(a | b)
        case 29: return Double(a ^ b)
        case 30: return Double(a &<< b)
        default: return Double(a &>> b)
        }
    }

    func ordered(_ op: Int, _ x: Value, _ y: Value) throws -> Bool {
        var c: Int = 0
        if case .text(let s) = x, case .text(let t) = y {
            chargeText(s.utf8.count < t.utf8.count ? s : t)
            c = orderOfTexts(s, t)
        } else {
            guard let a: Double = numberOf(x), let b: Double = numberOf(y) else {
                throw Fault.wrong("\(typeName(x)) and \(typeName(y)) have no order")
            }
            if a.isNaN || b.isNaN { return false }
            c = a < b ? -1 : (a > b ? 1 : 0)
        }
        switch op {
        case 36: return c < 0
        case 37: return c <= 0
        case 38: return c > 0
        default: return c >= 0
        }
    }

    func within(_ x: Value, _ y: Value) throws -> Bool {
        switch y {
        case .list(let l): return try find(l.items, x) >= 0
        case .table(let t): return t.fields.has(printed(x))
        case .text(let s):
            chargeText(s)
            let part: [Unicode.Scalar] = Array(printed(x).unicodeScalars)
            return findText(Array(s.unicodeScalars), part, 0) >= 0
        default: throw Fault.wrong("nothing can be in \(typeName(y))")
        }
    }

    func rangeValue(_ x: Value, _ y: Value) throws -> Value {
        guard let from: Double = x.asDouble, let to: Double = y.asDouble, !from.isNaN, !to.isNaN else { throw Fault.wrong("a range needs numbers") }
        if to - from > Double(Limit.items) { throw Fault.tooLarge("range of \(formatNumber(to - from)) elements") }
        var items: [Value] = []
        var v: Double = from
        while v < to && items.count <= Limit.items {
            items.append(.number(v))
            v += 1
        }
        return try listValue(items)
    }

    func merged(_ x: Value, _ y: Value) throws -> Value {
        guard case .table(let a) = x else { throw Fault.wrong("only an object can be spread into an object, not \(typeName(y))") }
        if y.isNull { return x }
        guard case .table(let b) = y else { throw Fault.wrong("only an object can be spread into an object, not \(typeName(y))") }
        let size: Int = a.fields.count + b.fields.count
        if size > Limit.items { throw Fault.tooLarge("object of \(size) fields") }
        var out: Fields = a.fields
        for i in 0..<b.fields.count { out.set(b.fields.keys[i], b.fields.values[i]) }
        try alloc(out.count + 1)
        return .table(TableValue(out))
    }

    // walkOver begins a walk over the elements of a list, the characters of a text
    // or the keys of an object.
    func walkOver(_ v: Value) throws -> Value {
        var items: [Value] = []
        switch v {
        case .list(let l): items = l.items
        case .table(let t):
            for key in t.fields.keys { items.append(.text(key)) }
        case .text(let s):
            if s.unicodeScalars.count > Limit.items { throw Fault.tooLarge("too many characters to walk over") }
            items = characters(s)
        case .null: break
        default: throw Fault.wrong("cannot walk over \(typeName(v))")
        }
        try alloc(items.count + 1)
        return .walk(WalkValue(items))
    }

    // position is an index within 0 and n, else -1.
    func position(_ v: Value, _ n: Int) -> Int {
        guard let x: Double = v.asDouble else { return -1 }
        if x >= 0 && x < Double(n) && x == x.rounded(.down) { return Int(x) }
        return -1
    }

    func element(_ x: Value, _ i: Value) throws -> Value {
        switch x {
        case .list(let l):
            let at: Int = position(i, l.items.count)
            return at >= 0 ? l.items[at] : .null
        case .text(let s):
            let all: [Unicode.Scalar] = Array(s.unicodeScalars)
            try alloc(all.count)
            let at: Int = position(i, all.count)
            return at >= 0 ? .text(String(Character(all[at]))) : .null
        case .null: throw Fault.wrong("null has no element \(clipped(printed(i)))")
        default: return try member(x, printed(i))
        }
    }

    func putElement(_ x: Value, _ i: Value, _ v: Value) throws {
        guard case .list(let l) = x else {
            try putMember(x, printed(i), v)
            return
        }
        let n: Int = l.items.count
        if let at: Double = i.asDouble, at == Double(n), n < Limit.items {
            touch(l)
            l.items.append(v)
            try alloc(1)
            return
        }
        let at: Int = position(i, n)
        if at < 0 { throw Fault.wrong("a list of \(n) elements has no place \(clipped(printed(i)))") }
        touch(l)
        l.items[at] = v
    }

    // axis is the place of x, y, z or w in a list of two to four.
    func axis(_ l: ListValue, _ name: String) -> Int {
        var i: Int = -1
        switch name {
        case "x": i = 0
        case "y": i = 1
        case "z": i = 2
        case "w": i = 3
        default: break
        }
        return l.items.count <= 4 && i < l.items.count ? i : -1
    }

    func member(_ x: Value, _ name: String) throws -> Value {
        switch x {
        case .table(let t): return t.fields.get(name) ?? .null
        case .list(let l):
            if name == "length" || name == "count" { return .number(Double(l.items.count)) }
            let i: Int = axis(l, name)
            return i >= 0 ? l.items[i] : .null
        case .text(let s): return name == "length" ? .number(Double(s.unicodeScalars.count)) : .null
        case .node(let id): return try nodeMember(id, name)
        case .state(let id): return stateMember(id, name)
        case .null: throw Fault.wrong("null has no member '\(clipped(name))'")
        default: return .null
        }
    }

    func putMember(_ x: Value, _ name: String, _ v: Value) throws {
        switch x {
        case .table(let t):
            if !t.fields.has(name) && t.fields.count >= Limit.items { throw Fault.tooLarge("object of \(t.fields.count) fields") }
            touch(t)
            t.fields.set(name, v)
            try alloc(1)
            return
        case .list(let l):
            let i: Int = axis(l, name)
            if i >= 0 {
                touch(l)
                l.items[i] = v
                return
            }
        case .node(let id):
            try putNode(id, name, v)
            return
        case .state(let id):
            try putState(id, name, v)
            return
        default: break
        }
        throw Fault.wrong("\(typeName(x)) cannot take a member '\(clipped(name))'")
    }
}

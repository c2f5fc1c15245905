// The built-in methods of values.
extension Machine {
    func method(_ x: Value, _ name: String, _ a: [Value]) throws -> Value {
        switch x {
        case .list(let l):
            // These touch a place or two of a list, however long it is.
            switch name {
            case "push", "append", "add", "pop", "at", "first", "last", "length", "count", "set", "clear": break
            default: charge(l.items.count / Limit.chargeElements)
            }
            switch name {
            case "push", "append", "add", "unshift", "pop", "shift", "splice", "sort", "reverse", "remove", "delete", "set", "clear":
                return try changeList(l, name, a)
            default: return try listMethod(l, name, a)
            }
        case .text(let s):
            chargeText(s)
            return try textMethod(s, name, a)
        case .table(let t):
            if let own: Value = t.fields.get(name), case .function = own { return try invoke(own, a) }
            return try tableMethod(t, name, a)
        case .number(let n):
            if name == "toFixed" || name == "to_fixed" { return .text(fixedNumber(n, try numbers(a, 1)[0])) }
            if name == "toString" || name == "to_string" { return .text(formatNumber(n)) }
        case .node(let id): return try nodeMethod(id, name, a)
        case .state(let id): return try invoke(stateMember(id, name), a)
        case .null: throw Fault.wrong("null has no method '\(clipped(name))'")
        default: break
        }
        throw Fault.wrong("\(typeName(x)) has no method '\(clipped(name))'")
    }

    // each calls a function with every element until work says that it is enough.
    private func each(_ l: ListValue, _ f: Value, _ work: (Int, Value, Value) -> Bool) throws {
        let items: [Value] = l.items
        for i in 0..<items.count {
            let r: Value = try invoke(f, [items[i], .number(Double(i))])
            if !work(i, items[i], r) { break }
        }
        try alloc(l.items.count)
    }

    private func flatten(_ out: inout [Value], _ v: Value) -> Bool {
        if case .list(let l) = v {
            out.append(contentsOf: l.items)
        } else {
            out.append(v)
        }
        return out.count <= Limit.items
    }

    private func listMethod(_ l: ListValue, _ name: String, _ a: [Value]) throws -> Value {
        let items: [Value] = l.items
        let first: Value = at(a, 0)
        var out: [Value] = []
        switch name {
        case "map":
            try each(l, first) { (i: Int, v: Value, r: Value) -> Bool in
                out.append(r)
                return true
            }
            return try listValue(out)
        case "flatMap", "flat_map":
            try each(l, first) { (i: Int, v: Value, r: Value) -> Bool in return flatten(&out, r) }
            return try listValue(out)
        case "filter":
            try each(l, first) { (i: Int, v: Value, r: Value) -> Bool in
                if truthy(r) { out.append(v) }
                return true
            }
            return try listValue(out)
        case "forEach", "each", "for_each":
            try each(l, first) { (i: Int, v: Value, r: Value) -> Bool in return true }
            return .null
        case "find", "findIndex", "find_index", "some", "every": return try search(l, name, first)
        case "reduce":
            var sum: Value = at(a, 1)
            var from: Int = 0
            if a.count < 2 {
                if items.isEmpty { throw Fault.wrong("nothing to reduce") }
                sum = items[0]
                from = 1
            }
            for i in from..<max(from, items.count) { sum = try invoke(first, [sum, items[i], .number(Double(i))]) }
            return sum
        case "indexOf", "index_of": return .number(Double(try find(items, first)))
        case "includes", "contains", "has": return .bool(try find(items, first) >= 0)
        case "join": return try joinList(items, a.isEmpty ? "," : printed(a[0]))
        case "slice":
            let from: Int = bounded(first, items.count, 0)
            let to: Int = max(from, bounded(at(a, 1), items.count, items.count))
            return try listValue(Array(items[from..<to]))
        case "concat":
            out = items
            for v in a {
                if !flatten(&out, v) { break }
            }
            return try listValue(out)
        case "at":
            var i: Double = first.asDouble ?? 0
            if i < 0 { i += Double(items.count) }
            return try element(.list(l), .number(i))
        case "first": return items.first ?? .null
        case "last": return items.last ?? .null
        case "length", "count": return .number(Double(items.count))
        case "flat":
            for v in items {
                if !flatten(&out, v) { break }
            }
            return try listValue(out)
        case "keys":
            for i in 0..<items.count { out.append(.number(Double(i))) }
            return try listValue(out)
        case "values": return try listValue(items)
        case "toString", "to_string": return try textValue(printed(.list(l)))
        default: throw Fault.wrong("a list has no method '\(clipped(name))'")
        }
    }

    private func search(_ l: ListValue, _ name: String, _ f: Value) throws -> Value {
        var found: Value = .null
        var place: Int = -1
        let want: Bool = name != "every"
        try each(l, f) { (i: Int, v: Value, r: Value) -> Bool in
            if truthy(r) != want { return true }
            found = v
            place = i
            return false
        }
        switch name {
        case "find": return found
        case "some": return .bool(place >= 0)
        case "every": return .bool(place < 0)
        default: return .number(Double(place))
        }
    }

    private func joinList(_ items: [Value], _ gap: String) throws -> Value {
        var text: String = ""
        for i in 0..<items.count {
            if i > 0 { text += gap }
            text += printed(items[i])
            if text.utf8.count > Limit.text { break }
        }
        return try textValue(text)
    }

    private func room(_ n: Int) throws {
        if n > Limit.items { throw Fault.tooLarge("list of \(n) elements") }
    }

    private func changeList(_ l: ListValue, _ name: String, _ a: [Value]) throws -> Value {
        touch(l)
        let n: Int = l.items.count
        switch name {
        case "push", "append", "add":
            try room(n + a.count)
            l.items.append(contentsOf: a)
            try alloc(a.count)
            return .number(Double(l.items.count))
        case "unshift":
            try room(n + a.count)
            l.items = a + l.items
            try alloc(l.items.count)
            return .number(Double(l.items.count))
        case "pop": return l.items.popLast() ?? .null
        case "shift": return l.items.isEmpty ? .null : l.items.removeFirst()
        case "splice":
            let from: Int = bounded(at(a, 0), n, 0)
            var count: Int = n - from
            if let c: Double = at(a, 1).asDouble { count = c.isNaN ? 0 : Int(max(0, min(Double(n - from), c))) }
            let added: [Value] = a.count > 2 ? Array(a[2..<a.count]) : []
            let cut: [Value] = Array(l.items[from..<(from + count)])
            try room(n - count + added.count)
            l.items = Array(l.items[0..<from]) + added + Array(l.items[(from + count)..<n])
            return try listValue(cut)
        case "sort": return try sortList(l, at(a, 0))
        case "reverse":
            l.items = Array(l.items.reversed())
            return .list(l)
        case "remove", "delete":
            let i: Int = try find(l.items, at(a, 0))
            if i >= 0 { l.items.remove(at: i) }
            return .bool(i >= 0)
        case "set":
            try putElement(.list(l), at(a, 0), at(a, 1))
            return .null
        default:
            l.items = []
            return .null
        }
    }

    private func comesAfter(_ by: Value, _ x: Value, _ y: Value) throws -> Bool {
        charge(1)
        try checkBudget()
        if !by.isNull {
            let r: Double = numberOf(try invoke(by, [x, y])) ?? 0
            return r > 0
        }
        if let m: Double = x.asDouble, let n: Double = y.asDouble { return m > n }
        if x.asDouble != nil { return false }
        if y.asDouble != nil { return true }
        return orderOfTexts(printed(x), printed(y)) > 0
    }

    // sortList orders a list by merging, so that every interpreter asks for the same
    // comparisons: by a function of two elements, else numbers before texts.
    private func sortList(_ l: ListValue, _ by: Value) throws -> Value {
        var from: [Value] = l.items
        let n: Int = from.count
        var width: Int = 1
        while width < n {
            var to: [Value] = []
            var lo: Int = 0
            while lo < n {
                let mid: Int = min(lo + width, n)
                let hi: Int = min(lo + 2 * width, n)
                var i: Int = lo
                var j: Int = mid
                while i < mid || j < hi {
                    var left: Bool = false
                    if i < mid {
                        left = j >= hi
                        if !left { left = !(try comesAfter(by, from[i], from[j])) }
                    }
                    if left {
                        to.append(from[i])
                        i += 1
                    } else {
                        to.append(from[j])
                        j += 1
                    }
                }
                lo += 2 * width
            }
            from = to
            width *= 2
        }
        l.items = from
        return .list(l)
    }

    private func tableMethod(_ t: TableValue, _ name: String, _ a: [Value]) throws -> Value {
        var out: [Value] = []
        switch name {
        case "keys":
            for key in t.fields.keys { out.append(.text(key)) }
            return try listValue(out)
        case "values": return try listValue(t.fields.values)
        case "entries":
            for i in 0..<t.fields.count { out.append(.list(ListValue([.text(t.fields.keys[i]), t.fields.values[i]]))) }
            return try listValue(out)
        case "has", "contains", "hasOwnProperty": return .bool(t.fields.has(printed(at(a, 0))))
        case "get": return t.fields.get(printed(at(a, 0))) ?? .null
        case "set":
            try putMember(.table(t), printed(at(a, 0)), at(a, 1))
            return .null
        case "delete", "remove":
            let key: String = printed(at(a, 0))
            charge(t.fields.count / Limit.chargeElements)
            touch(t)
            return .bool(t.fields.remove(key))
        case "clear":
            touch(t)
            t.fields = Fields()
            return .null
        case "toString", "to_string": return try textValue(printed(.table(t)))
        case "stop":
            stopped = true
            return .null
        default: throw Fault.wrong("an object has no method '\(clipped(name))'")
        }
    }

    private func nodeMethod(_ id: String, _ name: String, _ a: [Value]) throws -> Value {
        if let fn: Int = functionOf[id]?[name] { return try call(functions[fn], a, []) }
        switch name {
        case "emit":
            try emit(id, printed(at(a, 0)), at(a, 1))
            return .null
        case "show", "hide":
            try setProperty(id, "visible", .bool(name == "show"))
            return .null
        case "set_text":
            try setProperty(id, "text", at(a, 0))
            return .null
        default: break
        }
        let v: Value = try nodeMember(id, name)
        if case .function = v { return try invoke(v, a) }
        return try hostOperation("", id, name, a)
    }
}

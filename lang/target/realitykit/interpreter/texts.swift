// Texts are handled as their code points.

func characters(_ s: String) -> [Value] {
    var out: [Value] = []
    for c in s.unicodeScalars { out.append(.text(String(Character(c)))) }
    return out
}

// findText is where a part begins at or behind a place, -1 where it does not.
func findText(_ s: [Unicode.Scalar], _ part: [Unicode.Scalar], _ from: Int) -> Int {
    if part.isEmpty { return from }
    var i: Int = from
    while i + part.count <= s.count {
        if s[i] == part[0] {
            var k: Int = 1
            while k < part.count && s[i + k] == part[k] { k += 1 }
            if k == part.count { return i }
        }
        i += 1
    }
    return -1
}

func countText(_ s: [Unicode.Scalar], _ part: [Unicode.Scalar]) -> Int {
    if part.isEmpty { return s.count + 1 }
    var n: Int = 0
    var i: Int = findText(s, part, 0)
    while i >= 0 {
        n += 1
        i = findText(s, part, i + part.count)
    }
    return n
}

// splitText cuts a text at every place of a part that is not empty.
func splitText(_ s: [Unicode.Scalar], _ part: [Unicode.Scalar]) -> [String] {
    var out: [String] = []
    var from: Int = 0
    while true {
        let i: Int = findText(s, part, from)
        if i < 0 {
            out.append(joined(s[from..<s.count]))
            return out
        }
        out.append(joined(s[from..<i]))
        from = i + part.count
    }
}

// cased maps each character by itself; those that would become several stay.
func cased(_ s: String, _ up: Bool) -> String {
    var out: String.UnicodeScalarView = String.UnicodeScalarView()
    for c in s.unicodeScalars {
        let mapped: String = up ? c.properties.uppercaseMapping : c.properties.lowercaseMapping
        let list: [Unicode.Scalar] = Array(mapped.unicodeScalars)
        out.append(list.count == 1 ? list[0] : c)
    }
    return String(out)
}

private func isSpace(_ c: Unicode.Scalar) -> Bool {
    let n: UInt32 = c.value
    if n >= 9 && n <= 13 || n == 32 || n == 0x85 || n == 0xa0 || n == 0x1680 { return true }
    return n >= 0x2000 && n <= 0x200a || n == 0x2028 || n == 0x2029 || n == 0x202f || n == 0x205f || n == 0x3000
}

func trimmed(_ s: String) -> String {
    let c: [Unicode.Scalar] = Array(s.unicodeScalars)
    var from: Int = 0
    var to: Int = c.count
    while from < to && isSpace(c[from]) { from += 1 }
    while to > from && isSpace(c[to - 1]) { to -= 1 }
    return joined(c[from..<to])
}

// bounded is an index counted from the front, or from the back when below 0,
// within 0 and n.
func bounded(_ v: Value, _ n: Int, _ otherwise: Int) -> Int {
    guard let x: Double = v.asDouble, !x.isNaN else { return otherwise }
    let i: Double = x < 0 ? x + Double(n) : x
    return Int(max(0, min(Double(n), i.rounded(.towardZero))))
}

extension Machine {
    func textMethod(_ s: String, _ name: String, _ a: [Value]) throws -> Value {
        let all: [Unicode.Scalar] = Array(s.unicodeScalars)
        let first: String = printed(at(a, 0))
        let part: [Unicode.Scalar] = Array(first.unicodeScalars)
        switch name {
        case "toUpperCase", "uppercase", "upper", "to_upper": return try textValue(cased(s, true))
        case "toLowerCase", "lowercase", "lower", "to_lower": return try textValue(cased(s, false))
        case "trim": return try textValue(trimmed(s))
        case "split":
            if a.isEmpty { return try listValue([.text(s)]) }
            if countText(all, part) >= Limit.items { throw Fault.tooLarge("too many parts") }
            if part.isEmpty { return try listValue(characters(s)) }
            var out: [Value] = []
            for piece in splitText(all, part) { out.append(.text(piece)) }
            return try listValue(out)
        case "replace":
            let by: String = printed(at(a, 1))
            let i: Int = findText(all, part, 0)
            if i < 0 { return try textValue(s) }
            return try textValue(joined(all[0..<i]) + by + joined(all[(i + part.count)..<all.count]))
        case "replaceAll", "replace_all": return try replaceAll(s, all, part, printed(at(a, 1)))
        case "includes", "contains": return .bool(findText(all, part, 0) >= 0)
        case "startsWith", "starts_with": return .bool(part.count <= all.count && all[0..<part.count].elementsEqual(part))
        case "endsWith", "ends_with": return .bool(part.count <= all.count && all[(all.count - part.count)..<all.count].elementsEqual(part))
        case "indexOf", "index_of": return .number(Double(findText(all, part, 0)))
        case "slice", "substring", "substr":
            let from: Int = bounded(at(a, 0), all.count, 0)
            let to: Int = max(from, bounded(at(a, 1), all.count, all.count))
            return try textValue(joined(all[from..<to]))
        case "charAt", "at": return try element(.text(s), at(a, 0))
        case "repeat":
            let n: Double = at(a, 0).asDouble ?? 0
            if n.isNaN || n < 0 || n > Double(Limit.text) || n * Double(s.utf8.count) > Double(Limit.text) {
                throw Fault.tooLarge("text repeated \(formatNumber(n)) times")
            }
            return try textValue(String(repeating: s, count: Int(n)))
        case "padStart", "pad_start": return try padded(s, all.count, a, true)
        case "padEnd", "pad_end": return try padded(s, all.count, a, false)
        case "concat": return try textValue(s + first)
        case "toString", "to_string": return .text(s)
        default: throw Fault.wrong("a text has no method '\(clipped(name))'")
        }
    }

    private func replaceAll(_ s: String, _ all: [Unicode.Scalar], _ part: [Unicode.Scalar], _ by: String) throws -> Value {
        let size: Int = countText(all, part) * by.utf8.count
        if size > Limit.text { throw Fault.tooLarge("text of \(size) bytes") }
        if !part.isEmpty { return try textValue(splitText(all, part).joined(separator: by)) }
        var out: String = by
        for c in all { out += String(Character(c)) + by }
        return try textValue(out)
    }

    private func padded(_ s: String, _ count: Int, _ a: [Value], _ before: Bool) throws -> Value {
        let wanted: Double = at(a, 0).asDouble ?? 0
        let fill: [Unicode.Scalar] = a.count > 1 ? Array(printed(a[1]).unicodeScalars) : [" "]
        let missing: Int = (wanted.isNaN ? 0 : Int(max(-1, min(wanted, Double(Limit.text))))) - count
        if missing <= 0 || fill.isEmpty { return .text(s) }
        var pad: [Unicode.Scalar] = []
        while pad.count < missing { pad.append(fill[pad.count % fill.count]) }
        let text: String = joined(pad[0..<pad.count])
        return try textValue(before ? text + s : s + text)
    }
}

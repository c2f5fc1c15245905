// JSON as values, the keys of objects in their order.
struct JSONReader {
    private let s: [Unicode.Scalar]
    private var at: Int = 0
    private let most: Int

    private init(_ text: String, _ most: Int) {
        s = Array(text.unicodeScalars)
        self.most = most
    }

    // read is the value of a text; nil where it is no JSON. No more than depth lists
    // and objects stand in each other, none has more than most elements.
    static func read(_ text: String, depth: Int, most: Int) -> Value? {
        var r: JSONReader = JSONReader(text, most)
        guard let v: Value = r.value(depth) else { return nil }
        r.skip()
        return r.at == r.s.count ? v : nil
    }

    private mutating func skip() {
        while at < s.count && (s[at] == " " || s[at] == "\n" || s[at] == "\t" || s[at] == "\r") { at += 1 }
    }

    private func peek() -> UInt32 { return at < s.count ? s[at].value : 0 }

    private mutating func value(_ depth: Int) -> Value? {
        skip()
        let c: UInt32 = peek()
        if c == 0x22 {
            guard let t: String = string() else { return nil }
            return .text(t)
        }
        if c == 0x5b { return depth > 0 ? array(depth) : nil }
        if c == 0x7b { return depth > 0 ? object(depth) : nil }
        return word()
    }

    private mutating func array(_ depth: Int) -> Value? {
        at += 1
        var items: [Value] = []
        skip()
        if peek() == 0x5d {
            at += 1
            return .list(ListValue(items))
        }
        while true {
            guard let v: Value = value(depth - 1) else { return nil }
            items.append(v)
            if items.count > most { return nil }
            skip()
            let next: UInt32 = peek()
            at += 1
            if next == 0x5d { return .list(ListValue(items)) }
            if next != 0x2c { return nil }
        }
    }

    private mutating func object(_ depth: Int) -> Value? {
        at += 1
        var fields: Fields = Fields()
        skip()
        if peek() == 0x7d {
            at += 1
            return .table(TableValue(fields))
        }
        while true {
            skip()
            if peek() != 0x22 { return nil }
            guard let key: String = string() else { return nil }
            skip()
            if peek() != 0x3a { return nil }
            at += 1
            guard let v: Value = value(depth - 1) else { return nil }
            fields.set(key, v)
            if fields.count > most { return nil }
            skip()
            let next: UInt32 = peek()
            at += 1
            if next == 0x7d { return .table(TableValue(fields)) }
            if next != 0x2c { return nil }
        }
    }

    private mutating func word() -> Value? {
        let from: Int = at
        while at < s.count {
            let c: UInt32 = s[at].value
            if c == 0x2c || c == 0x5d || c == 0x7d || c == 0x3a || c == 32 || c == 10 || c == 9 || c == 13 { break }
            at += 1
        }
        let w: String = joined(s[from..<at])
        if w == "null" { return .null }
        if w == "true" { return .bool(true) }
        if w == "false" { return .bool(false) }
        // a number: no sign +, digits on both sides of the point, no zero before digits
        var body: [Unicode.Scalar] = Array(w.unicodeScalars)
        if body.count > 0 && body[0] == "-" { body.removeFirst() }
        if body.isEmpty || !isDigit(body[0]) { return nil }
        if body.count > 1 && body[0] == "0" && isDigit(body[1]) { return nil }
        for i in 0..<body.count {
            if body[i] == "." && (i + 1 >= body.count || !isDigit(body[i + 1])) { return nil }
        }
        guard let x: Double = readNumber(w) else { return nil }
        return x.isFinite ? .number(x) : nil
    }

    private mutating func string() -> String? {
        at += 1
        var out: String.UnicodeScalarView = String.UnicodeScalarView()
        while at < s.count {
            let c: Unicode.Scalar = s[at]
            at += 1
            if c == "\"" { return String(out) }
            if c.value < 32 { return nil }
            if c != "\\" {
                out.append(c)
                continue
            }
            let e: UInt32 = peek()
            at += 1
            switch e {
            case 0x6e: out.append("\n")
            case 0x74: out.append("\t")
            case 0x72: out.append("\r")
            case 0x62: out.append("\u{8}")
            case 0x66: out.append("\u{c}")
            case 0x22: out.append("\"")
            case 0x5c: out.append("\\")
            case 0x2f: out.append("/")
            case 0x75:
                guard var code: UInt32 = hex() else { return nil }
                if code >= 0xd800 && code < 0xdc00 && at + 1 < s.count && s[at] == "\\" && s[at + 1] == "u" {
                    let back: Int = at
                    at += 2
                    guard let low: UInt32 = hex() else { return nil }
                    if low >= 0xdc00 && low < 0xe000 {
                        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
                    } else {
                        at = back
                    }
                }
                out.append(Unicode.Scalar(code) ?? "\u{fffd}")
            default: return nil
            }
        }
        return nil
    }

    private mutating func hex() -> UInt32? {
        if at + 4 > s.count { return nil }
        guard let n: UInt32 = UInt32(joined(s[at..<(at + 4)]), radix: 16) else { return nil }
        if s[at] == "+" || s[at] == "-" { return nil }
        at += 4
        return n
    }
}

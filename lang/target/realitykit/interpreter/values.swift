// The limits of running.
enum Limit {
    static let turn: Int = 10_000
    static let long: Int = 100_000
    static let step: Int = 200_000
    static let first: Int = 50_000_000
    static let calls: Int = 128
    static let events: Int = 10_000
    static let text: Int = 1_048_576
    static let items: Int = 100_000
    static let stack: Int = 4096
    static let made: Int = 8_388_608
    static let held: Int = 67_108_864
    static let waiting: Int = 10_000
    static let spawned: Int = 10_000
    static let rows: Int = 200_000
    static let trace: Int = 100_000
    static let depth: Int = 64
    static let chargeElements: Int = 64
    static let chargeBytes: Int = 512
    static let chargeRows: Int = 8
    static let noted: Int = 4096
}

// The values of a running program. Texts are measured in UTF-8 bytes, indexed in
// code points, and equal only where their code points are.
enum Value {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list(ListValue)
    case table(TableValue)
    case node(String)
    case state(String)
    case function(FunctionValue)
    case box(BoxValue)
    case walk(WalkValue)

    var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    var asText: String? {
        if case .text(let s) = self { return s }
        return nil
    }

    var asDouble: Double? {
        if case .number(let x) = self { return x }
        return nil
    }

    var asTable: TableValue? {
        if case .table(let t) = self { return t }
        return nil
    }

    var asList: ListValue? {
        if case .list(let l) = self { return l }
        return nil
    }
}

final class ListValue {
    var items: [Value]
    var turn: Int = 0
    init(_ items: [Value]) { self.items = items }
}

// Fields are the entries of an object in the order in which they came.
struct Fields {
    private(set) var keys: [String] = []
    private(set) var values: [Value] = []
    private var places: [[UInt8]: Int] = [:]

    init() {}

    var count: Int { return keys.count }

    func get(_ key: String) -> Value? {
        guard let i: Int = places[Array(key.utf8)] else { return nil }
        return values[i]
    }

    func has(_ key: String) -> Bool { return places[Array(key.utf8)] != nil }

    mutating func set(_ key: String, _ v: Value) {
        let bytes: [UInt8] = Array(key.utf8)
        if let i: Int = places[bytes] {
            values[i] = v
            return
        }
        places[bytes] = keys.count
        keys.append(key)
        values.append(v)
    }

    mutating func remove(_ key: String) -> Bool {
        guard let i: Int = places[Array(key.utf8)] else { return false }
        keys.remove(at: i)
        values.remove(at: i)
        places = [:]
        for (at, name) in keys.enumerated() {
            places[Array(name.utf8)] = at
        }
        return true
    }
}

final class TableValue {
    var fields: Fields
    var turn: Int = 0
    init(_ fields: Fields) { self.fields = fields }
}

final class FunctionValue {
    let fn: FunctionData
    let boxes: [BoxValue]
    init(_ fn: FunctionData, _ boxes: [BoxValue]) {
        self.fn = fn
        self.boxes = boxes
    }
}

final class BoxValue {
    var v: Value
    var turn: Int
    init(_ v: Value, _ turn: Int) {
        self.v = v
        self.turn = turn
    }
}

final class WalkValue {
    let items: [Value]
    var at: Int = 0
    init(_ items: [Value]) { self.items = items }
}

// A fault ends a handler. It has the place in the source where it happened.
final class Fault: Error, @unchecked Sendable {
    let code: String
    var message: String
    var function: String = ""
    var line: Int = 0
    var column: Int = 0
    var thrown: Value = .null

    init(_ code: String, _ message: String) {
        self.code = code
        self.message = message
    }

    // value is what a catch sees.
    var value: Value {
        if code == "RUN006" && thrown.asText == nil { return thrown }
        var f: Fields = Fields()
        f.set("message", .text(message))
        f.set("code", .text(code))
        return .table(TableValue(f))
    }

    static func tooLong(_ text: String) -> Fault { return Fault("RUN001", text) }
    static func tooDeep(_ text: String) -> Fault { return Fault("RUN002", text) }
    static func tooMany(_ text: String) -> Fault { return Fault("RUN003", text) }
    static func wrong(_ text: String) -> Fault { return Fault("RUN004", text) }
    static func tooLarge(_ text: String) -> Fault { return Fault("RUN007", text) }
}

func faultOf(_ error: Error) -> Fault {
    if let f: Fault = error as? Fault { return f }
    return Fault("RUN004", String(describing: error))
}

func truthy(_ v: Value) -> Bool {
    switch v {
    case .null: return false
    case .bool(let b): return b
    case .number(let x): return x != 0 && !x.isNaN
    case .text(let s): return !s.isEmpty
    default: return true
    }
}

func sameText(_ a: String, _ b: String) -> Bool { return a.utf8.elementsEqual(b.utf8) }

// equalValues compares by value; left says how many comparisons are allowed.
func equalValues(_ a: Value, _ b: Value, _ depth: Int, _ left: inout Int) -> Bool {
    left -= 1
    if left < 0 || depth < 0 { return false }
    switch (a, b) {
    case (.null, .null): return true
    case (.bool(let x), .bool(let y)): return x == y
    case (.number(let x), .number(let y)): return x == y
    case (.text(let x), .text(let y)):
        let size: Int = x.utf8.count
        if size != y.utf8.count { return false }
        if size >= Limit.chargeBytes { left -= size / Limit.chargeBytes }
        return sameText(x, y)
    case (.node(let x), .node(let y)): return x == y
    case (.state(let x), .state(let y)): return x == y
    case (.function(let x), .function(let y)): return x === y
    case (.list(let x), .list(let y)):
        if x.items.count != y.items.count { return false }
        if x === y { return true }
        for i in 0..<x.items.count {
            if !equalValues(x.items[i], y.items[i], depth - 1, &left) { return false }
        }
        return true
    case (.table(let x), .table(let y)):
        if x.fields.count != y.fields.count { return false }
        if x === y { return true }
        for i in 0..<x.fields.count {
            guard let w: Value = y.fields.get(x.fields.keys[i]) else { return false }
            if !equalValues(x.fields.values[i], w, depth - 1, &left) { return false }
        }
        return true
    default: return false
    }
}

func sameValue(_ a: Value, _ b: Value) -> Bool {
    var left: Int = Limit.items
    return equalValues(a, b, Limit.depth, &left)
}

// numberOf is a value as a number, nil where it is none.
func numberOf(_ v: Value) -> Double? {
    switch v {
    case .null: return 0
    case .bool(let b): return b ? 1 : 0
    case .number(let x): return x
    default: return nil
    }
}

let brokenText: String = "\u{2026}"

// Printer writes a value and counts the bytes.
struct Printer {
    var out: String = ""
    var size: Int = 0

    mutating func put(_ s: String) {
        out += s
        size += s.utf8.count
    }

    mutating func show(_ v: Value, _ depth: Int, _ left: Int) {
        if left <= 0 || depth < 0 {
            put(brokenText)
            return
        }
        let was: Int = size
        switch v {
        case .null: put("null")
        case .bool(let b): put(b ? "true" : "false")
        case .number(let x): put(formatNumber(x))
        case .text(let s): put(quoted(s))
        case .node(let id): put(id)
        case .state(let id): put(id + ".state")
        case .function: put("function")
        case .list(let l):
            put("[")
            for i in 0..<l.items.count {
                if i > 0 { put(",") }
                if size - was > left {
                    put(brokenText)
                    break
                }
                show(l.items[i], depth - 1, left - (size - was))
            }
            put("]")
        case .table(let t):
            put("{")
            for i in 0..<t.fields.count {
                if i > 0 { put(",") }
                if size - was > left {
                    put(brokenText)
                    break
                }
                put(quoted(t.fields.keys[i]))
                put(":")
                show(t.fields.values[i], depth - 1, left - (size - was))
            }
            put("}")
        case .box, .walk: put("null")
        }
    }
}

// textOf is a value as text: a text itself, everything else as it is printed.
func textOf(_ v: Value) -> String {
    if case .text(let s) = v { return s }
    var p: Printer = Printer()
    p.show(v, Limit.depth, Limit.text)
    return p.out
}

func quoted(_ s: String) -> String {
    let hex: [String] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f"]
    var out: String.UnicodeScalarView = String.UnicodeScalarView()
    out.append("\"")
    for c in s.unicodeScalars {
        let n: Int = Int(c.value)
        if n == 0x22 || n == 0x5c {
            out.append("\\")
            out.append(c)
        } else if n == 10 {
            out.append(contentsOf: "\\n".unicodeScalars)
        } else if n == 9 {
            out.append(contentsOf: "\\t".unicodeScalars)
        } else if n < 0x20 || n == 0x7f {
            out.append(contentsOf: ("\\u00" + hex[n >> 4] + hex[n & 15]).unicodeScalars)
        } else {
            out.append(c)
        }
    }
    out.append("\"")
    return String(out)
}

func typeName(_ v: Value) -> String {
    switch v {
    case .null: return "null"
    case .bool: return "boolean"
    case .number: return "number"
    case .text: return "string"
    case .list: return "list"
    case .function: return "function"
    case .node: return "node"
    default: return "object"
    }
}

func joined(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var out: String.UnicodeScalarView = String.UnicodeScalarView()
    out.append(contentsOf: scalars)
    return String(out)
}

// clipped shortens a text for a message.
func clipped(_ s: String) -> String {
    let all: [Unicode.Scalar] = Array(s.unicodeScalars)
    if all.count <= 200 { return s }
    return joined(all[0..<200]) + brokenText
}

// shortened is a text of a log or a trace.
func shortened(_ s: String) -> String {
    if s.utf8.count <= Limit.noted { return s }
    var size: Int = 0
    var out: String.UnicodeScalarView = String.UnicodeScalarView()
    for c in s.unicodeScalars {
        size += Unicode.UTF8.width(c)
        if size > Limit.noted { break }
        out.append(c)
    }
    return String(out) + brokenText
}

// copied is a deep copy of lists and objects.
func copied(_ v: Value, _ depth: Int) -> Value {
    if depth < 0 { return .null }
    switch v {
    case .list(let l):
        var items: [Value] = []
        for e in l.items { items.append(copied(e, depth - 1)) }
        return .list(ListValue(items))
    case .table(let t):
        var f: Fields = Fields()
        for i in 0..<t.fields.count { f.set(t.fields.keys[i], copied(t.fields.values[i], depth - 1)) }
        return .table(TableValue(f))
    default: return v
    }
}

// orderOfTexts orders texts by their code points: -1, 0 or 1.
func orderOfTexts(_ a: String, _ b: String) -> Int {
    if a.unicodeScalars.elementsEqual(b.unicodeScalars) { return 0 }
    return a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars) ? -1 : 1
}

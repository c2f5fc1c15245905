// Numbers as text and back, the way scripts of the web do it.

func zeros(_ n: Int) -> String { return String(repeating: "0", count: max(0, n)) }

// formatNumber writes the fewest digits that read back as the same number.
func formatNumber(_ x: Double) -> String {
    if x.isNaN { return "NaN" }
    if x.isInfinite { return x > 0 ? "Infinity" : "-Infinity" }
    if x == 0 { return "0" }
    if x < 0 { return "-" + formatNumber(-x) }
    // The description has these digits, in a layout of its own.
    let parts: [String] = x.description.lowercased().components(separatedBy: "e")
    let exponent: Int = parts.count > 1 ? (Int(parts[1]) ?? 0) : 0
    let sides: [String] = parts[0].components(separatedBy: ".")
    let whole: String = sides[0]
    let fraction: String = sides.count > 1 ? sides[1] : ""
    var digits: [Character] = Array(whole + fraction)
    var point: Int = whole.count + exponent
    while digits.count > 1 && digits[0] == "0" {
        digits.removeFirst()
        point -= 1
    }
    while digits.count > 1 && digits[digits.count - 1] == "0" { digits.removeLast() }
    let all: String = String(digits)
    let k: Int = digits.count
    if k <= point && point <= 21 { return all + zeros(point - k) }
    if point > 0 && point <= 21 { return String(digits[0..<point]) + "." + String(digits[point..<k]) }
    if point > -6 && point <= 0 { return "0." + zeros(-point) + all }
    let e: Int = point - 1
    let head: String = k == 1 ? all : String(digits[0..<1]) + "." + String(digits[1..<k])
    return head + "e" + (e < 0 ? "-" : "+") + String(abs(e))
}

// fixedNumber has a number of digits behind the point; halves go away from zero.
func fixedNumber(_ given: Double, _ digits: Double) -> String {
    let d: Int = digits.isNaN ? 0 : Int(max(0, min(20, digits)))
    var x: Double = given
    if x.isNaN || abs(x) >= 1e21 { return formatNumber(x) }
    if x == 0 { x = 0 }
    let tie: Double = scalbn(abs(x), d + 1)
    if tie == tie.rounded(.towardZero) && fmod(tie, 2) == 1 {
        x = x < 0 ? -(abs(x).nextUp) : abs(x).nextUp
    }
    return String(format: "%.\(d)f", x == 0 ? 0 : x)
}

func isDigit(_ c: Unicode.Scalar) -> Bool { return c.value >= 48 && c.value <= 57 }

// readNumber reads a decimal number; nil for everything else.
func readNumber(_ s: String) -> Double? {
    let c: [Unicode.Scalar] = Array(s.unicodeScalars)
    var i: Int = 0
    if i < c.count && (c[i] == "+" || c[i] == "-") { i += 1 }
    var digits: Int = 0
    while i < c.count && isDigit(c[i]) {
        i += 1
        digits += 1
    }
    if i < c.count && c[i] == "." {
        i += 1
        while i < c.count && isDigit(c[i]) {
            i += 1
            digits += 1
        }
    }
    if digits == 0 { return nil }
    if i < c.count && (c[i] == "e" || c[i] == "E") {
        i += 1
        if i < c.count && (c[i] == "+" || c[i] == "-") { i += 1 }
        let from: Int = i
        while i < c.count && isDigit(c[i]) { i += 1 }
        if i == from { return nil }
    }
    if i < c.count { return nil }
    return strtod(s, nil)
}

// wholeOf is a number as the 32 bits that operators on bits see.
func wholeOf(_ x: Double) -> Int32 {
    if !x.isFinite { return 0 }
    let rest: Double = fmod(x.rounded(.towardZero), 4294967296)
    return Int32(truncatingIfNeeded: Int64(rest))
}

func powerOf(_ x: Double, _ y: Double) -> Double {
    if y.isNaN { return Double.nan }
    if abs(x) == 1 && y.isInfinite { return Double.nan }
    return pow(x, y)
}

func leastOf(_ a: Double, _ b: Double) -> Double {
    if a.isNaN || b.isNaN { return Double.nan }
    return a < b ? a : b
}

func mostOf(_ a: Double, _ b: Double) -> Double {
    if a.isNaN || b.isNaN { return Double.nan }
    return a > b ? a : b
}

// RandomNumbers is the generator sfc32, seeded with the hash of the source.
struct RandomNumbers {
    private var a: UInt32
    private var b: UInt32
    private var c: UInt32
    private var d: UInt32

    init(_ seed: [UInt32]) {
        a = seed.count > 0 ? seed[0] : 0
        b = seed.count > 1 ? seed[1] : 0
        c = seed.count > 2 ? seed[2] : 0
        d = seed.count > 3 ? seed[3] : 0
        for _ in 0..<12 { _ = next() }
    }

    private mutating func next() -> UInt32 {
        let t: UInt32 = a &+ b &+ d
        d = d &+ 1
        a = b ^ (b >> 9)
        b = c &+ (c << 3)
        c = (c << 21) | (c >> 11)
        c = c &+ t
        return t
    }

    mutating func float() -> Double { return Double(next()) / 4294967296 }
}

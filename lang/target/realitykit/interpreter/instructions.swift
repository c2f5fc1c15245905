// The instructions. What a code means is the table of program/1.
private let operandCount: [Int] = [
    1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    1, 1, 1, 1, 2, 2, 2, 2, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1,
]

extension Machine {
    // resume runs a thread until it ends or waits; faults are thrown.
    func resume(_ t: TurnThread) throws -> Outcome {
        let outer: Int = depth
        defer { depth = outer }
        while true {
            do {
                return try runThread(t)
            } catch {
                let f: Fault = faultOf(error)
                if f.function.isEmpty, let top: CallFrame = t.frames.last {
                    f.function = top.fn.name
                    for l in top.fn.lines {
                        if l.count < 3 || l[0] > top.pc { break }
                        f.line = l[1]
                        f.column = l[2]
                    }
                }
                if f.code == "RUN001" || !caught(t, f) { throw f }
            }
        }
    }

    private func runThread(_ t: TurnThread) throws -> Outcome {
        while true {
            depth = t.depth + t.frames.count
            let out: Outcome = try instruction(t)
            if case .going = out { continue }
            return out
        }
    }

    // caught goes on behind the innermost try.
    private func caught(_ t: TurnThread, _ f: Fault) -> Bool {
        while let top: CallFrame = t.frames.last {
            if let at: TryPlace = top.tries.popLast() {
                t.cut(at.height)
                t.stack.append(f.value)
                top.pc = at.pc
                return true
            }
            t.cut(top.base)
            t.frames.removeLast()
        }
        return false
    }

    // spread are the arguments that the elements of a list make.
    private func spread(_ v: Value) throws -> [Value] {
        guard case .list(let l) = v else { throw Fault.wrong("only a list can be spread into arguments, not \(typeName(v))") }
        if l.items.count > Limit.stack { throw Fault.tooLarge("more than \(Limit.stack) arguments") }
        return l.items
    }

    private func constantText(_ k: Int) -> String { return p.consts[k].asText ?? "" }

    // instruction runs one instruction of a thread.
    private func instruction(_ t: TurnThread) throws -> Outcome {
        budget -= 1
        try checkBudget()
        spent += 1
        let fr: CallFrame = t.frames[t.frames.count - 1]
        let code: [Int] = fr.fn.code
        let op: Int = code[fr.pc]
        let width: Int = operandCount[op]
        let a: Int = width > 0 ? code[fr.pc + 1] : 0
        let b: Int = width > 1 ? code[fr.pc + 2] : 0
        let next: Int = fr.pc + 1 + width
        if t.stack.count >= Limit.stack { throw Fault.tooLarge("stack of more than \(Limit.stack) values") }
        if op < 20 {
            try place(op, a, t, fr)
            fr.pc = next
            return .going
        }
        if op < 42 {
            try compute(op, t)
            fr.pc = next
            return .going
        }
        return try control(op, a, b, next, t, fr)
    }

    // place does what moves values: constants, locals, state, members, lists.
    private func place(_ op: Int, _ a: Int, _ t: TurnThread, _ fr: CallFrame) throws {
        switch op {
        case 0: t.stack.append(p.consts[a])
        case 1: _ = t.pop()
        case 2: t.stack.append(t.stack[t.stack.count - 1])
        case 3:
            if case .box(let box) = fr.locals[a] {
                t.stack.append(box.v)
            } else {
                t.stack.append(fr.locals[a])
            }
        case 4:
            let v: Value = t.pop()
            if case .box(let box) = fr.locals[a] {
                touch(box)
                box.v = v
            } else {
                fr.locals[a] = v
            }
        case 5:
            if case .box = fr.locals[a] {
                t.stack.append(fr.locals[a])
            } else {
                let box: BoxValue = BoxValue(fr.locals[a], turn)
                fr.locals[a] = .box(box)
                t.stack.append(.box(box))
            }
        case 6: t.stack.append(.node(fr.fn.owner))
        case 7: t.stack.append(.node(fr.fn.node(constantText(a))))
        case 8: t.stack.append(slots[fr.fn.slot(a)])
        case 9: set(fr.fn.slot(a), t.pop())
        case 10: t.stack.append(try computedValue(fr.fn.computed(a)))
        case 11: t.stack.append(try member(t.pop(), constantText(a)))
        case 12:
            let v: Value = t.pop()
            try putMember(t.pop(), constantText(a), v)
        case 13:
            let i: Value = t.pop()
            t.stack.append(try element(t.pop(), i))
        case 14:
            let v: Value = t.pop()
            let i: Value = t.pop()
            try putElement(t.pop(), i, v)
        case 15: t.stack.append(try listValue(t.take(a)))
        case 16:
            let pairs: [Value] = t.take(2 * a)
            var f: Fields = Fields()
            for i in 0..<a { f.set(printed(pairs[2 * i]), pairs[2 * i + 1]) }
            t.stack.append(.table(TableValue(f)))
            try alloc(a + 1)
        case 17:
            let y: Value = t.pop()
            let x: Value = t.pop()
            guard case .list(let first) = x, case .list(let second) = y else {
                throw Fault.wrong("only a list can be spread into a list, not \(typeName(y))")
            }
            t.stack.append(try listValue(first.items + second.items))
        case 18:
            let y: Value = t.pop()
            t.stack.append(try merged(t.pop(), y))
        default:
            var text: String = ""
            for v in t.take(a) {
                text += printed(v)
                if text.utf8.count > Limit.text { break }
            }
            t.stack.append(try textValue(text))
        }
    }

    // compute does what makes one value of one or two.
    private func compute(_ op: Int, _ t: TurnThread) throws {
        if op == 26 || op == 32 {
            let v: Value = t.pop()
            guard let n: Double = numberOf(v) else {
                throw Fault.wrong((op == 26 ? "- needs a number, not " : "~ needs a number, not ") + typeName(v))
            }
            t.stack.append(.number(op == 26 ? -n : Double(~wholeOf(n))))
            return
        }
        if op == 33 {
            t.stack.append(.bool(!truthy(t.pop())))
            return
        }
        let y: Value = t.pop()
        let x: Value = t.pop()
        if op == 20 && (x.asText != nil || y.asText != nil) {
            t.stack.append(try textValue(printed(x) + printed(y)))
        } else if op < 26 {
            t.stack.append(.number(try arithmetic(op, x, y)))
        } else if op < 32 {
            t.stack.append(.number(try bits(op, x, y)))
        } else if op < 36 {
            t.stack.append(.bool(same(x, y) == (op == 34)))
        } else if op < 40 {
            t.stack.append(.bool(try ordered(op, x, y)))
        } else if op == 40 {
            t.stack.append(.bool(try within(x, y)))
        } else {
            t.stack.append(try rangeValue(x, y))
        }
    }

    // enter puts the frame of a called function on top.
    private func enter(_ fn: FunctionData, _ args: [Value], _ boxes: [BoxValue], _ next: Int, _ t: TurnThread, _ fr: CallFrame) throws -> Outcome {
        fr.pc = next
        if fn.dead {
            t.stack.append(.null)
            return .going
        }
        try deeper()
        t.frames.append(CallFrame(fn, args, boxes, t.stack.count))
        return .going
    }

    // control does what goes elsewhere: jumps, calls, faults, waiting.
    private func control(_ op: Int, _ a: Int, _ b: Int, _ following: Int, _ t: TurnThread, _ fr: CallFrame) throws -> Outcome {
        var next: Int = following
        switch op {
        case 42: next = a
        case 43:
            if !truthy(t.pop()) { next = a }
        case 44:
            if truthy(t.pop()) { next = a }
        case 45:
            if t.stack[t.stack.count - 1].isNull { next = a }
        case 46: return try enter(functions[fr.fn.function(a)], t.take(b), [], next, t, fr)
        case 47:
            let args: [Value] = t.take(b)
            t.stack.append(try hostOperation(fr.fn.name, fr.fn.owner, p.host[a], args))
        case 48:
            let args: [Value] = t.take(b)
            t.stack.append(try method(t.pop(), constantText(a), args))
        case 49:
            var boxes: [BoxValue] = []
            for v in t.take(b) {
                if case .box(let box) = v {
                    boxes.append(box)
                } else {
                    boxes.append(BoxValue(v, turn))
                }
            }
            t.stack.append(.function(FunctionValue(functions[fr.fn.function(a)], boxes)))
            try alloc(b + 1)
        case 50, 60:
            var args: [Value] = []
            if op == 50 {
                args = t.take(a)
            } else {
                args = try spread(t.pop())
            }
            let f: FunctionValue = try callable(t.pop())
            return try enter(f.fn, args, f.boxes, next, t, fr)
        case 51:
            let v: Value = t.pop()
            t.cut(fr.base)
            t.frames.removeLast()
            if t.frames.isEmpty { return .ended(v) }
            t.stack.append(v)
            return .going
        case 52: throw thrown(t.pop())
        case 53: fr.tries.append(TryPlace(pc: a, height: t.stack.count))
        case 54: _ = fr.tries.popLast()
        case 55:
            let v: [Value] = t.take(a)
            try emit(fr.fn.owner, printed(v[0]), a == 2 ? v[1] : .null)
        case 56:
            let n: Double = t.pop().asDouble ?? 0
            t.stack.append(.null)
            fr.pc = next
            return .asleep(n >= 0 ? min(n, 1e9) : 0)
        case 57:
            let overrides: Value = t.pop()
            t.stack.append(try spawn(fr.fn.owner, constantText(a), t.pop(), overrides))
        case 58: t.stack.append(try walkOver(t.pop()))
        case 59:
            guard case .walk(let w) = t.stack[t.stack.count - 1] else { throw Fault.wrong("nothing to walk over") }
            if w.at < w.items.count {
                t.stack.append(w.items[w.at])
                w.at += 1
            } else {
                _ = t.pop()
                next = a
            }
        case 61:
            let args: [Value] = try spread(t.pop())
            t.stack.append(try method(t.pop(), constantText(a), args))
        default:
            let args: [Value] = try spread(t.pop())
            t.stack.append(try hostOperation(fr.fn.name, fr.fn.owner, p.host[a], args))
        }
        fr.pc = next
        return .going
    }

    private func thrown(_ v: Value) -> Fault {
        let f: Fault = Fault("RUN006", clipped(printed(v)))
        f.thrown = v
        if let said: String = v.asTable?.fields.get("message")?.asText { f.message = clipped(said) }
        return f
    }
}

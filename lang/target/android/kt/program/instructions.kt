private fun pop(s: ArrayList<Any?>): Any? = s.removeAt(s.size - 1)

private fun take(s: ArrayList<Any?>, n: Int): ArrayList<Any?> {
    val top = s.subList(s.size - n, s.size)
    val out = ArrayList<Any?>(top)
    top.clear()
    return out
}

/** The arguments that the elements of a list make. */
private fun spread(v: Any?): ArrayList<Any?> {
    if (v !is ListValue) throw wrongKind("only a list can be spread into arguments, not ${typeName(v)}")
    if (v.items.size > Limits.STACK) throw tooLarge("more than ${Limits.STACK} arguments")
    return ArrayList(v.items)
}

private fun Machine.deeper() {
    if (depth >= Limits.CALLS) throw tooDeep("more than ${Limits.CALLS} calls within calls")
}

/** Runs one instruction of a thread: a value ends it, Asleep makes it wait, with Going it goes on. */
internal fun Machine.instruction(t: Thread): Any? {
    tick()
    val fr = t.frames[t.frames.size - 1]
    val code = fr.fn.code
    val s = t.stack
    val op = code[fr.pc]
    val wide = shapes[op].args.length
    val a = if (wide > 0) code[fr.pc + 1] else 0
    val b = if (wide > 1) code[fr.pc + 2] else 0
    var next = fr.pc + 1 + wide
    if (s.size >= Limits.STACK) throw tooLarge("stack of more than ${Limits.STACK} values")
    when (op) {
        Op.CONST -> s.add(p.consts[a])
        Op.POP -> pop(s)
        Op.DUP -> s.add(s[s.size - 1])
        Op.LOAD -> {
            val v = fr.locals[a]
            s.add(if (v is Box) v.v else v)
        }
        Op.STORE -> {
            val v = pop(s)
            val box = fr.locals[a]
            if (box is Box) {
                touch(box)
                box.v = v
            } else {
                fr.locals[a] = v
            }
        }
        Op.CELL -> {
            val v = fr.locals[a]
            val box = if (v is Box) v else Box(v, turn)
            fr.locals[a] = box
            s.add(box)
        }
        Op.SELF -> s.add(NodeRef(fr.fn.owner))
        Op.NODE -> s.add(NodeRef(fr.fn.node(p.consts[a] as String)))
        Op.GET -> s.add(slots[fr.fn.slot(a)])
        Op.SET -> set(fr.fn.slot(a), pop(s))
        Op.COMP -> s.add(computed(fr.fn.computed(a)))
        Op.MEM -> s.add(member(this, pop(s), p.consts[a] as String))
        Op.PUTMEM -> {
            val v = pop(s)
            putMember(this, pop(s), p.consts[a] as String, v)
        }
        Op.IDX -> {
            val i = pop(s)
            s.add(element(this, pop(s), i))
        }
        Op.PUTIDX -> {
            val v = pop(s)
            val i = pop(s)
            putElement(this, pop(s), i, v)
        }
        Op.ARR -> s.add(list(take(s, a)))
        Op.OBJ -> {
            val pairs = take(s, 2 * a)
            val o = MapValue()
            for (i in 0 until a) o.map[printed(pairs[2 * i])] = pairs[2 * i + 1]
            s.add(o)
            alloc(a + 1)
        }
        Op.CONCAT -> {
            val y = pop(s)
            val x = pop(s)
            if (x !is ListValue || y !is ListValue) throw wrongKind("only a list can be spread into a list, not ${typeName(y)}")
            val items = ArrayList<Any?>(x.items)
            items.addAll(y.items)
            s.add(list(items))
        }
        Op.MERGE -> {
            val y = pop(s)
            s.add(merged(this, pop(s), y))
        }
        Op.TPL -> s.add(template(take(s, a)))
        Op.ADD -> {
            val y = pop(s)
            val x = pop(s)
            if (x is String || y is String) s.add(text(printed(x) + printed(y))) else s.add(arithmetic(op, x, y))
        }
        Op.SUB, Op.MUL, Op.DIV, Op.MOD, Op.POW -> {
            val y = pop(s)
            s.add(arithmetic(op, pop(s), y))
        }
        Op.NEG -> {
            val v = pop(s)
            val n = asNumber(v) ?: throw wrongKind("- needs a number, not ${typeName(v)}")
            s.add(-n)
        }
        Op.AND, Op.OR, Op.XOR, Op.SHL, Op.SHR -> {
            val y = pop(s)
            s.add(bits(op, pop(s), y))
        }
        Op.COMPL -> {
            val v = pop(s)
            val n = asNumber(v) ?: throw wrongKind("~ needs a number, not ${typeName(v)}")
            s.add(number(int32(n).inv()))
        }
        Op.NOT -> s.add(!truthy(pop(s)))
        Op.EQ, Op.NE -> {
            val y = pop(s)
            s.add(same(pop(s), y) == (op == Op.EQ))
        }
        Op.LT, Op.LE, Op.GT, Op.GE -> {
            val y = pop(s)
            s.add(ordered(this, op, pop(s), y))
        }
        Op.IN -> {
            val y = pop(s)
            s.add(within(this, pop(s), y))
        }
        Op.RANGE -> {
            val y = pop(s)
            s.add(rangeOf(this, pop(s), y))
        }
        Op.JMP -> next = a
        Op.JZ -> if (!truthy(pop(s))) next = a
        Op.JNZ -> if (truthy(pop(s))) next = a
        Op.JNULL -> if (s[s.size - 1] == null) next = a
        Op.CALL -> {
            deeper()
            fr.pc = next
            val args = take(s, b)
            t.frames.add(frame(functions[fr.fn.function(a)], args, emptyList(), s.size))
            return Going
        }
        Op.HOST -> {
            val args = take(s, b)
            s.add(hostCall(fr.fn.name, fr.fn.owner, p.host[a], args))
        }
        Op.METHOD -> {
            val args = take(s, b)
            s.add(method(this, pop(s), p.consts[a] as String, args))
        }
        Op.FN -> {
            val boxes = ArrayList<Box>()
            for (v in take(s, b)) boxes.add(if (v is Box) v else Box(v, turn))
            s.add(Closure(functions[fr.fn.function(a)], boxes))
            alloc(b + 1)
        }
        Op.HOSTS -> s.add(hostCall(fr.fn.name, fr.fn.owner, p.host[a], spread(pop(s))))
        Op.METHODS -> {
            val args = spread(pop(s))
            s.add(method(this, pop(s), p.consts[a] as String, args))
        }
        Op.CALLV, Op.CALLS -> {
            val args = if (op == Op.CALLV) take(s, a) else spread(pop(s))
            val c = callable(pop(s))
            if (c.fn.dead) {
                s.add(null)
            } else {
                deeper()
                fr.pc = next
                t.frames.add(frame(c.fn, args, c.boxes, s.size))
                return Going
            }
        }
        Op.RET -> {
            val v = pop(s)
            cut(s, fr.base)
            t.frames.removeAt(t.frames.size - 1)
            if (t.frames.isEmpty()) return v
            s.add(v)
            return Going
        }
        Op.THROW -> throw thrown(pop(s))
        Op.TRY -> fr.tries.add(Try(a, s.size))
        Op.ENDTRY -> fr.tries.removeAt(fr.tries.size - 1)
        Op.EMIT -> {
            val v = take(s, a)
            emit(fr.fn.owner, printed(v[0]), if (a == 2) v[1] else null)
        }
        Op.AWAIT -> {
            val n = pop(s)
            s.add(null)
            fr.pc = next
            return Asleep(if (n is Double && n >= 0) Math.min(n, 1e9) else 0.0)
        }
        Op.SPAWN -> {
            val overrides = pop(s)
            val place = pop(s)
            s.add(spawn(fr.fn.owner, p.consts[a] as String, place, overrides))
        }
        Op.ITER -> s.add(walk(this, pop(s)))
        Op.NEXT -> {
            val it = s[s.size - 1] as? Walk ?: throw wrongKind("nothing to walk over")
            if (it.at < it.items.size) {
                s.add(it.items[it.at++])
            } else {
                pop(s)
                next = a
            }
        }
    }
    fr.pc = next
    return Going
}

private fun Machine.template(parts: List<Any?>): String {
    val out = StringBuilder()
    var size = 0
    for (v in parts) {
        val one = printed(v)
        out.append(one)
        size += bytesOf(one)
        if (size > Limits.TEXT) break
    }
    return text(out.toString())
}

private fun Machine.thrown(v: Any?): Fault {
    val f = Fault("RUN006", clip(printed(v)))
    f.thrown = v
    if (v is MapValue) {
        val text = v.map["message"]
        if (text is String) f.text = clip(text)
    }
    return f
}

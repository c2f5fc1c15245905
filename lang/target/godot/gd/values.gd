# The values of a running program: null, true and false, numbers, texts, and the
# classes below. Texts are measured in UTF-8 bytes and indexed in code points.
# Every class says its kind, as numbers and texts do by their type.

const NIL = 0
const BOOL = 1
const NUM = 3
const TEXT = 4
const LIST = 101
const OBJ = 102
const NODE = 103
const STATE = 104
const FN = 105
const BOX = 106
const ITER = 107

class List:
	var kind = 101
	var turn = 0
	var items
	func _init(i):
		items = i

class Obj:
	var kind = 102
	var turn = 0
	var map
	func _init(m):
		map = m

class NodeRef:
	var kind = 103
	var id
	func _init(i):
		id = i

class StateOf:
	var kind = 104
	var id
	func _init(i):
		id = i

class Closure:
	var kind = 105
	var fn
	var boxes
	func _init(f, b):
		fn = f
		boxes = b

class Box:
	var kind = 106
	var v
	var turn
	func _init(x, t):
		v = x
		turn = t

class Iter:
	var kind = 107
	var at = 0
	var items
	func _init(i):
		items = i

# A fault ends a handler. It has the place in the source where it happened.
class Fault:
	var code
	var message
	var function = ""
	var line = 0
	var column = 0
	var thrown = null
	func _init(c, m):
		code = c
		message = m

func v_kind(v):
	var t = typeof(v)
	if t > 4:
		return v.kind
	return t

func v_truthy(v):
	match typeof(v):
		NIL:
			return false
		BOOL:
			return v
		NUM:
			return v != 0.0 and not is_nan(v)
		TEXT:
			return v != ""
	return true

# v_bytes is the length of a text in UTF-8.
func v_bytes(s):
	return d_bytes(s)

func v_chars(s):
	var out = []
	for i in range(s.length()):
		out.append(s.substr(i, 1))
	return out

func v_part(list, from, to):
	var out = []
	for i in range(from, to):
		out.append(list[i])
	return out

func v_join(list, gap):
	# halves are joined first, so that long texts do not grow one by one
	var n = list.size()
	if n == 0:
		return ""
	var parts = list
	var first = true
	while parts.size() > 1:
		var next = []
		var i = 0
		while i < parts.size():
			if i + 1 < parts.size():
				next.append(parts[i] + gap + parts[i + 1])
			else:
				next.append(parts[i])
			i += 2
		parts = next
		first = false
	return parts[0]

# v_split cuts a text at every place of a part that is not empty.
func v_split(s, part):
	var out = []
	var at = 0
	while true:
		var i = s.find(part, at)
		if i < 0:
			out.append(s.substr(at, s.length() - at))
			return out
		out.append(s.substr(at, i - at))
		at = i + part.length()

var equal_left = 0

func v_equal(a, b, depth):
	equal_left -= 1
	if equal_left < 0 or depth < 0:
		return false
	var k = v_kind(a)
	if k != v_kind(b):
		return false
	match k:
		NIL:
			return true
		LIST:
			var n = a.items.size()
			if n != b.items.size():
				return false
			if a == b:
				return true
			for i in range(n):
				if not v_equal(a.items[i], b.items[i], depth - 1):
					return false
			return true
		OBJ:
			if a.map.size() != b.map.size():
				return false
			if a == b:
				return true
			for key in a.map:
				if not b.map.has(key) or not v_equal(a.map[key], b.map[key], depth - 1):
					return false
			return true
		NODE, STATE:
			return a.id == b.id
		ITER, BOX:
			return false
		TEXT:
			if a.length() * 3 >= ChargeBytes:
				var size = v_bytes(a)
				if size == v_bytes(b):
					equal_left -= int(size / ChargeBytes)
	return a == b

func v_same(a, b):
	equal_left = MaxItems
	return v_equal(a, b, MaxDepth)

# v_number is a value as a number, null where it is none.
func v_number(v):
	match typeof(v):
		NIL:
			return 0.0
		BOOL:
			return 1.0 if v else 0.0
		NUM:
			return v
	return null

var shown_parts = []
var shown_size = 0

func v_put(s):
	shown_parts.append(s)
	shown_size += v_bytes(s)

func v_show(v, depth, left):
	if left <= 0 or depth < 0:
		return v_put(BROKEN)
	var was = shown_size
	match v_kind(v):
		NIL:
			v_put("null")
		BOOL:
			v_put("true" if v else "false")
		NUM:
			v_put(n_format(v))
		TEXT:
			v_put(v_quote(v))
		NODE:
			v_put(v.id)
		STATE:
			v_put(v.id + ".state")
		LIST:
			v_put("[")
			for i in range(v.items.size()):
				if i > 0:
					v_put(",")
				if shown_size - was > left:
					v_put(BROKEN)
					break
				v_show(v.items[i], depth - 1, left - (shown_size - was))
			v_put("]")
		OBJ:
			v_put("{")
			var more = false
			for key in v.map:
				if more:
					v_put(",")
				more = true
				if shown_size - was > left:
					v_put(BROKEN)
					break
				v_put(v_quote(key))
				v_put(":")
				v_show(v.map[key], depth - 1, left - (shown_size - was))
			v_put("}")
		FN:
			v_put("function")
		_:
			v_put("null")

# v_text is a value as text: a text itself, everything else as it is printed.
func v_text(v):
	match typeof(v):
		NIL:
			return "null"
		BOOL:
			return "true" if v else "false"
		NUM:
			return n_format(v)
		TEXT:
			return v
	shown_parts = []
	shown_size = 0
	v_show(v, MaxDepth, MaxText)
	var out = v_join(shown_parts, "")
	shown_parts = []
	return out

func v_quote(s):
	var out = PoolText.new()
	var from = 0
	var n = s.length()
	for i in range(n):
		var c = d_ord(s, i)
		if c >= 0x20 and c != 0x22 and c != 0x5c and c != 0x7f:
			continue
		out.parts.append(s.substr(from, i - from))
		from = i + 1
		if c == 0x22:
			out.parts.append("\\\"")
		elif c == 0x5c:
			out.parts.append("\\\\")
		elif c == 10:
			out.parts.append("\\n")
		elif c == 9:
			out.parts.append("\\t")
		else:
			out.parts.append("\\u00" + HEX[c >> 4] + HEX[c & 15])
	out.parts.append(s.substr(from, n - from))
	return "\"" + v_join(out.parts, "") + "\""

class PoolText:
	var parts = []

const HEX = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f"]
const BROKEN = "\u2026"
const MaxNoted = 4096

func v_type(v):
	match v_kind(v):
		NIL:
			return "null"
		BOOL:
			return "boolean"
		NUM:
			return "number"
		TEXT:
			return "string"
		LIST:
			return "list"
		FN:
			return "function"
		NODE:
			return "node"
	return "object"

# v_clip shortens a text for a message.
func v_clip(s):
	if s.length() <= 200:
		return s
	return s.substr(0, 200) + BROKEN

# v_short is a text of a log or a trace.
func v_short(s):
	if s.length() * 4 <= MaxNoted or s.length() <= MaxNoted and v_bytes(s) <= MaxNoted:
		return s
	var size = 0
	for i in range(s.length()):
		var c = d_ord(s, i)
		size += 1 if c < 0x80 else 2 if c < 0x800 else 3 if c < 0x10000 else 4
		if size > MaxNoted:
			return s.substr(0, i) + BROKEN
	return s

# v_copy is a deep copy of lists and objects.
func v_copy(v, depth):
	if depth < 0:
		return null
	var k = v_kind(v)
	if k == LIST:
		var items = []
		for e in v.items:
			items.append(v_copy(e, depth - 1))
		return List.new(items)
	if k == OBJ:
		var map = {}
		for key in v.map:
			map[key] = v_copy(v.map[key], depth - 1)
		return Obj.new(map)
	return v

# v_order orders texts by their code points.
func v_order(a, b):
	if a == b:
		return 0
	var n = int(n_min(a.length(), b.length()))
	for i in range(n):
		var x = d_ord(a, i)
		var y = d_ord(b, i)
		if x != y:
			return -1 if x < y else 1
	return -1 if a.length() < b.length() else 1

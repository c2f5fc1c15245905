# JSON as values, the keys of objects in their order.

var json_text = ""
var json_at = 0
var json_bad = false

# j_parse reads a value into json_bad and what it gives.
func j_parse(s):
	json_bad = v_bytes(s) > MaxText
	json_text = s
	json_at = 0
	if json_bad:
		return null
	var v = j_value(MaxDepth)
	j_skip()
	if json_at < json_text.length():
		json_bad = true
	return v

func j_skip():
	while json_at < json_text.length():
		var c = d_ord(json_text, json_at)
		if c != 32 and c != 9 and c != 10 and c != 13:
			return
		json_at += 1

func j_peek():
	return json_text.substr(json_at, 1)

func j_fail():
	json_bad = true
	return null

func j_value(depth):
	j_skip()
	var c = j_peek()
	if c == "\"":
		return j_string()
	if c != "[" and c != "{":
		return j_word()
	if depth == 0:
		return j_fail()
	json_at += 1
	var ends = "]" if c == "[" else "}"
	var items = []
	var map = {}
	j_skip()
	if j_peek() == ends:
		json_at += 1
		return List.new(items) if c == "[" else Obj.new(map)
	while not json_bad:
		if c == "[":
			items.append(j_value(depth - 1))
		else:
			j_skip()
			if j_peek() != "\"":
				return j_fail()
			var key = j_string()
			j_skip()
			if json_bad or j_peek() != ":":
				return j_fail()
			json_at += 1
			map[key] = j_value(depth - 1)
		if json_bad or items.size() > MaxItems or map.size() > MaxItems:
			return j_fail()
		j_skip()
		var next = j_peek()
		json_at += 1
		if next == ends:
			return List.new(items) if c == "[" else Obj.new(map)
		if next != ",":
			return j_fail()
	return null

func j_word():
	var from = json_at
	while json_at < json_text.length() and not (j_peek() in [" ", "\t", "\n", "\r", ",", "]", "}", ":"]):
		json_at += 1
	var w = json_text.substr(from, json_at - from)
	match w:
		"null":
			return null
		"true":
			return true
		"false":
			return false
	# a number: no sign +, digits on both sides of the point, no zero before digits
	var body = w.substr(1, w.length() - 1) if w.substr(0, 1) == "-" else w
	if body == "" or d_ord(body, 0) < 48 or d_ord(body, 0) > 57:
		return j_fail()
	if body.length() > 1 and body.substr(0, 1) == "0" and d_ord(body, 1) >= 48 and d_ord(body, 1) <= 57:
		return j_fail()
	var point = body.find(".")
	if point >= 0 and (point + 1 >= body.length() or d_ord(body, point + 1) < 48 or d_ord(body, point + 1) > 57):
		return j_fail()
	var v = n_read(w)
	if v == null or is_inf(v):
		return j_fail()
	return v

func j_string():
	json_at += 1
	var parts = []
	var from = json_at
	while json_at < json_text.length():
		var c = d_ord(json_text, json_at)
		if c == 34:
			parts.append(json_text.substr(from, json_at - from))
			json_at += 1
			return v_join(parts, "")
		if c < 32:
			return j_fail()
		if c != 92:
			json_at += 1
			continue
		parts.append(json_text.substr(from, json_at - from))
		json_at += 1
		var e = j_peek()
		json_at += 1
		match e:
			"n":
				parts.append("\n")
			"t":
				parts.append("\t")
			"r":
				parts.append("\r")
			"b":
				parts.append(d_char(8))
			"f":
				parts.append(d_char(12))
			"\"", "\\", "/":
				parts.append(e)
			"u":
				var code = j_hex()
				if code >= 0xd800 and code < 0xdc00 and json_text.substr(json_at, 2) == "\\u":
					var back = json_at
					json_at += 2
					var low = j_hex()
					if low >= 0xdc00 and low < 0xe000:
						code = 0x10000 + ((code - 0xd800) << 10) + low - 0xdc00
					else:
						json_at = back
				if json_bad:
					return null
				if code >= 0xd800 and code < 0xe000:
					code = 0xfffd
				parts.append(d_char(code))
			_:
				return j_fail()
		from = json_at
	return j_fail()

func j_hex():
	var out = 0
	for i in range(4):
		var digit = HEX.find(j_peek().to_lower())
		if digit < 0:
			json_bad = true
			return 0
		out = out * 16 + digit
		json_at += 1
	return out

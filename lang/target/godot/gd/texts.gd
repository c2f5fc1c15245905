# The built-in methods of texts.

# t_cased maps each character by itself; those that would become several stay.
func t_cased(s, up):
	var parts = v_chars(s)
	for i in range(parts.size()):
		var c = parts[i].to_upper() if up else parts[i].to_lower()
		if c.length() == 1:
			parts[i] = c
	return v_join(parts, "")

func t_space(c):
	return c >= 9 and c <= 13 or c == 32 or c == 0x85 or c == 0xa0 or c == 0x1680 or c >= 0x2000 and c <= 0x200a or c == 0x2028 or c == 0x2029 or c == 0x202f or c == 0x205f or c == 0x3000

func t_trim(s):
	var i = 0
	var j = s.length()
	while i < j and t_space(d_ord(s, i)):
		i += 1
	while j > i and t_space(d_ord(s, j - 1)):
		j -= 1
	return s.substr(i, j - i)

func t_count(s, part):
	if part == "":
		return s.length() + 1
	var n = 0
	var i = s.find(part)
	while i >= 0:
		n += 1
		i = s.find(part, i + part.length())
	return n

func t_find(s, part):
	return 0 if part == "" else s.find(part)

func t_repeat(s, n):
	var out = ""
	var piece = s
	while n > 0:
		if n & 1 == 1:
			out += piece
		n = n >> 1
		if n > 0:
			piece += piece
	return out

func t_text(s, name, a):
	match name:
		"toUpperCase", "uppercase", "upper", "to_upper":
			return m_text(t_cased(s, true))
		"toLowerCase", "lowercase", "lower", "to_lower":
			return m_text(t_cased(s, false))
		"trim":
			return m_text(t_trim(s))
		"split":
			if a.size() == 0:
				return m_list([s])
			var gap = m_printed(a[0])
			if t_count(s, gap) >= MaxItems:
				return o_large("too many parts")
			return m_list(v_chars(s) if gap == "" else v_split(s, gap))
		"replace":
			var old = m_printed(t_at(a, 0))
			var by = m_printed(t_at(a, 1))
			var i = t_find(s, old)
			if i < 0:
				return m_text(s)
			var rest = i + old.length()
			return m_text(s.substr(0, i) + by + s.substr(rest, s.length() - rest))
		"replaceAll", "replace_all":
			var old = m_printed(t_at(a, 0))
			var by = m_printed(t_at(a, 1))
			var size = t_count(s, old) * v_bytes(by)
			if size > MaxText:
				return o_large("text of " + str(size) + " bytes")
			if old != "":
				return m_text(v_join(v_split(s, old), by))
			var parts = v_chars(s)
			parts.push_front("")
			parts.append("")
			return m_text(v_join(parts, by))
		"includes", "contains":
			return t_find(s, m_printed(t_at(a, 0))) >= 0
		"startsWith", "starts_with":
			var part = m_printed(t_at(a, 0))
			return s.substr(0, part.length()) == part
		"endsWith", "ends_with":
			var part = m_printed(t_at(a, 0))
			return part.length() <= s.length() and s.substr(s.length() - part.length(), part.length()) == part
		"indexOf", "index_of":
			return n_real(t_find(s, m_printed(t_at(a, 0))))
		"slice", "substring", "substr":
			var n = s.length()
			var from = t_bound(t_at(a, 0), n, 0)
			return m_text(s.substr(from, int(n_max(from, t_bound(t_at(a, 1), n, n))) - from))
		"charAt", "at":
			return o_index(s, t_at(a, 0))
		"repeat":
			var v = t_at(a, 0)
			var n = v if typeof(v) == NUM else 0.0
			if is_nan(n) or n < 0.0 or n * v_bytes(s) > MaxText or n > MaxText:
				return o_large("text repeated " + n_format(n) + " times")
			return m_text(t_repeat(s, int(n)))
		"padStart", "padEnd", "pad_start", "pad_end":
			var v = t_at(a, 0)
			var n = v if typeof(v) == NUM and not is_nan(v) else 0.0
			var fill = m_printed(a[1]) if a.size() > 1 else " "
			var missing = int(n_max(-1.0, n_min(n, n_real(MaxText)))) - s.length()
			if missing <= 0 or fill == "":
				return s
			var pad = t_repeat(fill, int(missing / fill.length())) + fill.substr(0, missing % fill.length())
			return m_text(pad + s if name == "padStart" or name == "pad_start" else s + pad)
		"concat":
			return m_text(s + m_printed(t_at(a, 0)))
		"toString", "to_string":
			return s
	return o_wrong("a text has no method '" + v_clip(name) + "'")

# What leaves the machine: operations of the library and of the host.

# m_play starts or stops a timeline; everything else is the host's.
func m_play(owner, what, a):
	if typeof(t_at(a, 0)) == TEXT and c_turn_on(a[0], what == "play"):
		return null
	return m_outside("", owner, what, a)

# m_model asks the host's model. Without one the answer says which question it
# was asked, the same everywhere.
func m_model(owner, a):
	m_note("host", owner, "llm_call", List.new(a.duplicate()), null)
	var answer = h_call("llm_call", owner, a)
	if answer != null:
		return answer[0]
	var prompt = m_printed(t_at(a, 0))
	m_charge_text(prompt)
	var h = 0x811c9dc5
	for i in range(prompt.length()):
		for b in m_utf8(d_ord(prompt, i)):
			h = ((h ^ b) * 0x01000193) & 0xffffffff
	var out = "stub "
	for i in range(7, -1, -1):
		out += HEX[(h >> (4 * i)) & 15]
	return out

func m_utf8(c):
	if c < 0x80:
		return [c]
	if c < 0x800:
		return [0xc0 | (c >> 6), 0x80 | (c & 63)]
	if c < 0x10000:
		return [0xe0 | (c >> 12), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63)]
	return [0xf0 | (c >> 18), 0x80 | ((c >> 12) & 63), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63)]

func m_function_of(owner, name):
	if by_name.has(owner) and by_name[owner].has(name):
		return by_name[owner][name]
	return -1

func m_host_call(fn, owner, name, a):
	called[name] = (called[name] if called.has(name) else 0) + 1
	if l_has(name):
		return l_run(name, owner, a)
	return m_outside(fn, owner, name, a)

func m_outside(fn, owner, name, a):
	m_note("host", owner, name, List.new(a.duplicate()), null)
	if not h_hosts():
		return null
	var answer = h_call(name, owner, a)
	if answer != null:
		return answer[0]
	if not unknown.has(name):
		unknown[name] = true
		var f = Fault.new("RUN005", "the host has no operation '" + v_clip(name) + "'")
		f.function = fn
		m_note("fault", owner, f.code, f.message, f)
		h_fault(owner, f)
	return null

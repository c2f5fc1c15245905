
func trial(c):
	hosting = false
	tracing = true
	if c.long:
		turn_limit = MaxLong
	m_load(c.program, c.nodes)
	m_start()
	for i in range(c.steps):
		for e in c.events:
			if e.step == i:
				m_inject(e.node, e.name, v_in(e.payload))
		m_step()
	for e in trace:
		print("TRACE [", n_format(e[0]), ",", v_quote(e[1]), ",", v_quote(e[2]), ",", v_quote(e[3]), ",", v_quote(e[4]), ",", v_quote(e[5][0]), ",", e[5][1], ",", e[5][2], "]")

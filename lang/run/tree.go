package run

import "math"

// outcome of a tick of a tree node.
type outcome uint8

const (
	success outcome = iota
	failure
	ongoing
)

// visit is a tree node at work.
type visit struct {
	node     *TreeNode
	path     string // the places among siblings from the root down, "0.2"; the root's is empty
	children []*visit
	at       int   // the child that runs
	order    []int // of random_selector
	since    int   // the step in which it began, -1 when it did not
	times    int
	until    int // end of a cooldown
	done     []outcome
}

type walking struct {
	tree *Tree
	root *visit
	next float64 // the step of the next tick
	over bool

	ticks int
	last  outcome // of the last tick
}

func newWalk(t *Tree) walking { return walking{tree: t, root: newVisit(&t.Root, ""), last: ongoing} }

func newVisit(n *TreeNode, path string) *visit {
	v := &visit{node: n, path: path, since: -1}
	for i := range n.Children {
		v.children = append(v.children, newVisit(&n.Children[i], below(path, i)))
	}
	return v
}

// runTrees ticks the trees whose time has come.
func (m *Machine) runTrees() {
	for i := range m.trees {
		w := &m.trees[i]
		if w.over || m.spent >= m.stepLimit || float64(m.steps) < w.next-1e-9 {
			continue
		}
		w.next = math.Max(w.next, float64(m.steps-1)) + float64(m.p.Rates.Spatial)/w.tree.Rate
		left := MaxEvents
		m.handler = false
		w.ticks++
		if w.last = m.tick(w.tree.Node, w.root, &left); w.last != ongoing {
			w.root.reset()
			w.over = !w.tree.Restart
		}
		if left < 0 {
			m.report(w.tree.Node, fault(FaultEvents, "a tick takes more than %d tree nodes", MaxEvents))
		}
		m.flush()
	}
}

// reset makes a node as if it had not begun; a cooldown goes on.
func (v *visit) reset() {
	v.at, v.order, v.since, v.times, v.done = 0, nil, -1, 0, nil
	for _, c := range v.children {
		c.reset()
	}
}

// elapsed says whether the node is at work for its duration.
func (m *Machine) elapsed(v *visit) bool {
	return float64(m.steps-v.since)/float64(m.p.Rates.Spatial) >= v.node.Params.Duration-1e-9
}

// tick runs a node once and calls Visited.
func (m *Machine) tick(owner string, v *visit, left *int) outcome {
	if *left--; *left < 0 {
		return failure
	}
	out := m.tickNode(owner, v, left)
	if m.visited != nil {
		m.visited(Visit{m.steps, v.path, v.node.Type, out.String()})
	}
	return out
}

func (m *Machine) tickNode(owner string, v *visit, left *int) outcome {
	if v.since < 0 {
		v.since = m.steps
	}
	n := v.node
	child := func() outcome { return m.tick(owner, v.children[0], left) }
	switch n.Type {
	case "sequence", "selector", "random_selector":
		return m.tickInOrder(owner, v, left)
	case "parallel":
		return m.tickAll(owner, v, left)
	case "inverter":
		switch child() {
		case success:
			return failure
		case failure:
			return success
		}
		return ongoing
	case "succeeder":
		if child() == ongoing {
			return ongoing
		}
		return success
	case "repeater", "retry", "until_fail":
		return m.tickAgain(v, child())
	case "cooldown":
		if m.steps < v.until {
			return failure
		}
		r := child()
		if r != ongoing {
			v.until = m.after(n.Params.Duration)
			v.children[0].reset()
		}
		return r
	case "guard":
		if !m.met(owner, n.Fn, nil) {
			v.children[0].reset()
			return failure
		}
		return child()
	case "timeout":
		r := child()
		if r == ongoing && m.elapsed(v) {
			v.children[0].reset()
			return failure
		}
		return r
	case "condition":
		if m.met(owner, n.Fn, nil) {
			return success
		}
		return failure
	case "wait":
		if m.elapsed(v) {
			return success
		}
		return ongoing
	}
	return m.tickAction(owner, n.Fn)
}

// tickAction calls the function of a leaf. What it gives is the result by name;
// false is failure, and so is a fault.
func (m *Machine) tickAction(owner string, fn int) outcome {
	out := failure
	m.atomically(owner, func() *Fault {
		v, f := m.call(fn, nil, nil)
		switch {
		case f != nil, v == false, v == "failure":
		case v == "running":
			out = ongoing
		default:
			out = success
		}
		return f
	})
	return out
}

// tickInOrder goes through the children until one decides, and comes back to
// the one that runs.
func (m *Machine) tickInOrder(owner string, v *visit, left *int) outcome {
	goOn := failure // of a selector
	if v.node.Type == "sequence" {
		goOn = success
	}
	if v.node.Type == "random_selector" && v.order == nil {
		v.order = m.shuffled(len(v.children))
	}
	for v.at < len(v.children) {
		c := v.children[v.at]
		if v.order != nil {
			c = v.children[v.order[v.at]]
		}
		r := m.tick(owner, c, left)
		if r == ongoing {
			return r
		}
		c.reset()
		if r != goOn {
			v.at, v.order = 0, nil
			return r
		}
		v.at++
	}
	v.at, v.order = 0, nil
	return goOn
}

func (m *Machine) shuffled(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	for i := n - 1; i > 0; i-- {
		j := int(m.random.Float() * float64(i+1))
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// tickAll runs all children side by side. Policy all succeeds when all do and
// fails with the first; any is the other way round.
func (m *Machine) tickAll(owner string, v *visit, left *int) outcome {
	if v.done == nil {
		v.done = make([]outcome, len(v.children))
		for i := range v.done {
			v.done[i] = ongoing
		}
	}
	decides, otherwise := failure, success
	if v.node.Params.Policy == "any" {
		decides, otherwise = success, failure
	}
	running := false
	for i, c := range v.children {
		if v.done[i] == ongoing {
			v.done[i] = m.tick(owner, c, left)
		}
		switch v.done[i] {
		case decides:
			v.reset()
			return decides
		case ongoing:
			running = true
		}
	}
	if running {
		return ongoing
	}
	v.reset()
	return otherwise
}

// tickAgain is what a repeating decorator makes of its child: one run in a tick.
func (m *Machine) tickAgain(v *visit, r outcome) outcome {
	if r == ongoing {
		return r
	}
	v.children[0].reset()
	v.times++
	switch v.node.Type {
	case "until_fail":
		if r == failure {
			return success
		}
		return ongoing
	case "retry":
		if r == success {
			v.times = 0
			return success
		}
	}
	if most := v.node.Params.Times; most > 0 && v.times >= most {
		v.times = 0
		return r
	}
	return ongoing
}

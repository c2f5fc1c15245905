package run

import "strconv"

// Visit is one node of a behaviour tree that a tick came to.
type Visit struct {
	Step   int    // of the run
	Path   string // the places among siblings from the root down, as in 0.2; the root's is empty
	Type   string
	Result string // success, failure or running
}

// String is the word for an outcome.
func (o outcome) String() string { return [...]string{"success", "failure", "running"}[o] }

// Tree says how the tree at an index of the program fares: what its last tick came
// to, running when there was none, and how many there were.
func (m *Machine) Tree(i int) (result string, ticks int) {
	w := &m.trees[i]
	return w.last.String(), w.ticks
}

func below(path string, i int) string {
	if path == "" {
		return strconv.Itoa(i)
	}
	return path + "." + strconv.Itoa(i)
}

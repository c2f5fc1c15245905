package world

import (
	"slices"
	"sync"

	"github.com/meshd/meshd/p2p/simnet"
)

// fleet is the machines of a world and the network between them.
type fleet struct {
	net      *simnet.World
	machines []*machine
	taken    int          // places on the network, liars' too
	gone     map[int]bool // machines that have left
	scars    map[int]bool // machines whose files were damaged at some time

	striking sync.Mutex  // guards trouble
	trouble  map[int]int // faults under way on a machine
}

// present are the machines that take part and run, in order.
func (w *fleet) present() []*machine {
	var out []*machine
	for _, m := range w.machines {
		if n, _ := m.alive(); n != nil && m.joined && !w.gone[m.index] {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b *machine) int { return a.index - b.index })
	return out
}

func (w *fleet) places(machines []int) (out []int) {
	for _, i := range machines {
		out = append(out, w.machines[i].place.Index)
	}
	return out
}

// ended reports whether a machine has left for good.
func (w *fleet) ended(machine int) bool { return w.gone[machine] }

func (w *fleet) troubles(machine, by int) {
	w.striking.Lock()
	defer w.striking.Unlock()
	w.trouble[machine] += by
}

// troubled reports whether a fault has struck a machine since the last healing.
func (w *fleet) troubled(machine int) bool {
	w.striking.Lock()
	defer w.striking.Unlock()
	return w.trouble[machine] > 0
}

// untroubled forgets every fault, since all have ended.
func (w *fleet) untroubled() {
	w.striking.Lock()
	defer w.striking.Unlock()
	clear(w.trouble)
}

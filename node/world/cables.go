package world

import "sync"

// cables are the ways between machines, of which some are cut.
type cables struct {
	*fleet
	cutting sync.Mutex // guards cuts
	cuts    map[int]func()
}

// sever puts cuts in force until they are mended.
func (w *cables) sever(f Fault, cut func()) func() error {
	w.cutting.Lock()
	w.cuts[f.Number] = cut
	w.cutting.Unlock()
	cut()
	return func() error { w.uncut(f.Number); return nil }
}

func (w *cables) uncut(number int) {
	w.cutting.Lock()
	delete(w.cuts, number)
	w.cutting.Unlock()
	w.cutAgain()
}

// uncutAll ends every cut.
func (w *cables) uncutAll() {
	w.cutting.Lock()
	clear(w.cuts)
	w.cutting.Unlock()
	w.cutAgain()
}

// cutAgain makes the network as broken as it is now, and no more.
func (w *cables) cutAgain() {
	w.cutting.Lock()
	defer w.cutting.Unlock()
	w.net.Heal()
	for _, cut := range w.cuts {
		cut()
	}
}

// deafen lets a machine send and not receive, or the reverse.
func (w *cables) deafen(f Fault) {
	one := w.machines[f.On[0]].place.Index
	for i := range w.taken {
		if i == one {
			continue
		}
		if f.N%2 == 0 {
			w.net.Cut(i, one)
		} else {
			w.net.Cut(one, i)
		}
	}
}

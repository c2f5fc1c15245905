package world

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/p2p/simnet"
)

// breaks begins a fault and returns what ends it, nil when nothing was broken. It
// is called between acts, never at once with another.
func (w *World) breaks(f Fault) (mend func() error, err error) {
	on := w.machines[f.On[0]]
	if !on.joined || w.gone[on.index] {
		return nil, nil
	}
	w.count("fault " + f.Kind)
	w.record("%v", f)
	switch f.Kind {
	case Partition:
		return w.sever(f, func() { w.net.Partition(w.places(f.On)...) }), nil
	case OneWay:
		return w.sever(f, func() { w.deafen(f) }), nil
	case Flap:
		end := w.now() + f.For
		for at := w.now() + flapEvery; at < end; at += 2 * flapEvery {
			w.later(at, func() { w.uncut(f.Number) })
			w.later(min(at+flapEvery, end), func() { w.sever(f, func() { w.deafen(f) }) })
		}
		return w.sever(f, func() { w.deafen(f) }), nil
	case Kill:
		return on.start, on.kill()
	case Stop:
		return on.start, on.stop()
	case Leave:
		w.gone[on.index] = true
		return nil, on.stop()
	case Skew:
		by := time.Duration(f.N%uint64(2*maxSkew)) - maxSkew
		on.skew.Store(int64(by))
		return func() error { on.skew.Store(0); return nil }, nil
	case NoRoom:
		on.mu.Lock()
		d := on.disk
		on.mu.Unlock()
		if d == nil {
			return nil, nil
		}
		d.SetFull(true)
		return func() error { d.SetFull(false); return nil }, nil
	case Flip, Truncate:
		if n, _ := on.alive(); n == nil {
			return nil, nil
		}
		if err := on.stop(); err != nil {
			return nil, err
		}
		w.scars[on.index] = true
		return nil, w.damage(on, f)
	case SpoilIndex:
		if n, _ := on.alive(); n == nil {
			return nil, nil
		}
		if err := on.kill(); err != nil {
			return nil, err
		}
		if err := on.spoil(f.N); err != nil {
			return nil, err
		}
		return nil, on.start()
	}
	return nil, fmt.Errorf("no such fault: %s", f.Kind)
}

// damage flips bits in the store's files, or takes the end of one, and starts the
// node again as `meshd run --salvage` does.
func (w *World) damage(m *machine, f Fault) error {
	rng := simnet.Rand(f.N, "damage")
	files := append(m.files("*.sst"), m.files("*.log")...)
	if len(files) == 0 {
		return m.start()
	}
	slices.Sort(files)
	for range 1 + rng.IntN(3) {
		name := files[rng.IntN(len(files))]
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if len(b) == 0 {
			continue
		}
		at := rng.IntN(len(b))
		if f.Kind == Flip {
			b[at] ^= 1 << rng.IntN(8)
		} else {
			b = b[:at]
		}
		w.record("    %s of machine %d, %d bytes, at %d", filepath.Base(name), m.index, len(b), at)
		if err := os.WriteFile(name, b, 0o600); err != nil {
			return err
		}
	}
	m.damaged = true
	return m.start()
}

// spoil damages what is derived from the log.
func (m *machine) spoil(n uint64) error {
	checkpoint := filepath.Join(m.dir, store.StoreDir, "checkpoint")
	b, err := os.ReadFile(checkpoint)
	switch {
	case os.IsNotExist(err) || len(b) == 0:
	case err != nil:
		return err
	case n%3 == 0:
		err = os.Remove(checkpoint)
	case n%3 == 1:
		err = os.WriteFile(checkpoint, b[:n%uint64(len(b))], 0o600)
	default:
		b[n%uint64(len(b))] ^= 0x40
		err = os.WriteFile(checkpoint, b, 0o600)
	}
	if err == nil || os.IsNotExist(err) {
		err = os.RemoveAll(filepath.Join(m.dir, store.StoreDir, "index"))
	}
	return err
}

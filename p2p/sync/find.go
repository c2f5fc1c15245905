package sync

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/recon"
)

// sketch learns the difference from the peer's sketch, wants and pushes it.
// resolved is false when ranges must follow: the sketch did not resolve, or
// what it gave does not make the fingerprint it stands for.
func (a *asker) sketch(name string, set *recon.Set, theirCount uint64) (resolved bool, err error) {
	local := set.Sketch()
	peeler := recon.NewPeeler(local, theirCount)
	var remote setState
	var whole bool
	for from, n := peeler.Next(); n > 0; from, n = peeler.Next() {
		got, err := a.askSketch(sketchAsk{set: name, from: uint64(from), n: uint64(n)})
		if err != nil {
			return false, err
		}
		state := setState{name, got.count, got.fp}
		if from > 0 && state != remote {
			return false, refuse("sketch: of another set than its first symbols")
		}
		remote = state
		whole, err = peeler.Add(from, got.syms)
		if errors.Is(err, recon.ErrContradiction) {
			return false, nil
		}
		if err != nil {
			return false, refuse("sketch: %v", err)
		}
	}
	if !whole {
		return false, nil
	}
	return a.settle(name, local, remote, peeler.Result())
}

// settle wants and pushes a difference that a sketch gave, and checks before
// the push that it makes both sides equal.
func (a *asker) settle(name string, local *recon.Sketch, remote setState, diff recon.Difference) (resolved bool, err error) {
	count, sum := local.Summary()
	wanted := make(map[prefix]bool, len(diff.OnlyRemote))
	ids := make([][]byte, len(diff.OnlyRemote))
	for i, id := range diff.OnlyRemote {
		wanted[id], ids[i] = true, diff.OnlyRemote[i][:]
	}
	_, err = a.want(name, ids, func(cs []*change.Change) error {
		for _, c := range cs {
			if p := prefixOf(c.ID[:]); wanted[p] {
				delete(wanted, p)
				sum = sum.Add(c.ID)
				count++
			}
		}
		return a.receive(name, cs)
	})
	if err != nil {
		return false, err
	}
	ids = make([][]byte, len(diff.OnlyLocal))
	for i := range diff.OnlyLocal {
		ids[i] = diff.OnlyLocal[i][:]
	}
	push, err := a.replica.Items(a.ctx, name, ids)
	if err != nil {
		return false, fmt.Errorf("look up changes of %s: %w", name, err)
	}
	for _, it := range push {
		sum = sum.Sub(it.ID)
		count--
	}
	if count != remote.count || sum.FP(count) != remote.fp {
		return false, nil
	}
	return true, a.push(name, push)
}

func (a *asker) askSketch(ask sketchAsk) (sketchAnswer, error) {
	a.current.Rounds++
	if err := a.write(kindSketch, ask.encode()); err != nil {
		return sketchAnswer{}, err
	}
	b, err := a.expect(kindSketch)
	if err != nil {
		return sketchAnswer{}, err
	}
	got, err := decodeSketchAnswer(b)
	if err == nil && (got.set != ask.set || got.from != ask.from) {
		err = refuse("sketch: other symbols than were asked")
	}
	return got, err
}

// ranges learns the difference by the range protocol, wants and pushes it.
// whole is false when a limit ended it before all ranges were settled.
func (a *asker) ranges(name string, set *recon.Set) (whole bool, err error) {
	in := recon.NewInitiator(set, maxRange)
	var push []recon.Item
	var ids [][]byte
	needed := make(map[[idSize]byte]bool)
	msg := in.Start()
	for round := 0; msg != nil && round < maxRounds && !a.late() && len(push) < maxPush && len(ids) < maxNeed; round++ {
		a.current.Rounds++
		if err := a.write(kindRange, rangeMsg{set: name, msg: msg}.encode()); err != nil {
			return false, err
		}
		b, err := a.expect(kindRange)
		if err != nil {
			return false, err
		}
		got, err := decodeRange(b)
		if err != nil {
			return false, err
		}
		if got.set != name {
			return false, refuse("range: of another set")
		}
		next, has, need, err := in.Next(got.msg)
		if err != nil {
			return false, refuse("range: %v", err)
		}
		msg = next
		push = append(push, has...)
		for _, id := range need {
			if !needed[id] {
				needed[id] = true
				ids = append(ids, slices.Clone(id[:]))
			}
		}
	}
	_, err = a.want(name, ids, func(cs []*change.Change) error { return a.receive(name, cs) })
	if err != nil {
		return false, err
	}
	slices.SortFunc(push, recon.Item.Compare)
	push = slices.Compact(push)
	whole = msg == nil && len(push) <= maxPush
	return whole, a.push(name, push[:min(len(push), maxPush)])
}

// push sends what the peer lacks.
func (a *asker) push(name string, items []recon.Item) error {
	if len(items) == 0 {
		return nil
	}
	slices.SortFunc(items, recon.Item.Compare)
	n, err := a.sendChanges(name, items, a.start.Add(a.cfg.SessionTime))
	a.current.Pushed += n
	a.cut = a.cut || n < len(items)
	a.met.changes.WithLabelValues("pushed").Add(float64(n))
	return err
}

// want requests ids while there is time, hands what comes to take and returns
// what the peer says it does not have.
func (a *asker) want(name string, ids [][]byte, take func([]*change.Change) error) (missing [][]byte, err error) {
	for chunk := range slices.Chunk(ids, maxWant) {
		if a.late() {
			a.cut = true
			break
		}
		if a.current != nil {
			a.current.Asked += len(chunk)
		}
		if err := a.write(kindWant, want{set: name, ids: chunk}.encode()); err != nil {
			return nil, err
		}
		_, gone, err := a.answer(len(chunk), func(cs []*change.Change) error {
			for _, c := range cs {
				a.received[prefixOf(c.ID[:])] = true
			}
			return take(cs)
		})
		if err != nil {
			return nil, err
		}
		missing = append(missing, among(gone, chunk)...)
	}
	return missing, nil
}

// among returns those of ids that stand in asked: a peer may name any.
func among(ids, asked [][]byte) [][]byte {
	return slices.DeleteFunc(ids, func(id []byte) bool {
		return !slices.ContainsFunc(asked, func(a []byte) bool { return bytes.Equal(a, id) })
	})
}

// past requests the causal past that changes of a set wait for: in the set
// itself, then in auth. What is left in missing has to come from another peer.
func (a *asker) past(name string) error {
	asked := make(map[change.ID]bool)
	var left []change.ID
	for range maxPast {
		ids, err := a.absent(name, a.missing[name], asked)
		if err != nil {
			return err
		}
		a.missing[name] = nil
		if len(ids) == 0 || a.late() {
			left = append(left, ids...)
			break
		}
		for _, id := range ids {
			asked[id] = true
		}
		gone, err := a.wantPast(name, bytesOf(ids))
		if err != nil {
			return err
		}
		if name != change.SetAuth && len(gone) > 0 {
			if gone, err = a.wantPast(change.SetAuth, gone); err != nil {
				return err
			}
			a.missing[name] = append(a.missing[name], a.missing[change.SetAuth]...)
			delete(a.missing, change.SetAuth)
		}
		for _, id := range gone {
			if len(id) == idSize {
				left = append(left, change.ID(id))
			}
		}
	}
	if left = append(left, a.missing[name]...); len(left) > 0 {
		a.missing[name] = left
	} else {
		delete(a.missing, name)
	}
	return nil
}

// wantPast is want for sets that the peer may not follow.
func (a *asker) wantPast(name string, ids [][]byte) (missing [][]byte, err error) {
	if _, ok := a.theirs.find(name); !ok || a.replica.Set(name) == nil {
		return ids, nil
	}
	return a.want(name, ids, func(cs []*change.Change) error { return a.receive(name, cs) })
}

// absent returns those of ids that are in neither set, did not come in this
// session and were not asked for, each once, maxQueued at most.
func (a *asker) absent(name string, ids []change.ID, asked map[change.ID]bool) ([]change.ID, error) {
	var left []change.ID
	seen := make(map[change.ID]bool)
	for _, id := range ids {
		if !seen[id] && !asked[id] && !a.received[prefixOf(id[:])] {
			left = append(left, id)
		}
		seen[id] = true
	}
	left = left[:min(len(left), maxQueued)]
	for _, set := range []string{name, change.SetAuth} {
		if len(left) == 0 || a.replica.Set(set) == nil {
			continue
		}
		items, err := a.replica.Items(a.ctx, set, bytesOf(left))
		if err != nil {
			return nil, fmt.Errorf("look up changes of %s: %w", set, err)
		}
		here := make(map[change.ID]bool, len(items))
		for _, it := range items {
			here[it.ID] = true
		}
		left = slices.DeleteFunc(left, func(id change.ID) bool { return here[id] })
	}
	return left, nil
}

func bytesOf(ids []change.ID) [][]byte {
	b := make([][]byte, len(ids))
	for i := range ids {
		b[i] = ids[i][:]
	}
	return b
}

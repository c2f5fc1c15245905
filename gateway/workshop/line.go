package workshop

import (
	"context"
	"slices"
)

// Who has a share of the workshop: all requests with an equal Who count together.
type Who struct {
	Share string // an agent or a network prefix
	Known bool   // it showed a key, or asks from this machine
}

// Owner is whose machine it is: it goes with those who are known, and may have every
// place.
var Owner = Who{Known: true}

type whoKey struct{}

// With says whose work a context is for. Work without is of one share that nobody
// knows.
func With(ctx context.Context, who Who) context.Context { return context.WithValue(ctx, whoKey{}, who) }

func whose(ctx context.Context) Who {
	who, _ := ctx.Value(whoKey{}).(Who)
	return who
}

// waiter is a request in the line.
type waiter struct {
	who  Who
	done chan struct{} // closed once in says whether there is a place
	in   bool
}

// mostOf is how many places one share may have: all but one, which is left for
// somebody else, whoever it may be.
func (w *Workshop) mostOf(who Who) int {
	if who == Owner {
		return w.cfg.Jobs
	}
	return max(1, w.cfg.Jobs-1)
}

// mostWaiting is how many of one share may wait, a quarter of the line.
func (w *Workshop) mostWaiting() int { return max(1, w.cfg.Waiting/4) }

// enter takes a place, or waits for one for a bounded time.
func (w *Workshop) enter(ctx context.Context, who Who) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	wait, cancel := context.WithTimeout(ctx, w.cfg.Wait)
	defer cancel()
	me := &waiter{who: who, done: make(chan struct{})}
	w.mu.Lock()
	w.line = append(w.line, me)
	w.admit()
	if !me.in {
		w.shorten(who)
	}
	w.mu.Unlock()
	select {
	case <-me.done:
	case <-wait.Done():
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if i := slices.Index(w.line, me); i >= 0 {
		w.line = slices.Delete(w.line, i, i+1)
	}
	switch {
	case me.in && ctx.Err() != nil:
		w.free(who)
		return ctx.Err()
	case me.in:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case wait.Err() != nil:
		return overloaded("every place for compiling and drawing is taken; try again")
	}
	return overloaded("too many wait for compiling and drawing already; try again")
}

// leave gives the place back.
func (w *Workshop) leave(who Who) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.free(who)
}

// free takes one job off. The caller holds mu.
func (w *Workshop) free(who Who) {
	w.jobs--
	if w.running[who]--; w.running[who] == 0 {
		delete(w.running, who)
	}
	w.admit()
}

// admit gives the places that are free to those who are next. The caller holds mu.
func (w *Workshop) admit() {
	for w.room() {
		next := -1
		for i, one := range w.line {
			if w.running[one.who] < w.mostOf(one.who) && (next < 0 || w.before(one, w.line[next])) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		one := w.line[next]
		w.line = slices.Delete(w.line, next, next+1)
		one.in = true
		w.jobs++
		w.running[one.who]++
		close(one.done)
	}
}

// before reports whether a is served before b, which came earlier.
func (w *Workshop) before(a, b *waiter) bool {
	if a.who.Known != b.who.Known {
		return a.who.Known
	}
	return w.running[a.who] < w.running[b.who]
}

// shorten sends the last one away that is too many: of a share that fills its part
// of the line, or of a full line one that nobody knows, if there is any. The
// caller holds mu and has added one of who.
func (w *Workshop) shorten(who Who) {
	same := func(one *waiter) bool { return one.who == who }
	unknown := func(one *waiter) bool { return !one.who.Known }
	mine := 0
	for _, one := range w.line {
		if same(one) {
			mine++
		}
	}
	switch {
	case mine > w.mostWaiting():
		w.refuse(same)
	case len(w.line) > w.cfg.Waiting:
		if !w.refuse(unknown) {
			w.refuse(same)
		}
	}
}

// refuse sends the last one in the line away that is so.
func (w *Workshop) refuse(is func(*waiter) bool) bool {
	for i := len(w.line) - 1; i >= 0; i-- {
		if one := w.line[i]; is(one) {
			w.line = slices.Delete(w.line, i, i+1)
			close(one.done)
			return true
		}
	}
	return false
}

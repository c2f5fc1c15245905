package admission

import "time"

// awayAfter is the pause between two calls of Release from which on the machine
// counts as asleep meanwhile.
const awayAfter = time.Minute

// Release takes up to most changes that the rates allow now out of the held and
// returns them, those of one author in the order in which they came. Authors take
// turns. It is to be called every second.
func (d *Desk) Release(most int) []Change {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.cfg.Now()
	if gap := now.Sub(d.tick); gap > awayAfter {
		d.away(gap, now)
	}
	d.tick = now
	var out []Change
	var later []*line // which had no room; each is asked once
	q := d.held
	for len(q.turn) > 0 && len(out) < most {
		l := q.turn[0]
		q.turn = q.turn[1:]
		switch {
		case len(l.waiting) == 0: // all of it was dropped; a new line of the author has its own turn
		case d.charge(&l.waiting[0], l.waiting[0].Stranger && !d.strangers.calm(now), now) != "":
			later = append(later, l)
		default:
			out = append(out, q.remove(l, 0))
			if len(l.waiting) > 0 {
				q.turn = append(q.turn, l)
			}
		}
	}
	q.turn = append(q.turn, later...)
	return out
}

// Restore puts a change back that was held when the node ended.
func (d *Desk) Restore(c Change) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.held.push(c)
}

// Drop forgets a held change, as when it is purged.
func (d *Desk) Drop(id ID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.held.drop(id)
}

// Held reports whether a change waits.
func (d *Desk) Held(id ID) bool { return d.held.has(id) }

// Waiting is how many changes wait.
func (d *Desk) Waiting() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.held.byID)
}

// Room reports whether the quotas have room for the body of a stub. It counts
// nothing: the body is judged when it comes.
func (d *Desk) Room(c Change) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.overQuota(&c, d.cfg.Now()) == "" && !d.crowded(&c)
}

// Away records that the node did not run for a time. Everybody gets what it could
// have written meanwhile, so that a node that comes back late shows what it would have
// shown in time.
func (d *Desk) Away(gone time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.away(gone, d.cfg.Now())
}

func (d *Desk) away(gone time.Duration, now time.Time) {
	gone = min(max(0, gone), maxAway)
	d.credit, d.creditUntil = gone, now.Add(creditFor)
	for _, t := range []*table{d.authors, d.trees, d.flood, d.guilds, d.homes, d.givers, d.nets, d.control} {
		t.credit(gone)
	}
}

// Usage is what the accounts use, for a node to keep over a restart.
func (d *Desk) Usage() map[string]Usage {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make(map[string]Usage, len(d.use.byKey))
	for k, u := range d.use.byKey {
		out[k] = u
	}
	return out
}

// SetUsage is the inverse of Usage, before the first change is judged.
func (d *Desk) SetUsage(use map[string]Usage) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for k, u := range use {
		if len(d.use.byKey) < d.use.max {
			d.use.byKey[k] = u
		}
	}
}

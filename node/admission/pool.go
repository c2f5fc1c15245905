package admission

import "time"

// pool is what all strangers write together. While it is calm each has the rate of
// a newborn and nothing else; when together they write more than perSecond, it is a
// flood, and they share a hundredth of that until ten minutes' worth is worked off.
// Fresh keys cannot be distinguished, so nothing finer would help.
type pool struct {
	perSecond float64
	level     float64 // what may be written until it is a flood; below zero while it is one
	at        time.Time
	flooded   time.Time // when one came last that was too many
}

const (
	poolBurst  = time.Minute      // of its rate
	poolDebt   = 10 * time.Minute // of its rate, at most: how long a flood is remembered
	floodShare = 100              // strangers in a flood have one part of that many of their rate
)

func (p *pool) set(perSecond float64) {
	p.perSecond = perSecond
	p.level = min(max(p.level, -perSecond*poolDebt.Seconds()), perSecond*poolBurst.Seconds())
}

func (p *pool) fill(now time.Time) {
	if p.at.IsZero() {
		p.level, p.at = p.perSecond*poolBurst.Seconds(), now
	}
	if gone := now.Sub(p.at).Seconds(); gone > 0 {
		p.level = min(p.level+gone*p.perSecond, p.perSecond*poolBurst.Seconds())
	}
	p.at = now
}

// count adds one that has come and reports whether that is a flood.
func (p *pool) count(now time.Time) (flood bool) {
	p.fill(now)
	p.level = max(p.level-1, -p.perSecond*poolDebt.Seconds())
	if p.level >= 0 {
		return false
	}
	p.flooded = now
	return true
}

// calm reports whether one that was held may go without making it a flood again,
// and counts it.
func (p *pool) calm(now time.Time) bool {
	p.fill(now)
	if p.level < p.perSecond*poolBurst.Seconds()/2 {
		return false
	}
	p.level--
	return true
}

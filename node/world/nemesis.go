package world

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/meshd/meshd/p2p/simnet"
)

// kinds of faults and how they are drawn. What they do is done by World.
const (
	Partition  = "partition" // a group and the rest receive nothing of one another
	OneWay     = "one-way"   // one machine sends and receives nothing, or the reverse
	Flap       = "flap"      // the same, on and off every 7 s
	Kill       = "kill"      // power cut, and a start For later
	Stop       = "stop"      // an orderly stop, and a start For later
	Leave      = "leave"     // an orderly stop for good, when all is equal
	Skew       = "skew"      // its clock runs minutes off
	NoRoom     = "full"      // the disk has no room
	Flip       = "flip"      // bits of the store flip while the machine is off
	Truncate   = "truncate"  // a file of the store loses its end while the machine is off
	SpoilIndex = "spoil"     // checkpoint and index are damaged while the machine is off
	maxSkew    = 7 * time.Minute
	flapEvery  = 7 * time.Second
	shortest   = 5 * time.Second
	least      = 3 // kinds of faults in every round
)

var kinds = []string{Partition, OneWay, Flap, Kill, Kill, Stop, Skew, NoRoom, Flip, Truncate, SpoilIndex, Leave}

// atTheStart are the faults that must not hit what only one machine has: they come
// before the writers of a round do.
var atTheStart = []string{Flip, Truncate, Leave}

// nemesis draws what breaks: at least three kinds a round, often several at once. Nothing in it knows what people do.
func nemesis(s Spec, rounds int, length time.Duration) []Fault {
	rng := simnet.Rand(s.Seed, "faults")
	var out []Fault
	for r := range rounds {
		begin := time.Duration(r) * length
		damaged := false
		kinds := map[string]bool{}
		for most := 3 + rng.IntN(2+s.Nodes/5); len(kinds) < least || most > 0; most-- {
			f := draw(rng, s.Nodes, begin, length)
			if slices.Contains(atTheStart, f.Kind) {
				if r == 0 || damaged || f.On[0] == 0 {
					continue // one at a time, and somebody has to stay
				}
				f.At, damaged = begin, true
			}
			f.Number, kinds[f.Kind] = len(out), true
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b Fault) int { return int(a.At - b.At) })
	return out
}

func draw(rng *rand.Rand, nodes int, begin, length time.Duration) Fault {
	f := Fault{Kind: kinds[rng.IntN(len(kinds))], N: rng.Uint64()}
	at := time.Duration(rng.Int64N(int64(length * 3 / 4)))
	f.For = min(shortest+time.Duration(rng.Int64N(int64(length/2))), length-at)
	f.At = begin + at
	count := 1
	if f.Kind == Partition {
		count = 1 + rng.IntN(nodes/2)
	}
	f.On = rng.Perm(nodes)[:count]
	slices.Sort(f.On)
	return f
}

package world

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/meshd/meshd/p2p/simnet"
)

// What people do, by weight.
var deeds = []struct {
	kind   string
	weight int
}{
	{"put", 60}, {"retract", 8}, {"vote", 12}, {"comment", 10}, {"repeat", 5}, {"trespass", 5},
	{"whisper", 10}, // in a team: done by its members alone
}

// pace is the mean time between two acts: somewhat more than one change a second.
const pace = 600 * time.Millisecond

// generate draws what people do. It does not depend on faults.
func generate(s Spec, rounds int, length time.Duration) []Act {
	rng := simnet.Rand(s.Seed, "acts")
	total := 0
	for _, d := range deeds {
		total += d.weight
	}
	var out []Act
	for at := time.Duration(0); at < time.Duration(rounds)*length; at += time.Duration(rng.ExpFloat64() * float64(pace)) {
		a := Act{At: at, Machine: rng.IntN(s.Nodes), N: rng.Uint64()}
		for w := rng.IntN(total); a.Kind == ""; {
			for _, d := range deeds {
				if w -= d.weight; w < 0 {
					a.Kind = d.kind
					break
				}
			}
		}
		if a.Kind == "whisper" {
			a.Machine = rng.IntN(2)
		}
		out = append(out, a)
	}
	slices.SortStableFunc(out, func(a, b Act) int { return int(a.At - b.At) })
	return out
}

const lesson = "Acknowledge a write only after the log is synced, or a crash takes it back. It was seen"

// text is an entry with other words for every number. Its canary is the
// number as a word that stands nowhere else.
func text(n uint64) string {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(nil, n))
	out := lesson
	for i := 0; i+1 < len(sum); i += 2 {
		out += " " + word(int(sum[i])<<8|int(sum[i+1]))
	}
	return out + " " + canary(n) + "."
}

// canary is a word that only the text of that number has.
func canary(n uint64) string { return fmt.Sprintf("canary%016x", n) }

func word(n int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	w := make([]byte, 0, 6)
	for range 3 {
		w = append(w, consonants[n%len(consonants)])
		n /= len(consonants)
		w = append(w, vowels[n%len(vowels)])
		n /= len(vowels)
	}
	return string(w)
}

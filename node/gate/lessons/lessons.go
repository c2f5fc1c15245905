// Package lessons makes the entries that benchmarks and tests write: about 200
// characters of whole sentences, as many different ones as are asked for, which
// the gate passes and none of which is almost another one.
package lessons

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/meshd/meshd/node/gate"
)

var (
	nouns = strings.Fields("cache lock queue batch header socket buffer index replica cursor deadline quota timer ledger schema branch proxy shard " +
		"kernel thread packet bucket cluster volume journal parser linker module certificate token-bucket sandbox scheduler watchdog snapshot " +
		"partition checksum manifest container gateway beacon sensor turbine compass lantern orchard harbour quarry glacier monsoon kettle " +
		"spindle trellis anvil bellows caravan drawbridge estuary furnace gondola hammock inkwell jigsaw keel lattice")
	verbs = strings.Fields("blocks drops rewrites delays outlives mirrors splits merges rejects hides rounds counts reorders compresses evicts " +
		"duplicates truncates retries closes rotates flushes inherits shadows unlocks measures warms throttles redirects validates seals")
	kinds = strings.Fields("stale cold empty nested remote broken silent narrow shared frozen hollow ragged brittle dormant crooked feral " +
		"gilded humid idle jagged lopsided murky nimble opaque porous quaint rusty sparse tepid uneven")
	joins  = strings.Fields("because unless although whenever until since while wherever before after")
	advice = strings.Fields("measure pin log test cap isolate verify document alert batch")
	// Domains are where they are written.
	Domains = []string{"go", "rust", "databases", "networking", "testing", "security", "build"}
)

// Text is the text of number k, always the same.
func Text(k int) string {
	r := rand.New(rand.NewPCG(uint64(k), 1))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	clause := func() string {
		return fmt.Sprintf("the %s %s %s the %s %s", pick(kinds), pick(nouns), pick(verbs), pick(kinds), pick(nouns))
	}
	return fmt.Sprintf("In run %d %s %s %s. So %s the %s before %s, and %s the %s of every %s.",
		k, clause(), pick(joins), clause(), pick(advice), pick(nouns), clause(), pick(advice), pick(nouns), pick(nouns))
}

var theGate = sync.OnceValues(func() (*gate.Gate, error) { return gate.New(gate.Config{}) })

// Entry is the entry of number k, passed by the gate.
func Entry(k int, domain string) (gate.Passed, error) {
	g, err := theGate()
	if err != nil {
		return gate.Passed{}, err
	}
	p, report := g.Pass(gate.Draft{
		Type: []string{"gotcha", "pattern", "wisdom"}[((k%3)+3)%3], Content: Text(k), Domain: domain, Tags: []string{"bench"}, Confidence: 800,
	})
	if !report.OK() {
		return p, fmt.Errorf("the gate refuses entry %d: %v", k, report.Codes())
	}
	return p, nil
}

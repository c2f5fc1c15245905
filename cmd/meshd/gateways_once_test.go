package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// lessonOf is the body of an entry like no other of a generator.
func lessonOf(t *testing.T, rng *rand.Rand, with map[string]any) string {
	t.Helper()
	words := make([]string, 14)
	for i := range words {
		words[i] = lessonWords[rng.IntN(len(lessonWords))] + fmt.Sprint(rng.IntN(1000))
	}
	body := map[string]any{"type": "gotcha", "domain": "go", "title": "Lesson " + words[0], "evidence": "go test",
		"content": "It was learned that the " + strings.Join(words, ", ") + " must agree."}
	for k, v := range with {
		body[k] = v
	}
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// fiveTimes sends one POST five times to two gateways: three that are in flight
// together, of which each gateway gets one at least, and then two more. A client that is asked
// that the first is still running retries. It returns the one reply, how often a
// request ran into another, and how many replies were kept ones.
func (g *gateways) fiveTimes(ctx context.Context, rng *rand.Rand, key, path, body, once string, status int) (reply []byte, met, kept int) {
	g.t.Helper()
	var mu sync.Mutex
	one := func(at int) {
		for ctx.Err() == nil {
			a, err := ask(ctx, http.DefaultClient, g.sides[at].url, key, "POST", path, body, once)
			mu.Lock()
			running := err == nil && a.status == http.StatusConflict && a.code() == "idempotency_in_progress"
			switch {
			case running:
				met++
			case err != nil || a.status != status:
				g.t.Errorf("POST %s at gateway %d: %d %s %v", path, at, a.status, a.raw, err)
			case reply == nil:
				reply = a.raw
			case string(a.raw) != string(reply):
				g.t.Errorf("POST %s at gateway %d: %s, and before %s", path, at, a.raw, reply)
			}
			if !running && a.header.Get("Idempotent-Replayed") == "true" {
				kept++
			}
			mu.Unlock()
			if !running {
				return
			}
			select {
			case <-time.After(10 * time.Millisecond): // a poll, as a client does it
			case <-ctx.Done():
			}
		}
	}
	first := rng.IntN(2)
	begin := make(chan struct{})
	var together sync.WaitGroup
	for i := range 3 {
		together.Go(func() { <-begin; one((first + i) % 2) })
	}
	close(begin)
	together.Wait()
	one(first)
	one(1 - first)
	return reply, met, kept
}

// Scenario 23: the same POST five times across two gateways of one database, with one
// Idempotency-Key, some in flight together. Each gateway can write for the author,
// who lent its voice to both.
func TestScenario23OnePostFiveTimes(t *testing.T) {
	t.Parallel()
	const seed = 23
	rounds := either(4, 100)
	ctx, cancel := context.WithTimeout(t.Context(), either(2*time.Minute, 20*time.Minute))
	defer cancel()
	rng := rand.New(rand.NewPCG(seed, 0))
	const price, gift = 1, 1_000 // credits of an entry; of an agent
	g := startGateways(t, 2, gift)
	ada, bo := g.sides[0], g.sides[1]
	ada.lends(bo)
	soon(t, "the other gateway writes for ada", func() bool {
		a, err := ask(ctx, http.DefaultClient, bo.url, ada.key, "POST", "/api/mesh/contribute", lessonOf(t, rng, nil), "")
		return err == nil && a.status == http.StatusCreated
	})
	known := func(s *side, key, id string) bool {
		a, err := ask(ctx, http.DefaultClient, s.url, key, "GET", "/api/mesh/entry/"+id, "", "")
		return err == nil && (a.status == http.StatusOK || a.status == http.StatusPaymentRequired)
	}
	held := func(s *side) int { // hundredths of a credit
		return int(math.Round(100 * s.do("GET", "/api/credits", nil, 200, "")["balance"].(float64)))
	}
	before := [2]int{held(ada), held(bo)}
	var ids []string
	met, kept := 0, 0
	count := func(reply []byte, m, k int) []byte { met, kept = met+m, kept+k; return reply }
	for i := range rounds {
		var wrote struct{ ID string }
		reply := count(g.fiveTimes(ctx, rng, ada.key, "/api/mesh/contribute", lessonOf(t, rng, map[string]any{"price": 0.01 * price}), fmt.Sprint("entry-", i), 201))
		if err := json.Unmarshal(reply, &wrote); err != nil || wrote.ID == "" {
			t.Fatalf("%v: %s", err, reply)
		}
		ids = append(ids, wrote.ID)
		soon(t, "both gateways have the entry", func() bool { return known(ada, bo.key, wrote.ID) && known(bo, bo.key, wrote.ID) })
		count(g.fiveTimes(ctx, rng, bo.key, "/api/mesh/entry/"+wrote.ID+"/buy", "", fmt.Sprint("buy-", i), 200))
	}
	// Entries of ada that are for sale, on both nodes.
	for i, s := range g.sides {
		listed := map[string]int{}
		path := "/api/mesh/agent/" + ada.agent + "/storefront?limit=100"
		for path != "" {
			a, err := ask(ctx, http.DefaultClient, s.url, bo.key, "GET", path, "", "")
			var page struct {
				Entries    []struct{ ID string }
				NextCursor *string `json:"next_cursor"`
			}
			if err != nil || a.status != 200 || json.Unmarshal(a.raw, &page) != nil {
				t.Fatalf("storefront: %d %.300s %v", a.status, a.raw, err)
			}
			for _, e := range page.Entries {
				listed[e.ID]++
			}
			path = ""
			if page.NextCursor != nil {
				path = "/api/mesh/agent/" + ada.agent + "/storefront?limit=100&cursor=" + *page.NextCursor
			}
		}
		if len(listed) != len(ids) {
			t.Errorf("gateway %d lists %d entries, %d were written", i, len(listed), len(ids))
		}
		for _, id := range ids {
			if listed[id] != 1 {
				t.Errorf("gateway %d lists %s %d times", i, id, listed[id])
			}
		}
	}
	paid, earned := before[1]-held(bo), held(ada)-before[0]
	if paid != 100*rounds*price || earned != 85*rounds*price {
		t.Errorf("bo paid %d and ada earned %d hundredths of a credit for %d purchases of %d credits", paid, earned, rounds, price)
	}
	if kept != 8*rounds {
		t.Errorf("%d replies were kept ones, want 4 of 5", kept)
	}
	t.Logf("scenario 23: %d POSTs 5 times each across 2 gateways: %d entries, %d credits charged for %d purchases, all replies equal, %d requests met one in flight (bar: exactly one entry, one charge, equal replies; seed %d)",
		2*rounds, len(ids), paid/100, rounds, met, seed)
}

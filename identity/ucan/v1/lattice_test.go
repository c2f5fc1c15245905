package v1_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/meshd/meshd/identity/keys"
	v1 "github.com/meshd/meshd/identity/ucan/v1"
)

// The universe of the random chains is small, so that chance meets often.
var (
	someCommands = []string{"/", "/entry", "/entry/put", "/entry/putt", "/vote", "/vote/cast"}
	someRules    = []struct {
		policy []any
		allows func(size int, tag string) bool
	}{
		{[]any{}, func(int, string) bool { return true }},
		{[]any{[]any{"<=", ".size", 100}}, func(size int, _ string) bool { return size <= 100 }},
		{[]any{[]any{"<", ".size", 100}}, func(size int, _ string) bool { return size < 100 }},
		{[]any{[]any{"==", ".tag", "a"}}, func(_ int, tag string) bool { return tag == "a" }},
		{[]any{[]any{"like", ".tag", "a*"}}, func(_ int, tag string) bool { return strings.HasPrefix(tag, "a") }},
		{[]any{[]any{"not", []any{"==", ".tag", "b"}}}, func(_ int, tag string) bool { return tag != "b" }},
		{[]any{[]any{">", ".size", 10}, []any{"==", ".tag", "ab"}}, func(size int, tag string) bool { return size > 10 && tag == "ab" }},
	}
)

// below reports whether a command is another one or lies under it.
func below(command, of string) bool {
	return of == "/" || command == of || strings.HasPrefix(command, of+"/")
}

// TestScenario14LatticesNeverWiden: random chains of delegations with random commands
// and policies, and a random act at their end. An act passes exactly when every link
// allows it and each command lies below the one that proves it, by a plain reference.
func TestScenario14LatticesNeverWiden(t *testing.T) {
	t.Parallel()
	const seed = 14
	chains := 3_000
	switch {
	case os.Getenv("MESHD_NIGHTLY") == "1":
		chains = 1_000_000
	case testing.Short():
		chains = 500
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	people := []*keys.Private{ada, key(1), key(2), key(3), key(4)}
	passed := 0
	nonces := &counting{}
	for n := range chains {
		links := 1 + rng.IntN(4)
		sound, command := true, "/"
		size, tag := 10+rng.IntN(100), []string{"a", "b", "ab"}[rng.IntN(3)]
		var sealed [][]byte
		var proofs []string
		story := ""
		for i := range links {
			next, rule := someCommands[rng.IntN(len(someCommands))], someRules[rng.IntN(len(someRules))]
			if rng.IntN(4) > 0 && !below(next, command) { // most are honest
				next = command
			}
			sound = sound && below(next, command) && rule.allows(size, tag)
			command = next
			d := must[*v1.Delegation](t)(v1.Delegate(people[i], v1.Grant{Audience: people[i+1].Key(), Subject: ada.Key(), Command: next, Policy: rule.policy}, nonces))
			sealed, proofs = append(sealed, d.Sealed), append([]string{d.CID}, proofs...)
			story += fmt.Sprint(next, " ", rule.policy, "; ")
		}
		act := someCommands[1+rng.IntN(len(someCommands)-1)]
		if rng.IntN(4) > 0 && command != "/" {
			act = command
		}
		sound = sound && below(act, command)
		inv := must[*v1.Invocation](t)(v1.Invoke(people[links], v1.Act{Audience: gateway.Key(), Subject: ada.Key(), Command: act,
			Args: map[string]any{"resource": guild, "size": size, "tag": tag}, Proofs: proofs}, nonces))
		b := must[*v1.Bundle](t)(v1.Read(pack(t, append(sealed, inv.Sealed)...), nil))
		_, err := b.Verify(v1.Check{Now: now, Audience: gateway.Key(), Owner: owner})
		if (err == nil) != sound {
			t.Fatalf("seed %d, chain %d: %v, by the reference %v: %sthe act %s of size %d, tag %s", seed, n, err, sound, story, act, size, tag)
		}
		if err == nil {
			passed++
		} else if f := findings(t, err); f.First().Code != v1.InvalidDelegation || f.First().Why.OfChain() {
			t.Fatalf("seed %d, chain %d: %v", seed, n, f)
		}
	}
	if passed < chains/50 || passed > chains*9/10 {
		t.Errorf("%d of %d chains pass: the property says little", passed, chains)
	}
	t.Logf("scenario 14: UCAN 1.x: %d random lattices, %d acts pass: 0 widened (bar: 0)", chains, passed)
}

// counting is randomness that never repeats in a run and is the same in every one.
type counting struct{ n uint64 }

func (c *counting) Read(b []byte) (int, error) {
	c.n++
	copy(b, fmt.Sprintf("%016d", c.n))
	return len(b), nil
}

// BenchmarkRefuse is what a container that is not valid costs, with nothing
// remembered: the whole way from its bytes.
func BenchmarkRefuse(b *testing.B) {
	for name, edit := range map[string]func(*story){
		"expired": func(s *story) { s.root.Expires = at(now - 1) },
		"widened": func(s *story) { s.act.Command = "/entry" },
		"cyclic":  func(s *story) { s.repeat = true },
	} {
		b.Run(name, func(b *testing.B) {
			s := newStory()
			edit(s)
			container, _ := s.build(b)
			for b.Loop() {
				bundle, err := v1.Read(container, nil)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := bundle.Verify(s.check); err == nil {
					b.Fatal("it holds")
				}
			}
		})
	}
}

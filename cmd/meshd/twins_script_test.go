package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/exchange"
)

// twins NETWORK FILE writes, as an export, two agents named Bob whose ids begin
// alike, and two entries of them whose ids do. BOB, OTHER, ONE and TWO become the ids,
// BOBTAG and ENTRIES how they begin, BOBTAIL more of the first.
func twins(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: twins NETWORK FILE")
	}
	file, err := change.ParseNetworkFile(strings.TrimSpace(ts.ReadFile(args[0])))
	ts.Check(err)
	net, err := file.Genesis.ID()
	ts.Check(err)
	const alike = 4
	hlc := uint64(file.Genesis.Start+1) << 10
	seen := map[string]*keys.Private{}
	var pair [2]*keys.Private
	for pair[0] == nil {
		key, err := keys.Generate(rand.Reader)
		ts.Check(err)
		id := change.DeriveAgent(net, key.Key())
		tag := strings.TrimPrefix(id.String(), change.PrefixAgent)[:alike]
		pair[0], pair[1] = seen[tag], key
		seen[tag] = key
	}
	var out []byte
	var binds [2]*change.Change
	for i, key := range pair {
		pow, err := binding.Grind(context.Background(), net, key.Key(), file.Genesis.Bits)
		ts.Check(err)
		b, err := body.Bind{Name: "Bob", Pow: pow}.Encode()
		ts.Check(err)
		id := change.DeriveAgent(net, key.Key())
		binds[i] = change.Seal(change.Draft{Net: net, Space: id.Space(), Kind: change.KindBind, Body: b, HLC: hlc, Seq: 1}, key)
		out, err = exchange.Append(out, binds[i])
		ts.Check(err)
		ts.Setenv([]string{"BOB", "OTHER"}[i], id.String())
		if i == 0 {
			ts.Setenv("BOBTAIL", strings.TrimPrefix(id.String(), change.PrefixAgent)[:alike+6])
		}
		ts.Setenv("BOBTAG", strings.TrimPrefix(id.String(), change.PrefixAgent)[:alike])
	}
	entries := map[string]*change.Change{}
	for n := 0; ; n++ {
		i := n % 2
		b, err := body.Entry{Type: body.Gotcha, Text: fmt.Sprint("A lesson of which there are many, told apart by their number alone: ", n), Confidence: body.DefaultConfidence}.Encode()
		ts.Check(err)
		c := change.Seal(change.Draft{Net: net, Space: change.Commons("go"), Kind: change.KindEntryPut, Body: b, HLC: hlc + 1, Seq: 1, Proof: []change.ID{binds[i].ID}}, pair[i])
		text := c.ID.Text(change.PrefixEntry)
		key := text[:len(change.PrefixEntry)+alike]
		if old := entries[key]; old != nil && old.Head.Author != c.Head.Author { // two of one author would be a fork
			for j, one := range []*change.Change{old, c} {
				out, err = exchange.Append(out, one)
				ts.Check(err)
				ts.Setenv([]string{"ONE", "TWO"}[j], one.ID.Text(change.PrefixEntry))
			}
			ts.Setenv("ENTRIES", key)
			break
		}
		entries[key] = c
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), out, 0o600))
}

// cut VARIABLE TEXT N sets a variable to the first N characters of a text.
func cutText(ts *testscript.TestScript, neg bool, args []string) {
	var n int
	if _, err := fmt.Sscan(args[len(args)-1], &n); neg || err != nil || len(args) != 3 || n > len(args[1]) {
		ts.Fatalf("usage: cut VARIABLE TEXT N")
	}
	ts.Setenv(args[0], args[1][:n])
}

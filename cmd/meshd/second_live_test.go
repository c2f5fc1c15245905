package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"github.com/meshd/meshd/node/health"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// foreign is a running node of the second program: a command a line, an answer a line.
type foreign struct {
	t       *testing.T
	in      io.Writer
	answers *bufio.Scanner
}

func startForeign(ctx context.Context, t *testing.T, network string) *foreign {
	t.Helper()
	cmd := second(ctx, t, "main.js", network, "live")
	cmd.Stderr = t.Output()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close() // which ends it
		_ = cmd.Wait() // after the context it was cut, and the test says so
	})
	f := &foreign{t: t, in: in, answers: bufio.NewScanner(out)}
	f.answers.Buffer(nil, 1<<20)
	if !f.answers.Scan() {
		t.Fatal("the second program did not start")
	}
	return f
}

// do gives a command; the answer is an object of JSON without an error.
func (f *foreign) do(command ...string) map[string]any {
	f.t.Helper()
	if _, err := fmt.Fprintln(f.in, strings.Join(command, " ")); err != nil {
		f.t.Fatal(err)
	}
	if !f.answers.Scan() {
		f.t.Fatalf("no answer to %s", command)
	}
	var out map[string]any
	if err := json.Unmarshal(f.answers.Bytes(), &out); err != nil || out["error"] != nil {
		f.t.Fatalf("%s: %s %v", command, f.answers.Bytes(), err)
	}
	return out
}

func (n *testNode) address() string {
	n.t.Helper()
	var s health.Status
	n.ask(&s, "status")
	for _, a := range s.Listen {
		if strings.Contains(a, "/tcp/") {
			return a
		}
	}
	n.t.Fatalf("no address among %v", s.Listen)
	return ""
}

// word is the standard output of a quiet command.
func (n *testNode) word(args ...string) string {
	n.t.Helper()
	return strings.TrimSpace(string(n.do(append(args, "-q")...)))
}

// TestSecondLive lets two nodes of meshd and one of the second program write, gossip
// and reconcile, in public and in a private team, until all three have one view hash.
func TestSecondLive(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	buildSecond(ctx, t)
	network := filepath.Join(t.TempDir(), "network")
	file, err := second(ctx, t, "differential.js", "network", "1").Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(network, file, 0o600); err != nil {
		t.Fatal(err)
	}
	ada, bo := newNode(t, network), newNode(t, network)
	for _, text := range []string{ // what the other lacks wholly it pulls
		"A write is acknowledged only after the log is synced to the disk.",
		"Peers that restart ask for everything they missed, in the order of time.",
		"Numbers in a canonical map stand in their shortest form, or it is refused.",
	} {
		ada.word("contribute", "--type", "gotcha", "--domain", "go", text)
	}
	ada.start()
	bo.start("--bootstrap", ada.address())

	far := startForeign(ctx, t, network)
	agent := far.do("register", "Second")["agent"].(string)
	for _, n := range []*testNode{ada, bo} {
		far.do("dial", n.address())
	}
	far.do("sync") // downloads by pull

	// Gossip, both ways.
	far.do("subscribed", "open/0", "1")
	far.do("subscribed", "open/1", "1")
	far.do("heard", ada.word("contribute", "--type", "pattern", "--domain", "go", "What Ada writes now comes to the other program by gossip."))
	far.do("heard", bo.word("contribute", "--type", "pattern", "--domain", "rust", "What Bo writes comes there as well, by way of whoever is near."))
	id := far.do("entry", "commons/go", "What the second program writes shows on the nodes of the first.")["id"].(string)
	for !strings.Contains(string(ada.do("feed")), "What the second program writes") {
		if ctx.Err() != nil {
			t.Fatalf("%s did not come by gossip", id)
		}
	}

	// A private team of all three.
	den := ada.word("guild", "create", "Den")
	team := "team/" + strings.TrimPrefix(den, "gld_")
	ada.do("sync", "--wait")
	var who struct{ Owner string }
	bo.ask(&who, "status")
	ada.do("guild", "role", den, "agt_"+strings.TrimPrefix(agent, "agent/"), "member")
	ada.do("guild", "role", den, who.Owner, "member")
	bo.do("guild", "follow", den)
	far.do("follow", team)
	ada.do("team", "message", den, "Who is here?")
	far.do("sync")
	far.do("sync")
	bo.do("sync", "--wait")
	far.do("message", team, "One who was written from a page.")
	far.do("entry", team, "What the team knows stays in the team, on every program it uses.")
	far.do("sync") // pushes
	bo.do("team", "message", den, "And Bo, too.")
	ada.do("sync", "--wait")
	bo.do("sync", "--wait")
	far.do("sync") // a few differ: by sketch

	want := far.do("view")
	for i, n := range []*testNode{ada, bo} {
		n.do("sync", "--wait") // this time they ask
		var s health.Status
		n.ask(&s, "status")
		if s.View.FP != want["hash"] || float64(s.View.Rows) != want["rows"] {
			t.Errorf("node %d: view %+v, the second program %v of %v rows", i, s.View, want["hash"], want["rows"])
		}
		sets := want["sets"].(map[string]any)
		seen := 0
		for _, set := range s.Sets {
			if set.Count > 0 {
				if seen++; sets[set.Name] != set.FP {
					t.Errorf("node %d: %s is %d %s, there %v", i, set.Name, set.Count, set.FP, sets[set.Name])
				}
			}
		}
		if seen != len(sets) || sets[team] == nil {
			t.Errorf("node %d: %d sets, there %v", i, seen, sets)
		}
	}
	t.Logf("one view of %v rows: %v", want["rows"], want["hash"])
}

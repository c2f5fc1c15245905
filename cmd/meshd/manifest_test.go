package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/node/exchange"
	"github.com/meshd/meshd/node/manifest"
	"github.com/meshd/meshd/node/store"
)

// rooted is a network whose root signs twice and lies in a home that never runs, and
// gateways of it that run as processes.
type rooted struct {
	t        *testing.T
	root     *side
	gateways map[string]*side
}

func newRooted(t *testing.T, names ...string) *rooted {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program, network := filepath.Join(dir, "meshd"), filepath.Join(dir, "network.file")
	if err := os.Symlink(exe, program); err != nil {
		t.Fatal(err)
	}
	w := &rooted{t: t, root: &side{t: t, program: program, home: filepath.Join(dir, "root")}, gateways: map[string]*side{}}
	if err := os.WriteFile(network, []byte(w.root.meshd("init", "--network", "rooted", "--bits", "1")), 0o600); err != nil {
		t.Fatal(err)
	}
	peers := ""
	for _, name := range names {
		g := &side{t: t, program: program, home: filepath.Join(dir, name)}
		g.meshd("init", "--network", network)
		t.Cleanup(func() { g.end(syscall.SIGKILL) })
		g.start(peers)
		peers = strings.TrimPrefix(peers+","+g.peer, ",")
		w.gateways[name] = g
	}
	return w
}

// file is a place in the folder of the network.
func (w *rooted) file(name string) string { return filepath.Join(filepath.Dir(w.root.home), name) }

// propose has a gateway draft a change of the manifest, and the root sign it in its
// own home, which knows no peer. It returns the file with the signed change.
func (w *rooted) propose(g *side, name string, args ...string) string {
	w.t.Helper()
	draft, signed := w.file(name+".json"), w.file(name+".ndjson")
	g.meshd(append([]string{"network", "manifest", "set", "--out", draft}, args...)...)
	w.root.meshd("network", "manifest", "sign", draft, "--out", signed)
	return signed
}

// everywhere waits until all gateways equal their peers.
func (w *rooted) everywhere() {
	w.t.Helper()
	for range 2 { // what the last has goes through the first to the others
		for _, g := range w.gateways {
			g.meshd("sync", "--wait", "--timeout", "30s")
		}
	}
}

// stripped is a signed change without its second signature.
func (w *rooted) stripped(signed string) string {
	w.t.Helper()
	line, err := os.ReadFile(signed)
	if err != nil {
		w.t.Fatal(err)
	}
	c, err := exchange.Read(bytes.TrimSpace(line))
	if err != nil || c.Head.Sig2 == nil {
		w.t.Fatalf("signed by %v, %v", c, err)
	}
	c.Head.Sig2 = nil
	c.RawHead = c.Head.Encode()
	if line, err = exchange.Append(nil, c); err != nil {
		w.t.Fatal(err)
	}
	out := signed + ".stripped"
	if err := os.WriteFile(out, line, 0o600); err != nil {
		w.t.Fatal(err)
	}
	return out
}

// refused imports a file that must be refused with a code.
func (w *rooted) refused(g *side, file, code string) {
	w.t.Helper()
	c := exec.Command(g.program, "import", file, "--home", g.home)
	c.Env = []string{"HOME=" + w.t.TempDir(), "PATH=" + os.Getenv("PATH"), "MESHD_LOOPBACK=1"}
	out, err := c.CombinedOutput()
	if c.ProcessState.ExitCode() != session.ExitDegraded || !strings.Contains(string(out), code) {
		w.t.Errorf("import of %s: %v\n%s", file, err, out)
	}
}

// member registers an agent at a gateway, which becomes that side's key and agent.
func (w *rooted) member(g *side, name string) side {
	w.t.Helper()
	status, out := g.send(http.DefaultClient, g.url, "", "POST", "/api/mesh/quickstart", map[string]any{"name": name})
	if status != 201 {
		w.t.Fatalf("quickstart of %s: %d %v", name, status, out)
	}
	a := *g
	a.key, a.agent = at(out, "agent", "api_key").(string), at(out, "agent", "id").(string)
	return a
}

// reputation is a number of an agent's reputation as a gateway works it out.
func (w *rooted) reputation(g *side, agent, of string) any {
	w.t.Helper()
	status, out := g.send(http.DefaultClient, g.url, "", "GET", "/api/mesh/agent/"+agent+"/reputation", nil)
	if status != 200 {
		w.t.Fatalf("reputation: %d %v", status, out)
	}
	return at(out, "breakdown", of)
}

// yesterday makes what a gateway served today be of the day before, and starts it
// again, so that it signs what it served on days that are over.
func (w *rooted) yesterday(g *side, peers string) {
	w.t.Helper()
	g.end(syscall.SIGTERM)
	db, err := sql.Open("sqlite", filepath.Join(g.home, store.StateFile))
	if err != nil {
		w.t.Fatal(err)
	}
	done, err := db.Exec(`UPDATE served_reads SET day = day - 1`)
	if err != nil {
		w.t.Fatal(err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		w.t.Fatalf("%d reads were counted, %v", n, err)
	}
	if err := db.Close(); err != nil {
		w.t.Fatal(err)
	}
	g.start(peers)
}

// What the roots of a network say acts on every node of it: reads that a listed gateway
// counted are reputation, labels of a listed labeler cost it, agents of a listed gateway
// are name@host elsewhere, and it alone writes for guests. A manifest without the second
// signature of its root is refused.
func TestManifestActs(t *testing.T) {
	t.Parallel()
	w := newRooted(t, "a", "b", "c")
	a, b, c := w.gateways["a"], w.gateways["b"], w.gateways["c"]
	key := func(g *side) string { return strings.Fields(g.meshd("network", "key"))[1] }

	early := w.member(a, "Early") // before anybody answers for the gateway
	signed := w.propose(a, "first", "--gateway", "a.example=self", "--gateway", "B.example="+key(b), "--labeler", key(b))
	stripped := w.stripped(signed)
	for _, g := range w.gateways {
		w.refused(g, stripped, "bad_change_signature")
	}
	if got := b.meshd("network", "manifest", "show"); !strings.Contains(got, "none") {
		t.Fatalf("a stripped manifest holds: %s", got)
	}
	b.meshd("import", signed)
	w.everywhere()
	var shown [3]struct{ Manifest manifest.Effective }
	for i, g := range []*side{a, b, c} {
		if err := session.Decode([]byte(g.meshd("network", "manifest", "show", "--json")), &shown[i]); err != nil {
			t.Fatal(err)
		}
		if m := shown[i].Manifest; m.ID != shown[0].Manifest.ID || len(m.Gateways) != 2 || m.Gateways[1].Host != "b.example" || len(m.Labelers) != 1 {
			t.Errorf("gateway %d shows %+v", i, m)
		}
	}

	// Handles.
	ada, bo, cy := w.member(a, "Ada"), w.member(b, "Bo"), w.member(c, "Cy")
	w.everywhere()
	handle := func(g *side, agent string) string {
		t.Helper()
		status, out := g.send(http.DefaultClient, g.url, "", "GET", "/api/mesh/agent/"+agent, nil)
		if status != 200 {
			t.Fatalf("agent %s: %d %v", agent, status, out)
		}
		return fmt.Sprint(at(out, "agent", "handle"))
	}
	tag := func(s side) string { return "#" + strings.TrimPrefix(s.agent, "agt_")[:6] }
	for _, one := range []struct {
		g           *side
		agent, want string
	}{
		{b, ada.agent, "Ada@a.example"}, {c, ada.agent, "Ada@a.example"}, {b, "ada@A.example", "Ada@a.example"}, {a, bo.agent, "Bo@b.example"},
		{a, ada.agent, "Ada"}, {a, cy.agent, "Cy" + tag(cy)}, {b, early.agent, "Early" + tag(early)},
	} {
		if got := handle(one.g, one.agent); got != one.want {
			t.Errorf("%s is called %s, want %s", one.agent, got, one.want)
		}
	}
	b.do("GET", "/api/mesh/agent/cy@c.example/reputation", nil, 404, "agent_not_found")

	// Guests.
	book := "/api/mesh/agent/" + ada.agent + "/guestbook"
	ada.do("PATCH", book, map[string]any{"moderation": "none"}, 200, "")
	w.everywhere()
	guest := func(g *side) (int, any) {
		status, out := g.send(http.DefaultClient, g.url, "", "POST", book, map[string]any{"message": "What a fine page.", "author_name": "Eve"})
		return status, out["code"]
	}
	if status, code := guest(b); status != 201 {
		t.Errorf("a guest at a listed gateway: %d %v", status, code)
	}
	if status, code := guest(c); status != 401 || code != "auth_required" {
		t.Errorf("a guest at a gateway that is not listed: %d %v", status, code)
	}
	notes := func(g *side) any {
		_, out := g.send(http.DefaultClient, g.url, "", "GET", book, nil)
		return out["total"]
	}

	// Served counts and labels.
	entry := func(text string) string {
		out := ada.do("POST", "/api/mesh/contribute", map[string]any{"type": "gotcha", "domain": "go", "content": text}, 201, "")
		return fmt.Sprint(at(out, "id"))
	}
	one := entry("A map that is read and written by two goroutines without a lock ends the whole program, and recover does not help.")
	two := entry("A select with a default case never waits, so a loop around it that has nothing else to wait for burns a core.")
	w.everywhere()
	bo.do("GET", "/api/mesh/entry/"+one, nil, 200, "")
	cy.do("GET", "/api/mesh/entry/"+two, nil, 200, "") // at a gateway that is not listed
	w.yesterday(b, a.peer+","+c.peer)
	w.yesterday(c, a.peer+","+b.peer)
	b.meshd("moderate", "label", two, "spam", "--reason", "advertises a select")
	c.meshd("moderate", "label", one, "spam", "--reason", "nobody asked it")
	w.until(ada.agent, 1, 1)
	if got := []any{w.reputation(a, ada.agent, "contributions"), w.reputation(a, ada.agent, "penalties")}; got[0] != 1.0 || got[1] != 2.0 {
		t.Errorf("contributions and penalties: %v", got)
	}
	if got := notes(a); got != 1.0 {
		t.Errorf("%v notes of guests are shown", got)
	}

	// The roots say otherwise, and nothing of it acts any more.
	signed = w.propose(c, "second", "--remove-gateway", "b.example", "--remove-labeler", key(b))
	w.refused(a, w.stripped(signed), "bad_change_signature")
	a.meshd("import", signed)
	w.until(ada.agent, 0, 0)
	if got := handle(a, bo.agent); got != "Bo"+tag(bo) || notes(a) != 0.0 {
		t.Errorf("after its gateway went: %s, %v notes", got, notes(a))
	}
}

// until reconciles until every gateway counts so many reads of and labels on an agent's
// entries.
func (w *rooted) until(agent string, served, labels float64) {
	w.t.Helper()
	var got map[string][2]any
	for end := time.Now().Add(time.Minute); time.Now().Before(end); w.everywhere() {
		got = map[string][2]any{}
		for name, g := range w.gateways {
			if counts := [2]any{w.reputation(g, agent, "served"), w.reputation(g, agent, "upheld_labels")}; counts != [2]any{served, labels} {
				got[name] = counts
			}
		}
		if len(got) == 0 {
			return
		}
	}
	w.t.Fatalf("reads and labels %v, want %v and %v", got, served, labels)
}

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/meshd/meshd/node/control"
)

// side is one of two nodes that run as processes, with the agent of its owner.
type side struct {
	t               *testing.T
	program, home   string
	node            *exec.Cmd
	url, key, agent string
	peer            string   // address others find it by
	gift            int      // credits that its agents begin with
	settings        []string // of its environment
}

// start runs the node and reads what it prints. peer is a node to connect to, or several
// with commas between them.
func (s *side) start(peer string) {
	s.t.Helper()
	args := []string{"run", "--loopback", "--home", s.home}
	if peer != "" {
		args = append(args, "--bootstrap", peer)
	}
	s.node = exec.Command(s.program, args...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "MESHD_") {
			s.node.Env = append(s.node.Env, v)
		}
	}
	s.node.Env = append(s.node.Env, "MESHD_GATEWAY_LISTEN=127.0.0.1:0", "MESHD_P2P_LISTEN=/ip4/127.0.0.1/tcp/0", "MESHD_GATEWAY_STARTING_CREDITS="+fmt.Sprint(s.gift))
	s.node.Env = append(s.node.Env, s.settings...)
	s.node.Stderr = s.t.Output()
	out, err := s.node.StdoutPipe()
	if err == nil {
		err = s.node.Start()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		switch {
		case len(f) > 1 && f[0] == "api" && strings.HasPrefix(f[1], "http"):
			s.url = f[1]
		case len(f) > 2 && f[0] == "api" && f[1] == "key":
			raw, err := os.ReadFile(f[2])
			if err != nil {
				s.t.Fatal(err)
			}
			s.key = strings.TrimSpace(string(raw))
		case len(f) > 2 && f[0] == "owner":
			s.agent = f[2]
		case len(f) > 1 && f[0] == "peers":
			s.peer = f[1]
		case lines.Text() == "ready":
			go func() { // what it says later is of no interest
				for lines.Scan() {
				}
			}()
			return
		}
	}
	s.t.Fatalf("meshd ended before it was ready: %v", lines.Err())
}

func (s *side) end(sig syscall.Signal) {
	if s.node != nil {
		_ = s.node.Process.Signal(sig)
		_ = s.node.Wait() // a killed node has no clean end
		s.node = nil
	}
}

// send is one request; an empty key is an anonymous caller.
func (s *side) send(client *http.Client, base, key, method, path string, body any) (int, map[string]any) {
	s.t.Helper()
	var in io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			s.t.Fatal(err)
		}
		in = bytes.NewReader(raw)
	}
	r, err := http.NewRequestWithContext(s.t.Context(), method, base+path, in)
	if err != nil {
		s.t.Fatal(err)
	}
	if in != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	out := map[string]any{}
	if err := json.Unmarshal(raw, &out); err != nil {
		s.t.Fatalf("%s %s: %d %.300s", method, path, resp.StatusCode, raw)
	}
	return resp.StatusCode, out
}

// do is a request of the owner's agent that must be answered with a status, and
// a code when it is refused.
func (s *side) do(method, path string, body any, status int, code string) map[string]any {
	s.t.Helper()
	got, out := s.send(http.DefaultClient, s.url, s.key, method, path, body)
	if said, _ := out["code"].(string); got != status || said != code {
		s.t.Fatalf("%s %s: %d %v, want %d %q", method, path, got, out, status, code)
	}
	return out
}

// at follows names into an object.
func at(v map[string]any, names ...string) any {
	var x any = v
	for _, n := range names {
		m, _ := x.(map[string]any)
		x = m[n]
	}
	return x
}

// until asks again until the last of a bounty's moves here are these.
func (s *side) until(id string, last ...string) map[string]any {
	s.t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	end := time.After(40 * time.Second) // no regular pass is sure to be within it
	for {
		_, out := s.send(http.DefaultClient, s.url, s.key, "GET", "/api/mesh/bounties/"+id+"/lifecycle", nil)
		if at(out, "lifecycle", "state") == last[len(last)-1] && strings.HasSuffix(moves(out), strings.Join(last, " ")) {
			return out
		}
		select {
		case <-tick.C:
		case <-end:
			s.t.Fatalf("not %s: %v", last, out)
		}
	}
}

// moves are the states that a bounty came to, in their order.
func moves(lifecycle map[string]any) string {
	var out []string
	events, _ := lifecycle["events"].([]any)
	for _, e := range events {
		out = append(out, fmt.Sprint(at(e.(map[string]any), "to")))
	}
	return strings.Join(out, " ")
}

// TestBountyBetweenTwoProcesses does a whole bounty by HTTP alone, between agents
// of two nodes that run as processes. The node with the reward is killed
// on the way and started again.
func TestBountyBetweenTwoProcesses(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "meshd") // by this name the test binary is meshd
	if err := os.Symlink(exe, program); err != nil {
		t.Fatal(err)
	}
	payer := &side{t: t, program: program, home: filepath.Join(dir, "payer")}
	worker := &side{t: t, program: program, home: filepath.Join(dir, "worker"), gift: 5}
	defer payer.end(syscall.SIGKILL)
	defer worker.end(syscall.SIGKILL)
	payer.start("")
	worker.start(payer.peer)

	guild := at(payer.do("POST", "/api/mesh/guilds", map[string]any{"name": "Market", "type": "bounty", "visibility": "public"}, 201, ""), "guild", "id")
	offer := map[string]any{"teamId": guild, "title": "Mend the fence", "description": "All of it, with a gate.", "amount": 25}
	payer.do("POST", "/api/mesh/bounties", offer, 402, "insufficient_credits")
	grant := map[string]any{"agent_id": payer.agent, "amount": 100, "reason": "to try bounties"}
	payer.do("POST", "/api/admin/credits/grant", grant, 404, "not_found") // a key is not the owner
	socket, err := control.Dial(payer.home)
	if err != nil {
		t.Fatal(err)
	}
	if status, out := payer.send(socket, control.BaseURL, "", "POST", "/api/admin/credits/grant", grant); status != 200 || out["balance"] != 100.0 {
		t.Fatalf("grant: %d %v", status, out)
	}
	socket.CloseIdleConnections()
	made := payer.do("POST", "/api/mesh/bounties", offer, 201, "")
	id := at(made, "bounty", "id").(string)
	if at(made, "bounty", "escrow", "state") != "reserved" || at(made, "createdTask") != true || at(made, "task", "title") != "Mend the fence" {
		t.Fatalf("made %v", made)
	}
	path := "/api/mesh/bounties/" + id
	worker.until(id, "open")
	payer.do("POST", path+"/claim", nil, 403, "self_deal")

	// The claim is written on the other node and counts when its home has confirmed it.
	claimed := worker.do("POST", path+"/claim", nil, 200, "")
	if at(claimed, "confirmed") != true || at(claimed, "bounty", "claimedBy") != worker.agent {
		t.Fatalf("claimed %v", claimed)
	}
	worker.do("POST", path+"/claim", nil, 409, "already_claimed")
	worker.do("POST", path+"/accept", nil, 409, "bad_transition")
	worker.do("POST", path+"/submit", map[string]any{"solution": "The key is AKIAIOSFODNN7EXAMPLQ and the secret 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"}, 422, "secret_detected")
	worker.do("POST", path+"/submit", map[string]any{"solution": "The fence is mended."}, 201, "")
	payer.until(id, "submitted")

	// The home dies and comes back; nothing is lost.
	payer.end(syscall.SIGKILL)
	payer.start(worker.peer)
	payer.do("POST", path+"/request-changes", map[string]any{"reason": "where is the gate?"}, 200, "")
	worker.until(id, "submitted", "claimed") // it was claimed before, too
	work := worker.do("POST", path+"/submit", map[string]any{"solution": "The gate too.", "proof": map[string]any{"photo": "gate.jpg"}}, 201, "")
	payer.until(id, "submitted")
	paid := payer.do("POST", path+"/payout", map[string]any{"submissionId": at(work, "submission", "id")}, 200, "")
	if at(paid, "payoutResult", "amount") != 25.0 || at(paid, "bounty", "escrow", "state") != "released" {
		t.Fatalf("paid %v", paid)
	}
	payer.do("POST", path+"/payout", nil, 409, "bad_transition")

	here, there := payer.until(id, "paid"), worker.until(id, "paid")
	if !reflect.DeepEqual(here["lifecycle"], there["lifecycle"]) || !reflect.DeepEqual(here["events"], there["events"]) {
		t.Errorf("the nodes differ:\n%v\n%v", here, there)
	}
	if got := moves(here); got != "open claimed submitted claimed submitted accepted paid" {
		t.Errorf("moves %s", got)
	}
	if at(there, "submissions").([]any)[1].(map[string]any)["solution"] != "The gate too." {
		t.Errorf("submissions %v", there["submissions"])
	}
	me := payer.do("GET", "/api/mesh/me", nil, 200, "")
	if at(me, "credits", "balance") != 75.0 {
		t.Errorf("the payer has %v", at(me, "credits", "balance"))
	}
	for range 2 { // given once; what was earned lies at the gateway that paid
		if me := worker.do("GET", "/api/mesh/me", nil, 200, ""); at(me, "credits", "balance") != 5.0 {
			t.Errorf("the worker began with %v", at(me, "credits", "balance"))
		}
	}
	lines := payer.do("GET", "/api/mesh/transactions", nil, 200, "")
	if lines["total"] != 2.0 { // the grant and the reserve
		t.Errorf("transactions %v", lines)
	}
	_, anonymous := worker.send(http.DefaultClient, worker.url, "", "GET", path+"/lifecycle", nil)
	raw, err := json.Marshal(anonymous)
	if err != nil {
		t.Fatal(err)
	}
	for _, hidden := range []string{worker.agent, "gate too", "gate?", "gate.jpg", at(work, "submission", "id").(string)} {
		if strings.Contains(string(raw), hidden) {
			t.Errorf("an anonymous caller sees %q in %s", hidden, raw)
		}
	}
}

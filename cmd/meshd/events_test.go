package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// servedHome is a node that is killed and started again over one home.
type servedHome struct {
	t       *testing.T
	program string
	dir     string
	node    *exec.Cmd
	url     string
	key     string
}

func (s *servedHome) start() {
	s.t.Helper()
	s.node = exec.Command(s.program, "run", "--loopback", "--home", filepath.Join(s.dir, "home"))
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "MESHD_") {
			s.node.Env = append(s.node.Env, v)
		}
	}
	s.node.Env = append(s.node.Env, "MESHD_GATEWAY_LISTEN=127.0.0.1:0", "MESHD_P2P_LISTEN=/ip4/127.0.0.1/tcp/0")
	s.node.Stderr = s.t.Output()
	stdout, err := s.node.StdoutPipe()
	if err == nil {
		err = s.node.Start()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		switch {
		case len(f) > 1 && f[0] == "api" && strings.HasPrefix(f[1], "http"):
			s.url = f[1]
		case len(f) > 2 && f[0] == "api" && f[1] == "key" && s.key == "":
			raw, err := os.ReadFile(f[2])
			if err != nil {
				s.t.Fatal(err)
			}
			s.key = strings.TrimSpace(string(raw))
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

// end sends a signal and waits.
func (s *servedHome) end(sig syscall.Signal) error {
	_ = s.node.Process.Signal(sig)
	err := s.node.Wait()
	s.node = nil
	return err
}

var lessonWords = strings.Fields("cache retry lock queue batch header socket buffer token shard index replica cursor deadline quota timer vector ledger packet mutex")

// contribute writes entries until a request fails, and notes those that were
// acknowledged.
func (s *servedHome) contribute(ctx context.Context, rng *rand.Rand, seen func(string)) {
	for ctx.Err() == nil {
		words := make([]string, 14)
		for i := range words {
			words[i] = lessonWords[rng.IntN(len(lessonWords))] + fmt.Sprint(rng.IntN(1000))
		}
		body, err := json.Marshal(map[string]any{"type": "gotcha", "domain": "go", "title": "Lesson " + words[0], "evidence": "go test",
			"content": "It was learned that the " + strings.Join(words, ", ") + " must agree."})
		if err != nil {
			s.t.Error(err)
			return
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/api/mesh/contribute", bytes.NewReader(body))
		if err != nil {
			s.t.Error(err)
			return
		}
		r.Header.Set("Authorization", "Bearer "+s.key)
		r.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return
		}
		var reply struct {
			ID    string `json:"id"`
			Error string `json:"error"`
		}
		err = json.NewDecoder(resp.Body).Decode(&reply)
		_ = resp.Body.Close()
		if err != nil {
			return
		}
		if resp.StatusCode != http.StatusCreated {
			s.t.Errorf("contribute: %d %s", resp.StatusCode, reply.Error)
			return
		}
		seen(reply.ID)
	}
}

// listener is a client of the stream of events that comes back by itself.
type listener struct {
	t        *testing.T
	last     string
	received map[string]int // by object
	ids      map[string]bool
}

// listen reads the stream until it breaks off or done says so, and returns the
// kind of its last event.
func (l *listener) listen(ctx context.Context, s *servedHome, done func() bool) (last string) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/api/mesh/events?kinds=entry.created", nil)
	if err != nil {
		l.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.key)
	if l.last != "" {
		r.Header.Set("Last-Event-ID", l.last)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return ""
	}
	defer resp.Body.Close()
	kind, id, data := "", "", ""
	lines := bufio.NewScanner(resp.Body)
	for !done() && lines.Scan() {
		switch name, value, _ := strings.Cut(lines.Text(), ": "); name {
		case "id":
			id = value
		case "event":
			last, kind = value, value
		case "data":
			data = value
		case "": // only now the event is whole: a killed gateway may end in the middle of one
			if data != "" {
				l.receive(kind, data)
			}
			if id != "" {
				l.last = id
			}
			id, data = "", ""
		}
	}
	return last
}

// receive takes one event.
func (l *listener) receive(kind, data string) {
	l.t.Helper()
	if kind == "reset" {
		l.t.Errorf("events were lost: %s", data)
	}
	var e struct{ ID, Object string }
	if err := json.Unmarshal([]byte(data), &e); err != nil {
		l.t.Errorf("%v in %q", err, data)
	}
	if kind == "entry.created" && !l.ids[e.ID] {
		l.ids[e.ID] = true
		l.received[e.Object]++
	}
}

// TestKilledGatewayLosesNoEvent kills a node in the middle of writes, again and
// again; a client that resumes at its last position gets every
// entry that was acknowledged as durable.
func TestKilledGatewayLosesNoEvent(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &servedHome{t: t, dir: t.TempDir()}
	s.program = filepath.Join(s.dir, "meshd") // by this name the test binary is meshd
	if err := os.Symlink(exe, s.program); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if s.node != nil {
			_ = s.end(syscall.SIGKILL)
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	l := &listener{t: t, received: map[string]int{}, ids: map[string]bool{}}
	var mu sync.Mutex
	var acknowledged []string
	for round := range uint64(4) {
		s.start()
		if l.last == "" { // a place to come back to
			l.listen(ctx, s, func() bool { return l.last != "" })
		}
		enough := make(chan struct{})
		want := len(acknowledged) + 20 + int(round)*17
		var writers sync.WaitGroup
		for w := range uint64(3) {
			writers.Go(func() {
				s.contribute(ctx, rand.New(rand.NewPCG(round, w)), func(id string) {
					mu.Lock()
					defer mu.Unlock()
					if acknowledged = append(acknowledged, id); len(acknowledged) == want {
						close(enough)
					}
				})
			})
		}
		listening := make(chan struct{})
		if round > 0 { // in the first round nobody listens when it dies
			go func() {
				defer close(listening)
				l.listen(ctx, s, func() bool { return false })
			}()
		} else {
			close(listening)
		}
		select {
		case <-enough:
		case <-ctx.Done():
			t.Fatal("too slow")
		}
		_ = s.end(syscall.SIGKILL)
		writers.Wait()
		<-listening
	}
	s.start()
	missing := func() (n int) {
		for _, id := range acknowledged {
			if l.received[id] == 0 {
				n++
			}
		}
		return n
	}
	l.listen(ctx, s, func() bool { return missing() == 0 })
	if n := missing(); n > 0 {
		t.Fatalf("%d of %d entries were never published", n, len(acknowledged))
	}
	for object, n := range l.received {
		if n > 1 {
			t.Errorf("%s was published %d times under different ids", object, n)
		}
	}
	// A stop that is asked for says so and comes to its end.
	ended, greeted, lines := make(chan string), make(chan struct{}), 0
	go func() {
		ended <- l.listen(ctx, s, func() bool {
			if lines++; lines == 2 {
				close(greeted)
			}
			return false
		})
	}()
	<-greeted
	begun := time.Now()
	if err := s.end(syscall.SIGTERM); err != nil {
		t.Errorf("the node ended with %v", err)
	}
	if last := <-ended; last != "bye" {
		t.Errorf("the stream ended with %s", last)
	}
	if took := time.Since(begun); took > 8*time.Second {
		t.Errorf("an open stream held the end up for %v", took)
	}
}

// ask sends a request and returns its status and reply.
func (s *servedHome) ask(method, path, key string, body any) (int, map[string]any) {
	s.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, bytes.NewReader(raw))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	out := map[string]any{}
	_ = json.NewDecoder(resp.Body).Decode(&out) // 204 has none
	return resp.StatusCode, out
}

// await reads a stream until an event of the kind and returns its line; other
// events must not contain a text.
func await(t *testing.T, lines *bufio.Scanner, kind string) string {
	t.Helper()
	is := ""
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		if name == "event" {
			is = value
		}
		if name == "data" && is == kind {
			return value
		}
	}
	t.Fatalf("the stream ended with %s, without %s: %v", is, kind, lines.Err())
	return ""
}

// TestTeamStreamIsOfItsMembers follows a private team over its whole life on one
// real node: others get nothing, and members that leave get no more.
func TestTeamStreamIsOfItsMembers(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &servedHome{t: t, dir: t.TempDir()}
	s.program = filepath.Join(s.dir, "meshd")
	if err := os.Symlink(exe, s.program); err != nil {
		t.Fatal(err)
	}
	s.start()
	defer func() { _ = s.end(syscall.SIGTERM) }()
	_, founded := s.ask("POST", "/api/mesh/team", s.key, map[string]any{"name": "Otters"})
	guild, _ := founded["guild"].(map[string]any)
	if guild == nil {
		t.Fatalf("%v", founded)
	}
	team := guild["id"].(string)
	_, quick := s.ask("POST", "/api/mesh/quickstart", "", map[string]any{"name": "Bob"})
	agent := quick["agent"].(map[string]any)
	bob, bobKey := agent["id"].(string), agent["api_key"].(string)
	if status, refused := s.ask("GET", "/api/mesh/team/"+team+"/events", bobKey, nil); status != 403 || refused["code"] != "not_a_member" {
		t.Fatalf("a stranger: %d %v", status, refused)
	}
	stream := func(path, key string) *bufio.Scanner {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+key)
		resp, err := http.DefaultClient.Do(r)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %v %v", path, resp, err)
		}
		t.Cleanup(func() { _ = resp.Body.Close() })
		lines := bufio.NewScanner(resp.Body)
		await(t, lines, "hello")
		return lines
	}
	founder, public := stream("/api/mesh/team/"+team+"/room/live?tail=0", s.key), stream("/api/mesh/events", bobKey)
	if status, out := s.ask("POST", "/api/mesh/team/"+team+"/members", s.key, map[string]any{"agent_id": bob, "role": "member"}); status >= 300 {
		t.Fatalf("%d %v", status, out)
	}
	await(t, founder, "member.joined")
	member := stream("/api/mesh/team/"+team+"/events?tail=0", bobKey)
	const text = "Otters meet at noon by the river."
	if status, out := s.ask("POST", "/api/mesh/team/"+team+"/message", s.key, map[string]any{"content": text}); status != 201 {
		t.Fatalf("%d %v", status, out)
	}
	for _, lines := range []*bufio.Scanner{founder, member} {
		if line := await(t, lines, "message.created"); !strings.Contains(line, text) || !strings.Contains(line, team) {
			t.Errorf("a member receives %s", line)
		}
	}
	begun := time.Now()
	if status, out := s.ask("POST", "/api/mesh/team/"+team+"/members", s.key, map[string]any{"agent_id": bob, "action": "remove"}); status >= 300 {
		t.Fatalf("%d %v", status, out)
	}
	if line := await(t, member, "bye"); line != `{"code":"not_a_member"}` {
		t.Errorf("who was removed receives %s", line)
	}
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("who was removed received events of the team for %v more", took)
	}
	// The public stream went on over all of it and sends an entry next.
	if status, out := s.ask("POST", "/api/mesh/contribute", s.key, map[string]any{"type": "gotcha", "domain": "go",
		"content": "Close the response body before retrying a request, because a leaked body keeps the connection out of the pool."}); status != 201 {
		t.Fatalf("%d %v", status, out)
	}
	for kind := ""; kind != "entry.created" && public.Scan(); {
		name, value, _ := strings.Cut(public.Text(), ": ")
		if name == "event" {
			kind = value
		}
		if strings.Contains(public.Text(), team) || strings.HasPrefix(kind, "m") || strings.HasPrefix(kind, "board") {
			t.Errorf("the public receives events of the team: %s", public.Text())
		}
	}
}

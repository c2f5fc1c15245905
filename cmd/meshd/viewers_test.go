package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// command runs a command of the program beside the node and returns what it says
// on both outputs.
func (s *side) command(args ...string) (out string, ok bool) {
	s.t.Helper()
	c := exec.CommandContext(s.t.Context(), s.program, append(args, "--home", s.home)...)
	c.Env = s.node.Env
	raw, err := c.CombinedOutput()
	return string(raw), err == nil
}

// soon repeats a check until it passes: the home of a team looks twice a minute.
func (s *side) soon(what string, cond func() bool) {
	s.t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	end := time.After(3 * time.Minute)
	for !cond() {
		select {
		case <-tick.C:
		case <-end:
			s.t.Fatalf("%s: not in time", what)
		}
	}
}

// messages are the texts of the newest messages of a team, newest first.
func (s *side) messages(team string) (texts []string) {
	s.t.Helper()
	_, out := s.send(http.DefaultClient, s.url, s.key, "GET", team+"/messages", nil)
	list, _ := out["messages"].([]any)
	for _, m := range list {
		texts = append(texts, fmt.Sprint(at(m.(map[string]any), "content")))
	}
	return texts
}

// TestViewersOfAnotherProcessWrite: an admin of one node allows the viewers of a
// private team to write and makes one. The home of the team, another process, gives
// the right by itself, is killed and started again, and shows what the viewer wrote
// by command and by HTTP, until the policy ends.
func TestViewersOfAnotherProcessWrite(t *testing.T) {
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
	home := &side{t: t, program: program, home: filepath.Join(dir, "home")}
	away := &side{t: t, program: program, home: filepath.Join(dir, "away")}
	defer home.end(syscall.SIGKILL)
	defer away.end(syscall.SIGKILL)
	home.start("")
	away.start(home.peer)

	id := at(home.do("POST", "/api/mesh/team", map[string]any{"name": "Watchers", "visibility": "private"}, 201, ""), "team", "id").(string)
	team := "/api/mesh/team/" + id
	_, invited := home.send(http.DefaultClient, home.url, home.key, "POST", team+"/invites", nil)
	home.soon("the home knows the other agent", func() bool {
		status, _ := home.send(http.DefaultClient, home.url, home.key, "GET", "/api/mesh/agent/"+away.agent, nil)
		return status == 200
	})
	away.do("POST", team+"/join", map[string]any{"invite_code": invited["code"]}, 200, "")
	home.do("POST", team+"/members", map[string]any{"agent_id": away.agent, "role": "admin"}, 200, "")
	if out, ok := away.command("register", "--generate-wallet", "bo"); !ok {
		t.Fatalf("register: %s", out)
	}
	away.soon("the other node has an admin", func() bool {
		_, out := away.send(http.DefaultClient, away.url, away.key, "GET", team, nil)
		return at(out, "team", "role") == "admin"
	})
	away.do("PATCH", team+"/config", map[string]any{"policy": map[string]any{"allow_viewer_messages": true}}, 200, "")
	away.do("POST", team+"/members", map[string]any{"agent_id": "bo", "role": "viewer"}, 200, "")

	say := []string{"team", "message", "--as", "bo", id, "by command"}
	if out, ok := away.command(say...); ok || !strings.Contains(out, "capability_missing") {
		t.Fatalf("before the home has received it: %s", out)
	}
	home.end(syscall.SIGKILL)
	home.start(away.peer)
	away.soon("the home gives the right", func() bool { _, ok := away.command(say...); return ok })
	if out, ok := away.command("team", "board", "add", "--as", "bo", id, "x"); ok || !strings.Contains(out, "forbidden") {
		t.Errorf("a viewer adds a task: %s", out)
	}
	home.soon("the home shows the viewer's message", func() bool { return slices.Equal(home.messages(team), []string{"by command"}) })
	if n := home.do("GET", team, nil, 200, "")["team"].(map[string]any)["memberCount"]; n != 3.0 {
		t.Errorf("%v members", n)
	}

	home.do("PATCH", team+"/config", map[string]any{"policy": map[string]any{"allow_viewer_messages": false}}, 200, "")
	away.soon("the policy ends", func() bool {
		out, ok := away.command(say...)
		return !ok && strings.Contains(out, "forbidden")
	})
}

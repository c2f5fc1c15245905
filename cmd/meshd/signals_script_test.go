package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// logPatience is how long a script waits for a line of a node's log.
const logPatience = 30 * time.Second

// transcript is what a node has written to standard error so far. A
// line wakes those that wait for it.
type transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
	seen int           // bytes that were waited for already
	grew chan struct{} // closed at the next write
}

func (t *transcript) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.grew != nil {
		close(t.grew)
		t.grew = nil
	}
	return t.text.Write(b)
}

func (t *transcript) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}

// find looks for a line beyond those found before. If there is none yet it
// returns a channel that is closed when there is more to look at.
func (t *transcript) find(line *regexp.Regexp) (found bool, more <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at := line.FindIndex(t.text.Bytes()[t.seen:]); at != nil {
		t.seen += at[1]
		return true, nil
	}
	if t.grew == nil {
		t.grew = make(chan struct{})
	}
	return false, t.grew
}

// process is the node of that name.
func namedProcess(ts *testscript.TestScript, name string) *process {
	all := ts.Value(processesKey{}).(*processes)
	all.mu.Lock()
	defer all.mu.Unlock()
	p := all.byName[name]
	if p == nil {
		ts.Fatalf("no process %s", name)
	}
	return p
}

// logged NAME REGEXP waits until the node has logged a line, after the one that
// was waited for before.
func logged(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: logged NAME REGEXP")
	}
	line, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	p := namedProcess(ts, args[0])
	limit := time.NewTimer(logPatience)
	defer limit.Stop()
	for {
		found, more := p.stderr.find(line)
		if found {
			return
		}
		select {
		case <-more:
		case <-limit.C:
			ts.Fatalf("%s did not log %q in time:\n%s", args[0], args[1], p.stderr.String())
		}
	}
}

// sendSignal NAME TERM|HUP sends a signal and does not wait.
func sendSignal(ts *testscript.TestScript, neg bool, args []string) {
	signals := map[string]syscall.Signal{"TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP}
	if neg || len(args) != 2 || signals[args[1]] == 0 {
		ts.Fatalf("usage: signal NAME TERM|HUP")
	}
	ts.Check(namedProcess(ts, args[0]).cmd.Process.Signal(signals[args[1]]))
}

// exits NAME CODE waits for a node to end with that exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: exits NAME CODE")
	}
	p := namedProcess(ts, args[0])
	all := ts.Value(processesKey{}).(*processes)
	all.mu.Lock()
	delete(all.byName, args[0])
	all.mu.Unlock()
	got := 0
	if err := <-p.ended; err != nil {
		exit := (*exec.ExitError)(nil)
		if !errors.As(err, &exit) {
			ts.Fatalf("%s: %v", args[0], err)
		}
		got = exit.ExitCode()
	}
	if strconv.Itoa(got) != args[1] {
		ts.Fatalf("%s: exit code %d, want %s\n%s", args[0], got, args[1], p.stderr.String())
	}
}

// held is a request whose body has not come whole, and beside it a connection
// that waits for its next request.
type held struct {
	request, idle net.Conn
}

type heldKey struct{}

// hold URL begins a request that the node cannot finish.
func hold(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: hold URL")
	}
	addr := strings.TrimPrefix(args[0], "http://")
	h := ts.Value(heldKey{}).(*held)
	h.release()
	var err error
	h.idle, err = net.Dial("tcp", addr)
	ts.Check(err)
	_, err = fmt.Fprintf(h.idle, "GET /api/mesh HTTP/1.1\r\nHost: %s\r\n\r\n", addr)
	ts.Check(err)
	resp, err := http.ReadResponse(bufio.NewReader(h.idle), nil)
	ts.Check(err)
	_, err = io.Copy(io.Discard, resp.Body)
	ts.Check(errors.Join(err, resp.Body.Close()))
	h.request, err = net.Dial("tcp", addr)
	ts.Check(err)
	_, err = fmt.Fprintf(h.request, "POST /api/mesh/register/challenge HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"+
		"Content-Length: 2\r\nExpect: 100-continue\r\n\r\n", addr)
	ts.Check(err)
	// The node asks for the body: it is at work on this request.
	line, err := bufio.NewReader(h.request).ReadString('\n')
	ts.Check(err)
	if !strings.Contains(line, " 100 ") {
		ts.Fatalf("the node did not ask for the body: %s", line)
	}
}

// stopping waits until the node that hold was called for has begun to stop: it
// then ends connections that have no request under way.
func stopping(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: stopping")
	}
	h := ts.Value(heldKey{}).(*held)
	ts.Check(h.idle.SetReadDeadline(time.Now().Add(logPatience)))
	if n, err := h.idle.Read(make([]byte, 1)); !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) {
		ts.Fatalf("the node did not begin to stop: %d bytes, %v", n, err)
	}
}

// letGo abandons that request.
func letGo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: letgo")
	}
	ts.Value(heldKey{}).(*held).release()
}

func (h *held) release() {
	for _, c := range []net.Conn{h.request, h.idle} {
		if c != nil {
			_ = c.Close()
		}
	}
	h.request, h.idle = nil, nil
}

// field VARIABLE FILE NAME sets a variable to a string of the JSON object in a
// file; NAME/FIELD is one of the first object of a list.
func field(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: field VARIABLE FILE NAME")
	}
	var object map[string]any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[1])), &object))
	list, name, inList := strings.Cut(args[2], "/")
	if inList {
		all, _ := object[list].([]any)
		if len(all) == 0 {
			ts.Fatalf("%s has no list %s, or an empty one", args[1], list)
		}
		object, _ = all[0].(map[string]any)
	} else {
		name = list
	}
	s, ok := object[name].(string)
	if !ok {
		ts.Fatalf("%s has no string %s", args[1], args[2])
	}
	ts.Setenv(args[0], s)
}

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	many "github.com/meshd/meshd/node/gate/lessons"
)

// The test binary is meshd in scripts, and its own document worker: started by
// a node, os.Executable names it whatever it was called by.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == docWorker {
		os.Exit(start())
	}
	testscript.Main(m, map[string]func(){"meshd": func() { os.Exit(start()) }})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, scripts("testdata/script"))
}

// scripts are the scripts of a folder, with homes and words of their own.
func scripts(dir string) testscript.Params {
	return testscript.Params{
		Dir: dir,
		Setup: func(env *testscript.Env) error {
			env.Setenv("MESHD_LOOPBACK", "1")
			env.Setenv("MESHD_HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("MESHD_P2P_LISTEN", "/ip4/127.0.0.1/tcp/0")
			env.Setenv("MESHD_GATEWAY_LISTEN", "127.0.0.1:0")
			running := &processes{byName: map[string]*process{}, screens: map[string]*screen{}}
			env.Values[processesKey{}] = running
			env.Defer(running.killAll)
			env.Defer(func() { killBackground(env.WorkDir) })
			requests := &held{}
			env.Values[heldKey{}] = requests
			env.Defer(requests.release)
			return nil
		},
		Cmds: scriptCommands,
	}
}

// scriptCommands are the words of scripts beside testscript's own.
var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"start":      startProcess,
	"finish":     func(ts *testscript.TestScript, neg bool, args []string) { endProcess(ts, neg, args, syscall.SIGTERM) },
	"begin":      beginProcess,
	"ended":      func(ts *testscript.TestScript, neg bool, args []string) { endProcess(ts, neg, args, 0) },
	"kill9":      func(ts *testscript.TestScript, neg bool, args []string) { endProcess(ts, neg, args, syscall.SIGKILL) },
	"capture":    capture,
	"word":       word,
	"freeport":   freePort,
	"code":       exitsWith,
	"jsonrpc":    jsonRPC,
	"signal":     sendSignal,
	"exits":      exits,
	"logged":     logged,
	"hold":       hold,
	"stopping":   stopping,
	"letgo":      letGo,
	"field":      field,
	"silent":     silentFacilitator,
	"selfsigned": selfSigned,
	"twins":      twins,
	"cut":        cutText,
	"payfor":     payFor,
	"sell":       sell,
	"between":    between,
	"flip":       flipBit,
	"learn":      learn,
	"mcpclients": mcpClients,
	"killnode":   killNode,
	"invitation": invitation,
	"scan":       scan,
	"ownprogram": ownProgram,
	"released":   released,
	"serve":      serveFolder,
	"nothing":    nothing,
	"exports":    exports,
}

// flipBit PATTERN PERCENT flips a bit of the largest file that matches, at so many
// percent of it, as a disk does.
func flipBit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: flip PATTERN PERCENT")
	}
	percent, err := strconv.Atoi(args[1])
	ts.Check(err)
	found, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	var most []byte
	at := ""
	for _, name := range found {
		b, err := os.ReadFile(name)
		ts.Check(err)
		if len(b) > len(most) {
			most, at = b, name
		}
	}
	if at == "" {
		ts.Fatalf("no file matches %s", args[0])
	}
	most[len(most)*percent/100] ^= 0x04
	ts.Check(os.WriteFile(at, most, 0o600))
}

// learn N ARG... contributes N lessons, one meshd each, with the arguments.
func learn(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: learn N ARG...")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	for k := range n {
		ts.Check(ts.Exec("meshd", append([]string{"contribute", "-q", "--type", "gotcha", "--domain", "go", many.Text(k)}, args[1:]...)...))
	}
}

// processes are the nodes a script has started.
type processes struct {
	mu      sync.Mutex
	byName  map[string]*process
	screens map[string]*screen // of those on a terminal
}

// screen is what a process has shown on its terminal.
type screen struct {
	keyboard *os.File

	mu    sync.Mutex
	more  sync.Cond // on mu: the text is longer, or has ended
	text  []byte
	ended bool
}

type processesKey struct{}

// process is meshd in the background.
type process struct {
	cmd    *exec.Cmd
	out    *bytes.Buffer // up to and with the ready line
	stderr transcript
	ended  chan error
}

func (p *processes) killAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.byName {
		_ = one.cmd.Process.Kill()
		<-one.ended
	}
}

// startProcess runs meshd with the rest of the line under a name, and returns
// when it has printed its ready line; the lines up to it become standard output.
func startProcess(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: start NAME [-files N] ARG...")
	}
	name, args := args[0], args[1:]
	files := ""
	if args[0] == "-files" && len(args) > 2 {
		files, args = args[1], args[2:]
	}
	cmd := meshdCommand(ts, args)
	if files != "" { // a process may lower its limit of open files, and not raise it again
		cmd.Args = append([]string{"sh", "-c", `ulimit -n "$0" && exec "$@"`, files, cmd.Path}, args...)
		cmd.Path = "/bin/sh"
	}
	p := &process{cmd: cmd, out: &bytes.Buffer{}, ended: make(chan error, 1)}
	cmd.Stderr = &p.stderr
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	all := ts.Value(processesKey{}).(*processes)
	all.mu.Lock()
	all.byName[name] = p
	all.mu.Unlock()
	ready := awaitReady(out, p.out)
	go func() {
		_, _ = io.Copy(io.Discard, out)
		p.ended <- cmd.Wait()
	}()
	if !ready {
		err := <-p.ended
		p.ended <- err
		ts.Fatalf("%s ended before it was ready: %v\n%s", name, err, p.stderr.String())
	}
	ts.Logf("%s", p.out.String())
	ts.Check(os.WriteFile(ts.MkAbs(name+".out"), p.out.Bytes(), 0o600))
}

// meshdCommand is meshd with the settings of the script.
func meshdCommand(ts *testscript.TestScript, args []string) *exec.Cmd {
	exe, err := os.Executable()
	ts.Check(err)
	cmd := exec.Command(exe, args...)
	cmd.Path, err = exec.LookPath(filepath.Join(filepath.Dir(firstOf(ts.Getenv("PATH"))), "bin", "meshd"))
	ts.Check(err)
	cmd.Args[0] = "meshd"
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "MESHD_LOOPBACK", "MESHD_HOME", "MESHD_P2P_LISTEN", "MESHD_GATEWAY_LISTEN",
		"MESHD_GATEWAY_ENABLED", "MESHD_GATEWAY_PUBLIC_URL", "MESHD_GATEWAY_STARTING_CREDITS", "MESHD_LOG_LEVEL", "MESHD_LOG_ACCESS", "MESHD_X402_PAY_TO", "MESHD_X402_NETWORK", "MESHD_X402_FACILITATOR"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	return cmd
}

func firstOf(path string) string { return filepath.SplitList(path)[0] }

func awaitReady(r io.Reader, into *bytes.Buffer) bool {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		into.WriteString(line)
		if line == "ready\n" {
			return true
		}
		if err != nil {
			return false
		}
	}
}

// beginProcess starts meshd and goes on once it has said a text on its standard
// error. `ended` waits for it; what it wrote is then in NAME.out and NAME.err.
func beginProcess(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: begin NAME TEXT ARG...")
	}
	cmd := meshdCommand(ts, args[2:])
	p := &process{cmd: cmd, out: &bytes.Buffer{}, ended: make(chan error, 1)}
	cmd.Stdout = p.out
	said, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	all := ts.Value(processesKey{}).(*processes)
	all.mu.Lock()
	all.byName[args[0]] = p
	all.mu.Unlock()
	outFile, errFile := ts.MkAbs(args[0]+".out"), ts.MkAbs(args[0]+".err")
	seen := make(chan struct{})
	go func() {
		text, waiting := "", true
		for lines := bufio.NewReader(said); ; {
			line, err := lines.ReadString('\n')
			if text += line; waiting && strings.Contains(text, args[1]) {
				waiting = false
				close(seen)
			}
			if err != nil {
				break
			}
		}
		_, _ = p.stderr.Write([]byte(text))
		err := cmd.Wait()
		p.ended <- errors.Join(err, os.WriteFile(outFile, p.out.Bytes(), 0o600), os.WriteFile(errFile, []byte(text), 0o600))
	}()
	select {
	case <-seen:
	case err := <-p.ended:
		p.ended <- err
		ts.Fatalf("%s ended before it said %q: %v\n%s", args[0], args[1], err, p.stderr.String())
	}
}

// endProcess ends a node by a signal, 0 for one that ends by itself, and waits for it. A node that is asked to
// end must do so with exit code 0.
func endProcess(ts *testscript.TestScript, neg bool, args []string, signal syscall.Signal) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: finish NAME, ended NAME, kill9 NAME")
	}
	all := ts.Value(processesKey{}).(*processes)
	all.mu.Lock()
	p := all.byName[args[0]]
	delete(all.byName, args[0])
	all.mu.Unlock()
	if p == nil {
		ts.Fatalf("no process %s", args[0])
	}
	if signal != 0 {
		ts.Check(p.cmd.Process.Signal(signal))
	}
	err := <-p.ended
	if signal != syscall.SIGKILL && err != nil {
		ts.Fatalf("%s: %v\n%s", args[0], err, p.stderr.String())
	}
}

// capture VARIABLE FILE FIELD sets a variable to the second field of
// the line in FILE whose first field is that.
func capture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: capture VARIABLE FILE FIELD")
	}
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == args[2] {
			ts.Setenv(args[0], f[1])
			return
		}
	}
	ts.Fatalf("no line begins with %s in\n%s", args[2], ts.ReadFile(args[1]))
}

// word VARIABLE FILE sets a variable to the one word in a file, such as
// what a command printed with -q.
func word(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: word VARIABLE FILE")
	}
	all := strings.Fields(ts.ReadFile(args[1]))
	if len(all) != 1 {
		ts.Fatalf("%s holds %d words, not one", args[1], len(all))
	}
	ts.Setenv(args[0], all[0])
}

// portsAsked counts calls of freePort: scripts run at once, and each begins to
// look where no other does.
var portsAsked atomic.Int64

// freePort VARIABLE N finds a base with N free ports, and N more a hundred above.
// They lie below the system's ephemeral ports, or one of them
// might be given away before it is used.
func freePort(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: freeport VARIABLE N")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	const least, span = 12000, 19000
	start := os.Getpid() + 2110*int(portsAsked.Add(1)-1)
	for tries := range span / 211 {
		base := least + (start+211*tries)%span
		free := true
		for i := range 2 * n {
			ln, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", base+i%n+i/n*100))
			if err != nil {
				free = false
				break
			}
			ts.Check(ln.Close())
		}
		if free {
			ts.Setenv(args[0], strconv.Itoa(base))
			return
		}
	}
	ts.Fatalf("no free ports")
}

// exitsWith CODE ARG... runs meshd and checks its exit code.
func exitsWith(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N meshd ARG...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// jsonRPC FILE ID PATH... checks that the answer to a request is no error and
// that its JSON contains each text.
func jsonRPC(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: jsonrpc FILE ID TEXT...")
	}
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		var m struct {
			ID     json.Number
			Error  json.RawMessage
			Result struct{ IsError bool }
		}
		ts.Check(json.Unmarshal([]byte(line), &m))
		if m.ID.String() != args[1] {
			continue
		}
		if m.Error != nil || m.Result.IsError {
			ts.Fatalf("request %s failed: %s", args[1], line)
		}
		if !slices.ContainsFunc(args[2:], func(s string) bool { return !strings.Contains(line, s) }) {
			return
		}
		ts.Fatalf("answer %s lacks one of %q: %s", args[1], args[2:], line)
	}
	ts.Fatalf("no answer to request %s", args[1])
}

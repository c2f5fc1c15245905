package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"

	many "github.com/meshd/meshd/node/gate/lessons"
	"github.com/meshd/meshd/node/store"
)

// mcpClients N starts N MCP clients of the home at the same time. When all have an answer
// a terminal asks too, beside them; then they hang up. What they printed to standard error
// goes to the file clients.err.
func mcpClients(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: mcpclients N")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	var answered, ended sync.WaitGroup
	hangUp := make(chan struct{})
	faults := make(chan error, n)
	said := make([]bytes.Buffer, n)
	for i := range n {
		answered.Add(1)
		cmd := meshdCommand(ts, []string{"mcp"})
		cmd.Stderr = &said[i]
		ended.Go(func() { faults <- mcpClient(cmd, many.Text(i), &answered, hangUp) })
	}
	answered.Wait()
	terminal := ts.Exec("meshd", "status")
	close(hangUp)
	ended.Wait()
	for range n {
		ts.Check(<-faults)
	}
	ts.Check(terminal)
	var all bytes.Buffer
	for i := range said {
		all.Write(said[i].Bytes())
	}
	ts.Check(os.WriteFile(ts.MkAbs("clients.err"), all.Bytes(), 0o600))
}

// mcpClient contributes an entry over pipes and waits for the sign to hang up.
func mcpClient(cmd *exec.Cmd, text string, answered *sync.WaitGroup, hangUp chan struct{}) error {
	done := sync.OnceFunc(answered.Done)
	defer done()
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(in, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"contribute_knowledge","arguments":{"type":"wisdom","domain":"ops","content":%q}}}`+"\n", text)
	line, readErr := bufio.NewReader(out).ReadString('\n')
	done()
	<-hangUp
	err = errors.Join(err, readErr, in.Close(), cmd.Wait())
	var reply struct{ Result struct{ IsError *bool } }
	if err == nil {
		err = json.Unmarshal([]byte(line), &reply)
	}
	if err == nil && (reply.Result.IsError != nil && *reply.Result.IsError || !strings.Contains(line, "ent_")) {
		err = fmt.Errorf("answer: %s", line)
	}
	if err != nil {
		return fmt.Errorf("client: %w: %v", err, cmd.Stderr)
	}
	return nil
}

// killBackground ends the nodes that a script has left in the background.
func killBackground(work string) {
	locks, _ := filepath.Glob(filepath.Join(work, "*", store.LockFile))
	for _, lock := range locks {
		home, err := store.Inspect(filepath.Dir(lock))
		if err != nil {
			continue
		}
		if holder, held, err := home.Holder(); err == nil && held && strings.Contains(holder.Command, "--background") {
			_ = syscall.Kill(holder.PID, syscall.SIGKILL) // gone already
		}
	}
}

// killNode is kill -9 of the node that has the home.
func killNode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: killnode")
	}
	home, err := store.Inspect(ts.Getenv("MESHD_HOME"))
	ts.Check(err)
	holder, held, err := home.Holder()
	ts.Check(err)
	if !held {
		ts.Fatalf("no process has %s", home.Dir())
	}
	ts.Check(syscall.Kill(holder.PID, syscall.SIGKILL))
}

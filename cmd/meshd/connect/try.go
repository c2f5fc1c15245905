package connect

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// answersWithin bounds how long a command may take until it has answered: its node may be
// started for it.
const answersWithin = 90 * time.Second

// try does what a client does when it starts, and counts the tools it is offered.
func try(ctx context.Context, s *session.Session, command []string) (tools int, err error) {
	ctx, cancel := context.WithTimeout(ctx, answersWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = s.Env
	var said strings.Builder
	cmd.Stderr = &said
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	_, err = fmt.Fprint(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"meshd connect","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`)
	if err == nil {
		tools, err = readTools(bufio.NewReader(out))
	}
	err = errors.Join(err, in.Close(), cmd.Wait())
	if text := strings.TrimSpace(said.String()); err != nil && text != "" {
		err = fmt.Errorf("%w\n%s", err, text)
	} else if text != "" && !s.Quiet {
		fmt.Fprintln(s.Err, text) // that it has started a node
	}
	return tools, err
}

// readTools reads answers up to that of tools/list.
func readTools(r *bufio.Reader) (int, error) {
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return 0, fmt.Errorf("no list of tools came: %w", err)
		}
		var m struct {
			ID     json.Number
			Error  *struct{ Message string }
			Result struct{ Tools []json.RawMessage }
		}
		if err := json.Unmarshal(line, &m); err != nil {
			return 0, fmt.Errorf("it printed what is not MCP: %w", err)
		}
		if m.Error != nil {
			return 0, fmt.Errorf("it refused: %s", m.Error.Message)
		}
		if m.ID == "2" {
			return len(m.Result.Tools), nil
		}
	}
}

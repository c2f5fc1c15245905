package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// bySchema judges by a JSON Schema of this repository.
func bySchema(schema string) func(context.Context, string, []string) ([]verdict, error) {
	return node("schema.mjs", schema)
}

// configs judges by the schema and starts the server of this program that a
// configuration names: it must answer as an MCP server does.
func configs(ctx context.Context, dir string, files []string) ([]verdict, error) {
	list, err := bySchema("lang/target/data/mcp-config.schema.json")(ctx, dir, files)
	if err != nil {
		return nil, err
	}
	program := filepath.Join(dir, "meshd")
	if said, err := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/meshd").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build meshd: %w: %s", err, said)
	}
	started := map[string]error{} // by command line: most configurations name the same
	for i := range list {
		if !list[i].OK {
			continue
		}
		raw, err := os.ReadFile(list[i].File)
		if err != nil {
			return nil, err
		}
		var c struct {
			Servers map[string]struct {
				Command string   `json:"command"`
				Args    []string `json:"args"`
			} `json:"mcpServers"`
		}
		if err := json.Unmarshal(raw, &c); err != nil {
			return nil, err
		}
		ours := c.Servers["meshd"]
		if ours.Command != "meshd" {
			list[i].OK, list[i].Message = false, "the server meshd does not start meshd"
			continue
		}
		line := fmt.Sprint(ours.Args)
		if _, known := started[line]; !known {
			started[line] = answers(ctx, program, filepath.Join(dir, "home"), ours.Args)
		}
		if err := started[line]; err != nil {
			list[i].OK, list[i].Message = false, err.Error()
		}
	}
	return list, nil
}

// answers starts a server on standard input and output and greets it.
func answers(ctx context.Context, program, home string, args []string) error {
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	c := exec.CommandContext(ctx, program, args...)
	c.Env = append(os.Environ(), "MESHD_HOME="+home, "MESHD_LOOPBACK=1")
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	defer func() {
		in.Close()
		stop()
		c.Wait()
		// The server starts a node in the background where none runs.
		end := exec.Command(program, "stop")
		end.Env = c.Env
		if said, err := end.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "the node of mcp-config goes on: %v: %s", err, said)
		}
	}()
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"validate","version":"1"}}}`
	if _, err := fmt.Fprintln(in, hello); err != nil {
		return err
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("the server said nothing: %w", err)
	}
	var reply struct {
		Result struct {
			ServerInfo struct {
				Name string `json:"name"`
			} `json:"serverInfo"`
		} `json:"result"`
	}
	if err := json.Unmarshal(line, &reply); err != nil || reply.Result.ServerInfo.Name == "" {
		return errors.New("the server's greeting is not one of MCP: " + string(line))
	}
	return nil
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/owner"
	"github.com/meshd/meshd/node/control"
	"github.com/meshd/meshd/node/store"
)

const mcpPath = "/mcp"

func (p *program) cmdMCP() *cobra.Command {
	var address, keyEnv string
	c := &cobra.Command{
		Use: "mcp", Short: "Serve MCP on standard input and output", Args: nothing,
		Long: "Serve MCP on standard input and output, one message a line: by the server at --url, else by the running\n" +
			"node of this home, else by the home itself. Without --url it acts as the owner's agent and needs no key.",
		RunE: func(c *cobra.Command, _ []string) error {
			if address != "" {
				return mcp.Bridge(c.Context(), address, p.getenv(keyEnv), p.in, p.out)
			}
			return p.serveMCP(c.Context())
		},
	}
	c.Flags().StringVar(&address, "url", "", "address of an MCP server, such as https://mesh.example.org/mcp")
	c.Flags().StringVar(&keyEnv, "key-env", "MESH_API_KEY", "environment variable that holds the API key for --url")
	return c
}

// serveMCP answers for the owner of this home.
func (p *program) serveMCP(ctx context.Context) error {
	home, err := p.homeDir()
	if err != nil {
		return err
	}
	if client, err := control.Dial(home); err == nil {
		return p.bridgeHome(ctx, &door{client: client, base: control.BaseURL}, home)
	} else if !errors.Is(err, control.ErrNotRunning) {
		return err
	}
	in, err := p.openHome(ctx)
	if err != nil {
		return err
	}
	err = in.gateway.ServeStdio(ctx, in.owner.Agent.ID.String(), p.in, p.out)
	return errors.Join(err, in.close())
}

// bridgeHome asks the running node, with the API key in the owner's own file.
func (p *program) bridgeHome(ctx context.Context, d *door, home string) error {
	data, _, err := d.do(ctx, http.MethodGet, "/control/api", nil, nil, nil)
	d.client.CloseIdleConnections()
	if err != nil {
		return err
	}
	var api struct {
		URL string `json:"url"`
	}
	if err := json.Unmarshal(data, &api); err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	key, err := os.ReadFile(filepath.Join(home, store.KeysDir, owner.APIKeyName))
	if err != nil {
		return fmt.Errorf("read the owner's API key: %w", err)
	}
	return mcp.Bridge(ctx, api.URL+mcpPath, strings.TrimSpace(string(key)), p.in, p.out)
}

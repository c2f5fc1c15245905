package running

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

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/owner"
	"github.com/meshd/meshd/node/control"
	"github.com/meshd/meshd/node/store"
)

const mcpPath = "/mcp"

func cmdMCP(s *session.Session) *cobra.Command {
	var address, keyEnv string
	c := &cobra.Command{
		Use: "mcp", Short: "Serve MCP on standard input and output", Args: session.Nothing,
		Long: "Serve MCP on standard input and output, one message a line: by the server at --url, else by the running\n" +
			"node of this home, else by the home itself. Without --url it acts as the owner's agent and needs no key.",
		RunE: func(c *cobra.Command, _ []string) error {
			if address != "" {
				return mcp.Bridge(c.Context(), address, s.Getenv(keyEnv), s.In, s.Out)
			}
			return serveMCP(c.Context(), s)
		},
	}
	c.Flags().StringVar(&address, "url", "", "address of an MCP server, such as https://mesh.example.org/mcp")
	c.Flags().StringVar(&keyEnv, "key-env", "MESH_API_KEY", "environment variable that holds the API key for --url")
	return c
}

// serveMCP answers for the owner of this home.
func serveMCP(ctx context.Context, s *session.Session) error {
	home, err := s.HomeDir()
	if err != nil {
		return err
	}
	if d, err := session.Dial(home); err == nil {
		return bridgeHome(ctx, s, d, home)
	} else if !errors.Is(err, control.ErrNotRunning) {
		return err
	}
	in, err := s.OpenHome(ctx)
	if err != nil {
		return err
	}
	err = in.Gateway.ServeStdio(ctx, in.Owner.Agent.ID.String(), s.In, s.Out)
	return errors.Join(err, in.Close())
}

// bridgeHome asks the running node, with the API key in the owner's own file.
func bridgeHome(ctx context.Context, s *session.Session, d *session.Client, home string) error {
	data, _, err := d.Do(ctx, http.MethodGet, "/control/api", nil, nil, nil)
	d.HTTP.CloseIdleConnections()
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
	return mcp.Bridge(ctx, api.URL+mcpPath, strings.TrimSpace(string(key)), s.In, s.Out)
}

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

	"github.com/meshd/meshd/cmd/meshd/background"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/gateway/mcp"
	"github.com/meshd/meshd/gateway/owner"
	"github.com/meshd/meshd/node/control"
	"github.com/meshd/meshd/node/store"
)

const mcpPath = "/mcp"

func cmdMCP(s *session.Session) *cobra.Command {
	var address, keyEnv string
	var noStart bool
	c := &cobra.Command{
		Use: "mcp", Short: "Serve MCP on standard input and output", Args: session.Nothing,
		Long: "Serve MCP on standard input and output, one message a line: by the server at --url, else by the node of this\n" +
			"home, which is started in the background when none runs (meshd stop ends it). Any number of clients and\n" +
			"commands use it at once. With --no-start no process is started: without a node the home itself answers, and\n" +
			"no other command has it meanwhile. Without --url it acts as the owner's agent and needs no key.",
		RunE: func(c *cobra.Command, _ []string) error {
			if address != "" {
				return mcp.Bridge(c.Context(), address, s.Getenv(keyEnv), s.In, s.Out)
			}
			return serveMCP(c.Context(), s, noStart)
		},
	}
	c.Flags().StringVar(&address, "url", "", "address of an MCP server, such as https://mesh.example.org/mcp")
	c.Flags().StringVar(&keyEnv, "key-env", "MESH_API_KEY", "environment variable with the API key for --url")
	c.Flags().BoolVar(&noStart, "no-start", false, "start no node in the background")
	return c
}

// serveMCP answers for the owner of this home.
func serveMCP(ctx context.Context, s *session.Session, noStart bool) error {
	home, err := s.HomeDir()
	if err != nil {
		return err
	}
	d, err := session.Dial(home)
	if errors.Is(err, control.ErrNotRunning) && noStart {
		return serveAlone(ctx, s)
	}
	if errors.Is(err, control.ErrNotRunning) {
		if s.Home != "" { // else a mistyped path would become a second identity
			if _, err := store.Inspect(home); err != nil {
				return err
			}
		}
		n, err := background.Start(ctx, s)
		if err != nil {
			return err
		}
		if n.Started && !s.Quiet {
			background.Announce(s.Err, n)
		}
		d, err = session.Dial(home)
		if err != nil {
			return err
		}
		return bridgeHome(ctx, s, d, home)
	}
	if err != nil {
		return err
	}
	return bridgeHome(ctx, s, d, home)
}

// serveAlone answers from the home in this process.
func serveAlone(ctx context.Context, s *session.Session) error {
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

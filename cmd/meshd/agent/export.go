package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/node/core"
)

// exported is what `id export` prints with --json.
type exported struct {
	admin.KeyInfo
	File string `json:"file"`
}

func cmdIDExport(s *session.Session) *cobra.Command {
	var name string
	c := &cobra.Command{
		Use: "export FILE", Short: "Export a secret key of the vault to a file", Args: session.One("file"),
		Long: "Write a secret key of the vault to a new file that you alone can read. Whoever has the file signs as that key. A\n" +
			"key is for one home at a time: two that write with it contradict each other, and neither is believed then.",
		RunE: func(c *cobra.Command, args []string) error { return exportKey(c.Context(), s, name, args[0]) },
	}
	c.Flags().StringVar(&name, "key", core.OwnerKey, "`NAME` of the key, as meshd id show lists them")
	return c
}

func exportKey(ctx context.Context, s *session.Session, name, file string) error {
	if _, err := os.Lstat(file); err == nil { // no secret leaves the vault for nothing
		return fmt.Errorf("write key: %s exists, and is left as it is", file)
	}
	return s.WithAnswer(ctx, session.Existing, http.MethodPost, "/control/keys/export", nil, map[string]string{"name": name}, func(data json.RawMessage) error {
		var k admin.SecretKey
		if err := session.Decode(data, &k); err != nil {
			return err
		}
		if err := writeKey(file, k); err != nil {
			return err
		}
		if !s.Quiet {
			fmt.Fprintf(s.Err, "warning: whoever has %s signs as this key; it is not encrypted\n", file)
		}
		if s.JSON {
			return s.PrintJSON(exported{k.KeyInfo, file})
		}
		return s.Facts("key", k.Name, "kind", k.Kind, "public", k.Public, "algorithm", k.Algorithm, "file", file)
	})
}

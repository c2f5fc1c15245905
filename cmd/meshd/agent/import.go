package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/gateway/admin"
)

func cmdIDImport(s *session.Session) *cobra.Command {
	var name string
	c := &cobra.Command{
		Use: "import FILE", Short: "Import an exported key into the vault", Args: session.One("file"),
		Long: "Take a key that meshd id export wrote into the vault of this home. An agent whose acting key it is can be acted\n" +
			"for from now on. The home that the key comes from must not use it any more. A key that the vault has already\n" +
			"stays what it is and has one name more.",
		RunE: func(c *cobra.Command, args []string) error { return importKey(c.Context(), s, name, args[0]) },
	}
	c.Flags().StringVar(&name, "name", "", "name in the vault (default the one in the file)")
	return c
}

func importKey(ctx context.Context, s *session.Session, name, file string) error {
	text, err := readSecret(file, maxSecretFile)
	if err != nil {
		return fmt.Errorf("read key: %w", err)
	}
	k, err := parseKey(text)
	if err != nil {
		return fmt.Errorf("read key: %s: %w", file, err)
	}
	if name != "" {
		k.Name = name
	}
	return s.Ask(ctx, session.Writable, http.MethodPost, "/control/keys/import", nil, k, func(s *session.Session, data json.RawMessage) error {
		var info admin.KeyInfo
		if err := session.Decode(data, &info); err != nil {
			return err
		}
		return s.Facts("key", info.Name, "kind", info.Kind, "public", info.Public, "algorithm", info.Algorithm)
	})
}

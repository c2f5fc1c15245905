package agent

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/gateway/owner"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node"
)

// exported is what `id export` prints with --json.
type exported struct {
	admin.KeyInfo
	File string `json:"file"`
}

func cmdIDExport(s *session.Session) *cobra.Command {
	var name string
	c := &cobra.Command{
		Use: "export FILE", Short: "Write a secret key of the vault to a file", Args: session.One("file"),
		Long: "Write a secret key of the vault to a new file that you alone can read. Whoever has the file signs as that key. A\n" +
			"key is for one home at a time: two that write with it contradict each other, and neither is believed then.",
		RunE: func(c *cobra.Command, args []string) error { return exportKey(c.Context(), s, name, args[0]) },
	}
	c.Flags().StringVar(&name, "key", node.OwnerKey, "name of the key, as meshd id show lists them")
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
		return s.Facts("key", k.Name, "kind", k.Kind, "public", k.Public, "file", file)
	})
}

func cmdIDImport(s *session.Session) *cobra.Command {
	var name string
	c := &cobra.Command{
		Use: "import FILE", Short: "Take an exported key into the vault", Args: session.One("file"),
		Long: "Take a key that meshd id export wrote into the vault of this home. An agent whose acting key it is can be acted\n" +
			"for from now on. The home that the key comes from must not use it any more.",
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
		return s.Facts("key", info.Name, "kind", info.Kind, "public", info.Public)
	})
}

// rotated is what `id rotate` prints with --json.
type rotated struct {
	admin.RotateReply
	RecoveryFile string `json:"recovery_file,omitempty"`
}

func cmdIDRotate(s *session.Session) *cobra.Command {
	var as, recovery string
	c := &cobra.Command{
		Use: "rotate", Short: "Take an agent over to a new key of this vault", Args: session.Nothing,
		Long: "Take the owner's agent, or another one --as it, over to a new key that is made in this vault. The key in force\n" +
			"consents, which must lie here. With --recovery FILE the recovery key consents, also when the key in force is lost\n" +
			"or stolen: it outranks it. A recovery key is used once, so a new one is written beside FILE.\n\n" +
			"What the old key has written by now stays; it can write nothing more.",
		RunE: func(c *cobra.Command, _ []string) error { return rotateKey(c.Context(), s, as, recovery) },
	}
	c.Flags().StringVar(&as, "as", "", "another agent, by its id, DID or name")
	c.Flags().StringVar(&recovery, "recovery", "", "file with the recovery key of the agent")
	return c
}

func rotateKey(ctx context.Context, s *session.Session, as, recovery string) (err error) {
	in := map[string]string{}
	if as != "" {
		in["agent"] = as
	}
	file := ""
	if recovery != "" {
		if in["recovery"], err = readSecret(recovery, maxSecretFile); err != nil {
			return fmt.Errorf("read recovery key: %w", err)
		}
		if _, err := owner.ParseRecovery(in["recovery"]); err != nil {
			return fmt.Errorf("%s: %w", recovery, err)
		}
	}
	d, err := s.Connect(ctx, session.Existing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if recovery != "" { // durable before an agent depends on it
		next, err := nextRecovery(filepath.Dir(recovery))
		if err != nil {
			return err
		}
		in["next"], file = next.did, next.file
	}
	data, _, err := d.Do(ctx, http.MethodPost, "/control/rotate", nil, in, nil)
	if err != nil {
		return errors.Join(s.Refused(err), dropIfRefused(err, file))
	}
	out := rotated{RecoveryFile: file}
	if err := session.Decode(data, &out); err != nil {
		return err
	}
	if s.JSON {
		return s.PrintJSON(out)
	}
	ended := ""
	if n := len(out.Ended); n > 0 {
		ended = fmt.Sprintf("%d capabilities that API keys had issued", n)
	}
	return s.Facts("agent", out.ID, "did", out.DID, "instead of", out.Old, "recovery", session.RecoveryNote(file), "taken back", ended)
}

// follower is a recovery key that follows one which is spent.
type follower struct{ did, file string }

func nextRecovery(dir string) (follower, error) {
	key, err := keys.Generate(rand.Reader)
	if err != nil {
		return follower{}, fmt.Errorf("make recovery key: %w", err)
	}
	name := key.Key().String()
	file := filepath.Join(dir, "recovery-"+strings.TrimPrefix(name, "did:key:"))
	return follower{name, file}, owner.WriteRecovery(file, key)
}

// dropIfRefused removes the file of a recovery key that no agent came to depend
// on. Without an answer one may have: then the file stays.
func dropIfRefused(err error, file string) error {
	var refused *session.APIError
	if file == "" || !errors.As(err, &refused) {
		return nil
	}
	return os.Remove(file)
}

func cmdIDDevice(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "device", Short: "Make a key here for an agent that lives on another node", Args: session.Nothing,
		Long: "Make a device key in this vault, for an agent whose acting key lies on another node. Run the command it prints\n" +
			"there: this node then acts for the agent too, with chains of its own.",
		RunE: func(c *cobra.Command, _ []string) error {
			return s.Ask(c.Context(), session.Writable, http.MethodPost, "/api/mesh/identity/device", nil, nil, func(s *session.Session, data json.RawMessage) error {
				var r struct{ DID string }
				if err := session.Decode(data, &r); err != nil {
					return err
				}
				return s.Facts("device", r.DID, "next", "on the agent's own node: meshd cap issue --to "+r.DID+" --can '*' --expires 720h --renew")
			})
		},
	}
}

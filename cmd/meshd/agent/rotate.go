package agent

import (
	"context"
	"crypto/rand"
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
)

// rotated is what `id rotate` prints with --json.
type rotated struct {
	admin.RotateReply
	RecoveryFile string `json:"recovery_file,omitempty"`
}

func cmdIDRotate(s *session.Session) *cobra.Command {
	var as, recovery string
	var hybrid bool
	c := &cobra.Command{
		Use: "rotate", Short: "Rotate an agent to a new key of this vault", Args: session.Nothing,
		Long: "Take the owner's agent, or another one --as it, over to a new key that is made in this vault. The key in force\n" +
			"consents, which must lie here. With --recovery FILE the recovery key consents, also when the key in force is lost\n" +
			"or stolen: it outranks it. A recovery key is used once, so a new one is written beside FILE.\n\n" +
			"What the old key has written by now stays; it can write nothing more. A running node goes on writing meanwhile.\n\n" +
			"--hybrid makes a key of two halves, Ed25519 and ML-DSA-65: what gives and takes rights in the agent's name then\n" +
			"needs both signatures, on every node. It needs the consent of who outranks the key in force, so --recovery too\n" +
			"for an agent that has a recovery key. Later rotations keep the second half, until --hybrid=false.",
		Example: "  meshd id rotate\n  meshd id rotate --hybrid --recovery recovery.key",
		RunE: func(c *cobra.Command, _ []string) error {
			t := turn{as: as, recovery: recovery}
			if c.Flags().Changed("hybrid") {
				t.hybrid = &hybrid
			}
			return rotateKey(c.Context(), s, t)
		},
	}
	c.Flags().StringVar(&as, "as", "", "another `AGENT`, by its id, DID or name")
	c.Flags().StringVar(&recovery, "recovery", "", "file with the recovery key of the agent")
	c.Flags().BoolVar(&hybrid, "hybrid", false, "make a key that signs with Ed25519 and ML-DSA-65 both (default as the key in force)")
	return c
}

// turn is what the flags of rotate say.
type turn struct {
	as, recovery string
	hybrid       *bool // nil: as the key in force
}

func rotateKey(ctx context.Context, s *session.Session, t turn) (err error) {
	in := map[string]any{}
	if t.as != "" {
		in["agent"] = t.as
	}
	if t.hybrid != nil {
		in["hybrid"] = *t.hybrid
	}
	file, recovery := "", t.recovery
	if recovery != "" {
		text, err := readSecret(recovery, maxSecretFile)
		if err != nil {
			return fmt.Errorf("read recovery key: %w", err)
		}
		if _, err := owner.ParseRecovery(text); err != nil {
			return fmt.Errorf("%s: %w", recovery, err)
		}
		in["recovery"] = text
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
	return s.Facts("agent", out.ID, "did", out.DID, "algorithm", out.Algorithm, "instead of", out.Old, "recovery", session.RecoveryNote(file), "taken back", ended)
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

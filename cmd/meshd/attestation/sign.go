package attestation

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/changeset"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/identity/attest"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/store"
)

func cmdSign(s *session.Session) *cobra.Command {
	var a attestation
	c := &cobra.Command{
		Use: "sign RANGE|FOLDER", Short: "Sign a git range or a folder", Args: session.One("git range or folder"),
		Long: "Sign the changed files of a git range, or a folder, as a DSSE envelope with an in-toto statement; or with\n" +
			"--trailers as three lines for a commit message. Signs as the owner's agent, with the key of this home, whether a\n" +
			"node runs there or not; or with the key in a file, which nobody but you should be able to read: 64 hex digits,\n" +
			"or a recovery file.\n\n" + attestTargets,
		RunE: func(c *cobra.Command, args []string) error { return sign(c.Context(), s, a, args[0]) },
	}
	f := c.Flags()
	f.StringVar(&a.repo, "repo", ".", "folder of the git repository")
	f.StringVar(&a.key, "key", "", "file with the key to sign with, instead of this home's")
	f.StringVarP(&a.output, "output", "o", "", "file to write, instead of standard output")
	f.BoolVar(&a.trailers, "trailers", false, "print trailers for a commit message")
	return c
}

func sign(ctx context.Context, s *session.Session, a attestation, target string) error {
	if a.output != "" && changeset.IsFolder(target) && changeset.IsBelow(a.output, target) {
		return session.Usage("--output %s lies in the folder that is signed", a.output)
	}
	base, head, files, err := changeset.Files(ctx, a.repo, target)
	if err != nil {
		return err
	}
	signed := withNode
	if a.key != "" {
		signed = withFile
	}
	text, author, err := signed(ctx, s, a, attest.Code{Base: base, Head: head, Files: files})
	if err != nil {
		return err
	}
	if a.output == "" {
		_, err := s.Out.Write(text)
		return err
	}
	if err := store.AtomicWrite(a.output, text, 0o644); err != nil {
		return fmt.Errorf("write attestation: %w", err)
	}
	s.Say("signed    %s as %s", plural.Count(len(files), "file"), author)
	return nil
}

// withFile signs with the key in a file, without a node or a home.
func withFile(_ context.Context, _ *session.Session, a attestation, c attest.Code) (text []byte, author string, err error) {
	signer, err := readKeyFile(a.key)
	if err != nil {
		return nil, "", err
	}
	if a.trailers {
		t, err := attest.SignTrailers(c.Files, signer)
		return []byte(t.String()), signer.Key().String(), err
	}
	e, err := attest.SignCode(c, signer)
	if err != nil {
		return nil, "", err
	}
	text, err = e.Encode()
	return append(text, '\n'), signer.Key().String(), err
}

// withNode has the node of this home sign, the one that runs or one opened here, as
// the owner's agent. The key does not leave the node.
func withNode(ctx context.Context, s *session.Session, a attestation, c attest.Code) (text []byte, author string, err error) {
	err = s.WithAnswer(ctx, session.Writable, http.MethodPost, "/control/attest", nil, admin.NewAttestOrder(c, a.trailers), func(data json.RawMessage) error {
		var r admin.AttestReply
		if err := session.Decode(data, &r); err != nil {
			return err
		}
		text, author = []byte(r.Trailers), r.Author
		if !a.trailers {
			text = append(r.Envelope, '\n')
		}
		return nil
	})
	return text, author, err
}

// readKeyFile reads a secret of 64 hex digits, alone or on the line "seed: …" of
// a recovery file. Its errors do not repeat what the file contains.
func readKeyFile(file string) (keys.Signer, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxKeyFile+1))
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	secret := strings.TrimSpace(string(text))
	for line := range strings.Lines(secret) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "seed: "); ok {
			secret = rest
		}
	}
	seed, err := hex.DecodeString(secret)
	if err != nil || len(seed) != keys.SeedSize {
		return nil, fmt.Errorf("read key: %s contains no key: want 64 hex digits", file)
	}
	return keys.FromSeed([keys.SeedSize]byte(seed)), nil
}

// maxKeyFile bounds a key file: a recovery file has 300 bytes.
const maxKeyFile = 4 << 10

package agent

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/identity/passport"
)

// passportQuestion is what a node is asked about a passport.
type passportQuestion struct {
	Passport string          `json:"passport"`
	Document json.RawMessage `json:"did_document,omitempty"`
	Entry    string          `json:"entry,omitempty"`
}

// passportVerdict is what it answers.
type passportVerdict struct {
	Valid     bool                                   `json:"valid"`
	Agent     string                                 `json:"agent"`
	AgentID   string                                 `json:"agent_id"`
	Issuer    string                                 `json:"issuer"`
	Form      string                                 `json:"form"`
	IssuedAt  string                                 `json:"issued_at"`
	ExpiresAt string                                 `json:"expires_at"`
	Checks    []struct{ Name, State, Detail string } `json:"checks"`
}

func cmdIDPassportVerify(s *session.Session) *cobra.Command {
	var document, entry string
	c := &cobra.Command{
		Use: "verify FILE|-", Short: "Check a passport, in whichever form it is", Args: session.One("file, or - for standard input"),
		Long: "Check a passport (JSON, verifiable credential, token or binary): form, signature and term by itself; issuer, key,\n" +
			"rights and memory against the log of this node. What the log does not know is open. The exit code is 1 for a\n" +
			"passport that is not valid.\n\n" +
			"The key of a did:web issuer is in the DID document of its host (https://HOST/.well-known/did.json). Nothing is\n" +
			"fetched: name a file with --did-document, of which you know where it came from.",
		RunE: func(c *cobra.Command, args []string) error {
			data, err := readLimited(s, args[0], passport.MaxPassport)
			if err != nil {
				return err
			}
			q := passportQuestion{Passport: string(data), Entry: entry}
			if passport.FormOf(data) == passport.FormBinary {
				q.Passport = base64.RawURLEncoding.EncodeToString(data)
			}
			if document != "" {
				if q.Document, err = readLimited(s, document, passport.MaxHostDocument); err != nil {
					return err
				}
				if !json.Valid(q.Document) {
					return session.Usage("--did-document is not JSON")
				}
			}
			return verifyPassport(c.Context(), s, q)
		},
	}
	c.Flags().StringVar(&document, "did-document", "", "file with the DID document of the did:web that issued it")
	c.Flags().StringVar(&entry, "entry", "", "id of an `ENTRY` that its memory should contain")
	return c
}

// readLimited reads a file, or standard input, of at most limit bytes.
func readLimited(s *session.Session, name string, limit int64) ([]byte, error) {
	in, err := s.OpenInput(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s has more than %d bytes", name, limit)
	}
	return data, nil
}

func verifyPassport(ctx context.Context, s *session.Session, q passportQuestion) (err error) {
	d, err := s.Connect(ctx, session.Existing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	data, _, err := d.Do(ctx, http.MethodPost, "/api/mesh/passport/verify", nil, q, nil)
	if err != nil {
		return s.Refused(err)
	}
	var v passportVerdict
	if err := session.Decode(data, &v); err != nil {
		return err
	}
	if s.JSON {
		err = s.PrintRaw(data)
	} else {
		err = printPassportVerdict(s, v)
	}
	if err == nil && !v.Valid {
		err = errors.New("the passport does not hold")
	}
	return err
}

func printPassportVerdict(s *session.Session, v passportVerdict) error {
	verdict := s.Paint(session.Green, "valid")
	if !v.Valid {
		verdict = s.Paint(session.Red, "not valid")
	}
	err := s.Facts("verdict", verdict, "form", v.Form, "agent", v.Agent, "agent id", v.AgentID, "issuer", v.Issuer, "issued", v.IssuedAt, "expires", v.ExpiresAt)
	for _, c := range v.Checks {
		if err == nil {
			_, err = fmt.Fprintf(s.Out, "  %-11s %-12s %s\n", c.Name, c.State, terminal.OneLine(c.Detail, 300))
		}
	}
	return err
}

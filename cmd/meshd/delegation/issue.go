package delegation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// delegation is what the flags of cap issue say, in the words of the API.
type delegation struct {
	Audience string          `json:"audience"`
	Can      []string        `json:"can,omitempty"`
	With     string          `json:"with,omitempty"`
	Role     string          `json:"role,omitempty"`
	Seconds  int64           `json:"expires_in,omitempty"`
	Caveat   json.RawMessage `json:"nb,omitempty"`
	Renew    bool            `json:"renew,omitempty"`
	Format   string          `json:"format,omitempty"`
}

func cmdIssue(s *session.Session) *cobra.Command {
	var in delegation
	var caveat, format, as string
	var term time.Duration
	c := &cobra.Command{
		Use: "issue --to DID (--can ABILITY... | --role ROLE)", Short: "Issue a capability to a key, and print its token", Args: session.Nothing,
		Long: "Give a key rights of the owner's agent, or of another agent of this node --as it: the token is signed and written\n" +
			"into the log, where it takes effect everywhere. Prints the token. Without --with it is for the agent's own space,\n" +
			"which lends the agent's voice. A role of a guild may do without a term.\n\n" +
			"With --format 1.0 the token is a UCAN 1.0 delegation of one ability. It is not in the log and proves no change: its\n" +
			"holder invokes it at a gateway, and it ends with its term or by meshd cap revoke.",
		Example: "  meshd cap issue --to " + exampleDID + " --can entry/put --expires 24h\n" +
			"  meshd cap issue --to " + exampleDID + " --can entry/put --can vote/cast --caveat '{\"domain\":\"go\"}' --renew\n" +
			"  meshd cap issue --to " + exampleDID + " --can entry/put --format 1.0\n" +
			"  meshd cap issue --to " + exampleDID + " --role member --with mesh://<network>/guild/gld_...",
		RunE: func(c *cobra.Command, _ []string) error {
			if err := in.complete(caveat, format, term, c.Flags().Changed("expires")); err != nil {
				return err
			}
			return issueToken(c.Context(), s, as, in)
		},
	}
	f := c.Flags()
	f.StringVar(&in.Audience, "to", "", "did:key that shall have the rights")
	f.StringSliceVar(&in.Can, "can", nil, "ability, such as entry/put; may be repeated")
	f.StringVar(&in.With, "with", "", "resource, mesh://<network>/agent|guild|team/<id>")
	f.StringVar(&in.Role, "role", "", "role of a guild instead of abilities")
	session.Choices(c, "role", "owner", "admin", "member", "viewer")
	f.StringVar(&caveat, "caveat", "", "JSON object of fields that must be met")
	f.DurationVar(&term, "expires", 24*time.Hour, "how long it lasts; a role lasts until it is revoked unless this is given")
	f.BoolVar(&in.Renew, "renew", false, "renew it while it is used")
	f.StringVar(&format, "format", "0.10", "version of UCAN, the first for the log, the other for sessions")
	session.Choices(c, "format", "0.10", "1.0")
	f.StringVar(&as, "as", "", "name of another `AGENT` of this node")
	return c
}

// exampleDID is the key of nobody, in examples.
const exampleDID = "did:key:z6MkmgoN6DceCkjksTeZo42bhE9MdUpKSfdehRSfrWR9AQPV"

// complete checks what the flags say together and puts it into the request.
func (in *delegation) complete(caveat, format string, term time.Duration, chosen bool) error {
	switch {
	case in.Audience == "":
		return session.Usage("meshd cap issue needs --to: the did:key that shall have the rights")
	case (len(in.Can) == 0) == (in.Role == ""):
		return session.Usage("meshd cap issue needs --can or --role, and not both")
	case in.Role != "" && in.With == "":
		return session.Usage("--role needs --with: the guild that it is a role of")
	case format != "0.10" && format != "1.0":
		return session.Usage("--format wants 0.10 or 1.0")
	case term < time.Second || term%time.Second != 0:
		return session.Usage("--expires wants whole seconds, such as 24h, and one at least")
	}
	if format != "0.10" {
		in.Format = "ucan-" + format
	}
	if in.Role == "" || chosen {
		in.Seconds = int64(term / time.Second)
	}
	if caveat != "" {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal([]byte(caveat), &fields); err != nil || fields == nil {
			return session.Usage("--caveat wants a JSON object")
		}
		in.Caveat = json.RawMessage(caveat)
	}
	return nil
}

// issued is what `cap issue` prints with --json.
type issued struct {
	Token  string  `json:"token"`
	CID    string  `json:"cid"`
	Exp    *string `json:"exp"`
	Change *string `json:"change_id"`
}

func issueToken(ctx context.Context, s *session.Session, as string, in delegation) (err error) {
	d, err := s.Connect(ctx, session.Existing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	d.As = as
	data, _, err := d.Do(ctx, http.MethodPost, "/api/mesh/capabilities", nil, in, nil)
	if err != nil {
		return s.Refused(err)
	}
	var out issued
	if err := session.Decode(data, &out); err != nil {
		return err
	}
	if s.JSON {
		return s.PrintJSON(out)
	}
	_, err = fmt.Fprintln(s.Out, out.Token)
	return err
}

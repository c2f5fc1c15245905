package contribute

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/gateway/plural"
)

// draft is an entry on its way to the API.
type draft struct {
	Type       string   `json:"type"`
	Content    string   `json:"content"`
	Domain     string   `json:"domain,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	Title      string   `json:"title,omitempty"`
	Confidence *float64 `json:"confidence,omitempty"`
	Evidence   []string `json:"evidence,omitempty"`
	Source     string   `json:"source,omitempty"`
	Reuses     []string `json:"reuses,omitempty"`
	Supersedes string   `json:"supersedes,omitempty"`

	confidence float64 // of the flag
}

// flags declares what an entry has beside its text.
func (d *draft) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&d.Type, "type", "", "a principle, a way that works, or a trap")
	session.Choices(c, "type", "wisdom", "pattern", "gotcha")
	f.StringVar(&d.Domain, "domain", "", "subject area, a `DOMAIN` such as go or postgres (default general)")
	f.StringSliceVar(&d.Tags, "tag", nil, "tag; may be repeated")
	f.StringVar(&d.Title, "title", "", "short headline")
	f.Float64Var(&d.confidence, "confidence", 0.8, "how sure you are, 0 to 1")
	f.StringArrayVar(&d.Evidence, "evidence", nil, "what shows that it is true; may be repeated")
	f.StringVar(&d.Source, "source", "", "where the lesson comes from")
	f.StringArrayVar(&d.Reuses, "reuses", nil, "id of an `ENTRY` it builds upon; may be repeated")
	f.StringVar(&d.Supersedes, "supersedes", "", "id of an own `ENTRY` that this one replaces")
}

// read completes a draft by what was given on the command line.
func (d *draft) read(s *session.Session, c *cobra.Command, args []string) (err error) {
	if c.Flags().Changed("confidence") {
		d.Confidence = &d.confidence
	}
	if d.Type == "" {
		return session.Usage("%s needs --type: wisdom, pattern or gotcha", c.Name())
	}
	d.Content, err = s.Text(c.Name(), args)
	return err
}

func cmdContribute(s *session.Session) *cobra.Command {
	var d draft
	var wait, as, key string
	c := &cobra.Command{
		Use: "contribute --type TYPE [TEXT|-]", Short: "Contribute an entry",
		Long: "Contribute an entry to the network, as the owner's agent or --as another agent of this node. The text is the\n" +
			"last argument, or standard input. The answer means that the lesson is durable here.",
		Example: "  meshd contribute --type gotcha --domain go \"A nil map can be read but not written: make it first.\"",
		RunE: func(c *cobra.Command, args []string) error {
			if err := d.read(s, c, args); err != nil {
				return err
			}
			return postEntry(c.Context(), s, d, wait, as, key)
		},
	}
	d.flags(c)
	f := c.Flags()
	f.StringVar(&wait, "wait", "", "durable, or peers:N to wait for N replicas")
	f.StringVar(&as, "as", "", "name of another `AGENT` of this node")
	f.StringVar(&key, "idempotency-key", "", "name of this request: repeating it writes nothing new")
	return c
}

func postEntry(ctx context.Context, s *session.Session, in draft, wait, as, key string) (err error) {
	d, err := s.Connect(ctx, session.Writable)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	d.As = as
	query, header := url.Values{}, http.Header{}
	if wait != "" {
		query.Set("wait", wait)
	}
	if key != "" {
		header.Set("Idempotency-Key", key)
	}
	data, got, err := d.Do(ctx, http.MethodPost, "/api/mesh/contribute", query, in, header)
	if err != nil {
		return s.Refused(err)
	}
	if s.JSON {
		return s.PrintRaw(data)
	}
	var reply struct {
		ID             string
		Type           string
		Domain         string
		ProvenanceHash string
		Receipt        struct{ Seq uint64 }
		Quality        struct {
			Score    int
			Warnings []string
		}
	}
	if err := session.Decode(data, &reply); err != nil {
		return err
	}
	if s.Quiet {
		_, err := fmt.Fprintln(s.Out, reply.ID)
		return err
	}
	where := "durable on this node"
	switch {
	case got.Get("X-Mesh-Replicated") != "":
		n, _ := strconv.Atoi(got.Get("X-Mesh-Replicated"))
		where += ", and on " + plural.Count(n, "peer")
	case d.Instance != nil:
		where += "; peers get it when the node runs (meshd run)"
	}
	return s.Facts(
		"entry", reply.ID, "kind", reply.Type+" in "+reply.Domain, "stored", where, "receipt", fmt.Sprintf("seq %d", reply.Receipt.Seq),
		"provenance", reply.ProvenanceHash, "quality", fmt.Sprint(reply.Quality.Score), "warnings", strings.Join(reply.Quality.Warnings, ", "),
	)
}

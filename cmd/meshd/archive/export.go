package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/gateway/admin"
)

func cmdExport(s *session.Session) *cobra.Command {
	var public bool
	c := &cobra.Command{
		Use: "export", Short: "Export every signed change to standard output, one a line", Args: session.Nothing,
		Long: "Write every signed change as NDJSON to standard output: {\"id\",\"head\",\"body\"}, bytes in base64, a null body\n" +
			"where this node has only the head. `meshd import` of any node of the same network reads it. What private\n" +
			"teams keep among themselves is in it; --public leaves that out. What is damaged in the store is left out and\n" +
			"counted, and the exit code is 3 then.",
		RunE: func(c *cobra.Command, _ []string) error { return exportChanges(c.Context(), s, public) },
	}
	c.Flags().BoolVar(&public, "public", false, "leave out the sets of private teams, and say on standard error how many changes that are")
	return c
}

func exportChanges(ctx context.Context, s *session.Session, public bool) (err error) {
	d, err := s.Connect(ctx, session.Existing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	query := url.Values{}
	if public {
		query.Set("public", "true")
	}
	resp, err := d.Stream(ctx, http.MethodGet, "/control/export", query, nil, "", nil)
	if err != nil {
		return s.Refused(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(s.Out, resp.Body); err != nil {
		return fmt.Errorf("export is not whole: %w", err)
	}
	if lost := resp.Trailer.Get(admin.DamagedChanges); lost != "" && lost != "0" {
		fmt.Fprintf(s.Err, "missing: %s, damaged in the store; meshd verify --deep names them, meshd repair mends what peers have\n", counted(lost, "change"))
		err = session.ErrDegraded
	}
	sets, changes := resp.Header.Get(admin.PrivateSets), resp.Header.Get(admin.PrivateChanges)
	switch {
	case sets == "0" || s.Quiet:
	case public:
		fmt.Fprintf(s.Err, "left out: %s, %s\n", counted(changes, "change"), counted(sets, "private set"))
	default:
		fmt.Fprintf(s.Err, "among them: %s of %s, for members only\n", counted(changes, "change"), counted(sets, "private set"))
	}
	return err
}

// counted is a number of things in words.
func counted(n, thing string) string {
	if n == "1" {
		return n + " " + thing
	}
	return n + " " + thing + "s"
}

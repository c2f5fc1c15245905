package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/meshd/meshd/node/transfer"
	"io"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

func cmdImport(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "import FILE|-", Short: "Import an export, checking every change as from a peer", Args: session.One("file, or - for standard input"),
		Long: "Take in an export, checking every change as from a peer. Every line that is not taken in whole is named\n" +
			"with its code, a line that is longer than any change with its size, and the rest is taken in. The exit\n" +
			"code is 3 when some were refused.",
		RunE: func(c *cobra.Command, args []string) error { return importChanges(c.Context(), s, args[0]) },
	}
}

func importChanges(ctx context.Context, s *session.Session, name string) (err error) {
	in, err := s.OpenInput(name)
	if err != nil {
		return err
	}
	defer in.Close()
	d, err := s.Connect(ctx, session.Writable)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	resp, err := d.Stream(ctx, http.MethodPost, "/control/import", nil, in, "application/x-ndjson", nil)
	if err != nil {
		return s.Refused(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxImportReply))
	if err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	return showImport(s, sourceOf(name), data)
}

// sourceOf names what is read in front of its lines.
func sourceOf(name string) string {
	if name == "-" {
		return "standard input"
	}
	return terminal.OneLine(name, 200)
}

func showImport(s *session.Session, name string, data json.RawMessage) error {
	var r transfer.ImportReport
	err := session.Decode(data, &r)
	if err != nil {
		return err
	}
	refused := 0
	for _, n := range r.Refused {
		refused += n
	}
	if s.JSON {
		err = s.PrintRaw(data)
	} else {
		for _, f := range r.Faults {
			text := f.Text
			if f.Stub {
				text = "the body is not what its kind asks for; the change is kept without it"
			}
			fmt.Fprintf(s.Err, "%s line %d: %s %s\n", name, f.Line, f.Code, terminal.OneLine(text, 200))
		}
		err = s.Facts("read", fmt.Sprint(r.Read), "new", fmt.Sprint(r.New), "without body", fmt.Sprint(r.Stubs),
			"known", fmt.Sprint(r.Duplicates), "refused", fmt.Sprint(refused))
	}
	if err == nil && refused > 0 {
		err = session.ErrDegraded
	}
	return err
}

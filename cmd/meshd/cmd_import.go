package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/node"
)

func (p *program) cmdImport() *cobra.Command {
	return &cobra.Command{
		Use: "import FILE|-", Short: "Take in an export, checking every change as from a peer", Args: one("file, or - for standard input"),
		Long: "Take in an export, checking every change as from a peer. Every line that is not taken in whole is named\n" +
			"with its code, a line that is longer than any change with its size, and the rest is taken in. The exit\n" +
			"code is 3 when some were refused.",
		RunE: func(c *cobra.Command, args []string) error { return p.load(c.Context(), args[0]) },
	}
}

func (p *program) load(ctx context.Context, name string) (err error) {
	in, err := p.openInput(name)
	if err != nil {
		return err
	}
	defer in.Close()
	d, err := p.door(ctx, writable)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	resp, err := d.send(ctx, http.MethodPost, "/control/import", nil, in, "application/x-ndjson", nil)
	if err != nil {
		return p.refused(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxImportReply))
	if err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	return p.showImport(sourceOf(name), data)
}

// sourceOf names what is read in front of its lines.
func sourceOf(name string) string {
	if name == "-" {
		return "standard input"
	}
	return oneLine(name, 200)
}

func (p *program) showImport(name string, data json.RawMessage) error {
	var r node.ImportReport
	err := decode(data, &r)
	if err != nil {
		return err
	}
	refused := 0
	for _, n := range r.Refused {
		refused += n
	}
	if p.json {
		err = p.printRaw(data)
	} else {
		for _, f := range r.Faults {
			text := f.Text
			if f.Stub {
				text = "the body is not what its kind asks for; the change is kept without it"
			}
			fmt.Fprintf(p.err, "%s line %d: %s %s\n", name, f.Line, f.Code, oneLine(text, 200))
		}
		err = p.facts("read", fmt.Sprint(r.Read), "new", fmt.Sprint(r.New), "without body", fmt.Sprint(r.Stubs),
			"known", fmt.Sprint(r.Duplicates), "refused", fmt.Sprint(refused))
	}
	if err == nil && refused > 0 {
		err = errDegraded
	}
	return err
}

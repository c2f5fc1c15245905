package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/spf13/cobra"
)

func (p *program) cmdExport() *cobra.Command {
	return &cobra.Command{
		Use: "export", Short: "Write every signed change to standard output, one a line", Args: nothing,
		Long: "Write every signed change as NDJSON to standard output: {\"id\",\"head\",\"body\"}, bytes in base64, a null body\n" +
			"where this node has only the head. `meshd import` of any node of the same network reads it.",
		RunE: func(c *cobra.Command, _ []string) error { return p.export(c.Context()) },
	}
}

func (p *program) export(ctx context.Context) (err error) {
	d, err := p.door(ctx, existing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	resp, err := d.send(ctx, http.MethodGet, "/control/export", nil, nil, "", nil)
	if err != nil {
		return p.refused(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(p.out, resp.Body); err != nil {
		return fmt.Errorf("export is not whole: %w", err)
	}
	return nil
}

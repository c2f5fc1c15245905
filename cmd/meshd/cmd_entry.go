package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"
)

func (p *program) cmdEntry() *cobra.Command {
	return &cobra.Command{
		Use: "entry ID", Short: "Show one entry", Args: one("entry id"),
		RunE: func(c *cobra.Command, args []string) error {
			return p.read(c, "/api/mesh/entry/"+url.PathEscape(args[0]), nil, p.showEntry)
		},
	}
}

func (p *program) showEntry(data json.RawMessage) error {
	var reply struct {
		Entry   entry
		Related []string
	}
	if err := decode(data, &reply); err != nil {
		return err
	}
	e := reply.Entry
	key := ""
	if e.Audit != nil {
		key = e.Audit.KeyID
	}
	if err := p.facts(
		"entry", oneLine(e.ID, 80), "kind", oneLine(e.Type, 16)+" in "+oneLine(e.Domain, 64), "title", oneLine(e.Title, 200),
		"author", oneLine(e.AuthorName+"  "+e.AuthorID, 160), "created", oneLine(e.CreatedAt, 40), "tags", oneLine(strings.Join(e.Tags, ", "), 200),
		"confidence", fmt.Sprint(e.Confidence), "evidence", oneLine(strings.Join(e.Evidence, "; "), 500), "source", oneLine(e.Source, 200),
		"cites", strings.Join(e.Reuses, "\n\t"), "cited by", fmt.Sprint(e.ReuseCount), "signed by", oneLine(key, 100),
	); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.out, "\n%s\n", plain(e.Content))
	return err
}

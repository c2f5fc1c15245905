package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func (p *program) cmdDomains() *cobra.Command {
	c := &cobra.Command{Use: "domains", Short: "List the domains of the commons", Args: nothing}
	f := addFilters(c, "sort", "count, name or recent")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return p.read(c, "/api/mesh/domains", f.query(), p.showDomains)
	}
	return c
}

func (p *program) showDomains(data json.RawMessage) error {
	var reply struct {
		Domains []struct {
			Name        string
			Count       int
			TopTypes    []string
			LastEntryAt *string
		}
	}
	if err := decode(data, &reply); err != nil {
		return err
	}
	rows := [][]string{{"DOMAIN", "ENTRIES", "KINDS", "LAST"}}
	for _, d := range reply.Domains {
		last := ""
		if d.LastEntryAt != nil {
			last = ago(*d.LastEntryAt, time.Now())
		}
		rows = append(rows, []string{d.Name, fmt.Sprint(d.Count), strings.Join(d.TopTypes, ", "), last})
	}
	return p.table(rows)
}

package knowledge

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

func cmdDomains(s *session.Session) *cobra.Command {
	c := &cobra.Command{Use: "domains", Short: "List the domains of the commons", Args: session.Nothing}
	f := session.AddFilters(c, "sort", "by")
	session.Choices(c, "sort", "count", "name", "recent")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return s.Read(c, "/api/mesh/domains", f.Query(), showDomains)
	}
	return c
}

func showDomains(s *session.Session, data json.RawMessage) error {
	var reply struct {
		Domains []struct {
			Name        string
			Count       int
			TopTypes    []string
			LastEntryAt *string
		}
	}
	if err := session.Decode(data, &reply); err != nil {
		return err
	}
	rows := [][]string{{"DOMAIN", "ENTRIES", "KINDS", "LAST"}}
	for _, d := range reply.Domains {
		last := ""
		if d.LastEntryAt != nil {
			last = session.Ago(*d.LastEntryAt, time.Now())
		}
		rows = append(rows, []string{d.Name, fmt.Sprint(d.Count), strings.Join(d.TopTypes, ", "), last})
	}
	return s.Table(rows)
}

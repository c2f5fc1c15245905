package guild

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

func cmdTeamMembers(s *session.Session, as *string) *cobra.Command {
	c := &cobra.Command{Use: "members GUILD", Short: "List the members and who of them is there", Args: session.Words("guild id")}
	f := session.AddFilters(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		return s.Send(c.Context(), session.Request{As: *as, Method: http.MethodGet, Path: session.TeamPath(args[0], "/members"), Query: f.Query()}, showMembers)
	}
	return c
}

func showMembers(s *session.Session, data json.RawMessage) error {
	var r struct {
		session.Paging
		Members []struct {
			AgentID, AgentName, Role, JoinedAt string
			Online                             bool
		}
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	rows := [][]string{{"ROLE", "NAME", "THERE", "JOINED", "AGENT"}}
	for _, m := range r.Members {
		there := "no"
		if m.Online {
			there = "yes"
		}
		rows = append(rows, []string{terminal.OneLine(m.Role, 16), terminal.OneLine(m.AgentName, 80), there, session.Ago(m.JoinedAt, time.Now()), m.AgentID})
	}
	if err := s.Table(rows); err != nil {
		return err
	}
	s.More(r.Paging, len(r.Members))
	return nil
}

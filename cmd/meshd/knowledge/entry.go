package knowledge

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

func cmdEntry(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "entry ENTRY", Short: "Show one entry", Args: session.One("entry id"),
		RunE: func(c *cobra.Command, args []string) error {
			return s.Read(c, "/api/mesh/entry/"+url.PathEscape(args[0]), nil, showEntry)
		},
	}
}

func showEntry(s *session.Session, data json.RawMessage) error {
	var reply struct {
		Entry   entry
		Related []string
	}
	if err := session.Decode(data, &reply); err != nil {
		return err
	}
	e := reply.Entry
	key := ""
	if e.Audit != nil {
		key = e.Audit.KeyID
	}
	if err := s.Facts(
		"entry", terminal.OneLine(e.ID, 80), "kind", terminal.OneLine(e.Type, 16)+" in "+terminal.OneLine(e.Domain, 64), "title", terminal.OneLine(e.Title, 200),
		"author", terminal.OneLine(e.AuthorName+"  "+e.AuthorID, 160), "created", terminal.OneLine(e.CreatedAt, 40), "tags", terminal.OneLine(strings.Join(e.Tags, ", "), 200),
		"confidence", fmt.Sprint(e.Confidence), "evidence", terminal.OneLine(strings.Join(e.Evidence, "; "), 500), "source", terminal.OneLine(e.Source, 200),
		"cites", strings.Join(e.Reuses, "\n\t"), "cited by", fmt.Sprint(e.ReuseCount), "signed by", terminal.OneLine(key, 100), "price", e.forSale(),
	); err != nil {
		return err
	}
	_, err := fmt.Fprintf(s.Out, "\n%s\n", terminal.Plain(e.Content))
	return err
}

// entry is what people see of an entry in a list.
type entry struct {
	ID         string
	Type       string
	Domain     string
	Title      string
	Content    string
	AuthorName string
	Tags       []string
	CreatedAt  string
	ReuseCount int
	Confidence float64
	Evidence   []string
	Reuses     []string
	Source     string
	AuthorID   string
	Price      float64
	Premium    bool
	Locked     bool
	SoldAt     *struct{ Gateway string } `json:"sold_at"`
	Audit      *struct{ KeyID, ChangeID string }
}

// forSale says what a paid entry costs, and where it is bought.
func (e entry) forSale() string {
	if !e.Premium {
		return ""
	}
	text := strconv.FormatFloat(e.Price, 'f', -1, 64) + " USD"
	if e.SoldAt != nil {
		text += " at " + terminal.OneLine(e.SoldAt.Gateway, 300)
	}
	return text
}

func listEntries(s *session.Session, entries []entry) error {
	for i, e := range entries {
		if i > 0 {
			fmt.Fprintln(s.Out)
		}
		head := fmt.Sprintf("%s  %s in %s  by %s  %s", terminal.OneLine(e.ID, 80), terminal.OneLine(e.Type, 16), terminal.OneLine(e.Domain, 64), terminal.OneLine(e.AuthorName, 80), session.Ago(e.CreatedAt, time.Now()))
		if _, err := fmt.Fprintln(s.Out, head); err != nil {
			return err
		}
		if e.Title != "" {
			fmt.Fprintf(s.Out, "  %s\n", terminal.OneLine(e.Title, 120))
		}
		fmt.Fprintf(s.Out, "  %s\n", terminal.OneLine(e.Content, 240))
		if sale := e.forSale(); sale != "" && e.Locked {
			fmt.Fprintf(s.Out, "  %s  (meshd buy %s)\n", sale, terminal.OneLine(e.ID, 80))
		}
		if len(e.Tags) > 0 {
			fmt.Fprintf(s.Out, "  #%s\n", terminal.OneLine(strings.Join(e.Tags, " #"), 160))
		}
	}
	return nil
}

// showEntries prints the entries that lie under a name of the answer.
func showEntries(name string) session.Show {
	return func(s *session.Session, data json.RawMessage) error {
		var page session.Paging
		var lists map[string]json.RawMessage
		var entries []entry
		if err := session.Decode(data, &page); err != nil {
			return err
		}
		if err := session.Decode(data, &lists); err != nil {
			return err
		}
		if err := session.Decode(lists[name], &entries); err != nil {
			return err
		}
		if len(entries) == 0 {
			s.Say("nothing found")
			return nil
		}
		if err := listEntries(s, entries); err != nil {
			return err
		}
		s.More(page, len(entries))
		return nil
	}
}

package contribute

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/crdt/reason"
)

func cmdCheck(s *session.Session) *cobra.Command {
	var d draft
	var as string
	c := &cobra.Command{
		Use: "check --type TYPE [TEXT|-]", Short: "Ask the gate about an entry, and write nothing",
		Long: "Ask the gate whether it would take an entry, with the flags and the text of meshd contribute, and write nothing.\n" +
			"It ends with 3 when the entry would be refused, and says why.",
		Example: "  meshd check --type gotcha --domain go - < lesson.txt",
		RunE: func(c *cobra.Command, args []string) (err error) {
			if err := d.read(s, c, args); err != nil {
				return err
			}
			way, err := s.Connect(c.Context(), session.Existing)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, way.Close()) }()
			way.As = as
			data, _, err := way.Do(c.Context(), http.MethodPost, "/api/mesh/contribute/check", nil, d, nil)
			if err != nil {
				return s.Refused(err)
			}
			var r struct{ Quality verdict }
			if err := session.Decode(data, &r); err != nil {
				return err
			}
			if s.JSON {
				err = s.PrintRaw(data)
			} else {
				err = r.Quality.show(s)
			}
			if !r.Quality.OK {
				return errors.Join(err, session.ErrDegraded)
			}
			return err
		},
	}
	d.flags(c)
	c.Flags().StringVar(&as, "as", "", "name of another `AGENT` of this node")
	return c
}

// verdict is what the gate says of an entry.
type verdict struct {
	OK                bool
	Score             int
	Reasons, Warnings []string
	Matches           []struct {
		Code, Field    string
		Offset, Length int
	}
}

func (v verdict) show(s *session.Session) error {
	said := "would be taken"
	if !v.OK {
		said = "would be refused"
	}
	return s.Facts("entry", said, "because", v.words(v.Reasons), "quality", fmt.Sprint(v.Score), "warnings", v.words(v.Warnings))
}

// words say what codes mean, and where in the text that was found.
func (v verdict) words(codes []string) string {
	var lines []string
	for _, code := range codes {
		line := terminal.OneLine(code, 60)
		if info, ok := reason.Lookup(reason.Code(code)); ok {
			line += ": " + strings.TrimPrefix(info.Meaning, "admission: ")
		}
		var places []string
		for _, m := range v.Matches {
			if m.Code == code && m.Offset > 0 {
				places = append(places, fmt.Sprintf("%s, character %d", terminal.OneLine(m.Field, 40), m.Offset+1))
			}
		}
		if len(places) > 0 {
			line += " (" + strings.Join(places, "; ") + ")"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n\t")
}

package contribute

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

func cmdVote(s *session.Session) *cobra.Command {
	var as string
	var against bool
	c := &cobra.Command{
		Use: "vote ENTRY [+1|-1|0]", Short: "Vote for or against an entry or a comment",
		Long: "Vote for or against an entry or a comment; 0 takes the vote back. An agent has one vote, the latest counts.",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 2 {
				return nil
			}
			return session.Words("entry id")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			value, err := ballot(args[1:], against)
			if err != nil {
				return err
			}
			return s.AskAs(c.Context(), as, http.MethodPost, "/api/mesh/"+votedOn(args[0])+"/vote", map[string]int{"value": value}, showVote)
		},
	}
	c.Flags().StringVar(&as, "as", "", "name of another `AGENT` of this node")
	// A word that begins with a dash is a flag, so -1 is one.
	c.Flags().BoolVarP(&against, "against", "1", false, "the vote is against it")
	return c
}

// ballot is the value that a vote's words and flag say, 1 without any.
func ballot(args []string, against bool) (int, error) {
	value := 1
	if against {
		value = -1
	}
	if len(args) == 0 {
		return value, nil
	}
	values := map[string]int{"+1": 1, "1": 1, "0": 0, "-1": -1} // -1 is a word behind --
	said, ok := values[args[0]]
	if !ok {
		return 0, session.Usage("vote takes +1, -1 or 0, not %q", args[0])
	}
	if against && said != -1 {
		return 0, session.Usage("vote takes one of +1, -1 and 0")
	}
	return said, nil
}

// votedOn is the address of an entry, or of a comment by its id.
func votedOn(id string) string {
	if strings.HasPrefix(id, "cmt_") {
		return "comment/" + url.PathEscape(id)
	}
	return "entry/" + url.PathEscape(id)
}

func showVote(s *session.Session, data json.RawMessage) error {
	var r struct {
		VoteCount int
		MyVote    int `json:"my_vote"`
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	return s.Facts("votes", signed(r.VoteCount), "own", signed(r.MyVote))
}

// signed is a count of votes: +2, 0 or -1.
func signed(n int) string {
	if n == 0 {
		return "0"
	}
	return fmt.Sprintf("%+d", n)
}

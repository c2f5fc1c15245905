package running

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/admin"
)

func cmdSync(s *session.Session) *cobra.Command {
	var wait bool
	var timeout time.Duration
	c := &cobra.Command{
		Use: "sync", Short: "Reconcile with every connected peer now", Args: session.Nothing,
		Long: "Compare with every connected peer now. With --wait, go on until this node equals all of them, or the\n" +
			"time is over; the exit code is 3 when they still differ.",
		RunE: func(c *cobra.Command, _ []string) error {
			in := map[string]any{"wait": wait, "timeout_s": timeout.Seconds()}
			equal := false
			err := s.WithAnswer(c.Context(), session.Running, http.MethodPost, "/control/sync", nil, in, func(data json.RawMessage) error {
				var reply admin.SyncReply
				if err := session.Decode(data, &reply); err != nil {
					return err
				}
				equal = reply.Equal
				if s.JSON {
					return s.PrintRaw(data)
				}
				return showSync(s, reply)
			})
			if err == nil && wait && !equal {
				err = session.ErrDegraded
			}
			return err
		},
	}
	c.Flags().BoolVar(&wait, "wait", false, "go on until all are equal")
	c.Flags().DurationVar(&timeout, "timeout", time.Minute, "how long to wait")
	return c
}

func showSync(s *session.Session, reply admin.SyncReply) error {
	if len(reply.Passes) == 0 {
		s.Say("no peer to compare with")
		return nil
	}
	rows := [][]string{{"PEER", "SETS", "GOT", "PUSHED", "IN", "OUT", "TIME", ""}}
	for _, pass := range reply.Passes {
		state := "differ"
		if pass.Equal {
			state = "equal"
		}
		rows = append(rows, []string{
			pass.Peer, state, fmt.Sprint(pass.Got), fmt.Sprint(pass.Pushed), fmt.Sprintf("%d B", pass.BytesIn), fmt.Sprintf("%d B", pass.BytesOut),
			fmt.Sprintf("%.3f s", pass.Seconds), terminal.OneLine(pass.Err, 60),
		})
	}
	if err := s.Table(rows); err != nil {
		return err
	}
	if reply.Error != "" && !reply.Equal {
		return errors.New(terminal.OneLine(reply.Error, 200))
	}
	return nil
}

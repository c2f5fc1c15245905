package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/gateway/admin"
)

func (p *program) cmdSync() *cobra.Command {
	var wait bool
	var timeout time.Duration
	c := &cobra.Command{
		Use: "sync", Short: "Compare with every connected peer now", Args: nothing,
		Long: "Compare with every connected peer now. With --wait, go on until this node equals all of them, or the\n" +
			"time is over; the exit code is 3 when they still differ.",
		RunE: func(c *cobra.Command, _ []string) error {
			in := map[string]any{"wait": wait, "timeout_s": timeout.Seconds()}
			equal := false
			err := p.withAnswer(c.Context(), running, http.MethodPost, "/control/sync", nil, in, func(data json.RawMessage) error {
				var reply admin.SyncReply
				if err := decode(data, &reply); err != nil {
					return err
				}
				equal = reply.Equal
				if p.json {
					return p.printRaw(data)
				}
				return p.showSync(reply)
			})
			if err == nil && wait && !equal {
				err = errDegraded
			}
			return err
		},
	}
	c.Flags().BoolVar(&wait, "wait", false, "go on until all are equal")
	c.Flags().DurationVar(&timeout, "timeout", time.Minute, "how long to wait")
	return c
}

func (p *program) showSync(reply admin.SyncReply) error {
	if len(reply.Passes) == 0 {
		p.say("no peer to compare with")
		return nil
	}
	rows := [][]string{{"PEER", "SETS", "GOT", "PUSHED", "IN", "OUT", "TIME", ""}}
	for _, s := range reply.Passes {
		state := "differ"
		if s.Equal {
			state = "equal"
		}
		rows = append(rows, []string{
			s.Peer, state, fmt.Sprint(s.Got), fmt.Sprint(s.Pushed), fmt.Sprintf("%d B", s.BytesIn), fmt.Sprintf("%d B", s.BytesOut),
			fmt.Sprintf("%.3f s", s.Seconds), oneLine(s.Err, 60),
		})
	}
	if err := p.table(rows); err != nil {
		return err
	}
	if reply.Error != "" && !reply.Equal {
		return errors.New(oneLine(reply.Error, 200))
	}
	return nil
}

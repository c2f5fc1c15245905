package operator

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/node/block"
)

func cmdBlock(s *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use: "block", Short: "Block agents, peers or domains", Args: session.Subcommand,
		Long: "Have nothing to do with an agent, a tree of agents who sponsored one another, a peer or a domain. What is blocked\n" +
			"is not shown and its text is not relayed; it stays a member of its set, so that the node still equals its peers,\n" +
			"and is shown again when the block ends. A blocked peer is refused at connection. meshd purge removes for good.",
		Example: "  meshd block add agent agt_... --reason 'the same advert a thousand times' --publish spam\n" +
			"  meshd block add peer 12D3KooW...\n" +
			"  meshd block follow did:key:z6Mk...",
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(cmdBlockAdd(s), cmdBlockRm(s), cmdBlockList(s), cmdBlockFollow(s))
	return c
}

// blockOrder sends an order and says what was done.
func blockOrder(s *session.Session, c *cobra.Command, order admin.BlockOrder, done string) error {
	// An agent is completed by the node, a domain has a name.
	kind := ""
	switch {
	case order.Kind == block.Peer && order.Do == "add":
		kind = "PEER"
	case order.Kind != block.Domain && order.Do == "remove":
		kind = "BLOCK"
	}
	return s.AskAbout(c.Context(), session.Existing, "", kind, order.ID, func(id string) session.Request {
		order.ID = id
		return session.Request{Method: http.MethodPost, Path: "/control/blocks", In: order}
	}, func(s *session.Session, data json.RawMessage) error {
		var did admin.BlockOrder
		if err := session.Decode(data, &did); err != nil {
			return err
		}
		s.Say("%s %s", done, strings.TrimSpace(did.Kind+" "+terminal.OneLine(did.ID, 120)))
		return nil
	})
}

func cmdBlockAdd(s *session.Session) *cobra.Command {
	var order admin.BlockOrder
	c := &cobra.Command{
		Use: "add agent|tree|peer|domain AGENT|PEER|DOMAIN", Short: "Block an agent, tree, peer or domain", Args: session.Words(strings.Join(block.Kinds(), ", "), "id, DID of an agent or name of a domain"),
		Long: "Block an agent, tree, peer or domain. With --publish the node's service agent labels the agent in public, as spam,\n" +
			"secret, fabricated or abuse: nodes that follow its labels then do with all of the agent's texts what their policy\n" +
			"for the label says (moderation.spam and so on). What this node's own agents write is never blocked.",
		RunE: func(c *cobra.Command, args []string) error {
			order.Do, order.Kind, order.ID = "add", args[0], args[1]
			return blockOrder(s, c, order, "blocked")
		},
	}
	c.Flags().StringVar(&order.Why, "reason", "", "why; public with --publish")
	c.Flags().StringVar(&order.Label, "publish", "", "say so in public by this label, for nodes that follow it")
	session.Choices(c, "publish", "spam", "secret", "fabricated", "abuse")
	return c
}

func cmdBlockRm(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "rm agent|tree|peer|domain BLOCK", Short: "Remove a block, and withdraw what was published of it", Args: session.Words("kind", "id"),
		RunE: func(c *cobra.Command, args []string) error {
			return blockOrder(s, c, admin.BlockOrder{Do: "remove", Kind: args[0], ID: args[1]}, "no longer blocked:")
		},
	}
}

func cmdBlockFollow(s *session.Session) *cobra.Command {
	stop := false
	c := &cobra.Command{
		Use: "follow DID", Short: "Follow the labels of another node", Args: session.One("did:key of a labeler; meshd block list shows a node's own"),
		Long: "Let the labels of another node decide here, as if moderation.labelers named it: what it labels, and whom it\n" +
			"blocks in public, is hidden, blurred or shown by this node's policy for the label. --stop ends it.",
		RunE: func(c *cobra.Command, args []string) error {
			order, done := admin.BlockOrder{Do: "follow", ID: args[0]}, "follows"
			if stop {
				order.Do, done = "unfollow", "no longer follows"
			}
			return blockOrder(s, c, order, done)
		},
	}
	c.Flags().BoolVar(&stop, "stop", false, "end following it")
	return c
}

func cmdBlockList(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List blocks and the labelers that are followed", Args: session.Nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			return s.Ask(c.Context(), session.Existing, http.MethodGet, "/control/blocks", nil, nil, func(s *session.Session, data json.RawMessage) error {
				var r admin.BlocksReply
				if err := session.Decode(data, &r); err != nil {
					return err
				}
				rows := [][]string{{"KIND", "ID", "PUBLISHED", "SINCE", "REASON"}}
				for _, b := range r.Blocks {
					rows = append(rows, []string{b.Kind, terminal.OneLine(b.ID, 120), b.Label, b.At.Format(time.RFC3339), terminal.OneLine(b.Why, 120)})
				}
				if len(r.Blocks) == 0 {
					s.Say("nothing is blocked")
				} else if err := s.Table(rows); err != nil {
					return err
				}
				return s.Facts("follows", strings.Join(r.Follows, "\n\t"), "labeler", r.Labeler)
			})
		},
	}
}

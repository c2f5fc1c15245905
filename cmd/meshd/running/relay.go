package running

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/instance"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/node/config"
)

func cmdRelay(s *session.Session) *cobra.Command {
	var announce []string
	c := &cobra.Command{
		Use: "relay", Short: "Start a node in the foreground that relays for others", Args: session.Nothing,
		Long: "Start a node, as meshd run does, on a machine that strangers can dial, and relay for nodes behind routers that accept\n" +
			"no connection. Such nodes find it among their peers by themselves; two of them meet through it and then open a direct\n" +
			"connection where their routers let them. It passes on at most 128 KiB in two minutes for each connection, which is\n" +
			"encrypted from end to end. The settings p2p.relay_service and p2p.reachable do the same for meshd run.",
		RunE: func(c *cobra.Command, _ []string) error {
			if s.Loopback {
				return session.Usage("a relay is for other machines: it has no use with --loopback")
			}
			s.Flags = append(s.Flags, config.Flag{Key: "p2p.relay_service", Name: "relay", Value: "true"},
				config.Flag{Key: "p2p.reachable", Name: "relay", Value: config.ReachablePublic})
			if len(announce) > 0 {
				s.Flags = append(s.Flags, config.Flag{Key: "p2p.announce", Name: "announce", Value: strings.Join(announce, ",")})
			}
			return runNode(c.Context(), s, instance.Opening{Salvage: true}, "")
		},
	}
	c.Flags().StringArrayVar(&announce, "announce", nil, "address by which others reach this machine, such as /ip4/203.0.113.7/tcp/4001; may be repeated (default: those of its interfaces)")
	return c
}

// relayNote says how others use a node that relays; "" for one that does not.
func relayNote(in *instance.Instance, at string) string {
	p := in.Settings.Config.P2P
	if !p.RelayService || p.Reachable != config.ReachablePublic {
		return ""
	}
	return "This node relays for others. Nodes that are its peers use it by themselves:\n  " + self() + " invite" + at + " --uses 100    here; and meshd join with the line on each of them"
}

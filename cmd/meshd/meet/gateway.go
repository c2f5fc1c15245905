package meet

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/gateway/welcome"
	"github.com/meshd/meshd/node/meeting"
	"github.com/meshd/meshd/p2p/invite"
)

// isAddress reports whether a word is the address of a gateway rather than an invitation,
// which may stand at the end of an address too.
func isAddress(word string) bool {
	word = strings.ToLower(strings.TrimSpace(word))
	if !strings.HasPrefix(word, "https://") && !strings.HasPrefix(word, "http://") {
		return false
	}
	return !strings.HasPrefix(word[strings.LastIndexAny(word, "#/")+1:], invite.Prefix)
}

// errMoved ends a request that a gateway answers with another address: the owner has
// named this one.
var errMoved = errors.New("it sends the request to another address; name that")

// joinGateway joins the network that a gateway publishes, once the owner has said that
// the gateway is trusted for that.
func joinGateway(ctx context.Context, s *session.Session, c *cobra.Command, address string, yes, noStart bool) error {
	base, reply, err := published(ctx, s, address)
	if err != nil {
		return err
	}
	v, err := offered(reply)
	if err != nil {
		return fmt.Errorf("%s: %w", base, err)
	}
	home, err := s.HomeDir()
	if err != nil {
		return err
	}
	if err := trusted(s, c, base, home, v, yes); err != nil {
		return err
	}
	return joinBy(ctx, s, plan{invitation: v, gateway: base, noStart: noStart})
}

// published is the network file of a gateway. The address may be that of one of its
// pages.
func published(ctx context.Context, s *session.Session, address string) (base string, out welcome.NetworkReply, err error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return "", out, session.Usage("%q is no address of a gateway, such as https://mesh.example.org", address)
	}
	u.RawQuery, u.Fragment = "", ""
	bases := []string{strings.TrimRight(u.String(), "/")}
	if strings.Trim(u.Path, "/") != "" {
		u.Path, u.RawPath = "", ""
		bases = append(bases, u.String())
	}
	var refused *session.APIError
	for _, base = range bases {
		if err := s.GatewayAddress(base, true); err != nil {
			return "", out, err
		}
		d := &session.Client{Base: base, HTTP: &http.Client{Timeout: gatewayWithin, CheckRedirect: func(*http.Request, []*http.Request) error { return errMoved }}}
		var data []byte
		if data, _, err = d.Do(ctx, http.MethodGet, "/api/mesh/network", nil, nil, nil); err == nil {
			err = session.Decode(data, &out)
		}
		if err == nil {
			return base, out, nil
		}
		if errors.As(err, &refused) && refused.Hint != "" {
			return "", out, s.Refused(err)
		}
	}
	return "", out, fmt.Errorf("ask %s for its network: %w", base, err)
}

// offered is what a gateway publishes as an invitation that nobody has signed: the
// network, and a node to begin with.
func offered(r welcome.NetworkReply) (v invite.Invitation, err error) {
	if v.Network, err = change.ParseNetworkFile(r.File); err != nil {
		return v, err
	}
	all := v.Network.Bootstrap
	v.Network.Bootstrap = nil
	for _, a := range all {
		info, err := peer.AddrInfoFromString(a)
		switch {
		case err != nil || len(info.Addrs) == 0: // of a kind that this program does not know
		case v.Peer == "" || v.Peer == info.ID && len(v.Addrs) < invite.MaxAddrs:
			v.Peer, v.Addrs = info.ID, append(v.Addrs, info.Addrs...)
		case v.Peer != info.ID && len(v.Network.Bootstrap) < invite.MaxOthers:
			v.Network.Bootstrap = append(v.Network.Bootstrap, a)
		}
	}
	if v.Peer == "" {
		return v, reason.Refuse(reason.PeerUnreachable, "its network file names no address of a node")
	}
	return v, nil
}

// trusted asks the owner whether a gateway is right about the network. Nobody has signed
// what it says.
func trusted(s *session.Session, c *cobra.Command, base, home string, v invite.Invitation, yes bool) error {
	id, err := v.Network.Genesis.ID()
	if err != nil || yes {
		return err
	}
	if !terminal.Is(s.In) {
		return session.Usage("%s asks whether %s is trusted, and nobody is at a terminal: say --yes if it is", c.CommandPath(), base)
	}
	fmt.Fprintf(s.Err, "%s says that its network is this one:\n  name     %s\n  id       %s\n  node     %s\n  at       %s\nNobody else vouches for it: whoever runs that address decides which network this is. The home in %s\nwould belong to it for good.\nDo you trust %s, and shall this node join? [y/N] ",
		base, terminal.OneLine(v.Network.Genesis.Name, 64), id, v.Peer, terminal.OneLine(v.Addrs[0].String(), 160), home, base)
	yes, err = agreed(s.In)
	if err == nil && !yes {
		err = errors.New("not joined: you have not said yes")
	}
	return err
}

// agreed reads the answer to a question: yes, or anything else.
func agreed(in io.Reader) (bool, error) {
	answer, err := bufio.NewReader(io.LimitReader(in, maxAnswer)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, fmt.Errorf("read answer: %w", err)
	}
	answer = strings.TrimSpace(answer)
	return strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes"), nil
}

// call has the running node connect the node of a gateway, by one address after the
// other, and ask it again at every start.
func call(ctx context.Context, s *session.Session, p plan, out *joined) (err error) {
	d, err := s.Connect(ctx, session.Running)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	began := time.Now()
	var last error
	for _, a := range p.invitation.Dials() {
		var r admin.PeerReply
		if last = get(ctx, s, d, http.MethodPost, "/control/peers", admin.PeerOrder{Do: "add", Peer: a}, &r); last != nil {
			continue // not an address for this node
		}
		out.Kept = append(out.Kept, a)
		out.Code, out.Error = r.Code, r.Error
		if r.Link != nil {
			out.Met = &meeting.Met{Link: *r.Link, Name: p.gateway, Seconds: time.Since(began).Seconds()}
			return nil
		}
	}
	if len(out.Kept) == 0 {
		return last
	}
	return nil
}

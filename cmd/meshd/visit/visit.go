// Package visit has the verbs by which an agent of this node is at home at gateways that
// do not host it: it logs in, looks at its account and buys. The node's vault signs.
package visit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/admin"
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	return []*cobra.Command{cmdBuy(s), cmdLogin(s), cmdCredits(s)}
}

// gateway is one that does not host the agent.
type gateway struct {
	*session.Client
	service string // its DID, the audience of tokens
}

// errMoved ends a request that a gateway answers with another address: a token goes to
// whom it was made for.
var errMoved = errors.New("the gateway sends the request to another address; name that with --gateway")

// dial looks at a gateway. Its address is https, or one of this machine.
// A stranger, who wrote an entry, names no service of this machine, but where the node
// connects to this machine only; its owner may, and then named is true.
func dial(ctx context.Context, s *session.Session, address string, named bool) (*gateway, error) {
	base := strings.TrimRight(address, "/")
	if err := s.GatewayAddress(base, named); err != nil {
		return nil, err
	}
	g := &gateway{Client: &session.Client{Base: base, HTTP: &http.Client{
		Timeout: requestTime, CheckRedirect: func(*http.Request, []*http.Request) error { return errMoved },
	}}}
	data, err := g.ask(ctx, http.MethodGet, "/version", nil, nil)
	if err != nil {
		return nil, err
	}
	var v struct {
		Service string `json:"service_did"`
	}
	if err := session.Decode(data, &v); err != nil {
		return nil, err
	}
	if v.Service == "" {
		return nil, fmt.Errorf("%s names no service_did: it is no gateway that takes tokens", base)
	}
	g.service = v.Service
	return g, nil
}

// ask is Do, with an error that names the gateway.
func (g *gateway) ask(ctx context.Context, method, path string, in any, header http.Header) (json.RawMessage, error) {
	data, _, err := g.Do(ctx, method, path, nil, in, header)
	var refused *session.APIError
	if err != nil && !errors.As(err, &refused) {
		if errors.Is(err, errMoved) {
			return nil, errMoved
		}
		return nil, fmt.Errorf("ask %s: %w", g.Base, err)
	}
	return data, err
}

// as is the header of one request as an agent of this node: its acting key signs a token
// for this gateway that does one thing once.
func (g *gateway) as(ctx context.Context, d *session.Client, agent, can string) (http.Header, error) {
	in := admin.PresentOrder{Agent: agent, Audience: g.service, Can: can, Part: "credits", Seconds: int(tokenTime.Seconds())}
	data, _, err := d.Do(ctx, http.MethodPost, "/control/present", nil, in, nil)
	if err != nil {
		return nil, err
	}
	var r admin.PresentReply
	if err := session.Decode(data, &r); err != nil {
		return nil, err
	}
	return http.Header{"Authorization": {"Bearer " + r.Token}}, nil
}

// askAs is ask as an agent of this node. Where the gateway wants a pause of a few seconds
// between requests it is made, once: nothing was done yet.
func (g *gateway) askAs(ctx context.Context, d *session.Client, agent, can, method, path string, in any, more http.Header) (json.RawMessage, error) {
	data, err := g.askOnce(ctx, d, agent, can, method, path, in, more)
	var refused *session.APIError
	if errors.As(err, &refused) && refused.Code == string(reason.RateLimited) {
		seconds, _ := refused.Details["retry_after"].(float64)
		if pause := time.Duration(seconds) * time.Second; pause > 0 && pause <= longestRate {
			select {
			case <-time.After(pause):
				return g.askOnce(ctx, d, agent, can, method, path, in, more)
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
	}
	return data, err
}

// askOnce is ask with a token of an agent of this node.
func (g *gateway) askOnce(ctx context.Context, d *session.Client, agent, can, method, path string, in any, more http.Header) (json.RawMessage, error) {
	header, err := g.as(ctx, d, agent, can)
	if err != nil {
		return nil, err
	}
	for name, values := range more {
		header[name] = values
	}
	data, err := g.ask(ctx, method, path, in, header)
	var refused *session.APIError
	if errors.As(err, &refused) && refused.Hint == "" && (refused.Code == "capability_denied" || refused.Code == "agent_not_found") {
		refused.Hint = "does the gateway know the agent yet? connect this node to the network: meshd sync --wait"
	}
	return data, err
}

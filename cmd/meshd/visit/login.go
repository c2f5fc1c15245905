package visit

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/agent"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
)

// loggingIn is what the flags of login say.
type loggingIn struct{ as, walletFile string }

func cmdLogin(s *session.Session) *cobra.Command {
	var l loggingIn
	c := &cobra.Command{
		Use: "login GATEWAY", Short: "Log an agent of this node in at a gateway", Args: session.One("address of a gateway"),
		Long: "Log an agent that lives on this node in at a gateway, and print a key to its account there: balance, rewards,\n" +
			"purchases and withdrawals, for twelve hours. The agent stays who it is; the gateway can sign nothing in its name.\n\n" +
			"The gateway gives a text that names it, the agent and a nonce; the acting key in this vault signs it, or with\n" +
			"--wallet the wallet that controls the agent. A text that names another gateway is not signed. When the agent is\n" +
			"rotated to another key, the key that it logged in with opens nothing any more.",
		Example: "  meshd login https://mesh.example.org\n" +
			"  meshd login https://mesh.example.org --as NAME --wallet wallet.key",
		RunE: func(c *cobra.Command, args []string) error { return logIn(c.Context(), s, args[0], l) },
	}
	c.Flags().StringVar(&l.as, "as", "", "name of another `AGENT` of this node")
	c.Flags().StringVar(&l.walletFile, "wallet", "", "file with the private key of the wallet that controls the agent, to sign instead of the acting key")
	return c
}

// whoami is an agent of this node.
type whoami struct {
	AgentID string `json:"agentId"`
	DID     string `json:"did"`
}

// me is the agent of this node that a command acts as.
func me(ctx context.Context, d *session.Client, as string) (w whoami, err error) {
	d.As = as
	data, _, err := d.Do(ctx, http.MethodGet, "/api/mesh/me", nil, nil, nil)
	if err != nil {
		return w, err
	}
	return w, session.Decode(data, &w)
}

// signer signs the text of a login.
type signer struct {
	ask  map[string]string // how the challenge names it
	by   did.DID
	sign func(text string) (string, error)
}

func newSigner(ctx context.Context, d *session.Client, who whoami, l loggingIn) (signer, error) {
	if l.walletFile == "" {
		by, err := did.ParseKey(who.DID)
		if err != nil {
			return signer{}, fmt.Errorf("read answer: %w", err)
		}
		return signer{map[string]string{"agent_id": who.AgentID, "did": who.DID}, did.OfKey(by), func(text string) (string, error) {
			data, _, err := d.Do(ctx, http.MethodPost, "/control/login", nil, admin.LoginOrder{Agent: who.AgentID, Text: text}, nil)
			if err != nil {
				return "", err
			}
			var r admin.LoginReply
			err = session.Decode(data, &r)
			return r.Signature, err
		}}, nil
	}
	key, err := agent.ReadWallet(l.walletFile)
	if err != nil {
		return signer{}, err
	}
	address := key.Address()
	return signer{map[string]string{"agent_id": who.AgentID, "wallet_address": address.String()}, did.OfAccount(did.Account{Chain: 1, Address: address}),
		func(text string) (string, error) {
			sig := key.SignText(text)
			return "0x" + hex.EncodeToString(sig[:]), nil
		}}, nil
}

// checkLogin refuses to sign what logs somebody else in, or at another gateway than the
// one that was asked.
func checkLogin(text, nonce string, g *gateway, who whoami, by did.DID) error {
	l, err := binding.ParseLogin(text)
	if err != nil {
		return fmt.Errorf("read the gateway's text: %w", err)
	}
	same := l.Subject == by
	if mine, ok := by.Account(); ok { // the chain is the gateway's to choose
		asked, _ := l.Subject.Account()
		same = asked.Address == mine.Address
	}
	switch {
	case l.Gateway != g.Base:
		return fmt.Errorf("the text logs in at %s, and %s was asked; nothing was signed", terminal.OneLine(l.Gateway, 200), g.Base)
	case l.Service.String() != g.service, l.Agent != who.AgentID, l.Nonce != nonce, !same:
		return errors.New("the gateway asks to sign something else than this login; nothing was signed")
	}
	return nil
}

// loggedIn is what the gateway answers, and what login prints with --json.
type loggedIn struct {
	Agent struct {
		ID     string `json:"id"`
		DID    string `json:"did"`
		Handle string `json:"handle"`
	} `json:"agent"`
	APIKey string `json:"api_key"`
	Key    struct {
		ExpiresAt *string `json:"expires_at"`
	} `json:"key"`
	Account struct {
		Balance float64 `json:"balance"`
	} `json:"account"`
}

func logIn(ctx context.Context, s *session.Session, address string, l loggingIn) (err error) {
	g, err := dial(ctx, s, address, true)
	if err != nil {
		return s.Refused(err)
	}
	d, err := s.Connect(ctx, session.Existing)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	who, err := me(ctx, d, l.as)
	if err != nil {
		return s.Refused(err)
	}
	by, err := newSigner(ctx, d, who, l)
	if err != nil {
		return err
	}
	data, err := g.ask(ctx, http.MethodPost, "/api/mesh/login/challenge", by.ask, nil)
	if err != nil {
		return s.Refused(err)
	}
	var c struct {
		Nonce     string
		Challenge struct{ Text string }
	}
	if err := session.Decode(data, &c); err != nil {
		return err
	}
	if err := checkLogin(c.Challenge.Text, c.Nonce, g, who, by.by); err != nil {
		return err
	}
	signature, err := by.sign(c.Challenge.Text)
	if err != nil {
		return s.Refused(err)
	}
	if data, err = g.ask(ctx, http.MethodPost, "/api/mesh/login", map[string]string{"nonce": c.Nonce, "signature": signature}, nil); err != nil {
		return s.Refused(err)
	}
	return showLogin(s, g, data)
}

func showLogin(s *session.Session, g *gateway, data json.RawMessage) error {
	var r loggedIn
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	ends := session.OrNone(r.Key.ExpiresAt)
	if s.JSON {
		return s.PrintJSON(map[string]any{"agent_id": r.Agent.ID, "did": r.Agent.DID, "gateway": g.Base, "api_key": r.APIKey, "expires_at": ends, "balance": r.Account.Balance})
	}
	return s.Made(r.APIKey, "agent", terminal.OneLine(r.Agent.ID, 80), "gateway", g.Base, "balance", credits(r.Account.Balance),
		"api key", terminal.OneLine(r.APIKey, 100)+"  (shown once)", "until", terminal.OneLine(ends, 40))
}

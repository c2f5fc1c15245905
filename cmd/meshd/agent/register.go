package agent

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/gateway/owner"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/wallet"
	"github.com/meshd/meshd/node/store"
)

// registration is what the flags of register say.
type registration struct {
	gateway    string // address of another gateway, or ""
	walletFile string // file of a wallet's secret, or ""
	makeWallet bool
}

// byWallet reports whether a wallet shall control the agent.
func (r registration) byWallet() bool { return r.walletFile != "" || r.makeWallet }

func cmdRegister(s *session.Session) *cobra.Command {
	var r registration
	c := &cobra.Command{
		Use: "register NAME", Short: "Name the owner's agent, or make one more", Args: session.One("name"),
		Long: "Name the owner's agent while it has its first name; afterwards, make one more agent on this node. With\n" +
			"--gateway URL, make an agent on that gateway. A new agent's API key is printed once, and its recovery\n" +
			"key is written to a file that you should move elsewhere.\n\n" +
			"With --wallet FILE an Ethereum wallet controls the new agent, and recovers it. FILE contains the private key in\n" +
			"hex and is readable by you alone; the key never leaves this machine. --generate-wallet makes such a file.",
		RunE: func(c *cobra.Command, args []string) error { return registerAgent(c.Context(), s, args[0], r) },
	}
	c.Flags().StringVar(&r.gateway, "gateway", "", "address of a gateway, such as https://mesh.example.org")
	c.Flags().StringVar(&r.walletFile, "wallet", "", "file with the private key of the wallet that shall control the agent")
	c.Flags().BoolVar(&r.makeWallet, "generate-wallet", false, "make a wallet for the agent and write its private key to a file")
	return c
}

func registerAgent(ctx context.Context, s *session.Session, name string, r registration) (err error) {
	if r.walletFile != "" && r.makeWallet {
		return session.Usage("meshd register takes --wallet or --generate-wallet, not both")
	}
	home, err := s.HomeDir()
	if err != nil {
		return err
	}
	if r.gateway != "" {
		return newAgent(ctx, s, &session.Client{HTTP: http.DefaultClient, Base: strings.TrimRight(r.gateway, "/")}, home, name, r)
	}
	d, err := s.Connect(ctx, session.Writable)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if r.byWallet() { // the owner's agent has its controllers for good
		return newAgent(ctx, s, d, home, name, r)
	}
	data, _, err := d.Do(ctx, http.MethodGet, "/api/mesh/me", nil, nil, nil)
	if err != nil {
		return s.Refused(err)
	}
	var me struct {
		AgentID string `json:"agentId"`
		Name    string `json:"name"`
	}
	if err := session.Decode(data, &me); err != nil {
		return err
	}
	id, err := change.ParseAgentID(me.AgentID)
	if err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	if me.Name != owner.FirstName(id) {
		return newAgent(ctx, s, d, home, name, r)
	}
	if data, _, err = d.Do(ctx, http.MethodPost, "/control/rename", nil, map[string]string{"name": name}, nil); err != nil {
		return s.Refused(err)
	}
	if s.JSON {
		return s.PrintRaw(data)
	}
	var named admin.RenameReply
	if err := session.Decode(data, &named); err != nil {
		return err
	}
	return s.Facts("agent", named.Name+"  "+named.ID, "did", named.DID, "api key", filepath.Join(home, store.KeysDir, owner.APIKeyName))
}

// controller is what outranks a new agent's key: a wallet or a recovery key. Its
// secret is on disk before an agent depends on it.
type controller struct {
	did  did.DID
	ask  map[string]string // how a challenge names it
	sign func(text string) string
	file string // where the secret lies
	made bool   // by this command
}

// newAgent registers an agent by the proof of its controller.
func newAgent(ctx context.Context, s *session.Session, d *session.Client, home, name string, r registration) error {
	by, err := newController(s, home, r)
	if err != nil {
		return err
	}
	data, _, err := d.Do(ctx, http.MethodPost, "/api/mesh/register/challenge", nil, by.ask, nil)
	if err != nil {
		return s.Refused(err)
	}
	var c struct {
		Nonce     string `json:"nonce"`
		Challenge struct {
			Subject string `json:"subject"`
			Text    string `json:"text"`
		} `json:"challenge"`
	}
	if err := session.Decode(data, &c); err != nil {
		return err
	}
	if err := checkChallenge(c.Challenge.Text, c.Nonce, by); err != nil {
		return err
	}
	in := map[string]string{"name": name, "nonce": c.Nonce, "signature": by.sign(c.Challenge.Text)}
	maps.Copy(in, by.ask)
	if data, _, err = d.Do(ctx, http.MethodPost, "/api/mesh/register", nil, in, nil); err != nil {
		return s.Refused(err)
	}
	return showRegistered(s, data, by)
}

// newController reads or makes the secret that controls a new agent.
func newController(s *session.Session, home string, r registration) (controller, error) {
	if r.byWallet() {
		return walletController(s, home, r)
	}
	key, err := keys.Generate(rand.Reader)
	if err != nil {
		return controller{}, fmt.Errorf("make recovery key: %w", err)
	}
	subject := key.Key().String()
	file := filepath.Join(home, store.KeysDir, "recovery-"+strings.TrimPrefix(subject, "did:key:"))
	if err := owner.WriteRecovery(file, key); err != nil {
		return controller{}, err
	}
	return controller{did: did.OfKey(key.Key()), ask: map[string]string{"did": subject}, file: file, made: true, sign: func(text string) string {
		sig := key.Sign([]byte(text))
		return base64.RawURLEncoding.EncodeToString(sig[:])
	}}, nil
}

func walletController(s *session.Session, home string, r registration) (controller, error) {
	chain, err := walletChain(s)
	if err != nil {
		return controller{}, err
	}
	var key *wallet.Key
	file := r.walletFile
	if file != "" {
		key, err = readWallet(file)
	} else {
		key, file, err = makeWallet(filepath.Join(home, store.KeysDir))
	}
	if err != nil {
		return controller{}, err
	}
	address := key.Address()
	return controller{did: did.OfAccount(did.Account{Chain: chain, Address: address}), ask: map[string]string{"wallet_address": address.String()},
		file: file, made: r.makeWallet, sign: func(text string) string {
			sig := key.SignText(text)
			return "0x" + hex.EncodeToString(sig[:])
		}}, nil
}

// checkChallenge refuses to sign anything but a registration of this very
// controller: a text of another kind, signed, could turn an agent that the same
// wallet has elsewhere.
func checkChallenge(text, nonce string, by controller) error {
	c, err := binding.ParseChallenge(text)
	if err != nil {
		return fmt.Errorf("read the gateway's challenge: %w", err)
	}
	same := c.Subject == by.did
	if mine, ok := by.did.Account(); ok {
		asked, _ := c.Subject.Account()
		same = asked.Address == mine.Address // the chain is the gateway's to choose
	}
	if c.Purpose != wallet.Registration || c.Nonce != nonce || !same {
		return errors.New("the gateway asks to sign something else than this registration; nothing was signed")
	}
	return nil
}

func showRegistered(s *session.Session, data []byte, by controller) error {
	var r struct {
		Agent struct {
			ID     string `json:"id"`
			DID    string `json:"did"`
			Name   string `json:"name"`
			APIKey string `json:"api_key"`
			Wallet string `json:"wallet_address"`
		} `json:"agent"`
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	if s.JSON {
		return s.PrintJSON(map[string]string{"id": r.Agent.ID, "did": r.Agent.DID, "name": r.Agent.Name, "api_key": r.Agent.APIKey,
			"wallet_address": r.Agent.Wallet, "recovery_file": by.file})
	}
	facts := []string{"agent", r.Agent.Name + "  " + r.Agent.ID, "did", r.Agent.DID}
	if r.Agent.Wallet != "" {
		facts = append(facts, "wallet", r.Agent.Wallet)
	}
	facts = append(facts, "api key", r.Agent.APIKey+"  (shown once)")
	if by.made {
		return s.Facts(append(facts, "recovery", session.RecoveryNote(by.file))...)
	}
	return s.Facts(append(facts, "recovery", "by the wallet in "+by.file)...)
}

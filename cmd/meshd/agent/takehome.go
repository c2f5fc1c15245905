package agent

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/node/health"
	"github.com/meshd/meshd/node/transfer"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/exchange"
)

// takeHome is what the flags of take-home say.
type takeHome struct {
	gateway, agent      string
	walletFile, keyFile string
	before              string
	hybrid              *bool // nil: as the gateway's key
}

func cmdIDTakeHome(s *session.Session) *cobra.Command {
	var t takeHome
	var hybrid bool
	c := &cobra.Command{
		Use: "take-home --gateway URL (--wallet FILE | --key FILE)", Short: "Move an agent that a gateway acts for into this vault", Args: session.Nothing,
		Long: "Take an agent that a gateway acts for into the vault of this home: make a new key here, consent to it with the\n" +
			"wallet or the key that controls the agent, and give the change to the gateway. The gateway's own key has no\n" +
			"effect from then on, on no node. --key takes a recovery file or a key that meshd id export wrote; when a recovery\n" +
			"key was used, a new one is written beside it. Secrets never leave this machine.\n\n" +
			"What the gateway's key has written so far keeps its effect. If the gateway was broken into, --before names a time\n" +
			"from which on nothing that it wrote counts, on any node: by when this home received each change, to the minute,\n" +
			"and where it does not know, by the time that the change claims. The gateway is not asked whether it agrees.\n\n" +
			"--hybrid makes a key of two halves, Ed25519 and ML-DSA-65, as meshd id rotate does.",
		Example: "  meshd id take-home --gateway https://mesh.example.org --wallet wallet.key\n" +
			"  meshd id take-home --gateway https://mesh.example.org --wallet wallet.key --before 2026-11-23T10:00:00Z",
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case t.gateway == "":
				return session.Usage("meshd id take-home needs --gateway: the address of the gateway that acts for the agent")
			case (t.walletFile == "") == (t.keyFile == ""):
				return session.Usage("meshd id take-home needs --wallet or --key, and not both")
			}
			if c.Flags().Changed("hybrid") {
				t.hybrid = &hybrid
			}
			return takeAgentHome(c.Context(), s, t)
		},
	}
	f := c.Flags()
	f.StringVar(&t.gateway, "gateway", "", "address of the gateway, such as https://mesh.example.org")
	f.StringVar(&t.agent, "agent", "", "the `AGENT`, by its id, DID or name there (default the one that the wallet or key controls)")
	f.StringVar(&t.walletFile, "wallet", "", "file with the private key of the wallet that controls the agent")
	f.StringVar(&t.before, "before", "", "keep nothing that the gateway wrote since then: 2h, 2026-11-23 or 2026-11-23T10:00:00Z")
	f.BoolVar(&hybrid, "hybrid", false, "make a key that signs with Ed25519 and ML-DSA-65 both (default as the gateway's key)")
	f.StringVar(&t.keyFile, "key", "", "file with the recovery key or the controlling key of the agent")
	return c
}

// takenHome is what take-home prints with --json.
type takenHome struct {
	ID           string   `json:"id"`
	Old          string   `json:"old"`
	DID          string   `json:"did"`
	Algorithm    string   `json:"algorithm"`
	Change       string   `json:"change_id"`
	Here         bool     `json:"here"` // this home has the change too
	RecoveryFile string   `json:"recovery_file,omitempty"`
	Left         int      `json:"left_out,omitempty"`  // changes that count no more, with --before
	Open         []string `json:"open,omitempty"`      // capabilities that the gateway had issued and that last
	Unwilling    string   `json:"unwilling,omitempty"` // why the gateway has not taken it; other nodes have it from this one
}

func takeAgentHome(ctx context.Context, s *session.Session, t takeHome) (err error) {
	before, err := session.TimeFlag("before", t.before, time.Now())
	if err != nil {
		return err
	}
	by, err := t.consenter(s)
	if err != nil {
		return err
	}
	gateway := &session.Client{HTTP: http.DefaultClient, Base: strings.TrimRight(t.gateway, "/")}
	agent, err := findControlled(ctx, gateway, t.agent, by)
	if err != nil {
		return s.Refused(err)
	}
	d, err := s.Connect(ctx, session.Writable)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	var status health.Status
	data, _, err := d.Do(ctx, http.MethodGet, "/control/status", nil, nil, nil)
	if err != nil {
		return s.Refused(err)
	}
	if err := session.Decode(data, &status); err != nil {
		return err
	}
	hybrid := agent.hybrid
	if t.hybrid != nil {
		hybrid = *t.hybrid
	}
	key, err := makeKey(hybrid)
	if err != nil {
		return fmt.Errorf("make key: %w", err)
	}
	out := takenHome{ID: agent.ID.String(), DID: key.Key().String(), Algorithm: keys.SchemeOf(key.pq())}
	var next []byte
	if agent.spends { // durable before the agent depends on it
		f, err := nextRecovery(filepath.Dir(t.keyFile))
		if err != nil {
			return err
		}
		follows, err := did.ParseKey(f.did)
		if err != nil {
			return fmt.Errorf("make recovery key: %w", err)
		}
		hash := sha256.Sum256(follows[:])
		next, out.RecoveryFile = hash[:], f.file
	}
	r, err := askRotation(ctx, gateway, agent, key.Key(), next)
	if err != nil {
		return errors.Join(s.Refused(err), dropIfRefused(err, out.RecoveryFile))
	}
	out.Old = r.body.Old.String()
	if r.net.String() != status.Network {
		return fmt.Errorf("the gateway is in network %s, this home in %s", r.net, status.Network)
	}
	if t.before != "" {
		if out.Left, err = r.keepBefore(ctx, d, before); err != nil {
			return s.Refused(err)
		}
	}
	if err := r.name(key.pq()); err != nil {
		return err
	}
	c, err := r.seal(key, by, agent.controller, time.Now())
	if err != nil {
		return err
	}
	name, err := storeKey(ctx, d, key)
	if err != nil {
		return s.Refused(err)
	}
	out.Change = c.ID.Text(change.PrefixChange)
	if t.before != "" { // whoever broke into the gateway has no say
		if out.Here, err = importHere(ctx, d, c); err != nil {
			return err
		}
	}
	if out.Open, err = giveRotation(ctx, gateway, c); err != nil && !out.Here {
		// A gateway may say no and take it all the same: what it could have taken
		// stays here.
		return s.Refused(fmt.Errorf("give the rotation to the gateway (the new key stays in this vault as %s): %w", name, err))
	} else if err != nil {
		out.Unwilling = err.Error()
	}
	if !out.Here {
		if out.Here, err = importHere(ctx, d, c); err != nil {
			return err
		}
	}
	return showTakenHome(s, out)
}

// giveRotation gives the rotation to the gateway, which names the capabilities that it
// had issued and that last.
func giveRotation(ctx context.Context, gateway *session.Client, c *change.Change) (open []string, err error) {
	in := map[string]string{"head": base64.StdEncoding.EncodeToString(c.RawHead), "body": base64.StdEncoding.EncodeToString(c.Body)}
	said, _, err := gateway.Do(ctx, http.MethodPost, "/api/mesh/identity/rotate", nil, in, nil)
	if err != nil {
		return nil, err
	}
	var reply struct {
		Ended struct{ Open []string }
	}
	err = session.Decode(said, &reply)
	return reply.Ended.Open, err
}

func showTakenHome(s *session.Session, out takenHome) error {
	if s.JSON {
		return s.PrintJSON(out)
	}
	if err := s.Facts("agent", out.ID, "did", out.DID, "algorithm", out.Algorithm, "instead of", out.Old, "recovery", session.RecoveryNote(out.RecoveryFile)); err != nil {
		return err
	}
	s.Say("\nThe gateway's key has no effect from now on.")
	if out.Left > 0 {
		s.Say("What it wrote lately has none either: %s.", plural.Count(out.Left, "change"))
	}
	if out.Unwilling != "" {
		s.Say("The gateway has not taken the rotation (%s); every node has it from this one.", out.Unwilling)
	}
	for _, cid := range out.Open {
		s.Say("The gateway had issued a capability that lasts: meshd cap revoke %s", cid)
	}
	if !out.Here {
		s.Say("This home does not know the agent yet: it can act for it once it has it from a peer (meshd sync --wait).")
	}
	return nil
}

// controlled is an agent of a gateway and how it may be taken over.
type controlled struct {
	ID         change.AgentID
	controller string // the DID that consents
	spends     bool   // it is a recovery key, which is used once
	hybrid     bool   // its acting key has an ML-DSA-65 half
}

// findControlled finds the agent that was named, or the one that the consenter
// controls. A wallet must stand among its controllers; of another key the agent
// may know the hash only.
func findControlled(ctx context.Context, gateway *session.Client, name string, by consenter) (controlled, error) {
	if name == "" {
		name = by.did.String()
	}
	data, _, err := gateway.Do(ctx, http.MethodGet, "/api/mesh/agent/"+url.PathEscape(name), nil, nil, nil)
	if err != nil {
		return controlled{}, err
	}
	var r struct {
		Agent struct {
			ID          string
			Algorithm   string
			Controllers []string
		}
	}
	if err := session.Decode(data, &r); err != nil {
		return controlled{}, err
	}
	id, err := change.ParseAgentID(r.Agent.ID)
	if err != nil {
		return controlled{}, fmt.Errorf("read answer: %w", err)
	}
	if strings.HasPrefix(name, change.PrefixAgent) && name != id.String() {
		return controlled{}, errors.New("the gateway answers with another agent")
	}
	out := controlled{ID: id, controller: by.did.String(), hybrid: r.Agent.Algorithm == keys.SchemeHybrid}
	i := slices.IndexFunc(r.Agent.Controllers, by.is)
	if i >= 0 {
		out.controller = r.Agent.Controllers[i]
		return out, nil
	}
	if _, isWallet := by.did.Account(); isWallet {
		return controlled{}, errors.New("the wallet does not control that agent")
	}
	out.spends = by.recovery
	return out, nil
}

// storeKey puts the new acting key into the vault of this home, under a name that
// it returns.
func storeKey(ctx context.Context, d *session.Client, key madeKey) (string, error) {
	seed := key.Seed()
	public := key.Key().String()
	k := admin.SecretKey{Secret: hex.EncodeToString(seed[:])}
	if key.second != nil {
		k.Second = hex.EncodeToString(key.second[:])
	}
	sum := sha256.Sum256([]byte(public))
	k.Name, k.Kind, k.Public = "acting-"+hex.EncodeToString(sum[:12]), string(vault.Agent), public
	_, _, err := d.Do(ctx, http.MethodPost, "/control/keys/import", nil, k, nil)
	return k.Name, err
}

// importHere gives the rotation to this home, which refuses it as long as it does
// not have what the rotation rests on.
func importHere(ctx context.Context, d *session.Client, c *change.Change) (bool, error) {
	line, err := exchange.Append(nil, c)
	if err != nil {
		return false, err
	}
	resp, err := d.Stream(ctx, http.MethodPost, "/control/import", nil, bytes.NewReader(line), "application/x-ndjson", nil)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	data, err := readAnswer(resp.Body)
	if err != nil {
		return false, err
	}
	var r transfer.ImportReport
	if err := session.Decode(data, &r); err != nil {
		return false, err
	}
	return r.New+r.Duplicates > 0, nil
}

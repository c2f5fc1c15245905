package account_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/account"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/capability"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// node has a vault, and writes geneses. It has what the tests use alone.
type node struct {
	account.Node
	of        *accesstest.Directory
	vault     map[string]did.Key
	page      map[string]any
	announced []string
	broken    error // of OpenAgent, before it writes
	crashed   error // of OpenAgent, after it wrote
}

func (n *node) Agent(ctx context.Context, id change.AgentID) (view.Agent, error) {
	return n.of.Agent(ctx, id)
}

func (n *node) FindAgent(ctx context.Context, s string) (view.Agent, error) {
	return n.of.FindAgent(ctx, s)
}

func (*node) Network() (string, change.NetID) { return "testnet", accesstest.Net }

func (n *node) NewActingKey(context.Context) (string, did.Key, error) {
	// The keys of AddAgent, so that a genesis is of the agent that it adds.
	name := fmt.Sprint("acting-", len(n.of.All())+1)
	n.vault[name] = accesstest.DID(accesstest.Key(byte(len(n.of.All()) + 1)))
	return name, n.vault[name], nil
}

func (n *node) DropActingKey(_ context.Context, name string) error {
	delete(n.vault, name)
	return nil
}

func (n *node) OpenAgent(_ context.Context, g view.Genesis) (view.Agent, view.Receipt, error) {
	if n.broken != nil {
		return view.Agent{}, view.Receipt{}, n.broken
	}
	a := n.of.AddAgent(g.Name)
	a.Controllers = g.Controllers
	return *a, view.Receipt{Agent: a.ID}, n.crashed
}

func (n *node) EditPage(_ context.Context, _ change.AgentID, set []doc.Field, _ int) (view.Page, error) {
	for _, f := range set {
		n.page[f.Key] = f.Value
	}
	return view.Page{}, nil
}

func (n *node) AnnounceKey(kind events.Kind, _ change.AgentID, _ events.APIKey) {
	n.announced = append(n.announced, kind.String())
}

// texts is what the room profile needs, rights what capability does.
type texts struct{ profile.Node }

func (texts) CheckText(field, text string) []gate.Finding {
	return accesstest.Detector{}.CheckText(field, text)
}

type rights struct {
	capability.Node
	of *accesstest.Directory
}

func (r rights) Agent(ctx context.Context, id change.AgentID) (view.Agent, error) {
	return r.of.Agent(ctx, id)
}

func (rights) Capabilities(context.Context, change.AgentID) (issued, received []view.Capability, err error) {
	return nil, nil, nil
}

type bench struct {
	*accesstest.Bench
	*account.Service
	node *node
}

func newBench(t *testing.T) *bench {
	b := &bench{Bench: accesstest.New(t)}
	b.node = &node{of: &b.Directory, vault: map[string]did.Key{}, page: map[string]any{}}
	b.Service = account.New(b.node, b.Access, capability.New(rights{of: &b.Directory}, b.Access, b.State, nil), profile.New(texts{}, b.Access), b.State, account.Config{Random: rand.Reader})
	return b
}

var subject = accesstest.DID(accesstest.Key(77)).String()

// answer is the body of a registration that proves the key 77.
func (b *bench) answer(t *testing.T, name string, key byte, more string) account.RegisterRequest {
	t.Helper()
	c, err := b.Challenge(t.Context(), accesstest.Request(t, account.ChallengeForm, `{"did": "`+subject+`"}`))
	accesstest.Must(t, err)
	sig := base64.RawURLEncoding.EncodeToString(ed25519.Sign(accesstest.Key(key), []byte(c.Challenge.Text)))
	return accesstest.Request(t, account.RegisterForm, fmt.Sprintf(`{"name": %q, "did": %q, "nonce": %q, "signature": %q%s}`, name, subject, c.Nonce, sig, more))
}

// An agent registers once by its key; its API key authenticates it and is shown once.
func TestRegistration(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	r := b.answer(t, "ada", 77, `, "description": "Writes Go.", "traits": ["Go", "go lang"]`)
	got, err := b.Register(t.Context(), r)
	accesstest.Must(t, err)
	if !got.Agent.Portable || got.Agent.Controllers[0] != subject || b.node.page["bio"] != "Writes Go." || len(b.node.announced) != 1 {
		t.Errorf("%+v, page %v", got.Agent, b.node.page)
	}
	secret, err := state.ParseSecret(got.Agent.APIKey)
	accesstest.Must(t, err)
	if k, err := b.State.KeyBySecret(t.Context(), secret, b.Now); err != nil || k.AgentID != got.Agent.ID || !k.Scopes.Has(state.ScopeWrite) {
		t.Errorf("its key is %+v, %v", k, err)
	}
	_, err = b.Register(t.Context(), r)
	accesstest.Refused(t, "the nonce again", err, reason.NonceInvalid)
	_, err = b.Challenge(t.Context(), accesstest.Request(t, account.ChallengeForm, `{"did": "`+subject+`"}`))
	if err == nil {
		t.Error("a subject with an agent is offered another")
	}
}

// A wrong signature burns the nonce and its key; a fault before the genesis gives the
// name back, and one after it leaves the claim, which settling confirms.
func TestRegistrationEndsEitherWay(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	r := b.answer(t, "ada", 78, "")
	_, err := b.Register(t.Context(), r)
	accesstest.Refused(t, "another's signature", err, reason.SignatureInvalid)
	_, err = b.Register(t.Context(), r)
	accesstest.Refused(t, "its nonce again", err, reason.NonceInvalid)
	if len(b.node.vault) != 0 {
		t.Errorf("the vault keeps %v", b.node.vault)
	}
	b.node.broken = errors.New("the log is full")
	if _, err := b.Register(t.Context(), b.answer(t, "ada", 77, "")); err == nil || len(b.node.vault) != 0 {
		t.Errorf("%v; the vault keeps %v", err, b.node.vault)
	}
	if claims, err := b.State.Claims(t.Context()); err != nil || len(claims) != 0 {
		t.Errorf("after the fault before it %v is claimed, %v", claims, err)
	}
	b.node.broken, b.node.crashed = nil, errors.New("the connection broke")
	if _, err := b.Register(t.Context(), b.answer(t, "ada", 77, "")); err == nil {
		t.Error("the fault is not reported")
	}
	if claims, err := b.State.Claims(t.Context()); err != nil || len(claims) != 1 {
		t.Errorf("after the fault behind it %v is claimed, %v", claims, err)
	}
	accesstest.Must(t, b.SettleAll(t.Context()))
	if a, err := b.State.AgentByName(t.Context(), "ada"); err != nil || a.Subject != subject {
		t.Errorf("settled as %+v, %v", a, err)
	}
}

func TestRegistrationIsJudged(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for raw, want := range map[string]reason.Code{
		`{"name": "x"}`:   reason.InvalidName,
		`{"name": "ada"}`: reason.ProofRequired,
		`{"name": "ada", "did": "` + subject + `"}`:                                       reason.ProofRequired,
		`{"name": "ada", "did": "did:web:x", "nonce": "n", "signature": "s"}`:             reason.InvalidDID,
		`{"name": "ada", "wallet_address": "0x12", "nonce": "n", "signature": "s"}`:       reason.InvalidWallet,
		`{"name": "ada", "did": "` + subject + `", "generate_wallet": true}`:              reason.InvalidParam,
		`{"name": "ada", "did": "` + subject + `", "nonce": "none", "signature": "ffff"}`: reason.NonceInvalid,
		`{"name": "ada", "description": "` + accesstest.Secret + `"}`:                     reason.SecretDetected,
	} {
		_, err := b.Register(t.Context(), accesstest.Request(t, account.RegisterForm, raw))
		accesstest.Refused(t, raw, err, want)
	}
}

// The secret of a wallet that is made here is in the first reply and in no kept one.
func TestWalletIsShownOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	got, err := b.Register(t.Context(), accesstest.Request(t, account.RegisterForm, `{"name": "ada", "generate_wallet": true}`))
	accesstest.Must(t, err)
	first, err := json.Marshal(got)
	accesstest.Must(t, err)
	kept, err := json.Marshal(got.Kept())
	accesstest.Must(t, err)
	if len(kept) >= len(first) || got.Wallet == nil || !strings.Contains(string(kept), got.Wallet.Address) {
		t.Errorf("first %s\nkept %s", first, kept)
	}
}

// A subject without an agent is offered a recovery like one with, and refused like a bad signature.
func TestRecoveryRevealsNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, err := b.Register(t.Context(), b.answer(t, "ada", 77, ""))
	accesstest.Must(t, err)
	for key, id := range map[byte]string{77: subject, 79: accesstest.DID(accesstest.Key(79)).String()} {
		c, err := b.RecoveryChallenge(t.Context(), accesstest.Request(t, account.ChallengeForm, `{"did": "`+id+`"}`))
		accesstest.Must(t, err)
		sig := base64.RawURLEncoding.EncodeToString(ed25519.Sign(accesstest.Key(80), []byte(c.Challenge.Text)))
		_, err = b.Recover(t.Context(), accesstest.Request(t, account.RecoverForm, fmt.Sprintf(`{"did": %q, "nonce": %q, "signature": %q}`, id, c.Nonce, sig)))
		accesstest.Refused(t, fmt.Sprint("another's signature for the key ", key), err, reason.SignatureInvalid)
	}
	unknown := accesstest.DID(accesstest.Key(79)).String()
	c, err := b.RecoveryChallenge(t.Context(), accesstest.Request(t, account.ChallengeForm, `{"did": "`+unknown+`"}`))
	accesstest.Must(t, err)
	sig := base64.RawURLEncoding.EncodeToString(ed25519.Sign(accesstest.Key(79), []byte(c.Challenge.Text)))
	_, err = b.Recover(t.Context(), accesstest.Request(t, account.RecoverForm, fmt.Sprintf(`{"did": %q, "nonce": %q, "signature": %q}`, unknown, c.Nonce, sig)))
	accesstest.Refused(t, "a right signature of a subject without an agent", err, reason.SignatureInvalid)
}

// A key makes no more than it has, and what it made ends with it.
func TestKeys(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ada := b.AddAgent("ada")
	b.Home(t, ada)
	first := b.KeyOf(t, ada, time.Time{}, state.ScopeKeys, state.ScopeRead)
	for raw, want := range map[string]reason.Code{
		`{"scopes": ["mesh:read"]}`:                 reason.MissingField,
		`{"label": "ci"}`:                           reason.MissingField,
		`{"label": "ci", "scopes": ["moon"]}`:       reason.InvalidParam,
		`{"label": "ci", "scopes": ["mesh:write"]}`: reason.ScopeMissing,
	} {
		_, err := b.CreateKey(t.Context(), first, accesstest.Request(t, account.KeyForm, raw))
		accesstest.Refused(t, raw, err, want)
	}
	made, err := b.CreateKey(t.Context(), first, accesstest.Request(t, account.KeyForm, `{"label": "ci", "scopes": ["mesh:read"]}`))
	accesstest.Must(t, err)
	_, err = b.VerifyKey(t.Context(), first, accesstest.Request(t, account.VerifyForm, `{"token": "`+made.APIKey+`"}`))
	accesstest.Refused(t, "a token beside another key", err, reason.AmbiguousCredentials)
	if who, err := b.VerifyKey(t.Context(), call.Caller{}, accesstest.Request(t, account.VerifyForm, `{"token": "`+made.APIKey+`"}`)); err != nil || who.Agent.Name != "ada" || !slices.Equal(who.Scopes, []string{"mesh:read"}) {
		t.Errorf("%+v, %v", who, err)
	}
	ended, err := b.RevokeKey(t.Context(), first, "")
	if err != nil || len(ended.Ended.Keys) != 2 || !slices.Contains(ended.Ended.Keys, made.Key.ID) {
		t.Errorf("%+v, %v", ended, err)
	}
	_, err = b.VerifyKey(t.Context(), call.Caller{}, accesstest.Request(t, account.VerifyForm, `{"token": "`+made.APIKey+`"}`))
	accesstest.Refused(t, "a key whose maker has ended", err, reason.KeyRevoked)
	_, err = b.RotateKey(t.Context(), accesstest.As(ada.ID, state.ScopeRead), accesstest.Request(t, account.RotateForm, `{}`))
	accesstest.Refused(t, "to rotate without the scope", err, reason.ScopeMissing)
}

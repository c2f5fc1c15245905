package agent

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/gateway/owner"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
)

// consenter signs the line of a rotation.
type consenter struct {
	did      did.DID
	alg      string
	recovery bool // its file is that of a recovery key
	sign     func(line string) []byte
}

// consenter reads the secret that consents.
func (t takeHome) consenter(s *session.Session) (consenter, error) {
	if t.walletFile != "" {
		chain, err := walletChain(s)
		if err != nil {
			return consenter{}, err
		}
		key, err := readWallet(t.walletFile)
		if err != nil {
			return consenter{}, err
		}
		return consenter{did: did.OfAccount(did.Account{Chain: chain, Address: key.Address()}), alg: binding.AlgEIP191, sign: func(line string) []byte {
			sig := key.SignText(line)
			return sig[:]
		}}, nil
	}
	text, err := readSecret(t.keyFile, maxSecretFile)
	if err != nil {
		return consenter{}, fmt.Errorf("read key: %w", err)
	}
	key, recovery, err := parseConsenting(text)
	if err != nil {
		return consenter{}, fmt.Errorf("read key: %s: %w", t.keyFile, err)
	}
	return consenter{did: did.OfKey(key.Key()), alg: binding.AlgEd25519, recovery: recovery, sign: func(line string) []byte {
		sig := key.Sign([]byte(line))
		return sig[:]
	}}, nil
}

// parseConsenting reads an exported key, or a recovery file.
func parseConsenting(text string) (key *keys.Private, recovery bool, err error) {
	if !bytes.HasPrefix([]byte(text), []byte(keyHead)) {
		key, err = owner.ParseRecovery(text)
		return key, true, err
	}
	k, err := parseKey(text)
	if err != nil {
		return nil, false, err
	}
	seed, err := hex.DecodeString(k.Secret)
	if err != nil || len(seed) != keys.SeedSize {
		return nil, false, errors.New("the file is damaged")
	}
	key = keys.FromSeed([keys.SeedSize]byte(seed))
	if key.Key().String() != k.Public {
		return nil, false, errors.New("the secret does not belong to the public half")
	}
	return key, false, nil
}

// is reports whether a controller is the consenter. The chain of a wallet is the
// gateway's to choose.
func (c consenter) is(controller string) bool {
	d, err := did.ParseController(controller)
	if err != nil {
		return false
	}
	mine, isWallet := c.did.Account()
	its, isAccount := d.Account()
	if isWallet && isAccount {
		return mine.Address == its.Address
	}
	return d == c.did
}

// askRotation asks a gateway what the rotation of an agent to a key would say,
// and refuses an answer that says anything else.
func askRotation(ctx context.Context, gateway *session.Client, agent controlled, to did.Key, next []byte) (*rotation, error) {
	q := url.Values{"agent": {agent.ID.String()}, "new": {to.String()}}
	if next != nil {
		q.Set("next", hex.EncodeToString(next))
	}
	data, _, err := gateway.Do(ctx, http.MethodGet, "/api/mesh/identity/rotate", q, nil, nil)
	if err != nil {
		return nil, err
	}
	return readRotation(data, agent.ID, to, next)
}

// readRotation reads an answer as one line would be built from it, so that the
// consent covers what is shown here and nothing else.
func readRotation(data []byte, agent change.AgentID, to did.Key, next []byte) (*rotation, error) {
	var in struct {
		AgentID string `json:"agent_id"`
		Network string
		Old     string
		New     string
		Record  string
		Cut     map[string]string
		Next    *string
		Line    string
		HLC     uint64
	}
	wrong := func(what string) error {
		return fmt.Errorf("the gateway asks to sign something else than this rotation: its %s is wrong; nothing was signed", what)
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, fmt.Errorf("read answer: %w", err)
	}
	r := &rotation{agent: agent, to: to, line: in.Line, above: in.HLC, body: body.Rotate{Cut: body.Cut{}, Next: next}}
	net, err := hex.DecodeString(in.Network)
	if err != nil || len(net) != len(r.net) {
		return nil, wrong("network")
	}
	copy(r.net[:], net)
	if in.AgentID != agent.String() || in.New != to.String() {
		return nil, wrong("agent or new key")
	}
	if r.body.Old, err = did.ParseKey(in.Old); err != nil {
		return nil, wrong("old key")
	}
	if (in.Next == nil) != (next == nil) || in.Next != nil && *in.Next != hex.EncodeToString(next) {
		return nil, wrong("recovery key")
	}
	if r.record, err = change.ParseID(change.PrefixChange, in.Record); err != nil {
		return nil, wrong("record")
	}
	for chain, text := range in.Cut {
		if r.body.Cut[chain], err = change.ParseID(change.PrefixChange, text); err != nil {
			return nil, wrong("cut")
		}
	}
	if line, err := r.body.Line(r.net, agent, to); err != nil || line != in.Line {
		return nil, wrong("line")
	}
	return r, nil
}

// rotation is a rotation without its consent and signature.
type rotation struct {
	net    change.NetID
	agent  change.AgentID
	to     did.Key
	record change.ID
	body   body.Rotate
	line   string
	above  uint64 // the hlc to lie above
}

// keepBefore has the rotation keep what this home received before a time, and nothing
// else that the old key wrote. It returns how many changes are left out.
func (r *rotation) keepBefore(ctx context.Context, d *session.Client, at time.Time) (left int, err error) {
	q := url.Values{"key": {r.body.Old.String()}, "before": {at.UTC().Format(time.RFC3339)}}
	data, _, err := d.Do(ctx, http.MethodGet, "/control/cut", q, nil, nil)
	if err != nil {
		return 0, err
	}
	var in admin.CutReply
	if err := session.Decode(data, &in); err != nil {
		return 0, err
	}
	r.body.Cut = body.Cut{}
	for chain, text := range in.Cut {
		if r.body.Cut[chain], err = change.ParseID(change.PrefixChange, text); err != nil {
			return 0, fmt.Errorf("read the cut: %w", err)
		}
	}
	if r.line, err = r.body.Line(r.net, r.agent, r.to); err != nil {
		return 0, fmt.Errorf("write the line of the rotation: %w", err)
	}
	return in.Left, nil
}

// seal consents and signs: the change proves itself to everybody.
func (r *rotation) seal(key madeKey, by consenter, controller string, now time.Time) (*change.Change, error) {
	if ahead := time.UnixMilli(int64(r.above >> 10)).Sub(now); ahead > maxAhead {
		return nil, fmt.Errorf("the clock of the gateway, or of this machine, is wrong by %s", ahead.Round(time.Minute))
	}
	r.body.By = binding.Consent{Alg: by.alg, Key: controller, Sig: by.sign(r.line), Text: r.line}
	if _, err := r.body.By.Verify(r.line); err != nil {
		return nil, fmt.Errorf("consent: %w", err)
	}
	enc, err := r.body.Encode()
	if err != nil {
		return nil, fmt.Errorf("encode rotation: %w", err)
	}
	d := change.Draft{
		Net: r.net, Space: r.agent.Space(), Kind: change.KindRotate, Body: enc, HLC: max(uint64(now.UnixMilli())<<10, r.above+1), Seq: 1,
		Proof: []change.ID{r.record},
	}
	if key.second != nil {
		return change.SealHybrid(d, keys.NewHybridSigner(key, *key.second))
	}
	return change.Seal(d, key), nil
}

// name puts the ML-DSA-65 half of the new key into the rotation, which the consent then
// covers; nil is none.
func (r *rotation) name(pq []byte) (err error) {
	r.body.PQ = pq
	if r.line, err = r.body.Line(r.net, r.agent, r.to); err != nil {
		return fmt.Errorf("write the line of the rotation: %w", err)
	}
	return nil
}

// madeKey is a new acting key, with the seed of its ML-DSA-65 half when it has one.
type madeKey struct {
	*keys.Private
	second *[keys.SeedSize]byte
}

func makeKey(hybrid bool) (madeKey, error) {
	key, err := keys.Generate(rand.Reader)
	if err != nil || !hybrid {
		return madeKey{Private: key}, err
	}
	var seed [keys.SeedSize]byte
	if _, err := io.ReadFull(rand.Reader, seed[:]); err != nil {
		return madeKey{}, fmt.Errorf("read randomness: %w", err)
	}
	return madeKey{key, &seed}, nil
}

// pq is the public half that goes into the record of the key, nil for none.
func (k madeKey) pq() []byte {
	if k.second == nil {
		return nil
	}
	return keys.PQPublic(*k.second)
}

func readAnswer(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, session.MaxReply))
	if err != nil {
		return nil, fmt.Errorf("read answer: %w", err)
	}
	return data, nil
}

package admin

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/owner"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/account"
	"github.com/meshd/meshd/node/view"
)

// KeyInfo is the clear part of one key of the vault.
type KeyInfo struct {
	Name      string `json:"name"`
	Kind      string `json:"kind"`
	Public    string `json:"public"`
	Algorithm string `json:"algorithm"`
	PQ        string `json:"pq,omitempty"` // hex of the ML-DSA-65 half, when it has one
}

// infoOf is a key as the vault lists it, with what is public of its second half.
func infoOf(i vault.Info, second string) KeyInfo {
	k := KeyInfo{Name: i.Name, Kind: string(i.Kind), Public: i.Public, Algorithm: keys.SchemeEd25519, PQ: second}
	switch {
	case i.Kind == vault.Wallet:
		k.Algorithm = "secp256k1"
	case i.Kind == vault.PQ:
		k.Algorithm = "ml-dsa-65"
	case second != "":
		k.Algorithm = keys.SchemeHybrid
	}
	return k
}

// keys lists the vault. The second half of a key stands with the key.
func (h *handlers) keys(w http.ResponseWriter, _ *http.Request) {
	infos, err := h.Node.Vault().List()
	if err != nil {
		h.Log.Warn("some keys cannot be read", "err", err)
	}
	seconds, firsts := map[string]string{}, map[string]bool{}
	for _, i := range infos {
		if i.Kind == vault.PQ {
			seconds[i.Name] = i.Public
		} else {
			firsts[vault.SecondName(i.Name)] = true
		}
	}
	out := []KeyInfo{}
	for _, i := range infos {
		if i.Kind != vault.PQ || !firsts[i.Name] {
			out = append(out, infoOf(i, seconds[vault.SecondName(i.Name)]))
		}
	}
	h.reply(w, map[string]any{"keys": out})
}

// SecretKey is a key of the vault with its secret: what export answers and
// import takes.
type SecretKey struct {
	KeyInfo
	Secret string `json:"secret"`           // 64 hex digits
	Second string `json:"second,omitempty"` // 64 hex digits: the seed of the ML-DSA-65 half, when it has one
}

// exportOrder is the body of POST /control/keys/export.
type exportOrder struct {
	Name string `json:"name"`
}

func (h *handlers) exportKey(_ *http.Request, in exportOrder) (out SecretKey, err error) {
	info, secret, err := h.Node.Vault().Export(in.Name)
	if errors.Is(err, vault.ErrNotFound) || errors.Is(err, vault.ErrName) {
		err = reason.Refuse(reason.NotFound, "the vault has no key of that name")
	}
	if err != nil {
		return out, err
	}
	out = SecretKey{KeyInfo: infoOf(info, ""), Secret: hex.EncodeToString(secret[:])}
	second, seed, err := h.Node.Vault().Export(vault.SecondName(in.Name))
	switch {
	case err == nil && second.Kind == vault.PQ:
		out.KeyInfo, out.Second = infoOf(info, second.Public), hex.EncodeToString(seed[:])
	case err != nil && !errors.Is(err, vault.ErrNotFound) && !errors.Is(err, vault.ErrName):
		return SecretKey{}, err // half of a key is of no use
	}
	h.Log.Info("a secret key left the vault", "key", info.Name, "public", info.Public)
	return out, nil
}

func (h *handlers) importKey(_ *http.Request, in SecretKey) (KeyInfo, error) {
	secret, err := seedOf("secret", in.Secret)
	if err != nil {
		return KeyInfo{}, err
	}
	var info vault.Info
	pq := ""
	if in.Second == "" {
		info, err = h.Node.ImportKey(in.Name, vault.Kind(in.Kind), secret, in.Public)
	} else {
		var second [keys.SeedSize]byte
		if second, err = seedOf("second", in.Second); err == nil {
			pq = hex.EncodeToString(keys.PQPublic(second))
			if in.PQ != "" && in.PQ != pq {
				err = reason.Refuse(reason.InvalidParam, "the second secret does not belong to pq")
			} else {
				info, err = h.Node.ImportHybrid(in.Name, vault.Kind(in.Kind), secret, second, in.Public)
			}
		}
	}
	return infoOf(info, pq), err
}

func seedOf(field, text string) (seed [keys.SeedSize]byte, err error) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != len(seed) {
		return seed, reason.Refuse(reason.InvalidParam, "%s must be 64 hex digits", field)
	}
	return [keys.SeedSize]byte(raw), nil
}

// RotateReply is the outcome of POST /control/rotate.
type RotateReply struct {
	ID  string `json:"id"`
	Old string `json:"old"`
	DID string `json:"did"`
	// Algorithm is what the new key signs control changes with.
	Algorithm string `json:"algorithm"`
	// Ended are the capabilities that API keys of the agent had issued.
	Ended []string `json:"ended,omitempty"`
}

// rotateOrder is the body of POST /control/rotate.
type rotateOrder struct {
	Agent    string `json:"agent"` // the owner's when absent
	Recovery string `json:"recovery"`
	Next     string `json:"next"`
	Hybrid   *bool  `json:"hybrid"` // whether the new key has an ML-DSA-65 half; as the old one when absent
}

// rotate takes an agent of the owner over to a new key of this vault: with the
// consent of the key in force, or with that of a recovery key, which is given as
// the text of its file together with the did of the one that follows it.
func (h *handlers) rotate(r *http.Request, in rotateOrder) (reply RotateReply, err error) {
	by, next, err := consent(in.Recovery, in.Next)
	if err != nil {
		return reply, err
	}
	id, err := h.ownAgent(r, in.Agent)
	if err != nil {
		return reply, err
	}
	if by == nil {
		by = h.Node.ConsentOfKey(id)
	}
	before, err := h.Node.FindAgent(r.Context(), id.String())
	if err != nil {
		return reply, err
	}
	turn := view.Turn{Next: next}
	if in.Hybrid != nil {
		turn.Second = view.SecondLeft
		if *in.Hybrid {
			turn.Second = view.SecondMade
		}
	}
	a, err := h.Node.RotateHere(r.Context(), id, by, turn)
	if err != nil {
		return reply, err
	}
	reply = RotateReply{ID: a.ID.String(), Old: before.DID.String(), DID: a.DID.String(), Algorithm: keys.SchemeOf(a.PQ)}
	if h.Issued != nil {
		reply.Ended = h.Issued.EndIssued(r.Context(), id).Capabilities
	}
	return reply, nil
}

// ownAgent is the agent that was named, or the owner's. It need not be spoken
// for here: a recovery key takes over what was lost, too.
func (h *handlers) ownAgent(r *http.Request, name string) (change.AgentID, error) {
	if name == "" {
		id, ok := h.Node.Owner()
		if !ok {
			return id, reason.Refuse(reason.AgentNotFound, "the owner has no agent yet")
		}
		return id, nil
	}
	a, err := h.Node.FindAgent(r.Context(), name)
	return a.ID, err
}

// consent is that of a recovery key; without one it is nil.
func consent(recovery, next string) (account.Consent, []byte, error) {
	if recovery == "" {
		if next != "" {
			return nil, nil, reason.Refuse(reason.InvalidParam, "next goes with recovery only")
		}
		return nil, nil, nil
	}
	key, err := owner.ParseRecovery(recovery)
	if err != nil {
		return nil, nil, reason.Refuse(reason.InvalidParam, "%v", err)
	}
	follows, err := did.ParseKey(next)
	if err != nil {
		return nil, nil, reason.Refuse(reason.InvalidDID, "next must be the did:key of a new recovery key")
	}
	if follows == key.Key() {
		return nil, nil, reason.Refuse(reason.InvalidParam, "a recovery key is used once: next must be another")
	}
	hash := sha256.Sum256(follows[:])
	return func(line string) (binding.Consent, error) {
		sig := key.Sign([]byte(line))
		return binding.Consent{Alg: binding.AlgEd25519, Key: key.Key().String(), Sig: sig[:], Text: line}, nil
	}, hash[:], nil
}

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
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/account"
)

// KeyInfo is the clear part of one key of the vault.
type KeyInfo struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Public string `json:"public"`
}

func (h *handlers) keys(w http.ResponseWriter, _ *http.Request) {
	infos, err := h.Node.Vault().List()
	if err != nil {
		h.Log.Warn("some keys cannot be read", "err", err)
	}
	out := []KeyInfo{}
	for _, i := range infos {
		out = append(out, KeyInfo{i.Name, string(i.Kind), i.Public})
	}
	h.reply(w, map[string]any{"keys": out})
}

// SecretKey is a key of the vault with its secret: what export answers and
// import takes.
type SecretKey struct {
	KeyInfo
	Secret string `json:"secret"` // 64 hex digits
}

func (h *handlers) exportKey(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Name string `json:"name"`
	}
	if err := read(w, r, &in); err != nil {
		h.fail(w, err)
		return
	}
	info, secret, err := h.Node.Vault().Export(in.Name)
	if errors.Is(err, vault.ErrNotFound) || errors.Is(err, vault.ErrName) {
		err = reason.Refuse(reason.NotFound, "the vault has no key of that name")
	}
	if err != nil {
		h.fail(w, err)
		return
	}
	h.Log.Info("a secret key left the vault", "key", info.Name, "public", info.Public)
	h.reply(w, SecretKey{KeyInfo{info.Name, string(info.Kind), info.Public}, hex.EncodeToString(secret[:])})
}

func (h *handlers) importKey(w http.ResponseWriter, r *http.Request) {
	var in SecretKey
	err := read(w, r, &in)
	if err != nil {
		h.fail(w, err)
		return
	}
	secret, err := hex.DecodeString(in.Secret)
	if err != nil || len(secret) != 32 {
		h.fail(w, reason.Refuse(reason.InvalidParam, "secret must be 64 hex digits"))
		return
	}
	info, err := h.Node.ImportKey(in.Name, vault.Kind(in.Kind), [32]byte(secret), in.Public)
	if err != nil {
		h.fail(w, err)
		return
	}
	h.reply(w, KeyInfo{info.Name, string(info.Kind), info.Public})
}

// RotateReply is the outcome of POST /control/rotate.
type RotateReply struct {
	ID  string `json:"id"`
	Old string `json:"old"`
	DID string `json:"did"`
	// Ended are the capabilities that API keys of the agent had issued.
	Ended []string `json:"ended,omitempty"`
}

// rotate takes an agent of the owner over to a new key of this vault: with the
// consent of the key in force, or with that of a recovery key, which is given as
// the text of its file together with the did of the one that follows it.
func (h *handlers) rotate(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Agent    string `json:"agent"` // the owner's when absent
		Recovery string `json:"recovery"`
		Next     string `json:"next"`
	}
	err := read(w, r, &in)
	if err != nil {
		h.fail(w, err)
		return
	}
	by, next, err := consent(in.Recovery, in.Next)
	if err != nil {
		h.fail(w, err)
		return
	}
	id, err := h.ownAgent(r, in.Agent)
	if err != nil {
		h.fail(w, err)
		return
	}
	if by == nil {
		by = h.Node.ConsentOfKey(id)
	}
	before, err := h.Node.FindAgent(r.Context(), id.String())
	if err != nil {
		h.fail(w, err)
		return
	}
	a, err := h.Node.RotateHere(r.Context(), id, by, next)
	if err != nil {
		h.fail(w, err)
		return
	}
	reply := RotateReply{ID: a.ID.String(), Old: before.DID.String(), DID: a.DID.String()}
	if h.Issued != nil {
		reply.Ended = h.Issued.EndIssued(r.Context(), id).Capabilities
	}
	h.reply(w, reply)
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

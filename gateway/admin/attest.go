package admin

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/attest"
	"github.com/meshd/meshd/identity/keys"
)

// AttestOrder is the body of POST /control/attest: changed files that are signed as
// the owner's agent. No other text is signed there.
type AttestOrder struct {
	Base     string       `json:"base,omitempty"`
	Head     string       `json:"head,omitempty"`
	Files    []AttestFile `json:"files"`
	Trailers bool         `json:"trailers,omitempty"` // three lines instead of an envelope
}

// AttestFile is one changed file.
type AttestFile struct {
	Path   string        `json:"path"`
	Change attest.Change `json:"change"`
	SHA256 string        `json:"sha256"`
}

// AttestReply is the outcome of POST /control/attest: an envelope or trailers.
type AttestReply struct {
	Author   string          `json:"author"`
	Envelope json.RawMessage `json:"envelope,omitempty"`
	Trailers string          `json:"trailers,omitempty"`
}

// NewAttestOrder is the order to sign a set of changes.
func NewAttestOrder(c attest.Code, trailers bool) AttestOrder {
	o := AttestOrder{Base: c.Base, Head: c.Head, Files: []AttestFile{}, Trailers: trailers}
	for _, f := range c.Files {
		o.Files = append(o.Files, AttestFile{f.Path, f.Change, hex.EncodeToString(f.SHA256[:])})
	}
	return o
}

// code is what the order asks to sign.
func (o AttestOrder) code() (attest.Code, error) {
	c := attest.Code{Base: o.Base, Head: o.Head}
	for _, f := range o.Files {
		one := attest.File{Path: f.Path, Change: f.Change}
		sum, err := hex.DecodeString(f.SHA256)
		if err != nil || len(sum) != len(one.SHA256) {
			return attest.Code{}, reason.Refuse(reason.InvalidParam, "sha256 must be 64 hex digits")
		}
		copy(one.SHA256[:], sum)
		c.Files = append(c.Files, one)
	}
	return c, nil
}

// attest signs changed files as the owner's agent.
func (h *handlers) attest(w http.ResponseWriter, r *http.Request) {
	var in AttestOrder
	if err := readUpTo(w, r, attest.MaxEnvelope, &in); err != nil {
		h.fail(w, err)
		return
	}
	signer, err := ownerSigner(h.Node)
	if err != nil {
		h.fail(w, err)
		return
	}
	reply, err := signAttestation(in, signer)
	if errors.Is(err, attest.ErrFiles) || errors.Is(err, attest.ErrStatement) {
		err = reason.Refuse(reason.InvalidParam, "%v", err)
	}
	if err != nil {
		h.fail(w, err)
		return
	}
	h.Log.Info("code changes were signed", "author", reply.Author, "files", len(in.Files))
	h.reply(w, reply)
}

// ownerSigner is the key that acts for the owner's agent now, whatever it is called in
// the vault. A device of the agent signs no statements.
func ownerSigner(n Node) (keys.Signer, error) {
	id, _ := n.Owner()
	a, err := n.Author(id)
	switch {
	case err != nil:
		return nil, err
	case a.Device != nil:
		return nil, reason.Refuse(reason.Forbidden, "the acting key of the owner's agent lies elsewhere; statements are signed there")
	}
	return a.Signer, nil
}

func signAttestation(in AttestOrder, signer keys.Signer) (AttestReply, error) {
	out := AttestReply{Author: signer.Key().String()}
	c, err := in.code()
	if err != nil {
		return out, err
	}
	if in.Trailers {
		t, err := attest.SignTrailers(c.Files, signer)
		out.Trailers = t.String()
		return out, err
	}
	e, err := attest.SignCode(c, signer)
	if err != nil {
		return out, err
	}
	out.Envelope, err = e.Encode()
	return out, err
}

package rest_test

import (
	"encoding/base64"
	"fmt"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
)

// token is a bearer of the holder for the gateway, on what bo has lent to it, after
// edit; and what it rests on.
func (w *refusalWorld) token(edit func(d *v0.Draft)) (bearer, root string) {
	w.t.Helper()
	lent := w.as("bo", "POST", "/api/mesh/capabilities", fields{"audience": w.holder.Key().String(), "can": []string{"entry/put"}, "expires_in": 3600}, 201, "")
	w.nonces++
	end := w.clock.Now().Unix() + 60
	d := v0.Draft{Audience: w.gateway.Key().String(), Expires: &end, Nonce: fmt.Sprint(w.nonces), Proofs: []string{lent["cid"].(string)},
		Caps: []v0.Cap{{With: w.mine(), Can: "entry/put", Caveats: []map[string]any{{}}}}}
	if edit != nil {
		edit(&d)
	}
	bearer, err := v0.Build(d, w.holder, nil)
	must(w.t, err)
	return bearer, lent["cid"].(string)
}

// mine is what bo owns.
func (w *refusalWorld) mine() string {
	id, err := change.ParseAgentID(w.ids["bo"])
	must(w.t, err)
	return id.Space().Resource(w.network)
}

// shown asks who one is, with a token.
func shown(token string) ask {
	return ask{key: token, method: "GET", path: "/api/mesh/me", tool: "get_me"}
}

// refusedToken is the case of a token that is not valid.
func refusedToken(code reason.Code, edit func(w *refusalWorld, d *v0.Draft)) refusalCase {
	return refusalCase{code: code, provoke: func(w *refusalWorld) {
		bearer, _ := w.token(func(d *v0.Draft) { edit(w, d) })
		w.both(code, shown(bearer))
	}}
}

var refusalsOfTokens = []refusalCase{
	{code: reason.CapabilityDenied, provoke: func(w *refusalWorld) { // it is valid, and is used for more than it grants
		bearer, _ := w.token(nil)
		w.both(reason.CapabilityDenied, shown(bearer))
	}},
	refusedToken(reason.TokenExpired, func(w *refusalWorld, d *v0.Draft) { *d.Expires -= 120 }),
	refusedToken(reason.TokenNotYetValid, func(w *refusalWorld, d *v0.Draft) {
		begin := w.clock.Now().Unix() + 30
		d.NotBefore = &begin
	}),
	refusedToken(reason.WrongAudience, func(w *refusalWorld, d *v0.Draft) { d.Audience = w.holder.Key().String() }),
	refusedToken(reason.AttenuationViolation, func(w *refusalWorld, d *v0.Draft) { d.Caps[0].Can = "vote/cast" }),
	refusedToken(reason.ProofMissing, func(w *refusalWorld, d *v0.Draft) {
		unsent := *d
		unsent.Nonce, unsent.Proofs, unsent.Audience = "unsent", nil, w.holder.Key().String()
		root, err := v0.Build(unsent, keys.FromSeed([32]byte{7}), nil)
		must(w.t, err)
		d.Proofs = []string{ucan.CID(root)}
	}),
	{code: reason.ChainInvalid, provoke: func(w *refusalWorld) { // by another than whom it was lent to
		_, root := w.token(nil)
		end := w.clock.Now().Unix() + 60
		bearer, err := v0.Build(v0.Draft{Audience: w.gateway.Key().String(), Expires: &end, Nonce: "c", Proofs: []string{root},
			Caps: []v0.Cap{{With: w.mine(), Can: "entry/put", Caveats: []map[string]any{{}}}}}, keys.FromSeed([32]byte{7}), nil)
		must(w.t, err)
		w.both(reason.ChainInvalid, shown(bearer))
	}},
	{code: reason.TokenReplayed, provoke: func(w *refusalWorld) {
		bearer, _ := w.token(nil)
		a := written("bo", "content", contribution("by a token")["content"])
		a.who, a.key = "", bearer
		w.want(w.do(apiCall{method: a.method, path: a.path, key: bearer, body: encode(w.t, a.body)}), 201, "")
		w.both(reason.TokenReplayed, a)
	}},
}

// rotation is a change that takes bo over to a key, with the consent of by, nil
// for the key in force, and after edit of its head. It accepts nothing that bo
// has written.
func (w *refusalWorld) rotation(to, by *keys.Private, edit func(d *change.Draft)) *change.Change {
	w.t.Helper()
	w.settle()
	id, err := change.ParseAgentID(w.ids["bo"])
	must(w.t, err)
	drawn, err := w.node.RotationDraft(w.t.Context(), id, keys.HybridKey{Key: to.Key()}, nil)
	must(w.t, err)
	drawn.Body.Cut = body.Cut{}
	line, err := drawn.Body.Line(w.network, id, to.Key())
	must(w.t, err)
	if by == nil {
		drawn.Body.By, err = w.node.ConsentOfKey(id)(line)
		must(w.t, err)
	} else {
		sig := by.Sign([]byte(line))
		drawn.Body.By = binding.Consent{Alg: binding.AlgEd25519, Key: did.OfKey(by.Key()).String(), Sig: sig[:], Text: line}
	}
	enc, err := drawn.Body.Encode()
	must(w.t, err)
	d := change.Draft{Net: w.network, Space: id.Space(), Kind: change.KindRotate, Body: enc, HLC: drawn.HLC + 1<<20, Seq: 1, Proof: []change.ID{drawn.Record}}
	if edit != nil {
		edit(&d)
	}
	return change.Seal(d, to)
}

// submitted asks to take a rotation in.
func submitted(head, body []byte) ask {
	return ask{method: "POST", path: "/api/mesh/identity/rotate", body: fields{
		"head": base64.StdEncoding.EncodeToString(head), "body": base64.StdEncoding.EncodeToString(body)}}
}

// refusedRotation is the case of a change that the rules refuse; no tool takes
// changes in.
func refusedRotation(code reason.Code, edit func(w *refusalWorld, d *change.Draft)) refusalCase {
	return refusalCase{code: code, noTool: "no tool takes changes in", provoke: func(w *refusalWorld) {
		c := w.rotation(keys.FromSeed([32]byte{8}), w.holder, func(d *change.Draft) { edit(w, d) })
		w.http(code, submitted(c.RawHead, c.Body))
	}}
}

var refusalsOfRotations = []refusalCase{
	{code: reason.BadEncoding, noTool: "no tool takes changes in", provoke: func(w *refusalWorld) {
		w.http(reason.BadEncoding, submitted([]byte("no head"), nil))
	}},
	{code: reason.ChangeTooLarge, noTool: "no tool takes changes in", provoke: func(w *refusalWorld) {
		w.http(reason.ChangeTooLarge, submitted(make([]byte, 6<<10), nil))
	}},
	{code: reason.BlobMismatch, noTool: "no tool takes changes in", provoke: func(w *refusalWorld) {
		c := w.rotation(keys.FromSeed([32]byte{8}), w.holder, nil)
		w.http(reason.BlobMismatch, submitted(c.RawHead, append([]byte{c.Body[0]}, make([]byte, len(c.Body)-1)...)))
	}},
	{code: reason.BadChangeSignature, noTool: "no tool takes changes in", provoke: func(w *refusalWorld) {
		c := w.rotation(keys.FromSeed([32]byte{8}), w.holder, nil)
		c.Head.Sig[5] ^= 1
		w.http(reason.BadChangeSignature, submitted(c.Head.Encode(), c.Body))
	}},
	refusedRotation(reason.RotationInvalid, func(*refusalWorld, *change.Draft) {}), // the holder may not consent
	refusedRotation(reason.MissingDeps, func(_ *refusalWorld, d *change.Draft) { d.Proof = []change.ID{{9}} }),
	refusedRotation(reason.BadSequence, func(_ *refusalWorld, d *change.Draft) { d.HLC = 1767225600000 << 10 }),
	{code: reason.Revoked, provoke: func(w *refusalWorld) { // the last of bo: a rotation that accepts nothing
		id := w.as("bo", "POST", "/api/mesh/contribute", contribution("by a stolen key"), 201, "")["id"].(string)
		c := w.rotation(keys.FromSeed([32]byte{8}), nil, nil)
		a := submitted(c.RawHead, c.Body)
		w.as("", a.method, a.path, a.body, 200, "")
		w.both(reason.Revoked, ask{who: "cy", method: "GET", path: "/api/mesh/entry/" + id, tool: "get_entry", args: fields{"id": id}})
	}},
}

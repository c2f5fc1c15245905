package people

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/identity/attest"
	"github.com/meshd/meshd/identity/attest/merkle"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/passport"
	"github.com/meshd/meshd/node/view"
)

// PassportVerifyRequest asks whether a passport is good.
type PassportVerifyRequest struct {
	call.Request
	Passport any             `field:"passport"`
	Document json.RawMessage `field:"did_document"`
	Entry    string          `field:"entry"`
	Place    json.RawMessage `field:"place"`
}

// PassportVerifyForm reads a PassportVerifyRequest.
var PassportVerifyForm = call.Define[PassportVerifyRequest](call.Form{
	{Name: "passport", Kind: call.TextOrMap, Max: maxPassportText, Required: true,
		Help: "JSON form or credential, as an object or a text; or a token; or the binary form in base64url."},
	{Name: "did_document", Kind: call.Object, Help: "DID document of the did:web that issued it. Nothing is fetched; who sends it vouches for it."},
	{Name: "entry", Max: call.MaxIDText, Help: "Id of an entry that the passport's memory should contain."},
	{Name: "place", Kind: call.Object, Help: "Its place in the memory, {index, proof: [hex]}; found by this node's log when absent."},
})

// PassportVerdict is what this node makes of a passport.
type PassportVerdict struct {
	Success   bool            `json:"success"`
	Valid     bool            `json:"valid" doc:"form, signature, term and issuer are valid, and no check is contradicted"`
	Agent     *string         `json:"agent" doc:"did:key that it is of; null when its signature is not valid"`
	AgentID   *string         `json:"agent_id" doc:"agent of this network that has or had the key"`
	Issuer    *string         `json:"issuer" doc:"DID that signed; null when its signature is not valid"`
	Form      string          `json:"form" enum:"json,credential,token,binary"`
	IssuedAt  *string         `json:"issued_at"`
	ExpiresAt *string         `json:"expires_at"`
	Checks    []PassportCheck `json:"checks" doc:"after a signature that is not valid there are no more"`
	Place     *PassportPlace  `json:"place,omitempty" doc:"of the entry asked for, to be shown to others"`
}

// PassportCheck is one thing that was looked at.
type PassportCheck struct {
	Name   string `json:"name" enum:"form,signature,term,issuer,agent,delegation,revocation,memory,entry"`
	OK     bool   `json:"ok"`
	State  string `json:"state" enum:"holds,open,contradicted" doc:"open: it cannot be known here"`
	Detail string `json:"detail"`
}

// PassportPlace is where an entry is among those of a memory.
type PassportPlace struct {
	Index int64    `json:"index"`
	Proof []string `json:"proof"`
}

// add appends what a check came to.
func (v *PassportVerdict) add(name string, a attest.Answer, detail string) {
	state := map[attest.Answer]string{attest.Yes: "holds", attest.No: "contradicted", attest.Unknown: "open"}[a]
	v.Checks = append(v.Checks, PassportCheck{name, a == attest.Yes, state, call.Clip(detail, maxDetail)})
}

// judge decides whether a passport is good by the checks made.
func (v *PassportVerdict) judge() *PassportVerdict {
	needed := map[string]bool{"form": true, "signature": true, "term": true, "issuer": true}
	for _, c := range v.Checks {
		if c.OK {
			delete(needed, c.Name)
		}
		if c.State == "contradicted" {
			needed[c.Name] = true
		}
	}
	v.Valid = len(needed) == 0
	return v
}

// VerifyPassport checks a passport by itself and against this node's log. It fetches
// nothing.
func (s *Service) VerifyPassport(ctx context.Context, r PassportVerifyRequest) (*PassportVerdict, error) {
	raw, err := passportBytes(r.Passport)
	if err != nil {
		return nil, err
	}
	resolve, err := s.hosts(ctx, r.Document)
	if err != nil {
		return nil, err
	}
	at, err := placeOf(r.Place)
	if err != nil {
		return nil, call.BadParam("place", err.Error())
	}
	v := &PassportVerdict{Success: true, Form: string(passport.FormOf(raw)), Checks: []PassportCheck{}}
	p, err := passport.ReadAny(raw, resolve)
	switch {
	case errors.Is(err, passport.ErrSignature):
		v.add("form", attest.Yes, "a passport of version 1")
		v.add("signature", attest.No, err.Error())
		return v.judge(), nil
	case errors.Is(err, passport.ErrUnresolved):
		v.add("form", attest.Yes, "a passport of version 1")
		v.add("signature", attest.Unknown, err.Error()+"; send the DID document of its issuer as did_document")
		return v.judge(), nil
	case err != nil:
		v.add("form", attest.No, err.Error())
		return v.judge(), nil
	}
	v.add("form", attest.Yes, "a passport of version 1")
	v.add("signature", attest.Yes, "by a key of its issuer")
	subject := p.Subject.String()
	v.Agent, v.AgentID, v.Issuer = &subject, s.signerAgent(ctx, p.Subject), &p.Issuer
	v.IssuedAt = call.StampOrNil(time.UnixMilli(p.IssuedAt))
	if p.ExpiresAt != 0 {
		v.ExpiresAt = call.StampOrNil(time.UnixMilli(p.ExpiresAt))
	}
	if err := p.ValidAt(s.access.Now().UnixMilli()); err != nil {
		v.add("term", attest.No, err.Error())
	} else {
		v.add("term", attest.Yes, "good now")
	}
	own, _ := webDID(s.access.BaseURL())
	findings, err := s.mesh.CheckPassport(ctx, p, own)
	if err != nil {
		return nil, err
	}
	for _, f := range findings {
		v.add(f.Name, f.Answer, f.Detail)
	}
	if r.Entry != "" {
		if err := s.checkEntry(ctx, v, p, r.Entry, at); err != nil {
			return nil, err
		}
	}
	return v.judge(), nil
}

// checkEntry says whether an entry is among those of a passport's memory: by its
// place, or by this node's log, which then gives the place.
func (s *Service) checkEntry(ctx context.Context, v *PassportVerdict, p passport.Passport, entry string, at *passport.Place) error {
	if at != nil {
		if err := p.Memory.Contains(entry, *at); err != nil {
			v.add("entry", attest.No, err.Error())
			return nil
		}
		v.add("entry", attest.Yes, "at this place in the memory")
		return nil
	}
	found, err := s.mesh.PlaceInPassport(ctx, p, entry)
	if reason.Of(err) == reason.EntryNotFound {
		v.add("entry", attest.Unknown, err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	v.Place = &PassportPlace{Index: found.Index, Proof: []string{}}
	for _, h := range found.Proof {
		v.Place.Proof = append(v.Place.Proof, hex.EncodeToString(h[:]))
	}
	v.add("entry", attest.Yes, "among the agent's entries here")
	return nil
}

// passportBytes are a passport as its issuer wrote it.
func passportBytes(given any) ([]byte, error) {
	switch given := given.(type) {
	case json.RawMessage:
		return given, nil
	case string:
		text := strings.TrimSpace(given)
		if strings.HasPrefix(text, "{") || strings.Count(text, ".") == 2 {
			return []byte(text), nil
		}
		raw, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil || len(raw) == 0 {
			return nil, call.BadParam("passport", "must be an object, a token, or the binary form in unpadded base64url")
		}
		return raw, nil
	}
	return nil, missing("passport")
}

// placeOf reads a place strictly; nil is none.
func placeOf(raw json.RawMessage) (*passport.Place, error) {
	if raw == nil {
		return nil, nil
	}
	var in struct {
		Index *int64   `json:"index"`
		Proof []string `json:"proof"`
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil || in.Index == nil || *in.Index < 0 || len(in.Proof) > maxPlaceProof {
		return nil, fmt.Errorf("must be {index, proof: [hex]}, with at most %d hashes", maxPlaceProof)
	}
	at := &passport.Place{Index: *in.Index}
	for i, text := range in.Proof {
		sum, err := hexSum(text)
		if err != nil {
			return nil, fmt.Errorf(".proof[%d] %w", i, err)
		}
		at.Proof = append(at.Proof, merkle.Hash(sum))
	}
	return at, nil
}

// hosts resolves the keys of this gateway's did:web, and those of the document that
// the caller passes.
func (s *Service) hosts(ctx context.Context, document json.RawMessage) (passport.Resolver, error) {
	var given passport.HostDocument
	if document != nil {
		var err error
		if given, err = passport.ReadHostDocument(document); err != nil {
			return nil, call.BadParam("did_document", err.Error())
		}
	}
	return func(method string) (did.Key, error) {
		host, _, _ := strings.Cut(method, "#")
		if own, ok := webDID(s.access.BaseURL()); ok && host == own {
			return s.ownKey(ctx, method)
		}
		if host != given.ID() {
			return did.Key{}, errors.New("no DID document of that host is known here")
		}
		return given.Resolve(method)
	}, nil
}

// ownKey is the key of this gateway's own DID document.
func (s *Service) ownKey(ctx context.Context, method string) (did.Key, error) {
	d, err := s.WebDocument(ctx)
	if err != nil {
		return did.Key{}, err
	}
	if method != d.Methods[0].ID {
		return did.Key{}, errors.New("the DID document of this host has no such key")
	}
	return did.ParseKey(d.AlsoKnownAs[0])
}

// order is what is asked of the node for a passport.
func (s *Service) order(form passport.Form, whole bool) view.PassportOrder {
	host, _ := webDID(s.access.BaseURL())
	return view.PassportOrder{Form: form, Whole: whole, Host: host, Key: hostKey}
}

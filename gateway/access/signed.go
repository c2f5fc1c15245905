package access

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/signed"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/did"
)

// Signatures judges signatures over requests.
type Signatures struct {
	mesh  Node
	state *state.DB
	cfg   Config
}

// Signatures are those of requests to this gateway.
func (s *Service) Signatures() Signatures { return Signatures{s.mesh, s.state, s.cfg} }

// Origin is how the configuration names this gateway, for signatures that cover
// the address of a request; false when it names none.
func (s Signatures) Origin() (signed.Origin, bool) {
	u, err := url.Parse(s.cfg.BaseURL())
	if err != nil || u.Host == "" {
		return signed.Origin{}, false
	}
	return signed.Origin{Scheme: u.Scheme, Authority: authority(u.Scheme, u.Host)}, true
}

// authority is a host as signatures name it: in small letters and without the
// port that the scheme has anyway.
func authority(scheme, host string) string {
	host = strings.ToLower(host)
	if scheme == "https" {
		return strings.TrimSuffix(host, ":443")
	}
	return strings.TrimSuffix(host, ":80")
}

// OriginAt is the origin of a request that came by a scheme to a host.
func OriginAt(scheme, host string) signed.Origin {
	return signed.Origin{Scheme: scheme, Authority: authority(scheme, host)}
}

// Signed judges the signature in a request's header: it must be of a key of the
// caller's agent, and its nonce new. The caller returned is known to have signed.
// It refuses with signature_invalid.
func (s Signatures) Signed(ctx context.Context, c call.Caller, m signed.Message) (call.Caller, error) {
	r, err := signed.Read(m, s.cfg.Now())
	if err != nil {
		return c, badSignature(err)
	}
	who, err := s.signers(ctx, c)
	if err != nil {
		return c, err
	}
	if !slices.ContainsFunc(who.keys, func(k did.Key) bool { return (r.KeyID == "" || named(r.KeyID, k)) && r.By(k) }) {
		return c, badSignature(errors.New("it is not by an Ed25519 key of the caller's agent over this request"))
	}
	return s.signedOnce(ctx, c, r.Nonce, r.Until)
}

// named reports whether a keyid means a key: its DID, or that with a fragment.
func named(id string, k did.Key) bool {
	base, _, _ := strings.Cut(id, "#")
	return base == k.String()
}

// Opened judges a body that is an envelope and returns what is in it: its signer
// must be the wallet of the caller's agent, and its nonce new. It refuses with
// signature_invalid.
func (s Signatures) Opened(ctx context.Context, c call.Caller, raw []byte) (call.Caller, []byte, error) {
	e, err := signed.ReadEnvelope(raw, s.cfg.Now())
	if err != nil {
		return c, nil, badSignature(err)
	}
	who, err := s.signers(ctx, c)
	if err != nil {
		return c, nil, err
	}
	if !slices.Contains(who.wallets, e.Signer) {
		return c, nil, badSignature(errors.New("signer_address is not the wallet of the caller's agent"))
	}
	c, err = s.signedOnce(ctx, c, e.Nonce, e.Until)
	return c, e.Body, err
}

// signers are the keys and wallets that may sign for an agent.
type signers struct {
	keys    []did.Key
	wallets []did.Address
}

// signers finds who may sign for the caller: what proved itself when the agent
// registered here, its acting key, and controllers that every node can check.
func (s Signatures) signers(ctx context.Context, c call.Caller) (signers, error) {
	var out signers
	if c.Acts() == "" {
		return out, badSignature(errors.New("nobody signs for a caller without an agent; send the API key too, as Authorization: Bearer"))
	}
	add := func(text string) {
		if d, err := did.ParseController(text); err == nil {
			if k, ok := d.Key(); ok {
				out.keys = append(out.keys, k)
			} else if a, ok := d.Account(); ok {
				out.wallets = append(out.wallets, a.Address)
			}
		}
	}
	id, err := ParseActor(c.Acts())
	if err != nil {
		return out, err
	}
	hosted, err := s.state.AgentByID(ctx, c.Acts())
	switch {
	case err == nil:
		add(hosted.Subject)
	case reason.Of(err) != reason.AgentNotFound:
		return out, err
	}
	a, err := s.mesh.Agent(ctx, id)
	if err != nil {
		return out, err
	}
	if !a.DID.IsZero() {
		out.keys = append(out.keys, a.DID)
	}
	for _, by := range a.Proven {
		add(by)
	}
	return out, nil
}

// signedOnce uses up the nonce of a signature of the caller's agent.
func (s Signatures) signedOnce(ctx context.Context, c call.Caller, nonce string, until time.Time) (call.Caller, error) {
	err := s.state.UseToken(ctx, "signed\x00"+c.Acts()+"\x00"+nonce, until, s.cfg.Now())
	if reason.Of(err) == reason.TokenReplayed {
		return c, badSignature(errors.New("its nonce was used before"))
	}
	c.Signed = err == nil
	return c, err
}

func badSignature(err error) error {
	return call.Hinted(reason.SignatureInvalid, "the signature of the request does not hold: "+strings.TrimPrefix(err.Error(), signed.ErrInvalid.Error()+": "),
		"sign each request anew with another nonce, or send it without a signature")
}

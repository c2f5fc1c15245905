package console

import (
	"net/http"
	"net/netip"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/account"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/console/session"
	"github.com/meshd/meshd/gateway/knowledge"
)

// signInView is the page to sign in.
type signInView struct {
	Next    string
	Out     bool   // somebody has just signed out
	Name    string // of who is signed in already, "" for nobody
	Plain   bool   // the way here is not encrypted
	Service string // DID that a capability must be made for

	Fault *knowledge.ErrorBody // why it was refused
	Way   string               // what was tried
	Help  string               // what may help, for people

	Subject, Agent string // as they were typed
	ByWallet       bool   // it is the address of a wallet
	Offer          *account.LoginChallengeReply
}

// signIn shows the page to sign in, and takes its forms. Nobody has a session here, so each
// form is measured by the address it comes from, and taken from this page alone: another
// site must not sign somebody in as somebody else.
func (g *Guests) signIn(v *visit) {
	view := signInView{Next: local(v.URL.Query().Get("next")), Out: v.URL.Query().Has("out"), Plain: g.plain(v.Request), Service: g.Service.Accounts.Logins().Audience()}
	view.Name, _ = g.Who(v.w, v.Request, v.gate)
	stranger := v.gate.Stranger(v.Request)
	switch v.Method {
	case http.MethodGet, http.MethodHead:
		if _, err := v.gate.Pass(v.w.Header(), v.Request, g.twins[ownTwin], stranger); err != nil {
			g.refuse(v, err)
			return
		}
		g.show(v, http.StatusOK, "signin", "Sign in", view)
		return
	case http.MethodPost:
	default:
		v.w.Header().Set("Allow", "GET, HEAD, POST")
		g.fail(v, http.StatusMethodNotAllowed, reason.Refuse(reason.MethodNotAllowed, "this page takes no such request"))
		return
	}
	if err := comesFrom(v.Request, g.origins(v.Request)); err != nil {
		g.fail(v, http.StatusForbidden, err)
		return
	}
	if err := g.readForm(v); err != nil {
		g.refuse(v, err)
		return
	}
	f := v.PostForm
	view.Way, view.Next = f.Get("way"), local(f.Get("next"))
	view.Subject, view.Agent = strings.TrimSpace(f.Get("subject")), strings.TrimSpace(f.Get("agent"))
	twin := "POST /api/mesh/login"
	if view.Way == challenge {
		twin += "/challenge"
	}
	_, err := v.gate.Pass(v.w.Header(), v.Request, g.twins[twin], stranger)
	if err == nil {
		err = g.enter(v, &view)
	}
	switch {
	case err != nil:
		body := knowledge.NewErrorBody(err, v.w.Header().Get("X-Request-Id"))
		view.Fault, view.Help = &body, helpOf(reason.Code(body.Code), view)
		g.show(v, max(knowledge.Explain(err).Code.HTTP(), http.StatusBadRequest), "signin", "Sign in", view)
	case view.Offer != nil:
		g.show(v, http.StatusOK, "signin", "Sign in", view)
	default:
		redirect(v.w, view.Next)
	}
}

// enter tries one way of signing in: a session begins, or the view has what is to be signed.
func (g *Guests) enter(v *visit, view *signInView) error {
	f := v.PostForm
	switch view.Way {
	case byKey:
		key := strings.TrimSpace(f.Get("key"))
		return g.admit(v, byKey, auth.Key, bearer(key), reason.Refuse(reason.InvalidToken, "this is not an API key"))
	case byCapability:
		lines := strings.Fields(strings.ReplaceAll(f.Get("capability"), ",", " "))
		if len(lines) == 0 {
			return reason.Refuse(reason.MissingField, "paste a capability")
		}
		credential := bearer(lines[0])
		if len(lines) > 1 {
			credential["Ucans"] = []string{strings.Join(lines[1:], ", ")}
		}
		return g.admit(v, byCapability, auth.Capability, credential, reason.Refuse(reason.InvalidToken, "this is not a capability"))
	case challenge:
		r := account.LoginChallengeRequest{AgentID: view.Agent}
		if view.ByWallet = !strings.HasPrefix(view.Subject, "did:"); view.ByWallet {
			r.WalletAddress = view.Subject
		} else {
			r.DID = view.Subject
		}
		offer, err := g.Service.Accounts.Logins().OfPeople().Challenge(v.Context(), r)
		view.Offer = offer
		return err
	case bySignature:
		reply, err := g.Service.Accounts.Logins().OfPeople().Enter(v.Context(), account.LoginRequest{Nonce: f.Get("nonce"), Signature: strings.TrimSpace(f.Get("signature"))})
		if err != nil {
			return err
		}
		return g.admit(v, bySignature, auth.Key, bearer(reply.APIKey), reason.Refuse(reason.Internal, "a login gave no key"))
	}
	return reason.Refuse(reason.InvalidParam, "this page signs in by a key, a capability or a signature")
}

// bearer are the headers that present a credential.
func bearer(credential string) http.Header {
	return http.Header{"Authorization": {"Bearer " + credential}}
}

// admit begins a session for who a credential makes somebody, if it is of the kind. A
// session that the browser had ends; the secret of the new one is new.
func (g *Guests) admit(v *visit, way string, kind auth.Kind, credential http.Header, other error) error {
	who, err := g.present(v, credential)
	if err != nil {
		return err
	}
	if who.Kind != kind {
		return other
	}
	if _, err := g.Service.Access.Authorize(v.Context(), who, auth.Right{}); err != nil { // of the key of a login, who opened it
		return err
	}
	ends, err := g.Service.Streams.Ends(v.Context(), who)
	if err != nil {
		return err
	}
	if old, ok := g.book.Find(g.cookies(v.Request), true); ok {
		if err := g.leave(v.Context(), g.book.End(old.Holder, func(id string) bool { return id == old.ID })); err != nil {
			g.Log.Warn("end the login of a session failed", "error", err)
		}
	}
	by := pass{caller: who, Way: way, name: g.nameOf(v, who)}
	if kind == auth.Capability {
		by.token = credential
	}
	g.setCookie(v, g.book.Open(session.Admission[pass]{Holder: holderOf(who), Browser: call.Clip(v.UserAgent(), maxBrowser), Ends: ends, By: by}))
	g.Log.Info("somebody signed in", "way", way, "agent", who.Acts())
	return nil
}

// nameOf is what a page calls who signed in.
func (g *Guests) nameOf(v *visit, who call.Caller) string {
	id := who.Acts()
	if id == "" {
		id = who.Presenter()
	}
	if reply, err := g.Service.People.Agent(v.Context(), who, id); err == nil && reply.Agent.Name != "" {
		return reply.Agent.Name
	}
	return call.Clip(id, shortName)
}

// plain reports whether what is typed here can be read on its way: it is not encrypted, and
// goes to another machine.
func (g *Guests) plain(r *http.Request) bool {
	if g.secured(r) {
		return false
	}
	host := strings.Trim(r.Host, "[]")
	if addr, err := netip.ParseAddrPort(r.Host); err == nil {
		return !addr.Addr().IsLoopback()
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return !addr.IsLoopback()
	}
	name, _, _ := strings.Cut(host, ":")
	return !strings.EqualFold(name, "localhost")
}

// helpOf is what somebody at a page can do about a refusal. What the refusal says itself is
// for programs.
func helpOf(code reason.Code, view signInView) string {
	switch code {
	case reason.ProofMissing:
		return "Paste the capabilities that it rests on below it, one a line."
	case reason.WrongAudience:
		return "Make one for this gateway: " + view.Service
	case reason.NonceInvalid, reason.SignatureInvalid:
		if view.Way == bySignature {
			return "A text works once and for five minutes. Begin anew, and sign exactly what is shown."
		}
	case reason.KeyRevoked, reason.TokenExpired:
		return "It is good for nothing any more. Use another one."
	case reason.AgentNotFound:
		if view.Way == challenge {
			return "Nobody here is known by that. An agent of another node must have been seen on the network; a wallet that controls one needs the agent's id beside it."
		}
	case reason.MissingField:
		if view.Way == challenge {
			return "Write the id of the agent beside the wallet."
		}
	case reason.InvalidToken:
		return "Copy it again, whole: a key begins with mesh_sk_, a capability is one long line."
	}
	return ""
}

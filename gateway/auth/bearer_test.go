package auth_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/jose"
	idkeys "github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan"
	v0 "github.com/meshd/meshd/identity/ucan/v0"
	v1 "github.com/meshd/meshd/identity/ucan/v1"
	"github.com/meshd/meshd/node"
)

var (
	owner, holder, helper, gateway = pair('o'), pair('h'), pair('x'), pair('d')
	network                        = change.NetID{1, 2, 3}
	guildURI                       = "mesh://" + network.String() + "/guild/g1"
	teamURI                        = "mesh://" + network.String() + "/team/t1"
)

func pair(letter byte) *idkeys.Private {
	return idkeys.FromSeed([idkeys.SeedSize]byte([]byte(strings.Repeat(string(letter), idkeys.SeedSize))))
}

// trust is a node that knows the owner of one guild.
type trust struct {
	revoked map[string]bool
	log     map[string]string // tokens by content id
	rotated map[string]string // the key in force by an older one
}

var _ auth.Trust = (*node.Node)(nil)

func (trust) OwnsResource(issuer did.DID, resource string) bool {
	return ucan.Contains(guildURI, resource) && issuer == did.OfKey(owner.Key())
}

func (t trust) SameParty(audience, issuer string) bool {
	return audience == issuer || t.rotated[audience] == issuer
}

func (t trust) RevokedToken(cid string) bool { return t.revoked[cid] }

func (t trust) TokenOf(cid string) (string, bool) {
	raw, ok := t.log[cid]
	return raw, ok
}

// memory is a store of used tokens without an end.
type memory struct {
	mu    sync.Mutex
	used  map[string]time.Time
	ended map[string]bool
	fault error
}

func (m *memory) TokenRevoked(_ context.Context, cid string) (bool, error) {
	return m.ended[cid], m.fault
}

func (m *memory) UseToken(_ context.Context, key string, expires, now time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, twice := m.used[key]; twice {
		return reason.Refuse(reason.TokenReplayed, "used")
	}
	if expires.Before(now) {
		return errors.New("past")
	}
	if m.used == nil {
		m.used = map[string]time.Time{}
	}
	m.used[key] = expires
	return nil
}

type zeros struct{ n byte }

func (z *zeros) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = z.n
	}
	z.n++
	return len(b), nil
}

var seedOfIssuer = ed25519.NewKeyFromSeed([]byte(strings.Repeat("i", 32)))

func roles(tb testing.TB) *role.Verifier {
	tb.Helper()
	x := base64.RawURLEncoding.EncodeToString(seedOfIssuer.Public().(ed25519.PublicKey))
	set, err := jose.ParseKeys([]byte(`{"keys":[{"kty":"OKP","crv":"Ed25519","x":"` + x + `"}]}`))
	if err != nil {
		tb.Fatal(err)
	}
	v, err := role.NewVerifier(role.Settings{Issuer: "iss", Audience: "mesh", Keys: set})
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

func roleToken(tb testing.TB, edit func(jwt.MapClaims)) string {
	tb.Helper()
	c := jwt.MapClaims{"iss": "iss", "aud": "mesh", "sub": "agt_ada", "role": "member", "team": "t1", "exp": now.Add(time.Hour).Unix()}
	edit(c)
	s, err := jwt.NewWithClaims(jwt.SigningMethodEdDSA, c).SignedString(seedOfIssuer)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func config(tb testing.TB) auth.TokenConfig {
	return auth.TokenConfig{
		Service: gateway.Key(), Network: network, Trust: trust{}, Replays: &memory{}, Roles: roles(tb),
	}
}

func accept(tb testing.TB, c auth.TokenConfig) *auth.Authenticator {
	tb.Helper()
	a, err := auth.New(keys).AcceptTokens(c)
	if err != nil {
		tb.Fatal(err)
	}
	return a
}

func seconds(t time.Time) *int64 { s := t.Unix(); return &s }

var free = []map[string]any{{}}

// chain0 is a 0.10 delegation of the guild's owner and what its holder makes of
// it for the gateway.
type chain0 struct {
	root, act   v0.Draft
	rootBy      idkeys.Signer
	actBy       idkeys.Signer
	proofs      bool // sent in the header
	withoutRoot bool // the act cites nothing
	header      string
}

func newChain0() *chain0 {
	return &chain0{
		root: v0.Draft{Audience: holder.Key().String(), Expires: seconds(now.Add(time.Hour)),
			Caps: []v0.Cap{{With: guildURI, Can: "entry/*", Caveats: free}}},
		act: v0.Draft{Audience: gateway.Key().String(), Expires: seconds(now.Add(time.Minute)),
			Caps: []v0.Cap{{With: guildURI + "/board", Can: "entry/put", Caveats: []map[string]any{{"type": "gotcha"}}}}},
		rootBy: owner, actBy: holder, proofs: true, header: "ucans",
	}
}

func (c *chain0) build(tb testing.TB) (bearer string, header []string, root string) {
	tb.Helper()
	rand := &zeros{}
	root, err := v0.Build(c.root, c.rootBy, rand)
	if err != nil {
		tb.Fatal(err)
	}
	if !c.withoutRoot {
		c.act.Proofs = []string{ucan.CID(root)}
	}
	bearer, err = v0.Build(c.act, c.actBy, rand)
	if err != nil {
		tb.Fatal(err)
	}
	header = []string{"Authorization", "Bearer " + bearer}
	if c.proofs {
		header = append(header, c.header, root)
	}
	return bearer, header, root
}

func (c *chain0) principal(tb testing.TB, cfg auth.TokenConfig) auth.Principal {
	tb.Helper()
	_, header, _ := c.build(tb)
	p, err := accept(tb, cfg).Authenticate(request(header...), now)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func flip(token string) string {
	i := strings.LastIndexByte(token, '.') + 10
	other := byte('A')
	if token[i] == 'A' {
		other = 'B'
	}
	return token[:i] + string(other) + token[i+1:]
}

func TestCapabilityOpensWhatItNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"ucans", "ucan", "X-UCAN-Proofs"} {
		c := newChain0()
		c.header = name
		p := c.principal(t, config(t))
		if p.Kind != auth.Capability || p.Presenter() != holder.Key().String() || p.AgentID != "" || len(p.Scopes) != 0 || p.Kind.String() != "capability" {
			t.Fatalf("%s: %+v", name, p)
		}
		if a := p.Authorities(); len(a) != 1 || a[0].Subject != holder.Key().String() || len(a[0].Chain) != 2 {
			t.Errorf("%s: %+v", name, a)
		}
	}
	p := newChain0().principal(t, config(t))
	gotcha := map[string]any{"type": "gotcha"}
	for _, c := range []struct {
		name, resource, ability string
		args                    map[string]any
		want                    reason.Code
	}{
		{"what it says", guildURI + "/board", "entry/put", gotcha, ""},
		{"in another case", guildURI + "/board", "Entry/PUT", gotcha, ""},
		{"below", guildURI + "/board/2", "entry/put", gotcha, ""},
		{"another ability", guildURI + "/board", "entry/retract", gotcha, reason.CapabilityDenied},
		{"above", guildURI, "entry/put", gotcha, reason.CapabilityDenied},
		{"beside", guildURI + "/boardx", "entry/put", gotcha, reason.CapabilityDenied},
		{"climbing", guildURI + "/board/../room", "entry/put", gotcha, reason.CapabilityDenied},
		{"another value", guildURI + "/board", "entry/put", map[string]any{"type": "wisdom"}, reason.CapabilityDenied},
		{"without the argument", guildURI + "/board", "entry/put", nil, reason.CapabilityDenied},
		{"of another kind", guildURI + "/board", "entry/put", map[string]any{"type": 1}, reason.CapabilityDenied},
	} {
		if got := reason.Of(p.May(c.resource, c.ability, c.args, now)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := reason.Of(p.May(guildURI+"/board", "entry/put", gotcha, now.Add(2*time.Minute))); got != reason.TokenExpired {
		t.Errorf("when it has ended meanwhile: %q", got)
	}
	if got := reason.Of(p.RequireKey()); got != reason.CapabilityDenied {
		t.Errorf("where keys are asked for: %q", got)
	}
	if got := reason.Of(p.RequireScope(state.ScopeRead)); got != reason.CapabilityDenied {
		t.Errorf("where scopes are asked for: %q", got)
	}
	if got := reason.Of(p.RequireOwner("")); got != reason.CapabilityDenied {
		t.Errorf("where the owner is asked for: %q", got)
	}
}

func TestCaveatsAreCheckedAgainstArguments(t *testing.T) {
	t.Parallel()
	n := func(s string) json.Number { return json.Number(s) }
	for _, c := range []struct {
		name   string
		caveat map[string]any
		args   map[string]any
		want   bool
	}{
		{"no caveat", map[string]any{}, nil, true},
		{"number", map[string]any{"max": n("7")}, map[string]any{"max": 7}, true},
		{"another number", map[string]any{"max": n("7")}, map[string]any{"max": int64(8)}, false},
		{"fraction", map[string]any{"max": n("7.5")}, map[string]any{"max": 7}, false},
		{"number and text", map[string]any{"max": n("7")}, map[string]any{"max": "7"}, false},
		{"truth", map[string]any{"draft": true}, map[string]any{"draft": true}, true},
		{"truth and text", map[string]any{"draft": true}, map[string]any{"draft": "true"}, false},
		{"member of a list", map[string]any{"tag": []any{"a", "b"}}, map[string]any{"tag": "b"}, true},
		{"not a member", map[string]any{"tag": []any{"a", "b"}}, map[string]any{"tag": "c"}, false},
		{"all are members", map[string]any{"tag": []any{"a", "b"}}, map[string]any{"tag": []string{"b", "a"}}, true},
		{"one is not", map[string]any{"tag": []any{"a", "b"}}, map[string]any{"tag": []any{"a", "c"}}, false},
		{"null", map[string]any{"tag": nil}, map[string]any{"tag": nil}, false},
		{"object", map[string]any{"tag": map[string]any{}}, map[string]any{"tag": map[string]any{}}, false},
		{"not understood", map[string]any{"moon": "full"}, map[string]any{"tag": "a"}, false},
		{"one of two", map[string]any{"tag": "a", "moon": "full"}, map[string]any{"tag": "a"}, false},
		{"folder of documents", map[string]any{"doc": "project/*"}, map[string]any{"doc": "project/x"}, true},
		{"the folder itself", map[string]any{"doc": "project/*"}, map[string]any{"doc": "project"}, false},
		{"folder of something else", map[string]any{"tag": "project/*"}, map[string]any{"tag": "project/x"}, false},
	} {
		s := newChain0()
		s.act.Caps = []v0.Cap{{With: guildURI, Can: "entry/put", Caveats: []map[string]any{c.caveat}}}
		if got := s.principal(t, config(t)).May(guildURI, "entry/put", c.args, now); (got == nil) != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestDenialCarriesReceipt(t *testing.T) {
	t.Parallel()
	p := newChain0().principal(t, config(t))
	var r *reason.Refusal
	err := p.May(guildURI, "vote/cast", nil, now)
	if !errors.As(err, &r) {
		t.Fatal(err)
	}
	denial, _ := r.Details["denial"].(auth.Denial)
	if r.Code != reason.CapabilityDenied || denial.Resource != guildURI || denial.Action != "vote/cast" || denial.Required["with"] != guildURI ||
		denial.Required["can"] != "vote/cast" || denial.By != gateway.Key().String() || denial.At == "" {
		t.Errorf("receipt %v", r.Details)
	}
	if named := auth.Audited(err, "req_1"); !errors.As(named, &r) || r.Details["denial"].(auth.Denial).AuditID != "req_1" || denial.AuditID != "" {
		t.Errorf("named %v", named)
	}
	for _, part := range []string{"/api/mesh/capabilities", guildURI, "vote/cast", holder.Key().String(), gateway.Key().String()} {
		if !strings.Contains(denial.Fix, part) {
			t.Errorf("%q does not name %s", denial.Fix, part)
		}
	}
	if _, err := json.Marshal(r.Details); err != nil {
		t.Error(err)
	}
}

// What was taken back beside the log is refused like what the log took back, and a store
// that does not answer lets nothing pass.
func TestRevokedBesideTheLog(t *testing.T) {
	t.Parallel()
	_, _, root := newChain0().build(t)
	for name, m := range map[string]*memory{
		"a proof": {ended: map[string]bool{ucan.CID(root): true}}, "no answer": {fault: errors.New("no answer")},
	} {
		c := config(t)
		c.Replays = m
		if p := newChain0().principal(t, c); reason.Of(p.RequireKey()) != reason.KeyRevoked {
			t.Errorf("%s: %+v", name, p)
		}
	}
	m := &memory{}
	c := config(t)
	c.Replays = m
	p := newChain0().principal(t, c)
	if err := p.StillValid(now); err != nil {
		t.Errorf("before: %v", err)
	}
	m.ended = map[string]bool{ucan.CID(root): true}
	if got := reason.Of(p.StillValid(now)); got != reason.KeyRevoked {
		t.Errorf("of a stream that goes on: %q", got)
	}
}

func TestEveryTokenRefusalHasItsCode(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		edit func(*chain0)
		code reason.Code
	}{
		{"past", func(c *chain0) { c.act.Expires = seconds(now.Add(-time.Second)) }, reason.TokenExpired},
		{"its proof past", func(c *chain0) {
			c.root.Expires = seconds(now.Add(-time.Second))
			c.act.Expires = c.root.Expires
		}, reason.TokenExpired},
		{"not yet", func(c *chain0) { c.act.NotBefore = seconds(now.Add(time.Second)) }, reason.TokenNotYetValid},
		{"without its proof", func(c *chain0) { c.proofs = false }, reason.ProofMissing},
		{"longer than its proof", func(c *chain0) { c.act.Expires = seconds(now.Add(2 * time.Hour)) }, reason.ChainInvalid},
		{"of another holder", func(c *chain0) { c.actBy = helper }, reason.ChainInvalid},
		{"wider than its proof", func(c *chain0) { c.act.Caps[0].Can = "*" }, reason.AttenuationViolation},
		{"for another door", func(c *chain0) { c.act.Audience = helper.Key().String() }, reason.WrongAudience},
		{"not by an owner", func(c *chain0) { c.rootBy = helper }, reason.CapabilityDenied},
		{"by nobody's leave", func(c *chain0) { c.withoutRoot = true }, reason.CapabilityDenied},
		{"about another place", func(c *chain0) {
			c.root.Caps[0].With, c.act.Caps[0].With = "mesh://*", "mesh://*"
		}, reason.CapabilityDenied},
		{"about nothing", func(c *chain0) { c.act.Caps = nil }, reason.CapabilityDenied},
	}
	codes := map[reason.Code]bool{}
	for _, c := range cases {
		s := newChain0()
		c.edit(s)
		p := s.principal(t, config(t))
		if p.Kind != auth.Anonymous || p.Warning != c.code || reason.Of(p.RequireKey()) != c.code || reason.Of(p.May(guildURI, "x", nil, now)) != c.code {
			t.Errorf("%s: %+v, want %s", c.name, p, c.code)
		}
		codes[c.code] = true
	}
	if len(codes) != 7 {
		t.Errorf("%d codes", len(codes))
	}
}

func TestBrokenBearers(t *testing.T) {
	t.Parallel()
	c := newChain0()
	bearer, header, root := c.build(t)
	proof := header[3]
	many := make([]string, 9)
	for i := range many {
		d := c.root
		d.Nonce = fmt.Sprint(i)
		raw, err := v0.Build(d, owner, nil)
		if err != nil {
			t.Fatal(err)
		}
		many[i] = raw
	}
	a := accept(t, config(t))
	for name, h := range map[string]struct {
		header []string
		code   reason.Code
	}{
		"signature":            {[]string{"Authorization", "Bearer " + flip(bearer), "ucans", proof}, reason.SignatureInvalid},
		"signature of proof":   {[]string{"Authorization", "Bearer " + bearer, "ucans", flip(proof)}, reason.ProofMissing}, // another token
		"payload":              {[]string{"Authorization", "Bearer " + strings.Replace(bearer, ".", ".e30", 1), "ucans", proof}, reason.InvalidToken},
		"proofs in brackets":   {[]string{"Authorization", "Bearer " + bearer, "ucans", "[" + proof + "]"}, reason.InvalidToken},
		"too many proofs":      {[]string{"Authorization", "Bearer " + bearer, "ucans", strings.Join(many, ", ")}, reason.InvalidToken},
		"in another header":    {[]string{"X-API-Key", bearer, "ucans", proof}, reason.InvalidToken},
		"a container of noise": {[]string{"Authorization", "Bearer C" + base64.RawURLEncoding.EncodeToString([]byte("\xa1\x66ctn-v1\x81\x41x"))}, reason.InvalidToken},
	} {
		p, err := a.Authenticate(request(h.header...), now)
		if err != nil || p.Warning != h.code {
			t.Errorf("%s: %+v, %v, want %s", name, p, err, h.code)
		}
	}
	// The eight that are allowed, over several headers and names.
	p, err := a.Authenticate(request("Authorization", "Bearer "+bearer, "ucans", strings.Join(many[:3], ", "), "ucan", strings.Join(many[3:6], ","),
		"X-UCAN-Proofs", many[6]+" ,, "+root), now)
	if err != nil || p.Kind != auth.Capability {
		t.Errorf("eight proofs: %+v, %v", p, err)
	}
	if p, err := auth.New(keys).Authenticate(request(header...), now); err != nil || p.Warning != reason.InvalidToken {
		t.Errorf("where no tokens are taken: %+v, %v", p, err)
	}
	if p, err := a.Authenticate(request("X-API-Key", good), now); err != nil || p.Kind != auth.Key || p.May(guildURI, "x", nil, now) != nil || p.Use(t.Context(), now) != nil {
		t.Errorf("an API key: %+v, %v", p, err)
	}
}

func TestMissingProofIsNamed(t *testing.T) {
	t.Parallel()
	c := newChain0()
	c.proofs = false
	_, _, root := c.build(t)
	p := c.principal(t, config(t))
	var m *auth.MissingProofs
	if err := p.RequireKey(); !errors.As(err, &m) || !slices.Equal(m.Proofs, []string{ucan.CID(root)}) || m.CacheExpiry() != fmt.Sprint(now.Unix()) {
		t.Errorf("%+v", m)
	}
	// A node that has it in its log needs no header.
	cfg := config(t)
	cfg.Trust = trust{log: map[string]string{ucan.CID(root): root}}
	if p := c.principal(t, cfg); p.Kind != auth.Capability {
		t.Errorf("%+v", p)
	}
}

func TestRevokedTokenDeniesAndRotatedKeyHolds(t *testing.T) {
	t.Parallel()
	c := newChain0()
	bearer, _, root := c.build(t)
	for _, raw := range []string{bearer, root} {
		cfg := config(t)
		cfg.Trust = trust{revoked: map[string]bool{ucan.CID(raw): true}}
		if p := c.principal(t, cfg); p.Warning != reason.KeyRevoked {
			t.Errorf("%+v", p)
		}
	}
	// The holder's key was rotated: the new one uses what the old one was given.
	c.actBy = helper
	cfg := config(t)
	cfg.Trust = trust{rotated: map[string]string{holder.Key().String(): helper.Key().String()}}
	if p := c.principal(t, cfg); p.Kind != auth.Capability || p.Presenter() != helper.Key().String() {
		t.Errorf("rotated: %+v", p)
	}
}

// container1 is the story of chain0 in 1.x.
func container1(tb testing.TB, edit func(*v1.Grant, *v1.Act)) (bearer string, cids []string) {
	tb.Helper()
	rand := &zeros{}
	g := v1.Grant{Audience: holder.Key(), Subject: owner.Key(), Command: "/entry", Expires: seconds(now.Add(time.Hour))}
	a := v1.Act{Audience: gateway.Key(), Subject: owner.Key(), Command: "/entry/put", Expires: seconds(now.Add(time.Minute)),
		Args: map[string]any{"resource": guildURI + "/board", "type": "gotcha"}}
	edit(&g, &a)
	d, err := v1.Delegate(owner, g, rand)
	if err != nil {
		tb.Fatal(err)
	}
	if a.Proofs == nil {
		a.Proofs = []string{d.CID}
	}
	i, err := v1.Invoke(holder, a, rand)
	if err != nil {
		tb.Fatal(err)
	}
	sealed := [][]byte{i.Sealed, d.Sealed}
	if a.Source == "without" {
		sealed = sealed[:1]
	}
	if bearer, err = v1.PackBearer(sealed...); err != nil {
		tb.Fatal(err)
	}
	return bearer, []string{i.CID, d.CID}
}

func TestContainerOpensWhatItInvokes(t *testing.T) {
	t.Parallel()
	bearer, _ := container1(t, func(*v1.Grant, *v1.Act) {})
	p, err := accept(t, config(t)).Authenticate(request("Authorization", "Bearer "+bearer), now)
	if err != nil || p.Kind != auth.Capability || p.Presenter() != holder.Key().String() {
		t.Fatalf("%+v, %v", p, err)
	}
	for _, c := range []struct {
		resource, ability string
		args              map[string]any
		want              reason.Code
	}{
		{guildURI + "/board", "entry/put", map[string]any{"type": "gotcha"}, ""},
		{guildURI + "/board", "entry/put", map[string]any{"type": "gotcha", "more": 1}, ""},
		{guildURI + "/board", "entry/put", nil, reason.CapabilityDenied},
		{guildURI + "/board", "entry/put", map[string]any{"type": "wisdom"}, reason.CapabilityDenied},
		{guildURI + "/board", "entry/retract", map[string]any{"type": "gotcha"}, reason.CapabilityDenied},
		{guildURI, "entry/put", map[string]any{"type": "gotcha"}, reason.CapabilityDenied},
	} {
		if got := reason.Of(p.May(c.resource, c.ability, c.args, now)); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestEveryContainerRefusalHasItsCode(t *testing.T) {
	t.Parallel()
	revoked := map[string]bool{}
	cfg := config(t)
	cfg.Trust = trust{revoked: revoked}
	a := accept(t, cfg)
	for name, c := range map[string]struct {
		edit func(*v1.Grant, *v1.Act)
		code reason.Code
	}{
		"past":            {func(_ *v1.Grant, a *v1.Act) { a.Expires = seconds(now.Add(-time.Second)) }, reason.TokenExpired},
		"not yet":         {func(g *v1.Grant, _ *v1.Act) { g.NotBefore = seconds(now.Add(time.Second)) }, reason.TokenNotYetValid},
		"without proof":   {func(_ *v1.Grant, a *v1.Act) { a.Source = "without" }, reason.ProofMissing},
		"other holder":    {func(g *v1.Grant, _ *v1.Act) { g.Audience = helper.Key() }, reason.ChainInvalid},
		"wider":           {func(g *v1.Grant, _ *v1.Act) { g.Command = "/vote" }, reason.AttenuationViolation},
		"policy":          {func(g *v1.Grant, _ *v1.Act) { g.Policy = []any{[]any{"==", ".type", "wisdom"}} }, reason.AttenuationViolation},
		"other door":      {func(_ *v1.Grant, a *v1.Act) { a.Audience = helper.Key() }, reason.WrongAudience},
		"other resource":  {func(_ *v1.Grant, a *v1.Act) { a.Args["resource"] = teamURI }, reason.CapabilityDenied},
		"no resource":     {func(_ *v1.Grant, a *v1.Act) { delete(a.Args, "resource") }, reason.InvalidToken},
		"something works": {func(*v1.Grant, *v1.Act) {}, ""},
	} {
		bearer, _ := container1(t, c.edit)
		p, err := a.Authenticate(request("Authorization", "Bearer "+bearer), now)
		if err != nil || p.Warning != c.code || (p.Kind == auth.Capability) != (c.code == "") {
			t.Errorf("%s: %+v, %v, want %s", name, p, err, c.code)
		}
	}
	bearer, cids := container1(t, func(_ *v1.Grant, a *v1.Act) { a.Source = "x" })
	revoked[cids[1]] = true
	if p, err := a.Authenticate(request("Authorization", "Bearer "+bearer), now); err != nil || p.Warning != reason.KeyRevoked {
		t.Errorf("revoked: %+v, %v", p, err)
	}
	raw, err := base64.RawURLEncoding.DecodeString(bearer[1:])
	if err != nil {
		t.Fatal(err)
	}
	raw[20] ^= 1 // inside of a signature
	if p, err := a.Authenticate(request("Authorization", "Bearer C"+base64.RawURLEncoding.EncodeToString(raw)), now); err != nil || p.Warning != reason.SignatureInvalid {
		t.Errorf("signature: %+v, %v", p, err)
	}
}

func TestTokenActsOnce(t *testing.T) {
	t.Parallel()
	store := &memory{}
	cfg := config(t)
	cfg.Replays = store
	c := newChain0()
	for range 2 { // reading is no act
		if p := c.principal(t, cfg); p.Kind != auth.Capability {
			t.Fatalf("%+v", p)
		}
	}
	if err := c.principal(t, cfg).Use(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	if got := reason.Of(c.principal(t, cfg).Use(t.Context(), now)); got != reason.TokenReplayed {
		t.Errorf("twice: %q", got)
	}
	bearer, _ := container1(t, func(*v1.Grant, *v1.Act) {})
	for i, want := range []reason.Code{"", reason.TokenReplayed} {
		p, err := accept(t, cfg).Authenticate(request("Authorization", "Bearer "+bearer), now)
		if err != nil {
			t.Fatal(err)
		}
		if got := reason.Of(p.Use(t.Context(), now)); got != want {
			t.Errorf("container, time %d: %q", i, got)
		}
	}
	for name, end := range map[string]*int64{"without end": nil, "too long": seconds(now.Add(31 * 24 * time.Hour))} {
		c := newChain0()
		c.root.Expires, c.act.Expires = nil, end
		p := c.principal(t, cfg)
		if p.Kind != auth.Capability || p.May(guildURI+"/board", "entry/put", map[string]any{"type": "gotcha"}, now) != nil {
			t.Errorf("%s: %+v", name, p)
		}
		if got := reason.Of(p.Use(t.Context(), now)); got != reason.InvalidToken {
			t.Errorf("%s: %q", name, got)
		}
	}
	c, cfg.Replays = newChain0(), &memory{}
	c.act.Expires = seconds(now)
	p := c.principal(t, cfg)
	if err := p.Use(t.Context(), now.Add(900*time.Millisecond)); err != nil {
		t.Errorf("within its last second: %v", err)
	}
	if got := reason.Of(p.Use(t.Context(), now.Add(time.Second))); got != reason.TokenExpired {
		t.Errorf("after it: %q", got)
	}
	if err := (auth.Principal{}).Use(t.Context(), now); err != nil {
		t.Errorf("nobody: %v", err)
	}
}

func TestRoleTokens(t *testing.T) {
	t.Parallel()
	a := accept(t, config(t))
	who := func(token string, header ...string) auth.Principal {
		p, err := a.Authenticate(request(append([]string{"Authorization", "Bearer " + token}, header...)...), now)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := who(roleToken(t, func(jwt.MapClaims) {}))
	if p.Kind != auth.Role || p.Presenter() != "agt_ada" || p.PlatformAdmin() || p.Kind.String() != "role" || reason.Of(p.RequireKey()) != reason.CapabilityDenied {
		t.Fatalf("%+v", p)
	}
	for _, c := range []struct {
		role, resource, ability string
		args                    map[string]any
		want                    reason.Code
	}{
		{"member", teamURI, "entry/put", nil, ""},
		{"member", teamURI + "/board", "task/act", nil, ""},
		{"member", teamURI, "doc/edit", map[string]any{"doc": "board"}, ""},
		{"member", teamURI, "doc/edit", map[string]any{"doc": "project/x"}, ""},
		{"member", teamURI, "doc/edit", map[string]any{"doc": "projects"}, reason.CapabilityDenied},
		{"member", teamURI, "doc/edit", map[string]any{"doc": "rules"}, reason.CapabilityDenied},
		{"member", teamURI, "doc/edit", nil, reason.CapabilityDenied},
		{"member", teamURI, "member/grant", map[string]any{"role": "viewer"}, reason.CapabilityDenied},
		{"member", guildURI, "entry/put", nil, reason.CapabilityDenied},
		{"member", teamURI + "x", "entry/put", nil, reason.CapabilityDenied},
		{"admin", teamURI, "doc/edit", map[string]any{"doc": "rules"}, ""},
		{"admin", teamURI, "member/grant", map[string]any{"role": "viewer"}, ""},
		{"admin", teamURI, "member/grant", map[string]any{"role": "owner"}, reason.CapabilityDenied},
		{"owner", teamURI, "member/grant", map[string]any{"role": "owner"}, ""},
		{"owner", "mesh://*", "entry/put", nil, reason.CapabilityDenied},
		{"viewer", teamURI, role.Read, nil, ""},
		{"viewer", teamURI, "entry/put", nil, reason.CapabilityDenied},
		{"root", teamURI, role.Read, nil, reason.CapabilityDenied},
	} {
		p := who(roleToken(t, func(m jwt.MapClaims) { m["role"] = c.role }))
		if got := reason.Of(p.May(c.resource, c.ability, c.args, now)); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	if got := reason.Of(p.May(teamURI, "entry/put", nil, now.Add(time.Hour))); got != reason.TokenExpired {
		t.Errorf("when it has ended meanwhile: %q", got)
	}
	if !who(roleToken(t, func(m jwt.MapClaims) { m["platform_admin"] = true })).PlatformAdmin() {
		t.Error("platform_admin is not seen")
	}
	if p := who(roleToken(t, func(m jwt.MapClaims) { m["team"] = "../guild/g1" })); reason.Of(p.May(guildURI, "entry/put", nil, now)) != reason.CapabilityDenied {
		t.Error("a team climbs")
	}
	for name, c := range map[string]struct {
		edit func(jwt.MapClaims)
		code reason.Code
	}{
		"past":           {func(m jwt.MapClaims) { m["exp"] = now.Unix() }, reason.TokenExpired},
		"not yet":        {func(m jwt.MapClaims) { m["nbf"] = now.Unix() + 1 }, reason.TokenNotYetValid},
		"other audience": {func(m jwt.MapClaims) { m["aud"] = "x" }, reason.WrongAudience},
		"other issuer":   {func(m jwt.MapClaims) { m["iss"] = "x" }, reason.InvalidToken},
		"capability":     {func(m jwt.MapClaims) { m["ucv"] = "0.10.0" }, reason.InvalidToken},
	} {
		if p := who(roleToken(t, c.edit)); p.Warning != c.code || p.Kind != auth.Anonymous {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if p := who(flip(roleToken(t, func(jwt.MapClaims) {}))); p.Warning != reason.SignatureInvalid {
		t.Errorf("signature: %+v", p)
	}
	cfg := config(t)
	cfg.Roles = nil
	if p, err := accept(t, cfg).Authenticate(request("Authorization", "Bearer "+roleToken(t, func(jwt.MapClaims) {})), now); err != nil || p.Warning != reason.InvalidToken {
		t.Errorf("where none are taken: %+v, %v", p, err)
	}
}

func TestOrderOfCapabilityAndRole(t *testing.T) {
	t.Parallel()
	fine, past := func(jwt.MapClaims) {}, func(m jwt.MapClaims) { m["exp"] = now.Unix() - 1 }
	gotcha := map[string]any{"type": "gotcha"}
	const board, team = "board", "team"
	cases := []struct {
		name     string
		order    auth.Order
		role     func(jwt.MapClaims)
		revoked  bool
		absent   bool // no capability beside the role token
		ask      string
		want     reason.Code
		anywhere auth.Kind
	}{
		{"capability first, it covers", auth.CapabilityFirst, fine, false, false, board, "", auth.Capability},
		{"capability first, only the role covers", auth.CapabilityFirst, fine, false, false, team, "", auth.Capability},
		{"capability first, none presented", auth.CapabilityFirst, fine, false, true, team, "", auth.Role},
		{"capability first, none presented nor covered", auth.CapabilityFirst, fine, false, true, board, reason.CapabilityDenied, auth.Role},
		{"capability first, it is revoked", auth.CapabilityFirst, fine, true, false, team, reason.KeyRevoked, auth.Anonymous},
		{"capability first, the role is past and not needed", auth.CapabilityFirst, past, false, false, board, "", auth.Capability},
		{"capability first, the role is past and needed", auth.CapabilityFirst, past, false, false, team, reason.TokenExpired, auth.Capability},
		{"role first, it covers", auth.RoleFirst, fine, false, false, team, "", auth.Role},
		{"role first, only the capability covers", auth.RoleFirst, fine, false, false, board, "", auth.Role},
		{"role first, the capability is revoked and not needed", auth.RoleFirst, fine, true, false, team, "", auth.Role},
		{"role first, the capability is revoked and needed", auth.RoleFirst, fine, true, false, board, reason.KeyRevoked, auth.Role},
		{"role first, it is past", auth.RoleFirst, past, false, false, board, reason.TokenExpired, auth.Anonymous},
	}
	for _, c := range cases {
		s := newChain0()
		bearer, _, root := s.build(t)
		cfg := config(t)
		cfg.Order = c.order
		if c.revoked {
			cfg.Trust = trust{revoked: map[string]bool{ucan.CID(root): true}}
		}
		header := []string{"Authorization", "Bearer " + roleToken(t, c.role), "ucans", bearer + ", " + root}
		if c.absent {
			header[3] = root
		}
		p, err := accept(t, cfg).Authenticate(request(header...), now)
		if err != nil || p.Kind != c.anywhere {
			t.Errorf("%s: %+v, %v", c.name, p, err)
			continue
		}
		resource := map[string]string{board: guildURI + "/board", team: teamURI}[c.ask]
		if got := reason.Of(p.May(resource, "entry/put", gotcha, now)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	for names, want := range map[string]auth.Order{"": auth.CapabilityFirst, "capability jwt": auth.CapabilityFirst, "jwt capability": auth.RoleFirst} {
		if got, err := auth.ParseOrder(strings.Fields(names)); err != nil || got != want {
			t.Errorf("%q: %v, %v", names, got, err)
		}
	}
	for _, names := range []string{"jwt", "capability", "jwt jwt", "capability jwt key", "JWT capability"} {
		if _, err := auth.ParseOrder(strings.Fields(names)); err == nil {
			t.Errorf("%q is an order", names)
		}
	}
}

func TestTokenConfigIsChecked(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(*auth.TokenConfig){
		"service": func(c *auth.TokenConfig) { c.Service = did.Key{} },
		"trust":   func(c *auth.TokenConfig) { c.Trust = nil },
		"replays": func(c *auth.TokenConfig) { c.Replays = nil },
		"order":   func(c *auth.TokenConfig) { c.Order = 2 },
	} {
		c := config(t)
		edit(&c)
		if _, err := auth.New(keys).AcceptTokens(c); err == nil {
			t.Errorf("%s is not missed", name)
		}
	}
}

func TestTokensAreNotShown(t *testing.T) {
	t.Parallel()
	c := newChain0()
	bearer, header, _ := c.build(t)
	for _, h := range [][]string{header, header[:2]} {
		p, err := accept(t, config(t)).Authenticate(request(h...), now)
		shown := fmt.Sprintf("%+v %#v %v %v %v", p, p, err, p.RequireKey(), p.May(guildURI, "x", nil, now))
		for _, part := range strings.Split(bearer, ".")[1:] {
			if strings.Contains(shown, part) {
				t.Errorf("shown: %s", shown)
			}
		}
	}
}

func FuzzTokens(f *testing.F) {
	c := newChain0()
	bearer, header, _ := c.build(f)
	container, _ := container1(f, func(*v1.Grant, *v1.Act) {})
	f.Add("Bearer "+bearer, header[3])
	f.Add("Bearer "+container, "")
	f.Add("Bearer "+roleToken(f, func(jwt.MapClaims) {}), bearer+","+header[3])
	f.Add("Bearer eyJ..", ",,")
	f.Fuzz(func(t *testing.T, authorization, proofs string) {
		r := &http.Request{URL: httptest.NewRequest("GET", "/", nil).URL, Header: http.Header{"Authorization": {authorization}, "Ucans": {proofs}}}
		p, err := accept(t, config(t)).Authenticate(r, now) // a new one: what is remembered would hide from the fuzzer
		if err != nil {
			t.Fatal(err)
		}
		if (p.Kind == auth.Anonymous) != (p.RequireKey() != nil && p.Presenter() == "") && p.Kind != auth.Key {
			t.Errorf("%+v", p)
		}
		if p.Kind == auth.Capability && len(p.Authorities()) == 0 {
			t.Errorf("a capability without rights: %+v", p)
		}
		if p.Kind != auth.Key && p.May("mesh://*", "*", nil, now) == nil {
			t.Errorf("everything is allowed: %+v", p)
		}
	})
}

func BenchmarkBearer(b *testing.B) {
	_, header, _ := newChain0().build(b)
	container, _ := container1(b, func(*v1.Grant, *v1.Act) {})
	a := accept(b, config(b))
	for name, r := range map[string]*http.Request{
		"v0": request(header...), "v1": request("Authorization", "Bearer "+container),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if p, err := a.Authenticate(r, now); err != nil || p.Kind != auth.Capability {
					b.Fatal(p, err)
				}
			}
		})
	}
}

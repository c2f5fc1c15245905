package changes_test

import (
	"context"
	"net/netip"
	"testing"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/changes"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/view"
)

// node takes in what may be brought in.
type node struct {
	author view.Author // of all changes
	known  map[change.ID]bool
	kept   []*change.Change
	asked  change.Space
}

var _ changes.Node = (*node)(nil)

func (n *node) TakeIn(_ context.Context, cs []*change.Change, may view.Quota) ([]view.TakenIn, error) {
	out := make([]view.TakenIn, len(cs))
	for i, c := range cs {
		if out[i].Known = n.known[c.ID]; out[i].Known {
			continue
		}
		if out[i].Code = may(n.author); out[i].Code == "" {
			n.known[c.ID] = true
		}
	}
	return out, nil
}

func (n *node) ChangesIn(_ context.Context, space change.Space, after uint64, most int) ([]*change.Change, uint64, error) {
	n.asked = space
	return n.kept[:min(most, len(n.kept))], after + 9, nil
}

type bench struct {
	*accesstest.Bench
	*changes.Service
	node *node
}

func newBench(t *testing.T, limits limit.Config) *bench {
	b := &bench{Bench: accesstest.NewWith(t, limits), node: &node{known: map[change.ID]bool{}}}
	b.Service = changes.New(b.node, b.Access, nil, b.Limits)
	return b
}

// sealed is a signed change that is the nth of its author.
func sealed(n uint64) *change.Change {
	return change.Seal(change.Draft{Net: accesstest.Net, Space: change.Commons("go"), Kind: change.KindVote, Body: []byte{0xa0}, HLC: 0x00068b3a2f500000 + n, Seq: 1}, keys.FromSeed([32]byte{1}))
}

func pairs(cs ...*change.Change) []byte {
	raw := cbor.AppendArray(nil, len(cs))
	for _, c := range cs {
		raw = cbor.AppendBytes(cbor.AppendBytes(cbor.AppendArray(raw, 2), c.RawHead), c.Body)
	}
	return raw
}

var stranger = call.Caller{}

// Each change is answered for: taken in, here before, or refused by its place.
func TestChangesAreTakenInOneByOne(t *testing.T) {
	t.Parallel()
	b := newBench(t, limit.Config{})
	one, two, bad := sealed(1), sealed(2), sealed(3)
	bad.Body = []byte{0xa1}
	b.node.known[one.ID] = true
	got, err := b.TakeChanges(t.Context(), stranger, pairs(one, bad, two))
	accesstest.Must(t, err)
	if len(got.Accepted) != 1 || got.Accepted[0] != two.ID.Text(change.PrefixChange) || len(got.Duplicates) != 1 ||
		len(got.Refused) != 1 || got.Refused[0].Index != 1 || got.Refused[0].Code == "" {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsNoArrayOfChangesIsRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t, limit.Config{})
	many := make([]*change.Change, 65)
	for i := range many {
		many[i] = sealed(uint64(i))
	}
	for what, c := range map[string]struct {
		raw  []byte
		code reason.Code
	}{
		"nothing":           {nil, reason.BadEncoding},
		"one part":          {cbor.AppendBytes(cbor.AppendArray(cbor.AppendArray(nil, 1), 1), nil), reason.BadEncoding},
		"more after it":     {append(pairs(sealed(1)), 0), reason.BadEncoding},
		"more than 64 pass": {pairs(many...), reason.ValidationFailed},
	} {
		_, err := b.TakeChanges(t.Context(), stranger, c.raw)
		accesstest.Refused(t, what, err, c.code)
	}
	if got, err := b.TakeChanges(t.Context(), accesstest.Owner(), pairs(many[:64]...)); err != nil || len(got.Accepted) != 64 {
		t.Errorf("64: %+v, %v", got, err)
	}
}

// A change costs its author what the endpoint for its kind would, one that begins an agent
// costs the address that brings it, and a stopped account brings nothing.
func TestAuthorsPayForTheirChanges(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		author func(ada *view.Agent) view.Author
		stop   bool
		owner  bool
		want   []reason.Code // of three changes
	}{
		"two votes a minute": {func(ada *view.Agent) view.Author {
			return view.Author{Key: ada.DID, Proven: true, Agent: ada.ID, Kind: change.KindVote}
		}, false, false, []reason.Code{"", "", reason.AdmissionRate}},
		"one agent of an addr": {func(ada *view.Agent) view.Author { return view.Author{Key: ada.DID, Proven: true, Opens: true} }, false, false, []reason.Code{"", reason.AdmissionRate, reason.AdmissionRate}},
		"no proof, no author": {func(ada *view.Agent) view.Author {
			return view.Author{Key: ada.DID, Agent: ada.ID, Kind: change.KindVote}
		}, false, false, []reason.Code{"", reason.AdmissionRate, reason.AdmissionRate}},
		"a stopped account": {func(ada *view.Agent) view.Author {
			return view.Author{Key: ada.DID, Proven: true, Agent: ada.ID, Kind: change.KindVote}
		}, true, false, []reason.Code{reason.Suspended, reason.Suspended, reason.Suspended}},
		"the owner brings it in": {func(ada *view.Agent) view.Author { return view.Author{Key: ada.DID, Opens: true} }, false, true, []reason.Code{"", "", ""}},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, limit.Config{Buckets: map[limit.Bucket]limit.Quantity{limit.Vote: {Agent: 2}, limit.Register: {Agent: 1, Anonymous: 1}}})
			ada := b.AddAgent("ada")
			b.node.author = c.author(ada)
			if c.stop {
				accesstest.Must(t, b.State.Suspend(t.Context(), ada.ID.String(), "spam", "node", b.Now))
			}
			who := call.Caller{Addr: netip.MustParseAddr("192.0.2.1")}
			if c.owner {
				who = accesstest.Owner()
			}
			for i, want := range c.want {
				got, err := b.TakeChanges(t.Context(), who, pairs(sealed(uint64(i))))
				accesstest.Must(t, err)
				if want == "" && len(got.Accepted) != 1 || want != "" && (len(got.Refused) != 1 || got.Refused[0].Code != want) {
					t.Errorf("change %d: %+v, want %q", i, got, want)
				}
			}
		})
	}
}

// The log of a private team is its members'; a change without a body comes as null.
func TestChangesOfASpace(t *testing.T) {
	t.Parallel()
	b := newBench(t, limit.Config{})
	ada, bo := b.AddAgent("ada"), b.AddAgent("bo")
	team := change.ID{4}
	b.AddTeam(team, view.TeamPage{}, view.Member{AgentRef: ada.AgentRef, Role: role.Viewer})
	b.node.kept = []*change.Change{sealed(1), sealed(2)}
	b.node.kept[1].Body = nil
	private := `{"space": "` + string(change.TeamSpace(team)) + `", "since": 5}`
	for what, c := range map[string]struct {
		who  call.Caller
		raw  string
		code reason.Code
	}{
		"anybody, of the commons": {stranger, `{"space": "commons/go", "since": 5}`, ""},
		"a member, of its team":   {accesstest.As(ada.ID), private, ""},
		"another":                 {accesstest.As(bo.ID), private, reason.NotAMember},
		"nobody":                  {stranger, private, reason.AuthRequired},
		"no space":                {stranger, `{"space": "moon"}`, reason.InvalidParam},
	} {
		raw, next, err := b.Changes(t.Context(), c.who, accesstest.Request(t, changes.ChangesForm, c.raw))
		if c.code != "" {
			accesstest.Refused(t, what, err, c.code)
			continue
		}
		r := cbor.NewReader(raw)
		n, _ := r.Array()
		if err != nil || next != 14 || n != 2 || raw[len(raw)-1] != cbor.AppendNull(nil)[0] {
			t.Errorf("%s: %d changes, next %d, %v", what, n, next, err)
		}
	}
}

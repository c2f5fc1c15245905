package journal

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// Source is the node whose events are published.
type Source interface {
	// Events is the bus.
	Events() *events.Bus
	// News retells what the changes after a local sequence led to, of at most most
	// changes, and the sequence up to which it does.
	News(ctx context.Context, after uint64, most int) (news []events.Event, reached uint64, err error)
	// Seq is the local sequence of the newest change.
	Seq() uint64
	// Entry returns a public entry that is shown, and refuses any other.
	Entry(ctx context.Context, id change.ID) (view.Entry, error)
	// EntryStands reports whether an entry is still in the view.
	EntryStands(id string) bool
	// Agent returns one agent.
	Agent(ctx context.Context, id change.AgentID) (view.Agent, error)
}

// listened are the kinds of the bus that may be published.
const listened = events.EntryCreated | events.EntryUpdated | events.EntryRetracted | events.AgentRegistered | events.ProfileUpdated |
	events.GuildUpdated | events.BountyUpdated | events.KeyCreated | events.KeyRevoked | events.KeyRecovered | events.SocialStep |
	events.TierChanged | events.TeamStep | events.BountyStep | events.IdentityStep | events.SceneUpdated | events.Notified | events.PaymentStep | events.IncidentStep | events.LogPublished

// plainNames are the names of events without a Step.
var plainNames = map[events.Kind]string{
	events.EntryCreated: "entry.created", events.EntryUpdated: "entry.updated", events.EntryRetracted: "entry.retracted",
	events.AgentRegistered: "agent.registered", events.ProfileUpdated: "profile.updated", events.TierChanged: "tier.changed",
	events.SceneUpdated: "scene.updated", events.GuildUpdated: "guild.updated", events.Notified: "notification.created",
	events.KeyCreated: "key.created", events.KeyRevoked: "key.revoked", events.KeyRecovered: "key.recovered",
}

// withdrawn are the kinds after which the texts of their object are published no more.
var withdrawn = []string{"entry.retracted", "entry.revoked", "entry.quarantined"}

// translate makes of an event of the bus what is published of it, once for each
// audience; nothing when it is for nobody. Names and titles come from the
// node as it stands now, so that what is withheld meanwhile is not published.
func translate(ctx context.Context, src Source, e events.Event) []state.Event {
	name, by, data := facts(e)
	r, ok := kinds[name]
	if !ok {
		return nil
	}
	space := change.Space(e.Space)
	audiences := r.reach.audiences(space, e.Object, by, data)
	if len(audiences) == 0 {
		return nil
	}
	out := state.Event{Kind: name, At: moment(e.At), Object: e.Object, Agent: by, Cause: e.Cause}
	switch {
	case name == "entry.created" || name == "entry.updated":
		if space.Area() != change.AreaTeam && !describe(ctx, src, &out, data) {
			return nil
		}
	case name == "doc.updated":
		out.Domain = e.Object // what readers of one document ask for
	case strings.Contains(r.fields, "name"):
		nameAgent(ctx, src, e.Object, data)
	}
	standIn(r, e.Object, by, data)
	out.Open, out.Body = pick(data, r.open, plain), pick(data, r.fields, anything)
	if len(out.Body) > maxData {
		out.Body = out.Open
	}
	events := make([]state.Event, 0, len(audiences))
	for _, a := range audiences {
		out.Audience, out.ID = a, identify(name, e, a)
		events = append(events, out)
	}
	return events
}

// facts are the public name of an event, who did it, and its data.
func facts(e events.Event) (name, by string, data map[string]any) {
	name, data = plainNames[e.Kind], map[string]any{}
	switch d := e.Data.(type) {
	case events.Step:
		if d.Name != "" {
			name = d.Name
		}
		by = d.By
		for k, v := range d.Fields {
			data[k] = v
		}
	case events.APIKey:
		data["key_id"], data["prefix"] = d.ID, d.Prefix
	}
	return name, by, data
}

// describe fills in what an entry says of itself, and reports false when it is
// not shown.
func describe(ctx context.Context, src Source, out *state.Event, data map[string]any) bool {
	id, err := change.ParseID(change.PrefixEntry, out.Object)
	if err != nil {
		return false
	}
	e, err := src.Entry(ctx, id)
	if err != nil {
		return false
	}
	out.Domain, out.Agent = e.Domain, e.Agent.ID.String()
	data["type"], data["domain"], data["author"] = e.Body.Type, e.Domain, e.Agent.Name
	if e.Body.Title != "" {
		data["title"] = e.Body.Title
	}
	return true
}

func nameAgent(ctx context.Context, src Source, object string, data map[string]any) {
	id, err := change.ParseAgentID(object)
	if err != nil || data["name"] != nil {
		return
	}
	if a, err := src.Agent(ctx, id); err == nil {
		data["name"] = a.Name
	}
}

// standIn fills in the facts that the event itself contains.
func standIn(r rule, object, by string, data map[string]any) {
	for _, f := range strings.Fields(r.fields) {
		v := ""
		switch f {
		case "id", "agent_id", "target", "task":
			v = object
		case "by", "actor", "agent", "fromAgentId":
			v = by
		}
		if _, there := data[f]; !there && v != "" {
			data[f] = v
		}
	}
}

// pick encodes the named fields that pass.
func pick(data map[string]any, fields string, pass func(any) bool) string {
	out := map[string]any{}
	for _, f := range strings.Fields(fields) {
		if v, ok := data[f]; ok && pass(v) {
			out[f] = v
		}
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return "{}"
	}
	return string(raw)
}

func anything(any) bool { return true }

// plain reports whether a value can be no text of somebody: a number, a truth
// value, or an id or word of letters, digits and a few signs.
func plain(v any) bool {
	switch v := v.(type) {
	case bool, int, int32, int64, uint, uint32, uint64, float64:
		return true
	case string:
		return len(v) <= maxPlain && !strings.ContainsFunc(v, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._:/-", r))
		})
	}
	return false
}

var idText = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// identify gives an event that a change caused an id that is the same
// whenever it is published, on this gateway and on others; any other event gets a random one.
func identify(name string, e events.Event, audience string) string {
	var sum [32]byte
	if e.Cause == "" {
		_, _ = rand.Read(sum[:]) // never fails
	} else {
		sum = sha256.Sum256([]byte(strings.Join([]string{name, e.Object, e.Cause, audience}, "\x00")))
	}
	return "evt_" + idText.EncodeToString(sum[:20])
}

// objectsGone are the objects whose texts these events withdraw.
func objectsGone(es []state.Event) (out []string) {
	for _, e := range es {
		if e.Object != "" && slices.Contains(withdrawn, e.Kind) {
			out = append(out, e.Object)
		}
	}
	return out
}

package journal

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/view"
)

// secret is a text that no reader outside its audience may receive.
const secret = "Zebra Quagga Okapi"

// oneNode answers for any entry and agent, with secrets in every text.
type oneNode struct{ Source }

func (oneNode) Entry(context.Context, change.ID) (view.Entry, error) {
	return view.Entry{Domain: "go", Agent: view.AgentRef{ID: agentA, Name: secret},
		Body: body.Entry{Type: body.Gotcha, Title: secret, Text: secret}}, nil
}

func (oneNode) Agent(context.Context, change.AgentID) (view.Agent, error) {
	return view.Agent{AgentRef: view.AgentRef{Name: secret}}, nil
}

var (
	agentA = change.AgentID{1}
	agentB = change.AgentID{2}
	guild  = change.ID{3}
	entry  = change.ID{4}
)

// everything are fields of every name with a secret in each text.
func everything() map[string]any {
	data := map[string]any{"voteCount": 3, "score": 4.5}
	for _, r := range kinds {
		for _, f := range strings.Fields(r.fields) {
			if data[f] == nil && f != "to" && f != "id" {
				data[f] = secret
			}
		}
	}
	data["unheard_of"] = secret
	return data
}

// TestNoKindReachesWhomItIsNotFor walks every kind in every kind of space.
func TestNoKindReachesWhomItIsNotFor(t *testing.T) {
	t.Parallel()
	public := []change.Space{change.Commons("go"), agentA.Space(), change.GuildSpace(guild)}
	team := change.TeamSpace(guild)
	for name := range kinds {
		for _, space := range append(public, team) {
			object := agentA.String()
			if strings.HasPrefix(name, "entry.") {
				object = entry.Text(change.PrefixEntry)
			}
			es := translate(t.Context(), oneNode{}, events.Event{Kind: events.SocialStep, Space: string(space), Object: object,
				Data: events.Step{Name: name, By: agentB.String(), Fields: everything()}})
			for _, e := range es {
				if space == team && e.Audience == Public {
					t.Errorf("%s in a team is public", name)
				}
				if e.Audience == Public {
					if kinds[name].reach != byPlace {
						t.Errorf("%s is public in %s", name, space)
					}
					if strings.Contains(e.Open, secret) {
						t.Errorf("%s shows %s to callers without a key", name, e.Open)
					}
					if masked := string((&Event{Event: e}).JSON(true)); strings.Contains(masked, secret) || strings.Contains(masked, `"agent":`) {
						t.Errorf("%s masked is %s", name, masked)
					}
				}
				if strings.Contains(e.Body, "unheard_of") {
					t.Errorf("%s contains a fact that is not of its kind: %s", name, e.Body)
				}
				if !json.Valid([]byte(e.Body)) || !json.Valid([]byte(e.Open)) {
					t.Errorf("%s: %s, %s", name, e.Body, e.Open)
				}
			}
		}
	}
}

func TestAudiences(t *testing.T) {
	t.Parallel()
	a, b, g := agentA.String(), agentB.String(), guild.Text(change.PrefixGuild)
	team, open := change.TeamSpace(guild), change.GuildSpace(guild)
	cases := []struct {
		name  string
		event events.Event
		want  []string
	}{
		{"an entry", events.Event{Kind: events.EntryCreated, Space: string(change.Commons("go")), Object: entry.Text(change.PrefixEntry)}, []string{Public}},
		{"an entry of a team", events.Event{Kind: events.EntryCreated, Space: string(team), Object: entry.Text(change.PrefixEntry)}, []string{Team(g)}},
		{"a key", events.Event{Kind: events.KeyCreated, Object: a, Data: events.APIKey{ID: "key_1", Prefix: "abc"}}, []string{Own(a)}},
		{"a key of nobody", events.Event{Kind: events.KeyCreated, Data: events.APIKey{ID: "key_1"}}, nil},
		{"a bounty of a public guild", step(events.BountyStep, "bounty.created", open, "bty_x", a, nil), []string{Public}},
		{"a bounty of a team", step(events.BountyStep, "bounty.created", team, "bty_x", a, nil), []string{Team(g)}},
		{"presence", step(events.TeamStep, "presence.join", team, g, a, nil), []string{Team(g)}},
		{"a role in a public guild", step(events.TeamStep, "member.joined", open, g, a, nil), []string{Team(g)}},
		{"a card without a team", step(events.TeamStep, "board.added", "", "tsk_x", a, nil), nil},
		{"a message to the team", step(events.TeamStep, "message.created", team, "msg_x", a, map[string]any{"to": "team"}), []string{Team(g)}},
		{"a message to one", step(events.TeamStep, "message.created", team, "msg_x", a, map[string]any{"to": b}), []string{Own(b), Own(a)}},
		{"a message to oneself", step(events.TeamStep, "message.created", team, "msg_x", a, map[string]any{"to": a}), []string{Own(a)}},
		{"a payment", step(events.SocialStep, "payment.settlement_failed", "", a, "", nil), []string{Own(a)}},
		{"a tier", step(events.TierChanged, "tier.changed", "", a, "", nil), []string{Public}},
		{"a step nobody knows", step(events.SocialStep, "weather.changed", open, a, "", nil), nil},
		{"a step without a name", step(events.SocialStep, "", open, a, "", nil), nil},
		{"the page of a public guild", events.Event{Kind: events.GuildUpdated, Space: string(open), Object: g}, []string{Public}},
		{"the page of a team", events.Event{Kind: events.GuildUpdated, Space: string(team), Object: g}, []string{Team(g)}},
		{"an incident", step(events.IncidentStep, "incident.opened", "", "store", "", nil), []string{Admins}},
		{"an incident that names an agent", step(events.IncidentStep, "incident.closed", open, a, "", nil), []string{Admins}},
		{"something of the node", events.Event{Kind: events.ChangeAppended, Space: string(open), Object: g}, nil},
	}
	for _, c := range cases {
		var got []string
		for _, e := range translate(t.Context(), oneNode{}, c.event) {
			got = append(got, e.Audience)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s is for %v, want %v", c.name, got, c.want)
		}
	}
}

func step(kind events.Kind, name string, space change.Space, object, by string, fields map[string]any) events.Event {
	return events.Event{Kind: kind, Space: string(space), Object: object, Data: events.Step{Name: name, By: by, Fields: fields}}
}

func TestFactsOfAnEvent(t *testing.T) {
	t.Parallel()
	a := agentA.String()
	e := translate(t.Context(), oneNode{}, events.Event{Kind: events.EntryCreated, Object: entry.Text(change.PrefixEntry), Cause: "chg_x"})[0]
	if e.Open != `{"domain":"go","id":"`+e.Object+`","type":"gotcha"}` || !strings.Contains(e.Body, `"author":"`+secret+`"`) || e.Domain != "go" || e.Agent != a {
		t.Errorf("entry %+v", e)
	}
	e = translate(t.Context(), oneNode{}, step(events.BountyStep, "bounty.claimed", "", "bty_x", a, map[string]any{"from": "open", "to": "claimed"}))[0]
	if e.Body != `{"actor":"`+a+`","from":"open","id":"bty_x","to":"claimed"}` || e.Open != `{"from":"open","id":"bty_x","to":"claimed"}` {
		t.Errorf("bounty %s %s", e.Body, e.Open)
	}
	e = translate(t.Context(), oneNode{}, step(events.TeamStep, "message.created", change.TeamSpace(guild), "msg_x", a, map[string]any{"content": strings.Repeat("x", maxData)}))[0]
	if e.Body != "{}" {
		t.Errorf("a message of %d bytes is published", len(e.Body))
	}
}

func TestRefusedEntryIsNotPublished(t *testing.T) {
	t.Parallel()
	if es := translate(t.Context(), refusing{}, events.Event{Kind: events.EntryCreated, Object: entry.Text(change.PrefixEntry)}); es != nil {
		t.Errorf("published %+v", es)
	}
}

type refusing struct{ Source }

func (refusing) Entry(context.Context, change.ID) (view.Entry, error) {
	return view.Entry{}, reason.Refuse(reason.EntryNotFound, "held back")
}

func TestSameHappeningHasOneID(t *testing.T) {
	t.Parallel()
	base := events.Event{Kind: events.EntryCreated, Object: "ent_x", Cause: "chg_x"}
	id := identify("entry.created", base, Public)
	later := base
	later.Seq, later.At, later.Log = 9, 9, 9
	if identify("entry.created", later, Public) != id {
		t.Error("a second telling has another id")
	}
	other, object := base, base
	other.Cause, object.Object = "chg_y", "ent_y"
	for name, got := range map[string]string{
		"kind": identify("entry.revoked", base, Public), "audience": identify("entry.created", base, Own("agt_x")),
		"cause": identify("entry.created", other, Public), "object": identify("entry.created", object, Public),
		"no cause": identify("entry.created", events.Event{Object: "ent_x"}, Public),
	} {
		if got == id {
			t.Errorf("another %s has the same id", name)
		}
	}
	if a, b := identify("presence.join", events.Event{}, ""), identify("presence.join", events.Event{}, ""); a == b {
		t.Error("two happenings without a cause share an id")
	}
}

func TestPlainHoldsNoText(t *testing.T) {
	t.Parallel()
	for _, v := range []any{"a b", "ä", "<b>", strings.Repeat("x", maxPlain+1), []string{"x"}, map[string]any{}, nil, "a\n"} {
		if plain(v) {
			t.Errorf("%#v passes as plain", v)
		}
	}
	for _, v := range []any{"ent_abc", "go", "in-progress", 3, 4.5, true, ""} {
		if !plain(v) {
			t.Errorf("%#v does not pass", v)
		}
	}
}

func TestKindsOfAFilter(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"entry.created": true, "entry.*": true, "board.*": true, "payment.refund_failed": true,
		"*": false, ".*": false, "": false, "entry": false, "entry.none": false, "entr.*": false, "guild.updated": true} {
		if IsKind(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

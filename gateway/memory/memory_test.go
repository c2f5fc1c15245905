package memory_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/memory"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/zone/bounds"
	"github.com/meshd/meshd/node/view"
)

// node keeps documents by space and name, and zones by team and scene.
type node struct {
	docs  map[string]view.Memory
	zones map[string]view.Zones
}

func (n *node) Memories(_ context.Context, space change.Space) (out []string, _ error) {
	for key := range n.docs {
		if name, ok := strings.CutPrefix(key, string(space)+" "); ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, nil
}

func (n *node) Zones(_ context.Context, guild change.ID, scene string) (view.Zones, error) {
	return n.zones[guild.String()+scene], nil
}

func (n *node) EditZones(_ context.Context, by change.AgentID, guild change.ID, scene string, policy []byte, ifVersion int) (view.Zones, error) {
	now := n.zones[guild.String()+scene]
	if ifVersion >= 0 && ifVersion != now.Version {
		return now, reason.Refuse(reason.VersionConflict, "they have changed")
	}
	n.zones[guild.String()+scene] = view.Zones{Policy: policy, Version: now.Version + 1, By: by}
	return n.zones[guild.String()+scene], nil
}

var _ memory.Node = (*node)(nil)

func (n *node) Memory(_ context.Context, space change.Space, name string) (view.Memory, error) {
	return n.docs[string(space)+" "+name], nil
}

func (n *node) EditMemory(_ context.Context, _ change.AgentID, space change.Space, name string, ifVersion int, set func(map[string]any) ([]doc.Field, error)) (view.Memory, change.ID, error) {
	m := n.docs[string(space)+" "+name]
	if ifVersion >= 0 && ifVersion != m.Version {
		return m, change.ID{}, reason.Refuse(reason.VersionConflict, "it has changed")
	}
	fields, err := set(m.Fields)
	if err != nil {
		return m, change.ID{}, err
	}
	now := map[string]any{}
	for k, v := range m.Fields {
		now[k] = v
	}
	for _, f := range fields {
		now[f.Key] = f.Value
		if text, ok := f.Value.(doc.Text); ok {
			now[f.Key] = string(text)
		}
		if f.Value == nil {
			delete(now, f.Key)
		}
	}
	m.Fields, m.Version = now, m.Version+1
	m.Edits = append(m.Edits, view.MemoryEdit{ID: change.ID{byte(m.Version)}, Actor: [16]byte{1}, Seq: uint64(m.Version), Chunk: []byte("chunk")})
	n.docs[string(space)+" "+name] = m
	return m, change.ID{byte(m.Version)}, nil
}

// town is the scene of every agent.
type town struct{}

func (town) Zones(context.Context, call.Caller, string) (map[string]bounds.Box, error) {
	return map[string]bounds.Box{"square": {Max: bounds.Point{10, 10, 10}}, "lab": {Min: bounds.Point{1, 1, 1}, Max: bounds.Point{2, 2, 2}}}, nil
}

type bench struct {
	*accesstest.Bench
	*memory.Service
	ada, bo *view.Agent
}

func newBench(t testing.TB) *bench {
	b := &bench{Bench: accesstest.New(t)}
	b.Service = memory.New(&node{map[string]view.Memory{}, map[string]view.Zones{}}, b.Access, town{}, b.Pages)
	b.ada, b.bo = b.AddAgent("ada"), b.AddAgent("bo")
	return b
}

func (b *bench) edit(t *testing.T, who call.Caller, id, ops string) (*memory.MemoryReply, error) {
	t.Helper()
	return b.EditMemory(t.Context(), who, id, accesstest.Request(t, memory.MemoryOpsForm, `{"ops": [`+ops+`]}`), -1)
}

// Each type says afterwards what was done to it.
func TestTypesOfADocument(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct{ ops, want string }{
		"a register, the last word": {`{"type": "lww", "key": "n", "value": 1}, {"type": "lww", "key": "n", "value": {"a": [2, "b"]}}`, `{"n":{"a":[2,"b"]}} {} {} {}`},
		"a register deleted":        {`{"type": "lww", "key": "n", "value": 1}, {"type": "lww", "key": "n", "value": null}`, `{} {} {} {}`},
		"a set has each once":       {`{"type": "or-set", "key": "s", "action": "add", "value": "b"}, {"type": "or-set", "key": "s", "action": "add", "value": "a"}, {"type": "or-set", "key": "s", "action": "add", "value": "b"}`, `{} {"s":["a","b"]} {} {}`},
		"and less what is removed":  {`{"type": "or-set", "key": "s", "action": "add", "value": "b"}, {"type": "or-set", "key": "s", "action": "remove", "value": "b"}`, `{} {} {} {}`},
		"a list in its order": {`{"type": "list", "key": "l", "action": "insert", "value": 2}, {"type": "list", "key": "l", "action": "insert", "index": 0, "value": 1},
			{"type": "list", "key": "l", "action": "insert", "value": 3}, {"type": "list", "key": "l", "action": "set", "index": 1, "value": 20}, {"type": "list", "key": "l", "action": "delete", "index": 0}`, `{} {} {"l":[20,3]} {}`},
		"a text by characters": {`{"type": "text", "key": "t", "action": "insert", "text": "größer"}, {"type": "text", "key": "t", "action": "delete", "index": 2, "length": 4},
			{"type": "text", "key": "t", "action": "insert", "index": 0, "text": ">"}`, `{} {} {} {"t":">gr"}`},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			got, err := b.edit(t, accesstest.As(b.ada.ID), b.ada.ID.String()+".notes", c.ops)
			accesstest.Must(t, err)
			s := got.State
			if is := fmt.Sprintf("%s %s %s %s", call.JSONOf(s.Values), call.JSONOf(s.Sets), call.JSONOf(s.Lists), call.JSONOf(s.Texts)); is != c.want {
				t.Errorf("got  %s\nwant %s", is, c.want)
			}
		})
	}
}

// A reader that names what it has gets the edits that it lacks.
func TestReadersGetWhatTheyLack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.ada.ID.String() + ".notes"
	first, err := b.edit(t, accesstest.As(b.ada.ID), id, `{"type": "lww", "key": "n", "value": 1}`)
	accesstest.Must(t, err)
	_, err = b.edit(t, accesstest.As(b.ada.ID), id, `{"type": "lww", "key": "n", "value": 2}`)
	accesstest.Must(t, err)
	for since, want := range map[string]int{"": 2, first.Vector: 1} {
		got, err := b.Memory(t.Context(), accesstest.As(b.bo.ID), id, accesstest.Request(t, memory.MemoryStateForm, `{"since": "`+since+`"}`))
		if err != nil || len(got.Edits) != want || got.Version != 2 {
			t.Errorf("since %q: %+v, %v", since, got, err)
		}
	}
	_, err = b.Memory(t.Context(), accesstest.As(b.bo.ID), id, accesstest.Request(t, memory.MemoryStateForm, `{"since": "12:1"}`))
	accesstest.Refused(t, "a vector that is none", err, reason.InvalidParam)
}

func TestWhoMayReadAndWrite(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	team := change.ID{4}
	b.AddTeam(team, view.TeamPage{}, view.Member{AgentRef: b.ada.AgentRef, Role: role.Member}, view.Member{AgentRef: b.bo.AgentRef, Role: role.Viewer})
	own, shared := b.ada.ID.String()+".notes", team.Text(change.PrefixGuild)+".notes"
	cy := b.AddAgent("cy")
	for what, c := range map[string]struct {
		who         call.Caller
		id          string
		read, write reason.Code
	}{
		"its agent":           {accesstest.As(b.ada.ID), own, "", ""},
		"another agent":       {accesstest.As(b.bo.ID), own, "", reason.NotOwner},
		"nobody":              {call.Caller{}, own, reason.AuthRequired, reason.AuthRequired},
		"a key that reads":    {accesstest.As(b.ada.ID, state.ScopeRead), own, "", reason.ScopeMissing},
		"a member":            {accesstest.As(b.ada.ID), shared, "", ""},
		"a viewer":            {accesstest.As(b.bo.ID), shared, "", reason.Forbidden},
		"who is no member":    {accesstest.As(cy.ID), shared, reason.NotAMember, reason.NotAMember},
		"a document of none":  {accesstest.As(b.ada.ID), "notes", reason.NotFound, reason.NotFound},
		"an agent, no name":   {accesstest.As(b.ada.ID), b.ada.ID.String(), reason.NotFound, reason.NotFound},
		"a team that is gone": {accesstest.As(b.ada.ID), change.ID{5}.Text(change.PrefixGuild) + ".notes", reason.TeamNotFound, reason.TeamNotFound},
	} {
		_, err := b.Memory(t.Context(), c.who, c.id, accesstest.Request(t, memory.MemoryStateForm, `{}`))
		if reason.Of(err) != c.read {
			t.Errorf("%s reads: %v, want %q", what, err, c.read)
		}
		_, err = b.edit(t, c.who, c.id, `{"type": "lww", "key": "n", "value": 1}`)
		if reason.Of(err) != c.write {
			t.Errorf("%s writes: %v, want %q", what, err, c.write)
		}
	}
}

func TestOperationsAreBounded(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	deep := func(n int) string { return strings.Repeat("[", n) + "1" + strings.Repeat("]", n) }
	value := func(v string) string { return `{"type": "lww", "key": "n", "value": ` + v + `}` }
	for ops, want := range map[string]reason.Code{
		value(deep(8)): "",
		value(deep(9)): reason.ValidationFailed,
		value(`"` + strings.Repeat("x", 4096) + `"`): "",
		value(`"` + strings.Repeat("x", 4097) + `"`): reason.ValidationFailed,
		value("1.5"):                         reason.ValidationFailed,
		value(`"` + accesstest.Secret + `"`): reason.SecretDetected,
		value(`{"password": ["` + accesstest.Secret + `"]}`):                                     reason.SecretDetected,
		`{"type": "lww", "key": "` + strings.Repeat("k", 24) + `", "value": 1}`:                  "",
		`{"type": "lww", "key": "` + strings.Repeat("k", 25) + `", "value": 1}`:                  reason.ValidationFailed,
		`{"type": "lww", "key": "a:b", "value": 1}`:                                              reason.ValidationFailed,
		`{"type": "counter", "key": "n"}`:                                                        reason.ValidationFailed,
		`{"type": "list", "key": "l", "action": "delete"}`:                                       reason.ValidationFailed,
		`{"type": "list", "key": "l", "action": "insert", "index": 1, "value": 1}`:               reason.ValidationFailed,
		`{"type": "text", "key": "t", "action": "delete", "index": 0, "length": 1}`:              reason.ValidationFailed,
		`{"type": "lww", "key": "n", "action": "add", "value": 1}`:                               reason.ValidationFailed,
		strings.TrimSuffix(strings.Repeat(`{"type": "lww", "key": "n", "value": 1},`, 100), ","): "",
		"": reason.MissingField,
	} {
		_, err := b.edit(t, accesstest.As(b.ada.ID), b.ada.ID.String()+".notes", ops)
		if reason.Of(err) != want {
			t.Errorf("%.60s: %v, want %q", ops, err, want)
		}
	}
	if _, err := memory.MemoryOpsForm.FromJSON([]byte(`{"ops": [` + strings.Repeat("{},", 100) + `{}]}`)); reason.Of(err) != reason.ValidationFailed {
		t.Errorf("101 operations: %v", err)
	}
}

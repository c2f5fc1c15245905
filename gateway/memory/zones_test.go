package memory_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access/accesstest"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/memory"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/node/view"
)

// village is a team in whose scene each of ada and bo has a zone of its own; cy is an
// admin of the team, dee the founder, eve a viewer and fay no member.
type village struct {
	*bench
	cy, dee, eve, fay *view.Agent
	team              string
}

func newVillage(t testing.TB) *village {
	v := &village{bench: newBench(t)}
	v.cy, v.dee, v.eve, v.fay = v.AddAgent("cy"), v.AddAgent("dee"), v.AddAgent("eve"), v.AddAgent("fay")
	id := change.ID{4}
	v.team = id.Text(change.PrefixGuild)
	v.AddTeam(id, view.TeamPage{}, view.Member{AgentRef: v.ada.AgentRef, Role: role.Member}, view.Member{AgentRef: v.bo.AgentRef, Role: role.Member},
		view.Member{AgentRef: v.cy.AgentRef, Role: role.Admin}, view.Member{AgentRef: v.dee.AgentRef, Role: role.Owner}, view.Member{AgentRef: v.eve.AgentRef, Role: role.Viewer})
	return v
}

func (v *village) doc(name string) string { return v.team + "." + name }

func (v *village) zones(t *testing.T, who *view.Agent, body string) (*memory.ZonesReply, error) {
	t.Helper()
	r, err := memory.ZonesForm.ReadJSON([]byte(body))
	if err != nil {
		return nil, err
	}
	return v.SetZones(t.Context(), accesstest.As(who.ID), v.doc("zone/town"), r, -1)
}

const households = `{"zones": [
	{"id": "square", "bounds": {"min": [0, 0, 0], "max": [10, 10, 10]}, "classification": "public", "default": ["spatial:read", "spatial:write"]},
	{"id": "ada", "bounds": {"min": [1, 0, 1], "max": [2, 2, 2]}, "classification": "restricted", "agents": {"ada": ["spatial:read", "spatial:write"]}, "roles": {"admin": ["spatial:admin"]}},
	{"id": "bo", "bounds": {"min": [2, 0, 1], "max": [3, 2, 2]}, "classification": "sensitive", "agents": {"bo": ["spatial:read", "spatial:write", "spatial:delete"]}, "roles": {"admin": ["spatial:admin"]}}]%s}`

// denied is what would have sufficed, as a zone_denied says it.
func denied(t *testing.T, err error) map[string]any {
	t.Helper()
	var r *reason.Refusal
	if !errors.As(err, &r) || r.Code != reason.ZoneDenied {
		t.Fatalf("not zone_denied: %v", err)
	}
	d, _ := r.Details["denial"].(auth.Denial)
	return d.Required
}

// Each right is of those alone to whom the zone gives it, for documents that are there and
// those that are not alike.
func TestRightsInZones(t *testing.T) {
	t.Parallel()
	v := newVillage(t)
	_, err := v.zones(t, v.cy, fmt.Sprintf(households, ""))
	accesstest.Must(t, err)
	who := map[string]*view.Agent{"ada": v.ada, "bo": v.bo, "cy": v.cy, "dee": v.dee, "eve": v.eve}
	for name, c := range map[string]struct{ reads, writes, deletes string }{
		"zone/town/square":     {"ada bo cy dee eve", "ada bo cy dee", ""},
		"zone/town/square/map": {"ada bo cy dee eve", "ada bo cy dee", ""},
		"zone/town/ada":        {"ada cy", "ada cy", "cy"},
		"zone/town/ada/diary":  {"ada cy", "ada cy", "cy"},
		"zone/town/bo":         {"bo", "bo", "bo"},
		"zone/town":            {"", "", ""}, // where no zone is
		"zone/town/none":       {"", "", ""}, // no such zone
		"zone/other/ada":       {"", "", ""}, // no such scene
		"zone/":                {"", "", ""},
		"zone//ada":            {"", "", ""},
		"zone/town/../bo":      {"", "", ""},
		"zonetown":             {"ada bo cy dee eve", "ada bo cy dee", "ada bo cy dee"}, // in no zone
	} {
		for agent, a := range who {
			c1 := accesstest.As(a.ID)
			want := func(list string) bool { return strings.Contains(list, agent) }
			_, err := v.Memory(t.Context(), c1, v.doc(name), memory.MemoryStateRequest{})
			if (err == nil) != want(c.reads) || err != nil && reason.Of(err) != reason.ZoneDenied {
				t.Errorf("%s reads %s: %v", agent, name, err)
			}
			_, err = v.edit(t, c1, v.doc(name), `{"type": "lww", "key": "n", "value": 1}`)
			if (err == nil) != want(c.writes) || err != nil && reason.Of(err) != reason.ZoneDenied && (agent != "eve" || reason.Of(err) != reason.Forbidden) {
				t.Errorf("%s writes %s: %v", agent, name, err)
			}
			_, err = v.Empty(t.Context(), c1, v.doc(name), -1)
			if (err == nil) != want(c.deletes) {
				t.Errorf("%s deletes %s: %v", agent, name, err)
			}
		}
	}
	_, err = v.Memory(t.Context(), accesstest.As(v.ada.ID), v.doc("zone/town/bo"), memory.MemoryStateRequest{})
	if got := denied(t, err); got["can"] != "spatial/read" || !strings.HasSuffix(fmt.Sprint(got["with"]), "/zone/town/bo") || !strings.HasPrefix(fmt.Sprint(got["with"]), "mesh://") {
		t.Errorf("would have sufficed: %v", got)
	}
	_, err = v.Memory(t.Context(), accesstest.As(v.fay.ID), v.doc("zone/town/square"), memory.MemoryStateRequest{})
	accesstest.Refused(t, "who is no member", err, reason.NotAMember)
}

// Lists leave out what a member may not read, and the zones show each its own part.
func TestZonesAreShownInPart(t *testing.T) {
	t.Parallel()
	v := newVillage(t)
	_, err := v.zones(t, v.cy, fmt.Sprintf(households, ""))
	accesstest.Must(t, err)
	one := `{"type": "lww", "key": "n", "value": 1}`
	for name, a := range map[string]*view.Agent{"zone/town/ada": v.ada, "zone/town/bo/x": v.bo, "plan": v.ada} {
		_, err := v.edit(t, accesstest.As(a.ID), v.doc(name), one)
		accesstest.Must(t, err)
	}
	for agent, c := range map[*view.Agent]struct{ list, zones, full string }{
		v.ada: {"plan zone/town/ada", "ada square", ""}, v.bo: {"plan zone/town/bo/x", "bo square", ""},
		v.cy: {"plan zone/town/ada", "bo ada square", "bo ada square"}, v.eve: {"plan", "square", ""},
	} {
		docs, err := v.List(t.Context(), accesstest.As(agent.ID), accesstest.Request(t, memory.ListForm, `{"of": "`+v.team+`"}`))
		accesstest.Must(t, err)
		var names, zones, full []string
		for _, d := range docs.Documents {
			names = append(names, strings.TrimPrefix(d.Doc, v.team+"."))
		}
		z, err := v.Zones(t.Context(), accesstest.As(agent.ID), v.doc("zone/town"))
		accesstest.Must(t, err)
		for _, one := range z.Zones {
			zones = append(zones, one.ID)
			if one.Agents != nil || one.Default != nil {
				full = append(full, one.ID)
			}
		}
		if strings.Join(names, " ") != c.list || docs.Total != len(names) || strings.Join(zones, " ") != c.zones || strings.Join(full, " ") != c.full {
			t.Errorf("%s: documents %v, zones %v, in full %v", agent.Name, names, zones, full)
		}
	}
	page, err := v.List(t.Context(), accesstest.As(v.ada.ID), accesstest.Request(t, memory.ListForm, `{"of": "`+v.team+`", "limit": 1}`))
	accesstest.Must(t, err)
	next, err := v.List(t.Context(), accesstest.As(v.ada.ID), accesstest.Request(t, memory.ListForm, `{"of": "`+v.team+`", "limit": 1, "cursor": "`+*page.NextCursor+`"}`))
	if err != nil || len(next.Documents) != 1 || next.Documents[0].Zone == nil || *next.Documents[0].Zone != "ada" || next.HasMore {
		t.Errorf("the second page: %+v, %v", next, err)
	}
}

// At a place the smallest zone decides, and in a box all that it touches.
func TestRightsAtAPlace(t *testing.T) {
	t.Parallel()
	v := newVillage(t)
	_, err := v.zones(t, v.cy, fmt.Sprintf(households, `, "outside": ["spatial:read"]`))
	accesstest.Must(t, err)
	for what, c := range map[string]struct {
		who      *view.Agent
		at, to   string
		document string
		rights   string
		code     reason.Code
	}{
		"the square":          {v.ada, "9,0,9", "", "zone/town/square", "[spatial:read spatial:write]", ""},
		"a viewer there":      {v.eve, "9,0,9", "", "zone/town/square", "[spatial:read]", ""},
		"its own zone":        {v.ada, "1.5, 0, 1.5", "", "zone/town/ada", "[spatial:read spatial:write]", ""},
		"another's":           {v.bo, "1.5,0,1.5", "", "", "", reason.ZoneDenied},
		"an admin there":      {v.cy, "1.5,0,1.5", "", "zone/town/ada", "[spatial:read spatial:write spatial:delete spatial:admin]", ""},
		"outside":             {v.ada, "50,0,50", "", "zone/town", "[spatial:read]", ""},
		"a box in the square": {v.ada, "5,0,5", "9,1,9", "-", "[spatial:read spatial:write]", ""},
		"the other way round": {v.ada, "9,1,9", "5,0,5", "-", "[spatial:read spatial:write]", ""},
		"over another's zone": {v.ada, "2.5,0,0", "9,1,9", "", "", reason.ZoneDenied},
		"not a number":        {v.ada, "NaN,0,0", "", "", "", reason.InvalidParam},
		"endless":             {v.ada, "Inf,0,0", "", "", "", reason.InvalidParam},
		"far beyond":          {v.ada, "0,0,0", "1e10,0,0", "", "", reason.InvalidParam},
		"two numbers":         {v.ada, "0,0", "", "", "", reason.InvalidParam},
		"nothing":             {v.ada, "", "", "", "", reason.InvalidParam},
		"no member":           {v.fay, "9,0,9", "", "", "", reason.NotAMember},
	} {
		got, err := v.Spot(t.Context(), accesstest.As(c.who.ID), v.doc("zone/town"), memory.SpotRequest{At: c.at, To: c.to})
		if reason.Of(err) != c.code {
			t.Errorf("%s: %v, want %q", what, err, c.code)
		}
		if err == nil && (fmt.Sprint(got.Rights) != c.rights || c.document != "-" && *got.Document != v.doc(c.document) || c.document == "-" && got.Document != nil) {
			t.Errorf("%s: %+v", what, got)
		}
	}
}

// What is wrong with zones is refused with a code, and nothing is written.
func TestZonesAreChecked(t *testing.T) {
	t.Parallel()
	const box = `"bounds": {"min": [0, 0, 0], "max": [1, 1, 1]}`
	zone := func(more string) string { return `{"zones": [{"id": "lab", "classification": "private"` + more + `}]}` }
	several := func(n int, more string) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`{"id": "z%d", "classification": "private"%s}`, i, more))
		}
		return `{"zones": [` + strings.Join(list, ",") + `]}`
	}
	for what, c := range map[string]struct {
		body string
		code reason.Code
	}{
		"without a place":            {zone(""), ""},
		"with one":                   {zone(", " + box), ""},
		"none at all":                {`{"zones": []}`, ""},
		"one in another":             {`{"zones": [{"id": "a", "classification": "public", "bounds": {"min": [0, 0, 0], "max": [4, 4, 4]}}, {"id": "b", "classification": "public", ` + box + `}]}`, ""},
		"wall to wall":               {`{"zones": [{"id": "a", "classification": "public", "bounds": {"min": [1, 0, 0], "max": [2, 1, 1]}}, {"id": "b", "classification": "public", ` + box + `}]}`, ""},
		"bounds of a scene":          {`{"zones": [{"id": "lab", "classification": "private"}, {"id": "square", "classification": "public"}], "scene": "agt_x"}`, ""},
		"not in the scene":           {`{"zones": [{"id": "attic", "classification": "private"}], "scene": "agt_x"}`, reason.ValidationFailed},
		"no zones":                   {`{}`, reason.MissingField},
		"an unknown member":          {zone(`, "owner": "ada"`), reason.ValidationFailed},
		"a member in capitals":       {zone(`, "Default": []`), reason.ValidationFailed},
		"null":                       {zone(`, "roles": null`), reason.ValidationFailed},
		"boxes that cross":           {`{"zones": [{"id": "a", "classification": "public", "bounds": {"min": [0.5, 0, 0], "max": [2, 1, 1]}}, {"id": "b", "classification": "public", ` + box + `}]}`, reason.ValidationFailed},
		"one box twice":              {`{"zones": [{"id": "a", "classification": "public", ` + box + `}, {"id": "b", "classification": "public", ` + box + `}]}`, reason.ValidationFailed},
		"an id twice":                {`{"zones": [{"id": "a", "classification": "public"}, {"id": "a", "classification": "public"}]}`, reason.ValidationFailed},
		"an id in capitals":          {`{"zones": [{"id": "Lab", "classification": "public"}]}`, reason.ValidationFailed},
		"an id with a slash":         {`{"zones": [{"id": "a/b", "classification": "public"}]}`, reason.ValidationFailed},
		"a long id":                  {`{"zones": [{"id": "` + strings.Repeat("a", 33) + `", "classification": "public"}]}`, reason.ValidationFailed},
		"not a number":               {zone(`, "bounds": {"min": ["NaN", 0, 0], "max": [1, 1, 1]}`), reason.ValidationFailed},
		"the wrong way round":        {zone(`, "bounds": {"min": [2, 0, 0], "max": [1, 1, 1]}`), reason.ValidationFailed},
		"beyond everything":          {zone(`, "bounds": {"min": [0, 0, 0], "max": [1e10, 1, 1]}`), reason.ValidationFailed},
		"an unknown role":            {zone(`, "roles": {"poet": ["spatial:read"]}`), reason.ValidationFailed},
		"an unknown right":           {zone(`, "default": ["spatial:fly"]`), reason.ValidationFailed},
		"an unknown right outside":   {`{"zones": [], "outside": ["spatial:fly"]}`, reason.ValidationFailed},
		"an unknown classification":  {`{"zones": [{"id": "a", "classification": "secret"}]}`, reason.ValidationFailed},
		"who is no member":           {zone(`, "agents": {"fay": ["spatial:read"]}`), reason.AgentNotFound},
		"who is nobody":              {zone(`, "agents": {"zoe": ["spatial:read"]}`), reason.AgentNotFound},
		"as many as may be":          {several(64, ""), ""},
		"one more":                   {several(65, ""), reason.ValidationFailed},
		"larger than what is stored": {several(64, `, "default": ["spatial:read", "spatial:write", "spatial:delete"], "roles": {"member": ["spatial:read"], "viewer": ["spatial:read"], "admin": ["spatial:admin"], "owner": ["spatial:admin"]}`), reason.BodyTooLarge},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			v := newVillage(t)
			_, err := v.zones(t, v.cy, c.body)
			if reason.Of(err) != c.code {
				t.Errorf("%v, want %q", err, c.code)
			}
			if z, err := v.Zones(t.Context(), accesstest.As(v.cy.ID), v.doc("zone/town")); err != nil || (z.Version == 0) != (c.code != "") {
				t.Errorf("afterwards version %d, %v", z.Version, err)
			}
		})
	}
	v := newVillage(t)
	_, err := v.zones(t, v.ada, fmt.Sprintf(households, "")) // a writer makes it its own
	if got := denied(t, err); got["can"] != "spatial/admin" || !strings.HasSuffix(fmt.Sprint(got["with"]), "/zone/town") {
		t.Errorf("would have sufficed: %v", got)
	}
	_, err = v.zones(t, v.eve, `{"zones": []}`)
	denied(t, err)
	_, err = v.zones(t, v.fay, `{"zones": []}`)
	accesstest.Refused(t, "who is no member", err, reason.NotAMember)
	two := `{"zones": [{"id": "lab", "classification": "sensitive", "agents": {"ada": ["spatial:read"], "` + v.ada.ID.String() + `": []}}]}`
	_, err = v.zones(t, v.cy, two)
	accesstest.Refused(t, "an agent by two names", err, reason.ValidationFailed)
	for id, code := range map[string]reason.Code{
		v.ada.ID.String() + ".zone/town": reason.InvalidParam, v.doc("town"): reason.InvalidParam, v.doc("zone/"): reason.InvalidParam, v.doc("zone/town/lab"): reason.InvalidParam,
		v.doc("zone/Town"): reason.InvalidParam, v.doc("zone/" + strings.Repeat("a", 33)): reason.InvalidParam, "town": reason.NotFound,
	} {
		r := accesstest.Request(t, memory.ZonesForm, `{"zones": []}`)
		_, err := v.SetZones(t.Context(), accesstest.As(v.cy.ID), id, r, -1)
		accesstest.Refused(t, id, err, code)
		_, err = v.Zones(t.Context(), accesstest.As(v.cy.ID), id)
		accesstest.Refused(t, id, err, code)
	}
	_, err = v.edit(t, accesstest.As(v.ada.ID), v.ada.ID.String()+".zone/town/lab", `{"type": "lww", "key": "n", "value": 1}`)
	accesstest.Refused(t, "an agent's document that its name says is for some", err, reason.InvalidParam)
}

// A zone that is written again counts at once, and a writer that did not see it is refused.
func TestZonesAreWrittenAgain(t *testing.T) {
	t.Parallel()
	v := newVillage(t)
	first, err := v.zones(t, v.cy, `{"zones": [{"id": "lab", "classification": "private", "default": ["spatial:read"]}]}`)
	accesstest.Must(t, err)
	read := func() error {
		_, err := v.Memory(t.Context(), accesstest.As(v.ada.ID), v.doc("zone/town/lab"), memory.MemoryStateRequest{})
		return err
	}
	accesstest.Must(t, read())
	r := accesstest.Request(t, memory.ZonesForm, `{"zones": [{"id": "lab", "classification": "private"}]}`)
	second, err := v.SetZones(t.Context(), accesstest.As(v.dee.ID), v.doc("zone/town"), r, first.Version)
	if err != nil || second.Version != 2 || *second.UpdatedBy != v.dee.ID.String() {
		t.Errorf("%+v, %v", second, err)
	}
	denied(t, read())
	_, err = v.SetZones(t.Context(), accesstest.As(v.cy.ID), v.doc("zone/town"), r, first.Version)
	accesstest.Refused(t, "who did not see it", err, reason.VersionConflict)
}

// What a tool shows of a long document is bounded, and says what it lacks.
func TestToolsShowWhatFits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.ada.ID.String() + ".long"
	long := strings.Repeat("x", 4000)
	for i := range 3 {
		_, err := b.edit(t, accesstest.As(b.ada.ID), id, fmt.Sprintf(`{"type": "text", "key": "t%d", "action": "insert", "text": %q}, {"type": "lww", "key": "k%d", "value": %d}`, i, long, i, i))
		accesstest.Must(t, err)
	}
	for args, want := range map[string]string{`{}`: "3 2 [t0]", `{"keys": ["t0", "t1", "t2"]}`: "0 3 []"} {
		var got *memory.MemoryReply
		for _, tool := range memory.Tools(b.Service) {
			if tool.Name != "read_document" {
				continue
			}
			raw := strings.Replace(args, "{", `{"doc": "`+id+`",`, 1)
			v, err := tool.Form.FromJSON([]byte(strings.Replace(raw, ",}", "}", 1)))
			accesstest.Must(t, err)
			out, err := tool.Run(t.Context(), &endpoint.Call{Caller: accesstest.As(b.ada.ID), Values: v})
			accesstest.Must(t, err)
			got = out.(*memory.MemoryReply)
		}
		if is := fmt.Sprint(len(got.State.Values), len(got.State.Texts), call.ListOf(got.Left)); is != want {
			t.Errorf("%s: %s, want %s", args, is, want)
		}
	}
}

// FuzzZones: no zones make anything but a policy or a refusal.
func FuzzZones(f *testing.F) {
	f.Add(fmt.Sprintf(households, ""))
	f.Add(`{"zones": [{"id": "a", "bounds": {"min": [0,0,0], "max": [1,1]}}], "outside": ["spatial:read"], "scene": "agt_x"}`)
	f.Fuzz(func(t *testing.T, body string) {
		v := newVillage(t)
		r, err := memory.ZonesForm.ReadJSON([]byte(body))
		if err != nil {
			return
		}
		reply, err := v.SetZones(t.Context(), accesstest.As(v.cy.ID), v.doc("zone/town"), r, -1)
		if err != nil && reason.Of(err) == "" {
			t.Fatal(err)
		}
		if err == nil && reply.Version != 1 {
			t.Fatalf("%+v", reply)
		}
	})
}

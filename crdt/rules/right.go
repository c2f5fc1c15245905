package rules

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan"
)

// caveats are the fields of caveats that a judge understands for one ability,
// each with what its value must be. A field that is not here is not met.
type caveats map[string]func(value any) bool

// grantsRole is met by a caveat that allows to grant the role name; a grant of no
// role has the name "".
func grantsRole(name string) caveats {
	return caveats{role.CaveatRole: func(v any) bool { return slices.Contains(texts(v), name) }}
}

// wellFormed is met by any list of texts under the field: what it restricts is
// judged elsewhere.
func wellFormed(field string) caveats {
	return caveats{field: func(v any) bool { return texts(v) != nil }}
}

// editsDoc is met by a caveat that names the document, whatever its generation.
func editsDoc(name doc.Name) caveats {
	return caveats{role.CaveatDoc: func(v any) bool {
		return slices.ContainsFunc(texts(v), func(pattern string) bool {
			if prefix, all := strings.CutSuffix(pattern, "*"); all && strings.HasSuffix(prefix, "/") {
				return strings.HasPrefix(name.Base(), prefix)
			}
			return name.Base() == pattern
		})
	}}
}

// texts are the items of a list of texts, nil when v is something else.
func texts(v any) []string {
	list, ok := v.([]any)
	if !ok {
		return nil
	}
	out := make([]string, 0, len(list))
	for _, item := range list {
		s, ok := item.(string)
		if !ok {
			return nil
		}
		out = append(out, s)
	}
	return out
}

// allows reports whether the token of g grants an ability for a whole resource,
// under a caveat that is met.
func (g *Grant) allows(resource, ability string, understood caveats) bool {
	for _, c := range g.Token.Caps {
		if !ucan.Contains(c.With, resource) || !ucan.Covers(c.With, c.Can, ability) {
			continue
		}
		for _, caveat := range c.Caveats {
			if understood.met(caveat) {
				return true
			}
		}
	}
	return false
}

func (understood caveats) met(caveat map[string]any) bool {
	for field, value := range caveat {
		if is := understood[field]; is == nil || !is(value) {
			return false
		}
	}
	return true
}

// inTerm refuses a change whose logical time is after the end of g. It reads no
// clock. The beginning needs no look: g is a member, so it is not before that
// itself, and what rests on g comes after g.
func (g *Grant) inTerm(h *change.Head) error {
	if end := g.Token.Expires; end != nil && h.Millis()/1000 > *end {
		return reason.Refuse(reason.CapabilityExpired, "the change lies after the term of the grant %s", g.ID)
	}
	return nil
}

// deviceMay refuses a change of a device's or gateway's key whose grant does not
// give the ability for the agent it writes for. A key of the agent itself may
// everything.
func (w *walk) deviceMay(id Identity, ability string, understood caveats) error {
	if id.Device == nil {
		return nil
	}
	if !id.Device.allows(id.Agent.Space().Resource(w.judge.net), ability, understood) {
		return reason.Refuse(reason.CapabilityMissing, "the grant of this key does not hold %s for its agent", ability)
	}
	return id.Device.inTerm(w.c.Head)
}

// right refuses a change when p, a change in its proof, gives its author's agent
// no right in its guild or team: p is the guild.open by that agent, or a grant to
// one of its keys. With an ability the grant must give it, and with timed be in
// its term.
func (w *walk) right(id Identity, line *Line, p *change.Change, ability string, understood caveats, timed bool) error {
	h := w.c.Head
	guild, _ := h.Space.Guild()
	if other, ok := p.Head.Space.Guild(); !ok || other != guild {
		return reason.Refuse(reason.CapabilityMissing, "proof names a right in another space")
	}
	switch p.Head.Kind {
	case change.KindGuildOpen:
		founder, err := w.judge.Identity(p, w.past)
		if err != nil {
			return err
		}
		if founder.Agent != id.Agent {
			return reason.Refuse(reason.CapabilityMissing, "another agent founded the guild")
		}
		return nil
	case change.KindGrant:
		g, err := w.judge.Grant(p, w.past)
		if err != nil {
			return err
		}
		if !line.Has(g.Audience) {
			return reason.Refuse(reason.WrongAudience, "the grant is for another agent")
		}
		if ability != "" && !g.allows(h.Space.Resource(w.judge.net), ability, understood) {
			return reason.Refuse(reason.CapabilityMissing, "the grant does not hold %s here", ability)
		}
		if timed {
			return g.inTerm(h)
		}
		return nil
	}
	return reason.Refuse(reason.CapabilityMissing, "a %s gives no right", p.Head.Kind)
}

// needsRole reports whether a head needs a role (wire §9).
func needsRole(h *change.Head) bool {
	switch h.Space.Area() {
	case change.AreaTeam:
		return true
	case change.AreaGuild:
		switch h.Kind {
		case change.KindGrant, change.KindEntryPut, change.KindDocEdit, change.KindBountyOpen:
			return true
		}
	}
	return false
}

// hasRole refuses a change that needs a role when proof[1] does not give it.
func (w *walk) hasRole(id Identity, ability string, understood caveats, timed bool) error {
	h := w.c.Head
	if !needsRole(h) {
		return nil
	}
	if len(w.proof) < 2 {
		return reason.Refuse(reason.CapabilityMissing, "%s in %s needs a role", h.Kind, h.Space)
	}
	line, err := w.judge.lineOf(id, w.past)
	if err != nil {
		return err
	}
	return w.right(id, line, w.proof[1], ability, understood, timed)
}

// Row runs the row of a content kind over c's body, and for an edit whether the
// grants in its proof reach the document that the body names. c is a member of
// which only the body is in question, past contains what its proof names.
func (j *Judge) Row(c *change.Change, past Past) error {
	if err := Row(c); err != nil || c.Head.Kind != change.KindDocEdit {
		return err
	}
	for i, id := range c.Head.Proof {
		if i > 1 || i == 1 && !needsRole(c.Head) {
			break
		}
		p, err := member(past, id)
		if err != nil {
			return err
		}
		if p.Head.Kind != change.KindGrant {
			continue
		}
		g, err := j.Grant(p, past)
		if err != nil {
			return err
		}
		edit, err := ParseEdit(c)
		if err != nil {
			return err
		}
		resource := c.Head.Space.Resource(j.net)
		if i == 0 {
			resource = g.Space.Resource(j.net)
		}
		if !g.allows(resource, ucan.DocEdit, editsDoc(edit.Doc)) {
			return reason.Refuse(reason.CapabilityMissing, "the grant does not reach the document %s", edit.Doc)
		}
	}
	return nil
}

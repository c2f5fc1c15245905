package artefact

import (
	"cmp"

	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// Action is a function or a handler of a source that somebody outside may call.
type Action struct {
	Owner   string // as the program names it
	Label   string // of the owner, for people; empty for the scene
	Name    string // of the function in the program
	Code    scene.Code
	Handler bool
	Event   string // of a handler
}

// Title is the action with its owner, for people.
func (a *Action) Title() string {
	if a.Label == "" {
		return a.Name
	}
	return a.Label + "." + a.Name
}

// Note is what the author wrote of the action.
func (a *Action) Note() string { return Comment(a.Code.File, a.Code.Node) }

// OwnerID is the i-th owner of a behaviour as the program names it.
func OwnerID(i int, o *scene.Owner) string {
	if o.Node == "" && i > 0 {
		return "module:" + o.Name
	}
	return cmp.Or(o.Node, run.SceneOwner)
}

// Actions are those of a scene in their order; those of prototypes, which nobody
// can call, are none.
func Actions(s *scene.Scene) []Action {
	var out []Action
	if s.Behaviour == nil {
		return nil
	}
	for i := range s.Behaviour.Owners {
		o := &s.Behaviour.Owners[i]
		if o.Prototype != "" {
			continue
		}
		id, label := OwnerID(i, o), o.Name
		for _, f := range o.Functions {
			out = append(out, Action{Owner: id, Label: label, Name: f.Name, Code: f})
		}
		for _, h := range o.Handlers {
			if h.From == nil {
				event := trait.FoldKey(h.Name)
				out = append(out, Action{Owner: id, Label: label, Name: "on " + event, Code: h, Handler: true, Event: event})
			}
		}
	}
	return out
}

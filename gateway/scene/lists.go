package scene

import (
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/encode"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/trait"
)

// TargetsToolRequest asks for all targets or for one in full.
type TargetsToolRequest struct {
	call.Request
	Target string `field:"target"`
	Inline bool   `field:"inline"`
}

// TargetsToolForm reads a TargetsToolRequest.
var TargetsToolForm = call.Define[TargetsToolRequest](call.Form{
	{Name: "target", Max: maxChoice, Help: "Id or alias of one target, to have it with its options and features."},
	InlineField})

// TargetsShown lists targets for a model.
type TargetsShown struct {
	Targets    []TargetBrief    `json:"targets"`
	Full       []*target.Target `json:"full,omitempty" doc:"with options and features: the one that was asked for, or all with inline"`
	Categories []string         `json:"categories"`
	Count      int              `json:"count"`
	URI        string           `json:"uri" doc:"where all are with their options and features"`
}

// TargetBrief is a target in a list.
type TargetBrief struct {
	ID       string   `json:"id"`
	Aliases  []string `json:"aliases"`
	Category string   `json:"category"`
	Files    []string `json:"files"`
	Status   string   `json:"status" enum:"stable,preview"`
	Verified string   `json:"verified" enum:"engine,validator,syntax,none"`
}

// TargetOf is the target of an id or an alias.
func TargetOf(name string) (*target.Target, error) {
	t, ok := target.Find(name)
	if !ok {
		near, _ := target.Nearest(name)
		return nil, compileRefusal(&target.UnknownTarget{Name: name, Nearest: near, Planned: target.Planned(name)})
	}
	return t, nil
}

// targetsShown is the list of targets as a result has room for it.
func (s *Service) targetsShown(r TargetsToolRequest) (*TargetsShown, error) {
	all := s.Targets()
	out := &TargetsShown{Targets: []TargetBrief{}, Categories: all.Categories, Count: all.Count, URI: TargetsURI}
	if r.Inline {
		out.Full = all.Targets
	}
	if r.Target != "" {
		t, err := TargetOf(r.Target)
		if err != nil {
			return nil, err
		}
		all.Targets, out.Full = []*target.Target{t}, []*target.Target{t}
	}
	for _, t := range all.Targets {
		out.Targets = append(out.Targets, TargetBrief{t.ID, t.Aliases, t.Category, t.Files, t.Status, t.Verified.Level})
	}
	out.Count = len(out.Targets)
	return out, nil
}

// TraitsToolRequest is a TraitsRequest of a model.
type TraitsToolRequest struct {
	TraitsRequest
	Inline bool `field:"inline"`
}

// TraitsToolForm reads a TraitsToolRequest.
var TraitsToolForm = call.Define[TraitsToolRequest](endpoint.Fields(TraitsForm.Form, call.Form{InlineField}))

// TraitsShown lists traits for a model: in full, with their summaries, or by their names,
// whatever a result has room for.
type TraitsShown struct {
	TraitsReply
	Names map[string][]string `json:"names,omitempty" doc:"names by category, where the list is too long for here; explain_trait describes one"`
	URI   string              `json:"uri" doc:"where all are with their parameters"`
}

// traitBrief is a trait without its parameters.
type traitBrief struct {
	Name     string `json:"name"`
	Category string `json:"category"`
	Summary  string `json:"summary"`
}

func (s *Service) traitsShown(r TraitsToolRequest) (*TraitsShown, error) {
	all, err := s.Traits(r.TraitsRequest)
	if err != nil {
		return nil, err
	}
	out := &TraitsShown{TraitsReply: *all, URI: TraitsURI}
	if r.Inline || size(out) <= maxResult {
		return out, nil
	}
	list, whole := all.List.([]trait.Brief)
	if !whole {
		list, _ = all.Traits.([]trait.Brief)
	}
	brief := []traitBrief{}
	names := map[string][]string{}
	for _, t := range list {
		brief = append(brief, traitBrief{t.Name, t.Category, t.Summary})
		names[t.Category] = append(names[t.Category], t.Name)
	}
	set := func(v any) {
		if whole {
			out.List = v
		} else {
			out.Traits = v
		}
	}
	if set(brief); size(out) > maxResult {
		set(nil)
		out.Names = names
	}
	return out, nil
}

// Catalogue is everything about traits or targets, as the endpoints give it.
func (s *Service) Catalogue(uri string) (Made, error) {
	var v any = s.Targets()
	if uri == TraitsURI {
		all, err := s.Traits(TraitsRequest{})
		if err != nil {
			return Made{}, err
		}
		v = all
	} else if uri != TargetsURI {
		return Made{}, reason.Refuse(reason.NotFound, "no such list")
	}
	raw, err := encode.JSON(v)
	return Made{Data: raw, MediaType: jsonType}, err
}

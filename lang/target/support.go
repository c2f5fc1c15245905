package target

import (
	"slices"

	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// Support is what a target makes of a trait, by the tables that its compiles read.
type Support struct {
	Target   string `json:"target"`
	Level    string `json:"level" enum:"full,partial,data,beside,unstated" doc:"data: kept as data where data can be kept; beside: outside of the target's purpose, nothing is reported; unstated: its capabilities have no column in the matrix"`
	Verified string `json:"verified" doc:"engine, validator, syntax or none: by what the target is proven"`
	Parts    []Part `json:"parts,omitempty" doc:"what is not carried in full"`
}

// Part is a capability of a trait that a target does not carry in full.
type Part struct {
	Feature string `json:"feature" doc:"column of the feature matrix"`
	Level   string `json:"level" enum:"P,X,-" doc:"P: approximated, X: data, -: outside of the target's purpose"`
	Code    string `json:"code,omitempty" doc:"the diagnostic that a compile reports"`
	Reason  string `json:"reason,omitempty"`
}

// The levels of Support.
const (
	Full     = "full"
	Partial  = "partial"
	onlyData = "data"
	beside   = "beside"
	unstated = "unstated"
)

// SupportOf is what every target makes of a trait.
func SupportOf(e trait.Explanation) []Support {
	out := make([]Support, 0, len(All()))
	for _, t := range All() {
		level, parts := t.support(e)
		out = append(out, Support{t.ID, level, t.Verified.Level, parts})
	}
	return out
}

func (t *Target) support(e trait.Explanation) (string, []Part) {
	if t.takes(e.Name) {
		return Full, nil
	}
	if !e.Core {
		if t.Features.Whole() {
			return Full, nil
		}
		return onlyData, []Part{{"traits", string(artefact.None), "TGT002", artefact.DataOnly}}
	}
	var parts []Part
	count := map[artefact.Level]int{}
	for _, c := range e.Lowers {
		f, ok := artefact.Column(c)
		if !ok {
			continue
		}
		level := t.Features[f]
		count[level]++
		if level == artefact.Full {
			continue
		}
		code, reason := artefact.Verdict(f, t.Features, t.how)
		if level == artefact.Part && code == "" {
			reason = "what is left out is reported where it happens"
		}
		if p := (Part{string(f), string(level), code, reason}); !slices.Contains(parts, p) {
			parts = append(parts, p)
		}
	}
	switch {
	case len(count) == 0:
		return unstated, nil
	case len(parts) == 0:
		return Full, nil
	case count[artefact.Full]+count[artefact.Part] > 0:
		return Partial, parts
	case count[artefact.None] > 0:
		return onlyData, parts
	}
	return beside, parts
}

// takes says whether a target carries a trait for which no feature stands.
func (t *Target) takes(name string) bool {
	return slices.Contains(t.carries, name) || t.spawns && name == "spawnable"
}

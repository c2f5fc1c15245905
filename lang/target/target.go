// Package target is the registry of what a source can be compiled to, and the
// one way to do it: Compile takes a parsed source through the semantic model to
// the files of an artefact.
//
// Compiling is a pure function of the sources, the target, its options and the
// version of the compiler: the same input gives the same bytes on every machine.
// What a target cannot carry is never left out in silence: it is a Loss with its
// nodes and lines.
package target

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/meshd/meshd/lang/estimate"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// Target is an entry of the registry.
type Target struct {
	ID            string          `json:"id"`
	Name          string          `json:"name"` // the id
	Aliases       []string        `json:"aliases"`
	Category      string          `json:"category"`
	Wave          int             `json:"wave"`
	Status        string          `json:"status"` // stable, preview
	MediaType     string          `json:"media_type"`
	Files         []string        `json:"files"`
	Axes          string          `json:"axes,omitempty"`
	Unit          string          `json:"unit,omitempty"`
	SelfContained bool            `json:"self_contained"`
	Deployable    bool            `json:"deployable"`
	Verified      Verified        `json:"verified"`
	Features      artefact.Matrix `json:"features"`
	OptionsSchema Schema          `json:"options_schema"`

	platforms []string
	options   []option
	how       map[artefact.Feature]string
	carries   []string              // traits that stand for no feature and are more than data here
	bounds    map[string][2]float64 // of number options
	meshes    estimate.Meshes       // what it makes of solids; the zero value counts all that could be made
	spawns    bool                  // its artefacts make nodes while they run
	emit      func(*artefact.Input) (*artefact.Output, error)
}

// Verified says how far a target is proven, and by which tool. The run of
// scripts/validate that last passed wrote it.
type Verified struct {
	Level   string `json:"level"` // engine, validator, syntax, none
	Tool    string `json:"tool,omitempty"`
	Version string `json:"version,omitempty"`
}

// Unproven is the level of a target that no tool has looked at.
const Unproven = "none"

// stable says whether the proof is enough for a stable target.
func (v Verified) stable() bool { return v.Level == "engine" || v.Level == "validator" }

// All are the targets that are built, by wave and then in the order of the
// specification.
var All = sync.OnceValue(func() []*Target {
	proofs := readProofs()
	list := table()
	for _, t := range list {
		t.Name = t.ID
		t.meshes = meshUse[t.ID]
		t.Verified = proofs[t.ID]
		if t.Verified.Level == "" {
			t.Verified.Level = Unproven
		}
		t.Status = "preview"
		if t.Verified.stable() {
			t.Status = "stable"
		}
		if t.Aliases == nil {
			t.Aliases = []string{}
		}
		t.options = append(t.options, common...)
		t.OptionsSchema = schema(t.options)
		for name, b := range t.bounds {
			p := t.OptionsSchema.Properties[name]
			p.Minimum, p.Maximum = &b[0], &b[1]
			t.OptionsSchema.Properties[name] = p
		}
	}
	return list
})

// reserved are the ids that are known by name only.
var reserved = []string{
	"nextjs-api", "docker", "markdown", "tsl", "scm", "openxr-spatial-entities", "ngsi-ld", "model-viewer",
}

// Find is the target of an id or an alias, in any case and with _ for -.
func Find(name string) (*Target, bool) {
	key := fold(name)
	for _, t := range All() {
		if t.ID == key || slices.Contains(t.Aliases, key) {
			return t, true
		}
	}
	return nil, false
}

func fold(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "-") }

// Planned says whether a name is a target that is known and not built.
func Planned(name string) bool {
	key := fold(name)
	if _, built := Find(key); built {
		return false
	}
	return slices.Contains(reserved, key)
}

// Known says whether a word names a target, one that is planned too.
func Known(word string) bool {
	_, ok := Find(word)
	return ok || Planned(word)
}

// IDs are the ids of all targets.
func IDs() []string {
	var out []string
	for _, t := range All() {
		out = append(out, t.ID)
	}
	return out
}

// Nearest is the id or alias that a misspelt name most likely means.
func Nearest(name string) (string, bool) {
	var names []string
	for _, t := range All() {
		names = append(append(names, t.ID), t.Aliases...)
	}
	return trait.Nearest(name, names)
}

// Categories are the categories of the targets, in the order of the registry.
func Categories() []string {
	var out []string
	for _, t := range All() {
		if !slices.Contains(out, t.Category) {
			out = append(out, t.Category)
		}
	}
	return out
}

// readProofs reads the file that scripts/validate writes.
func readProofs() map[string]Verified {
	out := map[string]Verified{}
	d := json.NewDecoder(bytes.NewReader(proofs))
	if err := d.Decode(&out); err != nil {
		panic("target: verified.json: " + err.Error()) // a test reads it in every build
	}
	return out
}

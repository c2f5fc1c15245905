package twin

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/trait"
)

// MaxText is the most signs of a text of a shell's description.
const MaxText = 1000

// AAS makes environment.json: an Asset Administration Shell (3.0) for every
// thing, with submodels for its state, for its readings, and for what it can do:
// functions as operations, events as capabilities.
func AAS(in *artefact.Input) (*artefact.Output, error) {
	things, err := build(in)
	if err != nil {
		return nil, err
	}
	w := &aas{in: in, tally: artefact.NewTally(in)}
	env := environment{}
	out := &artefact.Output{}
	for i, t := range things {
		shell, submodels := w.shell(t)
		env.Shells = append(env.Shells, shell)
		env.Submodels = append(env.Submodels, submodels...)
		if t.node != nil {
			out.Places = append(out.Places, artefact.Place{ID: t.node.ID, Place: "/assetAdministrationShells/" + strconv.Itoa(i)})
		}
	}
	raw, err := artefact.JSON(env)
	if err != nil {
		return nil, err
	}
	out.Files = []artefact.File{{Path: "environment.json", MediaType: "application/json", Data: raw}}
	out.Losses = w.tally.All()
	return out, nil
}

type environment struct {
	Shells    []element `json:"assetAdministrationShells"`
	Submodels []element `json:"submodels,omitempty"`
}

// element is anything of the metamodel that is written here.
type element struct {
	ModelType   string      `json:"modelType"`
	ID          string      `json:"id,omitempty"`
	IDShort     string      `json:"idShort,omitempty"`
	Extensions  []extension `json:"extensions,omitempty"`
	Description []langText  `json:"description,omitempty"`
	Asset       *asset      `json:"assetInformation,omitempty"`
	Submodels   []reference `json:"submodels,omitempty"`
	Elements    []element   `json:"submodelElements,omitempty"`
	ListOf      string      `json:"typeValueListElement,omitempty"`
	ListType    string      `json:"valueTypeListElement,omitempty"`
	ValueType   string      `json:"valueType,omitempty"`
	Value       any         `json:"value,omitempty"`
	Inputs      []variable  `json:"inputVariables,omitempty"`
	Outputs     []variable  `json:"outputVariables,omitempty"`
}

type extension struct {
	Name      string `json:"name"`
	ValueType string `json:"valueType"`
	Value     string `json:"value"`
}

type langText struct {
	Language string `json:"language"`
	Text     string `json:"text"`
}

type asset struct {
	Kind string `json:"assetKind"`
	ID   string `json:"globalAssetId"`
}

type reference struct {
	Type string `json:"type"`
	Keys []key  `json:"keys"`
}

type key struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

type variable struct {
	Value element `json:"value"`
}

type aas struct {
	in    *artefact.Input
	tally *artefact.Tally
	node  *scene.Node
}

func (w *aas) shell(t thing) (element, []element) {
	w.node = t.node
	id := "urn:meshd:twin:" + plain(cmp.Or(w.in.Scene.Name, "scene"), maxName) + ":" + t.id
	name := t.title
	if t.node != nil {
		name = t.node.Path
	}
	shell := element{
		ModelType: "AssetAdministrationShell", ID: id, IDShort: plain(name, maxName),
		Extensions:  []extension{{"generated", "xs:string", w.in.Header()}, {"source", "xs:string", short(t.source, MaxText)}},
		Description: []langText{{"en", cmp.Or(short(t.title, MaxText), "thing")}}, Asset: &asset{"Instance", id + ":asset"},
	}
	var submodels []element
	add := func(kind string, elements []element) {
		if len(elements) == 0 {
			return
		}
		m := element{ModelType: "Submodel", ID: id + ":" + strings.ToLower(kind), IDShort: kind, Elements: elements}
		shell.Submodels = append(shell.Submodels, reference{"ModelReference", []key{{"Submodel", m.ID}}})
		submodels = append(submodels, m)
	}
	add("State", w.elements(t.properties))
	add("Readings", w.elements(t.readings))
	taken := names{}
	var does []element
	for _, a := range t.actions {
		op := element{ModelType: "Operation", IDShort: taken.name(a.name), Description: described(cmp.Or(a.about, a.note))}
		for _, p := range w.elements(a.params) {
			op.Inputs = append(op.Inputs, variable{p})
		}
		if a.result != nil {
			op.Outputs = []variable{{w.element("result", *a.result, scene.Value{})}}
		}
		does = append(does, op)
	}
	for _, e := range t.events {
		does = append(does, element{ModelType: "Capability", IDShort: taken.name(e.name), Description: described("event " + e.name)})
	}
	add("Capabilities", does)
	return shell, submodels
}

func described(note string) []langText {
	if note = short(note, MaxText); strings.TrimSpace(note) == "" {
		return nil
	}
	return []langText{{"en", note}}
}

func (w *aas) elements(list []property) []element {
	taken := names{}
	var out []element
	for _, p := range list {
		e := w.element(taken.name(p.name), p.kind, p.value)
		e.Description = described(p.note)
		out = append(out, e)
	}
	return out
}

var aasTypes = map[string]string{"bool": "xs:boolean", "number": "xs:double", "text": "xs:string"}

// element is a value of a kind; the empty name is for what stands in a list.
func (w *aas) element(name string, k kind, v scene.Value) element {
	switch {
	case k.of == "list" && k.elem != nil && aasTypes[k.elem.of] != "":
		e := element{ModelType: "SubmodelElementList", IDShort: name, ListOf: "Property", ListType: aasTypes[k.elem.of]}
		var items []element
		for _, x := range v.List {
			items = append(items, w.element("", *k.elem, x))
		}
		if items != nil {
			e.Value = items
		}
		return e
	case k.of == "object" && len(k.fields) > 0:
		e := element{ModelType: "SubmodelElementCollection", IDShort: name}
		if fields := w.elements(k.fields); fields != nil {
			e.Value = fields
		}
		return e
	}
	kind := aasTypes[k.of]
	if kind == "" {
		w.tally.Approximate(artefact.Behaviour, w.node, "values that are neither plain, nor lists or objects of plain ones, are described as text")
		kind = "xs:string"
	}
	e := element{ModelType: "Property", IDShort: name, ValueType: kind}
	if s, ok := lexical(v); ok {
		e.Value = s
	}
	return e
}

// lexical is a plain value as XML Schema writes it.
func lexical(v scene.Value) (string, bool) {
	switch v.Kind {
	case trait.Bool:
		return strconv.FormatBool(v.Bool), true
	case trait.Number:
		return strconv.FormatFloat(v.Num, 'g', -1, 64), true
	case trait.Text, trait.Word, trait.Color:
		return artefact.OneLine(v.Str), true
	}
	return "", false
}

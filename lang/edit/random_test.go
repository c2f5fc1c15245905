package edit

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/module"
	"github.com/meshd/meshd/lang/parse"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// examples are the sources of the project as an editor has them open.
func examples(t testing.TB) map[string]Source {
	t.Helper()
	const root = "../../examples"
	project, _, err := module.Open(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]Source{}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		format, ok := ast.FormatOf(e.Name())
		if !ok {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(root, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		src := Source{Path: e.Name(), Text: token.Decode(e.Name(), raw).Text, Format: format}
		src.Check.Project = project
		f, _ := parse.File(e.Name(), raw, format)
		for _, it := range f.Items() {
			if im, ok := it.(*ast.Import); ok {
				if from, ok := im.Source.(*ast.String); ok {
					if name, _, problem := project.Resolve(e.Name(), from.Value()); problem == nil {
						if m, err := project.Read(name); err == nil && m.Tree != nil {
							src.More = append(src.More, m.Tree)
						}
					}
				}
			}
		}
		out[e.Name()] = src
	}
	if len(out) < 20 {
		t.Fatalf("there are %d examples", len(out))
	}
	return out
}

func model(src Source, text string) *scene.Scene {
	f, _ := parse.File(src.Path, []byte(text), src.Format)
	s, _ := scene.Build(f, src.More, scene.Options{Everywhere: true}) // what is for one platform is edited too
	return s
}

func errorsIn(src Source, text string) (n int) {
	_, found := parse.File(src.Path, []byte(text), src.Format)
	for _, d := range found {
		if d.Severity == diag.Error {
			n++
		}
	}
	return n
}

// pick makes a random operation on a scene.
func pick(r *rand.Rand, src Source, m *scene.Scene) Op {
	node := func() string {
		if len(m.Nodes) == 0 {
			return "nobody"
		}
		n := &m.Nodes[r.IntN(len(m.Nodes))]
		if r.IntN(2) == 0 {
			return n.ID
		}
		return n.Path
	}
	keys := []string{"position", "color", "scale", "material.roughness", "material", "label", "geometry", "position.y", "rotation", "size", "emissiveIntensity", "state.n", "intensity", "visible", "physics.mass"}
	values := []trait.Value{text("red"), {Kind: trait.Number, Num: 2.5}, {Kind: trait.Bool, Bool: true}, exprValue("[1, -2.5, 1e3]"), text("say \"it\"\nback\\slash"),
		{Kind: trait.Map, Fields: []trait.Field{{Key: "a b", Value: text("x")}, {Key: "n", Value: trait.Value{Kind: trait.Number, Num: -1}}}}, exprValue("() => { emit(\"x\") }")}
	names := []string{"Alpha", "Beta gamma", "Öl", "if", "x1", "a/b", "Lamp"}
	traits := []string{"grabbable", "physics", "glowing", "clickable", "unheard_of", "spinning", "audio"}
	one := func(list []string) string { return list[r.IntN(len(list))] }
	at := func() *int {
		if r.IntN(2) == 0 {
			return nil
		}
		k := r.IntN(4)
		return &k
	}
	origin := ""
	if r.IntN(8) == 0 {
		origin = "template"
	}
	switch name := Names()[r.IntN(len(Names()))]; name {
	case "set":
		return Op{Op: name, Node: node(), Key: one(keys), Value: values[r.IntN(len(values))], Origin: origin}
	case "unset":
		return Op{Op: name, Node: node(), Key: one(keys), Origin: origin}
	case "add":
		op := Op{Op: name, Kind: "object", Name: one(names), At: at(), Properties: []trait.Field{{Key: "geometry", Value: text("box")}, {Key: "position", Value: exprValue("[0, 1, 0]")}}}
		if r.IntN(3) > 0 {
			op.Parent = node()
		}
		if r.IntN(2) == 0 {
			op.Traits = []Trait{{Name: one(traits)}}
		}
		return op
	case "delete":
		return Op{Op: name, Node: node()}
	case "move":
		op := Op{Op: name, Node: node(), At: at(), KeepWorld: r.IntN(2) == 0}
		if r.IntN(3) > 0 {
			op.Parent = node()
		}
		return op
	case "rename":
		return Op{Op: name, Node: node(), Name: one(names)}
	case "duplicate":
		return Op{Op: name, Node: node(), Name: one(append(names, "")), Shift: [3]float64{1, 0, float64(r.IntN(2))}}
	case "trait_add":
		op := Op{Op: name, Node: node(), Trait: one(traits), Origin: origin}
		if r.IntN(2) == 0 {
			op.Param, op.Value = "mass", values[1]
		}
		return op
	case "trait_set":
		return Op{Op: name, Node: node(), Trait: one(traits), Param: one([]string{"mass", "intensity", "color"}), Value: values[r.IntN(2)], Origin: origin}
	case "trait_remove":
		return Op{Op: name, Node: node(), Trait: one(traits), Origin: origin}
	case "env_set":
		return Op{Op: name, Key: one([]string{"skybox", "fog.density", "ambient_light", "gravity", "exposure"}), Value: values[r.IntN(2)]}
	}
	from := r.IntN(len(src.Text) + 1)
	for from < len(src.Text) && !onRune(src.Text, from) {
		from++
	}
	return Op{Op: "text", Offset: from, EndOffset: from, Text: one([]string{" ", "// x\n", "\n"}), BaseSHA256: Hash(src.Text)}
}

// A thousand random operations on every example: the result parses, the lines
// that no edit touches are the same, other nodes are as they were, what was asked
// is in the model, and the inverse restores the bytes.
func TestRandomOperations(t *testing.T) {
	total := *operations
	for name, src := range examples(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, uint64(len(src.Text))))
			original := src.Text
			done := map[string]int{}
			for i := range total {
				before := model(src, src.Text)
				op := pick(r, src, before)
				got, err := Apply(src, []Op{op})
				if err != nil {
					var refusal *Refusal
					if !errors.As(err, &refusal) || refusal.Message == "" {
						t.Fatalf("operation %d %s: %v", i, show(op), err)
					}
					if refusal.Code == Unreadable {
						t.Fatalf("operation %d %s: %v\n%s", i, show(op), err, src.Text)
					}
					continue
				}
				done[op.Op]++
				if fault := judge(src, before, op, got); fault != "" {
					t.Fatalf("operation %d %s: %s\n%s\nin\n%s", i, show(op), fault, difference(src.Text, got.Text), src.Text)
				}
				if op.Op != "text" { // which may do damage
					src.Text = got.Text
				}
				if i%25 == 24 || len(src.Text) > 2*len(original)+2000 {
					src.Text = original
				}
			}
			f, _ := parse.File(src.Path, []byte(original), src.Format)
			if len(before(src, original).Nodes) > 0 && !f.IsValueDocument {
				for _, op := range []string{"set", "add", "rename", "duplicate", "trait_add", "move"} {
					if done[op] == 0 && total >= 1000 {
						t.Errorf("no %s was done: %v", op, done)
					}
				}
			}
		})
	}
}

// operations is how many operations each example gets; the specification requires
// for 1,000, which take minutes.
var operations = flag.Int("operations", 40, "operations of each example")

func before(src Source, text string) *scene.Scene { return model(src, text) }

func show(op Op) string {
	b, _ := op.MarshalJSON()
	return string(b)
}

// judge says what is wrong with the result of an operation.
func judge(src Source, before *scene.Scene, op Op, got *Result) string {
	if Patch(src.Text, got.Edits) != got.Text {
		return "the edits do not make the text"
	}
	for i, e := range got.Edits {
		if e.Offset > e.EndOffset || i > 0 && e.Offset < got.Edits[i-1].EndOffset {
			return "the edits overlap"
		}
	}
	changed := src
	changed.Text = got.Text
	back, err := Apply(changed, got.Inverse)
	if err != nil || back.Text != src.Text {
		return fmt.Sprintf("the inverse does not restore the text: %v", err)
	}
	if op.Op == "text" {
		return ""
	}
	if errorsIn(src, got.Text) > errorsIn(src, src.Text) {
		return "the result does not parse"
	}
	after := model(src, got.Text)
	if op.Origin == "" {
		if fault := others(before, after, op); fault != "" {
			return fault
		}
	}
	return effect(src, before, after, op)
}

func byPath(s *scene.Scene, path string) *scene.Node {
	for i := range s.Nodes {
		if s.Nodes[i].Path == path || s.Nodes[i].ID == path {
			return &s.Nodes[i]
		}
	}
	return nil
}

// others compares the nodes that an operation does not mean.
func others(before, after *scene.Scene, op Op) string {
	target := byPath(before, op.Node)
	for i := range before.Nodes {
		b := &before.Nodes[i]
		if strings.Contains(b.Path, "~") || strings.Contains(b.Path, "#") {
			return "" // paths of unnamed and equally named nodes move with their places
		}
		if target != nil && (b.Path == target.Path || strings.HasPrefix(b.Path, target.Path+"/")) {
			continue
		}
		a := byPath(after, b.Path)
		if a == nil {
			return b.Path + " is gone"
		}
		x, y := *b, *a
		for _, n := range []*scene.Node{&x, &y} {
			n.Src, n.Parent, n.Geometry, n.Material, n.Joint = scene.Src{}, 0, nil, nil, nil
			if n.Audio != nil {
				n.Audio = nil
			}
			if op.Op == "rename" || op.Op == "delete" { // names that are followed, or lead nowhere
				n.Traits, n.R, n.Extras = nil, scene.Identity, trait.Value{}
			}
		}
		if !reflect.DeepEqual(x, y) {
			now, _ := json.Marshal(y)
			was, _ := json.Marshal(x)
			return fmt.Sprintf("%s is another: %s, was %s", b.Path, now, was)
		}
		if b.Geometry != nil && (a.Geometry == nil || !reflect.DeepEqual(before.Geometries[*b.Geometry], after.Geometries[*a.Geometry])) {
			return b.Path + " has another shape"
		}
		if b.Material != nil && (a.Material == nil || !reflect.DeepEqual(before.Materials[*b.Material], after.Materials[*a.Material])) {
			return b.Path + " looks different"
		}
	}
	return ""
}

// effect looks for what was asked.
func effect(src Source, before, after *scene.Scene, op Op) string {
	target := byPath(before, op.Node)
	var now *scene.Node
	if target != nil {
		now = byPath(after, target.Path)
	}
	switch op.Op {
	case "set":
		if op.Origin == "" && op.Key == "position" && op.Value.Kind == trait.Map && isExpr(op.Value) && strings.HasPrefix(op.Value.Fields[0].Value.Str, "[") {
			if now == nil || now.T != (scene.Vec{1, -2.5, 1000}) {
				return "the position is not set"
			}
		}
	case "add":
		if len(after.Nodes) <= len(before.Nodes) {
			return "nothing was added"
		}
	case "delete":
		if len(after.Nodes) >= len(before.Nodes) {
			return "nothing was deleted"
		}
	case "rename":
		if now != nil && target.Name != op.Name && !strings.Contains(target.Path, "~") && len(after.Nodes) == len(before.Nodes) {
			return "the old name is still there"
		}
	case "duplicate":
		if len(after.Nodes) <= len(before.Nodes) {
			return "nothing was duplicated"
		}
	case "trait_add":
		if op.Origin == "" && (now == nil || !hasTrait(now, op.Trait)) {
			return "the trait is not there"
		}
	case "trait_remove":
		if op.Origin == "" && now != nil && hasTrait(now, op.Trait) && target.Template == "" {
			return "the trait is still there"
		}
	case "move":
		if len(after.Nodes) != len(before.Nodes) {
			return "the number of nodes changed"
		}
		if op.KeepWorld && target.Name != "" {
			for i := range after.Nodes {
				if n := &after.Nodes[i]; n.Name == target.Name && near(worldOf(after, i), worldOf(before, indexOf(before, target))) {
					return ""
				}
			}
			return "it does not keep its place in the world"
		}
	}
	return ""
}

func hasTrait(n *scene.Node, name string) bool {
	for _, t := range n.Traits {
		if t.Name == name {
			return true
		}
	}
	return false
}

func indexOf(s *scene.Scene, n *scene.Node) int {
	for i := range s.Nodes {
		if &s.Nodes[i] == n {
			return i
		}
	}
	return -1
}

func worldOf(s *scene.Scene, i int) matrix {
	m := identity
	for ; i >= 0; i = s.Nodes[i].Parent {
		m = placed(&s.Nodes[i]).times(m)
	}
	return m
}

func near(a, b matrix) bool {
	for i := range a {
		for k := range a[i] {
			if math.Abs(a[i][k]-b[i][k]) > 1e-3*(1+math.Abs(b[i][k])) {
				return false
			}
		}
	}
	return true
}

package target_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/trait"
)

// TestSupportIsWhatCompilesReport: whatever a compile of a trait's example loses beyond
// the bare object is what SupportOf says of the target, with the same code and reason,
// and a trait that is said to be carried in full loses nothing.
func TestSupportIsWhatCompilesReport(t *testing.T) {
	const body = ` { geometry: "box" }
object "ground" { geometry: "box" size: [40, 1, 40] position: [0, -1, 0] collider: "box" }` // nothing falls out of the picture
	ids := []string{"html", "glb", "urdf", "godot", "openxr", "state", "wot", "webgpu", "virtual-reality", "x3d"}
	ids = slices.DeleteFunc(ids, func(id string) bool { _, known := target.Find(id); return !known })
	lost := func(id, source string) map[string]string {
		src := target.Load(nil, "main.holo", []byte(source), ast.Holo)
		r, err := target.Compile(src, target.Request{Target: id})
		if err != nil {
			return nil // a trait that must not stand alone
		}
		out := map[string]string{}
		for _, l := range r.Losses {
			out[l.Feature+" "+l.Trait+" "+l.Code+" "+l.Reason] = l.Feature
		}
		return out
	}
	met := 0
	for _, b := range trait.Builtin().List("").List {
		e, _ := trait.Builtin().Explain(b.Name)
		all := map[string]target.Support{}
		for _, s := range target.SupportOf(e) {
			all[s.Target] = s
		}
		for _, one := range e.Requires { // what it needs the example has not, but the scene has its features
			needed, _ := trait.Builtin().Explain(one[0])
			for _, s := range target.SupportOf(needed) {
				s.Parts = append(all[s.Target].Parts, s.Parts...)
				all[s.Target] = s
			}
		}
		for _, id := range ids {
			bare := lost(id, `object "a"`+body)
			said := all[id]
			for l, feature := range lost(id, `object "a" `+e.Example+body) {
				if _, base := bare[l]; base || feature == "nodes" { // of the object, which twins do not take alone
					continue
				}
				known := slices.ContainsFunc(said.Parts, func(p target.Part) bool {
					return p.Feature == feature && (p.Code == "" || strings.Contains(l, p.Code+" "+p.Reason))
				})
				if !known {
					t.Errorf("@%s for %s loses %q, said is %+v", e.Name, id, l, said)
				}
				met++
			}
		}
	}
	if met < 500 {
		t.Errorf("only %d losses were met", met)
	}
}

package description_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/description"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

// built is what the text of a description makes.
func built(t testing.TB, text string) *scene.Scene {
	t.Helper()
	src := target.Load(nil, "main.holo", []byte(text), ast.Holo)
	for _, d := range src.Found {
		if d.Severity == diag.Error {
			t.Fatalf("%s: %s\n%s", d.Code, d.Message, text)
		}
	}
	s, _ := scene.Build(src.Main, src.More, scene.Options{Registry: src.Registry})
	return s
}

func TestDescriptionBecomesTheSameScene(t *testing.T) {
	d, err := description.Read([]byte(`{"v":1,"metadata":{"name":"The \"hall\"\n${x}"},"environment":{"exposure":2,"fog":{"color":"#ffffff","density":0.1}},
		"nodes":[
		{"id":"a","name":"Table","type":"group","position":[1,0,-2],"scale":2,"parent_id":null},
		{"id":"b","name":"Lamp","type":"mesh","primitive":"sphere","parent_id":"a","rotation":[0,90,0],"color":"#ff0000",
		 "material":{"roughness":0.25},"traits":[{"name":"grabbable"},{"name":"glowing","params":{"intensity":3}}]},
		{"name":"Sun","type":"light","light":{"type":"spot","intensity":2,"angle":45,"color":"#00ff00"},"color":"#0000ff","position":[0,5,0]},
		{"name":"Eye","type":"camera","rotation":[0,0,0,1]},
		{"name":"Sea","type":"audio","src":"sea.ogg"},
		{"name":"Sign","type":"text"},
		{"name":"Tree","type":"mesh","src":"tree.glb"},
		{"name":"Cloud","type":"splat","src":"cloud.ply"}]}`), 2000)
	if err != nil {
		t.Fatal(err)
	}
	s := built(t, d.Holo())
	if s.Name != "The \"hall\"\n${x}" || len(s.Nodes) != 8 || float64(s.Environment.Exposure) != 2 {
		t.Fatalf("%q %d %+v\n%s", s.Name, len(s.Nodes), s.Environment, d.Holo())
	}
	by := map[string]*scene.Node{}
	for i := range s.Nodes {
		by[s.Nodes[i].Name] = &s.Nodes[i]
	}
	lamp := by["Lamp"]
	if s.Nodes[lamp.Parent].Name != "Table" || s.Geometries[*lamp.Geometry].Kind != "sphere" || float64(s.Materials[*lamp.Material].Roughness) != 0.25 ||
		s.Materials[*lamp.Material].BaseColor != "#ff0000ff" || len(lamp.Traits) != 2 || lamp.R[1] < 0.7 {
		t.Errorf("lamp: %+v", lamp)
	}
	if table := by["Table"]; table.T != (scene.Vec{1, 0, -2}) || table.S != (scene.UnitVec{2, 2, 2}) {
		t.Errorf("table: %+v", table)
	}
	if sun := by["Sun"].Light; sun == nil || sun.Type != "spot" || sun.Color != "#00ff00ff" || sun.Intensity != 2 || sun.Angle < 0.78 || sun.Angle > 0.79 {
		t.Errorf("sun: %+v", sun)
	}
	if by["Eye"].Camera == nil || by["Sea"].Audio == nil || by["Sea"].Audio.Asset == nil || by["Sign"].Text == nil || by["Sign"].Text.Value != "Sign" ||
		s.Geometries[*by["Tree"].Geometry].Kind != "model" || by["Cloud"].Traits[0].Name != "gaussian_splat" {
		t.Errorf("others:\n%s", d.Holo())
	}
}

func TestAnglesInRadians(t *testing.T) {
	for angle, want := range map[string]string{"deg": "[0, 1.5707963267948966, 0]", "rad": "[0, 90, 0]"} {
		d, err := description.Read([]byte(`{"v":1,"angle":"`+angle+`","objects":[{"name":"A","type":"mesh","rotation":[0,1.5707963267948966,0]}]}`), 10)
		if err != nil || !strings.Contains(d.Holo(), "rotation: "+want) {
			t.Errorf("%s: %v\n%s", angle, err, d.Holo())
		}
	}
}

func TestRefusedDescriptions(t *testing.T) {
	node := func(more string) string { return `{"v":1,"nodes":[{"name":"A","type":"mesh"` + more + `}]}` }
	chain := func(n int) string {
		var nodes []string
		for i := range n {
			parent := "null"
			if i > 0 {
				parent = fmt.Sprintf("%q", fmt.Sprint("n", i-1))
			}
			nodes = append(nodes, fmt.Sprintf(`{"id":"n%d","name":"N","type":"group","parent_id":%s}`, i, parent))
		}
		return `{"v":1,"nodes":[` + strings.Join(nodes, ",") + `]}`
	}
	many := func(n int) string {
		return `{"v":1,"nodes":[` + strings.TrimSuffix(strings.Repeat(`{"name":"A","type":"mesh"},`, n), ",") + `]}`
	}
	for at, text := range map[string]string{
		"v":                       `{"nodes":[]}`,
		"":                        `{"v":1,"nodes":[]} x`,
		"angle":                   `{"v":1,"angle":"turns"}`,
		"objects":                 `{"v":1,"nodes":[],"objects":[]}`,
		"nodes":                   many(11),
		"metadata.name":           `{"v":1,"metadata":{"name":"` + strings.Repeat("x", 8193) + `"}}`,
		"environment":             `{"v":1,"environment":{"a b":1}}`,
		"nodes[0].name":           `{"v":1,"nodes":[{"type":"mesh"}]}`,
		"nodes[0].type":           `{"v":1,"nodes":[{"name":"A","type":"robot"}]}`,
		"nodes[0].position":       node(`,"position":[1,2]`),
		"nodes[0].rotation":       node(`,"rotation":[1]`),
		"nodes[0].scale":          node(`,"scale":[1,2]`),
		"nodes[0].material":       node(`,"material":3`),
		"nodes[0].light":          node(`,"light":{"type":"point"}`),
		"nodes[0].traits[0].name": node(`,"traits":[{"name":"if"}]`),
		"nodes[0].parentId":       node(`,"parent_id":"A","parentId":"A"`),
		"nodes[0].parent_id":      node(`,"parent_id":"x"`),
		"nodes[0]":                node(`,"colour":"red"`),
		"nodes[1].id":             `{"v":1,"nodes":[{"id":"a","name":"A","type":"mesh"},{"id":"a","name":"B","type":"mesh"}]}`,
		"nodes[60].parent_id":     chain(61),
		"nodes[0].traits":         node(`,"traits":[` + strings.TrimSuffix(strings.Repeat(`{"name":"a"},`, 65), ",") + `]`),
	} {
		most := 2000
		if at == "nodes" {
			most = 10
		}
		_, err := description.Read([]byte(text), most)
		var bad *description.Error
		if !errors.As(err, &bad) || bad.Path != at {
			t.Errorf("%q: %v", at, err)
		}
	}
	circle := `{"v":1,"nodes":[{"name":"R","type":"mesh"},{"id":"a","name":"A","type":"group","parent_id":"b"},{"id":"b","name":"B","type":"group","parent_id":"a"}]}`
	if _, err := description.Read([]byte(circle), 10); err == nil || !strings.Contains(err.Error(), "circle") {
		t.Errorf("circle: %v", err)
	}
	deep := `{"v":1,"environment":` + strings.Repeat(`{"a":`, 12) + "1" + strings.Repeat("}", 12) + `}`
	wide := node(`,"material":{"a":[` + strings.TrimSuffix(strings.Repeat("1,", 2001), ",") + `]}`)
	for _, text := range []string{deep, wide} {
		if _, err := description.Read([]byte(text), 10); err == nil {
			t.Errorf("accepted %.60s", text)
		}
	}
	if _, err := description.Read([]byte(chain(60)), 100); err != nil {
		t.Error(err)
	}
}

// FuzzRead checks that what is accepted has a text that parses, with as many
// nodes, whatever the names and values are.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"v":1,"nodes":[{"id":"a","name":"A\"\\\u2028${b}","type":"mesh","traits":[{"name":"glowing","params":{"color":"#fff","a":[1,{"b":null}]}}]}]}`,
		`{"v":1,"nodes":[{"name":"//","type":"light","light":{"type":"sun"}},{"name":"*/","type":"text","parent_id":null,"scale":[1,2,3e-300]}]}`,
		`{"v":1,"angle":"rad","environment":{"sky":"blue"},"objects":[{"name":"x","type":"group","material":"wood"}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := description.Read(data, 50)
		if err != nil {
			return
		}
		if !json.Valid(data) {
			t.Fatalf("accepted %q", data)
		}
		if s := built(t, d.Holo()); len(s.Nodes) != d.Nodes() {
			t.Fatalf("%d nodes became %d:\n%s", d.Nodes(), len(s.Nodes), d.Holo())
		}
	})
}

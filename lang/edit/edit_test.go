package edit

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/trait"
)

const harbour = `composition "Harbour" {
  environment {
    skybox: "dusk" // the hour
  }

  template "Buoy" {
    @physics { mass: 12kg }
    geometry: "sphere"
    color: #d33

    object "Light" {
      geometry: "cone"
    }
  }

  // the fairway
  spatial_group "Channel" {
    position: [0, 0, -8]

    object "North" using "Buoy" { position: [-2, 0, 0] }
    object "South" using "Buoy" @glowing(intensity: 2) { position: [2, 0, 0] }
  }

  object "Lamp" @clickable {
    geometry: "cone"
    position: [0, 6, -12]
    emissive_intensity: $lit | map [0, 1] to [0.1, 4]
    material: {
      // rough on purpose
      roughness: 0.9
    }
  }

  on Channel.North.alarm -> (e) { log "it rang" }
}
`

func source(text string) Source {
	return Source{Path: "main.holo", Text: text, Format: ast.Holo}
}

func ops(t testing.TB, list string) []Op {
	t.Helper()
	out, err := ReadOps([]byte(list))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Each row is an operation on the harbour with the lines that go (-) and come
// (+); all others stay.
func TestOperationsChangeTheirLines(t *testing.T) {
	for name, row := range map[string]struct{ ops, want string }{
		"set in place": {`[{"op":"set","node":"Lamp","key":"position","value":[1,2,3]}]`,
			"-    position: [0, 6, -12]\n+    position: [1, 2, 3]\n"},
		"set a component": {`[{"op":"set","node":"Lamp","key":"position.y","value":7}]`,
			"-    position: [0, 6, -12]\n+    position: [0, 7, -12]\n"},
		"set in an object": {`[{"op":"set","node":"Lamp","key":"material.roughness","value":0.5}]`,
			"-      roughness: 0.9\n+      roughness: 0.5\n"},
		"set a new key in an object": {`[{"op":"set","node":"Lamp","key":"material.metallic","value":1}]`,
			"+      metallic: 1\n"},
		"set a new key": {`[{"op":"set","node":"Lamp","key":"color","value":"#00ff00"}]`,
			"+    color: \"#00ff00\"\n"},
		"set by another spelling": {`[{"op":"set","node":"Lamp","key":"emissiveIntensity2","value":{"expr":"1 + 2"}}]`,
			"+    emissiveIntensity2: 1 + 2\n"},
		"set on one line": {`[{"op":"set","node":"Channel/North","key":"scale","value":2}]`,
			"-    object \"North\" using \"Buoy\" { position: [-2, 0, 0] }\n+    object \"North\" using \"Buoy\" { position: [-2, 0, 0], scale: 2 }\n"},
		"set in an instance": {`[{"op":"set","node":"Channel/North/Light","key":"color","value":"red"}]`,
			"-    object \"North\" using \"Buoy\" { position: [-2, 0, 0] }\n+    object \"North\" using \"Buoy\" { position: [-2, 0, 0], object \"Light\" { color: \"red\" } }\n"},
		"set in the template": {`[{"op":"set","node":"Channel/North","key":"color","value":"red","origin":"template"}]`,
			"-    color: #d33\n+    color: \"red\"\n"},
		"set deep in the template": {`[{"op":"set","node":"Channel/North/Light","key":"geometry","value":"box","origin":"template"}]`,
			"-      geometry: \"cone\"\n+      geometry: \"box\"\n"},
		"unset": {`[{"op":"unset","node":"Lamp","key":"position"}]`, "-    position: [0, 6, -12]\n"},
		"unset takes the comment": {`[{"op":"unset","node":"Lamp","key":"material.roughness"}]`,
			"-      // rough on purpose\n-      roughness: 0.9\n"},
		"unset on one line": {`[{"op":"unset","node":"Channel/South","key":"position"}]`,
			"-    object \"South\" using \"Buoy\" @glowing(intensity: 2) { position: [2, 0, 0] }\n+    object \"South\" using \"Buoy\" @glowing(intensity: 2) {}\n"},
		"add to the scene": {`[{"op":"add","kind":"object","name":"Crate","properties":{"geometry":"box","size":[1,1,1]},"traits":["grabbable",{"name":"physics","params":{"mass":3}}]}]`,
			"+\n+  object \"Crate\" {\n+    @grabbable\n+    @physics { mass: 3 }\n+    geometry: \"box\"\n+    size: [1, 1, 1]\n+  }\n"},
		"add first": {`[{"op":"add","kind":"object","name":"Crate","at":0}]`, "+  object \"Crate\" {}\n+\n"},
		"add into a group": {`[{"op":"add","kind":"light","name":"Spot","parent":"Channel","properties":{"type":"spot"}}]`,
			"+\n+    light \"Spot\" {\n+      type: \"spot\"\n+    }\n"},
		"delete takes the comment": {`[{"op":"delete","node":"Channel"}]`,
			"-  // the fairway\n-  spatial_group \"Channel\" {\n-    position: [0, 0, -8]\n-\n-    object \"North\" using \"Buoy\" { position: [-2, 0, 0] }\n-    object \"South\" using \"Buoy\" @glowing(intensity: 2) { position: [2, 0, 0] }\n-  }\n-\n"},
		"rename with what names it": {`[{"op":"rename","node":"Channel/North","name":"Upper"}]`,
			"-    object \"North\" using \"Buoy\" { position: [-2, 0, 0] }\n+    object \"Upper\" using \"Buoy\" { position: [-2, 0, 0] }\n-  on Channel.North.alarm -> (e) { log \"it rang\" }\n+  on Channel.Upper.alarm -> (e) { log \"it rang\" }\n"},
		"duplicate": {`[{"op":"duplicate","node":"Channel/South","name":"East","offset":[0,0,3]}]`,
			"+    object \"East\" using \"Buoy\" @glowing(intensity: 2) { position: [2, 0, 3] }\n"},
		"add a trait": {`[{"op":"trait_add","node":"Lamp","trait":"@grabbable"}]`, "+    @grabbable\n"},
		"add a trait with a parameter": {`[{"op":"trait_add","node":"Channel","trait":"physics","param":"mass","value":2}]`,
			"+    @physics { mass: 2 }\n"},
		"set a parameter in a heading": {`[{"op":"trait_set","node":"Channel/South","trait":"glowing","param":"intensity","value":5}]`,
			"-    object \"South\" using \"Buoy\" @glowing(intensity: 2) { position: [2, 0, 0] }\n+    object \"South\" using \"Buoy\" @glowing(intensity: 5) { position: [2, 0, 0] }\n"},
		"set a new parameter in a heading": {`[{"op":"trait_set","node":"Lamp","trait":"clickable","param":"cooldown","value":1}]`,
			"-  object \"Lamp\" @clickable {\n+  object \"Lamp\" @clickable(cooldown: 1) {\n"},
		"set a parameter of the template's trait": {`[{"op":"trait_set","node":"Channel/North","trait":"physics","param":"mass","value":5}]`,
			"-    object \"North\" using \"Buoy\" { position: [-2, 0, 0] }\n+    object \"North\" using \"Buoy\" { @physics { mass: 5 }, position: [-2, 0, 0] }\n"},
		"remove a trait from a heading": {`[{"op":"trait_remove","node":"Lamp","trait":"clickable"}]`,
			"-  object \"Lamp\" @clickable {\n+  object \"Lamp\" {\n"},
		"remove a trait from a template": {`[{"op":"trait_remove","node":"Channel/North","trait":"physics","origin":"template"}]`,
			"-    @physics { mass: 12kg }\n"},
		"change the environment": {`[{"op":"env_set","key":"skybox","value":"night"}]`,
			"-    skybox: \"dusk\" // the hour\n+    skybox: \"night\" // the hour\n"},
		"add to the environment": {`[{"op":"env_set","key":"fog.density","value":0.1}]`, "+    fog: { density: 0.1 }\n"},
		"move": {`[{"op":"move","node":"Channel/South","parent":"Lamp"}]`,
			"-    object \"South\" using \"Buoy\" @glowing(intensity: 2) { position: [2, 0, 0] }\n+\n+    object \"South\" using \"Buoy\" @glowing(intensity: 2) { position: [2, 0, 0] }\n"},
		"move and stay in the world": {`[{"op":"move","node":"Channel/South","parent":"Lamp","keep_world":true}]`,
			"-    object \"South\" using \"Buoy\" @glowing(intensity: 2) { position: [2, 0, 0] }\n+\n+    object \"South\" using \"Buoy\" @glowing(intensity: 2) { position: [2, -6, 4] }\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Apply(source(harbour), ops(t, row.ops))
			if err != nil {
				t.Fatal(err)
			}
			if got := difference(harbour, r.Text); got != row.want {
				t.Errorf("changed lines:\n%s\nwant:\n%s", got, row.want)
			}
			if back, err := Apply(source(r.Text), r.Inverse); err != nil || back.Text != harbour {
				t.Errorf("the inverse does not restore the text (%v)", err)
			}
		})
	}
}

// difference lists the lines that go and come, by the longest common
// subsequence.
func difference(before, after string) string {
	a, b := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	n := make([][]int, len(a)+1)
	for i := range n {
		n[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for k := len(b) - 1; k >= 0; k-- {
			if a[i] == b[k] {
				n[i][k] = n[i+1][k+1] + 1
			} else {
				n[i][k] = max(n[i+1][k], n[i][k+1])
			}
		}
	}
	var out strings.Builder
	i, k := 0, 0
	for i < len(a) || k < len(b) {
		switch {
		case i < len(a) && k < len(b) && a[i] == b[k]:
			i, k = i+1, k+1
		case i < len(a) && (k == len(b) || n[i+1][k] >= n[i][k+1]):
			out.WriteString("-" + a[i])
			i++
		default:
			out.WriteString("+" + b[k])
			k++
		}
	}
	return out.String()
}

func TestRefusals(t *testing.T) {
	looped := strings.Replace(harbour, "  // the fairway", "  @for i in [1, 2] {\n    object \"Post\" { position: [i, 0, 0] }\n  }\n  // the fairway", 1)
	for name, row := range map[string]struct{ text, ops, code, message, place, nearest string }{
		"unknown node":       {harbour, `[{"op":"delete","node":"Lammp"}]`, NotFound, "no node", "", "Lamp"},
		"computed value":     {harbour, `[{"op":"set","node":"Lamp","key":"emissive_intensity","value":1}]`, Elsewhere, "computed", "$lit | map [0, 1] to [0.1, 4]", ""},
		"computed unset":     {harbour, `[{"op":"unset","node":"Lamp","key":"emissiveIntensity"}]`, Elsewhere, "computed", "$lit | map [0, 1] to [0.1, 4]", ""},
		"template's child":   {harbour, `[{"op":"delete","node":"Channel/North/Light"}]`, Elsewhere, "comes from a template", "object \"Light\" {\n      geometry: \"cone\"\n    }", ""},
		"loop":               {looped, `[{"op":"set","node":"Post","key":"color","value":"red"}]`, Elsewhere, "made by a loop", "@for i in [1, 2] {\n    object \"Post\" { position: [i, 0, 0] }\n  }", ""},
		"taken name":         {harbour, `[{"op":"rename","node":"Lamp","name":"Channel"}]`, Invalid, "already", "", ""},
		"taken by an add":    {harbour, `[{"op":"add","kind":"object","name":"A"},{"op":"add","kind":"object","name":"A"}]`, Invalid, "already", "", ""},
		"into itself":        {harbour, `[{"op":"move","node":"Channel","parent":"Channel/North"}]`, Invalid, "into itself", "", ""},
		"trait there":        {harbour, `[{"op":"trait_add","node":"Lamp","trait":"clickable"}]`, Invalid, "already", "", ""},
		"trait not there":    {harbour, `[{"op":"trait_remove","node":"Lamp","trait":"physics"}]`, Invalid, "has no", "", ""},
		"template's trait":   {harbour, `[{"op":"trait_remove","node":"Channel/North","trait":"physics"}]`, Elsewhere, "comes from the template", "", ""},
		"moved base":         {harbour, `[{"op":"text","offset":0,"end_offset":0,"text":"x","base_sha256":"00"}]`, Moved, "another text", "", ""},
		"not an expression":  {harbour, `[{"op":"set","node":"Lamp","key":"color","value":{"expr":"1 } object \"X\" {"}}]`, Invalid, "expression", "", ""},
		"a key with a brace": {harbour, `[{"op":"set","node":"Lamp","key":"a } b","value":1}]`, Invalid, "no key", "", ""},
		"a name with code":   {harbour, `[{"op":"rename","node":"Lamp","name":"${x}"}]`, Invalid, "no name", "", ""},
		"an unknown kind":    {harbour, `[{"op":"add","kind":"objet","name":"x"}]`, Invalid, "no kind", "", "object"},
		"a word as object":   {harbour, `[{"op":"set","node":"Channel/North","key":"position.color","value":1}]`, Invalid, "no object", "[-2, 0, 0]", ""},
		"several":            {harbour, `[{"op":"delete","node":"Light"}]`, NotFound, "several", "", "Channel/North/Light"},
		"the second fails":   {harbour, `[{"op":"delete","node":"Lamp"},{"op":"delete","node":"Lamp"}]`, NotFound, "no node", "", ""},
		"values get no node": {`{"entities": [{"name": "A"}]}`, `[{"op":"add","kind":"object","name":"x","parent":"A"}]`, Elsewhere, "values", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Apply(source(row.text), ops(t, row.ops))
			var r *Refusal
			if !errors.As(err, &r) {
				t.Fatalf("it is not refused: %v", err)
			}
			if r.Code != row.code || !strings.Contains(r.Message, row.message) {
				t.Errorf("refused with %s %q, want %s with %q", r.Code, r.Message, row.code, row.message)
			}
			if row.place != "" && (r.Place == nil || row.text[r.Place.Offset:r.Place.EndOffset] != row.place) {
				t.Errorf("the place is %+v, want %q", r.Place, row.place)
			}
			if row.nearest != "" && (len(r.Nearest) == 0 || r.Nearest[0] != row.nearest) {
				t.Errorf("nearest are %q, want %q", r.Nearest, row.nearest)
			}
		})
	}
}

func TestDeleteReportsWhatStillNamesTheNode(t *testing.T) {
	r, err := Apply(source(harbour), ops(t, `[{"op":"delete","node":"Channel"}]`))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Related) != 2 || r.Text[r.Related[0].Offset:r.Related[0].EndOffset] != "Channel" || r.Text[r.Related[1].Offset:r.Related[1].EndOffset] != "North" {
		t.Errorf("related is %+v", r.Related)
	}
}

func TestValueDocuments(t *testing.T) {
	doc := "{\n  \"entities\": [\n    { \"name\": \"A\", \"geometry\": \"box\" },\n    // two\n    { \"name\": \"B\" }\n  ]\n}\n"
	r, err := Apply(source(doc), ops(t, `[{"op":"set","node":"A","key":"size","value":[1,2,3]},{"op":"set","node":"B","key":"color","value":"red"},{"op":"rename","node":"A","name":"C"}]`))
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(strings.Replace(doc, `"A", "geometry": "box"`, `"C", "geometry": "box", "size": [1,2,3]`, 1), `"B"`, `"B", "color": "red"`, 1); r.Text != want {
		t.Errorf("the text is\n%s\nwant\n%s", r.Text, want)
	}
	if r, err = Apply(source(r.Text), ops(t, `[{"op":"delete","node":"B"}]`)); err != nil {
		t.Fatal(err)
	}
	if !json.Valid([]byte(r.Text)) || strings.Contains(r.Text, `"B"`) {
		t.Errorf("after the deletion it is not strict:\n%s", r.Text)
	}
}

func TestOpsAreReadStrictly(t *testing.T) {
	for _, bad := range []string{
		`{}`, `[{}]`, `[{"op":"sett"}]`, `[{"op":"set","node":"a","key":"b"}]`, `[{"op":"set","node":"a","key":"b","value":1,"name":"c"}]`,
		`[{"op":"delete","node":3}]`, `[{"op":"duplicate","node":"a","offset":[1,2]}]`, `[{"op":"set","node":"a","key":"b","value":1,"origin":"module"}]`,
		`[{"op":"add","kind":"object","traits":[{"nam":"x"}]}]`, `[null]`,
	} {
		if _, err := ReadOps([]byte(bad)); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
	list := `[{"op":"set","node":"a","key":"b","value":{"expr":"x"},"origin":"template"},{"op":"add","parent":"p","kind":"object","name":"n","properties":{"b":1,"a":[2]},"traits":[{"name":"t","params":{"x":1}}],"at":0},{"op":"move","node":"a","parent":"","keep_world":true},{"op":"duplicate","node":"a","name":"b","offset":[1,0,0]},{"op":"text","offset":0,"end_offset":1,"text":"","base_sha256":"h"}]`
	out, err := json.Marshal(ops(t, list))
	if err != nil || string(out) != list {
		t.Errorf("written again it is\n%s\nwant\n%s", out, list)
	}
}

func TestLimits(t *testing.T) {
	if _, err := Apply(source(""), make([]Op, MaxOps+1)); err == nil {
		t.Error("too many operations are taken")
	}
	long := strings.Repeat("x", MaxName+1)
	for _, op := range []Op{
		{Op: "rename", Node: "Lamp", Name: long},
		{Op: "set", Node: "Lamp", Key: long, Value: text("x")},
		{Op: "set", Node: "Lamp", Key: strings.Repeat("a.", MaxKey) + "a", Value: text("x")},
		{Op: "set", Node: "Lamp", Key: "a", Value: exprValue(strings.Repeat("1+", MaxExpr) + "1")},
	} {
		if _, err := Apply(source(harbour), []Op{op}); err == nil {
			t.Errorf("%.80v is done", op)
		}
	}
	if _, err := Apply(source(strings.Repeat(" ", MaxText+1)), nil); err == nil {
		t.Error("a text over the limit is edited")
	}
	if _, err := Apply(source(strings.Repeat(" ", MaxText-4)), ops(t, `[{"op":"add","kind":"object","name":"x"}]`)); err == nil {
		t.Error("a text grows over the limit")
	}
}

func exprValue(source string) trait.Value {
	return trait.Value{Kind: trait.Map, Fields: []trait.Field{{Key: "expr", Value: text(source)}}}
}

// TestPlatformGoesWithItsNode: @platform on the line before a node is part of it.
func TestPlatformGoesWithItsNode(t *testing.T) {
	t.Parallel()
	const text = "composition \"A\" {\n  object \"One\" { size: 1 }\n\n  // only there\n  @platform(ios)\n  object \"Two\" { size: 2 }\n}\n"
	src := Source{Path: "main.holo", Text: text, Format: ast.Holo}
	first := 1
	for _, c := range []struct {
		op   Op
		want string
	}{
		{Op{Op: "add", Kind: "object", Name: "New", At: &first}, "composition \"A\" {\n  object \"One\" { size: 1 }\n\n  object \"New\" {}\n\n  // only there\n  @platform(ios)\n  object \"Two\" { size: 2 }\n}\n"},
		{Op{Op: "move", Node: "One"}, "composition \"A\" {\n  // only there\n  @platform(ios)\n  object \"Two\" { size: 2 }\n\n  object \"One\" { size: 1 }\n}\n"},
	} {
		got, err := Apply(src, []Op{c.op})
		if err != nil || got.Text != c.want {
			t.Errorf("%s: %v\n%s", c.op.Op, err, got.Text)
		}
	}
}

// TestEditUnderPlatform: a node that only some platforms have is edited like any
// other, and what belongs to it goes with it.
func TestEditUnderPlatform(t *testing.T) {
	t.Parallel()
	const head = "composition \"A\" {\n  object \"One\" { size: 1 }\n"
	const two = "\n  @platform(ios)\n  object \"Two\" { size: 2 }\n"
	const three = "\n  @platform { not: ios }\n  group \"Three\" {\n    object \"Four\" { size: 4 }\n  }\n}\n"
	src := Source{Path: "main.holo", Text: head + two + three, Format: ast.Holo}
	for _, c := range []struct{ op, want string }{
		{`{"op":"set","node":"Two","key":"size","value":3}`, head + strings.Replace(two, "2", "3", 1) + three},
		{`{"op":"trait_add","node":"Two","trait":"clickable"}`, head + "\n  @platform(ios)\n  object \"Two\" { @clickable, size: 2 }\n" + three},
		{`{"op":"delete","node":"Two"}`, head + three},
		{`{"op":"rename","node":"Two","name":"Zwei"}`, head + strings.Replace(two, "Two", "Zwei", 1) + three},
		{`{"op":"move","node":"Two","parent":"Three"}`, head + "\n  @platform { not: ios }\n  group \"Three\" {\n    object \"Four\" { size: 4 }\n\n    @platform(ios)\n    object \"Two\" { size: 2 }\n  }\n}\n"},
		{`{"op":"duplicate","node":"Two","name":"Too"}`, head + two + strings.Replace(two, "Two", "Too", 1) + three},
		{`{"op":"add","parent":"Three","kind":"object","name":"New"}`, head + two + strings.Replace(three, "4 }\n", "4 }\n\n    object \"New\" {}\n", 1)},
	} {
		got, err := Apply(src, ops(t, "["+c.op+"]"))
		if err != nil || got.Text != c.want {
			t.Errorf("%s: %v\n%+v", c.op, err, got)
		}
	}
	src.Text = "object \"Pane\" @platform(ios) { size: 1 }\nobject \"Pane\" @platform(android) { size: 2 }\n"
	_, err := Apply(src, ops(t, `[{"op":"set","node":"Pane","key":"size","value":3}]`))
	var refusal *Refusal
	if !errors.As(err, &refusal) || refusal.Code != Elsewhere || refusal.Place == nil {
		t.Errorf("one of two nodes with one name: %v", err)
	}
	got, err := Apply(src, ops(t, `[{"op":"set","node":"Pane~2","key":"size","value":3}]`))
	if err != nil || !strings.HasSuffix(got.Text, "{ size: 3 }\n") {
		t.Errorf("the second of two nodes with one name: %v %+v", err, got)
	}
}

package trait

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/meshd/meshd/lang/diag"
	"pgregory.net/rapid"
)

func num(n float64) Value               { return Value{Kind: Number, Num: n} }
func unitNum(n float64, u string) Value { return Value{Kind: Number, Num: n, Unit: u} }
func text(s string) Value               { return Value{Kind: Text, Str: s} }
func word(s string) Value               { return Value{Kind: Word, Str: s} }
func flag(b bool) Value                 { return Value{Kind: Bool, Bool: b} }
func list(v ...Value) Value             { return Value{Kind: List, List: v} }
func object(kv ...any) Value {
	v := Value{Kind: Map}
	for i := 0; i < len(kv); i += 2 {
		v.Fields = append(v.Fields, Field{Key: kv[i].(string), Value: kv[i+1].(Value)})
	}
	return v
}

// line is a finding on one line, for tables.
func line(f Finding) string {
	s := fmt.Sprintf("%s %s: %s", f.Code, f.Severity, f.Message())
	if f.Text != "" {
		s += " → " + f.Text
	}
	return s
}

func TestCheck(t *testing.T) {
	t.Parallel()
	one := func(trait, key string, v Value) Use { return Use{trait, []Arg{{Key: key, Value: v}}} }
	cases := []struct {
		name string
		use  Use
		want []string
	}{
		{"known, bare", Use{Name: "glowing"}, nil},
		{"unknown, near", Use{Name: "grabable"}, []string{"TRT001 warning: Unknown trait '@grabable'. Did you mean '@grabbable'? It is kept as data. → @grabbable"}},
		{"unknown, far", Use{Name: "zzzzzzz"}, []string{"TRT001 warning: Unknown trait '@zzzzzzz'. It is kept as data."}},
		{"a number for a string of the example", one("physics", "mass", text("heavy")), []string{"TRT003 warning: 'mass' of '@physics' should be number in kg, found string."}},
		{"a bare number", one("physics", "mass", num(12)), nil},
		{"its unit", one("physics", "mass", unitNum(12, "kg")), nil},
		{"another unit of the dimension", one("physics", "mass", unitNum(500, "g")), nil},
		{"another dimension", one("physics", "mass", unitNum(2, "m")), []string{"TRT003 warning: 'mass' of '@physics' should be number in kg, found length."}},
		{"a unit nobody knows", one("physics", "mass", unitNum(2, "furlong")), []string{"TRT003 warning: 'mass' of '@physics' should be number in kg, found number in furlong."}},
		{"text that is a number", one("physics", "mass", text("12")), []string{"TRT003 warning: 'mass' of '@physics' should be number in kg, found string. → 12"}},
		{"text that is almost a number", one("physics", "mass", text("012")), []string{"TRT003 warning: 'mass' of '@physics' should be number in kg, found string."}},
		{"a conversion that would be out of range", one("physics", "mass", text("-1")), []string{"TRT003 warning: 'mass' of '@physics' should be number in kg, found string."}},
		{"below the range", one("physics", "mass", num(-1)), []string{"TRT004 warning: 'mass' of '@physics' should be between 0 kg and infinity. → 0"}},
		{"at the border", one("physics", "restitution", num(1)), nil},
		{"above the range", one("physics", "restitution", num(1.01)), []string{"TRT004 warning: 'restitution' of '@physics' should be between 0 and 1. → 1"}},
		{"a ratio", one("physics", "restitution", unitNum(50, "%")), nil},
		{"a ratio above the range", one("physics", "restitution", unitNum(150, "%")), []string{"TRT004 warning: 'restitution' of '@physics' should be between 0 and 1. → 1"}},
		{"null", one("physics", "mass", Value{Kind: Null}), []string{"TRT003 warning: 'mass' of '@physics' should be number in kg, found null."}},
		{"known at run time only", one("physics", "mass", Value{}), nil},
		{"boolean as text", one("physics", "use_gravity", text("true")), []string{"TRT003 warning: 'use_gravity' of '@physics' should be boolean, found string. → true"}},
		{"boolean as number", one("physics", "use_gravity", num(1)), []string{"TRT003 warning: 'use_gravity' of '@physics' should be boolean, found number."}},
		{"string as number", one("physics", "collision_layer", num(3)), []string{`TRT003 warning: 'collision_layer' of '@physics' should be string, found number. → "3"`}},
		{"string as word", one("physics", "collision_layer", word("water")), nil},
		{"enum", one("physics", "type", text("kinematic")), nil},
		{"enum as word", one("physics", "type", word("kinematic")), nil},
		{"enum, near", one("physics", "type", word("kinetic")), []string{"TRT009 warning: 'kinetic' is not a value of 'type'; expected one of dynamic, static, kinematic, soft. → \"kinematic\""}},
		{"enum, nearer", one("physics", "type", word("statik")), []string{`TRT009 warning: 'statik' is not a value of 'type'; expected one of dynamic, static, kinematic, soft. → "static"`}},
		{"enum as list", one("physics", "type", list()), []string{"TRT003 warning: 'type' of '@physics' should be enum, found list."}},
		{"unknown parameter, near", one("physics", "frction", num(1)), []string{"TRT002 warning: '@physics' has no parameter 'frction'. Did you mean 'friction'? → friction"}},
		{"unknown parameter, far", one("physics", "colour", num(1)), []string{"TRT002 info: '@physics' has no parameter 'colour'."}},
		{"unknown parameter of an open trait", one("state", "colour", num(1)), nil},
		{"camelCase", one("physics", "useGravity", flag(false)), nil},
		{"alias", one("material", "color", text("#fff")), nil},
		{"a colour literal", one("glowing", "color", Value{Kind: Color, Str: "#3af"}), nil},
		{"a colour name", one("glowing", "color", word("RebeccaPurple")), nil},
		{"no colour", one("glowing", "color", text("#ff zz00")), []string{"TYP005 warning: '#ff zz00' is not a colour."}},
		{"nearly a colour", one("glowing", "color", text("tomatoe")), []string{`TYP005 warning: 'tomatoe' is not a colour. → "tomato"`}},
		{"a colour as number", one("glowing", "color", num(255)), []string{"TRT003 warning: 'color' of '@glowing' should be color, found number."}},
		{"vector", one("advanced_pbr", "tiling", list(num(1), num(2))), nil},
		{"short vector", one("advanced_pbr", "tiling", list(num(1))), nil},
		{"long vector", one("advanced_pbr", "tiling", list(num(1), num(2), num(3))), []string{"TRT003 warning: 'tiling' of '@advanced_pbr' should be vec2, found list."}},
		{"vector of text", one("advanced_pbr", "tiling", list(text("a"), num(2))), []string{"TRT003 warning: 'tiling' of '@advanced_pbr' should be vec2, found list."}},
		{"vector as object", one("advanced_pbr", "tiling", object("x", num(1), "y", Value{})), nil},
		{"vector with a foreign key", one("advanced_pbr", "tiling", object("z", num(1))), []string{"TRT003 warning: 'tiling' of '@advanced_pbr' should be vec2, found object."}},
		{"union, first", one("advanced_pbr", "clearcoat", num(0.5)), nil},
		{"union, second", one("advanced_pbr", "clearcoat", object()), nil},
		{"union, out of range", one("advanced_pbr", "clearcoat", num(2)), []string{"TRT004 warning: 'clearcoat' of '@advanced_pbr' should be between 0 and 1. → 1"}},
		{"union, neither", one("advanced_pbr", "clearcoat", flag(true)), []string{"TRT003 warning: 'clearcoat' of '@advanced_pbr' should be number or object, found boolean."}},
		{"integer", one("accessible", "tab_index", num(2)), nil},
		{"no integer", one("accessible", "tab_index", num(2.5)), []string{"TRT003 warning: 'tab_index' of '@accessible' should be integer, found 2.5."}},
		{"list for one", one("synced", "properties", text("position")), []string{`TRT003 warning: 'properties' of '@synced' should be list<string>, found string. → ["position"]`}},
		{"list with a stranger", one("synced", "properties", list(text("a"), num(1))), []string{`TRT003 warning: 'properties' of '@synced' should be string, found number. → "1"`}},
		{"missing", Use{Name: "route"}, []string{`TRT005 warning: '@route' needs 'path'. → path: "…"`}},
		{"given by place", Use{"route", []Arg{{Value: text("/home")}}}, nil},
		{"given by name", one("route", "path", text("/home")), nil},
		{"perhaps given", Use{"route", []Arg{{Spread: true}}}, nil},
		{"one too many", Use{"route", []Arg{{Value: text("/home")}, {Value: word("p1")}}}, []string{"TRT002 info: '@route' has no parameter 'p1'."}},
		{"platforms", Use{"platform", []Arg{{Value: word("ios")}, {Value: word("android-xr")}}}, nil},
		{"not a platform", Use{"platform", []Arg{{Value: word("ios")}, {Value: word("andriod")}}}, []string{"TRT012 warning: Unknown platform 'andriod'. Did you mean 'android'? → android"}},
		{"not not a platform", one("platform", "not", list(text("web"), text("wbe"))), []string{`TRT012 warning: Unknown platform 'wbe'. Did you mean 'web'? → "web"`}},
		{"two findings in order", Use{"physics", []Arg{{Key: "drag", Value: num(-1)}, {Key: "mass", Value: flag(true)}}},
			[]string{"TRT004 warning: 'drag' of '@physics' should be between 0 and infinity. → 0", "TRT003 warning: 'mass' of '@physics' should be number in kg, found boolean."}},
	}
	for _, c := range cases {
		var got []string
		for _, f := range Builtin().Check(c.use) {
			got = append(got, line(f))
			if f.Arg >= len(c.use.Args) || f.Other != -1 {
				t.Errorf("%s: argument %d, other %d", c.name, f.Arg, f.Other)
			}
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// The place of a finding inside a list is reported.
func TestFindingPointsAtItem(t *testing.T) {
	t.Parallel()
	fs := Builtin().Check(Use{"synced", []Arg{{Key: "properties", Value: list(text("a"), num(1))}}})
	if len(fs) != 1 || fs[0].Arg != 0 || fs[0].Item != 1 {
		t.Errorf("%+v", fs)
	}
	fs = Builtin().Check(Use{"platform", []Arg{{Key: "not", Value: list(word("web"), word("wbe"))}}})
	if len(fs) != 1 || fs[0].Item != 1 {
		t.Errorf("%+v", fs)
	}
	fs = Builtin().Check(Use{Name: "route"})
	if len(fs) != 1 || fs[0].Arg != -1 || fs[0].Item != -1 {
		t.Errorf("%+v", fs)
	}
}

func TestCheckNode(t *testing.T) {
	t.Parallel()
	use := func(name string, args ...Arg) Use { return Use{name, args} }
	arg := func(key string, v Value) Arg { return Arg{Key: key, Value: v} }
	cases := []struct {
		name string
		uses []Use
		want []string
	}{
		{"nothing", nil, nil},
		{"fine", []Use{use("grabbable"), use("physics")}, nil},
		{"a companion is missing", []Use{use("grabbable")}, []string{"0 -1 TRT007 info: '@grabbable' works only together with '@physics' or '@collidable'. → @physics"}},
		{"two companions", []Use{use("stackable"), use("collidable")}, []string{"0 -1 TRT007 info: '@stackable' works only together with '@physics'. → @physics"}},
		{"exclusive", []Use{use("local"), use("networked")}, []string{"1 0 TRT006 warning: '@networked' and '@local' exclude each other."}},
		{"exclusive, other way", []Use{use("networked"), use("local")}, []string{"1 0 TRT006 warning: '@local' and '@networked' exclude each other."}},
		{"static by default", []Use{use("physics"), use("static")}, []string{"1 0 TRT006 warning: '@static' and '@physics' exclude each other."}},
		{"static, said so", []Use{use("static"), use("physics", arg("type", word("dynamic")))}, []string{"1 0 TRT006 warning: '@physics' and '@static' exclude each other."}},
		{"static body", []Use{use("static"), use("physics", arg("type", word("static")))}, nil},
		{"known at run time", []Use{use("static"), use("physics", arg("type", Value{}))}, nil},
		{"twice, disjoint", []Use{use("glowing", arg("color", text("red"))), use("glowing", arg("radius", num(1)))}, []string{"1 0 TRT008 info: '@glowing' is set more than once."}},
		{"twice, overlapping", []Use{use("emissive", arg("color", text("red"))), use("emissive", arg("emissionColor", text("red")))}, []string{"1 0 TRT008 info: '@emissive' is set more than once."}},
		{"handlers may repeat", []Use{use("on_event"), use("on_event")}, nil},
		{"metadata merges", []Use{use("tags"), use("tags")}, nil},
		{"unknown ones play no part", []Use{use("nope"), use("nope"), use("static")}, nil},
	}
	for _, c := range cases {
		var got []string
		for _, f := range Builtin().CheckNode(c.uses) {
			got = append(got, fmt.Sprintf("%d %d %s", f.Use, f.Other, line(f)))
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
	merge := func(i int) Remedy { return Builtin().CheckNode(cases[i].uses)[0].Remedy }
	if merge(10) != MergeTraits || merge(11) != NoRemedy {
		t.Errorf("merging is offered: %v %v, want for disjoint keys only", merge(10), merge(11))
	}
}

func TestConvert(t *testing.T) {
	t.Parallel()
	cases := []struct {
		n        float64
		from, to string
		want     float64
		ok       bool
	}{
		{3, "", "m", 3, true}, {30, "cm", "m", 0.3, true}, {250, "ms", "s", 0.25, true}, {2, "s", "ms", 2000, true}, {1, "turn", "deg", 360, true},
		{math.Pi, "rad", "deg", 180, true}, {50, "%", "", 0.5, true}, {3, "m", "", 0, false}, {3, "m", "s", 0, false}, {3, "px", "m", 0, false},
		{5, "px", "px", 5, true}, {1, "MS", "s", 0.001, true}, {1, "M", "m", 0, false}, {1, "fps", "Hz", 1, true}, {36, "km/h", "m/s", 10, true}, {1, "kg", "g", 1000, true},
	}
	for _, c := range cases {
		got, ok := Convert(c.n, c.from, c.to)
		if ok != c.ok || ok && math.Abs(got-c.want) > 1e-12*math.Abs(c.want) {
			t.Errorf("Convert(%v, %q, %q) = %v, %v; want %v, %v", c.n, c.from, c.to, got, ok, c.want, c.ok)
		}
	}
}

func TestFoldKey(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"emissiveIntensity": "emissive_intensity", "emissive_intensity": "emissive_intensity", "data-id": "data_id", "URLPath": "url_path",
		"x402Url": "x402_url", "A": "a", "": "", "claimFilter": "claim_filter", "p0": "p0", "ID": "id",
	} {
		if got := FoldKey(in); got != want {
			t.Errorf("FoldKey(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestPlatforms(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"vr": "[quest3 pcvr visionos android-xr]", "ios": "[ios]", "wearable": "[wearable]", "toaster": "[]"} {
		got, ok := Platforms(name)
		if fmt.Sprint(got) != want || ok != (want != "[]") {
			t.Errorf("Platforms(%s) = %v, %v", name, got, ok)
		}
	}
}

// plainDistance is the definition: the fewest edits, tried one after the other.
func plainDistance(a, b string, limit int) bool {
	if a == b {
		return true
	}
	if limit == 0 {
		return false
	}
	for i := range len(a) + 1 {
		if i < len(a) && plainDistance(a[:i]+a[i+1:], b, limit-1) {
			return true
		}
		if i+1 < len(a) && plainDistance(a[:i]+a[i+1:i+2]+a[i:i+1]+a[i+2:], b, limit-1) {
			return true
		}
		for _, c := range "abc" {
			if plainDistance(a[:i]+string(c)+a[i:], b, limit-1) || i < len(a) && plainDistance(a[:i]+string(c)+a[i+1:], b, limit-1) {
				return true
			}
		}
	}
	return false
}

func TestDistanceIsThatOfTheDefinition(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{{"ca", "abc", 2}, {"abc", "ca", 2}, {"ab", "ba", 1}, {"abcd", "badc", 2}, {"", "ab", 2}, {"abc", "xyz", 3}} {
		if got := distance([]rune(c.a), []rune(c.b), 2); got != c.want {
			t.Errorf("distance(%s, %s) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.StringMatching("[abc]{0,6}").Draw(t, "a"), rapid.StringMatching("[abc]{0,6}").Draw(t, "b")
		for limit := range 3 {
			d := distance([]rune(a), []rune(b), limit)
			if plainDistance(a, b, limit) != (d <= limit) {
				t.Fatalf("distance(%q, %q) = %d, but %d edits: %v", a, b, d, limit, plainDistance(a, b, limit))
			}
		}
	})
}

// The filters before the distance lose no neighbour.
func TestNearestFindsWhatASlowSearchFinds(t *testing.T) {
	t.Parallel()
	var names []string
	for _, e := range Builtin().All() {
		names = append(names, e.Name)
	}
	rapid.Check(t, func(t *rapid.T) {
		name := []byte(rapid.SampledFrom(names).Draw(t, "name"))
		for range rapid.IntRange(0, 3).Draw(t, "edits") {
			i := rapid.IntRange(0, len(name)-1).Draw(t, "at")
			name[i] = byte(rapid.IntRange('a', 'z').Draw(t, "letter"))
		}
		q := spell(string(name))
		limit := 2
		if q.length < 5 {
			limit = 1
		}
		best := limit + 1
		for _, n := range names {
			best = min(best, distance(q.key, spell(n).key, 2))
		}
		got, ok := Builtin().Nearest(string(name))
		if ok != (best <= limit) || ok && distance(q.key, spell(got).key, 2) != best {
			t.Fatalf("nearest of %q is %q (%v), the slow search finds distance %d", name, got, ok, best)
		}
	})
}

// No use makes the checker panic, and every finding has words.
func TestCheckTakesAnything(t *testing.T) {
	t.Parallel()
	var value func(depth int) *rapid.Generator[Value]
	value = func(depth int) *rapid.Generator[Value] {
		return rapid.Custom(func(t *rapid.T) Value {
			v := Value{Kind: Kind(rapid.IntRange(0, 12).Draw(t, "kind"))}
			v.Num = rapid.Float64().Draw(t, "num")
			v.Unit = rapid.SampledFrom([]string{"", "m", "%", "px", "ms", "zz"}).Draw(t, "unit")
			v.Str = rapid.SampledFrom([]string{"", "#fff", "true", "3", "vr", "x\n\x00'"}).Draw(t, "str")
			if depth > 0 {
				v.List = rapid.SliceOfN(value(depth-1), 0, 4).Draw(t, "list")
				v.Fields = []Field{{Key: rapid.SampledFrom([]string{"x", "q", ""}).Draw(t, "key"), Value: value(depth-1).Draw(t, "field")}}
			}
			return v
		})
	}
	all := Builtin().All()
	rapid.Check(t, func(t *rapid.T) {
		e := rapid.SampledFrom(all).Draw(t, "trait")
		u := Use{Name: e.Name}
		for range rapid.IntRange(0, 4).Draw(t, "args") {
			a := Arg{Value: value(2).Draw(t, "value")}
			if len(e.Params) > 0 && rapid.Bool().Draw(t, "named") {
				a.Key = rapid.SampledFrom(e.Params).Draw(t, "param").Name
			}
			u.Args = append(u.Args, a)
		}
		for _, f := range append(Builtin().Check(u), Builtin().CheckNode([]Use{u, u, {Name: "static"}, {Name: "physics"}})...) {
			row, ok := diag.Lookup(f.Code)
			if !ok || f.Message() == "" || strings.Contains(f.Message(), "{") && !strings.Contains(row.Message, "{") {
				t.Fatalf("%+v: %s", f, f.Message())
			}
		}
	})
}

func BenchmarkBuiltin(b *testing.B) {
	f, _ := Read(catalogue)
	for b.Loop() {
		(&Registry{}).With(f)
	}
}

func BenchmarkDefine(b *testing.B) {
	r := Builtin()
	for b.Loop() {
		r.Define([]Entry{{Name: "warm_glow", Extends: "glowing"}})
	}
}

func BenchmarkNearest(b *testing.B) {
	r := Builtin()
	for b.Loop() {
		r.Nearest("transperant")
	}
}

func TestValuesAsSource(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v    Value
		want string
	}{
		{text("a\"b\\c\n\t\r\x00é"), `"a\"b\\c\n\t\r\u{0}é"`}, {num(0.1), "0.1"}, {num(math.Copysign(0, -1)), "0"}, {num(1e21), "1e+21"}, {num(1e-7), "1e-07"}, {unitNum(3, "ms"), "3ms"},
		{list(num(1), word("x")), "[1, x]"}, {object(), "{}"}, {object("a", flag(true), "b c", Value{Kind: Color, Str: "#fff"}), `{ a: true, "b c": #fff }`}, {Value{Kind: Null}, "null"},
	} {
		if got := c.v.Source(); got != c.want {
			t.Errorf("%+v is %s, want %s", c.v, got, c.want)
		}
	}
	v := object("n", num(2), "l", list(text("x"), flag(false), Value{Kind: Null}), "u", unitNum(2, "m"))
	if got := canonical(t, v); got != `{"n":2,"l":["x",false,null],"u":"2m"}` {
		t.Errorf("JSON form %s", got)
	}
}

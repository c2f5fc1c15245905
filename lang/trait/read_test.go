package trait

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	whole := func(s string) string { return s }
	param := func(s string) string { return string(file(entryWith(`[` + s + `]`))) }
	cases := []struct{ name, text, want string }{
		{"nothing", "", "not valid: byte 0"},
		{"no JSON", whole(`{"schema"`), "byte 9"},
		{"text behind", `{"schema":"trait-catalogue/1","traits":[]} x`, "not valid"},
		{"no UTF-8", "{\"schema\":\"\xff\"}", "not UTF-8"},
		{"a list", `[]`, "should be an object, found list"},
		{"another schema", `{"schema":"trait-catalogue/2","traits":[]}`, "schema: should be"},
		{"no schema", `{"traits":[]}`, "schema: should be"},
		{"no traits", `{"schema":"trait-catalogue/1"}`, "traits: is missing"},
		{"a key twice", `{"schema":"trait-catalogue/1","schema":"trait-catalogue/1","traits":[]}`, `key "schema" stands twice`},
		{"a key of another case", `{"Schema":"trait-catalogue/1","traits":[]}`, "Schema: is not a key"},
		{"unknown key", string(file(entry("aa", `,"icon":"x"`))), "'aa' is not valid: icon: is not a key"},
		{"missing keys", string(file(`{"name":"aa"}`)), "kind: is missing"},
		{"no name", string(file(`{"kind":"trait"}`)), "'traits[0]' is not valid: name: is missing"},
		{"bad name", string(file(entry("a b", ""))), "'a b' is not a name"},
		{"name ends with a dot", string(file(entry("a.", ""))), "is not a name"},
		{"long name", string(file(entry(strings.Repeat("a", MaxName+1), ""))), "has 65 characters, allowed are 64"},
		{"twice", string(file(entry("aa", ""), entry("aa", ""))), "name: stands twice"},
		{"twice in another spelling", string(file(entry("a_b", ""), entry("aB", ""))), "name: stands twice"},
		{"kind", string(file(strings.Replace(entry("aa", ""), `"trait"`, `"thing"`, 1))), "kind: should be trait or directive"},
		{"long summary", string(file(strings.Replace(entry("aa", ""), `"summary":"s"`, `"summary":"`+strings.Repeat("é", MaxSummary+1)+`"`, 1))), "has 201 characters"},
		{"capability", string(file(entry("aa", `,"lowers":["wings"]`))), "'wings' is not a capability"},
		{"open is no flag", string(file(entry("aa", `,"open":1`))), "open: should be true or false, found number"},
		{"conflict with itself", string(file(strings.Replace(entry("aa", ""), `"conflicts":[]`, `"conflicts":["aa"]`, 1))), "conflicts: names the trait itself"},
		{"empty requirement", string(file(strings.Replace(entry("aa", ""), `"requires":[]`, `"requires":[[]]`, 1))), "requires[0]: is empty"},
		{"param: no type", param(`{"name":"x"}`), "params[0].type: is missing"},
		{"param: no name", param(`{"type":"any"}`), "params[0].name: '' is not a name"},
		{"param: unknown type", param(`{"name":"x","type":"float"}`), `type "float" is not known`},
		{"param: list", param(`{"name":"x","type":"list<string"}`), "list< has no >"},
		{"param: trailing", param(`{"name":"x","type":"list<string>>"}`), "behind its end"},
		{"param: nested lists", param(`{"name":"x","type":"list<list<list<list<list<any>>>>>"}`), "nested too deep"},
		{"param: enum without values", param(`{"name":"x","type":"enum"}`), "params[0].values: belong to an enum"},
		{"param: values without enum", param(`{"name":"x","type":"string","values":["a"]}`), "params[0].values: belong to an enum"},
		{"param: value twice", param(`{"name":"x","type":"enum","values":["a","a"]}`), "values[1]: stands twice"},
		{"param: odd value", param(`{"name":"x","type":"enum","values":[null]}`), "values[0]: should be a string"},
		{"param: default not in the enum", param(`{"name":"x","type":"enum","values":["a"],"default":"b"}`), "default: 'b' is not a value of 'x'"},
		{"param: default of another type", param(`{"name":"x","type":"number","default":"b"}`), "default: 'x' of '@aa' should be number, found string"},
		{"param: default out of range", param(`{"name":"x","type":"number","default":3,"min":0,"max":2}`), "should be between 0 and 2"},
		{"param: bad colour", param(`{"name":"x","type":"color","default":"#12"}`), "'#12' is not a colour"},
		{"param: min over max", param(`{"name":"x","type":"number","min":3,"max":2}`), "min: is above the maximum"},
		{"param: range of a string", param(`{"name":"x","type":"string","min":3}`), "a range needs a type that takes numbers"},
		{"param: unit of a string", param(`{"name":"x","type":"string","unit":"m"}`), "a unit needs a type that takes numbers"},
		{"param: unknown unit", param(`{"name":"x","type":"number","unit":"furlong"}`), "'furlong' is not a unit"},
		{"param: place", param(`{"name":"x","type":"any","positional":4}`), "positional: should be 0 to 3 or rest"},
		{"param: half a place", param(`{"name":"x","type":"any","positional":0.5}`), "positional: should be 0 to 3 or rest"},
		{"param: place twice", param(`{"name":"x","type":"any","positional":0},{"name":"y","type":"any","positional":0}`), "'x' has this place already"},
		{"param: alias twice", param(`{"name":"xY","type":"any"},{"name":"y","aliases":["x_y"],"type":"any"}`), "'x_y' spells the same key as 'xY'"},
		{"param: number out of range", param(`{"name":"x","type":"number","min":1e999}`), "number 1e999 is out of range"},
		{"alias of a category", `{"schema":"trait-catalogue/1","category_aliases":{"a b":"c"},"traits":[]}`, "is not a name for a category"},
		{"group", `{"schema":"trait-catalogue/1","target_groups":{"g":["a","a"]},"traits":[]}`, "target_groups.g[1]: 'a' stands twice"},
		{"condition", `{"schema":"trait-catalogue/1","conditional_conflicts":[{"traits":["a"],"when":{"trait":"a","param":"p","equals":1}}],"traits":[]}`, "should name two traits"},
		{"condition of a third", `{"schema":"trait-catalogue/1","conditional_conflicts":[{"traits":["a","b"],"when":{"trait":"c","param":"p","equals":1}}],"traits":[]}`, "should be one of the pair"},
		{"half a condition", `{"schema":"trait-catalogue/1","conditional_conflicts":[{"traits":["a","b"],"when":{"trait":"a","param":"p"}}],"traits":[]}`, "needs trait, param and equals"},
		{"deep", `{"schema":"trait-catalogue/1","note":` + strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1) + `,"traits":[]}`, "nested deeper than 24"},
	}
	for _, c := range cases {
		f, faults := Read([]byte(c.text))
		if len(faults) == 0 {
			t.Errorf("%s: not refused", c.name)
			continue
		}
		found := false
		for _, fault := range faults {
			found = found || strings.Contains(fault.Message(), c.want)
		}
		if !found {
			t.Errorf("%s: %+v, want %q", c.name, faults, c.want)
		}
		if _, more := Builtin().With(f); len(more) > 0 && len(f.Traits) > 0 {
			t.Errorf("%s: what is left is not valid: %+v", c.name, more)
		}
	}
}

// entryWith is a minimal entry with parameters.
func entryWith(params string) string {
	return strings.Replace(entry("aa", ""), `"params":[]`, `"params":`+params, 1)
}

func TestLimitsBite(t *testing.T) {
	t.Parallel()
	list := func(n int, item func(i int) string) string {
		out := make([]string, n)
		for i := range out {
			out[i] = item(i)
		}
		return "[" + strings.Join(out, ",") + "]"
	}
	name := func(i int) string { return fmt.Sprintf("%q", fmt.Sprintf("n%d", i)) }
	head := `{"schema":"trait-catalogue/1","traits":[]`
	cases := []struct {
		name string
		ok   string
		over string
	}{
		{"depth", head + `,"note":` + strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth) + "}", head + `,"note":` + strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1) + "}"},
		{"groups", head + `,"categories":` + list(MaxGroups, name) + "}", head + `,"categories":` + list(MaxGroups+1, name) + "}"},
		{"params", string(file(entryWith(list(MaxParams, func(i int) string { return `{"name":` + name(i) + `,"type":"any"}` })))),
			string(file(entryWith(list(MaxParams+1, func(i int) string { return `{"name":` + name(i) + `,"type":"any"}` }))))},
		{"values", string(file(entryWith(`[{"name":"x","type":"enum","values":` + list(MaxValues, name) + `}]`))), string(file(entryWith(`[{"name":"x","type":"enum","values":` + list(MaxValues+1, name) + `}]`)))},
		{"name", string(file(entry(strings.Repeat("a", MaxName), ""))), string(file(entry(strings.Repeat("a", MaxName+1), "")))},
		{"text", head + `,"note":"` + strings.Repeat("a", MaxText) + `"}`, head + `,"note":"` + strings.Repeat("a", MaxText+1) + `"}`},
		{"file", head + "}" + strings.Repeat(" ", MaxFile-len(head)-1), head + "}" + strings.Repeat(" ", MaxFile-len(head))},
	}
	for _, c := range cases {
		_, faults := Read([]byte(c.ok))
		if c.name == "depth" {
			faults = faults[1:] // it is no text
		}
		if len(faults) > 0 {
			t.Errorf("%s: at the limit: %+v", c.name, faults[0])
		}
		if _, faults := Read([]byte(c.over)); len(faults) == 0 || !strings.Contains(faults[0].Reason, "allowed") && !strings.Contains(faults[0].Reason, "deeper") {
			t.Errorf("%s: over the limit: %+v", c.name, faults)
		}
	}
	_, faults := Read([]byte(head[:len(head)-1] + list(10*MaxFaults, func(int) string { return "1" })[1:] + "}"))
	if len(faults) != MaxFaults {
		t.Errorf("%d faults are reported, want %d", len(faults), MaxFaults)
	}
}

func TestRegistryIsBounded(t *testing.T) {
	t.Parallel()
	f := &File{Schema: Schema}
	for i := range MaxTraits {
		f.Traits = append(f.Traits, Entry{Name: fmt.Sprintf("zz%d", i), Kind: KindTrait, Category: "state"})
	}
	r, faults := Builtin().With(f)
	if r.Len() != MaxTraits || len(faults) != Builtin().Len() {
		t.Errorf("%d traits, %d faults", r.Len(), len(faults))
	}
}

func FuzzRead(f *testing.F) {
	f.Add(file(entry("aa", `,"extends":"glowing"`)))
	small := &File{Categories: []string{"state"}} // a base to lay it over, as the whole catalogue costs milliseconds
	for _, name := range []string{"glowing", "physics", "static"} {
		e, _ := Builtin().Lookup(name)
		one := *e
		one.Category, one.Conflicts, one.Requires = "state", nil, nil
		small.Traits = append(small.Traits, one)
	}
	base, bad := (&Registry{}).With(small)
	if len(bad) > 0 {
		f.Fatal(bad)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, faults := Read(data)
		for _, f := range faults {
			if f.Message() == "" || f.Code == "" {
				t.Errorf("a fault without words: %+v", f)
			}
		}
		r, more := base.With(got)
		if len(faults)+len(more) > 0 {
			return
		}
		for _, e := range got.Traits {
			if _, ok := r.Lookup(e.Name); !ok {
				t.Errorf("@%s was read without fault but is not there", e.Name)
			}
		}
		// What was read is written and read again without a fault.
		text, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > MaxFile {
			return
		}
		again, faults := Read(text)
		if len(faults) > 0 || len(again.Traits) != len(got.Traits) {
			t.Errorf("written form is refused: %+v\n%s", faults, text)
		}
	})
}

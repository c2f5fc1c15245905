package config

import (
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestTableCoversEveryField finds a field without a row, a row without a field,
// two rows on one field, and a field of a type the parser does not know.
func TestTableCoversEveryField(t *testing.T) {
	t.Parallel()
	var c Config
	rows := map[any]string{}
	for i := range table {
		at := table[i].at(&c)
		if other, twice := rows[at]; twice {
			t.Errorf("%s and %s share a field", table[i].Name, other)
		}
		rows[at] = table[i].Name
	}
	fields := 0
	root := reflect.ValueOf(&c).Elem()
	for i := range root.NumField() {
		section := root.Field(i)
		for j := range section.NumField() {
			fields++
			name := root.Type().Field(i).Name + "." + section.Type().Field(j).Name
			row, ok := rows[section.Field(j).Addr().Interface()]
			if !ok {
				t.Errorf("no row for %s", name)
				continue
			}
			if strings.ReplaceAll(row, "_", "") != strings.ToLower(name) {
				t.Errorf("%s is the row of %s", row, name)
			}
		}
	}
	if fields != len(table) {
		t.Errorf("%d fields, %d rows", fields, len(table))
	}
}

func TestRowsAreWellFormed(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^([a-z0-9]+)\.[a-z0-9]+(_[a-z0-9]+)*$`)
	known := map[string]bool{}
	for _, s := range sections {
		known[s.name] = true
	}
	envs := map[string]bool{envHome: true, envLoopback: true}
	for i := range table {
		k := &table[i]
		m := form.FindStringSubmatch(k.Name)
		if m == nil || !known[m[1]] {
			t.Errorf("%s: malformed name or unknown section", k.Name)
		}
		if find(k.Name) != k {
			t.Errorf("%s: two rows", k.Name)
		}
		if envs[k.Env()] || fromOrchestrator(k.Env()) || envKey(k.Env()) != k {
			t.Errorf("%s: %s means something else", k.Name, k.Env())
		}
		envs[k.Env()] = true
		if !strings.HasSuffix(k.Help, ".") && !strings.HasSuffix(k.Help, ")") {
			t.Errorf("%s: help is not a sentence", k.Name)
		}
		if k.Secret != (k.Type() == TypeSecret) {
			t.Errorf("%s: Secret and its type disagree", k.Name)
		}
	}
}

// TestValuesSurviveFormatting: what is listed can be written into the file or
// the environment and means the same.
func TestValuesSurviveFormatting(t *testing.T) {
	t.Parallel()
	size, span, number := find("storage.cache_size"), find("p2p.sync_interval"), find("limits.read")
	rapid.Check(t, func(t *rapid.T) {
		s := Size(rapid.Int64Range(0, math.MaxInt64).Draw(t, "size"))
		if rapid.Bool().Draw(t, "round") {
			s = s >> 42 << 30
		}
		d := time.Duration(rapid.Int64().Draw(t, "duration"))
		if rapid.Bool().Draw(t, "seconds") {
			d = d.Truncate(time.Minute)
		}
		n := rapid.Int().Draw(t, "number")
		for k, v := range map[*Key]any{size: s, span: d, number: n} {
			got, err := k.parse(format(v))
			if err != nil || got != v {
				t.Fatalf("%s: %v written as %q is %v, %v", k.Name, v, format(v), got, err)
			}
		}
	})
}

func TestParseSize(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]Size{
		"0": 0, "4096": 4096, "1B": 1, "1kB": 1000, "2 KiB": 2048, " 64MiB ": 64 << 20, "3GB": 3e9, "1TiB": 1 << 40, "9223372036854775807": math.MaxInt64,
	} {
		if got, err := ParseSize(in); err != nil || got != want {
			t.Errorf("ParseSize(%q) = %d, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "MiB", "-1", "1.5MiB", "0x10", "1 M", "9223372036854775808", "8388608TiB", "1e3"} {
		if got, err := ParseSize(in); err == nil {
			t.Errorf("ParseSize(%q) = %d, want an error", in, got)
		}
	}
}

// TestEditsMatchesTheDefinition compares with the recursive definition.
func TestEditsMatchesTheDefinition(t *testing.T) {
	t.Parallel()
	var slow func(a, b string) int
	slow = func(a, b string) int {
		switch {
		case a == "" || b == "":
			return len(a) + len(b)
		case a[0] == b[0]:
			return slow(a[1:], b[1:])
		}
		return 1 + min(slow(a[1:], b), slow(a, b[1:]), slow(a[1:], b[1:]))
	}
	word := rapid.StringMatching(`[abc]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		if got, want := Edits(a, b), slow(a, b); got != want {
			t.Fatalf("Edits(%q, %q) = %d, want %d", a, b, got, want)
		}
	})
}

func TestSampleParsesToTheDefaults(t *testing.T) {
	t.Parallel()
	text, err := Sample(nil)
	if err != nil {
		t.Fatal(err)
	}
	asWritten := mustLoad(t, Sources{File: writeFile(t, string(text))})
	if !reflect.DeepEqual(asWritten.Config, Default()) {
		t.Error("the commented file changes a default")
	}
	// With every key's # removed the file still says the defaults, and sets all.
	active := regexp.MustCompile(`(?m)^  #(\w+:)`).ReplaceAllString(string(text), "  $1")
	all := mustLoad(t, Sources{File: writeFile(t, active)})
	if !reflect.DeepEqual(all.Config, Default()) {
		t.Errorf("the uncommented file differs:\n%+v\n%+v", all.Config, Default())
	}
	for _, k := range Keys() {
		if asWritten.Chosen(k.Name) || !all.Chosen(k.Name) {
			t.Errorf("%s: commented %s, uncommented %s", k.Name, asWritten.Origin(k.Name), all.Origin(k.Name))
		}
	}
}

func TestSampleHoldsChosenValues(t *testing.T) {
	t.Parallel()
	chosen := map[string]string{
		"node.name": "it's \"Ada\": #1\\", "node.profile": "super", "network.bootstrap": peerA + "," + peerB,
		"p2p.sync_interval": "7s", "storage.min_free_disk": "3GiB", "p2p.gossip": "false",
	}
	text, err := Sample(chosen)
	if err != nil {
		t.Fatal(err)
	}
	l := mustLoad(t, Sources{File: writeFile(t, string(text))})
	for _, k := range Keys() {
		want, ok := chosen[k.Name]
		if ok != l.Chosen(k.Name) {
			t.Errorf("%s: origin %s", k.Name, l.Origin(k.Name))
		}
		if got := format(k.value(&l.Config)); ok && got != want {
			t.Errorf("%s = %q, want %q", k.Name, got, want)
		}
	}
	if _, err := Sample(map[string]string{"p2p.gosip": "true"}); err == nil || !strings.Contains(err.Error(), "p2p.gossip") {
		t.Errorf("unknown key: %v", err)
	}
	if _, err := Sample(map[string]string{"p2p.gossip": "perhaps"}); err == nil {
		t.Error("a bad value passed")
	}
}

// TestSampleTextSurvives: any text that a key takes can be written by Sample
// and comes back.
func TestSampleTextSurvives(t *testing.T) {
	t.Parallel()
	k := find("gateway.welcome")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		if _, err := k.parse(text); err != nil {
			return
		}
		file, err := Sample(map[string]string{k.Name: text})
		if err != nil {
			t.Fatal(err)
		}
		l, fs := parseYAML("f", file)
		if len(fs) != 0 || l.values[k.Name] != text {
			t.Fatalf("%q came back as %q, %v", text, l.values[k.Name], fs)
		}
	})
}

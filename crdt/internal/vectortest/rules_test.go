package vectortest

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const vectors = "../../testdata/vectors"

// specRules are the numbered rules of SPEC.md, each with its text up to the next.
func specRules(t *testing.T) map[string]string {
	t.Helper()
	spec, err := os.ReadFile("../../../SPEC.md")
	if err != nil {
		t.Fatal(err)
	}
	number := regexp.MustCompile(`(?m)^\s*(?:\* )?\*\*(\d+\.\d+)\*\* `)
	at := number.FindAllSubmatchIndex(spec, -1)
	rules := map[string]string{}
	for i, m := range at {
		end := len(spec)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		n := string(spec[m[2]:m[3]])
		if rules[n] != "" {
			t.Errorf("two rules have the number %s", n)
		}
		rules[n] = string(spec[m[0]:end])
	}
	if len(rules) < 200 {
		t.Fatalf("%d numbered rules in SPEC.md", len(rules))
	}
	return rules
}

// Every vector says which rule of SPEC.md it is for, in itself or, for files that
// are older than the numbers, in rules.json; and that rule exists, with the step or
// the key that the vector names.
func TestVectorsNameTheirRules(t *testing.T) {
	t.Parallel()
	rules := specRules(t)
	form := regexp.MustCompile(`^(\d+\.\d+)(?:\((\d+)\))?(?: (\w+))?$`)
	exists := func(rule string) bool {
		m := form.FindStringSubmatch(rule)
		if m == nil || rules[m[1]] == "" {
			return false
		}
		text := rules[m[1]]
		for n := m[1]; m[2] != "" && !strings.Contains(text, "\n"+m[2]+". "); { // steps may have numbered parts of their own
			next := regexp.MustCompile(`\d+$`).ReplaceAllStringFunc(n, func(d string) string { return plusOne(d) })
			if rules[next] == "" {
				return false
			}
			n, text = next, rules[next]
		}
		return m[3] == "" || strings.Contains(text, "`"+m[3]+"`") || strings.Contains(text, "`"+m[3]+"?`")
	}
	raw, err := os.ReadFile(filepath.Join(vectors, "rules.json"))
	if err != nil {
		t.Fatal(err)
	}
	older := map[string][]string{}
	if err := json.Unmarshal(raw, &older); err != nil {
		t.Fatal(err)
	}
	for file, list := range older {
		for _, rule := range list {
			if !exists(rule) {
				t.Errorf("rules.json: %s is for %q, which is no rule of SPEC.md", file, rule)
			}
		}
	}
	seen := 0
	err = filepath.WalkDir(vectors, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(vectors, path)
		if err != nil || filepath.Ext(path) != ".json" || name == "rules.json" {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var list []struct{ Name, Rule string }
		if err := json.Unmarshal(raw, &list); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		_, known := older[filepath.ToSlash(name)]
		delete(older, filepath.ToSlash(name))
		for _, v := range list {
			if seen++; known == (v.Rule != "") || v.Rule != "" && !exists(v.Rule) {
				t.Errorf("%s: %q is for %q", name, v.Name, v.Rule)
			}
		}
		return nil
	})
	if err != nil || seen < 2000 {
		t.Errorf("%d vectors, %v", seen, err)
	}
	for file := range older {
		t.Errorf("rules.json: no file %s", file)
	}
}

func plusOne(digits string) string {
	b := []byte(digits)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i]++; b[i] <= '9' {
			return string(b)
		}
		b[i] = '0'
	}
	return "1" + string(b)
}

package leaks

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Every expression of the file is one.
func TestExpressionsCompile(t *testing.T) {
	t.Parallel()
	r, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	groups := func(list []allowance) {
		for _, a := range list {
			if a.re != nil {
				a.re()
			}
		}
	}
	groups(r.allow)
	for _, one := range r.rules {
		groups(one.allow)
		if one.re().NumSubexp() < one.group {
			t.Errorf("%s has no group %d", one.id, one.group)
		}
	}
	if len(r.rules) < 200 {
		t.Errorf("%d rules", len(r.rules))
	}
}

// rules are small ones, so that no text of this file looks like a real credential.
const rules = `
[allowlist]
regexes = ['''(?i)^k-allowed''', '''^k-spilt$''']
stopwords = ["k-example"]
[[rules]]
id = "kite"
regex = '''\b(k-[a-z0-9]{4,})\b'''
keywords = ["K-"]
entropy = 2
[[rules]]
id = "second"
regex = '''two:(\w*):(\w+)'''
keywords = ["two:"]
secretGroup = 2
[[rules]]
id = "first"
regex = '''one:(\w*):(\w+)'''
keywords = ["one:"]
[[rules]]
id = "generic-name"
regex = '''\bname=([\w-]+)'''
keywords = ["name"]
[[rules.allowlists]]
regexTarget = "line"
regexes = ['''^\s*#''']
[[rules.allowlists]]
condition = "AND"
regexTarget = "match"
regexes = ['''=open''']
stopwords = ["public"]
[[rules.allowlists]]
condition = "AND"
paths = ['''\.md$''']
regexes = ['''.''']
[[rules]]
id = "file"
path = '''\.p12$'''
[[rules]]
id = "whole"
regex = '''w-\d+'''
keywords = ["w-"]
`

func TestFind(t *testing.T) {
	t.Parallel()
	r, err := Load([]byte(rules))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                         "",
		"nothing here":             "",
		"it is k-ab12cd, there":    "kite:k-ab12cd",
		"it is k-aaaaaaa":          "", // of too little entropy
		"K-AB12CD":                 "", // the word is there, the expression is not met
		"k-allowed1":               "",
		"k-ALLOWED1 k-allowed2":    "",
		"k-spilt":                  "", // the flag of the first alternative holds on
		"not k-example12":          "",
		"one:abc:def":              "first:abc",
		"one::def":                 "first:def",
		"two:abc:def":              "second:def",
		"w-12":                     "whole:w-12",
		"name=k-ab12cd":            "kite:k-ab12cd", // the other rule knows better
		"name=k-aaaa":              "generic-name:k-aaaa",
		"name=x\nk-ab12cd":         "kite:k-ab12cd generic-name:x",
		"# name=x":                 "",
		"name=y\n # name=x":        "generic-name:y",
		"name=open-public":         "",
		"name=open-private":        "generic-name:open-private",
		"name=public":              "generic-name:public",
		"name=a name=a":            "generic-name:a generic-name:a",
		"k-ab12cd\n\nand k-zy98xw": "kite:k-ab12cd kite:k-zy98xw",
	} {
		var got []string
		for _, f := range r.Find(text) {
			got = append(got, f.Rule+":"+f.Secret)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: found %v, want %s", text, got, want)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no TOML":             "[[",
		"no keywords":         "[[rules]]\nid='a'\nregex='b'",
		"no id":               "[[rules]]\nregex='b'\nkeywords=['bb']",
		"no expression":       "[[rules]]\nid='a'\nkeywords=['bb']",
		"a keyword too short": "[[rules]]\nid='a'\nregex='b'\nkeywords=['b']",
		"a condition":         "[[rules]]\nid='a'\nregex='b'\nkeywords=['bb']\n[[rules.allowlists]]\ncondition='XOR'\nregexes=['a']",
		"a stop word":         "[allowlist]\nstopwords=['a']",
	} {
		if _, err := Load([]byte(text)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// Words are found as by looking for each of them alone.
func TestWords(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.StringMatching(`[ab]{2,5}`), 1, 12).Draw(t, "words")
		text := rapid.StringMatching(`[abc]{0,40}`).Draw(t, "text")
		w, err := newWords(list)
		if err != nil {
			t.Fatal(err)
		}
		got := map[int]bool{}
		w.each(text, func(at int) bool {
			got[at] = true
			return true
		})
		for i, word := range list {
			if got[i] != strings.Contains(text, word) {
				t.Fatalf("%q in %q: %v", word, text, got[i])
			}
		}
		if w.any(text) != slices.ContainsFunc(list, func(s string) bool { return strings.Contains(text, s) }) {
			t.Fatal("any differs")
		}
	})
}

func FuzzFind(f *testing.F) {
	r, err := Load([]byte(rules))
	if err != nil {
		f.Fatal(err)
	}
	f.Add("name=k-ab12cd\n\none::x two:a:b # name=x")
	f.Fuzz(func(t *testing.T, text string) {
		for _, found := range r.Find(text) {
			if !strings.Contains(text, found.Match) || !strings.Contains(found.Match, found.Secret) {
				t.Errorf("%+v does not stand in %q", found, text)
			}
		}
	})
}

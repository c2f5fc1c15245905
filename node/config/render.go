package config

import (
	"fmt"
	"strconv"
	"strings"
)

// Setting is one line of the listing of effective values.
type Setting struct {
	Key    string `json:"key"`
	Value  string `json:"value"` // "(redacted)" for a secret that is set
	Origin string `json:"origin"`
	Apply  string `json:"apply"` // live or restart
	Help   string `json:"help"`

	Type    Type     `json:"-"`
	Choices []string `json:"-"` // the values there are, for some
}

// Effective lists every key in the order of the table.
func (l *Loaded) Effective() []Setting {
	out := make([]Setting, len(table))
	for i := range table {
		k := &table[i]
		out[i] = Setting{
			Key:    k.Name,
			Value:  format(k.value(&l.Config)),
			Origin: l.Origin(k.Name),
			Apply:  k.apply(),
			Help:   k.Help,
			Type:   k.Type(), Choices: k.Choices,
		}
	}
	return out
}

func (k *Key) apply() string {
	if k.Live {
		return "live"
	}
	return "restart"
}

// Sample writes a commented configuration file: every key with its help and its
// default, commented out, but for those in set, which get the given value (written as a key's default is).
// It fails when set names an unknown key or has a value that does not parse.
//
// A line "#key: value" becomes a setting by removing the #; a line that begins
// with "# " is prose.
func Sample(set map[string]string) ([]byte, error) {
	for name, value := range set {
		k := find(name)
		if k == nil {
			return nil, Fault{Key: name, Text: "unknown key", Hint: nearestKey(name)}
		}
		if _, err := k.parse(value); err != nil {
			return nil, Fault{Key: name, Text: err.Error()}
		}
	}
	var b strings.Builder
	b.WriteString("# Configuration of meshd. Remove the # before a key to change its value.\n")
	b.WriteString("# Order: defaults < profile < this file < MESHD_<SECTION>_<KEY> < flags.\n")
	b.WriteString("# `meshd config show --effective --origin` shows what is in force and why.\n")
	for _, s := range sections {
		fmt.Fprintf(&b, "\n# %s\n%s:\n", s.help, s.name)
		for i := range table {
			if key, ok := strings.CutPrefix(table[i].Name, s.name+"."); ok {
				value, chosen := set[table[i].Name]
				writeKey(&b, &table[i], key, value, chosen)
			}
		}
	}
	return []byte(b.String()), nil
}

func writeKey(b *strings.Builder, k *Key, key, value string, chosen bool) {
	mark := "#"
	if chosen {
		mark = ""
	} else {
		value = k.Default
	}
	fmt.Fprintf(b, "  # %s", k.Help)
	if len(k.Choices) > 0 {
		word := "One"
		if k.Type() == TypeList {
			word = "Some"
		}
		fmt.Fprintf(b, " %s of: %s.", word, strings.Join(k.Choices, ", "))
	}
	if k.Live {
		b.WriteString(" [live]")
	}
	fmt.Fprintf(b, "\n  %s%s: %s\n", mark, key, yamlValue(k, value))
}

// yamlValue writes a value so that YAML reads the same text. Go's quoting uses
// only escapes that YAML's double quotes know.
func yamlValue(k *Key, value string) string {
	switch k.Type() {
	case TypeText, TypeSecret:
		return strconv.Quote(value)
	case TypeList:
		var items []string
		for _, item := range k.mustParse(value).([]string) {
			items = append(items, strconv.Quote(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	default:
		return value
	}
}

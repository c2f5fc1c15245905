package config

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// UnsetFile is the text of a file with one key back at its default, commented out.
// Everything else stays as it was. A key that the file does not set changes nothing. It
// fails with ErrEdit rather than change anything else.
func UnsetFile(path, name string) ([]byte, error) {
	text, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return unset(text, name)
}

func unset(text []byte, name string) ([]byte, error) {
	k := find(name)
	if k == nil {
		return nil, Fault{Key: name, Text: "unknown key", Hint: nearestKey(name)}
	}
	was, faults := parseYAML("", text)
	if len(faults) > 0 {
		return nil, faults
	}
	if _, set := was.values[name]; !set {
		return text, nil
	}
	section, key, _ := strings.Cut(name, ".")
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, ErrEdit
	}
	_, body := entry(doc.Content[0], section)
	at, v := entry(body, key)
	if at == nil {
		return nil, ErrEdit
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	last, err := lastLine(lines, v)
	if err != nil {
		return nil, err
	}
	above, beside := comments(lines, at, v, last)
	commented := strings.Repeat(" ", at.Column-1) + "#" + key + ": " + yamlValue(k, k.Default) + beside
	out, err := joined(slices.Replace(lines, at.Line-1, last, append(above, commented)...))
	if err != nil {
		return nil, err
	}
	now, faults := parseYAML("", out)
	rest := maps.Clone(was.values)
	delete(rest, name)
	if len(faults) > 0 || !reflect.DeepEqual(now.values, rest) {
		return nil, ErrEdit
	}
	return out, nil
}

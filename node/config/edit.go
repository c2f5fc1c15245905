package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// ErrEdit means that a file is written in a way that only a person can change.
var ErrEdit = errors.New("the file is written in a way that no program changes")

// Written is the value of a key in a file, "" when it is not set there or there is no
// such file. Lists are separated by commas.
func Written(path, name string) (string, error) {
	l, faults := fileLayer(path, true)
	if len(faults) > 0 {
		return "", faults
	}
	v, ok := l.values[name]
	if !ok {
		return "", nil
	}
	if list, ok := v.([]string); ok {
		return strings.Join(list, ","), nil
	}
	return format(v), nil
}

// EditFile is the text of a file with one key set to a value, written as a key's default
// is. Everything else stays as it was, comments too, and the
// comment beside the old value stands beside the new one. A file that is not there becomes a
// commented one. It fails with ErrEdit rather than change anything else.
func EditFile(path, name, value string) ([]byte, error) {
	text, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Sample(map[string]string{name: value})
	}
	if err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	return edit(text, name, value)
}

func edit(text []byte, name, value string) ([]byte, error) {
	k := find(name)
	if k == nil {
		return nil, Fault{Key: name, Text: "unknown key", Hint: nearestKey(name)}
	}
	want, err := k.parse(value)
	if err != nil {
		return nil, Fault{Key: name, Text: err.Error()}
	}
	was, faults := parseYAML("", text)
	if len(faults) > 0 {
		return nil, faults
	}
	out, err := place(text, k, value)
	if err != nil {
		return nil, err
	}
	// What was placed is read again, as it is not a program's to guess at YAML.
	now, faults := parseYAML("", out)
	if len(faults) > 0 || !reflect.DeepEqual(now.values[name], want) {
		return nil, ErrEdit
	}
	delete(was.values, name)
	rest := maps.Clone(now.values)
	delete(rest, name)
	if !reflect.DeepEqual(rest, was.values) {
		return nil, ErrEdit
	}
	return out, nil
}

// place writes the line of a key in the place of the old one, of the line that is
// commented out, below the head of its section, or at the end.
func place(text []byte, k *Key, value string) ([]byte, error) {
	section, key, _ := strings.Cut(k.Name, ".")
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, ErrEdit
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	line := func(indent int) string { return strings.Repeat(" ", indent) + key + ": " + yamlValue(k, value) }
	var head, body *yaml.Node
	if len(doc.Content) > 0 {
		head, body = entry(doc.Content[0], section)
	}
	if head == nil {
		return []byte(strings.Join(append(lines, section+":", line(2)), "\n") + "\n"), nil
	}
	indent := head.Column + 1
	if body != nil && len(body.Content) > 0 {
		indent = body.Content[0].Column - 1
	}
	if at, v := entry(body, key); at != nil {
		last, err := lastLine(lines, v)
		if err != nil {
			return nil, err
		}
		above, beside := comments(lines, at, v, last)
		return joined(slices.Replace(lines, at.Line-1, last, append(above, line(indent)+beside)...))
	}
	for i := head.Line; i < len(lines); i++ {
		if bare := strings.TrimSpace(lines[i]); bare != "" && lines[i] == strings.TrimLeft(lines[i], " #\t") {
			break // the head of the next section
		} else if strings.HasPrefix(bare, "#"+key+":") {
			return joined(slices.Replace(lines, i, i+1, line(indent)+trailing(strings.TrimPrefix(bare, "#"))))
		}
	}
	return joined(slices.Insert(lines, head.Line, line(indent)))
}

func joined(lines []string) ([]byte, error) { return []byte(strings.Join(lines, "\n") + "\n"), nil }

// entry finds a key of a mapping.
func entry(m *yaml.Node, name string) (key, value *yaml.Node) {
	if m == nil || m.Kind != yaml.MappingNode || m.Style&yaml.FlowStyle != 0 {
		return nil, nil
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == name {
			return m.Content[i], m.Content[i+1]
		}
	}
	return nil, nil
}

// comments are those of a value that is replaced: what stood beside it stands beside the
// new one, and what stood among its lines above it.
func comments(lines []string, key, v *yaml.Node, last int) (above []string, beside string) {
	indent := strings.Repeat(" ", key.Column-1)
	for i := key.Line; i < last; i++ {
		if bare := strings.TrimSpace(lines[i]); strings.HasPrefix(bare, "#") {
			above = append(above, indent+bare)
		}
	}
	for _, item := range v.Content {
		if item.LineComment != "" {
			above = append(above, indent+item.LineComment)
		}
	}
	for _, c := range []struct {
		text string
		line int
	}{{v.LineComment, last}, {v.LineComment, key.Line}, {key.LineComment, key.Line}} {
		if at := strings.LastIndex(lines[c.line-1], c.text); c.text != "" && at >= 0 {
			return above, lines[c.line-1][len(strings.TrimRight(lines[c.line-1][:at], " \t")):]
		}
	}
	return above, ""
}

// trailing is the comment at the end of a line of one key, with the space before it.
func trailing(line string) string {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(line), &doc) != nil || len(doc.Content) != 1 || len(doc.Content[0].Content) != 2 {
		return ""
	}
	_, beside := comments([]string{line}, doc.Content[0].Content[0], doc.Content[0].Content[1], 1)
	return beside
}

// lastLine is the number of the last line of a value.
func lastLine(lines []string, v *yaml.Node) (int, error) {
	last := v.Line
	for _, item := range v.Content {
		last = max(last, item.Line)
	}
	if v.Kind != yaml.SequenceNode || v.Style&yaml.FlowStyle == 0 {
		return last, nil
	}
	for ; last <= len(lines); last++ {
		if bytes.ContainsRune([]byte(lines[last-1]), ']') {
			return last, nil
		}
	}
	return 0, ErrEdit
}

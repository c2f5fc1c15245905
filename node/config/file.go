package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strconv"

	"gopkg.in/yaml.v3"
)

// fileLayer reads the YAML file at path; an empty path is an empty layer.
func fileLayer(path string, optional bool) (*layer, Faults) {
	if path == "" {
		return newLayer(), nil
	}
	data, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) && optional {
		return newLayer(), nil
	}
	if err != nil {
		return newLayer(), Faults{{Where: path, Text: "read file: " + err.Error()}}
	}
	return parseYAML(path, data)
}

// readFile reads at most maxFileBytes.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFileBytes {
		return nil, fmt.Errorf("larger than %s", Size(maxFileBytes))
	}
	return data, nil
}

// yamlReader walks the nodes of one file. It reads the tree instead of decoding
// into a struct because only the tree knows the lines.
type yamlReader struct {
	name   string
	layer  *layer
	faults Faults
}

// parseYAML reads the settings of a file called name. It takes a strict part of
// YAML: one document of sections with single values and flat lists; no
// anchors, aliases, tags of one's own or repeated keys. Null is unset.
func parseYAML(name string, data []byte) (*layer, Faults) {
	r := &yamlReader{name: name, layer: newLayer()}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	err := dec.Decode(&doc)
	if errors.Is(err, io.EOF) { // nothing but comments
		return r.layer, nil
	}
	if err != nil {
		r.syntax(err)
		return r.layer, r.faults
	}
	r.document(doc.Content[0])

	var next yaml.Node
	if err := dec.Decode(&next); err == nil {
		r.fault(&next, "", "a second document begins here; one is allowed")
	} else if !errors.Is(err, io.EOF) {
		r.syntax(err)
	}
	return r.layer, r.faults
}

func (r *yamlReader) document(root *yaml.Node) {
	if isNull(root) {
		return
	}
	if root.Kind != yaml.MappingNode {
		r.fault(root, "", "want sections such as p2p: or log: at the top")
		return
	}
	r.each(root, "", r.section)
}

func (r *yamlReader) section(name string, key, value *yaml.Node) {
	known := false
	for _, s := range sections {
		known = known || s.name == name
	}
	switch {
	case !known && value.Kind == yaml.MappingNode:
		r.unknown(key, name, "unknown section", nearestSection(name))
	case !known:
		r.unknown(key, name, "unknown key", nearestKey(name))
	case isNull(value):
	case value.Kind != yaml.MappingNode:
		r.fault(value, name, "want keys below this section")
	default:
		r.each(value, name+".", r.setting)
	}
}

func (r *yamlReader) setting(name string, key, value *yaml.Node) {
	k := find(name)
	if k == nil {
		r.unknown(key, name, "unknown key", nearestKey(name))
		return
	}
	if isNull(value) {
		return
	}
	var raw any
	switch value.Kind {
	case yaml.ScalarNode:
		if !plainTag(value) {
			r.fault(value, name, "tags are not supported")
			return
		}
		raw = value.Value
	case yaml.SequenceNode:
		items := []string{}
		for _, item := range value.Content {
			if item.Kind != yaml.ScalarNode || !plainTag(item) {
				r.fault(item, name, "want a list of single values")
				return
			}
			items = append(items, item.Value)
		}
		raw = items
	case yaml.AliasNode:
		r.fault(value, name, "aliases are not supported")
		return
	default:
		r.fault(value, name, fmt.Sprintf("want one %s, not keys", k.Type()))
		return
	}
	r.faults = append(r.faults, r.layer.set(k, raw, r.where(value))...)
}

// each calls visit for every entry of a mapping, with prefix before its name.
func (r *yamlReader) each(m *yaml.Node, prefix string, visit func(name string, key, value *yaml.Node)) {
	seen := map[string]int{}
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, value := m.Content[i], m.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			r.fault(key, "", "want a name before the colon")
			continue
		}
		name := prefix + key.Value
		if line, again := seen[name]; again {
			r.fault(key, name, fmt.Sprintf("already set in line %d", line))
			continue
		}
		seen[name] = key.Line
		visit(name, key, value)
	}
}

func (r *yamlReader) where(n *yaml.Node) string { return r.name + ":" + strconv.Itoa(n.Line) }

func (r *yamlReader) fault(n *yaml.Node, key, text string) {
	r.faults = append(r.faults, Fault{Where: r.where(n), Key: key, Text: text})
}

func (r *yamlReader) unknown(n *yaml.Node, key, text, hint string) {
	r.faults = append(r.faults, Fault{Where: r.where(n), Key: key, Text: text, Hint: hint})
}

// yamlLine finds the line in the library's message, which has no field for it.
var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)`)

// fromParser recognises messages of the library's parser, whose lines count
// from zero; those of its scanner count from one.
var fromParser = regexp.MustCompile(`^did not find expected (node content|key|'-' indicator|',' or|<document start>)`)

// syntax records that the library gave up. For a fault in the first line, or in
// the encoding, it names no line.
func (r *yamlReader) syntax(err error) {
	where, text := r.name, err.Error()
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		text = m[2]
		if line, err := strconv.Atoi(m[1]); err == nil {
			if fromParser.MatchString(text) {
				line++
			}
			where += ":" + strconv.Itoa(line)
		}
	}
	r.faults = append(r.faults, Fault{Where: where, Text: "not YAML: " + text})
}

// isNull reports a value that was left out, or commented out.
func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// plainTag accepts the types YAML finds by itself; everything is read as text
// and parsed by the key's own type.
func plainTag(n *yaml.Node) bool {
	return n.Style&yaml.TaggedStyle == 0
}

func nearestSection(name string) string {
	var names []string
	for _, s := range sections {
		names = append(names, s.name)
	}
	return nearest(name, names)
}

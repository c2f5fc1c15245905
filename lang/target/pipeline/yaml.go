package pipeline

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/meshd/meshd/lang/target/artefact"
)

// entry is a member of a YAML map.
type entry struct {
	key   string
	value *yaml.Node
}

func mapping(members ...entry) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, m := range members {
		if m.value != nil {
			n.Content = append(n.Content, word(m.key), m.value)
		}
	}
	return n
}

func sequence(items ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Content: items}
}

// switches are the words that YAML 1.1 reads as yes and no; hosts still do.
var switches = []string{"y", "n", "yes", "no", "on", "off"}

// word is a text of ours. It is quoted where it would be read as something else.
func word(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} // the encoder knows what YAML 1.2 takes for no text
	if slices.Contains(switches, strings.ToLower(s)) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// quoted is a text that comes from a source: one line in quotes, without signs
// that turn the direction of reading.
func quoted(s string) *yaml.Node {
	n := word(artefact.Readable(strings.ToValidUTF8(s, "\ufffd")))
	n.Style = yaml.DoubleQuotedStyle
	return n
}

// lines is a text as it stands, line by line.
func lines(s string) *yaml.Node {
	n := word(s)
	n.Style = yaml.LiteralStyle
	return n
}

func number(n int) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: fmt.Sprint(n)}
}

func boolean(b bool) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: fmt.Sprint(b)}
}

// documents are YAML documents below a comment.
func documents(comment []string, list ...*yaml.Node) ([]byte, error) {
	var b bytes.Buffer
	for _, line := range comment {
		fmt.Fprintf(&b, "# %s\n", artefact.Readable(line))
	}
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	for _, n := range list {
		if err := e.Encode(n); err != nil {
			return nil, fmt.Errorf("encode YAML: %w", err)
		}
	}
	if err := e.Close(); err != nil {
		return nil, fmt.Errorf("encode YAML: %w", err)
	}
	return b.Bytes(), nil
}

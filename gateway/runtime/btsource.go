package runtime

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/lang/run"
)

// treeSketch is a node of a behaviour tree as JSON. What it asks and does is source
// text, so that a tree in JSON means what the same tree in a source does.
type treeSketch struct {
	Type     string       `json:"type"`
	Name     string       `json:"name"` // for people
	Children []treeSketch `json:"children"`
	Child    *treeSketch  `json:"child"`
	Check    string       `json:"check"`
	Do       string       `json:"do"`
	Duration *float64     `json:"duration"`
	Times    *int         `json:"times"`
	Policy   string       `json:"policy"`
}

// sketchTypes are the nodes that a sketch has, each with the fields it may fill
// beside type and name: c children, k check, d do, t duration, n times, p policy.
var sketchTypes = map[string]string{
	"sequence": "c", "selector": "c", "random_selector": "c", "parallel": "cp",
	"inverter": "c", "succeeder": "c", "until_fail": "c", "repeater": "cn", "retry": "cn", "cooldown": "ct", "timeout": "ct", "guard": "ck",
	"condition": "k", "action": "d", "condition_action": "kd", "wait": "t",
}

// treeWriter turns a sketch into source.
type treeWriter struct {
	tree, actions strings.Builder
	nodes, acts   int
}

// treeSource is a source with one object, whose state is the blackboard and whose
// tree is a sketch.
func treeSource(raw json.RawMessage, board map[string]run.Value) (string, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	var root treeSketch
	if err := d.Decode(&root); err != nil {
		return "", call.Invalid(call.Fault("tree", "a node is {type, name?, children?, child?, check?, do?, duration?, times?, policy?}"))
	}
	w := &treeWriter{}
	if err := w.node(&root, "tree"); err != nil {
		return "", err
	}
	var out strings.Builder
	out.WriteString("object \"agent\" {\n  state {\n")
	for _, key := range slices.Sorted(maps.Keys(board)) {
		fmt.Fprintf(&out, "    %s: null\n", key) // its value is given when the run begins
	}
	fmt.Fprintf(&out, "  }\n%s  behavior_tree {\n    root: %s\n  }\n}\n", w.actions.String(), w.tree.String())
	return out.String(), nil
}

// node writes a node and those below it.
func (w *treeWriter) node(n *treeSketch, at string) error {
	may, known := sketchTypes[n.Type]
	if w.nodes++; w.nodes > maxTreeNodes {
		return call.Invalid(call.Fault("tree", "must have at most %d nodes", maxTreeNodes))
	}
	if !known {
		return call.Invalid(call.Fault(at+".type", "must be one of %s", strings.Join(slices.Sorted(maps.Keys(sketchTypes)), ", ")))
	}
	if n.Child != nil {
		n.Children = append([]treeSketch{*n.Child}, n.Children...)
	}
	for _, f := range []struct {
		sign, name  string
		given, must bool
	}{
		{"c", "children", len(n.Children) > 0, true}, {"k", "check", n.Check != "", true}, {"d", "do", n.Do != "", true},
		{"t", "duration", n.Duration != nil, true}, {"n", "times", n.Times != nil, false}, {"p", "policy", n.Policy != "", false},
	} {
		has := strings.Contains(may, f.sign)
		switch {
		case f.given && !has:
			return call.Invalid(call.Fault(at+"."+f.name, "has no meaning in a %s", n.Type))
		case !f.given && has && f.must:
			return call.Invalid(call.Fault(at+"."+f.name, "is needed in a %s", n.Type))
		}
	}
	fmt.Fprintf(&w.tree, "{ type: %s", n.Type)
	if n.Check != "" {
		fmt.Fprintf(&w.tree, ", check: (%s\n)", n.Check)
	}
	if n.Do != "" {
		w.acts++
		name := "act_" + strconv.Itoa(w.acts)
		fmt.Fprintf(&w.actions, "  function %s() {\n%s\n  }\n", name, n.Do)
		fmt.Fprintf(&w.tree, ", call: %q", name)
	}
	if n.Duration != nil {
		if *n.Duration < 0 || *n.Duration > maxTreeSeconds {
			return call.Invalid(call.Fault(at+".duration", "must be 0 to %d seconds", maxTreeSeconds))
		}
		fmt.Fprintf(&w.tree, ", duration: %ss", strconv.FormatFloat(*n.Duration, 'f', -1, 64))
	}
	if n.Times != nil {
		if *n.Times < 1 || *n.Times > maxTreeTicks {
			return call.Invalid(call.Fault(at+".times", "must be 1 to %d", maxTreeTicks))
		}
		fmt.Fprintf(&w.tree, ", times: %d", *n.Times)
	}
	switch n.Policy {
	case "":
	case "all", "any":
		fmt.Fprintf(&w.tree, ", policy: %s", n.Policy)
	default:
		return call.Invalid(call.Fault(at+".policy", "must be all or any"))
	}
	if len(n.Children) > 0 {
		w.tree.WriteString(", children: [")
		for i := range n.Children {
			if i > 0 {
				w.tree.WriteString(", ")
			}
			if err := w.node(&n.Children[i], at+".children["+strconv.Itoa(i)+"]"); err != nil {
				return err
			}
		}
		w.tree.WriteString("]")
	}
	w.tree.WriteString(" }")
	return nil
}

// isKey reports whether a text is a plain name of the language.
func isKey(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != "" && len(s) <= maxEventName
}

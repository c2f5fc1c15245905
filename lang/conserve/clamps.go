package conserve

import "strings"

// Clamp is a rule by which values of a key are equal on purpose.
type Clamp struct {
	Key    string // as Literal.Key has it or its end behind a dot; with .* all below it
	Reason string
}

// Clamps are all of them. A literal is clamped where no change of it changes anything
// and its key is here.
var Clamps = []Clamp{
	{"plane.size", "a plane has no thickness, so the middle of three sizes of one is nothing"},
	{"struct.*", "the default of a member of a type is what openapi and dtdl write of it, where the source has something for them"},
	{"interface.*", "as of struct"},
	{"annotation", "an annotation is a note to those who read the source, and acts on nothing"},
	{"mcp.env.*", "values of the environment of a server never leave the source: they may be secrets, so the target writes references"},
	{"mcp_server.env.*", "as of mcp.env"},
}

func clamped(l literal) (string, bool) {
	for _, c := range Clamps {
		key := "." + l.key + "."
		if below, all := strings.CutSuffix(c.Key, "*"); all && strings.Contains(key, "."+below) || strings.HasSuffix(key, "."+c.Key+".") {
			return c.Reason, true
		}
	}
	return "", false
}

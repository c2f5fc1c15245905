package conserve

import (
	"regexp"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/target"
)

// unseen are the targets without a picture whose artefacts count: those that choose what
// they write. json-ast, source, scene-json, state and
// nir have all that was written.
var unseen = []string{"openapi", "node-service", "a2a-agent-card", "mcp-config", "pipeline-node", "kubernetes", "dtdl", "wot", "aas"}

// write makes the artefacts of the targets without a picture that take a source; of only,
// where it is not nil, those that are in it.
func (g *gate) write(src target.Source, only map[string]string) map[string]string {
	out := map[string]string{}
	src.Found = slices.DeleteFunc(slices.Clone(src.Found), func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
	for _, id := range unseen {
		if _, wanted := only[id]; only != nil && !wanted {
			continue
		}
		if text, ok := artefactOf(src, id); ok {
			out[id] = text
		}
	}
	return out
}

func (g *gate) differs(src target.Source) bool {
	now := g.write(src, g.outputs)
	for id, text := range g.outputs {
		if now[id] != text {
			return true
		}
	}
	return false
}

// artefactOf is what a target writes, without the hash of the source.
func artefactOf(src target.Source, id string) (string, bool) {
	r, err := target.Compile(src, target.Request{Target: id})
	if err != nil {
		return "", false
	}
	var b strings.Builder
	for _, f := range r.Files {
		b.WriteString(f.Path)
		b.WriteByte(0)
		b.Write(f.Data)
	}
	text := strings.ReplaceAll(b.String(), r.SourceSHA256, "")
	for n := 16; n >= 8; n -= 4 { // headings have its beginning
		text = strings.ReplaceAll(text, r.SourceSHA256[:n], "")
	}
	return textual.ReplaceAllString(position.ReplaceAllString(text, "$1"), "$1"), true
}

// textual is what a program has of its text beside what it means: its seed, which follows
// from the hash, and the lines of its code and its nodes.
var textual = regexp.MustCompile(`("(?:seed|lines|src)": ?)\[[\d,\s\[\]]*\]`)

// position is a place in a source, as artefacts name it.
var position = regexp.MustCompile(`(\.(?:holo|hs|hsplus))(?::\d+)+`)

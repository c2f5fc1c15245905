package twin

import (
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// maxName is the most letters of a name: what DTDL takes.
const maxName = 64

// names gives names of letters, digits and _ that begin with a letter and end
// with none of _, each once.
type names map[string]bool

func (t names) name(from string) string {
	base := plain(from, maxName)
	name := base
	for k := 2; t[strings.ToLower(name)]; k++ {
		end := "_" + strconv.Itoa(k)
		name = strings.TrimRight(base[:min(len(base), maxName-len(end))], "_") + end
	}
	t[strings.ToLower(name)] = true
	return name
}

// plain is a text as a name of at least two signs.
func plain(from string, most int) string {
	var b strings.Builder
	for _, r := range from {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
		if b.Len() >= most {
			break
		}
	}
	out := strings.TrimRight(b.String(), "_")
	switch {
	case out == "":
		return "it"
	case out[0] >= '0' && out[0] <= '9':
		out = "n" + out
	case len(out) == 1:
		out += "0"
	}
	return strings.TrimRight(out[:min(len(out), most)], "_")
}

// renamed notes every node whose name had to be changed (TGT007).
func renamed(in *artefact.Input, n *scene.Node, name string) []artefact.Note {
	if n == nil || n.Path == name {
		return nil
	}
	return []artefact.Note{{Code: "TGT007", Src: n.Src, Slots: []string{n.Path, name, in.Target}}}
}

// short is a text of one line and at most so many signs.
func short(s string, most int) string {
	r := []rune(artefact.OneLine(s))
	return string(r[:min(len(r), most)])
}

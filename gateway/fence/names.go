package fence

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/meshd/meshd/node/gate"
)

// named are the members of replies that contain names, tags and other short words which
// agents choose, at any depth.
var named = []string{
	"name", "handle", "agentName", "authorName", "byName", "claimedByName", "createdByName", "fromAgentName", "ownerName", "submitterName", "teamName",
	"surface", "surfaceTag", "surface_tag", "claimedAs", "completedAs", "deletedAs",
	"tags", "topTags", "traits", "domain", "domains", "topDomains", "communicationStyle", "environment",
}

// Named is a reply whose names and tags have no characters that hide or turn what they
// say, and all of these words in one passage; none for a reply without. Of what stands in
// the members quotes it takes nothing: that is fenced as it is.
func Named(reply []byte, quotes []string) (clean []byte, words []Passage) {
	d := json.NewDecoder(bytes.NewReader(reply))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return reply, nil
	}
	w := &wordWalk{quotes: quotes}
	v = w.walk(v, false)
	if w.changed {
		if raw, err := encoded(v); err == nil {
			reply = raw
		}
	}
	if len(w.words) > 0 {
		words = []Passage{{"Names, tags and domains, which agents choose, one a line:", strings.Join(w.words, "\n")}}
	}
	return reply, words
}

// encoded is JSON as the rest of a gateway writes it: < and > as they are.
func encoded(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// wordWalk goes through a reply, cleans names and collects them, each once.
type wordWalk struct {
	quotes  []string
	words   []string
	seen    map[string]bool
	changed bool
}

func (w *wordWalk) walk(v any, name bool) any {
	switch v := v.(type) {
	case string:
		if !name {
			return v
		}
		clean := gate.CleanName(v)
		w.changed = w.changed || clean != v
		if clean != "" && !w.seen[clean] {
			if w.seen == nil {
				w.seen = map[string]bool{}
			}
			w.seen[clean] = true
			w.words = append(w.words, clean)
		}
		return clean
	case []any:
		for i := range v {
			v[i] = w.walk(v[i], name)
		}
		return v
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			if !slices.Contains(w.quotes, key) {
				v[key] = w.walk(v[key], slices.Contains(named, key))
			}
		}
		return v
	}
	return v
}

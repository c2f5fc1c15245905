package unity

import (
	"fmt"
	"regexp"
	"strings"
)

// rule is a limit of UdonSharp, as its documentation has them.
type rule struct {
	what string
	ban  *regexp.Regexp
}

var udonRules = []rule{
	{"exceptions", regexp.MustCompile(`\b(try|catch|finally|throw)\b`)},
	{"waiting and iterators", regexp.MustCompile(`\b(async|await|yield|IEnumerator)\b`)},
	{"types of its own", regexp.MustCompile(`\b(interface|struct|enum|delegate|record)\b`)},
	{"tests of types but by GetType", regexp.MustCompile(`\b(is|as|dynamic)\b`)},
	{"lambdas and bodies of one expression", regexp.MustCompile(`=>`)},
	{"jumps, locks, and what is not safe", regexp.MustCompile(`\b(goto|lock|unsafe|stackalloc|checked|unchecked|fixed)\b`)},
	{"collections, queries, reflection and threads", regexp.MustCompile(`\b(System\.(Linq|Collections|Reflection|Threading|IO)|List|Dictionary|HashSet|Queue|Stack|Func|Action|Type)\b\s*[<.;]?[<A-Z;]`)},
	{"arrays of more than one dimension", regexp.MustCompile(`\[\s*,`)},
	{"static fields", regexp.MustCompile(`\bstatic\b[^(\n]*(;|=)`)},
	{"events and operators of its own", regexp.MustCompile(`\b(event|operator|implicit|explicit|namespace\s+\S+;)\b`)},
}

var (
	generic = regexp.MustCompile(`\b([A-Za-z_]\w*)<[A-Za-z]`)
	made    = regexp.MustCompile(`\bnew\s+([A-Za-z_][\w.]*)(\[?)`)
	classes = regexp.MustCompile(`\bclass\s+(\w+)\s*:\s*(\w+)`)
	synced  = regexp.MustCompile(`\[UdonSynced\]\s*(?:public|private)?\s*([\w\[\]]+)`)
	plain   = map[string]bool{"Vector3": true, "Quaternion": true, "Color": true}
	shares  = map[string]bool{
		"bool": true, "int": true, "long": true, "float": true, "double": true, "string": true, "Vector3": true, "Quaternion": true, "Color": true,
		"bool[]": true, "int[]": true, "long[]": true, "float[]": true, "double[]": true, "Vector3[]": true, "Quaternion[]": true, "Color[]": true,
	}
)

// UdonFaults says what UdonSharp does not take of a file: it knows one class that
// is a behaviour, and of the language no more than its documentation lists.
func UdonFaults(source string) []string {
	text := said.ReplaceAllString(source, `""`)
	var out []string
	for _, r := range udonRules {
		if m := r.ban.FindString(text); m != "" {
			out = append(out, fmt.Sprintf("%s: %q", r.what, m))
		}
	}
	for _, m := range generic.FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(m[1], "GetComponent") {
			out = append(out, fmt.Sprintf("generic types and methods: %q", m[0]))
		}
	}
	for _, m := range made.FindAllStringSubmatch(text, -1) {
		if m[2] == "" && !plain[m[1]] {
			out = append(out, fmt.Sprintf("objects of its own: %q", m[0]))
		}
	}
	if all := classes.FindAllStringSubmatch(text, -1); len(all) != 1 || strings.Count(text, "class ") != 1 {
		out = append(out, fmt.Sprintf("%d classes in a file", len(all)))
	} else if base := all[0][2]; base != "UdonSharpBehaviour" && base != "Actor" {
		out = append(out, "a class that is no behaviour: "+base)
	}
	if !strings.Contains(text, "[UdonBehaviourSyncMode(BehaviourSyncMode.") {
		out = append(out, "a behaviour that does not say how it is kept in step")
	}
	for _, m := range synced.FindAllStringSubmatch(text, -1) {
		if !shares[m[1]] {
			out = append(out, "a synced field of type "+m[1])
		}
	}
	return out
}

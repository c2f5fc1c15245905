package unity

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// mostName is how long a name of a class may be.
const mostName = 60

// members are what every component has, and files of the package.
const members = `Awake Start Update FixedUpdate LateUpdate OnEnable OnDisable OnDestroy Reset OnValidate Invoke SendMessage BroadcastMessage GetComponent
Equals GetHashCode GetType ToString MemberwiseClone Finalize ReferenceEquals System UnityEngine UnityEditor UdonSharp VRC Editor MeshdScene Data Scene Stage Runtime`

var (
	word = regexp.MustCompile(`[A-Za-z_]\w*`)
	said = regexp.MustCompile(`"(\\.|[^"\\])*"|//.*`) // texts and comments
)

// taken are the words that the code of every scene uses: a class of a template has
// none of them, so that it hides nothing.
var taken = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(members) {
		out[w] = true
	}
	entries, err := parts.ReadDir("cs")
	if err != nil {
		panic("unity: " + err.Error()) // embedded
	}
	for _, e := range entries {
		raw, err := parts.ReadFile("cs/" + e.Name())
		if err != nil {
			panic("unity: " + err.Error())
		}
		for _, w := range word.FindAllString(said.ReplaceAllString(string(raw), ""), -1) {
			out[w] = true
		}
	}
	return out
})

// names gives identifiers that are unique also where case does not count, as in
// names of files.
type names map[string]bool

// class is an identifier for a name of the source.
func (n names) class(name string) string {
	var b strings.Builder
	upper := true
	for _, r := range name {
		ok := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		switch {
		case b.Len() >= mostName:
		case !ok:
			upper = true
		case upper:
			b.WriteString(strings.ToUpper(string(r)))
			upper = false
		default:
			b.WriteRune(r)
		}
	}
	id := b.String()
	if id == "" || id[0] >= '0' && id[0] <= '9' {
		id = "Named" + id
	}
	if taken()[id] {
		id += "Thing"
	}
	out := id
	for k := 2; n[strings.ToLower(out)] || taken()[out]; k++ {
		out = id + "_" + strconv.Itoa(k)
	}
	n[strings.ToLower(out)] = true
	return out
}

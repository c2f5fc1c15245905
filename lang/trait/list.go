package trait

import "strings"

// Brief is an entry as a list shows it.
type Brief struct {
	Name     string  `json:"name"`
	Category string  `json:"category"`
	Summary  string  `json:"summary"`
	Params   []Param `json:"params"`
}

// Listing is the answer to a question for all traits.
type Listing struct {
	Total         int               `json:"total"`
	Categories    map[string]int    `json:"categories"` // traits by category
	CategorySlugs []string          `json:"categorySlugs"`
	Aliases       map[string]string `json:"aliases"`
	List          []Brief           `json:"list"`
}

// Section is the answer to a question for one category.
type Section struct {
	Category    string  `json:"category"`
	RequestedAs string  `json:"requestedAs"`
	Count       int     `json:"count"`
	Traits      []Brief `json:"traits"`
}

// List lists the traits whose name or summary contains every word of q, in any
// case; an empty q lists all. Total and the counts are of what is listed;
// categories without any are there with 0.
func (r *Registry) List(q string) Listing {
	l := Listing{Categories: map[string]int{}, CategorySlugs: r.Categories(), Aliases: cloneMap(r.aliases), List: r.briefs("", q)}
	for _, c := range r.categories {
		l.Categories[c] = 0
	}
	for _, b := range l.List {
		l.Categories[b.Category]++
	}
	l.Total = len(l.List)
	return l
}

// ListCategory lists the traits of one category, given by slug or alias. It is
// false for a category nobody has (see NearestCategories).
func (r *Registry) ListCategory(name, q string) (Section, bool) {
	slug, ok := r.Category(name)
	if !ok {
		return Section{}, false
	}
	s := Section{Category: slug, RequestedAs: name, Traits: r.briefs(slug, q)}
	s.Count = len(s.Traits)
	return s, true
}

func (r *Registry) briefs(category, q string) []Brief {
	words := strings.Fields(strings.ToLower(q))
	out := []Brief{}
	for _, e := range r.entries {
		if category != "" && e.Category != category {
			continue
		}
		text := strings.ToLower(e.Name + "\n" + e.Summary)
		all := true
		for _, w := range words {
			all = all && strings.Contains(text, w)
		}
		if all {
			out = append(out, Brief{e.Name, e.Category, e.Summary, e.Params})
		}
	}
	return out
}

// Explanation is everything about one trait but what targets make of it, which
// target.SupportOf says.
type Explanation struct {
	Name      string       `json:"name"`
	Kind      string       `json:"kind"`
	Category  string       `json:"category"`
	Summary   string       `json:"summary"`
	Params    []Param      `json:"params"`
	Requires  [][]string   `json:"requires"`
	Conflicts []string     `json:"conflicts"` // in both directions
	Core      bool         `json:"core"`
	Lowers    []Capability `json:"lowers"`
	Example   string       `json:"example"`
}

// Explain describes one trait.
func (r *Registry) Explain(name string) (Explanation, bool) {
	e, ok := r.byName[name]
	if !ok {
		return Explanation{}, false
	}
	x := Explanation{
		Name: e.Name, Kind: e.Kind, Category: e.Category, Summary: e.Summary, Params: e.Params, Requires: e.Requires,
		Conflicts: sortedKeys(r.conflicts[name]), Core: e.Core(), Lowers: e.Lowers, Example: e.Example(),
	}
	if x.Lowers == nil {
		x.Lowers = []Capability{}
	}
	if x.Conflicts == nil {
		x.Conflicts = []string{}
	}
	return x, true
}

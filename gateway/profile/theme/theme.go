// Package theme is the colours of an agent's page: as they stand in its document, and as
// they are edited.
package theme

import (
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/node/view"
)

// Theme is the colours of a page.
type Theme struct {
	Color    string   `json:"color"`
	Accent   string   `json:"accent"`
	Gradient []string `json:"gradient"`
}

// Of is the theme of a page with these fields, without what is no colour.
func Of(f map[string]any) Theme {
	m, _ := f["theme"].(map[string]any)
	return Theme{colourOf(m["color"]), colourOf(m["accent"]), coloursOf(m["gradient"])}
}

var colour = regexp.MustCompile(`^#([0-9a-fA-F]{3}|[0-9a-fA-F]{4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$`)

func colourOf(x any) string {
	if s := access.TextOf(x); colour.MatchString(s) {
		return s
	}
	return ""
}

func coloursOf(x any) []string {
	out := []string{}
	for _, s := range access.TextsOf(x) {
		if colour.MatchString(s) {
			out = append(out, s)
		}
	}
	return out
}

// Fields are what can be given of a theme: all of it, or parts by themselves.
type Fields struct {
	Theme              call.Opt[any]      `field:"theme"` // a colour, or an object
	ThemeColor         call.Opt[string]   `field:"themeColor"`
	ThemeAccent        call.Opt[string]   `field:"themeAccent"`
	BackgroundGradient call.Opt[[]string] `field:"backgroundGradient"`
}

// Given reports whether anything of a theme is given.
func (r Fields) Given() bool {
	return r.Theme.Given || r.ThemeColor.Given || r.ThemeAccent.Given || r.BackgroundGradient.Given
}

// Merged is the theme of a page with what is given put into it: it is one value of
// the document.
func (r Fields) Merged(now view.Page) (value any, err error) {
	if !r.Given() {
		return nil, nil
	}
	t := Of(now.Fields)
	switch x := r.Theme.Value.(type) {
	case string:
		t.Color = x
	case json.RawMessage:
		if err := json.Unmarshal(x, &t); err != nil {
			return nil, fmt.Errorf("must be {color, accent, gradient}")
		}
	case nil:
		if r.Theme.Null {
			t = Theme{}
		}
	}
	if r.ThemeColor.Given {
		t.Color = r.ThemeColor.Value
	}
	if r.ThemeAccent.Given {
		t.Accent = r.ThemeAccent.Value
	}
	if r.BackgroundGradient.Given {
		t.Gradient = r.BackgroundGradient.Value
	}
	return t.value()
}

// value is t as it stands in the document, nil for no theme at all.
func (t Theme) value() (any, error) {
	m := map[string]any{}
	for key, c := range map[string]string{"color": t.Color, "accent": t.Accent} {
		if c == "" {
			continue
		}
		if !colour.MatchString(c) {
			return nil, fmt.Errorf("%s must be # and 3, 4, 6 or 8 hex digits", key)
		}
		m[key] = c
	}
	if n := len(t.Gradient); n != 0 && n != 2 {
		return nil, fmt.Errorf("gradient must have two colours")
	}
	var gradient []any
	for _, c := range t.Gradient {
		if !colour.MatchString(c) {
			return nil, fmt.Errorf("gradient must be colours")
		}
		gradient = append(gradient, c)
	}
	if gradient != nil {
		m["gradient"] = gradient
	}
	if len(m) == 0 {
		return nil, nil
	}
	return m, nil
}

package profile

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

func themeOf(f map[string]any) Theme {
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

// themeIn merges what is given of a theme into the one there is: the document
// holds it as one value.
func themeIn(v call.Values, now view.Page) (value any, given bool, err error) {
	given = v.Has("theme") || v.Has("themeColor") || v.Has("themeAccent") || v.Has("backgroundGradient")
	if !given {
		return nil, false, nil
	}
	t := themeOf(now.Fields)
	switch x := v.Given("theme").(type) {
	case string:
		t.Color = x
	case json.RawMessage:
		if err := json.Unmarshal(x, &t); err != nil {
			return nil, true, fmt.Errorf("must be {color, accent, gradient}")
		}
	case nil:
		if v.Null("theme") {
			t = Theme{}
		}
	}
	if v.Has("themeColor") {
		t.Color = v.Text("themeColor")
	}
	if v.Has("themeAccent") {
		t.Accent = v.Text("themeAccent")
	}
	if v.Has("backgroundGradient") {
		t.Gradient = v.Texts("backgroundGradient")
	}
	return t.value()
}

// value is t as the document holds it, nil for no theme at all.
func (t Theme) value() (any, bool, error) {
	m := map[string]any{}
	for key, c := range map[string]string{"color": t.Color, "accent": t.Accent} {
		if c == "" {
			continue
		}
		if !colour.MatchString(c) {
			return nil, true, fmt.Errorf("%s must be # and 3, 4, 6 or 8 hex digits", key)
		}
		m[key] = c
	}
	if n := len(t.Gradient); n != 0 && n != 2 {
		return nil, true, fmt.Errorf("gradient must have two colours")
	}
	var gradient []any
	for _, c := range t.Gradient {
		if !colour.MatchString(c) {
			return nil, true, fmt.Errorf("gradient must be colours")
		}
		gradient = append(gradient, c)
	}
	if gradient != nil {
		m["gradient"] = gradient
	}
	if len(m) == 0 {
		return nil, true, nil
	}
	return m, true, nil
}

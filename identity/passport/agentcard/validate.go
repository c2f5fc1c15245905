package agentcard

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"slices"
	"unicode/utf8"
)

// validator collects faults.
type validator struct{ faults []string }

func (v *validator) fault(format string, args ...any) {
	v.faults = append(v.faults, fmt.Sprintf(format, args...))
}

// err joins the faults in the order of their texts, so that maps do not show.
func (v *validator) err() error {
	slices.Sort(v.faults)
	var all []error
	for _, f := range v.faults {
		all = append(all, fmt.Errorf("%w: %s", ErrCard, f))
	}
	return errors.Join(all...)
}

func (v *validator) text(at, s string, required bool) {
	if required && s == "" {
		v.fault("%s: missing", at)
	}
	if len(s) > MaxText {
		v.fault("%s: %d bytes, at most %d", at, len(s), MaxText)
	}
	if !utf8.ValidString(s) {
		v.fault("%s: not UTF-8", at)
	}
}

func (v *validator) texts(at string, list []string) {
	v.list(at, len(list), false)
	for i, s := range list {
		v.text(fmt.Sprintf("%s[%d]", at, i), s, true)
	}
}

func (v *validator) list(at string, n int, required bool) {
	if required && n == 0 {
		v.fault("%s: missing", at)
	}
	if n > MaxList {
		v.fault("%s: %d, at most %d", at, n, MaxList)
	}
}

func (v *validator) url(at, s string) {
	if !isURL(s) {
		v.fault("%s: want an absolute http or https URL without credentials", at)
	}
}

// modes are media types.
func (v *validator) modes(at string, list []string, required bool) {
	v.list(at, len(list), required)
	for i, s := range list {
		if kind, _, err := mime.ParseMediaType(s); err != nil || !slices.Contains([]byte(kind), '/') || len(s) > MaxText {
			v.fault("%s[%d]: want a media type", at, i)
		}
	}
}

func (v *validator) object(at string, raw json.RawMessage) {
	if raw == nil {
		return
	}
	var m map[string]any
	if err := json.Unmarshal(raw, &m); err != nil || m == nil {
		v.fault("%s: want an object", at)
	}
}

// requirements name schemes that the card has.
func (v *validator) requirements(at string, list []Requirement, schemes map[string]Scheme) {
	v.list(at, len(list), false)
	for i, r := range list {
		for name, scopes := range r.Schemes {
			if _, known := schemes[name]; !known {
				v.fault("%s[%d]: scheme %.80q is not among securitySchemes", at, i, name)
			}
			v.texts(fmt.Sprintf("%s[%d].schemes[%.80q]", at, i, name), scopes.List)
		}
	}
}

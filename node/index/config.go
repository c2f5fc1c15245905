package index

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Config says which fields documents have and how they count. The zero value is
// [Knowledge]. Weights, B and K1 may change between two openings of one folder; the
// names, order and kind of the fields may not (see [ErrStale]).
type Config struct {
	Fields []Field
	K1     float64 // saturation of repeated terms; 0 means 1.2
}

// Field is one named text of a document.
type Field struct {
	Name   string
	Weight float64 // how much an occurrence counts, above 0
	B      float64 // how much a long field counts against a document, 0 (not) to 1 (in full)
	Code   bool    // the text is source or a path: words such as "for" and "to" are kept
}

// Knowledge is the configuration for entries written in prose. Title, domain, tag and
// kind are short labels in which repetition and length say little.
func Knowledge() Config {
	return Config{K1: 1.2, Fields: []Field{
		{Name: "title", Weight: 4, B: 0.5},
		{Name: "domain", Weight: 2, B: 0.3},
		{Name: "tag", Weight: 2, B: 0.3},
		{Name: "kind", Weight: 1, B: 0.3},
		{Name: "author", Weight: 1, B: 0.3},
		{Name: "body", Weight: 0.5, B: 0.75},
	}}
}

// Code is the configuration for functions and types of source code. Its weights were
// chosen on the modules this program depends on, so that the standard library stays an
// impartial judge (BenchmarkStdlibDoc).
func Code() Config {
	return Config{K1: 1.2, Fields: []Field{
		{Name: "name", Weight: 4, B: 0.5, Code: true},
		{Name: "signature", Weight: 2, B: 0.75, Code: true},
		{Name: "path", Weight: 2, B: 0.75, Code: true},
		{Name: "docs", Weight: 4, B: 0.75},
		{Name: "body", Weight: 0.5, B: 0.75, Code: true},
	}}
}

// Validate returns all problems of c at once, each wrapping [ErrInvalid].
func (c Config) Validate() error {
	var problems []error
	refuse := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("%w: "+format, append([]any{ErrInvalid}, args...)...))
	}
	if len(c.Fields) == 0 || len(c.Fields) > maxFields {
		refuse("%d fields, want 1 to %d", len(c.Fields), maxFields)
	}
	if !(c.K1 > 0 && c.K1 <= 100) {
		refuse("k1 is %v, want above 0 and at most 100", c.K1)
	}
	seen := make(map[string]bool)
	for _, f := range c.Fields {
		if f.Name == "" || len(f.Name) > maxName || strings.ContainsRune(f.Name, 0) || seen[f.Name] {
			refuse("field name %q is empty, too long or used twice", f.Name)
		}
		seen[f.Name] = true
		if !(f.Weight > 0 && f.Weight <= 1000) {
			refuse("weight of field %q is %v, want above 0 and at most 1000", f.Name, f.Weight)
		}
		if !(f.B >= 0 && f.B <= 1) {
			refuse("b of field %q is %v, want 0 to 1", f.Name, f.B)
		}
	}
	return errors.Join(problems...)
}

// withDefaults fills what c leaves open and detaches it from the caller's slice.
func (c Config) withDefaults() Config {
	if len(c.Fields) == 0 {
		c.Fields = Knowledge().Fields
	}
	if c.K1 == 0 {
		c.K1 = 1.2
	}
	c.Fields = slices.Clone(c.Fields)
	return c
}

// print names what of c decides over the bytes of a segment.
func (c Config) print() string {
	var b strings.Builder
	for _, f := range c.Fields {
		kind := byte('p')
		if f.Code {
			kind = 'c'
		}
		b.WriteByte(kind)
		b.WriteString(f.Name)
		b.WriteByte(0)
	}
	return b.String()
}

// mask returns the set of fields named in only, all of them when only is nil.
func (c Config) mask(only []string) uint8 {
	var m uint8
	for i, f := range c.Fields {
		if only == nil || slices.Contains(only, f.Name) {
			m |= 1 << i
		}
	}
	return m
}

// names lists the fields of mask in the order of the configuration.
func (c Config) names(mask uint8) []string {
	var out []string
	for i, f := range c.Fields {
		if mask&(1<<i) != 0 {
			out = append(out, f.Name)
		}
	}
	return out
}

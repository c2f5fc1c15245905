// Package tracetest reads and compares the traces that interpreters of program/1
// print, for the tests of those interpreters.
package tracetest

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Entry is one line of a trace: what happened At seconds, and where in the source.
type Entry struct {
	At       float64 `json:"at"`
	Kind     string  `json:"kind"`
	Node     string  `json:"node"`
	Name     string  `json:"name"`
	Value    any     `json:"value"`
	Function string  `json:"function"`
	Line     int     `json:"line"`
	Column   int     `json:"column"`
}

// Printed reads the entries that a case printed: lines of TRACE and an array of eight,
// the value being JSON in a text. Other lines are passed over.
func Printed(t testing.TB, said string) []Entry {
	t.Helper()
	var out []Entry
	for line := range strings.Lines(said) {
		raw, ok := strings.CutPrefix(line, "TRACE ")
		if !ok {
			continue
		}
		var f []any
		if err := json.Unmarshal([]byte(raw), &f); err != nil || len(f) != 8 {
			t.Fatalf("%v in %s", err, line)
		}
		e := Entry{f[0].(float64), f[1].(string), f[2].(string), f[3].(string), f[4], f[5].(string), int(f[6].(float64)), int(f[7].(float64))}
		var v any
		if json.Unmarshal([]byte(f[4].(string)), &v) == nil {
			e.Value = v
		}
		out = append(out, e)
	}
	return out
}

var inText = regexp.MustCompile(`\d+\.\d{9,}(e[+-]\d+)?`)

// Alike compares values of JSON; numbers count to 12 digits, within texts to ten.
func Alike(a, b any) bool {
	switch a := a.(type) {
	case float64:
		c, ok := b.(float64)
		return ok && math.Abs(a-c) <= 1e-11*math.Max(1e-3, math.Max(math.Abs(a), math.Abs(c)))
	case string:
		c, ok := b.(string)
		round := func(s string) string {
			return inText.ReplaceAllStringFunc(s, func(n string) string {
				v, _ := strconv.ParseFloat(n, 64)
				return strconv.FormatFloat(v, 'e', 9, 64)
			})
		}
		return ok && round(a) == round(c)
	case []any:
		c, ok := b.([]any)
		return ok && slices.EqualFunc(a, c, Alike)
	case map[string]any:
		c, ok := b.(map[string]any)
		if !ok || len(a) != len(c) {
			return false
		}
		for k, v := range a {
			if w, there := c[k]; !there || !Alike(v, w) {
				return false
			}
		}
		return true
	}
	return a == b
}

// Differ says where two traces differ, "" for nowhere.
func Differ(a, b []Entry) string {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) {
			return fmt.Sprintf("%d and %d entries", len(a), len(b))
		}
		x, y := a[i], b[i]
		same := Alike(x.Value, y.Value) && Alike(x.At, y.At)
		x.Value, y.Value, x.At, y.At = nil, nil, 0, 0
		if !same || x != y {
			return fmt.Sprintf("entry %d:\n  %+v\n  %+v", i, a[i], b[i])
		}
	}
	return ""
}

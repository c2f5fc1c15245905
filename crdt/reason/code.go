// Package reason is the one enum of refusal codes. The same string is the HTTP
// code, the code in an MCP refusal, the gossip verdict's reason and the
// label of meshd_refused_total. A code is never renamed and never reused; a
// new one needs a row in the table below and, in the same change, a caller.
package reason

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Code names why something was refused. The empty Code means "not refused".
type Code string

// Verdict is what a gossip receiver answers for a code.
type Verdict uint8

// The verdicts. Never marks codes that are not seen on gossip at all.
const (
	Never  Verdict = iota
	Reject         // invalid for everyone: costs the sender score
	Ignore         // not relayed, held, or kept without effect; no blame
	Defer          // wait for missing data; no blame
)

// Retry says when the same request may succeed.
type Retry string

// The retry classes of api §11.
const (
	RetryNo    Retry = "no"    // it will fail again
	RetryFix   Retry = "fix"   // after changing it
	RetryLater Retry = "later" // after Retry-After
)

// Info is the row of one code.
type Info struct {
	Code    Code
	HTTP    int // status at the API; 0 for warnings
	Gossip  Verdict
	Retry   Retry
	Meaning string // one line for people
}

// Lookup returns the row of c. An unknown code yields the row of Internal and false.
func Lookup(c Code) (Info, bool) {
	if i, ok := index[c]; ok {
		return i, true
	}
	return index[Internal], false
}

// All returns every row, in the order of the table. The slice is a copy.
func All() []Info { return slices.Clone(table) }

// Gossip is the verdict of c.
func (c Code) Gossip() Verdict { i, _ := Lookup(c); return i.Gossip }

// HTTP is the status of c at the API.
func (c Code) HTTP() int { i, _ := Lookup(c); return i.HTTP }

// Refusal is an error with a code. Text says in a sentence what is wrong with
// this very input; it never carries secrets, matched text or file paths.
// Details become the details object of the error body and may be nil.
type Refusal struct {
	Code    Code
	Text    string
	Hint    string
	Details map[string]any
}

// Error makes a Refusal an error: "code: text".
func (r *Refusal) Error() string {
	if r.Text == "" {
		return string(r.Code)
	}
	return string(r.Code) + ": " + r.Text
}

// Refuse makes a Refusal with a formatted text.
func Refuse(c Code, format string, args ...any) *Refusal {
	return &Refusal{Code: c, Text: fmt.Sprintf(format, args...)}
}

// With returns a copy of r that carries details.
func (r *Refusal) With(details map[string]any) *Refusal {
	c := *r
	c.Details = details
	return &c
}

// Of finds the code in err's chain. It returns "" for nil, and Internal for an
// error that is no refusal.
func Of(err error) Code {
	if err == nil {
		return ""
	}
	var r *Refusal
	if errors.As(err, &r) {
		return r.Code
	}
	return Internal
}

// Ambiguous refuses a text that could mean several things, and names at most ten
// of them in its details.
func Ambiguous(text string, candidates []string) *Refusal {
	names := slices.Sorted(slices.Values(candidates))
	r := Refuse(InvalidParam, "%s could be %s", text, strings.Join(names[:min(len(names), 3)], " or "))
	return r.With(map[string]any{"candidates": names[:min(len(names), 10)]})
}

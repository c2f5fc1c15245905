// Package diag defines what the tools of the source language report about a text:
// the diagnostic object that the library, the command line, HTTP and MCP share,
// the table of its codes, and a Bag that gathers the findings of one file.
//
// Codes are stable: never reused, never renumbered. Every message comes from
// the table, so that a text can be searched for and a test can compare the table
// with the code that uses it.
//
// The package imports nothing of the language; token, parse and the stages
// behind them report through it.
package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity says how much a finding weighs.
type Severity uint8

// The severities, the heaviest first. An error means that no artefact is made.
const (
	Error Severity = iota
	Warning
	Info
	Hint
)

var severityNames = [...]string{"error", "warning", "info", "hint"}

// String is the name used in JSON and on the command line.
func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return fmt.Sprintf("severity(%d)", uint8(s))
}

// MarshalText encodes the name.
func (s Severity) MarshalText() ([]byte, error) {
	if int(s) >= len(severityNames) {
		return nil, fmt.Errorf("no severity %d", uint8(s))
	}
	return []byte(severityNames[s]), nil
}

// UnmarshalText accepts the four names.
func (s *Severity) UnmarshalText(text []byte) error {
	i := slices.Index(severityNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("no severity %q", text)
	}
	*s = Severity(i)
	return nil
}

// Diagnostic is one finding. Lines and columns are 1-based, columns and offsets
// count UTF-8 bytes of the decoded text, the end is exclusive.
type Diagnostic struct {
	Code       Code      `json:"code"`
	Severity   Severity  `json:"severity"`
	Message    string    `json:"message"`
	File       string    `json:"file"`
	Line       int       `json:"line"`
	Column     int       `json:"column"`
	EndLine    int       `json:"end_line"`
	EndColumn  int       `json:"end_column"`
	Offset     int       `json:"offset"`
	EndOffset  int       `json:"end_offset"`
	Suggestion string    `json:"suggestion,omitempty"`
	Related    []Related `json:"related,omitempty"`
	Fixes      []Fix     `json:"fixes,omitempty"`
}

// Related is a second place that explains a finding.
type Related struct {
	Message   string `json:"message"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	Offset    int    `json:"offset"`
	EndOffset int    `json:"end_offset"`
}

// Fix is a change that removes a finding. Its edits do not overlap, ascend, and
// are applied together.
type Fix struct {
	Title string `json:"title"`
	Edits []Edit `json:"edits"`
}

// Edit replaces the bytes from Offset to EndOffset of a file by Text.
type Edit struct {
	File      string `json:"file"`
	Offset    int    `json:"offset"`
	EndOffset int    `json:"end_offset"`
	Text      string `json:"text"`
}

// String is the form of the command line: path:line:col: severity CODE message.
func (d Diagnostic) String() string {
	return fmt.Sprintf("%s:%d:%d: %s %s %s", d.File, d.Line, d.Column, d.Severity, d.Code, d.Message)
}

// Apply carries out a fix on the text of one file and ignores edits of others.
// It returns the text unchanged when an edit lies outside of it or overlaps
// the one before.
func (f Fix) Apply(file, text string) string {
	var b strings.Builder
	at := 0
	for _, e := range f.Edits {
		if e.File != file {
			continue
		}
		if e.Offset < at || e.EndOffset < e.Offset || e.EndOffset > len(text) {
			return text
		}
		b.WriteString(text[at:e.Offset])
		b.WriteString(e.Text)
		at = e.EndOffset
	}
	b.WriteString(text[at:])
	return b.String()
}

// compare orders findings of one file by start, then code, then end.
func compare(a, b Diagnostic) int {
	return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Code, b.Code), cmp.Compare(a.EndOffset, b.EndOffset))
}

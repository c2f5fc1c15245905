package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"

	"github.com/meshd/meshd/cmd/meshd/terminal"
)

// PrintJSON writes a value as indented JSON.
func (s *Session) PrintJSON(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode output: %w", err)
	}
	return s.PrintRaw(data)
}

// PrintRaw writes JSON, indented.
func (s *Session) PrintRaw(data []byte) error {
	var b bytes.Buffer
	if err := json.Indent(&b, bytes.TrimSpace(data), "", "  "); err != nil {
		return fmt.Errorf("encode output: %w", err)
	}
	b.WriteByte('\n')
	_, err := s.Out.Write(b.Bytes())
	return err
}

// Table writes rows in aligned columns; the first row is the heading.
func (s *Session) Table(rows [][]string) error {
	var widths []int
	for _, r := range rows {
		for i, cell := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], width(cell))
		}
	}
	var b strings.Builder
	for _, r := range rows {
		for i, cell := range r {
			b.WriteString(cell)
			if i < len(r)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-width(cell)+2))
			}
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(s.Out, b.String())
	return err
}

// Facts writes names and values, one a line; further lines of a value begin with a
// tab. Names without a value are left out.
func (s *Session) Facts(pairs ...string) error {
	var rows [][]string
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			continue
		}
		name := pairs[i]
		for line := range strings.SplitSeq(pairs[i+1], "\n\t") {
			rows = append(rows, []string{name, line})
			name = ""
		}
	}
	return s.Table(rows)
}

// colouring is what paint puts around a word.
var colouring = regexp.MustCompile("\x1b\\[[0-9]*m")

// width is how many columns of a terminal a text takes: none for its colours.
func width(s string) int { return runewidth.StringWidth(colouring.ReplaceAllLiteralString(s, "")) }

// The colours of a verdict.
const (
	Green  = "32"
	Yellow = "33"
	Red    = "31"
)

// Paint colours a word on a terminal, when NO_COLOR does not forbid it.
func (s *Session) Paint(colour, word string) string {
	if s.Getenv("NO_COLOR") != "" || s.Getenv("TERM") == "dumb" || !terminal.Is(s.Out) {
		return word
	}
	return "\x1b[" + colour + "m" + word + "\x1b[0m"
}

// Mining shows the progress of the ticket of a new agent; nil when quiet, in JSON and
// without a terminal.
func (s *Session) Mining() func(tried uint64, bits int) {
	if s.Quiet || s.JSON || !terminal.Is(s.Err) {
		return nil
	}
	shown := false
	return func(tried uint64, bits int) {
		switch {
		case tried > 0:
			shown = true
			_, _ = fmt.Fprintf(s.Err, "\rproof of work for a new agent: %d of about %d hashes, Ctrl-C stops ", tried, uint64(1)<<bits)
		case shown:
			shown = false
			_, _ = fmt.Fprint(s.Err, "\r\x1b[K")
		}
	}
}

// Ago says how long before now a moment was.
func Ago(stamp string, now time.Time) string {
	t, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return stamp
	}
	d := now.Sub(t)
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh ago", int(d.Hours()))
	}
	return fmt.Sprintf("%dd ago", int(d.Hours()/24))
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"
)

// printJSON writes a value as indented JSON.
func (p *program) printJSON(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode output: %w", err)
	}
	return p.printRaw(data)
}

func (p *program) printRaw(data []byte) error {
	var b bytes.Buffer
	if err := json.Indent(&b, bytes.TrimSpace(data), "", "  "); err != nil {
		return fmt.Errorf("encode output: %w", err)
	}
	b.WriteByte('\n')
	_, err := p.out.Write(b.Bytes())
	return err
}

// table writes rows in aligned columns; the first row is the heading.
func (p *program) table(rows [][]string) error {
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
	_, err := io.WriteString(p.out, b.String())
	return err
}

// facts writes names and values, one a line; further lines of a value begin with a
// tab. Names without a value are left out.
func (p *program) facts(pairs ...string) error {
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
	return p.table(rows)
}

// colouring is what paint puts around a word.
var colouring = regexp.MustCompile("\x1b\\[[0-9]*m")

// width is how many columns of a terminal a text takes: none for its colours.
func width(s string) int { return runewidth.StringWidth(colouring.ReplaceAllLiteralString(s, "")) }

// The colours of a verdict.
const (
	green  = "32"
	yellow = "33"
	red    = "31"
)

// paint colours a word on a terminal, when NO_COLOR does not forbid it.
func (p *program) paint(colour, s string) string {
	if p.getenv("NO_COLOR") != "" || p.getenv("TERM") == "dumb" || !isTerminal(p.out) {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

// mining shows on a terminal how the ticket of a new agent is coming on; nil where
// nobody looks.
func (p *program) mining() func(tried uint64, bits int) {
	if p.quiet || p.json || !isTerminal(p.err) {
		return nil
	}
	shown := false
	return func(tried uint64, bits int) {
		switch {
		case tried > 0:
			shown = true
			_, _ = fmt.Fprintf(p.err, "\rproof of work for a new agent: %d of about %d hashes, Ctrl-C stops ", tried, uint64(1)<<bits)
		case shown:
			shown = false
			_, _ = fmt.Fprint(p.err, "\r\x1b[K")
		}
	}
}

func isTerminal(f any) bool {
	file, ok := f.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// oneLine makes text safe for one line of a terminal: no control characters,
// which could move the cursor or forge other lines, and at most n characters.
func oneLine(s string, n int) string {
	out := []rune(plain(strings.Join(strings.Fields(s), " ")))
	if len(out) > n {
		out = append(out[:n-1], '…')
	}
	return string(out)
}

// plain drops control characters but line ends and tabs.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, s)
}

// ago says how long before now a moment was.
func ago(stamp string, now time.Time) string {
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

// openInput opens standard input or a file named on the command line.
func (p *program) openInput(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(p.in), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open input: %w", err)
	}
	return f, nil
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"
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
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintln(w, strings.Join(r, "\t"))
	}
	return w.Flush()
}

// facts writes names and values, one a line.
func (p *program) facts(pairs ...string) error {
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			fmt.Fprintf(w, "%s\t%s\n", pairs[i], pairs[i+1])
		}
	}
	return w.Flush()
}

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

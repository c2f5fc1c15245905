package sync

import (
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"
)

// annotate writes canonical CBOR line by line: the bytes of each item, and what
// they say. notes are words for values of keys, by key.
func annotate(b []byte, notes map[string]string) string {
	a := annotator{b: b, notes: notes}
	a.item(0, "")
	if a.at != len(b) {
		return "not one item"
	}
	return a.out.String()
}

type annotator struct {
	b     []byte
	at    int
	notes map[string]string
	out   strings.Builder
}

const column = 46

func (a *annotator) line(depth int, raw []byte, text string) {
	pad := strings.Repeat("  ", depth)
	words := hex.EncodeToString(raw)
	width := column - len(pad)
	width -= width % 2
	for first := true; first || words != ""; first = false {
		n := min(width, len(words))
		part := words[:n]
		words = words[n:]
		if first {
			a.out.WriteString(strings.TrimRight(fmt.Sprintf("%s%-*s  %s", pad, width, part, text), " ") + "\n")
		} else {
			fmt.Fprintf(&a.out, "%s%s\n", pad, part)
		}
	}
}

// item writes one item; key is the one whose value it is.
func (a *annotator) item(depth int, key string) {
	start := a.at
	first := a.b[a.at]
	a.at++
	major, n := first>>5, uint64(first&0x1f)
	if n >= 24 {
		size := 1 << (n - 24)
		n = 0
		for range size {
			n, a.at = n<<8|uint64(a.b[a.at]), a.at+1
		}
	}
	head := a.b[start:a.at]
	say := func(text string) string {
		if note := a.notes[key]; note != "" {
			return text + "   " + note
		}
		return text
	}
	switch major {
	case 0:
		a.line(depth, head, say(fmt.Sprint(n)))
	case 1:
		a.line(depth, head, say(fmt.Sprintf("-%d", n+1)))
	case 2, 3:
		v := a.b[a.at : a.at+int(n)]
		a.at += int(n)
		if major == 3 && utf8.Valid(v) {
			a.line(depth, a.b[start:a.at], say(fmt.Sprintf("%q", v)))
			return
		}
		a.line(depth, head, say(fmt.Sprintf("%d bytes", n)))
		if n > 0 {
			a.line(depth+1, v, "")
		}
	case 4:
		a.line(depth, head, say(fmt.Sprintf("array of %d", n)))
		for range n {
			a.item(depth+1, "")
		}
	case 5:
		a.line(depth, head, say(fmt.Sprintf("map of %d", n)))
		for range n {
			name := string(a.b[a.at+1 : a.at+1+int(a.b[a.at]&0x1f)])
			a.item(depth+1, "")
			a.item(depth+2, name)
		}
	default:
		a.line(depth, head, say(map[byte]string{0xf4: "false", 0xf5: "true", 0xf6: "null"}[first]))
	}
}

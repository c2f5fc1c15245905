package godot

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/meshd/meshd/lang/target/artefact"
)

// quoted is a text as both versions of the script language and of scene files
// read it. What is not ASCII is escaped where both know an escape; NUL, which
// texts of the engine end at, becomes U+FFFD.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == 0 || r == utf8.RuneError:
			b.WriteString(`\ufffd`)
		case r >= 0x20 && r < 0x7f, r > 0xffff:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// number is a number that the engine reads back exactly. Its reader rounds more
// than once from sixteen digits on, and for large exponents: such numbers are
// written as a whole one and powers of two.
func number(text string) (string, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
		return "", fmt.Errorf("%q is no number", text)
	}
	if n := int64(x); float64(n) == x && math.Abs(x) < 1<<53 {
		return strconv.FormatInt(n, 10), nil
	}
	s := strconv.FormatFloat(x, 'e', -1, 64)
	mantissa, power, _ := strings.Cut(s, "e")
	exp, _ := strconv.Atoi(power)
	if digits := len(strings.Trim(mantissa, "-")) - 1; digits <= 15 && exp > -7 && exp < 15 {
		return strconv.FormatFloat(x, 'f', -1, 64), nil
	}
	fraction, e := math.Frexp(x)
	out := strconv.FormatInt(int64(math.Ldexp(fraction, 53)), 10)
	const step = 32
	for e -= 53; e < 0; e += min(step, -e) {
		out += fmt.Sprintf(" / %d.0", int64(1)<<min(step, -e))
	}
	for ; e > 0; e -= min(step, e) {
		out += fmt.Sprintf(" * %d.0", int64(1)<<min(step, e))
	}
	return out, nil
}

// literal is a JSON document as an expression of the script language, the keys of
// objects in their order. indent lines break after the entries of the first
// levels of lists and objects.
func literal(doc []byte, levels int) (string, error) {
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	w := &literals{d: d, levels: levels}
	if err := w.value(0); err != nil {
		return "", fmt.Errorf("write literal: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return "", errors.New("write literal: more than one document")
	}
	return w.b.String(), nil
}

type literals struct {
	d      *json.Decoder
	b      strings.Builder
	levels int
}

func (w *literals) value(depth int) error {
	t, err := w.d.Token()
	if err != nil {
		return err
	}
	switch t := t.(type) {
	case json.Delim:
		return w.group(t, depth)
	case string:
		w.b.WriteString(quoted(t))
	case json.Number:
		n, err := number(string(t))
		if err != nil {
			return err
		}
		w.b.WriteString(n)
	case bool:
		w.b.WriteString(strconv.FormatBool(t))
	default:
		w.b.WriteString("null")
	}
	return nil
}

func (w *literals) group(open json.Delim, depth int) error {
	broken := depth < w.levels && w.d.More()
	w.b.WriteString(open.String())
	for i := 0; w.d.More(); i++ {
		switch {
		case broken:
			w.b.WriteString("\n" + strings.Repeat("\t", depth+1))
		case i > 0:
			w.b.WriteString(" ")
		}
		if open == '{' {
			if err := w.value(depth + 1); err != nil {
				return err
			}
			w.b.WriteString(": ")
		}
		if err := w.value(depth + 1); err != nil {
			return err
		}
		if broken || w.d.More() {
			w.b.WriteString(",")
		}
	}
	if broken {
		w.b.WriteString("\n" + strings.Repeat("\t", depth))
	}
	end, err := w.d.Token()
	if err != nil {
		return err
	}
	w.b.WriteString(end.(json.Delim).String())
	return nil
}

// float is a number of a scene file.
func float(x float64) string { return artefact.Float(x) }

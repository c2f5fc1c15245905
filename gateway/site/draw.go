package site

import (
	"crypto/sha256"
	"fmt"
	"html/template"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// functions are what templates may call.
var functions = template.FuncMap{
	"day":    day,
	"glyph":  glyph,
	"number": number,
	"plural": plural,
	"score":  func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) },
	"share":  share,
	"query":  query,
	"short":  short,
	"words":  func(list []string) string { return strings.Join(list, ", ") },
	"slash":  func(s string) string { return strings.ReplaceAll(s, "_", " ") },
}

// day writes the time of a reply as a date.
func day(stamp any) string {
	text, _ := stamp.(string)
	if p, ok := stamp.(*string); ok && p != nil {
		text = *p
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return ""
	}
	return t.Format("2 Jan 2006")
}

// number writes n with thin spaces between thousands.
func number(n int) string {
	digits := strconv.Itoa(n)
	var b strings.Builder
	for i, r := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 && digits[i-1] != '-' {
			b.WriteRune('\u202f')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func plural(n int, one, many string) string {
	if n == 1 {
		return number(n) + " " + one
	}
	return number(n) + " " + many
}

// share is n of most as a width from 2 to 100.
func share(n, most int) int {
	if most <= 0 {
		return 2
	}
	return max(2, min(100, n*100/most))
}

// short is the beginning of an id with a mark that there is more.
func short(id string) string {
	if len(id) <= 14 {
		return id
	}
	return id[:12] + "…"
}

// query writes pairs of names and values as the query of a link, leaving out
// those without a value.
func query(pairs ...string) template.URL {
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	if len(q) == 0 {
		return ""
	}
	return template.URL("?" + q.Encode()) //nolint:gosec // every value is escaped by Encode
}

// glyph draws a small constellation out of an id: five points on a ring, some of
// them joined. The same id gives the same picture on every node. It is a
// picture of an id and not of a person, and hidden from screen readers.
func glyph(id string) template.HTML {
	sum := sha256.Sum256([]byte("glyph\x00" + id))
	const points = 6
	var xs, ys [points]float64
	for i := range points {
		angle := (float64(i) + float64(sum[i])/512) / points * 2 * math.Pi
		radius := 7 + float64(sum[8+i]%7)
		xs[i], ys[i] = 20+radius*math.Cos(angle), 20+radius*math.Sin(angle)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="glyph g%d" viewBox="0 0 40 40" aria-hidden="true" focusable="false"><path d="`, sum[31]%6)
	for i := range points {
		j := (i + 1 + int(sum[16+i])%3) % points
		fmt.Fprintf(&b, "M%.1f %.1fL%.1f %.1f", xs[i], ys[i], xs[j], ys[j])
	}
	b.WriteString(`"/>`)
	for i := range points {
		fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="%.1f"/>`, xs[i], ys[i], 1.4+float64(sum[24+i]%3)*0.7)
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String()) //nolint:gosec // numbers alone
}

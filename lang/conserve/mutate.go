package conserve

import (
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/token"
)

// numbers are other numbers for one, of its sign and size and with its unit: the last
// digit another, and about two thirds of it where the first change may be beyond a bound.
func numbers(raw string) []string {
	number, unit := token.SplitNumber(raw)
	digits := []byte(number)
	mantissa := len(digits)
	hex := len(number) > 2 && number[0] == '0' && (number[1]|32 == 'x' || number[1]|32 == 'b')
	if i := strings.IndexAny(number, "eE"); i >= 0 && !hex {
		mantissa = i
	}
	last := -1
	for i := mantissa - 1; i >= 0; i-- {
		if c := digits[i]; c >= '0' && c <= '9' {
			last = i
			break
		}
	}
	if last < 0 {
		return nil
	}
	if hex && number[1]|32 == 'b' {
		digits[last] ^= 1
		return []string{string(digits) + unit}
	}
	if digits[last] == '9' {
		digits[last] = '8'
	} else {
		digits[last]++
	}
	out := []string{string(digits) + unit}
	if v := token.NumberValue(raw); !hex && v != 0 {
		out = append(out, strconv.FormatFloat(v*0.625, 'g', 6, 64)+unit)
		if v == float64(int(v)) && v > 1 {
			out = append(out, strconv.Itoa(int(v)-1)+unit)
		}
	} else if v == 0 {
		out = append(out, "0.4"+unit)
	}
	return out
}

// colours are other colours for one.
func colours(raw string) []string {
	if len(raw) < 2 {
		return nil
	}
	out := []byte(raw)
	v, err := strconv.ParseUint(raw[1:2], 16, 8)
	if err != nil {
		return nil
	}
	out[1] = "89abcdef01234567"[v]
	return []string{string(out)}
}

// groups are words that stand for each other: each means something else.
var groups = []string{
	"box sphere cylinder cone", "cube sphere", "plane torus", "torus capsule", "capsule cylinder", "ring disc", "disc ring", "heart star", "crystal gem", "gear pyramid", "arrow wedge",
	"red navy", "green maroon", "blue olive", "white teal", "black silver", "yellow purple", "orange navy", "purple yellow", "gray red", "grey red", "gold navy", "silver black", "teal white", "navy red", "cyan red", "magenta green", "pink navy", "brown teal",
	"dynamic static", "static dynamic", "kinematic dynamic",
	"directional point", "point directional", "spot point", "ambient point", "hemisphere ambient", "area point",
	"directional_light point_light", "point_light directional_light", "spot_light point_light", "ambient_light point_light",
	"linear ease_in_out", "ease_in_out linear", "ease-in-out linear", "ease_in ease_out", "ease_out ease_in", "easeInOut linear", "ease-in ease-out", "ease-out ease-in",
	"left right", "right left", "center left", "top bottom", "bottom top", "vertical horizontal", "horizontal vertical",
	"aces linear", "none linear", "exp linear", "on off", "off on", "yes no", "no yes", "true false", "false true",
	"GET POST", "POST GET", "PUT GET", "DELETE GET", "PATCH GET", "get post", "post get", "put get", "delete get", "patch get",
	"pulse spin", "float spin", "spin float", "orbit float", "bounce spin", "sway spin",
	"night sunset", "space studio", "studio sunset", "sunset night", "day night", "dawn night",
	"glass metal", "metal glass", "wood metal", "plastic metal", "stone glass", "gold glass", "chrome wood", "rubber metal", "matte glass",
	"all any", "any all", "revolute prismatic", "prismatic revolute", "fixed revolute", "hinge slider", "ball fixed",
	"string number", "number string", "boolean number", "idle busy",
	"constant linear", "exponential fixed", "rest stream", "webhook rest", "stdout filesystem", "filesystem stdout", "list rest", "stream rest",
}

var others = func() map[string]string {
	m := map[string]string{}
	for _, g := range groups {
		fields := strings.Fields(g)
		for i, w := range fields {
			if i == 0 || m[w] == "" {
				m[w] = fields[(i+1)%len(fields)]
			}
		}
	}
	return m
}()

// enumWords are other words for a bare one: a known one of its group, and one that
// nobody knows.
func enumWords(word string) []string {
	var out []string
	if w := others[word]; w != "" {
		out = append(out, w)
	}
	return append(out, word+"zq")
}

// texts are other texts for one in quotes: another word or colour where it is one, another
// number where it begins with one, and one with letters more.
func texts(raw, value string) []string {
	if raw == "" {
		return nil
	}
	quote := ""
	for _, q := range []string{`"""`, `'''`, `"`, `'`} {
		if strings.HasPrefix(raw, q) && strings.HasSuffix(raw, q) && len(raw) >= 2*len(q) {
			quote = q
			break
		}
	}
	if quote == "" { // a block string
		body := strings.TrimRight(raw, " \t\r\n")
		return []string{body + "zq" + raw[len(body):]}
	}
	in := raw[len(quote) : len(raw)-len(quote)]
	wrap := func(s string) string { return quote + s + quote }
	var out []string
	switch {
	case others[in] != "":
		out = append(out, wrap(others[in]))
	case len(in) > 3 && in[0] == '#':
		for _, c := range colours(in) {
			out = append(out, wrap(c))
		}
	}
	if i := strings.IndexAny(in, "0123456789"); i >= 0 && !strings.Contains(in, "${") && numeric(in) {
		b := []byte(in)
		if b[i] == '9' {
			b[i] = '8'
		} else {
			b[i]++
		}
		out = append(out, wrap(string(b)))
	}
	if dot := strings.LastIndexByte(in, '.'); dot > 0 && dot > len(in)-6 && !strings.ContainsAny(in, " ${}") { // a path: not its extension
		out = append(out, wrap(in[:dot]+"zq"+in[dot:]))
	}
	body := strings.TrimRight(in, " \t\r\n")
	return append(out, wrap(body+"zq"+in[len(body):]))
}

// numeric says whether a text is made of numbers: 1 2 3, 10px, 60°, (1, 2).
func numeric(s string) bool {
	s = strings.TrimLeft(s, " ([{-+.")
	return s != "" && s[0] >= '0' && s[0] <= '9' && len(s) < 40
}

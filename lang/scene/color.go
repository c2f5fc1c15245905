package scene

import (
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/srgb"
	"github.com/meshd/meshd/lang/trait"
)

// Colours that stand for themselves.
const (
	White = "#ffffffff"
	Black = "#000000ff"
)

// Color is the #rrggbbaa form of a colour as sources write it: # with 3, 4, 6
// or 8 hex digits, or a CSS name.
func Color(s string) (string, bool) {
	s = strings.TrimSpace(s)
	hex, ok := strings.CutPrefix(s, "#")
	if !ok {
		if hex, ok = strings.CutPrefix(s, "0x"); !ok || len(hex) != 6 && len(hex) != 8 {
			if i := strings.IndexByte(s, '('); len(s) <= trait.MaxWritten && i > 0 && strings.HasSuffix(s, ")") {
				return colorCall(strings.ToLower(s[:i]), s[i+1:len(s)-1])
			}
			c, known := colorNames[strings.ToLower(s)]
			return c, known
		}
	}
	hex = strings.ToLower(hex)
	if strings.Trim(hex, "0123456789abcdef") != "" {
		return "", false
	}
	switch len(hex) {
	case 3, 4:
		var b strings.Builder
		for _, c := range hex {
			b.WriteRune(c)
			b.WriteRune(c)
		}
		hex = b.String()
	case 6, 8:
	default:
		return "", false
	}
	if len(hex) == 6 {
		hex += "ff"
	}
	return "#" + hex, true
}

// colorCall reads rgb(255, 80, 0), rgba(…, 0.5), hsl(20, 80%, 50%) and hsla(…), with
// commas or spaces, as CSS writes them.
func colorCall(name, args string) (string, bool) {
	parts := strings.FieldsFunc(args, func(r rune) bool { return r == ',' || r == ' ' || r == '/' })
	if len(parts) != 3 && len(parts) != 4 {
		return "", false
	}
	var n [4]float64
	n[3] = 1
	for i, p := range parts {
		p = strings.TrimSuffix(p, "deg")
		number, percent := strings.CutSuffix(p, "%")
		x, err := strconv.ParseFloat(number, 64)
		if err != nil || x != x || x < -1e6 || x > 1e6 {
			return "", false
		}
		if percent {
			x /= 100
			if i < 3 && name[0] == 'r' {
				x *= 255
			}
		}
		n[i] = x
	}
	var rgb [3]float64
	switch name {
	case "rgb", "rgba":
		rgb = [3]float64{n[0], n[1], n[2]}
	case "hsl", "hsla":
		rgb = hsl(n[0], min(max(n[1], 0), 1), min(max(n[2], 0), 1))
	default:
		return "", false
	}
	out := "#"
	for _, c := range append(rgb[:], n[3]*255) {
		b := int(min(max(c, 0), 255) + 0.5)
		out += strconv.FormatInt(int64(b>>4), 16) + strconv.FormatInt(int64(b&15), 16)
	}
	return out, true
}

// hsl is CSS Color 4, §7: hue in degrees, saturation and lightness as shares.
func hsl(h, s, l float64) [3]float64 {
	f := func(n float64) float64 {
		k := n + h/30
		k -= 12 * float64(int(k/12))
		if k < 0 {
			k += 12
		}
		return 255 * (l - float64(s*min(l, 1-l))*max(-1, min(k-3, 9-k, 1)))
	}
	return [3]float64{f(0), f(8), f(4)}
}

// RGBA are the four bytes of a colour in #rrggbbaa form; anything else is white.
func RGBA(s string) [4]uint8 {
	out := [4]uint8{255, 255, 255, 255}
	if len(s) != 9 || s[0] != '#' {
		return out
	}
	n, err := strconv.ParseUint(s[1:], 16, 32)
	if err != nil {
		return out
	}
	return [4]uint8{uint8(n >> 24), uint8(n >> 16), uint8(n >> 8), uint8(n)}
}

// Linear is the light of an sRGB byte, by the table of 256 entries that all
// targets share.
func Linear(b uint8) float64 { return srgb.Linear[b] }

// LinearRGBA are the components of a colour as light; alpha is none and only
// brought to 0..1.
func LinearRGBA(s string) [4]float64 {
	c := RGBA(s)
	return [4]float64{srgb.Linear[c[0]], srgb.Linear[c[1]], srgb.Linear[c[2]], float64(c[3]) / 255}
}

// withAlpha replaces the opacity of a colour.
func withAlpha(color string, alpha float64) string {
	a := int(min(max(alpha, 0), 1)*255 + 0.5)
	return color[:7] + strconv.FormatInt(int64(a>>4), 16) + strconv.FormatInt(int64(a&15), 16)
}

var colorNames = map[string]string{
	"aliceblue":            "#f0f8ffff",
	"antiquewhite":         "#faebd7ff",
	"aqua":                 "#00ffffff",
	"aquamarine":           "#7fffd4ff",
	"azure":                "#f0ffffff",
	"beige":                "#f5f5dcff",
	"bisque":               "#ffe4c4ff",
	"black":                "#000000ff",
	"blanchedalmond":       "#ffebcdff",
	"blue":                 "#0000ffff",
	"blueviolet":           "#8a2be2ff",
	"brown":                "#a52a2aff",
	"burlywood":            "#deb887ff",
	"cadetblue":            "#5f9ea0ff",
	"chartreuse":           "#7fff00ff",
	"chocolate":            "#d2691eff",
	"coral":                "#ff7f50ff",
	"cornflowerblue":       "#6495edff",
	"cornsilk":             "#fff8dcff",
	"crimson":              "#dc143cff",
	"cyan":                 "#00ffffff",
	"darkblue":             "#00008bff",
	"darkcyan":             "#008b8bff",
	"darkgoldenrod":        "#b8860bff",
	"darkgray":             "#a9a9a9ff",
	"darkgreen":            "#006400ff",
	"darkgrey":             "#a9a9a9ff",
	"darkkhaki":            "#bdb76bff",
	"darkmagenta":          "#8b008bff",
	"darkolivegreen":       "#556b2fff",
	"darkorange":           "#ff8c00ff",
	"darkorchid":           "#9932ccff",
	"darkred":              "#8b0000ff",
	"darksalmon":           "#e9967aff",
	"darkseagreen":         "#8fbc8fff",
	"darkslateblue":        "#483d8bff",
	"darkslategray":        "#2f4f4fff",
	"darkslategrey":        "#2f4f4fff",
	"darkturquoise":        "#00ced1ff",
	"darkviolet":           "#9400d3ff",
	"deeppink":             "#ff1493ff",
	"deepskyblue":          "#00bfffff",
	"dimgray":              "#696969ff",
	"dimgrey":              "#696969ff",
	"dodgerblue":           "#1e90ffff",
	"firebrick":            "#b22222ff",
	"floralwhite":          "#fffaf0ff",
	"forestgreen":          "#228b22ff",
	"fuchsia":              "#ff00ffff",
	"gainsboro":            "#dcdcdcff",
	"ghostwhite":           "#f8f8ffff",
	"gold":                 "#ffd700ff",
	"goldenrod":            "#daa520ff",
	"gray":                 "#808080ff",
	"green":                "#008000ff",
	"greenyellow":          "#adff2fff",
	"grey":                 "#808080ff",
	"honeydew":             "#f0fff0ff",
	"hotpink":              "#ff69b4ff",
	"indianred":            "#cd5c5cff",
	"indigo":               "#4b0082ff",
	"ivory":                "#fffff0ff",
	"khaki":                "#f0e68cff",
	"lavender":             "#e6e6faff",
	"lavenderblush":        "#fff0f5ff",
	"lawngreen":            "#7cfc00ff",
	"lemonchiffon":         "#fffacdff",
	"lightblue":            "#add8e6ff",
	"lightcoral":           "#f08080ff",
	"lightcyan":            "#e0ffffff",
	"lightgoldenrodyellow": "#fafad2ff",
	"lightgray":            "#d3d3d3ff",
	"lightgreen":           "#90ee90ff",
	"lightgrey":            "#d3d3d3ff",
	"lightpink":            "#ffb6c1ff",
	"lightsalmon":          "#ffa07aff",
	"lightseagreen":        "#20b2aaff",
	"lightskyblue":         "#87cefaff",
	"lightslategray":       "#778899ff",
	"lightslategrey":       "#778899ff",
	"lightsteelblue":       "#b0c4deff",
	"lightyellow":          "#ffffe0ff",
	"lime":                 "#00ff00ff",
	"limegreen":            "#32cd32ff",
	"linen":                "#faf0e6ff",
	"magenta":              "#ff00ffff",
	"maroon":               "#800000ff",
	"mediumaquamarine":     "#66cdaaff",
	"mediumblue":           "#0000cdff",
	"mediumorchid":         "#ba55d3ff",
	"mediumpurple":         "#9370dbff",
	"mediumseagreen":       "#3cb371ff",
	"mediumslateblue":      "#7b68eeff",
	"mediumspringgreen":    "#00fa9aff",
	"mediumturquoise":      "#48d1ccff",
	"mediumvioletred":      "#c71585ff",
	"midnightblue":         "#191970ff",
	"mintcream":            "#f5fffaff",
	"mistyrose":            "#ffe4e1ff",
	"moccasin":             "#ffe4b5ff",
	"navajowhite":          "#ffdeadff",
	"navy":                 "#000080ff",
	"oldlace":              "#fdf5e6ff",
	"olive":                "#808000ff",
	"olivedrab":            "#6b8e23ff",
	"orange":               "#ffa500ff",
	"orangered":            "#ff4500ff",
	"orchid":               "#da70d6ff",
	"palegoldenrod":        "#eee8aaff",
	"palegreen":            "#98fb98ff",
	"paleturquoise":        "#afeeeeff",
	"palevioletred":        "#db7093ff",
	"papayawhip":           "#ffefd5ff",
	"peachpuff":            "#ffdab9ff",
	"peru":                 "#cd853fff",
	"pink":                 "#ffc0cbff",
	"plum":                 "#dda0ddff",
	"powderblue":           "#b0e0e6ff",
	"purple":               "#800080ff",
	"rebeccapurple":        "#663399ff",
	"red":                  "#ff0000ff",
	"rosybrown":            "#bc8f8fff",
	"royalblue":            "#4169e1ff",
	"saddlebrown":          "#8b4513ff",
	"salmon":               "#fa8072ff",
	"sandybrown":           "#f4a460ff",
	"seagreen":             "#2e8b57ff",
	"seashell":             "#fff5eeff",
	"sienna":               "#a0522dff",
	"silver":               "#c0c0c0ff",
	"skyblue":              "#87ceebff",
	"slateblue":            "#6a5acdff",
	"slategray":            "#708090ff",
	"slategrey":            "#708090ff",
	"snow":                 "#fffafaff",
	"springgreen":          "#00ff7fff",
	"steelblue":            "#4682b4ff",
	"tan":                  "#d2b48cff",
	"teal":                 "#008080ff",
	"thistle":              "#d8bfd8ff",
	"tomato":               "#ff6347ff",
	"turquoise":            "#40e0d0ff",
	"violet":               "#ee82eeff",
	"wheat":                "#f5deb3ff",
	"white":                "#ffffffff",
	"whitesmoke":           "#f5f5f5ff",
	"yellow":               "#ffff00ff",
	"yellowgreen":          "#9acd32ff",
	"transparent":          "#00000000",
}

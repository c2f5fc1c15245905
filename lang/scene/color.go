package scene

import (
	"strconv"
	"strings"
)

// Colours that stand for themselves.
const (
	White = "#ffffffff"
	Black = "#000000ff"
)

// Color is the #rrggbbaa form of a colour as sources write it: # with 3, 4, 6
// or 8 hex digits, or a CSS name.
func Color(s string) (string, bool) {
	hex, ok := strings.CutPrefix(strings.TrimSpace(s), "#")
	if !ok {
		c, known := colorNames[strings.ToLower(strings.TrimSpace(s))]
		return c, known
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
func Linear(b uint8) float64 { return linear[b] }

// LinearRGBA are the components of a colour as light; alpha is none and only
// brought to 0..1.
func LinearRGBA(s string) [4]float64 {
	c := RGBA(s)
	return [4]float64{linear[c[0]], linear[c[1]], linear[c[2]], float64(c[3]) / 255}
}

// withAlpha replaces the opacity of a colour.
func withAlpha(color string, alpha float64) string {
	a := int(min(max(alpha, 0), 1)*255 + 0.5)
	return color[:7] + strconv.FormatInt(int64(a>>4), 16) + strconv.FormatInt(int64(a&15), 16)
}

// linear is the transfer function of IEC 61966-2-1.
var linear = [256]float64{
	0, 0.000303526984, 0.000607053967, 0.000910580951, 0.00121410793, 0.00151763492, 0.0018211619, 0.00212468888,
	0.00242821587, 0.00273174285, 0.00303526984, 0.00334653576, 0.00367650732, 0.00402471702, 0.00439144204, 0.00477695348,
	0.0051815167, 0.00560539162, 0.00604883302, 0.00651209079, 0.00699541019, 0.00749903204, 0.00802319299, 0.00856812562,
	0.0091340587, 0.00972121732, 0.010329823, 0.010960094, 0.0116122452, 0.0122864884, 0.0129830323, 0.013702083,
	0.0144438436, 0.0152085144, 0.0159962934, 0.0168073758, 0.0176419545, 0.0185002201, 0.019382361, 0.0202885631,
	0.0212190104, 0.0221738848, 0.0231533662, 0.0241576324, 0.0251868596, 0.0262412219, 0.0273208916, 0.0284260395,
	0.0295568344, 0.0307134437, 0.0318960331, 0.0331047666, 0.0343398068, 0.0356013149, 0.0368894504, 0.0382043716,
	0.0395462353, 0.0409151969, 0.0423114106, 0.0437350293, 0.0451862044, 0.0466650863, 0.0481718242, 0.049706566,
	0.0512694584, 0.052860647, 0.0544802764, 0.05612849, 0.0578054302, 0.0595112382, 0.0612460542, 0.0630100177,
	0.0648032667, 0.0666259386, 0.0684781698, 0.0703600957, 0.0722718507, 0.0742135684, 0.0761853815, 0.0781874218,
	0.0802198203, 0.0822827071, 0.0843762115, 0.086500462, 0.0886555863, 0.0908417112, 0.0930589628, 0.0953074666,
	0.0975873471, 0.0998987282, 0.102241733, 0.104616484, 0.107023103, 0.109461711, 0.111932428, 0.114435374,
	0.116970668, 0.119538428, 0.122138772, 0.124771818, 0.12743768, 0.130136477, 0.132868322, 0.13563333,
	0.138431615, 0.141263291, 0.144128471, 0.147027266, 0.14995979, 0.152926152, 0.155926464, 0.158960835,
	0.162029376, 0.165132195, 0.1682694, 0.171441101, 0.174647404, 0.177888416, 0.181164244, 0.184474995,
	0.187820772, 0.191201683, 0.19461783, 0.19806932, 0.201556254, 0.205078736, 0.20863687, 0.212230757,
	0.2158605, 0.2195262, 0.223227957, 0.226965874, 0.230740049, 0.234550582, 0.238397574, 0.242281122,
	0.246201327, 0.250158285, 0.254152094, 0.258182853, 0.262250658, 0.266355605, 0.270497791, 0.274677312,
	0.278894263, 0.28314874, 0.287440838, 0.29177065, 0.296138271, 0.300543794, 0.304987314, 0.309468923,
	0.313988713, 0.318546778, 0.323143209, 0.327778098, 0.332451536, 0.337163615, 0.341914425, 0.346704056,
	0.3515326, 0.356400144, 0.36130678, 0.366252596, 0.37123768, 0.376262123, 0.381326011, 0.386429434,
	0.391572478, 0.396755231, 0.40197778, 0.407240212, 0.412542613, 0.417885071, 0.42326767, 0.428690497,
	0.434153636, 0.439657174, 0.445201195, 0.450785783, 0.456411023, 0.462077, 0.467783796, 0.473531496,
	0.479320183, 0.48514994, 0.49102085, 0.496932995, 0.502886458, 0.508881321, 0.514917665, 0.520995573,
	0.527115126, 0.533276404, 0.539479489, 0.545724461, 0.552011402, 0.55834039, 0.564711506, 0.571124829,
	0.57758044, 0.584078418, 0.590618841, 0.597201788, 0.603827339, 0.610495571, 0.617206562, 0.623960392,
	0.630757136, 0.637596874, 0.644479682, 0.651405637, 0.658374817, 0.665387298, 0.672443157, 0.67954247,
	0.686685312, 0.693871761, 0.701101892, 0.70837578, 0.715693501, 0.723055129, 0.73046074, 0.737910409,
	0.74540421, 0.752942217, 0.760524505, 0.768151147, 0.775822218, 0.783537792, 0.79129794, 0.799102738,
	0.806952258, 0.814846572, 0.822785754, 0.830769877, 0.838799012, 0.846873232, 0.854992608, 0.863157213,
	0.871367119, 0.879622397, 0.887923118, 0.896269353, 0.904661174, 0.913098652, 0.921581856, 0.930110858,
	0.938685728, 0.947306537, 0.955973353, 0.964686248, 0.97344529, 0.98225055, 0.991102097, 1,
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

package trait

import "strings"

// colorNames are the named colours of CSS Color Module Level 4, §6.1, and
// transparent, sorted.
var colorNames = strings.Fields(`
aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood cadetblue
chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey
darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray
darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen
fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki
lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen
lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime
limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue
mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive
olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum
powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue
slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato transparent turquoise violet wheat white
whitesmoke yellow yellowgreen`)

var isColorName = func() map[string]bool {
	m := make(map[string]bool, len(colorNames))
	for _, n := range colorNames {
		m[n] = true
	}
	return m
}()

// IsColor says whether s names a colour: # with 3, 4, 6 or 8 hex digits, or a
// CSS colour name in any case.
func IsColor(s string) bool {
	if hex, ok := strings.CutPrefix(s, "#"); ok {
		if n := len(hex); n != 3 && n != 4 && n != 6 && n != 8 {
			return false
		}
		return strings.Trim(hex, "0123456789abcdefABCDEF") == ""
	}
	return isColorName[strings.ToLower(s)]
}

// ColorNames are the names that IsColor knows, sorted. The slice is shared: do not
// change it.
func ColorNames() []string { return colorNames }

package trait

import "strings"

// dimension is what a unit measures.
type dimension string

type unit struct {
	name   string
	of     dimension
	factor float64 // times factor is the base unit of the dimension
}

// units are the units of language.md §9 and those the catalogue measures its
// parameters in. A unit with its own dimension and factor 1 converts to itself only.
var units = []unit{
	{"ms", "time", 0.001}, {"s", "time", 1}, {"min", "time", 60}, {"h", "time", 3600}, {"d", "time", 86400},
	{"mm", "length", 0.001}, {"cm", "length", 0.01}, {"m", "length", 1}, {"km", "length", 1000}, {"in", "length", 0.0254}, {"ft", "length", 0.3048},
	{"deg", "angle", 1}, {"rad", "angle", 57.29577951308232}, {"turn", "angle", 360},
	{"hz", "frequency", 1}, {"khz", "frequency", 1000}, {"fps", "frequency", 1},
	{"g", "mass", 0.001}, {"kg", "mass", 1},
	{"%", "ratio", 0.01},
	{"b", "data", 1}, {"kb", "data", 1000}, {"mb", "data", 1e6}, {"gb", "data", 1e9},
	{"db", "level", 1}, {"k", "temperature", 1}, {"°c", "degrees Celsius", 1}, {"°f", "degrees Fahrenheit", 1}, {"v", "voltage", 1}, {"w", "power", 1}, {"a", "current", 1},
	{"n", "force", 1}, {"pa", "pressure", 1}, {"lux", "illuminance", 1}, {"lm", "luminous flux", 1},
	{"m/s", "speed", 1}, {"km/h", "speed", 1000.0 / 3600}, {"cm/s", "speed", 0.01}, {"mm/s", "speed", 0.001},
	{"m/s²", "acceleration", 1}, {"deg/s", "angular speed", 1}, {"rad/s", "angular speed", 57.29577951308232}, {"turn/s", "angular speed", 360},
	{"kg/m³", "density", 1}, {"g/cm³", "density", 1000},
	{"m²", "area", 1}, {"cm²", "area", 1e-4}, {"m³", "volume", 1}, {"cm³", "volume", 1e-6},
}

var unitOf = func() map[string]unit {
	m := make(map[string]unit, len(units))
	for _, u := range units {
		m[u.name] = u
	}
	return m
}()

// lookUnit finds a unit, in any case but for M, which is no metre.
func lookUnit(name string) (unit, bool) {
	if name == "M" {
		return unit{}, false
	}
	if u, ok := unitOf[name]; ok {
		return u, true
	}
	u, ok := unitOf[strings.ToLower(name)]
	return u, ok
}

// Dimension says what a unit measures: "time" for ms. The second result is
// false for a unit that is symbolic (px, vh …) or not known.
func Dimension(unitName string) (string, bool) {
	u, ok := lookUnit(unitName)
	return string(u.of), ok
}

// Convert turns n of one unit into another: 30 cm are 0.3 m. A number without
// a unit is taken in the wanted one, a number wanted without a unit may be a
// ratio: 50 % are 0.5. It is false when the two do not measure the same thing.
func Convert(n float64, from, to string) (float64, bool) {
	if from == to || from == "" {
		return n, true
	}
	f, ok := lookUnit(from)
	if !ok {
		return 0, false
	}
	if to == "" {
		return n / 100, f.of == "ratio"
	}
	t, ok := lookUnit(to)
	if !ok || t.of != f.of {
		return 0, false
	}
	if f.factor == t.factor {
		return n, true
	}
	if f.factor < t.factor && t.factor/f.factor == float64(int64(t.factor/f.factor)) {
		return n / (t.factor / f.factor), true // 250 ms are 0.25 s exactly, not 250·0.001
	}
	return n * (f.factor / t.factor), true
}

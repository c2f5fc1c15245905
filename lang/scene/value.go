package scene

import (
	"math"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/token"
	"github.com/meshd/meshd/lang/trait"
)

// data is a value as the model keeps it: numbers in base units, what is only
// known at run time as {"expr": its source}, colours and words as text.
func data(v Value) Value {
	switch v.Kind {
	case trait.Unknown, trait.Handler:
		if v.Str == "" {
			return Value{Kind: trait.Null}
		}
		return mapOf(field{Key: "expr", Value: textOf(v.Str)})
	case trait.Number:
		return baseUnit(v)
	case trait.Color:
		if c, ok := Color(v.Str); ok {
			return textOf(c)
		}
		return textOf(v.Str)
	case trait.Word:
		return textOf(v.Str)
	case trait.List:
		out := make([]Value, len(v.List))
		for i, e := range v.List {
			out[i] = data(e)
		}
		return listOf(out)
	case trait.Map:
		out := make([]field, 0, len(v.Fields))
		at := map[string]int{}
		for _, f := range v.Fields { // the last of equal keys counts
			f.Value, f.From = data(f.Value), nil
			if i, there := at[f.Key]; there {
				out[i] = f
				continue
			}
			at[f.Key] = len(out)
			out = append(out, f)
		}
		return mapOf(out...)
	}
	return v
}

// Data is a value as documents keep it: numbers in base units, what is only
// known at run time as {"expr": its source}.
func Data(v Value) Value { return data(v) }

// Get is the field of a map that a key names in any spelling.
func Get(v Value, key string) (Value, bool) { return get(v, key) }

// baseUnits are the units that numbers have in the model.
var baseUnits = map[string]string{
	"time": "s", "length": "m", "mass": "kg", "angle": "deg", "frequency": "hz", "ratio": "", "speed": "m/s", "acceleration": "m/s²",
	"angular speed": "deg/s", "density": "kg/m³", "area": "m²", "volume": "m³", "data": "b",
}

// baseUnit takes a number to the base unit of what it measures; a symbolic unit
// (px, vh) makes it text.
func baseUnit(v Value) Value {
	if v.Unit == "" {
		return numOf(v.Num)
	}
	dim, ok := trait.Dimension(v.Unit)
	if !ok {
		return textOf(formatNumber(v.Num) + v.Unit)
	}
	to, ok := baseUnits[dim]
	if !ok {
		return numOf(v.Num)
	}
	n, ok := trait.Convert(v.Num, v.Unit, to)
	if !ok {
		return numOf(v.Num)
	}
	return numOf(n)
}

// number reads a number in a unit; anything else is the fallback.
func number(v Value, unit string, fallback float64) float64 {
	if v.Kind != trait.Number {
		return fallback
	}
	n, ok := trait.Convert(v.Num, v.Unit, unit)
	if !ok {
		return fallback
	}
	return near(n)
}

// near brings a number into the range of the model.
func near(n float64) float64 { return min(max(zero(n), -MaxCoord), MaxCoord) }

func isNumber(v Value) bool { return v.Kind == trait.Number }

// seconds reads a duration; a bare number of 20 or more is milliseconds.
func seconds(v Value, fallback float64) float64 {
	if v.Kind == trait.Number && v.Unit == "" {
		if v.Num >= 20 {
			return near(v.Num / 1000)
		}
		return near(v.Num)
	}
	return number(v, "s", fallback)
}

// timeKey reads the key of a timeline: seconds, or a number with a unit.
func timeKey(raw string) (float64, bool) {
	raw = strings.Trim(raw, `"'`)
	digits, unit := token.SplitNumber(raw)
	if digits == "" {
		return 0, false
	}
	n := token.NumberValue(digits)
	if unit == "" {
		return near(n), true
	}
	s, ok := trait.Convert(n, unit, "s")
	return near(s), ok
}

// radians turns degrees, or a number with a unit, into radians rounded once.
func radians(v Value, fallback float64) float64 {
	if v.Kind != trait.Number {
		return fallback
	}
	if v.Unit == "rad" {
		return near(v.Num)
	}
	n, ok := trait.Convert(v.Num, v.Unit, "deg")
	if !ok {
		return fallback
	}
	return toRadians(near(n))
}

func toRadians(degrees float64) float64 { return derived(degrees * (math.Pi / 180)) }

// derived rounds a number that was worked out, and not written, to single
// precision, so that its last bits do not differ between machines.
func derived(n float64) float64 {
	f := float64(float32(n))
	if math.IsInf(f, 0) {
		return near(n)
	}
	return short(f)
}

// short is the number whose shortest decimal is that of the single: 0.1 and not
// 0.10000000149.
func short(f float64) float64 {
	s, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', -1, 32), 64)
	if err != nil {
		return 0
	}
	return zero(s)
}

// vector reads [x, y, z] or { x y z }, with a fallback for what is missing. ok is
// false for anything else.
func vector(v Value, unit string, missing float64) (out Vec, ok bool) {
	out = Vec{missing, missing, missing}
	switch v.Kind {
	case trait.Text:
		if list, is := trait.Coordinates(v.Str); is {
			return vector(list, unit, missing)
		}
	case trait.List:
		if len(v.List) == 0 {
			return out, false
		}
		for i, e := range v.List {
			if i < 3 {
				out[i] = number(e, unit, missing)
			}
		}
		return out, true
	case trait.Map:
		for i, k := range [3]string{"x", "y", "z"} {
			if e, has := get(v, k); has {
				out[i], ok = number(e, unit, missing), true
			}
		}
	}
	return out, ok
}

// factors reads a scale: a number or three.
func factors(v Value) (UnitVec, bool) {
	if v.Kind == trait.Text {
		if n, err := strconv.ParseFloat(strings.TrimSpace(v.Str), 64); err == nil && !math.IsInf(n, 0) && !math.IsNaN(n) {
			return UnitVec{n, n, n}, true
		}
	}
	if v.Kind == trait.Number {
		n := number(v, "", 1)
		return UnitVec{n, n, n}, true
	}
	out, ok := vector(v, "", 1)
	return UnitVec(out), ok
}

// rotation reads Euler degrees, matrix Rx·Ry·Rz, or a quaternion of four.
func rotation(v Value) (Quat, bool) {
	if v.Kind == trait.Text {
		if list, is := trait.Coordinates(v.Str); is {
			v = list
		}
	}
	if v.Kind == trait.Number { // about the vertical
		return Euler(Vec{0, number(v, "deg", 0), 0}), true
	}
	if v.Kind == trait.List && len(v.List) == 4 {
		q := Quat{}
		for i, e := range v.List {
			q[i] = number(e, "", 0)
		}
		return unit(q), true
	}
	if v.Kind == trait.Map {
		if _, ok := get(v, "w"); ok {
			q := Quat{}
			for i, k := range [4]string{"x", "y", "z", "w"} {
				e, _ := get(v, k)
				q[i] = number(e, "", 0)
			}
			return unit(q), true
		}
	}
	e, ok := vector(v, "deg", 0)
	if !ok {
		return Identity, false
	}
	return Euler(e), true
}

// Euler is the rotation of angles in degrees, matrix Rx·Ry·Rz.
func Euler(degrees Vec) Quat {
	q := Identity
	for i, a := range degrees {
		if a == 0 {
			continue
		}
		axis := vec.Vec{}
		switch i {
		case 0:
			axis.X = 1
		case 1:
			axis.Y = 1
		default:
			axis.Z = 1
		}
		q = product(q, Quat(vec.AxisAngle(axis, a*(math.Pi/180))))
	}
	return unit(q)
}

// product turns by c first and then by a.
func product(a, c Quat) Quat {
	m := func(x, y float64) float64 { return float64(x * y) }
	return Quat{
		m(a[3], c[0]) + m(a[0], c[3]) + m(a[1], c[2]) - m(a[2], c[1]),
		m(a[3], c[1]) - m(a[0], c[2]) + m(a[1], c[3]) + m(a[2], c[0]),
		m(a[3], c[2]) + m(a[0], c[1]) - m(a[1], c[0]) + m(a[2], c[3]),
		m(a[3], c[3]) - m(a[0], c[0]) - m(a[1], c[1]) - m(a[2], c[2]),
	}
}

// unit is a rotation of length 1 with w ≥ 0, rounded to single precision.
func unit(q Quat) Quat {
	n := 0.0
	for _, x := range q {
		n += float64(x * x)
	}
	n = math.Sqrt(n)
	if n < 1e-12 || math.IsInf(n, 0) {
		return Identity
	}
	if q[3] < 0 {
		n = -n
	}
	for i := range q {
		q[i] = derived(q[i] / n)
	}
	return q
}

// facing is the rotation that turns -Z into a direction, with Y roughly up.
func facing(direction vec.Vec) Quat {
	right, up, back := vec.Basis(direction, vec.Vec{Y: 1})
	return fromAxes(right, up, back)
}

// fromAxes is the rotation whose matrix has these columns.
func fromAxes(x, y, z vec.Vec) Quat {
	var q Quat
	switch t := x.X + y.Y + z.Z; {
	case t > 0:
		s := math.Sqrt(t+1) * 2
		q = Quat{(y.Z - z.Y) / s, (z.X - x.Z) / s, (x.Y - y.X) / s, s / 4}
	case x.X > y.Y && x.X > z.Z:
		s := math.Sqrt(1+x.X-y.Y-z.Z) * 2
		q = Quat{s / 4, (y.X + x.Y) / s, (z.X + x.Z) / s, (y.Z - z.Y) / s}
	case y.Y > z.Z:
		s := math.Sqrt(1+y.Y-x.X-z.Z) * 2
		q = Quat{(y.X + x.Y) / s, s / 4, (z.Y + y.Z) / s, (z.X - x.Z) / s}
	default:
		s := math.Sqrt(1+z.Z-x.X-y.Y) * 2
		q = Quat{(z.X + x.Z) / s, (z.Y + y.Z) / s, s / 4, (x.Y - y.X) / s}
	}
	return unit(q)
}

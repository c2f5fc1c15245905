package vec

import "math"

// Coefficients of the kernels of fdlibm (Sun Microsystems 1993, k_sin.c and
// k_cos.c), good to the last bit or two on [-π/4, π/4].
var (
	sinTerms = [...]float64{-1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04, 2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10}
	cosTerms = [...]float64{4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05, -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11}
)

// π/2 in two parts, the first with 33 bits, so that small multiples of it are exact.
const (
	halfPiHigh = 1.57079632673412561417e+00
	halfPiLow  = 6.07710050650619224932e-11
)

// MaxAngle is the largest angle SinCos turns with full precision; beyond it the
// result is that of 0.
const MaxAngle = 1 << 20

// SinCos are the sine and cosine of an angle, equal on every machine.
func SinCos(x float64) (sin, cos float64) {
	if !(x >= -MaxAngle && x <= MaxAngle) {
		return 0, 1
	}
	n := math.Floor(float64(x*(2/math.Pi)) + 0.5)
	r := x - float64(n*halfPiHigh)
	r -= float64(n * halfPiLow)
	z := float64(r * r)
	s, c := 0.0, 0.0
	for i := len(sinTerms) - 1; i >= 0; i-- {
		s = float64(s*z) + sinTerms[i]
		c = float64(c*z) + cosTerms[i]
	}
	s = r + float64(float64(r*z)*s)
	c = 1 - float64(0.5*z) + float64(float64(z*z)*c)
	switch int64(n) & 3 {
	case 0:
		return s, c
	case 1:
		return c, -s
	case 2:
		return -s, -c
	default:
		return -c, s
	}
}

// Tan is the tangent of an angle.
func Tan(x float64) float64 {
	s, c := SinCos(x)
	return s / c
}

// Fade is e to the power of -x for x ≥ 0, equal on every machine; it is 1 for
// what is negative or no number.
func Fade(x float64) float64 {
	if !(x > 0) {
		return 1
	}
	if x > 700 {
		return 0
	}
	k := math.Floor(x/math.Ln2 + 0.5)
	r := float64(k*math.Ln2) - x // e^-x = 2^-k · e^r, |r| ≤ ln2/2
	sum, term := 1.0, 1.0
	for i := 1; i <= 14; i++ {
		term = float64(term*r) / float64(i)
		sum += term
	}
	return math.Ldexp(sum, -int(k))
}

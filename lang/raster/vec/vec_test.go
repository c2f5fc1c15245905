package vec

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func near(a, b, eps float64) bool { return math.Abs(a-b) <= eps*max(1, math.Abs(a), math.Abs(b)) }

func nearVec(a, b Vec, eps float64) bool { return a.Sub(b).Len() <= eps*max(1, a.Len()) }

func TestAnglesAgreeWithMath(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-1000, 1000).Draw(t, "x")
		s, c := SinCos(x)
		if !near(s, math.Sin(x), 1e-13) || !near(c, math.Cos(x), 1e-13) {
			t.Fatalf("SinCos(%v) = %v, %v; math says %v, %v", x, s, c, math.Sin(x), math.Cos(x))
		}
		y := rapid.Float64Range(0, 80).Draw(t, "y")
		if f := Fade(y); math.Abs(f-math.Exp(-y)) > 1e-13*math.Exp(-y) {
			t.Fatalf("Fade(%v) = %v, math says %v", y, f, math.Exp(-y))
		}
	})
	for _, x := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), MaxAngle + 1} {
		if s, c := SinCos(x); s != 0 || c != 1 {
			t.Errorf("SinCos(%v) = %v, %v", x, s, c)
		}
	}
	for x, want := range map[float64]float64{0: 1, -3: 1, 1e9: 0, math.Inf(1): 0} {
		if got := Fade(x); got != want {
			t.Errorf("Fade(%v) = %v, want %v", x, got, want)
		}
	}
	if got := Tan(math.Pi / 4); !near(got, 1, 1e-14) {
		t.Errorf("Tan(π/4) = %v", got)
	}
}

func genVec(most float64) *rapid.Generator[Vec] {
	return rapid.Custom(func(t *rapid.T) Vec {
		f := rapid.Float64Range(-most, most)
		return Vec{f.Draw(t, "x"), f.Draw(t, "y"), f.Draw(t, "z")}
	})
}

func TestMatrices(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		axis := genVec(1).Filter(func(v Vec) bool { return v.Len() > 0.1 }).Draw(t, "axis")
		q := AxisAngle(axis, rapid.Float64Range(-7, 7).Draw(t, "angle"))
		scale := genVec(4).Filter(func(v Vec) bool { return math.Abs(v.X*v.Y*v.Z) > 1e-3 }).Draw(t, "scale")
		m := TRS(genVec(9).Draw(t, "move"), q, scale)
		n := TRS(genVec(9).Draw(t, "move2"), q, Vec{1, 1, 1})
		p := genVec(9).Draw(t, "p")
		both := n.Mul(m)
		if got, want := both.Point(p), n.Point(m.Point(p)); !nearVec(got, want, 1e-9) {
			t.Fatalf("(n·m)p = %v, n(m p) = %v", got, want)
		}
		if d := m.Det(); !near(d, scale.X*scale.Y*scale.Z, 1e-9) {
			t.Fatalf("determinant %v of scale %v", d, scale)
		}
		// A normal stays at right angles to the surface, and on its side.
		a, b := genVec(1).Draw(t, "a"), genVec(1).Draw(t, "b")
		normals := m.Normals()
		got := normals.Dir(a.Cross(b))
		ma, mb := m.Dir(a), m.Dir(b)
		if size := got.Len() * (ma.Len() + mb.Len()); math.Abs(got.Dot(ma)) > 1e-9*max(1, size) || math.Abs(got.Dot(mb)) > 1e-9*max(1, size) {
			t.Fatalf("normal %v of %v and %v", got, ma, mb)
		}
		outside := a.Cross(b)
		if d := m.Dir(outside).Dot(got); d < -1e-9 {
			t.Fatalf("the normal changed sides: %v", d)
		}
	})
	quarter := TRS(Vec{}, AxisAngle(Vec{0, 1, 0}, math.Pi/2), Vec{1, 1, 1})
	if got := quarter.Point(Vec{0, 0, -1}); !nearVec(got, Vec{-1, 0, 0}, 1e-12) {
		t.Errorf("a quarter turn to the left of forward is %v", got)
	}
	still := TRS(Vec{1, 2, 3}, Quat{}, Vec{1, 1, 1})
	if got := still.Point(Vec{}); got != (Vec{1, 2, 3}) {
		t.Errorf("the zero quaternion turns: %v", got)
	}
}

func TestBasis(t *testing.T) {
	t.Parallel()
	for _, forward := range []Vec{{0, 0, -1}, {1, 2, 3}, {0, 1, 0}, {0, -5, 0}, {}} {
		r, u, b := Basis(forward, Vec{0, 1, 0})
		if !near(r.Len(), 1, 1e-12) || !near(u.Len(), 1, 1e-12) || !near(b.Len(), 1, 1e-12) {
			t.Errorf("%v: lengths %v %v %v", forward, r.Len(), u.Len(), b.Len())
		}
		if !nearVec(r.Cross(u), b, 1e-12) {
			t.Errorf("%v: not right-handed: %v %v %v", forward, r, u, b)
		}
	}
	r, u, b := Basis(Vec{0, 0, -1}, Vec{0, 1, 0})
	if r != (Vec{1, 0, 0}) || u != (Vec{0, 1, 0}) || b != (Vec{0, 0, 1}) {
		t.Errorf("looking forward: %v %v %v", r, u, b)
	}
}

func TestUnitOfNothing(t *testing.T) {
	t.Parallel()
	if (Vec{}).Unit() != (Vec{}) || (Vec{math.NaN(), 0, 0}).Finite() || !(Vec{1, 2, 3}).Finite() {
		t.Error("zero or broken vectors")
	}
}

// Package sfc32 is the one generator of random numbers of the language: Chris
// Doty-Humphrey's small fast counting generator with three words of state and a
// counter. The viewer has the same, so that both draw the same numbers.
package sfc32

// Rand draws numbers. The same seed gives the same numbers everywhere. It is not
// for secrets, and not safe for concurrent use.
type Rand struct{ a, b, c, d uint32 }

// New discards the first twelve numbers, which still show the seed.
func New(seed [4]uint32) Rand {
	r := Rand{seed[0], seed[1], seed[2], seed[3]}
	for range 12 {
		r.Uint32()
	}
	return r
}

// Uint32 draws 32 bits.
func (r *Rand) Uint32() uint32 {
	t := r.a + r.b + r.d
	r.d++
	r.a = r.b ^ r.b>>9
	r.b = r.c + r.c<<3
	r.c = r.c<<21 | r.c>>11
	r.c += t
	return t
}

// Float draws a number from 0 up to 1.
func (r *Rand) Float() float64 { return float64(r.Uint32()) / (1 << 32) }

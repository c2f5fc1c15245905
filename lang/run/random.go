package run

// sfc32 is the generator of random numbers that the viewer has too.
type sfc32 struct{ a, b, c, d uint32 }

// newSfc32 discards the first rounds, which still show the seed.
func newSfc32(seed [4]uint32) sfc32 {
	r := sfc32{seed[0], seed[1], seed[2], seed[3]}
	for range 12 {
		r.next()
	}
	return r
}

func (r *sfc32) next() uint32 {
	t := r.a + r.b + r.d
	r.d++
	r.a = r.b ^ r.b>>9
	r.b = r.c + r.c<<3
	r.c = r.c<<21 | r.c>>11
	r.c += t
	return t
}

// float is a number from 0 up to 1.
func (r *sfc32) float() float64 { return float64(r.next()) / (1 << 32) }

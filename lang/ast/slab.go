package ast

// Slab allocates nodes of one type from pieces that grow, so that a node costs no
// separate allocation and few nodes keep little memory that others had.
type Slab[T any] struct {
	free []T
	size int
}

// New returns a new node.
func (s *Slab[T]) New() *T {
	if len(s.free) == 0 {
		s.size = min(max(2*s.size, 1), 256)
		s.free = make([]T, s.size)
	}
	n := &s.free[0]
	s.free = s.free[1:]
	return n
}

// Take returns n new neighbours.
func (s *Slab[T]) Take(n int) []T {
	if n > len(s.free) {
		if n > 64 {
			return make([]T, n)
		}
		s.size = min(max(2*s.size, n), 1024)
		s.free = make([]T, s.size)
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}

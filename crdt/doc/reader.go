package doc

import "errors"

var (
	errShort   = errors.New("ends early")
	errMinimal = errors.New("number is not in its shortest form")
	errWide    = errors.New("number is too large")
)

// reader takes values from the front of b.
type reader struct{ b []byte }

func (r *reader) take(n uint64) ([]byte, error) {
	if n > uint64(len(r.b)) {
		return nil, errShort
	}
	head := r.b[:n:n]
	r.b = r.b[n:]
	return head, nil
}

// uleb reads an unsigned LEB128 in its only accepted, shortest form.
func (r *reader) uleb() (uint64, error) {
	var v uint64
	for i, c := range r.b {
		if i == 9 && c > 1 {
			return 0, errWide
		}
		v |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			if c == 0 && i > 0 {
				return 0, errMinimal
			}
			r.b = r.b[i+1:]
			return v, nil
		}
	}
	return 0, errShort
}

// sleb reads a signed LEB128 in its only accepted, shortest form.
func (r *reader) sleb() (int64, error) {
	var v int64
	for i, c := range r.b {
		if i == 9 && c != 0 && c != 0x7f {
			return 0, errWide
		}
		v |= int64(c&0x7f) << (7 * i)
		if c < 0x80 {
			if i > 0 {
				before := r.b[i-1]
				if c == 0 && before&0x40 == 0 || c == 0x7f && before&0x40 != 0 {
					return 0, errMinimal
				}
			}
			if c&0x40 != 0 && i < 9 {
				v |= -1 << (7 * (i + 1))
			}
			r.b = r.b[i+1:]
			return v, nil
		}
	}
	return 0, errShort
}

package call

// ListOf is s, never nil.
func ListOf(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

// SortKey writes a number that is not negative so that keys sort as texts do as numbers.
func SortKey(n int64) string {
	const digits = "0123456789abcdef"
	var out [16]byte
	for i := range out {
		out[15-i] = digits[n>>(4*i)&15]
	}
	return string(out[:])
}

// TextOrNil is s, nil for "".
func TextOrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

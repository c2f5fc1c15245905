package call

import "time"

// Stamp is a time as the API writes it.
func Stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// StampOrNil is Stamp, nil for the zero time.
func StampOrNil(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := Stamp(t)
	return &text
}

package passport

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"time"
)

// layout is RFC 3339 in UTC with milliseconds, the one form of times here.
const layout = "2006-01-02T15:04:05.000Z"

// timestamp is a moment in ms since 1970.
type timestamp int64

func stamp(ms int64) string { return time.UnixMilli(ms).UTC().Format(layout) }

func (t timestamp) MarshalText() ([]byte, error) { return []byte(stamp(int64(t))), nil }

func (t *timestamp) UnmarshalText(text []byte) error {
	at, err := time.Parse(layout, string(text))
	if err != nil || at.Format(layout) != string(text) {
		return fmt.Errorf("%w: want a time like %s", ErrPassport, layout)
	}
	*t = timestamp(at.UnixMilli())
	return nil
}

// optional is 0 for a time that is not there. A time of 0 that is there would be
// read as none.
func (t *timestamp) optional() (int64, error) {
	if t == nil {
		return 0, nil
	}
	if *t == 0 {
		return 0, fmt.Errorf("%w: expires in 1970", ErrPassport)
	}
	return int64(*t), nil
}

// digest is a SHA-256 in 64 lower-case hex digits.
type digest [32]byte

func (d digest) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(d[:])), nil }

func (d *digest) UnmarshalText(text []byte) error {
	b, err := hex.DecodeString(string(text))
	if err != nil || len(b) != len(d) || hex.EncodeToString(b) != string(text) {
		return fmt.Errorf("%w: want 64 lower-case hex digits", ErrPassport)
	}
	*d = digest(b)
	return nil
}

// Ratio is a ratio in hundredths; as JSON it is a number with two decimals at
// most.
type Ratio uint64

// MarshalJSON writes the number.
func (r Ratio) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(r)/100, 'f', -1, 64), nil
}

// UnmarshalJSON reads it. A third decimal is dropped here and refused by whoever
// compares what was read with what was written, as all readers of this package
// do.
func (r *Ratio) UnmarshalJSON(data []byte) error {
	f, err := strconv.ParseFloat(string(data), 64)
	if err != nil || f < 0 || f*100 > maxRatio {
		return fmt.Errorf("%w: ratio out of range", ErrPassport)
	}
	*r = Ratio(f*100 + 0.5)
	return nil
}

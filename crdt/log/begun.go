package log

import (
	"context"
	"errors"
	"strings"

	"github.com/meshd/meshd/crdt/change"
)

// ids are the characters of ids as people see them, in the order of their values,
// which is that of the characters of ordered.
const ids = "abcdefghijklmnopqrstuvwxyz234567"

const orderedDigits = "0123456789abcdefghijklmnopqrstuv"

// Begun finds members whose id begins with some characters of base32, in the order
// of their ids, up to max. A beginning of other characters finds none.
func (l *reader) Begun(ctx context.Context, beginning string, max int) (out []change.ID, err error) {
	key := []byte(prefixID)
	for _, c := range []byte(beginning) {
		at := strings.IndexByte(ids, c)
		if at < 0 {
			return nil, nil
		}
		key = append(key, orderedDigits[at])
	}
	if max <= 0 {
		return nil, nil
	}
	err = l.engine.Scan(ctx, string(key), after(string(key)), func(key string, value []byte) error {
		p, err := decodePlace(key, value)
		if err != nil {
			bad, _ := idOf(prefixID, key)
			return &DamageError{ID: bad, Part: "id index", Err: err}
		}
		if !l.has(p.set, p.item) {
			return nil
		}
		if out = append(out, p.item.ID); len(out) == max {
			return errStop
		}
		return nil
	})
	if errors.Is(err, errStop) {
		err = nil
	}
	return out, err
}

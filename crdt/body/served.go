package body

import (
	"fmt"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
)

// Served is the body of served: to how many other agents a gateway served each
// entry on one day.
type Served struct {
	Day  int64 // days since 1970 in UTC
	Rows []ServedRow
}

// ServedRow is how often one entry was served.
type ServedRow struct {
	Entry change.ID
	Count int64
}

// ParseServed is the row of served.
func ParseServed(b []byte) (Served, error) {
	r := parse(b)
	var v Served
	v.Day, _ = r.integer("day", required, 0, MaxDay)
	r.list("rows", required, MaxServed, func(item any) error {
		pair, ok := item.([]any)
		if !ok || len(pair) != 2 {
			return errType
		}
		id, isID := pair[0].([]byte)
		n, isInt := pair[1].(int64)
		if !isID || !isInt || len(id) != len(change.ID{}) {
			return errType
		}
		if n < 1 {
			return fmt.Errorf("count out of range")
		}
		v.Rows = append(v.Rows, ServedRow{change.ID(id), n})
		return nil
	})
	return v, r.refusal()
}

// Encode returns the canonical body.
func (v Served) Encode() ([]byte, error) {
	rows := make([]any, len(v.Rows))
	for i := range v.Rows {
		rows[i] = []any{v.Rows[i].Entry[:], v.Rows[i].Count}
	}
	return encode(cbor.Map{"day": v.Day, "rows": rows})
}

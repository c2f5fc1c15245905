package sync

import (
	"fmt"
	"time"

	"github.com/meshd/meshd/crdt/cbor"
)

// BusyError says that a peer has no time for a set now.
type BusyError struct {
	Retry time.Duration // after which it may have; five minutes at most
}

// Error makes a BusyError an error.
func (e *BusyError) Error() string { return fmt.Sprintf("peer is busy, retry in %v", e.Retry) }

// busy stands for any answer and ends the set.
type busy struct{ retry time.Duration }

func (y busy) encode() []byte {
	return appendUint(cbor.AppendMap(nil, 1), "retry_ms", uint64(y.retry.Milliseconds()))
}

func decodeBusy(payload []byte) (busy, error) {
	var ms uint64
	err := decodeMap(kindBusy, payload, uintField("retry_ms", &ms, cbor.MaxInt))
	if ms > uint64(maxRetry.Milliseconds()) {
		ms = uint64(maxRetry.Milliseconds())
	}
	return busy{time.Duration(ms) * time.Millisecond}, err
}

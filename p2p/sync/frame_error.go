package sync

import (
	"fmt"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/reason"
)

// RemoteError says that a peer ended the session with a code.
type RemoteError struct {
	Code reason.Code // any text of the peer's, not only codes known here
}

// Error makes a RemoteError an error.
func (e *RemoteError) Error() string {
	return fmt.Sprintf("peer ended the session: %q", string(e.Code))
}

// failure stands for any answer and ends the session.
type failure struct{ code reason.Code }

func (f failure) encode() []byte {
	return cbor.AppendText(cbor.AppendText(cbor.AppendMap(nil, 1), "code"), string(f.code))
}

func decodeFailure(payload []byte) (failure, error) {
	var f failure
	err := decodeMap(kindError, payload, field{key: "code", read: func(r *cbor.Reader) error {
		s, err := r.Text()
		if err == nil && len(s) > maxCode {
			err = errLimit
		}
		f.code = reason.Code(s)
		return err
	}})
	return f, err
}

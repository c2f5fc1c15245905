package topic

import (
	"crypto/sha256"

	pb "github.com/libp2p/go-libp2p-pubsub/pb"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
)

// Encode is c as a topic message: [head, body], or [head, null] when that
// would be above MaxMessage.
func Encode(c *change.Change) []byte {
	b := cbor.AppendBytes(cbor.AppendArray(nil, 2), c.RawHead)
	if c.Body != nil {
		if full := cbor.AppendBytes(b, c.Body); len(full) <= MaxMessage {
			return full
		}
	}
	return cbor.AppendNull(b)
}

// Decode reads a topic message; the change aliases b. The error is a refusal.
func Decode(b []byte) (*change.Change, error) {
	if len(b) > MaxMessage {
		return nil, reason.Refuse(reason.ChangeTooLarge, "message of %d bytes, limit %d", len(b), MaxMessage)
	}
	head, body, err := split(b)
	if err != nil {
		return nil, reason.Refuse(reason.BadEncoding, "message: %v", err)
	}
	return change.Decode(head, body)
}

func split(b []byte) (head, body []byte, err error) {
	r := cbor.NewReader(b)
	n, err := r.Array()
	if err != nil {
		return nil, nil, err
	}
	if n != 2 {
		return nil, nil, errItems
	}
	if head, err = r.Bytes(); err != nil {
		return nil, nil, err
	}
	if body, err = r.BytesOrNull(); err != nil {
		return nil, nil, err
	}
	r.End()
	return head, body, r.Done()
}

// messageID is not the change's id: a forger's bad copy must not hide the good
// one from those who saw it first.
func messageID(m *pb.Message) string {
	h := sha256.Sum256(m.GetData())
	return string(h[:16])
}

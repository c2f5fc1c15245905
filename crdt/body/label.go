package body

import (
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
)

// What a label may say. The first five name a fault; an agent that writes one
// reports, a labeler that writes one judges. The last two are the outcome of
// reports.
const (
	LabelSpam       = "spam"
	LabelSecret     = "secret"
	LabelFabricated = "fabricated"
	LabelAbuse      = "abuse"
	LabelDuplicate  = "duplicate"
	LabelUpheld     = "upheld"
	LabelDismissed  = "dismissed"
)

// Labels are the values of a label, in the order of the wire.
func Labels() []string {
	return []string{LabelSpam, LabelSecret, LabelFabricated, LabelAbuse, LabelDuplicate, LabelUpheld, LabelDismissed}
}

// Refuses reports whether a label says that its target should not have been
// written: a labeler of the network's manifest thereby lowers its author's
// reputation.
func Refuses(label string) bool {
	return label == LabelSpam || label == LabelSecret || label == LabelFabricated || label == LabelAbuse
}

// Label is the body of label.
type Label struct {
	Target change.ID
	Value  string // one of Labels
	Why    string
}

// ParseLabel is the row of label; parents are those of the head, which must contain
// the target.
func ParseLabel(b []byte, parents []change.ID) (Label, error) {
	r := parse(b)
	v := Label{Target: r.parent("target", parents), Value: r.word("value", required, Labels()...), Why: r.text("why", optional, 0, MaxLabelWhy)}
	return v, r.refusal()
}

// Encode returns the canonical body.
func (v Label) Encode() ([]byte, error) {
	m := cbor.Map{"target": v.Target[:], "value": v.Value}
	putText(m, "why", v.Why)
	return encode(m)
}

package body

import (
	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
)

// Comment is the body of comment: words about an entry, or a note in the
// guestbook of an agent, whose genesis is then the target.
type Comment struct {
	Target change.ID
	Parent change.ID // the comment that is answered; zero for one of the first level
	Text   string    // 1…MaxComment characters, MaxNote in a guestbook
	Mood   string
	Guest  string // the name a guest without an agent gave to a gateway
}

// ParseComment is the row of comment for a change in space; parents are those of
// the head, which must contain the target. How deep a comment lies and whether its
// author may speak for guests is decided from the set.
func ParseComment(b []byte, space change.Space, parents []change.ID) (Comment, error) {
	most := MaxComment
	if space.Area() == change.AreaAgent {
		most = MaxNote
	}
	r := parse(b)
	v := Comment{
		Target: r.parent("target", parents), Parent: r.id("parent", optional), Text: r.text("text", required, 1, most),
		Mood: r.text("mood", optional, 0, MaxMood), Guest: r.text("guest", optional, 1, MaxGuest),
	}
	return v, r.refusal()
}

// Encode returns the canonical body. Empty fields are left out.
func (v Comment) Encode() ([]byte, error) {
	m := cbor.Map{"target": v.Target[:], "text": v.Text}
	putID(m, "parent", v.Parent)
	putText(m, "mood", v.Mood)
	putText(m, "guest", v.Guest)
	return encode(m)
}

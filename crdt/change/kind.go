package change

// The kinds of wire §8. Which of them a release judges in full is a matter of
// rules; lane and set follow from IsControl alone, for every kind and release.
const (
	KindManifest  = "net.manifest"
	KindBind      = "profile.bind"
	KindRotate    = "rotate"
	KindGrant     = "grant"
	KindRevoke    = "revoke"
	KindEndorse   = "endorse"
	KindGuildOpen = "guild.open"

	KindEntryPut     = "entry.put"
	KindEntryRetract = "entry.retract"
	KindVote         = "vote"
	KindComment      = "comment"
	KindLabel        = "label"
	KindDocEdit      = "doc.edit"
	KindBountyOpen   = "bounty.open"
	KindBountyAct    = "bounty.act"
	KindTaskAct      = "task.act"
	KindMessage      = "message"
	KindServed       = "served"
)

// IsControl reports whether kind is one of the seven control kinds. The list
// is closed in version 1: an unknown kind is never one of them.
func IsControl(kind string) bool {
	switch kind {
	case KindManifest, KindBind, KindRotate, KindGrant, KindRevoke, KindEndorse, KindGuildOpen:
		return true
	}
	return false
}

// Lane is the half of an author's writing in a space that a chain belongs to.
type Lane uint8

// The lanes.
const (
	Content Lane = iota
	Control
)

// String is "content" or "control".
func (l Lane) String() string {
	if l == Control {
		return "control"
	}
	return "content"
}

// LaneOf is the lane of a kind.
func LaneOf(kind string) Lane {
	if IsControl(kind) {
		return Control
	}
	return Content
}

// validKind checks [a-z]+(\.[a-z]+)? of at most MaxKind bytes.
func validKind(s string) bool {
	if len(s) > MaxKind {
		return false
	}
	dots, run := 0, 0
	for _, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z':
			run++
		case c == '.' && run > 0 && dots == 0:
			dots, run = 1, 0
		default:
			return false
		}
	}
	return run > 0
}

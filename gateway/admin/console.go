package admin

import (
	"net/http"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/console"
	"github.com/meshd/meshd/gateway/console/session"
)

// Console is what the handlers need of the owner's console; *console.Console is one.
type Console interface {
	// Code makes a code that works once.
	Code(p session.Purpose) (text string, until time.Time)
}

var _ Console = (*console.Console)(nil)

// ConsoleReply is a code for the owner's console, which works once and for a minute.
type ConsoleReply struct {
	Code      string    `json:"code"`
	URL       string    `json:"url,omitempty"` // opens the console with the code; "" for a code that confirms
	ExpiresAt time.Time `json:"expires_at"`
}

// codes answers with codes of the console.
type codes struct{ *handlers }

// make makes a code. Nothing else does: a browser is signed in by whoever can reach the
// control socket, and by nobody else.
func (h codes) make(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Purpose session.Purpose `json:"purpose"`
	}
	if err := read(w, r, &in); err != nil {
		h.fail(w, err)
		return
	}
	switch {
	case h.Console == nil || h.API == nil:
		refusal := reason.Refuse(reason.NotFound, "this node has no console: it serves strangers (gateway.enabled), and the console is of the local role alone")
		refusal.Hint = "use the commands of meshd on this machine"
		h.fail(w, refusal)
		return
	case in.Purpose == "":
		in.Purpose = session.SignIn
	case in.Purpose != session.SignIn && in.Purpose != session.Confirm:
		h.fail(w, reason.Refuse(reason.InvalidParam, "purpose must be %s or %s", session.SignIn, session.Confirm))
		return
	}
	code, until := h.Console.Code(in.Purpose)
	out := ConsoleReply{Code: code, ExpiresAt: until.UTC().Truncate(time.Second)}
	if in.Purpose == session.SignIn {
		out.URL = h.API() + console.OpenPath + code
	}
	w.Header().Set("Cache-Control", "no-store")
	h.reply(w, out)
}

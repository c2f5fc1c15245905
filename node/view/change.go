package view

import (
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
)

// TakenIn is what became of a change that came to the API signed.
type TakenIn struct {
	Code  reason.Code // why it is not taken in, or ""
	Known bool        // it was here before
}

// Quota decides whether an author may write one more change now, and
// gives the code if it may not. It is asked about changes that are new.
type Quota func(Author) reason.Code

// Author is who signed a change that comes to the API.
type Author struct {
	Key    did.Key
	Proven bool           // the key's own signature verifies; of a hybrid one only the rules can say
	Agent  change.AgentID // that the key is or was the acting key of; zero while it is of none
	Kind   string         // of the change
	Opens  bool           // the change begins an agent
}

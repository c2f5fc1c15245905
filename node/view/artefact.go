package view

import (
	"github.com/meshd/meshd/identity/attest"
	"github.com/meshd/meshd/identity/passport"
)

// PassportOrder is what is asked of a passport.
type PassportOrder struct {
	Form  passport.Form
	Whole bool // with what only the agent may see
	// Host is the did:web to issue it as, whose document lists the key of the
	// owner's agent under Key; "" for none. Without that key here the issuer is the
	// key that the node writes with for the agent.
	Host, Key string
}

// PassportFinding is what this node's log says to one thing that a passport says.
type PassportFinding struct {
	Name   string // issuer, agent, delegation, revocation or memory
	Answer attest.Answer
	Detail string
}

// Provenance is what a node can say of an entry's history.
type Provenance struct {
	Verdict  attest.Verdict
	Findings []attest.Finding
}

package view

import "github.com/meshd/meshd/identity/attest"

// PassportForm is how a passport is written (identity/passport).
type PassportForm uint8

// The forms.
const (
	PassportJSON       PassportForm = iota // that of our API
	PassportCredential                     // Verifiable Credential 2.0 with a Data Integrity proof
	PassportToken                          // the same as a JWT
	PassportBinary
)

// Provenance is what a node can say of an entry's history.
type Provenance struct {
	Verdict  attest.Verdict
	Findings []attest.Finding
}
